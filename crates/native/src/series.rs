//! The Taylor series of a vector field in the fastest form that this machine has.

#[cfg(target_arch = "x86_64")]
use crate::Lanes;
#[cfg(target_arch = "x86_64")]
use crate::taylor::{TaylorKernel, TaylorWorkspace};
use rattleback_compile::taylor::{JetFault, JetInterpreter, TaylorPlan};
use std::sync::Arc;

/// Taylor coefficients of motions up to one order. Cheap to clone: the code is shared.
#[derive(Clone)]
pub struct Series {
    #[cfg(target_arch = "x86_64")]
    native: Option<(Arc<TaylorKernel>, TaylorWorkspace)>,
    exact: Arc<TaylorPlan>,
    interpreter: Option<JetInterpreter<f64>>,
    order: usize,
    parameters: Vec<f64>,
}

impl Series {
    /// The coefficients up to `order` of the motions of a plan with these values of its constants.
    pub fn new(plan: TaylorPlan, order: usize, parameters: &[f64]) -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            native: TaylorKernel::compile(&plan, order, Lanes::One)
                .ok()
                .map(|kernel| {
                    let mut workspace = kernel.workspace();
                    kernel.set_parameters(&mut workspace, 0, parameters);
                    (Arc::new(kernel), workspace)
                }),
            exact: Arc::new(plan),
            interpreter: None,
            order,
            parameters: parameters.to_vec(),
        }
    }

    /// Writes x_k = x^(k)(t)/k! for k = 0 ..= order at `coefficients[k·n + i]`. An order other than
    /// the one of the construction is interpreted, as is a state at which the machine code fails.
    pub fn jet(
        &mut self,
        t: f64,
        x: &[f64],
        order: usize,
        coefficients: &mut [f64],
    ) -> Result<(), JetFault> {
        #[cfg(target_arch = "x86_64")]
        if let Some((kernel, workspace)) = &mut self.native
            && order == self.order
            && kernel.jet(workspace, &[t], x, coefficients) == 0
        {
            return Ok(());
        }
        let interpreter = match &mut self.interpreter {
            Some(made) if made.highest_order() >= order => made,
            other => {
                let plan = TaylorPlan::clone(&self.exact);
                let mut made = JetInterpreter::new(plan, order.max(self.order));
                made.set_parameters(0, &self.parameters);
                other.insert(made)
            }
        };
        let found = interpreter.jet(t, x, order, coefficients);
        found.map_err(|(_, fault)| fault)
    }
}
