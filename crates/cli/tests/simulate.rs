//! `rattleback simulate` as a user meets it: results, files, events, requests that make no sense.

use crate::common::{close, folder, rattleback, shipped, tables, written};
use serde_json::Value;

/// A stone thrown upwards: z = 2 + 3t − 5t².
const STONE: &str = "system stone \"A stone\"\nparam m = 2, g = 10\nassume m > 0\n\
                     coord z  # height [m]\nlagrangian m/2*z'^2 - m*g*z\n\
                     observe climbing = z'\nstart z = 2, z' = 3\ntime 0 .. 1 step 0.1\n";

#[track_caller]
fn simulated(model: &str, more: &[&str]) -> Value {
    let arguments = ["simulate", model, "--json"]
        .into_iter()
        .chain(more.iter().copied());
    rattleback(arguments).exits(0).json()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_keys_of_the_contract_are_there() {
    let json = simulated(&written("simulate_keys", STONE), &[]);
    assert_eq!(json["system"], "stone");
    assert_eq!(json["form"], "euler-lagrange");
    assert_eq!(json["method"], "taylor");
    assert!(number(&json["steps"]) >= 1.0);
    assert!(number(&json["rhs_evaluations"]) >= 1.0);
    assert!(number(&json["wall_seconds"]) >= 0.0);
    close("z", &json["final"]["z"], 0.0);
    close("z'", &json["final"]["z'"], -7.0);
    close("climbing", &json["observed"]["climbing"], -7.0);
    assert!(number(&json["max_energy_error"]) < 1e-10);
    assert_eq!(number(&json["max_constraint_residual"]), 0.0);
    assert!(json["error"].is_null());
    assert_eq!(json["events"], serde_json::json!([]));
}

/// A momentum that reactions change says nothing of how well a motion was followed.
#[test]
fn momenta_that_change_are_no_errors() {
    let run = rattleback(["simulate", &shipped("knife_edge"), "--until", "1"]).exits(0);
    let (held, changing) = run
        .out
        .split_once("momenta that need not be conserved")
        .unwrap();
    assert!(!held.contains("momentum_slide"), "{held}");
    assert!(
        changing.contains("momentum_slide  changes by at most"),
        "{changing}"
    );
    let stone = written("simulate_one_step", STONE);
    let run = rattleback(["simulate", &stone]).exits(0);
    assert!(
        run.out.contains("1 step, 0 rejected, 1 evaluation in"),
        "{}",
        run.out
    );
}

#[test]
fn the_summary_says_what_was_done_and_how_well_it_held() {
    let run = rattleback(["simulate", &shipped("knife_edge"), "--until", "1"]).exits(0);
    for words in [
        "knife_edge",
        "hamel",
        "taylor",
        "rtol",
        "steps",
        "at the end",
        "energy",
        "constraints",
    ] {
        assert!(run.out.contains(words), "no {words} in\n{}", run.out);
    }
    assert!(run.err.is_empty(), "{}", run.err);
}

#[test]
fn settings_and_options_reach_the_motion() {
    let model = written("simulate_set", STONE);
    let json = simulated(&model, &["--set", "z'=5", "--set", "g=2", "--until", "2*1"]);
    close("z", &json["final"]["z"], 2.0 + 10.0 - 4.0);
    close("t", &json["t"], 2.0);
    let json = simulated(&model, &["--method", "rk4", "--step", "0.01"]);
    assert_eq!(json["method"], "rk4");
    assert_eq!(number(&json["steps"]), 100.0);
}

#[test]
fn every_method_has_its_name_in_the_summary() {
    let model = written("simulate_methods", STONE);
    for method in [
        "taylor", "dop853", "dopri5", "rk4", "gauss2", "gauss4", "gauss6", "gauss8", "radau5",
        "verlet", "yoshida4", "yoshida6", "yoshida8", "suzuki4", "suzuki6", "suzuki8",
    ] {
        let json = simulated(&model, &["--method", method]);
        assert_eq!(json["method"], method);
        let z = number(&json["final"]["z"]);
        assert!(z.abs() < 1e-9, "{method}: z = {z}");
    }
}

#[test]
fn tables_describe_themselves() {
    let model = written("simulate_tables", STONE);
    let folder = folder("simulate_tables_out");
    for name in ["run.csv", "run.parquet"] {
        let path = folder.join(name);
        simulated(
            &model,
            &["-o", path.to_str().unwrap(), "--method", "dop853"],
        );
        let table = tables::read(&path);
        assert_eq!(table.names[..3], ["t", "z", "z'"]);
        let (t, z) = (table.column("t"), table.column("z"));
        assert_eq!(t.len(), 11, "{name}");
        for (t, z) in t.iter().zip(&z) {
            let exact = 2.0 + 3.0 * t - 5.0 * t * t;
            assert!((z - exact).abs() < 1e-9, "{name}: z({t}) = {z}");
        }
        for (key, value) in [
            ("system", "stone"),
            ("title", "A stone"),
            ("method", "dop853"),
            ("model", STONE),
            ("version", env!("CARGO_PKG_VERSION")),
        ] {
            assert_eq!(
                table.metadata.get(key).map(str::trim_end),
                Some(value.trim_end()),
                "{name} {key}"
            );
        }
        let said = |key: &str| table.metadata.get(key).unwrap_or_default().to_owned();
        assert!(said("tolerance").contains("1e-9"), "{}", said("tolerance"));
        assert!(
            said("parameters").contains("g = 10"),
            "{}",
            said("parameters")
        );
    }
}

#[test]
fn a_dash_writes_rows_to_standard_output_and_the_summary_beside() {
    let model = written("simulate_dash", STONE);
    let run = rattleback(["simulate", &model, "-o", "-"]).exits(0);
    let path = folder("simulate_dash_out").join("run.csv");
    std::fs::write(&path, &run.out).unwrap();
    assert_eq!(tables::read(&path).rows.len(), 11);
    assert!(run.err.contains("at the end"), "{}", run.err);
}

#[test]
fn plots_are_svg() {
    let model = written("simulate_plot", STONE);
    let path = folder("simulate_plot_out").join("run.svg");
    let path = path.to_str().unwrap();
    simulated(&model, &["--plot", path]);
    let svg = std::fs::read_to_string(path).unwrap();
    assert!(
        svg.starts_with("<svg") || svg.starts_with("<?xml"),
        "{svg:.80}"
    );
    assert!(svg.trim_end().ends_with("</svg>"));
    simulated(&model, &["--plot", path, "--plot-what", "z,z:z'"]);
    rattleback(["simulate", &model, "--plot", path, "--plot-what", "y"])
        .exits(2)
        .says(&["y"]);
}

#[test]
fn events_are_located_and_a_stop_ends_the_motion() {
    let model = written("simulate_events", STONE);
    // The top at t = 0.3, the ground at t = 1.
    let json = simulated(
        &model,
        &[
            "--until",
            "5",
            "--event",
            "z' = 0",
            "--event",
            "z = 2.3 : falling",
            "--stop",
            "z",
        ],
    );
    assert_eq!(json["ended"], "event z");
    let hits = json["events"].as_array().unwrap();
    let times: Vec<f64> = hits.iter().map(|h| number(&h["t"])).collect();
    // z = 2.3 on the way down.
    let back = (3.0 + (9.0f64 - 6.0).sqrt()) / 10.0;
    for (found, exact) in times.iter().zip([0.3, back, 1.0]) {
        assert!((found - exact).abs() < 1e-9, "{times:?}");
    }
    assert_eq!(hits.len(), 3, "{hits:?}");
    assert_eq!(hits[0]["event"], "z' = 0");
    close("the top", &hits[0]["state"]["z"], 2.45);
    close("the end", &json["t"], 1.0);
    let rising = simulated(&model, &["--until", "5", "--event", "z = 2.3 : rising"]);
    let first = (3.0 - (9.0f64 - 6.0).sqrt()) / 10.0;
    assert!((number(&rising["events"][0]["t"]) - first).abs() < 1e-9);
}

#[test]
fn a_sleigh_reaches_a_heading_when_the_table_says() {
    // HJ C1: theta = pi/2 at t = 0.876325593020036387.
    let json = simulated(
        &shipped("chaplygin_sleigh"),
        &[
            "--stop",
            "theta = pi/2",
            "--rtol",
            "1e-12",
            "--atol",
            "1e-13",
        ],
    );
    let t = number(&json["t"]);
    assert!((t - 0.876_325_593_020_036_4).abs() < 1e-10, "{t}");
}

#[test]
fn a_planet_returns_after_its_period() {
    // HJ Z1: radial period 8.78101841380090799; the far point is 2.12321245982864903.
    let model = shipped("central_force");
    let json = simulated(
        &model,
        &[
            "--event", "r'", "--rtol", "1e-12", "--atol", "1e-13", "--until", "10",
        ],
    );
    let hits = json["events"].as_array().unwrap();
    let period = 8.781_018_413_800_908;
    let times: Vec<f64> = hits.iter().map(|h| number(&h["t"])).collect();
    assert_eq!(times.len(), 2, "{times:?}");
    assert!((times[0] - period / 2.0).abs() < 1e-9, "{times:?}");
    assert!((times[1] - period).abs() < 1e-9, "{times:?}");
    let far = number(&hits[0]["state"]["r"]);
    assert!((far - 2.123_212_459_828_649).abs() < 1e-9, "{far}");
}

#[test]
fn an_event_that_never_fires_says_so() {
    let model = written("simulate_never", STONE);
    let run = rattleback(["simulate", &model, "--event", "z = 100"]).exits(0);
    assert!(run.out.contains("z = 100: never"), "{}", run.out);
    let run = rattleback(["simulate", &model, "--stop", "z = 100"]);
    assert_eq!(run.code, 1, "{}\n{}", run.out, run.err);
    assert!(
        run.err.contains("z = 100") && run.err.contains("never"),
        "{}",
        run.err
    );
    assert!(
        run.out.contains("at the end"),
        "what was computed is kept: {}",
        run.out
    );
}

#[test]
fn events_with_mistakes_are_bad_input() {
    let model = written("simulate_bad_events", STONE);
    for (event, says) in [
        ("zz = 0", "zz"),
        ("z = ", "event"),
        ("z : upwards", "upwards"),
        ("[z, z']", "scalar"),
    ] {
        rattleback(["simulate", &model, "--event", event])
            .exits(2)
            .says(&[says]);
    }
}

#[test]
fn requests_that_make_no_sense_are_bad_input() {
    let model = written("simulate_requests", STONE);
    for (arguments, says) in [
        (vec!["--until", "soon"], "soon"),
        (
            vec!["--until", "-1"],
            "end after it begins, at 0, but it ends at -1",
        ),
        (vec!["--until", "1/0"], "until"),
        (vec!["--step=-0.1"], "step"),
        (vec!["--step", "0"], "step"),
        (vec!["--step", "often"], "often"),
        (vec!["--step", "1e-20"], "try --step"),
        (
            vec!["--until", "1", "--step", "1e-17", "--method", "rk4"],
            "try --step",
        ),
        (vec!["--plot", "run.png"], ".svg"),
        (vec!["--json", "-o", "-"], "standard output"),
        (vec!["--rtol=-1e-9"], "rtol"),
        (vec!["--rtol", "nan"], "rtol"),
        (vec!["--rtol", "0", "--atol", "0"], "rtol"),
        (vec!["--rtol", "small"], "small"),
        (vec!["--method", "dop835"], "dop853"),
        (vec!["--form", "hamell"], "hamel"),
        (vec!["--form", "chaplygin"], "Chaplygin"),
        (vec!["--plot-what", "z"], "--plot"),
        (vec!["-o", "run.txt"], ".csv"),
        (vec!["--set", "q=1"], "q"),
    ] {
        let all = ["simulate", &model]
            .into_iter()
            .chain(arguments.iter().copied());
        let run = rattleback(all);
        assert_eq!(run.code, 2, "{arguments:?}: {}\n{}", run.out, run.err);
        assert!(run.err.contains(says), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn events_may_use_what_is_recorded() {
    let model = written("simulate_recorded_events", STONE);
    // p_z = 2 z' = 6 − 20 t, and the energy is that of the start.
    let events = ["--event", "p_z = 2", "--event", "energy = 98*t - z''"];
    let hits = &simulated(&model, &events)["events"];
    close("p_z", &hits[0]["t"], 0.2);
    close("energy", &hits[1]["t"], (49.0 - 10.0) / 98.0);
    let sleigh = shipped("chaplygin_sleigh");
    let hits = simulated(
        &sleigh,
        &["--event", "P_y1 = speed", "--event", "momentum_east"],
    );
    assert!(hits["events"].is_array());
    rattleback(["simulate", &sleigh, "--event", "y1 - x'' = 0"])
        .exits(2)
        .says(&["`x''`", "1:6", "P_y1", "momentum_east"]);
    rattleback(["ensemble", &sleigh, "--vary", "a=1,2", "--stop", "y'' = 0"])
        .exits(2)
        .says(&["y''", "P_y1"]);
    // Momenta of coordinates are functions of the state in every form.
    rattleback(["ensemble", &sleigh, "--vary", "a=1,2", "--event", "p_x = 0"]).exits(0);
}

#[test]
fn rows_stay_on_their_groups() {
    let path = folder("simulate_group_rows").join("run.csv");
    for model in ["two_wheeled_carriage_se2", "se2_vehicle"] {
        for form in ["hamel", "lagrange-dalembert"] {
            let output = ["--form", form, "-o", path.to_str().unwrap()];
            simulated(&shipped(model), &output);
            let table = tables::read(&path);
            let entry = |i: usize, j: usize| table.column(&format!("X[{i},{j}]"));
            let (a, b, c, d) = (entry(1, 1), entry(1, 2), entry(2, 1), entry(2, 2));
            for k in 0..a.len() {
                let off = [
                    a[k] * a[k] + c[k] * c[k] - 1.0,
                    a[k] * b[k] + c[k] * d[k],
                    a[k] * d[k] - b[k] * c[k] - 1.0,
                ];
                let worst = off.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(
                    worst < 1e-15,
                    "{model} in {form}: off by {worst} in row {k}"
                );
            }
        }
    }
}

#[test]
fn a_relative_tolerance_alone_will_do() {
    let stone = written("simulate_relative", STONE.replace("z = 2", "z = 0"));
    for method in ["taylor", "dop853", "dopri5", "radau5"] {
        let json = simulated(&stone, &["--method", method, "--atol", "0"]);
        close(method, &json["final"]["z"], -2.0);
    }
    let body = shipped("rigid_body");
    let exact = simulated(&body, &["--until", "2"]);
    let relative = ["--until", "2", "--method", "munthe-kaas8", "--atol", "0"];
    let relative = simulated(&body, &relative);
    for (name, value) in exact["final"].as_object().unwrap() {
        let difference = number(value) - number(&relative["final"][name]);
        assert!(difference.abs() < 1e-6, "{name}: off by {difference}");
    }
}

#[test]
fn a_stiff_system_is_told() {
    let stiff = "system stiff\ncoord x\nlagrangian x'^2/2\nforce (x: -1e5*(x' + x))\n\
                 start x = 1\ntime 0 .. 2 step 0.1\n";
    let model = written("simulate_stiff", stiff);
    let run = rattleback(["simulate", &model, "--method", "dop853"]).exits(0);
    assert!(run.out.contains("--method radau5"), "{}", run.out);
    let run = rattleback(["simulate", &model, "--method", "radau5"]).exits(0);
    assert!(!run.out.contains("--method radau5"), "{}", run.out);
}

/// x'' = −c x' − x creeps at x' = −x/c after a time 1/c.
#[test]
fn a_motion_that_is_stiff_at_the_start_is_followed_implicitly() {
    let text = "system creep\nparam c = 1e6\ncoord x\nlagrangian x'^2/2 - x^2/2\nforce (x: -c*x')\n\
                start x = 1\ntime 0 .. 2e6 step 1e4\n";
    let model = written("creep", text);
    let json = simulated(&model, &[]);
    assert_eq!(json["method"], "radau5");
    assert!(number(&json["steps"]) < 2000.0);
    let x = number(&json["final"]["x"]);
    assert!((x - (-2f64).exp()).abs() < 1e-8, "{x}");
    // Short motions follow the fast decay itself.
    let brief = simulated(&model, &["--until", "1e-5", "--step", "1e-7"]);
    assert_eq!(brief["method"], "taylor");
}

#[test]
fn parameters_that_break_a_condition_of_the_equations_are_told() {
    let text = "system idle\nparam k = 1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\n\
                constraint k*x' = k*x*y'\nstart y' = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("idle", text);
    rattleback(["simulate", &model]).exits(0);
    let run = rattleback(["simulate", &model, "--set", "k=0"]).exits(1);
    run.says(&["hold where k is not 0"]);
}

/// In velocities with a metric that depends on positions they are not symplectic.
#[test]
fn gauss_methods_use_momenta_unless_told() {
    let text = "system dumbbell\ncoord a, b : angle\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\n\
                potential -2*cos(a) - cos(b)\nstart a = 2, b = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("dumbbell", text);
    let form = |more: &[&str]| {
        let json = simulated(&model, &[&["--method", "gauss4"], more].concat());
        json["form"].clone()
    };
    assert_eq!(form(&[]), "hamiltonian");
    assert_eq!(form(&["--form", "euler-lagrange"]), "euler-lagrange");
}

#[test]
fn methods_that_do_not_fit_say_why() {
    rattleback(["simulate", &shipped("knife_edge"), "--method", "verlet"])
        .exits(2)
        .says(&["verlet", "constraints", "gauss4"]);
}

#[test]
fn constraints_nonlinear_in_the_velocities_are_refused() {
    let text =
        "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x'^2 + y'^2 = 1\nstart x' = 1\n";
    rattleback(["simulate", &written("simulate_nonlinear", text)])
        .exits(2)
        .says(&["nonlinear", "model.mech:4:"]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = folder("simulate_same");
    let run = |name: &str| {
        let path = folder.join(name);
        let mut json = simulated(
            &shipped("snakeboard"),
            &["--until", "2", "-o", path.to_str().unwrap()],
        );
        let object = json.as_object_mut().unwrap();
        object.retain(|key, _| !key.ends_with("_seconds"));
        (json, std::fs::read(path).unwrap())
    };
    let (one, two) = (run("one.csv"), run("two.csv"));
    assert_eq!(one.0, two.0);
    assert!(one.1 == two.1, "tables differ");
    assert!(
        run("one.parquet").1 == run("two.parquet").1,
        "tables differ"
    );
}

#[test]
fn the_multiplier_form_holds_its_constraints_by_projection_only() {
    let arguments = [
        "--form",
        "lagrange-dalembert",
        "--rtol",
        "1e-6",
        "--until",
        "5",
    ];
    let held = simulated(&shipped("knife_edge"), &arguments);
    let free = simulated(
        &shipped("knife_edge"),
        &[&arguments[..], &["--no-projection"]].concat(),
    );
    let (held, free) = (
        number(&held["max_constraint_residual"]),
        number(&free["max_constraint_residual"]),
    );
    assert!(held < 1e-12, "{held}");
    assert!(free > 10.0 * held, "{free} against {held}");
    let frame = simulated(&shipped("knife_edge"), &["--rtol", "1e-6", "--until", "5"]);
    assert!(number(&frame["max_constraint_residual"]) < 1e-12);
}

#[test]
fn time_may_start_anywhere() {
    let text = format!(
        "{}time 2 .. 3 step 0.5\n",
        STONE.replace("time 0 .. 1 step 0.1\n", "")
    );
    let json = simulated(&written("simulate_late", text), &[]);
    close("t", &json["t"], 3.0);
    close("z", &json["final"]["z"], 0.0);
}

/// A crossing and the one back may lie between two rows, and within one step.
#[test]
fn crossings_that_come_back_are_not_lost() {
    let text =
        "system ev\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = -1\ntime 0 .. 40 step 0.5\n";
    let file = written("back.mech", text);
    let rows = folder("back").join("section.csv");
    let rows = rows.to_string_lossy();
    rattleback([
        "simulate",
        &file,
        "--section",
        "x = 0.9999 : rising",
        "-o",
        &rows,
    ])
    .exits(0);
    let found = std::fs::read_to_string(&*rows).unwrap_or_default();
    let data = found.lines().filter(|l| !l.starts_with('#')).count() - 1;
    assert_eq!(data, 6, "{found}");
    for speed in ["0", "0.005", "0.01", "0.02"] {
        let speed = format!("x'={speed}");
        let set = ["--set", "x=1", "--set", &speed, "--json"];
        let stop = ["simulate", &file, "--stop", "x = 0.99 : rising"];
        let run = rattleback(stop.into_iter().chain(set)).exits(0).json();
        let end = run["t"].as_f64().unwrap_or(f64::NAN);
        assert!((end - 6.15).abs() < 0.03, "{speed}: {run:#}");
    }
    let members = ["ensemble", &file, "--set", "x=1", "--vary", "x'=0:0.02:5"];
    let stop = ["--stop", "x = 0.99 : rising", "--json"];
    let run = rattleback(members.into_iter().chain(stop)).exits(0).json();
    let last = run["events"]["stop1"]["first"]["max"].as_f64();
    assert!(last.is_some_and(|t| t < 6.2), "{run:#}");
    // The turning point itself is no crossing.
    let touch = ["simulate", &file, "--stop", "x = 1", "--json"];
    let run = rattleback(touch).json();
    assert_eq!(run["t"].as_f64(), Some(40.0), "{run:#}");
}
