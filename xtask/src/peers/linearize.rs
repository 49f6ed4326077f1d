//! Linearising a chain of pendulums beside SymPy's linearizer and CasADi.

use super::rival::{Programs, smaller};
use super::table::{markdown, number, ratio};
use crate::{ChoreError, build, root};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const LINKS: [usize; 4] = [2, 4, 8, 16];
/// A, B of all tools agree to this, relative to the largest entry.
const AGREE: f64 = 1e-9;

/// Measures and writes the section. SymPy takes minutes for the longest chain: one run tells enough.
pub fn section(programs: &Programs, runs: usize) -> Result<String, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut rows = Vec::new();
    for links in LINKS {
        eprintln!("linearize: {links} links");
        let model = written(links)?;
        let ours = |_: usize| measured(programs, "ours", links, &[&binary, &model]);
        let casadi = |_: usize| measured(programs, "casadi", links, &[]);
        let reference = casadi(0)?;
        let (mut our, mut theirs) = (None, reference["seconds"].as_f64());
        for run in 0..runs.max(1) {
            let (a, b) = (ours(run)?, casadi(run)?);
            agree(&a, &reference, links)?;
            our = smaller(our, a["seconds"].as_f64());
            theirs = smaller(theirs, b["seconds"].as_f64());
        }
        let sympy = measured(programs, "sympy", links, &[])?;
        agree(&sympy, &reference, links)?;
        rows.push(vec![
            links.to_string(),
            ratio(sympy["seconds"].as_f64(), our),
            ratio(theirs, our),
            number(our.map(|s| 1e3 * s)),
        ]);
    }
    let head = ["links", "SymPy", "CasADi", "ours [ms]"];
    Ok(markdown(&head, &rows))
}

fn measured(
    programs: &Programs,
    tool: &str,
    links: usize,
    more: &[&Path],
) -> Result<Value, ChoreError> {
    let size = links.to_string();
    let more: Vec<String> = more.iter().map(|p| p.display().to_string()).collect();
    let words = [size.as_str()].into_iter();
    let words: Vec<&str> = words.chain(more.iter().map(String::as_str)).collect();
    let found = programs.script("linearize.py", tool, &words)?;
    Ok(found.unwrap_or_default())
}

/// Times of different answers are not comparable.
fn agree(found: &Value, reference: &Value, links: usize) -> Result<(), ChoreError> {
    let numbers = |of: &Value| -> Vec<f64> {
        let rows = of["A"].as_array().into_iter().flatten();
        let entries = rows.flat_map(|row| row.as_array().into_iter().flatten());
        let b = of["B"].as_array().into_iter().flatten();
        entries.chain(b).filter_map(Value::as_f64).collect()
    };
    let (a, b) = (numbers(found), numbers(reference));
    let size = b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let differs = |(x, y): (&f64, &f64)| (x - y).abs() > AGREE * size;
    match a.len() == b.len() && !a.iter().zip(&b).any(differs) {
        true => Ok(()),
        false => Err(ChoreError::Unexpected(format!(
            "the linear systems of {links} links differ"
        ))),
    }
}

fn written(links: usize) -> Result<PathBuf, ChoreError> {
    let folder = root().join("target").join("peers");
    fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
    let path = folder.join(format!("chain_{links}.mech"));
    fs::write(&path, chain(links)).map_err(ChoreError::file(&path))?;
    Ok(path)
}

/// Unit point masses on unit rods, summed body by body as in `problems.py`, a torque on the first hinge.
fn chain(links: usize) -> String {
    let mut text = String::from("system chain\n");
    let mut total = Vec::new();
    // Writing to a string cannot fail.
    for i in 1..=links {
        let _ = writeln!(text, "coord q{i} : angle");
    }
    for i in 1..=links {
        let before = |name: &str| match i {
            1 => String::new(),
            _ => format!("{name}{} + ", i - 1),
        };
        let (east, up, low) = (before("east"), before("up"), before("low"));
        let _ = writeln!(text, "let east{i} = {east}cos(q{i})*q{i}'");
        let _ = writeln!(text, "let up{i} = {up}sin(q{i})*q{i}'");
        let _ = writeln!(text, "let low{i} = {low}cos(q{i})");
        total.push(format!("(east{i}^2 + up{i}^2)/2 + 9.81*low{i}"));
    }
    let _ = writeln!(text, "lagrangian {}\ncontrol u on q1", total.join(" + "));
    for i in 1..=links {
        let sign = if i % 2 == 0 { "" } else { "-" };
        let _ = writeln!(text, "start q{i} = {sign}{i}/20, q{i}' = {i}/30");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_chain_is_summed_body_by_body() {
        let text = chain(2);
        assert!(text.contains("let east2 = east1 + cos(q2)*q2'\n"));
        assert!(text.contains("start q1 = -1/20, q1' = 1/30\n"));
    }

    #[test]
    fn different_answers_are_not_compared() {
        let one = json!({"A": [[0.0, 1.0], [2.0, 3.0]], "B": [0.0, 1.0]});
        let near = json!({"A": [[0.0, 1.0], [2.0, 3.0 + 1e-12]], "B": [0.0, 1.0]});
        let far = json!({"A": [[0.0, 1.0], [2.0, 3.1]], "B": [0.0, 1.0]});
        let short = json!({"A": [[0.0, 1.0]], "B": [0.0, 1.0]});
        assert!(agree(&near, &one, 1).is_ok());
        assert!(agree(&far, &one, 1).is_err());
        assert!(agree(&short, &one, 1).is_err());
    }
}
