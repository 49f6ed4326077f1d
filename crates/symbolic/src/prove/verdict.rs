//! The answer to "is this zero?", with its evidence as data.

use crate::{Rational, Symbol};
use std::fmt;
use std::ops::Deref;

/// The answer to "is this zero wherever it is defined?".
///
/// ```
/// use rattleback_symbolic::{Expr, Symbol, Verdict, prove_zero};
/// let x = Expr::from(Symbol::variable("x"));
/// match prove_zero(&(x.exp() - x.cosh())) {
///     Verdict::Proven { how } => panic!("{how}"),
///     Verdict::Refuted { witness, value } => assert!(witness.len() == 1 && value.excludes_zero()),
///     Verdict::Undecided { why } => panic!("{why}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is zero.
    Proven {
        /// The argument.
        how: ZeroProof,
    },
    /// It is not zero.
    Refuted {
        /// A real point that respects everything assumed of its symbols.
        witness: Witness,
        /// The value there lies inside, zero outside.
        value: Enclosure,
    },
    /// Neither could be shown.
    Undecided {
        /// What stood in the way.
        why: Reason,
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
    /// Neither, for this reason.
    pub fn undecided(why: impl Into<Reason>) -> Self {
        Verdict::Undecided { why: why.into() }
    }
}

/// Why something is zero.
#[derive(Clone, Debug, PartialEq)]
pub enum ZeroProof {
    /// Its canonical form is the number 0.
    CanonicalForm,
    /// Its normal form, an exact computation, is 0.
    NormalForm,
    /// It vanishes at random points of prime fields on every branch of its roots.
    Fields {
        /// How many fields, one random point in each.
        points: usize,
        /// Branches of the roots, all of them tried at every point.
        branches: u64,
        /// A bound for the degree of the numerator.
        degree: f64,
        /// The probability of an error is below 2^-bits.
        bits: u32,
    },
}

impl fmt::Display for ZeroProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZeroProof::CanonicalForm => f.write_str("zero by its canonical form"),
            ZeroProof::NormalForm => f.write_str("its normal form is zero"),
            ZeroProof::Fields {
                points,
                branches,
                degree,
                bits,
            } => {
                f.write_str("zero")?;
                if *branches > 1 {
                    write!(f, " on all {branches} branches of its roots")?;
                }
                write!(
                    f,
                    " at random points of {points} prime fields; degree at most {degree:.0}, \
                     error probability below 2^-{bits}"
                )
            }
        }
    }
}

impl From<ZeroProof> for String {
    fn from(proof: ZeroProof) -> Self {
        proof.to_string()
    }
}

/// A real point, and which of the functions is not zero there. It reads like its point.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Values of the symbols.
    pub point: Vec<(Symbol, Rational)>,
    /// The index of the function among those that were asked about.
    pub which: usize,
}

impl Deref for Witness {
    type Target = [(Symbol, Rational)];
    fn deref(&self) -> &Self::Target {
        &self.point
    }
}

/// A real number between two doubles, rounded outward.
///
/// It is shown with three digits and with a fourth only where the ends differ in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    /// Not above the number.
    pub low: f64,
    /// Not below the number.
    pub high: f64,
}

impl Enclosure {
    /// Is the number certainly not zero?
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }

    /// A double inside.
    pub fn middle(&self) -> f64 {
        self.low + (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Enclosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (digits(self.low), digits(self.high));
        match low == high {
            true => f.write_str(&low),
            false => write!(f, "between {low} and {high}"),
        }
    }
}

/// Three significant digits.
fn digits(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let size = x.abs().log10().floor();
    if (-4.0..6.0).contains(&size) {
        let places = (2.0 - size).max(0.0) as usize;
        let text = format!("{x:.places$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    } else {
        format!("{x:.2e}")
    }
}

/// Why a question stays open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The expression divides by zero as it stands.
    Undefined,
    /// Its denominator vanishes identically.
    NowhereDefined,
    /// It vanishes at a random point, but its degree may be 2^this.
    Degree(u64),
    /// It has no image in a prime field that would tell, and its values cannot be told from zero.
    NoImage(String),
    /// No algebraic identity makes it zero, yet its values cannot be told from zero.
    LooksZero,
    /// No point that satisfies all assumptions was found.
    NoPoint,
    /// The work was cancelled.
    Cancelled,
    /// Something else, said in words.
    Other(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Undefined => f.write_str("the expression is undefined: it divides by zero"),
            Reason::Degree(log2) => write!(
                f,
                "zero at a random point, but its degree may be 2^{log2}: too high for a proof by points"
            ),
            Reason::NowhereDefined => f.write_str("a denominator vanishes identically"),
            Reason::LooksZero => f.write_str(
                "no algebraic identity makes it zero, yet its values cannot be told from zero",
            ),
            Reason::NoPoint => f.write_str("no point that satisfies all assumptions was found"),
            Reason::Cancelled => f.write_str("the work was cancelled"),
            Reason::NoImage(why) | Reason::Other(why) => f.write_str(why),
        }
    }
}

impl From<Reason> for String {
    fn from(why: Reason) -> Self {
        why.to_string()
    }
}
impl From<String> for Reason {
    fn from(why: String) -> Self {
        Reason::Other(why)
    }
}
impl From<&str> for Reason {
    fn from(why: &str) -> Self {
        Reason::Other(why.into())
    }
}
