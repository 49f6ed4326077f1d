//! What of a linear system changes along the motion that it is about: with time, or where symmetries carry the state on
//! and leave controls, outputs or cost behind.

use crate::plant::Plant;
use rattleback_mechanics::{NamedSection, Problem};
use rattleback_symbolic::{Expr, Symbol, prove_all_zero};

/// Something that is not known to stay as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Change {
    /// The equations contain the time.
    #[error("the equations contain the time: A and B are those of one moment")]
    Time,
    /// A control pushes elsewhere as the state is carried on.
    #[error(
        "control {0} is not carried along by the symmetries of the motion: B changes in the frame that moves with it"
    )]
    Control(String),
    /// An output.
    #[error("output {0} changes along the motion by itself: C is that of one moment")]
    Output(String),
    /// The cost.
    #[error("the cost changes along the motion by itself: no constant gains fit it")]
    Cost,
}

impl Change {
    /// Do the motions of the plant change with it?
    pub fn is_of_plant(&self) -> bool {
        matches!(self, Change::Time | Change::Control(_))
    }

    /// Does what is seen of the motions change?
    pub fn is_of_outputs(&self) -> bool {
        matches!(self, Change::Time | Change::Output(_))
    }

    /// Does it leave a regulator as it is?
    pub fn is_of_no_cost(&self) -> bool {
        matches!(self, Change::Output(_))
    }
}

/// What is not known to be constant where these fields carry a state along.
pub(crate) fn changes(problem: &Problem, plant: &Plant, fields: &[NamedSection]) -> Vec<Change> {
    let system = &plant.system;
    let mut all = Vec::new();
    all.extend(plant.has_time().then_some(Change::Time));
    let stays = |parts: Vec<Expr>| prove_all_zero(&parts).is_proven();
    let carried = |e: &Expr| {
        stays(
            fields
                .iter()
                .map(|f| system.change_along(&f.components, e))
                .collect(),
        )
    };
    for u in &plant.controls {
        let pushes = |f: &NamedSection| -> Vec<Expr> {
            let forces = system.changes_of_forces(&f.components);
            let lagrangian = system.change_along(&f.components, system.lagrangian());
            forces
                .iter()
                .chain([&lagrangian])
                .map(|e| e.diff(u))
                .collect()
        };
        let is_constant = stays(fields.iter().flat_map(pushes).collect());
        all.extend((!is_constant).then(|| Change::Control(u.to_string())));
    }
    let is_constant = |e: &Expr| !e.contains(&Symbol::time()) && carried(e);
    let (names, outputs) = plant.outputs();
    let unknowns: Vec<Symbol> = plant
        .equations
        .stages
        .iter()
        .flat_map(|s| s.unknowns())
        .cloned()
        .collect();
    // What a solve gives is carried along as the equations are, which only the whole of them would show.
    let is_open = |e: &Expr| !fields.is_empty() && e.contains_any(&unknowns);
    let changing = names.into_iter().zip(&outputs);
    let changing = changing.filter(|(_, e)| is_open(e) || !is_constant(e));
    all.extend(changing.map(|(name, _)| Change::Output(name)));
    let cost = Expr::sum(problem.costs.iter().cloned());
    let is_regulated = !plant.controls.is_empty();
    all.extend((is_regulated && !is_constant(&cost)).then_some(Change::Cost));
    all
}
