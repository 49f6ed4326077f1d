//! The form `optimality`: the papers' equations, the second-order problem behind it, ansatz and regularity.

use rattleback_language::{Source, parse};
use rattleback_mechanics::optimality::Ansatz;
use rattleback_mechanics::{Form, MechanicsError, Problem, Stage, System};
use rattleback_symbolic::{Expr, Symbol, prove_zero, substitute_all};

fn problem(text: &str) -> Problem {
    let model = parse(&Source::new("test.mech", text))
        .model
        .expect("a model");
    Problem::for_form(&model, Some(Form::Optimality)).expect("a problem")
}

fn symbol(name: &str) -> Expr {
    let bare = name.trim_end_matches('\'');
    Expr::from(Symbol::variable(bare).jet((name.len() - bare.len()) as u32))
}

fn parsed(names: &[(&str, &str)]) -> Vec<(Symbol, Expr)> {
    names
        .iter()
        .map(|(n, v)| {
            let value: rattleback_symbolic::Rational = v.parse().expect("a number");
            (
                symbol(n).as_symbol().expect("a symbol").clone(),
                Expr::from(value),
            )
        })
        .collect()
}

const CART: &str = "system cart\nparam M = 1, m = 0.2, l = 0.5, g = 9.81\ncoord x\ncoord theta : angle\n\
    kinetic M/2*x'^2 + m/2*(x'^2 + 2*l*x'*theta'*cos(theta) + l^2*theta'^2)\n\
    potential m*g*l*cos(theta)\ncontrol u on x\ncost u^2/2\n";

/// AC 2.3: p0x' = 0, p1x' = −p0x, p1t' = −p0t − 2 m l U th' sin th, and U from W1.
#[test]
fn the_cart_pole_of_the_thesis() {
    let equations = problem(CART)
        .steered()
        .equations(Form::Optimality)
        .expect("conditions");
    let shown = equations.explicit();
    assert!(shown.stages.is_empty(), "small enough to be written out");
    let names: Vec<String> = shown.state.iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        [
            "x",
            "theta",
            "x'",
            "theta'",
            "p_x",
            "p_theta",
            "p_x_1",
            "p_theta_1"
        ]
    );
    let rate = |name: &str| {
        let s = symbol(name).as_symbol().expect("a symbol").clone();
        shown.rate(&s).expect("a rate").clone()
    };
    let [m, big, l, g] = ["m", "M", "l", "g"].map(|n| Expr::from(Symbol::constant(n)));
    let theta = symbol("theta");
    let (s, c) = (theta.sin(), theta.cos());
    let d = &big + &m * s.powi(2);
    let u = shown
        .extras
        .iter()
        .find(|q| q.name == "u")
        .expect("the control")
        .value
        .clone();
    // W1: p1x = U D + p1t cos θ/l.
    let primary = symbol("p_x_1") - &u * &d - symbol("p_theta_1") * &c / &l;
    let expected_theta = -symbol("p_theta") - 2 * &m * &l * &u * symbol("theta'") * &s;
    let acceleration = rate("x'");
    let bracket = -(&m * &l * symbol("theta'").powi(2) * &c)
        + &m * &g * (2 * &theta).cos()
        + 2 * &m * &acceleration * &s * &c;
    let expected_p = -(symbol("p_theta_1") * (&g * &c + &acceleration * &s) / &l) + &u * bracket;
    for gap in [
        rate("p_x"),
        rate("p_x_1") + symbol("p_x"),
        primary,
        // The derivative at fixed acceleration, as W1 chooses it: by x'' and not by u.
        rate("p_theta_1") - expected_theta,
        rate("p_theta") - expected_p,
    ] {
        // In the chart of the accelerations the equations differ by multiples of K_u = 0, hence not at all.
        assert!(prove_zero(&gap).is_proven(), "{gap}");
    }
}

/// Every rate of the state and the Hamiltonian at a point, stages solved.
fn evaluated(system: &System, at: &[(Symbol, Expr)]) -> Vec<(String, Expr)> {
    let equations = system
        .equations(Form::Optimality)
        .expect("conditions")
        .explicit();
    let mut known = at.to_vec();
    for stage in &equations.stages {
        let Stage::Linear {
            unknowns,
            matrix,
            rhs,
        } = stage
        else {
            panic!("a linear stage");
        };
        let right = rattleback_symbolic::Matrix::column_vector(&substitute_all(rhs, &known));
        let m = matrix.map(|e| e.substitute(&known));
        let found = rattleback_symbolic::solve(&m, &right)
            .expect("regular")
            .solution
            .column(0);
        known.extend(unknowns.iter().cloned().zip(found));
    }
    let rates = equations.rates.iter().map(|e| e.substitute(&known));
    equations
        .state
        .iter()
        .map(ToString::to_string)
        .zip(rates)
        .collect()
}

/// AC 2.4 with unequal inertia: p' = p × Ω, pt' = −p + ∂L̃/∂Ω − pt3 ∂G3/∂Ω, u_a = pt_a/(2 c1 I_a).
#[test]
fn the_body_of_the_thesis() {
    let text = "system body\nparam I1 = 1, I2 = 2, I3 = 3\ngroup R : SO(3) velocity w\n\
        lagrangian (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncost u1^2 + u2^2\n";
    let system = problem(text).steered();
    let at = parsed(&[
        ("w[1]", "0.4"),
        ("w[2]", "-0.7"),
        ("w[3]", "0.2"),
        ("p_R[1]", "0.3"),
        ("p_R[2]", "1.1"),
        ("p_R[3]", "-0.5"),
        ("p_w[1]", "0.9"),
        ("p_w[2]", "-0.2"),
        ("p_w[3]", "0.6"),
    ]);
    let values = [("I1", 1), ("I2", 2), ("I3", 3)];
    let mut at = at;
    at.extend(values.map(|(n, v)| (Symbol::constant(n), Expr::from(v))));
    let rates = evaluated(&system, &at);
    let rate = |name: &str| {
        let found = rates.iter().find(|(n, _)| n == name).expect("a rate");
        found.1.evaluate(&[]).expect("a number")
    };
    let (w, p, pt) = ([0.4, -0.7, 0.2], [0.3, 1.1, -0.5], [0.9, -0.2, 0.6]);
    let cross = [
        p[1] * w[2] - p[2] * w[1],
        p[2] * w[0] - p[0] * w[2],
        p[0] * w[1] - p[1] * w[0],
    ];
    for (i, value) in cross.iter().enumerate() {
        assert!((rate(&format!("p_R[{}]", i + 1)) - value).abs() < 1e-13);
    }
    let u = [pt[0] / 2.0, pt[1] / (2.0 * 2.0)];
    assert!((rate("w[1]") - (-w[1] * w[2] + u[0])).abs() < 1e-13);
    assert!((rate("w[2]") - (2.0 * w[2] * w[0] + u[1]) / 2.0).abs() < 1e-13);
    // ∂L̃/∂Ω at fixed accelerations: u1 = I1 O1' − (I2 − I3) O2 O3, u2 = I2 O2' − (I3 − I1) O3 O1.
    let by_w1 = 2.0 * u[1] * -2.0 * w[2] - pt[2] * (-1.0 / 3.0) * w[1];
    assert!((rate("p_w[1]") - (-p[0] + by_w1)).abs() < 1e-13);
}

/// The flow of the constrained second-order variational problem has the same accelerations: for random metrics and
/// control forms, with u by its jets.
#[test]
fn the_second_order_problem_behind_it() {
    for (mass, form, potential) in [
        ("2 + cos(b)", "(a: 1, b: b)", "cos(a) + a*b"),
        ("3 + sin(a)*cos(b)", "(a: 1 + b^2)", "sin(b)"),
        ("2 + b^2", "(b: 1, a: sin(b))", "a^2*b"),
    ] {
        let text = format!(
            "system s\ncoord a, b\nlagrangian ({mass})*a'^2/2 + a'*b'/2 + b'^2 - ({potential})\ncontrol u on {form}\ncost u^2/2 + a^2*b'^2/3\n"
        );
        let system = problem(&text).steered();
        let second = system.second_order().expect("a second-order problem");
        assert_eq!((second.controls.len(), second.constraints.len()), (1, 1));
        let variational = second.system(&system).expect("a system");
        let of_second = variational.equations(Form::HigherOrder).expect("equations");
        // State and costate by jets: p1 = L̃_{q''} − μ Φ_{q''}, p0 = L̃_{q'} − μ Φ_{q'} − p1'.
        let l = of_second
            .extras
            .iter()
            .find(|q| q.name == "augmented_lagrangian")
            .expect("L − μΦ");
        let frame = system.frame();
        let jet = |k: u32| -> Vec<Symbol> {
            frame.fibre().iter().map(|y| y.jet(y.order() + k)).collect()
        };
        let p1 = l.value.gradient(&jet(1));
        let rates: Vec<Expr> = frame.rates(&p1);
        let p0: Vec<Expr> = l
            .value
            .gradient(&jet(0))
            .iter()
            .zip(&rates)
            .map(|(a, b)| a - b)
            .collect();
        // A jet on the constraint: b'' (or a'') from Φ = 0.
        let q: Vec<(Symbol, Expr)> =
            parsed(&[("a", "0.3"), ("b", "-0.4"), ("a'", "0.7"), ("b'", "0.2")]);
        let free: Vec<(Symbol, Expr)> = parsed(&[("a''", "0.5"), ("a'''", "-0.3")]);
        let mut known: Vec<(Symbol, Expr)> = [q.clone(), free].concat();
        for (name, phi) in [
            ("b''", second.constraints[0].clone()),
            ("b'''", frame.rate(&second.constraints[0])),
        ] {
            let s = symbol(name).as_symbol().expect("a symbol").clone();
            let here = phi.substitute(&known);
            let slope = here.diff(&s);
            let rest = here.substitute(&[(s.clone(), Expr::zero())]);
            known.push((s, -(rest / slope)));
        }
        let mu = variational.variational_constraints()[0].multiplier.clone();
        known.push((mu.clone(), Expr::from(2) / 5));
        known.push((mu.derivative(), Expr::from(-1) / 3));
        let values = |all: &[Expr]| substitute_all(all, &known);
        let (p0, p1) = (values(&p0), values(&p1));
        let names = ["p_a", "p_b", "p_a_1", "p_b_1"].map(Symbol::variable);
        let at: Vec<(Symbol, Expr)> = q
            .iter()
            .cloned()
            .chain(names.into_iter().zip(p0.into_iter().chain(p1)))
            .collect();
        let rates = evaluated(&system, &at);
        for (name, jet) in [("a'", "a''"), ("b'", "b''")] {
            let found = &rates.iter().find(|(n, _)| n == name).expect("a rate").1;
            let s = symbol(jet).as_symbol().expect("a symbol").clone();
            let expected = &known.iter().find(|(k, _)| *k == s).expect("a jet").1;
            let gap = (found - expected).evaluate(&[]).expect("a number");
            assert!(gap.abs() < 1e-10, "{form}: {name} differs by {gap}");
        }
        // The costates move as the jets say: p0' = ∂(L̃ − μΦ)/∂q.
        let slopes = values(&l.value.gradient(frame.base()));
        for (name, slope) in ["p_a", "p_b"].iter().zip(slopes) {
            let found = &rates.iter().find(|(n, _)| n == name).expect("a rate").1;
            let gap = (found - slope).evaluate(&[]).expect("a number");
            assert!(gap.abs() < 1e-10, "{form}: {name}' differs by {gap}");
        }
    }
}

/// CG-B7: vanishing multipliers of the coin are consistent; those of one position alone are not with p_θ.
#[test]
fn vanishing_multipliers_of_the_coin() {
    let text = "system coin\nparam m = 1, J = 1\ncoord x, y\ncoord theta : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n\
        constraint sin(theta)*x' = cos(theta)*y'\nframe turn = (theta: 1/J)\nframe roll = (x: cos(theta)/m, y: sin(theta)/m)\n\
        control u1 on (x: m*cos(theta), y: m*sin(theta))\ncontrol u2 on (theta: J)\ncost (u1^2 + u2^2)/2\n";
    let equations = problem(text)
        .steered()
        .equations(Form::Optimality)
        .expect("conditions")
        .explicit();
    let zero = |names: &[&str]| -> Vec<(Symbol, Expr)> {
        names
            .iter()
            .map(|n| (Symbol::variable(n), Expr::zero()))
            .collect()
    };
    let both = Ansatz::of(&equations, &zero(&["p_x", "p_y"])).expect("an ansatz");
    assert!(both.is_consistent() && both.dimension == 8);
    let turn = Ansatz::of(&equations, &zero(&["p_theta"])).expect("an ansatz");
    assert!(!turn.is_consistent());
    assert!(Ansatz::of(&equations, &zero(&["lambda7"])).is_none());
}

/// What has no conditions says so.
#[test]
fn refusals() {
    let of = |text: &str| {
        problem(text)
            .steered()
            .equations(Form::Optimality)
            .map(|_| ())
    };
    let no_cost = "system s\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";
    assert!(matches!(of(no_cost), Err(MechanicsError::NoObjective)));
    let forced = "system s\ncoord x\nkinetic x'^2/2\nforce (x: -x')\ngoal x = 1\ntime 0 .. 1\n";
    assert!(matches!(
        of(forced),
        Err(MechanicsError::NoOptimality { .. })
    ));
    let bang = "system s\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost 1\n";
    assert!(matches!(
        of(bang),
        Err(MechanicsError::Singular { missing: 1, .. })
    ));
    assert!(of("system s\ncoord x\nkinetic x'^2/2\ngoal x = 1\ntime 0 .. 1\n").is_ok());
}

/// States alone, costs that are not quadratic, and auxiliary states beside a configuration.
#[test]
fn kinematic_models_and_other_costs() {
    let car = "system car\nstate x, y, th\ncontrol v\ncontrol w\nrate x' = v*cos(th)\nrate y' = v*sin(th)\nrate th' = w\ncost (v^2 + w^2)/2\n";
    let equations = problem(car)
        .steered()
        .equations(Form::Optimality)
        .expect("conditions")
        .explicit();
    let names: Vec<String> = equations.state.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["x", "y", "th", "p_x", "p_y", "p_th"]);
    let v = &equations
        .extras
        .iter()
        .find(|q| q.name == "v")
        .expect("v")
        .value;
    let th = symbol("th");
    let expected = symbol("p_x") * th.cos() + symbol("p_y") * th.sin();
    assert!(prove_zero(&(v - expected)).is_proven());
    let quartic = "system s\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^4/4 + u^2/2\n";
    let equations = problem(quartic)
        .steered()
        .equations(Form::Optimality)
        .expect("conditions");
    assert!(
        equations
            .stages
            .iter()
            .any(|s| matches!(s, Stage::Implicit { .. }))
    );
    let motor = "system s\nparam k = 2\ncoord x\nstate i\nkinetic x'^2/2\nforce (x: k*i)\ncontrol u\nrate i' = u - i - k*x'\ncost u^2/2\n";
    let equations = problem(motor)
        .steered()
        .equations(Form::Optimality)
        .expect("conditions")
        .explicit();
    let rate = equations.rate(&Symbol::variable("p_i")).expect("a rate");
    let k = Expr::from(Symbol::constant("k"));
    let expected = symbol("p_i") - k * symbol("p_x_1");
    assert!(prove_zero(&(rate - expected)).is_proven(), "{rate}");
}
