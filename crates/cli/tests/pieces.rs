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
