//! Positions and velocities of the model in terms of the state of any formulation.

use super::GroupEntry;
use rattleback_geometry::LieGroup;
use rattleback_mechanics::{Equations, Slot, SlotRole, StateSpace, System};
use rattleback_symbolic::{Expr, Role, Symbol, prove_zero, substitute_all};

/// The state of a formulation, completed by the positions that it leaves out, and the velocities.
#[derive(Clone)]
pub(super) struct Ambient {
    pub(super) state: StateSpace,
    pub(super) rates: Vec<Expr>,
    /// Velocities and accelerations of the model that are not in the state, in its terms.
    velocities: Vec<(Symbol, Expr)>,
}

impl Ambient {
    pub(super) fn of(system: &System, equations: &Equations) -> Self {
        let mut ambient = Self {
            state: equations.state.clone(),
            rates: equations.rates.clone(),
            velocities: Vec::new(),
        };
        for z in system.frame().base() {
            let rate = format!("{z}'");
            let found = equations.reconstruction.iter().find(|q| q.name == rate);
            if let (false, Some(q)) = (ambient.state.contains(z), found) {
                let slot = Slot::new(z.clone(), SlotRole::Position);
                ambient.state.push(slot);
                ambient.rates.push(q.value.clone());
            }
        }
        ambient.state = system.located(&ambient.state);
        ambient.velocities = system.velocities_in(equations);
        let accelerations = ambient.find_accelerations(system);
        ambient.velocities.extend(accelerations);
        ambient
    }

    fn place(&self, s: &Symbol) -> Option<usize> {
        self.state.iter().position(|x| x == s)
    }

    fn rate(&self, s: &Symbol) -> Option<&Expr> {
        self.place(s).map(|i| &self.rates[i])
    }

    /// x'' = the rate of x', where x' is in the state.
    fn find_accelerations(&self, system: &System) -> Vec<(Symbol, Expr)> {
        let derivatives = system.frame().fibre().iter().map(|y| (y, y.derivative()));
        derivatives
            .filter(|(_, dy)| self.place(dy).is_none())
            .filter_map(|(y, dy)| Some((dy, self.rate(y)?.clone())))
            .collect()
    }

    /// Expressions of the model as functions of the state.
    pub(super) fn express(&self, all: &[Expr]) -> Vec<Expr> {
        // Accelerations are in terms of velocities that may have to be replaced in turn.
        let once = substitute_all(all, &self.velocities);
        substitute_all(&once, &self.velocities)
    }

    /// Has a symbol a value where the state and the controls have?
    pub(super) fn determines(&self, system: &System, equations: &Equations, s: &Symbol) -> bool {
        s.role() != Role::Variable
            || system.feed().iter().any(|(u, _)| u == s)
            || self.state.contains(s)
            || equations.stages.iter().any(|st| st.unknowns().contains(s))
    }

    /// The value of a velocity of the model.
    pub(super) fn velocity(&self, y: &Symbol) -> Option<Expr> {
        let found = self.velocities.iter().find(|(s, _)| s == y);
        found.map(|(_, e)| e.clone())
    }

    /// Group elements in the state.
    pub(super) fn groups(&self, system: &System) -> Vec<GroupEntry> {
        let slots = self.state.slots();
        let factors = system.factors().iter().enumerate();
        factors
            .filter_map(|(i, factor)| {
                let is_entry = |s: &Slot| s.role == SlotRole::Position && s.factor == Some(i);
                Some(GroupEntry {
                    group: factor.group?,
                    offset: slots.iter().position(is_entry)?,
                })
            })
            .collect()
    }

    /// What vanishes along motions: as the formulation states it, where it does, else the constraints.
    pub(super) fn residuals(&self, system: &System, equations: &Equations) -> Vec<Expr> {
        if equations.residuals.is_empty() {
            self.express(&system.constraints().all_residuals(system.frame()))
        } else {
            self.express(&equations.residuals)
        }
    }

    /// Constraints that the state satisfies at the start and nothing enforces afterwards; with them the
    /// relations of the groups, because moving onto constraints must not move off a group.
    pub(super) fn drifting(&self, system: &System, equations: &Equations) -> Vec<Expr> {
        let mut drifting = self.residuals(system, equations);
        // What vanishes on the groups is kept by keeping to the groups.
        let mut on_groups = substitute_all(&drifting, system.parametrization()).into_iter();
        drifting.retain(|_| !on_groups.next().is_some_and(|e| prove_zero(&e).is_proven()));
        if !drifting.is_empty() {
            for entry in self.groups(system) {
                let places = entry.offset..entry.offset + entry.group.coordinates();
                let entries = self.state.get(places).unwrap_or_default();
                if !entries.is_empty() {
                    drifting.extend(entry.group.relations(&entry.group.element(entries)));
                }
            }
        }
        drifting
    }
}
