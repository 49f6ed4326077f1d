//! Discrete mechanics with accelerations: exact Lagrangians, maps, orders, splines, traps (CG-E, P-EXACT, P-SPL).

use rattleback_compile::program::{Interpreter, Program};
use rattleback_mechanics::System;
use rattleback_mechanics::discrete::{
    DiscreteLagrangian, JetRule, PhaseFlow, Rule, point_equations,
};
use rattleback_motion::discrete::{
    ActionError, ActionSum, Data, FreeDirections, MomentumMap, Node, RegularElement, end_jet,
    gamma, regular_data, variational_order,
};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol, prove_all_zero};

#[track_caller]
fn close(found: f64, exact: f64, part: f64) {
    let scale = exact.abs().max(1.0);
    assert!(
        (found - exact).abs() <= part * scale,
        "{found} is not {exact}"
    );
}

fn q() -> Symbol {
    Symbol::variable("q")
}

/// A Lagrangian in q, v and a.
fn system(l: impl Fn(Expr, Expr, Expr) -> Expr) -> System {
    let [q0, v, a] = [0, 1, 2].map(|i| Expr::from(q().jet(i)));
    of_order(2, l(q0, v, a))
}

fn of_order(order: u32, l: Expr) -> System {
    let line = System::on_coordinates("jets", &[q()], Expr::zero());
    System::on_frame(
        "jets",
        line.frame().clone(),
        line.factors().to_vec(),
        l,
        order,
    )
}

fn sine() -> System {
    system(|q, _, a| (a + q.sin()).powi(2) / 2)
}

fn element(system: &System) -> RegularElement {
    let jets: Vec<Vec<Symbol>> = (0..=system.order()).map(|i| vec![q().jet(i)]).collect();
    RegularElement::new(system.lagrangian(), &jets, &[]).unwrap()
}

fn flow(system: &System, h: f64) -> MomentumMap {
    let momentum = |s: &Symbol| Symbol::variable(&format!("p{}", s.order()));
    let flow = PhaseFlow::new(system, momentum).unwrap();
    MomentumMap::exact(&flow, &[], 0.0, h).unwrap()
}

fn names(k: usize, levels: u32) -> Vec<Symbol> {
    (0..levels)
        .map(|i| Symbol::variable(&format!("x{i}_{k}")))
        .collect()
}

fn lagrangian(system: &System, rule: JetRule) -> (DiscreteLagrangian, Symbol) {
    let h = Symbol::constant("h");
    let levels = system.order();
    let (start, end) = (names(0, levels), names(1, levels));
    let l = DiscreteLagrangian::of_jets(system, rule, &h, &start, &end).unwrap();
    (l, h)
}

fn map(system: &System, rule: JetRule, h: f64) -> MomentumMap {
    let (l, symbol) = lagrangian(system, rule);
    let momenta: Vec<Symbol> = (0..system.order())
        .map(|i| Symbol::variable(&format!("p{i}")))
        .collect();
    MomentumMap::new(&l.momentum_step(&symbol, &momenta), &[], 0.0, h).unwrap()
}

const SIMPSON: JetRule = JetRule::Hermite(Rule::Lobatto(2));

/// P-EX-1 to 4, 14, 15, 19: exact discrete Lagrangians by the regularised element.
#[test]
fn exact_lagrangians() {
    let (start, end) = ([0.3, -0.2], [0.1, 0.4]);
    let value =
        |system: &System, h: f64| h * element(system).between(h, &start, &end).unwrap().value;
    let shifted = system(|q, _, a| (a + q).powi(2) / 2);
    close(value(&shifted, 0.5), 3.348_779_425_841_64, 1e-13);
    let spline = system(|_, _, a| a.powi(2) / 2);
    close(value(&spline, 0.5), 3.36, 1e-13);
    close(value(&sine(), 0.5), 3.350_063_456_265, 1e-11);
    let swings = system(|_, v, a| a.powi(2) / 2 - v.powi(2) / 2);
    close(value(&swings, 1.0), 0.675_678_886_266_848, 1e-12);
    let stiff = system(|_, v, a| a.powi(2) / 2 + 2 * v.powi(2));
    close(value(&stiff, 1.0), 0.891_361_400_293_638, 1e-12);
    let short = 0.1
        * element(&sine())
            .between(0.1, &[0.4, 0.3], &[0.432, 0.33])
            .unwrap()
            .value;
    close(short, 0.026_127_631_270_074, 1e-12);
    let straight = element(&spline).between(0.5, &start, &end).unwrap();
    for (u, found) in straight.places.iter().zip(&straight.highest) {
        close(found[0], -4.8 + 12.0 * u, 1e-12);
    }
    assert!(straight.is_minimum(2));
}

/// P-EX-1, 2, 3, 14, 15 as Jacobi's action of one step: motions with accelerations spread at several powers of the time,
/// which is no conjugate point. Beyond the first one the step is refused.
#[test]
fn actions_of_one_step() {
    let (start, end) = ([0.3, -0.2], [0.1, 0.4]);
    let data = Data::Point {
        q: &start,
        guess: &[0.0, 0.0],
    };
    let spline = system(|_, _, a| a.powi(2) / 2);
    let swings = system(|_, v, a| a.powi(2) / 2 - v.powi(2) / 2);
    let stiff = system(|_, v, a| a.powi(2) / 2 + 2 * v.powi(2));
    let shifted = system(|q, _, a| (a + q).powi(2) / 2);
    for (system, h, known) in [
        (&spline, 0.5, 3.36),
        (&shifted, 0.5, 3.348_779_425_841_64),
        (&sine(), 0.5, 3.350_063_456_265),
        (&swings, 1.0, 0.675_678_886_266_848),
        (&stiff, 1.0, 0.891_361_400_293_638),
    ] {
        let map = flow(system, h);
        let found = map.action(1, &data, &end).unwrap();
        close(found.value, known, 1e-10);
        map.check_steps(&found.path).unwrap();
    }
    // The action of a spline over h, from rest to rest at a distance d, is 6 d²/h³ for every h.
    for h in [0.01, 0.3, 7.0, 50.0] {
        let map = flow(&spline, h);
        let data = Data::Point {
            q: &[0.0, 0.0],
            guess: &[0.0, 0.0],
        };
        let found = map.action(1, &data, &[2.0, 0.0]).unwrap();
        close(found.value * h.powi(3) / 24.0, 1.0, 1e-9);
        map.check_steps(&found.path).unwrap();
    }
    for (h, is_short) in [(6.2, true), (6.4, false), (8.0, false)] {
        let map = flow(&swings, h);
        let found = map.action(1, &data, &end).unwrap();
        assert_eq!(map.check_steps(&found.path).is_ok(), is_short, "{h}");
    }
}

/// P-EX-14, 16: the first lengths at which a step is conjugate, by the flow to the last digits, and by the second
/// variation of the element as near as it tells zero from nonzero.
#[test]
fn conjugate_lengths() {
    let bisect = |mut low: f64, mut high: f64, is_short: &dyn Fn(f64) -> bool| {
        assert!(is_short(low) && !is_short(high));
        for _ in 0..45 {
            let middle = (low + high) / 2.0;
            match is_short(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        low
    };
    let start = Node {
        q: vec![0.3, -0.2],
        p: vec![0.1, 0.4],
    };
    let swings = system(|_, v, a| a.powi(2) / 2 - v.powi(2) / 2);
    let bends = system(|q, _, a| a.powi(2) / 2 - q.powi(2) / 2);
    let turn = 2.0 * std::f64::consts::PI;
    let cases = [
        (&swings, 5.0, 7.0, turn),
        (&bends, 4.0, 5.5, 4.730_040_744_862_704),
    ];
    for (system, low, high, exact) in cases {
        let by_flow = bisect(low, high, &|h| {
            let m = Dense::of_rows(4, 4, &flow(system, h).slopes(0, &start).unwrap());
            m[(0, 2)] * m[(1, 3)] - m[(0, 3)] * m[(1, 2)] > 0.0
        });
        close(by_flow, exact, 1e-9);
        let element = element(system);
        let by_element = bisect(low, high, &|h| {
            let found = element.extremal(h, &[0.3, -0.2], &[0.1, 0.4]);
            found.is_ok_and(|e| e.is_minimum(2))
        });
        close(by_element, exact, 1e-3);
    }
}

/// P-EX-17: the principle at h = 0.5, 0.1, 0.01 and 0; P-EX-18: the basis.
#[test]
fn the_regularised_principle_reaches_zero() {
    let element = element(&sine());
    let steps = [0.5, 0.1, 0.01, 0.0];
    let expected = [
        1.320_542_261_642_603,
        1.342_314_525_513_722,
        1.356_500_843_094_201,
        1.358_290_344_266_187,
    ];
    for (h, exact) in steps.into_iter().zip(expected) {
        let found = element.extremal(h, &[0.3, -0.2], &[0.4, 1.2]).unwrap();
        close(found.value, exact, 1e-12);
        assert!(found.iterations < 9, "{}", found.iterations);
    }
    let inverse = gamma(3).solve(&Dense::identity(3)).unwrap();
    let root = 5f64.sqrt();
    for (j, exact) in [12.0 * root, -6.0 * root, root].into_iter().enumerate() {
        close(inverse[(0, j)], exact, 1e-13);
    }
    let fourth = gamma(4).solve(&Dense::identity(4)).unwrap();
    let root = 7f64.sqrt();
    let row = [120.0 * root, -60.0 * root, 12.0 * root, -root];
    for (j, exact) in row.into_iter().enumerate() {
        close(fourth[(0, j)], exact, 1e-12);
    }
    let (start, z) = ([0.3, -0.2, 0.7], [0.4, 1.2, -0.5]);
    let back = regular_data(3, 0.3, &start, &end_jet(3, 0.3, &start, &z));
    back.iter().zip(z).for_each(|(a, b)| close(*a, b, 1e-11));
}

/// P-EX-3: momenta of the exact Lagrangian are those of the flow (CG-E7), P-EX-9 the flow itself.
#[test]
fn momenta_match() {
    let map = flow(&sine(), 0.5);
    let p = map
        .between(0, &[0.3, -0.2], &[0.1, 0.4], &[-23.0, -4.0])
        .unwrap();
    close(p[0], -23.278_410_082, 1e-9);
    close(p[1], -4.508_450_110_922, 1e-10);
    let (_, l) = map
        .advance(
            0,
            &Node {
                q: vec![0.3, -0.2],
                p,
            },
        )
        .unwrap();
    close(l, 3.350_063_456_265, 1e-11);
    let start = Node {
        q: vec![0.4, 0.3],
        p: vec![0.2, -0.5],
    };
    let (end, _) = flow(&sine(), 0.1).advance(0, &start).unwrap();
    let expected = [
        0.425_479_021_637_9,
        0.208_896_762_388,
        0.153_371_769_035_9,
        -0.517_677_739_610_9,
    ];
    let found = [end.q, end.p].concat();
    found
        .iter()
        .zip(expected)
        .for_each(|(f, e)| close(*f, e, 1e-12));
}

/// P-EX-5 to 8, 10: discrete Lagrangians, their steps and maps.
#[test]
fn rules_with_both_accelerations() {
    let (x0, x1) = ([0.4, 0.3], [0.432, 0.33]);
    let rules = [JetRule::Trapezoid, JetRule::Midpoint, SIMPSON];
    let values = [
        0.025_148_900_887_795,
        0.025_288_181_634_712,
        0.026_128_090_778_873,
    ];
    let steps = [
        [0.466, 0.339_651_128_269_7],
        [0.465_850_536_504_8, 0.336_736_794_884_4],
        [0.463_989_903_981_4, 0.299_741_950_596_2],
    ];
    let maps = [
        [
            0.425_552_908_288_5,
            0.209_002_993_530_8,
            0.153_397_263_095_3,
            -0.517_697_347_515,
        ],
        [
            0.425_494_363_409,
            0.209_003_794_172_9,
            0.153_389_602_539_7,
            -0.517_669_480_127,
        ],
        [
            0.425_479_021_292_7,
            0.208_896_816_873_4,
            0.153_371_788_345_6,
            -0.517_677_739_733_1,
        ],
    ];
    for (i, rule) in rules.into_iter().enumerate() {
        let map = map(&sine(), rule, 0.1);
        let p = map.between(0, &x0, &x1, &[0.0, -0.7]).unwrap();
        let (second, l) = map.advance(0, &Node { q: x0.to_vec(), p }).unwrap();
        close(l, values[i], 1e-12);
        let (third, _) = map.advance(1, &second).unwrap();
        close(third.q[0], steps[i][0], 1e-10);
        close(third.q[1], steps[i][1], 1e-10);
        let start = Node {
            q: vec![0.4, 0.3],
            p: vec![0.2, -0.5],
        };
        let (end, _) = map.advance(0, &start).unwrap();
        let found = [end.q, end.p].concat();
        found
            .iter()
            .zip(maps[i])
            .for_each(|(f, e)| close(*f, e, 1e-11));
    }
}

/// Orders of L_d along motions, and of the maps (CG-E9, G9), on a nonlinear problem with velocities.
#[test]
fn orders_are_measured() {
    let curved = system(|q, v, a| (a + q.sin() * (1 + v.powi(2) / 3)).powi(2) / 2);
    let start = Node {
        q: vec![0.4, 0.3],
        p: vec![0.2, -0.5],
    };
    let gauss = JetRule::Hermite(Rule::Gauss(2));
    for (rule, order) in [
        (JetRule::Trapezoid, 2.0),
        (JetRule::Midpoint, 2.0),
        (SIMPSON, 4.0),
        (gauss, 4.0),
    ] {
        let (l, h) = lagrangian(&curved, rule);
        let exact = flow(&curved, 0.1);
        let symbols = [&l.start[..], &l.end, &[h]].concat();
        let found = variational_order(&exact, &start, |_, h, a, b| {
            let values = [a, b, &[h]].concat();
            let pairs: Vec<(Symbol, f64)> = symbols.iter().cloned().zip(values).collect();
            l.value.evaluate(&pairs).ok()
        });
        let found = found.unwrap();
        assert!((found - order).abs() < 0.35, "{rule:?}: {found}");
        // The map: local error of order r + 1.
        let error = |h: f64| {
            let (a, _) = map(&curved, rule, h).advance(0, &start).unwrap();
            let (b, _) = flow(&curved, h).advance(0, &start).unwrap();
            (a.q[0] - b.q[0]).abs() + (a.q[1] - b.q[1]).abs()
        };
        let local = (error(0.2) / error(0.1)).log2();
        assert!(local > order + 0.6, "{rule:?}: {local}");
    }
}

/// Terms that cancel leave rounding far above that of the value: no order is read off it, that of longer steps is.
#[test]
fn rounding_is_no_order() {
    let curved = system(|q, v, a| (a + q.sin() * (1 + v.powi(2) / 3)).powi(2) / 2);
    let start = Node {
        q: vec![0.4, 0.3],
        p: vec![0.2, -0.5],
    };
    let (l, h) = lagrangian(&curved, SIMPSON);
    let symbols = [&l.start[..], &l.end, &[h]].concat();
    let order = |large: f64| {
        variational_order(&flow(&curved, 0.01), &start, |_, h, a, b| {
            let values = [a, b, &[h]].concat();
            let pairs: Vec<(Symbol, f64)> = symbols.iter().cloned().zip(values).collect();
            Some(l.value.evaluate(&pairs).ok()? + large - large)
        })
    };
    for large in [0.0, 1e5, 1e6, 1e7] {
        let found = order(large).unwrap_or(f64::NAN);
        assert!((found - 4.0).abs() < 0.5, "{large}: {found}");
    }
}

/// P-EX-12 and CG-E8: the Hessian of the exact Lagrangian; P-EX-13: of a Lagrangian of order 3.
#[test]
fn hessians() {
    let oscillator = system(|q, _, a| (a + q).powi(2) / 2);
    let start = Node {
        q: vec![0.3, -0.2],
        p: vec![0.1, 0.4],
    };
    let h = 0.1_f64;
    let mixed = flow(&oscillator, h)
        .blocks(0, &start)
        .unwrap()
        .unwrap()
        .mixed;
    close(h.powi(3) * mixed[(0, 0)], -11.975_986_57, 1e-8);
    close(h.powi(2) * mixed[(0, 1)], 5.997_996_618, 1e-8);
    close(h * mixed[(1, 1)], 2.000_666_365, 1e-8);
    let det = mixed[(0, 0)] * mixed[(1, 1)] - mixed[(0, 1)] * mixed[(1, 0)];
    close(h.powi(4) * det, 12.016_009_91, 1e-8);
    // The limits −12 W, 6 W, −6 W, 2 W.
    let mixed = flow(&sine(), 1e-2)
        .blocks(0, &start)
        .unwrap()
        .unwrap()
        .mixed;
    let h = 1e-2_f64;
    close(h.powi(3) * mixed[(0, 0)], -12.0, 1e-4);
    close(h.powi(2) * mixed[(0, 1)], 6.0, 1e-4);
    close(h.powi(2) * mixed[(1, 0)], -6.0, 1e-4);
    close(h * mixed[(1, 1)], 2.0, 1e-4);

    let jerk = of_order(3, Expr::from(q().jet(3)).powi(2) / 2);
    let (l, symbol) = lagrangian(&jerk, JetRule::Hermite(Rule::Gauss(3)));
    let h = Expr::from(&symbol);
    let rows = [
        [(-720, 5), (360, 4), (-60, 3)],
        [(-360, 4), (168, 3), (-24, 2)],
        [(-60, 3), (24, 2), (-3, 1)],
    ];
    let block = l.mixed_block();
    let gaps: Vec<Expr> = (0..9)
        .map(|k| {
            let (factor, power) = rows[k / 3][k % 3];
            &block[(k / 3, k % 3)] - Expr::from(factor) / h.powi(power)
        })
        .collect();
    assert!(prove_all_zero(&gaps).is_proven());
}

/// P-SPL: a spline with ends, discretised; order 2 with half a step less each time.
#[test]
fn splines() {
    let spline = system(|_, _, a| a.powi(2) / 2);
    let (l, h) = lagrangian(&spline, JetRule::Trapezoid);
    // y from 0 with slope 10 to 0 with slope 20; x = 10 t is exact.
    let solved = |n: usize| {
        let sum = ActionSum::new(&l, &[(h.clone(), 1.0 / n as f64)], 1.0 / n as f64).unwrap();
        let guess: Vec<Vec<f64>> = (0..=n)
            .map(|k| {
                let t = k as f64 / n as f64;
                match k {
                    0 => vec![0.0, 10.0],
                    _ if k == n => vec![0.0, 20.0],
                    _ => vec![0.0, 10.0 + 10.0 * t],
                }
            })
            .collect();
        sum.between(&guess).unwrap()
    };
    let found = solved(21);
    close(found.value, 1_393.905_191_873_59, 1e-10);
    close(found.sequence.nodes[5][0], 0.511_867_651_5, 1e-9);
    close(found.sequence.nodes[5][1], -3.871_869_289_477, 1e-9);
    let phi = |k: usize| {
        let (a, b) = (&found.sequence.nodes[k], &found.sequence.nodes[k + 1]);
        (b[0] - a[0]) * 21.0 - (a[1] + b[1]) / 2.0
    };
    close(phi(0), -0.101_580_135_440_2, 1e-9);
    close(phi(13), phi(0), 1e-9);
    let ten = solved(10);
    close(ten.value, 1_373.529_411_764_706, 1e-11);
    close(ten.sequence.nodes[5][0], -1.25, 1e-10);
    close(ten.sequence.nodes[5][1], -7.058_823_529_412, 1e-10);
    let cubic = |t: f64| 10.0 * t - 40.0 * t * t + 30.0 * t.powi(3);
    let rms = |n: usize| {
        let nodes = solved(n).sequence.nodes;
        let squares = nodes.iter().enumerate();
        let squares = squares.map(|(k, x)| (x[0] - cubic(k as f64 / n as f64)).powi(2));
        (squares.sum::<f64>() / (n + 1) as f64).sqrt()
    };
    for (n, exact) in [
        (10, 0.019_331_384_4),
        (20, 0.005_025_305_5),
        (40, 0.001_276_395_8),
    ] {
        close(rms(n) / exact, 1.0, 1e-7);
    }
    // P-SPL-5, 6: one step of both methods.
    for (rule, step) in [(JetRule::Trapezoid, [0.24, 1.0]), (SIMPSON, [0.2, 0.2])] {
        let map = map(&spline, rule, 0.1);
        let p = map
            .between(0, &[0.0, 1.0], &[0.12, 1.2], &[0.0, 0.0])
            .unwrap();
        let first = Node {
            q: vec![0.0, 1.0],
            p,
        };
        let (second, _) = map.advance(0, &first).unwrap();
        let (third, _) = map.advance(1, &second).unwrap();
        close(third.q[0], step[0], 1e-11);
        close(third.q[1], step[1], 1e-11);
    }
}

/// P-EX-11: a torque pendulum brought to rest.
#[test]
fn least_torque() {
    let rules = [
        (JetRule::Trapezoid, 0.523_283_861_611),
        (JetRule::Midpoint, 0.525_415_912_311),
        (SIMPSON, 0.525_524_561_95),
    ];
    for (rule, cost) in rules {
        let (l, h) = lagrangian(&sine(), rule);
        let sum = ActionSum::new(&l, &[(h, 0.1)], 0.1).unwrap();
        let guess: Vec<Vec<f64>> = (0..=20)
            .map(|k| {
                let t = f64::from(k) / 20.0;
                vec![1.0 - 3.0 * t * t + 2.0 * t.powi(3), -3.0 * t + 3.0 * t * t]
            })
            .collect();
        let found = sum.between(&guess).unwrap();
        close(found.value, cost, 1e-10);
        assert_eq!(found.inertia.negative, 0);
    }
}

/// Maps on T*TQ are symplectic, and keep the momentum of a translation.
#[test]
fn second_order_maps_are_symplectic() {
    let curved = system(|_, v, a| (a + v.sin()).powi(2) / 2 + v.powi(4) / 5);
    let start = Node {
        q: vec![0.4, 0.3],
        p: vec![0.2, -0.5],
    };
    for rule in [JetRule::Trapezoid, JetRule::Midpoint, SIMPSON] {
        let map = map(&curved, rule, 0.1);
        let m = Dense::of_rows(4, 4, &map.slopes(0, &start).unwrap());
        let j = Dense::new(4, 4, |a, b| {
            f64::from(i8::from(b == a + 2) - i8::from(a == b + 2))
        });
        let defect = &(&(&m.transposed() * &j) * &m) - &j;
        assert!(defect.largest() < 1e-10, "{rule:?}: {}", defect.largest());
        let mut at = start.clone();
        for k in 0..8 {
            at = map.advance(k, &at).unwrap().0;
        }
        close(at.p[0], 0.2, 1e-12);
    }
}

/// Trap T1: discretisations that never couple velocities to positions leave directions free.
#[test]
fn uncoupled_velocities_are_found_out() {
    let free = |rows: fn(f64) -> Vec<f64>| {
        FreeDirections::of(2, &[0, 1], |h| {
            let entries = rows(h);
            Dense::of_rows(entries.len() / 2, 2, &entries)
        })
    };
    // Residuals a₀ and a₁ of the new node (q, v): both accelerations.
    let both = free(|h| vec![2.0 / (h * h), 0.0, -2.0 / (h * h), 2.0 / h]);
    assert!(both.is_regular(), "{both:?}");
    // Only (v₁ − v₀)/h.
    let difference = free(|h| vec![0.0, 1.0 / h]);
    assert_eq!(difference.count(), 1);
    // trap_dv: the same difference at both ends, told apart by positions in order h² only.
    let ends = free(|h| vec![0.0, 1.0 / h, 1.0, 1.0 / h]);
    assert!(!ends.is_regular(), "{ends:?}");
    assert!(JetRule::is_trap("mid_dv") && JetRule::is_trap("trap_dv"));
    // A Lagrangian of the kind T1: the sum does not determine its nodes.
    let [a, b] = [names(0, 2), names(1, 2)];
    let l = (Expr::from(&b[1]) - &a[1]).powi(2);
    let l = DiscreteLagrangian::new(&a, &b, l);
    let sum = ActionSum::new(&l, &[], 0.1).unwrap();
    let guess: Vec<Vec<f64>> = (0..=4).map(|k| vec![0.1 * f64::from(k), 0.0]).collect();
    let found = sum.between(&guess);
    assert!(
        matches!(found, Err(ActionError::FreeDirection { .. })),
        "{found:?}"
    );
}

/// CG-E10, T2: constraints on each step. A cart-pole at both accelerations is determined, in the mean it is not.
#[test]
fn constraints_on_steps() {
    // Residuals U(a₀), U(a₁) of one control and Φ of two accelerations (x, θ): columns x, θ, x', θ'.
    let rows = |h: f64, both: bool| {
        let (left, right) = (2.0 / (h * h), -2.0 / (h * h));
        let speed = 2.0 / h;
        let u = |a: f64, v: f64| vec![1.3 * a, 0.15 * a, 1.3 * v, 0.15 * v];
        let phi = |a: f64, v: f64| vec![a, 0.5 * a, v, 0.5 * v];
        let mut all = [u(left, 0.0), u(right, speed)].concat();
        match both {
            true => all.extend([phi(left, 0.0), phi(right, speed)].concat()),
            false => {
                let mean = phi(left, 0.0).into_iter().zip(phi(right, speed));
                all.extend(mean.map(|(a, b)| (a + b) / 2.0));
            }
        }
        Dense::of_rows(all.len() / 4, 4, &all)
    };
    let orders = [0, 0, 1, 1];
    assert!(FreeDirections::of(2, &orders, |h| rows(h, true)).is_regular());
    assert_eq!(
        FreeDirections::of(2, &orders, |h| rows(h, false)).count(),
        1
    );

    // A particle in the plane held on a line y = x/2 by a constraint of each step.
    let q = ["x", "y"].map(Symbol::variable);
    let next = ["x1", "y1"].map(Symbol::variable);
    let [x, y, x1, y1] = [&q[0], &q[1], &next[0], &next[1]].map(Expr::from);
    let l = ((&x1 - &x).powi(2) + (&y1 - &y).powi(2)) * 5;
    let l = DiscreteLagrangian::new(&q, &next, l);
    let sum = ActionSum::constrained(&l, &[y1 - x1 / 2], &[], 0.1).unwrap();
    let guess: Vec<Vec<f64>> = (0..=4).map(|k| vec![0.1, 0.3 * f64::from(k)]).collect();
    let mut guess = guess;
    guess[0] = vec![0.0, 0.0];
    guess[4] = vec![1.0, 0.5];
    let found = sum.between(&guess);
    // The last constraint is on a node that is given: its multiplier is free, and the sum says so.
    assert!(
        matches!(found, Err(ActionError::FreeDirection { step: 4 })),
        "{found:?}"
    );
}

/// CG-E10: the flow with constraints on each step, on its own. It keeps them, it is symplectic, and time runs back; the
/// matrix of a step decides whether there is one.
#[test]
fn constrained_steps_flow() {
    // A bead whose middle between nodes is held on a circle: Φ couples both nodes.
    let q = ["x", "y"].map(Symbol::variable);
    let next = ["x1", "y1"].map(Symbol::variable);
    let [x, y, x1, y1] = [&q[0], &q[1], &next[0], &next[1]].map(Expr::from);
    let h = Symbol::constant("h");
    let kinetic = ((&x1 - &x).powi(2) + (&y1 - &y).powi(2)) / (2 * Expr::from(&h));
    let l = DiscreteLagrangian::new(&q, &next, kinetic - Expr::from(&h) * (&y + &y1) / 2);
    let phi = [(&x1 + &x).powi(2) / 4 + (&y1 + &y).powi(2) / 4 - 1];
    let (momenta, lambda) = (["p", "r"].map(Symbol::variable), [Symbol::variable("l")]);
    let step = l.constrained_step(&h, &momenta, &phi, &lambda);
    let program = Program::new(&step.inputs, &[], &step.stages, &step.next).unwrap();
    let slopes = Interpreter::new(program.jacobian(2..6));
    let map = Interpreter::new(program);
    let mut state = vec![1.0, 0.05, -0.05, 0.7];
    for _ in 0..20 {
        let inputs = [&[0.0, 0.1], &state[..]].concat();
        let found = map.values(&inputs).unwrap();
        let mid = [(state[0] + found[0]) / 2.0, (state[1] + found[1]) / 2.0];
        assert!((mid[0].powi(2) + mid[1].powi(2) - 1.0).abs() < 1e-12);
        // L_d + λΦ generates the map: dq₁ ∧ dp₁ = dq₀ ∧ dp₀ on all of T*Q.
        let j = slopes.values(&inputs).unwrap();
        let columns = slopes.program().outputs.len() / found.len();
        let column = |k: usize| -> Vec<f64> { (0..4).map(|i| j[i * columns + k]).collect() };
        let omega = |a: &[f64], b: &[f64]| {
            (0..2)
                .map(|i| a[i] * b[2 + i] - a[2 + i] * b[i])
                .sum::<f64>()
        };
        let unit = |k: usize| -> Vec<f64> { (0..4).map(|i| f64::from(u8::from(i == k))).collect() };
        for (a, b) in (0..4).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let (kept, before) = (omega(&column(a), &column(b)), omega(&unit(a), &unit(b)));
            assert!((kept - before).abs() < 1e-8, "{kept} is not {before}");
        }
        // Back: the reversed motion arrives where it began.
        let back = [&[0.0, 0.1], &found[..2], &[-found[2], -found[3]]].concat();
        let home = map.values(&back).unwrap();
        for i in 0..2 {
            assert!((home[i] - state[i]).abs() < 1e-10);
            assert!((home[2 + i] + state[2 + i]).abs() < 1e-9);
        }
        state = found[..4].to_vec();
    }
    let values = [(Symbol::constant("h"), Expr::ratio(1, 10))];
    let matrix = l.step_matrix(&phi, &lambda).map(|e| e.substitute(&values));
    assert_eq!(rattleback_symbolic::generic_rank(&matrix).unwrap(), 3);
    let twice = [phi[0].clone(), phi[0].clone()];
    let two = [Symbol::variable("l"), Symbol::variable("m")];
    let matrix = l.step_matrix(&twice, &two).map(|e| e.substitute(&values));
    assert!(rattleback_symbolic::generic_rank(&matrix).unwrap() < 4);
}

/// CG-G12 (3), (4): the sum over the steps of a solution is stationary under random variations, and swapping the ends with
/// negated velocities mirrors it.
#[test]
fn solutions_are_stationary_and_mirrored() {
    let mut dice = 1_u64;
    let mut random = || {
        dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (dice >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let system = system(|q, v, a| (a + q.sin() + v.powi(2) * &q / 5).powi(2) / 2);
    let (l, h) = lagrangian(&system, JetRule::Trapezoid);
    let sum = ActionSum::new(&l, &[(h, 0.2)], 0.2).unwrap();
    let n = 8;
    let ends = [[0.1, 0.3], [0.8, -0.2]];
    let guess = |a: [f64; 2], b: [f64; 2]| -> Vec<Vec<f64>> {
        (0..=n)
            .map(|k| {
                let s = f64::from(k) / f64::from(n);
                vec![a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]
            })
            .collect()
    };
    let found = sum.between(&guess(ends[0], ends[1])).unwrap();
    let value = |nodes: &[Vec<f64>]| sum.gradient(nodes).unwrap().0;
    let nodes = &found.sequence.nodes;
    for _ in 0..5 {
        let direction: Vec<Vec<f64>> = nodes
            .iter()
            .map(|x| x.iter().map(|_| random()).collect())
            .collect();
        let moved = |e: f64| -> Vec<Vec<f64>> {
            let mut moved = nodes.clone();
            for k in 1..nodes.len() - 1 {
                moved[k]
                    .iter_mut()
                    .zip(&direction[k])
                    .for_each(|(x, d)| *x += e * d);
            }
            moved
        };
        let slope = (value(&moved(1e-5)) - value(&moved(-1e-5))) / 2e-5;
        close(slope, 0.0, 1e-6);
    }
    let flipped = |x: [f64; 2]| [x[0], -x[1]];
    let back = sum
        .between(&guess(flipped(ends[1]), flipped(ends[0])))
        .unwrap();
    close(back.value, found.value, 1e-10);
    for (x, y) in nodes.iter().zip(back.sequence.nodes.iter().rev()) {
        close(x[0], y[0], 1e-8);
        close(x[1], -y[1], 1e-8);
    }
}

/// CG-D2 for k = 3: seven points.
#[test]
fn equations_of_any_order_in_points() {
    let points: Vec<Vec<Symbol>> = (0..7)
        .map(|k| vec![Symbol::variable(&format!("x{k}"))])
        .collect();
    let x: Vec<Expr> = points.iter().map(|p| Expr::from(&p[0])).collect();
    let third = 3 * &x[1] - 3 * &x[2] + &x[3] - &x[0];
    let equation = &point_equations(&(third.powi(2) / 2), &points)[0];
    let binomials = [-1, 6, -15, 20, -15, 6, -1];
    let sixth = Expr::sum(binomials.iter().zip(&x).map(|(b, x)| Expr::from(*b) * x));
    assert!(prove_all_zero(&[equation - sixth]).is_proven());
}
