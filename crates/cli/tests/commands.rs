//! The commands as a user meets them: streams, exit codes, files.

use crate::common::{all_files, derived, folder, rattleback, shipped, written};
use std::io::Read;
use std::process::{Command, Stdio};

const FALL: &str = "system fall \"Free fall\"\nparam m = 2, g = 10\nassume m > 0\ncoord z\n\
                    lagrangian m/2*z'^2 - m*g*z\nstart z = 3, z' = 1\n";

#[test]
fn help_and_version_succeed_everywhere() {
    rattleback(["--version"]).exits(0);
    for command in [
        vec!["--help"],
        vec!["new", "--help"],
        vec!["check", "--help"],
        vec!["derive", "--help"],
        vec!["simulate", "--help"],
        vec!["ensemble", "--help"],
        vec!["compare", "--help"],
        vec!["fmt", "--help"],
    ] {
        let run = rattleback(command.clone()).exits(0);
        assert!(run.out.contains("Examples:"), "{command:?}");
        assert!(run.err.is_empty());
    }
}

#[test]
fn wrong_usage_is_bad_input() {
    rattleback(["frobnicate"]).exits(2);
    rattleback(["derive"]).exits(2);
    rattleback(Vec::<&str>::new()).exits(2);
    let model = written("wrong_usage", FALL);
    rattleback(["derive", &model, "--form", "lagrange-dalambert"])
        .exits(2)
        .says(&["lagrange-dalembert"]);
    rattleback(["derive", &model, "--format", "pdf"])
        .exits(2)
        .says(&["latex"]);
}

#[test]
fn new_writes_a_model_that_checks_and_derives() {
    let path = folder("new").join("sleigh");
    let path = path.to_str().unwrap();
    rattleback(["new", path]).exits(0);
    let file = format!("{path}.mech");
    let check = rattleback(["check", &file]).exits(0);
    assert!(check.err.is_empty(), "{}", check.err);
    rattleback(["derive", &file]).exits(0);
    rattleback(["fmt", "--check", &file]).exits(0);
    let before = std::fs::read(&file).unwrap();
    rattleback(["new", path]).exits(2).says(&["exists already"]);
    rattleback(["new", &file])
        .exits(2)
        .says(&["exists already"]);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let odd = folder("new_odd").join("not a name");
    rattleback(["new", odd.to_str().unwrap()])
        .exits(2)
        .says(&["no name for a system"]);
    rattleback(["new", "no/such/folder/model"])
        .exits(2)
        .says(&["cannot write"]);
}

#[test]
fn derive_writes_what_the_contract_names() {
    let json = derived(&written("contract", FALL), None, &[]);
    assert_eq!(json["system"], "fall");
    assert_eq!(json["form"], "euler-lagrange");
    assert_eq!(json["state"], serde_json::json!(["z", "z'"]));
    assert_eq!(json["params"], serde_json::json!({"m": 2.0, "g": 10.0}));
    assert_eq!(json["equations"][0]["lhs"], "z''");
    assert_eq!(json["equations"][0]["text"], "-g");
    assert_eq!(json["equations"][0]["latex"], "-g");
    assert_eq!(json["equations"].as_array().unwrap().len(), 1);
    assert_eq!(json["multipliers"], serde_json::json!([]));
    assert!(json["energy"]["text"].is_string() && json["energy"]["latex"].is_string());
    let at_start = &json["at_start"];
    assert_eq!(at_start["state"], serde_json::json!({"z": 3.0, "z'": 1.0}));
    assert_eq!(
        at_start["rates"],
        serde_json::json!({"z": 1.0, "z'": -10.0})
    );
    assert_eq!(at_start["energy"], 61.0);
}

#[test]
fn names_in_json_are_ascii_whatever_the_file_uses() {
    let text = "system pendulum\nparam ℓ0 = 1\ncoord θ : angle\nlagrangian ℓ0^2/2*θ'^2 + cos(θ)\nstart θ = 1/2\n";
    let model = written("ascii_names", text.replace("ℓ0", "λ"));
    let run = rattleback(["derive", &model, "--json"]).exits(0);
    assert!(run.out.is_ascii(), "{}", run.out);
    assert!(run.json()["at_start"]["state"]["theta"].is_number());
}

#[test]
fn settings_change_parameters_and_start() {
    let model = written("settings", FALL);
    let json = derived(
        &model,
        None,
        &["--set", "g=4", "--set", "z'=1/2", "--set", "m=6"],
    );
    assert_eq!(json["params"]["g"], 4.0);
    assert_eq!(json["at_start"]["rates"]["z'"], -4.0);
    assert_eq!(json["at_start"]["rates"]["z"], 0.5);
    assert_eq!(json["at_start"]["energy"], 6.0 / 8.0 + 6.0 * 4.0 * 3.0);
}

#[test]
fn a_failed_assumption_is_bad_input() {
    let model = written("assumption", FALL);
    rattleback(["derive", &model, "--set", "m=-1"])
        .exits(2)
        .says(&["m > 0"]);
    rattleback(["check", &model, "--set", "m=0"])
        .exits(2)
        .says(&["m > 0"]);
    rattleback(["check", &model, "--set", "mm=1"])
        .exits(2)
        .says(&["mm", "did you mean"]);
    rattleback(["check", &model, "--set", "m"]).exits(2);
    rattleback(["check", &model, "--set", "m=1/0"]).exits(2);
}

#[test]
fn text_latex_and_mathml() {
    let model = shipped("vertical_rolling_disk");
    let text = rattleback(["derive", &model]).exits(0).out;
    assert!(
        text.contains("Vertical rolling disk") && text.contains("φ̈ = 0"),
        "{text}"
    );
    let ascii = rattleback(["derive", &model, "--ascii"]).exits(0).out;
    assert!(ascii.contains("phi''") && !ascii.contains('φ'), "{ascii}");
    let latex = rattleback(["derive", &model, "--format", "latex"])
        .exits(0)
        .out;
    assert!(
        latex.contains("\\ddot{\\varphi}") || latex.contains("\\ddot{\\phi}"),
        "{latex}"
    );
    let mathml = rattleback(["derive", &model, "--format", "mathml"])
        .exits(0)
        .out;
    assert!(
        mathml.contains("<math") && mathml.contains("</math>"),
        "{mathml}"
    );
    let json = derived(&model, None, &["--format", "mathml"]);
    assert!(
        json["energy"]["mathml"]
            .as_str()
            .unwrap()
            .starts_with("<math")
    );
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let run = || {
        rattleback(["derive", &shipped("snakeboard"), "--json"])
            .exits(0)
            .out
    };
    assert_eq!(run(), run());
}

#[test]
fn fmt_keeps_comments_and_settles() {
    let untidy =
        "system a\n#  a point\ncoord   x,y   # in the plane\nlagrangian  1/2*(x'^2+y'^2)\n";
    let model = written("fmt", untidy);
    rattleback(["fmt", "--check", &model]).exits(1);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), untidy);
    rattleback(["fmt", &model]).exits(0);
    let tidy = std::fs::read_to_string(&model).unwrap();
    assert!(
        tidy.contains("a point") && tidy.contains("# in the plane"),
        "{tidy}"
    );
    assert_ne!(tidy, untidy);
    rattleback(["fmt", "--check", &model]).exits(0);
    rattleback(["derive", &model]).exits(0);
}

#[test]
fn fmt_reports_every_file_it_cannot_read() {
    let good = written("fmt_good", FALL);
    let bad = written("fmt_bad", "system a\ncoord x\nlagrangian 2x\n");
    rattleback(["fmt", &bad, "no/such.mech", &good])
        .exits(2)
        .says(&["model.mech:3", "no/such.mech"]);
    assert_eq!(
        std::fs::read_to_string(&bad).unwrap(),
        "system a\ncoord x\nlagrangian 2x\n"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(["derive", &shipped("snakeboard"), "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut err)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{err}");
    assert!(err.is_empty(), "{err}");
}

#[test]
fn messages_on_a_pipe_have_no_colours() {
    let bad = written("colours", "system a\ncoord x\nlagrangian y'^2\n");
    let run = rattleback(["check", &bad]).exits(2);
    assert!(!run.err.contains('\u{1b}'), "{:?}", run.err);
    assert!(run.out.is_empty());
}

#[test]
fn statements_that_derive_cannot_use_are_named() {
    let text = format!(
        "{FALL}observe jolt = z''\ncontrol u on z\ncost u^2\nterminal z\ngoal z = 1\nbound -1 <= u <= 1\ntime 0 .. 1\noneform s = (z: m)\n"
    );
    let json = derived(&written("unused", text), None, &[]);
    let notes = json["notes"].to_string();
    for word in [
        "oneform",
        "cost",
        "terminal",
        "goal",
        "bound",
        "observe jolt",
        "0 at the start: u",
    ] {
        assert!(notes.contains(word), "{word} in {notes}");
    }
    // That equations show no horizon goes without saying.
    assert!(!notes.contains("time"), "{notes}");
}

#[test]
fn check_says_what_kind_of_system_it_is() {
    let run = rattleback(["check", &shipped("snakeboard"), "--json"]).exits(0);
    let json = run.json();
    assert_eq!(json["ok"], true);
    assert_eq!(json["kind"]["lagrangian"], "natural");
    assert_eq!(json["kind"]["dimension"], 5);
    assert_eq!(json["kind"]["degrees_of_freedom"], 3);
    assert_eq!(json["kind"]["constraints"]["linear"], 2);
    assert_eq!(json["default_form"], "lagrange-dalembert");
    let text = rattleback(["check", &shipped("heavy_top_rotors")])
        .exits(0)
        .out;
    assert!(
        text.contains("R in SO(3)") && text.contains("u1, u2"),
        "{text}"
    );
    let spline = rattleback(["check", &shipped("cubic_splines"), "--json"])
        .exits(0)
        .json();
    assert_eq!(spline["kind"]["lagrangian"], "higher-order");
    assert_eq!(spline["kind"]["order"], 2);
}

#[test]
fn an_unknown_of_a_solve_that_stays_has_no_formula() {
    let text = "system quartic\ncoord x\nlagrangian x'^2/2 + x'^4\n";
    let json = derived(&written("implicit_json", text), Some("hamiltonian"), &[]);
    assert_eq!(json["explicit"], false);
    let equation = &json["equations"][0];
    assert_eq!(
        *equation,
        serde_json::json!({"lhs": "x'", "text": null, "latex": null})
    );
    assert_eq!(json["equations"][1]["text"], "0");
    assert_eq!(json["stages"][0]["unknowns"][0], "x'");
}

#[test]
fn unknown_forms_get_the_list_of_the_known() {
    let model = written("unknown_form", FALL);
    rattleback(["derive", &model, "--form", "optimal"])
        .exits(2)
        .says(&["euler-lagrange, ", "higher-order, optimality"]);
    rattleback(["derive", &model, "--form", "hamell"])
        .exits(2)
        .says(&["did you mean `hamel`?", "lagrange-dalembert"]);
}

#[test]
fn start_multipliers_are_named_where_they_are_not_used() {
    let text = "system a\ncoord x, y\nkinetic x'^2 + y'^2\nconstraint y' = x*x'\nstart mu1 = 1/2\n";
    let model = written("start_mu", text);
    let notes = |form| derived(&model, Some(form), &[])["notes"].to_string();
    assert!(notes("lagrange-dalembert").contains("start mu1"));
    assert!(!notes("vakonomic").contains("start mu1"));
}

#[test]
fn observed_quantities_stand_under_their_own_heading() {
    let text = format!("{FALL}observe E = z\n");
    let out = rattleback(["derive", &written("observed", text)])
        .exits(0)
        .out;
    let (start, observed) = out.split_once("\nObserved at the start\n").unwrap();
    let (_, start) = start.split_once("\nAt the start").unwrap();
    let rows = |text: &str, name: &str| text.lines().filter(|l| l.starts_with(name)).count();
    // The energy of the page gives way.
    let found = (rows(start, "  E_ "), rows(observed, "  E "));
    assert_eq!(found, (1, 1), "{out}");
}

#[test]
fn constraints_are_counted_in_plain_words() {
    let out = |name: &str| rattleback(["check", &shipped(name)]).exits(0).out;
    assert!(out("spherical_pendulum").contains(" 1 holonomic constraint\n"));
    assert!(out("snakeboard").contains(" 2 constraints linear in the velocities\n"));
}

#[test]
fn parameters_that_make_the_kinetic_energy_vanish_are_named() {
    let text =
        "system a\nparam m = 0, k = 0\ncoord x\nkinetic m/2*x'^2\npotential x^2\nobserve o = k\n";
    let run = rattleback(["derive", &written("zero_mass", text)]).exits(2);
    assert!(run.err.contains("the parameter `m` is 0"), "{}", run.err);
}

#[test]
fn shipped_models_are_in_the_standard_layout() {
    let files = all_files().into_iter().map(|name| shipped(&name));
    rattleback(
        ["fmt".to_owned(), "--check".to_owned()]
            .into_iter()
            .chain(files),
    )
    .exits(0);
}

/// Of an equation between vectors only the component is called holonomic that is.
#[test]
fn advice_names_the_component() {
    let run = rattleback(["derive", &shipped("rattleback")]).exits(0);
    for said in [&run.out, &run.err] {
        assert!(
            said.contains("component 3 of this velocity constraint is closed"),
            "{said}"
        );
    }
    let scalar = rattleback(["derive", &shipped("carriage_offset")]).exits(0);
    assert!(
        scalar.err.contains("Advice: this velocity constraint"),
        "{}",
        scalar.err
    );
}
