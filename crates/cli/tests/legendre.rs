//! Momenta that are not linear in the velocities: the velocities are those of the start and of the motion from there,
//! not another solution of the same equations.

use crate::common::{folder, rattleback, tables, written};

/// Lagrangians and starts. Some are regular where they move and not at rest, others have several velocities for one
/// momentum.
const CASES: &[(&str, &str)] = &[
    ("-sqrt(1 - x'^2) - x^2/2", "x = 0.5, x' = 0.6"),
    ("x'^4/4 - x^2/2", "x = 0.5, x' = 1"),
    ("x'^4/4 - x'^2/2 - x^2/20", "x = 0.5, x' = 0.9"),
    ("x'^4/4 - x'^2/2 - x^2/20", "x = 0.5, x' = -1.1"),
    ("x'^4/4 - x'^2/2 - x^2/20", "x = 0.5, x' = 0.2"),
    ("x'*log(x') - x^2/2", "x = 0.5, x' = 1"),
    ("1/x' - x/10", "x = 0.5, x' = 1"),
    ("x'^3/6 - x^2/20", "x = 0.5, x' = 1"),
    ("x'^3/6 - x^2/20", "x = 0.5, x' = -1"),
    ("-cos(x') - x^2/20", "x = 0.1, x' = 7"),
    ("x'^(3/2) - x^2/100", "x = 0.1, x' = 0.3"),
    ("exp(x') - x^2/2", "x = 0.5, x' = 8"),
];

fn model(test: &str, lagrangian: &str, start: &str) -> String {
    let text =
        format!("system s\ncoord x\nlagrangian {lagrangian}\nstart {start}\ntime 0 .. 0.6\n");
    written(test, text)
}

#[test]
fn hamiltonian_motions_are_those_of_the_lagrangian() {
    for (l, start) in CASES {
        let model = model("legendre", l, start);
        let right = rattleback(["simulate", &model, "--json", "--form", "euler-lagrange"]).exits(0);
        let right = right.json();
        for method in ["dop853", "dopri5"] {
            let way = ["--form", "hamiltonian", "--method", method];
            let run = ["simulate", &model, "--json"].into_iter().chain(way);
            let found = rattleback(run).exits(0).json();
            for name in ["x", "x'"] {
                let [a, b] = [&found, &right].map(|page| page["final"][name].as_f64().unwrap());
                assert!(
                    (a - b).abs() < 1e-7 * (1.0 + b.abs()),
                    "{l}, {start}: {name} {a} {b}"
                );
            }
        }
    }
}

#[test]
fn members_and_the_start_itself_take_the_same_velocities() {
    let model = model(
        "legendre_start",
        "x'^4/4 - x'^2/2 - x^2/20",
        "x = 0.5, x' = 0.9",
    );
    let page = rattleback(["derive", &model, "--json", "--form", "hamiltonian"])
        .exits(0)
        .json();
    let rate = page["at_start"]["rates"]["x"].as_f64().unwrap();
    assert!((rate - 0.9).abs() < 1e-12, "{rate}");
    let member = |speed: &str| {
        let vary = format!("x'={speed}");
        let one = rattleback(["simulate", &model, "--json", "--set", &vary])
            .exits(0)
            .json();
        one["final"]["x"].as_f64().unwrap()
    };
    let table = folder("legendre_members").join("rows.csv");
    let vary = ["--vary", "x'=-1.1,0.2,0.9", "--form", "hamiltonian"];
    let output = ["-o", table.to_str().unwrap()];
    let run = ["ensemble", &model].into_iter().chain(vary).chain(output);
    rattleback(run).exits(0);
    let ends = tables::read(&table).column("x");
    for (end, speed) in ends.iter().zip(["-1.1", "0.2", "0.9"]) {
        assert!((end - member(speed)).abs() < 1e-7, "{speed}: {ends:?}");
    }
}

/// Frame momenta too, which are those of velocities in a frame of the constraints.
#[test]
fn frame_momenta_take_the_velocities_of_the_start() {
    let well = "(x'^4 + y'^4)/4 - (x'^2 + y'^2)/2 + z'^2/2 - (x^2 + y^2)/20";
    for (body, right, forms) in [
        (
            format!(
                "coord x, y, z\nlagrangian {well}\nconstraint z' = y*x'\nstart x = 0.5, y = 0.2, x' = 1.2, y' = -1.1"
            ),
            "hamel",
            ["hamiltonian", "almost-poisson"],
        ),
        (
            "coord x, y\nlagrangian cos(x') + cos(y') + x'*y'/10 - (x^2 + y^2)/20\n\
             start x = 0.5, y = 0.25, x' = 3, y' = -3.5"
                .into(),
            "euler-lagrange",
            ["hamiltonian", "almost-poisson"],
        ),
    ] {
        let model = written(
            "frame_momenta",
            format!("system s\n{body}\ntime 0 .. 0.3\n"),
        );
        let end = |form: &str| {
            let run = ["simulate", &model, "--json", "--form", form];
            rattleback(run).exits(0).json()["final"].clone()
        };
        let right = end(right);
        for form in forms {
            let found = end(form);
            for name in ["x", "y", "x'", "y'"] {
                let [a, b] = [&found, &right].map(|page| page[name].as_f64().unwrap());
                assert!((a - b).abs() < 1e-7, "{form}, {name}: {a} {b}");
            }
        }
    }
}
