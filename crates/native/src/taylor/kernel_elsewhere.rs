//! The kernel of processors that there is no code for: there is never one.

use rattleback_compile::taylor::TaylorPlan;

use crate::{Lanes, NativeError};

/// Never made.
#[derive(Debug)]
pub enum TaylorKernel {}

/// Never made.
#[derive(Clone, Debug)]
pub enum TaylorWorkspace {}

impl TaylorKernel {
    /// Refuses.
    pub fn compile(_: &TaylorPlan, _: usize, _: Lanes) -> Result<TaylorKernel, NativeError> {
        Err(NativeError::UnsupportedProcessor)
    }

    /// Never called.
    pub fn workspace(&self) -> TaylorWorkspace {
        match *self {}
    }

    /// Never called.
    pub fn set_parameters(&self, _: &mut TaylorWorkspace, _: usize, _: &[f64]) {
        match *self {}
    }

    /// Never called.
    pub fn jet(&self, _: &mut TaylorWorkspace, _: &[f64], _: &[f64], _: &mut [f64]) -> u8 {
        match *self {}
    }
}
