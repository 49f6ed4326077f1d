//! Chains of constraints that are not on any list: groups, angles, algebroids, branches, parameters.

mod support;

use rattleback_geometry::{Frame, StructureFunctions};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, Tape, nullspace, prove_all_zero, rank};
use rattleback_theory::Effort;
use rattleback_theory::presymplectic::*;
use support::{Numbers, given, rk4, shipped};

fn chain(text: &str) -> Chain {
    let g = given(&format!(
        "system s\nparam a = 2, b = 3, k = 1\nassume k > 0\n{text}\n"
    ));
    Presymplectic::of_lagrangian(&g.system).chain(Effort::unlimited())
}

/// The chain is proven with these dimensions and free directions, and its field stays on the final set.
fn proven(chain: &Chain, dimensions: &[usize], freedom: usize) {
    proven_on(&[], chain, dimensions, freedom);
}

fn proven_on(on: &[(Symbol, Expr)], chain: &Chain, dimensions: &[usize], freedom: usize) {
    assert!(
        chain.claim.is_proven(),
        "{:?} {:?}",
        chain.claim,
        chain.solved
    );
    assert_eq!(chain.dimensions(), dimensions, "{:?}", chain.solved);
    assert_eq!(chain.freedom, freedom);
    stays_inside(chain, on);
}

/// From a random point of the final set, on its groups, the field keeps the constraints.
fn stays_inside(chain: &Chain, on: &[(Symbol, Expr)]) {
    let base = &chain.coordinates;
    let time = Symbol::time();
    let inside: Vec<Expr> = base
        .iter()
        .map(|s| Expr::from(s).substitute(&chain.solved).substitute(on))
        .collect();
    let gaps: Vec<Expr> = chain
        .solved
        .iter()
        .map(|(w, v)| Expr::from(w) - v)
        .collect();
    let all = [chain.rates.clone(), inside, gaps].concat();
    let others: Vec<Symbol> = rattleback_symbolic::free_symbols(&all)
        .into_iter()
        .filter(|s| !base.contains(s) && *s != time)
        .collect();
    let names = [base.as_slice(), std::slice::from_ref(&time), &others].concat();
    let tape = Tape::new(&names, &all).expect("a tape");
    let mut numbers = Numbers::new(5);
    let n = base.len();
    // Not every point has a root of its own.
    for _ in 0..200 {
        let values: Vec<f64> = others.iter().map(|_| 1.0 + 0.7 * numbers.next()).collect();
        let at = |x: &[f64]| tape.evaluate(&[x, &values].concat());
        let mut anywhere: Vec<f64> = (0..n).map(|_| 0.6 + 1.4 * numbers.next()).collect();
        anywhere.push(0.0);
        let mut start = at(&anywhere)[n..2 * n].to_vec();
        start.push(0.0);
        let rates = |x: &[f64]| [&at(x)[..n], &[1.0]].concat();
        if !rates(&start).iter().all(|r| r.abs() < 100.0) {
            continue;
        }
        let end = rk4(&rates, &start, 0.02, 200);
        let gaps = &at(&end)[2 * n..];
        assert!(gaps.iter().all(|g| g.abs() < 1e-8), "{gaps:?}");
        return;
    }
    panic!("no point on the final set {:?}", chain.solved);
}

/// RᵀR = 1 lowers the rank of the Hessian: without it w[1] would be determined.
#[test]
fn relations_of_a_group_lower_the_rank() {
    for (text, freedom) in [
        (
            "group R : SO(3) velocity w\nlagrangian norm2(R*w)/2 - w[1]^2/2",
            1,
        ),
        (
            "group R : SO(3) velocity w\nlagrangian norm2(R*w)/2 + w[1]^2/2",
            0,
        ),
        (
            "group g : SU(2) velocity w\nlagrangian (norm2(w) - (g[1]^2 + g[2]^2 + g[3]^2 + g[4]^2)*w[2]^2)/2",
            1,
        ),
    ] {
        let g = given(&format!("system s\n{text}\n"));
        let found = Presymplectic::of_lagrangian(&g.system).chain(Effort::unlimited());
        proven_on(g.system.parametrization(), &found, &[9, 6], freedom);
    }
}

/// A multiplier holds one entry of the attitude: λ is determined at the fourth step, its rate at the fifth.
#[test]
fn holonomic_constraints_on_groups() {
    let dimensions = [12, 8, 7, 6, 5, 4];
    for text in [
        "group R : SO(3) velocity w\ncoord lam\nlagrangian norm2(w)/2 + lam*(R[3,3] - 3/5)",
        "group g : SU(2) velocity w\ncoord lam\nlagrangian norm2(w)/2 + lam*(g[1] - g[3])",
    ] {
        let found = chain(text);
        proven(&found, &dimensions, 0);
        assert!(!found.chart.is_empty());
        assert_eq!(found.form_rank, Some(4));
    }
    let planar = chain(
        "group R : SO(2) velocity w\ncoord lam, x\nlagrangian (w^2 + x'^2)/2 + lam*(R[2,1] - x)",
    );
    proven(&planar, &[9, 6, 5, 4, 3, 2], 0);
}

#[test]
fn holonomic_constraints_on_circles() {
    for text in [
        "sin(theta)",
        "cos(theta)*sin(theta)",
        "2*sin(theta) - cos(theta)",
    ] {
        let still = chain(&format!(
            "coord theta : angle\ncoord lam\nlagrangian theta'^2/2 + lam*({text})"
        ));
        proven(&still, &[6, 4, 3, 2, 1, 0], 0);
        assert_eq!(still.end, End::OnlyEquilibria);
        // The constraint is written in the angle, not in a parameter of the chart.
        let shown = still.shown_constraint(&still.steps[1].constraints[0]);
        assert!(shown.contains(&Symbol::variable("theta")), "{shown}");
    }
    // Only θ = π is left, which one of two charts does not see; and doubly so.
    let top = chain("coord theta : angle\ncoord lam\nlagrangian theta'^2/2 + lam*(1 + cos(theta))");
    proven(&top, &[6, 4, 3, 2], 1);
    assert_eq!(top.irregular.len(), 1);
    let none =
        chain("coord theta : angle\ncoord lam\nlagrangian theta'^2/2 + lam*(2 + cos(theta))");
    assert!(none.claim.is_refuted(), "{:?}", none.claim);
    let two = chain(
        "coord theta : angle\ncoord phi : angle\ncoord lam\nlagrangian (theta'^2 + phi'^2)/2 + lam*sin(theta - 2*phi)",
    );
    proven(&two, &[9, 6, 5, 4, 3, 2], 0);
}

/// The first branch of x·y = 0 ends in a contradiction; the other one has a motion.
#[test]
fn branches_are_followed() {
    let found = chain("coord y, x, a1, b1\nlagrangian a1*x*y + b1*(x - 1)");
    proven(&found, &[12, 8, 4, 0], 0);
    assert_eq!(found.end, End::OnlyEquilibria);
    let none = chain("coord y, x, a1, b1, c1\nlagrangian a1*x*y + b1*(x - 1) + c1*(y - 1)");
    assert!(none.claim.is_refuted(), "{:?}", none.claim);
    // Where the slope x vanishes, y = 1/x does not hold; no zero of x*y = 1 is lost for that.
    let hyperbola = chain("coord x, y, lam\nlagrangian (x'^2 + y'^2)/2 + lam*(x*y - k)");
    proven(&hyperbola, &[9, 6, 5, 4, 3, 2], 0);
    assert!(!hyperbola.conditions.is_empty());
}

#[test]
fn real_zeros() {
    let axis = chain("coord x, y, z, lam\nlagrangian x'^2/2 + lam*(y^2 + 3*z^2)");
    assert!(axis.claim.is_proven(), "{:?}", axis.claim);
    assert_eq!(axis.irregular.len(), 2);
    let positions: Vec<&str> = axis.solved.iter().map(|(s, _)| s.name()).collect();
    assert!(positions.contains(&"y") && positions.contains(&"z"));
    for text in ["x^2 + x + 1", "x^2 + y^2 + k", "exp(x) + k"] {
        let none = chain(&format!(
            "coord x, y, lam\nlagrangian (x'^2 + y'^2)/2 + lam*({text})"
        ));
        assert!(none.claim.is_refuted(), "{text}: {:?}", none.claim);
    }
}

#[test]
fn special_parameters_are_cases() {
    let none = chain("coord x, y\nlagrangian x'^2/2 + a*y");
    assert!(none.claim.is_refuted());
    assert_eq!(none.cases.len(), 1, "{:?}", none.cases);
    assert_eq!(none.cases[0].condition.to_string(), "a");
    assert!(none.cases[0].then.contains("(6, 4)"), "{:?}", none.cases);
    let mass = chain("coord x, y\nlagrangian (a*x'^2 + y'^2)/2 + x*y");
    proven(&mass, &[6, 4], 0);
    assert_eq!(mass.cases.len(), 1, "{:?}", mass.cases);
    assert!(
        mass.cases[0].then.contains("(6, 4, 3, 2, 1, 0)"),
        "{:?}",
        mass.cases
    );
    let positive = chain("coord x, y\nlagrangian (k*x'^2 + y'^2)/2 + x*y");
    assert!(positive.cases.is_empty());
    let difference = chain("coord x, y\nlagrangian (x' + y')^2/2 + (a - b)*(x - y)^2/2");
    proven(&difference, &[6, 4, 3, 2], 0);
    assert_eq!(difference.cases.len(), 1, "{:?}", difference.cases);
}

/// x = sin t is no equilibrium: the set moves.
#[test]
fn constraints_that_move() {
    let found = chain("coord x, lam\nlagrangian x'^2/2 + lam*(x - sin(t))");
    proven(&found, &[6, 4, 3, 2, 1, 0], 0);
    assert_eq!(found.end, End::Stable);
    let time = Expr::from(Symbol::time());
    let gap = [&found.rates[0] - time.cos()].map(|e| e.substitute(&found.solved));
    assert!(prove_all_zero(&gap).is_proven(), "{}", found.rates[0]);
}

#[test]
fn singular_lagrangians_on_algebras() {
    let algebra = Frame::new(
        Vec::new(),
        ["w1", "w2", "w3"].map(Symbol::variable).to_vec(),
        Matrix::zeros(0, 3),
        StructureFunctions::from_constants(&[(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1)]),
    );
    let w: Vec<Expr> = algebra.velocity();
    let system = |l: Expr| System::on_frame("s", algebra.clone(), Vec::new(), l, 1);
    let run = |l: Expr| Presymplectic::of_lagrangian(&system(l)).chain(Effort::unlimited());
    // p = (w1, 0, 0) and p' = p × w: w2 = w3 = 0, or p = 0.
    let one = run(w[0].powi(2) / 2);
    proven(&one, &[9, 6, 4], 0);
    assert!(!one.branches.is_empty());
    // (w1, w2, 0): p3' = 0 always, p' = (−w2 w3, w1 w3, 0) leaves w3 free.
    let two = run((w[0].powi(2) + w[1].powi(2)) / 2);
    proven(&two, &[9, 6], 1);
}

/// A section that no coordinate feels: the set shrinks, the rank of the frame along it does not.
#[test]
fn ranks_along_sets_that_the_anchor_ignores() {
    let x = Symbol::variable("x");
    let frame = Frame::new(
        vec![x.clone()],
        vec![Symbol::variable("y")],
        Matrix::zeros(1, 1),
        StructureFunctions::default(),
    );
    let problem = Presymplectic {
        frame,
        form: Matrix::zeros(1, 1),
        covector: vec![x.into()],
        groups: Vec::new(),
    };
    let found = problem.chain(Effort::unlimited());
    assert!(found.claim.is_proven());
    assert_eq!((found.dimensions(), found.freedom), (vec![1, 1], 1));
}

#[test]
fn higher_order_on_groups() {
    let cubic = shipped("riemannian_cubic");
    let found = Presymplectic::of_lagrangian(&cubic.system).chain(Effort::unlimited());
    proven_on(cubic.system.parametrization(), &found, &[15, 12], 0);
    assert_eq!(found.form_rank, Some(12));
    let singular = chain("group R : SO(3) velocity w\nlagrangian (w[1]'^2 + norm2(w))/2");
    assert!(singular.claim.is_proven(), "{:?}", singular.claim);
    assert_eq!(singular.dimensions()[..2], [15, 12]);
}

/// The integrable part of N_L is where the chain of velocities and momenta ends.
#[test]
fn implicit_equations_have_the_same_chain() {
    for text in [
        "coord x, y\nlagrangian (x' + y)^2/2",
        "coord x, y, z\nlagrangian x'*z' + y*z^2/2",
        "coord x, y, lam\nlagrangian (x'^2 + y'^2)/2 - k*y + lam*(x^2 + y^2 - 1)/2",
        "coord q\nlagrangian q'^2/2 - cos(q)",
    ] {
        let g = given(&format!("system s\nparam k = 2\nassume k > 0\n{text}\n"));
        let both = Presymplectic::of_lagrangian(&g.system).chain(Effort::unlimited());
        let part = ImplicitDynamics::of(&g.system).integrable(Effort::unlimited());
        assert!(part.claim.is_proven(), "{text}: {:?}", part.claim);
        assert_eq!(part.dimensions(), both.dimensions()[1..], "{text}");
        assert_eq!(part.freedom, both.freedom, "{text}");
        stays_inside(&part, &[]);
    }
    let q = [Symbol::variable("x"), Symbol::variable("y")];
    let jet = |i: usize, r: u32| Expr::from(q[i].jet(r));
    let l = (jet(0, 2) + jet(1, 2)).powi(2) / 2 + jet(0, 0) * jet(1, 0);
    let both = Presymplectic::of_order(&q, &l, 2).chain(Effort::unlimited());
    let part = HigherOrderDynamics::of(&q, &l, 2).integrable(Effort::unlimited());
    assert!(
        both.claim.is_proven() && part.claim.is_proven(),
        "{:?} {:?}",
        both.claim,
        part.claim
    );
    assert_eq!(part.dimensions(), both.dimensions()[1..]);
}

/// Random quadratic Lagrangians with a singular Hessian, against subspaces: M_{l+1} consists of the x in
/// M_l for which some X in M_l has Ω X = A x.
#[test]
fn random_linear_systems() {
    let mut numbers = Numbers::new(77);
    let mut integer = |size: f64| (numbers.next() * size) as i64;
    for round in 0..12 {
        let n = 2 + round % 3;
        let q: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("q{i}"))).collect();
        let mut l = Expr::zero();
        for _ in 0..n - 1 {
            let v = Expr::sum(q.iter().map(|s| integer(2.9) * Expr::from(s.derivative())));
            l += v.powi(2) / 2;
        }
        for a in &q {
            for b in &q {
                l += integer(1.9) * Expr::from(a.derivative()) * Expr::from(b);
                l += integer(1.9) * Expr::from(a) * Expr::from(b) / 2;
            }
        }
        let problem = Presymplectic::of_order(&q, &l, 1);
        let found = problem.chain(Effort::unlimited());
        assert!(found.claim.is_proven(), "{l}: {:?}", found.claim);
        let base = problem.frame.base();
        let size = base.len();
        let slope = Matrix::new(size, size, |i, j| problem.covector[i].diff(&base[j]));
        let form = problem.form.transpose();
        let mut space = Matrix::identity(size);
        let mut dimensions = vec![size];
        loop {
            let (left, right) = (&form * &space, &slope * &space);
            let d = space.cols();
            let both = Matrix::new(size, 2 * d, |i, j| match j < d {
                true => left[(i, j)].clone(),
                false => -&right[(i, j - d)],
            });
            let pairs = nullspace(&both).expect("a nullspace").basis;
            let points: Vec<Vec<Expr>> = pairs.iter().map(|v| space.apply(&v[d..])).collect();
            if points.is_empty() {
                dimensions.push(0);
                break;
            }
            let rows = Matrix::from_rows(&points);
            let kept = rank(&rows).expect("a rank").rows;
            if kept.len() == d {
                break;
            }
            dimensions.push(kept.len());
            if kept.is_empty() {
                break;
            }
            space = Matrix::from_rows(&kept.iter().map(|&i| points[i].clone()).collect::<Vec<_>>())
                .transpose();
        }
        assert_eq!(found.dimensions(), dimensions, "{l}");
    }
}

/// Every shipped model is decided.
#[test]
fn large_systems_are_decided() {
    for name in [
        "rattleback",
        "trailer_car",
        "cubic_splines",
        "pais_uhlenbeck",
    ] {
        let g = shipped(name);
        let found = Presymplectic::of_lagrangian(&g.system).chain(Effort::unlimited());
        assert!(found.claim.is_proven(), "{name}: {:?}", found.claim);
        assert_eq!(found.freedom, 0, "{name}");
        assert_eq!(
            found.form_rank,
            found.dimensions().last().copied(),
            "{name}"
        );
    }
}
