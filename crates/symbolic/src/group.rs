//! The Lie groups by name, and how many coordinates and velocities they have.

use std::fmt;

/// A Lie group. An element is the list of its matrix entries row by row, or of its components.
///
/// ```
/// use rattleback_symbolic::Group;
/// assert_eq!((Group::SE3.dimension(), Group::SE3.coordinates()), (6, 16));
/// assert_eq!(Group::R(2).to_string(), "R(2)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Rotations of the plane, 2×2.
    SO2,
    /// Rotations of space, 3×3.
    SO3,
    /// Rigid motions of the plane, 3×3; velocities (angular, x, y).
    SE2,
    /// Rigid motions of space, 4×4; velocities (angular, linear).
    SE3,
    /// Unit quaternions, real part first; g' = g·(0, w)/2 for the body velocity w.
    SU2,
    /// The vectors with n entries, under addition.
    R(usize),
}

/// Which trivialisation of TG a velocity uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trivialization {
    /// Left: g' = g·ξ, the body velocity.
    Body,
    /// Right: g' = ξ·g, the space velocity.
    Space,
}

impl Group {
    /// dim G: how many velocities there are.
    pub fn dimension(self) -> usize {
        match self {
            Group::SO2 => 1,
            Group::SO3 | Group::SE2 | Group::SU2 => 3,
            Group::SE3 => 6,
            Group::R(n) => n,
        }
    }

    /// The size of the square matrices, or `None` for groups that are not stored as matrices.
    pub fn matrix_size(self) -> Option<usize> {
        match self {
            Group::SO2 => Some(2),
            Group::SO3 | Group::SE2 => Some(3),
            Group::SE3 => Some(4),
            Group::SU2 | Group::R(_) => None,
        }
    }

    /// How many coordinates an element has.
    pub fn coordinates(self) -> usize {
        match (self, self.matrix_size()) {
            (_, Some(n)) => n * n,
            (Group::R(n), _) => n,
            _ => 4,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Group::SO2 => f.write_str("SO(2)"),
            Group::SO3 => f.write_str("SO(3)"),
            Group::SE2 => f.write_str("SE(2)"),
            Group::SE3 => f.write_str("SE(3)"),
            Group::SU2 => f.write_str("SU(2)"),
            Group::R(n) => write!(f, "R({n})"),
        }
    }
}
