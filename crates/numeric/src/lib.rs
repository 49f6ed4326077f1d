//! Numbers: linear systems and Newton's method, in memory that is passed in or kept.
//!
//! Matrices are lists of their entries, row by row. Nothing here knows what the numbers mean, and
//! nothing allocates after it is made.
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
mod complete;
mod complex;
mod error;
mod inverse;
mod ldlt;
mod lu;
mod newton;
mod norm;
mod scaled;
pub mod tolerance;

pub use arrow::{ArrowError, ArrowFactors, ArrowMatrix};
pub use complete::{complete_pivots, independent_rows, rank};
pub use complex::Complex;
pub use error::{NotFinite, SingularBlock, SingularMatrix};
pub use inverse::invert;
pub use ldlt::{Inertia, Ldlt};
pub use lu::{Lu, Scalar, determinant};
pub use newton::{Guess, Newton, Outcome, Verdict, Workspace};
pub use norm::largest_entry;
pub use scaled::solve_scaled;
