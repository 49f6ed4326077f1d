//! Every example of every `--help` runs among the shipped models, as it stands.

use crate::common::folder;
use std::path::Path;
use std::process::Command;

/// The commands, with "" for the program itself.
const COMMANDS: [&str; 15] = [
    "",
    "new",
    "check",
    "derive",
    "simulate",
    "linearize",
    "control",
    "discrete",
    "compare",
    "ensemble",
    "export",
    "analyze",
    "fmt",
    "completions",
    "man",
];

/// What the program says of itself, in lines of any length.
fn help<'a>(asked: impl IntoIterator<Item = &'a str>) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_rattleback"))
        .args(asked)
        .env("COLUMNS", "1000")
        .output()
        .unwrap();
    assert!(run.status.success());
    String::from_utf8(run.stdout).unwrap()
}

/// The lines under `Examples:`, without what is said behind them.
fn examples(command: &str) -> Vec<String> {
    let asked = [command, "--help"];
    let help = help(asked.iter().filter(|word| !word.is_empty()).copied());
    let lines = help.lines().skip_while(|l| *l != "Examples:").skip(1);
    let lines = lines.map_while(|l| l.strip_prefix("  "));
    let example = |l: &str| l.split("  ").next().unwrap_or(l).to_owned();
    lines.map(example).collect()
}

/// A folder with the shipped models, and what a home has.
fn among_models(command: &str) -> std::path::PathBuf {
    let here = folder(&format!("examples_{command}"));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for entry in std::fs::read_dir(models).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, here.join(path.file_name().unwrap())).unwrap();
        }
    }
    for below in [
        "models",
        ".zfunc",
        ".config/fish/completions",
        ".local/share/bash-completion/completions",
    ] {
        std::fs::create_dir_all(here.join(below)).unwrap();
    }
    here
}

#[cfg(unix)]
#[test]
fn every_example_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_rattleback"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    // `jq` need not be there to see that its input is right.
    let jq = "command -v jq > /dev/null || jq() { cat > /dev/null; }";
    for command in COMMANDS {
        let all = examples(command);
        assert!(!all.is_empty(), "{command} has no examples");
        let here = among_models(command);
        for example in all {
            let run = Command::new("sh")
                .args(["-c", &format!("{jq}; {example}")])
                .current_dir(&here)
                .env("PATH", &path)
                .env("HOME", &here)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stderr).into_owned();
            assert!(run.status.success(), "{example}\n{said}");
        }
    }
}

/// Nobody adds a command whose examples are not tried.
#[test]
fn every_command_is_tried() {
    let help = help(["--help"]);
    let lines = help.lines().skip_while(|l| *l != "Commands:").skip(1);
    let lines = lines.take_while(|l| !l.is_empty());
    for line in lines {
        let command = line.split_whitespace().next().unwrap();
        assert!(
            command == "help" || COMMANDS.contains(&command),
            "{command}"
        );
    }
}
