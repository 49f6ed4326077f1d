//! Sines and cosines of many arguments, by the widest registers that this processor has.
#![allow(unsafe_code)]

/// Are there 256-bit registers with fused multiply-add?
pub(crate) fn has_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // The standard library caches the answer.
        std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Sines and cosines of numbers that were written one by one.
///
/// # Safety
/// All three pointers are valid for `count` numbers, and nothing overlaps.
pub(crate) unsafe fn sincos_scattered(x: *const f64, s: *mut f64, c: *mut f64, count: usize) {
    // SAFETY: by this function's contract; the wide kernel only where the processor has it.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if has_wide() {
            return super::sincos_wide::scattered(x, s, c, count);
        }
        one_by_one(x, s, c, count);
    }
}

/// Sines and cosines of numbers that were written in fours.
///
/// # Safety
/// All three pointers are valid for `count` numbers, a multiple of four, and nothing overlaps.
pub(crate) unsafe fn sincos_packed(x: *const f64, s: *mut f64, c: *mut f64, count: usize) {
    // SAFETY: by this function's contract; the wide kernel only where the processor has it.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if has_wide() {
            return super::sincos_wide::packed(x, s, c, count);
        }
        one_by_one(x, s, c, count);
    }
}

/// # Safety
/// All three pointers are valid for `count` numbers, and nothing overlaps.
unsafe fn one_by_one(x: *const f64, s: *mut f64, c: *mut f64, count: usize) {
    for k in 0..count {
        // SAFETY: k < count.
        unsafe { (*s.add(k), *c.add(k)) = (*x.add(k)).sin_cos() };
    }
}

#[cfg(test)]
mod tests;
