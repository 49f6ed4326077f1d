//! The search through the ways in which constraints can hold: the first that ends in a stable set.

use super::chain::Step;
use super::impose::{How, Way, ways};
use super::problem::Problem;
use crate::exact::tidy;
use crate::finding::search::{self, Exhausted, Searched};
use crate::{Answer, Effort, Function, Gap, Named, Reason};
use rattleback_geometry::vanish_on;
use rattleback_symbolic::{Expr, LinearError, Symbol};

/// Steps after which a branch is left.
const MOST_STEPS: usize = 20;
/// Branches after which the search is left.
const MOST_BRANCHES: usize = 24;

/// A set on the way to the final one.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub(super) steps: Vec<Step>,
    pub(super) solved: Vec<(Symbol, Expr)>,
    pub(super) irregular: Vec<Expr>,
    pub(super) conditions: Vec<Expr>,
    pub(super) others: Vec<Expr>,
    /// The constraints of the step under way.
    fresh: Vec<Expr>,
    /// What has to vanish still, the next one last.
    pending: Vec<Expr>,
}

/// How a search ended.
pub(super) enum Outcome {
    /// Nothing new on this set.
    Stable(Branch),
    /// Every branch ended in a function without zeros; the first of them.
    Inconsistent {
        function: Expr,
        branch: Branch,
        searched: Exhausted,
    },
    /// Left before the end.
    Open {
        why: Reason,
        /// The equation that could not be solved, if that was the reason.
        unsolved: Option<Expr>,
        branch: Branch,
    },
}

/// How one branch ended.
enum End {
    Stable,
    Empty(Expr),
    Unsolved(Expr),
    Left(Reason),
}

/// The search, with the parameters at whose special values it would have gone another way.
pub(super) struct Search<'a> {
    problem: &'a Problem,
    free: Vec<Symbol>,
    stack: Vec<Branch>,
    visited: usize,
    pub(super) parameters: Vec<Expr>,
}

impl<'a> Search<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self {
            problem,
            free: problem.independent(),
            stack: vec![Branch::default()],
            visited: 0,
            parameters: Vec::new(),
        }
    }

    /// Follows branch after branch.
    pub(super) fn run(&mut self, effort: Effort) -> Outcome {
        let mut empty: Option<(Expr, Branch)> = None;
        let mut open: Option<(Reason, Option<Expr>, Branch)> = None;
        let mut search = search::Search::of(Searched::Branches, effort);
        while let Some(mut branch) = self.stack.pop() {
            self.visited += 1;
            let end = if self.visited > MOST_BRANCHES {
                End::Left(
                    Gap::NoEndAfterBranches
                        .with("branches", MOST_BRANCHES)
                        .into(),
                )
            } else if !search.goes_on() {
                End::Left(Reason::out_of_effort())
            } else {
                self.follow(&mut branch, effort)
                    .unwrap_or_else(|why| End::Left(Reason::failed(why)))
            };
            match end {
                End::Stable => return Outcome::Stable(branch),
                End::Empty(f) => empty = empty.or(Some((f, branch))),
                End::Unsolved(g) => {
                    let why = Gap::EquationNotSolved.with("equation", &g).into();
                    open = open.or(Some((why, Some(g), branch)));
                }
                End::Left(why) => {
                    return Outcome::Open {
                        why,
                        unsolved: None,
                        branch,
                    };
                }
            }
        }
        match (open, empty) {
            (Some((why, unsolved, branch)), _) => Outcome::Open {
                why,
                unsolved,
                branch,
            },
            (None, Some((function, branch))) => match search.finish() {
                Ok(searched) => Outcome::Inconsistent {
                    function,
                    branch,
                    searched,
                },
                Err(why) => Outcome::Open {
                    why: why.into(),
                    unsolved: None,
                    branch,
                },
            },
            (None, None) => Outcome::Stable(Branch::default()),
        }
    }

    fn follow(&mut self, branch: &mut Branch, effort: Effort) -> Result<End, LinearError> {
        loop {
            if effort.is_spent() {
                return Ok(End::Left(Reason::out_of_effort()));
            }
            if let Some(f) = branch.pending.pop() {
                if let Some(end) = self.impose(branch, &f) {
                    return Ok(end);
                }
                continue;
            }
            if !branch.fresh.is_empty() {
                let dimension = self.problem.dimension(&branch.solved);
                branch.steps.push(Step {
                    constraints: std::mem::take(&mut branch.fresh),
                    dimension,
                });
            }
            if branch.steps.len() >= MOST_STEPS {
                let gap = Gap::NoEndAfterSteps.with("steps", MOST_STEPS);
                return Ok(End::Left(gap.into()));
            }
            let mut conditions = Vec::new();
            let reduced = self.problem.on_set(&branch.solved).reduced();
            let all = reduced.consequences(&self.problem.on, &mut conditions)?;
            conditions.into_iter().for_each(|c| self.need(branch, c));
            let mut kept = Vec::new();
            for f in all {
                match self.vanishes(&f.substitute(&branch.solved)) {
                    Ok(true) => {}
                    Ok(false) => kept.push(f),
                    Err(why) => return Ok(End::Left(why)),
                }
            }
            let mut all = kept;
            if all.is_empty() {
                return Ok(End::Stable);
            }
            all.reverse();
            branch.pending = all;
        }
    }

    /// Does a function vanish? One of which it is not known may be neither dropped nor imposed.
    fn vanishes(&self, f: &Expr) -> Result<bool, Reason> {
        let f = std::slice::from_ref(f);
        match Answer::vanish(f, vanish_on(f, &self.problem.on), Function::Residual) {
            Answer::Proven(_) => Ok(true),
            Answer::Refuted(_) => Ok(false),
            Answer::Undecided(why) => Err(why),
        }
    }

    /// Takes f = 0 in, in the first way there is; the others wait. An end if there is none.
    fn impose(&mut self, branch: &mut Branch, f: &Expr) -> Option<End> {
        let f = tidy(&f.substitute(&branch.solved));
        match self.vanishes(&f) {
            Ok(true) => return None,
            Ok(false) => {}
            Err(why) => return Some(End::Left(why)),
        }
        let is_free = |q: &&Symbol| branch.solved.iter().all(|(w, _)| w != *q);
        let free: Vec<&Symbol> = self.free.iter().filter(is_free).collect();
        let base = self.problem.frame.base();
        let mut found = ways(&f, base, &free, &branch.conditions);
        self.parameters.append(&mut found.parameters);
        if found.all.is_empty() {
            return Some(End::Empty(f));
        }
        let first = found.all.remove(0);
        for way in found.all.into_iter().rev() {
            let mut other = branch.clone();
            self.take(&mut other, way);
            self.stack.push(other);
        }
        if let How::Unsolved(g) = first.how {
            return Some(End::Unsolved(g));
        }
        self.take(branch, first);
        None
    }

    fn take(&mut self, branch: &mut Branch, way: Way) {
        branch.others.extend(way.others);
        if let Some(slope) = way.slope {
            self.need(branch, slope);
        }
        match way.how {
            How::Solve(symbol, value) => {
                let function = Expr::from(&symbol) - &value;
                if way.irregular {
                    branch.irregular.push(function.clone());
                }
                let pair = [(symbol.clone(), value.clone())];
                for (_, e) in &mut branch.solved {
                    *e = tidy(&e.substitute(&pair));
                }
                branch.solved.push((symbol, value));
                branch.fresh.push(function);
            }
            How::Split(all) => branch.pending.extend(all.into_iter().rev()),
            How::Unsolved(g) => branch.pending.push(g),
        }
    }

    /// Something that must not vanish: a condition on the set, or on the parameters.
    fn need(&mut self, branch: &mut Branch, c: Expr) {
        let constant = c.is_constant();
        let list = match constant {
            true => &mut self.parameters,
            false => &mut branch.conditions,
        };
        if !list.contains(&c) {
            list.push(c);
        }
    }
}
