//! What a step of a Taylor series costs.

use super::degree::Degree;
use super::plan::{Rule, Series, TaylorPlan};

/// How a step's time grows with its order p: fixed + linear·p + quadratic·p², in units of about a
/// nanosecond. Only ratios matter: they choose the order and the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepCost {
    /// Starting values, the step size and the new state.
    pub fixed: f64,
    /// From one coefficient to the next, where every series waits for those it is made of.
    pub linear: f64,
    /// The products of series.
    pub quadratic: f64,
}

impl StepCost {
    /// The time of a step of order p.
    pub fn of_order(&self, p: usize) -> f64 {
        let p = p as f64;
        self.fixed + p * (self.linear + p * self.quadratic)
    }

    /// That of a step of four motions at once: the lanes in which one motion has its products side by side are taken, and
    /// nobody watches each step.
    pub fn of_four(self) -> StepCost {
        StepCost {
            fixed: self.fixed - WATCH,
            quadratic: SIDE_BY_SIDE * self.quadratic,
            ..self
        }
    }
}

/// Measured on motions drawn at random: a step, and the watch over it.
const STEP: f64 = 150.0;
const WATCH: f64 = 100.0;
/// A coefficient that takes no sum, where there are so many of them that none waits for another.
const SIMPLE: f64 = 0.4;
const CALL: f64 = 9.0;
const LEVEL: f64 = 1.3;
const CONVOLUTION: f64 = 0.1;
const ELIMINATION: f64 = 2.0;
/// So many products are worked out in the time of one, on average over groups that are full and those of one or two.
const SIDE_BY_SIDE: f64 = 1.75;

impl TaylorPlan {
    /// What a step costs.
    pub fn cost(&self) -> StepCost {
        let mut depth = vec![0.0; self.rules().len()];
        let mut cost = StepCost {
            fixed: STEP + WATCH,
            linear: 0.0,
            quadratic: 0.0,
        };
        let mut simple = self.dimension() as f64;
        for (k, &rule) in self.rules().iter().enumerate() {
            let mut below = 0.0;
            self.operands(rule, |a| below = f64::max(below, depth[a as usize]));
            let (level, convolutions) = self.work(rule);
            depth[k] = below + level;
            cost.quadratic += CONVOLUTION * convolutions;
            cost.linear = cost.linear.max(LEVEL * depth[k]);
            simple += f64::from(u8::from(level > 0.0 && convolutions == 0.0));
            if matches!(
                rule,
                Rule::Sine { .. }
                    | Rule::Cosine { .. }
                    | Rule::Growth { .. }
                    | Rule::Integral { .. }
            ) {
                cost.fixed += CALL;
            }
        }
        cost.linear = cost.linear.max(SIMPLE * simple);
        for block in self.blocks() {
            cost.fixed += ELIMINATION * (block.size() as f64).powi(3);
        }
        cost
    }

    /// How far a rule is behind its operands, and how many products of series it takes.
    fn work(&self, rule: Rule) -> (f64, f64) {
        match rule {
            Rule::Constant(_) | Rule::Parameter(_) | Rule::Time => (0.0, 0.0),
            Rule::State(_)
            | Rule::Add(..)
            | Rule::Sub(..)
            | Rule::Neg(_)
            | Rule::Theta(_)
            | Rule::Integral { .. } => (1.0, 0.0),
            Rule::Mul(a, b) => (1.0, self.product(a).min(self.product(b))),
            Rule::Div(_, b) => (1.0, self.product(b)),
            Rule::Growth { rate, .. } | Rule::Sine { rate, .. } | Rule::Cosine { rate, .. } => {
                (1.0, self.product(rate))
            }
            Rule::Square(_) | Rule::Sqrt(_) => (1.0, 0.5),
            Rule::Solution { block, .. } => (2.0, self.blocks()[block as usize].size() as f64),
        }
    }

    /// A product with a polynomial in time has few terms, however high the order.
    fn product(&self, factor: Series) -> f64 {
        if self.degrees()[factor as usize] == Degree::INFINITE {
            1.0
        } else {
            0.0
        }
    }
}
