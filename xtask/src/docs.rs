//! All pages of the documentation: their examples run, compared or pasted.

use crate::{ChoreError, build, example, root};
use std::fs;
use std::path::{Path, PathBuf};

/// Compares (`check`) or rewrites the examples of all pages; returns how many there are.
pub fn examples(check: bool) -> Result<usize, ChoreError> {
    let binary = build::tested_program()?;
    let (mut count, mut stale) = (0, Vec::new());
    for path in pages()? {
        let page = fs::read_to_string(&path).map_err(ChoreError::file(&path))?;
        let (fresh, examples) = example::refreshed(&page, &binary)?;
        count += examples;
        if fresh == page {
            continue;
        }
        if check {
            stale.push(difference(&path, &page, &fresh));
        } else {
            fs::write(&path, fresh).map_err(ChoreError::file(&path))?;
        }
    }
    if stale.is_empty() {
        return Ok(count);
    }
    stale.push("`cargo xtask docs` pastes what the program prints now".into());
    Err(ChoreError::Unexpected(stale.join("\n")))
}

/// The pages at the root and everything under `docs/`.
pub fn pages() -> Result<Vec<PathBuf>, ChoreError> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"]
        .map(|page| root().join(page))
        .into();
    add_pages(&root().join("docs"), &mut pages)?;
    pages.sort();
    Ok(pages)
}

fn add_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> Result<(), ChoreError> {
    for entry in fs::read_dir(folder).map_err(ChoreError::file(folder))? {
        let path = entry.map_err(ChoreError::file(folder))?.path();
        if path.is_dir() {
            add_pages(&path, pages)?;
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The first line that differs.
fn difference(path: &Path, old: &str, new: &str) -> String {
    let name = path.strip_prefix(root()).unwrap_or(path).display();
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let at = (0..).find(|&i| old.get(i) != new.get(i)).unwrap_or(0);
    let line = |lines: &[&str]| lines.get(at).copied().unwrap_or("(end)").to_string();
    format!(
        "{name}:{}: the page says\n    {}\nthe program prints\n    {}",
        at + 1,
        line(&old),
        line(&new)
    )
}
