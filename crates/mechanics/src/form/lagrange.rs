//! Euler-Lagrange equations of any order, and Lagrange-d'Alembert with multipliers.

use super::Form;
use crate::engine::{MassForm, energy_with, euler_lagrange_with, ostrogradsky_momenta};
use crate::equations::{Equations, Quantity, Stage};
use crate::system::jet;
use crate::{MechanicsError, System};
use crate::{SlotRole, StateSpace};
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
    let (state, rates) =
        state_and_rates(system, SlotRole::Velocity, &velocities, &frame.velocity());
    let mut equations = Equations::new(form, state, rates, energy_with(frame, l, &momenta));
    equations.stages.push(Stage::Linear {
        unknowns: highest,
        matrix: mass,
        rhs: bias.iter().map(|b| -b).collect(),
    });
    equations.momenta = system.named_momenta(&momenta);
    Ok(equations)
}

/// Positions with the jets of velocities, and their rates: z' = ρ y for this velocity y, and each jet by the next.
pub(super) fn state_and_rates(
    system: &System,
    role: SlotRole,
    jets: &[Symbol],
    velocity: &[Expr],
) -> (StateSpace, Vec<Expr>) {
    let state = system.positions().with(role, jets.to_vec());
    let further = jets.iter().map(|v| v.derivative().into()).collect();
    (state, [system.frame().anchored(velocity), further].concat())
}

/// E_A(L) = λ_s A^s_A together with d^(2k-1)/dt^(2k-1) (A y + a) = 0 (HJ-C05, NG-L2); for k = 1 W y' + b = λ_s A^s.
pub(super) fn with_multipliers(system: &System) -> Result<Equations, MechanicsError> {
    let (frame, l) = (system.frame(), system.lagrangian());
    let momenta = ostrogradsky_momenta(frame, l, system.order());
    let (bordered, residuals) = Bordered::of_reactions(system, &momenta);
    let lambda = bordered.multipliers.clone();
    let energy = energy_with(frame, l, &momenta);
    let mut equations = bordered.equations(system, Form::LagrangeDAlembert, Vec::new(), energy);
    equations.momenta = system.named_momenta(&momenta);
    equations.residuals = residuals;
    let values: Vec<Expr> = lambda.iter().map(Expr::from).collect();
    equations.multipliers = lambda
        .iter()
        .map(|s| Quantity::new(s.name(), s.into()))
        .collect();
    equations.reactions = system.named_reactions(&values);
    Ok(equations)
}

/// d^j φ/dt^j with the derivative y^(2k-1) left out, and φ, φ', …, d^(j-1) φ/dt^(j-1), which are functions of the state.
pub(super) fn constraint_rates(system: &System, phi: &Expr, j: u32) -> (Expr, Vec<Expr>) {
    let frame = system.frame();
    let mut levels = vec![phi.clone()];
    for _ in 1..j {
        let rate = frame.rate(&levels[levels.len() - 1]);
        levels.push(rate);
    }
    let highest = jet(frame, 2 * system.order() - 2);
    let last = &levels[levels.len() - 1..];
    let rate = frame.rates_along(&frame.velocity(), last, |s| highest.contains(s));
    (rate[0].clone(), levels)
}

/// The bordered linear system for (y^(2k-1), multipliers):
///
/// ```text
/// [ mass  columns ] [ y^(2k-1)    ]   [ bias  ]
/// [ rows     0    ] [ multipliers ] + [ rates ] = 0
/// ```
pub(super) struct Bordered {
    pub mass: Matrix,
    pub columns: Matrix,
    pub rows: Matrix,
    pub bias: Vec<Expr>,
    pub rates: Vec<Expr>,
    pub multipliers: Vec<Symbol>,
}

impl Bordered {
    /// (E) with the reactions λ_s A^s, and what vanishes along motions.
    pub fn of_reactions(system: &System, momenta: &[Vec<Expr>]) -> (Self, Vec<Expr>) {
        let (frame, l, constraints) = (system.frame(), system.lagrangian(), system.constraints());
        let MassForm { mass, bias } = euler_lagrange_with(frame, l, momenta, system.force(), &[]);
        let levels: Vec<(Expr, Vec<Expr>)> = constraints
            .residuals(frame)
            .iter()
            .map(|phi| constraint_rates(system, phi, 2 * system.order() - 1))
            .collect();
        let bordered = Self {
            mass,
            columns: constraints.forms().transpose().map(|e| -e),
            rows: constraints.forms().clone(),
            bias,
            rates: levels.iter().map(|(rate, _)| rate.clone()).collect(),
            multipliers: system.multiplier_symbols(),
        };
        let residuals = levels.into_iter().flat_map(|(_, all)| all);
        let holonomic = constraints.holonomic().iter().cloned();
        (bordered, residuals.chain(holonomic).collect())
    }

    /// The linear system.
    pub fn stage(self, system: &System) -> Stage {
        let m = self.multipliers.len();
        let corner = Matrix::zeros(m, m);
        let mut unknowns = jet(system.frame(), 2 * system.order() - 1);
        unknowns.extend(self.multipliers);
        Stage::Linear {
            unknowns,
            matrix: self.mass.bordered(&self.columns, &self.rows, &corner),
            rhs: self.bias.iter().chain(&self.rates).map(|e| -e).collect(),
        }
    }

    /// State (z, y, …, y^(2k-2), moving multipliers) with the highest derivatives as unknowns of the stage.
    pub fn equations(
        self,
        system: &System,
        form: Form,
        extra: Vec<Symbol>,
        energy: Expr,
    ) -> Equations {
        let frame = system.frame();
        let velocities = (0..2 * system.order() - 1).flat_map(|i| jet(frame, i));
        let state = system
            .positions()
            .with(SlotRole::Velocity, velocities)
            .with(SlotRole::Multiplier, extra);
        let moving = &state[frame.base().len()..];
        let rates = [
            frame.anchored(&frame.velocity()),
            moving.iter().map(|v| v.derivative().into()).collect(),
        ]
        .concat();
        let mut equations = Equations::new(form, state, rates, energy);
        equations.stages.push(self.stage(system));
        equations
    }
}
