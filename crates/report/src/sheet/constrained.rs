//! Equations on the constraint set: what the constraints say is used where it makes a formula shorter.

use super::abbreviated::{collect, rewritten};
use crate::document::length::characters;
use crate::document::{Block, Section};
use crate::mechanics::Equations;
use crate::symbolic::{Expr, Kind, Map, Rational, Symbol, postorder, replace_all};

/// Motions satisfy the constraints, so that x² + y² may be read as l² in their equations. Energy and momenta stay as they
/// are: they are functions that somebody differentiates.
const OF_MOTION: [&str; 5] = [
    "Equations of motion",
    "Linear equations for the multipliers",
    "Multipliers",
    "Reaction forces",
    "Valid where",
];

/// How deep sums are looked for within sums that were written anew.
const DEEPEST: usize = 8;

/// The sections with what is true along motions written by the constraints, which then stand behind the equations of
/// motion, and by the relations of groups, which everybody knows; `None` where none of them is used.
pub fn on_constraints(
    sections: &[Section],
    eq: &Equations,
    of_groups: &[Expr],
) -> Option<Vec<Section>> {
    let state: Vec<Symbol> = eq.state.iter().cloned().collect();
    let of = |g: &Expr| Relation::of(g, &state);
    let mut relations: Vec<Relation> = of_groups.iter().filter_map(of).collect();
    let always = relations.len();
    relations.extend(eq.residuals.iter().filter_map(of));
    let mut used = vec![false; relations.len()];
    let each = sections.iter().cloned();
    let each = each.map(|s| match OF_MOTION.contains(&&*s.heading) {
        true => shortened(s, &relations, &mut used),
        false => shortened(s, &relations[..always], &mut used[..always]),
    });
    let mut all: Vec<Section> = each.collect();
    let place = |heading: &str| sections.iter().position(|s| s.heading == heading);
    if !used.contains(&true) {
        return None;
    }
    let said = relations.iter().zip(used);
    let said = said.filter(|(g, used)| *used && !of_groups.contains(&g.residual));
    let said: Vec<&Relation> = said.map(|(g, _)| g).collect();
    if said.is_empty() {
        return Some(all);
    }
    let (motion, stated) = (place(OF_MOTION[0])?, place("Constraints")?);
    let stated = all.remove(stated);
    all.insert(motion + 1, read_off(stated, &said));
    all.retain(|s| !s.is_empty());
    Some(all)
}

/// The constraints, those that are used as equations that one can read a formula off.
fn read_off(constraints: Section, used: &[&Relation]) -> Section {
    let row = |(left, right): (Expr, Expr)| match used.iter().find(|g| g.residual == left) {
        Some(relation) => relation.equation(),
        None => (left, right),
    };
    let blocks = constraints.blocks.into_iter().map(|block| match block {
        Block::Equations(all) => Block::Equations(all.into_iter().map(row).collect()),
        other => other,
    });
    Section::new("on the constraints", blocks)
}

fn shortened(section: Section, relations: &[Relation], used: &mut [bool]) -> Section {
    let mut formulas = Vec::new();
    collect(&section, &mut formulas);
    let section = rewritten(section, &mut by(relations, formulas, used).into_iter());
    let mut open = |all: Vec<Expr>| {
        let all = by(relations, all, used).into_iter();
        all.filter(|f| !f.is_nonvanishing()).collect()
    };
    let blocks = section.blocks.into_iter().map(|block| match block {
        Block::NonZero(all) => Block::NonZero(open(all)),
        other => other,
    });
    Section {
        blocks: blocks.filter(|b| !b.is_empty()).collect(),
        ..section
    }
}

/// The formulas with every sum that a relation makes shorter written so, sums within sums too.
fn by(relations: &[Relation], mut formulas: Vec<Expr>, used: &mut [bool]) -> Vec<Expr> {
    for _ in 0..DEEPEST {
        let mut table: Map<Expr, Expr> = Map::default();
        for sum in postorder(&formulas, |_| true) {
            let all = relations.iter().zip(&mut *used);
            let written = all.filter_map(|(g, used)| Some((g.applied(&sum)?, used)));
            let length = |(e, _): &(Expr, &mut bool)| characters(std::slice::from_ref(e));
            if let Some((shorter, used)) = written.min_by_key(length) {
                *used = true;
                table.insert(sum, shorter);
            }
        }
        if table.is_empty() {
            break;
        }
        formulas = replace_all(&formulas, &table);
    }
    formulas
}

/// A constraint g = 0 whose left side is a sum.
struct Relation {
    /// g as it is stated.
    residual: Expr,
    /// g times a number.
    sum: Expr,
    /// What changes along a motion; g has other terms too or not.
    moving: Expr,
}

impl Relation {
    /// The relation of a residual; `None` where it is no sum of at least two moving terms.
    fn of(residual: &Expr, state: &[Symbol]) -> Option<Self> {
        let Kind::Sum(_, terms) = without_factor(residual).kind() else {
            return None;
        };
        let moves = |t: &Expr| state.iter().any(|s| t.contains(s));
        let moving: Vec<&(Expr, Rational)> = terms.iter().filter(|(t, _)| moves(t)).collect();
        let (_, first) = moving.first()?;
        let alike = moving.iter().all(|(_, c)| c.abs() == first.abs());
        let scale = if alike { first.abs() } else { Rational::ONE };
        let scale = Expr::from(scale.recip()?);
        let moving_sum = moving.iter().map(|(t, c)| t * Expr::from(c.clone()));
        (moving.len() > 1).then(|| Self {
            residual: residual.clone(),
            sum: without_factor(residual) * &scale,
            moving: Expr::sum(moving_sum) * &scale,
        })
    }

    /// What moves = what does not.
    fn equation(&self) -> (Expr, Expr) {
        (self.moving.clone(), &self.moving - &self.sum)
    }

    /// The shortest of S and all S − k g in which a term of S is gone.
    fn applied(&self, sum: &Expr) -> Option<Expr> {
        let (Kind::Sum(_, terms), Kind::Sum(_, own)) = (sum.kind(), self.sum.kind()) else {
            return None;
        };
        let ratio = |(t, c): &(Expr, Rational)| {
            let (_, other) = terms.iter().find(|(u, _)| u == t)?;
            Some(other * &c.recip()?)
        };
        let length = |e: &Expr| characters(std::slice::from_ref(e));
        let written = own.iter().filter_map(ratio);
        let written = written.map(|k| sum - Expr::from(k) * &self.sum);
        let shortest = written.min_by_key(length)?;
        (length(&shortest) < length(sum)).then_some(shortest)
    }
}

/// A number in front does not matter where g = 0.
fn without_factor(g: &Expr) -> &Expr {
    match g.kind() {
        Kind::Scaled(_, sum) => sum,
        _ => g,
    }
}
