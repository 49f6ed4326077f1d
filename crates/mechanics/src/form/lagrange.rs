//! Euler-Lagrange equations of any order, and Lagrange-d'Alembert with multipliers.

use super::Form;
use crate::SlotRole;
use crate::engine::{
    MassForm, energy_with, euler_lagrange, euler_lagrange_with, ostrogradsky_momenta,
};
use crate::equations::{Equations, Quantity, Stage};
use crate::{MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// (E) on the ambient frame; Euler-Lagrange, Euler-Poincare and Lagrange-Poincare are its names for
/// coordinates, groups and products, and the order is that of the Lagrangian (AC-C16, C18, C23, C28).
pub(super) fn unconstrained(system: &System, form: Form) -> Result<Equations, MechanicsError> {
    let (frame, l, order) = (system.frame(), system.lagrangian(), system.order());
    let momenta = ostrogradsky_momenta(frame, l, order);
    let MassForm { mass, bias } = euler_lagrange_with(frame, l, &momenta, system.force(), &[]);
    let jets =
        |k: u32| -> Vec<Symbol> { frame.fibre().iter().map(|y| y.jet(y.order() + k)).collect() };
    let highest = jets(2 * order - 1);
    let velocities: Vec<Symbol> = (0..2 * order - 1).flat_map(jets).collect();
    let state = system
        .positions()
        .with(SlotRole::Velocity, velocities.clone());
    let rates = [
        frame.anchored(&frame.velocity()),
        velocities.iter().map(|v| v.derivative().into()).collect(),
    ]
    .concat();
    let mut equations = Equations::new(form, state, rates, energy_with(frame, l, &momenta));
    equations.stages.push(Stage::Linear {
        unknowns: highest,
        matrix: mass,
        rhs: bias.iter().map(|b| -b).collect(),
    });
    equations.momenta = system.named_momenta(&momenta);
    Ok(equations)
}

/// W y' + b = λ_s A^s together with d/dt (A y + a) = 0 (HJ-C05, NG-L2).
pub(super) fn with_multipliers(system: &System) -> Result<Equations, MechanicsError> {
    let kkt = MultiplierForm::new(system, system.lagrangian(), &[]);
    let mut equations = kkt.equations(system, Form::LagrangeDAlembert, Vec::new());
    let lambda: Vec<Expr> = kkt.multipliers.iter().map(Expr::from).collect();
    equations.multipliers = kkt
        .multipliers
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&lambda);
    Ok(equations)
}

/// The bordered linear system for (y', multipliers).
pub(super) struct MultiplierForm {
    pub multipliers: Vec<Symbol>,
    pub stage: Stage,
}

impl MultiplierForm {
    /// `frozen` are variables in `l` whose rates are unknowns themselves (vakonomic multipliers).
    pub fn new(system: &System, l: &Expr, frozen: &[Symbol]) -> Self {
        let (frame, constraints) = (system.frame(), system.constraints());
        let MassForm { mass, bias } = euler_lagrange(frame, l, 1, system.force(), frozen);
        let a = constraints.forms();
        let multipliers = if frozen.is_empty() {
            system.multiplier_symbols()
        } else {
            frozen.iter().map(Symbol::derivative).collect::<Vec<_>>()
        };
        let minus_transpose = a.transpose().map(|e| -e);
        let corner = Matrix::zeros(a.rows(), a.rows());
        let matrix = mass.bordered(&minus_transpose, a, &corner);
        let drift = constraints.rate_at_rest(frame);
        let rhs = bias.iter().chain(&drift).map(|e| -e).collect();
        let unknowns = frame
            .fibre()
            .iter()
            .map(Symbol::derivative)
            .chain(multipliers.iter().cloned())
            .collect();
        Self {
            multipliers,
            stage: Stage::Linear {
                unknowns,
                matrix,
                rhs,
            },
        }
    }

    /// State (z, y, moving multipliers) with the accelerations as unknowns of the stage.
    pub fn equations(&self, system: &System, form: Form, extra: Vec<Symbol>) -> Equations {
        let frame = system.frame();
        let state = system
            .positions()
            .with(SlotRole::Velocity, frame.fibre().to_vec())
            .with(SlotRole::Multiplier, extra);
        let moving = &state[frame.base().len()..];
        let rates = [
            frame.anchored(&frame.velocity()),
            moving.iter().map(|v| v.derivative().into()).collect(),
        ]
        .concat();
        let momenta = [system.momenta()];
        let energy = energy_with(frame, system.lagrangian(), &momenta);
        let mut equations = Equations::new(form, state, rates, energy);
        equations.stages.push(self.stage.clone());
        equations.momenta = system.named_momenta(&momenta);
        equations.residuals = system.constraints().all_residuals(frame);
        equations
    }
}
