//! The Lagrangian and the constraints.

use rattleback_symbolic::{Expr, Symbol, prove_zero};

use crate::diagnostic::Diagnostic;
use crate::model::{Constraint, ConstraintKind};
use crate::numeric::Values;
use crate::source::Span;
use crate::syntax::{NamedEquation, Statement, StatementKind, Tree};

use super::Elaborator;
use super::context::Context;

const LAGRANGIAN: Context = Context::motion("the Lagrangian").with_next();
const KINETIC: Context = Context::motion("the kinetic energy");
const POTENTIAL: Context = Context::motion("the potential energy");
const CONSTRAINT: Context = Context::motion("a constraint");

impl Elaborator<'_> {
    pub(super) fn mechanics(&mut self, statements: &[Statement]) {
        let mut number = 0;
        let rates = std::mem::take(&mut self.rates);
        for statement in statements {
            match &statement.kind {
                StatementKind::Lagrangian(tree) => self.lagrangian(statement, tree),
                StatementKind::Kinetic(tree) => self.kinetic(statement, tree),
                StatementKind::Potential(tree) => self.potential(statement, tree),
                StatementKind::Constraint(equations) => {
                    for equation in equations {
                        self.constraint(statement, equation, number, &rates);
                    }
                    number += 1;
                }
                _ => self.fields(statement),
            }
        }
        self.compose_lagrangian();
        self.model.order = self.lagrangian_order();
    }

    fn lagrangian(&mut self, statement: &Statement, tree: &Tree) {
        let value = self.scalar(tree, &LAGRANGIAN);
        if self.only_once("lagrangian", statement.keyword)
            && let Some(value) = value
        {
            self.model.lagrangian = value;
            self.model.lagrangian_span = statement.span;
        }
    }

    fn kinetic(&mut self, statement: &Statement, tree: &Tree) {
        let value = self.scalar(tree, &KINETIC);
        if self.only_once("kinetic", statement.keyword) {
            self.model.kinetic = value;
            self.model.lagrangian_span = statement.span;
        }
    }

    fn potential(&mut self, statement: &Statement, tree: &Tree) {
        let value = self.scalar(tree, &POTENTIAL);
        if self.only_once("potential", statement.keyword) {
            self.model.potential = value;
        }
    }

    /// L = T - V, unless L is given itself.
    fn compose_lagrangian(&mut self) {
        let place = |word: &str| {
            self.seen
                .iter()
                .find(|(seen, _)| *seen == word)
                .map(|(_, span)| *span)
        };
        let (whole, kinetic, potential) =
            (place("lagrangian"), place("kinetic"), place("potential"));
        if let (Some(whole), Some(part)) = (whole, kinetic.or(potential)) {
            let diagnostic = Diagnostic::error(
                "duplicate",
                part,
                "the Lagrangian is given twice: as `lagrangian`, and by its parts",
            )
            .label("a part")
            .also(whole, "the whole")
            .help("keep either `lagrangian`, or `kinetic` and `potential`");
            self.sink.push(diagnostic);
        } else if let (None, None, Some(potential)) = (whole, kinetic, potential) {
            let diagnostic = Diagnostic::error(
                "missing",
                potential,
                "a `potential` needs a `kinetic` statement beside it",
            );
            self.sink.push(diagnostic);
        } else if whole.is_none() {
            let part = |e: &Option<Expr>| e.clone().unwrap_or_else(Expr::zero);
            self.model.lagrangian = part(&self.model.kinetic) - part(&self.model.potential);
        }
    }

    fn lagrangian_order(&self) -> u32 {
        let symbols = self.model.lagrangian.free_symbols();
        symbols
            .iter()
            .filter_map(|s| self.scope.order(s))
            .max()
            .unwrap_or(1)
            .max(1)
    }

    fn constraint(
        &mut self,
        statement: &Statement,
        named: &NamedEquation,
        number: usize,
        rates: &Values,
    ) {
        let NamedEquation { name, equation } = named;
        let left = self.value(&equation.left, &CONSTRAINT);
        let right = self.value(&equation.right, &CONSTRAINT);
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let span = equation.left.span().to(equation.right.span());
        if left.shape() != right.shape() {
            let message = format!(
                "the two sides of an equation have one shape, but these are {} and {}",
                left.shape(),
                right.shape()
            );
            let diagnostic = Diagnostic::error("shape", equation.right.span(), message)
                .label(right.shape().to_string())
                .also(equation.left.span(), left.shape().to_string());
            self.sink.push(diagnostic);
            return;
        }
        let doc = self.doc(statement, span);
        for (component, (l, r)) in left.entries().iter().zip(right.entries()).enumerate() {
            let expr = l - r;
            if !self.constrains(&expr, span) {
                continue;
            }
            let cost = expr.node_count();
            if self.evaluator().spend(cost, span).is_none() {
                return;
            }
            let kind = self.constraint_kind(&rates.at(&expr));
            let doc = doc.clone();
            self.model.constraints.push(Constraint {
                name: name.as_ref().map(|n| n.text.clone()),
                expr,
                kind,
                statement: number,
                component,
                doc,
                span,
            });
        }
    }

    /// Reports equations that say nothing, or nothing about the motion.
    fn constrains(&mut self, expr: &Expr, span: Span) -> bool {
        if self.evaluator().vanishes(expr, span) {
            let diagnostic = Diagnostic::warning(
                "redundant",
                span,
                "this constraint holds always and is left out",
            )
            .label("both sides are equal");
            self.sink.push(diagnostic);
            return false;
        }
        let symbols = expr.free_symbols();
        let moving = symbols.iter().any(|s| self.scope.order(s).is_some());
        if !moving {
            let diagnostic = Diagnostic::error(
                "constraint",
                span,
                "this constraint contains no coordinate and no velocity",
            )
            .help("a constraint restricts the motion, such as `x' = r*theta'`");
            self.sink.push(diagnostic);
        }
        moving
    }

    /// How an expression, with the rates of auxiliary states put in, depends on the velocities.
    fn constraint_kind(&self, expr: &Expr) -> ConstraintKind {
        let symbols = expr.free_symbols();
        let order = |s: &Symbol| self.scope.order(s).unwrap_or(0);
        let highest = symbols.iter().map(order).max().unwrap_or(0);
        if highest == 0 {
            return ConstraintKind::Holonomic;
        }
        if highest > 1 {
            return ConstraintKind::HigherOrder;
        }
        let velocities: Vec<Symbol> = symbols.into_iter().filter(|s| order(s) == 1).collect();
        let linear = |v: &Symbol| {
            let slope = expr.diff(v);
            let bends = |w: &Symbol| slope.contains(w) && !prove_zero(&slope.diff(w)).is_proven();
            !velocities.iter().any(bends)
        };
        let linear = velocities.iter().all(linear);
        if !linear {
            return ConstraintKind::Nonlinear;
        }
        let at_rest: Vec<(Symbol, Expr)> =
            velocities.into_iter().map(|v| (v, Expr::zero())).collect();
        if prove_zero(&expr.substitute(&at_rest)).is_proven() {
            ConstraintKind::Linear
        } else {
            ConstraintKind::Affine
        }
    }
}
