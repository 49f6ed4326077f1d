//! The KKT system of a program with stages, eliminated from its last block to its first.
//!
//! The pieces whose first block is k make a *front* with the unknowns that no earlier piece reaches: the variables of
//! block k that only these know, and those of block k + 1 that they reach. With as many of them (y) as there are
//! conditions A y + B w = r, and A regular, y and the multipliers leave together:
//!
//! ```text
//! y = A⁻¹(r − B w),   H ← H_ww + H_wy Y + Yᵀ H_yw + Yᵀ H_yy Y   with   Y = −A⁻¹B,
//! ```
//!
//! what is inside of an interval and the state behind it, that is, in terms of the state before it and of controls. This
//! is Riccati's recursion where nothing else is there. Each such pair has one positive and one negative eigenvalue. The
//! other unknowns are eliminated with pivots that hold their own, and wait for an earlier front where there is none:
//! conditions at the end wait until controls reach them. Where A is nearly singular all of a front is eliminated that way.

mod factors;
mod front;
mod matrix;
mod pairs;
mod plan;
#[cfg(test)]
mod tests;

pub(super) use factors::Factors;
pub(super) use matrix::Matrix;

use super::problem::StageProblem;

/// The program by fronts: what stands in which.
pub(super) struct Fronts {
    /// The first variable of each block, and of what all share.
    starts: Vec<usize>,
    /// How many variables all share.
    shared: usize,
    /// How many variables there are.
    variables: usize,
    /// Per block: the pieces that begin there.
    pieces: Vec<Vec<u32>>,
    /// Per block: which kind of front it is.
    kinds: Vec<u32>,
    shapes: Vec<Shape>,
}

/// What fronts of one kind have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shape {
    /// The terms of the pieces, with the places of their variables.
    pieces: Vec<(usize, Vec<Place>)>,
    /// The variables of the block that an earlier piece reaches.
    here: Vec<usize>,
    /// The other variables of the block.
    own: Vec<usize>,
    /// The variables of the next block that are reached.
    next: Vec<usize>,
}

/// A variable as a front sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// Of its block.
    Here(usize),
    /// Of the block behind.
    Next(usize),
    /// Of all blocks.
    Shared(usize),
}

impl Fronts {
    pub fn of(problem: &StageProblem) -> Self {
        let mut starts = vec![0];
        for size in &problem.blocks {
            starts.push(starts.last().copied().unwrap_or(0) + size);
        }
        let last = problem.blocks.len();
        let block = |v: usize| starts.partition_point(|s| *s <= v) - 1;
        let mut pieces = vec![Vec::new(); last.max(1)];
        let mut reached = vec![false; problem.variables()];
        for (number, piece) in problem.pieces.iter().enumerate() {
            let first = piece.variables.iter().map(|&v| block(v)).min();
            let first = first.filter(|k| *k < last).unwrap_or(0);
            pieces[first].push(number as u32);
            let beyond = piece.variables.iter().filter(|v| block(**v) > first);
            beyond.for_each(|&v| reached[v] = true);
        }
        let mut fronts = Self {
            shared: problem.shared,
            variables: problem.variables(),
            pieces,
            kinds: Vec::with_capacity(last),
            shapes: Vec::new(),
            starts,
        };
        let mut known = std::collections::HashMap::new();
        for k in 0..fronts.pieces.len() {
            let shape = fronts.shape(problem, k, &reached);
            let kind = *known.entry(shape).or_insert_with_key(|shape| {
                fronts.shapes.push(shape.clone());
                fronts.shapes.len() as u32 - 1
            });
            fronts.kinds.push(kind);
        }
        fronts
    }

    fn shape(&self, problem: &StageProblem, k: usize, reached: &[bool]) -> Shape {
        let last = problem.blocks.len();
        let size = problem.blocks.get(k).copied().unwrap_or(0);
        let (start, end) = (self.starts[k], self.starts[k] + size);
        let shared = self.starts[last];
        let place = |&v: &usize| match v {
            v if v >= shared => Place::Shared(v - shared),
            v if v < end => Place::Here(v - start),
            v => Place::Next(v - end),
        };
        let pieces = self.pieces[k].iter().map(|&p| {
            let piece = &problem.pieces[p as usize];
            (piece.term, piece.variables.iter().map(place).collect())
        });
        let (here, own) = (0..size).partition(|i| reached[start + i]);
        let behind = problem.blocks.get(k + 1).copied().unwrap_or(0);
        Shape {
            pieces: pieces.collect(),
            here,
            own,
            next: (0..behind).filter(|i| reached[end + i]).collect(),
        }
    }

    /// The number of a variable of a front.
    fn variable(&self, k: usize, place: Place) -> usize {
        match place {
            Place::Here(i) => self.starts[k] + i,
            Place::Next(i) => self.starts[k + 1] + i,
            Place::Shared(i) => self.variables - self.shared + i,
        }
    }
}
