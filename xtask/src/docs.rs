//! All pages of the documentation: their examples run, compared or pasted, and their links checked.

use crate::{ChoreError, build, example, root};
use std::fs;
use std::path::{Path, PathBuf};

/// Compares (`check`) or rewrites the examples of all pages; returns how many there are.
pub fn examples(check: bool) -> Result<usize, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback", false)?;
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

/// README.md and everything under `docs/`.
pub fn pages() -> Result<Vec<PathBuf>, ChoreError> {
    let docs = root().join("docs");
    let mut pages: Vec<PathBuf> = fs::read_dir(&docs)
        .map_err(ChoreError::file(&docs))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .chain([root().join("README.md")])
        .collect();
    pages.sort();
    Ok(pages)
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

/// Links of a page to files that do not exist.
pub fn broken_links(path: &Path) -> Result<Vec<String>, ChoreError> {
    let page = fs::read_to_string(path).map_err(ChoreError::file(path))?;
    let folder = path.parent().unwrap_or(path);
    let targets = page
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    Ok(targets
        .map(|target| target.split('#').next().unwrap_or(target))
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .filter(|target| !folder.join(target).exists())
        .map(|target| format!("{}: link to {target}", path.display()))
        .collect())
}
