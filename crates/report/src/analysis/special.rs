//! Special values of parameters behind a verdict that is another one at the values given.

use super::page::Topic;
use crate::document::{Item, Special, Value, verdict};
use crate::mechanics::{Parameter, Problem};
use crate::symbolic::{Expr, Symbol};
use crate::theory::Case;

/// A parameter that may be special: what vanishes, and what takes its place then.
pub struct Candidate {
    /// What vanishes.
    pub condition: Expr,
    /// The parameters and what they become.
    pub fixed: Vec<(Symbol, Expr)>,
}

/// Candidates that are tried.
const MOST: usize = 8;

/// Parameters that are zero for the values given, pairs that are equal, and all zeros together.
pub fn candidates(problem: &Problem) -> Vec<Candidate> {
    let own = |p: &&Parameter| p.value.free_symbols().is_empty();
    let parameters: Vec<(Symbol, Expr)> = problem
        .parameters
        .iter()
        .filter(own)
        .map(|p| (p.symbol.clone(), problem.values.at(&Expr::from(&p.symbol))))
        .collect();
    let zero = parameters.iter().filter(|(_, v)| v.is_zero());
    let zero = zero.map(|(s, v)| Candidate {
        condition: Expr::from(s),
        fixed: vec![(s.clone(), v.clone())],
    });
    let pairs = parameters.iter().enumerate().flat_map(|(i, (p, v))| {
        let later = parameters.iter().skip(i + 1);
        later
            .filter(move |(_, w)| w == v && !v.is_zero())
            .map(move |(q, _)| Candidate {
                condition: Expr::from(p) - Expr::from(q),
                fixed: vec![(q.clone(), Expr::from(p))],
            })
    });
    let all_zero: Vec<(Symbol, Expr)> = parameters
        .iter()
        .filter(|(_, v)| v.is_zero())
        .cloned()
        .collect();
    let together = (all_zero.len() > 1).then(|| Candidate {
        condition: Expr::sum(all_zero.iter().map(|(s, _)| Expr::from(s).powi(2))),
        fixed: all_zero.clone(),
    });
    zero.chain(pairs).take(MOST).chain(together).collect()
}

impl Topic {
    /// Is the answer for the values another one, decided, and no listed case says why?
    pub fn lacks_case(&self) -> bool {
        let Some(here) = &self.at_values else {
            return false;
        };
        let listed = self.items.iter().any(|i| match &i.value {
            Value::Cases(all) => all.iter().any(|s| s.here),
            _ => false,
        });
        let is_decided = here.topic.finding.answer.decided().is_some();
        !listed && is_decided && (here.overturns() || here.ranks_differ())
    }

    /// Adds the case, if the topic there says what it says for the values.
    pub fn explained_by(&mut self, candidate: &Candidate, there: &Topic) -> bool {
        let Some(here) = &self.at_values else {
            return false;
        };
        let said = verdict(&there.finding.answer);
        let same = verdict(&here.topic.finding.answer) == said
            && here.topic.finding.statement == there.finding.statement
            && ranks(&here.topic) == ranks(there);
        if !same {
            return false;
        }
        let mut then = format!("{}: {said}", there.finding.statement);
        for (key, counts) in ranks(there).iter().filter(|r| !ranks(self).contains(r)) {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            then += &format!(", {} ({})", key.replace('_', " "), counts.join(", "));
        }
        let special = Special {
            case: Case {
                condition: candidate.condition.clone(),
                then,
            },
            here: true,
        };
        let cases = self.items.iter_mut().find_map(|i| match &mut i.value {
            Value::Cases(all) => Some(all),
            _ => None,
        });
        match cases {
            Some(all) => all.push(special),
            None => {
                let cases = Value::Cases(vec![special]);
                self.items
                    .push(Item::new("cases", "special parameters", cases));
            }
        }
        true
    }
}

/// The ranks that a topic tells, by their keys; those at the start belong to a point.
fn ranks(topic: &Topic) -> Vec<(&'static str, Vec<usize>)> {
    let counts = topic.items.iter().filter_map(|i| match &i.value {
        Value::Counts(all) if i.key != "growth_at_start" => Some((i.key, all.clone())),
        _ => None,
    });
    counts.collect()
}
