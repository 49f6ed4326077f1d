//! Slips around controls, outputs and places that a program might pass over in silence.

use crate::common::{rattleback, written};

const CART: &str = "system cart\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint sides: x' = y'\ncontrol u on x\n\
                    start x = 1, x' = 1, y' = 1\ntime 0 .. 1 step 0.1\n";

/// Generated names stand for what the model has.
#[test]
fn observables_name_multipliers_and_momenta_that_there_are() {
    for (k, wrong) in ["lambda1", "lambda_ends", "mu2", "p_z", "P_q", "y7"]
        .into_iter()
        .enumerate()
    {
        let model = written(
            &format!("ownerless{k}"),
            format!("{CART}observe l = {wrong}\n"),
        );
        for command in ["check", "simulate"] {
            rattleback([command, &model]).exits(2).says(&[wrong, ":8:"]);
        }
    }
    for (k, right) in ["lambda_sides", "mu_sides", "p_x", "p_y - p_x", "P_x", "y1"]
        .into_iter()
        .enumerate()
    {
        let model = written(&format!("owned{k}"), format!("{CART}observe l = {right}\n"));
        rattleback(["check", &model]).exits(0);
    }
    let unnamed = CART.replace("sides: ", "");
    for (name, code) in [("lambda1", 0), ("lambda2", 2)] {
        let text = format!("{unnamed}observe l = {name}\n");
        rattleback(["check", &written(&format!("unnamed_{name}"), text)]).exits(code);
    }
    let body = "system body\ngroup R : SO(3) velocity w\nkinetic norm2(w)/2\n";
    for (name, code) in [("p_w[2]", 0), ("p_w", 0), ("p_v[2]", 2)] {
        let text = format!("{body}observe l = {name}\n");
        rattleback(["check", &written("owned_body", text)]).exits(code);
    }
}

#[test]
fn places_to_linearise_at_are_read_with_care() {
    let model = written("careful_place", CART);
    let at = |place: &str| rattleback(["linearize", &model, "--at", place]).exits(2);
    at("x = 0, x = 1").says(&["`x` is given twice"]);
    at("foo = 1").says(&["--at:1:1", "foo"]);
    at("x'' = 1").says(&["--at:1:1", "no part of the state"]);
    rattleback(["simulate", &model, "--section", "foo = 0"])
        .exits(2)
        .says(&["--section:1:1", "foo"]);
}

#[test]
fn a_constant_input_is_finite() {
    let model = written("finite_input", CART);
    rattleback(["simulate", &model, "--set", "u=1e400"])
        .exits(2)
        .says(&["--set:1:3", "not a finite number"]);
}

/// With controls, accelerations are no part of the state: they can neither be reached nor cost at the end.
#[test]
fn ends_are_of_the_state() {
    let text = "system ends\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\ngoal x = 1\ntime 0 .. 1\n";
    for (k, line) in ["terminal x''", "goal x'' = 0", "via 0.5: x'' = 0"]
        .into_iter()
        .enumerate()
    {
        let model = written(&format!("ends{k}"), format!("{text}{line}\n"));
        rattleback(["check", &model])
            .exits(2)
            .says(&["no part of the state", ":8:"]);
    }
}

#[test]
fn discrete_principles_move_no_auxiliary_states() {
    let text = "system lag\ncoord x\nstate z\nkinetic x'^2/2\npotential x^2/2\nrate z' = x - z\nforce (x: -z)\n\
                start x = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("auxiliary_steps", text);
    for rule in ["midpoint", "exact", "gauss4"] {
        rattleback(["discrete", &model, "--rule", rule])
            .exits(2)
            .says(&["`z`"]);
    }
    rattleback(["simulate", &model, "--method", "variational-midpoint"])
        .exits(2)
        .says(&["`z`", "another method"]);
}

#[test]
fn maps_go_from_node_to_node() {
    let text = "system m\nstate a\nmap next(a) = a + t\ntime 0 .. 3 step 0.5\n";
    rattleback(["simulate", &written("half_nodes", text)])
        .exits(2)
        .says(&["its step is 1", ":4:"]);
    let whole = written("whole_nodes", text.replace(" step 0.5", ""));
    rattleback(["simulate", &whole]).exits(0);
    rattleback(["simulate", &whole, "--step", "0.5"]).exits(2);
}

/// What the equations give is no part of them, under another name either.
#[test]
fn generated_quantities_do_not_come_in_by_a_name() {
    let statements = [
        "potential x^2/2 + o",
        "force (x: -o*x')",
        "control u on x\ninput u = o",
        "constraint y' = x*o",
        "state z\nrate z' = o",
        "control u on x\ncost u^2 + o\ngoal x = 1",
    ];
    for quantity in ["p_x", "energy"] {
        for statement in statements {
            let text = format!(
                "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n{statement}\nobserve o = {quantity}\n"
            );
            let model = written("generated_by_name", &text);
            let said = rattleback(["check", &model]).exits(2);
            said.says(&["what the program generates, as `o` does"]);
        }
    }
}

/// Exponents are means over a time that is given; a motion that an event ends has none of its own.
#[test]
fn exponents_are_of_a_given_time() {
    let model = written("stopped_exponents", CART);
    let all = ["simulate", &model, "--lyapunov", "1", "--stop", "x = 2"];
    rattleback(all).exits(2).says(&["--lyapunov", "--until"]);
}

/// `check` shows the whole of a posed problem.
#[test]
fn check_shows_flat_outputs_and_guesses() {
    let model = written(
        "posed_whole",
        "system posed\ncoord x\nkinetic x'^2/2\ncontrol u on x\nflat place = x\ncost u^2/2\ngoal x = 1, x' = 0\nguess x = t^2\ntime 0 .. 1\n",
    );
    let page = rattleback(["check", &model, "--json"]).exits(0).json();
    let problem = page["problem"].to_string();
    assert!(problem.contains("\"flat\":[\"place\"]"), "{problem}");
    assert!(problem.contains("t^2"), "{problem}");
    let text = rattleback(["check", &model]).exits(0).out;
    assert!(text.contains("flat") && text.contains("guess"), "{text}");
}
