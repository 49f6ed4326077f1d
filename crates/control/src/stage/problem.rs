//! A program with stages: its blocks, its pieces, and the points that it is evaluated at.

use super::term::{LANES, Lane, Term, TermError, of_lane};
use super::units::Units;
use rattleback_lie::{Group, Trivialization};
use rattleback_native::WideMemory;
use std::sync::Arc;

/// A term at a place: which variables it reads and which constraints it gives.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Which term.
    pub term: usize,
    /// The variables of the program that its local ones are; all in two neighbouring blocks, or shared.
    pub variables: Vec<usize>,
    /// The entries of group elements that follow the variables.
    pub elements: Vec<usize>,
    /// The numbers that follow these.
    pub data: Vec<f64>,
    /// The rows that its constraints are.
    pub rows: Vec<usize>,
}

/// Variables that are directions at a group element: moving along them moves the element, and they are 0 again.
#[derive(Clone, Copy, Debug)]
pub struct Chart {
    /// The group.
    pub group: Group,
    /// The side on which directions are trivialised.
    pub side: Trivialization,
    /// Its first variable.
    pub variable: usize,
    /// Its first entry among the elements.
    pub element: usize,
}

/// Where a program is evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// The variables, block by block, then the shared ones.
    pub variables: Vec<f64>,
    /// The entries of group elements.
    pub elements: Vec<f64>,
}

/// A program with stages.
#[derive(Clone)]
pub struct StageProblem {
    /// How many variables each block has.
    pub blocks: Vec<usize>,
    /// How many all share.
    pub shared: usize,
    /// Lower bounds of the variables; −∞ where there is none.
    pub lower: Vec<f64>,
    /// Upper bounds; ∞ where there is none.
    pub upper: Vec<f64>,
    /// The block that each constraint is eliminated with; as many as there are blocks for those of shared variables.
    pub homes: Vec<usize>,
    /// The functions.
    pub terms: Vec<Arc<Term>>,
    /// Where they stand.
    pub pieces: Vec<Piece>,
    /// The variables on groups.
    pub charts: Vec<Chart>,
    /// The variables that mean the same after a turn by 2π: long steps of them mean nothing.
    pub angles: Vec<usize>,
    /// In what points, rows and objective are measured; none where they are what they are.
    pub units: Option<Arc<Units>>,
}

/// What evaluations write into.
pub(super) struct Scratch {
    pub inputs: Vec<Lane>,
    pub outputs: Vec<Lane>,
    pub memories: Vec<[WideMemory; 2]>,
}

impl StageProblem {
    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.lower.len()
    }
    /// How many constraints there are.
    pub fn constraints(&self) -> usize {
        self.homes.len()
    }

    /// The entries of the diagonal blocks of its KKT matrix: what an iteration takes.
    pub fn entries(&self) -> usize {
        let mut sizes = self.blocks.clone();
        sizes.push(self.shared);
        self.homes.iter().for_each(|&home| sizes[home] += 1);
        sizes.iter().map(|size| size * size).sum()
    }

    /// The point that a step leads to: variables are added, group elements moved by cay of their directions.
    pub fn moved(&self, from: &Point, step: &[f64], share: f64) -> Point {
        let mut to = from.clone();
        for (x, d) in to.variables.iter_mut().zip(step) {
            *x += share * d;
        }
        for chart in &self.charts {
            let n = chart.group.dimension();
            let xi = &mut to.variables[chart.variable..chart.variable + n];
            let turn = chart.group.cayley(xi);
            xi.fill(0.0);
            let place = chart.element..chart.element + turn.len();
            let entries = &mut to.elements[place];
            let moved = match chart.side {
                Trivialization::Body => chart.group.product(entries, &turn),
                Trivialization::Space => chart.group.product(&turn, entries),
            };
            entries.copy_from_slice(&moved);
            // Rounding leads off the group; where there is no nearest element the entries stay as they are.
            let _ = chart.group.project(entries);
        }
        to
    }

    /// Has a variable bounds?
    pub fn is_bounded(&self) -> bool {
        let mut bounds = self.lower.iter().chain(&self.upper);
        bounds.any(|b| b.is_finite())
    }

    pub(super) fn scratch(&self) -> Scratch {
        Scratch {
            inputs: Vec::new(),
            outputs: Vec::new(),
            memories: self.terms.iter().map(|t| t.memory()).collect(),
        }
    }

    /// Pieces of one term that stand next to each other, four at a time, with the number of the first.
    pub(super) fn fours(&self) -> impl Iterator<Item = (usize, &[Piece])> {
        let runs = self.pieces.chunk_by(|a, b| a.term == b.term);
        let all = runs.flat_map(|run| run.chunks(LANES));
        all.scan(0, |next, pieces| {
            let first = *next;
            *next += pieces.len();
            Some((first, pieces))
        })
    }

    /// The inputs of up to four pieces of one term, side by side.
    pub(super) fn gather(&self, pieces: &[Piece], at: &Point, inputs: &mut Vec<Lane>) {
        let unit = |i: usize| self.units.as_ref().map_or(1.0, |u| u.variables[i]);
        inputs.clear();
        beside(pieces, inputs, |piece| {
            let variables = piece.variables.iter();
            let variables = variables.map(|&i| at.variables[i] * unit(i));
            let elements = piece.elements.iter().map(|&i| at.elements[i]);
            variables.chain(elements).chain(piece.data.iter().copied())
        });
    }

    /// The objective and the constraints.
    pub(super) fn evaluate(
        &self,
        at: &Point,
        constraints: &mut [f64],
        scratch: &mut Scratch,
    ) -> Result<f64, TermError> {
        let mut objective = 0.0;
        constraints.fill(0.0);
        for (first, pieces) in self.fours() {
            let values = self.values_at(first, pieces, at, scratch)?;
            for (lane, piece) in pieces.iter().enumerate() {
                objective += values[0][lane];
                for (&row, value) in piece.rows.iter().zip(of_lane(&values[1..], lane)) {
                    constraints[row] = value;
                }
            }
        }
        let Some(units) = &self.units else {
            return Ok(objective);
        };
        let rows = constraints.iter_mut().zip(&units.rows);
        rows.for_each(|(c, unit)| *c /= unit);
        Ok(objective / units.objective)
    }

    /// The values of up to four pieces, of which the first has a number.
    fn values_at<'s>(
        &self,
        first: usize,
        pieces: &[Piece],
        at: &Point,
        scratch: &'s mut Scratch,
    ) -> Result<&'s [Lane], TermError> {
        self.gather(pieces, at, &mut scratch.inputs);
        let which = pieces.first().map_or(0, |p| p.term);
        let (term, memory) = (&self.terms[which], &mut scratch.memories[which]);
        let found = term.values(&scratch.inputs, &mut scratch.outputs, memory);
        found.map_err(|lane| TermError {
            piece: first + lane,
        })
    }

    /// Values and slopes of up to four pieces, of which the first has a number, for weights of the objective and of rows.
    pub(super) fn slopes_at<'s>(
        &self,
        (first, pieces): (usize, &[Piece]),
        at: &Point,
        (objective, row): (f64, impl Fn(usize) -> f64),
        scratch: &'s mut Scratch,
    ) -> Result<[&'s [Lane]; 3], TermError> {
        self.gather(pieces, at, &mut scratch.inputs);
        beside(pieces, &mut scratch.inputs, |piece| {
            let rows = piece.rows.iter().map(|&r| row(r));
            std::iter::once(objective).chain(rows)
        });
        let which = pieces.first().map_or(0, |p| p.term);
        let (term, memory) = (&self.terms[which], &mut scratch.memories[which]);
        let found = term.slopes(&scratch.inputs, &mut scratch.outputs, memory);
        found.map_err(|lane| TermError {
            piece: first + lane,
        })
    }

    /// The values of one piece: its share of the objective, then its constraints.
    pub fn values_of(&self, piece: usize, at: &Point) -> Option<Vec<f64>> {
        let place = std::slice::from_ref(&self.pieces[piece]);
        let scratch = &mut self.scratch();
        let values = self.values_at(piece, place, at, scratch).ok()?;
        Some(of_lane(values, 0).collect())
    }

    /// The slope of the share that a piece has in the Lagrangian f + λ·c, by its local variables.
    pub fn slope_of(&self, piece: usize, at: &Point, multipliers: &[f64]) -> Option<Vec<f64>> {
        let place = std::slice::from_ref(&self.pieces[piece]);
        let rows = place[0].rows.iter().map(|&r| multipliers[r]);
        let weights: Vec<f64> = std::iter::once(1.0).chain(rows).collect();
        let weigh = (1.0, |r: usize| multipliers[r]);
        let scratch = &mut self.scratch();
        let [_, first, _] = self.slopes_at((piece, place), at, weigh, scratch).ok()?;
        let term = &self.terms[place[0].term];
        let mut slope = vec![0.0; term.variables()];
        let first: Vec<f64> = of_lane(first, 0).collect();
        term.jacobian()
            .multiply_transposed(&first, 1.0, &weights, &mut slope);
        Some(slope)
    }
}

/// Appends the numbers of up to four pieces side by side; lanes without a piece repeat the first one.
fn beside<'p, N: Iterator<Item = f64>>(
    pieces: &'p [Piece],
    inputs: &mut Vec<Lane>,
    numbers: impl Fn(&'p Piece) -> N,
) {
    let from = inputs.len();
    for (lane, piece) in pieces.iter().enumerate() {
        if lane == 0 {
            inputs.extend(numbers(piece).map(|x| [x; LANES]));
            continue;
        }
        for (input, x) in inputs[from..].iter_mut().zip(numbers(piece)) {
            input[lane] = x;
        }
    }
}
