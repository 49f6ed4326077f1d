//! Small random systems with exact coefficients.

use proptest::prelude::*;
use rattleback_mechanics::{Constraints, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero};

/// A stream of small numbers.
#[derive(Clone, Debug)]
pub struct Seeds(u64);

impl Seeds {
    pub fn next(&mut self, below: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as i64).rem_euclid(below)
    }

    /// A small nonzero rational.
    pub fn number(&mut self) -> Expr {
        let n = self.next(7) - 3;
        Expr::ratio(if n == 0 { 4 } else { n }, self.next(3) + 1)
    }

    /// A trigonometric or polynomial function of the variables.
    pub fn function(&mut self, z: &[Expr]) -> Expr {
        let a = z[self.next(z.len() as i64) as usize].clone();
        let b = z[self.next(z.len() as i64) as usize].clone();
        let shape = match self.next(6) {
            0 => a.sin(),
            1 => a.cos() * b,
            2 => a * b,
            3 => (a - b).cos(),
            4 => a.powi(2) + b,
            _ => a + 1,
        };
        self.number() * shape
    }

    /// A polynomial of degree r in v with functions of z as coefficients, homogeneous.
    pub fn homogeneous(&mut self, z: &[Expr], v: &[Expr], r: u32) -> Expr {
        let terms = (0..3).map(|_| {
            let powers = (0..r).map(|_| v[self.next(v.len() as i64) as usize].clone());
            let product = Expr::product(powers.collect::<Vec<_>>());
            self.function(z) * product
        });
        Expr::sum(terms.collect::<Vec<_>>())
    }
}

pub fn seeds() -> impl Strategy<Value = Seeds> {
    any::<u64>().prop_map(Seeds)
}

/// Few cases, as each of them is a proof; more with PROPTEST_CASES.
pub fn few() -> ProptestConfig {
    rattleback_testing::cases(12)
}

pub fn coordinates(n: usize) -> Vec<Symbol> {
    (1..=n)
        .map(|i| Symbol::variable(&format!("q{i}")))
        .collect()
}

pub fn values(s: &[Symbol]) -> Vec<Expr> {
    s.iter().map(Expr::from).collect()
}

/// ½ Σ v² + ½ (b·v)² − V: positive definite everywhere, with a metric that varies.
pub fn lagrangian(seeds: &mut Seeds, q: &[Symbol]) -> Expr {
    let z = values(q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let b: Vec<Expr> = q.iter().map(|_| seeds.function(&z)).collect();
    let square = Expr::sum(v.iter().map(|e| e.powi(2)));
    (square + dot(&b, &v).powi(2)) / 2 - seeds.function(&z)
}

/// Constraint forms with the identity in the last columns: of full rank everywhere.
pub fn forms(seeds: &mut Seeds, q: &[Symbol], m: usize) -> Matrix {
    let (n, z) = (q.len(), values(q));
    Matrix::new(m, n, |s, a| match a.checked_sub(n - m) {
        Some(k) => i64::from(k == s).into(),
        None => seeds.function(&z),
    })
}

/// A natural system of n coordinates with m random linear constraints.
pub fn system(seeds: &mut Seeds, n: usize, m: usize) -> System {
    let q = coordinates(n);
    let l = lagrangian(seeds, &q);
    let forms = forms(seeds, &q, m);
    System::on_coordinates("random", &q, l)
        .with_constraints(Constraints::new(forms, vec![Expr::zero(); m]))
}

/// The same system with other constraint forms.
pub fn constrained(l: &Expr, q: &[Symbol], forms: Matrix) -> System {
    let m = forms.rows();
    System::on_coordinates("constrained", q, l.clone())
        .with_constraints(Constraints::new(forms, vec![Expr::zero(); m]))
}

/// The expressions on D, in the velocities of the frame of D.
pub fn on_distribution(system: &System, e: &[Expr]) -> Vec<Expr> {
    system.sections().unwrap().restrict(system.frame(), e)
}

/// Proven to vanish.
pub fn vanishes(e: &[Expr]) -> bool {
    report(prove_all_zero(e))
}

fn report(v: Verdict) -> bool {
    if !v.is_proven() {
        eprintln!("{v:?}");
    }
    v.is_proven()
}

/// Differences of two lists.
pub fn differences(a: &[Expr], b: &[Expr]) -> Vec<Expr> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}
