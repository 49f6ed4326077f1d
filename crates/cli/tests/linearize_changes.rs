//! Linear systems that do not stay as they are: with time, or where symmetries leave controls, outputs or costs behind.

use crate::common::{rattleback, written};
use serde_json::Value;

#[track_caller]
fn linear(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    let all = ["linearize", &model, "--json"];
    rattleback(all.iter().chain(more)).exits(0).json()
}

fn verdict(page: &Value, claim: &str) -> String {
    page[claim]["verdict"].as_str().unwrap().to_owned()
}

/// A point on a circle about a centre of force.
const ORBIT: &str = "system orbit\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2)^2/4\n\
                     symmetry rot = (x: -y, y: x)\nstart x = 1, y' = 1\ntime 0 .. 10 step 0.01\n";

/// A force fixed in space turns in the frame of the orbit: one moment decides nothing. One that is carried along does.
#[test]
fn what_is_fixed_in_space_changes_in_a_frame_that_turns() {
    let fixed = linear("fixed_force", &format!("{ORBIT}control u on x\n"), &[]);
    assert_eq!(verdict(&fixed, "controllable"), "undecided");
    assert_eq!(verdict(&fixed, "stabilisable"), "undecided");
    assert!(fixed["notes"].to_string().contains("control u"), "{fixed}");
    let along = linear(
        "carried_force",
        &format!("{ORBIT}control u on (x: -y, y: x)\n"),
        &[],
    );
    assert_eq!(verdict(&along, "controllable"), "proven");
    assert!(along["notes"].is_null());
    let outputs = "observe X = x\nobserve r = x^2 + y^2\n";
    let seen = linear("fixed_output", &format!("{ORBIT}{outputs}"), &[]);
    assert_eq!(verdict(&seen, "observable"), "undecided");
    assert!(seen["notes"].to_string().contains("output X"));
    let radius = linear(
        "carried_output",
        &format!("{ORBIT}observe r = x^2 + y^2\n"),
        &[],
    );
    assert_eq!(verdict(&radius, "observable"), "refuted");
}

/// Constant gains fit no push that turns with the motion: the loop that they close grew without bound.
#[test]
fn no_regulator_about_what_changes() {
    let text = "system pushed\ncoord x, s\nkinetic (x'^2 + s'^2)/2\npotential -s^2/2\ncontrol u on (s: cos(3*x), x: 0)\n\
                control v on x\ncost (s^2 + s'^2 + (x'-1)^2 + u^2 + v^2)/2\nstart x' = 1\ntime 0 .. 20 step 0.01\n";
    let page = linear("turning_push", text, &[]);
    assert!(page["lqr"].is_null(), "{page}");
    assert!(page["why"]["lqr"].as_str().unwrap().contains("control u"));
    let model = written("turning_push_write", text);
    let out = format!("{model}.held.mech");
    rattleback(["linearize", &model, "--write", &out]).exits(1);
    let constant = text.replace("cos(3*x)", "1");
    let page = linear("constant_push", &constant, &[]);
    // Where it stands along its way costs nothing, and is not regulated.
    assert_eq!(page["lqr"]["modulo"], serde_json::json!(["x"]), "{page}");
    assert!(page["notes"].to_string().contains("along x"), "{page}");
    // A cost that grows along the motion is none of a steady one.
    let moving = constant.replace("(s^2 +", "(x^2 + s^2 +");
    let page = linear("moving_cost", &moving, &[]);
    assert!(page["why"]["lqr"].as_str().unwrap().contains("the cost"));
}

#[test]
fn what_rests_for_a_moment_is_no_equilibrium() {
    let rates = "system r\nstate x\nrate x' = x + sin(t)\ntime 0 .. 5 step 0.1\n";
    let page = linear("momentary", rates, &[]);
    assert_eq!(page["equilibrium"], false);
    rattleback([
        "linearize",
        &written("momentary_at", rates),
        "--at",
        "equilibrium",
    ])
    .exits(1)
    .says(&["at other times"]);
    let driven = "system d\ncoord x\nkinetic x'^2/2\npotential x^2/2\ncontrol u on x\ninput u = sin(3*t)\ntime 0 .. 5 step 0.1\n";
    assert_eq!(linear("momentary_law", driven, &[])["equilibrium"], false);
    // The swing that is pumped rests at the bottom at all times, and its A changes.
    let swing = "system s\ncoord s\nkinetic s'^2/2\npotential (1 + cos(2*t)/2)*s^2/2\ncontrol u on s\ncost s^2 + u^2\ntime 0 .. 5 step 0.1\n";
    let page = linear("pumped", swing, &[]);
    assert_eq!(page["equilibrium"], true);
    assert_eq!(verdict(&page, "controllable"), "undecided");
    assert!(page["lqr"].is_null() && page["notes"].to_string().contains("time"));
}

/// Units of the state are no part of a regulator.
#[test]
fn gains_do_not_depend_on_units() {
    let text = |s: &str, w: &str| {
        format!(
            "system units\nparam s = {s}, w = {w}\nstate x, v, a\ncontrol u\nrate x' = s/w*v\n\
             rate v' = -4*w/s*x + v/10 + w*a\nrate a' = -2*a + u\ncost (x/s)^2/2 + (v/w)^2/2 + a^2 + u^2/2\n\
             time 0 .. 1 step 0.05\n"
        )
    };
    let gains = |test: &str, s: &str, w: &str| -> Vec<f64> {
        let page = linear(test, &text(s, w), &[]);
        let units = [s.parse().unwrap(), w.parse().unwrap(), 1.0];
        let of = |regulator: &Value| -> Vec<f64> {
            let row = regulator["gains"][0].as_array().unwrap().iter();
            row.zip(units)
                .map(|(k, unit): (_, f64)| k.as_f64().unwrap() * unit)
                .collect()
        };
        [of(&page["lqr"]), of(&page["lqr"]["sampled"])].concat()
    };
    let plain = gains("units_plain", "1", "1");
    for (k, (s, w)) in [
        ("1e6", "1e-6"),
        ("1e8", "1e-8"),
        ("1e-9", "1e9"),
        ("1", "1e6"),
    ]
    .into_iter()
    .enumerate()
    {
        let scaled = gains(&format!("units{k}"), s, w);
        for (a, b) in plain.iter().zip(&scaled) {
            assert!(
                (a - b).abs() <= 1e-12 * a.abs(),
                "{s} {w}: {plain:?} {scaled:?}"
            );
        }
    }
}

/// By Popov's function 2(ω² - 1)² the cheapest loop lies on the axis: none holds the state.
#[test]
fn a_loop_on_the_axis_is_no_regulator() {
    let text = "system axis\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost x^2 + 3*x*u + u^2 + x'^2\ntime 0 .. 5\n";
    let page = linear("on_axis", text, &[]);
    assert!(page["lqr"].is_null(), "{page}");
    let beside = text.replace("3*x*u", "2.999999*x*u");
    assert!(linear("beside_axis", &beside, &[])["lqr"].is_object());
}

/// Precession and spin move an upright top alike: one of them carries it, and the page says that the other could.
#[test]
fn symmetries_that_move_a_state_alike_do_not_share_its_motion() {
    let text = "system top\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + w[2]^2 + w[3]^2/2)/2\npotential R[3,3]\n\
                start w = [0, 0, 5]\n";
    for (k, line) in ["", "symmetry spin = (w[3]: 1)\n"].into_iter().enumerate() {
        let page = linear(&format!("sleeping{k}"), &format!("{text}{line}"), &[]);
        assert_eq!(page["steady"].as_array().unwrap().len(), 1, "{page}");
        assert_eq!(page["steady"][0]["rate"], 5.0);
        // s² - 2.5 s + 1 = 0 has the rates of slow and fast precession.
        for rate in [2.0, 0.5] {
            let values = page["eigenvalues"].as_array().unwrap().iter();
            let mut found = values.map(|v| v["im"].as_f64().unwrap());
            assert!(found.any(|v| (v - rate).abs() < 1e-9), "{page}");
        }
        let told = page["notes"]
            .to_string()
            .contains("would be carried as well");
        assert_eq!(told, line.is_empty());
    }
}

/// What only looks as if it changed: outputs that grow evenly, headings, elements of groups, costs that go along with the time.
#[test]
fn what_stays_is_judged() {
    let straight = "system straight\ncoord x\nkinetic x'^2/2\ncontrol u on x\nobserve p = x\nstart x' = 1\ntime 0 .. 1 step 0.1\n";
    let page = linear("even_output", straight, &[]);
    assert_eq!(verdict(&page, "observable"), "proven");
    let headed = "system headed\nparam m = 2, J = 3/2\ncoord x, y\ncoord th : angle\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2\n\
                  force (x: -x' + 3*cos(th), y: -y' + 3*sin(th), th: -th')\ncontrol F on (x: cos(th), y: sin(th))\n\
                  observe lat = -sin(1)*x + cos(1)*y\nstart th = 1, x' = 3*cos(1), y' = 3*sin(1)\ntime 0 .. 10 step 0.01\n";
    let page = linear("headed", headed, &[]);
    assert_eq!(verdict(&page, "observable"), "refuted", "{page}");
    assert!(page["notes"].is_null());
    let body = "system body\ngroup g : SE(2) velocity (om, v1, v2)\nkinetic (v1^2 + 2*v2^2)/2 + om^2/4\ncontrol T on (v1: 1)\n\
                control a on (om: 1)\nobserve q = v1\nstart v1 = 1\ntime 0 .. 5 step 0.01\n";
    let page = linear("body_fixed", body, &[]);
    assert_eq!(verdict(&page, "controllable"), "refuted");
    assert!(page["notes"].is_null(), "{page}");
    let cruise = "system cruise\nparam v = 3\ncoord x\nkinetic x'^2/2\ncontrol u on x\n\
                  cost ((x - v*t)^2 + (x' - v)^2 + u^2)/2\nstart x' = v\ntime 0 .. 5 step 0.1\n";
    let page = linear("cruise", cruise, &[]);
    let gains = page["lqr"]["gains"][0].as_array().unwrap();
    assert!((gains[0].as_f64().unwrap() - 1.0).abs() < 1e-12);
    assert!((gains[1].as_f64().unwrap() - 3f64.sqrt()).abs() < 1e-12);
}

/// Torques of a body turn with the precession of a sleeping top, not with its spin, though both move it alike.
#[test]
fn what_carries_the_controls_carries_the_motion() {
    let text = "system top\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + w[2]^2 + w[3]^2/2)/2\npotential R[3,3]\n\
                control a on w[1]\ncontrol b on w[2]\ncontrol c on w[3]\nsymmetry spin = (w[3]: 1)\n\
                symmetry precession = (w[1]: R[3,1], w[2]: R[3,2], w[3]: R[3,3])\n\
                cost 1 - R[3,3] + w[1]^2 + w[2]^2 + (w[3] - 6)^2 + a^2 + b^2 + c^2\nstart w[3] = 6\ntime 0 .. 10 step 0.01\n";
    let page = linear("sleeping", text, &[]);
    assert_eq!(page["steady"][0]["symmetry"], "precession", "{page}");
    assert_eq!(verdict(&page, "controllable"), "proven");
    assert!(page["notes"].to_string().contains("along spin"));
    // The spin's speed is asked for; where it is on its turn is not.
    assert_eq!(page["lqr"]["modulo"], serde_json::json!(["precession"]));
    assert_eq!(page["lqr"]["closed_loop"].as_array().unwrap().len(), 5);
}

/// Time that first order does not see.
#[test]
fn equations_with_time_may_have_a_linear_part_without() {
    let text = "system cubic\ncoord q\nkinetic q'^2/2\npotential -q^2/2\nforce (q: -t*q^3)\ncontrol u on q\ncost q^2 + u^2\n\
                time 0 .. 10 step 0.1\n";
    let page = linear("cubic_in_time", text, &[]);
    assert_eq!(verdict(&page, "controllable"), "proven");
    assert!(page["lqr"]["gains"].is_array() && page["notes"].is_null());
    let page = linear("linear_in_time", &text.replace("t*q^3", "t*q"), &[]);
    assert_eq!(verdict(&page, "controllable"), "undecided");
    assert!(page["lqr"].is_null());
}
