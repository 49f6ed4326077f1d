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
    rows: Vec<Vec<f64>>,
    next: usize,
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
            rows: Vec::new(),
            next: 0,
            largest: (0.0, f64::NAN),
            parted: None,
            threshold,
        }
    }

    /// Takes a row of the first motion.
    pub fn first(&mut self, row: &[f64]) {
        self.rows.push(row.to_vec());
    }

    /// Takes the row of the second motion at the next time and gives the common row; none where the
    /// first motion has no row at that time.
    pub fn second(&mut self, row: &[f64]) -> Option<Vec<f64>> {
        let other = self.rows.get(self.next)?;
        self.next += 1;
        let squares = self
            .positions
            .iter()
            .map(|&(i, j)| (other[i] - row[j]).powi(2));
        let distance = squares.sum::<f64>().sqrt();
        if distance > self.largest.0 {
            self.largest = (distance, row[0]);
        }
        if distance > self.threshold && self.parted.is_none() {
            self.parted = Some(row[0]);
        }
        let mut common = other.clone();
        common.extend_from_slice(&row[1..]);
        common.push(distance);
        Some(common)
    }
}
