//! The KKT matrix of a program with stages, and the slopes that stand on its right-hand side.

use super::problem::{Piece, Point, Scratch, StageProblem};
use super::term::{TermError, of_lane};
use super::units::Units;
use rattleback_numeric::{ArrowFactors, ArrowMatrix, Inertia, Linked, triangle_place};
use std::collections::HashMap;
use std::sync::Arc;

/// What is added and taken; smaller ones first, larger ones where rounding drowns them.
const FLAT: [f64; 4] = [1e-9, 1e-8, 1e-7, 1e-6];

/// What may be left of the right-hand side of a step, as a part of it: the next step removes the rest.
const LEFT: f64 = 1e-12;

/// Where variables and constraints stand among the unknowns of the KKT system.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Block and place within it, of each variable.
    variables: Vec<(usize, usize)>,
    /// The same for constraints.
    rows: Vec<(usize, usize)>,
    /// How many variables each block has, what is shared last: multipliers stand behind them.
    widths: Vec<usize>,
    /// Where each block begins among all unknowns, the border last.
    starts: Vec<usize>,
    sizes: Vec<usize>,
    border: usize,
    /// The unknowns of each block but the first that the block before reaches.
    linked: Vec<Linked>,
    /// Their numbers among these.
    links: Vec<Arc<[usize]>>,
}

impl Layout {
    pub fn of(problem: &StageProblem) -> Self {
        let last = problem.blocks.len();
        let widths: Vec<usize> = (problem.blocks.iter().copied())
            .chain([problem.shared])
            .collect();
        let places = widths.iter().enumerate();
        let variables = places.flat_map(|(k, &n)| (0..n).map(move |i| (k, i)));
        let mut sizes = widths.clone();
        let rows = problem.homes.iter().map(|&home| {
            sizes[home] += 1;
            (home, sizes[home] - 1)
        });
        let (variables, rows) = (variables.collect(), rows.collect());
        let mut starts = vec![0];
        for size in &sizes {
            starts.push(starts.last().copied().unwrap_or(0) + size);
        }
        let border = sizes.pop().unwrap_or(0);
        debug_assert_eq!(sizes.len(), last);
        let mut layout = Self {
            variables,
            rows,
            widths,
            starts,
            sizes,
            border,
            linked: Vec::new(),
            links: Vec::new(),
        };
        layout.link(problem);
        layout
    }

    /// Finds what neighbouring blocks share: the unknowns of pieces that touch both.
    fn link(&mut self, problem: &StageProblem) {
        let last = self.sizes.len();
        let mut reached: Vec<Vec<bool>> = self.sizes.iter().map(|n| vec![false; *n]).collect();
        for piece in &problem.pieces {
            let variables = piece.variables.iter().map(|&v| self.variables[v]);
            let rows = piece.rows.iter().map(|&r| self.rows[r]);
            let all: Vec<(usize, usize)> = variables.chain(rows).filter(|u| u.0 < last).collect();
            let first = all.iter().map(|u| u.0).min();
            for (block, unknown) in all.into_iter().filter(|u| Some(u.0) > first) {
                reached[block][unknown] = true;
            }
        }
        let mut known: HashMap<Vec<bool>, (Linked, Arc<[usize]>)> = HashMap::new();
        for marks in reached.into_iter().skip(1) {
            let (linked, links) = known.entry(marks).or_insert_with_key(|marks| {
                let linked: Linked = (0..marks.len()).filter(|&i| marks[i]).collect();
                let before = |i: usize| marks[..i].iter().filter(|m| **m).count();
                (linked, (0..marks.len()).map(before).collect())
            });
            self.linked.push(Arc::clone(linked));
            self.links.push(Arc::clone(links));
        }
    }

    fn matrix(&self) -> ArrowMatrix {
        ArrowMatrix::with_links(&self.sizes, self.border, self.linked.clone())
    }

    fn place(&self, (block, local): (usize, usize)) -> usize {
        self.starts[block] + local
    }
}

/// The units of a program, one where it has none.
#[derive(Clone, Copy)]
struct InUnits<'u>(Option<&'u Units>);

impl InUnits<'_> {
    fn variable(&self, i: usize) -> f64 {
        self.0.map_or(1.0, |u| u.variables[i])
    }
    fn row(&self, i: usize) -> f64 {
        self.0.map_or(1.0, |u| u.rows[i])
    }
    fn objective(&self) -> f64 {
        self.0.map_or(1.0, |u| u.objective)
    }
}

/// Adds to an entry of a symmetric matrix by its blocks; entries of blocks that do not meet cannot occur.
fn add(
    matrix: &mut ArrowMatrix,
    layout: &Layout,
    a: (usize, usize),
    b: (usize, usize),
    value: f64,
) {
    let (later, earlier) = if a >= b { (a, b) } else { (b, a) };
    let last = layout.sizes.len();
    let width = |k: usize| {
        if k == last {
            layout.border
        } else {
            layout.sizes[k]
        }
    };
    let offset = match (later.0, earlier.0) {
        (k, j) if k == j => triangle_place(later.1, earlier.1),
        (k, j) if k < last => layout.links[j][later.1] * width(j) + earlier.1,
        (_, j) => later.1 * width(j) + earlier.1,
    };
    match (later.0, earlier.0) {
        (k, j) if k == last && j == last => matrix.corner_mut()[offset] += value,
        (k, j) if k == last => matrix.edge_mut(j)[offset] += value,
        (k, j) if k == j => matrix.diagonal_mut(k)[offset] += value,
        (k, j) => {
            debug_assert_eq!(k, j + 1, "pieces touch neighbouring blocks");
            matrix.lower_mut(j)[offset] += value;
        }
    }
}

/// Values and slopes of a program at a point.
#[derive(Clone, Debug)]
pub struct Slopes {
    /// The objective.
    pub objective: f64,
    /// Its gradient.
    pub gradient: Vec<f64>,
    /// The constraints.
    pub constraints: Vec<f64>,
    /// Aᵀλ.
    pub reactions: Vec<f64>,
    /// The largest part of a reaction, which others may cancel.
    pub part: f64,
    /// The largest second derivative.
    pub curvature: f64,
}

/// Where the derivatives of pieces are added up.
struct Assembly<'a> {
    matrix: &'a mut ArrowMatrix,
    layout: &'a Layout,
    in_units: InUnits<'a>,
    multipliers: &'a [f64],
    slopes: &'a mut Slopes,
}

/// Entries of a sparse matrix, with row and column.
type Entry = ((usize, usize), f64);

impl Assembly<'_> {
    fn add_values(&mut self, piece: &Piece, mut values: impl Iterator<Item = f64>) {
        let share = values.next().unwrap_or(0.0);
        self.slopes.objective += share / self.in_units.objective();
        for (&row, value) in piece.rows.iter().zip(values) {
            self.slopes.constraints[row] = value / self.in_units.row(row);
        }
    }

    fn add_slopes(&mut self, piece: &Piece, entries: impl Iterator<Item = Entry>) {
        let slopes = &mut *self.slopes;
        for ((i, j), value) in entries {
            let variable = piece.variables[j];
            let value = value * self.in_units.variable(variable);
            let Some(i) = i.checked_sub(1) else {
                slopes.gradient[variable] += value / self.in_units.objective();
                continue;
            };
            let row = piece.rows[i];
            let value = value / self.in_units.row(row);
            let part = self.multipliers[row] * value;
            slopes.reactions[variable] += part;
            slopes.part = slopes.part.max(part.abs());
            let (a, b) = (self.layout.rows[row], self.layout.variables[variable]);
            add(self.matrix, self.layout, a, b, value);
        }
    }

    fn add_curvature(&mut self, piece: &Piece, entries: impl Iterator<Item = Entry>) {
        for ((i, j), value) in entries {
            let (a, b) = (piece.variables[i], piece.variables[j]);
            let value = value * self.in_units.variable(a) * self.in_units.variable(b);
            self.slopes.curvature = self.slopes.curvature.max(value.abs());
            let (a, b) = (self.layout.variables[a], self.layout.variables[b]);
            // Two local variables that are one variable of the program meet on its diagonal twice.
            let value = if i != j && a == b { 2.0 * value } else { value };
            add(self.matrix, self.layout, a, b, value);
        }
    }
}

/// The KKT matrix with its factors.
pub(super) struct Kkt {
    pub layout: Layout,
    /// W, A and what was added to the diagonal last.
    matrix: ArrowMatrix,
    /// The diagonal without that: of the variables, then of the rows.
    diagonal: Vec<f64>,
    factors: ArrowFactors,
    right: Vec<f64>,
    solution: Vec<f64>,
    scratch: Vec<f64>,
}

/// What is added to the diagonal: to the variables, and (subtracted) to the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Shift {
    pub variables: f64,
    pub constraints: f64,
}

impl Kkt {
    pub fn new(problem: &StageProblem) -> Self {
        let layout = Layout::of(problem);
        let matrix = layout.matrix();
        let size = matrix.size();
        Self {
            factors: ArrowFactors::new(&matrix),
            diagonal: vec![0.0; size],
            matrix,
            layout,
            right: vec![0.0; size],
            solution: vec![0.0; size],
            scratch: vec![0.0; size],
        }
    }

    /// W = σ ∇²f + λ ∇²c and A at a point, with the slopes.
    pub fn assemble(
        &mut self,
        problem: &StageProblem,
        at: &Point,
        objective: f64,
        multipliers: &[f64],
        scratch: &mut Scratch,
    ) -> Result<Slopes, TermError> {
        clear(&mut self.matrix, &self.layout);
        let mut slopes = Slopes {
            objective: 0.0,
            gradient: vec![0.0; problem.variables()],
            constraints: vec![0.0; problem.constraints()],
            reactions: vec![0.0; problem.variables()],
            part: 0.0,
            curvature: 0.0,
        };
        let in_units = InUnits(problem.units.as_deref());
        let weigh = |r: usize| multipliers[r] / in_units.row(r);
        let weights = (objective / in_units.objective(), &weigh);
        let mut into = Assembly {
            matrix: &mut self.matrix,
            layout: &self.layout,
            in_units,
            multipliers,
            slopes: &mut slopes,
        };
        for four in problem.fours() {
            let [values, first, second] = problem.slopes_at(four, at, weights, scratch)?;
            for (lane, piece) in four.1.iter().enumerate() {
                let term = &problem.terms[piece.term];
                into.add_values(piece, of_lane(values, lane));
                into.add_slopes(piece, term.jacobian().iter().zip(of_lane(first, lane)));
                into.add_curvature(piece, term.hessian().iter().zip(of_lane(second, lane)));
            }
        }
        self.remember();
        Ok(slopes)
    }

    /// Keeps the diagonal as it is.
    fn remember(&mut self) {
        let places = self.layout.variables.iter().chain(&self.layout.rows);
        for (kept, &place) in self.diagonal.iter_mut().zip(places) {
            *kept = *on_diagonal(&mut self.matrix, &self.layout, place);
        }
    }

    /// Replaces W by the identity: for least-squares multipliers.
    pub fn with_identity(&mut self, weights: &[f64]) {
        let layout = &self.layout;
        let border = rows_of(layout, layout.sizes.len(), layout.border);
        // Only entries between a row and a variable are kept.
        for (k, &n) in layout.sizes.iter().enumerate() {
            let is_row = rows_of(layout, k, n);
            keep_mixed_below(self.matrix.diagonal_mut(k), &is_row);
            if let Some(linked) = layout.linked.get(k) {
                let next = rows_of(layout, k + 1, layout.sizes[k + 1]);
                let next: Vec<bool> = linked.iter().map(|&i| next[i]).collect();
                keep_mixed(self.matrix.lower_mut(k), &next, &is_row);
            }
            keep_mixed(self.matrix.edge_mut(k), &border, &is_row);
        }
        keep_mixed_below(self.matrix.corner_mut(), &border);
        for (i, w) in weights.iter().enumerate() {
            *on_diagonal(&mut self.matrix, layout, layout.variables[i]) = *w;
        }
        self.remember();
    }

    /// Factors the matrix with a diagonal added to the variables and shifts; none where a block is singular.
    pub fn factor(&mut self, diagonal: &[f64], shift: Shift) -> Option<Inertia> {
        let layout = &self.layout;
        let (variables, rows) = self.diagonal.split_at(layout.variables.len());
        for ((&place, kept), d) in layout.variables.iter().zip(variables).zip(diagonal) {
            *on_diagonal(&mut self.matrix, layout, place) = kept + (d + shift.variables);
        }
        for (&place, kept) in layout.rows.iter().zip(rows) {
            *on_diagonal(&mut self.matrix, layout, place) = kept - shift.constraints;
        }
        self.factors.factor(&self.matrix).ok()
    }

    /// The inertia, where it is the same with a little added to the variables and taken from them: what is flat to
    /// working precision has none, and a singular block is no singular matrix.
    ///
    /// Where blocks are singular whatever the variables get, it is their constraints that depend on each other, as those of
    /// a shortest time do at its least value, where only the border tells them apart. A little is taken from the
    /// constraints then, and added to them: they are independent where the inertia is the same.
    pub fn settled_inertia(&mut self, diagonal: &[f64]) -> Option<Inertia> {
        let mut with = |variables: f64, constraints: f64| {
            let shift = Shift {
                variables,
                constraints,
            };
            self.factor(diagonal, shift).filter(|i| i.zero == 0)
        };
        let mut settled = |signs: &[[f64; 2]]| {
            FLAT.iter().find_map(|&little| {
                let mut all = signs.iter().map(|[v, c]| with(v * little, c * little));
                let first = all.next()??;
                all.all(|i| i == Some(first)).then_some(first)
            })
        };
        let alone = settled(&[[1.0, 0.0], [-1.0, 0.0]]);
        alone.or_else(|| settled(&[[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]))
    }

    /// Solves for the step of variables and multipliers, with refinement.
    pub fn solve(&mut self, by_variables: &[f64], by_rows: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let layout = &self.layout;
        for (value, &place) in by_variables.iter().zip(&layout.variables) {
            self.right[layout.place(place)] = *value;
        }
        for (value, &place) in by_rows.iter().zip(&layout.rows) {
            self.right[layout.place(place)] = *value;
        }
        self.solution.copy_from_slice(&self.right);
        self.factors.solve(&mut self.solution).ok()?;
        let (solution, scratch) = (&mut self.solution, &mut self.scratch);
        self.factors
            .refine(&self.matrix, (&self.right, LEFT), solution, scratch, 2)
            .ok()?;
        if self.solution.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let take = |places: &[(usize, usize)]| -> Vec<f64> {
            let places = places.iter();
            places.map(|&p| self.solution[layout.place(p)]).collect()
        };
        Some((take(&layout.variables), take(&layout.rows)))
    }
}

fn clear(matrix: &mut ArrowMatrix, layout: &Layout) {
    for k in 0..layout.sizes.len() {
        matrix.diagonal_mut(k).fill(0.0);
        matrix.edge_mut(k).fill(0.0);
        if k + 1 < layout.sizes.len() {
            matrix.lower_mut(k).fill(0.0);
        }
    }
    matrix.corner_mut().fill(0.0);
}

/// Which unknowns of a block are multipliers.
fn rows_of(layout: &Layout, block: usize, size: usize) -> Vec<bool> {
    (0..size).map(|i| i >= layout.widths[block]).collect()
}

/// Clears entries that are not between a multiplier and a variable.
fn keep_mixed(entries: &mut [f64], rows: &[bool], columns: &[bool]) {
    let n = columns.len();
    for (i, is_row) in rows.iter().enumerate() {
        for (j, other) in columns.iter().enumerate() {
            if is_row == other {
                entries[i * n + j] = 0.0;
            }
        }
    }
}

/// The same in the lower triangle of a diagonal block.
fn keep_mixed_below(entries: &mut [f64], rows: &[bool]) {
    for (i, is_row) in rows.iter().enumerate() {
        for (j, other) in rows[..=i].iter().enumerate() {
            if is_row == other {
                entries[triangle_place(i, j)] = 0.0;
            }
        }
    }
}

fn on_diagonal<'m>(
    matrix: &'m mut ArrowMatrix,
    layout: &Layout,
    (block, i): (usize, usize),
) -> &'m mut f64 {
    let entries = match block < layout.sizes.len() {
        true => matrix.diagonal_mut(block),
        false => matrix.corner_mut(),
    };
    &mut entries[triangle_place(i, i)]
}
