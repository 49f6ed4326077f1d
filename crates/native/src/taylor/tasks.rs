//! The work of one order as both code generators see it: items with their memory.

use rattleback_compile::taylor::{Rule, Series, Start, TaylorPlan};

use super::blocks::BlockPlan;
use super::groups::GroupPlan;
use super::layout::{LANES, Layout, Pack, Width};
use super::schedule::{Item, schedule};
use super::steep::Steep;

/// The least number of sums that are worked out side by side.
const SMALLEST_GROUP: usize = 3;

/// An item with its memory.
pub(super) enum Work {
    Linear(Series),
    Group(GroupPlan),
    Block(BlockPlan),
}

/// An item, and the packs that are first used by it.
pub(super) struct Task {
    pub(super) work: Work,
    pub(super) gathers: Vec<Pack>,
}

/// The initial values that calls work out.
pub(super) fn starts(plan: &TaylorPlan) -> Vec<Start> {
    let rules = plan.rules().iter();
    rules
        .filter_map(|&rule| match rule {
            Rule::Integral { start, .. } | Rule::Growth { start, .. } => Some(start),
            _ => None,
        })
        .collect()
}

/// The series of each state component that is used.
pub(super) fn state_series(plan: &TaylorPlan) -> Vec<Option<Series>> {
    let mut states = vec![None; plan.dimension()];
    for (series, rule) in plan.rules().iter().enumerate() {
        if let Rule::State(i) = rule {
            states[*i as usize] = Some(series as Series);
        }
    }
    states
}

impl Layout<'_> {
    /// The work of one order, with memory for all that it needs.
    pub(super) fn tasks(&mut self) -> Vec<Task> {
        let items = match self.width {
            Width::One => split_small_groups(schedule(self.plan, LANES)),
            Width::Four => schedule(self.plan, 1),
        };
        // Results first: what is worked out together need not be brought together.
        let results: Vec<Vec<Pack>> = items.iter().map(|item| self.results(item)).collect();
        let mut seen = self.packs.len();
        let mut gathered = Vec::new();
        let mut tasks: Vec<Task> = Vec::new();
        for (item, results) in items.iter().zip(results) {
            let work = match item {
                Item::Linear(series) => Work::Linear(*series),
                Item::Group(kind, members) => {
                    Work::Group(GroupPlan::new(self, *kind, members, &results))
                }
                Item::Block(block) => Work::Block(BlockPlan::new(self, *block, results)),
            };
            let new = (seen..self.packs.len()).filter(|&pack| !self.packs[pack].sources.is_empty());
            let gathers: Vec<Pack> = new.collect();
            seen = self.packs.len();
            gathered.extend_from_slice(&gathers);
            tasks.push(Task { work, gathers });
        }
        self.settle_all(&tasks, &gathered);
        self.steep = Steep::of(self);
        tasks
    }

    fn results(&mut self, item: &Item) -> Vec<Pack> {
        let plan = self.plan;
        match item {
            Item::Linear(_) => Vec::new(),
            Item::Group(_, members) => {
                let width = self.group_width(members.len());
                let mut packs = vec![self.result(members, width)];
                let cosines: Vec<Series> = members
                    .iter()
                    .filter_map(|&s| match plan.rules()[s as usize] {
                        Rule::Sine { cosine, .. } => Some(cosine),
                        _ => None,
                    })
                    .collect();
                if !cosines.is_empty() {
                    packs.push(self.result(&cosines, width));
                }
                packs
            }
            Item::Block(block) => {
                let unknowns = &plan.blocks()[*block as usize].solution;
                let rows = self.rows_at_once(unknowns.len());
                let width = self.group_width(rows);
                let packs = unknowns.chunks(rows);
                packs.map(|rows| self.result(rows, width)).collect()
            }
        }
    }

    /// Gives a place to every series that is asked for by itself, from the results back.
    fn settle_all(&mut self, tasks: &[Task], gathered: &[Pack]) {
        let plan = self.plan;
        for &rate in plan.rates() {
            self.settle(rate);
        }
        for guard in plan.guards() {
            self.settle(guard.value);
            self.settle(guard.scale);
        }
        for &pack in gathered {
            for source in self.packs[pack].sources.clone() {
                self.settle(source);
            }
        }
        for task in tasks.iter().rev() {
            match &task.work {
                Work::Linear(series) if !self.is_settled(*series) => {}
                Work::Linear(series) => {
                    let rule = plan.rules()[*series as usize];
                    let mut operands = Vec::new();
                    match self.fused(rule) {
                        Some((rest, f, x)) => operands.extend([rest, f, x]),
                        None => plan.operands(rule, |a| operands.push(a)),
                    }
                    operands.into_iter().for_each(|a| self.settle(a));
                }
                Work::Group(group) => {
                    for &series in &group.plain {
                        self.settle(series);
                    }
                }
                Work::Block(block) => {
                    let block = &plan.blocks()[block.block as usize];
                    for &series in block.matrix.iter().chain(&block.rhs) {
                        self.settle(series);
                    }
                }
            }
        }
    }
}

/// Few sums are quicker one by one: bringing operands together takes longer than the sums.
fn split_small_groups(items: Vec<Item>) -> Vec<Item> {
    let split = |item: Item| match item {
        Item::Group(kind, members) if members.len() < SMALLEST_GROUP => members
            .into_iter()
            .map(|series| Item::Group(kind, vec![series]))
            .collect(),
        other => vec![other],
    };
    items.into_iter().flat_map(split).collect()
}
