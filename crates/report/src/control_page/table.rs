//! The path as a table.

use crate::control::optimal::Controlled;
use crate::record::column_kind;
use crate::{Column, ColumnKind, Metadata, Table};

/// The rows of the path: time, state, controls, costates.
pub fn rows(found: &Controlled) -> impl Iterator<Item = Vec<f64>> + '_ {
    let path = &found.solution.trajectory;
    (0..path.times.len()).map(|k| {
        let row = [
            &path.times[k..=k],
            &path.states[k],
            &path.controls[k],
            &path.costates[k],
        ];
        row.concat()
    })
}

/// The table of the path.
pub fn table(found: &Controlled, text: &str) -> Table {
    let mut columns = vec![Column::new("t", ColumnKind::Time)];
    for state in &found.names.state {
        let column = Column::new(&state.name, column_kind(state.kind));
        columns.push(column.with_unit(state.unit.clone()));
    }
    for name in &found.names.controls {
        columns.push(Column::new(name, ColumnKind::Control));
    }
    for costate in &found.names.costates {
        columns.push(Column::new(&costate.symbol, ColumnKind::Momentum));
    }
    let s = &found.solution;
    let mut metadata = Metadata::new().with(Metadata::SYSTEM, &found.system);
    if let Some(title) = &found.title {
        metadata.set(Metadata::TITLE, title);
    }
    let metadata = metadata
        .with("problem", found.kind.name())
        .with("status", s.status.name())
        .with(Metadata::METHOD, s.scheme.name())
        .with(Metadata::VERSION, env!("CARGO_PKG_VERSION"))
        .with(Metadata::MODEL, text);
    Table::new(columns).described(metadata)
}
