//! Discrete Hamilton-Jacobi theory against tabulated values (DP, part A).

use rattleback_mechanics::discrete::{
    DiscreteLagrangian, DiscreteSystem, Discretization, NoHamiltonian, Rule, Side, Step,
};
use rattleback_mechanics::{Chaplygin, Constraints, System};
use rattleback_motion::discrete::{ActionError, Data, Jacobi, MomentumMap, Node};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_zero};

fn close(found: f64, exact: f64) {
    let scale = exact.abs().max(1.0);
    assert!(
        (found - exact).abs() <= 1e-11 * scale,
        "{found} is not {exact}"
    );
}

fn particle(potential: Expr, mass: Expr) -> System {
    let q = Symbol::variable("q");
    let l = mass / 2 * Expr::from(q.derivative()).powi(2) - potential;
    System::on_coordinates("particle", &[q], l)
}

fn pendulum() -> System {
    let q = Expr::from(Symbol::variable("q"));
    particle(1 - q.cos(), Expr::one())
}

fn step(system: &System, rule: Rule) -> Step {
    let discrete = DiscreteSystem::new(system, Discretization::by(rule)).unwrap();
    discrete.momentum_step(&[Symbol::variable("p")])
}

fn map(system: &System, rule: Rule, h: f64) -> MomentumMap {
    MomentumMap::new(&step(system, rule), &[], 0.0, h).unwrap()
}

fn node(q: f64, p: f64) -> Node {
    Node {
        q: vec![q],
        p: vec![p],
    }
}

/// P-D3d to g: point data.
#[test]
fn action_from_a_point() {
    let map = map(&pendulum(), Rule::Trapezoid, 0.1);
    let data = Data::Point {
        q: &[0.4],
        guess: &[0.9],
    };
    let action = map.action(7, &data, &[1.0]).unwrap();
    close(action.value, 0.078_233_026_459_148_36);
    close(action.slope[0], 0.600_860_558_774_52);
    close(action.path[0].p[0], 1.058_625_697_132_926);
    close(action.curvature[0], 1.275_392_014_808_593);
    let (next, _) = map.advance(7, &action.path[7]).unwrap();
    close(next.q[0], 1.055_878_700_953_413);
    assert!(action.caustics.is_empty());
    let family = Jacobi {
        map: &map,
        data: &data,
    };
    let before = Some(&action.path[6]);
    let residuals = map.residuals(&family, 7, &[1.0], before).unwrap();
    for r in [
        residuals.right.unwrap(),
        residuals.left.unwrap(),
        residuals.backward.unwrap(),
        residuals.lagrangian.unwrap(),
    ] {
        assert!(r.abs() < 1e-12, "{r}");
    }
    // P-F5.
    assert_eq!(map.action(0, &data, &[1.0]), Err(ActionError::NoSteps));
}

/// P-D3h, i: Cauchy data.
#[test]
fn action_from_a_function() {
    let map = map(&pendulum(), Rule::Trapezoid, 0.1);
    let initial = |x: &[f64]| {
        let q = x[0];
        let value = 0.3 * q.sin() + 0.2 * q * q;
        (
            value,
            vec![0.3 * q.cos() + 0.4 * q],
            vec![0.4 - 0.3 * q.sin()],
        )
    };
    let data = Data::Cauchy {
        initial: &initial,
        guess: &[1.0],
    };
    let action = map.action(5, &data, &[1.0]).unwrap();
    close(action.value, 0.189_370_272_463_677_2);
    close(action.slope[0], 0.133_874_573_622_499_2);
    close(action.path[0].q[0], 0.830_586_530_196_483_7);
    close(action.curvature[0], -0.123_248_426_366_886_3);
}

/// P-D11: curvature and action along an orbit.
#[test]
fn curvature_along_an_orbit() {
    let map = map(&pendulum(), Rule::Trapezoid, 0.1);
    let slopes = map.slopes(0, &node(0.4, 1.1)).unwrap();
    let expected = [
        0.995_394_695_029_985_6,
        0.1,
        -0.089_536_537_405_074_03,
        0.995_631_533_107_214_3,
    ];
    slopes.iter().zip(expected).for_each(|(s, e)| close(*s, e));
    let curvatures = [
        9.956_315_331_072_143,
        4.937_115_007_780_477,
        3.248_903_450_316_114,
        2.395_668_911_048_815,
    ];
    let actions = [
        0.048_114_873_575_969_15,
        0.085_985_323_411_841_84,
        0.112_374_716_478_937_7,
        0.126_535_253_970_78,
    ];
    let mut at = node(0.4, 1.1);
    for k in 0..4 {
        at = map.advance(k, &at).unwrap().0;
        let data = Data::Point {
            q: &[0.4],
            guess: &[1.05],
        };
        let action = map.action(k + 1, &data, &at.q).unwrap();
        close(action.curvature[0], curvatures[k]);
        close(action.value, actions[k]);
    }
}

/// P-D3c, P-D4c: Hamiltonians by search.
#[test]
fn hamiltonians_by_search() {
    let verlet = map(&pendulum(), Rule::Trapezoid, 0.1);
    close(
        verlet.right_hamiltonian(0, &[1.0], &[0.4], &[0.4]).unwrap(),
        0.455_767_074_802_991_6,
    );
    close(
        verlet.left_hamiltonian(0, &[0.4], &[1.0], &[1.0]).unwrap(),
        -0.347_606_989_478_790_2,
    );
    let q = Expr::from(Symbol::variable("q"));
    let quartic = map(&particle(q.powi(4) / 4, Expr::one()), Rule::Midpoint, 0.2);
    close(
        quartic.left_hamiltonian(0, &[0.3], &[0.6], &[0.6]).unwrap(),
        -0.165_687_364_728_602,
    );
    close(
        quartic
            .right_hamiltonian(0, &[0.6], &[0.3], &[0.3])
            .unwrap(),
        0.196_939_759_484_877_1,
    );
}

/// The exact discrete Lagrangian of the oscillator with mass 2 and frequency 3/2.
fn exact_oscillator() -> (DiscreteLagrangian, Symbol) {
    let q = Expr::from(Symbol::variable("q"));
    let oscillator = particle(Expr::ratio(9, 4) * q.powi(2), Expr::from(2));
    let h = Symbol::constant("h");
    let [a, b] = ["q_0", "q_1"].map(Symbol::variable);
    (
        DiscreteLagrangian::exact(&oscillator, &h, &[a], &[b]).unwrap(),
        h,
    )
}

/// P-D1a, b, c, f.
#[test]
fn exact_oscillator_is_the_flow() {
    let (l, h) = exact_oscillator();
    let at = |e: &Expr, pairs: &[(&Symbol, f64)]| {
        let values: Vec<(Symbol, f64)> = pairs.iter().map(|(s, x)| ((*s).clone(), *x)).collect();
        e.evaluate(&values).unwrap()
    };
    let (a, b, p) = (&l.start[0], &l.end[0], Symbol::variable("p"));
    close(
        at(&l.value, &[(a, 0.3), (b, 0.5), (&h, 0.1)]),
        0.363_182_066_377_668_7,
    );
    let right = l
        .hamiltonian(Side::Right, std::slice::from_ref(&p))
        .unwrap();
    close(
        at(&right.value, &[(a, 0.5), (&p, 0.7), (&h, 0.1)]),
        0.422_993_171_182_403_8,
    );
    let left = l.hamiltonian(Side::Left, std::slice::from_ref(&p)).unwrap();
    close(
        at(&left.value, &[(b, 0.5), (&p, 0.7), (&h, 0.1)]),
        -0.284_956_338_689_161,
    );
    let map = MomentumMap::new(&l.momentum_step(&h, &[p]), &[], 0.0, 0.1).unwrap();
    let mut at = node(0.3, 1.2);
    for k in 0..7 {
        at = map.advance(k, &at).unwrap().0;
    }
    close(at.q[0], 0.496_240_604_605_124_9);
    close(at.p[0], -0.183_595_645_564_542_8);
    // P-D1e.
    let data = Data::Point {
        q: &[0.3],
        guess: &[1.0],
    };
    let action = map.action(5, &data, &[0.9]).unwrap();
    close(action.value, 0.260_812_593_716_901_2);
    close(action.slope[0], 1.577_903_149_055_81);
    close(action.curvature[0], 3.220_278_445_648_132);
}

/// P-F1: at ωh = π/2 the map exists, the Hamiltonians do not; P-F2: at ωh = π nothing does.
#[test]
fn exact_oscillator_at_special_steps() {
    let (l, h) = exact_oscillator();
    let quarter = [(h.clone(), Expr::pi() / 3)];
    for side in [Side::Right, Side::Left] {
        let block = side.block();
        assert_eq!(
            l.hamiltonian_exists(side, &quarter),
            Err(NoHamiltonian::Singular { block })
        );
        assert_eq!(
            l.hamiltonian_exists(side, &[(h.clone(), Expr::ratio(1, 10))]),
            Ok(())
        );
    }
    let p = Symbol::variable("p");
    let step = l.momentum_step(&h, &[p]);
    let map = MomentumMap::new(&step, &[], 0.0, std::f64::consts::FRAC_PI_3).unwrap();
    let (next, _) = map.advance(0, &node(0.3, 1.2)).unwrap();
    close(next.q[0], 0.4);
    close(next.p[0], -0.9);
    let undefined = l.value.substitute(&[(h, Expr::pi() * 2 / 3)]);
    assert!(undefined.is_undefined(), "{undefined}");
}

/// The exact discrete Lagrangian is that of the flow: its parts add up over two half steps, D₂L + D₁L = 0 in
/// between (DP-A2), for swinging, running and falling coordinates at once.
#[test]
fn exact_lagrangians_compose() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let v = q.each_ref().map(|q| Expr::from(q.derivative()));
    let [x, y, z] = q.each_ref().map(Expr::from);
    let kinetic = (v[0].powi(2) + v[1].powi(2) + v[2].powi(2)) / 2;
    let l = kinetic - 2 * x.powi(2) + &x / 3 + y.powi(2) - 5 * &z + &x * &v[0] / 4 + &v[2] + 7;
    let system = System::on_coordinates("all", &q, l);
    let h = Symbol::constant("h");
    let names = |k: &str| {
        q.each_ref()
            .map(|q| Symbol::variable(&format!("{}_{k}", q.name())))
    };
    let (a, b, c) = (names("a"), names("b"), names("c"));
    let half = Expr::from(&h) / 2;
    let exact = DiscreteLagrangian::exact(&system, &h, &a, &c).unwrap();
    let first = DiscreteLagrangian::exact(&system, &h, &a, &b)
        .unwrap()
        .value;
    let first = first.substitute(&[(h.clone(), half.clone())]);
    let second = DiscreteLagrangian::exact(&system, &h, &b, &c)
        .unwrap()
        .value;
    let second = second.substitute(&[(h.clone(), half)]);
    // Stationary in the middle: linear in each coordinate there.
    let sum = &first + &second;
    let middle: Vec<(Symbol, Expr)> = b
        .iter()
        .map(|s| {
            let slope = sum.diff(s);
            let at_zero = slope.substitute(&[(s.clone(), Expr::zero())]);
            (s.clone(), -at_zero / slope.diff(s))
        })
        .collect();
    let gap = sum.substitute(&middle) - exact.value;
    let verdict = prove_zero(&gap);
    assert!(verdict.is_proven(), "{verdict:?}");
}

/// A discrete Lagrangian that does not couple its ends has no map, and is refuted.
#[test]
fn irregular_lagrangians_are_told() {
    use rattleback_mechanics::Regularity;
    let [a, b] = ["a", "b"].map(Symbol::variable);
    let value = Expr::from(&a).powi(2) + Expr::from(&b).sin();
    let l = DiscreteLagrangian::new(&[a], &[b], value);
    assert!(matches!(l.regularity(&[]), Regularity::Degenerate { .. }));
}

/// An oscillator passes a caustic in every half period; the action is found behind it.
#[test]
fn caustics_are_counted() {
    let q = Expr::from(Symbol::variable("q"));
    let map = map(&particle(q.powi(2) / 2, Expr::one()), Rule::Trapezoid, 0.1);
    let data = Data::Point {
        q: &[0.3],
        guess: &[0.5],
    };
    let action = map.action(50, &data, &[0.2]).unwrap();
    assert_eq!(action.caustics, [32]);
}

/// HJ-C34: in Chaplygin time the steps on the base are symplectic in (r, p); with the gyroscopic force, in time, they are not.
#[test]
fn steps_in_chaplygin_time_are_symplectic() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let v = q.each_ref().map(|q| Expr::from(q.derivative()));
    let [x, y, _] = q.each_ref().map(Expr::from);
    let kinetic = Expr::sum(v.iter().map(|v| v.powi(2))) / 2;
    let l = kinetic - (x.powi(2) + 2 * y.powi(2)) / 2;
    let forms = Matrix::from_rows(&[vec![-&y, Expr::zero(), Expr::one()]]);
    let system = System::on_coordinates("bowl", &q, l)
        .with_constraints(Constraints::new(forms, vec![Expr::zero()]));
    let reduced = Chaplygin::with_fibre(&system, &[2]).unwrap();
    let f = (1 + y.powi(2)).sqrt().powi(-1);
    let momenta = ["p", "r"].map(Symbol::variable);
    let defect = |base: &System| {
        let discrete = DiscreteSystem::new(base, Discretization::by(Rule::Gauss(2))).unwrap();
        let map = MomentumMap::new(&discrete.momentum_step(&momenta), &[], 0.0, 0.3).unwrap();
        let node = Node {
            q: vec![0.7, 0.4],
            p: vec![0.2, -0.5],
        };
        let m = Dense::of_rows(4, 4, &map.slopes(0, &node).unwrap());
        let j = Dense::new(4, 4, |i, k| match (i, k) {
            (0, 2) | (1, 3) => 1.0,
            (2, 0) | (3, 1) => -1.0,
            _ => 0.0,
        });
        (&(&(&m.transposed() * &j) * &m) - &j).largest()
    };
    let symplectic = defect(&reduced.in_chaplygin_time(&system, &f));
    assert!(symplectic < 1e-10, "{symplectic}");
    let forced = defect(&reduced.forced_system(&system));
    assert!(forced > 1e-3, "{forced}");
}
