//! The reference interpreter of recurrences: runs everywhere, on one motion or on four at once.

use super::linear::solve_with_inverse;
use super::number::Number;
use super::plan::{LinearBlock, Rule, Series, TaylorPlan};
use crate::program::{Fault, FaultKind};
use rattleback_numeric::invert;
use rattleback_numeric::tolerance::VANISHING_PIVOT;

/// Why a motion has no Taylor coefficients at a state.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JetFault {
    /// A linear system has no solution.
    #[error(transparent)]
    Block(#[from] Fault),
    /// A coefficient is not a finite number.
    #[error("the Taylor coefficients of state component {0} are not finite")]
    NotFinite(usize),
}

/// A plan with the memory to run it.
#[derive(Clone, Debug)]
pub struct JetInterpreter<N> {
    plan: TaylorPlan,
    highest: usize,
    /// Coefficient k of series s at `s·(highest + 1) + k`.
    series: Vec<N>,
    inverses: Vec<Inverse<N>>,
    parameters: Vec<N>,
}

/// A_0⁻¹ of a block, by rows, and space for a right-hand side.
#[derive(Clone, Debug)]
struct Inverse<N> {
    entries: Vec<N>,
    rest: Vec<N>,
    matrix: Vec<f64>,
    lane: Vec<f64>,
    work: Vec<f64>,
}

impl<N: Number> JetInterpreter<N> {
    /// For jets up to order `highest`; all parameters are zero until they are set.
    pub fn new(plan: TaylorPlan, highest: usize) -> JetInterpreter<N> {
        let zero = N::splat(0.0);
        let inverse = |block: &LinearBlock| Inverse {
            entries: vec![zero; block.matrix.len()],
            rest: vec![zero; block.size()],
            matrix: vec![0.0; block.matrix.len()],
            lane: vec![0.0; block.matrix.len()],
            work: vec![0.0; block.matrix.len() + 3 * block.size()],
        };
        JetInterpreter {
            highest,
            series: vec![zero; plan.rules.len() * (highest + 1)],
            inverses: plan.blocks.iter().map(inverse).collect(),
            parameters: vec![zero; plan.parameters],
            plan,
        }
    }

    /// The recurrences.
    pub fn plan(&self) -> &TaylorPlan {
        &self.plan
    }

    /// Sets the constants of the motion in one lane.
    pub fn set_parameters(&mut self, lane: usize, parameters: &[f64]) {
        for (own, &given) in self.parameters.iter_mut().zip(parameters) {
            own.set_lane(lane, given);
        }
    }

    /// Writes the Taylor coefficients x_k = x^(k)(t)/k! for k = 0 ..= order, at
    /// `coefficients[k·n + i]`. Returns the lanes that failed as a mask, with the first fault.
    pub fn jet(
        &mut self,
        t: N,
        x: &[N],
        order: usize,
        coefficients: &mut [N],
    ) -> Result<(), (u8, JetFault)> {
        let order = order.min(self.highest);
        let n = self.plan.dimension();
        let mut failed = Failures::default();
        for k in 0..=order {
            for i in 0..n {
                coefficients[k * n + i] = if k == 0 {
                    x[i]
                } else {
                    self.get(self.plan.rates[i], k - 1) / N::splat(k as f64)
                };
                failed.not_finite(coefficients[k * n + i], i);
            }
            // The last coefficients of the state need no others of their order.
            if k < order {
                self.work_out(k, t, x, &mut failed);
            }
            if k == 0 {
                self.check_guards(&mut failed);
            }
        }
        failed.result()
    }

    /// Works out all that depends on parameters alone; see [`JetInterpreter::value`].
    pub fn evaluate_fixed(&mut self) {
        for series in 0..self.plan.rules.len() {
            let rule = self.plan.rules[series];
            match rule {
                _ if !self.plan.fixed[series] => {}
                // A singular system leaves numbers that are not finite.
                Rule::Solution { block, component } => {
                    if component == 0 {
                        self.solve(block as usize, 0, &mut Failures::default());
                    }
                }
                _ => *self.at(series as Series, 0) = self.start(rule, N::splat(0.0), &[]),
            }
        }
    }

    /// The value of a series that depends on parameters alone.
    pub fn value(&self, series: Series) -> N {
        self.get(series, 0)
    }

    /// The k-th coefficient of every series.
    fn work_out(&mut self, k: usize, t: N, x: &[N], failed: &mut Failures) {
        for series in 0..self.plan.rules.len() {
            let rule = self.plan.rules[series];
            if let Rule::Solution { block, component } = rule {
                if component == 0 {
                    self.solve(block as usize, k, failed);
                }
                continue;
            }
            let value = if !self.plan.degrees[series].reaches(k) {
                N::splat(0.0)
            } else if k == 0 {
                self.start(rule, t, x)
            } else {
                self.coefficient(rule, series as Series, k)
            };
            *self.at(series as Series, k) = value;
        }
    }

    fn at(&mut self, series: Series, k: usize) -> &mut N {
        &mut self.series[series as usize * (self.highest + 1) + k]
    }

    fn get(&self, series: Series, k: usize) -> N {
        self.series[series as usize * (self.highest + 1) + k]
    }

    fn start(&self, rule: Rule, t: N, x: &[N]) -> N {
        let of = |a: Series| self.get(a, 0);
        let map = |a: Series, f: fn(f64) -> f64| of(a).zip(of(a), |x, _| f(x));
        match rule {
            Rule::Constant(c) => N::splat(c),
            Rule::Parameter(i) => self.parameters[i as usize],
            Rule::Time => t,
            Rule::State(i) => x[i as usize],
            Rule::Add(a, b) => of(a) + of(b),
            Rule::Sub(a, b) => of(a) - of(b),
            Rule::Neg(a) => -of(a),
            Rule::Theta(_) => N::splat(0.0),
            Rule::Mul(a, b) => of(a) * of(b),
            Rule::Square(a) => of(a) * of(a),
            Rule::Div(a, b) => of(a) / of(b),
            Rule::Sqrt(a) => map(a, f64::sqrt),
            Rule::Integral { start, .. } | Rule::Growth { start, .. } => {
                let [a, b] = start.arguments();
                of(a).zip(of(b), |a, b| start.evaluate(a, b))
            }
            Rule::Sine {
                angle, hyperbolic, ..
            } => map(angle, if hyperbolic { f64::sinh } else { f64::sin }),
            Rule::Cosine {
                angle, hyperbolic, ..
            } => map(angle, if hyperbolic { f64::cosh } else { f64::cos }),
            // Solved as a block.
            Rule::Solution { .. } => N::splat(0.0),
        }
    }

    /// c_k for k ≥ 1.
    fn coefficient(&self, rule: Rule, own: Series, k: usize) -> N {
        let of = |a: Series| self.get(a, k);
        let order = N::splat(k as f64);
        match rule {
            // They are constant.
            Rule::Constant(_) | Rule::Parameter(_) | Rule::Solution { .. } => N::splat(0.0),
            Rule::Time => N::splat(1.0),
            Rule::State(i) => self.get(self.plan.rates[i as usize], k - 1) / order,
            Rule::Add(a, b) => of(a) + of(b),
            Rule::Sub(a, b) => of(a) - of(b),
            Rule::Neg(a) => -of(a),
            Rule::Theta(a) => order * of(a),
            Rule::Mul(a, b) => self.convolve(a, b, k, 0, k),
            Rule::Square(a) => self.convolve(a, a, k, 0, k),
            Rule::Div(a, b) => (of(a) - self.convolve(b, own, k, 1, k)) / self.get(b, 0),
            Rule::Sqrt(a) => {
                let root = self.get(own, 0);
                (of(a) - self.convolve(own, own, k, 1, k - 1)) / (root + root)
            }
            Rule::Integral { rate, .. } => of(rate) / order,
            Rule::Growth { rate, .. } => self.convolve(rate, own, k, 1, k) / order,
            Rule::Sine { rate, cosine, .. } => self.convolve(rate, cosine, k, 1, k) / order,
            Rule::Cosine {
                rate,
                sine,
                hyperbolic,
                ..
            } => {
                let sum = self.convolve(rate, sine, k, 1, k) / order;
                if hyperbolic { sum } else { -sum }
            }
        }
    }

    /// Σ a_j b_(k−j) over `first` ≤ j ≤ `last`, as far as both coefficients can differ from zero.
    fn convolve(&self, a: Series, b: Series, k: usize, first: usize, last: usize) -> N {
        let degree = |s: Series| self.plan.degrees[s as usize].within(k);
        let (first, last) = (first.max(k - degree(b)), last.min(degree(a)));
        let stride = self.highest + 1;
        let (a, b) = (a as usize * stride, b as usize * stride);
        let mut sum = N::splat(0.0);
        for j in first..(last + 1).max(first) {
            sum = sum + self.series[a + j] * self.series[b + k - j];
        }
        sum
    }

    fn solve(&mut self, block: usize, k: usize, failed: &mut Failures) {
        let plan = &self.plan;
        let block_of = &plan.blocks[block];
        if plan.is_fixed(block_of.solution[0]) && k > 0 {
            return;
        }
        let size = block_of.size();
        for i in 0..size {
            let block_of = &self.plan.blocks[block];
            let mut rest = self.get(block_of.rhs[i], k);
            for (j, &x) in block_of.solution.iter().enumerate() {
                if k > 0 {
                    let entry = block_of.matrix[i * size + j];
                    rest = rest - self.convolve(entry, x, k, 1, k);
                }
            }
            self.inverses[block].rest[i] = rest;
        }
        if k == 0 {
            self.factorise(block, failed);
            return;
        }
        for i in 0..size {
            let inverse = &self.inverses[block];
            let row = inverse.entries[i * size..(i + 1) * size].iter();
            let products = row.zip(&inverse.rest).map(|(&a, &r)| a * r);
            let sum = products.fold(N::splat(0.0), |sum, product| sum + product);
            *self.at(self.plan.blocks[block].solution[i], k) = sum;
        }
    }

    /// Finds A_0⁻¹ and x_0, lane by lane.
    fn factorise(&mut self, block: usize, failed: &mut Failures) {
        let block_of = &self.plan.blocks[block];
        let size = block_of.size();
        let stride = self.highest + 1;
        let inverse = &mut self.inverses[block];
        for lane in 0..N::LANES {
            let (work, vectors) = inverse.work.split_at_mut(size * size);
            for (i, &a) in block_of.matrix.iter().enumerate() {
                inverse.matrix[i] = self.series[a as usize * stride].lane(lane);
            }
            work.copy_from_slice(&inverse.matrix);
            if let Err(singular) = invert(size, work, &mut inverse.lane) {
                for &series in &block_of.solution {
                    self.series[series as usize * stride].set_lane(lane, f64::NAN);
                }
                let kind = FaultKind::Singular(singular.pivot as u32);
                let block = block_of.block;
                failed.add(lane, Fault { block, kind }.into());
                continue;
            }
            let (rhs, vectors) = vectors.split_at_mut(size);
            let (x, scratch) = vectors.split_at_mut(size);
            for (rhs, rest) in rhs.iter_mut().zip(&inverse.rest) {
                *rhs = rest.lane(lane);
            }
            solve_with_inverse(&inverse.matrix, &inverse.lane, rhs, x, scratch);
            for (entry, &value) in inverse.entries.iter_mut().zip(&inverse.lane) {
                entry.set_lane(lane, value);
            }
            for (&series, &value) in block_of.solution.iter().zip(&*x) {
                self.series[series as usize * stride].set_lane(lane, value);
            }
        }
    }

    fn check_guards(&self, failed: &mut Failures) {
        for guard in &self.plan.guards {
            let (value, scale) = (self.get(guard.value, 0), self.get(guard.scale, 0));
            for lane in 0..N::LANES {
                let (value, scale) = (value.lane(lane).abs(), scale.lane(lane).abs());
                if value.is_nan() || value <= VANISHING_PIVOT * scale {
                    let kind = FaultKind::Singular(guard.pivot);
                    let block = guard.block;
                    failed.add(lane, Fault { block, kind }.into());
                }
            }
        }
    }
}

/// The lanes that failed, and why the first one did.
#[derive(Default)]
struct Failures {
    mask: u8,
    first: Option<JetFault>,
}

impl Failures {
    fn add(&mut self, lane: usize, fault: JetFault) {
        self.mask |= 1 << lane;
        self.first.get_or_insert(fault);
    }

    fn not_finite<N: Number>(&mut self, value: N, component: usize) {
        for lane in 0..N::LANES {
            if !value.lane(lane).is_finite() {
                self.add(lane, JetFault::NotFinite(component));
            }
        }
    }

    fn result(self) -> Result<(), (u8, JetFault)> {
        match self.first {
            None => Ok(()),
            Some(fault) => Err((self.mask, fault)),
        }
    }
}
