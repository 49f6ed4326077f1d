//! How the elements of the groups lie in a state.

use rattleback_symbolic::Group;

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

/// The layout of a matrix group.
pub(super) fn layout(group: Group) -> Option<Layout> {
    let size = group.matrix_size()?;
    let rotation = match group {
        Group::SO2 | Group::SE2 => 2,
        _ => 3,
    };
    Some(Layout { rotation, size })
}

/// How many of the velocities are angular; they come first.
pub(super) fn angular(group: Group) -> usize {
    match group {
        Group::SO2 | Group::SE2 => 1,
        Group::SO3 | Group::SE3 | Group::SU2 => 3,
        Group::R(_) => 0,
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
