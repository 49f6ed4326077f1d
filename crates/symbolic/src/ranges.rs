//! Between which numbers expressions stay while each of their symbols moves between two.

use crate::meaning::doubles::Doubles;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::{Lowered, MissingInput, Prepared};
use crate::{Expr, Symbol};
use std::sync::Arc;

/// A program that encloses expressions over boxes of its input symbols, rounded outward.
///
/// ```
/// use rattleback_symbolic::{Expr, Ranges, Symbol};
/// let x = Symbol::variable("x");
/// let e = Expr::from(&x);
/// let ranges = Ranges::new(std::slice::from_ref(&x), &[e.powi(2) - 1, e.log()])?;
/// assert_eq!(ranges.over(&[(-1.0, 2.0)]), [Some((-1.0, 3.0)), None]);
/// # Ok::<(), rattleback_symbolic::MissingInput>(())
/// ```
#[derive(Clone)]
pub struct Ranges(Arc<Prepared<Enclosures<Doubles>>>);

impl Ranges {
    /// Compiles `outputs` as functions of `inputs`.
    pub fn new(inputs: &[Symbol], outputs: &[Expr]) -> Result<Self, MissingInput> {
        let lowered = Lowered::new(inputs, outputs)?;
        Ok(Self(Arc::new(lowered.prepare(Enclosures(Doubles)))))
    }

    /// The least and the most of every output while each input lies between two numbers; none where it may have no
    /// value, or its value is not enclosed.
    pub fn over(&self, sides: &[(f64, f64)]) -> Vec<Option<(f64, f64)>> {
        let side = |&(low, high): &(f64, f64)| {
            let is_finite = low.is_finite() && high.is_finite() && low <= high;
            is_finite.then_some(Interval { low, high })
        };
        let inputs: Vec<_> = sides.iter().map(side).collect();
        let outputs = self.0.evaluate(&inputs).into_iter();
        outputs.map(|v| v.map(|v| (v.low, v.high))).collect()
    }
}
