//! What rounding hides is not claimed, and what formulas know is not left to rounding.

use crate::common::{rattleback, written};
use serde_json::Value;

#[track_caller]
fn linear(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    let all = ["linearize", &model, "--json"];
    rattleback(all.iter().chain(more)).exits(0).json()
}

#[track_caller]
fn verdicts(page: &Value, expected: [&str; 2]) {
    let found =
        ["controllable", "stabilisable"].map(|claim| page[claim]["verdict"].as_str().unwrap());
    assert_eq!(found, expected, "{page}");
}

/// A push along th: at th = pi/2 nothing moves x, which goes away by itself.
const PUSHED: &str = "system pushed\ncoord x, y\ncoord th : angle\nkinetic (x'^2 + y'^2 + th'^2)/2\n\
                      potential (-x^2 + 2*y^2)/2 - sin(th)\nforce (th: -th')\ncontrol u on (x: cos(th), y: sin(th))\n\
                      cost x^2 + y^2 + x'^2 + y'^2 + u^2 + 1 - sin(th) + th'^2\nstart th = 1\ntime 0 .. 10 step 0.01\n";

#[test]
fn a_cosine_of_rounding_moves_nothing() {
    for at in ["equilibrium", "th = pi/2"] {
        let page = linear("faint_push", PUSHED, &["--at", at]);
        verdicts(&page, ["refuted", "refuted"]);
        assert!(page["lqr"].is_null());
        assert!(
            page["why"]["lqr"]
                .as_str()
                .unwrap()
                .contains("no control moves the mode 1")
        );
        let faint = page["B"][3][0]["value"].as_f64().unwrap();
        assert_eq!(faint, 0.0);
    }
    // An angle that no formula tells: the push may be there or not.
    let unknown = PUSHED.replace("- sin(th)", "- sin(th) + 1e-3*(th - pi/2)^2*exp(x*0 + th)");
    let page = linear("faint_unknown_push", &unknown, &["--at", "equilibrium"]);
    assert_ne!(page["controllable"]["verdict"], "proven", "{page}");
    assert_ne!(page["stabilisable"]["verdict"], "proven", "{page}");
}

/// Zero, though floating point does not say so.
#[test]
fn identities_move_nothing() {
    let zeros = [
        "sin(1)^2 + cos(1)^2 - 1",
        "sin(2) - 2*sin(1)*cos(1)",
        "sqrt(2)*sqrt(3) - sqrt(6)",
        "log(6) - log(2) - log(3)",
        "exp(2) - exp(1)^2",
        "sin(2*e) - 2*sin(e)*cos(e)",
        "log(e) + log(2) - log(2*e)",
        "cosh(e)^2 - sinh(e)^2 - 1",
    ];
    for zero in zeros {
        let text = format!(
            "system zero\nparam e = 0.7\nassume e > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 - 2*y^2)/2\n\
             control u on (x: sin(1), y: {zero})\n"
        );
        let page = linear("zero_push", &text, &[]);
        for claim in ["controllable", "stabilisable"] {
            assert_ne!(page[claim]["verdict"], "proven", "{zero}: {page}");
        }
    }
}

/// Two oscillators that are driven alike: alike, nearly alike, and clearly not.
#[test]
fn plants_that_differ_by_less_than_rounding_are_open() {
    let text = |differ: &str| {
        format!(
            "system two\nparam k = sin(1)\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential k*x^2/2 + (k + {differ})*y^2/2\n\
             control u on (x: 1, y: 1)\n"
        )
    };
    verdicts(&linear("alike", &text("0"), &[]), ["refuted", "refuted"]);
    verdicts(
        &linear("nearly_alike", &text("1e-14"), &[]),
        ["undecided", "undecided"],
    );
    verdicts(
        &linear("not_alike", &text("1/2"), &[]),
        ["proven", "proven"],
    );
}

/// Rest in units of very different size.
#[test]
fn every_rate_counts_at_rest() {
    let cases = [
        ("1e4*(x - 1)^2/2 + 1e-4*(y - 1e-6)^2/2", "0.9", 1.0, 1e-6),
        ("100*(x - 1e7)^2/2 + 0.01*(y - 1e-5)^2/2", "0.9", 1e7, 1e-5),
        ("1e4*(x - 1e3)^2/2 + (y - 1)^2/20000", "0", 1e3, 1.0),
        ("1e8*(x - 10)^2/2 + (y - 1)^2/200", "0", 10.0, 1.0),
    ];
    for (potential, start, x, y) in cases {
        let text = format!(
            "system scales\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential {potential}\nstart x = {start}\n"
        );
        let page = linear("scales_at_rest", &text, &["--at", "equilibrium"]);
        for (name, right) in [("x", x), ("y", y)] {
            let found = page["at"][name].as_f64().unwrap();
            assert!(
                (found - right).abs() < 1e-9 * right,
                "{potential}: {name} = {found}"
            );
        }
    }
}

/// Momentum stays what it is, however the joint is driven: what holds for the matrices of a moment is said to.
#[test]
fn claims_about_a_state_that_moves_are_of_the_moment() {
    let text = "system frozen\ncoord x, th\nkinetic x'^2 + x'*th'*cos(th) + th'^2/2\ncontrol u on th\n\
                start th = 1, th' = 2, x' = 1\n";
    let page = linear("frozen_claims", text, &[]);
    let how = page["controllable"]["how"].as_str().unwrap();
    assert!(
        how.contains("for the matrices of this moment, not for the motion"),
        "{page}"
    );
}

/// What falls alike everywhere does not rest, however stiff something else is.
#[test]
fn stiffness_elsewhere_is_no_rest() {
    let text = "system mol\nparam m = 2.3e-26, k = 1900, g = 9.81\ncoord z, s\nkinetic m*(z'^2 + s'^2)/2\n\
                potential m*g*z + k*s^2/2\ncontrol u on s\nstart z = 1\n";
    assert_eq!(linear("stiff_and_falling", text, &[])["equilibrium"], false);
    let model = written("stiff_and_falling_at", text);
    rattleback(["linearize", &model, "--at", "equilibrium"]).exits(1);
}

/// Flows over short steps are next to 1: SciPy's solve_discrete_are has these gains.
#[test]
fn short_steps_hide_no_mode() {
    let text = "system c\ncoord x, y, z\nkinetic (4*x'^2 + 3*y'^2 + z'^2)/2\n\
                potential (-2*x^2 - 2*x*y + 2*x*z + 2*y^2 - 2*z^2)/2\ncontrol u on (x: 1, y: -1, z: -1)\n\
                cost (x^2 + x'^2 + y^2 + y'^2 + z^2 + z'^2 + u^2)/2\ntime 0 .. 10 step 0.01\n";
    let page = linear("short_steps", text, &[]);
    let gains = page["lqr"]["sampled"]["gains"][0].as_array().unwrap();
    for (found, right) in gains
        .iter()
        .zip([-196.7, -45.9, -45.5, -311.1, -71.1, -59.0])
    {
        assert!((found.as_f64().unwrap() - right).abs() < 0.06, "{page}");
    }
}

/// Entries that cancel in floating point to 0 are those of their formulas.
#[test]
fn a_computed_zero_is_no_zero() {
    let text = "system z\ncoord x, y\nparam L = 1e8\nassume L > 0\nkinetic (x'^2 + y'^2)/2\n\
                potential (x - 1/2)^2/2 + y^2\ncontrol u on (x: 1, y: 1e9*(sqrt(L^2 + x^2) - L))\nstart x = 1/2\n";
    let page = linear("computed_zero", text, &[]);
    let entry = page["B"][3][0]["value"].as_f64().unwrap();
    assert!((entry - 1.25).abs() < 1e-9, "{entry}");
    verdicts(&page, ["proven", "proven"]);
}

/// Exact numbers decide: a place that nothing moves beside friction, and many oscillators alike.
#[test]
fn exact_numbers_decide() {
    let dc =
        "system dc\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (x: -x', y: -y')\ncontrol u on x\n";
    verdicts(&linear("left_place", dc, &[]), ["refuted", "refuted"]);
    let names: Vec<String> = (1..=7).map(|k| format!("q{k}")).collect();
    let squares = |primed: &str| -> String {
        let all = names.iter().map(|q| format!("{q}{primed}^2/2"));
        all.collect::<Vec<_>>().join(" + ")
    };
    let alike = format!(
        "system alike\ncoord {}\nkinetic {}\npotential {}\ncontrol u on (q1: 1, q2: 1)\n",
        names.join(", "),
        squares("'"),
        squares("")
    );
    let page = linear("many_alike", &alike, &[]);
    assert_eq!(page["controllable"]["verdict"], "refuted", "{page}");
}

/// A stiff spring between two masses holds neither: what is left along it is small beside its force, and moves both.
#[test]
fn a_stiff_spring_hides_no_force() {
    let moving = [
        ("1e9*(y - x)^2 + x", "x = 1, y = 1"),
        ("1e9*(y - x - 1)^2/2 + 9.81*(x + y)", "x = 100, y = 101"),
        ("(y - x)^2/2 + 1e-3*x", "x = 1e6, y = 1e6"),
        (
            "1e11*(sqrt(x^2 + y^2) - 1)^2/2 + 9.81*y",
            "x = 0.6, y = -0.8",
        ),
    ];
    for (potential, start) in moving {
        let text = format!(
            "system stiff\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential {potential}\nstart {start}\n"
        );
        let page = linear("stiff_spring", &text, &[]);
        assert_eq!(page["equilibrium"], false, "{potential}");
    }
    let cost = "system cost\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - 1)^2/2 + (y - x)^2\ncontrol u on x\n\
                cost 1e9*(y - x)^2 + x + x'^2 + y'^2 + u^2\nstart x = 1, y = 1\n";
    let page = linear("stiff_cost", cost, &[]);
    assert!(
        page["why"]["lqr"].as_str().unwrap().contains("gradient"),
        "{page}"
    );
}
