//! Verdicts about functions that come in pieces, angles that are none, and bodies that cannot exist.

use crate::common::{rattleback, written};
use serde_json::{Value, json};

fn judged(name: &str, text: &str, topics: &str) -> Value {
    let file = written(name, text);
    rattleback(["analyze", &file, "--only", topics, "--json"])
        .exits(0)
        .json()
}

/// z' = f(y) x' with a start: integrable exactly where f is constant.
fn along(name: &str, f: &str, start: &str) -> Value {
    let text = format!(
        "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = ({f})*x'\nstart {start}\n"
    );
    judged(name, &text, "distribution,jacobi")
}

/// Differences that vanish on one piece and not on another, with the piece of the start. `None`: on which side of
/// the identity the piece is may stay open, but the other answer is false.
const SEEDS: &[(&str, &str, bool)] = &[
    ("sqrt(cos(y)^2) - cos(y)", "y = 0", true),
    ("sqrt(cos(y)^2) - cos(y)", "y = 3", false),
    ("sqrt(y^2) - y", "y = 1", true),
    ("sqrt(y^2) - y", "y = -1", false),
    ("asin(sin(y)) - y", "y = 0", true),
    ("asin(sin(y)) - y", "y = 2", false),
    ("asin(sin(3*y)) - 3*y", "y = 0.2", true),
    ("acos(cos(y)) - y", "y = 1", true),
    ("acos(cos(y)) - y", "y = -1", false),
    ("atan(tan(y)) - y", "y = 1", true),
    ("atan(y) + atan(1/y) - pi/2", "y = 1", true),
    ("atan2(sin(y), cos(y)) - y", "y = 1/2", true),
    ("sqrt((1 - y)^2) - (1 - y)", "y = 0", true),
    ("sqrt((1 - y)^2) - (1 - y)", "y = 2", false),
    ("sqrt(1 - cos(y)) - sqrt(2)*sin(y/2)", "y = 1", true),
    ("sqrt(1 - cos(y)) - sqrt(2)*sin(y/2)", "y = -1", false),
    ("y*sqrt(1 + 1/y^2) - sqrt(1 + y^2)", "y = 1", true),
    ("y*sqrt(1 + 1/y^2) - sqrt(1 + y^2)", "y = -1", false),
    ("asin(2*y/(1 + y^2)) - 2*atan(y)", "y = 1/2", true),
    ("asin(2*y/(1 + y^2)) - 2*atan(y)", "y = 2", false),
    ("acos(2*y^2 - 1) - 2*acos(y)", "y = 1/2", true),
    ("acos(2*y^2 - 1) - 2*acos(y)", "y = -1/2", false),
];

#[test]
fn a_verdict_is_about_the_piece_of_the_start() {
    for (i, (f, start, integrable)) in SEEDS.iter().enumerate() {
        let page = along(&format!("piece{i}.mech"), f, start);
        let said = &page["distribution"]["integrable"];
        assert!(
            said.is_null() || said == &json!(integrable),
            "{f} at {start}: {said}"
        );
        let facts = page["piece"]["where"].as_array();
        assert!(facts.is_some_and(|all| !all.is_empty()), "{f}: {page:#}");
    }
}

/// Coefficients that vanish on all of the component on which the start lies and not on another one: roots of what comes
/// back from zero without being a square, domains of several components, angles with several cuts.
const ELSEWHERE: &[(&str, &str)] = &[
    ("sqrt(cosh(2*y) - 1) - sqrt(2)*sinh(y)", "y = 1"),
    ("sqrt(y - 2*sqrt(y - 1)) - sqrt(y - 1) + 1", "y = 3"),
    ("sqrt(y + 4 - 4*sqrt(y)) - sqrt(y) + 2", "y = 5"),
    (
        "sqrt(x + y - 2*sqrt(x*y)) - sqrt(x) + sqrt(y)",
        "x = 3, y = 2",
    ),
    ("sqrt(y*sin(y)) - y*sqrt(sin(y)/y)", "y = 1"),
    ("sqrt(y*tanh(y)) - tanh(y)*sqrt(y/tanh(y))", "y = 2"),
    (
        "sqrt(log(y)*(y - 1)) - (y - 1)*sqrt(log(y)/(y - 1))",
        "y = 2",
    ),
    ("asin(3*y - 4*y^3) - 3*asin(y)", "y = 0.3"),
    ("acos(4*y^3 - 3*y) - 3*acos(y)", "y = 0.9"),
    (
        "asin(x*sqrt(1 - y^2) + y*sqrt(1 - x^2)) - asin(x) - asin(y)",
        "x = 1/4, y = 1/5",
    ),
    ("sqrt(x/y)*y - sqrt(x*y)", "x = 2, y = 1"),
    ("y*sqrt(1 + 2/y) - sqrt(y^2 + 2*y)", "y = 1"),
    ("sqrt(sin(y)*cos(y))/cos(y) - sqrt(tan(y))", "y = 1"),
    ("(atan2(x, y) + atan2(y, x) - pi/2)*y", "x = 1, y = 2"),
    ("(atan2(x*y, y) - atan(x))*x*y", "x = 1, y = 2"),
    ("(atan2(-y, -x) - atan2(y, x) - pi)*y", "x = -1, y = -2"),
    (
        "(atan2(2*x*y, x^2 - y^2) - 2*atan2(y, x))*y",
        "x = 1, y = 1/3",
    ),
    (
        "(sin(atan2(y, x)/2) - sqrt((1 - x/sqrt(x^2 + y^2))/2))*y",
        "x = -1, y = 1",
    ),
];

#[test]
fn no_verdict_rests_on_a_point_of_another_component() {
    for (i, (f, start)) in ELSEWHERE.iter().enumerate() {
        let page = along(&format!("elsewhere{i}.mech"), f, start);
        let said = &page["distribution"]["integrable"];
        assert!(said != &json!(false), "{f} at {start}: {page:#}");
        assert!(!page["piece"].is_null(), "{f}");
    }
}

#[test]
fn what_holds_close_to_the_start_is_still_decided() {
    for (i, (f, start)) in [
        ("sqrt(x*y)", "x = 2, y = 1"),
        ("sqrt(y^2 - 1)", "y = -3"),
        ("atan2(y, x) - atan2(x, y)", "x = 1, y = 2"),
        ("sqrt(y*sin(y))", "y = 0"),
    ]
    .iter()
    .enumerate()
    {
        let page = along(&format!("decided{i}.mech"), f, start);
        assert_eq!(
            page["distribution"]["integrable"],
            json!(false),
            "{f}: {page:#}"
        );
        let place = page["piece"]["where"].to_string();
        assert!(place.contains("around"), "{f}: {place}");
    }
}

#[test]
fn functions_in_one_piece_get_no_remark() {
    for (i, f) in ["sqrt(1 + y^2)", "atan(y)", "log(1 + y^2)", "exp(y)*sin(y)"]
        .iter()
        .enumerate()
    {
        let page = along(&format!("whole{i}.mech"), f, "y = 1");
        assert!(page["piece"].is_null(), "{f}");
        assert_eq!(page["distribution"]["integrable"], false, "{f}");
    }
}

#[test]
fn an_angle_that_does_not_close_is_told_and_judged_as_a_line() {
    for (i, (f, closes)) in [
        ("sin(th/2)", false),
        ("exp(th)", false),
        ("th", false),
        ("sin(3*th)", true),
    ]
    .iter()
    .enumerate()
    {
        let text = format!(
            "system s\ncoord x, y\ncoord th : angle\nkinetic (x'^2 + y'^2 + th'^2)/2\nconstraint y' = ({f})*x'\n"
        );
        let file = written(&format!("angle{i}.mech"), &text);
        let run = rattleback(["check", &file]).exits(0);
        let told = run.err.contains("full turn of `th`");
        assert_eq!(told, !closes, "{f}: {}", run.err);
    }
}

#[test]
fn a_rack_and_its_pinion_close() {
    let text = "system rack\nparam R = 1\ncoord x\ncoord th : angle\nkinetic (x'^2 + th'^2)/2\nconstraint x = R*th\n";
    let run = rattleback(["check", &written("rack.mech", text)]).exits(0);
    assert!(!run.err.contains("full turn"), "{}", run.err);
}

/// The trace is -(1 + tan y) dy: with a period on the circle, were that not cut where cos y = 0.
#[test]
fn densities_live_between_poles() {
    let text = "system cut\ncoord x\ncoord y : angle\ncoord z\n\
        kinetic (x'^2 + y'^2 - (cos(y) + sin(y))/(cos(y)^2*(cos(y) + 2*sin(y)))*z'^2)/2\n\
        constraint z' = cos(y)*x'\nfibre z\nstart y = 1\n";
    let page = judged("cut.mech", text, "measure");
    let m = &page["measure"];
    assert_eq!(m["verdict"], "proven", "{m:#}");
    assert!(
        m["how"].as_str().is_some_and(|h| h.contains("each piece")),
        "{m:#}"
    );
}

#[test]
fn witnesses_keep_the_definitions_of_derived_parameters() {
    let text = "system rod\nparam m = 2, l = 3\nparam J = m*l^2/12\nassume m > 0, l > 0, J > 0\n\
        coord x, y, th\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2\n\
        constraint y' = (J - 7*m)*th*x'\n";
    let page = judged("rod.mech", text, "distribution");
    assert_eq!(page["distribution"]["integrable"], false);
    let evidence = page["distribution"]["integrability"].to_string();
    // J = m l²/12 at the point: 12 J = m l² in any case.
    assert!(evidence.contains("\"l\""), "{evidence}");
    let vanishing = text.replace("(J - 7*m)*th", "(12*J - m*l^2)*th");
    let page = judged("rod0.mech", &vanishing, "distribution");
    let d = &page["distribution"];
    // For free J it is not integrable; no rod shows it, and at the values it is.
    assert_eq!(d["at_values"]["integrable"], true, "{d:#}");
}

/// The force f on x, with a start.
fn at_rest(name: &str, more: &str, f: &str, start: &str) -> Value {
    let text = format!("system s\n{more}coord x\nkinetic x'^2/2\nforce (x: {f})\nstart {start}\n");
    judged(name, &text, "equilibria")["equilibria"].take()
}

/// Zeros of forces outside of where the forces are defined, or off the piece that the page is about.
#[test]
fn no_equilibrium_lies_outside_the_domain_or_the_piece() {
    for (i, (f, start)) in [
        ("(x + pi)*sqrt(x + 3)", "x = 1"),
        ("(x + exp(1))*sqrt(x + 2)", "x = 1"),
        ("(x - pi)*(acos(x) + 1)", "x = 1/2"),
        ("(x + pi)^2*asin(x)", "x = 1/2"),
        ("(x - log(2))*log(x - 1)", "x = 3"),
        ("sqrt(x^2)/(1/2 + x) + 3 - atan(pi)", "x = 1"),
    ]
    .iter()
    .enumerate()
    {
        let page = at_rest(&format!("outside{i}.mech"), "", f, start);
        let found = page["found"].as_array().cloned().unwrap_or_default();
        for state in &found {
            let values = state["values"].to_string();
            for outside in ["3.14159", "2.71828", "0.69314", "-0.31"] {
                assert!(!values.contains(outside), "{f}: {state:#}");
            }
        }
    }
}

#[test]
fn where_an_equilibrium_exists_is_said_in_its_parameters() {
    let more = "param a = 2\n";
    let page = at_rest("apart.mech", more, "sqrt(x^2) + 2*x + a", "x = 1/2");
    let state = &page["found"][0];
    assert!(state["values"].is_null(), "{state:#}");
    assert!(
        !state["conditions"].as_array().is_none_or(Vec::is_empty),
        "{state:#}"
    );
    let page = at_rest("inside.mech", more, "(x - a)*(asin(x) + 1)", "x = 1/2");
    assert!(!page["found"].to_string().contains("\"x\": 2"), "{page:#}");
}

/// What is left of a function after its root or logarithm has cancelled is defined where the function was.
#[test]
fn a_motion_ends_where_a_function_that_cancelled_has_no_value() {
    for (i, (lets, v)) in [
        ("", "exp(2*log(x))"),
        ("", "sqrt(x)^2"),
        ("", "x*log(x)/log(x)"),
        ("", "log(x) - log(x) + x"),
        ("let a = sqrt(x)\nlet b = a*a\n", "b"),
        ("let c = log(x)\n", "exp(c)"),
    ]
    .iter()
    .enumerate()
    {
        let text = format!(
            "system s\ncoord x\n{lets}lagrangian x'^2/2 - ({v})\nstart x = 0.8, x' = -2\ntime 0 .. 1.5 step 0.1\n"
        );
        let file = written(&format!("cancelled{i}.mech"), &text);
        let run = rattleback(["simulate", &file]).exits(1);
        assert!(run.err.contains("leaves the domain"), "{v}: {}", run.err);
        let outside = written(&format!("off{i}.mech"), text.replace("x = 0.8", "x = -0.8"));
        rattleback(["simulate", &outside]).exits(2);
    }
    // An abbreviation that only an observable uses asks nothing of the motion.
    let text = "system s\ncoord x\nlet r = sqrt(x)\nlagrangian x'^2/2 - x\nobserve w = r^2\n\
        start x = 0.8, x' = -2\ntime 0 .. 1.5 step 0.1\n";
    rattleback(["simulate", &written("seen.mech", text)]).exits(0);
}

/// Numbers have the sign of their enclosure, and a matrix of them is judged whatever its size.
#[test]
fn the_sign_of_a_number_is_known() {
    let regularity = |coordinates: &str, kinetic: &str| {
        let text = format!("system s\ncoord {coordinates}\nkinetic ({kinetic})/2\n");
        judged("number_metric", &text, "regularity")["regularity"].clone()
    };
    let names: Vec<String> = (0..9).map(|i| format!("q{i}")).collect();
    let hilbert = |change: &str| {
        let pairs = (0..9).flat_map(|i| (0..9).map(move |j| (i, j)));
        let terms = pairs.map(|(i, j)| format!("q{i}'*q{j}'/{}", i + j + 1));
        terms.collect::<Vec<_>>().join(" + ") + change
    };
    for (coordinates, kinetic, verdict) in [
        (names.join(", "), hilbert(""), "proven"),
        (names.join(", "), hilbert(" - q8'^2/10"), "refuted"),
        (
            "x, y".into(),
            "x'^2 + (sqrt(6 - 2*sqrt(5)) - 1 + sqrt(5))*y'^2".into(),
            "proven",
        ),
        (
            "x, y".into(),
            "x'^2 + (sqrt(6 - 2*sqrt(5)) - 2 + exp(-3))*y'^2".into(),
            "refuted",
        ),
    ] {
        let page = regularity(&coordinates, &kinetic);
        assert_eq!(
            page["positive_definite"]["verdict"], verdict,
            "{kinetic}: {page:#}"
        );
        assert_eq!(page["verdict"], "proven", "{kinetic}");
        assert_eq!(page["cases"].as_array().map_or(0, Vec::len), 0, "{page:#}");
    }
}
