//! Behind the derivation nobody sees the text of a model: what is shown of it comes lowered.

use crate::common::sources;
use std::fs;
use std::path::Path;

/// The rooms behind the wall.
const BEHIND: [&str; 10] = [
    "compile",
    "control",
    "export",
    "integrate",
    "motion",
    "native",
    "numeric",
    "report",
    "theory",
    "geometry",
];

/// What shows messages at their places in the text, and reads or writes text itself.
const OF_TEXT: [&str; 8] = [
    "report/src/complaint.rs",
    "report/src/feed.rs",
    "report/src/lib.rs",
    "report/src/posed.rs",
    "report/src/reading.rs",
    "report/src/regulated.rs",
    "report/src/summary.rs",
    "report/src/varied.rs",
];

/// The first line that names the room of texts, but for comments and tests.
fn names_the_text(source: &str) -> Option<&str> {
    let own = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = own
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let names =
        |line: &&str| line.contains("rattleback_language") || line.contains("crate::language");
    code.into_iter().find(names)
}

#[test]
fn behind_the_derivation_nobody_sees_the_text() {
    assert!(names_the_text("use crate::language::Model;").is_some());
    assert!(names_the_text("//! use rattleback_language::parse;").is_none());
    let found = sources(|room| BEHIND.contains(&room));
    assert!(found.len() > 500, "{}", found.len());
    let of_text = |path: &Path| OF_TEXT.iter().any(|file| path.ends_with(file));
    for path in found.iter().filter(|path| !of_text(path)) {
        let text = fs::read_to_string(path).unwrap();
        let line = names_the_text(&text);
        assert!(
            line.is_none(),
            "{}: {}",
            path.display(),
            line.unwrap_or_default()
        );
    }
}

/// In the room of the derivation itself only what lowers a model, and what finds a place in it again.
#[test]
fn the_derivation_sees_the_text_where_it_lowers_it() {
    for path in sources(|room| room == "mechanics") {
        let lowers = path.components().any(|part| part.as_os_str() == "problem");
        let text = fs::read_to_string(&path).unwrap();
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut code = own
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let sees = code.any(|line| line.contains("&Model") || line.contains("Span"));
        assert!(
            !sees || lowers || path.ends_with("origin.rs"),
            "{}",
            path.display()
        );
    }
}
