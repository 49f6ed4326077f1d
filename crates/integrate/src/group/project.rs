//! The nearest group element, and how far off it is.

use super::layout::{Layout, Matrix, cross, dot, layout, read_rotation, write_rotation};
use crate::field::Fault;
use rattleback_symbolic::Group;

const MAX_ITERATIONS: usize = 60;
/// A Newton correction of this size leaves an error of its square.
const LAST_CORRECTION: f64 = 1e-8;

/// Replaces an element by the nearest one of the group. [`Fault::Singular`] where there is none.
pub(super) fn project(group: Group, element: &mut [f64]) -> Result<(), Fault> {
    match (group, layout(group)) {
        (Group::SU2, _) => normalise(element),
        (_, Some(layout)) => {
            let mut rotation = read_rotation(layout, element);
            if layout.rotation == 2 {
                nearest_in_the_plane(&mut rotation)?;
            } else {
                nearest_in_space(&mut rotation)?;
            }
            write_rotation(layout, &rotation, element);
            if layout.has_position() {
                let n = layout.size;
                element[n * (n - 1)..].fill(0.0);
                element[n * n - 1] = 1.0;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn normalise(v: &mut [f64]) -> Result<(), Fault> {
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !norm.is_normal() {
        return Err(Fault::Singular);
    }
    v.iter_mut().for_each(|x| *x /= norm);
    Ok(())
}

fn nearest_in_the_plane(r: &mut Matrix) -> Result<(), Fault> {
    let mut turn = [(r[0][0] + r[1][1]) / 2.0, (r[1][0] - r[0][1]) / 2.0];
    normalise(&mut turn)?;
    let [cosine, sine] = turn;
    (r[0][0], r[0][1]) = (cosine, -sine);
    (r[1][0], r[1][1]) = (sine, cosine);
    Ok(())
}

/// Newton's iteration for the orthogonal polar factor: R ← (R + R⁻ᵀ)/2.
fn nearest_in_space(r: &mut Matrix) -> Result<(), Fault> {
    for _ in 0..MAX_ITERATIONS {
        let cofactors = [cross(r[1], r[2]), cross(r[2], r[0]), cross(r[0], r[1])];
        let determinant = dot(r[0], cofactors[0]);
        // A reflection is nearest to no rotation, and Newton would find the reflection.
        if !(determinant.is_normal() && determinant > 0.0) {
            return Err(Fault::Singular);
        }
        let mut correction: f64 = 0.0;
        for (row, cofactors) in r.iter_mut().zip(&cofactors) {
            for (x, cofactor) in row.iter_mut().zip(cofactors) {
                let change = 0.5 * (cofactor / determinant - *x);
                *x += change;
                correction = correction.max(change.abs());
            }
        }
        if correction <= LAST_CORRECTION {
            return Ok(());
        }
    }
    Err(Fault::Singular)
}

/// The largest violation of the equations of the group: RᵀR = 1, det R = 1, the last row of a
/// motion, |g| = 1.
pub(super) fn distance(group: Group, element: &[f64]) -> f64 {
    match (group, layout(group)) {
        (Group::SU2, _) => (element.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs(),
        (_, Some(layout)) => rotation_distance(layout, element).max(row_distance(layout, element)),
        _ => 0.0,
    }
}

fn rotation_distance(layout: Layout, element: &[f64]) -> f64 {
    let r = read_rotation(layout, element);
    let mut worst = (dot(r[0], cross(r[1], r[2])) - 1.0).abs();
    for i in 0..3 {
        for j in 0..=i {
            let product: f64 = r.iter().map(|row| row[i] * row[j]).sum();
            worst = worst.max((product - if i == j { 1.0 } else { 0.0 }).abs());
        }
    }
    worst
}

fn row_distance(layout: Layout, element: &[f64]) -> f64 {
    if !layout.has_position() {
        return 0.0;
    }
    let n = layout.size;
    let row = element[n * (n - 1)..n * n].iter().enumerate();
    row.map(|(j, x)| (x - if j + 1 == n { 1.0 } else { 0.0 }).abs())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_reaches_the_group_and_moves_as_little_as_it_can() {
        // R·S with S symmetric positive: R is the nearest rotation.
        let (c, s) = (0.3_f64.cos(), 0.3_f64.sin());
        let rotation = [c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0];
        let stretch = [1.2, 0.1, 0.0, 0.1, 0.9, -0.2, 0.0, -0.2, 1.1];
        let mut element = [0.0; 9];
        for k in 0..9 {
            element[k] = (0..3)
                .map(|m| rotation[k / 3 * 3 + m] * stretch[m * 3 + k % 3])
                .sum();
        }
        assert!(distance(Group::SO3, &element) > 0.1);
        project(Group::SO3, &mut element).unwrap();
        assert!(distance(Group::SO3, &element) < 1e-15);
        for (a, b) in element.iter().zip(rotation) {
            assert!((a - b).abs() < 1e-15);
        }
    }

    #[test]
    fn projection_restores_each_group() {
        let mut so2 = [0.9, -0.5, 0.45, 0.8];
        let mut se2 = [0.9, -0.5, 7.0, 0.45, 0.8, -3.0, 0.01, 0.0, 0.99];
        let mut su2 = [0.9, 0.1, -0.3, 0.5];
        for (group, element) in [
            (Group::SO2, &mut so2[..]),
            (Group::SE2, &mut se2[..]),
            (Group::SU2, &mut su2[..]),
        ] {
            assert!(distance(group, element) > 1e-3);
            project(group, element).unwrap();
            assert!(distance(group, element) < 4e-16, "{group:?}");
        }
        assert_eq!((se2[2], se2[5]), (7.0, -3.0));
    }

    #[test]
    fn reflections_are_far_off_and_have_no_nearest_rotation() {
        let mut mirror = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0];
        assert_eq!(distance(Group::SO3, &mirror), 2.0);
        assert_eq!(project(Group::SO3, &mut mirror), Err(Fault::Singular));
        assert_eq!(project(Group::SU2, &mut [0.0; 4]), Err(Fault::Singular));
        assert_eq!(
            project(Group::SO2, &mut [f64::NAN; 4]),
            Err(Fault::Singular)
        );
    }
}
