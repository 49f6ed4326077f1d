//! Whether a least cost is that of a mean of controls, which no control attains.
//!
//! Two values of the controls that change over fast enough move the state as their mean does: w f(a) + (1 − w) f(b), at the
//! mean of the costs. With a, b and the weight w as controls the problem has a solution where the problem itself may have none
//! (relaxation). A minimum of it that mixes two values and is strict in its states is approached by controls that change over
//! more and more often, as its conditions are independent, and attained by none near it: the weight follows from the path.
//! Where another path costs as much it may need no mixing, and nothing is told.

use super::error::PoseError;
use super::extract::Trajectory;
use super::hamiltonian::Hamiltonian;
use super::needle::nearby;
use super::node::local;
use super::path::Path;
use super::posed::{Bounded, Posed, SimpleBound};
use super::refinement::Limit;
use super::sample::{Sample, Where};
use super::solve::{Found, Request, Run, Solved, Status, solve_by};
use crate::stage::Watch;
use rattleback_mechanics::Origin;
use rattleback_symbolic::{Expr, Symbol};

/// Weights nearer to none or all, and values that differ by less, beside 1 + their size, are no mixture.
const MIXED: f64 = 0.05;
/// The part of the time over which values are mixed at least.
const LASTING: f64 = 0.1;

/// The mean that the least cost near a path is that of, if there is one.
pub(super) fn of(
    posed: &Posed,
    near: &Solved,
    request: &Request,
    watch: &dyn Watch,
) -> Result<Option<Limit>, PoseError> {
    let Some(guess) = guess(posed, near) else {
        return Ok(None);
    };
    let request = Request {
        guess: Some(guess),
        ..request.clone()
    };
    let strict = |run: &Run, found: &Found| run.is_strict_in_states(found);
    let (found, strict) = solve_by(posed.relaxed(), &request, watch, strict)?;
    let found = found.solution;
    let reached = found.cost.zip(near.solution.cost);
    let cheaper = reached.filter(|(mean, cost)| mean <= cost);
    let mixes = mixing(&found.trajectory) > LASTING;
    let told = found.status == Status::Solved && strict && mixes;
    Ok(cheaper.filter(|_| told).map(|(mean, _)| Limit::Mean(mean)))
}

/// The path with two values of the controls at each node, its own and the best of those nearby, half of each.
fn guess(posed: &Posed, near: &Solved) -> Option<Path> {
    let h = Hamiltonian::of(posed)?;
    let (path, free) = (&near.solution.trajectory, &near.solution.free);
    let mut way: Option<Vec<f64>> = None;
    let mut pair = |k: usize| {
        let place = (
            path.times[k],
            &path.states[k][..],
            &free[..],
            &path.costates[k][..],
        );
        let own = &path.controls[k];
        let others = nearby(path, k).map(|j| &path.controls[j]);
        let others = others.filter(|u| is_apart(u, own));
        let best = others.max_by(|a, b| h.at(place, a).total_cmp(&h.at(place, b)));
        let other = best.unwrap_or(own);
        // Which of the two is the first is the same all along.
        let between: Vec<f64> = own.iter().zip(other).map(|(a, b)| a - b).collect();
        let along = |way: &[f64]| way.iter().zip(&between).map(|(a, b)| a * b).sum::<f64>();
        let turned = way.as_deref().is_some_and(|way| along(way) < 0.0);
        if best.is_some() && way.is_none() {
            way = Some(between.clone());
        }
        let (first, second) = if turned { (other, own) } else { (own, other) };
        [&first[..], &second[..], &[0.5]].concat()
    };
    let controls = (0..path.times.len()).map(&mut pair).collect();
    way.is_some().then(|| Path {
        times: path.times.clone(),
        states: path.states.clone(),
        controls,
        free: free.clone(),
    })
}

/// Do two values of the controls differ?
fn is_apart(a: &[f64], b: &[f64]) -> bool {
    let mut both = a.iter().zip(b);
    both.any(|(a, b)| (a - b).abs() > MIXED * (1.0 + a.abs().max(b.abs())))
}

/// The part of the time over which two values are mixed.
fn mixing(path: &Trajectory) -> f64 {
    let mixes = |k: usize| {
        let (u, m) = (&path.controls[k], path.controls[k].len() / 2);
        let weight = u[2 * m];
        weight.min(1.0 - weight) > MIXED && is_apart(&u[..m], &u[m..2 * m])
    };
    let n = path.times.len() - 1;
    let both = (0..n).filter(|&k| mixes(k) && mixes(k + 1));
    let lasts: f64 = both.map(|k| path.times[k + 1] - path.times[k]).sum();
    lasts / (path.times[n] - path.times[0])
}

impl Posed {
    /// The problem with a mean of two values for the controls.
    fn relaxed(&self) -> Self {
        let plant = &self.plant;
        let named = |tag: &str| -> Vec<Symbol> {
            let controls = plant.controls.iter();
            controls.map(|u| local(&u.to_string(), tag)).collect()
        };
        let [a, b] = ["_a", "_b"].map(named);
        let weight = local("weight", "_ab");
        let at = |u: &[Symbol], tag: &str| {
            let place = Where {
                base: plant.base().iter().map(Expr::from).collect(),
                components: plant
                    .components
                    .iter()
                    .map(|c| Expr::from(&c.symbol))
                    .collect(),
                controls: Some(u.iter().map(Expr::from).collect()),
                time: Symbol::time().into(),
            };
            Sample::of(self, &place, tag)
        };
        let [first, second] = [at(&a, "_a"), at(&b, "_b")];
        let w = Expr::from(&weight);
        let mean = |x: &Expr, y: &Expr| match x == y {
            true => x.clone(),
            false => &w * x + (Expr::one() - &w) * y,
        };
        let means = |x: &[Expr], y: &[Expr]| x.iter().zip(y).map(|(x, y)| mean(x, y)).collect();
        let mut relaxed = self.clone();
        relaxed.plant.velocity = means(&first.velocity, &second.velocity);
        relaxed.plant.rates = means(&first.rates, &second.rates);
        relaxed.plant.cost = mean(&first.cost, &second.cost);
        relaxed.plant.stages = [first.stages, second.stages].concat();
        relaxed.plant.controls = [&a[..], &b[..], &[weight]].concat();
        relaxed.guesses.retain(|(s, _)| !plant.controls.contains(s));
        let own = &self.start.controls;
        relaxed.start.controls = [&own[..], own, &[0.5]].concat();
        relaxed.simple.extend(self.twin_bounds());
        relaxed
    }

    /// The bounds of the second value and of the weight.
    fn twin_bounds(&self) -> Vec<SimpleBound> {
        let m = self.plant.controls.len();
        let twin = |bound: &SimpleBound| match bound.on {
            Bounded::Control(i) => Some(SimpleBound {
                on: Bounded::Control(m + i),
                ..bound.clone()
            }),
            _ => None,
        };
        let weight = SimpleBound {
            on: Bounded::Control(2 * m),
            lower: 0.0,
            upper: 1.0,
            origin: Origin::Control(0),
        };
        let twins = self.simple.iter().filter_map(twin);
        twins.chain([weight]).collect()
    }
}
