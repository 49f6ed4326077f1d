//! The fronts of a matrix, factored one after the other, four side by side where they are alike.

use super::super::problem::StageProblem;
use super::super::term::{LANES, Lane};
use super::Fronts;
use super::carry::{Carry, Tail, Work};
use super::condensed::{Condensed, Memory};
use super::lanes::{ZERO, blocks, each, renew};
use super::matrix::Matrix;
use super::pairs::pairs;
use super::plan::Plan;
use rattleback_integrate::{Arithmetic, dispatch};
use rattleback_numeric::{FrontPivots, Inertia};
use std::ops::Range;
use std::sync::Arc;

/// The least part of its column that a pivot of the last unknowns may be, as far as there are such.
const ROOT_SHARE: f64 = 0.1;

/// What is taken from the diagonal of the conditions.
#[derive(Clone, Copy, Debug)]
pub enum Taken {
    /// From those that determine no variables. Those that do are independent, so that of any that depend on each other one
    /// is left that does not.
    FromFree(f64),
    /// From all. Then none determines anything.
    FromAll(f64),
}

impl Taken {
    fn of_free(self) -> f64 {
        match self {
            Taken::FromFree(taken) | Taken::FromAll(taken) => taken,
        }
    }
}

/// The factors of a KKT matrix by fronts.
pub struct Factors {
    fronts: Fronts,
    /// Per kind of front: with pairs, and without.
    plans: Vec<[Option<Arc<Plan>>; 2]>,
    groups: Vec<Group>,
    carry: Carry,
    memory: Memory,
    work: Work,
    /// What fronts side by side add to w, and what w is.
    beside: Vec<Lane>,
    /// What is left after the first block: the shared variables, and what has waited to the end.
    root: Root,
    is_factored: bool,
}

/// Up to four neighbouring fronts of one kind.
struct Group {
    blocks: Range<usize>,
    /// All of them, or each alone where they have no pivots in common.
    parts: Vec<Part>,
}

/// Fronts that are factored side by side.
struct Part {
    blocks: Range<usize>,
    front: Condensed,
    tails: Vec<Tail>,
}

/// The last unknowns.
#[derive(Clone, Debug, Default)]
struct Root {
    unknowns: Vec<u32>,
    pivots: FrontPivots,
}

impl Part {
    fn of(blocks: Range<usize>, plan: Arc<Plan>) -> Self {
        Self {
            tails: vec![Tail::default(); blocks.len()],
            blocks,
            front: Condensed::of(plan),
        }
    }

    /// The block in a lane; lanes beyond repeat the first.
    fn block(&self, lane: usize) -> usize {
        self.blocks.start + if lane < self.blocks.len() { lane } else { 0 }
    }
}

impl Factors {
    pub fn new(problem: &StageProblem) -> Self {
        let fronts = Fronts::of(problem);
        Self {
            plans: vec![[None, None]; fronts.shapes.len()],
            groups: groups(&fronts.kinds),
            fronts,
            carry: Carry::default(),
            memory: Memory::default(),
            work: Work::default(),
            beside: Vec::new(),
            root: Root::default(),
            is_factored: false,
        }
    }

    /// Factors a matrix, from whose conditions something is taken first, and adds up its inertia; none where it is singular.
    pub fn factor(
        &mut self,
        problem: &StageProblem,
        matrix: &mut Matrix,
        taken: Taken,
    ) -> Option<Inertia> {
        self.is_factored = false;
        let shared = problem.shared;
        renew(&mut self.carry.entries, ZERO, shared * blocks(shared));
        renew(&mut self.carry.sizes, 0.0, shared);
        self.carry.waiting.clear();
        let mut inertia = Inertia::default();
        for group in (0..self.groups.len()).rev() {
            inertia += self.factor_group((problem, matrix), group, taken)?;
        }
        inertia += self.factor_root(problem, matrix)?;
        self.is_factored = true;
        Some(inertia)
    }

    /// Factors the fronts of a group: with pairs side by side, else with pairs one by one, else without.
    fn factor_group(
        &mut self,
        (problem, matrix): (&StageProblem, &mut Matrix),
        group: usize,
        taken: Taken,
    ) -> Option<Inertia> {
        let with_pairs = matches!(taken, Taken::FromFree(_));
        let mut begin = |fronts: &mut Self, part: usize, blocks: Range<usize>, plain: bool| {
            fronts.begin(
                (problem, matrix),
                (group, part),
                blocks,
                (plain, taken.of_free()),
            )
        };
        let blocks = self.groups[group].blocks.clone();
        if begin(self, 0, blocks.clone(), !with_pairs) {
            self.groups[group].parts.truncate(1);
            return self.eliminate(group, 0);
        }
        let mut inertia = Inertia::default();
        for (part, block) in blocks.enumerate().rev() {
            let alone = block..block + 1;
            if !begin(self, part, alone.clone(), false) {
                begin(self, part, alone, true);
            }
            inertia += self.eliminate(group, part)?;
        }
        Some(inertia)
    }

    /// The plan of a front; its pairs are found with the first matrix.
    fn plan(
        &mut self,
        (problem, matrix): (&StageProblem, &Matrix),
        k: usize,
        plain: bool,
    ) -> Arc<Plan> {
        let kind = self.fronts.kinds[k] as usize;
        if let Some(plan) = &self.plans[kind][usize::from(plain)] {
            return Arc::clone(plan);
        }
        let found = match plain {
            true => Vec::new(),
            false => self.pairs(problem, matrix, k),
        };
        let plan = Arc::new(Plan::new(problem, &self.fronts.shapes[kind], &found));
        self.plans[kind][usize::from(plain)] = Some(Arc::clone(&plan));
        plan
    }

    /// Pairs of conditions and variables of a front.
    fn pairs(&self, problem: &StageProblem, matrix: &Matrix, k: usize) -> Vec<(usize, usize)> {
        let shape = &self.fronts.shapes[self.fronts.kinds[k] as usize];
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

    /// Puts fronts together, and solves their pairs; tells whether that can be done.
    fn begin(
        &mut self,
        (problem, matrix): (&StageProblem, &mut Matrix),
        (group, part): (usize, usize),
        blocks: Range<usize>,
        (plain, taken): (bool, f64),
    ) -> bool {
        let plan = self.plan((problem, matrix), blocks.start, plain);
        let parts = &mut self.groups[group].parts;
        while parts.len() <= part {
            let first = blocks.start - part + parts.len();
            parts.push(Part::of(first..first + 1, Arc::clone(&plan)));
        }
        // What another way has kept is forgotten.
        let now = &mut parts[part];
        if !Arc::ptr_eq(&now.front.plan, &plan) || now.blocks != blocks {
            *now = Part::of(blocks, Arc::clone(&plan));
        }
        self.fronts.name_unknowns(problem, now);
        now.front.take(taken, &mut matrix.diagonal);
        dispatch(Begin {
            fronts: &self.fronts,
            matrix,
            part: now,
            memory: &mut self.memory,
        })
    }

    /// Eliminates what has pivots of fronts whose pairs are solved, one after the other.
    fn eliminate(&mut self, group: usize, part: usize) -> Option<Inertia> {
        dispatch(Eliminate {
            part: &mut self.groups[group].parts[part],
            from: &self.memory,
            carry: &mut self.carry,
            work: &mut self.work,
        })
    }

    /// Eliminates the shared variables, and what has waited to the end; none where it is singular.
    fn factor_root(&mut self, problem: &StageProblem, matrix: &Matrix) -> Option<Inertia> {
        let (carry, root) = (&mut self.carry, &mut self.root);
        let shared = problem.variables() - problem.shared..problem.variables();
        root.unknowns.clear();
        root.unknowns.extend(shared.clone().map(|i| i as u32));
        root.unknowns.extend(&carry.waiting);
        let n = root.unknowns.len();
        let row = blocks(n) * LANES;
        let mut entries = carry.entries.as_flattened().to_vec();
        entries.resize(row * row, 0.0);
        carry.sizes.resize(row, 0.0);
        for (i, d) in matrix.diagonal[shared].iter().enumerate() {
            entries[i * row + i] += d;
            carry.sizes[i] = carry.sizes[i].max(d.abs());
        }
        let mut may: Vec<usize> = (0..n).collect();
        root.pivots.clear();
        let sizes = &mut carry.sizes;
        let mut inertia = Inertia::default();
        for share in [ROOT_SHARE, 0.0] {
            inertia += (root.pivots).eliminate(&mut entries, row, &mut may, sizes, share);
        }
        may.is_empty().then_some(inertia)
    }

    /// Replaces b by the solution x of M x = b, variables first, then conditions; none where M was singular.
    pub fn solve(&mut self, b: &mut [f64]) -> Option<()> {
        if !self.is_factored {
            return None;
        }
        dispatch(Solve { factors: self, b });
        Some(())
    }

    /// Solves for the last unknowns, of which those that have waited are carried as they are.
    fn solve_root(&mut self, b: &mut [f64]) {
        let Root { unknowns, pivots } = &self.root;
        let last = self.work.carried.as_flattened_mut();
        for (x, &at) in last.iter_mut().zip(&unknowns[..self.fronts.shared]) {
            *x += b[at as usize];
        }
        pivots.solve_lower(last);
        pivots.solve_upper(last);
        for (&at, x) in unknowns.iter().zip(&*last) {
            b[at as usize] = *x;
        }
    }
}

/// Putting fronts together and solving their pairs, as far as that can be done.
struct Begin<'f> {
    fronts: &'f Fronts,
    matrix: &'f Matrix,
    part: &'f mut Part,
    memory: &'f mut Memory,
}

impl rattleback_integrate::Work for Begin<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> bool {
        let Self {
            fronts,
            matrix,
            part,
            memory,
        } = self;
        fronts.put_together(matrix, part, &mut memory.entries);
        part.front.condense::<A>(memory).is_some()
    }
}

/// Eliminating what has pivots of fronts whose pairs are solved, one after the other.
struct Eliminate<'f> {
    part: &'f mut Part,
    from: &'f Memory,
    carry: &'f mut Carry,
    work: &'f mut Work,
}

impl rattleback_integrate::Work for Eliminate<'_> {
    type Output = Option<Inertia>;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> Option<Inertia> {
        let Part { front, tails, .. } = self.part;
        let pairs = front.plan.determined.len() * tails.len();
        let mut inertia = Inertia {
            positive: pairs,
            negative: pairs,
            zero: 0,
        };
        for (lane, tail) in tails.iter_mut().enumerate().rev() {
            inertia += tail.eliminate::<A>(front, lane, self.from, self.carry, self.work)?;
        }
        Some(inertia)
    }
}

/// Solving with factors.
struct Solve<'f> {
    factors: &'f mut Factors,
    b: &'f mut [f64],
}

impl rattleback_integrate::Work for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Self { factors, b } = self;
        let shared = blocks(factors.fronts.shared);
        renew(&mut factors.work.carried, ZERO, shared);
        let parts = factors.groups.iter().rev();
        for part in parts.flat_map(|g| g.parts.iter().rev()) {
            let scratch = (&mut factors.memory, &mut factors.work, &mut factors.beside);
            part.solve_lower::<A>(b, scratch);
        }
        factors.solve_root(b);
        factors.work.carried.clear();
        for part in factors.groups.iter().flat_map(|g| &g.parts) {
            let scratch = (&mut factors.memory, &mut factors.work, &mut factors.beside);
            part.solve_upper::<A>(b, scratch);
        }
    }
}

/// What solving writes into.
type Scratch<'s> = (&'s mut Memory, &'s mut Work, &'s mut Vec<Lane>);

impl Part {
    #[inline(always)]
    fn solve_lower<A: Arithmetic>(&self, b: &mut [f64], (memory, work, added): Scratch) {
        let plan = &*self.front.plan;
        added.resize(plan.width(), ZERO);
        self.front.solve_lower::<A>(b, memory, added);
        let own = &self.front.unknowns[2 * plan.determined.len()..];
        for (lane, tail) in self.tails.iter().enumerate().rev() {
            renew(&mut work.known, ZERO, blocks(plan.width()));
            let known = work.known.as_flattened_mut();
            known
                .iter_mut()
                .zip(&*added)
                .for_each(|(x, a)| *x = a[lane]);
            let eliminated = known[..plan.stays().start].iter_mut();
            eliminated
                .zip(own)
                .for_each(|(x, at)| *x += b[at[lane] as usize]);
            tail.solve_lower::<A>(&self.front, lane, b, work);
        }
    }

    #[inline(always)]
    fn solve_upper<A: Arithmetic>(&self, b: &mut [f64], (memory, work, known): Scratch) {
        known.resize(self.front.plan.width(), ZERO);
        for (lane, tail) in self.tails.iter().enumerate() {
            tail.solve_upper::<A>(&self.front, lane, b, work);
            for (all, &x) in known.iter_mut().zip(work.known.as_flattened()) {
                match lane {
                    0 => *all = [x; LANES],
                    _ => all[lane] = x,
                }
            }
        }
        self.front.solve_upper::<A>(b, memory, known);
    }
}

/// Neighbours of one kind, up to four together.
fn groups(kinds: &[u32]) -> Vec<Group> {
    let mut first = 0;
    let runs = kinds
        .chunk_by(|a, b| a == b)
        .flat_map(|run| run.chunks(LANES));
    runs.map(|run| {
        let blocks = first..first + run.len();
        first = blocks.end;
        Group {
            blocks,
            parts: Vec::new(),
        }
    })
    .collect()
}

impl Fronts {
    /// The unknowns of fronts: the conditions paired with y, y, and w.
    fn name_unknowns(&self, problem: &StageProblem, part: &mut Part) {
        let blocks: [usize; LANES] = std::array::from_fn(|lane| part.block(lane));
        let condition = |(piece, row): &(usize, usize)| {
            blocks.map(|k| {
                let piece = &problem.pieces[self.pieces[k][*piece] as usize];
                (self.variables + piece.rows[*row]) as u32
            })
        };
        let Condensed { plan, unknowns, .. } = &mut part.front;
        let pairs = plan.paired.iter().map(condition);
        if !unknowns.is_empty() {
            // The order of pivots changes; all else stays.
            unknowns
                .iter_mut()
                .zip(pairs)
                .for_each(|(at, new)| *at = new);
            return;
        }
        let variable = |place| blocks.map(|k| self.variable(k, place) as u32);
        unknowns.reserve_exact(2 * plan.determined.len() + plan.width());
        unknowns.extend(pairs);
        unknowns.extend(plan.determined.iter().map(|p| variable(*p)));
        unknowns.extend(plan.free.iter().map(condition));
        unknowns.extend(plan.others.iter().map(|p| variable(*p)));
    }

    /// The entries of fronts, by the derivatives of their pieces.
    #[inline(always)]
    fn put_together(&self, matrix: &Matrix, part: &Part, entries: &mut Vec<Lane>) {
        let Condensed { plan, unknowns, .. } = &part.front;
        entries.clear();
        entries.resize(plan.parts[3] + 1, ZERO);
        for piece in 0..plan.jacobian.len() {
            let numbers: [usize; LANES] =
                std::array::from_fn(|lane| self.pieces[part.block(lane)][piece] as usize);
            let first = numbers.map(|number| matrix.jacobian_of(number));
            let second = numbers.map(|number| matrix.hessian_of(number));
            scatter(&plan.jacobian[piece], first, entries);
            scatter(&plan.hessian[piece], second, entries);
        }
        let y = plan.determined.len();
        for i in 0..y + plan.stays().start {
            // y, and w behind it.
            let numbers = unknowns[y + i];
            let entry = &mut entries[plan.diagonal(i)];
            *entry = each(|l| entry[l] + matrix.diagonal[numbers[l] as usize]);
        }
    }
}

/// Adds the derivatives of four pieces where they belong; as many as there are.
#[inline(always)]
fn scatter(places: &[[u32; 2]], from: [&[f64]; LANES], entries: &mut [Lane]) {
    let [a, b, c, d] = from;
    let all = a.iter().zip(b).zip(c.iter().zip(d));
    for (at, ((a, b), (c, d))) in places.iter().zip(all) {
        let values = [*a, *b, *c, *d];
        for at in at {
            let entry = &mut entries[*at as usize];
            *entry = each(|l| entry[l] + values[l]);
        }
    }
}
