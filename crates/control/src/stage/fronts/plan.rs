//! The order of the unknowns of a front, and where its derivatives stand in it.

use super::super::problem::StageProblem;
use super::{Place, Shape};

/// Unknowns in order: y, then free conditions, other variables that are eliminated here, and those that stay: the
/// variables of the block that an earlier piece reaches, and the shared ones. What waits from later fronts follows.
pub(super) struct Plan {
    /// The conditions with their pairs: piece of the front, and row of the piece.
    pub paired: Vec<(usize, usize)>,
    /// y.
    pub determined: Vec<Place>,
    /// The conditions without.
    pub free: Vec<(usize, usize)>,
    /// The variables of w: those that are eliminated here, then those that stay.
    pub others: Vec<Place>,
    /// How many of these are eliminated here.
    pub eliminated: usize,
    /// Per piece and entry of its Jacobian: where it is added.
    pub jacobian: Vec<Vec<Entry>>,
    /// Per piece and entry of its Hessian: the unknowns that meet, and whether they are two of the piece.
    pub hessian: Vec<Vec<(u16, u16, bool)>>,
    /// The places of the variables of the next block, and of the shared ones, which is where the later front adds to.
    pub behind: Vec<u16>,
}

/// Where an entry of a Jacobian is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The objective has no row.
    Nowhere,
    /// In a row of [A B].
    Paired(u16, u16),
    /// Between a condition and a variable among the unknowns.
    Free(u16, u16),
}

impl Plan {
    /// With pairs of a condition (in the order of the pieces) and a candidate.
    pub fn new(problem: &StageProblem, shape: &Shape, pairs: &[(usize, usize)]) -> Self {
        let candidates = shape.candidates();
        let rows = shape.rows(problem);
        let determined: Vec<Place> = pairs.iter().map(|p| candidates[p.1]).collect();
        let is_free = |i: usize| pairs.iter().all(|p| p.0 != i);
        let free: Vec<(usize, usize)> = (0..rows.len())
            .filter(|&i| is_free(i))
            .map(|i| rows[i])
            .collect();
        let own = candidates.iter().filter(|c| !determined.contains(c));
        let mut others: Vec<Place> = own.copied().collect();
        let eliminated = others.len();
        others.extend(shape.here.iter().map(|&i| Place::Here(i)));
        others.extend((0..problem.shared).map(Place::Shared));
        let mut plan = Self {
            paired: pairs.iter().map(|p| rows[p.0]).collect(),
            determined,
            free,
            others,
            eliminated,
            jacobian: Vec::new(),
            hessian: Vec::new(),
            behind: Vec::new(),
        };
        let next = shape.next.iter().map(|&i| Place::Next(i));
        let behind = next.chain((0..problem.shared).map(Place::Shared));
        plan.behind = behind.map(|p| plan.slot(p)).collect();
        for (number, (term, places)) in shape.pieces.iter().enumerate() {
            let term = &problem.terms[*term];
            let slots: Vec<u16> = places.iter().map(|&p| plan.slot(p)).collect();
            let jacobian = term.jacobian().iter();
            let entries = jacobian.map(|(i, j)| plan.entry(number, i, slots[j]));
            plan.jacobian.push(entries.collect());
            let hessian = term.hessian().iter();
            let places = hessian.map(|(i, j)| (slots[i], slots[j], i != j));
            plan.hessian.push(places.collect());
        }
        plan
    }

    /// Among all unknowns.
    fn slot(&self, place: Place) -> u16 {
        let found = self.determined.iter().position(|p| *p == place);
        let found = found.or_else(|| {
            let other = self.others.iter().position(|p| *p == place);
            other.map(|i| self.determined.len() + self.free.len() + i)
        });
        debug_assert!(found.is_some(), "{place:?} is in no front");
        found.unwrap_or(0) as u16
    }

    fn entry(&self, piece: usize, row: usize, slot: u16) -> Entry {
        let Some(row) = row.checked_sub(1) else {
            return Entry::Nowhere;
        };
        let (y, free) = (self.determined.len(), self.free.len());
        if let Some(i) = self.paired.iter().position(|r| *r == (piece, row)) {
            let column = match usize::from(slot) {
                slot if slot < y => slot,
                slot => slot - free,
            };
            return Entry::Paired(i as u16, column as u16);
        }
        let found = self.free.iter().position(|r| *r == (piece, row));
        Entry::Free((y + found.unwrap_or(0)) as u16, slot)
    }

    /// How many unknowns of w there are, beside those that wait.
    pub fn width(&self) -> usize {
        self.free.len() + self.others.len()
    }
}

impl Shape {
    /// The variables that may be determined here: those of the next block, then those that no earlier piece reaches.
    pub fn candidates(&self) -> Vec<Place> {
        let next = self.next.iter().map(|&i| Place::Next(i));
        next.chain(self.own.iter().map(|&i| Place::Here(i)))
            .collect()
    }

    /// The conditions: piece, and row of the piece.
    pub fn rows(&self, problem: &StageProblem) -> Vec<(usize, usize)> {
        let pieces = self.pieces.iter().enumerate();
        pieces
            .flat_map(|(number, (term, _))| {
                (0..problem.terms[*term].constraints()).map(move |row| (number, row))
            })
            .collect()
    }
}
