//! F̃ on positions and momenta, with its derivative.

use super::error::ActionError;
use rattleback_compile::EvaluationError;
use rattleback_compile::program::{Interpreter, Program};
use rattleback_mechanics::discrete::Step;
use rattleback_symbolic::Symbol;

/// A point of T*Q.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// q.
    pub q: Vec<f64>,
    /// p.
    pub p: Vec<f64>,
}

/// The map (q_k, p_k) to (q_{k+1}, p_{k+1}) of a discrete system with a step and parameters (DP-A5).
pub struct MomentumMap {
    map: Interpreter,
    slopes: Interpreter,
    dimension: usize,
    from: f64,
    h: f64,
}

impl MomentumMap {
    /// Compiles a step on positions and momenta, in coordinates.
    pub fn new(
        step: &Step,
        constants: &[(Symbol, f64)],
        from: f64,
        h: f64,
    ) -> Result<Self, ActionError> {
        let size = step.next.len();
        let outputs = [&step.next[..], std::slice::from_ref(&step.action)].concat();
        let program = Program::new(&step.inputs, constants, &step.stages, &outputs)?;
        let map = Program::new(&step.inputs, constants, &step.stages, &step.next)?;
        Ok(Self {
            slopes: Interpreter::new(map.jacobian(2..2 + size)),
            map: Interpreter::new(program),
            dimension: size / 2,
            from,
            h,
        })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    fn inputs(&self, k: usize, node: &Node) -> Vec<f64> {
        let t = self.from + k as f64 * self.h;
        [&[t, self.h], &node.q[..], &node.p[..]].concat()
    }

    /// The k-th step (from 0): the next node, and L_d of the step.
    pub fn advance(&self, k: usize, node: &Node) -> Result<(Node, f64), ActionError> {
        let found = self.map.values(&self.inputs(k, node));
        let values = found.map_err(|fault| ActionError::NoStep {
            step: k + 1,
            why: EvaluationError::of(fault, self.map.program()).to_string(),
        })?;
        if values.iter().any(|x| !x.is_finite()) {
            return Err(ActionError::NoStep {
                step: k + 1,
                why: "a value is not finite".into(),
            });
        }
        let n = self.dimension;
        let next = Node {
            q: values[..n].to_vec(),
            p: values[n..2 * n].to_vec(),
        };
        Ok((next, values[2 * n]))
    }

    /// DF̃ of the k-th step by rows, positions before momenta.
    pub fn slopes(&self, k: usize, node: &Node) -> Result<Vec<f64>, ActionError> {
        let found = self.slopes.values(&self.inputs(k, node));
        found.map_err(|fault| ActionError::NoStep {
            step: k + 1,
            why: EvaluationError::of(fault, self.slopes.program()).to_string(),
        })
    }
}
