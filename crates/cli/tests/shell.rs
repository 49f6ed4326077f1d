//! What the program writes for shells and for `man`.

use crate::common::rattleback;

const COMMANDS: [&str; 14] = [
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

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = rattleback(["completions", shell]).exits(0).out;
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("plot-what"), "{shell}");
    }
    rattleback(["completions", "cmd"])
        .exits(2)
        .says(&["possible values"]);
}

#[test]
fn every_command_has_its_page() {
    let page = rattleback(["man"]).exits(0).out;
    assert!(page.contains(".TH rattleback 1"), "{page}");
    for command in COMMANDS {
        let page = rattleback(["man", command]).exits(0).out;
        assert!(
            page.contains(&format!(".TH rattleback-{command} 1")),
            "{page}"
        );
        assert!(page.contains("Examples:"), "{command}");
    }
    rattleback(["man", "simulat"])
        .exits(2)
        .says(&["there is no command `simulat`", "`simulate`"]);
}
