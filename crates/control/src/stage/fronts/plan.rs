//! The order of the unknowns of a front, and where its derivatives stand in it.

use super::super::problem::StageProblem;
use super::{Place, Shape};
use std::ops::Range;

/// Unknowns in order: y, then w: free conditions, other variables that are eliminated here, and those that stay, the
/// variables of the block that an earlier piece reaches and the shared ones. What waits from later fronts follows.
///
/// Entries in order, by rows: [A B], H_yy, H_yw, the lower triangle of H_ww in a square, and one that nobody reads.
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
    /// How many of those that stay an earlier piece reaches.
    pub here: usize,
    /// Per piece and entry of its Jacobian: where it is added.
    pub jacobian: Vec<Vec<[u32; 2]>>,
    /// Per piece and entry of its Hessian: where it is added.
    pub hessian: Vec<Vec<[u32; 2]>>,
    /// The places of the variables of the next block, and of the shared ones, which is where the later front adds to.
    pub behind: Vec<u16>,
    /// Where [A B], H_yy, H_yw and H_ww end.
    pub parts: [usize; 4],
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
        let (y, w) = (determined.len(), free.len() + others.len());
        let mut parts = [y * (y + others.len()), y * y, y * w, w * w];
        (1..parts.len()).for_each(|i| parts[i] += parts[i - 1]);
        let mut plan = Self {
            paired: pairs.iter().map(|p| rows[p.0]).collect(),
            determined,
            free,
            others,
            eliminated,
            here: shape.here.len(),
            jacobian: Vec::new(),
            hessian: Vec::new(),
            behind: Vec::new(),
            parts,
        };
        let next = shape.next.iter().map(|&i| Place::Next(i));
        let behind = next.chain((0..problem.shared).map(Place::Shared));
        plan.behind = behind.map(|p| plan.slot(p) as u16).collect();
        for (number, (term, places)) in shape.pieces.iter().enumerate() {
            let term = &problem.terms[*term];
            let slots: Vec<usize> = places.iter().map(|&p| plan.slot(p)).collect();
            let jacobian = term.jacobian().iter();
            let entries = jacobian.map(|(i, j)| plan.slope(number, i, slots[j]));
            plan.jacobian.push(entries.collect());
            let hessian = term.hessian().iter();
            let entries = hessian.map(|(i, j)| plan.curvature(slots[i], slots[j]));
            plan.hessian.push(entries.collect());
        }
        plan
    }

    /// Among all unknowns.
    fn slot(&self, place: Place) -> usize {
        let found = self.determined.iter().position(|p| *p == place);
        let found = found.or_else(|| {
            let other = self.others.iter().position(|p| *p == place);
            other.map(|i| self.determined.len() + self.free.len() + i)
        });
        debug_assert!(found.is_some(), "{place:?} is in no front");
        found.unwrap_or(0)
    }

    /// Where the slope of a row of a piece by an unknown is added; the objective has no row.
    fn slope(&self, piece: usize, row: usize, slot: usize) -> [u32; 2] {
        let Some(row) = row.checked_sub(1) else {
            return self.once(self.parts[3]);
        };
        let (y, free) = (self.determined.len(), self.free.len());
        if let Some(i) = self.paired.iter().position(|r| *r == (piece, row)) {
            let column = match slot {
                slot if slot < y => slot,
                slot => slot - free,
            };
            return self.once(i * (y + self.others.len()) + column);
        }
        let found = self.free.iter().position(|r| *r == (piece, row));
        debug_assert!(found.is_some(), "a row is in no front");
        self.curvature(y + found.unwrap_or(0), slot)
    }

    /// Where a second derivative is added.
    fn curvature(&self, i: usize, j: usize) -> [u32; 2] {
        let (i, j) = (i.min(j), i.max(j));
        let (y, w) = (self.determined.len(), self.width());
        let [curvature, mixed, own, _] = self.parts;
        match (i < y, j < y) {
            (true, true) if i == j => self.once(curvature + i * y + i),
            (true, true) => [i * y + j, j * y + i].map(|at| (curvature + at) as u32),
            (true, false) => self.once(mixed + i * w + j - y),
            _ => self.once(own + (j - y) * w + i - y),
        }
    }

    fn once(&self, at: usize) -> [u32; 2] {
        [at as u32, self.parts[3] as u32]
    }

    /// Where the diagonal entry of an unknown is added.
    pub fn diagonal(&self, i: usize) -> usize {
        self.curvature(i, i)[0] as usize
    }

    /// How many unknowns of w there are, beside those that wait.
    pub fn width(&self) -> usize {
        self.free.len() + self.others.len()
    }

    /// Which of w have columns of Y.
    pub fn reached(&self) -> Range<usize> {
        self.free.len()..self.width()
    }

    /// Which of w stay: the others are eliminated here.
    pub fn stays(&self) -> Range<usize> {
        self.free.len() + self.eliminated..self.width()
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
