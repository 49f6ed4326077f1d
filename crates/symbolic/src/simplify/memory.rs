//! Short forms that were found before: topics of one page, and branches of one search, ask for most of theirs again.

use super::Simplifier;
use crate::hash::Map;
use crate::work::{cancelled, count_work, work_done};
use crate::{Expr, Symbol};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was to be shortened, and how.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    of: Expr,
    collect: Vec<Symbol>,
    budget: usize,
    max_nodes: usize,
    binomials: bool,
}

/// A short form and the work that it took.
struct Answer {
    short: Expr,
    work: u64,
}

/// Answers that are kept before all are forgotten.
const MEMORY: usize = 50_000;

static KNOWN: Mutex<Option<Map<Question, Answer>>> = Mutex::new(None);

/// Answers are written whole, so that a panic elsewhere leaves none half done.
fn known() -> MutexGuard<'static, Option<Map<Question, Answer>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The short form of `e`, found by `search` or remembered. Remembering counts as the work that finding took: whoever
/// comes first must not make it cheaper for the others, or the order in which threads run would decide.
pub(super) fn recalled(e: &Expr, how: &Simplifier, search: impl FnOnce() -> Expr) -> Expr {
    let question = Question {
        of: e.clone(),
        collect: how.collect.clone(),
        budget: how.budget,
        max_nodes: how.max_nodes,
        binomials: how.binomials,
    };
    let remembered = known()
        .as_ref()
        .and_then(|all| all.get(&question))
        .map(|a| (a.short.clone(), a.work));
    if let Some((short, work)) = remembered {
        count_work(work);
        return short;
    }
    let before = work_done();
    let short = search();
    let work = work_done() - before;
    // What was cut short is no answer.
    if !cancelled() {
        let mut known = known();
        let all = known.get_or_insert_default();
        if all.len() >= MEMORY {
            all.clear();
        }
        let answer = Answer {
            short: short.clone(),
            work,
        };
        all.insert(question, answer);
    }
    short
}
