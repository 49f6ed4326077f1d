//! Bad input: every mistake gets its place, the exit codes are those of the contract, nothing panics.

use crate::common::{Run, folder, rattleback, written};

/// Checks a model that must be refused at this line with this text, by `check` and `derive` alike.
#[track_caller]
fn refused(test: &str, text: &str, line: usize, says: &[&str]) -> Run {
    let model = written(test, text);
    let place = format!("model.mech:{line}:");
    let says: Vec<&str> = says.iter().copied().chain([place.as_str()]).collect();
    rattleback(["derive", &model]).exits(2).says(&says);
    let json = rattleback(["check", &model, "--json"]).exits(2).json();
    assert_eq!(json["ok"], false);
    rattleback(["check", &model]).exits(2).says(&says)
}

const PLANE: &str = "system plane\nparam m = 1\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n";

#[test]
fn unknown_names_get_a_suggestion() {
    refused(
        "unknown",
        "system a\nparam mass = 1\ncoord x\nlagrangian mas*x'^2\n",
        4,
        &["mas", "mass"],
    );
}

#[test]
fn several_mistakes_are_reported_in_one_run() {
    let text = "system a\ncoord x\nlagrangian 2x\nconstraint y' = 0\nstart x = [1, 2]\n";
    refused("several", text, 3, &["model.mech:4:", "model.mech:5:"]);
}

#[test]
fn shapes_are_compared() {
    let text = format!("{PLANE}let v = [1, 2] + [1, 2, 3]\nobserve w = v\n");
    refused("shapes", &text, 5, &["2", "3"]);
}

#[test]
fn division_by_an_expression_that_is_zero() {
    refused(
        "division",
        "system a\ncoord x\nlagrangian x'^2/(x - x)\n",
        3,
        &[],
    );
}

#[test]
fn division_by_a_hidden_zero_is_found() {
    let text = "system a\ncoord x\nlagrangian x'^2/(sin(x)^2 + cos(x)^2 - 1)\n";
    let model = written("hidden_zero", text);
    let run = rattleback(["derive", &model]);
    assert!(run.code == 1 || run.code == 2, "{} {}", run.code, run.out);
    assert!(!run.err.is_empty());
}

#[test]
fn a_degenerate_kinetic_energy_is_refused() {
    refused(
        "degenerate",
        "system a\ncoord x, y\nkinetic x'^2\npotential y^2\n",
        3,
        &["degenerate"],
    );
}

#[test]
fn a_kinetic_energy_degenerate_on_the_constraints_is_refused() {
    let text = "system a\ncoord x, y, z\nkinetic x'^2 - y'^2 + z'^2\nconstraint x' = y'\n";
    refused(
        "lightlike",
        text,
        3,
        &["degenerate", "constraint distribution"],
    );
}

#[test]
fn constraints_may_supply_what_the_kinetic_energy_lacks() {
    let text = "system a\ncoord x, y\nkinetic x'^2\nconstraint y' = x*x'\nstart x' = 1\n";
    rattleback(["check", &written("supplied", text)]).exits(0);
}

#[test]
fn redundant_constraints_are_a_warning() {
    let text = "system a\nparam m = 1\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n\
                constraint x' = y'\nconstraint 2*y' - 2*x' = 0\nstart z' = 1\n";
    let model = written("redundant", text);
    let run = rattleback(["check", &model])
        .exits(0)
        .says(&["Warning", "model.mech:6:"]);
    assert!(run.out.contains("1 redundant"), "{}", run.out);
    let run = rattleback(["derive", &model, "--json"])
        .exits(0)
        .says(&["model.mech:6:"]);
    assert!(run.json()["notes"].to_string().contains("line 6"));
    assert_eq!(run.json()["multipliers"].as_array().unwrap().len(), 1);
}

#[test]
fn contradictory_constraints_are_refused() {
    let text = format!("{PLANE}constraint x' = 1\nconstraint 2*x' = 3\n");
    refused("contradiction", &text, 6, &["contradicts"]);
}

#[test]
fn constraints_that_leave_no_freedom_are_refused() {
    let text = format!("{PLANE}constraint x' = 0\nconstraint y' = 0\n");
    refused("no_freedom", &text, 5, &["no freedom"]);
}

#[test]
fn nonlinear_constraints_are_labelled_by_check_and_refused_but_by_the_variational_form() {
    let text = format!("{PLANE}constraint x'^2 + y'^2 = 1\nstart x' = 1\n");
    let model = written("nonlinear", text);
    let check = rattleback(["check", &model])
        .exits(0)
        .says(&["nonlinear", "model.mech:5:"]);
    assert!(check.out.contains("nonlinear"), "{}", check.out);
    for form in ["lagrange-dalembert", "hamel", "hamiltonian", "chaplygin"] {
        let run = rattleback(["derive", &model, "--form", form])
            .exits(2)
            .says(&["nonlinear", "model.mech:5:", form, "--form vakonomic"]);
        assert!(run.out.is_empty(), "{}", run.out);
    }
    rattleback(["analyze", &model])
        .exits(2)
        .says(&["nonlinear", "model.mech:5:"]);
    rattleback(["derive", &model, "--form", "vakonomic"]).exits(0);
    let open = format!("{PLANE}constraint x'^2 + y'^2 = 1\n");
    rattleback(["check", &written("nonlinear_open", open)]).exits(0);
}

#[test]
fn a_start_that_breaks_a_constraint_says_by_how_much() {
    let text = format!("{PLANE}constraint x' = 2*y'\nstart x' = 1, y' = 1\n");
    refused("inconsistent", &text, 5, &["breaks", "by -1"]);
    let text = format!("{PLANE}constraint x^2 + y^2 = 1\nstart x = 2\n");
    refused("off_the_circle", &text, 5, &["breaks", "by 3"]);
}

#[test]
fn a_nonlinear_constraint_broken_by_the_start_is_an_error() {
    let text = format!("{PLANE}constraint x'^2 + y'^2 = 1\nstart x' = 3, y' = 0\n");
    rattleback(["check", &written("nonlinear_start", text)])
        .exits(2)
        .says(&["breaks", "model.mech:5:"]);
}

#[test]
fn a_start_where_the_equations_are_not_finite_is_a_failed_computation() {
    let text = "system a\ncoord x\nlagrangian x'^2/2 - 1/x\nstart x = 0\n";
    let model = written("not_finite", text);
    rattleback(["check", &model])
        .exits(1)
        .says(&["rate of `x'`", "x = 0"]);
    let run = rattleback(["derive", &model])
        .exits(1)
        .says(&["rate of `x'`", "--set"]);
    assert!(
        run.out.contains("Equations of motion"),
        "what was derived is kept: {}",
        run.out
    );
    let run = rattleback(["derive", &model, "--json"]).exits(1);
    assert!(run.json()["at_start"].is_null());
    rattleback(["derive", &model, "--set", "x=1"]).exits(0);
}

#[test]
fn a_singular_mass_matrix_at_the_start_is_a_failed_computation() {
    let text = "system a\ncoord x, y\nkinetic x^2*x'^2/2 + y'^2/2\npotential y\n";
    let model = written("singular", text);
    rattleback(["check", &model])
        .exits(1)
        .says(&["x''", "t = 0"]);
    rattleback(["derive", &model]).exits(1);
}

#[test]
fn forms_that_do_not_apply_say_why() {
    let constrained = written(
        "forms",
        format!("{PLANE}constraint x' = y*y'\nstart y' = 1\n"),
    );
    let run = rattleback(["derive", &constrained, "--form", "euler-lagrange"]).exits(2);
    run.says(&["without constraints", "lagrange-dalembert"]);
    let free = written("forms_free", PLANE);
    rattleback(["derive", &free, "--form", "chaplygin"])
        .exits(2)
        .says(&["Chaplygin"]);
}

#[test]
fn hostile_files_get_an_error() {
    let nested = format!(
        "system a\ncoord x\nlagrangian {}x'^2{}\n",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    rattleback(["check", &written("nested", nested)]).exits(2);
    let long = format!(
        "system a\ncoord x\nlagrangian x'^2{}\n",
        " + x".repeat(2_500_000)
    );
    rattleback(["check", &written("long", long)]).exits(2);
    rattleback([
        "check",
        &written("nul", b"system a\n\0coord x\0\nlagrangian x'^2\n"),
    ])
    .exits(2);
    rattleback(["check", &written("utf8", b"system a\ncoord \xff\n")])
        .exits(2)
        .says(&["UTF-8"]);
    rattleback(["check", &written("empty", "")]).exits(2);
    rattleback(["check", folder("directory").to_str().unwrap()])
        .exits(2)
        .says(&["directory"]);
    rattleback(["check", "no/such/file.mech"])
        .exits(2)
        .says(&["no/such/file.mech"]);
}

#[test]
fn deep_but_legal_models_do_not_overflow() {
    // Sums and functions nested as deep as the language allows go through every room.
    let mut e = "x".to_owned();
    for _ in 0..300 {
        e = format!("sin({e} + 1/2)");
    }
    let text = format!("system a\ncoord x\nlagrangian x'^2/2 - {e}\nstart x = 1\n");
    let run = rattleback(["derive", &written("deep", text), "--json"]);
    assert!(run.code == 0 || run.code == 2, "{} {}", run.code, run.err);
}
