//! Exact linear algebra: checked by substitution, with zeros proven.

use rattleback_symbolic::{
    Budget, Expr, LinearError, Matrix, Sign, Symbol, determinant, determinant_within, inverse,
    nullspace, postorder, prove_all_zero, prove_zero, rank, solve, solve_shared,
};

fn var(name: &str) -> Expr {
    Symbol::variable(name).into()
}

fn positive(name: &str) -> Expr {
    Symbol::constant(name).with_sign(Sign::Positive).into()
}

fn proven_zero(m: &Matrix) {
    let verdict = prove_all_zero(m.entries());
    assert!(verdict.is_proven(), "{verdict:?}");
}

/// SplitMix64, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }
    fn entry(&mut self) -> Expr {
        let (x, y, m) = (var("x"), var("y"), positive("m"));
        let number = Expr::ratio(self.below(7) as i64 - 3, 1 + self.below(2) as i64);
        match self.below(9) {
            0 | 1 => Expr::zero(),
            2 => number,
            3 => number * x,
            4 => x.sin() + number,
            5 => m * y.cos(),
            6 => (x + y).cos(),
            7 => number / (1 + x.powi(2)),
            _ => m + y * number,
        }
    }
    fn matrix(&mut self, rows: usize, cols: usize) -> Matrix {
        Matrix::new(rows, cols, |_, _| self.entry())
    }
}

#[test]
fn solutions_satisfy_their_systems() {
    let mut r = Random(1);
    let mut solved = 0;
    for i in 0..60 {
        let n = 1 + i % 4;
        let (m, b) = (r.matrix(n, n), r.matrix(n, 1 + i % 2));
        match solve(&m, &b) {
            Ok(s) => {
                solved += 1;
                proven_zero(&(&(&m * &s.solution) - &b));
                assert!(s.conditions.iter().all(|c| prove_zero(c).is_refuted()));
            }
            Err(LinearError::Singular { rank, size }) => {
                assert!(rank < size && size == n);
                assert!(determinant(&m).unwrap().is_zero());
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(solved > 20, "{solved}");
}

#[test]
fn determinants_are_multiplicative() {
    let mut r = Random(2);
    for i in 0..40 {
        let n = 1 + i % 4;
        let (a, b) = (r.matrix(n, n), r.matrix(n, n));
        let product = determinant(&(&a * &b)).unwrap();
        let e = product - determinant(&a).unwrap() * determinant(&b).unwrap();
        assert!(prove_zero(&e).is_proven(), "{a:?} {b:?}");
        let mut swapped: Vec<Vec<Expr>> = (0..n).map(|i| a.row(i).to_vec()).collect();
        swapped.reverse();
        let sign = if n / 2 % 2 == 1 { -1 } else { 1 };
        let e = determinant(&Matrix::from_rows(&swapped)).unwrap() * sign;
        assert!(prove_zero(&(e - determinant(&a).unwrap())).is_proven());
    }
}

#[test]
fn kernels_are_annihilated_and_complete() {
    let mut r = Random(3);
    for i in 0..60 {
        let (rows, cols) = (1 + i % 3, 2 + i % 4);
        let mut m = r.matrix(rows, cols);
        if i % 3 == 0 && rows > 1 {
            // A dependent row.
            let f = var("x").cos() + 2;
            for j in 0..cols {
                m[(rows - 1, j)] = &m[(0, j)] * &f;
            }
        }
        let space = nullspace(&m).unwrap();
        assert_eq!(space.basis.len() + space.rank.rank, cols);
        for v in &space.basis {
            let verdict = prove_all_zero(&m.apply(v));
            assert!(verdict.is_proven(), "{m:?} {v:?}");
        }
        let basis = Matrix::from_rows(&space.basis);
        assert_eq!(rank(&basis).unwrap().rank, space.basis.len());
        let pivots = m.select(&space.rank.rows, &space.rank.cols);
        assert!(!determinant(&pivots).unwrap().is_zero());
    }
}

#[test]
fn conditions_are_reported_only_where_needed() {
    let (x, m) = (var("x"), positive("m"));
    let a = Matrix::diagonal(&[m.clone(), 2 * &m, Expr::one()]);
    assert!(inverse(&a).unwrap().conditions.is_empty());
    let s = inverse(&Matrix::diagonal(&[x.cos(), m])).unwrap();
    assert_eq!(s.conditions.len(), 1);
    // The rank of (sin, cos) never drops, that of (x, x²) does.
    let row = |a: Expr, b: Expr| Matrix::from_rows(&[vec![a, b]]);
    assert!(rank(&row(x.sin(), x.cos())).unwrap().everywhere);
    assert!(!rank(&row(x.clone(), x.powi(2))).unwrap().everywhere);
    assert!(
        nullspace(&row(x.clone(), x.powi(2)))
            .unwrap()
            .conditions
            .len()
            == 1
    );
}

#[test]
fn redundant_rows_are_found_in_order() {
    let (x, y) = (var("x"), var("y"));
    let m = Matrix::from_rows(&[
        vec![x.sin(), x.cos(), Expr::zero()],
        vec![Expr::zero(), Expr::one(), y.clone()],
        vec![x.sin(), x.cos() + 1, y.clone()],
        vec![Expr::zero(), Expr::zero(), x.clone()],
    ]);
    let r = rank(&m).unwrap();
    assert_eq!(r.rows, [0, 1, 3]);
    assert_eq!(rank(&Matrix::zeros(2, 3)).unwrap().rank, 0);
    assert_eq!(nullspace(&Matrix::zeros(0, 2)).unwrap().basis.len(), 2);
}

#[test]
fn large_systems_stay_shared() {
    let n = 16;
    let angle = |i: usize| var(&format!("q{i}"));
    let mass = Matrix::new(n, n, |i, j| {
        let below = Expr::sum((i.max(j)..n).map(|k| positive(&format!("m{k}"))));
        below * (angle(i) - angle(j)).cos()
    });
    let right = Matrix::new(n, 1, |i, _| angle(i).sin());
    let solved = solve(&mass, &right).unwrap();
    proven_zero(&(&(&mass * &solved.solution) - &right));
    let size = postorder(solved.solution.entries(), |_| true).len();
    assert!(size < 40_000, "{size}");
    let singular = Matrix::new(n, n, |i, j| angle(i) * angle(j).sin() + angle(j));
    assert!(matches!(
        solve_shared(&singular, &right),
        Err(LinearError::Singular { rank: 2, .. })
    ));
}

#[test]
fn shared_and_exact_solutions_agree() {
    let mut r = Random(7);
    for i in 0..40 {
        let n = 1 + i % 5;
        let (m, b) = (r.matrix(n, n), r.matrix(n, 1));
        match solve_shared(&m, &b) {
            Ok(s) => proven_zero(&(&(&m * &s.solution) - &b)),
            Err(LinearError::Singular { .. }) => assert!(determinant(&m).unwrap().is_zero()),
            Err(e) => panic!("{e}"),
        }
    }
}

#[test]
fn errors_say_why() {
    let x = var("x");
    let singular = Matrix::from_rows(&[vec![x.clone(), x.clone()], vec![Expr::one(), Expr::one()]]);
    assert_eq!(
        inverse(&singular),
        Err(LinearError::Singular { rank: 1, size: 2 })
    );
    let rectangular = Matrix::zeros(2, 3);
    assert!(matches!(
        determinant(&rectangular),
        Err(LinearError::Shape { .. })
    ));
    let undefined = Matrix::from_rows(&[vec![Expr::undefined()]]);
    assert!(determinant(&undefined).is_err());
    let large = Matrix::new(9, 9, |i, j| var(&format!("a{i}{j}")) + var("z"));
    assert_eq!(
        determinant_within(&large, Budget::SMALL),
        Err(LinearError::TooLarge)
    );
    // log(x²) - 2 log(x) vanishes where it is defined, but no algebra here knows.
    let hidden = x.powi(2).log() - 2 * x.log();
    let m = Matrix::from_rows(&[vec![hidden]]);
    assert!(matches!(inverse(&m), Err(LinearError::Undecided { .. })));
}

/// Mass matrix and constraints of the snakeboard, bordered.
fn snakeboard() -> Matrix {
    let (m, r, jr, jw, j) = (
        positive("m"),
        positive("r"),
        positive("Jr"),
        positive("Jw"),
        positive("J"),
    );
    let (theta, phi) = (var("theta"), var("phi"));
    let o = Expr::zero;
    // x, y, theta, psi, phi1, phi2
    let mass = Matrix::from_rows(&[
        vec![m.clone(), o(), o(), o(), o(), o()],
        vec![o(), m.clone(), o(), o(), o(), o()],
        vec![
            o(),
            o(),
            &j + &jr + 2 * &jw,
            jr.clone(),
            jw.clone(),
            jw.clone(),
        ],
        vec![o(), o(), jr.clone(), jr.clone(), o(), o()],
        vec![o(), o(), jw.clone(), o(), jw.clone(), o()],
        vec![o(), o(), jw.clone(), o(), o(), jw.clone()],
    ]);
    let (plus, minus) = (&theta + &phi, &theta - &phi);
    let constraints = Matrix::from_rows(&[
        vec![-plus.sin(), plus.cos(), &r * phi.cos(), o(), o(), o()],
        vec![-minus.sin(), minus.cos(), -(&r * phi.cos()), o(), o(), o()],
    ]);
    mass.bordered(&constraints.transpose(), &constraints, &Matrix::zeros(2, 2))
}

#[test]
fn the_snakeboard_is_inverted_exactly() {
    let kkt = snakeboard();
    let solved = inverse(&kkt).unwrap();
    proven_zero(&(&(&kkt * &solved.solution) - &Matrix::identity(8)));
    let longest = solved.solution.entries().iter().map(Expr::node_count).max();
    assert!(longest < Some(200), "{longest:?}");
}
