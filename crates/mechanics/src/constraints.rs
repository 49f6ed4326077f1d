//! Velocity constraints A y + a = 0 in the ambient frame.

use rattleback_geometry::Frame;
use rattleback_symbolic::{
    Expr, Kind, Matrix, Rational, Role, Symbol, postorder, substitute_all, together,
};

/// How a constraint came into the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintOrigin {
    /// It restricts velocities.
    Velocity,
    /// It restricts positions, g = 0, and was differentiated.
    Holonomic,
}

/// Independent constraints φ^s = A^s_A(z, t) y^A + a^s(z, t) = 0.
#[derive(Clone, Debug)]
pub struct Constraints {
    forms: Matrix,
    offsets: Vec<Expr>,
    origins: Vec<ConstraintOrigin>,
    holonomic: Vec<Expr>,
    implied: Vec<Expr>,
}

impl Constraints {
    /// No constraint on a frame of this rank.
    pub fn none(rank: usize) -> Self {
        Self::new(Matrix::zeros(0, rank), Vec::new())
    }

    /// Constraints from their forms (rows) and offsets.
    pub fn new(forms: Matrix, offsets: Vec<Expr>) -> Self {
        let origins = vec![ConstraintOrigin::Velocity; offsets.len()];
        Self {
            forms,
            offsets,
            origins,
            holonomic: Vec::new(),
            implied: Vec::new(),
        }
    }

    /// Position constraints g = 0 by their differentials: A^s = dg, a^s = ∂g/∂t.
    pub fn of_positions(frame: &Frame, positions: Vec<Expr>) -> Self {
        let rows: Vec<Vec<Expr>> = positions.iter().map(|g| frame.differential(g)).collect();
        let offsets = positions.iter().map(|g| g.diff(&Symbol::time()));
        let forms = Matrix::new(rows.len(), frame.rank(), |s, a| rows[s][a].clone());
        let origins = vec![ConstraintOrigin::Holonomic; positions.len()];
        Self::new(forms, offsets.collect()).with_origins(origins, positions)
    }

    pub(crate) fn with_origins(
        mut self,
        origins: Vec<ConstraintOrigin>,
        holonomic: Vec<Expr>,
    ) -> Self {
        self.origins = origins;
        self.holonomic = holonomic;
        self
    }

    /// With position constraints that follow from the others, but for the component of their set that they choose.
    pub(crate) fn with_implied(self, implied: Vec<Expr>) -> Self {
        Self { implied, ..self }
    }

    /// The same with values in the place of symbols.
    pub(crate) fn substitute(&self, values: &[(Symbol, Expr)]) -> Self {
        Self {
            forms: self.forms.substitute(values),
            offsets: substitute_all(&self.offsets, values),
            origins: self.origins.clone(),
            holonomic: substitute_all(&self.holonomic, values),
            implied: substitute_all(&self.implied, values),
        }
    }

    /// The one-forms A^s, as rows.
    pub fn forms(&self) -> &Matrix {
        &self.forms
    }
    /// The parts a^s free of velocities.
    pub fn offsets(&self) -> &[Expr] {
        &self.offsets
    }
    /// How each came into the system.
    pub fn origins(&self) -> &[ConstraintOrigin] {
        &self.origins
    }
    /// Independent position constraints g = 0 of the model, before differentiation.
    pub fn holonomic(&self) -> &[Expr] {
        &self.holonomic
    }
    /// All position constraints, those too that follow from others where these are regular: they may say on which
    /// component of a set positions are.
    pub fn positions(&self) -> impl Iterator<Item = &Expr> {
        self.holonomic.iter().chain(&self.implied)
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.forms.rows()
    }
    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Are all of them linear, without a part free of velocities?
    pub fn is_linear(&self) -> bool {
        self.offsets.iter().all(Expr::is_zero)
    }

    /// Does one of them change with time?
    pub fn depend_on_time(&self) -> bool {
        let time = Symbol::time();
        let forms = self.forms.entries().iter();
        forms.chain(&self.offsets).any(|e| e.contains(&time))
    }

    /// φ^s as functions of (z, y, t).
    pub fn residuals(&self, frame: &Frame) -> Vec<Expr> {
        let linear = self.forms.apply(&frame.velocity());
        linear
            .iter()
            .zip(&self.offsets)
            .map(|(l, a)| l + a)
            .collect()
    }

    /// Everything that vanishes along motions: φ^s, and the position constraints themselves.
    pub fn all_residuals(&self, frame: &Frame) -> Vec<Expr> {
        [self.residuals(frame), self.holonomic.clone()].concat()
    }

    /// The same constraints, each multiplied by the denominators that may vanish along a motion: the forms and
    /// the offsets. At a pole of the constraints as written they are the limit of what those allow.
    pub fn cleared(&self) -> (Matrix, Vec<Expr>) {
        let rows: Vec<Vec<Expr>> = (0..self.len())
            .map(|s| cleared([self.forms.row(s), &self.offsets[s..=s]].concat()))
            .collect();
        let n = self.forms.cols();
        let forms = Matrix::new(rows.len(), n, |s, j| rows[s][j].clone());
        (forms, rows.iter().map(|row| row[n].clone()).collect())
    }

    /// dφ^s/dt with the accelerations left out: (dA/dt) y + da/dt.
    pub fn rate_at_rest(&self, frame: &Frame) -> Vec<Expr> {
        let fibre = frame.fibre();
        let stop = |s: &Symbol| fibre.contains(s);
        frame.rates_along(&frame.velocity(), &self.residuals(frame), stop)
    }
}

/// A row times the least common multiple of its denominators.
fn cleared(mut row: Vec<Expr>) -> Vec<Expr> {
    for e in &mut row {
        if has_inner_denominators(e) {
            *e = together(e);
        }
    }
    let mut common: Vec<(Expr, Rational)> = Vec::new();
    for (base, power) in row.iter().flat_map(denominators) {
        match common.iter_mut().find(|(b, _)| *b == base) {
            Some((_, largest)) => *largest = largest.clone().max(power),
            None => common.push((base, power)),
        }
    }
    if common.is_empty() {
        return row;
    }
    let f = Expr::power_product(common);
    row.iter().map(|e| e * &f).collect()
}

/// Does a sum within an expression divide by something that may vanish?
fn has_inner_denominators(e: &Expr) -> bool {
    let (_, core) = e.split_coefficient();
    let roots = match core.kind() {
        Kind::Product(factors) => factors.iter().map(|(b, _)| b.clone()).collect(),
        _ => vec![core],
    };
    let divides = |node: &Expr| !denominators(node).is_empty();
    postorder(&roots, |_| true).iter().any(divides)
}

/// The factors below the line of a product that may vanish along a motion, with their powers.
fn denominators(e: &Expr) -> Vec<(Expr, Rational)> {
    let (_, core) = e.split_coefficient();
    let Kind::Product(factors) = core.kind() else {
        return Vec::new();
    };
    let moves = |b: &Expr| b.free_symbols().iter().any(|s| s.role() != Role::Constant);
    let below = factors
        .iter()
        .filter(|(b, r)| r.is_negative() && !b.is_nonvanishing() && moves(b));
    below.map(|(b, r)| (b.clone(), -r.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_symbolic::prove_zero;

    #[test]
    fn denominators_that_may_vanish_are_cleared() {
        let [x, y] = ["x", "y"].map(|name| Expr::from(Symbol::variable(name)));
        let p = Expr::from(Symbol::constant("p"));
        let row = vec![-(x.tan() / &p), Expr::one() / &y + &x, Expr::one()];
        let forms = Matrix::from_rows(std::slice::from_ref(&row));
        let (cleared, offsets) = Constraints::new(forms, vec![Expr::zero()]).cleared();
        let f = x.cos() * &y;
        for (entry, whole) in cleared.entries().iter().zip(&row) {
            assert!(denominators(entry).is_empty() && !has_inner_denominators(entry));
            assert!(prove_zero(&(entry - whole * &f)).is_proven());
        }
        assert!(offsets[0].is_zero());
    }
}
