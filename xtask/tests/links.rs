//! Every link of the pages leads somewhere, every page is in the book, and every figure and model is shown.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use xtask::docs::pages;
use xtask::gallery::{commands, figure};
use xtask::links::{broken, targets};
use xtask::root;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files under a folder that end in this.
fn files(folder: &Path, ending: &str) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.insert(path);
        }
    }
    found
}

#[test]
fn links_lead_to_files_and_headings() {
    let all = pages().unwrap();
    let broken: Vec<String> = all.iter().flat_map(|page| broken(page).unwrap()).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_summary_once() {
    let docs = root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let named: Vec<PathBuf> = targets(&summary).iter().map(|t| docs.join(t)).collect();
    let mut wanted = files(&docs, "md");
    wanted.remove(&docs.join("SUMMARY.md"));
    let named_once: BTreeSet<PathBuf> = named.iter().cloned().collect();
    assert_eq!(
        named_once.len(),
        named.len(),
        "a page is in the summary twice"
    );
    assert_eq!(named_once, wanted);
}

#[test]
fn every_model_is_in_the_gallery() {
    let gallery = read(&root().join("docs/gallery.md"));
    for model in files(&root().join("models"), "mech") {
        let name = model.strip_prefix(root()).unwrap().display().to_string();
        let drawn = commands(&gallery).any(|line| line.contains(&name));
        assert!(drawn, "{name} has no picture in docs/gallery.md");
    }
}

#[test]
fn every_figure_is_drawn_and_shown() {
    let texts: Vec<String> = pages().unwrap().iter().map(|page| read(page)).collect();
    for text in &texts {
        for line in commands(text) {
            let file = root().join(figure(line).unwrap());
            assert!(
                file.exists(),
                "`cargo xtask gallery` draws {}",
                file.display()
            );
        }
    }
    for figure in files(&root().join("docs/figures"), "svg") {
        let name = figure.file_name().unwrap().to_str().unwrap();
        let shown = texts.iter().any(|text| text.contains(&format!("/{name})")));
        assert!(shown, "{name} is on no page");
    }
}
