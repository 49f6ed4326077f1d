//! Models that are driven: laws, tables and constants feed controls; auxiliary states and maps move on their own.

use crate::common::following::Case;
use crate::common::random::{Seeds, Shape};
use crate::common::{folder, rattleback, shipped, written};
use proptest::prelude::*;
use rattleback::integrate::methods;
use rattleback::mechanics::Form;
use rattleback::simulation::{Method, Options};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
        "{found} instead of {expected}"
    );
}

/// The result of `simulate --json` for a model of this text.
#[track_caller]
fn simulated(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    let arguments = ["simulate", &model, "--json"];
    let all = arguments.iter().chain(more);
    rattleback(all).exits(0).json()
}

const SPRING: &str = "system spring\nparam k = 4, a = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n\
                      control u on x\nstart x = 1\ntime 0 .. 2 step 0.1\n";

fn shape() -> impl Strategy<Value = Shape> {
    let group = prop::option::of(0usize..5);
    (2usize..4, 0usize..2, group).prop_map(|(coordinates, constraints, group)| Shape {
        coordinates,
        constraints,
        group,
        affine: false,
        turning: false,
        symmetric: false,
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(12))]

    /// A law in `input` is the same term in `force`, in every form that applies.
    #[test]
    fn a_law_is_a_force(seeds in prop::collection::vec(0u32..1_000_000, 24), shape in shape()) {
        let text = Seeds::new(seeds).model(shape);
        let first = text.lines().find_map(|line| line.strip_prefix("coord "));
        let first = first.and_then(|names| names.split([',', ' ']).next()).unwrap();
        let law = format!("sin(2*t) - {first}'/3 + {first}/2");
        let force = Case::text(&format!("{text}\nforce ({first}: {law})\n"));
        let fed = Case::text(&format!("{text}\ncontrol push on {first}\ninput push = {law}\n"));
        let options = Options { until: Some(0.5), ..Options::default() };
        let mut forms = 0;
        for form in [Form::EulerLagrange, Form::LagrangePoincare, Form::LagrangeDAlembert, Form::Hamel, Form::Hamiltonian] {
            let (Ok(one), Ok(two)) = (force.system.equations(form), fed.system.equations(form)) else {
                continue;
            };
            forms += 1;
            let one = force.attempt(&one, &options, &[]).map_err(TestCaseError::fail)?;
            let two = fed.attempt(&two, &options, &[]).map_err(TestCaseError::fail)?;
            for s in one.motion.state.iter() {
                let (a, b) = (one.at(&s.to_string()), two.at(&s.to_string()));
                prop_assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{form}: {s} is {a} or {b} in\n{text}");
            }
            prop_assert!(two.outcome.energy_error.is_some_and(|e| e < 1e-8), "{form}: off the balance in\n{text}");
        }
        prop_assert!(forms >= 2, "few forms apply to\n{text}");
    }
}

#[test]
fn what_is_fed_is_recorded_and_observed() {
    let text = format!("{SPRING}input u = a*cos(t) - x'/2\nobserve power = u*x'\n");
    let found = simulated("fed", &text, &["--until", "1"]);
    let (u, v) = (
        number(&found["controls"]["u"]),
        number(&found["final"]["x'"]),
    );
    close(u, 1f64.cos() - v / 2.0, 1e-14);
    close(number(&found["observed"]["power"]), u * v, 1e-14);
    assert!(
        found["notes"].as_array().unwrap().is_empty(),
        "{}",
        found["notes"]
    );
    let table = folder("fed_table").join("rows.csv").display().to_string();
    let model = written("fed_again", &text);
    rattleback(["simulate", &model, "-o", &table]).exits(0);
    let rows = std::fs::read_to_string(&table).unwrap();
    let header = rows.lines().find(|line| line.starts_with("t,")).unwrap();
    assert!(header.split(',').any(|name| name == "u"), "{header}");
}

#[test]
fn a_control_without_input_is_zero_and_told() {
    let found = simulated("unfed", SPRING, &[]);
    let notes = found["notes"].to_string();
    assert!(notes.contains("control u has no input and is 0"), "{notes}");
    close(number(&found["final"]["x"]), 4f64.cos(), 1e-8);
    // x'' = −4x + 1.2 about 0.3.
    let pushed = simulated("constant", SPRING, &["--set", "u=1.2"]);
    assert!(pushed["notes"].as_array().unwrap().is_empty());
    close(number(&pushed["final"]["x"]), 0.3 + 0.7 * 4f64.cos(), 1e-8);
    close(number(&pushed["controls"]["u"]), 1.2, 0.0);
    let said = rattleback(["check", &written("said", SPRING)]).exits(0).out;
    assert!(said.contains("u = 0 (no input)"), "{said}");
}

#[test]
fn controls_work() {
    let case = Case::text(&format!("{SPRING}input u = 3*sin(2*t) - x'/4\n"));
    for form in [Form::EulerLagrange, Form::Hamiltonian, Form::Hamel] {
        let equations = case.equations(form);
        for method in [
            Method::TAYLOR,
            Method::DOP853,
            Method::RADAU5,
            Method::Field(methods::GAUSS_6),
            Method::Field(methods::RK4),
        ] {
            let options = Options {
                method: Some(method),
                step: Some(0.01),
                ..Options::default()
            };
            let end = case.follow_with(&equations, &options, &[]);
            assert!(end.outcome.energy_change.unwrap() > 0.5, "{form} {method}");
            assert!(end.outcome.energy_error.unwrap() < 1e-7, "{form} {method}");
        }
    }
}

#[test]
fn members_differ_in_laws_controls_and_free_numbers() {
    let text = "system s\nparam a = 1\nfree b = 2\ncoord x\nkinetic x'^2/2\ncontrol u, w on x\n\
                input u = a*t + b\nstart x = 0\ntime 0 .. 1\n";
    let text = text.replace("control u, w on x", "control u on x\ncontrol w on x");
    let model = written("members", &text);
    let ends = folder("members_table")
        .join("ends.csv")
        .display()
        .to_string();
    rattleback([
        "ensemble", &model, "--vary", "a=0,3", "--vary", "b=1,2", "--vary", "w=-1,5", "-o", &ends,
    ])
    .exits(0);
    let rows = std::fs::read_to_string(&ends).unwrap();
    let mut lines = rows.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let mut members = 0;
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
        let (a, b, w) = (cells[1], cells[2], cells[3]);
        close(cells[column("x")], a / 6.0 + b / 2.0 + w / 2.0, 1e-9);
        members += 1;
    }
    assert_eq!(members, 8);
    rattleback(["ensemble", &model, "--vary", "u=0,1"])
        .exits(2)
        .says(&["vary a parameter of that law"]);
}

/// x'' = f with f' = (u − f)/τ: the force lags behind what is asked for.
const LAG: &str = "system lag\nparam tau = 1/2\ncoord x\nstate f\ncontrol u\nkinetic x'^2/2\nforce (x: f)\n\
                   rate f' = (u - f)/tau\ninput u = 1\nobserve jerk = f'\nstart f = 0\ntime 0 .. 2 step 0.1\n";

#[test]
fn auxiliary_states_move_with_every_form() {
    let case = Case::text(LAG);
    let tau: f64 = 0.5;
    let lag = (-2.0 / tau).exp();
    for form in [
        Form::EulerLagrange,
        Form::Newton,
        Form::Hamel,
        Form::Hamiltonian,
        Form::AlmostPoisson,
        Form::HamiltonDAlembert,
    ] {
        let equations = case.equations(form);
        let end = case.follow_with(&equations, &Options::default(), &[]);
        close(end.at("f"), 1.0 - lag, 1e-9);
        // x' = t − τ (1 − e^(−t/τ)).
        close(end.at("x'"), 2.0 - tau * (1.0 - lag), 1e-8);
        close(end.at("jerk"), lag / tau, 1e-8);
        assert!(end.outcome.energy_error.is_some_and(|e| e < 1e-9), "{form}");
    }
    let sheet = rattleback(["derive", &written("lag", LAG), "--json"])
        .exits(0)
        .json();
    let state: Vec<&str> = sheet["state"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(state, ["x", "x'", "f"]);
    close(number(&sheet["at_start"]["rates"]["f"]), 2.0, 1e-15);
}

#[test]
fn the_rate_of_a_state_may_stand_in_the_lagrangian() {
    // p = x' + z', z' = a x + b x': (1 + b) x'' = −a x'.
    let text = "system s\nparam a = 2, b = 3\ncoord x\nstate z\nlagrangian x'^2/2 + z'*x'\nrate z' = a*x + b*x'\n\
                start x' = 1\ntime 0 .. 1\n";
    let case = Case::text(text);
    for form in [Form::EulerLagrange, Form::Hamel, Form::Hamiltonian] {
        let end = case.follow_with(&case.equations(form), &Options::default(), &[]);
        close(end.at("x'"), (-0.5f64).exp(), 1e-9);
    }
    // A mass that burns: for the variation a given function of time.
    let rocket = "system rocket\nparam c = 1/5\ncoord x\nstate m\nkinetic m*x'^2/2\nrate m' = -c\nstart x' = 1, m = 1\n\
                  time 0 .. 2\n";
    let case = Case::text(rocket);
    for form in [
        Form::EulerLagrange,
        Form::Hamel,
        Form::Hamiltonian,
        Form::HamiltonDAlembert,
    ] {
        let end = case.follow_with(&case.equations(form), &Options::default(), &[]);
        // d(m x')/dt = 0.
        close(end.at("x'"), 1.0 / 0.6, 1e-9);
        assert!(end.outcome.energy_error.is_some_and(|e| e < 1e-9), "{form}");
    }
}

#[test]
fn states_alone_are_kinematics() {
    let text = "system circle\nparam r = 2\nstate x, y, theta\nrate x' = r*cos(theta), y' = r*sin(theta), theta' = 1\n\
                start theta = 0\ntime 0 .. 3 step 0.1\n";
    let model = written("circle", text);
    let found = rattleback(["simulate", &model, "--json"]).exits(0).json();
    close(number(&found["final"]["x"]), 2.0 * 3f64.sin(), 1e-8);
    close(number(&found["final"]["y"]), 2.0 * (1.0 - 3f64.cos()), 1e-8);
    let sheet = rattleback(["derive", &model]).exits(0).out;
    assert!(
        sheet.contains("r*cos(θ)") && !sheet.contains("Energy"),
        "{sheet}"
    );
    rattleback(["derive", &model, "--form", "hamel"])
        .exits(2)
        .says(&["needs a Lagrangian"]);
    rattleback(["simulate", &model, "--method", "verlet"]).exits(2);
    rattleback(["analyze", &model])
        .exits(2)
        .says(&["needs a Lagrangian"]);
    rattleback(["check", &model]).exits(0);
    rattleback(["ensemble", &model, "--vary", "r=1:2:3"]).exits(0);
    let source = rattleback(["export", &model, "--to", "python"])
        .exits(0)
        .out;
    assert!(source.contains("def rates"), "{source}");
}

#[test]
fn maps_are_iterated_node_by_node() {
    let text = "system turn\nparam h = 1/5\nstate x, v\ncontrol u\n\
                map next(x) = cos(h)*x + sin(h)*v, next(v) = cos(h)*v - sin(h)*x + u\nstart x = 1\ntime 0 .. 15 step 1\n";
    let model = written("turn", text);
    let table = folder("turn_table").join("rows.csv").display().to_string();
    let found = rattleback(["simulate", &model, "--json", "-o", &table])
        .exits(0)
        .json();
    close(number(&found["final"]["x"]), 3f64.cos(), 1e-13);
    assert_eq!(found["steps"], 15);
    let rows = std::fs::read_to_string(&table).unwrap();
    assert_eq!(
        rows.lines().filter(|line| !line.starts_with('#')).count(),
        1 + 16
    );
    let pushed = rattleback(["simulate", &model, "--json", "--set", "u=1", "--until", "1"])
        .exits(0)
        .json();
    close(number(&pushed["final"]["v"]), 1.0 - 0.2f64.sin(), 1e-15);
    rattleback(["simulate", &model, "--method", "rk4"])
        .exits(2)
        .says(&["from node to node"]);
    rattleback(["derive", &model, "--form", "euler-lagrange"]).exits(2);
    let members = rattleback(["ensemble", &model, "--vary", "u=0,1", "--json"])
        .exits(0)
        .json();
    assert_eq!(members["members"], 2, "{members}");
    let source = rattleback(["export", &model, "--to", "c"]).exits(0).out;
    assert!(source.contains("turn_next"), "{source}");
}

#[test]
fn discrete_lagrangians_have_no_continuous_motion() {
    let text = "system d\ncoord x\nlagrangian (next(x) - x)^2/2 - x^2/20\nstart x = 1\n";
    let model = written("discrete_lagrangian", text);
    for command in [
        &["derive", "--form", "euler-lagrange"][..],
        &["analyze"],
        &["linearize"],
        &["compare"],
    ] {
        let all = [&command[..1], &[model.as_str()], &command[1..]].concat();
        rattleback(all)
            .exits(2)
            .says(&["discrete Lagrangian", "rattleback discrete"]);
    }
}

#[test]
fn positions_left_out_are_assembled() {
    let text = "system rod\nparam l = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = l^2\n\
                start x = 0.6, x' = 0.4\ntime 0 .. 0.1\n";
    let start = |more: &str, set: &[&str]| {
        let model = written("assembled", format!("{text}{more}"));
        let all = ["derive", &model, "--json"];
        rattleback(all.iter().chain(set)).exits(0).json()["at_start"]["state"].clone()
    };
    let found = start("", &[]);
    close(number(&found["y"]), 0.8, 1e-10);
    close(number(&found["y'"]), -0.3, 1e-10);
    let below = start("start y ~ -1\n", &[]);
    close(number(&below["y"]), -0.8, 1e-10);
    let longer = start("start y ~ 1\n", &["--set", "l=3"]);
    close(number(&longer["y"]), (9f64 - 0.36).sqrt(), 1e-9);
    let model = written("assembled_note", text);
    let note = rattleback(["simulate", &model, "--json"]).exits(0).json()["notes"].to_string();
    assert!(note.contains("y = 0.8"), "{note}");
    // Each member is assembled by itself.
    let ends = folder("assembled_members")
        .join("ends.csv")
        .display()
        .to_string();
    rattleback([
        "ensemble", &model, "--vary", "l=1,2", "--set", "x'=0", "--until", "0.001", "-o", &ends,
    ])
    .exits(0);
    let rows = std::fs::read_to_string(&ends).unwrap();
    let mut lines = rows.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let y = names.iter().position(|n| *n == "y").unwrap();
    let found: Vec<f64> = lines
        .map(|l| l.split(',').nth(y).unwrap().parse().unwrap())
        .collect();
    close(found[0], 0.8, 1e-8);
    close(found[1], (4f64 - 0.36).sqrt(), 1e-8);
    // What cannot be is told by how much.
    let beyond = written("assembled_beyond", text.replace("x = 0.6", "x = 2"));
    rattleback(["simulate", &beyond])
        .exits(2)
        .says(&["breaks this constraint by 3"]);
}

#[test]
fn approximate_values_change_least() {
    // Both are guesses: the nearest point of the circle.
    let text = "system rod\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = 25\nstart x ~ 6, y ~ 8\n";
    let case = Case::text(text);
    let found = case.start.assembled();
    close(found[0].1, 3.0, 1e-9);
    close(found[1].1, 4.0, 1e-9);
}

#[test]
fn shipped_driven_models_do_what_they_say() {
    let run = |name: &str| {
        rattleback(["simulate", &shipped(name), "--json"])
            .exits(0)
            .json()
    };
    let hover = run("planar_quadrotor");
    assert!(number(&hover["observed"]["off"]) < 1e-2, "{hover}");
    let pendulum = run("driven_pendulum");
    assert!(number(&pendulum["max_energy_error"]) < 1e-6, "{pendulum}");
    assert!(number(&pendulum["energy_change"]) > 1.0, "{pendulum}");
    let sampled = run("sampled_oscillator");
    assert!(number(&sampled["observed"]["energy2"]) < 1e-2, "{sampled}");
    let car = run("kinematic_car");
    assert!(number(&car["final"]["x"]) > 1.0, "{car}");
}

/// What forces determine cannot be part of a force; of a Lagrangian with accelerations it may be.
#[test]
fn forces_do_not_depend_on_the_accelerations_that_they_give() {
    for line in ["force (x: -x''/2)", "control w on (x: 1 + x'')"] {
        let model = written("accelerated", format!("{SPRING}{line}\n"));
        for command in ["check", "derive", "simulate"] {
            let run = rattleback([command, &model]).exits(2);
            assert!(
                run.err.contains("x''") && run.err.contains(":9:"),
                "{}",
                run.err
            );
        }
    }
    let body = "system body\ngroup R : SO(3) velocity w\nkinetic norm2(w)/2\nforce (w[1]: w[2]')\n";
    rattleback(["check", &written("accelerated_body", body)]).exits(2);
    let beam = "system beam\ncoord x\nlagrangian x''^2/2\nforce (x: -x'')\n";
    rattleback(["derive", &written("accelerated_beam", beam)]).exits(0);
}
