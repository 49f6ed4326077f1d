//! Every link between the pages of the documentation leads somewhere.

use xtask::docs::{broken_links, pages};

#[test]
fn links_lead_to_files() {
    let broken: Vec<String> = pages()
        .unwrap()
        .iter()
        .flat_map(|page| broken_links(page).unwrap())
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
