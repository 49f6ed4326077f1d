//! Ctrl-C and kill: what has been computed stays readable, and an ensemble goes on where it was.
#![cfg(unix)]

use crate::common::{folder, rattleback, tables, written};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A motion that takes longer than anyone waits, but does not fill the disk.
const SWING: &str = "system swing\nparam k = 1\ncoord q\nlagrangian q'^2/2 - k*q^2/2\nstart q = 1\n\
                     time 0 .. 1e5 step 0.01\n";

fn begun(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &id])
        .status();
    assert!(sent.unwrap().success());
}

/// Waits until a CSV file has some rows behind its head.
fn await_rows(path: &Path, rows: usize) {
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().filter(|l| !l.starts_with('#')).count();
        if lines > rows {
            return;
        }
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupted_simulation_keeps_its_rows() {
    let model = written("interrupt", SWING);
    let path = folder("interrupt_out").join("run.csv");
    let plot = path.with_extension("svg");
    let child = begun(&[
        "simulate",
        &model,
        "--json",
        "-o",
        path.to_str().unwrap(),
        "--plot",
        plot.to_str().unwrap(),
    ]);
    await_rows(&path, 100);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("interrupted at t = "), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["ended"], "interrupted");
    assert!(json["error"].as_str().unwrap().contains("interrupted"));
    let table = tables::read(&path);
    let (t, q) = (table.column("t"), table.column("q"));
    assert!(t.len() >= 100);
    // The reader of JSON may round the last digit.
    let (told, written) = (json["t"].as_f64().unwrap(), t[t.len() - 1]);
    assert!((told - written).abs() < 1e-9, "{told} for {written}");
    for (t, q) in t.iter().zip(&q).take(500) {
        assert!((q - t.cos()).abs() < 1e-6, "q({t}) = {q}");
    }
    assert!(std::fs::read_to_string(&plot).unwrap().contains("</svg>"));
}

#[test]
fn an_interrupted_simulation_closes_its_parquet_file() {
    let model = written("interrupt_parquet", SWING);
    let path = folder("interrupt_parquet_out").join("run.parquet");
    let child = begun(&["simulate", &model, "--json", "-o", path.to_str().unwrap()]);
    // The file is created when the work begins.
    while !path.exists() {
        sleep(Duration::from_millis(20));
    }
    // What batch systems send.
    signal(&child, "TERM");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    assert!(!tables::read(&path).rows.is_empty());
}

#[test]
fn a_killed_simulation_leaves_readable_rows() {
    let model = written("kill", SWING);
    let path = folder("kill_out").join("run.csv");
    let mut child = begun(&["simulate", &model, "-o", path.to_str().unwrap()]);
    await_rows(&path, 100);
    signal(&child, "KILL");
    child.wait().unwrap();
    let t = tables::read(&path).column("t");
    assert!(t.len() >= 100);
    assert!(t.windows(2).all(|w| w[1] > w[0]));
}

/// Waits until a Parquet file has some rows.
fn await_groups(path: &Path, rows: usize) {
    while !rattleback::report::TableReader::open(path)
        .and_then(|mut table| table.rows())
        .is_ok_and(|found| found.len() > rows)
    {
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_killed_simulation_leaves_a_parquet_table() {
    let model = written("kill_parquet", SWING);
    let path = folder("kill_parquet_out").join("run.parquet");
    let mut child = begun(&["simulate", &model, "-o", path.to_str().unwrap()]);
    await_groups(&path, 100);
    signal(&child, "KILL");
    child.wait().unwrap();
    let table = tables::read(&path);
    for (t, q) in table.column("t").iter().zip(table.column("q")).take(500) {
        assert!((q - t.cos()).abs() < 1e-6, "q({t}) = {q}");
    }
    assert!(table.column("t").windows(2).all(|w| w[1] > w[0]));
}

#[test]
fn a_killed_ensemble_goes_on_from_its_parquet_table() {
    let model = written("kill_ensemble", SWING);
    let folder = folder("kill_ensemble_out");
    let (whole, part) = (folder.join("whole.parquet"), folder.join("part.parquet"));
    let slow = ["--until", "20000", "--threads", "1"];
    rattleback(ensemble(&model, whole.to_str().unwrap(), &slow)).exits(0);
    let mut child = begun(&ensemble(&model, part.to_str().unwrap(), &slow));
    await_groups(&part, 10);
    signal(&child, "KILL");
    child.wait().unwrap();
    let kept = tables::read(&part).rows.len();
    assert!((10..2000).contains(&kept), "{kept} members");
    let more = [&slow[..], &["--resume"]].concat();
    let run = rattleback(ensemble(&model, part.to_str().unwrap(), &more)).exits(0);
    assert_eq!(run.json()["kept"].as_u64(), Some(kept as u64));
    assert!(tables::read(&whole).bits() == tables::read(&part).bits());
}

/// An ensemble command line for a result file.
fn ensemble<'a>(model: &'a str, path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![
        "ensemble",
        model,
        "--json",
        "--vary",
        "k=1:4:4",
        "--sample",
        "q~normal(1,0.3)",
        "-n",
        "500",
        "--seed",
        "7",
        "-o",
        path,
    ];
    if !more.contains(&"--until") {
        all.extend(["--until", "40"]);
    }
    all.extend_from_slice(more);
    all
}

#[test]
fn an_interrupted_ensemble_goes_on_to_the_same_result() {
    let model = written("resume", SWING);
    let folder = folder("resume_out");
    for ending in ["csv", "parquet"] {
        let whole = folder.join(format!("whole.{ending}"));
        rattleback(ensemble(&model, whole.to_str().unwrap(), &[])).exits(0);
        let part = folder.join(format!("part.{ending}"));
        let child = begun(&ensemble(
            &model,
            part.to_str().unwrap(),
            &["--threads", "1"],
        ));
        while !part.exists() {
            sleep(Duration::from_millis(5));
        }
        signal(&child, "INT");
        let interrupted = child.wait_with_output().unwrap();
        let kept = tables::read(&part).rows.len();
        if kept < 2000 {
            assert_eq!(interrupted.status.code(), Some(1));
            let said = String::from_utf8_lossy(&interrupted.stderr);
            assert!(said.contains("--resume"), "{said}");
        }
        let run = rattleback(ensemble(&model, part.to_str().unwrap(), &["--resume"])).exits(0);
        assert_eq!(run.json()["kept"].as_u64(), Some(kept as u64));
        let (whole, part) = (tables::read(&whole), tables::read(&part));
        assert_eq!(part.rows.len(), 2000);
        assert!(
            whole.bits() == part.bits(),
            "{ending}: results differ after {kept} members"
        );
    }
}

/// Several threads finish members out of order: a stop must not leave gaps between the rows.
#[test]
fn an_interrupted_ensemble_on_several_threads_has_no_gaps() {
    let model = written("gaps", SWING);
    let folder = folder("gaps_out");
    let (whole, part) = (folder.join("whole.csv"), folder.join("part.csv"));
    let threads = ["--threads", "3", "--until", "4000"];
    rattleback(ensemble(&model, whole.to_str().unwrap(), &threads)).exits(0);
    let child = begun(&ensemble(&model, part.to_str().unwrap(), &threads));
    await_rows(&part, 50);
    signal(&child, "INT");
    child.wait_with_output().unwrap();
    let kept = tables::read(&part).column("member");
    assert!(
        kept.iter()
            .enumerate()
            .all(|(k, member)| k as f64 == *member)
    );
    let more = [&threads[..], &["--resume"]].concat();
    rattleback(ensemble(&model, part.to_str().unwrap(), &more)).exits(0);
    assert!(tables::read(&whole).bits() == tables::read(&part).bits());
}

/// A table with gaps, as earlier versions may have left it, is not taken for whole.
#[test]
fn a_table_with_missing_members_is_refused() {
    let model = written("missing", SWING);
    let path = folder("missing_out").join("run.csv");
    let name = path.to_str().unwrap();
    rattleback(ensemble(&model, name, &[])).exits(0);
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> = text.lines().filter(|l| !l.starts_with("17,")).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    rattleback(ensemble(&model, name, &["--resume"]))
        .exits(2)
        .says(&["members are missing", "leave out --resume"]);
}

#[test]
fn an_empty_file_is_not_gone_on_with() {
    let model = written("empty", SWING);
    for ending in ["csv", "parquet"] {
        let path = folder("empty_out").join(format!("run.{ending}"));
        std::fs::write(&path, "").unwrap();
        rattleback(ensemble(&model, path.to_str().unwrap(), &["--resume"]))
            .exits(2)
            .says(&["leave out --resume"]);
    }
}

/// A simulation with very many rows in one step.
#[test]
fn an_interruption_is_seen_between_the_rows_of_a_step() {
    let model = written("interrupt_rows", SWING);
    // Before there are rows a signal ends the program at once: then a later one is tried.
    let json = (1..6).find_map(|k| {
        let child = begun(&[
            "simulate", &model, "--json", "--until", "1", "--step", "1e-12",
        ]);
        sleep(Duration::from_millis(500 * k * k));
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice::<serde_json::Value>(&output.stdout).ok()
    });
    let json = json.expect("a motion that was interrupted");
    assert_eq!(json["ended"], "interrupted");
}

/// A file torn anywhere, as by a kill: the whole rows in it are kept, the rest is worked out again.
#[test]
fn a_torn_table_goes_on_to_the_same_result() {
    let model = written("torn", SWING);
    let folder = folder("torn_out");
    let whole = folder.join("whole.csv");
    let all = rattleback(ensemble(&model, whole.to_str().unwrap(), &[])).exits(0);
    let bytes = std::fs::read(&whole).unwrap();
    let head = bytes.len() - tables_length(&bytes);
    for share in [0.0, 0.3, 0.999] {
        let cut = head + ((bytes.len() - head) as f64 * share) as usize;
        let torn = folder.join("torn.csv");
        std::fs::write(&torn, &bytes[..cut]).unwrap();
        let run = rattleback(ensemble(&model, torn.to_str().unwrap(), &["--resume"])).exits(0);
        assert!(std::fs::read(&torn).unwrap() == bytes, "torn at {cut}");
        // The members that were kept count.
        assert_eq!(run.json()["final"], all.json()["final"]);
    }
}

/// The number of bytes behind the description and the names of the columns.
fn tables_length(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let rows = text.lines().filter(|l| !l.starts_with('#')).skip(1);
    rows.map(|line| line.len() + 1).sum()
}

#[test]
fn another_ensemble_is_not_gone_on_with() {
    let model = written("other", SWING);
    let path = folder("other_out").join("run.csv");
    let path = path.to_str().unwrap();
    rattleback(ensemble(&model, path, &[])).exits(0);
    for more in [
        &["--rtol", "1e-6"][..],
        &["--max-steps", "10"],
        &["--no-projection"],
    ] {
        let other = ensemble(&model, path, &[&["--resume"], more].concat());
        rattleback(other).exits(2).says(&["another ensemble", path]);
    }
    std::fs::write(path, "no table\n").unwrap();
    let run = rattleback(ensemble(&model, path, &["--resume"]));
    assert_ne!(run.code, 0);
    assert!(run.err.contains(path), "{}", run.err);
}

/// A disk that fills up in the middle of a row or a group: whole rows stay, and readers open the file.
#[test]
fn a_full_disk_leaves_whole_rows() {
    let model = written("small_disk", SWING);
    let folder = folder("small_disk_out");
    for (ending, kilobytes) in [("csv", "300"), ("parquet", "100"), ("parquet", "9000")] {
        let path = folder.join(format!("run{kilobytes}.{ending}"));
        // A limit on the length of files instead of a small disk.
        let command = format!(
            "trap '' XFSZ; ulimit -f {kilobytes}; exec '{}' simulate '{model}' -o '{}'",
            env!("CARGO_BIN_EXE_rattleback"),
            path.display()
        );
        let output = Command::new("bash").args(["-c", &command]).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("cannot write"), "{said}");
        let table = tables::read(&path);
        let (t, q) = (table.column("t"), table.column("q"));
        assert!(kilobytes == "100" || t.len() > 1000, "{} rows", t.len());
        assert!(t.windows(2).all(|w| (w[1] - w[0] - 0.01).abs() < 1e-6));
        assert!(
            t.iter()
                .zip(&q)
                .take(5000)
                .all(|(t, q)| (q - t.cos()).abs() < 1e-6)
        );
        if ending == "csv" {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.ends_with('\n'));
        }
    }
}

/// A chain of many links in angles: large enough that no phase of it is over soon.
fn chain(links: usize) -> String {
    let names: Vec<String> = (1..=links).map(|k| format!("q{k}")).collect();
    let mut text = format!(
        "system chain\nparam g = 9.81\ncoord {} : angle\n",
        names.join(", ")
    );
    let (mut x, mut y) = (String::from("0"), String::from("0"));
    let (mut kinetic, mut potential) = (Vec::new(), Vec::new());
    for name in &names {
        x += &format!(" + cos({name})*{name}'");
        y += &format!(" + sin({name})*{name}'");
        kinetic.push(format!("({x})^2 + ({y})^2"));
        potential.push(format!("cos({name})"));
    }
    text += &format!("kinetic ({})/2\n", kinetic.join(" + "));
    text += &format!("potential -g*({})\n", potential.join(" + "));
    text + "start q1 = 1\ntime 0 .. 1e6 step 0.01\n"
}

/// Signals before the motion: while the model is read, which is known since it comes through a pipe, and while it is
/// derived, judged and compiled.
#[test]
fn a_signal_before_there_is_a_result_ends_the_program() {
    let folder = folder("early_out");
    let results = folder.join("results");
    std::fs::create_dir(&results).unwrap();
    let table = results.join("run.csv");
    let (table, model) = (table.to_str().unwrap(), folder.join("pipe.mech"));
    let made = Command::new("mkfifo").arg(&model).status().unwrap();
    assert!(made.success());
    let name = model.to_str().unwrap();
    let plot = results.join("run.svg");
    let code = results.join("run.c");
    let lines: [&[&str]; 6] = [
        &[
            "simulate",
            name,
            "-o",
            table,
            "--plot",
            plot.to_str().unwrap(),
        ],
        &["ensemble", name, "--vary", "g=1:2:5", "-o", table],
        &["compare", name, "--with", "hamiltonian", "-o", table],
        &["export", name, "--to", "c", "-o", code.to_str().unwrap()],
        &["derive", name],
        &["analyze", name, "--effort", "1e6"],
    ];
    for (line, signals) in lines
        .iter()
        .zip(["INT", "TERM", "TERM", "INT", "TERM", "INT"])
    {
        for milliseconds in [None, Some(30), Some(300)] {
            let child = begun(line);
            // Opens once the program has begun to read.
            let mut pipe = std::fs::OpenOptions::new()
                .write(true)
                .open(&model)
                .unwrap();
            if let Some(milliseconds) = milliseconds {
                std::io::Write::write_all(&mut pipe, chain(100).as_bytes()).unwrap();
                drop(pipe);
                sleep(Duration::from_millis(milliseconds));
            }
            signal(&child, signals);
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(1),
                "{line:?} {milliseconds:?}: {said}"
            );
            assert!(
                said.contains("interrupted"),
                "{line:?} {milliseconds:?}: {said}"
            );
            // What was judged or derived by then may have been shown.
            assert!(output.stdout.is_empty() || matches!(line[0], "analyze" | "derive"));
            let left: Vec<_> = std::fs::read_dir(&results).unwrap().collect();
            assert!(left.is_empty(), "{line:?} {milliseconds:?} left {left:?}");
        }
    }
}
