//! The record of a motion as a table that describes itself.

use crate::compile::{Motion, RecordKind};
use crate::language::{Model, Source, Values};
use crate::simulation::Simulation;
use crate::{Column, ColumnKind, Metadata, Table, rate_of_unit, unit_in_comment};

/// The columns of a motion's rows: time, state, recorded quantities.
pub fn columns(model: &Model, motion: &Motion) -> Vec<Column> {
    let time = std::iter::once(Column::new("t", ColumnKind::Time));
    let state = motion.state.iter().map(ToString::to_string);
    let state = state.zip(motion.kinds.iter().copied());
    let records = motion.records.iter().map(|r| (r.name.clone(), r.kind));
    time.chain(
        state.chain(records).map(|(name, kind)| {
            Column::new(&name, column_kind(kind)).with_unit(unit(model, &name))
        }),
    )
    .collect()
}

/// The columns of two motions with their labels side by side: time, both motions, the distance.
pub fn compared(model: &Model, motions: [(&Motion, &str); 2]) -> Vec<Column> {
    let mut all = vec![Column::new("t", ColumnKind::Time)];
    for (motion, label) in motions {
        let own = columns(model, motion).into_iter().skip(1);
        all.extend(own.map(|c| c.of_motion(label)));
    }
    all.push(Column::new("distance", ColumnKind::Distance));
    all
}

fn column_kind(kind: RecordKind) -> ColumnKind {
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

/// The unit that the model's comments give a coordinate; a velocity has the rate of it.
fn unit(model: &Model, name: &str) -> Option<String> {
    let stem = name.trim_end_matches('\'');
    let doc = model.factor(stem)?.doc()?;
    let unit = unit_in_comment(doc)?;
    match name.len() - stem.len() {
        0 => Some(unit.into()),
        _ => Some(rate_of_unit(unit)),
    }
}

/// What to plot, with the names of declared frame fields as the columns of their velocities.
pub fn plotted(model: &Model, what: &str) -> String {
    let names = model.names();
    let column = |item: &str| {
        let field = model.frame.iter().position(|f| f.name == item.trim());
        match field {
            Some(a) => names.frame_velocity(a + 1).to_string(),
            None => item.to_owned(),
        }
    };
    let axes = |item: &str| item.split(':').map(column).collect::<Vec<_>>().join(":");
    what.split(',').map(axes).collect::<Vec<_>>().join(",")
}

/// What the table says about itself.
pub fn metadata(model: &Model, source: &Source, simulation: &Simulation) -> Metadata {
    let values = Values::of(model);
    let parameters: Vec<String> = values
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
    let mut metadata = Metadata::new().with(Metadata::SYSTEM, &model.name);
    if let Some(title) = &model.title {
        metadata.set(Metadata::TITLE, title);
    }
    metadata
        .with(Metadata::PARAMETERS, parameters.join(", "))
        .with("form", simulation.form().name())
        .with(Metadata::METHOD, simulation.method.name())
        .with(Metadata::TOLERANCE, accuracy)
        .with(Metadata::VERSION, env!("CARGO_PKG_VERSION"))
        .with(Metadata::MODEL, source.text())
}

/// The table of a simulation.
pub fn table(model: &Model, source: &Source, simulation: &Simulation) -> Table {
    let columns = columns(model, &simulation.motion);
    Table::new(columns).described(metadata(model, source, simulation))
}
