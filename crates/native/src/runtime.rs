//! What machine code calls: functions over arrays, and solves.
#![allow(unsafe_code)]

use crate::Lanes;
use crate::kernel::{Newton, Solver, Systems};
use crate::math;
use crate::plan::{Call, Callee};

/// Defines functions with the calling convention of the generated code.
macro_rules! callable {
    ($($(#[$meta:meta])* unsafe fn $name:ident($($arg:ident: $type:ty),*) -> u64 $body:block)*) => {$(
        $(#[$meta])*
        #[cfg(target_arch = "x86_64")]
        unsafe extern "sysv64" fn $name($($arg: $type),*) -> u64 $body

        $(#[$meta])*
        #[cfg(not(target_arch = "x86_64"))]
        unsafe extern "C" fn $name($($arg: $type),*) -> u64 $body
    )*};
}

pub(crate) use callable;

/// Arguments, results, number of elements, context; the result is a mask of failed lanes.
#[cfg(target_arch = "x86_64")]
pub(crate) type Callable = unsafe extern "sysv64" fn(*mut f64, *mut f64, usize, u64) -> u64;
/// Arguments, results, number of elements, context; the result is a mask of failed lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Callable = unsafe extern "C" fn(*mut f64, *mut f64, usize, u64) -> u64;

/// A call as generated code makes it.
pub(crate) struct Target {
    /// The function.
    pub function: Callable,
    /// How many elements it is told of.
    pub count: usize,
    /// Its last argument.
    pub context: u64,
}

/// Sines and cosines of four numbers, four and four.
#[cfg(target_arch = "x86_64")]
pub(crate) const SINCOS: Callable = sincos;

/// a·b + c, rounded once, for processors that cannot.
#[cfg(feature = "cranelift")]
pub(crate) const FUSED: FusedCallable = fused;

#[cfg(all(feature = "cranelift", target_arch = "x86_64"))]
type FusedCallable = extern "sysv64" fn(f64, f64, f64) -> f64;
#[cfg(all(feature = "cranelift", not(target_arch = "x86_64")))]
type FusedCallable = extern "C" fn(f64, f64, f64) -> f64;

#[cfg(all(feature = "cranelift", target_arch = "x86_64"))]
extern "sysv64" fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}
#[cfg(all(feature = "cranelift", not(target_arch = "x86_64")))]
extern "C" fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// What to call for a step of the plan, or `None` if there is nothing to call.
pub(crate) fn target(call: &Call, lanes: Lanes, systems: &Systems) -> Option<Target> {
    let numbers = call.count * lanes.count();
    let plain = |function| Target {
        function,
        count: numbers,
        context: 0,
    };
    Some(match call.callee {
        Callee::SinCos => plain(sincos),
        Callee::Unary(f) => Target {
            context: math::CALLED.iter().position(|g| *g == f)? as u64,
            ..plain(unary)
        },
        Callee::Atan2 => plain(atan2),
        Callee::PowerOf => plain(power_of),
        Callee::Power(p) => Target {
            context: p.to_bits(),
            ..plain(power)
        },
        Callee::Solve(block) => match systems.solver(block) {
            Solver::Linear { .. } => Target {
                count: call.count,
                context: lanes.count() as u64,
                ..plain(solve)
            },
            Solver::Implicit(equations) => Target {
                count: call.count,
                context: std::ptr::from_ref::<Newton>(equations) as usize as u64,
                ..plain(newton)
            },
        },
    })
}

/// `count` arguments and as many results.
///
/// # Safety
/// Both are valid for `count` numbers and do not overlap.
unsafe fn pair<'a>(x: *const f64, y: *mut f64, count: usize) -> (&'a [f64], &'a mut [f64]) {
    // SAFETY: by this function's contract.
    unsafe {
        (
            std::slice::from_raw_parts(x, count),
            std::slice::from_raw_parts_mut(y, count),
        )
    }
}

/// `count` first arguments, `count` second ones and as many results.
///
/// # Safety
/// `x` is valid for `2·count` numbers, `y` for `count`; they do not overlap.
unsafe fn two_and_one<'a>(
    x: *const f64,
    y: *mut f64,
    count: usize,
) -> ([&'a [f64]; 2], &'a mut [f64]) {
    // SAFETY: by this function's contract.
    let (x, y) = unsafe {
        (
            std::slice::from_raw_parts(x, 2 * count),
            std::slice::from_raw_parts_mut(y, count),
        )
    };
    let (first, second) = x.split_at(count);
    ([first, second], y)
}

callable! {
    /// # Safety
    /// As for [`pair`]; `context` is a place among [`math::CALLED`].
    unsafe fn unary(x: *mut f64, y: *mut f64, count: usize, context: u64) -> u64 {
        // SAFETY: the same contract.
        let (x, y) = unsafe { pair(x, y, count) };
        math::function(math::CALLED[context as usize], x, y);
        0
    }

    /// # Safety
    /// As for [`pair`]; `context` is the exponent's bits.
    unsafe fn power(x: *mut f64, y: *mut f64, count: usize, context: u64) -> u64 {
        // SAFETY: the same contract.
        let (x, y) = unsafe { pair(x, y, count) };
        math::power(x, f64::from_bits(context), y);
        0
    }

    /// # Safety
    /// As for [`pair`], with `count` ordinates and then `count` abscissas as arguments.
    unsafe fn atan2(x: *mut f64, y: *mut f64, count: usize, _context: u64) -> u64 {
        // SAFETY: the same contract.
        let (x, y) = unsafe { two_and_one(x, y, count) };
        math::each(math::AngleOfPoint, x, y);
        0
    }

    /// # Safety
    /// As for [`pair`], with `count` bases and then `count` exponents as arguments.
    unsafe fn power_of(x: *mut f64, y: *mut f64, count: usize, _context: u64) -> u64 {
        // SAFETY: the same contract.
        let (x, y) = unsafe { two_and_one(x, y, count) };
        math::each(math::PowerOf, x, y);
        0
    }

    /// Four sines and four cosines for every four numbers.
    ///
    /// # Safety
    /// `x` is valid for `count` numbers, `y` for eight numbers per four of them, rounded up; they do
    /// not overlap.
    unsafe fn sincos(x: *mut f64, y: *mut f64, count: usize, _context: u64) -> u64 {
        // SAFETY: by this function's contract.
        let (x, y) = unsafe {
            (
                std::slice::from_raw_parts(x, count),
                std::slice::from_raw_parts_mut(y, count.next_multiple_of(4) * 2),
            )
        };
        math::sincos(x, y);
        0
    }

    /// Solves a linear system per lane; `size` unknowns, `context` lanes.
    ///
    /// # Safety
    /// `x` is valid for `size·(size + 1)·(lanes + 1)` numbers (the matrix by rows, the right-hand
    /// side, and room for a copy of one lane), `y` for `size·lanes`; they do not overlap.
    unsafe fn solve(x: *mut f64, y: *mut f64, size: usize, context: u64) -> u64 {
        let lanes = context as usize;
        // SAFETY: by this function's contract.
        let (x, y) = unsafe {
            (
                std::slice::from_raw_parts_mut(x, size * (size + 1) * (lanes + 1)),
                std::slice::from_raw_parts_mut(y, size * lanes),
            )
        };
        let (system, work) = x.split_at_mut(size * (size + 1) * lanes);
        math::solve_lanes(system, work, y, lanes)
    }

    /// Solves an implicit system per lane; `context` is the address of a [`Newton`].
    ///
    /// # Safety
    /// The context is alive; `x` is valid for its arguments and its work space behind them, `y` for its
    /// results; they do not overlap.
    unsafe fn newton(x: *mut f64, y: *mut f64, _count: usize, context: u64) -> u64 {
        // SAFETY: by this function's contract.
        let (newton, x, y) = unsafe {
            let newton = &*(context as usize as *const Newton);
            let length = newton.arguments() + newton.workspace();
            (
                newton,
                std::slice::from_raw_parts_mut(x, length),
                std::slice::from_raw_parts_mut(y, newton.results()),
            )
        };
        let (known, work) = x.split_at_mut(newton.arguments());
        newton.solve_lanes(known, work, y)
    }
}
