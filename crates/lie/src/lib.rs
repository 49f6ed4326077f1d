//! Lie groups: the law of each group, written once over a scalar that is exact or floating.
//!
//! An element is the list of its matrix entries row by row, or of its components; an element of the
//! Lie algebra is the list of its velocities. Conventions: g' = g ξ for body velocities; tangents of
//! retractions are trivialised on the right unless said otherwise, dτ_x y = (Tτ·y) τ(x)⁻¹;
//! ⟨Ad*_g m, x⟩ = ⟨m, Ad_g x⟩ and ⟨ad*_x m, y⟩ = ⟨m, [x, y]⟩.
//!
//! A new group is one file with its law, and a line in the list of [`Group`].
//!
//! ```
//! use rattleback_lie::{Group, Retraction, Trivialization};
//! use rattleback_symbolic::Expr;
//! // The same law for numbers and for formulas.
//! let turn = Group::SO3.cayley(&[0.3, -0.5, 0.2]);
//! let exact = Group::SO3.cayley(&[3, -5, 2].map(|k| Expr::ratio(k, 10)));
//! assert!((turn[0] - exact[0].evaluate(&[])?).abs() < 1e-15);
//! // dτ⁻¹ undoes dτ.
//! let (tau, side) = (Retraction::Exponential, Trivialization::Space);
//! let (x, y) = ([0.3, -0.5, 0.2], [1.0, 2.0, 3.0]);
//! let there = tau.tangent(Group::SO3, side, &x, &y);
//! let back = tau.tangent_inverse(Group::SO3, side, &x, &there)?;
//! assert!(back.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-14));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod dual;
mod error;
mod exact;
mod floating;
mod group;
mod law;
mod lines;
mod nearest;
mod planar;
mod product;
mod quaternion;
mod retraction;
mod scalar;
mod spatial;
mod square;
mod stumpff;
mod tangent;
mod vector;

pub use dual::{Tangent, tangent_map};
pub use error::{ChartError, NoNearestElement};
pub use group::Group;
pub use law::Trivialization;
pub use product::DirectProduct;
pub use retraction::Retraction;
pub use scalar::Scalar;
