//! `rattleback ensemble`: grids, draws, failed members, and the agreement with single motions.

use crate::common::{folder, rattleback, shipped, tables, written};
use serde_json::Value;

/// A spring that may be turned over: q'' = −k q.
const SPRING: &str = "system spring\nparam m = 1, k = 1\nassume m > 0\ncoord q\n\
                      lagrangian m/2*q'^2 - k/2*q^2\nobserve twice = 2*q\nstart q = 1, q' = 0\n\
                      time 0 .. 3 step 0.1\n";

#[track_caller]
fn ensemble(model: &str, more: &[&str]) -> Value {
    let arguments = ["ensemble", model, "--json"]
        .into_iter()
        .chain(more.iter().copied());
    rattleback(arguments).exits(0).json()
}

#[test]
fn a_grid_runs_through_all_points_in_order() {
    let model = written("grid", SPRING);
    let path = folder("grid_out").join("grid.csv");
    let path = path.to_str().unwrap();
    let json = ensemble(
        &model,
        &["--vary", "k=1:4:4", "--vary", "q=1,2", "-o", path],
    );
    assert_eq!(json["members"], 8);
    assert_eq!(json["finished"], 8);
    assert_eq!(json["failed"], 0);
    assert_eq!(json["varied"], serde_json::json!(["k", "q"]));
    let table = tables::read(path);
    assert_eq!(
        table.column("member"),
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    );
    assert_eq!(table.given("k"), [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]);
    assert_eq!(table.given("q"), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    let all = table.given("k").into_iter().zip(table.given("q"));
    for ((k, q0), q) in all.zip(table.column("q")) {
        let exact = q0 * (k.sqrt() * 3.0).cos();
        assert!(
            (q - exact).abs() < 1e-7,
            "k = {k}, q0 = {q0}: {q}, not {exact}"
        );
    }
    assert!(table.column("status").iter().all(|s| *s == 0.0));
    assert!(table.column("t").iter().all(|t| *t == 3.0));
    let mean = table.column("q").iter().sum::<f64>() / 8.0;
    let told = json["final"]["q"]["mean"].as_f64().unwrap();
    assert!((mean - told).abs() < 1e-12);
}

#[test]
fn draws_depend_on_the_seed_and_nothing_else() {
    let model = written("draws", SPRING);
    let folder = folder("draws_out");
    let run = |name: &str, more: &[&str]| {
        let path = folder.join(name);
        let output = ["-o", path.to_str().unwrap()];
        let law = [
            "--sample",
            "q~normal(1,0.2)",
            "--sample",
            "k~uniform(1,2)",
            "-n",
            "37",
        ];
        ensemble(&model, &[&law[..], &output, more].concat());
        tables::read(&path)
    };
    let one = run("one.parquet", &["--threads", "1"]);
    let two = run("two.parquet", &["--threads", "2"]);
    let seven = run("seven.csv", &["--threads", "7"]);
    assert_eq!(one.rows.len(), 37);
    assert!(one.bits() == two.bits(), "results depend on the threads");
    assert!(
        one.bits() == seven.bits(),
        "results depend on the format or the threads"
    );
    let other = run("other.parquet", &["--seed", "1"]);
    assert_ne!(one.given("q"), other.given("q"));
    assert!(one.given("k").iter().all(|k| (1.0..2.0).contains(k)));
}

/// Members are what single simulations with the same values come to.
#[test]
fn members_agree_with_single_motions() {
    for (name, law) in [
        ("knife_edge", "phi'~uniform(0.8,1.6)"),
        ("chaplygin_sleigh", "theta'~normal(1.9,0.2)"),
        ("snakeboard", "m~uniform(0.9,1.1)"),
        ("rigid_body", "w[2]~normal(0.2,0.1)"),
        ("rattleback", "g~uniform(9,10)"),
        ("central_force", "k~uniform(0.9,1)"),
    ] {
        let path = folder(&format!("members_{name}")).join("members.csv");
        let output = path.to_str().unwrap();
        let model = shipped(name);
        let tight = ["--rtol", "1e-11", "--atol", "1e-12", "--until", "1"];
        ensemble(
            &model,
            &[&["--sample", law, "-n", "6", "-o", output][..], &tight].concat(),
        );
        let table = tables::read(&path);
        let varied = law.split('~').next().unwrap();
        let given = table.given(varied);
        for (k, value) in given.iter().enumerate() {
            let set = format!("{varied}={value:?}");
            let arguments = ["simulate", &model, "--json", "--set", &set]
                .into_iter()
                .chain(tight);
            let single = rattleback(arguments).exits(0).json();
            for (quantity, x) in single["final"].as_object().unwrap() {
                let (x, member) = (x.as_f64().unwrap(), table.column(quantity)[k]);
                let error = (x - member).abs();
                assert!(
                    error < 1e-7 * (1.0 + x.abs()),
                    "{name} {set}: {quantity} is {member}, not {x}"
                );
            }
        }
    }
}

/// Members that start or come to where their motion has no series, as single motions do.
#[test]
fn members_without_a_series_go_on_as_single_motions_do() {
    let drag = "force (x: -0.3*sqrt(x'^2 + y'^2)*x', y: -0.3*sqrt(x'^2 + y'^2)*y')\n";
    let thrown = format!(
        "system thrown\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - 9.81*y\n{drag}\
         start y = 10\ntime 0 .. 2 step 0.1\n"
    );
    let sledge = format!(
        "system sledge\ncoord x, y\ncoord th : angle\nlagrangian (x'^2 + y'^2 + th'^2)/2 - x/2\n\
         constraint sin(th)*x' = cos(th)*y'\n{drag}start th' = 1\ntime 0 .. 5 step 0.1\n"
    );
    let line =
        |name: &str, more: &str| format!("system {name}\ncoord x\n{more}\ntime 0 .. 1 step 0.1\n");
    let cases = [
        ("thrown", thrown.clone(), "y'=-1,0,1,5,0,2"),
        ("thrown_sideways", thrown, "x'=0,1,0,0,0,2"),
        ("sledge", sledge, "x'=0,0.5,0,1"),
        (
            "power",
            line("power", "lagrangian x'^2/2 - x^(5/2)/10\nstart x' = 1"),
            "x=0,0.1,0,0,0.2",
        ),
        (
            "size",
            line("size", "lagrangian x'^2/2 - (x^2)^(3/4)\nstart x' = 1"),
            "x=-0.5,-0.3,0.3,-0.1",
        ),
        (
            "kink",
            line("kink", "lagrangian x'^2/2 - 4*sqrt(x^2)\nstart x' = 0"),
            "x=0.1,0.3,-0.2",
        ),
        (
            "switch",
            line(
                "switch",
                "lagrangian x'^2/2 - x^2/2\nforce (x: 1/(1 + exp(-(t - 1/2)/0.002)))",
            ),
            "x=0,1,2",
        ),
    ];
    for (name, text, law) in cases {
        let model = written(&format!("series_{name}"), &text);
        let path = folder(&format!("series_{name}_out")).join("members.csv");
        let json = ensemble(&model, &["--vary", law, "-o", path.to_str().unwrap()]);
        assert_eq!(
            (&json["failed"], &json["method"]),
            (&0.into(), &"taylor".into()),
            "{name}"
        );
        let table = tables::read(&path);
        let (varied, _) = law.split_once('=').unwrap();
        for (k, value) in table.given(varied).iter().enumerate() {
            let set = format!("{varied}={value:?}");
            let single = rattleback(["simulate", &model, "--json", "--set", &set])
                .exits(0)
                .json();
            for (quantity, x) in single["final"].as_object().unwrap() {
                let (x, member) = (x.as_f64().unwrap(), table.column(quantity)[k]);
                let error = (x - member).abs();
                assert!(
                    error < 1e-6 * (1.0 + x.abs()),
                    "{name}, {set}, {quantity}: {member}, alone {x}"
                );
            }
        }
        // The ones that are followed step by step do not disturb those beside them.
        let threads = path.with_file_name("threads.csv");
        let output = threads.to_str().unwrap();
        ensemble(&model, &["--vary", law, "--threads", "3", "-o", output]);
        assert!(table.bits() == tables::read(&threads).bits(), "{name}");
    }
}

#[test]
fn members_that_cannot_go_on_say_why_as_single_motions_do() {
    // x = x0 + t², and the rate of y' is √(1 − x): none beyond t = √(1 − x0).
    let text = "system root\ncoord x, y\nlagrangian (x'^2 + y'^2)/2\nforce (x: 2, y: sqrt(1 - x))\n\
                start x' = 0\ntime 0 .. 2 step 0.1\n";
    let model = written("series_end", text);
    let path = folder("series_end_out").join("members.csv");
    let output = path.to_str().unwrap();
    let starts = "x=-8,0,-9,0.5,0.75,1,-10";
    let json = ensemble(&model, &["--vary", starts, "-o", output]);
    assert_eq!((&json["failed"], &json["finished"]), (&4.into(), &7.into()));
    let table = tables::read(&path);
    let members = table.given("x").into_iter().zip(table.column("t"));
    for ((x, t), status) in members.zip(table.column("status")) {
        let end = (1.0 - x).sqrt().min(2.0);
        assert!((t - end).abs() < 1e-6, "x = {x} ends at {t}");
        // There is no value, or steps towards it become too short.
        let expected: &[f64] = if end < 2.0 { &[1.0, 2.0] } else { &[0.0] };
        assert!(expected.contains(&status), "x = {x}: {status}");
    }
}

#[test]
fn failed_members_are_told_and_leave_the_others_alone() {
    // Falling into the centre takes time π/2 · √(r³/2): members that start near it do not last.
    let text = "system fall\ncoord r\nlagrangian r'^2/2 + 1/r\nstart r = 1\ntime 0 .. 2 step 0.1\n";
    let model = written("falling", text);
    let path = folder("falling_out").join("fall.csv");
    let output = path.to_str().unwrap();
    let json = ensemble(&model, &["--vary", "r=0.5:4:15", "-o", output]);
    let table = tables::read(&path);
    let fate = |r: f64| std::f64::consts::FRAC_PI_2 * (r.powi(3) / 2.0).sqrt();
    let mut failed = 0;
    for ((r, status), t) in table
        .given("r")
        .iter()
        .zip(table.column("status"))
        .zip(table.column("t"))
    {
        if fate(*r) < 2.0 {
            failed += 1;
            assert_ne!(status, 0.0, "r = {r}");
            assert!(
                (t - fate(*r)).abs() < 1e-2,
                "r = {r} ends at {t}, not {}",
                fate(*r)
            );
        } else {
            assert_eq!((status, t), (0.0, 2.0), "r = {r}");
        }
    }
    assert!(failed > 2);
    assert_eq!(json["failed"], failed);
    assert_eq!(json["finished"], 15);
    let told: u64 = json["failures"]
        .as_object()
        .unwrap()
        .values()
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(told, failed);
    // The ones that last come out as they do without the others.
    let alone = path.with_file_name("alone.csv");
    ensemble(&model, &["--vary", "r=4", "-o", alone.to_str().unwrap()]);
    let (alone, all) = (tables::read(&alone), table.rows.last().unwrap().clone());
    assert_eq!(alone.rows[0][1..], all[1..]);
}

#[test]
fn members_whose_start_breaks_a_constraint_are_bad_starts() {
    let text = "system slide\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = 2*y'\n\
                start x' = 2, y' = 1\ntime 0 .. 1\n";
    let model = written("bad_start", text);
    let path = folder("bad_start_out").join("run.csv");
    let json = ensemble(&model, &["--vary", "y'=1,2", "-o", path.to_str().unwrap()]);
    assert_eq!(json["failures"], serde_json::json!({"bad_start": 1}));
    assert_eq!(tables::read(&path).column("status"), [0.0, 4.0]);
}

#[test]
fn members_that_break_an_assumption_are_bad_starts() {
    let text = SPRING.replace("k = 1\nassume m > 0", "k = 1, h = m - 1/2\nassume h > 0");
    let model = written("assumption", &text);
    let path = folder("assumption_out").join("all.csv");
    let path = path.to_str().unwrap();
    let json = ensemble(&model, &["--vary", "m=1/4,1/2,1", "-o", path]);
    assert_eq!(json["failures"], serde_json::json!({ "bad_start": 2 }));
    assert_eq!(tables::read(path).column("status"), [4.0, 4.0, 0.0]);
    assert!((json["final"]["q"]["mean"].as_f64().unwrap() - 3f64.cos()).abs() < 1e-7);
}

/// The frame of a single motion need not be one for all members.
#[test]
fn members_go_where_the_frame_of_others_ends() {
    let text = "system blade\nparam k = 1/2\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
                potential x*y/2 + z^2/2\nconstraint k*x' + (1 - k)*y' + x*z' = 0\n\
                start x = 0.3, z' = 0.5\ntime 0 .. 2 step 0.1\n";
    let model = written("frame_ends", text);
    let path = folder("frame_ends_out").join("all.csv");
    let path = path.to_str().unwrap();
    let json = ensemble(&model, &["--vary", "k=0,1/2,1", "-o", path]);
    assert_eq!(json["failed"], 0);
    for (k, x) in ["k=0", "k=1/2", "k=1"]
        .iter()
        .zip(tables::read(path).column("x"))
    {
        let single = rattleback(["simulate", &model, "--json", "--set", k]).exits(0);
        let exact = single.json()["final"]["x"].as_f64().unwrap();
        assert!((x - exact).abs() < 1e-8, "{k}: {x} for {exact}");
    }
}

#[test]
fn what_differs_has_the_name_of_the_model() {
    let text = "system dial\ncoord theta : angle\nkinetic theta'^2/2\ntime 0 .. 1 step 0.1\n";
    let model = written("dial", text);
    let json = ensemble(&model, &["--vary", "θ'=1,2", "--sample", "θ~uniform(0,1)"]);
    assert_eq!(json["varied"], serde_json::json!(["theta'", "theta"]));
}

#[test]
fn controls_that_a_law_feeds_cannot_be_varied() {
    let text =
        "system pushed\ncoord x\nkinetic x'^2/2\ncontrol u on x\ninput u = -x\nstart x = 0\n";
    let model = written("pushed", text);
    rattleback(["ensemble", &model, "--vary", "u=0,1"])
        .exits(2)
        .says(&["`u` is a control"]);
}

#[test]
fn values_are_constant_expressions() {
    let model = written("expressions", SPRING);
    let given = ["--vary", "q=0:pi/2:1e1/2", "--sample", "k~uniform(2*m,2*m)"];
    let json = ensemble(&model, &given);
    assert_eq!(json["members"], 5);
    let most = json["final"]["q"]["max"].as_f64().unwrap();
    let least = json["final"]["q"]["min"].as_f64().unwrap();
    let end = std::f64::consts::FRAC_PI_2 * (3.0 * 2f64.sqrt()).cos();
    assert!((least - end).abs() < 1e-7 && most == 0.0, "{least} {most}");
}

#[test]
fn the_summary_counts_and_measures() {
    let model = written("summary", SPRING);
    let run = rattleback(["ensemble", &model, "--vary", "k=1:2:5"]).exits(0);
    for words in [
        "ensemble of 5 members",
        "varied    k",
        "mean",
        "deviation",
        "twice",
        "per second",
    ] {
        assert!(run.out.contains(words), "no {words} in\n{}", run.out);
    }
}

#[test]
fn mistakes_are_bad_input() {
    let model = written("ensemble_mistakes", SPRING);
    for (arguments, says) in [
        (vec![], "--vary"),
        (vec!["--vary", "k"], "k"),
        (vec!["--vary", "k=1:2"], "k=1:2"),
        (vec!["--vary", "k=1:2:0"], "0"),
        (vec!["--vary", "z=1,2"], "z"),
        (vec!["--vary", "q''=1,2"], "did you mean `q'`?"),
        (
            vec!["--vary", "k=1,2", "--sample", "k~normal(0,1)"],
            "twice",
        ),
        (vec!["--sample", "k~normal(0)"], "normal"),
        (vec!["--sample", "k~cauchy(0,1)"], "cauchy"),
        (vec!["--sample", "k~uniform(2,1)"], "uniform"),
        (vec!["--vary", "k=1,2", "-n", "0"], "-n"),
        (
            vec!["--vary", "k=1,2", "--method", "chaplygin-symplectic"],
            "no constraints",
        ),
        (
            vec!["--vary", "k=1,2", "--set", "k=3"],
            "leave one of them out",
        ),
        (vec!["--vary", "k=1,2", "--rtol=-1"], "--rtol"),
        (vec!["--vary", "k=1,2", "--rtol", "-1"], "--rtol"),
        (vec!["--vary", "k=1,2", "--until", "-1"], "[ --until:1:1 ]"),
        (vec!["--vary", "k=1,2", "--step", "-1"], "step=0.01"),
        (vec!["--vary", "k=1,2", "--stop", "q = z"], "[ --stop:1:5 ]"),
        (
            vec!["--vary", "k=1,2", "--event", "q : up"],
            "--event \"q : up\"",
        ),
        (vec!["--vary", "k=1,2", "-o", "run.txt"], ".csv"),
        (vec!["--vary", "k=1,2", "--resume"], "--output"),
    ] {
        let all = ["ensemble", &model]
            .into_iter()
            .chain(arguments.iter().copied());
        let run = rattleback(all);
        assert_eq!(run.code, 2, "{arguments:?}: {}\n{}", run.out, run.err);
        assert!(run.err.contains(says), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn events_of_members_are_those_of_single_motions() {
    let model = written("member_events", SPRING);
    let folder = folder("member_events_out");
    for (ending, method) in [("csv", "taylor"), ("parquet", "dop853")] {
        let path = folder.join(format!("events.{ending}"));
        let events = [
            "--event",
            "q = k/10",
            "--event",
            "q' = 0 : rising",
            "--stop",
            "q' = 2",
            "--until",
            "9",
            "--method",
            method,
        ];
        let output = ["--vary", "k=1:4:7", "-o", path.to_str().unwrap()];
        let json = ensemble(&model, &[&events[..], &output].concat());
        let table = tables::read(&path);
        assert_eq!(
            table.metadata.get("events").unwrap().lines().nth(2),
            Some("stop1: q' = 2")
        );
        let mut stopped = 0;
        for (row, k) in table.given("k").iter().enumerate() {
            let set = format!("k={k:?}");
            let arguments = ["simulate", &model, "--json", "--set", &set];
            let run = rattleback(arguments.into_iter().chain(events));
            let single = run.json();
            let hits = single["events"].as_array().unwrap();
            for (event, name) in ["q = k/10", "q' = 0 : rising", "q' = 2"]
                .iter()
                .zip(["event1", "event2", "stop1"])
            {
                let of_event = hits.iter().filter(|hit| hit["event"] == *event);
                let times: Vec<f64> = of_event.map(|hit| hit["t"].as_f64().unwrap()).collect();
                let first = table.column(name)[row];
                match times.first() {
                    None => assert!(first.is_nan(), "{name} of {set}: {first}"),
                    Some(t) => assert!(
                        (t - first).abs() < 1e-7,
                        "{name} of {set}: {first}, not {t}"
                    ),
                }
                if name != "stop1" {
                    let count = table.column(&format!("{name}_count"))[row];
                    assert_eq!(count, times.len() as f64, "{name} of {set}");
                }
            }
            let end = single["t"].as_f64().unwrap();
            assert!((table.column("t")[row] - end).abs() < 1e-7);
            stopped += u64::from(end < 9.0);
        }
        // The amplitude of q' is √k: it takes k > 4 to reach 2, but for rounding.
        assert_eq!(json["events"]["stop1"]["members"].as_u64(), Some(stopped));
        assert_eq!(json["events"]["event1"]["members"], 7);
        assert!(table.column("status").iter().all(|s| *s == 0.0));
    }
    rattleback(["ensemble", &model, "--vary", "k=1,2", "--event", "z = 0"])
        .exits(2)
        .says(&["z"]);
}

#[test]
fn members_stay_on_their_groups_all_the_way() {
    let path = folder("member_groups_out").join("members.csv");
    let model = shipped("rigid_body");
    // So loose that what drifts in the run would be seen in the end.
    let loose = [
        "--rtol", "1e-4", "--atol", "1e-4", "--until", "30", "--method", "dop853",
    ];
    let output = ["--vary", "w[2]=0.5,1,2", "-o", path.to_str().unwrap()];
    ensemble(&model, &[&output[..], &loose].concat());
    let table = tables::read(&path);
    for (row, w) in table.given("w[2]").iter().enumerate() {
        let entry = |i: usize, j: usize| table.column(&format!("R[{i},{j}]"))[row];
        for (i, j) in [(1, 1), (1, 2), (2, 3), (3, 3)] {
            let product: f64 = (1..=3).map(|k| entry(k, i) * entry(k, j)).sum();
            let unit = f64::from(u8::from(i == j));
            assert!((product - unit).abs() < 1e-14, "w = {w}: {product}");
        }
        // A single motion is projected after every step: so is a member, or they would differ by the drift.
        let set = format!("w[2]={w:?}");
        // One row, so that steps of the single motion are as long as those of the member.
        let arguments = ["simulate", &model, "--json", "--step", "30", "--set", &set];
        let single = rattleback(arguments.into_iter().chain(loose))
            .exits(0)
            .json();
        let one = single["final"]["R[1,2]"].as_f64().unwrap();
        assert!(
            (one - entry(1, 2)).abs() < 1e-9,
            "w = {w}: {} and {one}",
            entry(1, 2)
        );
    }
}

#[test]
fn an_ensemble_of_which_every_member_fails_has_failed() {
    let text = "system fall\ncoord r\nlagrangian r'^2/2 + 1/r\nstart r = 1\ntime 0 .. 2 step 0.1\n";
    let model = written("all_fall", text);
    rattleback(["ensemble", &model, "--vary", "r=0.5:1:3"])
        .exits(1)
        .says(&["every member failed", "simulate"]);
    ensemble(&model, &["--vary", "r=0.5,4"]);
}

/// A horizon that depends on what is varied is that of each member.
#[test]
fn members_end_when_their_time_is_over() {
    let text = "system h\nfree T = 2\nparam P = 2*T\ncoord x\nkinetic x'^2/2\ncontrol u on x\ninput u = sin(pi*t/T)\n\
                time 0 .. P/2 step 0.1\n";
    let model = written("varied_horizon", text);
    let out = folder("varied_horizon_out")
        .join("all.csv")
        .display()
        .to_string();
    let vary = ["ensemble", &model, "--vary", "T=1:3:3", "-o", &out];
    rattleback(vary).exits(0);
    let all = tables::read(&out);
    assert_eq!(all.column("t"), [1.0, 2.0, 3.0]);
    for (x, t) in all.column("x").iter().zip([1.0, 2.0, 3.0]) {
        assert!((x - t * t / std::f64::consts::PI).abs() < 1e-9, "{x} {t}");
    }
    rattleback(["ensemble", &model, "--vary", "T=-1,2", "-o", &out]).exits(0);
    assert_eq!(tables::read(&out).column("status"), [4.0, 0.0]);
    let begins = text.replace("time 0 ..", "time T - 2 ..");
    rattleback([
        "ensemble",
        &written("varied_begin", begins),
        "--vary",
        "T=2,3",
    ])
    .exits(2)
    .says(&["start time"]);
    let map = "system m\nparam n = 2\nstate a\nmap next(a) = a + 1\ntime 0 .. n\n";
    rattleback([
        "ensemble",
        &written("varied_nodes", map),
        "--vary",
        "n=2,5",
        "-o",
        &out,
    ])
    .exits(0);
    assert_eq!(tables::read(&out).column("a"), [2.0, 5.0]);
}
