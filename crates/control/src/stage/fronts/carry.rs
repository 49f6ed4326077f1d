//! What a front leaves to the one before it, and what that makes of it.
//!
//! What is behind a front is P, a symmetric matrix of the variables of the next block, the shared ones and what waits. They
//! depend on w as T w says: with the rows of Y of those that the front determines, and those of the unit of the others. So
//! R + Tᵀ P T is what w is eliminated from.

use super::super::term::{LANES, Lane};
use super::condensed::{Condensed, Memory};
use super::lanes::{ZERO, blocks, each, renew, total};
use super::plan::Plan;
use rattleback_integrate::Arithmetic;
use rattleback_numeric::{FrontPivots, Inertia};

/// The least part of its column that a pivot may be; where too many wait the other.
const SHARES: [f64; 2] = [1e-4, 1e-11];

/// What a front leaves to the one before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Carry {
    /// P, by rows of blocks.
    pub entries: Vec<Lane>,
    /// The magnitudes that its diagonal was made of.
    pub sizes: Vec<f64>,
    /// What waits, by the numbers of the unknowns.
    pub waiting: Vec<u32>,
}

/// One front, after its pairs are solved.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail {
    /// The rows of P and of T of what the front determines, by blocks: nothing else is asked for again.
    behind: Vec<Lane>,
    slopes: Vec<Lane>,
    /// What came to wait here, by the numbers of the unknowns.
    pub waiting: Vec<u32>,
    /// What waits on, among w.
    left: Vec<u32>,
    pivots: FrontPivots,
}

/// Memory of a front on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Work {
    /// R of w, with what waits, by rows of blocks, and what its diagonal is made of.
    reduced: Vec<Lane>,
    sizes: Vec<Lane>,
    may: Vec<usize>,
    /// P of what is behind, T, and a row of P T.
    behind: Vec<Lane>,
    slopes: Vec<Lane>,
    product: Vec<Lane>,
    /// w.
    pub known: Vec<Lane>,
    /// What is behind.
    pub carried: Vec<Lane>,
}

/// What the front determines of what is behind: the number there, and the slot.
fn determined(plan: &Plan) -> impl Iterator<Item = (usize, usize)> + '_ {
    let y = plan.determined.len();
    let all = plan.behind.iter().map(|&slot| usize::from(slot));
    all.enumerate().filter(move |(_, slot)| *slot < y)
}

impl Tail {
    /// How many unknowns are behind, and in w.
    fn counts(&self, plan: &Plan) -> [usize; 2] {
        [plan.behind.len(), plan.width()].map(|n| n + self.waiting.len())
    }

    /// R of one front with Tᵀ P T, of which pivots are eliminated, and the rest is left in the place of P; none where too many
    /// would wait.
    #[inline(always)]
    pub fn eliminate<A: Arithmetic>(
        &mut self,
        front: &Condensed,
        lane: usize,
        from: &Memory,
        carry: &mut Carry,
        work: &mut Work,
    ) -> Option<Inertia> {
        let (plan, own) = (&*front.plan, front.plan.width());
        self.waiting.clear();
        self.waiting.append(&mut carry.waiting);
        std::mem::swap(&mut work.behind, &mut carry.entries);
        self.set_slopes(front, lane, work);
        let [_, w] = self.counts(plan);
        let row = blocks(w);
        renew(&mut work.reduced, ZERO, w.next_multiple_of(LANES) * row);
        renew(&mut work.sizes, ZERO, row);
        let (reduced, sizes) = (
            work.reduced.as_flattened_mut(),
            work.sizes.as_flattened_mut(),
        );
        let whole = row * LANES;
        for a in 0..own {
            let of = &from.entries[plan.parts[2] + a * own..][..=a];
            for (b, x) in of.iter().enumerate() {
                reduced[a * whole + b] = x[lane];
                reduced[b * whole + a] = x[lane];
            }
            sizes[a] = from.sizes[a][lane];
        }
        self.add_behind::<A>(plan, &carry.sizes, work);
        let stays = plan.stays();
        work.may.clear();
        let free = 0..plan.free.len();
        work.may.extend((free.end..stays.start).chain(free));
        work.may.extend(own..w);
        let inertia = self.take_pivots(plan, work)?;
        let may = &work.may;
        self.left.clear();
        self.left.extend(may.iter().map(|&i| i as u32));
        let number = |&i: &usize| match i.checked_sub(own) {
            Some(i) => self.waiting[i],
            None => front.unknowns[2 * plan.determined.len() + i][lane],
        };
        carry.waiting.extend(may.iter().map(number));
        let kept = || stays.clone().chain(may.iter().copied());
        let (n, reduced) = (stays.len() + may.len(), work.reduced.as_flattened());
        renew(&mut carry.entries, ZERO, n * blocks(n));
        let rows = carry
            .entries
            .as_flattened_mut()
            .chunks_exact_mut((blocks(n) * LANES).max(1));
        for (i, out) in kept().zip(rows) {
            let row = &reduced[i * whole..(i + 1) * whole];
            out.iter_mut()
                .zip(kept())
                .for_each(|(out, j)| *out = row[j]);
        }
        let sizes = work.sizes.as_flattened();
        carry.sizes.clear();
        carry.sizes.extend(kept().map(|i| sizes[i]));
        Some(inertia)
    }

    /// Eliminates what may be and has pivots; none where too many would wait.
    fn take_pivots(&mut self, plan: &Plan, work: &mut Work) -> Option<Inertia> {
        self.pivots.clear();
        let most = 2 * (plan.determined.len() + plan.others.len());
        let n = work.sizes.len() * LANES;
        let entries = work.reduced.as_flattened_mut();
        let sizes = work.sizes.as_flattened_mut();
        let mut inertia = Inertia::default();
        for share in SHARES {
            inertia += (self.pivots).eliminate(entries, n, &mut work.may, sizes, share);
            if work.may.len() <= most {
                return Some(inertia);
            }
        }
        None
    }

    /// T.
    #[inline(always)]
    fn set_slopes(&mut self, front: &Condensed, lane: usize, work: &mut Work) {
        let (plan, y) = (&*front.plan, front.plan.determined.len());
        let [n, w] = self.counts(plan);
        let width = blocks(w) * LANES;
        renew(&mut work.slopes, ZERO, n * blocks(w));
        let slopes = work.slopes.as_flattened_mut();
        for (i, &slot) in plan.behind.iter().enumerate() {
            let (row, slot) = (&mut slopes[i * width..(i + 1) * width], usize::from(slot));
            if slot < y {
                let out = row[plan.free.len()..].iter_mut();
                out.zip(front.row(slot, lane)).for_each(|(out, t)| *out = t);
            } else {
                row[slot - y] = 1.0;
            }
        }
        for i in plan.behind.len()..n {
            slopes[i * width + plan.width() + i - plan.behind.len()] = 1.0;
        }
        keep(&mut self.slopes, plan, &work.slopes, blocks(w));
        keep(&mut self.behind, plan, &work.behind, blocks(n));
    }

    /// R ← R + Tᵀ P T.
    #[inline(always)]
    fn add_behind<A: Arithmetic>(&self, plan: &Plan, made_of: &[f64], work: &mut Work) {
        let [n, w] = self.counts(plan);
        let (row, behind) = (blocks(w), blocks(n));
        for (i, slopes) in work.slopes.chunks_exact(row.max(1)).enumerate() {
            let weights = work.behind[i * behind..(i + 1) * behind].as_flattened();
            renew(&mut work.product, ZERO, row);
            for (by, slopes) in weights.iter().zip(work.slopes.chunks_exact(row)) {
                A::add_scaled(&mut work.product, [*by; LANES], slopes);
            }
            let own = slopes.as_flattened().iter();
            for (out, by) in work.reduced.chunks_exact_mut(row).zip(own) {
                A::add_scaled(out, [*by; LANES], &work.product);
            }
            let made = slopes.iter().zip(&work.product);
            for (size, (a, b)) in work.sizes.iter_mut().zip(made) {
                *size = each(|l| size[l] + (a[l] * b[l]).abs());
            }
        }
        let sizes = work.sizes.as_flattened_mut();
        for (i, a) in self.others(plan) {
            sizes[a] = sizes[a].max(made_of[i]);
        }
    }

    /// From what is behind, and what the front adds to w, to what is left for the front before it. At first `known` is w
    /// without what waits, and `carried` what is behind.
    #[inline(always)]
    pub fn solve_lower<A: Arithmetic>(
        &self,
        front: &Condensed,
        lane: usize,
        b: &mut [f64],
        work: &mut Work,
    ) {
        let plan = &*front.plan;
        let y = plan.determined.len();
        let [n, w] = self.counts(plan);
        let (row, behind) = (blocks(w), blocks(n));
        work.known.resize(row, ZERO);
        // c − P y₀.
        let behind = self.behind.chunks_exact(behind.max(1));
        for ((_, slot), row) in determined(plan).zip(behind) {
            let by = -b[front.unknowns[slot][lane] as usize];
            A::add_scaled(&mut work.carried, [by; LANES], row);
        }
        let carried = work.carried.as_flattened();
        for (i, slot) in determined(plan) {
            b[front.unknowns[y + slot][lane] as usize] += carried[i];
        }
        let slopes = self.slopes.chunks_exact(row.max(1));
        for ((i, _), slopes) in determined(plan).zip(slopes) {
            A::add_scaled(&mut work.known, [carried[i]; LANES], slopes);
        }
        let known = work.known.as_flattened_mut();
        for (i, a) in self.others(plan) {
            known[a] += carried[i];
        }
        self.pivots.solve_lower(known);
        self.write(front, lane, b, known);
        let (stays, left) = (plan.stays(), self.left.len());
        renew(&mut work.carried, ZERO, blocks(stays.len() + left));
        let carried = work.carried.as_flattened_mut();
        carried[..stays.len()].copy_from_slice(&known[stays.clone()]);
        let waits = carried[stays.len()..].iter_mut().zip(&self.left);
        waits.for_each(|(out, &i)| *out = known[i as usize]);
    }

    /// w, where the variables of the block that earlier pieces reach (`carried`, so many), the shared ones and what waits on is
    /// known; then `known` is w, and `carried` the variables of the next block.
    #[inline(always)]
    pub fn solve_upper<A: Arithmetic>(
        &self,
        front: &Condensed,
        lane: usize,
        b: &mut [f64],
        work: &mut Work,
    ) {
        let plan = &*front.plan;
        let (y, own) = (plan.determined.len(), plan.width());
        let [n, w] = self.counts(plan);
        let (row, behind) = (blocks(w), blocks(n));
        let (stays, here) = (plan.stays(), plan.here);
        renew(&mut work.known, ZERO, row);
        let known = work.known.as_flattened_mut();
        let numbers = &front.unknowns[2 * y..2 * y + own];
        for (x, at) in known.iter_mut().zip(numbers) {
            *x = b[at[lane] as usize];
        }
        known[stays.start..stays.start + here]
            .copy_from_slice(&work.carried.as_flattened()[..here]);
        for (x, &at) in known[own..].iter_mut().zip(&self.waiting) {
            *x = b[at as usize];
        }
        self.pivots.solve_upper(known);
        self.write(front, lane, b, known);
        // T w.
        renew(&mut work.carried, ZERO, behind);
        let carried = work.carried.as_flattened_mut();
        let slopes = self.slopes.chunks_exact(row.max(1));
        for ((i, _), slopes) in determined(plan).zip(slopes) {
            carried[i] = total(A::sum_of_products(slopes, &work.known));
        }
        let known = work.known.as_flattened();
        for (i, a) in self.others(plan) {
            carried[i] = known[a];
        }
        // − P T w, and y₀ + Y w.
        let rows = self.behind.chunks_exact(behind.max(1));
        for ((_, slot), row) in determined(plan).zip(rows) {
            let change = total(A::sum_of_products(row, &work.carried));
            b[front.unknowns[y + slot][lane] as usize] -= change;
        }
        let carried = work.carried.as_flattened_mut();
        for (i, slot) in determined(plan) {
            carried[i] += b[front.unknowns[slot][lane] as usize];
        }
    }

    /// What the front does not determine of what is behind: the number there, and that among w.
    fn others<'p>(&'p self, plan: &'p Plan) -> impl Iterator<Item = (usize, usize)> + 'p {
        let y = plan.determined.len();
        let all = plan.behind.iter().enumerate();
        let own = all.filter_map(move |(i, &slot)| Some((i, usize::from(slot).checked_sub(y)?)));
        let (first, w) = (plan.behind.len(), plan.width());
        own.chain((0..self.waiting.len()).map(move |i| (first + i, w + i)))
    }

    /// What is eliminated here, and what came to wait.
    #[inline(always)]
    fn write(&self, front: &Condensed, lane: usize, b: &mut [f64], known: &[f64]) {
        let plan = &*front.plan;
        let numbers = &front.unknowns[2 * plan.determined.len()..][..plan.stays().start];
        for (at, x) in numbers.iter().zip(known) {
            b[at[lane] as usize] = *x;
        }
        for (&at, x) in self.waiting.iter().zip(&known[plan.width()..]) {
            b[at as usize] = *x;
        }
    }
}

/// Keeps the rows of what is determined.
fn keep(rows: &mut Vec<Lane>, plan: &Plan, all: &[Lane], width: usize) {
    rows.clear();
    rows.reserve_exact(determined(plan).count() * width);
    for (i, _) in determined(plan) {
        rows.extend_from_slice(&all[i * width..(i + 1) * width]);
    }
}
