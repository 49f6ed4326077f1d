//! Loops over a few numbers, with lengths that the compiler knows.

/// Runs an expression with a size that the compiler knows where it is small, so that loops over it are unrolled. The
/// operations and their order are the same.
macro_rules! sized {
    ($n:ident => $run:expr) => {
        sized!($n => $run; 1 2 3 4 5 6 7 8 9 10)
    };
    ($n:ident => $run:expr; $($size:literal)*) => {
        match $n {
            $($size => {
                let $n = $size;
                $run
            })*
            $n => $run,
        }
    };
}

pub(crate) use sized;

/// Copies numbers: where they are few, without a call.
///
/// ```
/// let mut to = [0.0; 3];
/// rattleback_numeric::copy_few(&[1.0, 2.0, 3.0], &mut to);
/// assert_eq!(to, [1.0, 2.0, 3.0]);
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn copy_few(from: &[f64], to: &mut [f64]) {
    assert_eq!(from.len(), to.len(), "as many numbers as there is room for");
    let n = from.len();
    sized!(n => to[..n].copy_from_slice(&from[..n]));
}
