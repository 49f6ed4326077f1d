//! The initial state: the values that `start` gives to coordinates, velocities and group elements.

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::group;
use crate::model::{Assignment, Given, State};
use crate::scope::{Scope, Variable};
use crate::source::Span;
use crate::syntax::{Equation, NodeKind, Tree};
use crate::value::{Shape, Value};
use crate::words::FREE;

use super::access::Target;
use super::context::Context;
use super::evaluate::Evaluator;

/// Which entries of a start value an optimisation may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Freedom {
    None,
    /// `free`: all of them, without a guess.
    Whole,
    /// `free(GUESS)`: all of them.
    Guessed,
    /// `[0, free, free(0.2)]`.
    Entries(Vec<bool>),
}

impl Evaluator<'_> {
    /// What one item of `start` assigns; `approximate` where it is written with `~`.
    pub(crate) fn assignments(
        &mut self,
        equation: &Equation,
        approximate: bool,
        what: &'static str,
    ) -> Option<Vec<Assignment>> {
        let target = self.target(&equation.left);
        let context = self.in_group(Context::constant(what).with_free(), target.as_ref());
        let freedom = self.freedom(&equation.right, approximate);
        let value = match (&freedom, &target) {
            (Some(Freedom::Whole), Some(target)) => Some(neutral(target)),
            _ => self.evaluate(&equation.right, &context),
        };
        let (target, value, freedom) = (target?, value?, freedom?);
        if let (Target::Element { .. }, Freedom::Entries(_)) = (&target, &freedom) {
            let message = "a group element is free as a whole, not by entries";
            return self.fail(
                Diagnostic::error("free", equation.right.span(), message)
                    .help("write `free`, or `free(…)` with an element as the guess"),
            );
        }
        let pairs = self.assigned(target, &value, equation)?;
        let span = equation.left.span().to(equation.right.span());
        let given = |i: usize| match &freedom {
            Freedom::Whole | Freedom::Guessed => Given::Free,
            Freedom::Entries(free) if free.get(i) == Some(&true) => Given::Free,
            _ if approximate => Given::Approximate,
            _ => Given::Stated,
        };
        let assign = |(i, (symbol, value)): (usize, (Symbol, Expr))| Assignment {
            symbol,
            value,
            given: given(i),
            span,
            setting: None,
        };
        Some(pairs.into_iter().enumerate().map(assign).collect())
    }

    /// The context of a value that is given to the target: elements of groups have their own words.
    pub(super) fn in_group(&self, context: Context, target: Option<&Target>) -> Context {
        match target {
            Some(Target::Element { kind, .. }) => context.of_group(*kind),
            // The neutral element of R(n) is the zero vector; a coordinate has none.
            Some(Target::Symbols(symbols, Shape::Vector(n)))
                if symbols.len() == *n && symbols[0].order() == 0 =>
            {
                context.of_group(Group::R(*n))
            }
            _ => context,
        }
    }

    /// The symbols of a target with the entries of the value, whose shape is checked.
    pub(super) fn assigned(
        &mut self,
        target: Target,
        value: &Value,
        equation: &Equation,
    ) -> Option<Vec<(Symbol, Expr)>> {
        let (symbols, shape) = match target {
            Target::Symbols(symbols, shape) | Target::Generated(symbols, shape) => (symbols, shape),
            Target::Element { kind, entries } => {
                self.check_element(kind, value, &equation.right)?;
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
        let values = value.entries().iter().cloned();
        Some(symbols.into_iter().zip(values).collect())
    }

    /// Which entries are free: `free` stands alone, or as an entry of a list.
    fn freedom(&mut self, tree: &Tree, approximate: bool) -> Option<Freedom> {
        let is_free = |kind: &NodeKind| match kind {
            NodeKind::Name(name) => name == FREE,
            NodeKind::Call(call, _) => call.text == FREE,
            _ => false,
        };
        let places: Vec<usize> = (0..tree.nodes.len())
            .filter(|&i| is_free(&tree.nodes[i].kind))
            .collect();
        let Some(&first) = places.first() else {
            return Some(Freedom::None);
        };
        if approximate {
            let message = "a value is free or approximate, not both";
            return self.fail(
                Diagnostic::error("free", tree.nodes[first].span, message)
                    .help("write `=` before `free`"),
            );
        }
        let root = tree.nodes.len() - 1;
        let (freedom, stray) = match tree.root() {
            NodeKind::Name(name) if name == FREE => (Freedom::Whole, None),
            NodeKind::Call(call, _) if call.text == FREE => {
                (Freedom::Guessed, places.iter().find(|&&i| i != root))
            }
            NodeKind::List(items) => {
                let entries = items
                    .iter()
                    .map(|&id| is_free(&tree.nodes[id as usize].kind));
                let stray = places.iter().find(|&&i| !items.contains(&(i as u32)));
                (Freedom::Entries(entries.collect()), stray)
            }
            _ => (Freedom::None, places.first()),
        };
        match stray {
            Some(&i) => self.bare_moment(FREE, tree.nodes[i].span),
            None => Some(freedom),
        }
    }

    /// A motion as a matrix has a fixed last row.
    pub(super) fn check_element(&mut self, kind: Group, value: &Value, tree: &Tree) -> Option<()> {
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
            let help = match kind.matrix_size() {
                Some(2) if rotation => "a rotation of the plane is `rotation(angle)`",
                _ => "give `identity`, a rotation or a matrix",
            };
            return self.fail(diagnostic.help(help));
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

/// The value of a target where none is given: zero, or the neutral element.
fn neutral(target: &Target) -> Value {
    match target {
        Target::Element { kind, .. } => group::identity(*kind),
        Target::Symbols(symbols, shape) | Target::Generated(symbols, shape) => {
            Value::from_entries(*shape, vec![Expr::zero(); symbols.len()])
        }
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

    /// Replaces an assignment, or adds it. What is free stays so: it gets another guess.
    pub(crate) fn replace(&mut self, mut assignment: Assignment, scope: &Scope) {
        let list = self.list_for(&assignment.symbol, scope);
        match list
            .iter_mut()
            .find(|first| first.symbol == assignment.symbol)
        {
            Some(first) => {
                if first.given == Given::Free {
                    assignment.given = Given::Free;
                }
                *first = assignment;
            }
            None => list.push(assignment),
        }
    }

    fn list_for(&mut self, symbol: &Symbol, scope: &Scope) -> &mut Vec<Assignment> {
        if scope.variables.get(symbol.name()) == Some(&Variable::Auxiliary) {
            return &mut self.auxiliary;
        }
        let owner = symbol.name().split('[').next().unwrap_or_default();
        match scope.order(symbol) {
            None if scope.names.is_momentum(owner) => &mut self.momenta,
            Some(0) => &mut self.positions,
            Some(1) => &mut self.velocities,
            Some(_) => &mut self.higher,
            None => &mut self.multipliers,
        }
    }
}
