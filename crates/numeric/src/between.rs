//! Between which numbers the solutions of linear equations lie whose coefficients lie between numbers.

use crate::inverse::invert;

/// From the least to the most.
pub type Bounds = (f64, f64);

/// Rounding of a few operations, as a part of their result.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// How often the bounds are drawn closer.
const TIGHTER: usize = 2;

/// Bounds of all solutions x of A x = b, with the row-major n×n matrix A and b between these bounds; none where the matrix may
/// be singular, or so nearly that this does not tell.
///
/// With C near A⁻¹ and E = C A − 1, x = C b − E x: a contraction where |E| < 1 in the norm max |xᵢ|/dᵢ.
pub fn solve_between(n: usize, matrix: &[Bounds], rhs: &[Bounds]) -> Option<Vec<Bounds>> {
    let is_finite = |all: &[Bounds]| all.iter().all(|b| b.0.is_finite() && b.1.is_finite());
    if !(is_finite(matrix) && is_finite(rhs)) {
        return None;
    }
    let mut middle: Vec<f64> = matrix.iter().map(|b| 0.5 * (b.0 + b.1)).collect();
    let mut inverse = vec![0.0; n * n];
    invert(n, &mut middle, &mut inverse).ok()?;
    let row = |i: usize| &inverse[i * n..(i + 1) * n];
    let near: Vec<Bounds> = (0..n)
        .map(|i| sum((0..n).map(|k| times(row(i)[k], rhs[k]))))
        .collect();
    let defect = |i: usize, j: usize| {
        let (low, high) = sum((0..n).map(|k| times(row(i)[k], matrix[k * n + j])));
        let one = f64::from(u8::from(i == j));
        widest((low - one, high - one)) + ROUNDING
    };
    let defects: Vec<f64> = (0..n * n).map(|k| defect(k / n, k % n)).collect();
    // |C| |b| and what A mixes into it, so that no unknown is small beside the defects of others.
    let solved = |b: &[f64], i: usize| -> f64 {
        let terms = row(i).iter().zip(b);
        terms.map(|(c, b)| c.abs() * b).sum()
    };
    let sizes: Vec<f64> = rhs.iter().map(|b| widest(*b)).collect();
    let direct: Vec<f64> = (0..n).map(|i| solved(&sizes, i)).collect();
    let mixed: Vec<f64> = matrix
        .chunks(n)
        .map(|row| row.iter().zip(&direct).map(|(a, d)| widest(*a) * d).sum())
        .collect();
    let unit = |i: usize| match direct[i] + solved(&mixed, i) {
        0.0 => 1.0,
        size => size,
    };
    let units: Vec<f64> = (0..n).map(unit).collect();
    let largest = |f: &dyn Fn(usize) -> f64| (0..n).map(f).fold(0.0, f64::max);
    let contraction = largest(&|i| {
        let row = (0..n).map(|j| defects[i * n + j] * units[j]);
        row.sum::<f64>() / units[i]
    });
    let is_contraction = contraction < 1.0;
    if !is_contraction {
        return None;
    }
    let radius = largest(&|i| widest(near[i]) / units[i]) / (1.0 - contraction);
    let mut sizes: Vec<f64> = units.iter().map(|unit| radius * unit).collect();
    let mut found = near.clone();
    for _ in 0..=TIGHTER {
        for i in 0..n {
            let off = (0..n).map(|j| defects[i * n + j] * sizes[j]).sum::<f64>();
            found[i] = (near[i].0 - off, near[i].1 + off);
        }
        for (size, bounds) in sizes.iter_mut().zip(&found) {
            *size = size.min(widest(*bounds));
        }
    }
    is_finite(&found).then_some(found)
}

/// The largest |x|.
fn widest((low, high): Bounds) -> f64 {
    low.abs().max(high.abs())
}

fn times(a: f64, (low, high): Bounds) -> Bounds {
    let (x, y) = (a * low, a * high);
    (x.min(y), x.max(y))
}

/// Rounded outward.
fn sum(all: impl Iterator<Item = Bounds>) -> Bounds {
    let (mut low, mut high, mut size, mut terms) = (0.0, 0.0, 0.0, 0.0);
    for bounds in all {
        low += bounds.0;
        high += bounds.1;
        size += widest(bounds);
        terms += 1.0;
    }
    let slack = ROUNDING * terms * size;
    (low - slack, high + slack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lu;

    #[test]
    fn every_solution_lies_between_the_bounds() {
        // Units that differ by 10¹², too.
        for scale in [1.0, 1e6] {
            let centre = [4.0, 1.0 * scale, 0.5, 3.0 * scale];
            let (b, width) = ([1.0, -2.0], 1e-2);
            let around = |x: f64| (x - width * x.abs(), x + width * x.abs());
            let matrix: Vec<Bounds> = centre.iter().map(|x| around(*x)).collect();
            let rhs: Vec<Bounds> = b.iter().map(|x| around(*x)).collect();
            let found = solve_between(2, &matrix, &rhs).unwrap();
            for corner in 0..64 {
                let pick = |k: usize, bounds: Bounds| match corner >> k & 1 {
                    0 => bounds.0,
                    _ => bounds.1,
                };
                let a: Vec<f64> = (0..4).map(|k| pick(k, matrix[k])).collect();
                let mut x: Vec<f64> = (0..2).map(|k| pick(4 + k, rhs[k])).collect();
                let mut lu = Lu::new(2);
                lu.factor(|i, j| a[2 * i + j]).unwrap();
                lu.solve(&mut x);
                for (x, bounds) in x.iter().zip(&found) {
                    assert!(bounds.0 <= *x && *x <= bounds.1, "{x} in {bounds:?}");
                    let size = bounds.0.abs().max(bounds.1.abs());
                    assert!(bounds.1 - bounds.0 < 0.2 * size, "{bounds:?}");
                }
            }
        }
    }

    /// At rest momenta begin to grow one after the other.
    #[test]
    fn solutions_of_very_different_sizes_have_bounds() {
        let around = |x: f64| (x - 1e-9, x + 1e-9);
        let matrix: Vec<Bounds> = [3.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]
            .map(around)
            .to_vec();
        let rhs = [(1e-6, 2e-6), (0.0, 1e-20), (0.0, 0.0)];
        let found = solve_between(3, &matrix, &rhs).unwrap();
        assert!(
            found[0].0 <= 1e-6 && found[0].1 >= 2e-6 && found[0].1 < 3e-6,
            "{found:?}"
        );
        assert!(
            found[2].0 < 0.0 && found[2].1 > 0.0 && found[2].1 < 1e-13,
            "{found:?}"
        );
        assert_eq!(
            solve_between(1, &[(1.0, 2.0)], &[(0.0, 0.0)]),
            Some(vec![(0.0, 0.0)])
        );
    }

    #[test]
    fn exact_coefficients_have_exact_solutions() {
        let exact = |all: &[f64]| -> Vec<Bounds> { all.iter().map(|x| (*x, *x)).collect() };
        let found = solve_between(2, &exact(&[2.0, 1.0, 1.0, 3.0]), &exact(&[3.0, 5.0])).unwrap();
        for ((low, high), x) in found.into_iter().zip([0.8, 1.4]) {
            assert!(
                low <= x && x <= high && high - low < 1e-13,
                "{low} .. {high}"
            );
        }
    }

    #[test]
    fn what_may_be_singular_has_no_bounds() {
        let one = (1.0, 1.0);
        assert_eq!(solve_between(2, &[one; 4], &[one; 2]), None);
        assert_eq!(solve_between(1, &[(-0.1, 1.0)], &[one]), None);
        assert_eq!(solve_between(1, &[(0.1, f64::INFINITY)], &[one]), None);
    }
}
