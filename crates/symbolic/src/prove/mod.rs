//! Proofs that expressions vanish identically.
//!
//! An expression is mapped to a prime field by a ring homomorphism with random values of its unknowns:
//! sine and cosine to points of the circle, roots to roots, functions without algebraic relations to
//! independent unknowns. Zero goes to zero always; anything else goes to zero with a probability of at
//! most degree/p (Schwartz-Zippel), plus the chance that the prime divides all coefficients. Enough
//! independent fields and points push the product below 2^-100. What does not vanish is refuted only by
//! a rational point where the value, with its error bound, is certainly not zero.

mod certain;
mod constant;
mod faithful;
pub(crate) mod field;
mod fields;
pub(crate) mod linear_form;
mod nonzero;
mod period;
mod point;
mod precise;
pub(crate) mod program;
pub(crate) mod random;
mod rank;
mod relations;
mod residues;
mod rewrite;
mod size;
mod trial;
mod verdict;
mod witness;

pub use faithful::residues_are_faithful;
pub use field::{Element, Field};
pub use nonzero::{UndecidedZero, certainly_nonzero, find_nonzero};
pub use period::{enclose_over, nonzero_period};
pub use precise::{precise, rounding};
pub use rank::{UndecidedRank, generic_rank};
pub use residues::Residues;
pub use verdict::{Enclosure, Reason, Verdict, Witness, ZeroProof};

use crate::node::Kind;
use crate::{Budget, Expr, Rational, normalize_within, work};
use fields::{DRAWS, FieldTest};
use random::Random;
use trial::{Miss, Trial};
pub use witness::enclose;
pub(crate) use witness::enclosed_sign;
use witness::{Sample, Sampler};

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
    prove_within(all, DERIVATIVES)
}

/// So many derivatives in turn are asked about.
const DERIVATIVES: u32 = 3;

/// The same with so many derivatives in turn that may be asked about.
fn prove_within(all: &[Expr], depth: u32) -> Verdict {
    let open: Vec<usize> = (0..all.len()).filter(|&i| !all[i].is_zero()).collect();
    if open.is_empty() {
        return Verdict::Proven {
            how: ZeroProof::CanonicalForm,
        };
    }
    let expressions: Vec<Expr> = open.iter().map(|&i| all[i].clone()).collect();
    match prove_open(&expressions, depth) {
        Verdict::Refuted { mut witness, value } => {
            witness.which = open[witness.which];
            Verdict::Refuted { witness, value }
        }
        verdict => verdict,
    }
}

/// The same for expressions that are not literally zero.
fn prove_open(open: &[Expr], depth: u32) -> Verdict {
    if open.iter().any(Expr::is_undefined) {
        return Verdict::undecided(Reason::Undefined);
    }
    if work::cancelled() {
        return Verdict::undecided(Reason::Cancelled);
    }
    let seed = open.iter().fold(1, |h, e| random::mix(h ^ e.0.hash));
    let mut random = Random::new(seed);
    let mut sampler = Sampler::new(open);
    // A value that is certainly not zero settles it, whatever a field says.
    if let Sample::Nonzero(witness, value) = sampler.sample(&mut random, 3) {
        return Verdict::Refuted { witness, value };
    }
    let field = program::compile(open).map_or_else(
        |why| FieldTest::Unknown(Reason::NoImage(why.into())),
        |program| fields::vanishes(&program),
    );
    let why = match field {
        FieldTest::Zero(_) if has_zero_form(open, CHEAP) => {
            return Verdict::Proven {
                how: ZeroProof::NormalForm,
            };
        }
        FieldTest::Zero(how) => return Verdict::Proven { how },
        FieldTest::Nonzero => Reason::LooksZero,
        FieldTest::Unknown(why) => why,
    };
    let mut found = sampler.sample(&mut random, 21);
    if matches!(found, Sample::Consistent) {
        if let Some(how) = known_relation(open, depth) {
            return Verdict::Proven { how };
        }
        found = sampler.sample_closely(&mut random, 3);
    }
    match found {
        Sample::Nonzero(witness, value) => Verdict::Refuted { witness, value },
        Sample::Consistent if !sampler.can_draw() => Verdict::undecided(Reason::NoPoint),
        Sample::Consistent => Verdict::undecided(why),
    }
}

/// Zero by a normal form, or by relations between elementary functions that a field does not know.
fn known_relation(open: &[Expr], depth: u32) -> Option<ZeroProof> {
    if has_zero_form(open, Budget::SMALL) {
        return Some(ZeroProof::NormalForm);
    }
    let new = rewrite::rewritten(open);
    let new = new.as_deref().unwrap_or(open);
    if new.iter().any(Expr::is_undefined) {
        return None;
    }
    let left: Vec<Expr> = new.iter().filter(|e| !e.is_zero()).cloned().collect();
    if left.is_empty() {
        return Some(ZeroProof::NormalForm);
    }
    if new != open
        && let Ok(program) = program::compile(&left)
        && let FieldTest::Zero(how) = fields::vanishes(&program)
    {
        return Some(how);
    }
    let vanishes = |e: &Expr| relations::vanishes(e) || constant::vanishes(e, depth);
    let each = |e: &Expr| vanishes(e) || factors(e).iter().any(vanishes);
    left.iter().all(each).then_some(ZeroProof::NormalForm)
}

/// The factors of a product at whose zeros it vanishes, but for numbers and symbols; none of anything else.
fn factors(e: &Expr) -> Vec<Expr> {
    let (_, core) = e.split_coefficient();
    let Kind::Product(all) = core.kind() else {
        return Vec::new();
    };
    let is_sum = |(b, r): &&(Expr, Rational)| r.is_positive() && matches!(b.kind(), Kind::Sum(..));
    all.iter().filter(is_sum).map(|(b, _)| b.clone()).collect()
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
    let mut trial = Trial::quick(&program, Random::new(program.seed))?;
    for _ in 0..DRAWS {
        trial.draw();
        match trial.run(0) {
            Ok(_) => return Some(trial.outputs().iter().map(|x| x.bits()).collect()),
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
