//! What became of a model's problem with ends: the solution with its names and what confirms it.

use super::routes::Polished;
use super::{Kind, Posed, Reach, Solution};
use rattleback_compile::{RecordKind, kind_of};
use rattleback_mechanics::{Slot, SlotRole, StateSpace, System};

/// A solved problem with its names.
pub struct Controlled {
    /// The name of the system.
    pub system: String,
    /// Its title.
    pub title: Option<String>,
    /// Which problem it is.
    pub kind: Kind,
    /// The solution.
    pub solution: Solution,
    /// What its numbers are called.
    pub names: Names,
    /// The free numbers.
    pub free: Vec<String>,
    /// The largest difference at the end between the path and the motion under its controls.
    pub replay_error: Option<f64>,
    /// What that motion costs.
    pub replay_cost: Option<f64>,
    /// Momenta of declared symmetries: name, mean, largest change.
    pub momenta: Vec<(String, f64, f64)>,
    /// Are there bounds along the path?
    pub bounded: bool,
    /// Does nothing depend on time, so that H is constant along a solution?
    pub autonomous: bool,
    /// What is known of the goal beforehand.
    pub reach: Reach,
    /// What the necessary conditions make of the solution.
    pub polished: Option<Polished>,
    /// What resists, in words.
    pub resisting: Option<String>,
    /// Was a number of intervals asked for?
    pub requested_nodes: bool,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Seconds until the problem was posed.
    pub derive_seconds: f64,
    /// All seconds.
    pub wall_seconds: f64,
}

impl Controlled {
    /// A solution with its names, before anything confirms it.
    pub fn of(posed: &Posed, solution: Solution, reach: Reach) -> Self {
        Self {
            system: posed.plant.system.name().to_owned(),
            title: None,
            kind: posed.plant.kind,
            names: Names::of(posed),
            free: posed.free.iter().map(|(s, _)| s.to_string()).collect(),
            replay_error: None,
            replay_cost: None,
            momenta: momenta_kept(posed, &solution),
            resisting: None,
            bounded: !posed.simple.is_empty() || !posed.paths.is_empty(),
            autonomous: posed.is_autonomous(),
            reach,
            polished: None,
            requested_nodes: false,
            notes: Vec::new(),
            derive_seconds: 0.0,
            wall_seconds: 0.0,
            solution,
        }
    }

    /// Is the path near a motion, by the necessary conditions, by the meshes or by its replay?
    pub fn is_confirmed(&self) -> bool {
        let routes = self.polished.as_ref().map(|p| p.difference);
        self.solution.is_confirmed(routes, self.replay_error)
    }
}

/// What the numbers of a path are called.
#[derive(Clone, Debug)]
pub struct Names {
    /// Positions, then components.
    pub state: Vec<StateName>,
    /// Controls.
    pub controls: Vec<String>,
    /// Costates: of coordinates and of directions on groups, then of components.
    pub costates: Vec<CostateName>,
}

/// What a component of the state is called, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateName {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: RecordKind,
    /// Its unit, where the model states one.
    pub unit: Option<String>,
}

impl StateName {
    fn of(system: &System, slot: &Slot) -> Self {
        Self {
            name: slot.symbol.to_string(),
            kind: kind_of(system, slot),
            unit: slot.unit.clone(),
        }
    }
}

/// What a costate is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostateName {
    /// Its own name, out of the way of those of the model: `p_x`, `p_x'`, `p_R[1]`.
    pub symbol: String,
    /// Whose costate it is; none where it belongs to a direction on a group.
    pub owner: Option<String>,
}

impl CostateName {
    /// Of a coordinate or a component.
    fn of(system: &System, owner: String) -> Self {
        let plain = owner.trim_end_matches('\'');
        let primes = &owner[plain.len()..];
        Self {
            symbol: format!("{}{primes}", system.names().momentum(plain, 0)),
            owner: Some(owner),
        }
    }

    /// Of the i-th direction on a group, from 1.
    fn on_group(system: &System, factor: &str, i: usize) -> Self {
        let symbol = system.names().momentum(&format!("{factor}[{i}]"), 0);
        Self {
            symbol: symbol.to_string(),
            owner: None,
        }
    }

    /// What it is shown under where only costates are listed: its owner, if it has one.
    pub fn label(&self) -> &str {
        self.owner.as_deref().unwrap_or(&self.symbol)
    }
}

impl Names {
    /// The names of a posed problem.
    pub fn of(posed: &Posed) -> Self {
        let (plant, system) = (&posed.plant, &posed.plant.system);
        let mut state = StateSpace::default().with(SlotRole::Position, plant.base().to_vec());
        let components = plant.components.iter();
        components.for_each(|c| state.push(Slot::new(c.symbol.clone(), c.role)));
        let state = system.located(&state);
        let state = state.slots().iter().map(|s| StateName::of(system, s));
        let mut costates = Vec::new();
        for factor in plant.factors() {
            match factor.group {
                None => costates.push(CostateName::of(system, factor.name.clone())),
                Some(g) => costates.extend(
                    (1..=g.dimension()).map(|i| CostateName::on_group(system, &factor.name, i)),
                ),
            }
        }
        let components = plant.components.iter().map(|c| c.symbol.to_string());
        costates.extend(components.map(|owner| CostateName::of(system, owner)));
        Self {
            state: state.collect(),
            controls: plant.controls.iter().map(ToString::to_string).collect(),
            costates,
        }
    }
}

/// The momenta of declared symmetries along the path, of those that leave the problem as it is.
pub fn momenta_kept(posed: &Posed, solution: &Solution) -> Vec<(String, f64, f64)> {
    let found = super::momenta(posed, &solution.trajectory);
    let spread = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let change = values.iter().map(|v| (v - values[0]).abs());
        (mean, change.fold(0.0, f64::max))
    };
    let all = found.into_iter().filter(|(_, values)| !values.is_empty());
    all.map(|(name, values)| {
        let (mean, change) = spread(&values);
        (name, mean, change)
    })
    .collect()
}
