//! What `discrete` shows: a model as a system in steps.

mod action;
mod control;
mod data;
mod picture;
mod plant;
mod shown;

pub use plant::PlantPage;
pub use shown::{Discrete, Found};

use crate::control::discrete::{Formulas, InSteps, Judgement};
use crate::document::{Block, Data, Document, Item, Remark, Value};
use crate::mechanics::discrete::Kept;
use crate::mechanics::{Problem, Regularity};
use crate::number::shown;
use crate::sheet::element::folded;
use crate::symbolic::{Expr, Symbol};
use control::control_sections;

/// A model as a discrete system.
pub struct Page<'a> {
    /// The problem that the model poses.
    pub problem: &'a Problem,
    /// What it is in steps.
    pub found: &'a InSteps,
}

/// A formula with a left side that is no symbol.
fn stated(left: &str, formula: &Expr) -> Block {
    let value = Value::Equation(left.to_owned(), formula.clone());
    Block::Item(Item::new("", "", value))
}

impl Page<'_> {
    /// The page in no notation yet.
    pub fn document(&self) -> Document {
        let (name, numbers) = (self.problem.system.name(), &self.found.numbers);
        let title = match numbers.step {
            Some(step) => {
                let (rule, step) = (self.found.request.making, shown(step, 0.0));
                format!("{name}: rule {rule}, step {step}")
            }
            None => format!("{name}: a discrete Lagrangian"),
        };
        let document = Document {
            order: self.problem.order([]),
            ..Document::new(title).with_data(Data::Plain(self.data()))
        };
        // States alone have no discrete Lagrangian, only a regulator.
        let document = match self.found.space.positions.is_empty() {
            true => document,
            false => self.motion_sections(document),
        };
        match &self.found.control {
            Some(control) => control_sections(document, control),
            None => document,
        }
    }

    /// The discrete Lagrangian, how good it is, and where it leads.
    fn motion_sections(&self, document: Document) -> Document {
        let numbers = &self.found.numbers;
        let document = match &self.found.formulas {
            Ok(formulas) => formula_sections(document, formulas),
            Err(why) => document.section("", [Block::paragraph(why.to_string())]),
        };
        let document = match &self.found.judgement {
            Some(judgement) => {
                let truths = truths(judgement, self.found.formulas.is_ok());
                document.section("What is true of it", [Block::Lines(truths)])
            }
            None => document,
        };
        if numbers.next.is_empty() {
            return document;
        }
        let next = numbers.next.iter();
        let next = next.map(|(name, x)| (name.clone(), shown(*x, 0.0)));
        let document = document
            .section("Order", [Block::Lines(self.measured())])
            .section(
                "One step from the start",
                [Block::Values(folded(self.problem, next.collect()))],
            );
        let mut document = self.action_section(document);
        let warnings = numbers.warnings.iter().cloned();
        document.remarks = warnings.map(Remark::Warning).collect();
        document
    }

    /// What is measured of the discretisation.
    fn measured(&self) -> Vec<String> {
        let numbers = &self.found.numbers;
        let mut lines = Vec::new();
        if let Some(expected) = numbers.expected {
            let measured = numbers.measured;
            let measured = measured.map_or("not measurable here".into(), |m| format!("{m:.2}"));
            lines.push(format!("expected {expected}, measured {measured}"));
        }
        if let Some(order) = numbers.variational {
            lines.push(format!("of L_d along a motion: {order:.2}"));
        }
        if let [first, .., last] = numbers.conditions[..] {
            lines.push(format!(
                "condition of the scaled D1 D2 L_d: {first:.3} at h, {last:.3} at h/4"
            ));
        }
        if let Some(limit) = &numbers.limit {
            let [right, left] = limit.slopes;
            let energy = shown(limit.hamiltonian, 0.0);
            let verdict = match limit.is_consistent() {
                true => "consistent",
                false => "not consistent",
            };
            lines.push(format!(
                "limit: (H+ - p_1 q_0)/h and (H- + p_0 q_1)/h tend to H = {energy} as h -> 0, by {right:.3} h and {left:.3} h: {verdict}"
            ));
        }
        lines
    }
}

/// The discrete Lagrangian and what follows from it.
fn formula_sections(document: Document, formulas: &Formulas) -> Document {
    let lagrangian = (
        Symbol::variable("L_d").into(),
        formulas.lagrangian.value.clone(),
    );
    let momenta = formulas.momenta.iter();
    let momenta = momenta.map(|(p, e)| (p.into(), e.clone()));
    let equations = formulas.equations.iter();
    let equations = equations.map(|e| (Expr::zero(), e.clone()));
    document
        .section("Discrete Lagrangian", [Block::Equations(vec![lagrangian])])
        .section("Momenta", [Block::Equations(momenta.collect())])
        .section(
            "Equations of motion",
            [Block::Equations(equations.collect())],
        )
        .section("Discrete Hamiltonians", hamiltonians(formulas))
}

fn hamiltonians(formulas: &Formulas) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, h) in ["H+", "H-"].into_iter().zip(&formulas.hamiltonians) {
        match (&h.generic, &h.exists) {
            (Ok(found), Ok(())) => blocks.push(stated(name, &found.value)),
            (Ok(found), Err(e)) => {
                let why = format!("{name} does not exist here: {e}; elsewhere it is");
                blocks.push(Block::paragraph(why));
                blocks.push(stated(name, &found.value));
            }
            (Err(e), _) => blocks.push(Block::paragraph(format!("{name} has no formula: {e}"))),
        }
    }
    blocks
}

/// The matrix whose regularity is told: that of the formula, or of the equations of a step.
fn regular_matrix(is_formula: bool) -> &'static str {
    match is_formula {
        true => "D1 D2 L_d",
        false => "the matrix of the equations of a step",
    }
}

/// Regularity, and which momenta are kept.
fn truths(judgement: &Judgement, is_formula: bool) -> Vec<String> {
    let matrix = regular_matrix(is_formula);
    let regularity = match &judgement.regularity {
        Regularity::Regular => format!("{matrix} is invertible, proven"),
        Regularity::Degenerate { .. } => format!("{matrix} is singular, proven: there is no map"),
        Regularity::Undecided { why } => format!("not decided: {why}"),
    };
    let kept = judgement.conserved.iter().map(|(name, kept)| {
        let said = match kept {
            Kept::Proven => "is kept exactly, proven",
            Kept::Refuted { .. } => "is not kept exactly, refuted",
            Kept::Undecided { .. } => "is not decided",
        };
        format!("momentum of {name}: {said}")
    });
    let regularity = format!("regularity: {regularity}");
    std::iter::once(regularity).chain(kept).collect()
}
