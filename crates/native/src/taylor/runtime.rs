//! What Taylor kernels call: initial values of functions, and the inverse of a matrix.
#![allow(unsafe_code)]

use rattleback_compile::taylor::{Start, invert, solve_with_inverse};

use super::layout::LANES;
use crate::math;

/// A dense linear system in the memory of a kernel: A, b, x, A⁻¹ and space to find them, as numbers.
///
/// For one motion x and A⁻¹ come in packs of four rows (entry (i, j) of the inverse at
/// `(j·packs + i/4)·4 + i mod 4`), for four motions every number is four numbers wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct DenseSystem {
    size: usize,
    motions: usize,
}

impl DenseSystem {
    pub(super) fn new(size: usize, motions: usize) -> DenseSystem {
        DenseSystem { size, motions }
    }

    pub(super) fn motions(&self) -> usize {
        self.motions
    }

    /// The number of row packs.
    fn packs(&self) -> usize {
        match self.motions {
            1 => self.size.div_ceil(LANES),
            _ => self.size,
        }
    }

    fn rhs(&self) -> usize {
        self.size * self.size * self.motions
    }

    /// Where x begins.
    pub(super) fn solution(&self) -> usize {
        (self.rhs() + self.size * self.motions).next_multiple_of(LANES)
    }

    /// Where A⁻¹ begins.
    pub(super) fn inverse(&self) -> usize {
        self.solution() + self.packs() * LANES
    }

    fn work(&self) -> usize {
        self.inverse() + self.size * self.packs() * LANES
    }

    /// All numbers.
    pub(super) fn numbers(&self) -> usize {
        self.work() + 3 * self.size * self.size + 3 * self.size
    }

    /// Where component i of x (or entry (i, j) of A⁻¹, from its column j) of one motion is.
    fn place(&self, i: usize, motion: usize) -> usize {
        match self.motions {
            1 => i,
            _ => i * LANES + motion,
        }
    }

    /// Fills in x and A⁻¹ of one motion.
    fn solve(&self, numbers: &mut [f64], motion: usize) -> Result<(), usize> {
        let (n, motions) = (self.size, self.motions);
        let (given, work) = numbers.split_at_mut(self.work());
        let (matrix, work) = work.split_at_mut(n * n);
        let (eliminated, work) = work.split_at_mut(n * n);
        let (inverse, work) = work.split_at_mut(n * n);
        let (rhs, work) = work.split_at_mut(n);
        let (x, scratch) = work.split_at_mut(n);
        for (i, a) in matrix.iter_mut().enumerate() {
            *a = given[i * motions + motion];
        }
        for (i, b) in rhs.iter_mut().enumerate() {
            *b = given[self.rhs() + i * motions + motion];
        }
        eliminated.copy_from_slice(matrix);
        invert(n, eliminated, inverse)?;
        solve_with_inverse(matrix, inverse, rhs, x, &mut scratch[..n]);
        let column = self.packs() * LANES;
        for i in 0..n {
            given[self.solution() + self.place(i, motion)] = x[i];
            for j in 0..n {
                given[self.inverse() + j * column + self.place(i, motion)] = inverse[i * n + j];
            }
        }
        Ok(())
    }
}

pub(super) fn factorise_address() -> u64 {
    let function: unsafe extern "sysv64" fn(*mut f64, u64, u64) -> u64 = factorise;
    function as usize as u64
}

pub(super) fn turn_address(hyperbolic: bool) -> u64 {
    let function: unsafe extern "sysv64" fn(*const f64, *mut f64, *mut f64, u64) =
        if hyperbolic { hyperbolic_turn } else { turn };
    function as usize as u64
}

pub(super) fn start_address() -> u64 {
    let function: unsafe extern "sysv64" fn(*const f64, *const f64, *mut f64, *const Start, u64) =
        start;
    function as usize as u64
}

/// Factorises a dense system; the result is the mask of the motions that failed.
///
/// # Safety
/// `numbers` points to as many numbers as a system of this size has.
unsafe extern "sysv64" fn factorise(numbers: *mut f64, size: u64, motions: u64) -> u64 {
    let system = DenseSystem::new(size as usize, motions as usize);
    // SAFETY: by this function's contract.
    let numbers = unsafe { std::slice::from_raw_parts_mut(numbers, system.numbers()) };
    let mut failed = 0;
    for motion in 0..system.motions {
        if system.solve(numbers, motion).is_err() {
            failed |= 1 << motion;
        }
    }
    failed
}

/// Sines and cosines of one angle or of four.
///
/// # Safety
/// All pointers are valid for `count` numbers, and nothing overlaps.
unsafe extern "sysv64" fn turn(angles: *const f64, sines: *mut f64, cosines: *mut f64, count: u64) {
    let count = (count as usize).min(LANES);
    let (mut x, mut y) = ([0.0; LANES], [0.0; 2 * LANES]);
    // SAFETY: by this function's contract.
    unsafe {
        std::ptr::copy_nonoverlapping(angles, x.as_mut_ptr(), count);
        math::sincos(&x, &mut y);
        std::ptr::copy_nonoverlapping(y.as_ptr(), sines, count);
        std::ptr::copy_nonoverlapping(y[LANES..].as_ptr(), cosines, count);
    }
}

/// Hyperbolic sines and cosines.
///
/// # Safety
/// All pointers are valid for `count` numbers, and nothing overlaps.
unsafe extern "sysv64" fn hyperbolic_turn(
    angles: *const f64,
    sines: *mut f64,
    cosines: *mut f64,
    count: u64,
) {
    for lane in 0..count as usize {
        // SAFETY: by this function's contract.
        unsafe {
            let angle = *angles.add(lane);
            *sines.add(lane) = angle.sinh();
            *cosines.add(lane) = angle.cosh();
        }
    }
}

/// The initial value of a function, for `count` motions.
///
/// # Safety
/// The first three pointers are valid for `count` numbers, `start` for one value.
unsafe extern "sysv64" fn start(
    a: *const f64,
    b: *const f64,
    result: *mut f64,
    start: *const Start,
    count: u64,
) {
    for lane in 0..count as usize {
        // SAFETY: by this function's contract.
        unsafe { *result.add(lane) = (*start).evaluate(*a.add(lane), *b.add(lane)) };
    }
}
