//! The space whose points the nodes of a discrete system are: Q, or T^(k−1)Q for Lagrangians of order k.

use super::InStepsError;
use rattleback_mechanics::Clock;
use rattleback_mechanics::discrete::{DiscreteError, DiscreteLagrangian};
use rattleback_mechanics::{Problem, System};
use rattleback_motion::discrete::ActionError;
use rattleback_symbolic::Symbol;

/// What the discrete Lagrangian is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Lagrangian in positions and velocities.
    Velocities,
    /// One with derivatives up to this order.
    Jets(u32),
    /// It is given: L(x, next(x)).
    Given,
}

/// Positions of a node with their names.
#[derive(Clone, Debug)]
pub struct Space {
    /// What the discrete Lagrangian is made of.
    pub kind: Kind,
    /// x, y, …, x', y', …
    pub positions: Vec<Symbol>,
    /// Their momenta: `p_x`, `p_x_1`, ….
    pub momenta: Vec<Symbol>,
    /// `x`, `v_x`, …: what stands before `_0` in formulas.
    stems: Vec<String>,
    /// Names that a model declares.
    declared: Vec<String>,
}

impl Space {
    /// The space of a model.
    pub fn of(problem: &Problem, system: &System) -> Self {
        let kind = match (problem.clock, system.order()) {
            (Clock::DiscreteLagrangian, _) => Kind::Given,
            (_, order) if order > 1 => Kind::Jets(order),
            _ => Kind::Velocities,
        };
        let levels = match kind {
            Kind::Jets(k) => k,
            _ => 1,
        };
        let q = system.frame().base();
        let positions: Vec<Symbol> = (0..levels)
            .flat_map(|i| q.iter().map(move |s| s.jet(i)))
            .collect();
        let momenta = (0..levels as usize).flat_map(|k| system.jet_momentum_symbols(k));
        let stem = |s: &Symbol| match s.order() {
            0 => s.name().to_owned(),
            1 => format!("v_{}", s.name()),
            2 => format!("a_{}", s.name()),
            i => format!("d{i}_{}", s.name()),
        };
        let parameters = problem.parameters.iter().map(|p| p.symbol.name());
        Self {
            kind,
            stems: positions.iter().map(stem).collect(),
            momenta: momenta.collect(),
            declared: parameters
                .chain(q.iter().map(Symbol::name))
                .map(str::to_owned)
                .collect(),
            positions,
        }
    }

    /// A generated name, which gives way to those of the model by underscores.
    fn free(&self, mut name: String) -> String {
        while self.declared.contains(&name) {
            name.push('_');
        }
        name
    }

    /// Symbols of one node: `x_0`.
    pub fn node(&self, k: usize) -> Vec<Symbol> {
        let name = |s: &String| Symbol::variable(&self.free(format!("{s}_{k}")));
        self.stems.iter().map(name).collect()
    }

    /// Symbols of the momenta of one node: `p_x_0`. They give way to positions of all nodes as well.
    pub fn momenta_of(&self, k: usize) -> Vec<Symbol> {
        let nodes: Vec<Symbol> = (0..=2).flat_map(|k| self.node(k)).collect();
        let name = |s: &String| {
            let mut name = self.free(format!("p_{s}_{k}"));
            while nodes.iter().any(|q| q.name() == name) {
                name = self.free(name + "_");
            }
            Symbol::variable(&name)
        };
        self.stems.iter().map(name).collect()
    }

    /// What the momenta of a node are called beside its state: `p_x`, and `p_v_x` for x', as in the formulas.
    pub(super) fn momenta_names(&self) -> Vec<String> {
        match self.kind {
            Kind::Jets(_) => {
                let name = |stem: &String| self.free(format!("p_{stem}"));
                self.stems.iter().map(name).collect()
            }
            _ => self.momenta.iter().map(ToString::to_string).collect(),
        }
    }

    /// An error in the words of a Lagrangian that has no step.
    pub(super) fn without_step(&self, e: InStepsError) -> InStepsError {
        match (self.kind, e) {
            (Kind::Given, InStepsError::Action(ActionError::NoStep { step, why })) => {
                InStepsError::NoNode {
                    node: step - 1,
                    why,
                }
            }
            (_, e) => e,
        }
    }

    /// The step.
    pub fn step(&self) -> Symbol {
        Symbol::constant(&self.free("h".into()))
    }

    /// The discrete Lagrangian that a model states in `x` and `next(x)`.
    pub fn given(&self, system: &System) -> Result<DiscreteLagrangian, DiscreteError> {
        Ok(DiscreteLagrangian::given(system)?.between(&self.node(0), &self.node(1)))
    }
}
