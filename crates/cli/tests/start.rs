//! Start states that cannot be are refused with their place.

use crate::common::{folder, rattleback, written};
use serde_json::Value;

#[track_caller]
fn refused(name: &str, text: &str, extra: &[&str], says: &[&str]) {
    let path = written(name, text);
    let arguments = ["check", path.as_str()]
        .into_iter()
        .chain(extra.iter().copied());
    rattleback(arguments).exits(2).says(says);
}

#[test]
fn velocities_must_respect_position_constraints() {
    let text = "system circle\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = 1\nstart x = 1, x' = 1\n";
    refused(
        "circle",
        text,
        &[],
        &["breaks this constraint by 2", "4:12"],
    );
}

#[test]
fn elements_must_lie_on_their_group() {
    let text = "system body\ngroup R : SO(3) velocity w\nkinetic norm2(w)/2\nstart R = [[0,1,0],[1,0,0],[0,0,1]]\n";
    refused("reflected", text, &[], &["no element of its group", "4:7"]);
    let set = ["--set", "R=[[1,0,0],[0,1,0],[0,0,2]]"];
    refused(
        "stretched",
        text,
        &set,
        &["no element of its group", "--set"],
    );
}

#[test]
fn position_constraints_must_not_contradict() {
    let text = "system parallel\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint x = y\nconstraint x = y + 1\n";
    refused("parallel", text, &[], &["contradicts", "5:12"]);
}

#[test]
fn multipliers_must_exist() {
    let text =
        "system line\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = y*y'\nstart mu2 = 1\n";
    refused("multiplier", text, &[], &["no multiplier `mu2`"]);
}

#[test]
fn a_moving_form_is_not_called_holonomic() {
    let text = "system moving\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = t*x'\n";
    let run = rattleback(["check", &written("moving", text)]).exits(0);
    assert!(!run.err.contains("holonomic"), "{}", run.err);
}

/// Where a position is off, velocities are no help; and lines of help are short enough for a terminal.
#[test]
fn the_help_is_about_what_is_off() {
    let circle = "system circle\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = 1\n";
    let position = written("off_position", format!("{circle}start x = 2\n"));
    let run = rattleback(["check", &position])
        .exits(2)
        .says(&["breaks this constraint by 3", "Help: give start positions"]);
    assert!(!run.err.contains("velocities"), "{}", run.err);
    let velocity = written("off_velocity", format!("{circle}start x = 1, x' = 1\n"));
    let other = rattleback(["check", &velocity])
        .exits(2)
        .says(&["Help: leave out start velocities"]);
    for line in run.err.lines().chain(other.err.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

/// The coefficient of this product is 1/320! and its factors grow beyond all numbers; the product is small.
#[test]
fn a_finite_state_is_finite_whatever_its_constants() {
    let factors: Vec<String> = (1..=320).map(|k| format!("(1 + x/{k})")).collect();
    let tenths: Vec<String> = (1..=320).map(|k| format!("(y/10 + {k}/100)")).collect();
    let text = format!(
        "system product\nparam y = 8.4\ncoord x\nlagrangian x'^2/2 + ({})*x\nobserve C = 2^-500*({})\n\
         start x = 0.01\ntime 0 .. 0.25 step 0.05\n",
        factors.join("*"),
        tenths.join("*"),
    );
    let path = written("product", text);
    let run = rattleback(["simulate", &path, "--json"]).exits(0).json();
    let found = run["final"]["x"].as_f64().unwrap();
    let exact: f64 = (1..=320)
        .map(|k| (0.84 + f64::from(k) / 100.0) / 2f64.powf(500.0 / 320.0))
        .product();
    let constant = run["observed"]["C"].as_f64().unwrap();
    assert!(
        (constant / exact - 1.0).abs() < 1e-11,
        "{constant}, not {exact}"
    );
    // x'' = (x P)' = P (1 + x Σ 1/(k + x)) with P = Π (1 + x/k).
    let force = |x: f64| -> f64 {
        let (product, sum) = (1..=320).map(f64::from).fold((1.0, 0.0), |(p, s), k| {
            (p * (1.0 + x / k), s + 1.0 / (k + x))
        });
        product * (1.0 + x * sum)
    };
    // Verlet's steps, which are of second order.
    let (mut x, mut v, steps) = (0.01, 0.0, 100_000);
    let h = 0.25 / f64::from(steps);
    for _ in 0..steps {
        v += h / 2.0 * force(x);
        x += h * v;
        v += h / 2.0 * force(x);
    }
    assert!((found / x - 1.0).abs() < 1e-7, "{found} for {x}");
    rattleback(["derive", &path]).exits(0);
}

/// Parts of these are beyond all numbers, the values are not.
#[test]
fn constants_are_worked_out_whatever_their_parts() {
    let cases = [
        ("exp(800)*exp(-800)", 1.0),
        ("log(10^400)/1000", 0.4 * 10f64.ln()),
        ("atan2(2*10^400, 10^400)", 2f64.atan()),
        ("atan2(10^-400, 3*10^-400)", (1.0 / 3.0f64).atan()),
        ("exp(900)/cosh(900)", 2.0),
        ("(a^2 + b^2)/(a*b)", 10.0 / 3.0),
        ("sqrt(a^2 + b^2)/a", 10f64.sqrt()),
    ];
    for (i, (value, expected)) in cases.into_iter().enumerate() {
        let text = format!(
            "system s\nparam a = 1e200, b = 3e200\ncoord x\nkinetic x'^2/2\npotential ({value})*x\n\
             start x = {value}\ntime 0 .. 1\n"
        );
        let path = written(&format!("constant{i}"), text);
        let run = rattleback(["simulate", &path, "--json"]).exits(0).json();
        let x = run["final"]["x"].as_f64().unwrap();
        let expected = expected - expected / 2.0;
        assert!((x - expected).abs() < 1e-9, "{value}: {x}, not {expected}");
    }
}

#[test]
fn statements_that_a_motion_does_not_use_are_named() {
    let text = "system s\ncoord x\nlagrangian x'^2/2 - x^2/2\ncontrol u on x\ncost u^2\n\
                bound -1 <= u <= 1\nstart x = 1\ngoal x = 0\ntime 0 .. 1 step 0.1\n";
    let path = written("unused", text);
    for (command, more) in [
        ("simulate", &[][..]),
        ("compare", &["--with", "hamiltonian"]),
        ("ensemble", &["--vary", "x=1,2"]),
    ] {
        let line = [&[command, path.as_str()], more].concat();
        let note = format!("statements that `{command}` does not use: cost, goal, bound");
        let run = rattleback(&line).exits(0);
        assert!(run.out.contains(&format!("note: {note}")), "{}", run.out);
        let json = rattleback([&line[..], &["--json"]].concat())
            .exits(0)
            .json();
        assert_eq!(json["notes"][0], note.as_str());
    }
}

/// The name of a field of the declared frame sets the velocity along it; the others stay.
#[test]
fn velocities_along_a_declared_frame_can_be_set() {
    let text = "system knife\ncoord x, y\ncoord phi : angle\nkinetic (x'^2 + y'^2 + phi'^2)/2\nconstraint sin(phi)*x' = cos(phi)*y'\n\
        frame forward = (x: cos(phi), y: sin(phi))\nframe pivot = (phi: 1)\nobserve speed = forward\n\
        start phi = pi/6, phi' = 3/2\ntime 0 .. 1 step 0.1\n";
    let model = written("start_frame", text);
    let at_start = |sets: &[&str]| {
        let mut arguments = vec!["derive", &model, "--json"];
        sets.iter().for_each(|s| arguments.extend(["--set", s]));
        rattleback(arguments).exits(0).json()["at_start"]["state"].clone()
    };
    let close = |found: &Value, expected: f64| {
        let found = found.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    };
    let state = at_start(&["forward=2"]);
    close(&state["x'"], 3.0_f64.sqrt());
    close(&state["y'"], 1.0);
    close(&state["phi'"], 1.5);
    // Positions are set first, whatever the order.
    for sets in [
        ["phi=0", "forward=2", "pivot=1/2"],
        ["pivot=1/2", "forward=2", "phi=0"],
    ] {
        let state = at_start(&sets);
        close(&state["x'"], 2.0);
        close(&state["y'"], 0.0);
        close(&state["phi'"], 0.5);
    }
    let motion = ["simulate", &model, "--set", "forward=2", "--json"];
    let motion = rattleback(motion).exits(0).json();
    close(&motion["observed"]["speed"], 2.0);
    rattleback(["simulate", &model, "--set", "sideways=2"])
        .exits(2)
        .says(&["sideways"]);
}

/// Members of an ensemble are assembled as `--set` assembles them, also where the model's own start needs none.
#[test]
fn members_are_assembled_where_the_start_needs_it_not() {
    let text = "system bob\nparam g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint x^2 + (y + 1)^2 = 1\n\
        start x = 0\ntime 0 .. 1 step 0.1\n";
    let model = written("start_members", text);
    let folder = folder("start_members_out");
    let table = folder.join("cloud.csv").display().to_string();
    let vary = ["ensemble", &model, "--vary", "x=0.1,0.3,0.6", "-o", &table];
    rattleback(vary).exits(0);
    let text = std::fs::read_to_string(&table).unwrap();
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| {
        header
            .iter()
            .position(|h| h.trim_matches('"') == name)
            .unwrap()
    };
    let (x, y, status) = (column("x"), column("y"), column("status"));
    for (line, start) in lines.zip(["0.1", "0.3", "0.6"]) {
        let row: Vec<&str> = line.split(',').collect();
        assert_eq!(row[status], "0", "{line}");
        let single = ["simulate", &model, "--set", &format!("x={start}"), "--json"];
        let single = rattleback(single).exits(0).json();
        for (name, place) in [("x", x), ("y", y)] {
            let (a, b) = (
                row[place].parse::<f64>().unwrap(),
                single["final"][name].as_f64().unwrap(),
            );
            assert!((a - b).abs() < 1e-8, "{name}: {a} {b}");
        }
    }
}

/// A change of units changes no verdict about the start.
#[test]
fn constraints_are_broken_in_small_units_too() {
    for scale in ["1", "1e-9", "1e9"] {
        let text = format!(
            "system c\nparam s = {scale}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n\
             start y = 1, x' = s, z' = 2*s, y' = s\n"
        );
        refused("slip", &text, &[], &["breaks this constraint"]);
        let holds = text.replace("z' = 2*s", "z' = s*0.9999999999");
        rattleback(["check", &written("grip", &holds)]).exits(0);
        let circle = format!(
            "system c\nparam s = {scale}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = s^2\n\
             start x = 0.6*s, y = 0.7*s\n"
        );
        refused("ellipse", &circle, &[], &["breaks this constraint"]);
        let holds = circle.replace("0.7*s", "0.8*s");
        rattleback(["check", &written("round", &holds)]).exits(0);
    }
}

/// A residual beyond all numbers is no rounding.
#[test]
fn constraints_are_broken_beyond_the_range_of_numbers_too() {
    let text = "system far\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x*y = 1\nstart x = 1e200, y = 1e200\n";
    rattleback(["check", &written("far", text)]).exits(2);
}

/// Constants are exact in the text: their digits do not get lost on the way to the motion.
#[test]
fn constants_keep_the_digits_that_cancel() {
    for (i, (k, more, value)) in [
        ("(sqrt(1 + 1e-20) - 1)*1e20", "", 0.5),
        ("(exp(1e-30) - 1)*1e30", "", 1.0),
        ("(tanh(50) - 1)*exp(100)", "", -2.0),
        ("acos(1 - 1e-20)*1e10", "", 2f64.sqrt()),
        ("(sqrt(1 + a) - 1)/a", "param a = 1e-18\n", 0.5),
        ("log(1 + a)/a", "param a = 1e-19\n", 1.0),
    ]
    .iter()
    .enumerate()
    {
        for (j, force) in ["k", k].iter().enumerate() {
            let text = format!(
                "system k\n{more}param k = {k}\ncoord x\nkinetic x'^2/2\nforce (x: {force})\ntime 0 .. 1 step 1\n"
            );
            let file = written(&format!("digits{i}{j}.mech"), &text);
            let run = rattleback(["simulate", &file, "--json"]).exits(0).json();
            let x = run["final"]["x"].as_f64().unwrap_or(f64::NAN);
            assert!((x - 0.5 * value).abs() < 1e-9, "{k} in {force}: {run:#}");
        }
    }
}

/// Roots with enormous exponents are left alone.
#[test]
fn powers_of_powers_come_to_an_end() {
    for (i, force) in ["(x + m^(n/k))^n", "(m^(n*k))^n", "(m^(n*k) + x^n)^(n/k)"]
        .iter()
        .enumerate()
    {
        let text = format!(
            "system g\nparam n = 3, k = 2, m = 2\ncoord x\nkinetic x'^2/2\nforce (x: {force})\nstart x = 1\n"
        );
        rattleback(["check", &written(&format!("powers{i}.mech"), &text)]).exits(0);
    }
    for potential in ["log(x)^asin(a/2)", "a*x", "2^a*x"] {
        let text = format!(
            "system p\nparam a = 1.5, b = 1.25\nassume a^b > 1\ncoord x\nkinetic x'^2/2\npotential {potential}\nstart x = 7\n"
        );
        let file = written("tower.mech", &text);
        rattleback(["analyze", &file, "--only", "equilibria"]).exits(0);
    }
}
