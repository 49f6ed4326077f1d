//! Machine code as a backend delivers it.

#[cfg(feature = "cranelift")]
use crate::jit_memory::JitMemory;
#[cfg(target_arch = "x86_64")]
use crate::memory::ExecutableMemory;

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
    Jit(Box<JitMemory>),
}
