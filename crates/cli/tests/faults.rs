//! Faults: two writers, a full disk, flipped bytes, closed output, files too long, results over models.
#![cfg(unix)]

use crate::common::{folder, rattleback, tables, written};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const SWING: &str = "system swing\nparam k = 1\ncoord q\nlagrangian q'^2/2 - k*q^2/2\nstart q = 1\n\
                     time 0 .. 1e5 step 0.01\n";

/// A command line in a shell, for what only a shell does; `$0` is the program.
fn shell(command: &str, arguments: &[&str]) -> Output {
    Command::new("bash")
        .args(["-c", command, env!("CARGO_BIN_EXE_rattleback")])
        .args(arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// 2000 members of 40 time units.
fn ensemble<'a>(model: &'a str, path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all = [
        "ensemble",
        model,
        "--json",
        "--until",
        "40",
        "--vary",
        "k=1:4:4",
        "--sample",
        "q~normal(1,0.3)",
        "-n",
        "500",
        "-o",
        path,
    ];
    [&all[..], more].concat()
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A copy of a table of an ensemble that has only its first rows.
fn first_rows(whole: &Path, part: &Path, rows: usize) {
    use rattleback::report::{RowSink, TableReader, TableWriter};
    let mut reader = TableReader::open(whole).unwrap();
    let mut writer = TableWriter::create(part, reader.table()).unwrap();
    let mut row = Vec::new();
    for _ in 0..rows {
        assert!(reader.next_row(&mut row).unwrap());
        writer.row(&row).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_second_writer_is_refused_and_the_first_goes_on() {
    let model = written("two_writers", SWING);
    let folder = folder("two_writers_out");
    for ending in ["csv", "parquet"] {
        let path = folder.join(format!("run.{ending}"));
        let name = path.to_str().unwrap();
        let mut first = Command::new(env!("CARGO_BIN_EXE_rattleback"))
            .args(["simulate", &model, "-o", name])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !path.exists() {
            sleep(Duration::from_millis(10));
        }
        let seconds = [
            vec!["simulate", &model, "-o", name],
            vec!["compare", &model, "--with", "hamiltonian", "-o", name],
            ensemble(&model, name, &[]),
            ensemble(&model, name, &["--resume"]),
        ];
        for second in seconds {
            rattleback(second).exits(2).says(&["another run", name]);
        }
        assert!(first.try_wait().unwrap().is_none(), "the first one ended");
        // A lock does not outlive whoever held it.
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(
            tables::read(&path)
                .column("t")
                .windows(2)
                .all(|w| w[1] > w[0])
        );
        rattleback(["simulate", &model, "--until", "1", "-o", name]).exits(0);
        assert_eq!(tables::read(&path).rows.len(), 101);
    }
}

#[test]
fn of_two_that_go_on_with_one_file_one_does() {
    let model = written("two_resumes", SWING);
    let folder = folder("two_resumes_out");
    for ending in ["csv", "parquet"] {
        let whole = folder.join(format!("whole.{ending}"));
        rattleback(ensemble(&model, whole.to_str().unwrap(), &[])).exits(0);
        let part = folder.join(format!("part.{ending}"));
        first_rows(&whole, &part, 300);
        let resume = || {
            Command::new(env!("CARGO_BIN_EXE_rattleback"))
                .args(ensemble(&model, part.to_str().unwrap(), &["--resume"]))
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        };
        let mut both = [resume(), resume(), resume()];
        let codes = both.each_mut().map(|run| run.wait().unwrap().code());
        // Whoever comes late may find it complete.
        assert!(codes.iter().all(|c| matches!(c, Some(0 | 2))), "{codes:?}");
        assert!(codes.contains(&Some(0)));
        assert!(tables::read(&part).bits() == tables::read(&whole).bits());
        let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
        assert!(left.len() <= 4, "{left:?}");
    }
}

/// A limit on the length of files in the place of a small disk; no shell ignores the signal for us.
#[test]
fn a_full_disk_during_a_resumption_loses_no_row() {
    let model = written("full_resume", SWING);
    let folder = folder("full_resume_out");
    for ending in ["csv", "parquet"] {
        let whole = folder.join(format!("whole.{ending}"));
        rattleback(ensemble(&model, whole.to_str().unwrap(), &[])).exits(0);
        let part = folder.join(format!("part.{ending}"));
        first_rows(&whole, &part, 300);
        let before = tables::read(&part).bits();
        let limit = std::fs::metadata(&part).unwrap().len() / 1024 + 8;
        let line = ensemble(&model, part.to_str().unwrap(), &["--resume"]);
        let output = shell(&format!("ulimit -f {limit}; exec \"$0\" \"$@\""), &line);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("cannot write"), "{}", said(&output));
        let names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|f| f.unwrap().file_name())
            .collect();
        assert!(
            names
                .iter()
                .all(|n| !n.to_string_lossy().contains("previous")),
            "{names:?}"
        );
        let after = tables::read(&part).bits();
        assert!(after.len() >= before.len() && after[..before.len()] == before[..]);
        // With room again it goes on to the end.
        rattleback(line).exits(0);
        assert!(tables::read(&part).bits() == tables::read(&whole).bits());
    }
}

#[test]
fn a_file_that_may_grow_no_longer_keeps_whole_rows() {
    let model = written("long_file", SWING);
    let folder = folder("long_file_out");
    for (ending, kilobytes) in [("csv", 300), ("parquet", 300)] {
        let path = folder.join(format!("run.{ending}"));
        let line = ["simulate", &model, "-o", path.to_str().unwrap()];
        let output = shell(&format!("ulimit -f {kilobytes}; exec \"$0\" \"$@\""), &line);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("cannot write"), "{}", said(&output));
        let t = tables::read(&path).column("t");
        assert!(t.windows(2).all(|w| (w[1] - w[0] - 0.01).abs() < 1e-6));
        if ending == "csv" {
            assert!(t.len() > 1000);
            assert!(bytes(&path).ends_with(b"\n"));
        }
    }
}

#[test]
fn a_starter_that_cannot_be_written_leaves_nothing_behind() {
    let path = folder("full_starter").join("swing.mech");
    let line = ["new", path.to_str().unwrap()];
    let output = shell("ulimit -f 0; exec \"$0\" \"$@\"", &line);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("cannot write"), "{}", said(&output));
    assert!(!path.exists());
    rattleback(line).exits(0);
}

#[test]
fn flipped_bytes_are_not_gone_on_with() {
    let model = written("flipped", SWING);
    let folder = folder("flipped_out");
    for ending in ["csv", "parquet"] {
        let whole = folder.join(format!("whole.{ending}"));
        rattleback(ensemble(&model, whole.to_str().unwrap(), &[])).exits(0);
        let part = folder.join(format!("part.{ending}"));
        first_rows(&whole, &part, 300);
        let good = bytes(&part);
        for share in [0.5, 0.75, 0.9] {
            let mut bad = good.clone();
            let place = (bad.len() as f64 * share) as usize;
            // A digit stays a digit.
            bad[place] ^= 1;
            std::fs::write(&part, &bad).unwrap();
            rattleback(ensemble(&model, part.to_str().unwrap(), &["--resume"]))
                .exits(2)
                .says(&[part.to_str().unwrap(), "leave out --resume"]);
            assert!(bytes(&part) == bad, "the file was touched");
        }
    }
}

/// Rows that were changed together with their checksum's line, or have none: what a member was given is known.
#[test]
fn members_of_another_ensemble_are_not_kept() {
    let model = written("changed", SWING);
    let path = folder("changed_out").join("run.csv");
    let name = path.to_str().unwrap();
    rattleback(ensemble(&model, name, &[])).exits(0);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with("# checksum"))
        .map(|line| line.replacen("17,1.0,", "17,2.0,", 1))
        .collect();
    std::fs::write(&path, changed.join("\n") + "\n").unwrap();
    rattleback(ensemble(&model, name, &["--resume"]))
        .exits(2)
        .says(&["member 17", "leave out --resume"]);
}

#[test]
fn no_result_overwrites_the_model() {
    let folder = folder("over_model_out");
    let model = folder.join("k.mech");
    std::fs::write(&model, SWING).unwrap();
    let (linked, hard) = (folder.join("link.csv"), folder.join("hard.svg"));
    std::os::unix::fs::symlink(&model, &linked).unwrap();
    std::fs::hard_link(&model, &hard).unwrap();
    let (model, linked, hard) = (
        model.to_str().unwrap(),
        linked.to_str().unwrap(),
        hard.to_str().unwrap(),
    );
    let around = format!("{}/../over_model_out/k.mech", folder.display());
    for line in [
        vec!["export", model, "--to", "c", "-o", model],
        vec!["export", model, "--to", "latex", "-o", &around],
        vec!["export", model, "--to", "rust", "-o", linked],
        vec!["simulate", model, "-o", linked],
        vec!["simulate", model, "--plot", hard],
        vec!["compare", model, "--with", "hamiltonian", "-o", linked],
        vec!["compare", model, "--with", "hamiltonian", "--plot", hard],
        ensemble(model, linked, &[]),
        ensemble(model, linked, &["--resume"]),
    ] {
        rattleback(line).exits(2).says(&["is the model"]);
        assert_eq!(std::fs::read_to_string(model).unwrap(), SWING);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn closed_standard_output_is_a_failure() {
    let model = written("closed", SWING);
    let sleigh = crate::common::shipped("knife_edge");
    for line in [
        vec!["simulate", model.as_str(), "--until", "1"],
        vec!["simulate", &model, "--until", "1", "-o", "-"],
        vec!["simulate", &model, "--until", "1", "--json"],
        vec!["derive", &model],
        vec!["check", &model],
        vec!["export", &model, "--to", "c"],
        vec!["analyze", &sleigh, "--only", "regularity"],
        vec!["ensemble", &model, "--until", "1", "--vary", "k=1,2"],
        vec!["--help"],
        vec!["--version"],
    ] {
        let closed = shell("exec \"$0\" \"$@\" >&-", &line);
        assert_eq!(closed.status.code(), Some(1), "{line:?}");
        assert!(
            said(&closed).contains("standard output is closed"),
            "{}",
            said(&closed)
        );
        // Where nobody wants the result, that is no failure, in whichever way it is said.
        for nobody in [
            "> /dev/null",
            "<> /dev/null >&0",
            "| head -c 1 > /dev/null; exit ${PIPESTATUS[0]}",
        ] {
            let output = shell(&format!("\"$0\" \"$@\" {nobody}"), &line);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{line:?} {nobody}: {}",
                said(&output)
            );
        }
    }
}

/// A page that nobody reads does not hide that rows were lost.
#[test]
fn a_closed_pipe_does_not_hide_lost_rows() {
    let model = written("hidden", SWING);
    let path = folder("hidden_out").join("run.csv");
    let line = ["simulate", &model, "-o", path.to_str().unwrap()];
    let command = "ulimit -f 100; (sleep 0.2; exec \"$0\" \"$@\") | true; exit ${PIPESTATUS[0]}";
    let output = shell(command, &line);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

#[test]
fn a_table_that_is_read_is_not_written_over() {
    let model = written(
        "fed",
        "system fed\ncoord x\ncontrol u on x\nkinetic x'^2/2\ntime 0 .. 1 step 0.1\n",
    );
    let table = folder("fed_table").join("input.csv");
    let text = "t,u\n0,1\n1,2\n";
    std::fs::write(&table, text).unwrap();
    let path = table.to_str().unwrap();
    let fed = format!("u={path}");
    let run = rattleback(["simulate", &model, "--input", &fed, "-o", path]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("is read as an input"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(&table).unwrap(), text);
}
