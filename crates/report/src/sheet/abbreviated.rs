//! Sections with names for what their formulas have in common.

use super::Sheet;
use super::naming::Naming;
use super::vector::VectorForm;
use crate::document::{Block, Section, Vector};
use crate::mechanics::{Problem, Value};
use crate::symbolic::{Expr, Symbol};

/// The sections with common parts named, and behind the equations a section that says what the names stand for.
pub fn with_names(sections: Vec<Section>, sheet: &Sheet, vectors: &VectorForm) -> Vec<Section> {
    let mut definitions = vectors.definitions.clone();
    let own = own_vectors(sheet.problem, &sections, &definitions);
    definitions.extend(own);
    let mut all: Vec<Section> = sections;
    let place = all.iter().position(|s| !s.heading.starts_with("State"));
    let place = place.map_or(all.len(), |i| i + 1);
    all.insert(place, Section::new("with", [Block::Vectors(definitions)]));
    let mut formulas = Vec::new();
    all.iter().for_each(|s| collect(s, &mut formulas));
    let taken = taken(sheet, &formulas);
    let (naming, short) = Naming::of(&formulas, &sheet.problem.abbreviations, &taken);
    let mut next = short.into_iter();
    let mut all: Vec<Section> = all.into_iter().map(|s| rewritten(s, &mut next)).collect();
    for block in all.iter_mut().flat_map(|s| &mut s.blocks) {
        if let Block::NonZero(functions) = block {
            *functions = naming.apply(functions);
            let all = std::mem::take(functions);
            for f in all {
                if !functions.contains(&f) {
                    functions.push(f);
                }
            }
        }
    }
    let scalar = naming.parts.iter().chain(naming.own.iter().rev());
    let scalar: Vec<(Expr, Expr)> = scalar.map(|(s, e)| (s.into(), e.clone())).collect();
    all[place].blocks.insert(0, Block::Equations(scalar));
    all.into_iter()
        .map(|s| Section {
            blocks: s.blocks.into_iter().filter(|b| !b.is_empty()).collect(),
            ..s
        })
        .filter(|s| !s.is_empty())
        .collect()
}

/// The model's own vectors that occur among the sections.
fn own_vectors(
    problem: &Problem,
    sections: &[Section],
    defined: &[(Vector, Vector)],
) -> Vec<(Vector, Vector)> {
    let blocks = sections.iter().flat_map(|s| &s.blocks);
    let vectors: Vec<&Vector> = blocks
        .filter_map(|b| match b {
            Block::Vectors(all) => Some(all),
            _ => None,
        })
        .flatten()
        .chain(defined)
        .flat_map(|(l, r)| [l, r])
        .collect();
    let own = problem.abbreviations.iter().filter_map(|d| {
        let name = Vector::Name(Symbol::variable(&d.name));
        let known = defined.iter().any(|(n, _)| *n == name);
        let used = vectors.iter().any(|v| v.contains(&name));
        match &d.value {
            Value::Vector(v) if used && !known => Some((name, Vector::Column(v.clone()))),
            _ => None,
        }
    });
    own.collect()
}

/// Every formula of a section, in the order in which [`rewritten`] takes them.
pub(super) fn collect(section: &Section, out: &mut Vec<Expr>) {
    for block in &section.blocks {
        match block {
            Block::Equations(all) => {
                out.extend(all.iter().flat_map(|(l, r)| [l.clone(), r.clone()]));
            }
            Block::Brackets(all) => out.extend(all.iter().map(|(_, _, e)| e.clone())),
            Block::Vectors(all) => {
                let sides = all.iter().flat_map(|(l, r)| [l, r]);
                out.extend(sides.flat_map(Vector::formulas));
            }
            _ => {}
        }
    }
}

/// The section with its formulas replaced by the next ones.
pub(super) fn rewritten(section: Section, next: &mut impl Iterator<Item = Expr>) -> Section {
    let mut take = |e: &Expr| next.next().unwrap_or_else(|| e.clone());
    let blocks = section.blocks.into_iter().map(|block| match block {
        Block::Equations(all) => {
            let all = all.iter().map(|(l, r)| (take(l), take(r)));
            Block::Equations(all.collect())
        }
        Block::Brackets(all) => {
            let all = all.into_iter().map(|(a, b, e)| (a, b, take(&e)));
            Block::Brackets(all.collect())
        }
        Block::Vectors(all) => {
            let all = all
                .into_iter()
                .map(|(l, r)| (l.map(&mut take), r.map(&mut take)));
            Block::Vectors(all.collect())
        }
        other => other,
    });
    Section {
        blocks: blocks.collect(),
        ..section
    }
}

/// Names that mean something already.
fn taken(sheet: &Sheet, formulas: &[Expr]) -> Vec<String> {
    let stem = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
    let symbols = crate::symbolic::free_symbols(formulas);
    let symbols = symbols.iter().map(|s| stem(s.name()));
    let observables = sheet.problem.observables.iter().map(|d| d.name.clone());
    let quantities = sheet.equations.extras.iter().map(|q| stem(&q.name));
    let all = symbols.chain(sheet.problem.declared_names());
    all.chain(observables).chain(quantities).collect()
}
