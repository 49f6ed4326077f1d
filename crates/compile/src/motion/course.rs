//! The course of a function along a motion: between which numbers it and its slope stay.

use super::{Motion, RecordKind};
use rattleback_symbolic::{Expr, Ranges, Role, Symbol, prove_zero};

/// Longer functions are not judged.
const LONGEST: usize = 400;

/// A function of (t, state, varied values) and its slope along any path, over boxes of them.
#[derive(Clone)]
pub struct Course {
    /// Of the function and of ġ = ∂g/∂t ṫ + ∂g/∂x ẋ.
    ranges: Ranges,
    constants: Vec<(f64, f64)>,
}

impl Motion {
    /// Is it proven that a function of the model and of what is recorded does not change along motions? One of conserved
    /// quantities, or one whose rate vanishes where the equations are explicit.
    pub fn keeps(&self, function: &Expr) -> bool {
        let is_kept = |s: &Symbol| {
            let name = s.to_string();
            let mut records = self.records.iter();
            let record = records.find(|r| r.name == name && !self.state.contains(s));
            match record {
                Some(r) if r.kind == RecordKind::Energy => {
                    self.power.as_ref().is_some_and(Expr::is_zero)
                }
                Some(r) => r.conserved,
                None => s.role() == Role::Constant,
            }
        };
        // What is varied may be fed in, and change with time.
        if function.contains_any(&self.varied()) {
            return false;
        }
        function.free_symbols().iter().all(is_kept) || self.is_explicitly_kept(function)
    }

    /// ġ = ∂g/∂t + ∂g/∂x f(t, x) = 0, where f has no equations left to be solved.
    fn is_explicitly_kept(&self, function: &Expr) -> bool {
        let function = self.express_recorded(function);
        let path = std::iter::once((Symbol::time(), Expr::one()));
        let rates = self.state.iter().cloned().zip(self.ambient.rates.clone());
        let slope = path.chain(rates).map(|(s, rate)| function.diff(&s) * rate);
        let slope = Expr::sum(slope);
        self.stages.is_empty() && slope.node_count() < LONGEST && prove_zero(&slope).is_proven()
    }

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
