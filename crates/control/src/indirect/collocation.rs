//! One Newton iteration on all conditions: collocation on every interval, the ends, free numbers and multipliers.

use super::elimination::{Interval, Reduced, reduce};
use super::ends::{Asked, Ends};
use super::field::Field;
use super::gauss::Gauss;
use super::mesh::Stretch;
use super::solution::Completed;
use super::{IndirectError, IndirectOptions};
use rattleback_numeric::{Dense, least_squares};

/// All unknowns.
pub(super) struct Iterate {
    pub(super) stretches: Vec<Stretch>,
    pub(super) theta: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) ends: Ends,
    pub(super) gauss: Gauss,
    /// The size of each entry of y, for what is small.
    scale: Vec<f64>,
    /// The maps of the intervals at the last linearisation, by stretch.
    pub(super) maps: Vec<Vec<Vec<f64>>>,
}

/// The linearised stages of an interval: δZ by δy_i, δθ and 1, and the same for the last node.
struct Linear {
    stages: Dense,
    interval: Interval,
    map: Vec<f64>,
}

/// What [`Iterate::end_slopes`] gives.
pub(super) struct EndSlopes {
    pub(super) start: Vec<Vec<f64>>,
    pub(super) end: Vec<Vec<f64>>,
    pub(super) hessian: Vec<f64>,
}

/// A step of the unknowns.
struct Step {
    nodes: Vec<Vec<Vec<f64>>>,
    stages: Vec<Vec<Vec<f64>>>,
    theta: Vec<f64>,
    multipliers: Vec<f64>,
}

/// Columns that add less than this part of the largest are taken to be dependent.
const RANK: f64 = 1e-12;
/// A step is halved so often at most.
const HALVINGS: i32 = 12;
/// A step of this part of the unknowns is the last.
const LAST_STEP: f64 = 1e-9;
/// A norm of the equations below this is rounding.
const ROUNDED_NORM: f64 = 1e-12;
/// The share of the norm that a whole step has to take away.
const DECREASE: f64 = 1e-4;

impl Iterate {
    pub(super) fn of(
        field: &Field,
        asked: Asked,
        guess: &Completed,
        options: &IndirectOptions,
    ) -> Result<Self, IndirectError> {
        let gauss = Gauss::new(options.stages);
        let moving = field.states + field.costates;
        let extra = field.size() - moving;
        let value = |t: f64| -> Vec<f64> {
            let mut y = guess.at(field, t);
            y.extend(std::iter::repeat_n(0.0, extra));
            y
        };
        // Times of the guess: the ends of the stretches are where the problem's are, in proportion.
        let count = asked.stretches;
        let numbers: Vec<f64> = guess.moments(field, &asked)?;
        let span = numbers[count] - numbers[0];
        let stretches: Vec<Stretch> = (0..count)
            .map(|k| {
                let (from, to) = (numbers[k], numbers[k + 1]);
                let share = match span > 0.0 {
                    true => (options.intervals as f64 * (to - from) / span).ceil(),
                    false => 1.0,
                };
                Stretch::uniform((share as usize).max(2), &gauss, moving, |s| {
                    value(from + s * (to - from))
                })
            })
            .collect();
        let moments: Vec<Vec<f64>> = stretches
            .iter()
            .flat_map(|s| [s.values[0].clone(), s.values[s.values.len() - 1].clone()])
            .collect();
        let ends = asked.compile(field, &moments, &guess.free)?;
        Ok(Self {
            scale: vec![1.0; field.size()],
            multipliers: vec![0.0; ends.multipliers],
            theta: guess.free.clone(),
            maps: Vec::new(),
            stretches,
            ends,
            gauss,
        })
    }

    /// The size of each entry of y over all nodes, at least 1.
    fn measure(&mut self) {
        let mut scale = vec![1.0_f64; self.scale.len()];
        for y in self.stretches.iter().flat_map(|s| &s.values) {
            scale
                .iter_mut()
                .zip(y)
                .for_each(|(s, y)| *s = s.max(y.abs()));
        }
        self.scale = scale;
    }

    /// The largest residual at the ends.
    pub(super) fn end_residual(&self) -> f64 {
        let found = self.ends.evaluate(&self.moments());
        found.map_or(f64::NAN, |(r, _)| {
            r.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
        })
    }

    /// The slopes of the conditions by independent directions of the state at the start and at the end, by rows, and
    /// those of Λ_x at the end by the latter; for one stretch without free numbers.
    pub(super) fn end_slopes(&self, field: &Field) -> Option<EndSlopes> {
        let (_, jacobian) = self.ends.evaluate(&self.moments())?;
        let (n, size) = (field.costates, field.size());
        let columns = 2 * size + self.theta.len() + self.multipliers.len();
        let stretch = &self.stretches[0];
        let along = |row: usize, offset: usize, y: &[f64]| -> Vec<f64> {
            let slopes = &jacobian[row * columns + offset..row * columns + offset + field.states];
            field.along(y, slopes)
        };
        let (first, last) = (&stretch.values[0], stretch.values.last()?);
        let held = 0..self.multipliers.len();
        let transversal = self.multipliers.len() + self.ends.relations + size - field.states;
        Some(EndSlopes {
            start: held.clone().map(|r| along(r, 0, first)).collect(),
            end: held.map(|r| along(r, size, last)).collect(),
            hessian: (0..n)
                .flat_map(|a| along(transversal + a, size, last))
                .collect(),
        })
    }

    pub(super) fn intervals(&self) -> usize {
        self.stretches.iter().map(Stretch::intervals).sum()
    }

    /// The times between the stretches.
    pub(super) fn times(&self) -> Option<Vec<f64>> {
        self.ends.times(&self.theta).map(|(times, _)| times)
    }

    /// The values at the first and last node of each stretch, θ, ν.
    pub(super) fn moments(&self) -> Vec<f64> {
        let ends = self.stretches.iter().flat_map(|s| {
            let last = s.values.len() - 1;
            [&s.values[0][..], &s.values[last]].concat()
        });
        ends.chain(self.theta.iter().copied())
            .chain(self.multipliers.iter().copied())
            .collect()
    }

    /// Newton's method with halved steps.
    pub(super) fn solve(
        &mut self,
        field: &mut Field,
        options: &IndirectOptions,
    ) -> Result<usize, IndirectError> {
        let mut norm = f64::INFINITY;
        for steps in 0..options.most_steps {
            self.measure();
            norm = self.norm(field).ok_or(IndirectError::NotFinite)?;
            let failed = |residual: f64| IndirectError::NotConverged { steps, residual };
            let step = self.step(field).ok_or_else(|| failed(norm))?;
            let before = self.copy();
            let size = self.size_of(&step);
            let mut accepted = None;
            for halving in 0..HALVINGS {
                let part = 0.5_f64.powi(halving);
                self.add(&step, part);
                let new = self.norm(field).filter(|n| n.is_finite());
                // What is as small as rounding allows does not shrink any more.
                let small = size < LAST_STEP.sqrt()
                    && new.is_some_and(|n| n <= 10.0 * norm.max(ROUNDED_NORM));
                if small || new.is_some_and(|n| n < norm * (1.0 - DECREASE * part)) {
                    accepted = new;
                    break;
                }
                self.restore(&before);
            }
            norm = accepted.ok_or_else(|| failed(norm))?;
            if size < LAST_STEP {
                return Ok(steps + 1);
            }
        }
        Err(IndirectError::NotConverged {
            steps: options.most_steps,
            residual: norm,
        })
    }

    #[allow(clippy::type_complexity)]
    fn copy(&self) -> (Vec<Stretch>, Vec<f64>, Vec<f64>) {
        (
            self.stretches.clone(),
            self.theta.clone(),
            self.multipliers.clone(),
        )
    }

    fn restore(&mut self, (stretches, theta, multipliers): &(Vec<Stretch>, Vec<f64>, Vec<f64>)) {
        self.stretches.clone_from(stretches);
        self.theta.clone_from(theta);
        self.multipliers.clone_from(multipliers);
    }

    fn add(&mut self, step: &Step, part: f64) {
        let plus = |x: &mut [f64], d: &[f64]| x.iter_mut().zip(d).for_each(|(x, d)| *x += part * d);
        for (k, stretch) in self.stretches.iter_mut().enumerate() {
            for (y, d) in stretch.values.iter_mut().zip(&step.nodes[k]) {
                plus(y, d);
            }
            for (stages, d) in stretch.stages.iter_mut().zip(&step.stages[k]) {
                let m = stages.first().map_or(1, Vec::len);
                for (z, d) in stages.iter_mut().zip(d.chunks(m)) {
                    plus(z, d);
                }
            }
        }
        plus(&mut self.theta, &step.theta);
        plus(&mut self.multipliers, &step.multipliers);
    }

    /// The largest entry of a step beside the size of what it changes.
    fn size_of(&self, step: &Step) -> f64 {
        let nodes = step.nodes.iter().flatten();
        // The cost follows from the rest.
        let last = self.scale.len() - 1;
        let sizes = &self.scale[..last];
        let nodes = nodes.flat_map(|d| d.iter().zip(sizes).map(|(d, s)| (d / s).abs()));
        let theta = step.theta.iter().zip(&self.theta);
        let theta = theta.map(|(d, t)| (d / (1.0 + t.abs())).abs());
        nodes.chain(theta).fold(0.0, f64::max)
    }

    /// The Euclidean norm of all residuals, each beside the size of its entry.
    fn norm(&mut self, field: &mut Field) -> Option<f64> {
        let (times, _) = self.ends.times(&self.theta)?;
        let mut sum = 0.0;
        for (k, stretch) in self.stretches.iter().enumerate() {
            let length = times[k + 1] - times[k];
            if length <= 0.0 {
                return None;
            }
            for i in 0..stretch.intervals() {
                let (from, to) = (stretch.nodes[i], stretch.nodes[i + 1]);
                let (y, next) = (&stretch.values[i], &stretch.values[i + 1]);
                let h = length * (to - from);
                let rates: Vec<Vec<f64>> = stretch.stages[i]
                    .iter()
                    .zip(&self.gauss.c)
                    .map(|(z, c)| {
                        field.rates(times[k] + length * (from + c * (to - from)), z, &self.theta)
                    })
                    .collect::<Option<_>>()?;
                // The cost is a quadrature, right whatever it is before.
                for (c, scale) in self.scale[..self.scale.len() - 1].iter().enumerate() {
                    let step: f64 = rates.iter().zip(&self.gauss.b).map(|(f, b)| b * f[c]).sum();
                    sum += ((next[c] - y[c] - h * step) / scale).powi(2);
                    if c >= stretch.stages[i][0].len() {
                        continue;
                    }
                    let s = self.gauss.stages();
                    for (j, z) in stretch.stages[i].iter().enumerate() {
                        let row = &self.gauss.a[j * s..(j + 1) * s];
                        let step: f64 = rates.iter().zip(row).map(|(f, a)| a * f[c]).sum();
                        sum += ((z[c] - y[c] - h * step) / scale).powi(2);
                    }
                }
            }
        }
        let (residuals, _) = self.ends.evaluate(&self.moments())?;
        let largest = self.scale.iter().fold(1.0_f64, |m, s| m.max(*s));
        let ends: f64 = residuals.iter().map(|r| (r / largest.sqrt()).powi(2)).sum();
        Some((sum + ends).sqrt())
    }

    /// The Newton step; none where something is not finite.
    fn step(&mut self, field: &mut Field) -> Option<Step> {
        let (n, free) = (field.size(), self.theta.len());
        let (times, slopes) = self.ends.times(&self.theta)?;
        let mut reduced: Vec<Reduced> = Vec::new();
        let mut solved: Vec<Vec<Dense>> = Vec::new();
        self.maps.clear();
        for k in 0..self.stretches.len() {
            let clock = Clock::of(&times, &slopes, k, free);
            let mut intervals = Vec::new();
            let (mut stages, mut maps) = (Vec::new(), Vec::new());
            for i in 0..self.stretches[k].intervals() {
                let linear = self.linear(field, k, i, &clock)?;
                intervals.push(linear.interval);
                stages.push(linear.stages);
                maps.push(linear.map);
            }
            reduced.push(reduce(intervals, n, free)?);
            solved.push(stages);
            self.maps.push(maps);
        }
        let (residuals, jacobian) = self.ends.evaluate(&self.moments())?;
        let ends = self.ends_step(&reduced, &residuals, &jacobian, n);
        let theta = ends[2 * n * reduced.len()..2 * n * reduced.len() + free].to_vec();
        let multipliers = ends[2 * n * reduced.len() + free..].to_vec();
        let (mut nodes, mut stages) = (Vec::new(), Vec::new());
        for (k, (reduced, solved)) in reduced.iter().zip(&solved).enumerate() {
            let pair = &ends[2 * n * k..2 * n * (k + 1)];
            let values = reduced.back(&pair[..n], &pair[n..], &theta)?;
            let moved = solved
                .iter()
                .zip(&values)
                .map(|(x, y)| stage_step(x, y, &theta));
            stages.push(moved.collect());
            nodes.push(values);
        }
        Some(Step {
            nodes,
            stages,
            theta,
            multipliers,
        })
    }

    /// The step of the values at the ends, θ and ν, of least length where the conditions leave some free.
    fn ends_step(
        &self,
        reduced: &[Reduced],
        residuals: &[f64],
        jacobian: &[f64],
        n: usize,
    ) -> Vec<f64> {
        let free = self.theta.len();
        let columns = 2 * n * reduced.len() + free + self.multipliers.len();
        let place = 2 * n * reduced.len();
        let mut matrix: Vec<f64> = Vec::new();
        let mut right: Vec<f64> = Vec::new();
        let mut push = |row: Vec<f64>, value: f64| {
            let size = row.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = if size > 0.0 { size } else { 1.0 };
            matrix.extend(row.iter().map(|x| x / size));
            right.push(value / size);
        };
        for (k, reduced) in reduced.iter().enumerate() {
            let ends = &reduced.ends;
            for i in 0..n {
                let mut row = vec![0.0; columns];
                row[2 * n * k..2 * n * k + n].copy_from_slice(&ends.left[i * n..(i + 1) * n]);
                row[2 * n * k + n..2 * n * (k + 1)]
                    .copy_from_slice(&ends.right[i * n..(i + 1) * n]);
                row[place..place + free].copy_from_slice(&ends.free[i * free..(i + 1) * free]);
                push(row, ends.rest[i]);
            }
        }
        for (row, value) in jacobian.chunks(columns).zip(residuals) {
            push(row.to_vec(), -value);
        }
        // Columns by the size of their unknowns.
        let sizes: Vec<f64> = (0..columns)
            .map(|j| match j < place {
                true => self.scale[j % n],
                false => 1.0,
            })
            .collect();
        for row in matrix.chunks_mut(columns) {
            row.iter_mut().zip(&sizes).for_each(|(x, s)| *x *= s);
        }
        let found = least_squares(&matrix, columns, &right, RANK).solution;
        found.iter().zip(&sizes).map(|(x, s)| x * s).collect()
    }

    /// Rates of the stages of an interval, with their slopes.
    fn stage_slopes(
        &self,
        field: &mut Field,
        k: usize,
        i: usize,
        clock: &Clock,
    ) -> Option<StageSlopes> {
        let (n, free) = (field.size(), self.theta.len());
        let stretch = &self.stretches[k];
        let (from, part) = (stretch.nodes[i], stretch.nodes[i + 1] - stretch.nodes[i]);
        let h = clock.length * part;
        let columns = 1 + n + free;
        let mut all = StageSlopes {
            h,
            free,
            columns,
            rates: Vec::new(),
            slopes: Vec::new(),
            by_free: Vec::new(),
        };
        for (c, z) in self.gauss.c.iter().zip(&stretch.stages[i]) {
            let sigma = from + c * part;
            let (f, d) = field.slopes(clock.from + clock.length * sigma, z, &self.theta)?;
            let mut q = vec![0.0; n * free];
            for (a, rate) in f.iter().enumerate() {
                for m in 0..free {
                    let moved = clock.from_slopes[m] + clock.slopes[m] * sigma;
                    q[a * free + m] = clock.slopes[m] * part * rate
                        + h * (d[a * columns] * moved + d[a * columns + 1 + n + m]);
                }
            }
            all.rates.push(f);
            all.slopes.push(d);
            all.by_free.push(q);
        }
        Some(all)
    }

    /// δZ of an interval by δy of its first node, δθ and 1: the columns of a matrix.
    fn linear_stages(&self, k: usize, i: usize, moving: usize, of: &StageSlopes) -> Option<Dense> {
        let stretch = &self.stretches[k];
        let (s, free, h) = (self.gauss.stages(), of.free, of.h);
        let size = s * moving;
        let matrix = Dense::new(size, size, |row, column| {
            let ((j, a), (l, b)) = (
                (row / moving, row % moving),
                (column / moving, column % moving),
            );
            let unit = f64::from(u8::from(row == column));
            unit - h * self.gauss.a[j * s + l] * of.by_state(l, a, b)
        });
        let y = &stretch.values[i];
        let right = Dense::new(size, moving + free + 1, |row, column| {
            let (j, a) = (row / moving, row % moving);
            let weights = &self.gauss.a[j * s..(j + 1) * s];
            if column < moving {
                return f64::from(u8::from(a == column));
            }
            if column < moving + free {
                return of.weighted_free(weights, a, column - moving);
            }
            -(stretch.stages[i][j][a] - y[a] - h * of.weighted(weights, a))
        });
        matrix.solve(&right).ok()
    }

    /// Stages and last node of an interval, linearised.
    fn linear(&self, field: &mut Field, k: usize, i: usize, clock: &Clock) -> Option<Linear> {
        let (n, moving) = (field.size(), field.states + field.costates);
        let of = self.stage_slopes(field, k, i, clock)?;
        let (free, h) = (of.free, of.h);
        let stages = self.linear_stages(k, i, moving, &of)?;
        let entries = stages.entries();
        let width = moving + free + 1;
        // δy_{i+1} = δy_i + h Σ b F_y δZ + Σ b q δθ − r.
        let carried = |a: usize, column: usize| -> f64 {
            let mut sum = 0.0;
            for l in 0..self.gauss.stages() {
                let along = (0..moving)
                    .map(|b| of.by_state(l, a, b) * entries[(l * moving + b) * width + column]);
                sum += h * self.gauss.b[l] * along.sum::<f64>();
            }
            sum
        };
        let stretch = &self.stretches[k];
        let (y, next) = (&stretch.values[i], &stretch.values[i + 1]);
        let mut interval = Interval {
            left: vec![0.0; n * n],
            right: vec![0.0; n * n],
            free: vec![0.0; n * free],
            rest: vec![0.0; n],
        };
        let mut map = vec![0.0; moving * moving];
        for (a, (now, then)) in y.iter().zip(next).enumerate() {
            for b in 0..n {
                let unit = f64::from(u8::from(a == b));
                let value = match b < moving {
                    true => unit + carried(a, b),
                    false => unit,
                };
                interval.left[a * n + b] = -value;
                interval.right[a * n + b] = unit;
                if a < moving && b < moving {
                    map[a * moving + b] = value;
                }
            }
            for m in 0..free {
                let own = of.weighted_free(&self.gauss.b, a, m);
                interval.free[a * free + m] = -(carried(a, moving + m) + own);
            }
            let step = of.weighted(&self.gauss.b, a);
            interval.rest[a] = carried(a, moving + free) - (then - now - h * step);
        }
        Some(Linear {
            stages,
            interval,
            map,
        })
    }

    /// Cuts the intervals that do not agree with themselves cut in two, and says how far the worst is off.
    pub(super) fn refine(
        &mut self,
        field: &mut Field,
        options: &IndirectOptions,
    ) -> Result<f64, IndirectError> {
        let times = self.times().ok_or(IndirectError::NotFinite)?;
        let mut worst = 0.0_f64;
        let mut cuts: Vec<Vec<bool>> = Vec::new();
        for k in 0..self.stretches.len() {
            let mut cut = vec![false; self.stretches[k].intervals()];
            for (i, flag) in cut.iter_mut().enumerate() {
                let gap = self
                    .gap(field, k, i, &times)
                    .ok_or(IndirectError::NotFinite)?;
                worst = worst.max(gap);
                *flag = gap > options.tolerance;
            }
            cuts.push(cut);
        }
        if worst > options.tolerance {
            for (stretch, cut) in self.stretches.iter_mut().zip(&cuts) {
                stretch.cut(cut, &self.gauss);
            }
        }
        Ok(worst)
    }

    /// How far the end of an interval is off that of two steps of half its length, beside the size of y.
    fn gap(&self, field: &mut Field, k: usize, i: usize, times: &[f64]) -> Option<f64> {
        let stretch = &self.stretches[k];
        let length = times[k + 1] - times[k];
        let (from, to) = (stretch.nodes[i], stretch.nodes[i + 1]);
        let middle = (from + to) / 2.0;
        let mut cut = Stretch {
            nodes: vec![from, to],
            values: stretch.values[i..=i + 1].to_vec(),
            stages: vec![stretch.stages[i].clone()],
        };
        cut.cut(&[true], &self.gauss);
        let mut y = stretch.values[i].clone();
        for (half, (a, b)) in [(from, middle), (middle, to)].into_iter().enumerate() {
            let t = times[k] + length * a;
            y = self.flow(field, t, length * (b - a), &y, &cut.stages[half])?;
        }
        let gaps = y.iter().zip(&stretch.values[i + 1]).zip(&self.scale);
        Some(
            gaps.map(|((a, b), s)| ((a - b) / s).abs())
                .fold(0.0, f64::max),
        )
    }

    /// One Gauss step, its stages by Newton's method from a guess.
    fn flow(
        &self,
        field: &mut Field,
        t: f64,
        h: f64,
        y: &[f64],
        guess: &[Vec<f64>],
    ) -> Option<Vec<f64>> {
        let (s, moving) = (self.gauss.stages(), field.states + field.costates);
        let columns = 1 + field.size() + self.theta.len();
        let mut stages = guess.to_vec();
        for _ in 0..MOST_STAGE_STEPS {
            let mut rates = Vec::with_capacity(s);
            let mut slopes = Vec::with_capacity(s);
            for (c, z) in self.gauss.c.iter().zip(&stages) {
                let (f, d) = field.slopes(t + c * h, z, &self.theta)?;
                rates.push(f);
                slopes.push(d);
            }
            let matrix = Dense::new(s * moving, s * moving, |row, column| {
                let ((j, a), (l, b)) = (
                    (row / moving, row % moving),
                    (column / moving, column % moving),
                );
                let unit = f64::from(u8::from(row == column));
                unit - h * self.gauss.a[j * s + l] * slopes[l][a * columns + 1 + b]
            });
            let right = Dense::new(s * moving, 1, |row, _| {
                let (j, a) = (row / moving, row % moving);
                let weights = &self.gauss.a[j * s..(j + 1) * s];
                let step: f64 = weights.iter().zip(&rates).map(|(w, f)| w * f[a]).sum();
                y[a] + h * step - stages[j][a]
            });
            let step = matrix.solve(&right).ok()?;
            let mut moved = 0.0_f64;
            for (row, d) in step.entries().iter().enumerate() {
                let (j, a) = (row / moving, row % moving);
                stages[j][a] += d;
                moved = moved.max((d / self.scale[a]).abs());
            }
            if moved < STAGE_STEP {
                break;
            }
        }
        let mut end = y.to_vec();
        for ((c, z), b) in self.gauss.c.iter().zip(&stages).zip(&self.gauss.b) {
            let f = field.rates(t + c * h, z, &self.theta)?;
            end.iter_mut().zip(&f).for_each(|(y, f)| *y += h * b * f);
        }
        Some(end)
    }
}

/// Rates F at the stages of an interval, and their slopes.
struct StageSlopes {
    /// The length of the interval.
    h: f64,
    /// How many free numbers there are.
    free: usize,
    /// The columns of the slopes: time, state, free numbers.
    columns: usize,
    rates: Vec<Vec<f64>>,
    slopes: Vec<Vec<f64>>,
    /// ∂(h F)/∂θ at each stage.
    by_free: Vec<Vec<f64>>,
}

impl StageSlopes {
    /// ∂F_a/∂y_b at a stage.
    fn by_state(&self, stage: usize, a: usize, b: usize) -> f64 {
        self.slopes[stage][a * self.columns + 1 + b]
    }

    /// Σ_l w_l F_a at stage l.
    fn weighted(&self, weights: &[f64], a: usize) -> f64 {
        weights.iter().zip(&self.rates).map(|(w, f)| w * f[a]).sum()
    }

    /// Σ_l w_l ∂(h F_a)/∂θ_m at stage l.
    fn weighted_free(&self, weights: &[f64], a: usize, m: usize) -> f64 {
        let all = weights.iter().zip(&self.by_free);
        all.map(|(w, q)| w * q[a * self.free + m]).sum()
    }
}

/// Newton steps for the stages of one interval: near the solution few are taken.
const MOST_STAGE_STEPS: usize = 10;
/// Stages that move less have come to rest.
const STAGE_STEP: f64 = 1e-13;

/// δZ of an interval from δy of its first node and δθ.
fn stage_step(x: &Dense, y: &[f64], theta: &[f64]) -> Vec<f64> {
    let width = x.columns();
    let moving = width - theta.len() - 1;
    let rows = x.entries().chunks(width);
    rows.map(|row| {
        let by_state: f64 = row[..moving].iter().zip(y).map(|(r, y)| r * y).sum();
        let by_free: f64 = row[moving..width - 1]
            .iter()
            .zip(theta)
            .map(|(r, t)| r * t)
            .sum();
        by_state + by_free + row[width - 1]
    })
    .collect()
}

/// The time of a stretch and how it moves with θ.
struct Clock {
    from: f64,
    length: f64,
    from_slopes: Vec<f64>,
    slopes: Vec<f64>,
}

impl Clock {
    fn of(times: &[f64], slopes: &[f64], k: usize, free: usize) -> Self {
        let at = |k: usize| &slopes[k * free..(k + 1) * free];
        Self {
            from: times[k],
            length: times[k + 1] - times[k],
            from_slopes: at(k).to_vec(),
            slopes: at(k + 1).iter().zip(at(k)).map(|(b, a)| b - a).collect(),
        }
    }
}
