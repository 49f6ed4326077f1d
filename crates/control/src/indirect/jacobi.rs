//! Jacobi fields along an extremal, and how many conjugate points they tell on each interval.
//!
//! With δx = X, δp = P for unit changes of the costates at the start and the map δx⁺ = A δx + B δp of an interval without
//! conjugate points of its own, the second variation over both parts is M = P X⁻¹ + B⁻¹A = B⁻¹ X⁺ X⁻¹, which is symmetric.
//! By Morse's index theorem there are as many conjugate points on the interval, each as often as its kernel has
//! dimensions, as M has negative eigenvalues: also where the determinant of X does not change its sign.

use super::collocation::Iterate;
use super::conjugate::Undetermined;
use super::field::Field;
use rattleback_numeric::{Dense, Inertia, Ldlt};

/// How far M may be from symmetric, beside its size, to be trusted.
const ASKEW: f64 = 1e-2;
/// Into how many steps an interval with a conjugate point is cut, and how often the one that has it is halved.
const STEPS: (usize, usize) = (64, 44);

/// Maps and states along an extremal.
pub(super) struct Jacobi<'a> {
    times: &'a [f64],
    rows: &'a [Vec<f64>],
    /// The map of each interval, of states and costates.
    maps: Vec<Dense>,
    /// Changes of state and costate at each node, by columns for unit changes of the costates at the start.
    changes: Vec<Dense>,
}

/// Conjugate points between two nodes.
pub(super) struct Crossing {
    from: usize,
    to: usize,
    count: usize,
}

impl<'a> Jacobi<'a> {
    pub fn of(field: &Field, iterate: &Iterate, times: &'a [f64], rows: &'a [Vec<f64>]) -> Self {
        let moving = field.states + field.costates;
        let maps: Vec<Dense> = (iterate.maps.iter().flatten())
            .map(|map| Dense::new(moving, moving, |i, j| map[i * moving + j]))
            .collect();
        let mut changes = vec![unit_costates(field)];
        for map in &maps {
            let next = changes.last().map(|last| map * last);
            changes.extend(next);
        }
        Self {
            times,
            rows,
            maps,
            changes,
        }
    }

    /// X and P at the end, by rows.
    pub fn last(&self, field: &Field) -> Option<(Vec<f64>, Vec<f64>)> {
        let (change, y) = (self.changes.last()?, self.rows.last()?);
        let p = costate_part(field, change);
        Some((
            directions(field, y, change).entries().to_vec(),
            p.entries().to_vec(),
        ))
    }

    /// The stretches between nodes with conjugate points.
    pub fn crossings(&self, field: &Field) -> Result<Vec<Crossing>, Undetermined> {
        let x = |k: usize| directions(field, &self.rows[k], &self.changes[k]);
        let last = self.maps.len();
        // Near the start X is lost in rounding; so is what is conjugate there.
        let first = (1..=last).find(|&k| is_regular(&x(k)));
        let mut from = first.ok_or(Undetermined::Uncontrollable)?;
        let mut found = Vec::new();
        let mut map: Option<Dense> = None;
        for to in from + 1..=last {
            let whole = match &map {
                None => self.maps[to - 1].clone(),
                Some(before) => &self.maps[to - 1] * before,
            };
            let reached = directions(field, &self.rows[to], &(&whole * &unit_costates(field)));
            // A node on a conjugate point is passed by.
            match negative(&reached, &x(to), &x(from)).filter(|_| is_regular(&x(to))) {
                Some(count) => {
                    if count > 0 {
                        found.push(Crossing { from, to, count });
                    }
                    (from, map) = (to, None);
                }
                None => map = Some(whole),
            }
        }
        match from == last {
            true => Ok(found),
            false => Err(Undetermined::Rounding),
        }
    }

    /// The times of conjugate points on a stretch: the motion and its changes are followed with small steps, and the step
    /// that brings a negative eigenvalue is halved. None where they are not found there: near the start of a system with
    /// fewer controls than directions X falls as a power of time, and signs of what rounding leaves of it are no points.
    pub fn refined(&self, field: &mut Field, theta: &[f64], on: &Crossing) -> Option<Vec<f64>> {
        let (a, b) = (self.times[on.from], self.times[on.to]);
        let x = directions(field, &self.rows[on.from], &self.changes[on.from]);
        let mut steps = vec![Along {
            time: a,
            y: self.rows[on.from].clone(),
            change: self.changes[on.from].clone(),
            reached: unit_costates(field),
        }];
        let h = (b - a) / STEPS.0 as f64;
        for k in 0..STEPS.0 {
            let next = steps[k].followed(field, theta, h)?;
            steps.push(next);
        }
        let mut found = Vec::new();
        let mut seen = 0;
        for pair in steps.windows(2) {
            let count = |at: &Along, field: &Field| at.negative(field, &x);
            // The first steps say nothing: B is lost in rounding there.
            let Some(now) = count(&pair[1], field) else {
                continue;
            };
            for wanted in seen + 1..=now {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..STEPS.1 {
                    let middle = (low + high) / 2.0;
                    let at = pair[0].followed(field, theta, middle);
                    match at.and_then(|at| count(&at, field)) {
                        Some(n) if n >= wanted => high = middle,
                        _ => low = middle,
                    }
                }
                found.push(pair[0].time + high);
            }
            seen = seen.max(now);
        }
        (found.len() == on.count).then_some(found)
    }
}

/// A motion with its changes.
struct Along {
    time: f64,
    y: Vec<f64>,
    /// For unit changes of the costates at the start of the extremal.
    change: Dense,
    /// For unit changes of the costates at the node before.
    reached: Dense,
}

impl Along {
    fn negative(&self, field: &Field, x: &Dense) -> Option<usize> {
        let b = directions(field, &self.y, &self.reached);
        negative(&b, &directions(field, &self.y, &self.change), x)
    }

    /// One step of the classical rule of Runge and Kutta, for the motion and its changes.
    fn followed(&self, field: &mut Field, theta: &[f64], h: f64) -> Option<Self> {
        let mut rates: Vec<[Dense; 3]> = Vec::new();
        for share in [0.0, 0.5, 0.5, 1.0] {
            let at = match rates.last() {
                None => self.moved(&[], 0.0),
                Some(rate) => self.moved(&[(1.0, rate)], share * h),
            };
            rates.push(at.rates(field, theta, self.time + share * h)?);
        }
        let weights = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
        let all: Vec<(f64, &[Dense; 3])> = weights.into_iter().zip(&rates).collect();
        Some(self.moved(&all, h))
    }

    fn moved(&self, rates: &[(f64, &[Dense; 3])], h: f64) -> Self {
        let mut next = Self {
            time: self.time + h,
            y: self.y.clone(),
            change: self.change.clone(),
            reached: self.reached.clone(),
        };
        for (weight, [y, change, reached]) in rates {
            let part = h * weight;
            let moved = next.y.iter_mut().zip(y.entries());
            moved.for_each(|(x, r)| *x += part * r);
            next.change = &next.change + &change.scaled(part);
            next.reached = &next.reached + &reached.scaled(part);
        }
        next
    }

    fn rates(&self, field: &mut Field, theta: &[f64], t: f64) -> Option<[Dense; 3]> {
        let (f, slopes) = field.slopes(t, &self.y, theta)?;
        let moving = field.states + field.costates;
        let columns = slopes.len() / f.len();
        let by_state = Dense::new(moving, moving, |i, j| slopes[i * columns + 1 + j]);
        Some([
            Dense::new(f.len(), 1, |i, _| f[i]),
            &by_state * &self.change,
            &by_state * &self.reached,
        ])
    }
}

/// Unit changes of the costates, none of the states.
fn unit_costates(field: &Field) -> Dense {
    let (states, n) = (field.states, field.costates);
    Dense::new(states + n, n, |i, j| f64::from(u8::from(i == states + j)))
}

fn costate_part(field: &Field, change: &Dense) -> Dense {
    let (states, n) = (field.states, field.costates);
    Dense::new(n, n, |i, j| change.entries()[(states + i) * n + j])
}

/// The changes of the state in independent directions: group elements in their trivialised velocities.
fn directions(field: &Field, y: &[f64], change: &Dense) -> Dense {
    let (states, n) = (field.states, field.costates);
    let column =
        |j: usize| -> Vec<f64> { (0..states).map(|i| change.entries()[i * n + j]).collect() };
    let columns: Vec<Vec<f64>> = (0..n).map(|j| field.directions(y, &column(j))).collect();
    Dense::new(n, n, |i, j| columns[j][i])
}

/// How many negative eigenvalues B⁻¹ X⁺ X⁻¹ has; none where rounding hides it.
fn negative(b: &Dense, after: &Dense, before: &Dense) -> Option<usize> {
    let n = b.rows();
    let left = b.solve(after).ok()?;
    // M X = B⁻¹X⁺: Xᵀ Mᵀ = (B⁻¹X⁺)ᵀ.
    let m = before.transposed().solve(&left.transposed()).ok()?;
    let m = m.entries();
    let size: Vec<f64> = (0..n).map(|i| m[i * n + i].abs().sqrt()).collect();
    if size.iter().any(|s| *s == 0.0 || !s.is_finite()) {
        return None;
    }
    let scaled = |i: usize, j: usize| m[i * n + j] / (size[i] * size[j]);
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let askew = pairs.fold(0.0, |worst: f64, (i, j)| {
        worst.max((scaled(i, j) - scaled(j, i)).abs())
    });
    if askew.is_nan() || askew > ASKEW {
        return None;
    }
    let entry = |i: usize, j: usize| (scaled(i, j) + scaled(j, i)) / 2.0;
    let Inertia { negative, zero, .. } = Ldlt::new(n).factor(entry).ok()?;
    (zero == 0).then_some(negative)
}

/// Is a matrix invertible beyond rounding, rows and columns of very different size apart?
fn is_regular(matrix: &Dense) -> bool {
    const PIVOT: f64 = 1e-13;
    let n = matrix.rows();
    let mut a = matrix.entries().to_vec();
    for _ in 0..3 {
        for k in 0..n {
            let row = (0..n).fold(0.0_f64, |m, j| m.max(a[k * n + j].abs()));
            if row == 0.0 || !row.is_finite() {
                return false;
            }
            (0..n).for_each(|j| a[k * n + j] /= row);
        }
        for k in 0..n {
            let column = (0..n).fold(0.0_f64, |m, i| m.max(a[i * n + k].abs()));
            if column == 0.0 || !column.is_finite() {
                return false;
            }
            (0..n).for_each(|i| a[i * n + k] /= column);
        }
    }
    let mut pivots = vec![0.0; n];
    rattleback_numeric::complete_pivots(&mut a, n, &mut pivots);
    pivots.iter().all(|p| p.abs() > PIVOT)
}

impl Field {
    /// The independent directions of a change of the state.
    fn directions(&self, y: &[f64], change: &[f64]) -> Vec<f64> {
        let base = self.system.frame().base().len();
        let mut found = Vec::with_capacity(self.costates);
        for factor in self.system.factors() {
            let moved = &change[factor.base.clone()];
            match factor.group {
                None => found.push(moved[0]),
                Some(group) => {
                    let g = &y[factor.base.clone()];
                    found.extend(group.velocity(factor.trivialization, g, moved));
                }
            }
        }
        found.extend(&change[base..]);
        found
    }
}
