//! What is steered: the state, its rates under the controls, and what the path costs.
//!
//! The state of a motion with constraints is independent: positions and the velocities of a frame of the distribution
//! (Hamel). The stationary curve of a Lagrangian of order k is steered by its derivatives of order k (AC-C35, CG-E11).

use super::error::{PoseError, Trouble};
use rattleback_compile::StartState;
use rattleback_mechanics::{Factor, Form, Given, Origin, Problem, SlotRole, Stage, System, Update};
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// Which problem a model poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Controls and a cost.
    OptimalControl,
    /// A cost over free numbers and start values, without controls.
    ParameterOptimisation,
    /// The stationary curve of the model's Lagrangian, or the motion of its forced equations, between ends.
    BoundaryValue,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OptimalControl => "optimal-control",
            Kind::ParameterOptimisation => "parameter-optimisation",
            Kind::BoundaryValue => "boundary-value",
        }
    }

    /// The problem that these statements pose.
    pub fn of(problem: &Problem) -> Self {
        let costs = !problem.costs.is_empty() || !problem.terminals.is_empty();
        match (problem.controls.is_empty(), costs) {
            (false, _) => Kind::OptimalControl,
            (true, true) => Kind::ParameterOptimisation,
            (true, false) => Kind::BoundaryValue,
        }
    }
}

/// A component of the state beside the positions.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its symbol.
    pub symbol: Symbol,
    /// What it is.
    pub role: SlotRole,
}

/// A system that is steered.
#[derive(Clone, Debug)]
pub struct Plant {
    /// Which problem.
    pub kind: Kind,
    /// The system.
    pub system: System,
    /// The formulation of its rates; none for a stationary curve.
    pub form: Option<Form>,
    /// The ambient velocity by state and controls.
    pub velocity: Vec<Expr>,
    /// The state beside the positions.
    pub components: Vec<Component>,
    /// The rates of these, or their values at the next node.
    pub rates: Vec<Expr>,
    /// Systems that are solved before.
    pub stages: Vec<Stage>,
    /// What steers.
    pub controls: Vec<Symbol>,
    /// The running cost.
    pub cost: Expr,
    /// The cost at the end.
    pub terminal: Expr,
    /// What vanishes along the path, beside the rates.
    pub equalities: Vec<(Expr, Origin)>,
    /// Position constraints.
    pub holonomic: Vec<Expr>,
    /// Symbols of the model that are functions of state and controls.
    pub known: Vec<(Symbol, Expr)>,
    /// Does time pass from node to node?
    pub is_map: bool,
    /// Has the problem a value to be made least or stationary?
    pub has_cost: bool,
    /// The order of the Lagrangian, for a stationary curve.
    pub order: u32,
}

impl Plant {
    /// The plant of a problem.
    pub fn of(problem: &Problem) -> Result<Self, PoseError> {
        let kind = Kind::of(problem);
        let has_cost = !problem.costs.is_empty() || !problem.terminals.is_empty();
        if kind == Kind::OptimalControl && !has_cost {
            let origin = problem.controls[0].origin;
            return Err(PoseError::at(origin, Trouble::NoCost));
        }
        match kind {
            Kind::BoundaryValue if !problem.system.is_forced() && problem.auxiliary.is_empty() => {
                Self::curve(problem)
            }
            _ => Self::driven(problem, kind),
        }
    }

    /// The motion under controls (or of itself).
    fn driven(problem: &Problem, kind: Kind) -> Result<Self, PoseError> {
        let system = problem.open();
        let form = match system.constraints().is_empty() || system.is_kinematic() {
            true => Form::default_for(&system),
            false => Form::Hamel,
        };
        let equations = system.equations(form).map_err(PoseError::Mechanics)?;
        let base = system.frame().base();
        let slots = equations.state.slots().iter().zip(&equations.rates);
        let (mut components, mut rates) = (Vec::new(), Vec::new());
        for (slot, rate) in slots {
            if !base.contains(&slot.symbol) {
                rates.push(rate.clone());
                components.push(Component {
                    symbol: slot.symbol.clone(),
                    role: slot.role,
                });
            }
        }
        let velocities = match form {
            Form::Hamel => {
                let sections = system.sections().map_err(PoseError::Mechanics)?;
                let fibre = system.frame().fibre().iter().cloned();
                fibre.zip(sections.velocity()).collect()
            }
            _ => system.velocities_in(&equations),
        };
        let state: Vec<Symbol> = components.iter().map(|c| c.symbol.clone()).collect();
        let mut known: Vec<(Symbol, Expr)> = velocities
            .into_iter()
            .filter(|(y, _)| !state.contains(y))
            .collect();
        let velocity = substitute_all(
            &(system.frame().fibre().iter().map(Expr::from)).collect::<Vec<_>>(),
            &known,
        );
        let is_map = system.is_map();
        if !is_map {
            let auxiliary = problem.auxiliary.iter().filter_map(|a| match &a.update {
                Update::Rate(rate) => Some((a.symbol.derivative(), rate.substitute(&known))),
                Update::Map(_) => None,
            });
            let auxiliary: Vec<_> = auxiliary.collect();
            known.extend(auxiliary);
        }
        let put = |all: &[Expr]| Expr::sum(substitute_all(all, &known));
        let (cost, terminal) = (put(&problem.costs), put(&problem.terminals));
        let used: Vec<Expr> = rates.iter().chain([&cost, &terminal]).cloned().collect();
        Ok(Self {
            kind,
            stages: Stage::needed(&equations.stages, &used)
                .into_iter()
                .cloned()
                .collect(),
            form: Some(form),
            velocity,
            components,
            rates,
            controls: problem.controls.iter().map(|c| c.symbol.clone()).collect(),
            cost,
            terminal,
            equalities: Vec::new(),
            holonomic: system.constraints().holonomic().to_vec(),
            known,
            is_map,
            has_cost: kind != Kind::BoundaryValue,
            order: 1,
            system,
        })
    }

    /// The stationary curve of a Lagrangian of order k: y^(k−1) steers, y, …, y^(k−2) join the state. With constraints
    /// linear in the velocities y are those of a frame of the distribution, so that the curve satisfies them: the
    /// vakonomic problem without multipliers (CG-E13).
    fn curve(problem: &Problem) -> Result<Self, PoseError> {
        let system = problem.system.clone();
        let (frame, order) = (system.frame().clone(), system.order());
        let (velocities, known) = match system.constraints().is_empty() {
            true => (frame.fibre().to_vec(), Vec::new()),
            false => {
                let sections = system.sections().map_err(PoseError::Mechanics)?;
                let known = sections.jet_pairs(&frame, order);
                (sections.velocities.clone(), known)
            }
        };
        let jets = |i: u32| velocities.iter().map(move |v| v.jet(v.order() + i));
        let fibre: Vec<Expr> = frame.fibre().iter().map(Expr::from).collect();
        let components: Vec<Component> = (0..order - 1)
            .flat_map(jets)
            .map(|symbol| Component {
                symbol,
                role: match known.is_empty() {
                    true => SlotRole::Velocity,
                    false => SlotRole::FrameVelocity,
                },
            })
            .collect();
        let rates = components.iter().map(|c| c.symbol.derivative().into());
        let equalities = system.jet_constraints().iter();
        let equalities = equalities.map(|c| (c.expr.substitute(&known), c.origin));
        Ok(Self {
            kind: Kind::BoundaryValue,
            form: None,
            velocity: substitute_all(&fibre, &known),
            rates: rates.collect(),
            components,
            stages: Vec::new(),
            controls: jets(order - 1).collect(),
            cost: system.lagrangian().substitute(&known),
            terminal: Expr::zero(),
            equalities: equalities.collect(),
            holonomic: system.constraints().holonomic().to_vec(),
            known,
            is_map: false,
            has_cost: true,
            order,
            system,
        })
    }

    /// The positions.
    pub fn base(&self) -> &[Symbol] {
        self.system.frame().base()
    }

    /// The factors of the configuration space.
    pub fn factors(&self) -> &[Factor] {
        self.system.factors()
    }

    /// The directions of the state: sections of the ambient frame, then components.
    pub fn directions(&self) -> usize {
        self.system.frame().rank() + self.components.len()
    }

    /// The numbers of a state: positions, then components.
    pub fn state_symbols(&self) -> Vec<Symbol> {
        let components = self.components.iter().map(|c| c.symbol.clone());
        self.base().iter().cloned().chain(components).collect()
    }

    /// The stated values of the start, for positions and components.
    pub fn start(&self, problem: &Problem) -> Result<StartValues, PoseError> {
        let start = StartState::of(problem, &problem.driven()).map_err(PoseError::Start)?;
        let mut values = Vec::new();
        for z in self.base() {
            values.push(start.get(z).unwrap_or(0.0));
        }
        let state = match self.form {
            Some(form) => {
                let equations = self.system.equations(form).map_err(PoseError::Mechanics)?;
                let found = start
                    .state_of(&equations)
                    .map_err(|e| PoseError::Start(e.into()))?;
                let names = equations.state.iter().cloned();
                names.zip(found).collect()
            }
            None => self.jets_at(&start)?,
        };
        for c in &self.components {
            let known = state.iter().find(|(s, _)| *s == c.symbol);
            let value = known.map(|(_, v)| *v).or_else(|| start.get(&c.symbol));
            values.push(value.unwrap_or(0.0));
        }
        let controls = self.controls.iter().map(|u| {
            let known = state.iter().find(|(s, _)| s == u);
            known
                .map(|(_, v)| *v)
                .or_else(|| start.get(u))
                .unwrap_or(0.0)
        });
        Ok(StartValues {
            time: start.time,
            controls: controls.collect(),
            state: values,
        })
    }

    /// The jets of frame velocities that go with the stated ambient ones.
    fn jets_at(&self, start: &StartState) -> Result<Vec<(Symbol, f64)>, PoseError> {
        let sections = match self.system.constraints().is_empty() {
            true => return Ok(Vec::new()),
            false => self.system.sections().map_err(PoseError::Mechanics)?,
        };
        let stages = Stage::jets_on_subframe(self.system.frame(), sections, self.order);
        let unknowns: Vec<Symbol> = stages.iter().flat_map(|s| s.unknowns().to_vec()).collect();
        let values: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
        let found = start.after(&stages, &values);
        let found = found.map_err(|e| PoseError::Start(e.into()))?;
        Ok(unknowns.into_iter().zip(found).collect())
    }

    /// Is the start value of an ambient symbol open?
    pub fn is_free_at_start(&self, problem: &Problem, symbol: &Symbol) -> bool {
        let stated = problem.start.get(symbol);
        if stated.is_some_and(|s| s.given == Given::Free) {
            return true;
        }
        // The jets of a curve that are left out, and the velocities of a forced two-point problem.
        let level = self.jet_level(symbol);
        match self.kind {
            Kind::BoundaryValue => match level {
                Some(level) => level >= self.order || stated.is_none(),
                None => false,
            },
            _ => false,
        }
    }

    /// 1 for a velocity, 2 for an acceleration; none for positions and auxiliary states.
    pub fn jet_level(&self, symbol: &Symbol) -> Option<u32> {
        let fibre = self.system.frame().fibre();
        (0..self.order.max(1) + 1).find_map(|i| {
            let mut jets = fibre.iter().map(|y| y.jet(y.order() + i));
            jets.any(|y| y == *symbol).then_some(i + 1)
        })
    }
}

/// The start as the model states it.
#[derive(Clone, Debug)]
pub struct StartValues {
    /// The time.
    pub time: f64,
    /// Positions, then components.
    pub state: Vec<f64>,
    /// Jets that steer, as a first guess.
    pub controls: Vec<f64>,
}
