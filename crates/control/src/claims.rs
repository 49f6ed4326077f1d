//! What a linear system tells: is it controllable, stabilisable, observable?

use crate::constancy::Change;
use crate::exact_reach::{ExactReach, Reached};
use rattleback_mechanics::LinearSystem;
use rattleback_numeric::{Dense, Reachable, SchurError};
use rattleback_symbolic::Expr;
use std::fmt::Display;

/// A statement about a linear system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Does it hold? None where rounding hides it.
    pub holds: Option<bool>,
    /// Why.
    pub why: String,
    /// Does it rest on exact numbers?
    pub exact: bool,
}

/// The three statements.
#[derive(Clone, Debug)]
pub struct Claims {
    /// Can every state be reached?
    pub controllable: Claim,
    /// Can every mode that does not die out be moved?
    pub stabilisable: Claim,
    /// Do the outputs see every state?
    pub observable: Claim,
}

impl Claims {
    /// Those of a system in numbers that are known to roundings of these sizes, judged exactly where its entries are known to
    /// be exact numbers.
    pub(crate) fn of(
        numbers: &LinearSystem<f64>,
        sizes: &LinearSystem<f64>,
        exact: Option<&LinearSystem<Expr>>,
    ) -> Result<Self, SchurError> {
        let n = numbers.state.len();
        let by_controls = Judged::of(
            (&dense(&numbers.a, n), &dense(&sizes.a, n)),
            (&numbers.b, &sizes.b),
            exact.map(|s| (s.a.clone(), s.b.clone())),
        )?;
        let by_outputs = Judged::of(
            (
                &dense(&numbers.a, n).transposed(),
                &dense(&sizes.a, n).transposed(),
            ),
            (&transposed(&numbers.c, n), &transposed(&sizes.c, n)),
            exact.map(|s| (transposed(&s.a, n), transposed(&s.c, n))),
        )?;
        Ok(Self {
            controllable: by_controls.reached("[B, AB, A²B, …]"),
            stabilisable: by_controls.stabilisable(),
            observable: by_outputs.reached("[C; CA; CA²; …]"),
        })
    }
}

impl Claims {
    /// Why it is not known whether the state can be held, where it is not.
    pub(crate) fn unsure(&self) -> Option<String> {
        let claim = &self.stabilisable;
        claim.holds.is_none().then(|| claim.why.clone())
    }

    /// The claims that are about constant systems; the others are open. About a state that moves they are those of the pair
    /// of matrices there, and say so.
    pub(crate) fn where_constant(mut self, at_rest: bool, changes: &[Change]) -> Self {
        if !at_rest {
            let all = [
                &mut self.controllable,
                &mut self.stabilisable,
                &mut self.observable,
            ];
            for claim in all {
                claim.why = format!(
                    "for the matrices of this moment, not for the motion: {}",
                    claim.why
                );
            }
        }
        let open = |claim: &mut Claim, change: Option<&Change>| {
            if let Some(change) = change {
                claim.holds = None;
                claim.why = change.to_string();
            }
        };
        let of_plant = changes.iter().find(|c| c.is_of_plant());
        let of_outputs = changes.iter().find(|c| c.is_of_outputs());
        open(&mut self.controllable, of_plant);
        open(&mut self.stabilisable, of_plant);
        open(&mut self.observable, of_outputs);
        self
    }
}

/// Rows as a matrix.
pub(crate) fn dense(rows: &[Vec<f64>], columns: usize) -> Dense {
    Dense::new(rows.len(), columns, |i, j| rows[i][j])
}

fn transposed<T: Clone>(rows: &[Vec<T>], columns: usize) -> Vec<Vec<T>> {
    (0..columns)
        .map(|j| rows.iter().map(|row| row[j].clone()).collect())
        .collect()
}

/// A matrix of exact entries by rows.
type Rows = Vec<Vec<Expr>>;

/// What is known of span{B, AB, A²B, …}.
struct Judged {
    reach: Reachable,
    exact: Option<ExactReach>,
    n: usize,
}

impl Judged {
    fn of(
        (a, a_from): (&Dense, &Dense),
        (b, b_from): (&[Vec<f64>], &[Vec<f64>]),
        exact: Option<(Rows, Rows)>,
    ) -> Result<Self, SchurError> {
        let columns = b.first().map_or(0, Vec::len);
        let (b, b_from) = (dense(b, columns), dense(b_from, columns));
        Ok(Self {
            reach: Reachable::among(a, &b, a_from, &b_from)?,
            exact: exact.and_then(|(a, b)| ExactReach::of(&a, &b)),
            n: a.rows(),
        })
    }

    /// The rank, and whether it is certain.
    fn rank(&self) -> (usize, bool) {
        let seen = self.reach.rank();
        match &self.exact {
            Some(ExactReach::Numbers(reached)) => (reached.rank(), true),
            Some(ExactReach::AtMost(most)) if *most == seen => (seen, self.reach.is_reached()),
            _ if seen == self.n => (seen, self.reach.is_reached()),
            _ => (seen, self.reach.is_clear()),
        }
    }

    /// Is the span everything?
    fn reached(&self, matrix: &str) -> Claim {
        let ((rank, is_certain), n) = (self.rank(), self.n);
        let exact = self.numbers().is_some();
        let how = match (exact, is_certain) {
            (true, _) => "",
            (false, true) => " in floating point",
            (false, false) => " in floating point, but for what may be rounding",
        };
        Claim {
            holds: is_certain.then_some(rank == n),
            why: format!("{matrix} has rank {rank} of {n}{how}"),
            exact,
        }
    }

    /// What is known of exact numbers.
    fn numbers(&self) -> Option<&Reached> {
        match &self.exact {
            Some(ExactReach::Numbers(reached)) => Some(reached),
            _ => None,
        }
    }

    /// Does every mode die out that is not moved? Whether it is moved does not matter then.
    fn stabilisable(&self) -> Claim {
        let (rank, is_certain) = self.rank();
        let known = |holds: bool, why: String, exact: bool| Claim {
            holds: Some(holds),
            why,
            exact,
        };
        if rank == self.n && is_certain {
            let why = "controls move every mode".to_owned();
            return known(true, why, self.numbers().is_some());
        }
        let dies_out = "every mode that no control moves dies out".to_owned();
        let goes_on = |mode: &dyn Display| {
            format!("no control moves the mode {mode}, which does not die out by itself")
        };
        let worst = self.reach.unstable_mode();
        match self
            .numbers()
            .map(|reached| (reached.leaves_zero(), reached))
        {
            Some((true, _)) => return known(false, goes_on(&0), true),
            Some((false, reached)) => match (reached.dies_out(), worst) {
                (Some(true), _) => return known(true, dies_out, true),
                (Some(false), Some(mode)) => return known(false, goes_on(&mode), true),
                (Some(false), None) => {
                    let why = "a mode that no control moves does not die out by itself";
                    return known(false, why.to_owned(), true);
                }
                (None, _) => {}
            },
            None => {}
        }
        let reach = &self.reach;
        let same = rank == reach.rank();
        let holds = match reach.dies_out() {
            Some(true) if reach.is_reached() && same => Some(true),
            Some(false) if is_certain && same => Some(false),
            _ => None,
        };
        let why = match (worst, holds) {
            (None, Some(_)) => dies_out,
            (None, None) => {
                "which modes controls move is lost in rounding, and so is whether the others die out"
                    .to_owned()
            }
            (Some(mode), Some(_)) => goes_on(&mode),
            (Some(mode), None) => format!(
                "whether a control moves the mode {mode}, or it dies out by itself, is lost in rounding"
            ),
        };
        Claim {
            holds,
            why,
            exact: false,
        }
    }
}
