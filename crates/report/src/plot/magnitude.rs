//! Which lines one linear axis can show: those of like magnitude.

use std::f64::consts::PI;

use super::line::Line;
use super::wrap::worth_wrapping;
use crate::column::{Column, ColumnKind};

/// A line that reaches less than this share of the largest one would look like zero.
const LEAST_SHARE: f64 = 0.02;
/// Below this share of the largest, quantities of one kind are zero but for round-off.
const ROUND_OFF: f64 = 1e-13;

/// The lines in groups of like magnitude, each with its columns in order. Motions of one quantity stay together,
/// as do the entries of groups; what is zero throughout goes with the largest.
pub(crate) fn alike(columns: &[Column], lines: &[Line]) -> Vec<Vec<usize>> {
    let all = || (0..lines.len()).collect();
    let is_of_groups = |column: &Column| column.kind == ColumnKind::GroupEntry;
    if lines.len() < 2 || columns.iter().any(is_of_groups) {
        return vec![all()];
    }
    let sizes = quantity_sizes(columns, lines);
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let is_observed = |column: &Column| column.kind == ColumnKind::Observable;
    let floor = match columns.iter().all(is_observed) {
        true => 0.0,
        false => ROUND_OFF * largest,
    };
    let mut order: Vec<usize> = all();
    let size = |k: usize| {
        sizes
            .get(k)
            .copied()
            .filter(|s| *s > floor)
            .unwrap_or(largest)
    };
    order.sort_by(|a, b| size(*b).total_cmp(&size(*a)));
    let mut groups = Vec::new();
    let mut open = vec![order];
    while let Some(group) = open.pop() {
        match halves(&group, size) {
            Some((larger, smaller)) => open.extend([larger, smaller]),
            None => groups.push(group),
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort();
    groups
}

/// The largest value of every line, the same for all motions of a quantity.
fn quantity_sizes(columns: &[Column], lines: &[Line]) -> Vec<f64> {
    let own: Vec<f64> = lines.iter().map(size).collect();
    let of_quantity = |column: &Column| {
        let same = columns.iter().zip(&own);
        let same = same.filter(|(other, _)| other.quantity == column.quantity);
        same.map(|(_, size)| *size).fold(0.0, f64::max)
    };
    columns.iter().map(of_quantity).collect()
}

/// How far a line is from zero at most.
fn size(line: &Line) -> f64 {
    let [_, range] = line.data.ranges();
    match range.is_empty() {
        true => 0.0,
        false if line.angle[1] && worth_wrapping(range) => PI,
        false => range.low.abs().max(range.high.abs()),
    }
}

/// Cuts a group in descending order at its widest gap, if it spans too much.
fn halves(group: &[usize], size: impl Fn(usize) -> f64) -> Option<(Vec<usize>, Vec<usize>)> {
    let (largest, smallest) = (size(*group.first()?), size(*group.last()?));
    if smallest >= LEAST_SHARE * largest {
        return None;
    }
    let share = |w: &[usize]| size(w[1]) / size(w[0]);
    let shares = group.windows(2).map(share).enumerate();
    let (before, _) = shares.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (larger, smaller) = group.split_at(before + 1);
    Some((larger.to_vec(), smaller.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::envelope::Envelope;

    fn groups(kind: ColumnKind, sizes: &[f64]) -> Vec<Vec<usize>> {
        let names = sizes.iter().enumerate().map(|(k, _)| format!("q{k}"));
        let columns: Vec<Column> = names.map(|name| Column::new(name, kind)).collect();
        let line = |size: &f64| {
            let mut envelope = Envelope::new();
            envelope.push(0.0, -size);
            Line::function("q", envelope)
        };
        alike(&columns, &sizes.iter().map(line).collect::<Vec<_>>())
    }

    #[test]
    fn sizes_are_kept_apart() {
        let observed = ColumnKind::Observable;
        let huge = [1e12, 1e-11, 1e8, 0.0, 3e8];
        assert_eq!(groups(observed, &huge), [vec![0, 3], vec![1], vec![2, 4]]);
        assert_eq!(groups(observed, &[1.0, 0.05, -0.3]), [vec![0, 1, 2]]);
        // Cut at the widest gap, not where the share runs out.
        assert_eq!(
            groups(observed, &[0.021, 1.0, 0.019]),
            [vec![0, 2], vec![1]]
        );
        assert_eq!(groups(observed, &[0.0, 0.0]), [vec![0, 1]]);
        assert_eq!(groups(observed, &[]), [Vec::<usize>::new()]);
    }

    #[test]
    fn round_off_is_no_magnitude() {
        assert_eq!(groups(ColumnKind::Line, &[1.0, 1e-17]), [vec![0, 1]]);
        assert_eq!(groups(ColumnKind::Line, &[1.0, 1e-9]), [vec![0], vec![1]]);
        assert_eq!(groups(ColumnKind::GroupEntry, &[1.0, 1e-9]), [vec![0, 1]]);
    }

    #[test]
    fn motions_of_one_quantity_stay_together() {
        let column =
            |name: &str, motion: &str| Column::new(name, ColumnKind::Line).of_motion(motion);
        let columns = [
            column("x", "a"),
            column("y", "a"),
            column("x", "b"),
            column("y", "b"),
        ];
        let line = |size: f64| {
            let mut envelope = Envelope::new();
            envelope.push(0.0, size);
            Line::function("q", envelope)
        };
        let lines = [1e-3, 1.0, 1.0, 1e-5].map(line);
        assert_eq!(alike(&columns, &lines), [vec![0, 1, 2, 3]]);
    }
}
