//! Controls that tables feed: in single motions, ensembles, comparisons, maps and exported code.

use crate::common::tables::read;
use crate::common::{folder, rattleback, written};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
        "{found} instead of {expected}"
    );
}

/// The result of `simulate --json` for a model of this text.
#[track_caller]
fn simulated(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(test, text);
    let arguments = ["simulate", &model, "--json"];
    let all = arguments.iter().chain(more);
    rattleback(all).exits(0).json()
}

const SPRING: &str = "system spring\nparam k = 4, a = 1\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n\
                      control u on x\nstart x = 1\ntime 0 .. 2 step 0.1\n";

fn table(test: &str, rows: &str) -> String {
    let path = folder(test).join("push.csv");
    std::fs::write(&path, rows).unwrap();
    path.display().to_string()
}

/// x'' = u from rest.
const MASS: &str =
    "system mass\ncoord x\nkinetic x'^2/2\ncontrol u on x\ninput u = 7\ntime 0 .. 2 step 0.25\n";

#[test]
fn tables_feed_controls_in_every_method() {
    // Corners at 0.3 and 1.1, off the rows.
    let file = table(
        "table_corners",
        "t,other,u\n0,9,1\n0.3,9,-2\n1.1,9,4\n2,9,0\n",
    );
    let hold = |x: bool| {
        let (u, d) = ([1.0, -2.0, 4.0], [0.3, 0.8, 0.9]);
        let (mut at, mut v) = (0.0, 0.0);
        for (u, d) in u.iter().zip(d) {
            at += v * d + u * d * d / 2.0;
            v += u * d;
        }
        if x { at } else { v }
    };
    let line = 0.5 * (-0.3 + 0.8 * 2.0 + 0.9 * 4.0);
    for method in [
        "taylor", "dop853", "dopri5", "radau5", "rk4", "gauss4", "gauss6",
    ] {
        let model = MASS;
        let input = format!("u={file}:hold");
        let found = simulated(
            &format!("hold_{method}"),
            model,
            &["--input", &input, "--method", method],
        );
        close(number(&found["final"]["x"]), hold(true), 1e-9);
        close(number(&found["final"]["x'"]), hold(false), 1e-9);
        assert!(
            found["notes"].to_string().contains("replaces the `input`"),
            "{}",
            found["notes"]
        );
        assert!(
            number(&found["max_energy_error"]) < 1e-8,
            "{method}: {found}"
        );
        let input = format!("u={file}");
        let found = simulated(
            &format!("line_{method}"),
            model,
            &["--input", &input, "--method", method],
        );
        close(number(&found["final"]["x'"]), line, 1e-9);
    }
}

#[test]
fn rows_of_a_motion_with_a_table_are_where_they_are_without() {
    let file = table("table_rows", "t,u\n0,1\n0.3,2\n0.5,5\n2,5\n");
    let model = written("table_rows_model", MASS);
    for method in ["dop853", "rk4"] {
        let out = folder(&format!("table_rows_{method}"))
            .join("rows.csv")
            .display()
            .to_string();
        let input = format!("u={file}:hold");
        rattleback([
            "simulate", &model, "--input", &input, "--method", method, "-o", &out,
        ])
        .exits(0);
        let text = std::fs::read_to_string(&out).unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let u = names.iter().position(|n| *n == "u").unwrap();
        let rows: Vec<Vec<f64>> = lines
            .map(|l| l.split(',').map(|c| c.parse().unwrap()).collect())
            .collect();
        let times: Vec<f64> = rows.iter().map(|r| r[0]).collect();
        assert_eq!(
            times,
            [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0],
            "{method}"
        );
        let fed: Vec<f64> = rows.iter().map(|r| r[u]).collect();
        assert_eq!(
            fed,
            [1.0, 1.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0],
            "{method}"
        );
    }
}

#[test]
fn bad_tables_are_told_with_their_lines() {
    let model = written("bad_tables", MASS);
    let cases = [
        ("short", "t,u\n0,1\n1,2\n", "", ":3:", "goes from 0 to 1"),
        (
            "nan",
            "t,u\n0,1\n1,nan\n2,3\n",
            "",
            ":3:",
            "no finite number",
        ),
        ("gap", "t,u\n0,1\n1,\n2,3\n", "", ":3:", "is missing"),
        (
            "surplus",
            "t,u\n0,1\n1,2,5\n2,3\n",
            "",
            ":3:",
            "`5` is in no column",
        ),
        ("word", "t,u\n0,1\n1,up\n2,3\n", "", ":3:", "`up`"),
        (
            "order",
            "t,u\n0,1\n1,2\n1,3\n2,0\n",
            "",
            ":4:",
            "times of a table increase",
        ),
        (
            "few",
            "t,u\n0,1\n1,2\n2,0\n",
            ":cubic",
            ":4:",
            "at least 4 rows",
        ),
        ("column", "t,w\n0,1\n2,2\n", "", ":1:", "no column `u`"),
        (
            "columns",
            "t,u,u\n0,1,2\n2,2,1\n",
            "",
            ":1:",
            "several columns `u`",
        ),
    ];
    for (name, rows, kind, line, says) in cases {
        let file = table(&format!("bad_{name}"), rows);
        let input = format!("u={file}{kind}");
        rattleback(["simulate", &model, "--input", &input])
            .exits(2)
            .says(&[line, says]);
    }
    let good = table("good_table", "t,u\n0,1\n2,2\n");
    rattleback(["simulate", &model, "--input", &format!("w={good}")])
        .exits(2)
        .says(&["no control `w`"]);
    rattleback(["simulate", &model, "--input", "u=nowhere.csv"])
        .exits(2)
        .says(&["nowhere.csv"]);
    rattleback(["simulate", &model, "--input", &format!("u={good}:square")])
        .exits(2)
        .says(&["`square`"]);
}

/// A table that is held has each value from its time on, at the end too.
#[test]
fn a_held_table_ends_with_its_last_value() {
    let file = folder("held_to_the_end").join("u.csv");
    std::fs::write(&file, "t,u\n0,0\n1,1\n2,-3\n").unwrap();
    let input = format!("u={}:hold", file.display());
    for method in ["taylor", "dop853", "rk4"] {
        let text = format!("{SPRING}observe pushed = u\n");
        let more = ["--input", &input, "--method", method];
        let found = simulated(&format!("held_to_the_end_{method}"), &text, &more);
        assert_eq!(number(&found["observed"]["pushed"]), -3.0, "{method}");
    }
}

/// Values at random times between 0 and 3; a spring that is not linear, with damping.
const ROWS: &str =
    "t,u\n0,1.5\n0.31,-0.4\n0.7,-1.9\n0.7000001,0.3\n1.3,1.1\n1.9,-0.8\n2.2,0.6\n3,1.7\n";
const HARD: &str = "system hard\nparam m = 1\ncoord x\nkinetic m*x'^2/2\npotential x^4/4\nforce (x: -x'/10)\n\
                    control u on x\nobserve pushed = u\nstart x = 1\ntime 0 .. 3 step 0.1\n";

/// A member of an ensemble is the motion that `simulate` follows, over the whole table or a part of it.
#[test]
fn members_are_fed_as_single_motions_are() {
    let file = table("members_fed", ROWS);
    let whole = written("members_fed_whole", HARD);
    let part = HARD.replace("time 0 .. 3", "time 1.4 .. 1.8");
    let part = written("members_fed_part", part);
    for (kind, method) in [
        ("hold", "taylor"),
        ("linear", "dop853"),
        ("cubic", "taylor"),
    ] {
        for model in [&whole, &part] {
            let input = format!("u={file}:{kind}");
            // So sharp that the orders, which suit one motion or four, make no difference.
            let sharp = ["--rtol", "1e-13", "--atol", "1e-13"];
            let fed = ["--input", &input, "--method", method];
            let fed = [&fed[..], &sharp].concat();
            let out = folder("members_fed_out").join("all.csv");
            let out = out.display().to_string();
            let vary = ["--vary", "m=1/2:5/2:5", "-o", &out];
            rattleback(["ensemble", model].iter().chain(&fed).chain(&vary)).exits(0);
            let all = read(&out);
            for (k, m) in [0.5, 1.0, 1.5, 2.0, 2.5].iter().enumerate() {
                let set = ["--set", &format!("m={m}"), "--json"];
                let one = rattleback(["simulate", model].iter().chain(&fed).chain(&set));
                let one = one.exits(0).json();
                close(all.column("x")[k], number(&one["final"]["x"]), 1e-9);
                close(all.column("x'")[k], number(&one["final"]["x'"]), 1e-9);
                let pushed = number(&one["observed"]["pushed"]);
                assert_eq!(all.column("pushed")[k], pushed, "{kind} {model}");
            }
        }
    }
}

/// What crosses zero at a corner of a table crosses it once; what jumps there does not cross.
#[test]
fn crossings_at_corners_are_seen_once() {
    let rows: String = (0..=10).map(|k| format!("{k},1\n")).collect();
    let file = table("crossing_corners", &format!("t,u\n{rows}"));
    let input = format!("u={file}");
    let text = "system k\nparam r = 1\nstate x\ncontrol u\nrate x' = r*u\ntime 0 .. 10 step 0.1\n";
    let model = written("crossing_corners_model", text);
    for k in 1..=9 {
        let r = 0.1 + 0.3137 * f64::from(k);
        let (event, set) = (format!("x = {r}*{k}"), format!("r={r}"));
        for method in ["taylor", "dop853", "rk4"] {
            let more = [
                "--event", &event, "--set", &set, "--method", method, "--json",
            ];
            let run = rattleback(["simulate", &model, "--input", &input].iter().chain(&more));
            let events = run.exits(0).json()["events"].clone();
            let events = events.as_array().unwrap();
            assert_eq!(events.len(), 1, "{event} {method}: {events:?}");
            close(number(&events[0]["t"]), f64::from(k), 1e-9);
        }
        let out = folder("crossing_corners_out")
            .join("all.csv")
            .display()
            .to_string();
        let vary = format!("r={r},{r}");
        let more = ["--event", &event, "--vary", &vary, "-o", &out];
        rattleback(["ensemble", &model, "--input", &input].iter().chain(&more)).exits(0);
        assert_eq!(read(&out).column("event1_count"), [1.0, 1.0], "{event}");
    }
    let jumps = table("crossing_jumps", "t,u\n0,1\n5,-1\n10,1\n");
    let input = format!("u={jumps}:hold");
    let more = ["--event", "u = 0", "--json"];
    let run = rattleback(["simulate", &model, "--input", &input].iter().chain(&more));
    assert_eq!(run.exits(0).json()["events"], Value::Array(Vec::new()));
}

/// A plant in steps takes the value of each node.
#[test]
fn maps_are_fed_node_by_node() {
    let file = table("map_fed", "t,u\n0,1\n1,10\n3,1000\n5,7\n");
    let text =
        "system m\nparam a = 1\nstate x\ncontrol u\nmap next(x) = a*x + u\ntime 0 .. 5 step 1\n";
    let model = written("map_fed_model", text);
    let hold = simulated(
        "map_fed_hold",
        text,
        &["--input", &format!("u={file}:hold")],
    );
    assert_eq!(
        number(&hold["final"]["x"]),
        1.0 + 10.0 + 10.0 + 1000.0 + 1000.0
    );
    let input = format!("u={file}");
    let line = ["--input", &input, "--event", "x = 100"];
    let found = simulated("map_fed_line", text, &line);
    assert_eq!(
        number(&found["final"]["x"]),
        1.0 + 10.0 + 505.0 + 1000.0 + 503.5
    );
    assert_eq!(number(&found["events"][0]["t"]), 3.0);
    let out = folder("map_fed_out").join("all.csv").display().to_string();
    let more = ["--vary", "a=1,0", "--input", &input, "-o", &out];
    rattleback(["ensemble", &model].iter().chain(&more)).exits(0);
    assert_eq!(read(&out).column("x"), [2019.5, 503.5]);
}

#[test]
fn both_motions_of_a_comparison_are_fed() {
    let text = "system sled\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\nconstraint x'*sin(phi) = y'*cos(phi)\n\
                control u on (phi: 1)\nstart x' = 1, phi' = 1/2\ntime 0 .. 3 step 0.1\n";
    let model = written("comparison_fed", text);
    let input = format!("u={}", table("comparison_fed_table", ROWS));
    let ends = |more: &[&str]| {
        let compare = [
            "compare",
            &model,
            "--with",
            "hamel",
            "--form",
            "lagrange-dalembert",
            "--json",
        ];
        rattleback(compare.iter().chain(more)).exits(0).json()
    };
    let fed = ends(&["--input", &input]);
    assert!(number(&fed["max_distance"]) < 1e-8, "{fed}");
    assert!(!fed["notes"].to_string().contains("has no input"), "{fed}");
    let simulate = ["simulate", &model, "--input", &input, "--json"];
    let one = rattleback(simulate).exits(0).json();
    let both = fed.to_string();
    let turned = number(&one["final"]["phi"]);
    assert!(
        both.contains(&format!("{turned:.9}")[..9]),
        "{turned}: {both}"
    );
    let unfed = rattleback(["simulate", &model, "--json"]).exits(0).json();
    assert!((number(&unfed["final"]["phi"]) - turned).abs() > 1e-3);
}

/// The exported rates at a time are those of the table there.
#[test]
fn exported_code_has_the_tables() {
    let model = written("exported_tables", HARD);
    let path = folder("exported_tables_out").join("hard.py");
    let out = path.display().to_string();
    let input = format!("u={}:hold", table("exported_tables_rows", ROWS));
    rattleback([
        "export", &model, "--to", "python", "--input", &input, "-o", &out,
    ])
    .exits(0);
    let script = "import hard\nfor t in [-1, 0, 0.5, 0.7, 2.9, 9]: print(hard.rates(t, hard.START).x_dot + 1, hard.controls(t, hard.START).u)";
    let run = std::process::Command::new("python3")
        .args(["-c", script])
        .current_dir(path.parent().unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let expected = [1.5, 1.5, -0.4, -1.9, 0.6, 1.7];
    assert_eq!(text.lines().count(), expected.len(), "{text}");
    for (line, u) in text.lines().zip(expected) {
        for word in line.split_whitespace() {
            close(word.parse().unwrap(), u, 1e-14);
        }
    }
    rattleback(["export", &model, "--to", "latex", "--input", &input])
        .exits(2)
        .says(&["--to latex"]);
}

/// One control is fed by one thing.
#[test]
fn a_table_beside_another_value_is_refused() {
    let model = written("fed_twice", HARD);
    let file = table("fed_twice_rows", ROWS);
    let input = format!("u={file}");
    rattleback(["simulate", &model, "--input", &input, "--set", "u = 2"])
        .exits(2)
        .says(&["--set u = 2", "leave one of them out"]);
    rattleback(["ensemble", &model, "--input", &input, "--vary", "u=1,2"])
        .exits(2)
        .says(&["`u` is varied", "leave one of them out"]);
    rattleback([
        "ensemble", &model, "--input", &input, "--vary", "m=1,2", "--until", "4",
    ])
    .exits(2)
    .says(&[":9:", "goes from 0 to 3"]);
}

/// An ensemble goes on with the tables that it began with only.
#[test]
fn a_resumed_ensemble_has_the_same_tables() {
    let model = written("resumed_fed", HARD);
    let file = table("resumed_fed_rows", ROWS);
    let out = folder("resumed_fed_out")
        .join("all.csv")
        .display()
        .to_string();
    let input = format!("u={file}");
    let all = [
        "ensemble", &model, "--input", &input, "--vary", "m=1,2", "-o", &out, "--resume",
    ];
    rattleback(all).exits(0);
    rattleback(all).exits(0);
    std::fs::write(&file, ROWS.replace("1.1", "1.2")).unwrap();
    rattleback(all).exits(2).says(&["another ensemble"]);
}

/// A column is found behind others whose quoted names have commas.
#[test]
fn commas_in_names_of_columns_part_nothing() {
    let model = written("quoted_names", MASS);
    let table = written(
        "quoted_names.csv",
        "t,\"R[1,2]\",\"R[1,3]\",u,v\n0,7,8,2,9\n10,7,8,2,9\n",
    );
    let fed = format!("u={table}");
    let page = rattleback(["simulate", &model, "--json", "--input", &fed])
        .exits(0)
        .json();
    let set = rattleback(["simulate", &model, "--json", "--set", "u=2"])
        .exits(0)
        .json();
    let (found, right) = (&page["final"]["x"], &set["final"]["x"]);
    assert!((found.as_f64().unwrap() - right.as_f64().unwrap()).abs() < 1e-9);
}
