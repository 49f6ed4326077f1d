//! Sines and cosines of many numbers, by the widest registers that this processor has.
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

/// Four sines and four cosines for every four numbers.
pub(crate) fn sincos(x: &[f64], y: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if has_wide() {
        // SAFETY: the processor has what the function needs.
        unsafe { super::sincos_wide::groups(x, y) };
        return;
    }
    for (x, y) in x.chunks(4).zip(y.chunks_exact_mut(8)) {
        let (sines, cosines) = y.split_at_mut(4);
        for ((x, s), c) in x.iter().zip(sines).zip(cosines) {
            (*s, *c) = x.sin_cos();
        }
    }
}

#[cfg(test)]
mod tests;
