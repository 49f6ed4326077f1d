//! Two motions of one model, row by row.

use crate::record;
use rattleback::compile::{Motion, RecordKind};
use rattleback::language::Model;
use rattleback::report::{Column, ColumnKind};

/// Two motions side by side: their common table and their distance.
pub struct Comparison {
    /// The columns: time, both motions, the distance.
    pub columns: Vec<Column>,
    /// Where the positions of both stand in their rows.
    positions: Vec<(usize, usize)>,
    row: Vec<f64>,
    /// The largest distance so far, and when.
    pub largest: (f64, f64),
    /// When the distance first exceeded what the tolerances explain.
    pub parted: Option<f64>,
    threshold: f64,
}

impl Comparison {
    /// A comparison of motions with these labels; they count as parted beyond `threshold`.
    pub fn new(model: &Model, motions: [(&Motion, &str); 2], threshold: f64) -> Self {
        let all = motions.map(|(motion, _)| record::columns(model, motion));
        let mut columns = vec![Column::new("t", ColumnKind::Time)];
        for (own, (_, label)) in all.iter().zip(motions) {
            let labelled = own.iter().skip(1).cloned().map(|c| c.of_motion(label));
            columns.extend(labelled);
        }
        columns.push(Column::new("distance", ColumnKind::Distance));
        let positions = motions[0].0.state.iter().enumerate().filter_map(|(i, s)| {
            let kind = motions[0].0.kinds[i];
            let is_position = matches!(
                kind,
                RecordKind::Line | RecordKind::Angle | RecordKind::GroupEntry
            );
            let j = motions[1].0.state.iter().position(|x| x == s)?;
            is_position.then_some((i + 1, j + 1))
        });
        Self {
            positions: positions.collect(),
            columns,
            row: Vec::new(),
            largest: (0.0, f64::NAN),
            parted: None,
            threshold,
        }
    }

    /// Takes the rows of both motions at a time and gives the common row.
    pub fn row(&mut self, first: &[f64], second: &[f64]) -> &[f64] {
        let squares = self
            .positions
            .iter()
            .map(|&(i, j)| (first[i] - second[j]).powi(2));
        let distance = squares.sum::<f64>().sqrt();
        if distance > self.largest.0 {
            self.largest = (distance, second[0]);
        }
        if distance > self.threshold && self.parted.is_none() {
            self.parted = Some(second[0]);
        }
        self.row.clear();
        self.row.extend_from_slice(first);
        self.row.extend_from_slice(&second[1..]);
        self.row.push(distance);
        &self.row
    }
}
