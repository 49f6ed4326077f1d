//! A model from standard input: every command reads `-`.

use crate::common::{rattleback, shipped};
use std::io::Write;
use std::process::{Command, Stdio};

/// The exit code, standard output and standard error of a run that is fed this text.
fn fed(arguments: &[&str], text: &[u8]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

fn model(name: &str) -> (String, Vec<u8>) {
    let path = shipped(name);
    let text = std::fs::read(&path).unwrap();
    (path, text)
}

#[test]
fn every_command_reads_standard_input() {
    let (path, text) = model("knife_edge");
    let commands: [&[&str]; 5] = [
        &["check"],
        &["derive", "--form", "hamel"],
        &["analyze", "--only", "regularity"],
        &["export", "--to", "c"],
        &["discrete", "--json"],
    ];
    for command in commands {
        let with = |model: &'static str| -> Vec<&str> {
            let rest = command[1..].iter().copied();
            [command[0], model].into_iter().chain(rest).collect()
        };
        let (code, out, err) = fed(&with("-"), &text);
        assert_eq!(code, 0, "{command:?}: {err}");
        let mut arguments: Vec<String> = with("-").iter().map(ToString::to_string).collect();
        arguments[1].clone_from(&path);
        let file = rattleback(&arguments).exits(0);
        assert_eq!(out, file.out, "{command:?}");
    }
    let motions: [&[&str]; 4] = [
        &["simulate", "-", "--json"],
        &["compare", "-", "--json"],
        &["linearize", "-", "--json"],
        &["ensemble", "-", "--vary", "m=1,2", "--json"],
    ];
    for command in motions {
        let (code, out, err) = fed(command, &text);
        assert_eq!(code, 0, "{command:?}: {err}");
        assert!(out.starts_with('{'), "{command:?}: {out}");
    }
}

#[test]
fn mistakes_are_placed_in_standard_input() {
    let (code, _, err) = fed(&["check", "-"], b"system a\ncoord x\nlagrangian xdot^2\n");
    assert_eq!(code, 2);
    assert!(err.contains("standard input:3:12"), "{err}");
    assert!(err.contains("write `x'`"), "{err}");
    let (code, _, err) = fed(&["derive", "-"], b"system a\n\xff");
    assert_eq!(code, 2);
    assert!(err.contains("`standard input` is not UTF-8"), "{err}");
    let (code, ..) = fed(&["derive", "-"], b"");
    assert_eq!(code, 2);
}

#[test]
fn fmt_goes_from_input_to_output() {
    let (_, text) = model("knife_edge");
    let (code, out, _) = fed(&["fmt", "-"], &text);
    assert_eq!(code, 0);
    assert_eq!(out, String::from_utf8(text).unwrap());
    let ragged = b"system   a\ncoord  x\nlagrangian x'^2/2\n";
    let (code, out, _) = fed(&["fmt", "-"], ragged);
    assert_eq!(code, 0);
    assert!(out.starts_with("system a\n"), "{out}");
    let (code, out, _) = fed(&["fmt", "--check", "-"], ragged);
    assert_eq!(code, 1);
    assert_eq!(out, "standard input is not in the standard layout\n");
}
