//! States: the values that `start` and `goal` give to coordinates, velocities and group elements.

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::group;
use crate::model::{Assignment, State};
use crate::scope::Scope;
use crate::source::Span;
use crate::syntax::{Equation, NodeKind, Tree};
use crate::value::{Shape, Value};

use super::access::Target;
use super::context::Context;
use super::evaluate::Evaluator;

impl Evaluator<'_> {
    /// What one equation of `start` or `goal` assigns.
    pub(crate) fn assignments(
        &mut self,
        equation: &Equation,
        what: &'static str,
    ) -> Option<Vec<Assignment>> {
        let target = self.target(&equation.left);
        let context = Context::constant(what);
        let context = match &target {
            Some(Target::Element { kind, .. }) => context.of_group(*kind),
            // The neutral element of R(n) is the zero vector; a coordinate has none.
            Some(Target::Symbols(symbols, Shape::Vector(n)))
                if symbols.len() == *n && symbols[0].order() == 0 =>
            {
                context.of_group(Group::R(*n))
            }
            _ => context,
        };
        let value = self.evaluate(&equation.right, &context);
        let (target, value) = (target?, value?);
        let span = equation.left.span().to(equation.right.span());
        let (symbols, shape) = match target {
            Target::Symbols(symbols, shape) => (symbols, shape),
            Target::Multiplier(symbol) => (vec![symbol], Shape::Scalar),
            Target::Element { kind, entries } => {
                self.check_element(kind, &value, &equation.right)?;
                (entries, group::shape(kind))
            }
        };
        if value.shape() != shape {
            let message = format!("expected {shape}, found {}", value.shape());
            return self.fail(
                Diagnostic::error("shape", equation.right.span(), message)
                    .label(value.shape().to_string())
                    .also(equation.left.span(), shape.to_string()),
            );
        }
        let assign = |(symbol, value): (Symbol, &Expr)| Assignment {
            symbol,
            value: value.clone(),
            span,
            setting: None,
        };
        Some(
            symbols
                .into_iter()
                .zip(value.entries())
                .map(assign)
                .collect(),
        )
    }

    /// A motion as a matrix has a fixed last row.
    fn check_element(&mut self, kind: Group, value: &Value, tree: &Tree) -> Option<()> {
        if value.shape() != group::shape(kind) {
            let message = format!(
                "an element of {kind} is {}, but this is {}",
                group::shape(kind),
                value.shape()
            );
            let diagnostic =
                Diagnostic::error("shape", tree.span(), message).label(value.shape().to_string());
            let rotation =
                matches!(tree.root(), NodeKind::Call(name, _) if name.text == "rotation");
            return self.fail(match kind {
                Group::SO2 if rotation => {
                    diagnostic.help("a rotation of the plane is `rotation(angle)`")
                }
                _ => diagnostic.help("give `identity`, a rotation or a matrix"),
            });
        }
        if let (true, Value::Matrix(m), Value::Matrix(one)) =
            (kind.has_fixed_row(), value, group::identity(kind))
        {
            let last = m.rows() - 1;
            if m.row(last) != one.row(last) {
                let message = format!(
                    "the last row of an element of {kind} is zero but for its last entry, which is 1"
                );
                return self.fail(Diagnostic::error("group", tree.span(), message));
            }
        }
        Some(())
    }
}

impl State {
    /// Adds an assignment to its list; gives back an earlier one of the same symbol, which stays.
    pub(crate) fn assign(&mut self, assignment: Assignment, scope: &Scope) -> Option<Span> {
        let list = self.list_for(&assignment.symbol, scope);
        if let Some(first) = list.iter().find(|first| first.symbol == assignment.symbol) {
            return Some(first.span);
        }
        list.push(assignment);
        None
    }

    /// Replaces an assignment, or adds it.
    pub(crate) fn replace(&mut self, assignment: Assignment, scope: &Scope) {
        let list = self.list_for(&assignment.symbol, scope);
        match list
            .iter_mut()
            .find(|first| first.symbol == assignment.symbol)
        {
            Some(first) => *first = assignment,
            None => list.push(assignment),
        }
    }

    fn list_for(&mut self, symbol: &Symbol, scope: &Scope) -> &mut Vec<Assignment> {
        match scope.order(symbol) {
            Some(0) => &mut self.positions,
            Some(1) => &mut self.velocities,
            Some(_) => &mut self.higher,
            None => &mut self.multipliers,
        }
    }
}
