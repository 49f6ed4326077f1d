//! The ends of many motions, as they come in.

use super::{Ensemble, Finished, Status};

/// One motion of many.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its number.
    pub number: usize,
    /// The values that it was given, in the order of [`Gathered::given`].
    pub given: Vec<f64>,
    /// How it ended.
    pub status: Status,
    /// Time, state and recorded quantities at its end, in the order of [`Gathered::names`].
    pub end: Vec<f64>,
}

impl Member {
    fn of(finished: &Finished<'_>) -> Self {
        Self {
            number: finished.member,
            given: finished.given.to_vec(),
            status: finished.status,
            end: finished.row.to_vec(),
        }
    }
}

/// The ends of many motions.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The names of what differs.
    pub given: Vec<String>,
    /// The names of what is known at the end: `t`, the state, recorded quantities.
    pub names: Vec<String>,
    /// The members that came to an end, in their order.
    pub members: Vec<Member>,
    /// How many were asked for.
    pub asked: usize,
}

impl Gathered {
    /// Those of an ensemble, before any of them has come.
    pub fn of(ensemble: &Ensemble) -> Self {
        let state = ensemble.motion.state.iter().map(ToString::to_string);
        let records = ensemble.motion.records.iter().map(|r| r.name.clone());
        let time = std::iter::once("t".to_owned());
        Self {
            given: ensemble.members.names(),
            names: time.chain(state).chain(records).collect(),
            members: Vec::new(),
            asked: ensemble.members.count(),
        }
    }

    /// Takes one more.
    pub fn push(&mut self, finished: &Finished<'_>) {
        self.members.push(Member::of(finished));
    }

    /// What the members have at their end, or were given, by name.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = f64> + '_> {
        let end = self.names.iter().position(|n| n == name);
        let given = self.given.iter().position(|n| n == name);
        let value = move |m: &Member| match (end, given) {
            (Some(k), _) => m.end.get(k).copied(),
            (None, Some(k)) => m.given.get(k).copied(),
            (None, None) => None,
        };
        (end.is_some() || given.is_some()).then(|| {
            self.members
                .iter()
                .map(move |m| value(m).unwrap_or(f64::NAN))
        })
    }
}
