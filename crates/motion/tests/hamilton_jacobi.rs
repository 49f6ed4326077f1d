//! Discrete Hamilton-Jacobi theory: Riccati equations, planes, families, the theorem, limits (DP, part A).

use rattleback_mechanics::System;
use rattleback_mechanics::discrete::{
    DiscreteHamiltonian, DiscreteLagrangian, DiscreteSystem, Discretization, NoHamiltonian,
    PhaseFlow, Rule, Side,
};
use rattleback_motion::discrete::{
    ActionError, ActionSum, Data, Family, Jacobi, Jet, LagrangianPlane, Limit, LinearError,
    LinearSide, LinearStep, MomentumMap, Node, Quadratic, RollOut, Station,
};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol, prove_zero};
use std::slice::from_ref;

#[track_caller]
fn close(found: f64, exact: f64) {
    close_to(found, exact, 1e-10);
}

#[track_caller]
fn close_to(found: f64, exact: f64, part: f64) {
    let scale = exact.abs().max(1.0);
    assert!(
        (found - exact).abs() <= part * scale,
        "{found} is not {exact}"
    );
}

#[track_caller]
fn all_close(found: &[f64], exact: &[f64]) {
    assert_eq!(found.len(), exact.len());
    found.iter().zip(exact).for_each(|(f, e)| close(*f, *e));
}

fn matrix(entries: &[f64]) -> Dense {
    let n = (entries.len() as f64).sqrt() as usize;
    Dense::of_rows(n, n, entries)
}

fn pendulum() -> System {
    let q = Symbol::variable("q");
    let v = Expr::from(q.derivative());
    let l = v.powi(2) / 2 - 1 + Expr::from(&q).cos();
    System::on_coordinates("pendulum", &[q], l)
}

fn verlet(h: f64) -> MomentumMap {
    let discrete = DiscreteSystem::new(&pendulum(), Discretization::by(Rule::Trapezoid)).unwrap();
    let step = discrete.momentum_step(&[Symbol::variable("p")]);
    MomentumMap::new(&step, &[], 0.0, h).unwrap()
}

fn exact(system: &System, h: f64) -> MomentumMap {
    let momentum = |s: &Symbol| Symbol::variable(&format!("p_{}_{}", s.name(), s.order()));
    let flow = PhaseFlow::new(system, momentum).unwrap();
    MomentumMap::exact(&flow, &[], 0.0, h).unwrap()
}

fn node(q: f64, p: f64) -> Node {
    Node {
        q: vec![q],
        p: vec![p],
    }
}

/// The exact oscillator of P-D1, mass 2 and frequency 3/2, as a quadratic left Hamiltonian.
fn oscillator(h: f64) -> LinearStep {
    let (m, w) = (2.0, 1.5);
    let turn: f64 = w * h;
    let n = matrix(&[turn.tan() / (m * w)]);
    let l = matrix(&[-1.0 / turn.cos()]);
    LinearStep::new(LinearSide::Left, n, l, matrix(&[m * w * turn.tan()])).unwrap()
}

/// P-D1d, e, g: the recurrence from S¹, its map, and the printed constants, which are refused.
#[test]
fn riccati_of_an_oscillator() {
    let (m, w, h, q0) = (2.0, 1.5, 0.1, 0.3);
    let turn: f64 = w * h;
    let cot = turn.cos() / turn.sin();
    let mut s = Quadratic {
        a: matrix(&[m * w * cot]),
        b: vec![-m * w * q0 / turn.sin()],
        c: m * w * q0 * q0 * cot / 2.0,
    };
    let step = oscillator(h);
    for _ in 1..5 {
        s = step.riccati(&s).unwrap();
    }
    close(s.a[(0, 0)], 3.220_278_445_648_132);
    close(s.b[0], -1.320_347_452_027_509);
    close(s.c, 0.144_912_530_054_165_9);
    close(s.value(&[0.9]), 0.260_812_593_716_901_2);
    close(s.slope(&[0.9])[0], 1.577_903_149_055_81);
    close(step.spread(&s, &[0.9]).unwrap()[0], 0.968_493_603_415_475_2);
    // Without the factor 1/2 of c the residual is not zero.
    let next = step.riccati(&s).unwrap();
    let printed = |q: &Quadratic| Quadratic {
        c: 2.0 * q.c,
        ..q.clone()
    };
    let (wrong, wrong_next) = (printed(&s), printed(&next));
    let f = step.spread(&s, &[0.9]).unwrap();
    let honest = next.value(&f) - s.value(&[0.9]);
    let off = wrong_next.value(&f) - wrong.value(&[0.9]) - honest;
    close(off, -0.037_783_125_095_453_13);
}

fn data_d2() -> (LinearStep, Quadratic) {
    let mass = matrix(&[2.0, 0.3, 0.3, 1.0]);
    let n = mass.solve(&Dense::identity(2)).unwrap().symmetrised();
    let l = matrix(&[-1.1, 0.2, 0.1, -0.9]);
    let step = LinearStep::new(LinearSide::Left, n, l, matrix(&[0.5, 0.1, 0.1, 0.8])).unwrap();
    let s = Quadratic {
        a: matrix(&[1.0, 0.2, 0.2, 0.5]),
        b: vec![0.1, -0.2],
        c: 0.05,
    };
    (step, s)
}

/// P-D2.
#[test]
fn riccati_in_two_dimensions() {
    let (step, start) = data_d2();
    let map = step.map().unwrap();
    let expected = [
        0.927_835_051_546_4,
        0.206_185_567_010_3,
        0.453_392_346_305_4,
        0.070_167_863_118_69,
        0.103_092_783_505_2,
        1.134_020_618_557,
        -0.124_143_142_440_8,
        1.171_263_561_289,
        -0.474_226_804_123_7,
        -0.216_494_845_360_8,
        0.885_718_141_091_4,
        -0.252_210_287_688_2,
        -0.175_257_731_958_8,
        -0.927_835_051_546_4,
        -0.146_024_720_677_9,
        -0.044_027_635_343_01,
    ];
    all_close(map.entries(), &expected);
    let q0 = [0.4, -0.3];
    let p0 = start.slope(&q0);
    let mut state = Dense::new(4, 1, |i, _| if i < 2 { q0[i] } else { p0[i - 2] });
    let mut s = start.clone();
    for k in 0..4 {
        state = &map * &state;
        s = step.riccati(&s).unwrap();
        if k == 0 {
            let a = [
                0.282_129_411_764_705_9,
                -0.152_882_352_941_176_5,
                -0.152_882_352_941_176_5,
                -0.547_729_411_764_705_9,
            ];
            all_close(s.a.entries(), &a);
            all_close(&s.b, &[0.092_470_588_235_294_12, -0.136_117_647_058_823_5]);
            close(s.c, 0.031_764_705_882_352_94);
        }
    }
    let a = [
        -1.758_486_134_252_597,
        0.181_624_621_904_406_9,
        0.181_624_621_904_406_9,
        -0.465_654_585_823_761,
    ];
    all_close(s.a.entries(), &a);
    all_close(&s.b, &[0.235_479_999_936_803_9, 0.109_924_085_632_192]);
    close(s.c, 0.029_088_055_268_105_66);
    let end = [
        0.387_780_299_610_594_6,
        0.459_493_333_471_950_7,
        -0.362_970_977_105_305_8,
        -0.033_610_641_955_716_55,
    ];
    all_close(state.entries(), &end);
    close(s.value(&end[..2]), 0.021_901_569_917_894_92);
    // The same matrix from the other side, and back.
    for side in [LinearSide::Left, LinearSide::Right] {
        let again = LinearStep::of_map(side, &map).unwrap().map().unwrap();
        all_close(again.entries(), map.entries());
    }
}

/// P-D13: backward, with right data; P-D14: a plane through a point; P-F3.
#[test]
fn right_data_and_planes() {
    let n = matrix(&[0.4, 0.1, 0.1, 0.3]);
    let l = matrix(&[1.1, 0.2, -0.1, 0.9]);
    let step = LinearStep::new(LinearSide::Right, n, l, matrix(&[-0.5, 0.1, 0.1, -0.2])).unwrap();
    let mut s = Quadratic {
        a: matrix(&[-1.0, 0.3, 0.3, -0.6]),
        b: vec![0.2, -0.1],
        c: 0.3,
    };
    for _ in 0..3 {
        s = step.riccati(&s).unwrap();
    }
    let expected = [
        -1.753_144_875_540_903,
        0.014_297_586_102_557_67,
        0.014_297_586_102_557_67,
        -0.608_047_355_583_595_3,
    ];
    all_close(s.a.entries(), &expected);
    all_close(&s.b, &[0.084_676_367_800_784_92, 0.007_174_163_455_381_979]);
    close(s.c, 0.310_788_610_380_659_8);

    let plane = LagrangianPlane::graph(&matrix(&[2.0, 0.5, 0.5, -1.0]));
    let through = plane.through(&[0.3, -0.7], &[1.1, 0.4]).unwrap();
    all_close(&through.b, &[0.85, -0.45]);

    let mass = LinearStep::new(
        LinearSide::Left,
        matrix(&[0.5]),
        matrix(&[-1.0]),
        matrix(&[0.2]),
    );
    let s = Quadratic {
        a: matrix(&[-2.0]),
        b: vec![0.0],
        c: 0.0,
    };
    assert_eq!(mass.unwrap().riccati(&s), Err(LinearError::NotTransversal));
    // Not isotropic: no plane.
    let crooked = Dense::of_rows(4, 2, &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert!(LagrangianPlane::new(&crooked, 1e-12).is_none());
}

/// Small pseudo-random numbers, always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31) - 0.5
    }
    fn matrix(&mut self, n: usize) -> Dense {
        let entries: Vec<f64> = (0..n * n).map(|_| self.roll()).collect();
        Dense::of_rows(n, n, &entries)
    }
}

/// Random linear systems: symplectic maps, symmetric A, three forms of the Riccati equation, planes through focal
/// times.
#[test]
fn linear_systems_at_random() {
    let mut dice = Dice(7);
    for trial in 0..40 {
        let n = 1 + trial % 4;
        let near = Dense::identity(n).scaled(1.5);
        let (m, k) = (dice.matrix(n).symmetrised(), dice.matrix(n).symmetrised());
        let l = &near + &dice.matrix(n);
        for side in [LinearSide::Left, LinearSide::Right] {
            let step = LinearStep::new(side, m.clone(), l.clone(), k.clone()).unwrap();
            let map = step.map().unwrap();
            let j = Dense::new(2 * n, 2 * n, |a, b| match (a < n, b < n) {
                (true, false) if b - n == a => 1.0,
                (false, true) if a - n == b => -1.0,
                _ => 0.0,
            });
            let defect = &(&(&map.transposed() * &j) * &map) - &j;
            assert!(defect.largest() < 1e-9, "{trial}: {}", defect.largest());
        }
        let step = LinearStep::new(LinearSide::Left, m, l, k).unwrap();
        let map = step.map().unwrap();
        let s = Quadratic {
            a: dice.matrix(n).symmetrised(),
            b: (0..n).map(|_| dice.roll()).collect(),
            c: dice.roll(),
        };
        let next = step.riccati(&s).unwrap();
        let plane = LagrangianPlane::graph(&s.a).pushed(&map);
        assert!(plane.isotropy() < 1e-10);
        let from_plane = plane.hessian().unwrap();
        let size = 1.0 + next.a.largest();
        assert!(
            (&from_plane - &next.a).largest() < 1e-7 * size * size,
            "{trial}"
        );
        // Möbius: (Φ_pq + Φ_pp A)(Φ_qq + Φ_qp A)⁻¹.
        let below = &map.part((0, 0), n, n) + &(&map.part((0, n), n, n) * &s.a);
        let above = &map.part((n, 0), n, n) + &(&map.part((n, n), n, n) * &s.a);
        let quotient = below.transposed().solve(&above.transposed()).unwrap();
        assert!((&quotient.transposed() - &next.a).largest() < 1e-7 * size * size);
        // DS is carried along: p' = A' q' + b'.
        let q: Vec<f64> = (0..n).map(|_| dice.roll()).collect();
        let p = s.slope(&q);
        let state = Dense::new(2 * n, 1, |i, _| if i < n { q[i] } else { p[i - n] });
        let end = &map * &state;
        let slope = next.slope(&end.entries()[..n]);
        for (a, b) in slope.iter().zip(&end.entries()[n..]) {
            assert!((a - b).abs() < 1e-7 * size * size, "{trial}");
        }
    }
}

/// P-D9a, b: off the graph the forms fail in second order.
#[test]
fn forms_are_no_identities() {
    let map = verlet(0.1);
    let mut at = node(0.4, 1.1);
    for k in 0..6 {
        at = map.advance(k, &at).unwrap().0;
    }
    close(at.q[0], 0.959_442_032_100_923_2);
    close(at.p[0], 0.719_465_326_288_574_7);
    let seventh = map.advance(6, &at).unwrap().0;
    close(seventh.q[0], 1.027_294_207_554_495);
    let data = Data::Point {
        q: &[0.4],
        guess: &[1.1],
    };
    let family = Jacobi {
        map: &map,
        data: &data,
    };
    let off = [seventh.q[0] + 0.05];
    let found = map.residuals_off_graph(&family, 6, &at.q, &off).unwrap();
    close(found.right.unwrap(), -0.001_399_253_758_840_034);
    close(found.left.unwrap(), 0.001_668_988_057_513_688);
    close(found.lagrangian.unwrap(), -0.010_866_121_060_241_32);
    let on = map
        .residuals_off_graph(&family, 6, &at.q, &seventh.q)
        .unwrap();
    assert!(on.right.unwrap().abs().max(on.lagrangian.unwrap().abs()) < 1e-12);
    // f⁺ = f⁻, and g undoes it.
    let maps = map.maps(&family, 6, &at.q, None).unwrap();
    close(maps.right.unwrap()[0], seventh.q[0]);
    close(maps.left[0], seventh.q[0]);
    let back = map.maps(&family, 7, &seventh.q, Some(&at)).unwrap();
    close(back.back.unwrap()[0], at.q[0]);
}

/// P-D10: the exact discrete Lagrangian of a pendulum by boundary-value solves, and its Hamiltonians.
#[test]
fn exact_lagrangian_of_a_pendulum() {
    let map = exact(&pendulum(), 0.5);
    let p0 = map.between(0, &[0.4], &[0.7], &[0.6]).unwrap();
    close(p0[0], 0.721_903_250_230_533);
    let (end, l) = map
        .advance(
            0,
            &Node {
                q: vec![0.4],
                p: p0,
            },
        )
        .unwrap();
    close(l, 0.013_212_696_012_355_3);
    close(end.p[0], 0.456_844_272_434_945);
    let right = map.right_hamiltonian(0, &[0.4], &end.p, &[0.5]);
    close(right.unwrap(), 0.306_578_294_692_106);
    let left = map.left_hamiltonian(0, &[0.721_903_250_230_533], &[0.7], &[0.5]);
    close(left.unwrap(), -0.301_973_996_104_569);
    // P-D10c: the parts add up.
    let half = exact(&pendulum(), 0.25);
    let middle = [0.566_670_696_904_626];
    let first = half.lagrangian(0, &[0.4], &middle, &[0.6]).unwrap();
    let second = half.lagrangian(0, &middle, &[0.7], &[0.6]).unwrap();
    close(first, 0.026_523_129_317_298_3);
    close(second, -0.013_310_433_304_943);
    close(first + second, l);
    // P-D10b.
    let [a, b] = ["a", "b"].map(Symbol::variable);
    let value = |rule: Rule| {
        let discrete = DiscreteSystem::new(&pendulum(), Discretization::by(rule)).unwrap();
        let h = discrete.step_symbol().clone();
        let found = discrete.in_coordinates(from_ref(&a), from_ref(&b)).unwrap();
        let at = [(a.clone(), 0.4), (b.clone(), 0.7), (h, 0.5)];
        found.value.evaluate(&at).unwrap()
    };
    close(value(Rule::Trapezoid) - l, -0.001_736_900_690_512);
    close(value(Rule::Midpoint) - l, 0.003_049_565_017_398);
}

/// DP-A22: S(q, t) of the flow solves S_t + H(q, S_q) = 0.
#[test]
fn continuous_action_solves_its_equation() {
    let energy = |q: f64, p: f64| p * p / 2.0 + 1.0 - q.cos();
    let data = Data::Point {
        q: &[0.4],
        guess: &[0.8],
    };
    let at = |t: f64| exact(&pendulum(), t).action(1, &data, &[0.9]).unwrap();
    let (t, d) = (0.6, 1e-3);
    // A five-point difference quotient in time.
    let s = |k: f64| at(t + k * d).value;
    let slope = (8.0 * (s(1.0) - s(-1.0)) - (s(2.0) - s(-2.0))) / (12.0 * d);
    let p = at(t).slope[0];
    assert!((slope + energy(0.9, p)).abs() < 1e-9, "{slope}");
    // And one step or three are the same function of the whole time.
    let three = exact(&pendulum(), t / 3.0)
        .action(3, &data, &[0.9])
        .unwrap();
    close(three.value, at(t).value);
    close(three.curvature[0], at(t).curvature[0]);
}

/// P-D8: the limit is H, with the slopes ∓ p V'/2.
#[test]
fn hamiltonians_have_a_limit() {
    let start = node(0.8, 0.5);
    let h = 0.125 + 1.0 - 0.8_f64.cos();
    let limit = Limit::measured(&start, h, 0.1, 5, |h| Ok(verlet(h))).unwrap();
    close(limit.quotients[0].right, 0.410_639_582_297_961_1);
    close(limit.quotients[0].left, 0.444_666_609_302_433_9);
    close_to(limit.slopes[0], -0.179_339_022_724_880_7, 1e-6);
    close_to(limit.slopes[1], 0.179_339_022_724_880_7, 1e-6);
    assert!(limit.is_consistent(), "{limit:?}");
    let one = Limit::measured(&start, h, 0.01, 1, |h| Ok(verlet(h))).unwrap();
    close(one.quotients[0].right, 0.426_502_055_406_940_6);
    close(one.quotients[0].left, 0.430_071_668_235_098_8);
    // A discrete Lagrangian of another system is told.
    let other = Limit::measured(&start, h + 0.1, 0.1, 5, |h| Ok(verlet(h))).unwrap();
    assert!(!other.is_consistent());
}

struct Focusing {
    h: f64,
    slope: f64,
}

impl Family for Focusing {
    fn jet(&self, k: usize, q: &[f64]) -> Result<Jet, ActionError> {
        Ok(match k {
            0 => Jet {
                value: -q[0] * q[0] / (2.0 * self.h),
                slope: vec![-q[0] / self.h],
                curvature: matrix(&[-1.0 / self.h]),
            },
            _ => Jet {
                value: self.slope * q[0],
                slope: vec![self.slope],
                curvature: matrix(&[0.0]),
            },
        })
    }
}

/// P-F4: a family with zero residual that generates no motion; the left roll-out refuses it.
#[test]
fn the_theorem_needs_its_hypothesis() {
    let [a, b] = ["a", "b"].map(Symbol::variable);
    let l = (Expr::from(&b) - &a).powi(2);
    let l = DiscreteLagrangian::new(&[a], &[b], l);
    let step = l.momentum_step(&Symbol::constant("h"), &[Symbol::variable("p")]);
    let map = MomentumMap::new(&step, &[], 0.0, 0.5).unwrap();
    let family = Focusing { h: 0.5, slope: 5.0 };
    for (q, miss) in [(0.3, 5.6), (-1.2, 2.6)] {
        let residuals = map.residuals(&family, 0, &[q], None).unwrap();
        close(residuals.left.or(residuals.lagrangian).unwrap(), 0.0);
        close(residuals.lagrangian.unwrap(), 0.0);
        let from = node(q, -q / 0.5);
        let (next, _) = map.advance(0, &from).unwrap();
        close((5.0 - next.p[0]).abs(), miss);
        let rolled = map.roll_out(&family, (0, 1), &[q], RollOut::Left);
        assert_eq!(rolled, Err(ActionError::SingularMap { step: 1 }));
    }
    // P-F9: a caustic on the first step.
    let family = |_: usize, q: &[f64]| Jet {
        value: -4.975 * q[0] * q[0],
        slope: vec![-9.95 * q[0]],
        curvature: matrix(&[-9.95]),
    };
    let rolled = verlet(0.1).roll_out(&family, (0, 1), &[0.0], RollOut::Left);
    assert_eq!(rolled, Err(ActionError::SingularMap { step: 1 }));
}

/// The theorem holds for Jacobi's solution on both sides, and a wrong family is found out.
#[test]
fn the_theorem_can_fail() {
    let map = verlet(0.1);
    let initial = |x: &[f64]| {
        let q = x[0];
        let (s, c) = q.sin_cos();
        (
            0.3 * s + 0.2 * q * q,
            vec![0.3 * c + 0.4 * q],
            vec![0.4 - 0.3 * s],
        )
    };
    let data = Data::Cauchy {
        initial: &initial,
        guess: &[0.8],
    };
    let family = Jacobi {
        map: &map,
        data: &data,
    };
    for side in [RollOut::Left, RollOut::Right] {
        let rolled = map.roll_out(&family, (0, 5), &[0.83], side).unwrap();
        assert!(rolled.defect < 1e-10, "{side:?} {}", rolled.defect);
        assert!(rolled.residual < 1e-11, "{side:?} {}", rolled.residual);
        let wrong = |k: usize, q: &[f64]| {
            let mut jet = family.jet(k, q).unwrap();
            jet.value += 0.01 * k as f64 * q[0];
            jet.slope[0] += 0.01 * k as f64;
            jet
        };
        let rolled = map.roll_out(&wrong, (0, 5), &[0.83], side).unwrap();
        assert!(rolled.defect > 1e-3 && rolled.residual > 1e-4, "{rolled:?}");
    }
    let action = map.action(5, &data, &[1.0]).unwrap();
    let still = map.trivialised(&action.path).unwrap();
    assert!(
        still.spread < 1e-9 && still.residual.unwrap() < 1e-10,
        "{still:?}"
    );
    // −D₁S by differences in q̂: the momentum is that of the start.
    let start = action.path[0].q[0];
    let s = |q: f64| {
        let data = Data::Point {
            q: &[q],
            guess: &action.path[0].p,
        };
        map.action(5, &data, &[1.0]).unwrap().value
    };
    let d = 1e-4;
    let slope = (s(start + d) - s(start - d)) / (2.0 * d);
    assert!((-slope - action.path[0].p[0]).abs() < 1e-6);
}

/// DP-A15: the curvature by the blocks of L_d is the one of the plane, and planes pass where it has none.
#[test]
fn jets_are_transported_through_caustics() {
    let map = verlet(0.1);
    let curvature = matrix(&[-9.95]);
    let start = Station {
        node: node(0.0, 0.0),
        value: 0.0,
        plane: LagrangianPlane::graph(&curvature),
    };
    let transport = map.transport(start, 3).unwrap();
    // On the caustic there is no curvature, behind it there is again; the caustic is told once, with the step that
    // arrives there (P-F9).
    assert!(transport.stations[1].plane.hessian().is_none());
    assert!(transport.stations[2].plane.hessian().is_some());
    assert_eq!(transport.caustics, [1]);

    let at = node(0.4, 1.1);
    let blocks = map.blocks(0, &at).unwrap().unwrap();
    let a = matrix(&[0.7]);
    let inner = &a + &blocks.start;
    let solved = inner.solve(&blocks.mixed).unwrap();
    let expected = &blocks.end - &(&blocks.mixed.transposed() * &solved);
    let start = Station {
        node: at,
        value: 0.0,
        plane: LagrangianPlane::graph(&a),
    };
    let found = map.transport(start, 1).unwrap().stations[1].plane.hessian();
    close(found.unwrap()[(0, 0)], expected[(0, 0)]);
    let local = LinearStep::of_blocks(&blocks).unwrap();
    let s = Quadratic {
        a,
        b: vec![0.0],
        c: 0.0,
    };
    close(local.riccati(&s).unwrap().a[(0, 0)], expected[(0, 0)]);
}

/// Two different caustics inside one step are an error; a focus is not.
#[test]
fn caustics_of_two_dimensions() {
    let q = ["x", "y"].map(Symbol::variable);
    let v = q.each_ref().map(|q| Expr::from(q.derivative()));
    let [x, y] = q.each_ref().map(Expr::from);
    let kinetic = (v[0].powi(2) + v[1].powi(2)) / 2;
    let at = |stiffness: Expr| {
        let l = &kinetic - x.powi(2) / 2 - stiffness * y.powi(2) / 2;
        let system = System::on_coordinates("two", &q, l);
        let discrete = DiscreteSystem::new(&system, Discretization::by(Rule::Midpoint)).unwrap();
        let step = discrete.momentum_step(&["p", "r"].map(Symbol::variable));
        let map = MomentumMap::new(&step, &[], 0.0, 0.5).unwrap();
        let data = Data::Point {
            q: &[0.3, 0.1],
            guess: &[0.2, 0.3],
        };
        map.action(8, &data, &[0.2, -0.1])
    };
    // Half a period is π: the seventh step.
    assert_eq!(at(Expr::one()).unwrap().caustics, [7, 7]);
    let apart = at(Expr::ratio(21, 20));
    assert_eq!(apart, Err(ActionError::TwoCaustics { step: 7 }));
}

/// The node behind the last one may be conjugate: the forms that need S there are left out, with the reason.
#[test]
fn the_node_behind_may_be_conjugate() {
    let q = Symbol::variable("q");
    let l = Expr::from(q.derivative()).powi(2) / 2 - Expr::from(&q).powi(2) / 2;
    let oscillator = System::on_coordinates("oscillator", &[q], l);
    let map = exact(&oscillator, std::f64::consts::PI / 4.0);
    let data = Data::Point {
        q: &[0.3],
        guess: &[0.5],
    };
    let action = map.action(3, &data, &[0.2]).unwrap();
    let family = Jacobi {
        map: &map,
        data: &data,
    };
    let before = Some(&action.path[2]);
    let found = map.residuals(&family, 3, &[0.2], before).unwrap();
    assert_eq!(found.lagrangian, None);
    assert!(found.no_value_behind.is_some());
    close(found.backward.unwrap(), 0.0);
}

/// A step behind the first conjugate point is refused.
#[test]
fn long_steps_are_refused() {
    let q = Symbol::variable("q");
    let l = Expr::from(q.derivative()).powi(2) / 2 - Expr::from(&q).powi(2) / 2;
    let oscillator = System::on_coordinates("oscillator", &[q], l);
    let long = || Err(ActionError::LongStep { step: 1 });
    // Behind π there is one conjugate time, behind 2π a second one, which gives ∂q/∂p₀ its sign back.
    for (h, expected) in [(3.0, Ok(())), (3.3, long()), (6.5, long()), (9.0, long())] {
        let map = exact(&oscillator, h);
        let first = node(0.3, 0.2);
        let (next, _) = map.advance(0, &first).unwrap();
        assert_eq!(map.check_steps(&[first, next]), expected);
    }
}

/// In a magnetic field ∂q/∂p₀ turns: after half a turn its symmetric part is negative, but motions meet after a whole one
/// only, all of them at once.
#[test]
fn turning_motions_meet_after_a_whole_turn() {
    let q = ["x", "y"].map(Symbol::variable);
    let v = q.each_ref().map(|q| Expr::from(q.derivative()));
    let [x, y] = q.each_ref().map(Expr::from);
    let l = (v[0].powi(2) + v[1].powi(2)) / 2 + (&x * &v[1] - &y * &v[0]) / 2;
    let field = System::on_coordinates("field", &q, l);
    let first = Node {
        q: vec![0.3, 0.1],
        p: vec![0.7, -0.4],
    };
    let long = || Err(ActionError::LongStep { step: 1 });
    for (h, expected) in [(3.0, Ok(())), (4.0, Ok(())), (6.0, Ok(())), (6.5, long())] {
        let map = exact(&field, h);
        let (next, _) = map.advance(0, &first).unwrap();
        assert_eq!(map.check_steps(&[first.clone(), next]), expected, "{h}");
    }
    // The focus is told in the step in which it is, twice, for two directions.
    let map = exact(&field, 1.0);
    let start = Station {
        node: first,
        value: 0.0,
        plane: LagrangianPlane::vertical(2),
    };
    assert_eq!(map.transport(start, 8).unwrap().caustics, [7, 7]);
}

/// The standard map from its right Hamiltonian alone (P-D5), its way back, and conversions (DP-A9 to A11).
#[test]
fn hamiltonians_that_are_given() {
    let [q, p, q1, p0] = ["q", "p", "q1", "p0"].map(Symbol::variable);
    let k = Expr::ratio(9, 10);
    let (qe, pe) = (Expr::from(&q), Expr::from(&p));
    let value = &pe * &qe + pe.powi(2) / 2 + &k * qe.cos();
    let right = DiscreteHamiltonian::new(Side::Right, from_ref(&q), from_ref(&p), value);
    let h = Symbol::constant("h");
    let [x, y] = ["x", "y"].map(Symbol::variable);
    let forward = right.step(&h, from_ref(&x), from_ref(&y));
    let map = MomentumMap::new(&forward, &[], 0.0, 1.0).unwrap();
    let back = right.step_back(&h, from_ref(&x), from_ref(&y));
    let back = MomentumMap::new(&back, &[], 0.0, 1.0).unwrap();
    let mut at = node(1.0, 0.5);
    let mut sum = 0.0;
    for k in 0..20 {
        let (next, l) = map.advance(k, &at).unwrap();
        if k == 0 {
            close(next.q[0], 2.257_323_886_327_107);
            close(next.p[0], 1.257_323_886_327_107);
            let again = back.advance(0, &next).unwrap().0;
            close(again.q[0], 1.0);
            close(again.p[0], 0.5);
        }
        sum += l;
        at = next;
    }
    close_to(at.q[0], 5.085_487_604_764_8, 1e-9);
    close_to(at.p[0], -0.671_331_413_551_31, 1e-9);
    close(sum, 4.387_695_304_480_8);
    // L_d = (b − a)²/2 − K cos a, and no left Hamiltonian in closed form.
    let l = right.lagrangian(from_ref(&q1)).unwrap();
    let expected = (Expr::from(&q1) - &qe).powi(2) / 2 - &k * qe.cos();
    assert!(prove_zero(&(&l.value - expected)).is_proven());
    let left = right.other_side(from_ref(&q1), from_ref(&p0));
    assert!(matches!(left, Err(NoHamiltonian::NotLinear { .. })));
    // A quadratic one goes all the way round, and its left form has the same map.
    let value = &pe * &qe * 2 + pe.powi(2) / 3 + qe.powi(2) / 5;
    let right = DiscreteHamiltonian::new(Side::Right, from_ref(&q), from_ref(&p), value.clone());
    let left = right.other_side(from_ref(&q1), &[p0]).unwrap();
    let again = left.other_side(&[q], &[p]).unwrap();
    assert!(prove_zero(&(&again.value - &value)).is_proven());
    let ends = [&right, &left].map(|side| {
        let step = side.step(&h, from_ref(&x), from_ref(&y));
        let map = MomentumMap::new(&step, &[], 0.0, 1.0).unwrap();
        map.advance(0, &node(0.3, -0.4)).unwrap()
    });
    close(ends[0].0.q[0], ends[1].0.q[0]);
    close(ends[0].0.p[0], ends[1].0.p[0]);
    close(ends[0].1, ends[1].1);
    // Without p² there is no Lagrangian.
    let flat = DiscreteHamiltonian::new(
        Side::Right,
        &[Symbol::variable("q")],
        &[Symbol::variable("p")],
        pe * qe,
    );
    let none = flat.lagrangian(&[q1]);
    assert!(matches!(none, Err(NoHamiltonian::Singular { .. })));
}

/// DP-A3: gradient of the sum, and the motion between two points as a boundary-value problem.
#[test]
fn action_sums() {
    let discrete = DiscreteSystem::new(&pendulum(), Discretization::by(Rule::Trapezoid)).unwrap();
    let [a, b] = ["a", "b"].map(Symbol::variable);
    let h = discrete.step_symbol().clone();
    let l = discrete.in_coordinates(&[a], &[b]).unwrap();
    let sum = ActionSum::new(&l, &[(h, 0.1)], 0.1).unwrap();
    let guess: Vec<Vec<f64>> = (0..=7)
        .map(|k| vec![0.4 + 0.6 * f64::from(k) / 7.0])
        .collect();
    let found = sum.between(&guess).unwrap();
    // P-D3d, e.
    close(found.value, 0.078_233_026_459_148_36);
    let (value, slopes) = sum.gradient(&found.sequence.nodes).unwrap();
    close(value, found.value);
    close(-slopes[0][0], 1.058_625_697_132_926);
    close(slopes[7][0], 0.600_860_558_774_52);
    assert!(slopes[1..7].iter().all(|s| s[0].abs() < 1e-12));
    assert_eq!((found.inertia.positive, found.inertia.negative), (6, 0));
    // Stationary under variations: the gradient is that of differences.
    let nodes = &found.sequence.nodes;
    let moved = |d: f64| {
        let mut nodes = nodes.clone();
        nodes[3][0] += d;
        nodes[0][0] += 0.3 * d;
        sum.gradient(&nodes).unwrap().0
    };
    let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    assert!((slope - 0.3 * slopes[0][0]).abs() < 1e-8, "{slope}");
}

/// Motions of a pendulum whose ends depend steeply on their start: a scan finds as many as one with 50,000 motions.
#[test]
fn a_scan_finds_the_motions_that_a_dense_one_finds() {
    for (steps, h, at) in [(12, 0.5, 0.9), (30, 0.4, -0.3), (25, 0.6, 2.0)] {
        let map = verlet(h);
        let data = Data::Point {
            q: &[0.4],
            guess: &[0.1],
        };
        let scan = map.scan(steps, &data, &[at], (0.1, 0.05)).unwrap();
        let (low, high) = scan.range;
        let end = |p: f64| {
            let mut node = node(0.4, p);
            for k in 0..steps {
                node = map.advance(k, &node).unwrap().0;
            }
            node.q[0] - at
        };
        let places = 50_000;
        let ends = (0..=places).map(|i| end(low + (high - low) * f64::from(i) / f64::from(places)));
        let ends: Vec<f64> = ends.collect();
        let dense = ends.windows(2).filter(|e| e[0] * e[1] < 0.0).count();
        assert!(scan.is_resolved && dense > 2, "{dense} {scan:?}");
        assert_eq!(scan.found.len(), dense, "{steps} steps of {h} to {at}");
    }
}
