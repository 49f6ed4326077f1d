//! A control problem as a first-order system on an anchored frame, with the names of its costates.

use super::Objective;
use crate::equations::{Equations, Initial, Stage};
use crate::system::jet;
use crate::{Form, MechanicsError, SlotRole, StateSpace, System};
use rattleback_geometry::Frame;
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// M a = f.
#[derive(Clone, Debug)]
pub struct Solve {
    /// a.
    pub unknowns: Vec<Symbol>,
    /// M, free of the controls.
    pub matrix: Matrix,
    /// f.
    pub rhs: Vec<Expr>,
}

/// z' = ρ(V), w' = W after M a = f, under controls u, with the running cost C; in variational problems the controls
/// are the highest derivatives and relations φ = 0 hold with multipliers μ, the cost being L − μ φ.
#[derive(Clone, Debug)]
pub struct Steering {
    /// The frame of the positions.
    pub frame: Frame,
    /// V, by components in the frame.
    pub velocity: Vec<Expr>,
    /// w with their roles and rates W.
    pub states: Vec<(Symbol, SlotRole, Expr)>,
    /// M a = f, where there are accelerations.
    pub solve: Option<Solve>,
    /// u.
    pub controls: Vec<Symbol>,
    /// μ with φ.
    pub relations: Vec<(Symbol, Expr)>,
    /// C.
    pub cost: Expr,
    /// The costates p of the sections.
    pub momenta: Vec<Symbol>,
    /// The costates π of the further states.
    pub adjoints: Vec<Symbol>,
    /// The unknowns η of the adjoint solve.
    pub duals: Vec<Symbol>,
    /// What vanishes along motions.
    pub residuals: Vec<Expr>,
    /// What must not vanish.
    pub conditions: Vec<Expr>,
    /// How positions and further states follow from those of the model.
    pub(super) initial: Initial,
}

impl System {
    /// The control problem as a first-order system.
    pub fn steering(&self) -> Result<Steering, MechanicsError> {
        match &self.objective {
            None => Err(MechanicsError::NoObjective),
            Some(Objective::Cost(cost)) => of_motion(self, cost),
            Some(Objective::Action) => of_action(self),
        }
    }

    /// The system under its open controls, whatever is made least.
    pub fn control_system(&self) -> Result<Steering, MechanicsError> {
        match &self.objective {
            Some(Objective::Cost(cost)) => of_motion(self, cost),
            _ => of_motion(self, &Expr::zero()),
        }
    }

    /// The costates of positions and of the further states, cheaply: none where nothing is made least.
    pub fn costate_symbols(&self) -> Vec<Symbol> {
        let order = self.order();
        let Some(objective) = &self.objective else {
            return Vec::new();
        };
        let jets = |levels: u32| -> Vec<Symbol> {
            let velocities = match self.constraints.is_empty() {
                true => self.frame.fibre().to_vec(),
                false => (1..=self.frame.rank() - self.constraints.len())
                    .map(|a| self.names.frame_velocity(a))
                    .collect(),
            };
            let level = |i: u32| velocities.iter().map(move |y| y.jet(y.order() + i));
            (0..levels).flat_map(level).collect()
        };
        let states: Vec<Symbol> = match objective {
            Objective::Action => (0..order - 1).flat_map(|i| jet(&self.frame, i)).collect(),
            Objective::Cost(_) => {
                let auxiliary = self.auxiliary.iter().map(|(s, _)| s.clone());
                let determined = match self.first_order() {
                    Some(first) => first.determined(),
                    None => Vec::new(),
                };
                let jets = jets(2 * order - 1).into_iter();
                let jets = jets.filter(|y| !determined.contains(y));
                jets.chain(auxiliary).collect()
            }
        };
        let of_states = states.iter().map(|s| costate(self, s));
        section_costates(self)
            .into_iter()
            .chain(of_states)
            .collect()
    }
}

/// p_x of a coordinate, p_R\[1\], … of a group factor, in the order of the sections.
fn section_costates(system: &System) -> Vec<Symbol> {
    let factors = system.factors.iter();
    let names = factors.flat_map(|f| match f.group {
        None => vec![f.name.clone()],
        Some(_) => (1..=f.fibre.len())
            .map(|i| format!("{}[{i}]", f.name))
            .collect(),
    });
    names.map(|n| system.names.momentum(&n, 0)).collect()
}

/// p_x_1 of x', p_w\[1\] of a group's velocity, p_y1 of a frame velocity, p_s of an auxiliary state.
fn costate(system: &System, state: &Symbol) -> Symbol {
    system.names.momentum(state.name(), state.order() as usize)
}

/// The formulation whose first-order equations are steered: without multipliers.
fn base_form(system: &System) -> Form {
    match Form::default_for(system) {
        Form::LagrangeDAlembert => Form::Hamel,
        form => form,
    }
}

/// The motion of the system under its controls.
fn of_motion(system: &System, cost: &Expr) -> Result<Steering, MechanicsError> {
    if system.is_map() {
        return refused("a map has no conditions in continuous time");
    }
    system.require_affine(Form::Optimality)?;
    if system.order() > 1 && system.is_constrained() {
        return refused(
            "the motion of a constrained Lagrangian with accelerations is a variational problem already",
        );
    }
    let base = system.equations(base_form(system))?;
    let positions = system.frame().base().len();
    let velocity = system.velocity_of(&base)?;
    let known: Vec<(Symbol, Expr)> = system.velocities_in(&base);
    let slots = base.state.slots().iter().skip(positions);
    let rates = base.rates[positions..].iter().cloned();
    let states: Vec<(Symbol, SlotRole, Expr)> = slots
        .zip(rates)
        .map(|(slot, rate)| (slot.symbol.clone(), slot.role, rate))
        .collect();
    let solve = accelerations(&base, &velocity, &states)?;
    let adjoints: Vec<Symbol> = states.iter().map(|(s, ..)| costate(system, s)).collect();
    let steering = Steering {
        frame: system.frame().clone(),
        momenta: section_costates(system),
        duals: duals(system, solve.as_ref()),
        controls: system.open_controls(),
        relations: Vec::new(),
        cost: cost.substitute(&known),
        residuals: system.constraints().holonomic().to_vec(),
        conditions: base.conditions.clone(),
        initial: base.initial.clone(),
        velocity,
        states,
        solve,
        adjoints,
    };
    steering.check_solve()?;
    Ok(steering)
}

/// The one linear solve that the rates need.
fn accelerations(
    base: &Equations,
    velocity: &[Expr],
    states: &[(Symbol, SlotRole, Expr)],
) -> Result<Option<Solve>, MechanicsError> {
    let rates: Vec<&Expr> = states
        .iter()
        .map(|(.., rate)| rate)
        .chain(velocity)
        .collect();
    let needed = |stage: &&Stage| rates.iter().any(|r| r.contains_any(stage.unknowns()));
    let mut stages = base.stages.iter().filter(needed);
    let solve = match stages.next() {
        None => None,
        Some(Stage::Linear {
            unknowns,
            matrix,
            rhs,
        }) => Some(Solve {
            unknowns: unknowns.clone(),
            matrix: matrix.clone(),
            rhs: rhs.clone(),
        }),
        Some(Stage::Implicit { .. }) => return refused("the rates are given implicitly"),
    };
    match stages.next() {
        None => Ok(solve),
        Some(_) => refused("the velocities are determined in several steps"),
    }
}

/// η1, η2, …, one for each acceleration, named after the momentum that M η is.
fn duals(system: &System, solve: Option<&Solve>) -> Vec<Symbol> {
    let unknowns = solve.iter().flat_map(|s| &s.unknowns);
    unknowns
        .map(|a| system.names.reduced_momentum(a.name()))
        .collect()
}

/// The action of a Lagrangian of order k: the controls are y^(k−1), constraints are differentiated up to that order.
fn of_action(system: &System) -> Result<Steering, MechanicsError> {
    let (frame, order) = (system.frame(), system.order());
    system.check_lagrangian("optimality")?;
    if system.is_forced() {
        return refused(
            "a force has no action; its two-point problem is that of the equations of motion",
        );
    }
    if !system.auxiliary.is_empty() {
        return refused("an auxiliary state is a given function of time in the action");
    }
    let top = |i: u32| jet(frame, i);
    let states: Vec<(Symbol, SlotRole, Expr)> = (0..order - 1)
        .flat_map(top)
        .map(|y| (y.clone(), SlotRole::Velocity, y.derivative().into()))
        .collect();
    let mut residuals = system.constraints().holonomic().to_vec();
    let relations = system.variational_constraints().into_iter().map(|c| {
        let mut phi = c.expr;
        for _ in c.order..order {
            residuals.push(phi.clone());
            phi = frame.rate(&phi);
        }
        (c.multiplier, phi)
    });
    let relations = relations.collect();
    let values = frame.base().iter().chain(states.iter().map(|(s, ..)| s));
    Ok(Steering {
        frame: frame.clone(),
        velocity: frame.velocity(),
        solve: None,
        controls: top(order - 1),
        relations,
        cost: system.lagrangian().clone(),
        momenta: section_costates(system),
        adjoints: states.iter().map(|(s, ..)| costate(system, s)).collect(),
        duals: Vec::new(),
        residuals,
        conditions: Vec::new(),
        initial: Initial {
            values: values.map(Expr::from).collect(),
            ..Initial::default()
        },
        states,
    })
}

fn refused<T>(why: &str) -> Result<T, MechanicsError> {
    Err(MechanicsError::NoOptimality { why: why.into() })
}

impl Steering {
    /// Positions and further states.
    pub fn state(&self) -> StateSpace {
        let positions = self.frame.base().to_vec();
        let state = StateSpace::default().with(SlotRole::Position, positions);
        let further = self.states.iter();
        further.fold(state, |state, (s, role, _)| state.with(*role, [s.clone()]))
    }

    /// ⟨p, V⟩ + ⟨π, W⟩ − C, in accelerations and controls.
    pub fn hamiltonian(&self) -> Expr {
        let pairs = self.momenta.iter().zip(&self.velocity);
        let further = self.adjoints.iter().zip(self.states.iter().map(|s| &s.2));
        let paired = pairs.chain(further).map(|(p, v)| Expr::from(p) * v);
        Expr::sum(paired) - &self.cost
    }

    /// K: the Hamiltonian with the solve and the relations joined by η and μ.
    pub fn joined(&self) -> Expr {
        let solve = self.solve.iter().flat_map(|s| {
            let a: Vec<Expr> = s.unknowns.iter().map(Expr::from).collect();
            let inertia = s.matrix.apply(&a);
            let gaps = s.rhs.iter().zip(inertia).map(|(f, ma)| f - ma);
            self.duals.iter().zip(gaps).collect::<Vec<_>>()
        });
        let solve = solve.map(|(eta, gap)| Expr::from(eta) * gap);
        let relations = self.relations.iter();
        let relations = relations.map(|(mu, phi)| Expr::from(mu) * phi);
        self.hamiltonian() + Expr::sum(solve) + Expr::sum(relations)
    }

    /// Mᵀη = ∂(⟨p, V⟩ + ⟨π, W⟩ − C)/∂a.
    pub(super) fn adjoint_stage(&self) -> Option<Stage> {
        let solve = self.solve.as_ref()?;
        Some(Stage::Linear {
            unknowns: self.duals.clone(),
            matrix: solve.matrix.transpose(),
            rhs: self.hamiltonian().gradient(&solve.unknowns),
        })
    }

    /// η must follow from the costates alone.
    fn check_solve(&self) -> Result<(), MechanicsError> {
        let Some(solve) = &self.solve else {
            return Ok(());
        };
        let open = [&solve.unknowns[..], &self.controls].concat();
        let rhs = self.hamiltonian().gradient(&solve.unknowns);
        let mut matrix = solve.matrix.entries().iter();
        match matrix.any(|e| e.contains_any(&open)) || rhs.iter().any(|e| e.contains_any(&open)) {
            true => refused("the cost depends on velocities that the controls determine"),
            false => Ok(()),
        }
    }

    /// The dynamics with the accelerations written out: V, then W, as functions of state and controls; none where
    /// the solve is too large.
    pub fn explicit(&self) -> Option<Vec<Expr>> {
        let rates = self.velocity.iter().chain(self.states.iter().map(|s| &s.2));
        let rates: Vec<Expr> = rates.cloned().collect();
        let Some(solve) = &self.solve else {
            return Some(rates);
        };
        let right = Matrix::column_vector(&solve.rhs);
        let solved = rattleback_symbolic::solve(&solve.matrix, &right).ok()?;
        let found = solve.unknowns.iter().cloned();
        let found: Vec<(Symbol, Expr)> = found.zip(solved.solution.column(0)).collect();
        Some(substitute_all(&rates, &found))
    }
}
