//! The start assembled: positions that are not stated, from the constraints on positions.
//!
//! With values z⁰ and weights w for the positions that may change, z = z⁰ + δ is the nearest solution:
//!
//!   w_i (z − z⁰)_i = ν_s ∂g^s/∂z^i,    g^s(z) = 0.

use rattleback_mechanics::{ConstraintKind, Given, Origin, Problem, Stage, System};
use rattleback_symbolic::{Expr, Rational, Symbol, substitute_all};

/// What a position that is left out weighs against one that is approximate.
const LEFT_OUT: (i64, i64) = (1, 1000);

/// Which positions are found from which constraints, and where the search begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assembly {
    /// The positions that may change, with their weights.
    free: Vec<(Symbol, Rational)>,
    /// The constraints that are independent in them, among those on positions.
    pub(crate) rows: Vec<usize>,
    /// By how much of their size the search begins beside the values: at them constraints may lose their rank.
    pub(crate) nudge: Rational,
    /// The size of the positions, and of the slopes of all constraints on positions: unknowns and equations are measured
    /// by them.
    size: Rational,
    grades: Vec<Rational>,
}

/// The constraints on positions, with their origins.
pub(crate) fn position_constraints(problem: &Problem) -> Vec<(Expr, Origin)> {
    let all = problem.constraints.iter();
    let all = all.filter(|c| c.kind == ConstraintKind::Holonomic);
    all.map(|c| (c.expr.clone(), c.origin)).collect()
}

impl Assembly {
    /// Coordinates that are left out or approximate and that constraints contain; none where there are none.
    pub(crate) fn of(problem: &Problem, system: &System) -> Option<Self> {
        let g = position_constraints(problem);
        let factors = system.factors().iter().filter(|f| f.group.is_none());
        let coordinates = factors.flat_map(|f| system.frame().base()[f.base.clone()].iter());
        let free: Vec<(Symbol, Rational)> = coordinates
            .filter(|z| g.iter().any(|(g, _)| g.contains(z)))
            .filter_map(|z| Some((z.clone(), weight(problem, z)?)))
            .collect();
        (!free.is_empty()).then_some(Self {
            free,
            rows: Vec::new(),
            nudge: Rational::from(0),
            size: Rational::from(1),
            grades: vec![Rational::from(1); g.len()],
        })
    }

    /// The same for positions of a size, and slopes of the constraints there.
    pub(crate) fn measured(mut self, size: f64, slopes: &[f64]) -> Self {
        self.size = power_of_two(size);
        let rows = slopes.chunks(self.free.len().max(1));
        let largest = rows.map(|row| row.iter().fold(0.0, |m: f64, s| m.max(s.abs())));
        self.grades = largest.map(power_of_two).collect();
        self
    }

    /// The same without positions that are given otherwise.
    pub(crate) fn without(mut self, given: impl Fn(&Symbol) -> bool) -> Self {
        self.free.retain(|(z, _)| !given(z));
        self
    }

    /// The positions that may change.
    pub(crate) fn positions(&self) -> impl Iterator<Item = &Symbol> {
        self.free.iter().map(|(z, _)| z)
    }

    /// ∂g/∂z for all constraints on positions, row by row, in the positions that may change.
    pub(crate) fn slopes(&self, g: &[(Expr, Origin)]) -> Vec<Expr> {
        let z: Vec<Symbol> = self.positions().cloned().collect();
        g.iter().flat_map(|(g, _)| g.gradient(&z)).collect()
    }

    /// z⁰ with the nudge, where the search begins; its parts differ, so that nothing stays symmetric.
    pub(crate) fn begun(&self) -> Vec<(Symbol, Expr)> {
        let step = Rational::from(1) / Rational::from(10);
        let nudged = self.positions().zip(0i64..).map(|(z, k)| {
            let part = Rational::from(1) + step.clone() * Rational::from(k);
            (
                z.clone(),
                Expr::from(z) + Expr::from(self.nudge.clone() * part * self.size.clone()),
            )
        });
        nudged.collect()
    }

    /// The positions as they are found: z⁰, the nudge and δ.
    pub(crate) fn found(&self) -> Vec<(Symbol, Expr)> {
        let begun = self.begun().into_iter();
        let size = Expr::from(self.size.clone());
        begun
            .map(|(z, e)| (z.clone(), e + &size * Expr::from(change(&z))))
            .collect()
    }

    /// The equations of the nearest solution for (δ, ν), in which z is z⁰.
    pub(crate) fn stage(&self, g: &[(Expr, Origin)]) -> Stage {
        let found = self.found();
        let slopes = substitute_all(&self.slopes(g), &found);
        let size = Expr::from(self.size.clone());
        let grade = |s: usize| Expr::from(self.grades[s].clone());
        let n = self.free.len();
        let pressures: Vec<Symbol> = (1..=self.rows.len())
            .map(|s| Symbol::variable(&format!("assembly {s}")))
            .collect();
        let nearest = self.free.iter().zip(&found).enumerate();
        let nearest = nearest.map(|(i, ((z, weight), (_, here)))| {
            let pressed = self.rows.iter().zip(&pressures);
            let pressed = pressed.map(|(&s, nu)| Expr::from(nu) * &slopes[s * n + i] / grade(s));
            Expr::from(weight.clone()) * (here - Expr::from(z)) / &size - Expr::sum(pressed)
        });
        let kept = self.rows.iter().map(|&s| &g[s].0 / (grade(s) * &size));
        let kept: Vec<Expr> = kept.collect();
        let kept = substitute_all(&kept, &found);
        let changes = self.positions().map(change);
        Stage::Implicit {
            residuals: nearest.chain(kept).collect(),
            unknowns: changes.chain(pressures.iter().cloned()).collect(),
        }
    }
}

/// The power of two next to a size; 1 where there is none.
fn power_of_two(size: f64) -> Rational {
    let exponent = (size > 0.0 && size.is_finite()).then(|| size.log2().round() as i64);
    let power = exponent.and_then(|k| Rational::from(2).pow(k));
    power.unwrap_or_else(|| Rational::from(1))
}

/// δ of a position, in sizes. No name of the language contains a space.
fn change(z: &Symbol) -> Symbol {
    Symbol::variable(&format!("change of {z}"))
}

/// How much a position weighs that may change; none for one that is stated.
fn weight(problem: &Problem, z: &Symbol) -> Option<Rational> {
    match problem.start.get(z).map(|stated| stated.given) {
        None => Some(Rational::from(LEFT_OUT.0) / Rational::from(LEFT_OUT.1)),
        Some(Given::Approximate) => Some(Rational::from(1)),
        Some(Given::Stated | Given::Free) => None,
    }
}
