//! What a person reads of equations: how long it is, and that it reads back.

use crate::common::random::{Seeds, Shape};
use crate::common::readback::read;
use crate::common::{all_files, shipped};
use proptest::prelude::*;
use rattleback::Model;
use rattleback::report::document::{Block, Document, Vector};
use rattleback::sheet::Sheet;
use rattleback::symbolic::{Expr, Style, Symbol, prove_zero, text};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The table that nobody may exceed.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/lengths.md");

/// The sections of formulas as text, without numbers, notes and titles.
fn formulas(document: &Document, unicode: bool) -> String {
    let is_formula = |heading: &str| {
        !["At the start", "Observed", "Notes", "State", "Left out"]
            .iter()
            .any(|h| heading.starts_with(h))
    };
    let mut sections = document.sections.clone();
    sections.retain(|s| is_formula(&s.heading));
    Document {
        order: document.order.clone(),
        sections,
        ..Document::new("")
    }
    .text(unicode)
}

/// Characters and terms.
fn size(page: &str) -> (usize, usize) {
    let signs = page.matches(" + ").count() + page.matches(" - ").count();
    let equations = page.matches(" = ").count();
    (page.chars().count(), signs + equations)
}

/// The rows of a table of Markdown by their first cell.
fn recorded(table: &str) -> BTreeMap<String, Vec<usize>> {
    let rows = table.lines().filter(|l| l.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap().trim_matches('`').to_owned();
        (name, cells.map(|c| c.parse().unwrap()).collect())
    })
    .collect()
}

#[test]
fn no_page_is_longer_than_recorded() {
    let mut found = BTreeMap::new();
    for name in all_files() {
        let derivation = Model::open(shipped(&name)).unwrap().derive(None).unwrap();
        let short = formulas(&derivation.sheet().document(), true);
        let full = Sheet {
            full: true,
            ..derivation.sheet()
        };
        let (characters, terms) = size(&short);
        let (before, _) = size(&formulas(&full.document(), true));
        found.insert(name, vec![characters, terms, before]);
    }
    if std::env::var_os("INSTA_UPDATE").is_some_and(|v| v == "always") {
        let table = std::fs::read_to_string(TABLE).unwrap_or_default();
        let words: String = table
            .lines()
            .take_while(|l| !l.starts_with("| `"))
            .map(|l| format!("{l}\n"))
            .collect();
        let mut out = words;
        for (name, row) in &found {
            let _ = writeln!(out, "| `{name}` | {} | {} | {} |", row[0], row[1], row[2]);
        }
        std::fs::write(TABLE, out).unwrap();
    }
    let table = recorded(&std::fs::read_to_string(TABLE).unwrap());
    for (name, row) in &found {
        let limit = table
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in docs/lengths.md"));
        assert!(
            row[0] <= limit[0] && row[1] <= limit[1],
            "{name}: {} characters and {} terms, recorded are {} and {}",
            row[0],
            row[1],
            limit[0],
            limit[1]
        );
    }
}

/// The definitions of a page: `let` lines, scalar ones also as symbols.
fn definitions(document: &Document, style: &Style) -> (String, Vec<(Symbol, Expr)>) {
    let mut lines = String::new();
    let mut scalar = Vec::new();
    for section in document.sections.iter().filter(|s| s.heading == "with") {
        for block in &section.blocks {
            match block {
                Block::Equations(all) => {
                    for (left, right) in all {
                        let _ =
                            writeln!(lines, "let {} = {}", text(left, style), text(right, style));
                        scalar.push((left.as_symbol().unwrap().clone(), right.clone()));
                    }
                }
                Block::Vectors(all) => {
                    for (left, right) in all {
                        // Multipliers are no names of the language outside formulas.
                        let meaning = right.text(style);
                        if !meaning.contains("lambda") {
                            let _ = writeln!(lines, "let {} = {meaning}", left.text(style));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    (lines, scalar)
}

/// Every scalar formula of a page is read back with its definitions as `let`, and is proven to be what it was.
fn reads_back(name: &str, source: &str) {
    let derivation = Model::read(source).unwrap().derive(None).unwrap();
    let sheet = derivation.sheet();
    let document = sheet.document();
    let style = Style::ascii().with_order(sheet.order());
    let (lines, scalar) = definitions(&document, &style);
    // The model's own abbreviations are there already.
    let own: Vec<&str> = derivation
        .model
        .abbreviations
        .iter()
        .map(|d| d.name.as_str())
        .collect();
    let is_new = |line: &&str| {
        let name = line.trim_start_matches("let ").split(' ').next();
        !own.contains(&name.unwrap_or_default())
    };
    let lines: Vec<&str> = lines.lines().filter(is_new).collect();
    let extended = format!("{source}\n{}\n", lines.join("\n"));
    let model = Model::read(&extended).unwrap_or_else(|e| panic!("{name}: {e}\n{extended}"));
    let model = model.derive(None).unwrap().model;
    let whole = |e: &Expr| {
        scalar.iter().rev().fold(e.clone(), |e, pair| {
            e.substitute(std::slice::from_ref(pair))
        })
    };
    let blocks = document.sections.iter().flat_map(|s| &s.blocks);
    for block in blocks {
        let Block::Equations(all) = block else {
            continue;
        };
        for (_, right) in all {
            let printed = text(right, &style);
            let found = read(&model, &printed);
            let gap = found - whole(right);
            assert!(
                prove_zero(&gap).is_proven(),
                "{name}: `{printed}` is read as another formula"
            );
        }
    }
}

#[test]
fn pages_of_the_shipped_models_read_back() {
    for name in all_files() {
        reads_back(&name, &rattleback_testing::models::text(&name));
    }
}

#[test]
fn groups_are_written_as_vectors() {
    let page = |name: &str| {
        let derivation = Model::open(shipped(name)).unwrap().derive(None).unwrap();
        formulas(&derivation.sheet().document(), false)
    };
    let has = |name: &str, lines: &[&str]| {
        let page = page(name);
        for line in lines {
            assert!(page.contains(line), "no `{line}` in:\n{page}");
        }
    };
    has(
        "rattleback",
        &[
            "R' = R*hat(w)",
            "Inertia*w' = cross(Inertia*w, w) + cross(rho, transpose(R)*lambda)",
            "[x', y', z'] + R*cross(w, rho) = 0",
            "m*z'' = lambda3 - m*g",
        ],
    );
    has(
        "chaplygin_ball",
        &["Inertia*w' = cross(Inertia*w, w) + r*transpose(R)*cross(lambda, [0, 0, 1])"],
    );
    has(
        "heavy_top",
        &[
            "J*w' = cross(J*w, w) + k*cross(gamma, [0, 0, 1])",
            "gamma = transpose(R)*[0, 0, 1]",
        ],
    );
    has(
        "underwater_vehicle",
        &[
            "X.R' = X.R*hat(Omega)",
            "X.p' = X.R*V",
            "M*V' = cross(M*V, Omega)",
        ],
    );
    // The rotors add to the momentum: it is not J*w, and is not said to be.
    assert!(!page("heavy_top_rotors").contains("p_w = "));
    assert!(!page("underwater_vehicle").contains("X[4,"));
}

#[test]
fn a_vector_is_its_components() {
    let w = Vector::Name(Symbol::variable("w"));
    assert_eq!(w.clone().hat().text(&Style::ascii()), "hat(w)");
    assert!(Vector::Sum(vec![(false, w.clone())]).contains(&w));
}

fn seeds() -> impl Strategy<Value = Seeds> {
    prop::collection::vec(any::<u32>(), 12).prop_map(Seeds::new)
}

fn shapes() -> impl Strategy<Value = Shape> {
    let group = prop::option::of(0usize..5);
    (2usize..4, 0usize..3, group).prop_map(|(coordinates, constraints, group)| Shape {
        coordinates,
        constraints,
        group,
        affine: false,
        turning: false,
        symmetric: false,
    })
}

proptest! {
    #![proptest_config(rattleback_testing::cases(8))]

    /// A page is never longer than its equations in components, solved.
    #[test]
    fn random_pages_are_not_longer_than_the_full_ones(mut seeds in seeds(), shape in shapes()) {
        let source = seeds.model(shape);
        let model = Model::read(&source).unwrap();
        let Ok(derivation) = model.derive(None) else { return Ok(()) };
        let full = Sheet { full: true, ..derivation.sheet() };
        let (short, _) = size(&formulas(&derivation.sheet().document(), true));
        let (long, _) = size(&formulas(&full.document(), true));
        prop_assert!(short <= long + 40, "{short} characters instead of {long}\n{source}");
        reads_back("random", &source);
    }
}
