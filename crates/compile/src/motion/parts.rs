//! The parts of the equations one by one, to find the one that has no value.

use super::Motion;
use crate::program::Program;
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Kind, MissingInput, Set, Symbol, postorder};

impl Motion {
    /// Every operation in the equations that needs no solve, operands before operations, and the
    /// program of their values on the inputs of the rates.
    pub fn parts(&self) -> Result<(Vec<Expr>, Program), MissingInput> {
        let stages = self.variation.apply_to_stages(&self.stages);
        let unknowns: Set<&Symbol> = stages.iter().flat_map(Stage::unknowns).collect();
        let mut roots = self.variation.apply(&self.ambient.rates);
        roots.extend(stages.iter().flat_map(Stage::expressions).cloned());
        let mut solved: Set<Expr> = Set::default();
        let mut parts = Vec::new();
        for e in postorder(&roots, |_| true) {
            let mut needs_solve = e.as_symbol().is_some_and(|s| unknowns.contains(s));
            e.kind()
                .for_each_child(|child| needs_solve |= solved.contains(child));
            let is_operation = !matches!(e.kind(), Kind::Symbol(_) | Kind::Number(_) | Kind::Pi);
            if needs_solve {
                solved.insert(e);
            } else if is_operation {
                parts.push(e);
            }
        }
        let program = Program::new(&self.inputs(), &self.constants, &[], &parts)?;
        Ok((parts, program))
    }
}
