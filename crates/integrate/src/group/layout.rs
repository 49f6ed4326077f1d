//! The groups and how their elements lie in a state.

/// A Lie group. Matrices lie in a state row by row, with all their entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Rotations of the plane, 2×2.
    SO2,
    /// Rotations of space, 3×3.
    SO3,
    /// Motions of the plane, 3×3; velocities (angular, x, y).
    SE2,
    /// Motions of space, 4×4; velocities (angular, linear).
    SE3,
    /// Unit quaternions, real part first; g' = g·(0, w)/2.
    SU2,
    /// Vectors under addition.
    R(usize),
}

/// Where the parts of a matrix of SO(n) or SE(n) lie: the rotation in the upper left corner, for
/// SE(n) the position right of it and the row (0, …, 0, 1) below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The size of the rotation, 2 or 3.
    pub rotation: usize,
    /// The size of the matrix.
    pub size: usize,
}

impl Layout {
    pub fn has_position(self) -> bool {
        self.size > self.rotation
    }

    /// The entry i of the position.
    pub fn position(self, i: usize) -> usize {
        i * self.size + self.rotation
    }
}

impl Group {
    /// The dimension of the group: how many velocities it has.
    pub fn dimension(self) -> usize {
        match self {
            Group::SO2 => 1,
            Group::SO3 | Group::SE2 | Group::SU2 => 3,
            Group::SE3 => 6,
            Group::R(n) => n,
        }
    }

    /// How many state components an element has.
    pub fn coordinates(self) -> usize {
        match self {
            Group::SO2 | Group::SU2 => 4,
            Group::SO3 | Group::SE2 => 9,
            Group::SE3 => 16,
            Group::R(n) => n,
        }
    }

    /// The layout of a matrix group.
    pub(super) fn layout(self) -> Option<Layout> {
        let (rotation, size) = match self {
            Group::SO2 => (2, 2),
            Group::SE2 => (2, 3),
            Group::SO3 => (3, 3),
            Group::SE3 => (3, 4),
            Group::SU2 | Group::R(_) => return None,
        };
        Some(Layout { rotation, size })
    }

    /// How many of the velocities are angular; they come first.
    pub(super) fn angular(self) -> usize {
        match self {
            Group::SO2 | Group::SE2 => 1,
            Group::SO3 | Group::SE3 | Group::SU2 => 3,
            Group::R(_) => 0,
        }
    }
}

pub(super) type Vector = [f64; 3];
/// By rows; a rotation of the plane is one about the third axis.
pub(super) type Matrix = [Vector; 3];

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The rotation of an element; the position, if there is one, stays out.
pub(super) fn read_rotation(layout: Layout, element: &[f64]) -> Matrix {
    let mut r = [[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0]];
    for i in 0..layout.rotation {
        for j in 0..layout.rotation {
            r[i][j] = element[i * layout.size + j];
        }
    }
    r
}

pub(super) fn write_rotation(layout: Layout, r: &Matrix, element: &mut [f64]) {
    for i in 0..layout.rotation {
        for j in 0..layout.rotation {
            element[i * layout.size + j] = r[i][j];
        }
    }
}
