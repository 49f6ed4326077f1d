//! The fronts of a matrix, factored one after the other.

use super::super::problem::StageProblem;
use super::front::{Front, Work, renew, solve_pairs};
use super::matrix::Matrix;
use super::pairs::pairs;
use super::plan::{Entry, Plan};
use super::{Fronts, Place};
use rattleback_numeric::{FrontPivots, Inertia};
use std::sync::Arc;

/// The least part of its column that a pivot may be; where too many wait the other.
const SHARES: [f64; 2] = [1e-4, 1e-11];
/// The same of the last unknowns, as far as there are such.
const ROOT_SHARE: f64 = 0.1;

/// The factors of a KKT matrix by fronts.
pub struct Factors {
    fronts: Fronts,
    /// Per kind of front: with pairs, and without.
    plans: Vec<[Option<Arc<Plan>>; 2]>,
    done: Vec<Front>,
    carry: Carry,
    work: Work,
    /// What is left after the first block: the shared variables, and what has waited to the end.
    root: Root,
    is_factored: bool,
}

/// The last unknowns.
#[derive(Clone, Debug, Default)]
struct Root {
    unknowns: Vec<u32>,
    pivots: FrontPivots,
}

/// What a front leaves to the one before it: a symmetric matrix of the variables that stay, and of what waits.
#[derive(Clone, Debug, Default)]
struct Carry {
    entries: Vec<f64>,
    /// The magnitudes that its diagonal was made of.
    sizes: Vec<f64>,
    waiting: Vec<u32>,
}

impl Factors {
    pub fn new(problem: &StageProblem) -> Self {
        let fronts = Fronts::of(problem);
        Self {
            plans: vec![[None, None]; fronts.shapes.len()],
            done: vec![Front::default(); fronts.kinds.len()],
            fronts,
            carry: Carry::default(),
            work: Work::default(),
            root: Root::default(),
            is_factored: false,
        }
    }

    /// Factors a matrix, and adds up its inertia; none where it is singular. Where something is taken from the diagonal of
    /// the conditions, they are no pairs with variables.
    pub fn factor(
        &mut self,
        problem: &StageProblem,
        matrix: &Matrix,
        with_pairs: bool,
    ) -> Option<Inertia> {
        self.is_factored = false;
        renew(&mut self.carry.entries, problem.shared * problem.shared);
        renew(&mut self.carry.sizes, problem.shared);
        self.carry.waiting.clear();
        let mut inertia = Inertia::default();
        for k in (0..self.done.len()).rev() {
            if !(with_pairs && self.begin(problem, matrix, k, false)) {
                self.begin(problem, matrix, k, true);
            }
            inertia += self.eliminate(k)?;
        }
        inertia += self.factor_root(problem, matrix)?;
        self.is_factored = true;
        Some(inertia)
    }

    /// The plan of a front; its pairs are found with the first matrix.
    fn plan(
        &mut self,
        problem: &StageProblem,
        matrix: &Matrix,
        k: usize,
        plain: bool,
    ) -> Arc<Plan> {
        let kind = self.fronts.kinds[k] as usize;
        if let Some(plan) = &self.plans[kind][usize::from(plain)] {
            return Arc::clone(plan);
        }
        let shape = &self.fronts.shapes[kind];
        let found = match plain {
            true => Vec::new(),
            false => {
                let candidates = shape.candidates();
                let rows = shape.rows(problem).len();
                let mut dense = vec![0.0; rows * candidates.len()];
                let mut row = 0;
                for (piece, (term, places)) in self.fronts.pieces[k].iter().zip(&shape.pieces) {
                    let term = &problem.terms[*term];
                    let entries = matrix.jacobian_of(*piece as usize);
                    for ((i, j), value) in term.jacobian().iter().zip(entries) {
                        let column = candidates.iter().position(|c| *c == places[j]);
                        if let (Some(i), Some(column)) = (i.checked_sub(1), column) {
                            dense[(row + i) * candidates.len() + column] += value;
                        }
                    }
                    row += term.constraints();
                }
                pairs(dense, candidates.len())
            }
        };
        let plan = Arc::new(Plan::new(problem, shape, &found));
        self.plans[kind][usize::from(plain)] = Some(Arc::clone(&plan));
        plan
    }

    /// Puts a front together, and solves its pairs; tells whether that can be done.
    fn begin(&mut self, problem: &StageProblem, matrix: &Matrix, k: usize, plain: bool) -> bool {
        let plan = self.plan(problem, matrix, k, plain);
        let y = plan.determined.len();
        let w = plan.width() + self.carry.waiting.len();
        self.name_unknowns(problem, &plan, k);
        let front = &mut self.done[k];
        front.determined = y;
        front.reached = plan.free.len()..plan.width();
        renew(&mut front.pairs, y * (y + plan.others.len()));
        renew(&mut self.work.whole, (y + w) * (y + w));
        renew(&mut self.work.made_of, y + w);
        let n = y + w;
        for (piece, number) in self.fronts.pieces[k].iter().enumerate() {
            let number = *number as usize;
            let columns = y + plan.others.len();
            for (entry, value) in plan.jacobian[piece].iter().zip(matrix.jacobian_of(number)) {
                match *entry {
                    Entry::Nowhere => {}
                    Entry::Paired(i, j) => {
                        front.pairs[usize::from(i) * columns + usize::from(j)] += value;
                    }
                    Entry::Free(i, j) => {
                        let (i, j) = (usize::from(i), usize::from(j));
                        self.work.whole[i * n + j] += value;
                        self.work.whole[j * n + i] += value;
                    }
                }
            }
            for (&(i, j, two), value) in plan.hessian[piece].iter().zip(matrix.hessian_of(number)) {
                let (i, j) = (usize::from(i), usize::from(j));
                self.work.whole[i * n + j] += value;
                if two {
                    self.work.whole[j * n + i] += value;
                }
            }
        }
        self.add_diagonal(matrix, &plan, k);
        self.add_carried(&plan);
        let front = &mut self.done[k];
        solve_pairs(
            &mut front.pairs,
            &mut front.unknowns[..y],
            plan.others.len(),
        )
    }

    /// The unknowns of a front: the conditions paired with y, y, and w.
    fn name_unknowns(&mut self, problem: &StageProblem, plan: &Plan, k: usize) {
        let fronts = &self.fronts;
        let variable = |p: &Place| fronts.variable(k, *p) as u32;
        let condition = |(piece, row): &(usize, usize)| {
            let piece = &problem.pieces[fronts.pieces[k][*piece] as usize];
            (fronts.variables + piece.rows[*row]) as u32
        };
        let unknowns = &mut self.done[k].unknowns;
        unknowns.clear();
        unknowns.extend(plan.paired.iter().map(condition));
        unknowns.extend(plan.determined.iter().map(variable));
        unknowns.extend(plan.free.iter().map(condition));
        unknowns.extend(plan.others.iter().map(variable));
        unknowns.extend(&self.carry.waiting);
    }

    /// The diagonal of what is determined or eliminated here.
    fn add_diagonal(&mut self, matrix: &Matrix, plan: &Plan, k: usize) {
        let (y, free) = (plan.determined.len(), plan.free.len());
        let unknowns = &self.done[k].unknowns;
        let n = unknowns.len() - y;
        for i in 0..y + free + plan.eliminated {
            self.work.whole[i * n + i] += matrix.diagonal[unknowns[y + i] as usize];
        }
    }

    /// What the front behind left.
    fn add_carried(&mut self, plan: &Plan) {
        let (first, waiting) = (
            plan.determined.len() + plan.width(),
            self.carry.waiting.len(),
        );
        let n = first + waiting;
        let kept = &mut self.work.kept;
        kept.clear();
        kept.extend(plan.behind.iter().map(|&i| usize::from(i)));
        kept.extend(first..n);
        for (row, &i) in self
            .carry
            .entries
            .chunks_exact(kept.len().max(1))
            .zip(&*kept)
        {
            for (value, &j) in row.iter().zip(&*kept) {
                self.work.whole[i * n + j] += value;
            }
        }
        for (size, &i) in self.carry.sizes.iter().zip(&*kept) {
            self.work.made_of[i] = *size;
        }
    }

    /// Eliminates y and what has pivots; the rest is carried on.
    fn eliminate(&mut self, k: usize) -> Option<Inertia> {
        let kind = self.fronts.kinds[k] as usize;
        let (front, work) = (&mut self.done[k], &mut self.work);
        let y = front.determined;
        front.reduce(work);
        let w = front.unknowns.len() - 2 * y;
        let shape = &self.fronts.shapes[kind];
        let stay = shape.here.len() + self.fronts.shared;
        let reached = front.reached.clone();
        let eliminated = reached.start..reached.end - stay;
        let stays = eliminated.end..reached.end;
        work.may.clear();
        work.may
            .extend(eliminated.chain(0..reached.start).chain(reached.end..w));
        front.pivots.clear();
        let (may, most) = (
            &mut work.may,
            2 * (shape.next.len() + shape.own.len() + stay),
        );
        let mut inertia = Inertia {
            positive: y,
            negative: y,
            zero: 0,
        };
        for share in SHARES {
            inertia += (front.pivots).eliminate(&mut work.reduced, w, may, &mut work.sizes, share);
            if may.len() <= most {
                break;
            }
        }
        if may.len() > most {
            return None;
        }
        let kept = &mut work.kept;
        kept.clear();
        kept.extend(stays.chain(may.iter().copied()));
        self.carry.entries.clear();
        for &i in &*kept {
            let row = &work.reduced[i * w..(i + 1) * w];
            self.carry.entries.extend(kept.iter().map(|&j| row[j]));
        }
        self.carry.sizes.clear();
        self.carry.sizes.extend(kept.iter().map(|&i| work.sizes[i]));
        let numbers = &front.unknowns[2 * y..];
        self.carry.waiting.clear();
        self.carry
            .waiting
            .extend(work.may.iter().map(|&i| numbers[i]));
        Some(inertia)
    }

    /// Eliminates the shared variables, and what has waited to the end; none where it is singular.
    fn factor_root(&mut self, problem: &StageProblem, matrix: &Matrix) -> Option<Inertia> {
        let (carry, root) = (&mut self.carry, &mut self.root);
        let shared = problem.variables() - problem.shared..problem.variables();
        root.unknowns.clear();
        root.unknowns.extend(shared.clone().map(|i| i as u32));
        root.unknowns.extend(&carry.waiting);
        let n = root.unknowns.len();
        for (i, d) in matrix.diagonal[shared].iter().enumerate() {
            carry.entries[i * n + i] += d;
            carry.sizes[i] = carry.sizes[i].max(d.abs());
        }
        self.work.may.clear();
        self.work.may.extend(0..n);
        root.pivots.clear();
        let (entries, sizes) = (&mut carry.entries, &mut carry.sizes);
        let mut inertia = Inertia::default();
        for share in [ROOT_SHARE, 0.0] {
            inertia += (root.pivots).eliminate(entries, n, &mut self.work.may, sizes, share);
        }
        self.work.may.is_empty().then_some(inertia)
    }

    /// Replaces b by the solution x of M x = b, variables first, then conditions; none where M was singular.
    pub fn solve(&self, b: &mut [f64]) -> Option<()> {
        if !self.is_factored {
            return None;
        }
        let mut memory = Vec::new();
        for front in self.done.iter().rev() {
            front.solve_lower(b, &mut memory);
        }
        let unknowns = &self.root.unknowns;
        let mut last: Vec<f64> = unknowns.iter().map(|&i| b[i as usize]).collect();
        self.root.pivots.solve_lower(&mut last);
        self.root.pivots.solve_upper(&mut last);
        unknowns
            .iter()
            .zip(last)
            .for_each(|(&i, x)| b[i as usize] = x);
        for front in &self.done {
            front.solve_upper(b, &mut memory);
        }
        Some(())
    }
}
