//! Nonholonomic against vakonomic motion (VE): classes, multipliers, families.

mod common;

use common::{Given, Numbers, close, given, rk4, shipped};
use rattleback_compile::Evaluator;
use rattleback_mechanics::Form;
use rattleback_symbolic::{Expr, Sign, Symbol, Tape, prove_all_zero};
use rattleback_theory::Deadline;
use rattleback_theory::vakonomic::{Class, Equivalence, Kind, Outcome};

const DISK: &str = "system disk\nparam m = 2, R = 1/2, I = 1/4, J = 1/8\nassume m > 0, R > 0, I > 0, J > 0\n\
    coord theta, phi, x, y\nkinetic m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2\n\
    constraint x' = R*cos(phi)*theta'\nconstraint y' = R*sin(phi)*theta'\n";
const PARTICLE: &str = "system particle\nparam m = 1\nassume m > 0\ncoord x, y, z\n\
    kinetic m/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = -x*y'\n";
const HEISENBERG: &str = "system heisenberg\nparam m = 1\nassume m > 0\ncoord x, y, z\n\
    kinetic m/2*(x'^2 + y'^2 + z'^2)\nconstraint z' = y*x' - x*y'\n";
const KNIFE: &str = "system knife\nparam m = 1, J = 7/10\nassume m > 0, J > 0\ncoord x, theta, y\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint y' = tan(theta)*x'\n";
const CARRIAGE: &str = "system carriage\nparam m = 3, R = 2/5, J = 3/5, I = 1/20, w = 7/10\n\
    assume m > 0, R > 0, J > 0, I > 0, w > 0\ncoord psi1, theta, x, y, psi2\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*(psi1'^2 + psi2'^2)\n\
    constraint x' = R*cos(theta)*psi1'\nconstraint y' = R*sin(theta)*psi1'\nconstraint psi2' = w/R*theta'\n";
const VESELOVA: &str = "system veselova\nparam I1 = 13/10, I2 = 7/5, I3 = 8/5\n\
    assume I1 > 0, I2 > 0, I3 > 0\ncoord theta, phi, psi\n\
    let w1 = psi'*sin(theta)*sin(phi) + theta'*cos(phi)\n\
    let w2 = psi'*sin(theta)*cos(phi) - theta'*sin(phi)\nlet w3 = psi'*cos(theta) + phi'\n\
    kinetic (INERTIA)/2\nconstraint psi' + cos(theta)*phi' = 0\n";
const SPHERE: &str = "system sphere\nparam I = 2/5, m = 1\nassume I > 0, m > 0\ncoord theta, psi, phi, x, y\n\
    kinetic I/2*(theta'^2 + psi'^2 + phi'^2 + 2*cos(theta)*phi'*psi') + m/2*(x'^2 + y'^2)\n\
    constraint x' = theta'*sin(phi) - psi'*cos(phi)*sin(theta)\n\
    constraint y' = -theta'*cos(phi) - psi'*sin(phi)*sin(theta)\n";

fn equal_veselova() -> String {
    VESELOVA.replace("INERTIA", "I1*(w1^2 + w2^2 + w3^2)")
}

fn judge(g: &Given) -> Equivalence {
    Equivalence::of(&g.system, Deadline::none()).expect("constraints")
}

fn class(text: &str) -> (Class, Option<Kind>) {
    let g = given(text);
    let report = judge(&g);
    verify(&g, &report);
    (report.class, report.kind)
}

/// Re-verifies a report with numbers: along a motion from random data the vakonomic rates with the
/// reported multipliers are the nonholonomic ones; on every family the same holds.
fn verify(g: &Given, report: &Equivalence) {
    let c = &report.comparison;
    if let Some(found) = &report.admissible {
        let mut numbers = Numbers::new(11);
        let mut mu = found.point.clone();
        for direction in &found.directions {
            let weight = Expr::ratio((10.0 * numbers.next()) as i64, 7);
            mu = mu
                .iter()
                .zip(direction)
                .map(|(m, d)| m + &weight * d)
                .collect();
        }
        if report.kind != Some(Kind::Integrable) {
            check_multipliers(g, report, &[], &mu);
        }
    }
    for stratum in &report.strata {
        assert!(prove_all_zero(&stratum.defects(c)).is_proven());
        let some: Vec<(Symbol, Expr)> = stratum
            .free
            .iter()
            .map(|s| (s.clone(), Expr::ratio(3, 7)))
            .collect();
        let mu: Vec<Expr> = stratum
            .multipliers
            .iter()
            .map(|e| e.substitute(&some))
            .collect();
        check_multipliers(g, report, &stratum.equations, &mu);
    }
    if report.class == Class::Partial || report.class == Class::None {
        assert!(!report.counterexample.is_empty());
    }
}

/// At random states (on a family): E(L − μφ) with these μ gives the nonholonomic accelerations.
fn check_multipliers(g: &Given, report: &Equivalence, on: &[(Symbol, Expr)], mu: &[Expr]) {
    let c = &report.comparison;
    let equations = g.system.equations(Form::Vakonomic).expect("equations");
    let constants: Vec<Symbol> = g
        .model
        .parameters
        .iter()
        .map(|p| p.symbol.clone())
        .collect();
    let mut numbers = Numbers::new(5);
    let frame = g.system.frame();
    let names: Vec<Symbol> =
        [c.positions.clone(), c.velocities.clone(), constants.clone()].concat();
    let inside = |e: &[Expr]| rattleback_symbolic::substitute_all(e, on);
    let velocity = inside(&c.velocity);
    let acceleration = frame.rates_along(&c.velocity, &c.velocity, |_| false);
    let known: Vec<(Symbol, Expr)> = c
        .velocities
        .iter()
        .map(Symbol::derivative)
        .zip(c.rates[c.positions.len()..].iter().cloned())
        .collect();
    let acceleration = inside(&rattleback_symbolic::substitute_all(&acceleration, &known));
    let positions: Vec<Expr> = inside(&c.positions.iter().map(Expr::from).collect::<Vec<_>>());
    let state = [positions, velocity, inside(mu)].concat();
    for _ in 0..6 {
        let values: Vec<f64> = names
            .iter()
            .map(|s| match constants.contains(s) {
                true => 1.0 + 0.5 * numbers.next(),
                false => 0.6 + 0.4 * numbers.next(),
            })
            .collect();
        let x = Tape::new(&names, &state).expect("a tape").evaluate(&values);
        let expected = Tape::new(&names, &acceleration)
            .expect("a tape")
            .evaluate(&values);
        let program = Evaluator::new(&equations, &constants).expect("a program");
        let found = program
            .at(0.0, &x, &values[values.len() - constants.len()..])
            .expect("rates")
            .rates;
        let n = frame.base().len();
        for (a, e) in expected.iter().enumerate() {
            assert!(
                close(found[n + a], *e, 1e-8),
                "{}: {} instead of {e}",
                g.model.name,
                found[n + a]
            );
        }
    }
}

#[test]
fn classes_of_the_examples() {
    assert_eq!(class(DISK), (Class::Conditional, Some(Kind::GyroFree)));
    assert_eq!(class(CARRIAGE), (Class::Conditional, Some(Kind::GyroFree)));
    assert_eq!(
        class(HEISENBERG),
        (Class::Conditional, Some(Kind::ReactionFree))
    );
    assert_eq!(class(&equal_veselova()).0, Class::Conditional);
    assert_eq!(
        class(SPHERE),
        (Class::Conditional, Some(Kind::ReactionFree))
    );
    assert_eq!(class(PARTICLE).0, Class::Partial);
    assert_eq!(class(KNIFE).0, Class::Partial);
    let distinct = VESELOVA.replace("INERTIA", "I1*w1^2 + I2*w2^2 + I3*w3^2");
    assert_eq!(class(&distinct).0, Class::Partial);
}

/// The potentials of VE-C16: harmless for a gyro-free system if they live on the base, for a
/// reaction-free one if their gradient is allowed.
#[test]
fn potentials_keep_or_break_the_class() {
    let with = |text: &str, v: &str| class(&format!("{text}potential {v}\n")).0;
    assert_eq!(with(DISK, "sin(theta) + phi^2"), Class::Conditional);
    assert_eq!(with(HEISENBERG, "(x^2 + y^2)^2"), Class::Conditional);
    assert_eq!(with(HEISENBERG, "x"), Class::Partial);
    // The coin on an incline agrees only where it rolls straight along the slope.
    let g = given(&format!("{DISK}param f = 1\nassume f > 0\npotential f*x\n"));
    let report = judge(&g);
    verify(&g, &report);
    assert_eq!(report.class, Class::Partial);
    assert!(report.complete.is_proven(), "{:?}", report.complete);
    let phi = Symbol::variable("phi");
    for s in &report.strata {
        let heading = s.equations.iter().find(|(q, _)| *q == phi);
        assert!(heading.is_some_and(|(_, e)| e.sin().is_zero()), "{s:?}");
    }
}

/// Inertial coupling between an old and a new fibre coordinate destroys the class (VE-C17, E9).
#[test]
fn flat_fibres_must_decouple() {
    let extra = "coord u\nparam c = 1/3\nassume c != 0\nconstraint u' = phi'\n";
    let base = DISK.replace("J/2*phi'^2", "J/2*phi'^2 + u'^2/2");
    assert_eq!(class(&format!("{base}{extra}")).0, Class::Conditional);
    let coupled = DISK.replace("J/2*phi'^2", "J/2*phi'^2 + u'^2/2 + c*x'*u'");
    assert_ne!(class(&format!("{coupled}{extra}")).0, Class::Conditional);
}

#[test]
fn integrable_distributions_are_conditional() {
    let text = "system flat\ncoord x, y, z\nkinetic (x'^2 + y'^2 + (1 + x^2)*z'^2)/2\npotential x*z\n\
        constraint y*x' + x*y' + 2*z*z' = 0\n";
    let report = judge(&given(text));
    assert_eq!(
        (report.class, report.kind),
        (Class::Conditional, Some(Kind::Integrable))
    );
    assert_eq!(report.admissible.expect("multipliers").dimension(), 1);
}

/// Suslov: conditional for a principal axis with equal inertia, not otherwise (VE-E7).
#[test]
fn suslov_depends_on_the_inertia() {
    let suslov = |inertia: &str| {
        format!(
            "system suslov\nparam A = 2, B = 3, C = 4\nassume A > 0, B > 0, C > 0\ngroup R : SO(3) velocity w\nlagrangian ({inertia})/2\nconstraint w[3] = 0\n"
        )
    };
    assert_eq!(
        class(&suslov("A*w[1]^2 + A*w[2]^2 + C*w[3]^2")).0,
        Class::Conditional
    );
    assert_eq!(
        class(&suslov("A*w[1]^2 + B*w[2]^2 + C*w[3]^2")).0,
        Class::Partial
    );
    // The special value is found, not assumed away.
    let report = judge(&given(&suslov("A*w[1]^2 + B*w[2]^2 + C*w[3]^2")));
    let case = report.cases.first().expect("a case");
    assert!(case.then.contains("conditional"));
    let [a, b] = ["A", "B"].map(|n| Symbol::constant(n).with_sign(Sign::Positive));
    let equal = case.condition.substitute(&[(a, Expr::from(&b))]);
    assert!(prove_all_zero(&[equal]).is_proven(), "{}", case.condition);
}

#[test]
fn no_family_at_all() {
    let suslov = judge(&shipped("suslov"));
    assert_eq!(suslov.class, Class::None, "{:?}", suslov.claim);
    assert!(suslov.claim.is_proven());
}

/// A system, values of a state, and the dimension of the set of multipliers, if there are any.
type Row<'a> = (&'a str, &'a [(&'a str, i64, i64)], Option<usize>);

/// The sets of admissible initial multipliers (VE 4.2), decided exactly at one state.
#[test]
fn admissible_multipliers_at_states() {
    let table: &[Row] = &[
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 3, 2),
                ("phi'", 7, 10),
            ],
            Some(0),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 3, 2),
                ("phi'", 0, 1),
            ],
            Some(1),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 0, 1),
                ("phi'", 7, 10),
            ],
            Some(0),
        ),
        (
            DISK,
            &[
                ("theta", 3, 10),
                ("phi", 2, 5),
                ("theta'", 0, 1),
                ("phi'", 0, 1),
            ],
            Some(2),
        ),
        (PARTICLE, &[("x", 1, 2), ("x'", 4, 5), ("y'", 3, 5)], None),
        (
            PARTICLE,
            &[("x", 1, 2), ("x'", 4, 5), ("y'", 0, 1)],
            Some(0),
        ),
        (
            PARTICLE,
            &[("x", 1, 2), ("x'", 0, 1), ("y'", 3, 5)],
            Some(0),
        ),
        (
            HEISENBERG,
            &[("x", 1, 2), ("y", 1, 5), ("x'", 4, 5), ("y'", 3, 5)],
            Some(0),
        ),
        (
            CARRIAGE,
            &[("theta", 2, 5), ("psi1'", 3, 2), ("theta'", 7, 10)],
            Some(1),
        ),
        (
            CARRIAGE,
            &[("theta", 2, 5), ("psi1'", 3, 2), ("theta'", 0, 1)],
            Some(2),
        ),
        (
            SPHERE,
            &[
                ("theta", 1, 1),
                ("psi", 3, 10),
                ("phi", 1, 5),
                ("theta'", 1, 2),
                ("psi'", 7, 10),
                ("phi'", 2, 5),
            ],
            Some(0),
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 1, 2), ("theta'", 3, 10)],
            None,
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 1, 2), ("theta'", 0, 1)],
            Some(0),
        ),
        (
            KNIFE,
            &[("theta", 1, 5), ("x'", 0, 1), ("theta'", 3, 10)],
            Some(0),
        ),
    ];
    for (text, state, expected) in table {
        let g = given(text);
        let report = judge(&g);
        let point = frame_state(&g, &report, state);
        match (report.at(&point, Deadline::none()), expected) {
            (Outcome::Consistent(found), Some(dimension)) => {
                assert_eq!(found.dimension(), *dimension, "{} {state:?}", g.model.name);
            }
            (Outcome::Inconsistent { value, .. }, None) => assert!(value != 0.0),
            (other, _) => panic!("{} {state:?}: {other:?}", g.model.name),
        }
    }
}

/// A state in the frame's velocities from one in the coordinates' velocities; the parameters at
/// their values. The frames of these systems have one base velocity each.
fn frame_state(g: &Given, report: &Equivalence, state: &[(&str, i64, i64)]) -> Vec<(Symbol, Expr)> {
    let c = &report.comparison;
    let value = |name: &str| {
        let found = state.iter().find(|(n, ..)| *n == name);
        found.map_or_else(Expr::zero, |(_, n, d)| Expr::ratio(*n, *d))
    };
    let mut point: Vec<(Symbol, Expr)> = c
        .positions
        .iter()
        .map(|q| (q.clone(), value(q.name())))
        .collect();
    for p in &g.model.parameters {
        point.push((p.symbol.clone(), p.value.clone()));
    }
    for v in &c.velocities {
        let owner = (0..c.positions.len()).find(|&i| c.velocity[i] == Expr::from(v));
        let i = owner.unwrap_or_else(|| panic!("{v} is no coordinate velocity: {:?}", c.velocity));
        point.push((v.clone(), value(&c.positions[i].derivative().to_string())));
    }
    point
}

/// The sphere that rolls without spinning has a line of multipliers along its velocity.
#[test]
fn sphere_without_spin() {
    let g = given(SPHERE);
    let report = judge(&g);
    let mut point = frame_state(
        &g,
        &report,
        &[
            ("theta", 1, 1),
            ("psi", 3, 10),
            ("phi", 1, 5),
            ("theta'", 1, 2),
            ("psi'", 7, 10),
        ],
    );
    let c = &report.comparison;
    let i = c
        .positions
        .iter()
        .position(|q| q.name() == "phi")
        .expect("phi");
    let spin = c
        .velocities
        .iter()
        .find(|v| c.velocity[i] == Expr::from(*v))
        .expect("a velocity");
    for (s, e) in &mut point {
        if s == spin {
            *e = Expr::ratio(-7, 10) * Expr::one().cos();
        }
    }
    let Outcome::Consistent(found) = report.at(&point, Deadline::none()) else {
        panic!("not consistent");
    };
    assert_eq!(found.dimension(), 1);
    let d: Vec<f64> = found.directions[0]
        .iter()
        .map(|e| e.evaluate(&[]).expect("a number"))
        .collect();
    assert!(close(
        d[1] / d[0],
        0.607055423125293 / 0.477953646505832,
        1e-12
    ));
}

/// Static facts of the disk (VE 4.3, P-T1 to P-T6): the Lagrangian without multipliers.
#[test]
fn the_disk_without_multipliers() {
    let g = given(DISK);
    let free = judge(&g)
        .multiplier_free
        .expect("an abelian Chaplygin system");
    let s = |n: &str| Symbol::variable(n);
    let mut at: Vec<(Symbol, f64)> = g
        .model
        .parameters
        .iter()
        .zip([2.0, 0.5, 0.25, 0.125])
        .map(|(p, v)| (p.symbol.clone(), v))
        .collect();
    at.extend([
        (s("phi"), 0.4),
        (s("theta"), 0.0),
        (s("x"), 0.0),
        (s("y"), 0.0),
    ]);
    let velocities = [("theta", 3.0), ("phi", 4.0), ("x", 1.0), ("y", 2.0)];
    at.extend(velocities.map(|(n, v)| (s(n).derivative(), v)));
    let expected = [2.44989767862019, 0.5, 0.763182982008655, -2.83174497307405];
    for ((n, _), p) in velocities.iter().zip(expected) {
        let momentum = free.lagrangian.diff(&s(n).derivative());
        assert!(
            close(momentum.evaluate(&at).expect("a number"), p, 1e-13),
            "p_{n}"
        );
    }
    assert!(close(
        free.lagrangian.evaluate(&at).expect("a number"),
        2.22469303586056,
        1e-13
    ));
    let determinant = free.determinant.expect("a determinant");
    assert!(close(
        determinant.evaluate(&at).expect("a number"),
        0.375,
        1e-13
    ));
    let h = free.hamiltonian.expect("a Hamiltonian");
    let momenta = |p: [f64; 4]| -> Vec<(Symbol, f64)> {
        let names = ["p_theta", "p_phi", "p_x", "p_y"];
        at.iter()
            .cloned()
            .chain(names.map(s).into_iter().zip(p))
            .collect()
    };
    let value = h
        .evaluate(&momenta([0.7, 0.5, 0.2, -0.3]))
        .expect("a number");
    assert!(close(value, 1.32637061931912, 1e-13));
    let x_rate = h
        .diff(&s("p_x"))
        .evaluate(&momenta([0.7, 0.5, 0.0, 0.0]))
        .expect("a number");
    assert!(close(x_rate, 0.429828463868013, 1e-13));
}

/// Trajectories of VE 4.1 with the multipliers of the report: they coincide where the report says so.
#[test]
fn trajectories_agree_where_the_report_says_so() {
    let start = "start theta = 3/10, phi = 2/5, x = 1/10, y = -1/5, theta' = 3/2, phi' = 7/10, ";
    let run = |mu: &str, form: Form| {
        let g = given(&format!("{DISK}{start}{mu}\n"));
        common::simulate(&g, form, 2.0, 400)
    };
    let mu = "mu1 = 2*1/2*3/2*cos(2/5), mu2 = 2*1/2*3/2*sin(2/5)";
    let nonholonomic = run(mu, Form::LagrangeDAlembert);
    let vakonomic = run(mu, Form::Vakonomic);
    let off = run("mu1 = 0, mu2 = 0", Form::Vakonomic);
    for (name, expected) in [
        ("theta", 3.3),
        ("x", 0.726174237753084),
        ("y", 1.03028188074568),
    ] {
        assert!(close(common::value(&nonholonomic, name), expected, 1e-9));
        assert!(close(common::value(&vakonomic, name), expected, 1e-9));
    }
    assert!(close(common::value(&off, "theta"), 1.53770857016405, 1e-8));
}

/// Renormalised constraints, scaled Lagrangians and added squares of constraints change no verdict
/// (VE-C29).
#[test]
fn verdicts_do_not_see_the_way_of_writing() {
    let pairs = [
        (
            PARTICLE.to_string(),
            PARTICLE.replace(
                "constraint z' = -x*y'",
                "constraint (2 + sin(x*y))*(z' + x*y') = 0",
            ),
        ),
        (
            DISK.to_string(),
            DISK.replace(
                "constraint y' = R*sin(phi)*theta'",
                "constraint x' + 3*y' = R*(cos(phi) + 3*sin(phi))*theta'",
            ),
        ),
        (
            HEISENBERG.to_string(),
            HEISENBERG.replace("z'^2)", "z'^2 + 5*(z' - y*x' + x*y')^2)"),
        ),
        (
            KNIFE.to_string(),
            KNIFE.replace("m/2*", "7*m/2*").replace("J/2", "7*J/2"),
        ),
    ];
    for (a, b) in pairs {
        assert_eq!(class(&a).0, class(&b).0, "{b}");
    }
}

/// On random systems the exact decision at a state agrees with least squares along the motion.
#[test]
fn exact_and_numerical_decisions_agree() {
    let mut numbers = Numbers::new(3);
    let mut integer = || (3.9 * numbers.next()) as i64;
    for round in 0..6 {
        let (a, b, c, d, e) = match round {
            0 => (0, 0, 0, 1, 2), // a closed form
            _ => (integer(), integer(), integer(), integer(), integer()),
        };
        let text = format!(
            "system random\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             potential {d}*x*y/5 + {e}*(x^2 + y^2)/7\nconstraint z' = ({a}*y + {b}*x*y)*x' + ({c}*x + 1)*y'\n\
             start x = 0.3, y = 0.4, x' = 0.7, y' = -0.5\n"
        );
        let g = given(&text);
        let report = judge(&g);
        let state = [("x", 3, 10), ("y", 4, 10), ("x'", 7, 10), ("y'", -5, 10)];
        let point = frame_state(&g, &report, &state);
        let exact = matches!(report.at(&point, Deadline::none()), Outcome::Consistent(_));
        assert_eq!(exact, spread(&g, &report) < 1e-7, "round {round}: {text}");
    }
}

/// With one constraint: how far μ is from zero where it has to vanish, minimised over μ(0).
fn spread(g: &Given, report: &Equivalence) -> f64 {
    let c = &report.comparison;
    let names = [c.positions.clone(), c.velocities.clone()].concat();
    let size: Expr = c.turning.column(0).iter().map(|e| e.powi(2)).sum::<Expr>();
    let outputs = [
        c.rates.clone(),
        vec![c.reactions[0].clone(), c.transport[(0, 0)].clone(), size],
    ]
    .concat();
    let tape = Tape::new(&names, &outputs).expect("a tape");
    let start = rattleback_compile::StartState::of(&g.model, &g.system).expect("a start");
    let equations = g.system.equations(Form::Hamel).expect("equations");
    let n = c.rates.len();
    let mut x = start.state_of(&equations).expect("a state");
    x.extend([0.0, 1.0]);
    // State, then the particular and the homogeneous solution of μ' = λ − N μ.
    let rates = |x: &[f64]| {
        let out = tape.evaluate(&x[..n]);
        let mut all = out[..n].to_vec();
        all.push(out[n] - out[n + 1] * x[n]);
        all.push(-out[n + 1] * x[n + 1]);
        all
    };
    let (mut pp, mut ph, mut hh) = (0.0, 0.0, 0.0);
    for _ in 0..40 {
        x = rk4(&rates, &x, 0.05, 10);
        let weight = tape.evaluate(&x[..n])[n + 2];
        pp += weight * x[n] * x[n];
        ph += weight * x[n] * x[n + 1];
        hh += weight * x[n + 1] * x[n + 1];
    }
    match hh > 0.0 {
        true => (pp - ph * ph / hh).max(0.0).sqrt(),
        false => 0.0,
    }
}

/// Every shipped constrained model gets an answer whose evidence holds in numbers.
#[test]
fn shipped_models_are_judged() {
    let expected = [
        ("chaplygin_sleigh", Class::Partial),
        ("knife_edge", Class::Partial),
        ("vertical_rolling_disk", Class::Conditional),
        ("mobile_robot", Class::Conditional),
        ("two_wheeled_carriage", Class::Conditional),
        ("heisenberg_particle", Class::Conditional),
        ("nonholonomic_particle", Class::Partial),
        ("so3_toy", Class::Conditional),
        ("snakeboard", Class::Partial),
        ("rotating_rod", Class::Conditional),
    ];
    for (name, class) in expected {
        let g = shipped(name);
        let report = judge(&g);
        verify(&g, &report);
        assert_eq!(report.class, class, "{name}: {:?}", report.claim);
    }
}

/// Product systems: classes join, admissible sets multiply (VE-C15 R6, C29.13). A gyro-free factor and a
/// reaction-free one give a system that is neither.
#[test]
fn products_of_systems() {
    let disk = DISK.replace("m/2*(x'^2", "(a'^2 + b'^2 + c'^2)/2 + m/2*(x'^2");
    let heisenberg = format!("{disk}coord a, b, c\nconstraint c' = b*a' - a*b'\n");
    assert_eq!(class(&heisenberg), (Class::Conditional, Some(Kind::Mixed)));
    let particle = format!("{disk}coord a, b, c\nconstraint c' = -a*b'\n");
    assert_eq!(class(&particle).0, Class::Partial);
}

/// Affine constraints: a plate that turns under a knife edge is compared as well.
#[test]
fn affine_constraints() {
    let text = "system wind\nparam u = 1\nassume u > 0\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = u + y*x'\n";
    let g = given(text);
    let report = judge(&g);
    verify(&g, &report);
    assert_eq!(report.class, Class::Partial, "{:?}", report.claim);
    let closed = judge(&given(
        "system moving\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = x' + 3\n",
    ));
    assert_eq!(closed.class, Class::Conditional);
}

/// μ_a = p_a + C_a along every vakonomic motion of an abelian Chaplygin system (VE-C13).
#[test]
fn charges_are_constant_along_vakonomic_motion() {
    for text in [DISK, PARTICLE, KNIFE, CARRIAGE] {
        let m = text.matches("constraint").count();
        let mu: Vec<String> = (1..=m).map(|s| format!("mu{s} = 0.{s}")).collect();
        let first = text.split("coord ").nth(1).expect("coordinates");
        let names: Vec<&str> = first.lines().next().expect("a line").split(", ").collect();
        let start = format!(
            "start {} = 0.3, {} = 0.2, {}' = 0.7, {}' = 0.4, ",
            names[0], names[1], names[0], names[1]
        );
        let g = given(&format!("{text}{start}{}\n", mu.join(", ")));
        let charges = judge(&g).charges;
        assert!(charges.len() >= m, "{text}");
        let at = |time: f64, steps: usize| -> Vec<f64> {
            let mut values = common::simulate(&g, Form::Vakonomic, time, steps);
            let start = rattleback_compile::StartState::of(&g.model, &g.system).expect("a start");
            values.extend(
                start
                    .constants
                    .iter()
                    .cloned()
                    .zip(start.constant_values.clone()),
            );
            charges
                .iter()
                .map(|c| c.value.evaluate(&values).expect("a number"))
                .collect()
        };
        for (a, b) in at(1e-9, 1).iter().zip(at(1.0, 400)) {
            assert!(close(*a, b, 1e-8), "{text}: {a} {b}");
        }
    }
}

/// The bracket on the base is Poisson exactly where Λ vanishes; for three degrees of freedom Λ may be
/// there and do nothing (VE-C21).
#[test]
fn constrained_hamilton_equations() {
    let of = |text: &str| {
        judge(&given(text))
            .constrained_hamilton
            .expect("a Chaplygin system")
    };
    let disk = of(DISK);
    assert!(disk.poisson.is_proven() && disk.gauge.is_proven());
    let particle = of(PARTICLE);
    assert!(particle.poisson.is_refuted() && particle.gauge.is_refuted());
    // A body whose angular velocity drives a point: Λ is totally antisymmetric.
    let toy = "system toy\nparam I = 2, m = 3\nassume I > 0, m > 0\ncoord theta, phi, psi, a, b, c\n\
        let w1 = psi'*sin(theta)*sin(phi) + theta'*cos(phi)\nlet w2 = psi'*sin(theta)*cos(phi) - theta'*sin(phi)\n\
        let w3 = psi'*cos(theta) + phi'\nkinetic I/2*(w1^2 + w2^2 + w3^2) + m/2*(a'^2 + b'^2 + c'^2)\n\
        constraint a' = w1\nconstraint b' = w2\nconstraint c' = w3\n";
    let toy = of(toy);
    assert!(toy.poisson.is_refuted(), "{:?}", toy.poisson);
    assert!(toy.gauge.is_proven(), "{:?}", toy.gauge);
}
