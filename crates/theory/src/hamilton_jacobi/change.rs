//! Changes of coordinates: a system, a Hamiltonian and a solution in other coordinates.

use crate::exact::tidy;
use rattleback_mechanics::{Constraints, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, expand, inverse, substitute_all};

/// New coordinates u with the old ones q(u). Coordinates that stay are their own.
#[derive(Clone, Debug)]
pub struct Change {
    /// Their usual name: polar, spherical, linear, …
    pub name: String,
    /// The new coordinates, as many as the old ones.
    pub coordinates: Vec<Symbol>,
    /// The old coordinates in the new ones, those that change.
    pub old: Vec<(Symbol, Expr)>,
    /// The new coordinates that are angles.
    pub circles: Vec<Symbol>,
}

impl Change {
    /// Replaces the coordinates at some positions of q by as many others.
    pub(crate) fn replacing(
        name: &str,
        q: &[Symbol],
        at: &[usize],
        new: &[Symbol],
        values: Vec<Expr>,
        circles: Vec<Symbol>,
    ) -> Self {
        let mut coordinates = q.to_vec();
        for (&i, s) in at.iter().zip(new) {
            coordinates[i] = s.clone();
        }
        let old = at.iter().map(|&i| q[i].clone()).zip(values).collect();
        Self {
            name: name.into(),
            coordinates,
            old,
            circles,
        }
    }

    /// ∂q^i/∂u^j for coordinates q.
    fn jacobian(&self, q: &[Symbol]) -> Matrix {
        let values = substitute_all(&q.iter().map(Expr::from).collect::<Vec<_>>(), &self.old);
        Matrix::new(q.len(), q.len(), |i, j| {
            values[i].diff(&self.coordinates[j])
        })
    }

    /// The system in the new coordinates; `None` if it has group factors or derivatives beyond velocities.
    pub fn apply(&self, system: &System) -> Option<System> {
        if system.has_groups() || system.order() > 1 {
            return None;
        }
        let q = system.frame().base();
        let jacobian = self.jacobian(q);
        let velocity: Vec<Expr> = self
            .coordinates
            .iter()
            .map(|u| u.derivative().into())
            .collect();
        let mut known = self.old.clone();
        let rates = jacobian.apply(&velocity);
        known.extend(q.iter().map(Symbol::derivative).zip(rates));
        let forms = system.constraints().forms();
        let forms = (&forms.map(|e| e.substitute(&known)) * &jacobian).map(tidy);
        let offsets = substitute_all(system.constraints().offsets(), &known);
        let force = substitute_all(system.force(), &known);
        let force = jacobian.transpose().apply(&force);
        let mut circles: Vec<Symbol> = system
            .circles()
            .iter()
            .filter(|s| self.coordinates.contains(s))
            .cloned()
            .collect();
        circles.extend(self.circles.iter().cloned());
        let lagrangian = system.lagrangian().substitute(&known);
        // Linear changes with roots in them cancel only when multiplied out.
        let lagrangian = match jacobian
            .entries()
            .iter()
            .any(|e| e.contains_any(&self.coordinates))
        {
            true => tidy(&lagrangian),
            false => tidy(&expand(&lagrangian)),
        };
        Some(
            System::on_coordinates(system.name(), &self.coordinates, lagrangian)
                .with_constraints(Constraints::new(forms, offsets))
                .with_force(force.iter().map(tidy).collect())
                .with_circles(circles)
                .with_fibre(system.fibre().to_vec()),
        )
    }

    /// H(q, p) with p = (∂q/∂u)⁻ᵀ P, and the momenta P.
    pub(crate) fn hamiltonian(
        &self,
        h: &Expr,
        q: &[Symbol],
        p: &[Symbol],
    ) -> Option<(Expr, Vec<Symbol>)> {
        let upper = inverse(&self.jacobian(q)).ok()?.solution.map(tidy);
        let momenta: Vec<Symbol> = self
            .coordinates
            .iter()
            .map(|u| Symbol::variable(&format!("P_{}", u.name())))
            .collect();
        let values: Vec<Expr> = momenta.iter().map(Expr::from).collect();
        let mut known = self.old.clone();
        known.extend(p.iter().cloned().zip(upper.transpose().apply(&values)));
        Some((tidy(&h.substitute(&known)), momenta))
    }

    /// This change, and another one after it.
    pub(crate) fn then(&self, next: &Change) -> Change {
        let mut old: Vec<(Symbol, Expr)> = self
            .old
            .iter()
            .map(|(s, e)| (s.clone(), tidy(&e.substitute(&next.old))))
            .collect();
        // What only the second one changes.
        let first = |s: &Symbol| self.old.iter().any(|(o, _)| o == s);
        let made = |s: &Symbol| self.old.iter().any(|(_, e)| e.contains(s));
        old.extend(
            next.old
                .iter()
                .filter(|(s, _)| !first(s) && !made(s))
                .cloned(),
        );
        let circles = self.circles.iter().chain(&next.circles);
        Change {
            name: format!("{}, then {}", self.name, next.name),
            old,
            circles: circles
                .filter(|s| next.coordinates.contains(s))
                .cloned()
                .collect(),
            coordinates: next.coordinates.clone(),
        }
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts: Vec<String> = self.old.iter().map(|(s, e)| format!("{s} = {e}")).collect();
        write!(f, "{}: {}", self.name, parts.join(", "))
    }
}
