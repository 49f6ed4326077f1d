//! Momenta of symmetries of a control problem: costates paired with the generator lifted to the velocities.

use super::Steering;
use crate::equations::Quantity;
use crate::{NamedSection, SlotRole, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, derivations, dot, solve};

/// A generator on the states of a control problem.
struct Lifted {
    /// On the sections.
    sections: Vec<Expr>,
    /// On the further states.
    states: Vec<Expr>,
}

impl System {
    /// The momenta of the declared symmetries that are proven to leave the control problem invariant; they are
    /// constant along extremals (Noether).
    pub(super) fn optimal_momenta(&self, steering: &Steering) -> Vec<Quantity> {
        let kept = self.symmetries.iter().filter_map(|symmetry| {
            let lifted = self.lift(steering, symmetry)?;
            self.leaves_invariant(steering, &lifted).then(|| {
                Quantity::new(
                    format!("momentum_{}", symmetry.name),
                    lifted.momentum(steering),
                )
            })
        });
        kept.collect()
    }

    /// ξ on positions; on velocities δv with e_a δv^a = [V, ξ] where v is held; on their derivatives the rates of that;
    /// auxiliary states stay.
    fn lift(&self, steering: &Steering, symmetry: &NamedSection) -> Option<Lifted> {
        let frame = &steering.frame;
        let xi = &symmetry.components;
        let of_velocity = |s: &&(Symbol, SlotRole, Expr)| s.1 != SlotRole::Auxiliary;
        let velocities = steering.states.iter().filter(of_velocity).count();
        let rank = match self.constraints.is_empty() {
            true => frame.rank(),
            false => self.sections().ok()?.rank(),
        };
        let auxiliary = vec![Expr::zero(); steering.states.len() - velocities];
        if velocities == 0 || rank == 0 {
            return Some(Lifted {
                sections: xi.clone(),
                states: auxiliary,
            });
        }
        if !velocities.is_multiple_of(rank) {
            return None;
        }
        let level: Vec<Symbol> = steering.states[..rank]
            .iter()
            .map(|s| s.0.clone())
            .collect();
        let turned = frame.bracket(&steering.velocity, xi);
        let slopes: Vec<Vec<Expr>> = steering
            .velocity
            .iter()
            .map(|v| v.gradient(&level))
            .collect();
        let basis = Matrix::from_rows(&slopes);
        let transpose = basis.transpose();
        let right = Matrix::column_vector(&transpose.apply(&turned));
        let first = solve(&(&transpose * &basis), &right)
            .ok()?
            .solution
            .column(0);
        let image = basis.apply(&first);
        let gap: Vec<Expr> = image.iter().zip(&turned).map(|(a, b)| a - b).collect();
        if !self.prove_zero(&gap).is_proven() {
            return None;
        }
        let mut states = first.clone();
        let mut last = first;
        for _ in 1..velocities / rank {
            last = frame.rates_along(&steering.velocity, &last, |_| false);
            states.extend(last.iter().cloned());
        }
        states.extend(auxiliary);
        Some(Lifted {
            sections: xi.clone(),
            states,
        })
    }

    /// Does the lifted generator commute with the motion under any constant control, and leave the cost alone?
    fn leaves_invariant(&self, steering: &Steering, lifted: &Lifted) -> bool {
        let frame = &steering.frame;
        // In variational problems the controls are jets, which the generator moves too: only where they stay.
        if !steering.relations.is_empty() {
            return false;
        }
        let Some(rates) = steering.explicit() else {
            return false;
        };
        let (velocity, further) = rates.split_at(steering.velocity.len());
        let moved_by_jets = steering
            .controls
            .iter()
            .any(|u| velocity_control(steering, u));
        let control_moves = match moved_by_jets {
            true => self.moved_controls(steering, lifted),
            false => Vec::new(),
        };
        let along = |f: &[Expr]| -> Vec<Expr> {
            let base = frame.anchored(&lifted.sections);
            derivations(f, |s| {
                let z = frame.base().iter().position(|z| z == s);
                let w = steering.states.iter().position(|(w, ..)| w == s);
                let u = control_moves.iter().find(|(u, _)| u == s);
                match (z, w, u) {
                    (Some(i), ..) => base[i].clone(),
                    (_, Some(i), _) => lifted.states[i].clone(),
                    (.., Some((_, moved))) => moved.clone(),
                    _ => Expr::zero(),
                }
            })
        };
        let flow = |f: &[Expr]| -> Vec<Expr> {
            let base = frame.anchored(velocity);
            derivations(f, |s| {
                let z = frame.base().iter().position(|z| z == s);
                let w = steering.states.iter().position(|(w, ..)| w == s);
                match (z, w) {
                    (Some(i), _) => base[i].clone(),
                    (_, Some(i)) => further[i].clone(),
                    _ => Expr::zero(),
                }
            })
        };
        let moved = along(further);
        let carried = flow(&lifted.states);
        let mut gaps: Vec<Expr> = moved.iter().zip(&carried).map(|(a, b)| a - b).collect();
        gaps.extend(along(std::slice::from_ref(&steering.cost)));
        // With jets as controls the velocities follow their lift by construction.
        if moved_by_jets {
            gaps.drain(..further.len());
        }
        let values = self.constant_values();
        let gaps = rattleback_symbolic::substitute_all(&gaps, &values);
        self.prove_zero(&gaps).is_proven()
    }

    /// How the generator moves the highest derivatives of a variational problem.
    fn moved_controls(&self, steering: &Steering, lifted: &Lifted) -> Vec<(Symbol, Expr)> {
        let n = steering.controls.len();
        let frame = &steering.frame;
        let moved = match steering.states.len() {
            0 => frame.bracket(&steering.velocity, &lifted.sections),
            m => frame.rates_along(&steering.velocity, &lifted.states[m - n..], |_| false),
        };
        steering.controls.iter().cloned().zip(moved).collect()
    }
}

/// Is a control a derivative of a velocity: that of a variational problem?
fn velocity_control(steering: &Steering, u: &Symbol) -> bool {
    let is_jet = |y: &Symbol| y.name() == u.name() && u.order() >= y.order();
    steering.frame.fibre().iter().any(is_jet)
}

impl Lifted {
    fn momentum(&self, steering: &Steering) -> Expr {
        let p: Vec<Expr> = steering.momenta.iter().map(Expr::from).collect();
        let pi: Vec<Expr> = steering.adjoints.iter().map(Expr::from).collect();
        dot(&p, &self.sections) + dot(&pi, &self.states)
    }
}
