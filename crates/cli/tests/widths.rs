//! Lines are not wider than a terminal, whatever is shown.

use crate::common::{all_files, shipped};
use std::process::{Command, Output};

fn run(columns: usize, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(arguments)
        .env("COLUMNS", columns.to_string())
        .output()
        .unwrap()
}

fn page(columns: usize, arguments: &[&str]) -> String {
    let output = run(columns, arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Columns of a line: combining dots take none.
fn width(line: &str) -> usize {
    let is_dot = |c: &char| ('\u{300}'..='\u{36F}').contains(c);
    line.chars().filter(|c| !is_dot(c)).count()
}

/// Is there a place in the line, behind its indentation and first word, at which it could be broken?
fn could_be_broken(line: &str) -> bool {
    let words = line.trim().split(' ').filter(|w| !w.is_empty());
    words.count() > 2
}

#[track_caller]
fn fits(columns: usize, arguments: &[&str]) {
    for line in page(columns, arguments).lines() {
        line_fits(columns, arguments, line);
    }
}

#[track_caller]
fn line_fits(columns: usize, arguments: &[&str], line: &str) {
    assert!(
        width(line) <= columns || !could_be_broken(line),
        "{arguments:?} at {columns}: {line}"
    );
}

#[test]
fn lines_fit() {
    let models = [
        "trailer_car",
        "snakeboard",
        "cart_pole",
        "underwater_vehicle",
        "knife_edge",
    ];
    for columns in [60, 80, 120] {
        for model in models.map(shipped) {
            for command in ["check", "derive", "linearize", "simulate"] {
                fits(columns, &[command, &model]);
            }
        }
        fits(columns, &["analyze", &shipped("knife_edge")]);
    }
}

#[test]
fn equations_of_every_model_fit() {
    for model in all_files() {
        for columns in [72, 100] {
            fits(columns, &["derive", &shipped(&model)]);
            fits(columns, &["check", &shipped(&model)]);
        }
    }
}

/// Lines of motions and of linear systems; what a command refuses has no page.
#[test]
fn numbers_of_every_model_fit() {
    let mut pages = 0;
    for model in all_files() {
        let model = shipped(&model);
        for command in [&["simulate", "--until", "0.01"][..], &["linearize"]] {
            let arguments = [command, &[&model]].concat();
            let output = run(72, &arguments);
            let text = String::from_utf8(output.stdout).unwrap();
            pages += usize::from(output.status.success());
            text.lines().for_each(|l| line_fits(72, &arguments, l));
        }
    }
    assert!(pages > 90, "{pages} pages");
}

/// What is wrapped is the same text.
#[test]
fn nothing_is_lost() {
    let model = shipped("trailer_car");
    let letters = |columns| -> String {
        let page = page(columns, &["derive", &model]);
        page.split_whitespace().collect()
    };
    assert_eq!(letters(60), letters(120));
}
