//! `rattleback compare`: two motions from one start, and how far apart they are.

use crate::common::{folder, rattleback, shipped, tables, written};
use serde_json::Value;

#[track_caller]
fn compared(model: &str, more: &[&str]) -> Value {
    let arguments = ["compare", model, "--json"]
        .into_iter()
        .chain(more.iter().copied());
    rattleback(arguments).exits(0).json()
}

/// VE, knife: the nonholonomic motion P-K1 and the vakonomic one P-K2 from the same start.
const KNIFE: &str = "system knife\nparam m = 1, J = 7/10\ncoord x, theta, y\n\
                     kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint y' = tan(theta)*x'\n\
                     start theta = 1/5, x' = 1/2, theta' = 3/10\ntime 0 .. 2 step 0.01\n";

#[test]
fn both_motions_end_where_the_tables_say() {
    let path = folder("compare_knife_out").join("both.csv");
    let model = written("compare_knife", KNIFE);
    let tight = ["--rtol", "1e-12", "--atol", "1e-13"];
    let json = compared(
        &model,
        &[&tight[..], &["-o", path.to_str().unwrap()]].concat(),
    );
    let ends = [
        ("nonholonomic", [0.882060416152126, 0.8, 0.481871801536557]),
        (
            "vakonomic",
            [0.799959549874912, 0.945397536984547, 0.457465390299661],
        ),
    ];
    for (motion, values) in ends {
        for (name, value) in ["x", "theta", "y"].iter().zip(values) {
            let found = json[motion]["final"][name].as_f64().unwrap();
            assert!((found - value).abs() < 1e-10, "{motion} {name}: {found}");
        }
    }
    let apart = |i: usize| (ends[0].1[i] - ends[1].1[i]).powi(2);
    let last = (apart(0) + apart(1) + apart(2)).sqrt();
    let table = tables::read(&path);
    let distance = table.column("distance");
    assert_eq!(distance.len(), 201);
    assert_eq!(distance[0], 0.0);
    assert!((distance[200] - last).abs() < 1e-9);
    let largest = json["max_distance"].as_f64().unwrap();
    assert!((largest - distance.iter().fold(0.0, |m: f64, d| m.max(*d))).abs() < 1e-12);
    assert!(json["parted_at"].as_f64().unwrap() > 0.0);
    for name in ["x(nonholonomic)", "x(vakonomic)", "mu1(vakonomic)"] {
        table.column(name);
    }
}

/// VE P-C2: the carriage follows its nonholonomic motion from the right multipliers.
#[test]
fn motions_that_agree_are_said_to() {
    let text = "system heisenberg\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
                constraint z' - y*x' + x*y' = 0\n\
                start x = 1/2, y = 1/5, z = -1/10, x' = 4/5, y' = 3/5\ntime 0 .. 3 step 0.1\n";
    let model = written("compare_same", text);
    let json = compared(&model, &[]);
    assert!(json["parted_at"].is_null(), "{json}");
    assert!(json["max_distance"].as_f64().unwrap() < 1e-9);
    let run = rattleback(["compare", &model]).exits(0);
    assert!(run.out.contains("agree"), "{}", run.out);
    let other = compared(&model, &["--set", "mu1=-0.14"]);
    let x = other["vakonomic"]["final"]["x"].as_f64().unwrap();
    assert!((x - 3.08253889677077).abs() < 1e-7, "{x}");
    assert!(other["parted_at"].as_f64().is_some());
}

#[test]
fn a_disk_with_the_right_multipliers_moves_alike() {
    let right = [
        "--set",
        "mu1=1.3*0.7*1.7*cos(0.4)",
        "--set",
        "mu2=1.3*0.7*1.7*sin(0.4)",
    ];
    let json = compared(&shipped("vertical_rolling_disk"), &right);
    assert!(json["parted_at"].is_null(), "{json}");
    assert!(json["max_distance"].as_f64().unwrap() < 1e-7);
    let plain = compared(&shipped("vertical_rolling_disk"), &[]);
    assert!(plain["parted_at"].as_f64().is_some());
}

#[test]
fn two_forms_of_one_motion_agree() {
    let json = compared(
        &shipped("snakeboard"),
        &[
            "--form",
            "hamel",
            "--with",
            "lagrange-dalembert",
            "--until",
            "3",
        ],
    );
    assert!(json["parted_at"].is_null(), "{json}");
}

#[test]
fn the_figure_shows_both() {
    let path = folder("compare_plot").join("both.svg");
    let path = path.to_str().unwrap();
    rattleback([
        "compare",
        &written("compare_plot_model", KNIFE),
        "--plot",
        path,
    ])
    .exits(0);
    let svg = std::fs::read_to_string(path).unwrap();
    assert!(svg.contains("vakonomic") && svg.contains("nonholonomic"));
}

#[test]
fn without_constraints_both_motions_are_one() {
    let text = "system free\ncoord x\nkinetic x'^2/2\npotential cos(x)\nstart x' = 1\n";
    let json = compared(&written("compare_free", text), &[]);
    assert!(json["parted_at"].is_null(), "{json}");
}

#[test]
fn a_form_is_not_compared_with_itself() {
    rattleback(["compare", &shipped("knife_edge"), "--with", "hamel"])
        .exits(2)
        .says(&["hamel", "--with"]);
}
