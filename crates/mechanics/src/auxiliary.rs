//! Auxiliary states beside the configuration: variables of first order, their rates put into equations of any form.
//!
//! For the variation z and z' are given functions of time. Afterwards z' is its rate r, and z'' the derivative of r
//! along the motion; z joins the state.

use crate::equations::{Equations, Stage};
use crate::{MechanicsError, Slot, SlotRole, System};
use rattleback_geometry::LieGroup;
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, derivations, substitute_all};

impl System {
    /// The same system with variables of first order beside its configuration, and their rates in positions,
    /// velocities, these variables and time.
    pub fn with_auxiliary(mut self, rates: Vec<(Symbol, Expr)>) -> Self {
        self.auxiliary = rates;
        self.known = Default::default();
        self
    }

    /// The variables of first order beside the configuration, with their rates.
    pub fn auxiliary(&self) -> &[(Symbol, Expr)] {
        &self.auxiliary
    }

    /// Do auxiliary states occur in the Lagrangian or in the constraints?
    pub fn has_auxiliary_lagrangian(&self) -> bool {
        let states = self.auxiliary.iter();
        let states: Vec<Symbol> = states
            .flat_map(|(z, _)| [z.clone(), z.derivative()])
            .collect();
        let mut all = std::iter::once(&self.lagrangian)
            .chain(self.constraints.forms().entries())
            .chain(self.constraints.offsets());
        all.any(|e| e.contains_any(&states))
    }

    /// Does the system consist of auxiliary states alone: no Lagrangian, no configuration?
    pub fn is_kinematic(&self) -> bool {
        self.frame.rank() == 0
    }

    /// z' = r and z'' = dr/dt, in the velocities of the model.
    pub fn auxiliary_jets(&self) -> Vec<(Symbol, Expr)> {
        let mut jets: Vec<(Symbol, Expr)> = self
            .auxiliary
            .iter()
            .map(|(z, rate)| (z.derivative(), rate.clone()))
            .collect();
        let seconds = jets.clone().into_iter().map(|(dz, rate)| {
            let second = self.frame.rate(&rate).substitute(&jets);
            (dz.derivative(), second)
        });
        let seconds: Vec<_> = seconds.collect();
        jets.extend(seconds);
        jets
    }

    /// Equations of a formulation with the auxiliary states in their state.
    pub(crate) fn join_auxiliary(&self, equations: &mut Equations) -> Result<(), MechanicsError> {
        if self.auxiliary.is_empty() {
            return Ok(());
        }
        let velocities = self.velocities_in(equations);
        let rates: Vec<Expr> = self.auxiliary.iter().map(|(_, r)| r.clone()).collect();
        let rates = substitute_all(&rates, &velocities);
        let firsts = self.auxiliary.iter().map(|(z, _)| z.derivative());
        let firsts: Vec<(Symbol, Expr)> = firsts.zip(rates.iter().cloned()).collect();
        for ((z, _), rate) in self.auxiliary.iter().zip(rates) {
            let slot = Slot::new(z.clone(), SlotRole::Auxiliary);
            equations.state.push(slot);
            equations.rates.push(rate);
            equations.initial.values.push(z.into());
        }
        equations.put(&firsts);
        let ambient = self.auxiliary_jets();
        equations.initial.put(&ambient);
        self.put_second(equations)
    }

    /// z'' is the derivative of the rate along the motion, in which accelerations are unknown.
    fn put_second(&self, equations: &mut Equations) -> Result<(), MechanicsError> {
        let seconds: Vec<Symbol> = self.auxiliary.iter().map(|(z, _)| z.jet(2)).collect();
        if !equations.contains_any(&seconds) {
            return Ok(());
        }
        let tail = equations.rates.len() - seconds.len();
        let along = equations.rates[tail..].to_vec();
        let unknowns: Vec<Symbol> = equations
            .stages
            .iter()
            .flat_map(|s| s.unknowns().to_vec())
            .collect();
        let mut missing = None;
        let found: Vec<Expr> = along
            .iter()
            .map(|rate| {
                let symbols = rate.free_symbols();
                let known = |s: &Symbol| equations.state.contains(s);
                let lost = |s: &&Symbol| {
                    s.role() == Role::Variable && !known(s) && !unknowns.contains(&s.derivative())
                };
                missing = missing.take().or(symbols.iter().find(lost).cloned());
                derivations(std::slice::from_ref(rate), |s| match s.role() {
                    Role::Time => Expr::one(),
                    _ => match equations.rate(s) {
                        Some(rate) => rate.clone(),
                        None => s.derivative().into(),
                    },
                })
                .swap_remove(0)
            })
            .collect();
        if let Some(on) = missing {
            let form = equations.form;
            return Err(MechanicsError::AuxiliaryRate { form, on });
        }
        let pairs: Vec<(Symbol, Expr)> = seconds.into_iter().zip(found).collect();
        equations.put(&pairs);
        Ok(())
    }

    /// The velocities of the model that are not in the state of these equations, by the rates of positions:
    /// x' is the rate of x, and ξ = g⁻¹g' or g'g⁻¹ for a group factor.
    pub fn velocities_in(&self, equations: &Equations) -> Vec<(Symbol, Expr)> {
        // From node to node nothing has a velocity.
        if self.is_discrete_lagrangian() {
            return Vec::new();
        }
        let frame = &self.frame;
        let rate = |z: &Symbol| match equations.rate(z) {
            Some(rate) => Some(rate.clone()),
            None => {
                let name = format!("{z}'");
                let mut rebuilt = equations.reconstruction.iter();
                rebuilt.find(|q| q.name == name).map(|q| q.value.clone())
            }
        };
        let mut found = Vec::new();
        for factor in &self.factors {
            let z = &frame.base()[factor.base.clone()];
            let y = &frame.fibre()[factor.fibre.clone()];
            if y.iter().all(|y| equations.state.contains(y)) {
                continue;
            }
            let Some(rates) = z.iter().map(rate).collect::<Option<Vec<Expr>>>() else {
                continue;
            };
            let values = match factor.group {
                None => rates,
                Some(group) => group.velocity(factor.trivialization, &group.element(z), &rates),
            };
            found.extend(y.iter().cloned().zip(values));
        }
        found
    }
}

impl Equations {
    /// Does one of these symbols occur?
    fn contains_any(&mut self, symbols: &[Symbol]) -> bool {
        let in_stage = |stage: &Stage| stage.expressions().any(|e| e.contains_any(symbols));
        self.stages.iter().any(in_stage) || self.expressions_mut().any(|e| e.contains_any(symbols))
    }

    /// Puts values in the place of symbols, everywhere but at the start.
    fn put(&mut self, pairs: &[(Symbol, Expr)]) {
        let put = |all: &[Expr]| substitute_all(all, pairs);
        self.stages = self.stages.iter().map(|s| absorbed(s.map(put))).collect();
        let all: Vec<Expr> = self.expressions_mut().map(|e| e.clone()).collect();
        for (slot, value) in self.expressions_mut().zip(put(&all)) {
            *slot = value;
        }
        for quantity in self.stated_mut() {
            quantity.value = quantity.value.substitute(pairs);
        }
        self.conditions = put(&self.conditions);
        self.basis = self.basis.as_ref().map(|m| m.substitute(pairs));
    }
}

impl crate::Initial {
    fn put(&mut self, pairs: &[(Symbol, Expr)]) {
        let put = |all: &[Expr]| substitute_all(all, pairs);
        self.stages = self.stages.iter().map(|s| s.map(put)).collect();
        self.values = put(&self.values);
    }
}

/// M u = r(u) with r linear in u is (M − ∂r/∂u) u = r(0).
fn absorbed(stage: Stage) -> Stage {
    let Stage::Linear {
        unknowns,
        matrix,
        rhs,
    } = stage
    else {
        return stage;
    };
    if !rhs.iter().any(|e| e.contains_any(&unknowns)) {
        return Stage::Linear {
            unknowns,
            matrix,
            rhs,
        };
    }
    let slopes: Vec<Vec<Expr>> = rhs.iter().map(|e| e.gradient(&unknowns)).collect();
    let still: Vec<_> = unknowns.iter().map(|u| (u.clone(), Expr::zero())).collect();
    Stage::Linear {
        matrix: Matrix::new(matrix.rows(), matrix.cols(), |i, j| {
            &matrix[(i, j)] - &slopes[i][j]
        }),
        rhs: substitute_all(&rhs, &still),
        unknowns,
    }
}
