//! In which order recurrences are worked out, and which of them together.

use rattleback_compile::taylor::{Degree, Rule, Series, TaylorPlan};

/// What recurrences that are worked out together have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// [`Rule::Mul`]
    Product,
    /// [`Rule::Square`]
    Square,
    /// [`Rule::Div`]
    Quotient,
    /// [`Rule::Sqrt`]
    Root,
    /// [`Rule::Growth`]
    Growth,
    /// [`Rule::Sine`] with its [`Rule::Cosine`]
    Turn,
    /// The same, hyperbolic.
    HyperbolicTurn,
}

impl Kind {
    const COUNT: usize = Kind::HyperbolicTurn as usize + 1;
}

/// A part of the work of one order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// One coefficient that takes no sum.
    Linear(Series),
    /// Sums of one kind, at most as many as there are lanes. A turn is named by its sine.
    Group(Kind, Vec<Series>),
    /// A linear system.
    Block(u32),
}

/// How a rule is worked out.
fn kind(plan: &TaylorPlan, series: Series) -> Option<Kind> {
    let constant = |a: Series| plan.degrees()[a as usize] == Degree::CONSTANT;
    match plan.rules()[series as usize] {
        Rule::Mul(a, b) if !constant(a) && !constant(b) => Some(Kind::Product),
        Rule::Square(a) if !constant(a) => Some(Kind::Square),
        Rule::Div(_, b) if !constant(b) => Some(Kind::Quotient),
        Rule::Sqrt(_) => Some(Kind::Root),
        Rule::Growth { .. } => Some(Kind::Growth),
        Rule::Sine { hyperbolic, .. } | Rule::Cosine { hyperbolic, .. } => Some(if hyperbolic {
            Kind::HyperbolicTurn
        } else {
            Kind::Turn
        }),
        _ => None,
    }
}

/// The work of one order, with at most `width` sums in a group.
pub(super) fn schedule(plan: &TaylorPlan, width: usize) -> Vec<Item> {
    let mut scheduler = Scheduler::new(plan, width);
    scheduler.run();
    scheduler.items
}

/// List scheduling: full groups first, then what most other work waits for.
struct Scheduler<'p> {
    plan: &'p TaylorPlan,
    width: usize,
    /// The unit that a series is worked out with, named by its first series.
    unit: Vec<Series>,
    /// How many operands of a unit are still missing.
    missing: Vec<u32>,
    users: Vec<Vec<Series>>,
    /// The longest chain of sums that waits for a unit.
    height: Vec<u32>,
    simple: Vec<Series>,
    sums: Vec<(Kind, Series)>,
    items: Vec<Item>,
}

impl<'p> Scheduler<'p> {
    fn new(plan: &'p TaylorPlan, width: usize) -> Scheduler<'p> {
        let count = plan.rules().len();
        let unit: Vec<Series> = (0..count as Series)
            .map(|series| match plan.rules()[series as usize] {
                Rule::Cosine { sine, .. } => sine,
                Rule::Solution { block, .. } => plan.blocks()[block as usize].solution[0],
                _ => series,
            })
            .collect();
        let mut scheduler = Scheduler {
            plan,
            width,
            unit,
            missing: vec![0; count],
            users: vec![Vec::new(); count],
            height: vec![0; count],
            simple: Vec::new(),
            sums: Vec::new(),
            items: Vec::new(),
        };
        scheduler.connect();
        scheduler
    }

    fn is_given(&self, series: Series) -> bool {
        let rule = self.plan.rules()[series as usize];
        self.plan.is_fixed(series) || matches!(rule, Rule::Time | Rule::State(_))
    }

    fn connect(&mut self) {
        let plan = self.plan;
        for series in 0..plan.rules().len() as Series {
            if self.is_given(series) || self.unit[series as usize] != series {
                continue;
            }
            let mut operands = Vec::new();
            plan.operands(plan.rules()[series as usize], |a| operands.push(a));
            let mut operands: Vec<Series> = operands
                .into_iter()
                .filter(|&a| !self.is_given(a))
                .map(|a| self.unit[a as usize])
                .collect();
            operands.sort_unstable();
            operands.dedup();
            self.missing[series as usize] = operands.len() as u32;
            if operands.is_empty() {
                self.make_ready(series);
            }
            for a in operands {
                self.users[a as usize].push(series);
            }
        }
        for series in (0..plan.rules().len()).rev() {
            let users = self.users[series].iter();
            let above = users.map(|&user| self.height[user as usize]).max();
            let own = u32::from(kind(plan, series as Series).is_some());
            self.height[series] = above.unwrap_or(0) + own;
        }
    }

    fn make_ready(&mut self, series: Series) {
        match kind(self.plan, series) {
            Some(kind) => self.sums.push((kind, series)),
            None => self.simple.push(series),
        }
    }

    fn finish(&mut self, series: Series) {
        for user in std::mem::take(&mut self.users[series as usize]) {
            self.missing[user as usize] -= 1;
            if self.missing[user as usize] == 0 {
                self.make_ready(user);
            }
        }
    }

    fn run(&mut self) {
        loop {
            if let Some(series) = self.simple.pop() {
                self.items.push(match self.plan.rules()[series as usize] {
                    Rule::Solution { block, .. } => Item::Block(block),
                    _ => Item::Linear(series),
                });
                self.finish(series);
            } else if !self.sums.is_empty() {
                let group = self.next_group();
                for &series in &group.1 {
                    self.finish(series);
                }
                self.items.push(Item::Group(group.0, group.1));
            } else {
                return;
            }
        }
    }

    fn next_group(&mut self) -> (Kind, Vec<Series>) {
        let mut ready = [0usize; Kind::COUNT];
        self.sums.iter().for_each(|s| ready[s.0 as usize] += 1);
        let rank = |&(kind, series): &(Kind, Series)| {
            let is_full = ready[kind as usize] >= self.width;
            (is_full, self.height[series as usize])
        };
        let best = self.sums.iter().copied().max_by_key(rank);
        let kind = best.map_or(Kind::Product, |(kind, _)| kind);
        let mut ready: Vec<Series> = self
            .sums
            .iter()
            .filter(|s| s.0 == kind)
            .map(|s| s.1)
            .collect();
        // What others wait for first; among equals neighbours in the program, which share operands.
        ready.sort_by_key(|&s| (std::cmp::Reverse(self.height[s as usize]), s));
        ready.truncate(self.width);
        ready.sort_unstable();
        self.sums.retain(|s| !(s.0 == kind && ready.contains(&s.1)));
        (kind, ready)
    }
}
