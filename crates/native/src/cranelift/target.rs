//! Cranelift set up for this machine.
#![allow(unsafe_code)]

use crate::NativeError;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, MemFlagsData, Signature};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::fmt;

/// Beyond so many values the thorough register allocation takes far longer than the code is worth.
const THOROUGH: usize = 600;

/// An empty module for this machine, for a function of so many values.
pub(crate) fn module(values: usize) -> Result<JITModule, NativeError> {
    let allocation = if values > THOROUGH {
        "single_pass"
    } else {
        "backtracking"
    };
    let mut flags = settings::builder();
    let options = [
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("opt_level", "none"),
        ("enable_verifier", "false"),
        ("regalloc_algorithm", allocation),
    ];
    for (name, value) in options {
        flags.set(name, value).map_err(encoding)?;
    }
    let isa = cranelift_native::builder()
        .map_err(|_| NativeError::UnsupportedProcessor)?
        .finish(settings::Flags::new(flags))
        .map_err(encoding)?;
    let builder = JITBuilder::with_isa(isa, default_libcall_names());
    Ok(JITModule::new(builder))
}

/// The calling convention of kernels and of what they call.
pub(crate) fn convention(module: &JITModule) -> CallConv {
    if cfg!(target_arch = "x86_64") {
        CallConv::SystemV
    } else {
        module.isa().default_call_conv()
    }
}

/// So many addresses or integers in, one integer out.
pub(crate) fn signature(convention: CallConv, parameters: usize) -> Signature {
    let mut signature = Signature::new(convention);
    signature.params = vec![AbiParam::new(I64); parameters];
    signature.returns = vec![AbiParam::new(I64)];
    signature
}

/// Memory that is there, with any alignment.
pub(crate) fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Does the processor multiply and add with one rounding?
pub(crate) fn has_fused() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        true
    }
}

/// Cranelift's complaints in our words.
pub(crate) fn encoding(e: impl fmt::Display) -> NativeError {
    NativeError::Encoding(e.to_string())
}
