//! A program compiled for this machine.
#![allow(unsafe_code)]

mod newton;
mod systems;

pub(crate) use newton::Newton;
pub(crate) use systems::{Solver, Systems};

use crate::code::{Code, Entry, Owner};
use rattleback_compile::program::Program;

/// How many states a kernel works on at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// One state.
    One,
    /// Four states: number i of lane l stands at 4·i + l.
    Four,
}

impl Lanes {
    /// The number of states.
    pub fn count(self) -> usize {
        match self {
            Lanes::One => 1,
            Lanes::Four => 4,
        }
    }

    /// The mask of all lanes.
    pub fn mask(self) -> u8 {
        (1 << self.count()) - 1
    }
}

/// A program compiled for this machine. It holds no state: threads may share it.
#[derive(Debug)]
pub struct Kernel {
    entry: Entry,
    lanes: Lanes,
    inputs: usize,
    outputs: usize,
    scratch: usize,
    _memory: Owner,
    /// The code calls into these.
    _systems: Systems,
}

impl Kernel {
    /// The code of a program, with the systems that it calls into.
    pub(crate) fn new(program: &Program, lanes: Lanes, code: Code, systems: Systems) -> Self {
        Self {
            entry: code.entry,
            lanes,
            inputs: program.inputs * lanes.count(),
            outputs: program.outputs.len() * lanes.count(),
            scratch: code.scratch,
            _memory: code.memory,
            _systems: systems,
        }
    }

    /// How many states it works on at once.
    pub fn lanes(&self) -> Lanes {
        self.lanes
    }

    /// How many numbers of scratch memory [`run`](Self::run) needs.
    pub fn scratch_len(&self) -> usize {
        self.scratch
    }

    /// Runs the program and returns the mask of the lanes in which a check or a solve failed; their
    /// outputs mean nothing.
    ///
    /// # Panics
    /// If a slice is shorter than the program needs.
    #[inline]
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) -> u8 {
        assert!(inputs.len() >= self.inputs, "too few inputs");
        assert!(outputs.len() >= self.outputs, "too few outputs");
        assert!(scratch.len() >= self.scratch, "too little scratch memory");
        // SAFETY: the code reads `self.inputs` numbers, writes `self.outputs`, and uses
        // `self.scratch` of scratch memory, checked above; its memory lives as long as `self`.
        let failed =
            unsafe { (self.entry)(inputs.as_ptr(), outputs.as_mut_ptr(), scratch.as_mut_ptr()) };
        failed as u8
    }
}
