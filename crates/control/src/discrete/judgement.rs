//! What is proven of a discrete system, with a formula in two points or without.

use super::formulas::{Formulas, along_motion, conserved};
use super::space::Space;
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization, Kept, Reading};
use rattleback_mechanics::{Problem, Regularity, System};
use rattleback_symbolic::{Expr, Symbol, dot};

/// Regularity, and which momenta are kept.
pub struct Judgement {
    /// Does a node determine the next, at the values?
    pub regularity: Regularity,
    /// The declared symmetries: is their momentum kept exactly?
    pub conserved: Vec<(String, Kept)>,
}

impl Judgement {
    /// By the formula.
    pub(super) fn of_formulas(system: &System, space: &Space, formulas: &Formulas) -> Self {
        Self {
            regularity: formulas.lagrangian.regularity(&formulas.values),
            conserved: conserved(system, space, &formulas.lagrangian, &formulas.between),
        }
    }

    /// Of the flow over a step: it keeps what the motion keeps.
    pub(super) fn of_flow(system: &System) -> Self {
        let frame = system.frame();
        let l = system.lagrangian();
        let kept = system.symmetries().iter().map(|s| {
            let (mut moved, mut terms) = (
                s.components.clone(),
                vec![dot(&s.components, &l.gradient(frame.base()))],
            );
            for order in 0..system.order().max(1) {
                moved = along_motion(system, &moved);
                let level: Vec<Symbol> = frame
                    .fibre()
                    .iter()
                    .map(|y| y.jet(y.order() + order))
                    .collect();
                terms.push(dot(&moved, &l.gradient(&level)));
            }
            let kept = system.prove_zero(&[Expr::sum(terms)]);
            (s.name.clone(), kept.into())
        });
        Self {
            conserved: kept.collect(),
            regularity: Regularity::Undecided {
                why: "the exact discrete Lagrangian has no formula here; it is regular where the ends of a step are not conjugate".into(),
            },
        }
    }

    /// By the equations of a step, where there is no formula; none where these are not written down for proofs.
    pub(super) fn of_step(
        problem: &Problem,
        system: &System,
        how: Discretization,
        step: Option<&Expr>,
    ) -> Option<Self> {
        let reading = Reading::Formula;
        let discrete = DiscreteSystem::new(system, Discretization { reading, ..how }).ok()?;
        let mut values: Vec<(Symbol, Expr)> = problem.values.pairs().to_vec();
        let h = discrete.step_symbol().clone();
        values.extend(step.map(|step| (h, step.clone())));
        let symmetries = system.symmetries().iter();
        let kept = symmetries.map(|s| {
            let kept = discrete.keeps(system, &s.components);
            let kept = kept.unwrap_or_else(|e| Kept::Undecided { why: e.to_string() });
            (s.name.clone(), kept)
        });
        Some(Self {
            conserved: kept.collect(),
            regularity: discrete.regularity(system, &values),
        })
    }
}
