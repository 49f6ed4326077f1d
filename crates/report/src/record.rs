//! The record of a motion as a table that describes itself.

use crate::compile::{Motion, RecordKind};
use crate::mechanics::{Problem, System};
use crate::simulation::Simulation;
use crate::{Column, ColumnKind, Metadata, Table};

/// The columns of a motion's rows: time, state, recorded quantities.
pub fn columns(motion: &Motion) -> Vec<Column> {
    let time = std::iter::once(Column::new("t", ColumnKind::Time));
    let state = motion.state.slots().iter().zip(&motion.kinds);
    let state = state.map(|(slot, kind)| (slot.symbol.to_string(), *kind, slot.unit.clone()));
    let records = motion.records.iter();
    let records = records.map(|r| (r.name.clone(), r.kind, r.unit.clone()));
    let column = |(name, kind, unit): (String, RecordKind, Option<String>)| {
        Column::new(&name, column_kind(kind)).with_unit(unit)
    };
    time.chain(state.chain(records).map(column)).collect()
}

/// The columns of two motions with their labels side by side: time, both motions, the distance.
pub fn compared(motions: [(&Motion, &str); 2]) -> Vec<Column> {
    let mut all = vec![Column::new("t", ColumnKind::Time)];
    for (motion, label) in motions {
        let own = columns(motion).into_iter().skip(1);
        all.extend(own.map(|c| c.of_motion(label)));
    }
    all.push(Column::new("distance", ColumnKind::Distance));
    all
}

pub(crate) fn column_kind(kind: RecordKind) -> ColumnKind {
    match kind {
        RecordKind::Line | RecordKind::Auxiliary => ColumnKind::Line,
        RecordKind::Angle => ColumnKind::Angle,
        RecordKind::GroupEntry => ColumnKind::GroupEntry,
        RecordKind::Velocity => ColumnKind::Velocity,
        RecordKind::FrameVelocity => ColumnKind::FrameVelocity,
        RecordKind::Momentum | RecordKind::SymmetryMomentum => ColumnKind::Momentum,
        RecordKind::Multiplier => ColumnKind::Multiplier,
        RecordKind::Observable => ColumnKind::Observable,
        RecordKind::Control => ColumnKind::Control,
        RecordKind::Energy => ColumnKind::Energy,
        RecordKind::Residual => ColumnKind::ConstraintResidual,
    }
}

/// What to plot, with the names of declared frame fields as the columns of their velocities.
pub fn plotted(system: &System, what: &str) -> String {
    let fields = system.frame_names();
    let column = |item: &str| match fields.iter().position(|f| f == item.trim()) {
        Some(a) => system.names().frame_velocity(a + 1).to_string(),
        None => item.to_owned(),
    };
    let axes = |item: &str| item.split(':').map(column).collect::<Vec<_>>().join(":");
    what.split(',').map(axes).collect::<Vec<_>>().join(",")
}

/// What the table says about itself, with the text of the model.
pub fn metadata(problem: &Problem, text: &str, simulation: &Simulation) -> Metadata {
    let parameters: Vec<String> = problem
        .values
        .pairs()
        .iter()
        .map(|(s, e)| format!("{s} = {e}"))
        .collect();
    let accuracy = if simulation.method.is_adaptive() {
        format!(
            "rtol {:e}, atol {:e}",
            simulation.options.rtol, simulation.options.atol
        )
    } else {
        format!("step {}", simulation.step)
    };
    let mut metadata = Metadata::new().with(Metadata::SYSTEM, problem.system.name());
    if let Some(title) = &problem.title {
        metadata.set(Metadata::TITLE, title);
    }
    metadata
        .with(Metadata::PARAMETERS, parameters.join(", "))
        .with("form", simulation.form().name())
        .with(Metadata::METHOD, simulation.method.name())
        .with(Metadata::TOLERANCE, accuracy)
        .with(Metadata::VERSION, env!("CARGO_PKG_VERSION"))
        .with(Metadata::MODEL, text)
}

/// The table of a simulation.
pub fn table(problem: &Problem, text: &str, simulation: &Simulation) -> Table {
    let columns = columns(&simulation.motion);
    Table::new(columns).described(metadata(problem, text, simulation))
}
