//! Taylor coefficients are the derivatives of the motion.

#[allow(dead_code)]
#[path = "../../../../benches/src/motion.rs"]
mod motion;

use motion::{MotionProblem, field};
use rattleback_compile::program::{Fault, FaultKind, Program};
use rattleback_compile::taylor::{
    Degree, JetFault, JetInterpreter, Lanes, PlanError, Rule, TaylorPlan,
};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Matrix, Symbol};

fn jet(program: &Program, t: f64, x: &[f64], order: usize) -> Result<Vec<f64>, JetFault> {
    let plan = TaylorPlan::new(program).unwrap();
    let mut coefficients = vec![0.0; x.len() * (order + 1)];
    let mut interpreter = JetInterpreter::<f64>::new(plan, order);
    match interpreter.jet(t, x, order, &mut coefficients) {
        Ok(()) => Ok(coefficients),
        Err((_, fault)) => Err(fault),
    }
}

fn plan_of(name: &str) -> TaylorPlan {
    let problem = MotionProblem::named(name).unwrap();
    TaylorPlan::new(&problem.program().unwrap()).unwrap()
}

/// x^(k)/k!, by exact total derivatives: x^(k+1) = ∂x^(k)/∂t + Σ_i f_i ∂x^(k)/∂x_i.
fn exact_jet(state: &[Symbol], rates: &[Expr], t: f64, x: &[f64], order: usize) -> Vec<f64> {
    let mut inputs = vec![Symbol::time()];
    inputs.extend_from_slice(state);
    let mut at = vec![t];
    at.extend_from_slice(x);
    let mut derivatives: Vec<Expr> = state.iter().map(Expr::from).collect();
    let mut coefficients = Vec::new();
    let mut factorial = 1.0;
    for k in 0..=order {
        factorial *= k.max(1) as f64;
        let program = Program::new(&inputs, &[], &[], &derivatives).unwrap();
        let values = rattleback_compile::program::Interpreter::new(program).values(&at);
        coefficients.extend(values.unwrap().iter().map(|v| v / factorial));
        derivatives = derivatives
            .iter()
            .map(|e| {
                e.derivation(|s| {
                    let own = state.iter().position(|own| own == s);
                    match own {
                        Some(i) => rates[i].clone(),
                        None if *s == Symbol::time() => Expr::one(),
                        None => Expr::zero(),
                    }
                })
            })
            .collect();
    }
    coefficients
}

fn assert_close(found: &[f64], exact: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), exact.len());
    for (place, (f, e)) in found.iter().zip(exact).enumerate() {
        let error = (f - e).abs() / (1.0 + e.abs());
        assert!(error < tolerance, "{what}, entry {place}: {f} for {e}");
    }
}

/// Every function, of an argument that is a state, of time, and of a sum.
#[test]
fn coefficients_of_every_function_are_exact_derivatives() {
    let state = [Symbol::variable("x"), Symbol::variable("y")];
    let (x, y, t) = (
        Expr::from(&state[0]),
        Expr::from(&state[1]),
        Expr::from(Symbol::time()),
    );
    let half = Expr::ratio(1, 2);
    let inner = [
        &x * &half,
        &t * &half + &half,
        (&x + &t * &y) * Expr::ratio(1, 4),
    ];
    for u in &inner {
        let cases = [
            ("sin", u.sin()),
            ("cos", u.cos()),
            ("sinh", u.sinh()),
            ("tanh", u.tanh()),
            ("cosh", u.cosh()),
            ("exp", u.exp()),
            ("log", (u + 2).log()),
            ("asin", u.asin()),
            ("acos", u.acos()),
            ("atan", u.atan()),
            ("atan2", Expr::atan2(&(u + 1), &(&y + 2))),
            ("sqrt", (u + 1).sqrt()),
            (
                "power",
                (u + 2).powr(&rattleback_symbolic::Rational::new(7, 3)),
            ),
            ("symbolic power", (u + 2).pow(&(&y + Expr::ratio(1, 3)))),
            ("reciprocal", (u + 2).recip()),
            ("quotient", (&y - 3) / (u.cos() + 2)),
            ("square", (u * &y + 1).powi(2)),
            ("cube", u.powi(3) - u.powi(2) * &y),
        ];
        for (name, e) in cases {
            let rates = [e.clone() - &y * Expr::ratio(1, 3), &x * &y - &t];
            let (at, point) = (0.3, [0.4, -0.7]);
            let found = jet(&field(&state, &[], &rates).unwrap(), at, &point, 7).unwrap();
            let exact = exact_jet(&state, &rates, at, &point, 7);
            assert_close(&found, &exact, 1e-12, &format!("{name} of {u}"));
        }
    }
}

/// The block form agrees with the solution written out.
#[test]
fn solutions_of_linear_systems_are_differentiated() {
    let state = [Symbol::variable("x"), Symbol::variable("y")];
    let (x, y, t) = (
        Expr::from(&state[0]),
        Expr::from(&state[1]),
        Expr::from(Symbol::time()),
    );
    let (a, b, c, d) = (2 + x.cos(), y.sin() + &t, &x * &y, Expr::from(3));
    let (p, q) = (&x + &t, y.cos());
    let determinant = &a * &d - &b * &c;
    let rates = [
        (&p * &d - &b * &q) / &determinant,
        (&a * &q - &c * &p) / &determinant,
    ];
    let unknowns = vec![Symbol::variable("u"), Symbol::variable("v")];
    let solved: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
    let stage = Stage::Linear {
        unknowns,
        matrix: Matrix::from_rows(&[vec![a, b], vec![c, d]]),
        rhs: vec![p, q],
    };
    let (at, point) = (0.2, [0.6, -0.4]);
    let found = jet(&field(&state, &[stage], &solved).unwrap(), at, &point, 6).unwrap();
    let exact = exact_jet(&state, &rates, at, &point, 6);
    assert_close(&found, &exact, 1e-12, "linear system");
}

/// e^t, tan t and 1/(1 − t) have known series of high order.
#[test]
fn high_orders_are_those_of_known_series() {
    let state: Vec<Symbol> = ["e", "tan", "geometric"].map(Symbol::variable).to_vec();
    let x: Vec<Expr> = state.iter().map(Expr::from).collect();
    let rates = [x[0].clone(), 1 + x[1].powi(2), x[2].powi(2)];
    let order = 25;
    let program = field(&state, &[], &rates).unwrap();
    let found = jet(&program, 0.0, &[1.0, 0.0, 1.0], order).unwrap();
    let mut factorial = 1.0;
    for k in 0..=order {
        factorial *= k.max(1) as f64;
        assert!((found[3 * k] * factorial - 1.0).abs() < 1e-14);
        assert!((found[3 * k + 2] - 1.0).abs() < 1e-13);
    }
    let tangent = [
        1.0,
        1.0 / 3.0,
        2.0 / 15.0,
        17.0 / 315.0,
        62.0 / 2835.0,
        1382.0 / 155925.0,
    ];
    for (j, exact) in tangent.iter().enumerate() {
        assert!((found[3 * (2 * j + 1) + 1] - exact).abs() < 1e-15);
        assert_eq!(found[3 * (2 * j) + 1], 0.0);
    }
}

/// A rolling disk turns uniformly: its angles are linear, and their sines need no sums.
#[test]
fn polynomials_in_time_are_recognised() {
    let plan = plan_of("disk");
    let degree = |wanted: u32| {
        let at = |(rule, _): &(&Rule, &Degree)| **rule == Rule::State(wanted);
        let mut all = plan.rules().iter().zip(plan.degrees());
        all.find(at).map(|(_, &degree)| degree)
    };
    assert_eq!(degree(3), Some(Degree::LINEAR));
    assert_eq!(degree(4), Some(Degree::CONSTANT));
    let plan = plan_of("sleigh_forced");
    assert!(plan.degrees().contains(&Degree::INFINITE));
}

/// The sign of what is divided by a number belongs to the number.
#[test]
fn signs_go_to_numbers() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    let unknown = Symbol::variable("u");
    let stage = Stage::Linear {
        unknowns: vec![unknown.clone()],
        matrix: Matrix::from_rows(&[vec![Expr::from(7)]]),
        rhs: vec![-x.sin() / x.exp()],
    };
    let program = field(&state, &[stage], &[Expr::from(&unknown)]).unwrap();
    let plan = TaylorPlan::new(&program).unwrap();
    let is_sign = |rule: &Rule| matches!(rule, Rule::Neg(_));
    assert!(!plan.rules().iter().any(is_sign), "{:?}", plan.rules());
}

/// Only parameters feed √(g/l): it is not part of the recurrences.
#[test]
fn parameters_are_folded_out() {
    let state = [Symbol::variable("x"), Symbol::variable("v")];
    let (g, l) = (Symbol::variable("g"), Symbol::variable("l"));
    let inputs = [
        Symbol::time(),
        state[0].clone(),
        state[1].clone(),
        g.clone(),
        l.clone(),
    ];
    let frequency = (Expr::from(&g) / Expr::from(&l)).sqrt();
    let rates = [
        Expr::from(&state[1]),
        -frequency * Expr::from(&state[0]).sin(),
    ];
    let program = Program::new(&inputs, &[], &[], &rates).unwrap();
    let plan = TaylorPlan::new(&program).unwrap();
    assert_eq!((plan.dimension(), plan.parameters()), (2, 2));
    let fixed = |rule: fn(&Rule) -> bool| {
        let place = plan.rules().iter().position(rule);
        place.is_some_and(|place| plan.is_fixed(place as u32))
    };
    assert!(fixed(|r| matches!(r, Rule::Sqrt(_) | Rule::Growth { .. })));
    assert!(!fixed(|r| matches!(r, Rule::Sine { .. })));
    let mut interpreter = JetInterpreter::<f64>::new(plan, 3);
    interpreter.set_parameters(0, &[9.0, 4.0]);
    let mut coefficients = [0.0; 8];
    interpreter
        .jet(0.0, &[0.5, 0.0], 3, &mut coefficients)
        .unwrap();
    assert!((coefficients[4] + 0.75 * 0.5f64.sin()).abs() < 1e-15);
}

#[test]
fn four_lanes_are_four_motions() {
    for problem in MotionProblem::all() {
        let program = problem.program().unwrap();
        let plan = TaylorPlan::new(&program).unwrap();
        let (n, order) = (plan.dimension(), 9);
        let mut lanes = JetInterpreter::<Lanes>::new(plan, order);
        let member = |lane: usize, i: usize| problem.start[i] + 0.01 * (lane * (i + 1)) as f64;
        let t = |lane: usize| 0.1 * lane as f64;
        let x: Vec<Lanes> = (0..n)
            .map(|i| Lanes(std::array::from_fn(|lane| member(lane, i))))
            .collect();
        let mut together = vec![Lanes::default(); n * (order + 1)];
        let times = Lanes(std::array::from_fn(t));
        lanes.jet(times, &x, order, &mut together).unwrap();
        for lane in 0..4 {
            let x: Vec<f64> = (0..n).map(|i| member(lane, i)).collect();
            let alone = jet(&program, t(lane), &x, order).unwrap();
            let own: Vec<f64> = together.iter().map(|c| c.0[lane]).collect();
            assert_eq!(own, alone, "{}", problem.name);
        }
    }
}

#[test]
fn faults_say_what_failed() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    let root = field(&state, &[], &[x.log()]).unwrap();
    assert_eq!(jet(&root, 0.0, &[-1.0], 3), Err(JetFault::NotFinite(0)));
    let unknowns = vec![Symbol::variable("u")];
    let solved = [Expr::from(&unknowns[0])];
    let stage = Stage::Linear {
        unknowns,
        matrix: Matrix::from_rows(&[vec![x.clone()]]),
        rhs: vec![Expr::one()],
    };
    let singular = field(&state, &[stage], &solved).unwrap();
    let fault = Fault {
        block: 0,
        kind: FaultKind::Singular(0),
    };
    assert_eq!(jet(&singular, 0.0, &[0.0], 3), Err(JetFault::Block(fault)));
    assert!(jet(&singular, 0.0, &[1.0], 3).is_ok());
}

#[test]
fn implicit_equations_are_refused() {
    let state = [Symbol::variable("x")];
    let u = Symbol::variable("u");
    let e = Expr::from(&u);
    let stage = Stage::Implicit {
        unknowns: vec![u],
        residuals: vec![e.powi(3) + &e - Expr::from(&state[0])],
    };
    let program = field(&state, &[stage], &[e]).unwrap();
    let refused = TaylorPlan::new(&program).unwrap_err();
    assert!(matches!(refused, PlanError::Implicit { ref unknowns } if unknowns.contains('u')));
    let no_field = Program::new(&state, &[], &[], &[Expr::from(&state[0])]).unwrap();
    assert!(matches!(
        TaylorPlan::new(&no_field),
        Err(PlanError::Shape { .. })
    ));
}

#[test]
fn an_equation_with_one_unknown_is_a_quotient() {
    let state = [Symbol::variable("x")];
    let x = Expr::from(&state[0]);
    let unknown = Symbol::variable("u");
    let solved = [Expr::from(&unknown)];
    let stage = |factor: Expr| Stage::Linear {
        unknowns: vec![unknown.clone()],
        matrix: Matrix::from_rows(&[vec![factor]]),
        rhs: vec![x.sin()],
    };
    for factor in [Expr::from(4), &x + 2] {
        let program = field(&state, &[stage(factor.clone())], &solved).unwrap();
        assert!(TaylorPlan::new(&program).unwrap().blocks().is_empty());
        let found = jet(&program, 0.0, &[0.3], 6).unwrap();
        let exact = exact_jet(&state, &[x.sin() / &factor], 0.0, &[0.3], 6);
        for (found, exact) in found.iter().zip(&exact) {
            assert!(
                (found - exact).abs() <= 1e-14 * (1.0 + exact.abs()),
                "{factor}"
            );
        }
    }
    // Without a factor there is no solution, and that is said.
    let program = field(&state, &[stage(x.clone())], &solved).unwrap();
    let fault = jet(&program, 0.0, &[0.0], 3).unwrap_err();
    let is_singular = |f: &Fault| matches!(f.kind, FaultKind::Singular(_));
    assert!(
        matches!(&fault, JetFault::Block(f) if is_singular(f)),
        "{fault:?}"
    );
}
