//! Motions that come to a bad end and results that cannot be written: said clearly, rows kept.

use crate::common::{Run, folder, rattleback, tables, written};
use std::path::Path;

/// Simulates to a table, which must fail near a time and leave readable rows before it.
#[track_caller]
fn fails_at(test: &str, text: &str, more: &[&str], time: f64, says: &[&str]) -> Run {
    let model = written(test, text);
    let mut last = None;
    for name in ["run.csv", "run.parquet"] {
        let path = Path::new(&model).with_file_name(name);
        let output = ["-o", path.to_str().unwrap()];
        let arguments = ["simulate", &model]
            .into_iter()
            .chain(output)
            .chain(more.iter().copied());
        let run = rattleback(arguments).exits(1).says(says);
        assert!(run.err.contains("at t = "), "no time in {}", run.err);
        assert!(run.err.contains("state: "), "no state in {}", run.err);
        assert!(run.err.contains("help: "), "no advice in {}", run.err);
        let t = tables::read(&path).column("t");
        let end = *t.last().unwrap();
        assert!(t.len() > 3, "{name} keeps {} rows", t.len());
        assert!(
            end <= time + 1e-6 && end > 0.8 * time,
            "{name} ends at {end}"
        );
        last = Some(run);
    }
    last.unwrap()
}

/// The time in `… at t = 1.5; …`.
fn told_time(run: &Run) -> f64 {
    let rest = run.err.split("at t = ").nth(1).unwrap();
    let digits: String = rest
        .chars()
        .take_while(|c| c.is_ascii_digit() || ".e-".contains(*c))
        .collect();
    digits.trim_end_matches('.').parse().unwrap()
}

#[test]
fn a_collision_is_a_singularity() {
    // Free fall from rest at distance 1 ends at t = π/(2√2).
    let text =
        "system fall\ncoord r\nlagrangian r'^2/2 + 1/r\nstart r = 1\ntime 0 .. 2 step 0.01\n";
    let time = std::f64::consts::PI / 8f64.sqrt();
    for method in ["taylor", "dop853", "dopri5", "radau5"] {
        let test = format!("collision_{method}");
        let run = fails_at(
            &test,
            text,
            &["--method", method],
            time,
            &["`r'`", "1/r", "r = "],
        );
        assert!(
            (told_time(&run) - time).abs() < 1e-3,
            "{method}: {}",
            run.err
        );
    }
}

#[test]
fn a_mass_matrix_that_loses_rank_along_the_way_is_named() {
    // det [[1, x], [x, 1]] = 1 − x² vanishes where x = 1; the motion with x'' + x y'' = 0 gets there.
    let text = "system sinking\ncoord x, y\nkinetic (x'^2 + y'^2)/2 + x*x'*y'\nstart x' = 1\n\
                time 0 .. 3 step 0.01\n";
    let model = written("rank_time", text);
    let run = rattleback(["simulate", &model]).exits(1);
    let time = told_time(&run);
    for method in ["taylor", "dop853"] {
        let test = format!("rank_{method}");
        let run = fails_at(
            &test,
            text,
            &["--method", method],
            time,
            &["mass matrix loses its rank"],
        );
        assert!(run.err.contains("x = 1.0"), "{}", run.err);
    }
}

#[test]
fn an_expression_without_a_value_is_named() {
    // x = t reaches the end of the logarithm's domain at t = 1.
    let text = "system edge\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nforce (y: log(1 - x))\nstart x' = 1\n\
                time 0 .. 2 step 0.01\n";
    fails_at("logarithm", text, &[], 1.0, &["`y'`", "log(1 - x)", "x = "]);
    // A square root that turns imaginary: x = t², the rate of y' is √(1 − x).
    let text = "system root\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nforce (x: 2, y: sqrt(1 - x))\n\
                time 0 .. 2 step 0.01\n";
    for method in ["taylor", "dop853", "rk4"] {
        let test = format!("root_{method}");
        fails_at(
            &test,
            text,
            &["--method", method],
            1.0,
            &["`y'`", "sqrt(1 - x)", "x = "],
        );
    }
}

#[test]
fn a_motion_that_runs_to_infinity_is_a_failure() {
    // x'' = 3x²/2 with x = 4/(2 − t)²: infinite at t = 2.
    let text = "system blow_up\ncoord x\nlagrangian x'^2/2\nforce (x: 3/2*x^2)\nstart x = 1, x' = 1\n\
                time 0 .. 3 step 0.01\n";
    for method in ["taylor", "dop853", "dopri5", "radau5"] {
        let test = format!("blow_up_{method}");
        let run = fails_at(&test, text, &["--method", method], 2.0, &["`x'`"]);
        assert!(
            (told_time(&run) - 2.0).abs() < 1e-2,
            "{method}: {}",
            run.err
        );
    }
    // A fixed step runs over the singularity until numbers overflow.
    let path = folder("overflow").join("model.mech");
    std::fs::write(&path, text).unwrap();
    rattleback(["simulate", path.to_str().unwrap(), "--method", "rk4"])
        .exits(1)
        .says(&["x", "at t = "]);
}

/// The vakonomic snakeboard loses the rank of its equations, and explicit steps creep towards that place.
#[test]
fn a_motion_that_creeps_is_given_up_and_explained() {
    let model = crate::common::shipped("snakeboard");
    let form = ["--form", "vakonomic", "--method", "dop853", "--until", "50"];
    let run = rattleback(["simulate", &model, "--json"].into_iter().chain(form))
        .exits(1)
        .says(&[
            "do not grow again",
            "loses its rank",
            "mu2",
            "at t = 0.5348",
            "--until",
        ]);
    assert!(run.json()["steps"].as_f64().unwrap() < 1e6);
}

/// The tangent fields of the sphere are no frame on the equator, which the pendulum passes.
#[test]
fn the_end_of_a_frame_is_told_from_the_end_of_a_motion() {
    let model = crate::common::shipped("spherical_pendulum");
    let swing = ["simulate", &model, "--set", "y'=6", "--method", "dop853"];
    let in_frame = ["--form", "hamel", "--max-steps", "20000"];
    rattleback(swing.into_iter().chain(in_frame))
        .exits(1)
        .says(&["`z` must not vanish", "--form lagrange-dalembert"]);
    let run = rattleback(swing).exits(0);
    let told = "lagrange-dalembert (a frame of the constraints ends where z = 0)";
    assert!(run.out.contains(told), "{}", run.out);
}

#[test]
fn json_of_a_failed_motion_has_what_was_computed() {
    let text =
        "system fall\ncoord r\nlagrangian r'^2/2 + 1/r\nstart r = 1\ntime 0 .. 2 step 0.01\n";
    let run = rattleback(["simulate", &written("failed_json", text), "--json"]).exits(1);
    let json = run.json();
    assert_eq!(json["ended"], "failed");
    assert!(
        json["error"].as_str().unwrap().contains("at t = "),
        "{json}"
    );
    assert!(json["t"].as_f64().unwrap() > 1.0);
    assert!(json["final"]["r"].as_f64().unwrap() < 0.3);
    assert!(json["steps"].as_f64().unwrap() > 10.0);
}

#[test]
fn a_start_without_rates_is_a_failed_computation() {
    let text = "system a\ncoord x\nlagrangian x'^2/2 - 1/x\nstart x = 0\n";
    let model = written("start_without_rates", text);
    rattleback(["simulate", &model]).exits(1).says(&["x"]);
    rattleback(["simulate", &model, "--set", "x=1"]).exits(0);
}

const SWING: &str =
    "system swing\ncoord q\nlagrangian q'^2/2 - q^2/2\nstart q = 1\ntime 0 .. 10 step 0.001\n";

/// Runs that must fail to write, naming the path.
#[track_caller]
fn cannot_write(arguments: &[&str], path: &str) {
    let run = rattleback(arguments).exits(1);
    assert!(run.err.contains(path), "no {path} in {}", run.err);
    assert!(run.err.contains("cannot"), "{}", run.err);
}

#[test]
fn results_that_cannot_be_written_name_their_path() {
    let model = written("unwritable", SWING);
    let folder = folder("unwritable_out");
    for ending in ["csv", "parquet"] {
        let directory = folder.join(format!("directory.{ending}"));
        std::fs::create_dir(&directory).unwrap();
        let directory = directory.to_str().unwrap();
        let nowhere = folder.join(format!("no/such/place.{ending}"));
        let nowhere = nowhere.to_str().unwrap();
        for path in [directory, nowhere] {
            cannot_write(&["simulate", &model, "-o", path], path);
            cannot_write(
                &["compare", &model, "--with", "hamiltonian", "-o", path],
                path,
            );
            cannot_write(&["ensemble", &model, "--vary", "q=1,2", "-o", path], path);
        }
    }
    let directory = folder.join("directory.svg");
    std::fs::create_dir(&directory).unwrap();
    let path = directory.to_str().unwrap();
    cannot_write(&["simulate", &model, "--plot", path], path);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let model = written("full", SWING);
    let folder = folder("full_out");
    for ending in ["csv", "parquet", "svg"] {
        let path = folder.join(format!("full.{ending}"));
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let path = path.to_str().unwrap();
        if ending == "svg" {
            cannot_write(&["simulate", &model, "--plot", path], path);
            continue;
        }
        cannot_write(&["simulate", &model, "-o", path], path);
        cannot_write(
            &["compare", &model, "--with", "hamiltonian", "-o", path],
            path,
        );
        cannot_write(
            &[
                "ensemble", &model, "--vary", "q=1:2:50", "--until", "1", "-o", path,
            ],
            path,
        );
    }
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(["simulate", &model, "-o", "-"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_where_nothing_can_be_is_told() {
    let model = written("proc", SWING);
    cannot_write(
        &["simulate", &model, "-o", "/proc/run.csv"],
        "/proc/run.csv",
    );
}

/// What is simplified under an assumption holds only where the assumption does.
#[test]
fn a_motion_that_breaks_an_assumption_ends_there() {
    let text = "system s\ncoord x\nassume x > 0\nkinetic x'^2/2\npotential sqrt(x^2)\n\
                start x = 0.4\ntime 0 .. 2 step 0.01\n";
    let run = fails_at("assumed", text, &[], 0.8f64.sqrt(), &["`x > 0`"]);
    assert!(run.err.contains("--until"), "{}", run.err);
    // A start that breaks it is a mistake at its place; values left out are none.
    let model = written("assumed_start", text.replace("0.4", "-0.4"));
    let run = rattleback(["simulate", &model]).exits(2);
    assert!(
        run.err.contains("breaks the assumption `x > 0`"),
        "{}",
        run.err
    );
    let model = written("assumed_left_out", text.replace("start x = 0.4\n", ""));
    rattleback(["derive", &model]).exits(0);
}
