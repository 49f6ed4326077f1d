//! What a discrete path is between its samples.
//!
//! Meshes that are halved see a function of time at the same places again and again: one that oscillates in step with them
//! looks constant, and all of them agree on a cost that is wrong. And positions that are kept on constraints may get to the
//! other side by that alone. So each interval is looked at between its samples, at the points of Gauss, which no halving
//! meets: with Hermite's cubic through the states and rates of its nodes, is what the state changes by the integral of its rates, and is
//! the cost that of the mesh? And does the path keep its bounds there?

use super::hamiltonian::Hamiltonian;
use super::solve::{Found, Run};
use super::steering::ControlPiece;
use rattleback_integrate::gauss_legendre;

/// How many points of Gauss an interval is looked at.
const POINTS: usize = 4;
/// A step leaps of which more than this part is no motion, and that is longer than this part of the range.
const LEAPS: (f64, f64) = (0.5, 0.05);

/// How many places of an interval bounds are looked at, and by how much of their size they are broken: controls that change over
/// from sample to sample break those of the state by little.
const LOOKS: usize = 16;
const BROKEN: f64 = 0.1;

/// How an interval differs from what is between its samples.
struct Missed {
    /// In its share of the cost.
    cost: f64,
    /// In what each coordinate and component changes by, and that.
    motion: Vec<[f64; 2]>,
    /// Does it break a bound on the state?
    pierced: bool,
}

/// How a path differs from what is between its samples.
pub(super) struct Between {
    /// In the cost of each interval.
    pub costs: Vec<f64>,
    /// In the state, all intervals added up, beside its range.
    pub motion: f64,
    /// Does an interval change positions by something else than motion?
    pub leaps: bool,
    /// Which intervals break a bound on the state that their samples keep?
    pub pierced: Vec<bool>,
}

impl Run<'_> {
    /// Looks between the samples of a path; none where its state is on a group, or it is a map.
    pub(super) fn between(&self, found: &Found) -> Option<Between> {
        let posed = &self.transcriber.posed;
        if posed.plant.factors().iter().any(|f| f.group.is_some()) {
            return None;
        }
        let h = Hamiltonian::of(posed)?;
        let (t, at) = (&found.transcription, &found.outcome.iterate.point);
        let times = self.transcriber.node_times(t, at);
        let steering = self.transcriber.steering(t, at);
        let free = self.transcriber.free_values(t, at);
        let n = t.mesh.intervals();
        let states: Vec<Vec<f64>> = (0..=n)
            .map(|k| self.transcriber.state_at(t, at, k))
            .collect();
        // A bound at zero is measured by how far the path goes from it.
        let room = |k: usize| {
            let own: Vec<f64> = steering.iter().map(|of| of[k.min(n - 1)][0]).collect();
            h.room(times[k], &states[k], &free, &own)
        };
        let mut sizes: Vec<f64> = h.limits().collect();
        let rooms: Vec<Vec<f64>> = (0..=n).map(room).collect::<Option<_>>()?;
        for (i, size) in sizes.iter_mut().enumerate().filter(|(_, s)| **s == 0.0) {
            *size = rooms.iter().map(|r| r[i]).fold(0.0, f64::max);
        }
        let missed = |k: usize| {
            let pieces: Vec<&ControlPiece> = steering.iter().map(|of| &of[k]).collect();
            // The start is the first piece.
            let share = t.problem.values_of(k + 1, at)?[0];
            let ends = [&states[k][..], &states[k + 1]];
            let (mut missed, room) =
                interval(&h, [times[k], times[k + 1]], ends, &free, &pieces, share)?;
            missed.pierced = is_pierced(&sizes, &room);
            Some(missed)
        };
        let all: Vec<Missed> = (0..n).map(missed).collect::<Option<_>>()?;
        let ranges = super::refinement::ranges(&states);
        let part = |m: &Missed, i: usize| m.motion[i][0].abs() / ranges[i];
        let sums = (0..ranges.len()).map(|i| all.iter().map(|m| part(m, i)).sum());
        let leaps = |m: &Missed, i: usize| {
            let [off, step] = m.motion[i].map(f64::abs);
            off > LEAPS.0 * step && step > LEAPS.1 * ranges[i]
        };
        let positions = posed.plant.base().len();
        Some(Between {
            costs: all.iter().map(|m| m.cost).collect(),
            motion: sums.fold(0.0, f64::max),
            pierced: all.iter().map(|m| m.pierced).collect(),
            leaps: all.iter().any(|m| (0..positions).any(|i| leaps(m, i))),
        })
    }
}

/// What an interval misses, and the room to the bounds at places inside; none where rates have no value.
fn interval(
    h: &Hamiltonian,
    times: [f64; 2],
    ends: [&[f64]; 2],
    free: &[f64],
    steering: &[&ControlPiece],
    share: f64,
) -> Option<(Missed, Vec<Vec<f64>>)> {
    let width = times[1] - times[0];
    let controls = |s: f64| -> Vec<f64> {
        let value = |c: &&ControlPiece| c.iter().rev().fold(0.0, |sum, c| sum * s * width + c);
        steering.iter().map(value).collect()
    };
    let rates = |s: f64, x: &[f64]| h.rates_at(times[0] + s * width, x, free, &controls(s));
    let [first, last] = [rates(0.0, ends[0])?.0, rates(1.0, ends[1])?.0];
    let hermite = |s: f64, i: usize| {
        let (a, b) = (ends[0][i], ends[1][i]);
        let (r, q) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
        a + r * (b - a) + width * q * ((1.0 - s) * first[i] - s * last[i])
    };
    let n = first.len();
    let state = |s: f64| -> Vec<f64> { (0..n).map(|i| hermite(s, i)).collect() };
    let mut cost = -share;
    let mut motion: Vec<[f64; 2]> = (0..n).map(|i| [ends[1][i] - ends[0][i]; 2]).collect();
    for (s, weight) in gauss_legendre(POINTS) {
        let (rates, running) = rates(s, &state(s))?;
        cost += weight * width * running;
        for (of, rate) in motion.iter_mut().zip(&rates) {
            of[0] -= weight * width * rate;
        }
    }
    let room = |s: f64| h.room(times[0] + s * width, &state(s), free, &controls(s));
    let inside = (1..LOOKS).map(|k| room(k as f64 / LOOKS as f64));
    let missed = Missed {
        cost,
        motion,
        pierced: false,
    };
    Some((missed, inside.collect::<Option<_>>()?))
}

/// Is a bound on the state broken inside of an interval?
fn is_pierced(sizes: &[f64], inside: &[Vec<f64>]) -> bool {
    let is_broken = |room: &Vec<f64>| {
        let mut all = room.iter().zip(sizes);
        all.any(|(room, size)| -room > BROKEN * size)
    };
    inside.iter().any(is_broken)
}
