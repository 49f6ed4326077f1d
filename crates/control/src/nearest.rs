//! The state of rest nearest to a state: in the frame of symmetries a steady motion.

use crate::equilibrium::{Rest, rest_from};
use crate::error::EquilibriumError;
use crate::point::StatePoint;
use crate::reach::{Reach, Scaling};
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::System;
use rattleback_numeric::tolerance::ROUNDING;
use rattleback_numeric::{largest_entry, least_squares};
use std::cell::Cell;

/// Searches begun elsewhere than at the start, and directions of all of them together: large systems take long.
const MOST_SEARCHES: usize = 96;
const MOST_DIRECTIONS: usize = 4000;
/// Shares of the distance of the state that is known at which searches begin.
const SHARES: [f64; 3] = [0.35, 0.7, 1.0];
/// A nearer one is nearer by this part.
const NEARER: f64 = 1e-6;

/// Is something so far away nearer than something else?
pub(crate) fn is_nearer(away: f64, than: f64) -> bool {
    away < than * (1.0 - NEARER)
}

/// Families that are met farther away than so many times the nearest state are left.
const WITHIN: f64 = 3.0;
/// Descents on the ways along families, all together.
pub(crate) const MOST_DESCENTS: usize = 200;
/// Steps along a family towards its nearest member, and the part of the distance that is none.
const MOST_SLIDES: usize = 40;
const ARRIVED: f64 = 1e-9;
/// Parts of such a step that are tried.
const PARTS: [[f64; 2]; 2] = [[1.0, 0.5], [0.25, 0.125]];
/// How much more the family counts than the distance in a step along it.
const WEIGHT: f64 = 1e6;
/// The part of slopes along a family that is rounding.
const FLAT: f64 = 1e-10;

/// A search for states at which nothing moves.
pub(crate) struct Nearest<'a> {
    /// The system.
    pub system: &'a System,
    /// Its rates.
    pub linearizer: &'a Linearizer,
    /// The inputs with which a search begins at a state.
    pub inputs: &'a dyn Fn(&StatePoint) -> Result<Vec<f64>, LinearizationError>,
    /// The first directions, so many, are looked along for others.
    pub around: usize,
    /// Descents that are left.
    pub left: Cell<usize>,
}

impl Nearest<'_> {
    /// The nearest to `from` among those that searches from there, from another state and from around it find, until none finds a
    /// nearer one: least squares end anywhere, and where they end first need not be near.
    pub fn to(&self, from: &StatePoint, other: &StatePoint) -> Result<Rest, EquilibriumError> {
        let far = match largest_entry(&from.state) {
            0.0 => 1.0,
            size => size,
        };
        let first = self.search(from, from, f64::INFINITY);
        let mut best = first.as_ref().ok().cloned();
        if let Ok(found) = self.search(other, from, f64::INFINITY) {
            let away = found.point.away(from);
            let is_better = |best: &Rest| is_nearer(away, best.point.away(from));
            if best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
        }
        let most = MOST_SEARCHES.min(MOST_DIRECTIONS / self.linearizer.directions().max(1));
        let mut searches = 0;
        loop {
            let known = best.as_ref().map_or(far, |found| found.point.away(from));
            if known == 0.0 {
                break;
            }
            let own = Reach::of(self.system, from, &[]);
            let around = directions(own.of_directions(), self.around, known);
            let starts = around.iter();
            let starts = starts.flat_map(|e| SHARES.map(|share| scaled(e, share)));
            let mut starts = starts.take(most - searches);
            let nearer = starts.find_map(|by| {
                searches += 1;
                let start = from.displaced(self.system, &by);
                let within = best.as_ref().map_or(f64::INFINITY, |_| WITHIN * known);
                let found = self.search(&start, from, within).ok()?;
                let is_better = best.is_none() || is_nearer(found.point.away(from), known);
                is_better.then_some(found)
            });
            match nearer {
                Some(found) => best = Some(found),
                None => break,
            }
        }
        best.map_or(first, Ok)
    }

    /// A state at rest near `start`, with 0 where `from` has it and the search has left rounding, if it is at rest as well.
    fn rest(
        &self,
        start: &StatePoint,
        inputs: &[f64],
        from: &StatePoint,
    ) -> Result<Rest, EquilibriumError> {
        let mut found = rest_from(self.system, self.linearizer, start, inputs)?;
        let own = Reach::of(self.system, from, inputs);
        found.reach.extend(&own);
        let noise = f64::EPSILON * largest_entry(&found.point.state);
        let entries = found.point.state.iter().zip(&from.state);
        let state = entries.map(|(x, from)| match *from == 0.0 && x.abs() <= noise {
            true => 0.0,
            false => *x,
        });
        let state: Vec<f64> = state.collect();
        let rest = self
            .linearizer
            .rest(found.point.time, &state, &found.inputs);
        let is_at_rest =
            rest.is_ok_and(|(rates, slopes)| found.reach.explains(&rates, &slopes, f64::EPSILON));
        if is_at_rest {
            found.point.state = state;
        }
        Ok(found)
    }

    /// The member nearest to `to` of the family that a search from `start` finds, if that meets it no farther than `within`.
    fn search(
        &self,
        start: &StatePoint,
        to: &StatePoint,
        within: f64,
    ) -> Result<Rest, EquilibriumError> {
        let inputs = (self.inputs)(start)?;
        let mut at = self.rest(start, &inputs, to)?;
        if at.point.away(to) > within {
            return Ok(at);
        }
        for _ in 0..MOST_SLIDES {
            match self.slid(&at, to)? {
                Some(nearer) => at = nearer,
                None => break,
            }
        }
        Ok(at)
    }

    /// A nearer member of the family.
    fn slid(&self, at: &Rest, to: &StatePoint) -> Result<Option<Rest>, LinearizationError> {
        let away = at.point.away(to);
        let Some(step) = self.slide(at, to)? else {
            return Ok(None);
        };
        let (by, turned) = step.split_at(self.linearizer.directions());
        if by.iter().map(|d| d * d).sum::<f64>().sqrt() <= ARRIVED * away {
            return Ok(None);
        }
        let moved = |share: &f64| {
            self.left.set(self.left.get().checked_sub(1)?);
            let start = at.point.displaced(self.system, &scaled(by, *share));
            let inputs = at.inputs.iter().zip(turned).map(|(u, d)| u + share * d);
            let inputs: Vec<f64> = inputs.collect();
            let found = self.rest(&start, &inputs, to).ok()?;
            Some((found.point.away(to), found))
        };
        // The step knows nothing of how the family bends: the better of two.
        let nearer = PARTS.iter().find_map(|parts| {
            let found = parts.iter().filter_map(moved);
            let best = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
            (best.0 < away).then_some(best.1)
        });
        Ok(nearer)
    }

    /// The step d that leaves the state at rest, J d + f = 0, and makes |ρ d + z − z₀| least; none where it is alone.
    fn slide(&self, at: &Rest, to: &StatePoint) -> Result<Option<Vec<f64>>, LinearizationError> {
        let StatePoint { time, state, .. } = &at.point;
        let (values, slopes) = self.linearizer.rest(*time, state, &at.inputs)?;
        let (rows, _) = at.reach.scales(&slopes, Scaling::Rows);
        let anchor = self.linearizer.anchor(*time, state, &at.inputs)?;
        let sections = self.system.frame().rank();
        let n = self.linearizer.directions() + at.inputs.len();
        let weighted = |(x, w): (&f64, &f64)| -WEIGHT * w * x;
        let mut matrix: Vec<f64> = Vec::with_capacity((slopes.len() + state.len()) * n);
        for (row, w) in slopes.iter().zip(&rows) {
            matrix.extend(row.iter().map(|a| WEIGHT * w * a));
        }
        let mut right: Vec<f64> = values.iter().zip(&rows).map(weighted).collect();
        if least_squares(&matrix, n, &right, FLAT).rank == n {
            return Ok(None);
        }
        for i in 0..state.len() {
            let mut row = vec![0.0; n];
            match anchor.get(i) {
                Some(along) => row[..sections].copy_from_slice(along),
                None => row[sections + i - anchor.len()] = 1.0,
            }
            matrix.extend(row);
        }
        right.extend(state.iter().zip(&to.state).map(|(z, to)| to - z));
        Ok(Some(least_squares(&matrix, n, &right, ROUNDING).solution))
    }
}

/// Both ways along each of the first directions, so far and as far as the state's own size where that is much less, then along all
/// of them with every pattern of two signs.
fn directions(sizes: &[f64], first: usize, far: f64) -> Vec<Vec<f64>> {
    let along = |entry: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entries = (0..sizes.len()).map(|i| if i < first { entry(i) } else { 0.0 });
        entries.collect()
    };
    let is_small = |size: f64| size > 0.0 && size < 0.1 * far;
    let single = (0..first).flat_map(|k| {
        let own = is_small(sizes[k]).then_some(sizes[k]);
        let lengths = own.into_iter().chain([far]);
        lengths.flat_map(move |length| [(k, length), (k, -length)])
    });
    let single = single.map(|(k, length)| along(&|i| if i == k { length } else { 0.0 }));
    let mixed = if first > 1 { 1..8u32 } else { 0..0 };
    let size = far / (first as f64).sqrt();
    let mixed = mixed.map(|pattern| {
        along(&|i| match (pattern >> (i % 3)) & 1 {
            0 => size,
            _ => -size,
        })
    });
    single.chain(mixed).collect()
}

fn scaled(e: &[f64], size: f64) -> Vec<f64> {
    e.iter().map(|x| x * size).collect()
}
