//! A program compiled for this machine.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use crate::memory::ExecutableMemory;
use crate::systems::Systems;
use crate::{NativeError, validate::validate};
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

/// Which code generator to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Backend {
    /// The best that this processor supports.
    #[default]
    Best,
    /// Cranelift: any supported processor.
    Cranelift,
}

/// Inputs, outputs, scratch memory; the result is a mask of failed lanes.
#[cfg(target_arch = "x86_64")]
pub(crate) type Entry = unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64) -> u64;
/// Inputs, outputs, scratch memory; the result is a mask of failed lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Entry = unsafe extern "C" fn(*const f64, *mut f64, *mut f64) -> u64;

/// Machine code as a backend delivers it.
pub(crate) struct Code {
    /// Where it begins.
    pub entry: Entry,
    /// What keeps it alive.
    pub memory: Owner,
    /// How many numbers of scratch memory it uses.
    pub scratch: usize,
}

/// What keeps machine code alive.
#[derive(Debug)]
#[allow(dead_code, reason = "only dropped")]
pub(crate) enum Owner {
    /// Our own pages.
    #[cfg(target_arch = "x86_64")]
    Pages(ExecutableMemory),
    /// Cranelift's.
    #[cfg(feature = "cranelift")]
    Jit(Box<crate::cranelift::JitMemory>),
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
    /// Compiles a program.
    pub fn compile(program: &Program, lanes: Lanes, backend: Backend) -> Result<Self, NativeError> {
        validate(program)?;
        let systems = Systems::new(program, lanes, backend)?;
        let code = generate(program, lanes, backend, &systems)?;
        Ok(Self {
            entry: code.entry,
            lanes,
            inputs: program.inputs * lanes.count(),
            outputs: program.outputs.len() * lanes.count(),
            scratch: code.scratch,
            _memory: code.memory,
            _systems: systems,
        })
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

fn generate(
    program: &Program,
    lanes: Lanes,
    backend: Backend,
    systems: &Systems,
) -> Result<Code, NativeError> {
    match backend {
        #[cfg(target_arch = "x86_64")]
        Backend::Best if crate::x86::supported() => crate::x86::emit(program, lanes, systems),
        #[cfg(feature = "cranelift")]
        _ => crate::cranelift::emit(program, lanes, systems),
        #[cfg(not(feature = "cranelift"))]
        _ => Err(NativeError::UnsupportedProcessor),
    }
}
