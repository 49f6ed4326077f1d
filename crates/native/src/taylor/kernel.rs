//! A jet compiled for this machine.
#![allow(unsafe_code)]

use rattleback_compile::taylor::{JetInterpreter, Start, TaylorPlan};

use super::layout::Layout;
use super::steep::{Steep, exceeding};
use super::tasks::starts;
use crate::code::Owner;
use crate::{Backend, Lanes, NativeError};
use rattleback_numeric::tolerance::VANISHING_PIVOT;

/// The memory of the kernel, the coefficients of the state; the result is a mask of failed motions.
#[cfg(target_arch = "x86_64")]
pub(super) type Entry = unsafe extern "sysv64" fn(*mut f64, *mut f64) -> u64;
/// The memory of the kernel, the coefficients of the state; the result is a mask of failed motions.
#[cfg(not(target_arch = "x86_64"))]
pub(super) type Entry = unsafe extern "C" fn(*mut f64, *mut f64) -> u64;

/// Machine code as a backend delivers it.
pub(super) struct Emitted<'p> {
    /// Where it begins.
    pub(super) entry: Entry,
    /// What keeps it alive.
    pub(super) code: Owner,
    /// The memory that it wants.
    pub(super) layout: Layout<'p>,
    /// Where guarded values are kept: (value, scale).
    pub(super) guards: Vec<(i32, i32)>,
    /// How many instructions there are.
    pub(super) instructions: usize,
}

/// The Taylor coefficients of one order in machine code, for one motion or for four at once.
#[derive(Debug)]
pub struct TaylorKernel {
    plan: TaylorPlan,
    lanes: Lanes,
    order: usize,
    entry: Entry,
    /// Keep alive what `entry` uses.
    _code: Owner,
    _starts: Box<[Start]>,
    rows: usize,
    time: usize,
    constants: Vec<(f64, usize)>,
    fixed: Vec<(u32, usize)>,
    guards: Vec<(usize, usize)>,
    steep: Vec<Steep>,
    instructions: usize,
}

// SAFETY: the code and what it refers to never change after construction; all that a run writes is
// in the workspace that its caller owns.
unsafe impl Send for TaylorKernel {}
// SAFETY: as above.
unsafe impl Sync for TaylorKernel {}

/// One register's worth of numbers.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Row([f64; 4]);

/// The memory of one run at a time, with the parameters of its motions.
#[derive(Clone, Debug)]
pub struct TaylorWorkspace {
    rows: Vec<Row>,
    fixed: JetInterpreter<f64>,
}

impl TaylorKernel {
    /// Compiles the coefficients up to `order`, at least 1.
    pub fn compile(
        plan: &TaylorPlan,
        order: usize,
        lanes: Lanes,
        backend: Backend,
    ) -> Result<TaylorKernel, NativeError> {
        let starts = starts(plan).into_boxed_slice();
        let order = order.max(1);
        let emitted = generate(plan, order, lanes, backend, &starts)?;
        let layout = &emitted.layout;
        let number = |byte: i32| byte as usize / 8;
        let (rows, time) = (layout.size as usize / 32 + 1, number(layout.time));
        let constants = layout.constants().map(|(x, at)| (x, number(at))).collect();
        let fixed = layout.fixed().map(|(s, at)| (s, number(at))).collect();
        Ok(TaylorKernel {
            plan: plan.clone(),
            lanes,
            order,
            entry: emitted.entry,
            _code: emitted.code,
            _starts: starts,
            rows,
            time,
            constants,
            fixed,
            guards: (emitted.guards.iter())
                .map(|&(value, scale)| (number(value), number(scale)))
                .collect(),
            steep: layout.steep.clone(),
            instructions: emitted.instructions,
        })
    }

    /// The order of the coefficients.
    pub fn order(&self) -> usize {
        self.order
    }

    /// How many motions at once.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// The number of state components.
    pub fn dimension(&self) -> usize {
        self.plan.dimension()
    }

    /// How long the code is.
    pub fn instructions(&self) -> usize {
        self.instructions
    }

    /// Memory to run in. All parameters are zero until they are set.
    pub fn workspace(&self) -> TaylorWorkspace {
        let mut workspace = TaylorWorkspace {
            rows: vec![Row([0.0; 4]); self.rows],
            fixed: JetInterpreter::new(self.plan.clone(), 0),
        };
        for &(x, at) in &self.constants {
            workspace.rows[at / 4].0 = [x; 4];
        }
        let parameters = vec![0.0; self.plan.parameters()];
        for lane in 0..self.lanes.count() {
            self.set_parameters(&mut workspace, lane, &parameters);
        }
        workspace
    }

    /// Sets the constants of one motion.
    pub fn set_parameters(&self, workspace: &mut TaylorWorkspace, lane: usize, parameters: &[f64]) {
        workspace.fixed.set_parameters(0, parameters);
        workspace.fixed.evaluate_fixed();
        for &(series, at) in &self.fixed {
            let value = workspace.fixed.value(series);
            workspace.put(at + lane, value);
        }
    }

    /// Writes the Taylor coefficients of the motions through (t, x) for k = 0 ..= order:
    /// component i of motion l at `coefficients[(k·n + i)·lanes + l]`, `x[i·lanes + l]`, `t[l]`.
    /// Returns the mask of the motions that failed for a singular matrix. Numbers that are not
    /// finite are left to the caller.
    ///
    /// # Panics
    /// If a slice is too short or the workspace is of another kernel.
    pub fn jet(
        &self,
        workspace: &mut TaylorWorkspace,
        t: &[f64],
        x: &[f64],
        coefficients: &mut [f64],
    ) -> u8 {
        let lanes = self.lanes.count();
        let row = self.plan.dimension() * lanes;
        assert!(coefficients.len() >= row * (self.order + 1) && x.len() == row);
        assert!(t.len() == lanes && workspace.rows.len() == self.rows);
        coefficients[..row].copy_from_slice(x);
        for (lane, &t) in t.iter().enumerate() {
            workspace.put(self.time + lane, t);
        }
        let memory = workspace.rows.as_mut_ptr().cast::<f64>();
        // SAFETY: the workspace and the coefficients are as long as the code expects, which was
        // checked above; the code stays inside of them.
        let mut failed = unsafe { (self.entry)(memory, coefficients.as_mut_ptr()) } as u8;
        for &(value, scale) in &self.guards {
            for lane in 0..lanes {
                let (value, scale) = (workspace.get(value + lane), workspace.get(scale + lane));
                if value.is_nan() || value.abs() <= VANISHING_PIVOT * scale.abs() {
                    failed |= 1 << lane;
                }
            }
        }
        failed
    }

    /// The motions, as a mask, in whose steps of these lengths something may turn or come up that their coefficients
    /// do not know of; the coefficients are those of the last [`jet`](Self::jet) in this workspace.
    pub fn doubts(&self, workspace: &TaylorWorkspace, coefficients: &[f64], steps: &[f64]) -> u8 {
        exceeding(&self.steep, workspace.numbers(), coefficients, steps)
    }
}

fn generate<'p>(
    plan: &'p TaylorPlan,
    order: usize,
    lanes: Lanes,
    backend: Backend,
    starts: &[Start],
) -> Result<Emitted<'p>, NativeError> {
    match backend {
        #[cfg(target_arch = "x86_64")]
        Backend::Best if crate::x86::supported() => super::x86::emit(plan, lanes, order, starts),
        #[cfg(feature = "cranelift")]
        _ => super::cranelift::emit(plan, lanes, order, starts),
        #[cfg(not(feature = "cranelift"))]
        _ => Err(NativeError::UnsupportedProcessor),
    }
}

impl TaylorWorkspace {
    fn numbers(&self) -> &[f64] {
        let count = 4 * self.rows.len();
        // SAFETY: a row is four numbers without anything between them.
        unsafe { std::slice::from_raw_parts(self.rows.as_ptr().cast::<f64>(), count) }
    }

    fn put(&mut self, number: usize, x: f64) {
        self.rows[number / 4].0[number % 4] = x;
    }

    fn get(&self, number: usize) -> f64 {
        self.rows[number / 4].0[number % 4]
    }
}
