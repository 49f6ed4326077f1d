//! Console examples in the documentation: found in a page, run, and compared or pasted.
//!
//! A block fenced as `console` holds commands behind `$ ` and what they print. A line `…` stands for
//! the rest of the output. Times and last digits may differ from the page. `console exit=2` says how the command ends. A block fenced as
//! `mech file=PATH` shows that file.

use crate::alike::alike;
use crate::{ChoreError, process, root};
use std::fs;
use std::path::Path;

/// What the rest of an output is abbreviated to.
const REST: &str = "…";

/// The page with every example's output (and every shown file) as it is now, and how many there are.
pub fn refreshed(page: &str, binary: &Path) -> Result<(String, usize), ChoreError> {
    let mut fresh = String::new();
    let mut examples = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        push(&mut fresh, line);
        let Some(kind) = line.strip_prefix("```").filter(|kind| is_example(kind)) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        match kind.strip_prefix("mech file=") {
            Some(path) => {
                let path = root().join(path);
                let text = fs::read_to_string(&path).map_err(ChoreError::file(&path))?;
                text.lines().for_each(|l| push(&mut fresh, l));
            }
            None => console(&body, expected_exit(kind), binary, &mut fresh)?,
        }
        push(&mut fresh, "```");
        examples += 1;
    }
    Ok((fresh, examples))
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn is_example(kind: &str) -> bool {
    kind == "console" || kind.starts_with("console exit=") || kind.starts_with("mech file=")
}

fn expected_exit(kind: &str) -> i32 {
    kind.strip_prefix("console exit=")
        .and_then(|code| code.parse().ok())
        .unwrap_or(0)
}

/// Runs the commands of one block; the last one must end with `exit`, the others with success.
fn console(body: &[&str], exit: i32, binary: &Path, fresh: &mut String) -> Result<(), ChoreError> {
    let starts: Vec<usize> = (0..body.len())
        .filter(|&i| body[i].starts_with("$ "))
        .collect();
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(body.len());
        let shown = &body[start + 1..end];
        push(fresh, body[start]);
        let Some(arguments) = body[start].strip_prefix("$ rattleback ") else {
            // Other programs are shown as they are written.
            shown.iter().for_each(|l| push(fresh, l));
            continue;
        };
        let wanted = if k + 1 == starts.len() { exit } else { 0 };
        let printed = run(&words(arguments), wanted, binary)?;
        let whole = shown.last() != Some(&REST);
        let kept = if whole {
            printed.len()
        } else {
            shown.len() - 1
        };
        for (i, line) in printed.iter().take(kept).enumerate() {
            // What differs only in times and roundings stays as the page has it.
            let old = shown.get(i).filter(|old| alike(old, line));
            push(fresh, old.copied().unwrap_or(line));
        }
        if !whole {
            push(fresh, REST);
        }
    }
    Ok(())
}

/// What a command prints, messages first, line by line.
fn run(arguments: &[String], exit: i32, binary: &Path) -> Result<Vec<String>, ChoreError> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = process::output(&mut process::command(&binary.to_string_lossy(), &arguments))?;
    let text = [output.stderr, output.stdout].concat();
    let text = String::from_utf8_lossy(&text);
    if output.status.code() != Some(exit) {
        return Err(ChoreError::Unexpected(format!(
            "`rattleback {}` ended with {} instead of {exit}:\n{text}",
            arguments.join(" "),
            output.status
        )));
    }
    Ok(text.lines().map(|l| l.trim_end().to_string()).collect())
}

/// Splits a command line at blanks; double quotes hold words together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words("derive m.mech --set \"x' = 2\" --json"),
            ["derive", "m.mech", "--set", "x' = 2", "--json"]
        );
    }

    #[test]
    fn a_page_without_examples_stays_as_it_is() {
        let page = "# Title\n\n```text\n$ rattleback derive\n```\n";
        assert_eq!(
            refreshed(page, Path::new("none")).unwrap(),
            (page.to_string(), 0)
        );
    }

    #[test]
    fn a_shown_file_is_pasted() {
        let page = "```mech file=xtask/tests/data/shown.mech\nold\n```\n";
        let (fresh, count) = refreshed(page, Path::new("none")).unwrap();
        assert_eq!(
            fresh,
            "```mech file=xtask/tests/data/shown.mech\nsystem shown\n```\n"
        );
        assert_eq!(count, 1);
    }

    /// `true` and `false` stand in for the program: what counts is the exit code.
    #[test]
    fn the_exit_code_is_checked() {
        let page = |kind: &str| format!("```{kind}\n$ rattleback derive m.mech\n```\n");
        assert!(refreshed(&page("console"), Path::new("true")).is_ok());
        assert!(refreshed(&page("console"), Path::new("false")).is_err());
        assert!(refreshed(&page("console exit=1"), Path::new("false")).is_ok());
    }

    /// `echo` stands in for the program: it prints its arguments.
    #[test]
    fn output_is_pasted_whole_or_as_a_beginning() {
        let echo = Path::new("echo");
        let (whole, _) =
            refreshed("```console\n$ rattleback a b\nold\nolder\n```\n", echo).unwrap();
        assert_eq!(whole, "```console\n$ rattleback a b\na b\n```\n");
        let (beginning, _) = refreshed("```console\n$ rattleback a b\n…\n```\n", echo).unwrap();
        assert_eq!(beginning, "```console\n$ rattleback a b\n…\n```\n");
    }
}
