//! `analyze --only equilibria,stability`: what rests and what moves steadily, under which conditions, and whether it stays.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

#[track_caller]
fn judged(model: &str, more: &[&str]) -> Value {
    let arguments = ["analyze", model, "--only", "equilibria,stability", "--json"];
    let all = arguments.iter().chain(more);
    rattleback(all).exits(0).json()
}

#[track_caller]
fn read(test: &str, text: &str) -> Value {
    judged(&written(&format!("equilibria_{test}"), text), &[])
}

/// The entries of a kind.
fn of_kind<'a>(page: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = page["equilibria"]["found"].as_array().unwrap().iter();
    all.filter(|e| e["kind"] == kind).collect()
}

/// The entry whose coordinate has this text.
#[track_caller]
fn at<'a>(all: &[&'a Value], name: &str, text: &str) -> &'a Value {
    let found = all.iter().find(|e| e["state"][name]["text"] == text);
    found.unwrap_or_else(|| panic!("no {name} = {text} in {all:#?}"))
}

fn verdict(entry: &Value) -> &str {
    entry["stable"]["verdict"].as_str().unwrap()
}

const BEAD: &str = "system bead\nparam m = 1, R = 1/2, g = 9.81, Omega = 6\nassume m > 0, R > 0, g > 0\ncoord theta : angle\n\
    kinetic m/2*R^2*(theta'^2 + Omega^2*sin(theta)^2)\npotential -m*g*R*cos(theta)\n";

#[test]
fn a_bead_on_a_hoop_leaves_the_bottom_where_the_hoop_is_fast() {
    let page = read("fast", BEAD);
    assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "proven");
    let all = of_kind(&page, "equilibrium");
    assert_eq!(all.len(), 4);
    assert_eq!(verdict(at(&all, "theta", "0")), "refuted");
    assert_eq!(verdict(at(&all, "theta", "pi")), "refuted");
    for sign in ["", "-"] {
        let branch = at(&all, "theta", &format!("{sign}acos(g/(Omega^2*R))"));
        assert_eq!(branch["conditions"][0], "Omega^2 > g/R");
        assert_eq!(verdict(branch), "proven");
        let value = branch["values"]["theta"].as_f64().unwrap();
        assert!((value.abs() - (9.81 / (36.0 * 0.5_f64)).acos()).abs() < 1e-12);
    }
    let slow = read("slow", &BEAD.replace("Omega = 6", "Omega = 2"));
    let all = of_kind(&slow, "equilibrium");
    assert_eq!(verdict(at(&all, "theta", "0")), "proven");
    let branch = at(&all, "theta", "acos(g/(Omega^2*R))");
    assert!(branch["values"].is_null());
    assert_eq!(verdict(branch), "undecided");
    let bottom = slow["stability"]["found"].as_array().unwrap();
    let bottom = bottom
        .iter()
        .find(|e| e["state"]["theta"]["text"] == "0")
        .unwrap();
    assert_eq!(bottom["stable_where"][0], "g/R > Omega^2");
}

#[test]
fn damping_keeps_the_bottom_stable_and_makes_it_attract() {
    let page = read(
        "damped",
        "system damped\nparam g = 9.81, c = 1/5\ncoord q : angle\nkinetic q'^2/2\npotential -g*cos(q)\nforce (q: -c*q')\n",
    );
    let all = of_kind(&page, "equilibrium");
    let bottom = at(&all, "q", "0");
    assert_eq!(verdict(bottom), "proven");
    assert_eq!(bottom["attracts"], true);
    assert_eq!(verdict(at(&all, "q", "pi")), "refuted");
    assert_eq!(bottom["eigenvalues"].as_array().unwrap().len(), 2);
}

/// Straight ahead with the centre of mass in front the sleigh is stable, backwards it is not.
#[test]
fn the_sleigh_has_a_one_way_attractor() {
    let model = shipped("chaplygin_sleigh");
    for (speed, expected, attracts) in [("1", "proven", true), ("-1", "refuted", false)] {
        let page = judged(
            &model,
            &["--set", "theta'=0", "--set", &format!("x'={speed}")],
        );
        assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "proven");
        let steady = of_kind(&page, "steady");
        assert_eq!(steady.len(), 1);
        assert_eq!(verdict(steady[0]), expected);
        assert_eq!(steady[0]["attracts"], attracts);
        let condition = steady[0]["stable_where"][0].as_str().unwrap();
        assert!(
            condition.contains("x'") && condition.ends_with("> 0"),
            "{condition}"
        );
    }
    // A start that does not move along leaves the way open, and the condition is told.
    let page = judged(&model, &[]);
    let steady = of_kind(&page, "steady");
    assert_eq!(verdict(steady[0]), "undecided");
    let why = steady[0]["stable"]["why"].as_str().unwrap();
    assert!(why.contains("a*m*x'/(a^2*m + J) > 0"), "{why}");
}

#[test]
fn a_rolling_disk_has_its_steady_turns() {
    let page = judged(&shipped("rolling_disk"), &[]);
    let steady = of_kind(&page, "steady");
    let straight = at(&steady, "theta", "0");
    assert_eq!(straight["rates"]["rolling"]["text"], "psi'");
    // A turn: lean and yaw are free, the spin follows; its equations hold at the values.
    let turn = steady
        .iter()
        .find(|e| e["state"]["theta"].is_null())
        .unwrap();
    let value = |name: &str| turn["values"][name].as_f64().unwrap();
    let (theta, phi, psi) = (value("theta"), value("phi'"), value("psi'"));
    let (m, r, g) = (0.1, 0.25, 9.81);
    let (id, ia) = (m * r * r / 4.0, m * r * r / 2.0);
    let balance = (ia + m * r * r) * phi * psi * theta.cos()
        + (ia - id + m * r * r) * phi * phi * theta.sin() * theta.cos()
        + m * g * r * theta.sin();
    assert!(balance.abs() < 1e-12, "{balance}");
    let upright = of_kind(&page, "equilibrium");
    assert_eq!(verdict(at(&upright, "theta", "0")), "refuted");
}

/// Symmetries carry verdicts along, and velocities are told with the place where they are these.
#[test]
fn a_disk_rolls_as_well_in_another_heading() {
    let disk = shipped("rolling_disk");
    let ahead = judged(&disk, &[]);
    for setting in ["phi=1/2", "phi=2", "x=3"] {
        let turned = judged(&disk, &["--set", setting]);
        let both = [&ahead, &turned].map(|page| {
            let all = of_kind(page, "steady").into_iter();
            all.map(|e| verdict(e).to_owned()).collect::<Vec<_>>()
        });
        assert_eq!(both[0], ["proven"; 3]);
        assert_eq!(both[0], both[1], "{setting}");
        let rolling = of_kind(&turned, "steady");
        let straight = at(&rolling, "theta", "0");
        let state = |name: &str| straight["state"][name]["text"].as_str();
        assert_eq!((state("phi"), state("x'")), (Some("0"), Some("R*psi'")));
        assert!(!straight["free"].to_string().contains("\"phi\""));
    }
}

#[test]
fn a_top_sleeps_upright_and_hangs_stably() {
    let page = judged(&shipped("heavy_top"), &[]);
    assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "proven");
    let rest = of_kind(&page, "equilibrium");
    assert_eq!(verdict(at(&rest, "R[3,3]", "-1")), "proven");
    assert_eq!(verdict(at(&rest, "R[3,3]", "1")), "refuted");
    let steady = of_kind(&page, "steady");
    let sleeping = at(&steady, "R[3,3]", "1");
    assert_eq!(sleeping["symmetry"], "figure");
    assert!(sleeping["free"].as_array().unwrap().contains(&"R".into()));
}

/// A free body turns steadily about its axes: stable about the first and the last, not about the middle one.
#[test]
fn a_free_body_turns_about_its_axes() {
    let page = read(
        "body",
        "system body\nparam I1 = 1, I2 = 2, I3 = 3\nassume I1 > 0, I2 > 0, I3 > 0\ngroup R : SO(3) velocity w\nkinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\n\
         symmetry east = (w[1]: R[1,1], w[2]: R[1,2], w[3]: R[1,3])\nsymmetry north = (w[1]: R[2,1], w[2]: R[2,2], w[3]: R[2,3])\n\
         symmetry up = (w[1]: R[3,1], w[2]: R[3,2], w[3]: R[3,3])\n",
    );
    let steady = of_kind(&page, "steady");
    let about = |axis: usize| {
        let still = |k: usize| move |e: &&&Value| e["state"][format!("w[{k}]")]["text"] == "0";
        let (a, b) = ((axis % 3) + 1, ((axis + 1) % 3) + 1);
        let found = steady.iter().filter(still(a)).find(still(b));
        found.unwrap_or_else(|| panic!("no turn about axis {axis} in {steady:#?}"))
    };
    assert_eq!(verdict(about(1)), "proven");
    assert_eq!(verdict(about(2)), "refuted");
    assert_eq!(verdict(about(3)), "proven");
}

#[test]
fn positions_on_a_sphere_and_families_of_rest() {
    let page = judged(&shipped("spherical_pendulum"), &[]);
    let rest = of_kind(&page, "equilibrium");
    assert_eq!(rest.len(), 2);
    assert_eq!(verdict(at(&rest, "z", "-l")), "proven");
    assert_eq!(verdict(at(&rest, "z", "l")), "refuted");
    let page = read(
        "free",
        "system free\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2\n",
    );
    let rest = of_kind(&page, "equilibrium");
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["free"], serde_json::json!(["y"]));
    assert_eq!(verdict(rest[0]), "proven");
    let steady = of_kind(&page, "steady");
    assert_eq!(steady[0]["symmetry"], "y");
    assert_eq!(steady[0]["rate"]["text"], "y'");
}

/// What cannot be solved is left open, and nothing is said to be all.
#[test]
fn an_equation_without_a_solution_in_closed_form_is_left_open() {
    let page = read(
        "open",
        "system open\ncoord x\nkinetic x'^2/2\npotential exp(x) + x^4 - 3*x\n",
    );
    assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "undecided");
    let page = read(
        "timed",
        "system timed\ncoord x\nkinetic x'^2/2\npotential x^2*(1 + cos(t))\n",
    );
    assert_eq!(page["equilibria"]["verdict"], "undecided");
    assert_eq!(page["equilibria"]["found"], serde_json::json!([]));
    // No equilibrium at all is a proof too.
    let page = read(
        "slope",
        "system slope\nparam g = 9.81\nassume g > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*x\n",
    );
    assert_eq!(
        page["equilibria"]["exhaustive_equilibria"]["verdict"],
        "proven"
    );
    assert!(of_kind(&page, "equilibrium").is_empty());
}

/// On the line every turn of a cosine is another state; on the circle it is the same.
#[test]
fn a_line_is_no_circle() {
    let model = |kind: &str| {
        format!("system s\ncoord x{kind}\nkinetic x'^2/2\npotential cos(2*x) + cos(x)\n")
    };
    let line = read("line", &model(""));
    assert_eq!(line["equilibria"]["exhaustive"]["verdict"], "undecided");
    let circle = read("circle", &model(" : angle"));
    assert_eq!(circle["equilibria"]["exhaustive"]["verdict"], "proven");
}

/// A field that leaves the level of a position constraint carries no steady motion.
#[test]
fn steady_motions_stay_on_the_constraints() {
    let found = read(
        "trough",
        "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z = x^2\nstart x = 1, z = 1\n",
    );
    for state in found["equilibria"]["found"].as_array().unwrap() {
        let free = state["free"].as_array().unwrap();
        let both = free.iter().any(|s| s == "x") && free.iter().any(|s| s == "z");
        assert!(!both, "{state}");
    }
}

/// The rate of a fast top is the one that it starts with.
#[test]
fn a_fast_top_is_not_judged_as_a_slow_one() {
    let found = read(
        "fast_top",
        "system s\ngroup R : SO(3) velocity w\nlagrangian (w[1]^2 + w[2]^2)/2 + w[3]^2/4 - R[3,3]\n\
         symmetry spin = (w[3]: 1)\nstart w = [0, 0, 10]\n",
    );
    for state in found["equilibria"]["found"].as_array().unwrap() {
        let upright = state["values"]["w[3]"] == 10.0;
        assert!(
            !(upright
                && state["stable"]["verdict"] == "refuted"
                && state["values"]["R[3,3]"] == 1.0),
            "{state}"
        );
    }
}

/// The symmetries of a charge in crossed fields change its Lagrangian by a total derivative; the drift is steady.
#[test]
fn a_charge_drifts_across_both_fields() {
    let page = judged(&shipped("charged_particle"), &[]);
    let steady = of_kind(&page, "steady");
    let drift = at(&steady, "y'", "-F/B");
    assert_eq!(drift["state"]["x'"]["text"], "0");
    assert_eq!(verdict(drift), "proven");
    // A stiff spring against a slow one that is pushed out of the centre: no drift, but circles about it.
    let page = read(
        "penning",
        "system penning\nparam B = 3\nassume B != 0\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 + B/2*(x*y' - y*x') + (x^2 + y^2)/2\n",
    );
    let rest = of_kind(&page, "equilibrium");
    assert_eq!(rest.len(), 1);
    // The field holds it: B² > 4, though the energy has a maximum of the potential there.
    assert_ne!(verdict(rest[0]), "refuted");
    let weak = read(
        "weak",
        "system penning\nparam B = 1\nassume B != 0\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 + B/2*(x*y' - y*x') + (x^2 + y^2)/2\n",
    );
    assert_eq!(verdict(of_kind(&weak, "equilibrium")[0]), "refuted");
}

/// A thin disk rolls stably straight ahead faster than v² = g R/3, and spins on its edge faster than Ω² = 4 g/(5 R).
#[test]
fn a_disk_is_stable_where_it_rolls_or_spins_fast() {
    let model = shipped("rolling_disk");
    let fast = judged(&model, &["--set", "phi'=0"]);
    let slow = judged(&model, &["--set", "phi'=0", "--set", "psi'=2"]);
    for (page, expected) in [(&fast, "proven"), (&slow, "refuted")] {
        let steady = of_kind(page, "steady");
        let straight = steady.iter().find(|e| {
            e["state"]["theta"]["text"] == "0" && e["rates"]["rolling"]["text"] == "psi'"
        });
        assert_eq!(verdict(straight.unwrap()), expected);
    }
    // The turn at the start, lean 0.2, is a mirror image of itself run backwards.
    let page = judged(&model, &[]);
    let steady = of_kind(&page, "steady");
    let turn = steady.iter().find(|e| e["state"]["theta"].is_null());
    assert_ne!(verdict(turn.unwrap()), "undecided");
}

/// Lagrange's top sleeps where I3² w² > 4 I1 k.
#[test]
fn a_sleeping_top_is_stable_where_it_is_fast() {
    let model = shipped("heavy_top");
    for (spin, expected) in [("6", "proven"), ("4", "refuted")] {
        let page = judged(&model, &["--set", &format!("w=[0,0,{spin}]")]);
        let steady = of_kind(&page, "steady");
        let upright = at(&steady, "R[3,3]", "1");
        assert_eq!(verdict(upright), expected, "{upright:#}");
        // What is shown is a rotation, though the start leans.
        let entry = |i: usize, j: usize| upright["values"][format!("R[{i},{j}]")].as_f64().unwrap();
        for i in 1..=3 {
            for j in 1..=3 {
                let product: f64 = (1..=3).map(|k| entry(i, k) * entry(j, k)).sum();
                let expected = f64::from(u8::from(i == j));
                assert!((product - expected).abs() < 1e-12, "{upright:#}");
            }
        }
        let condition = upright["stable_where"].to_string();
        assert!(condition.contains("I3"), "{condition}");
    }
}

/// Groups beside SO(3): quaternions and motions of space.
#[test]
fn equilibria_on_other_groups() {
    let page = judged(&shipped("quaternion_top"), &[]);
    let rest = of_kind(&page, "equilibrium");
    assert!(!rest.is_empty(), "{page:#}");
    let page = judged(&shipped("underwater_vehicle"), &[]);
    let rest = of_kind(&page, "equilibrium");
    let level = at(&rest, "X[3,3]", "1");
    assert_eq!(verdict(level), "proven");
    assert_eq!(verdict(at(&rest, "X[3,3]", "-1")), "refuted");
}

/// A law closes the loop: what falls without it stands.
#[test]
fn a_law_is_part_of_what_is_judged() {
    let text = "system held\nparam k = 20, d = 3\ncoord q : angle\nkinetic q'^2/2\npotential 9.81*cos(q)\ncontrol u on q\n";
    let open = read("open_loop", text);
    assert_eq!(
        verdict(at(&of_kind(&open, "equilibrium"), "q", "0")),
        "refuted"
    );
    assert_eq!(open["equilibria"]["scope"], "controls are at rest here");
    let closed = read(
        "closed_loop",
        &format!("{text}input u = -k*sin(q) - d*q'\n"),
    );
    let rest = of_kind(&closed, "equilibrium");
    let upright = at(&rest, "q", "0");
    assert_eq!(verdict(upright), "proven");
    assert_eq!(upright["attracts"], true);
    assert_eq!(
        closed["equilibria"]["scope"],
        "controls follow their laws here"
    );
}

/// Parameters with special values are judged for these.
#[test]
fn special_values_have_their_own_equilibria() {
    let text = |k: &str| {
        format!("system s\nparam k = {k}\ncoord x\nkinetic x'^2/2\npotential k*(x^2 - 1)^2\n")
    };
    let general = read("general", &text("2"));
    assert_eq!(of_kind(&general, "equilibrium").len(), 3);
    assert!(general["equilibria"]["special"].is_null());
    let special = read("special", &text("0"));
    let rest = of_kind(&special, "equilibrium");
    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["free"], serde_json::json!(["x"]));
    assert!(special["equilibria"]["special"].to_string().contains('k'));
    // A double root is no pair of roots that are not real.
    let double = read(
        "double",
        "system s\nparam c = 0\ncoord x\nkinetic x'^2/2\npotential x^3/3 - c*x\n",
    );
    let rest = of_kind(&double, "equilibrium");
    assert_eq!(rest.len(), 1, "{double:#}");
    assert_eq!(rest[0]["values"]["x"], 0.0);
}

/// A verdict that holds for one sign of a free rate is none; one that holds for all of them is.
#[test]
fn free_rates_are_judged_as_symbols() {
    // Spin about the long axis of a free body, whatever the rate, and a start at rest.
    let body = "system body\nparam I1 = 1, I2 = 2, I3 = 3\nassume I1 > 0, I2 > 0, I3 > 0\ngroup R : SO(3) velocity w\nkinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\n\
        symmetry up = (w[1]: R[3,1], w[2]: R[3,2], w[3]: R[3,3])\n";
    let page = read("any_rate", body);
    for state in of_kind(&page, "steady") {
        let middle = state["state"]["w[1]"]["text"] == "0" && state["state"]["w[3]"]["text"] == "0";
        if middle {
            assert_ne!(verdict(state), "proven");
        }
    }
    // The pendulum on a turntable that carries it: the sign of the rate does not matter, its size does.
    let page = read(
        "turntable",
        "system s\ncoord q, phi : angle\nkinetic (q'^2 + (2 + sin(q)^2)*phi'^2)/2\npotential -2*cos(q)\n",
    );
    let steady = of_kind(&page, "steady");
    let bottom = at(&steady, "q", "0");
    assert_eq!(verdict(bottom), "undecided");
    let condition = bottom["stable_where"].to_string();
    assert!(condition.contains("phi'"), "{condition}");
}

/// Does a state of rest belong to a branch that is listed? Its formulas and conditions are put to the state.
fn is_listed(all: &[&Value], state: &[(&str, f64)]) -> bool {
    let value = |text: &str| {
        let mut text = text.to_owned();
        for (name, x) in state {
            text = text.replace(name, &format!("({x})"));
        }
        constant(&text)
    };
    let holds = |condition: &Value| {
        let text = condition.as_str().unwrap();
        let (sign, strict) = if text.contains(">=") {
            (">=", false)
        } else {
            (">", true)
        };
        let (above, below) = text.split_once(sign).unwrap();
        let gap = value(above) - value(below);
        if strict { gap > 1e-9 } else { gap > -1e-9 }
    };
    let fits = |entry: &&Value| {
        let at = |(name, x): &(&str, f64)| {
            let text = entry["state"][*name]["text"].as_str();
            text.is_none_or(|text| (value(text) - x).abs() < 1e-9)
        };
        let conditions = entry["conditions"].as_array().unwrap();
        state.iter().all(at) && conditions.iter().all(holds)
    };
    all.iter().any(fits)
}

/// The value of a constant expression, by the start of a model.
fn constant(text: &str) -> f64 {
    let text = format!("system c\ncoord q\nkinetic q'^2/2\nstart q = {text}\n");
    let model = written("equilibria_constant", text);
    let page = rattleback(["derive", &model, "--json"]).exits(0).json();
    page["at_start"]["state"]["q"].as_f64().unwrap()
}

/// The branches of a root meet on their edge: a family that is real inside has its edge, too.
#[test]
fn the_edge_of_a_family_belongs_to_what_is_found() {
    // Rest wherever the scalar part is 0: a sphere, whose points with one entry 1 are on the edge of every root.
    let text = "system ball\ngroup g : SU(2) velocity w\nkinetic (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\npotential g[1]^2\n";
    let page = read("edge", text);
    assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "proven");
    let all = of_kind(&page, "equilibrium");
    for place in 1..=4 {
        for sign in [1.0, -1.0] {
            let x = |i| if i == place { sign } else { 0.0 };
            let state = [
                ("g[1]", x(1)),
                ("g[2]", x(2)),
                ("g[3]", x(3)),
                ("g[4]", x(4)),
            ];
            assert!(is_listed(&all, &state), "{state:?} is not in {all:#?}");
        }
    }
    // A ring of rest, whose ends on the axis are on the edge of y = ± sqrt(1 - x^2).
    let text = "system ring\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2 + y^2 - 1)^2/4\n";
    let page = read("ring", text);
    assert_eq!(page["equilibria"]["exhaustive"]["verdict"], "proven");
    let all = of_kind(&page, "equilibrium");
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.6, -0.8), (0.0, 0.0)] {
        assert!(is_listed(&all, &[("x", x), ("y", y)]), "({x}, {y})");
    }
    assert!(!is_listed(&all, &[("x", 0.5), ("y", 0.0)]));
}

/// An unknown that divides an equation of any degree is a branch.
#[test]
fn rest_is_found_where_a_power_divides_the_force() {
    for power in 3..7 {
        let text = format!(
            "system well\nparam k = 2\ncoord x\nkinetic x'^2/2\npotential k*x^2/2 + x^{power}\n"
        );
        let page = read(&format!("power_{power}"), &text);
        let all = of_kind(&page, "equilibrium");
        assert_eq!(verdict(at(&all, "x", "0")), "proven", "x^{power}");
    }
}

/// A branch inside another is told once.
#[test]
fn a_family_is_told_once() {
    let text = "system ball\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\nconstraint x^2 + y^2 + z^2 = 1\n\
                symmetry turn = (x: -y, y: x)\nstart x = 0.6, z = -0.8, y' = 0.67\n";
    let page = read("once", text);
    assert_eq!(of_kind(&page, "equilibrium").len(), 2);
    // Two signs of the root, two of the rate.
    let steady = of_kind(&page, "steady");
    assert_eq!(steady.len(), 4, "{steady:#?}");
    for entry in steady {
        assert_eq!(entry["conditions"].as_array().unwrap().len(), 2);
        assert_eq!(verdict(entry), "proven");
    }
}

/// What a page says about equilibria.
#[track_caller]
fn page(model: &str, more: &[&str]) -> String {
    let arguments = ["analyze", model, "--only", "equilibria"];
    let text = rattleback(arguments.iter().chain(more)).exits(0).out;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A family is stable or not at the rates and places that the start has, and nobody is told that it is for all of them.
#[test]
fn verdicts_about_families_say_what_they_are_for() {
    let fast = page(&shipped("rolling_disk"), &["--set", "psi'=5"]);
    assert!(
        fast.contains("steadily, modulo symmetries, φ = 0, θ = 0, ẋ = R*ψ̇ with any x, y, ψ, ψ̇: stable at ψ̇ = 5"),
        "{fast}"
    );
    let slow = page(&shipped("rolling_disk"), &["--set", "psi'=1/2"]);
    assert!(slow.contains("ψ̇: unstable at ψ̇ = 0.5"), "{slow}");
    // Rest is the same wherever symmetries put it.
    assert!(
        slow.contains("at rest, θ = 0 with any x, y, φ, ψ: unstable (2) at rest, "),
        "{slow}"
    );
}

/// Where the equations are too long to be solved at once, steady motions are looked for where the start is; elements of
/// groups are told by their parts.
#[test]
fn a_vehicle_glides_along_its_axes() {
    let model = shipped("underwater_vehicle");
    let steady = judged(&model, &[]);
    let steady = of_kind(&steady, "steady");
    for along in ["u", "v", "w"] {
        let found = steady.iter().find(|e| e["state"][along]["text"] != "0");
        let found = found.unwrap_or_else(|| panic!("none along {along}"));
        assert_eq!(found["free"][0], "X[3,4]", "{found:#}");
        for name in found["free"].as_array().unwrap() {
            assert!(!found["values"][name.as_str().unwrap()].is_null(), "{name}");
        }
    }
    let text = page(&model, &[]);
    assert!(
        text.contains("X.R = identity, X.p[1] = 0, X.p[2] = 0, u = "),
        "{text}"
    );
    assert!(text.contains("with any X.p[3], "), "{text}");
    assert!(!text.contains("X[4,"), "{text}");
}

/// The domain of a logarithm is a condition on the coordinates of a family, and holds at the start.
#[test]
fn conditions_of_the_domain_are_judged_at_the_start() {
    let text = "system around\nparam k = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential k*log(x^2 + y^2)/2\n\
        symmetry turn = (x: -y, y: x)\nstart x = 1, y' = 1\n";
    let page = read("domain_of_a_family", text);
    let steady = of_kind(&page, "steady");
    assert_eq!(steady[0]["values"]["y'"], 1.0, "{:#}", steady[0]);
    assert_eq!(verdict(steady[0]), "proven", "{:#}", steady[0]);
}

/// x'' = −x' + 4 x³ runs away from 0. The rate of a symmetry that is declared beside its double is no further dimension of
/// the circular orbits: what is neutral in x is not along them.
#[test]
fn symmetries_that_depend_on_each_other_add_no_dimension_to_a_family() {
    let page = read(
        "doubled",
        "system doubled\ncoord x, r\ncoord th : angle\nkinetic (x'^2 + r'^2 + r^2*th'^2)/2\npotential -1/r - x^4\n\
         force (x: -x', r: -r')\nsymmetry s = (th: 2)\nstart r = 1, th' = 1\n",
    );
    let all = of_kind(&page, "steady");
    assert!(!all.is_empty());
    for entry in all {
        assert_eq!(verdict(entry), "undecided", "{entry:#}");
        assert_eq!(entry["free"], serde_json::json!(["r", "th"]));
    }
}
