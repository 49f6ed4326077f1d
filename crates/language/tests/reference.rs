//! The language reference says what the language is: no word is missing, none is made up, and its examples are models.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::errors;
use rattleback_language::vocabulary;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/reference/language.md")).unwrap()
}

/// The part of the page under a heading, up to the next heading of the same depth or less.
fn section(page: &str, heading: &str) -> String {
    let depth = heading.chars().take_while(|&c| c == '#').count();
    let ends = |line: &str| {
        let level = line.chars().take_while(|&c| c == '#').count();
        (1..=depth).contains(&level) && line[level..].starts_with(' ')
    };
    let behind = page.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<&str> = behind.take_while(|line| !ends(line)).collect();
    assert!(!lines.is_empty(), "no section `{heading}`");
    lines.join("\n")
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The first cells of the rows of a table.
fn first_cells(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split('|').nth(1))
        .collect()
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn every_statement_has_its_section() {
    let page = page();
    let headings = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    assert_eq!(set(headings), set(vocabulary::statements()));
    for word in vocabulary::statements() {
        let section = section(&page, &format!("### `{word}`"));
        let grammar = section.split("```text\n").nth(1).unwrap_or_default();
        assert!(grammar.starts_with(word), "{word} has no grammar");
        assert!(section.contains("```mech\n"), "{word} has no example");
    }
}

#[test]
fn every_function_is_in_the_table() {
    let page = page();
    let table = section(&page, "### Functions");
    let named = first_cells(&table)
        .into_iter()
        .flat_map(quoted)
        .filter_map(|call| call.split('(').next());
    assert_eq!(set(named), set(vocabulary::functions()));
}

#[test]
fn every_constant_group_and_shape_is_named() {
    let page = page();
    let constants = section(&page, "### Constants");
    assert_eq!(
        set(first_cells(&constants).into_iter().flat_map(quoted)),
        set(vocabulary::constants())
    );
    let groups = section(&page, "### `group`");
    let families = first_cells(&groups)
        .into_iter()
        .flat_map(quoted)
        .filter_map(|group| group.split('(').next());
    assert_eq!(set(families), set(vocabulary::groups()));
    let draw = section(&page, "### `draw`");
    let prose = draw.split("Shapes: ").nth(1).unwrap();
    let (shapes, rest) = prose.split_once('.').unwrap();
    assert_eq!(set(quoted(shapes)), set(vocabulary::shapes()));
    let attributes = rest.split("Attributes: ").nth(1).unwrap();
    let attributes = attributes.split_once('.').unwrap().0;
    assert_eq!(set(quoted(attributes)), set(vocabulary::attributes()));
}

#[test]
fn every_reserved_word_is_named() {
    let page = page();
    let named = section(&page, "## Reserved words");
    let named = set(quoted(&named));
    for word in vocabulary::context_words().chain(vocabulary::constants()) {
        assert!(named.contains(word), "{word}");
    }
}

/// The words of findings are literals in the source.
#[test]
fn every_finding_is_in_the_table() {
    let mut codes = BTreeSet::new();
    collect_codes(&root().join("crates/language/src"), &mut codes);
    let page = page();
    let table = section(&page, "## Findings");
    let named = first_cells(&table).into_iter().flat_map(quoted);
    assert_eq!(set(named), codes);
}

fn collect_codes(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_codes(&path, codes);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for begin in ["Diagnostic::error(", "Diagnostic::warning(", "code: "] {
            for rest in text.split(begin).skip(1) {
                let literal = rest.trim_start().strip_prefix('"');
                codes.extend(literal.and_then(|l| l.split('"').next()).map(str::to_owned));
            }
        }
        // The one that the collector itself makes.
        if text.contains("\"too-many\"") {
            codes.insert("too-many".to_owned());
        }
    }
}

/// The examples are read, with what they leave out put around them.
#[test]
fn examples_are_models() {
    let page = page();
    let examples: Vec<&str> = page
        .split("```mech\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(examples.len() >= vocabulary::statements().count());
    for example in examples {
        let has = |words: &[&str]| {
            let mut lines = example.lines();
            lines.any(|line| words.iter().any(|w| line.starts_with(&format!("{w} "))))
        };
        let mut text = String::new();
        if !has(&["system"]) {
            text += "system example\nparam m = 1, k = 2\n";
        }
        if !has(&["system", "coord", "group", "map"]) {
            text += "coord x, y\ncoord theta : angle\n";
        }
        text += example;
        if has(&["system"]) {
            text += "coord x, y, theta\n";
        }
        if !has(&["lagrangian", "kinetic", "map"]) {
            text += match has(&["coord"]) {
                true => "lagrangian (u'^2 + v'^2 + alpha'^2 + beta'^2)/2\n",
                false => "lagrangian (x'^2 + y'^2 + theta'^2)/2\n",
            };
        }
        assert_eq!(errors(&text), [], "{text}");
    }
}
