//! Factorisations of random matrices: residuals, inertia by congruence, blocks against dense.

use proptest::prelude::*;
use rattleback_numeric::{
    ArrowError, ArrowFactors, ArrowMatrix, FrontPivots, Inertia, Ldlt, Lu, NotFinite,
    SingularBlock, SingularMatrix, complete_pivots, determinant, invert, largest_entry, rank,
    solve_scaled,
};

/// Numbers in [−1, 1] from a seed.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    fn list(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
}

fn apply(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks_exact(x.len().max(1))
        .map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum())
        .collect()
}

/// |b − A x| beside |A| |x| + |b|: the backward error.
fn backward_error(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let residual: Vec<f64> = apply(a, x).iter().zip(b).map(|(y, b)| y - b).collect();
    let size = largest_entry(a) * x.len() as f64 * largest_entry(x) + largest_entry(b);
    largest_entry(&residual) / size.max(f64::MIN_POSITIVE)
}

/// Q diag(values) Qᵀ for a product of reflections Q: a congruence, and a similarity.
fn with_eigenvalues(random: &mut Random, values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let mut a = vec![0.0; n * n];
    (0..n).for_each(|i| a[i * n + i] = values[i]);
    for _ in 0..n {
        let v = random.list(n);
        let square: f64 = v.iter().map(|v| v * v).sum();
        let reflect = |x: &mut [f64]| {
            let along: f64 = 2.0 * x.iter().zip(&v).map(|(x, v)| x * v).sum::<f64>() / square;
            x.iter_mut().zip(&v).for_each(|(x, v)| *x -= along * v);
        };
        a.chunks_exact_mut(n).for_each(reflect);
        let mut transposed: Vec<f64> = (0..n * n).map(|k| a[k % n * n + k / n]).collect();
        transposed.chunks_exact_mut(n).for_each(reflect);
        a = transposed;
    }
    (0..n * n)
        .map(|k| 0.5 * (a[k] + a[k % n * n + k / n]))
        .collect()
}

/// M diag(values) Mᵀ, exactly: M is unit triangular with small whole entries, its rows permuted.
fn congruent(random: &mut Random, values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let mut m: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let entry = |j: usize, x: f64| match j.cmp(&i) {
                std::cmp::Ordering::Less => (1.4 * x).round(),
                std::cmp::Ordering::Equal => 1.0,
                std::cmp::Ordering::Greater => 0.0,
            };
            (0..n).map(|j| entry(j, random.number())).collect()
        })
        .collect();
    for i in (1..n).rev() {
        let other = (random.number().abs() * (i + 1) as f64) as usize;
        m.swap(i, other.min(i));
    }
    let entry = |i: usize, j: usize| (0..n).map(|k| m[i][k] * values[k] * m[j][k]).sum();
    (0..n * n).map(|k| entry(k / n, k % n)).collect()
}

fn count(values: &[f64]) -> Inertia {
    let many = |f: &dyn Fn(f64) -> bool| values.iter().filter(|v| f(**v)).count();
    Inertia {
        positive: many(&|v| v > 0.0),
        negative: many(&|v| v < 0.0),
        zero: many(&|v| v == 0.0),
    }
}

/// S A S with a diagonal S: another congruence, which spoils the scale.
fn rescaled(a: &[f64], scales: &[f64]) -> Vec<f64> {
    let n = scales.len();
    (0..n * n)
        .map(|k| scales[k / n] * a[k] * scales[k % n])
        .collect()
}

proptest! {
    #[test]
    fn systems_are_solved_to_a_small_backward_error(seed: u64, n in 1_usize..14, ill in 0_i32..11) {
        let mut random = Random(seed);
        // Singular values from 1 down to 10^-ill.
        let values: Vec<f64> = (0..n)
            .map(|k| 10_f64.powf(-f64::from(ill) * k as f64 / n as f64) * (if k % 2 == 0 { 1.0 } else { -1.0 }))
            .collect();
        let symmetric = with_eigenvalues(&mut random, &values);
        let b = random.list(n);
        let mut lu = Lu::new(n);
        lu.factor(|i, j| symmetric[i * n + j]).unwrap();
        let mut x = b.clone();
        lu.solve(&mut x);
        prop_assert!(backward_error(&symmetric, &x, &b) < 1e-14);
        let mut factors = Ldlt::new(n);
        prop_assert_eq!(factors.factor(|i, j| symmetric[i * n + j]).unwrap(), count(&values));
        let mut x = b.clone();
        factors.solve(&mut x).unwrap();
        prop_assert!(backward_error(&symmetric, &x, &b) < 1e-13);
        if ill < 10 {
            let (mut x, mut work) = (b.clone(), symmetric.clone());
            solve_scaled(&mut work, &mut x).unwrap();
            prop_assert!(backward_error(&symmetric, &x, &b) < 1e-14);
            let expected: f64 = values.iter().product();
            let found = determinant(&mut symmetric.clone(), n);
            prop_assert!((found / expected - 1.0).abs() < 1e-4);
        }
        if ill < 4 {
            let (mut work, mut inverse) = (symmetric.clone(), vec![0.0; n * n]);
            invert(n, &mut work, &mut inverse).unwrap();
            let x = apply(&inverse, &b);
            prop_assert!(backward_error(&symmetric, &x, &b) < 1e-10);
        }
    }

    #[test]
    fn inertia_is_kept_by_congruence(seed: u64, n in 1_usize..8, kinds in prop::collection::vec(-1_i8..=1, 8)) {
        let mut random = Random(seed);
        let values: Vec<f64> = kinds[..n].iter().map(|&k| f64::from(k)).collect();
        let a = congruent(&mut random, &values);
        let mut factors = Ldlt::new(n);
        prop_assert_eq!(factors.factor(|i, j| a[i * n + j]).unwrap(), count(&values));
        let outcome = factors.solve(&mut random.list(n));
        prop_assert_eq!(outcome.is_err(), count(&values).zero > 0);
        // Scales of twelve decades, which round nothing.
        let scales: Vec<f64> = (0..n)
            .map(|_| (20.0 * random.number()).round().exp2())
            .collect();
        let a = rescaled(&a, &scales);
        prop_assert_eq!(factors.factor(|i, j| a[i * n + j]).unwrap(), count(&values));
    }

    /// [H Jᵀ; J 0] with H positive and J of full rank has as many negative eigenvalues as rows of J.
    #[test]
    fn saddle_points_have_the_inertia_of_their_constraints(seed: u64, n in 1_usize..9, share in 0.0..1.0) {
        let m = (share * (n + 1) as f64) as usize;
        let mut random = Random(seed);
        let values: Vec<f64> = (0..n).map(|_| 0.2 + random.number().abs()).collect();
        let h = with_eigenvalues(&mut random, &values);
        let j = random.list(m * n);
        let mut pivots = vec![0.0; n.min(m)];
        complete_pivots(&mut j.clone(), n, &mut pivots);
        prop_assume!(m == 0 || rank(&pivots, 1e-6) == m);
        let entry = |r: usize, c: usize| match (r < n, c < n) {
            (true, true) => h[r * n + c],
            (false, true) => j[(r - n) * n + c],
            (true, false) => j[(c - n) * n + r],
            (false, false) => 0.0,
        };
        let mut factors = Ldlt::new(n + m);
        let expected = Inertia { positive: n, negative: m, zero: 0 };
        prop_assert_eq!(factors.factor(entry).unwrap(), expected);
        let (b, dense) = (random.list(n + m), (0..(n + m) * (n + m)).map(|k| entry(k / (n + m), k % (n + m))).collect::<Vec<_>>());
        let mut x = b.clone();
        factors.solve(&mut x).unwrap();
        prop_assert!(backward_error(&dense, &x, &b) < 1e-13);
    }

    #[test]
    fn blocks_agree_with_dense(
        seed: u64,
        sizes in prop::collection::vec(1_usize..5, 1..7),
        border in 0_usize..4,
    ) {
        let mut random = Random(seed);
        let mut matrix = ArrowMatrix::new(&sizes, border);
        let size = matrix.size();
        let starts: Vec<usize> = sizes.iter().scan(0, |s, n| { *s += n; Some(*s - n) }).collect();
        let mut dense = vec![0.0; size * size];
        let mut place = |rows: &mut [f64], top: usize, left: usize, columns: usize, random: &mut Random, diagonal: bool| {
            let triangle = (0..columns).flat_map(|i| (0..=i).map(move |j| (i, j)));
            let rectangle = (0..rows.len()).map(|k| (k / columns, k % columns));
            let places: Vec<(usize, usize)> = if diagonal { triangle.collect() } else { rectangle.collect() };
            assert_eq!(places.len(), rows.len());
            for (entry, (i, j)) in rows.iter_mut().zip(places) {
                let (i, j) = (top + i, left + j);
                // Diagonal entries of both signs, large enough for every block to be regular.
                *entry = random.number() + if diagonal && i == j { if i % 3 == 0 { -9.0 } else { 9.0 } } else { 0.0 };
                (dense[i * size + j], dense[j * size + i]) = (*entry, *entry);
            }
        };
        let total = size - border;
        for k in 0..sizes.len() {
            place(matrix.diagonal_mut(k), starts[k], starts[k], sizes[k], &mut random, true);
            place(matrix.edge_mut(k), total, starts[k], sizes[k], &mut random, false);
            if k + 1 < sizes.len() {
                place(matrix.lower_mut(k), starts[k + 1], starts[k], sizes[k], &mut random, false);
            }
        }
        if border > 0 {
            place(matrix.corner_mut(), total, total, border, &mut random, true);
        }
        let x = random.list(size);
        let mut product = vec![0.0; size];
        matrix.multiply(&x, &mut product);
        let gaps: Vec<f64> = apply(&dense, &x).iter().zip(&product).map(|(a, b)| a - b).collect();
        prop_assert!(largest_entry(&gaps) < 1e-13);

        let (mut blocks, mut whole) = (ArrowFactors::new(&matrix), Ldlt::new(size));
        let summed = blocks.factor(&matrix).unwrap();
        prop_assert_eq!(summed, whole.factor(|i, j| dense[i * size + j]).unwrap());
        let b = random.list(size);
        let mut found = b.clone();
        blocks.solve(&mut found).unwrap();
        prop_assert!(backward_error(&dense, &found, &b) < 1e-13);
        blocks.refine(&matrix, (&b, 0.0), &mut found, &mut vec![0.0; size], 1).unwrap();
        prop_assert!(backward_error(&dense, &found, &b) < 1e-15);
        let mut direct = b;
        whole.solve(&mut direct).unwrap();
        let gaps: Vec<f64> = found.iter().zip(&direct).map(|(a, b)| a - b).collect();
        prop_assert!(largest_entry(&gaps) < 1e-10 * (1.0 + largest_entry(&direct)));
    }

    /// What a front leaves is the Schur complement, its pivots have the rest of the inertia, and both solve.
    #[test]
    fn fronts_leave_what_the_whole_does(seed: u64, n in 1_usize..9, kept in 0_usize..4, share in 0.0..0.5) {
        let mut random = Random(seed);
        let size = n + kept;
        let mut a = random.list(size * size);
        for i in 0..size {
            for j in 0..i {
                a[i * size + j] = a[j * size + i];
            }
            // Some have no diagonal: they leave in pairs, or wait.
            if i % 3 == 0 {
                a[i * size + i] = 0.0;
            }
        }
        let mut whole = Ldlt::new(size);
        let expected = whole.factor(|i, j| a[i * size + j]).unwrap();
        prop_assume!(expected.zero == 0);
        let mut sizes: Vec<f64> = (0..size).map(|i| a[i * size + i].abs()).collect();
        let (mut front, mut may, mut left) = (FrontPivots::default(), (0..n).collect::<Vec<_>>(), a.clone());
        let mut found = front.eliminate(&mut left, size, &mut may, &mut sizes, share);
        let stay: Vec<usize> = may.iter().copied().chain(n..size).collect();
        let mut rest = Ldlt::new(stay.len());
        found += rest.factor(|i, j| left[stay[i] * size + stay[j]]).unwrap();
        prop_assert_eq!(found, expected);
        let b = random.list(size);
        let mut x = b.clone();
        front.solve_lower(&mut x);
        let mut last: Vec<f64> = stay.iter().map(|&i| x[i]).collect();
        rest.solve(&mut last).unwrap();
        stay.iter().zip(&last).for_each(|(&i, value)| x[i] = *value);
        front.solve_upper(&mut x);
        // Pivots as small as any, where the share is none, cost digits.
        prop_assert!(share < 1e-3 || backward_error(&a, &x, &b) < 1e-10);
    }

    #[test]
    fn ranks_are_found(seed: u64, n in 1_usize..10, lost in 0_usize..4) {
        let lost = lost.min(n);
        let mut random = Random(seed);
        let values: Vec<f64> = (0..n).map(|k| if k < lost { 0.0 } else { 1.0 + k as f64 }).collect();
        let mut a = with_eigenvalues(&mut random, &values);
        let mut pivots = vec![0.0; n];
        complete_pivots(&mut a, n, &mut pivots);
        prop_assert_eq!(rank(&pivots, 1e-12), n - lost);
    }
}

#[test]
fn singular_matrices_are_named() {
    let mut factors = Ldlt::new(2);
    let inertia = factors.factor(|_, _| 1.0).unwrap();
    assert_eq!((inertia.positive, inertia.zero), (1, 1));
    assert_eq!(
        factors.solve(&mut [1.0, 1.0]),
        Err(SingularMatrix { pivot: 1 })
    );
    assert_eq!(factors.factor(|_, _| f64::NAN), Err(NotFinite { entry: 0 }));
    assert!(factors.solve(&mut [1.0, 1.0]).is_err());
    let zero = factors.factor(|_, _| 0.0).unwrap();
    assert_eq!(
        zero,
        Inertia {
            positive: 0,
            negative: 0,
            zero: 2
        }
    );
    // No diagonal at all, but regular.
    let swap = factors.factor(|i, j| f64::from(u8::from(i != j))).unwrap();
    assert_eq!(
        swap,
        Inertia {
            positive: 1,
            negative: 1,
            zero: 0
        }
    );
    let nothing = Ldlt::new(0).factor(|_, _| 0.0).unwrap();
    assert_eq!(nothing, Inertia::default());
}

/// Small, but not cancelled: 1e-16 is what is left of 1e-8, not of 1.
#[test]
fn small_pivots_of_small_entries_count() {
    let a = [[1e-8, 1.0], [1.0, 1e8 + 1.0]];
    let inertia = Ldlt::new(2).factor(|i, j| a[i][j]).unwrap();
    assert_eq!(
        inertia,
        Inertia {
            positive: 2,
            negative: 0,
            zero: 0
        }
    );
}

#[test]
fn singular_blocks_are_named() {
    // Regular as a whole, but its first block cannot be passed.
    let mut matrix = ArrowMatrix::new(&[1, 1], 0);
    matrix.lower_mut(0)[0] = 1.0;
    let mut factors = ArrowFactors::new(&matrix);
    let refused = factors.factor(&matrix);
    assert_eq!(
        refused,
        Err(ArrowError::Singular(SingularBlock { block: 0 }))
    );
    // A singular border is counted, and refused when solving.
    let mut matrix = ArrowMatrix::new(&[1], 1);
    matrix.diagonal_mut(0)[0] = 1.0;
    matrix.edge_mut(0)[0] = 1.0;
    matrix.corner_mut()[0] = 1.0;
    let mut factors = ArrowFactors::new(&matrix);
    assert_eq!(
        factors.factor(&matrix).unwrap(),
        Inertia {
            positive: 1,
            negative: 0,
            zero: 1
        }
    );
    assert_eq!(
        factors.solve(&mut [1.0, 1.0]),
        Err(SingularBlock { block: 1 })
    );
    matrix.diagonal_mut(0)[0] = f64::INFINITY;
    assert!(matches!(
        factors.factor(&matrix),
        Err(ArrowError::NotFinite(_))
    ));
}

/// A test per block misleads: here a block has the wrong sign, and the sum is right.
#[test]
fn only_the_sum_of_the_inertia_counts() {
    let mut matrix = ArrowMatrix::new(&[1, 1, 1], 0);
    for (k, value) in [1.0, 2.0, -3.0].into_iter().enumerate() {
        matrix.diagonal_mut(k)[0] = value;
    }
    matrix.lower_mut(0)[0] = 2.0;
    matrix.lower_mut(1)[0] = 1.0;
    let dense = [[1.0, 2.0, 0.0], [2.0, 2.0, 1.0], [0.0, 1.0, -3.0]];
    let summed = ArrowFactors::new(&matrix).factor(&matrix).unwrap();
    assert_eq!(summed, Ldlt::new(3).factor(|i, j| dense[i][j]).unwrap());
    assert_eq!(
        summed,
        Inertia {
            positive: 1,
            negative: 2,
            zero: 0
        }
    );
}
