//! Proofs that expressions vanish identically.
//!
//! An expression is mapped to a prime field by a ring homomorphism with random values of its unknowns:
//! sine and cosine to points of the circle, roots to roots, functions without algebraic relations to
//! independent unknowns. Zero goes to zero always; anything else goes to zero with a probability of at
//! most degree/p (Schwartz-Zippel), plus the chance that the prime divides all coefficients. Enough
//! independent fields and points push the product below 2^-100. What does not vanish is refuted only by
//! a rational point where the value, with its error bound, is certainly not zero.

mod bounded;
pub(crate) mod field;
pub(crate) mod linear_form;
pub(crate) mod program;
pub(crate) mod random;
mod size;
mod trial;
mod witness;

use crate::{Budget, Expr, Rational, Symbol, normalize_within, work};
use program::Program;
use random::Random;
use trial::{Miss, Trial, Values};
pub(crate) use witness::enclosed_sign;
use witness::{Sample, Sampler};

/// The answer to "is this zero wherever it is defined?".
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, Verdict, prove_zero};
/// let x = Expr::from(Symbol::variable("x"));
/// match prove_zero(&(x.exp() - x.cosh())) {
///     Verdict::Proven { how } => panic!("{how}"),
///     Verdict::Refuted { witness, value } => assert!(witness.len() == 1 && value != 0.0),
///     Verdict::Undecided { why } => panic!("{why}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is zero.
    Proven {
        /// The argument, with its error probability if it has one.
        how: String,
    },
    /// It is not zero.
    Refuted {
        /// A point that satisfies every assumption on its symbols, with values for all that these are
        /// tied to.
        witness: Vec<(Symbol, Rational)>,
        /// A nonzero value there.
        value: f64,
    },
    /// Neither could be shown.
    Undecided {
        /// What stood in the way.
        why: String,
    },
}

impl Verdict {
    /// Was it proven?
    pub fn is_proven(&self) -> bool {
        matches!(self, Verdict::Proven { .. })
    }
    /// Was it refuted?
    pub fn is_refuted(&self) -> bool {
        matches!(self, Verdict::Refuted { .. })
    }

    fn undecided(why: impl Into<String>) -> Self {
        Verdict::Undecided { why: why.into() }
    }
}

/// Is the expression identically zero?
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, prove_zero};
/// let x = Expr::from(Symbol::variable("x"));
/// assert!(prove_zero(&(x.sin().powi(2) + x.cos().powi(2) - 1)).is_proven());
/// assert!(prove_zero(&((2 * &x).sin() - x.sin())).is_refuted());
/// ```
pub fn prove_zero(e: &Expr) -> Verdict {
    prove_all_zero(std::slice::from_ref(e))
}

/// Are all the expressions identically zero? Shared subexpressions are looked at once.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, prove_all_zero};
/// let (x, y) = (Expr::from(Symbol::variable("x")), Expr::from(Symbol::variable("y")));
/// let square = (&x + &y).powi(2);
/// let sum = (&x + &y).sin() - x.sin() * y.cos() - x.cos() * y.sin();
/// assert!(prove_all_zero(&[square - x.powi(2) - 2 * &x * &y - y.powi(2), sum]).is_proven());
/// ```
pub fn prove_all_zero(all: &[Expr]) -> Verdict {
    let open: Vec<Expr> = all.iter().filter(|e| !e.is_zero()).cloned().collect();
    if open.is_empty() {
        return Verdict::Proven {
            how: "zero by its canonical form".into(),
        };
    }
    if work::cancelled() {
        return Verdict::undecided("the work was cancelled");
    }
    if open.iter().any(Expr::is_undefined) {
        return Verdict::undecided("the expression is undefined: it divides by zero");
    }
    let field = program::compile(&open).map_or_else(
        |why| FieldTest::Unknown(why.into()),
        |program| test_in_fields(&program),
    );
    let seed = open.iter().fold(1, |h, e| random::mix(h ^ e.0.hash));
    let mut random = Random::new(seed);
    let mut sampler = Sampler::new(&open);
    match field {
        FieldTest::Zero(how) => match sampler.sample(&mut random, 3) {
            Sample::Consistent(_) if has_zero_form(&open, CHEAP) => Verdict::Proven {
                how: "its normal form is zero".into(),
            },
            Sample::Consistent(0) => Verdict::Proven {
                how: format!("{how}; no floating-point value was at hand to compare"),
            },
            Sample::Consistent(_) => Verdict::Proven { how },
            Sample::Nonzero(w) => Verdict::undecided(format!(
                "the prime-field test says zero, but its value is {} at {}",
                w.value,
                describe(&w.point)
            )),
        },
        FieldTest::Nonzero => refute(&mut sampler, &mut random, || {
            "no algebraic identity makes it zero, yet its values cannot be told from zero".into()
        }),
        FieldTest::Unknown(why) => match refute(&mut sampler, &mut random, || why) {
            Verdict::Undecided { .. } if has_zero_form(&open, Budget::SMALL) => Verdict::Proven {
                how: "its normal form is zero".into(),
            },
            verdict => verdict,
        },
    }
}

/// What a normal form may cost when the zero is all but certain already.
const CHEAP: Budget = Budget {
    terms: 200,
    work: 4_000,
};

/// Does exact algebra give zero? Only a single expression is worth the attempt.
fn has_zero_form(all: &[Expr], budget: Budget) -> bool {
    match all {
        [e] => normalize_within(e, budget).is_some_and(|n| n.is_zero()),
        _ => false,
    }
}

fn refute(sampler: &mut Sampler, random: &mut Random, why: impl FnOnce() -> String) -> Verdict {
    let found = match sampler.sample(random, 24) {
        Sample::Nonzero(w) => Some(w),
        Sample::Consistent(_) => sampler.sample_exactly(random, 4),
    };
    match found {
        Some(w) => Verdict::Refuted {
            witness: w.point,
            value: w.value,
        },
        None if !sampler.can_draw() => {
            Verdict::undecided("no point that satisfies all assumptions was found")
        }
        None => Verdict::undecided(why()),
    }
}

fn describe(point: &[(Symbol, Rational)]) -> String {
    let values: Vec<String> = point.iter().map(|(s, r)| format!("{s} = {r}")).collect();
    values.join(", ")
}

enum FieldTest {
    Zero(String),
    Nonzero,
    Unknown(String),
}

/// Bits of error probability that a proof must stay below.
const CERTAINTY: f64 = 100.0;
/// Points drawn in one field before its poles and missing roots are taken for a property.
const DRAWS: usize = 600;

fn test_in_fields(program: &Program) -> FieldTest {
    let mut random = Random::new(program.seed);
    let mut values = Values::new();
    // One point settles most refutations; bounds are only worth their cost after a zero.
    let branches = match vanishes_somewhere(program, &mut random, &mut values) {
        Ok((true, branches)) => branches,
        Ok((false, _)) => return FieldTest::Nonzero,
        Err(why) => return FieldTest::Unknown(why),
    };
    let bounds = size::bounds(program);
    let bits = certainty(&bounds, branches);
    if bits < 5.0 {
        return FieldTest::Unknown(format!(
            "zero at a random point, but its degree may be 2^{:.0}: too high for a proof by points",
            bounds.degree.log2()
        ));
    }
    let points = (CERTAINTY / bits).ceil() as usize;
    for _ in 1..points {
        match vanishes_somewhere(program, &mut random, &mut values) {
            Ok((true, _)) => {}
            Ok((false, _)) => return FieldTest::Nonzero,
            Err(why) => return FieldTest::Unknown(why),
        }
    }
    let sides = if branches > 1 {
        format!(" on all {branches} branches of its roots")
    } else {
        String::new()
    };
    FieldTest::Zero(format!(
        "zero{sides} at random points of {points} prime fields; degree at most {:.0}, error probability below 2^-100",
        bounds.degree
    ))
}

/// Bits of certainty that one zero gives: degree/p for the point and the share of primes that divide
/// the coefficients, times the share of points that have all roots.
fn certainty(bounds: &size::Bounds, branches: u64) -> f64 {
    // At least 2^47 primes between 2^60 and 2^61 are ≡ -1 mod 480.
    let point = bounds.degree / 2f64.powi(60);
    let prime = (bounds.height / 60.0 + 1.0) / 2f64.powi(47);
    -((point + prime) * branches as f64 * branches as f64).log2()
}

/// Do all outputs vanish at a random point of a random field? With the number of branches.
fn vanishes_somewhere(
    program: &Program,
    random: &mut Random,
    values: &mut Values,
) -> Result<(bool, u64), String> {
    let mut trial = Trial::new(program, Random::new(random.next()))
        .ok_or("no prime field contains its constants")?;
    let mut last = Miss::Pole;
    for _ in 0..DRAWS {
        trial.draw();
        match trial.vanishes(values) {
            Ok(answer) => return Ok(answer),
            Err(Miss::Branches) => {
                return Err("it has more independent square roots than can be tried".into());
            }
            Err(miss) => last = miss,
        }
    }
    Err(match last {
        Miss::Pole => "a denominator vanishes identically".into(),
        _ => "no point was found where all its roots exist".into(),
    })
}

/// The values of all expressions at one shared random point of a prime field: equal expressions get
/// equal values, different ones different values except with a probability of about degree/2^60.
///
/// `None` where an expression has no image in the field or the point is a pole of one of them.
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, fingerprint};
/// let x = Expr::from(Symbol::variable("x"));
/// let values = fingerprint(&[(2 * &x).cos(), 1 - 2 * x.sin().powi(2), x.cos()]).unwrap();
/// assert_eq!(values[0], values[1]);
/// assert_ne!(values[0], values[2]);
/// ```
pub fn fingerprint(all: &[Expr]) -> Option<Vec<u64>> {
    let program = program::compile(all).ok()?;
    let mut values = Values::new();
    let mut trial = Trial::quick(&program, Random::new(program.seed))?;
    for _ in 0..DRAWS {
        trial.draw();
        match trial.run(0, &mut values) {
            Ok(_) => return Some(trial.outputs(&values).map(|x| x.bits()).collect()),
            Err(Miss::Branches) => return None,
            Err(_) => {}
        }
    }
    None
}

/// A quick guess: zero at one random point of a prime field. Never wrong about what is not zero there;
/// for an answer to rely on ask [`prove_zero`].
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, is_probably_zero};
/// let x = Expr::from(Symbol::variable("x"));
/// assert!(is_probably_zero(&((&x + 1).powi(2) - x.powi(2) - 2 * &x - 1)));
/// assert!(!is_probably_zero(&(x.sin() - &x)));
/// ```
pub fn is_probably_zero(e: &Expr) -> bool {
    e.is_zero() || fingerprint(std::slice::from_ref(e)).is_some_and(|v| v[0] == 0)
}
