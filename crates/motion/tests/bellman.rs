//! Discrete optimal control: Bellman's equation and regulators (DP-A17, A18, C6).

use rattleback_mechanics::discrete::{DiscreteHamiltonian, Side};
use rattleback_motion::discrete::{
    ActionError, Data, DiscretePlant, MomentumMap, regulator_of_steps,
};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol};

#[track_caller]
fn close(found: f64, exact: f64) {
    let scale = exact.abs().max(1.0);
    assert!(
        (found - exact).abs() <= 1e-10 * scale,
        "{found} is not {exact}"
    );
}

/// P-D6.
#[test]
fn regulator_of_a_double_integrator() {
    let [x, v, u] = ["x", "v", "u"].map(Symbol::variable);
    let [xe, ve, ue] = [&x, &v, &u].map(Expr::from);
    let plant = DiscretePlant {
        map: vec![&xe + &ve / 10 + &ue / 200, &ve + &ue / 10],
        cost: xe.powi(2) / 2 + ve.powi(2) / 20 + ue.powi(2) / 200,
        terminal: (xe.powi(2) + ve.powi(2)) / 2,
        goals: Vec::new(),
        state: vec![x, v],
        controls: vec![u],
    };
    let found = plant.optimum(&[1.0, -0.5], 20, &[]).unwrap();
    close(found.cost, 2.581_101_144_885_271);
    let p = &found.curvatures[0];
    close(p[(0, 0)], 6.022_312_331_407_183);
    close(p[(0, 1)], 1.012_389_133_707_919);
    close(p[(1, 1)], 0.609_116_368_285_114_3);
    close(found.gains[0][(0, 0)], 7.612_735_171_375_595);
    close(found.gains[0][(0, 1)], 4.584_969_115_997_183);
    close(found.controls[0][0], -5.320_250_613_377_003);
    close(found.costates[0][0], -5.516_117_764_553_223);
    close(found.costates[0][1], -0.707_830_949_565_361_5);
    close(found.path[20][0], -0.008_849_318_734_989_549);
    close(found.path[20][1], -0.003_770_080_155_413_226);
    assert!(found.is_maximal);
    let (a, b) = (
        Dense::of_rows(2, 2, &[1.0, 0.1, 0.0, 1.0]),
        Dense::of_rows(2, 1, &[0.005, 0.1]),
    );
    let (q, r) = (
        Dense::of_rows(2, 2, &[1.0, 0.0, 0.0, 0.1]),
        Dense::of_rows(1, 1, &[0.01]),
    );
    let cross = Dense::zeros(2, 1);
    let found = regulator_of_steps((&a, &b), (&q, &r, &cross), &Dense::identity(2), 20);
    let (value, gain) = found.unwrap();
    close(value[(0, 0)], 6.022_312_331_407_183);
    close(gain[(0, 1)], 4.584_969_115_997_183);
    let none = regulator_of_steps(
        (&a, &b),
        (&q, &r.scaled(-1.0), &cross),
        &Dense::zeros(2, 2),
        3,
    );
    // Controls that are rewarded have no best value.
    assert!(matches!(none, Err(ActionError::NoMaximum { step: 3 })));
}

/// P-D7: a nonlinear plant between two points.
#[test]
fn nonlinear_plant_with_given_ends() {
    let [q, u] = ["q", "u"].map(Symbol::variable);
    let [qe, ue] = [&q, &u].map(Expr::from);
    let mut plant = DiscretePlant {
        map: vec![&qe + (&ue - qe.powi(3)) / 10],
        cost: (ue.powi(2) + qe.powi(2)) / 20,
        terminal: Expr::zero(),
        goals: vec![qe.clone()],
        state: vec![q],
        controls: vec![u],
    };
    let found = plant.optimum(&[1.0], 10, &[]).unwrap();
    close(found.cost, 0.448_413_286_950_935_9);
    close(found.controls[0][0], -0.655_070_327_536_061_8);
    close(found.controls[9][0], -0.762_531_411_889_732_2);
    close(found.costates[1][0], found.controls[0][0]);
    close(found.path[5][0], 0.400_913_013_399_947_5);
    assert!(found.is_maximal && found.gains.is_empty());
    // Bellman with a free end: the value's slope is minus the costate, by differences.
    plant.goals.clear();
    plant.terminal = qe.powi(2) * 3;
    let value = |q: f64| plant.optimum(&[q], 10, &[]).unwrap();
    let d = 1e-4;
    let slope = (value(1.0 + d).cost - value(1.0 - d).cost) / (2.0 * d);
    let here = value(1.0);
    assert!((slope + here.costates[0][0]).abs() < 1e-7);
    let bend = (value(1.0 + d).costates[0][0] - value(1.0 - d).costates[0][0]) / (2.0 * d);
    assert!((bend + here.curvatures[0][(0, 0)]).abs() < 1e-6);
    // A control that costs nothing is not determined.
    plant.cost = qe.powi(2);
    plant.terminal = Expr::zero();
    let idle = plant.optimum(&[1.0], 3, &[]);
    assert!(
        matches!(idle, Err(ActionError::FreeDirection { .. })),
        "{idle:?}"
    );
}

/// P-D12: the cost to come is Jacobi's action of H⁺(q, p) = max_u p f − C.
#[test]
fn cost_to_come() {
    let [q, p] = ["q", "p"].map(Symbol::variable);
    let [qe, pe] = [&q, &p].map(Expr::from);
    let h = Expr::ratio(1, 10);
    let value = &pe * &qe + &h * pe.powi(2) / 2 - &h * qe.powi(2) / 2;
    let right = DiscreteHamiltonian::new(Side::Right, &[q], &[p], value);
    let [x, y] = ["x", "y"].map(Symbol::variable);
    let step = right.step(&Symbol::constant("h"), &[x], &[y]);
    let map = MomentumMap::new(&step, &[], 0.0, 1.0).unwrap();
    let data = Data::Point {
        q: &[0.5],
        guess: &[0.3],
    };
    let s = |q: f64| map.action(4, &data, &[q]).unwrap();
    let (a, b) = (s(0.0).curvature[0], s(0.0).slope[0]);
    close(a, 2.586_208_704_528_921);
    close(b, -1.219_333_458_680_813);
    close(s(0.0).value, 0.335_776_088_066_115_2);
    close(s(0.7).value, a * 0.245 + b * 0.7 + 0.335_776_088_066_115_2);
}
