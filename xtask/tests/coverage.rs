//! `docs/coverage.md` says what is true: every code once, every named test and place exists.

use xtask::coverage::{problems, rows};

/// Each family of codes: page, letter, last number, digits.
const FAMILIES: &[(&str, &str, usize, usize)] = &[
    ("HJ", "C", 43, 2),
    ("DP", "A", 22, 1),
    ("DP", "B", 17, 1),
    ("DP", "C", 10, 1),
    ("NG", "K", 6, 1),
    ("NG", "L", 6, 1),
    ("NG", "W", 1, 1),
    ("NG", "H", 8, 1),
    ("NG", "D", 1, 1),
    ("NG", "B", 7, 1),
    ("NG", "M", 4, 1),
    ("NG", "P", 2, 1),
    ("NG", "A", 2, 1),
    ("NG", "N", 4, 1),
    ("NG", "S", 1, 1),
    ("NG", "X", 2, 1),
    ("VE", "C", 30, 2),
    ("AC", "C", 43, 1),
    ("AC", "PR", 9, 1),
    ("CG", "A", 8, 1),
    ("CG", "B", 8, 1),
    ("CG", "C", 6, 1),
    ("CG", "D", 11, 1),
    ("CG", "E", 13, 1),
    ("CG", "F", 1, 1),
    ("CG", "G", 12, 1),
];

fn page() -> String {
    std::fs::read_to_string(xtask::root().join("docs/coverage.md")).expect("docs/coverage.md")
}

#[test]
fn every_capability_has_exactly_one_row() {
    let expected: Vec<String> = FAMILIES
        .iter()
        .flat_map(|&(page, letter, last, digits)| {
            (1..=last).map(move |k| format!("{page}-{letter}{k:0digits$}"))
        })
        .collect();
    let listed: Vec<String> = rows(&page()).unwrap().into_iter().map(|r| r.code).collect();
    assert_eq!(listed, expected);
}

#[test]
fn named_tests_and_places_exist() {
    let found = problems(&rows(&page()).unwrap());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
