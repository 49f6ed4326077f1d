//! The unit vectors among the entries of a group element.

use rattleback_lie::Group;

/// The entries of a group element that turn; the others of SE(n) are its position, or constant.
pub(crate) fn rotation_entries(group: Group) -> Vec<usize> {
    let mut all: Vec<usize> = lines(group).concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The rows and columns of the rotation; the one sphere of a quaternion.
pub(crate) fn lines(group: Group) -> Vec<Vec<usize>> {
    let (n, width) = match (group.rotation_size(), group.matrix_size()) {
        (Some(n), Some(width)) => (n, width),
        _ if group.angular_velocities() > 0 => return vec![(0..group.coordinates()).collect()],
        _ => return Vec::new(),
    };
    let row = |i: usize| (0..n).map(|j| width * i + j).collect();
    let column = |j: usize| (0..n).map(|i| width * i + j).collect();
    (0..n).map(row).chain((0..n).map(column)).collect()
}
