//! Numbers: linear systems and Newton's method, in memory that is passed in or kept.
//!
//! Matrices are lists of their entries, row by row. Nothing here knows what the numbers mean, and what is used step
//! after step (factors, Newton) allocates nothing after it is made. What is worked out once (eigenvalues, Riccati and
//! Lyapunov equations, exponentials) takes and gives [`Dense`] matrices.
//!
//! ```
//! use rattleback_numeric::{Inertia, Ldlt};
//! // A saddle point: one direction up, one down.
//! let matrix = [[2.0, 1.0], [1.0, 0.0]];
//! let mut factors = Ldlt::new(2);
//! let inertia = factors.factor(|i, j| matrix[i][j])?;
//! assert_eq!(inertia, Inertia { positive: 1, negative: 1, zero: 0 });
//! let mut x = [3.0, 1.0];
//! factors.solve(&mut x)?;
//! assert_eq!(x, [1.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrow;
mod between;
mod combine;
mod complete;
mod complex;
mod dense;
mod eigen;
mod error;
mod exponential;
mod few;
mod front;
mod inverse;
mod ldlt;
mod least_squares;
mod lu;
mod lyapunov;
mod newton;
mod norm;
pub mod number;
mod reachable;
mod riccati;
mod scaled;
mod schur;
mod singular_values;
pub mod tolerance;
mod twofold;

pub use arrow::{ArrowError, ArrowFactors, ArrowMatrix};
pub use between::{Bounds, solve_between};
pub use combine::{combine, inner};
pub use complete::{complete_pivots, independent_rows, rank};
pub use complex::Complex;
pub use dense::Dense;
pub use eigen::Eigen;
pub use error::{NotFinite, SingularBlock, SingularMatrix};
pub use exponential::{Sampled, exponential};
pub use few::copy_few;
pub use front::FrontPivots;
pub use inverse::invert;
pub use ldlt::{Inertia, Ldlt, triangle_place};
pub use least_squares::{LeastSquares, least_squares};
pub use lu::{Lu, Scalar, determinant};
pub use lyapunov::{LyapunovError, lyapunov, stein};
pub use newton::{Damping, Guess, Newton, Outcome, Verdict, Workspace};
pub use norm::largest_entry;
pub use reachable::{Reachable, margin};
pub use riccati::{Plant, Regulator, RiccatiError, Time, Weights};
pub use scaled::solve_scaled;
pub use schur::{Schur, SchurError};
pub use singular_values::singular_values;

/// The page about this crate, so that its example runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/numbers.md")]
struct Page;
