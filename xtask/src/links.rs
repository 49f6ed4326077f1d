//! Links between pages: to files that exist, and to headings that they have.

use crate::ChoreError;
use std::fs;
use std::path::Path;

/// Links of a page that lead nowhere.
pub fn broken(path: &Path) -> Result<Vec<String>, ChoreError> {
    let page = read(path)?;
    let folder = path.parent().unwrap_or(path);
    let mut broken = Vec::new();
    for target in targets(&page) {
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let to = match file {
            "" => path.to_path_buf(),
            file => folder.join(file),
        };
        let leads = to.exists() && (anchor.is_empty() || has_heading(&read(&to)?, anchor));
        if !leads {
            broken.push(format!("{}: link to {target}", path.display()));
        }
    }
    Ok(broken)
}

fn read(path: &Path) -> Result<String, ChoreError> {
    fs::read_to_string(path).map_err(ChoreError::file(path))
}

/// What a page links to inside of the repository.
pub fn targets(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in prose(page) {
        let links = line.split("](").skip(1);
        let inside = links.filter_map(|rest| rest.split(')').next());
        found.extend(inside.filter(|t| !t.is_empty() && !t.contains("://")));
    }
    found
}

/// The lines of a page outside of its fenced blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    })
}

fn has_heading(page: &str, anchor: &str) -> bool {
    let headings = prose(page).filter(|line| line.starts_with('#'));
    headings.map(slug).any(|slug| slug == anchor)
}

/// What a heading is called in addresses: lower case, blanks as dashes, without other signs.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim();
    let keep = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    text.chars()
        .filter_map(keep)
        .collect::<String>()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        assert_eq!(
            slug("## Other processors, emulated"),
            "other-processors-emulated"
        );
        assert_eq!(slug("## `fmt`"), "fmt");
    }

    #[test]
    fn links_in_blocks_are_none() {
        let page = "[a](b.md#c)\n```text\n[x](y.md)\n```\n[z](https://z)";
        assert_eq!(targets(page), ["b.md#c"]);
    }
}
