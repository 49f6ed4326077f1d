//! Where the panels of a figure go.

use super::panel::Prepared;
use super::style::{LABEL, TITLE};
use super::text::Text;

/// The height of a row of a legend.
pub(crate) const LEGEND_ROW: f64 = 19.0;
/// The sample of the line before a label of a legend.
const SAMPLE: f64 = 27.0;
const BETWEEN_ENTRIES: f64 = 18.0;

/// The width between the axes, in a figure of one column and of two.
const WIDE: f64 = 560.0;
pub(crate) const NARROW: f64 = 430.0;
/// The height of a line of the title.
pub(crate) const TITLE_ROW: f64 = TITLE + 4.0;
const OUTER: f64 = 16.0;
const BETWEEN_COLUMNS: f64 = 28.0;
const BETWEEN_PANELS: f64 = 16.0;
/// The labels below a panel.
const FOOT: f64 = 42.0;
/// The least height of a panel over time.
pub(crate) const OVER_TIME: f64 = 118.0;
const PATH: f64 = 300.0;
const TALLEST: f64 = 260.0;

/// The rectangle between the axes, and the room for labels left of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub margin: f64,
}

/// The place of a panel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub panel: usize,
    pub frame: Frame,
    /// Does its horizontal axis carry labels?
    pub labelled: bool,
}

/// The figure's size and its panels' places.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    pub places: Vec<Place>,
}

/// An entry of a legend.
#[derive(Clone, Debug)]
pub(crate) struct LegendEntry {
    /// The number of the line.
    pub line: usize,
    pub label: Text,
    /// How far from the panel's left edge it begins.
    pub left: f64,
}

/// Packs the labels of lines into the rows of a legend.
pub(crate) fn legend_rows(labels: impl Iterator<Item = Text>, width: f64) -> Vec<Vec<LegendEntry>> {
    let mut rows: Vec<Vec<LegendEntry>> = Vec::new();
    let mut next = f64::INFINITY;
    for (line, label) in labels.enumerate() {
        let label = label.shortened(LABEL, width - SAMPLE);
        let needed = SAMPLE + label.width(LABEL);
        if next + needed > width {
            rows.push(Vec::new());
            next = 0.0;
        }
        let left = next;
        if let Some(row) = rows.last_mut() {
            row.push(LegendEntry { line, label, left });
        }
        next += needed + BETWEEN_ENTRIES;
    }
    rows
}

/// Arranges the panels below so many lines of a title: functions of time above each other, paths beside them.
pub(crate) fn arrange(panels: &[Prepared], title: usize) -> Layout {
    let columns = columns(panels);
    let width = match columns.len() {
        0 | 1 => WIDE,
        _ => NARROW,
    };
    let top = OUTER
        + match title {
            0 => 4.0,
            lines => lines as f64 * TITLE_ROW + 12.0,
        };
    let heights: Vec<f64> = columns
        .iter()
        .map(|column| column_height(panels, column, width, 0.0))
        .collect();
    let tallest = heights.iter().copied().fold(0.0, f64::max);
    let mut left = OUTER;
    let mut places = Vec::new();
    let mut bottom = top;
    for (column, height) in columns.iter().zip(&heights) {
        let stretch = stretch(panels, column, tallest - height);
        let margin = column_margin(panels, column, stretch);
        let mut y = top;
        for (row, &panel) in column.iter().enumerate() {
            let Some(prepared) = panels.get(panel) else {
                continue;
            };
            let labelled = is_labelled(panels, column, row);
            let (fitting, height) = body(prepared, width, stretch);
            y += prepared.head(fitting);
            let frame = Frame {
                left: left + margin,
                top: y,
                width: fitting,
                height,
                margin,
            };
            places.push(Place {
                panel,
                frame,
                labelled,
            });
            y += frame.height + foot(labelled) + BETWEEN_PANELS;
        }
        bottom = f64::max(bottom, y - BETWEEN_PANELS);
        left += margin + width + BETWEEN_COLUMNS;
    }
    Layout {
        width: left - BETWEEN_COLUMNS + OUTER + 10.0,
        height: bottom + OUTER - 4.0,
        places,
    }
}

/// The panels of each column: one column for few functions of time, else two of like height.
fn columns(panels: &[Prepared]) -> Vec<Vec<usize>> {
    let of_kind = |over_time: bool| -> Vec<usize> {
        let numbered = panels.iter().enumerate();
        numbered
            .filter(|(_, p)| p.panel.is_over_time() == over_time)
            .map(|(k, _)| k)
            .collect()
    };
    let (left, paths) = (of_kind(true), of_kind(false));
    if panels.len() <= 1 || (paths.is_empty() && left.len() <= 4) {
        return vec![[left, paths].concat()];
    }
    if left.is_empty() {
        let every_second = |from: usize| paths.iter().copied().skip(from).step_by(2).collect();
        return vec![every_second(0), every_second(1)];
    }
    balanced(panels, left, paths)
}

/// Moves panels from the foot of the taller column to that of the other while this helps.
fn balanced(panels: &[Prepared], mut left: Vec<usize>, mut right: Vec<usize>) -> Vec<Vec<usize>> {
    let height = |column: &[usize]| column_height(panels, column, NARROW, 0.0);
    // Functions of time that move keep their order below the paths.
    let first = right.len();
    loop {
        let before = height(&left).max(height(&right));
        let (mut less, mut more) = (left.clone(), right.clone());
        if height(&left) > height(&right) {
            let place = first.min(more.len());
            less.pop()
                .into_iter()
                .for_each(|panel| more.insert(place, panel));
        } else {
            more.pop().into_iter().for_each(|panel| less.push(panel));
        }
        if less.is_empty() || height(&less).max(height(&more)) >= before {
            return vec![left, right];
        }
        (left, right) = (less, more);
    }
}

/// The horizontal axis is labelled below the last of several panels that share it.
fn is_labelled(panels: &[Prepared], column: &[usize], row: usize) -> bool {
    let over_time = |row: usize| {
        let panel = column.get(row).and_then(|k| panels.get(*k));
        panel.is_some_and(|p| p.panel.is_over_time())
    };
    !(over_time(row) && over_time(row + 1))
}

/// The width and height between the axes of a panel.
fn body(prepared: &Prepared, width: f64, stretch: f64) -> (f64, f64) {
    match prepared.panel.is_over_time() {
        true => (width, OVER_TIME + stretch),
        false => prepared.path_size(width, PATH),
    }
}

fn foot(labelled: bool) -> f64 {
    if labelled { FOOT } else { 0.0 }
}

fn column_height(panels: &[Prepared], column: &[usize], width: f64, stretch: f64) -> f64 {
    let one = |(row, panel): (usize, &usize)| {
        panels.get(*panel).map_or(0.0, |prepared| {
            let foot = foot(is_labelled(panels, column, row));
            let (fitting, height) = body(prepared, width, stretch);
            prepared.head(fitting) + height + foot + BETWEEN_PANELS
        })
    };
    column.iter().enumerate().map(one).sum()
}

/// How much higher each panel over time becomes, so that a column gains `more`.
fn stretch(panels: &[Prepared], column: &[usize], more: f64) -> f64 {
    let over_time = |k: &&usize| panels.get(**k).is_some_and(|p| p.panel.is_over_time());
    match column.iter().filter(over_time).count() {
        0 => 0.0,
        count => (more / count as f64).clamp(0.0, TALLEST - OVER_TIME),
    }
}

/// The room for labels, so that the axes of a column line up.
fn column_margin(panels: &[Prepared], column: &[usize], stretch: f64) -> f64 {
    let widths = column.iter().filter_map(|k| panels.get(*k));
    let widest = widths
        .map(|prepared| prepared.label_width(body(prepared, NARROW, stretch).1))
        .fold(0.0, f64::max);
    widest + 12.0 + LABEL + 10.0
}
