//! The figures of the pages: each is drawn by the command that stands beside it.

use crate::example::words;
use crate::{ChoreError, build, docs, process, root};
use std::fs;
use std::path::Path;

/// Where figures are.
const FIGURES: &str = "docs/figures/";

/// Runs every command in the pages that draws a figure of the documentation; returns how many there are.
pub fn draw() -> Result<usize, ChoreError> {
    let binary = build::binary("rattleback-cli", "rattleback")?;
    let mut count = 0;
    for path in docs::pages()? {
        let page = fs::read_to_string(&path).map_err(ChoreError::file(&path))?;
        for line in commands(&page) {
            println!("{line}");
            drawn(line, &binary)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The commands of a page that draw figures.
pub fn commands(page: &str) -> impl Iterator<Item = &str> {
    page.lines()
        .filter(|line| line.starts_with("rattleback ") && figure(line).is_some())
}

/// The figure that a command draws.
pub fn figure(line: &str) -> Option<&str> {
    let file = line.split("--plot ").nth(1)?.split_whitespace().next()?;
    file.starts_with(FIGURES).then_some(file)
}

fn drawn(line: &str, binary: &Path) -> Result<(), ChoreError> {
    let file = root().join(figure(line).unwrap_or_default());
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(ChoreError::file(folder))?;
    }
    let arguments = words(line.trim_start_matches("rattleback "));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = process::output(&mut process::command(&binary.to_string_lossy(), &arguments))?;
    if output.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&output.stderr);
    Err(ChoreError::Unexpected(format!(
        "`{line}` ended with {}:\n{why}",
        output.status
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_other_folders_are_the_readers() {
        let page = "rattleback simulate a.mech --plot docs/figures/a.svg --plot-what x\n\
                    rattleback simulate a.mech --plot a.svg\n";
        let found: Vec<&str> = commands(page).filter_map(figure).collect();
        assert_eq!(found, ["docs/figures/a.svg"]);
    }
}
