//! Start states that cannot be are refused with their place.

mod common;

use common::{rattleback, written};

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
