//! Tasks cut into steps, steps brought together in batches, and batches in parts of moderate length.

use std::ops::Range;

use super::sums::{REGISTERS, registers};
use crate::taylor::layout::{Layout, Width};
use crate::taylor::tasks::{Task, Work};

/// About so many instructions make a part.
pub(super) const LONGEST: usize = 600;

/// How much of a task is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// All of it.
    Whole,
    /// What these packs of rows of a linear system are to be equal to.
    Rest(Range<usize>),
    /// These packs of unknowns of a linear system.
    Solution(Range<usize>),
}

impl Stage {
    /// Does a task begin with it?
    pub(super) fn begins(&self) -> bool {
        match self {
            Stage::Whole => true,
            Stage::Rest(rows) => rows.start == 0,
            Stage::Solution(_) => false,
        }
    }
}

/// A task, or a part of it.
#[derive(Clone)]
pub(super) struct Step<'t> {
    pub(super) task: &'t Task,
    pub(super) stage: Stage,
}

/// Steps whose sums over earlier orders go side by side.
pub(super) type Batch<'t> = Vec<Step<'t>>;

impl Step<'_> {
    /// How many registers its sums take.
    fn registers(&self) -> usize {
        match (&self.task.work, &self.stage) {
            (Work::Linear(_), _) | (_, Stage::Solution(_)) => 0,
            (Work::Group(group), _) => group.results.len() * registers(group.width),
            (Work::Block(block), Stage::Rest(rows)) => rows.len() * registers(block.width),
            (Work::Block(block), Stage::Whole) => block.unknowns.len() * registers(block.width),
        }
    }

    /// About how many instructions it takes.
    fn length(&self, width: Width) -> usize {
        match (&self.task.work, &self.stage) {
            (Work::Linear(_), _) => 4 * registers(width),
            (Work::Group(group), _) => 12 * registers(group.width) * group.results.len(),
            (Work::Block(block), Stage::Whole) => {
                4 * row(block.width, block.size) * block.unknowns.len()
            }
            (Work::Block(block), Stage::Rest(rows)) => {
                3 * row(block.width, block.size) * rows.len()
            }
            (Work::Block(block), Stage::Solution(rows)) => {
                2 * row(block.width, block.size) * (rows.len() + 1)
            }
        }
    }
}

/// The products of a row.
fn row(width: Width, size: usize) -> usize {
    registers(width) * size
}

/// Cuts large systems by their rows.
fn steps<'t>(tasks: &'t [Task], width: Width) -> Vec<Step<'t>> {
    let mut steps = Vec::new();
    for task in tasks {
        let step = |stage| Step { task, stage };
        let whole = step(Stage::Whole);
        match &task.work {
            Work::Block(block) if whole.length(width) > LONGEST => {
                let rows = block.unknowns.len();
                let at_once = (LONGEST / (4 * row(block.width, block.size))).max(1);
                let pieces = || {
                    (0..rows)
                        .step_by(at_once)
                        .map(|i| i..(i + at_once).min(rows))
                };
                steps.extend(pieces().map(|rows| step(Stage::Rest(rows))));
                steps.extend(pieces().map(|rows| step(Stage::Solution(rows))));
            }
            _ => steps.push(whole),
        }
    }
    steps
}

/// Cuts the work of one order into parts.
pub(super) fn parts<'t>(layout: &Layout, tasks: &'t [Task]) -> Vec<Vec<Batch<'t>>> {
    let mut parts: Vec<Vec<Batch>> = Vec::new();
    let (mut part, mut batch): (Vec<Batch>, Batch) = (Vec::new(), Vec::new());
    let (mut sums, mut length) = (0, 0);
    for step in steps(tasks, layout.width) {
        let (more_sums, longer) = (step.registers(), step.length(layout.width));
        let is_full = length > 0 && length + longer > LONGEST;
        if is_full || (sums > 0 && sums + more_sums > REGISTERS) {
            part.push(std::mem::take(&mut batch));
            sums = 0;
        }
        if is_full {
            parts.push(std::mem::take(&mut part));
            length = 0;
        }
        sums += more_sums;
        length += longer;
        batch.push(step);
    }
    part.push(batch);
    parts.push(part);
    parts
}
