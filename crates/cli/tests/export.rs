//! `rattleback export` as a user meets it.

use crate::common::{rattleback, shipped};
use std::process::Command;

#[test]
fn every_language_names_the_state_and_keeps_comments() {
    for (language, texts) in [
        (
            "c",
            [
                "int knife_edge_rates(double t",
                ".alpha = 0.35",
                "/* mass [kg] */",
                "knife_edge_energy",
            ],
        ),
        (
            "rust",
            [
                "pub fn rates(t: f64",
                "alpha: 0.35",
                "/// mass \\[kg\\]",
                "pub fn energy",
            ],
        ),
        (
            "python",
            [
                "def rates(t, state",
                "alpha: float = 0.35",
                "# mass [kg]",
                "def energy",
            ],
        ),
        (
            "latex",
            [
                "\\paragraph{",
                "\\ddot{x}",
                "\\dot{\\varphi}",
                "\\begin{align*}",
            ],
        ),
    ] {
        let run = rattleback(["export", &shipped("knife_edge"), "--to", language]).exits(0);
        for text in texts {
            assert!(run.out.contains(text), "no `{text}` in:\n{}", run.out);
        }
    }
}

#[test]
fn settings_are_the_defaults_and_forms_can_be_chosen() {
    let run = rattleback([
        "export",
        &shipped("knife_edge"),
        "--to",
        "python",
        "--form",
        "hamel",
        "--set",
        "m=7",
        "--json",
    ])
    .exits(0);
    let json = run.json();
    assert_eq!(json["system"], "knife_edge");
    assert_eq!(json["form"], "hamel");
    assert_eq!(json["to"], "python");
    let source = json["source"].as_str().unwrap();
    assert!(
        source.contains("m: float = 7.0") && source.contains("y1: float"),
        "{source}"
    );
}

#[test]
fn the_exported_rates_are_those_of_derive() {
    let path = std::env::temp_dir().join(format!("rattleback_export_{}.py", std::process::id()));
    let file = path.to_str().unwrap();
    rattleback([
        "export",
        &shipped("snakeboard"),
        "--to",
        "python",
        "-o",
        file,
    ])
    .exits(0);
    let script = format!(
        "import runpy, json; m = runpy.run_path({file:?}); print(json.dumps(list(m['rates'](0.0, m['START']))))"
    );
    let output = Command::new("python3")
        .args(["-c", &script])
        .output()
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    let found: Vec<f64> = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let json = rattleback(["derive", &shipped("snakeboard"), "--json"])
        .exits(0)
        .json();
    let rates = json["at_start"]["rates"].as_object().unwrap();
    assert_eq!(found.len(), rates.len());
    for (found, (name, rate)) in found.iter().zip(rates) {
        let rate = rate.as_f64().unwrap();
        assert!(
            (found - rate).abs() < 1e-12 * (1.0 + rate.abs()),
            "{name}: {found} {rate}"
        );
    }
}

#[test]
fn bad_requests_say_what_is_wrong() {
    let knife = shipped("knife_edge");
    rattleback(["export", &knife]).exits(2).says(&["--to"]);
    rattleback(["export", &knife, "--to", "fortran"])
        .exits(2)
        .says(&["fortran", "python"]);
    rattleback(["export", &knife, "--to", "c", "--form", "euler-lagrange"]).exits(2);
    let missing = "/no/such/folder/knife.c";
    rattleback(["export", &knife, "--to", "c", "-o", missing])
        .exits(1)
        .says(&[missing]);
}

#[test]
fn a_page_of_latex_stands_alone() {
    let model = shipped("knife_edge");
    let page = rattleback(["export", &model, "--to", "latex", "--standalone"]).exits(0);
    assert!(page.out.starts_with("\\documentclass"), "{}", page.out);
    let code = rattleback(["export", &model, "--to", "c", "--standalone"]).exits(2);
    assert!(code.err.contains("--to latex"), "{}", code.err);
}
