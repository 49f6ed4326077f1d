//! The course of a function along a motion: between which numbers it and its slope stay.

use super::Motion;
use rattleback_symbolic::{Expr, Ranges, Symbol};

/// A function of (t, state, varied values) and its slope along any path, over boxes of them.
#[derive(Clone)]
pub struct Course {
    /// Of the function and of ġ = ∂g/∂t ṫ + ∂g/∂x ẋ.
    ranges: Ranges,
    constants: Vec<(f64, f64)>,
}

impl Motion {
    /// The course of a function; none for one that takes the solution of linear equations.
    pub fn course(&self, function: &Expr) -> Option<Course> {
        let function = self
            .variation
            .apply(std::slice::from_ref(function))
            .swap_remove(0);
        let path: Vec<Symbol> = std::iter::once(Symbol::time())
            .chain(self.state.iter().cloned())
            .collect();
        // No name of a model has a blank.
        let rates: Vec<Symbol> = path
            .iter()
            .map(|s| Symbol::variable(&format!("rate of {s}")))
            .collect();
        let slope = path
            .iter()
            .zip(&rates)
            .map(|(s, rate)| function.diff(s) * Expr::from(rate));
        let slope = Expr::sum(slope);
        let (names, values): (Vec<Symbol>, Vec<f64>) = self.constants.iter().cloned().unzip();
        let inputs = [self.inputs(), rates, names].concat();
        let ranges = Ranges::new(&inputs, &[function, slope]).ok()?;
        Some(Course {
            ranges,
            constants: values.into_iter().map(|x| (x, x)).collect(),
        })
    }
}

impl Course {
    /// The least and the most of the function and of its slope, for varied values that are given and boxes of (t, state)
    /// and of their slopes.
    pub fn over(
        &self,
        given: &[f64],
        inside: &[(f64, f64)],
        slopes: &[(f64, f64)],
    ) -> [Option<(f64, f64)>; 2] {
        let given: Vec<(f64, f64)> = given.iter().map(|x| (*x, *x)).collect();
        let sides = [inside, &given, slopes, &self.constants].concat();
        let found = self.ranges.over(&sides);
        [found[0], found[1]]
    }
}
