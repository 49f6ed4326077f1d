//! Formulas of exact discrete Lagrangians beside the action along integrated motions (DP-A2).

use rattleback_mechanics::System;
use rattleback_mechanics::discrete::{DiscreteError, DiscreteLagrangian, PhaseFlow};
use rattleback_motion::discrete::{MomentumMap, Node};
use rattleback_symbolic::{Expr, Sign, Symbol};
use rattleback_testing::Random;

fn symbols(stem: &str, n: usize) -> Vec<Symbol> {
    (0..n)
        .map(|i| Symbol::variable(&format!("{stem}{i}")))
        .collect()
}

/// L = ½ v·Mv + q·Bv − ½ q·Kq + d·v + e·q + c from its coefficients.
struct Linear {
    q: Vec<Symbol>,
    system: System,
}

impl Linear {
    fn new(n: usize, mut coefficient: impl FnMut(Part, usize, usize) -> Expr) -> Self {
        let q = symbols("x", n);
        let x: Vec<Expr> = q.iter().map(Expr::from).collect();
        let v: Vec<Expr> = q.iter().map(|s| Expr::from(s.derivative())).collect();
        let mut terms = Vec::new();
        for i in 0..n {
            for j in 0..n {
                terms.push(coefficient(Part::Inertia, i.min(j), i.max(j)) * &v[i] * &v[j] / 2);
                terms.push(coefficient(Part::Mixed, i, j) * &x[i] * &v[j]);
                terms.push(-coefficient(Part::Stiffness, i.min(j), i.max(j)) * &x[i] * &x[j] / 2);
            }
            terms.push(coefficient(Part::Drift, i, i) * &v[i]);
            terms.push(coefficient(Part::Load, i, i) * &x[i]);
        }
        terms.push(Expr::ratio(3, 7));
        let system = System::on_coordinates("linear", &q, Expr::sum(terms));
        Self { q, system }
    }

    fn formula(&self, h: &Symbol) -> Result<DiscreteLagrangian, DiscreteError> {
        let n = self.q.len();
        DiscreteLagrangian::exact(&self.system, h, &symbols("a", n), &symbols("b", n))
    }

    /// The formula and its slopes are the action and the momenta of a motion from a random state.
    fn check(&self, step: f64, random: &mut Random) {
        let n = self.q.len();
        let h = Symbol::constant("h");
        let l = self.formula(&h).unwrap();
        let momentum = |s: &Symbol| Symbol::variable(&format!("p{}", s.name()));
        let flow = PhaseFlow::new(&self.system, momentum).unwrap();
        let map = MomentumMap::exact(&flow, &[], 0.0, step).unwrap();
        let mut some = || -> Vec<f64> { (0..n).map(|_| random.signed()).collect() };
        let from = Node {
            q: some(),
            p: some(),
        };
        let (to, action) = map.advance(0, &from).unwrap();
        let ends = l.start.iter().zip(&from.q).chain(l.end.iter().zip(&to.q));
        let values: Vec<(Symbol, f64)> = ends
            .map(|(s, x)| (s.clone(), *x))
            .chain([(h, step)])
            .collect();
        let close = |e: &Expr, wanted: f64| {
            let found = e.evaluate(&values).unwrap();
            let size = 1.0 + wanted.abs();
            assert!((found - wanted).abs() <= 1e-8 * size, "{found}, {wanted}");
        };
        close(&l.value, action);
        for (e, p) in l.momenta_before().iter().zip(&from.p) {
            close(e, *p);
        }
        for (e, p) in l.momenta_after().iter().zip(&to.p) {
            close(e, *p);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Inertia,
    Mixed,
    Stiffness,
    Drift,
    Load,
}

/// Two coupled coordinates, stable or not, with symmetric and gyroscopic terms and loads.
#[test]
fn two_coupled_coordinates() {
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let gyroscopic = seed % 2 == 1;
        let mut drawn = std::collections::HashMap::new();
        let mut tenth = |part: u8, i: usize, j: usize| {
            let next = || Expr::ratio(random.below(21) as i64 - 10, 10);
            drawn.entry((part, i, j)).or_insert_with(next).clone()
        };
        let linear = Linear::new(2, |part, i, j| match (part, i == j) {
            (Part::Inertia, true) => 2 + tenth(0, i, j),
            (Part::Inertia, false) => tenth(0, i, j) / 2,
            (Part::Mixed, _) if gyroscopic => tenth(1, i, j),
            (Part::Mixed, _) => tenth(1, i.min(j), i.max(j)),
            (Part::Stiffness, _) if seed % 3 == 0 => tenth(2, i, j) + i64::from(i == j) * 4,
            (Part::Stiffness, _) => tenth(2, i, j),
            (Part::Drift, _) => tenth(3, i, j),
            (Part::Load, _) => tenth(4, i, j),
        });
        match linear.formula(&Symbol::constant("h")) {
            // Growing swings have eigenvalues off both axes.
            Err(DiscreteError::NotExact { .. }) if gyroscopic => {}
            found => {
                found.unwrap();
                linear.check(0.7, &mut random);
            }
        }
    }
}

/// Masses between springs, on a wall or free: roots of degree two, zero modes, falling together.
#[test]
fn chains_of_masses() {
    for (n, walls) in [(2, 0), (3, 0), (3, 2), (4, 2), (5, 2), (4, 1)] {
        let linear = Linear::new(n, |part, i, j| match part {
            Part::Inertia => i64::from(i == j).into(),
            Part::Stiffness if i == j => {
                let inner = i64::from(i > 0) + i64::from(i + 1 < n);
                let wall = i64::from(walls > 0 && i == 0) + i64::from(walls > 1 && i + 1 == n);
                (inner + wall).into()
            }
            Part::Stiffness if j == i + 1 => (-1).into(),
            Part::Load => Expr::ratio(-98, 10),
            _ => Expr::zero(),
        });
        match linear.formula(&Symbol::constant("h")) {
            Ok(_) => linear.check(0.4, &mut Random::new(n as u64)),
            // 2 cos(π/9) is no square root.
            Err(e) => assert!(n == 4 && walls == 1, "{n} {walls}: {e}"),
        }
    }
}

/// A charge in a magnetic field, free and in a trap, and a rotating frame; the field is a parameter.
#[test]
fn magnetic_fields() {
    for (stiffness, field) in [(0, 3), (2, 3), (-1, 5)] {
        let linear = Linear::new(2, |part, i, j| match part {
            Part::Inertia => i64::from(i == j).into(),
            Part::Stiffness => (stiffness * i64::from(i == j)).into(),
            // B·(x y' − y x')/2, by another gauge.
            Part::Mixed if (i, j) == (0, 1) => field.into(),
            Part::Load if i == 0 => 1.into(),
            _ => Expr::zero(),
        });
        linear.check(0.9, &mut Random::new(7));
    }
}

/// Parameters stay symbols where their signs are known.
#[test]
fn parameters_stay() {
    let [k, m] = ["k", "m"].map(|s| Symbol::constant(s).with_sign(Sign::Positive));
    let linear = Linear::new(2, |part, i, j| match part {
        Part::Inertia => Expr::from(&m) * i64::from(i == j),
        Part::Stiffness => Expr::from(&k) * if i == j { 2 } else { -1 },
        _ => Expr::zero(),
    });
    let l = linear.formula(&Symbol::constant("h")).unwrap();
    assert!(l.value.contains(&k) && l.value.contains(&m));
}
