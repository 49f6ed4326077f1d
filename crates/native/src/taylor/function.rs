//! Taylor coefficients in the fastest form that this machine has.

use rattleback_compile::taylor::{JetFault, JetInterpreter, Lanes as Four, TaylorPlan};

use super::{TaylorKernel, TaylorWorkspace};
use crate::{Backend, Lanes};

/// The Taylor coefficients of motions. It holds no state: threads may share it, each with its own
/// [`TaylorMemory`].
#[derive(Debug)]
pub struct TaylorFunction {
    plan: TaylorPlan,
    order: usize,
    lanes: Lanes,
    may_turn: bool,
    kernel: Option<TaylorKernel>,
}

/// The memory that one caller of a [`TaylorFunction`] needs, with the parameters of its motions.
#[derive(Clone, Debug)]
pub struct TaylorMemory {
    workspace: Option<TaylorWorkspace>,
    interpreter: Interpreter,
    /// Did the interpreter work out the last coefficients?
    is_interpreted: bool,
}

/// The interpreter, which also says why the machine code failed.
#[derive(Clone, Debug)]
enum Interpreter {
    One(JetInterpreter<f64>),
    Four {
        interpreter: JetInterpreter<Four>,
        x: Vec<Four>,
        coefficients: Vec<Four>,
    },
}

impl TaylorFunction {
    /// Coefficients up to `order`, at least 1; where this machine has no native code, they are
    /// interpreted.
    pub fn new(plan: TaylorPlan, order: usize, lanes: Lanes) -> TaylorFunction {
        let order = order.max(1);
        TaylorFunction {
            kernel: TaylorKernel::compile(&plan, order, lanes, Backend::Best).ok(),
            may_turn: plan.may_turn(),
            plan,
            order,
            lanes,
        }
    }

    /// The order of the coefficients.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The number of state components.
    pub fn dimension(&self) -> usize {
        self.plan.dimension()
    }

    /// See [`TaylorPlan::may_turn`].
    pub fn may_turn(&self) -> bool {
        self.may_turn
    }

    /// Is there machine code?
    pub fn is_native(&self) -> bool {
        self.kernel.is_some()
    }

    /// Memory for calls. All parameters are zero until they are set.
    pub fn memory(&self) -> TaylorMemory {
        let n = self.plan.dimension();
        let plan = self.plan.clone();
        TaylorMemory {
            workspace: self.kernel.as_ref().map(TaylorKernel::workspace),
            interpreter: match self.lanes {
                Lanes::One => Interpreter::One(JetInterpreter::new(plan, self.order)),
                Lanes::Four => Interpreter::Four {
                    interpreter: JetInterpreter::new(plan, self.order),
                    x: vec![Four::default(); n],
                    coefficients: vec![Four::default(); n * (self.order + 1)],
                },
            },
            is_interpreted: true,
        }
    }

    /// Sets the constants of one motion.
    pub fn set_parameters(&self, memory: &mut TaylorMemory, lane: usize, parameters: &[f64]) {
        if let (Some(kernel), Some(workspace)) = (&self.kernel, &mut memory.workspace) {
            kernel.set_parameters(workspace, lane, parameters);
        }
        match &mut memory.interpreter {
            Interpreter::One(interpreter) => interpreter.set_parameters(lane, parameters),
            Interpreter::Four { interpreter, .. } => interpreter.set_parameters(lane, parameters),
        }
    }

    /// Writes the Taylor coefficients of the motions through (t, x) for k = 0 ..= order:
    /// component i of motion l at `coefficients[(k·n + i)·lanes + l]`, `x[i·lanes + l]`, `t[l]`.
    ///
    /// An error has the mask of the motions that failed. Machine code leaves it to the caller to
    /// look for numbers that are not finite.
    ///
    /// # Panics
    /// If a slice is too short or the memory is of another function.
    #[inline]
    pub fn jet(
        &self,
        memory: &mut TaylorMemory,
        t: &[f64],
        x: &[f64],
        coefficients: &mut [f64],
    ) -> Result<(), (u8, JetFault)> {
        if let (Some(kernel), Some(workspace)) = (&self.kernel, &mut memory.workspace)
            && kernel.jet(workspace, t, x, coefficients) == 0
        {
            memory.is_interpreted = false;
            return Ok(());
        }
        memory.is_interpreted = true;
        self.interpret(memory, t, x, coefficients)
    }

    /// The motions, as a mask, in whose steps of these lengths something may turn or come up that the coefficients of
    /// the last [`jet`](Self::jet) do not know of, as far as these can tell.
    pub fn doubts(&self, memory: &TaylorMemory, coefficients: &[f64], steps: &[f64]) -> u8 {
        match (&self.kernel, &memory.workspace) {
            (Some(kernel), Some(workspace)) if !memory.is_interpreted => {
                kernel.doubts(workspace, coefficients, steps)
            }
            _ => self.lanes.mask(),
        }
    }

    fn interpret(
        &self,
        memory: &mut TaylorMemory,
        t: &[f64],
        x: &[f64],
        coefficients: &mut [f64],
    ) -> Result<(), (u8, JetFault)> {
        match &mut memory.interpreter {
            Interpreter::One(interpreter) => interpreter.jet(t[0], x, self.order, coefficients),
            Interpreter::Four {
                interpreter,
                x: states,
                coefficients: found,
            } => {
                let t = Four(std::array::from_fn(|l| t[l]));
                for (to, from) in states.iter_mut().zip(x.as_chunks().0) {
                    *to = Four(*from);
                }
                let result = interpreter.jet(t, states, self.order, found);
                for (to, from) in coefficients.as_chunks_mut().0.iter_mut().zip(found) {
                    *to = from.0;
                }
                result
            }
        }
    }
}
