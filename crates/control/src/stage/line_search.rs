//! One step of Newton's method on the barrier problem: shorter and shorter, until it is good for the filter.

use super::assembly::Slopes;
use super::filter::MARGIN;
use super::norm::{dot, total};
use super::problem::Point;
use super::solver::Solver;
use super::tolerance::{DECREASE, TINY_STEP};

/// What a line search compares with.
struct Tried<'a> {
    slopes: &'a Slopes,
    right: &'a [f64],
    tau: f64,
    /// The slope of the barrier objective along the step.
    decrease: f64,
    violation: f64,
    objective: f64,
}

impl Solver<'_> {
    /// One step of Newton's method on the barrier problem, with its line search; none where no step is found.
    pub fn step(&mut self, slopes: &Slopes) -> Option<()> {
        let x = self.now.point.variables.clone();
        let stiffness = self.bounds.stiffness(&x, &self.now.bounds);
        let slope: Vec<f64> = match self.mu > 0.0 {
            true => self
                .bounds
                .barrier_slope(&x)
                .iter()
                .map(|b| self.mu * b)
                .collect(),
            false => vec![0.0; x.len()],
        };
        let barrier_gradient: Vec<f64> = (slopes.gradient.iter().zip(&slope))
            .map(|(g, b)| self.scale * g + b)
            .collect();
        let right: Vec<f64> = (barrier_gradient.iter().zip(&slopes.reactions))
            .map(|(g, r)| -(g + r))
            .collect();
        let rows: Vec<f64> = slopes.constraints.iter().map(|c| -c).collect();
        let (dx, dy) = self.newton_step(&stiffness, &right, &rows)?;
        let dz = self
            .bounds
            .multiplier_step(&x, &dx, &self.now.bounds, self.mu);
        let tau = (1.0 - self.mu).max(0.99);
        let longest = self.bounds.longest(&x, &dx, tau).min(self.within_turn(&dx));
        let tried = Tried {
            slopes,
            right: &right,
            tau,
            decrease: dot(&barrier_gradient, &dx),
            violation: total(&slopes.constraints),
            objective: self.barrier_objective(slopes.objective, &self.now.point),
        };
        let relative = dx.iter().zip(&x).map(|(d, x)| d.abs() / (1.0 + x.abs()));
        let is_tiny = relative.fold(0.0, f64::max) < TINY_STEP;
        let (point, share) = match is_tiny {
            true => (self.problem.moved(&self.now.point, &dx, longest), longest),
            false => self.search(&tried, &dx, longest)?,
        };
        let dual_share = self.now.bounds.longest(&dz, tau);
        self.now.point = point;
        for (l, d) in self.now.multipliers.iter_mut().zip(&dy) {
            *l += share * d;
        }
        self.now.bounds.add(&dz, dual_share);
        let x = &self.now.point.variables;
        if self.mu > 0.0 {
            self.bounds.safeguard(x, &mut self.now.bounds, self.mu);
        }
        Some(())
    }

    /// Shorter and shorter steps, until one is good for the filter.
    fn search(&mut self, tried: &Tried, dx: &[f64], longest: f64) -> Option<(Point, f64)> {
        let mut share = longest;
        let least = self.least_share(tried).max(TINY_STEP);
        let mut first = true;
        let mut violated = vec![0.0; self.problem.constraints()];
        while share >= least {
            let point = self.problem.moved(&self.now.point, dx, share);
            let value = self
                .problem
                .evaluate(&point, &mut violated, &mut self.scratch);
            if let Ok(value) = value {
                let violation = total(&violated);
                let objective = self.barrier_objective(value, &point);
                if self.accept(tried, share, violation, objective) {
                    return Some((point, share));
                }
                if first
                    && violation >= tried.violation
                    && let Some(found) = self.correct(tried, &violated, longest)
                {
                    return Some(found);
                }
            }
            first = false;
            share /= 2.0;
        }
        None
    }

    /// Second-order corrections: the step that removes the violation at the end of the full one, too.
    fn correct(&mut self, tried: &Tried, violated: &[f64], longest: f64) -> Option<(Point, f64)> {
        let mut rows: Vec<f64> = (tried.slopes.constraints.iter().zip(violated))
            .map(|(c, v)| -(longest * c + v))
            .collect();
        let mut last = total(violated);
        let mut violated = vec![0.0; rows.len()];
        for _ in 0..4 {
            let (dx, _) = self.kkt.solve(tried.right, &rows)?;
            let share = self
                .bounds
                .longest(&self.now.point.variables, &dx, tried.tau);
            let point = self.problem.moved(&self.now.point, &dx, share);
            let value = self
                .problem
                .evaluate(&point, &mut violated, &mut self.scratch)
                .ok()?;
            let violation = total(&violated);
            let objective = self.barrier_objective(value, &point);
            if self.accept(tried, longest, violation, objective) {
                return Some((point, share));
            }
            if violation > 0.99 * last {
                return None;
            }
            last = violation;
            for (r, v) in rows.iter_mut().zip(&violated) {
                *r = share * *r - v;
            }
        }
        None
    }

    /// Does a step promise more from the objective than from the constraints?
    fn switches(&self, tried: &Tried, share: f64) -> bool {
        tried.decrease < 0.0 && share * (-tried.decrease).powf(2.3) > tried.violation.powf(1.1)
    }

    fn least_share(&self, tried: &Tried) -> f64 {
        let violation = tried.violation;
        let mut least = MARGIN.0;
        if tried.decrease < 0.0 {
            least = least.min(MARGIN.1 * violation / -tried.decrease);
            if violation <= self.least_violation {
                least = least.min(violation.powf(1.1) / (-tried.decrease).powf(2.3));
            }
        }
        0.05 * least
    }

    fn accept(&mut self, tried: &Tried, share: f64, violation: f64, objective: f64) -> bool {
        if !objective.is_finite() || !self.filter.accepts(violation, objective) {
            return false;
        }
        let rounding = 10.0 * f64::EPSILON * tried.objective.abs();
        let armijo = objective <= tried.objective + DECREASE * share * tried.decrease + rounding;
        let switches = self.switches(tried, share) && tried.violation <= self.least_violation;
        if switches {
            return armijo;
        }
        let improves = violation <= (1.0 - MARGIN.0) * tried.violation
            || objective <= tried.objective - MARGIN.1 * tried.violation + rounding;
        if improves && !(armijo && self.switches(tried, share)) {
            self.filter.add(tried.violation, tried.objective);
        }
        improves
    }
}
