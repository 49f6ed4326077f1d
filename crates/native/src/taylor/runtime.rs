//! What Taylor kernels call: initial values of functions, and the inverse of a matrix.
#![allow(unsafe_code)]

use rattleback_compile::taylor::{
    Lanes, Number, Start, invert, invert_definite, solve_with_inverse,
};

use super::layout::LANES;
use crate::math;
use crate::runtime::callable;
use rattleback_numeric::SingularMatrix;

/// A dense linear system in the memory of a kernel: A, b, x, A⁻¹ and space to find them, as numbers.
///
/// Every number is as wide as there are motions. x and the columns of A⁻¹ are filled up to whole packs
/// of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct DenseSystem {
    size: usize,
    motions: usize,
    /// How many rows make a pack.
    rows: usize,
}

impl DenseSystem {
    pub(super) fn new(size: usize, motions: usize, rows: usize) -> DenseSystem {
        DenseSystem {
            size,
            motions,
            rows,
        }
    }

    pub(super) fn motions(&self) -> usize {
        self.motions
    }

    /// The length of a column, in numbers.
    pub(super) fn column(&self) -> usize {
        self.size.next_multiple_of(self.rows) * self.motions
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
        (self.solution() + self.column()).next_multiple_of(LANES)
    }

    fn work(&self) -> usize {
        (self.inverse() + self.size * self.column()).next_multiple_of(LANES)
    }

    /// All numbers.
    pub(super) fn numbers(&self) -> usize {
        self.work() + (3 * self.size * self.size + 3 * self.size) * self.motions
    }

    /// Fills in x and A⁻¹ of all motions, if A is symmetric and safely positive definite in each.
    #[inline(always)]
    fn solve_definite<N: Number>(&self, numbers: &mut [N]) -> bool {
        let n = self.size;
        let wide = |place: usize| place / N::LANES;
        let (given, work) = numbers.split_at_mut(wide(self.work()));
        let (inverse, scratch) = work.split_at_mut(n * n);
        inverse.copy_from_slice(&given[..n * n]);
        if !invert_definite(n, inverse, scratch) {
            return false;
        }
        let rhs = wide(self.rhs());
        let (x, scratch) = scratch.split_at_mut(n);
        let (matrix, rhs) = (&given[..n * n], &given[rhs..rhs + n]);
        solve_with_inverse(matrix, inverse, rhs, x, scratch);
        let column = wide(self.column());
        let (solution, place) = (wide(self.solution()), wide(self.inverse()));
        for i in 0..n {
            given[solution + i] = x[i];
            for j in 0..n {
                given[place + j * column + i] = inverse[i * n + j];
            }
        }
        true
    }

    /// Fills in x and A⁻¹ of one motion.
    fn solve(&self, numbers: &mut [f64], motion: usize) -> Result<(), SingularMatrix> {
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
        for i in 0..n {
            let place = i * motions + motion;
            given[self.solution() + place] = x[i];
            for j in 0..n {
                given[self.inverse() + j * self.column() + place] = inverse[i * n + j];
            }
        }
        Ok(())
    }
}

pub(super) fn factorise_address() -> u64 {
    factorise as *const () as usize as u64
}

#[cfg(feature = "cranelift")]
pub(super) fn turn_address() -> u64 {
    turn as *const () as usize as u64
}

pub(super) fn hyperbolic_turn_address() -> u64 {
    hyperbolic_turn as *const () as usize as u64
}

pub(super) fn start_address() -> u64 {
    start as *const () as usize as u64
}

/// Factorises a dense system; the result is the mask of the motions that failed.
#[inline(always)]
fn factorised(system: &DenseSystem, numbers: &mut [f64], symmetric: bool) -> u64 {
    if symmetric && solve_symmetric(system, numbers) {
        return 0;
    }
    let mut failed = 0;
    for motion in 0..system.motions {
        if system.solve(numbers, motion).is_err() {
            failed |= 1 << motion;
        }
    }
    failed
}

/// The same with the widest arithmetic.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn factorised_wide(system: &DenseSystem, numbers: &mut [f64], symmetric: bool) -> u64 {
    factorised(system, numbers, symmetric)
}

#[inline(always)]
fn solve_symmetric(system: &DenseSystem, numbers: &mut [f64]) -> bool {
    if system.motions == 1 {
        return system.solve_definite::<f64>(numbers);
    }
    let count = numbers.len() / LANES;
    // SAFETY: `Lanes` is four numbers, with their alignment.
    let wide =
        unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast::<Lanes>(), count) };
    system.solve_definite(wide)
}

/// Angles, and where their sines and cosines go.
///
/// # Safety
/// All pointers are valid for `count` numbers, and nothing overlaps.
unsafe fn turned<'a>(
    angles: *const f64,
    sines: *mut f64,
    cosines: *mut f64,
    count: usize,
) -> (&'a [f64], &'a mut [f64], &'a mut [f64]) {
    // SAFETY: by this function's contract.
    unsafe {
        (
            std::slice::from_raw_parts(angles, count),
            std::slice::from_raw_parts_mut(sines, count),
            std::slice::from_raw_parts_mut(cosines, count),
        )
    }
}

callable! {
    /// Factorises a dense system; the result is the mask of the motions that failed.
    ///
    /// # Safety
    /// `numbers` points to as many numbers as a system of this size has, aligned to four of them.
    unsafe fn factorise(
        numbers: *mut f64,
        size: u64,
        motions: u64,
        rows: u64,
        symmetric: u64
    ) -> u64 {
        let system = DenseSystem::new(size as usize, motions as usize, rows as usize);
        // SAFETY: by this function's contract.
        let numbers = unsafe { std::slice::from_raw_parts_mut(numbers, system.numbers()) };
        #[cfg(target_arch = "x86_64")]
        if math::has_wide() {
            // SAFETY: the processor has what the function needs.
            return unsafe { factorised_wide(&system, numbers, symmetric == 1) };
        }
        factorised(&system, numbers, symmetric == 1)
    }

    /// Hyperbolic sines and cosines.
    ///
    /// # Safety
    /// All pointers are valid for `count` numbers, and nothing overlaps.
    unsafe fn hyperbolic_turn(
        angles: *const f64,
        sines: *mut f64,
        cosines: *mut f64,
        count: u64
    ) -> u64 {
        // SAFETY: by this function's contract.
        let (angles, sines, cosines) = unsafe { turned(angles, sines, cosines, count as usize) };
        math::each(math::HyperbolicSine, [angles], sines);
        math::each(math::HyperbolicCosine, [angles], cosines);
        0
    }

    #[cfg(feature = "cranelift")]
    /// Sines and cosines.
    ///
    /// # Safety
    /// All pointers are valid for `count` numbers, one or four, and nothing overlaps.
    unsafe fn turn(
        angles: *const f64,
        sines: *mut f64,
        cosines: *mut f64,
        count: u64
    ) -> u64 {
        let count = count as usize;
        // SAFETY: by this function's contract.
        let (angles, sines, cosines) = unsafe { turned(angles, sines, cosines, count) };
        let mut both = [0.0; 2 * LANES];
        math::sincos(angles, &mut both);
        sines.copy_from_slice(&both[..count]);
        cosines.copy_from_slice(&both[LANES..LANES + count]);
        0
    }

    /// The initial value of a function, for `count` motions.
    ///
    /// # Safety
    /// The first three pointers are valid for `count` numbers, `start` for one value; the third overlaps with
    /// nothing.
    unsafe fn start(
        a: *const f64,
        b: *const f64,
        result: *mut f64,
        start: *const Start,
        count: u64
    ) -> u64 {
        let count = count as usize;
        // SAFETY: by this function's contract.
        let (start, a, b, result) = unsafe {
            (
                *start,
                std::slice::from_raw_parts(a, count),
                std::slice::from_raw_parts(b, count),
                std::slice::from_raw_parts_mut(result, count),
            )
        };
        match start {
            Start::Function(function, _) => math::function(function, a, result),
            Start::Power(_, exponent) => math::power(a, exponent, result),
            Start::PowerOf(..) => math::each(math::PowerOf, [a, b], result),
            Start::Atan2(..) => math::each(math::AngleOfPoint, [a, b], result),
        }
        0
    }
}
