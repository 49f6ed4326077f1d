//! The table of capabilities in `docs/coverage.md`, read and checked against the sources.

use crate::{ChoreError, root};
use std::collections::BTreeSet;
use std::fs;

/// How far a capability is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Works, and a test shows it.
    Done,
    /// Works in part; the row says what is left.
    Partly,
    /// Left to a later issue.
    NotYet,
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The line in the file.
    pub line: usize,
    /// The code, such as `HJ-C05`.
    pub code: String,
    /// What it is.
    pub title: String,
    /// How far it is.
    pub state: State,
    /// Files or folders, from the root.
    pub places: Vec<String>,
    /// Tests as `path::name`, from the root.
    pub tests: Vec<String>,
}

/// Reads the table out of the page.
pub fn rows(page: &str) -> Result<Vec<Row>, ChoreError> {
    page.lines()
        .enumerate()
        .filter(|(_, line)| {
            line.starts_with("| ") && is_code(line[2..].split(' ').next().unwrap_or(""))
        })
        .map(|(number, line)| row(number + 1, line))
        .collect()
}

fn is_code(word: &str) -> bool {
    word.split_once('-').is_some_and(|(prefix, rest)| {
        prefix.len() == 2
            && prefix.chars().all(|c| c.is_ascii_uppercase())
            && rest.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

fn row(line: usize, text: &str) -> Result<Row, ChoreError> {
    let bad = |what: &str| ChoreError::Unexpected(format!("docs/coverage.md:{line}: {what}"));
    let cells: Vec<&str> = text.trim_matches('|').split('|').map(str::trim).collect();
    let [code, title, state, places, tests] = cells[..] else {
        return Err(bad("a row needs five cells"));
    };
    let state = match state.split(' ').next() {
        Some("done") => State::Done,
        Some("partly") => State::Partly,
        Some("not") => State::NotYet,
        _ => return Err(bad("the state is `done`, `partly` or `not yet`")),
    };
    Ok(Row {
        line,
        code: code.into(),
        title: title.into(),
        state,
        places: quoted(places),
        tests: quoted(tests),
    })
}

/// The parts of a cell between backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(String::from)
        .collect()
}

/// Everything that is wrong with the table: names of tests and places that do not exist, claims
/// without a test, codes twice.
pub fn problems(rows: &[Row]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    rows.iter()
        .flat_map(|row| {
            let mut found = Vec::new();
            if !seen.insert(row.code.clone()) {
                found.push("is listed twice".into());
            }
            if row.state != State::NotYet && (row.tests.is_empty() || row.places.is_empty()) {
                found.push("needs a place and a test".into());
            }
            found.extend(
                row.places
                    .iter()
                    .filter(|p| !root().join(p).exists())
                    .map(|p| format!("names `{p}`, which does not exist")),
            );
            found.extend(
                row.tests
                    .iter()
                    .filter(|t| !test_exists(t))
                    .map(|t| format!("names the test `{t}`, which does not exist")),
            );
            found
                .into_iter()
                .map(|what: String| format!("docs/coverage.md:{}: {} {what}", row.line, row.code))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Is there a test function of this name in this file?
pub fn test_exists(reference: &str) -> bool {
    let Some((path, name)) = reference.split_once("::") else {
        return false;
    };
    fs::read_to_string(root().join(path)).is_ok_and(|source| test_names(&source).any(|n| n == name))
}

/// The functions that follow a `#[test]` attribute, inside `proptest!` too.
fn test_names(source: &str) -> impl Iterator<Item = &str> {
    let mut marked = false;
    source.lines().map(str::trim).filter_map(move |line| {
        if line.starts_with("#[test]") {
            marked = true;
        } else if let Some(rest) = line
            .split_once("fn ")
            .filter(|_| marked)
            .map(|(_, rest)| rest)
        {
            marked = false;
            return rest.split(['(', '<']).next();
        } else if !(line.is_empty() || line.starts_with("#[") || line.starts_with("//")) {
            marked = false;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_functions_are_told_from_helpers() {
        let source = "#[test]\n#[ignore]\nfn shown() {}\nfn helper() {}\nproptest! {\n    #[test]\n    // why\n    fn random(x in 0..3) {}\n}";
        assert_eq!(test_names(source).collect::<Vec<_>>(), ["shown", "random"]);
    }

    #[test]
    fn a_row_with_unknown_state_is_refused() {
        assert!(rows("| HJ-C01 | title | perhaps | | |").is_err());
    }

    #[test]
    fn claims_without_evidence_are_problems() {
        let rows = rows("| HJ-C01 | title | done | | |\n| HJ-C01 | title | done | `Cargo.toml` | `Cargo.toml::none` |").unwrap();
        let all = problems(&rows).join("\n");
        assert!(all.contains("needs a place and a test"), "{all}");
        assert!(all.contains("listed twice"), "{all}");
        assert!(all.contains("names the test `Cargo.toml::none`"), "{all}");
    }
}
