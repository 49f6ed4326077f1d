//! The widest arithmetic of the processor, found when the program runs.
#![allow(unsafe_code)]

/// How many numbers go through the arithmetic at once.
pub const LANES: usize = 4;

/// Numbers that go through the arithmetic together.
pub type Block = [f64; LANES];

/// Component by component, what is in a lane.
pub(crate) fn column(blocks: &[Block], lane: usize, x: &mut [f64]) {
    for (x, block) in x.iter_mut().zip(blocks) {
        *x = block[lane];
    }
}

/// How a product is added to a sum.
pub(crate) trait Arithmetic: Copy {
    /// a·b + c.
    fn multiply_add(a: f64, b: f64, c: f64) -> f64;

    /// a·b + c in each lane.
    #[inline(always)]
    fn block(a: Block, b: Block, c: Block) -> Block {
        std::array::from_fn(|i| Self::multiply_add(a[i], b[i], c[i]))
    }

    /// a·b + c in each lane, with one number for all lanes.
    #[inline(always)]
    fn scaled(a: f64, b: Block, c: Block) -> Block {
        Self::block([a; LANES], b, c)
    }
}

/// Two roundings.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Arithmetic for Plain {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// One rounding. Only for processors with the instruction: elsewhere it is a slow library call.
#[derive(Clone, Copy)]
pub(crate) struct Fused;

impl Arithmetic for Fused {
    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// Reads a block number by number. A wide load cannot be served from narrow stores that are still on
/// their way to the cache, and waits for them; narrow loads do not.
#[inline(always)]
pub(crate) fn read_narrow(block: &Block) -> Block {
    // SAFETY: a reference is valid to read from. Volatile only to keep the loads apart.
    std::array::from_fn(|i| unsafe { std::ptr::read_volatile(&block[i]) })
}

/// Copies number by number, for numbers that have just been written: a wide load that spans two stores
/// which are still on their way to the cache waits for both.
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn copy_narrow(from: &[f64], to: &mut [f64]) {
    assert_eq!(from.len(), to.len(), "as many numbers on both sides");
    for (from, to) in from.iter().zip(to) {
        // SAFETY: a reference is valid to read from. Volatile only to keep the loads apart.
        *to = unsafe { std::ptr::read_volatile(from) };
    }
}

/// Work that gains from the widest arithmetic. `run` must be `#[inline(always)]`, or else it is
/// compiled for the least processor.
pub(crate) trait Work {
    /// What comes out.
    type Output;
    /// Does the work.
    fn run<A: Arithmetic>(self) -> Self::Output;
}

/// Does the work with the best arithmetic that the processor has.
#[inline]
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn fused<W: Work>(work: W) -> W::Output {
            work.run::<Fused>()
        }
        if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
            // SAFETY: the processor has the two features that `fused` is compiled for.
            return unsafe { fused(work) };
        }
    }
    if cfg!(target_arch = "aarch64") {
        return work.run::<Fused>();
    }
    work.run::<Plain>()
}
