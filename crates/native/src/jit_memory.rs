//! What keeps the code of Cranelift alive.
#![allow(unsafe_code)]

use cranelift_jit::JITModule;
use std::fmt;
use std::sync::Mutex;

/// Memory that Cranelift has filled with code, released on drop.
pub(crate) struct JitMemory {
    /// The lock is never taken: it only makes the module shareable, which nobody looks into.
    module: Option<Mutex<JITModule>>,
}

impl JitMemory {
    /// Keeps a finished module.
    pub fn new(module: JITModule) -> Self {
        Self {
            module: Some(Mutex::new(module)),
        }
    }
}

impl Drop for JitMemory {
    fn drop(&mut self) {
        let module = self.module.take().map(Mutex::into_inner);
        if let Some(Ok(module)) = module {
            // SAFETY: the code is called through the kernel that owns this, which is being dropped.
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for JitMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JitMemory")
    }
}
