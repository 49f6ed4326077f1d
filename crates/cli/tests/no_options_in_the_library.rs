//! The library says what can be asked for by marks, `‹step›`; only the program calls it `--step`.

use crate::common::sources;
use std::fs;

/// Hosts, which have options, and what is no part of the library.
const NOT_THE_LIBRARY: [&str; 2] = ["cli", "testing"];

/// Does a line of code name an option? Not one of a comment.
fn names_an_option(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.split("--")
        .skip(1)
        .any(|after| after.bytes().next().is_some_and(|b| b.is_ascii_lowercase()))
}

#[test]
fn no_room_names_an_option() {
    assert!(names_an_option(r#"    "try a smaller --step""#));
    assert!(!names_an_option("    /// As with `--step`."));
    assert!(!names_an_option("    a - -b; i -= 1; <!-- a comment -->"));
    let is_library = |room: &str| !NOT_THE_LIBRARY.contains(&room);
    let found = sources(is_library);
    assert!(found.len() > 500, "{}", found.len());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for (n, line) in text.lines().enumerate() {
            // What shows how a program spells them is the host's own affair.
            let is_example = path.ends_with("report/src/option.rs");
            assert!(
                is_example || !names_an_option(line),
                "{}:{}: {line}",
                path.display(),
                n + 1
            );
        }
    }
}
