//! Lists, their entries, and time derivatives.

use rattleback_symbolic::{Expr, Matrix, Rational, Symbol, free_symbols};

use crate::diagnostic::Diagnostic;
use crate::scope::{Meaning, Variable};
use crate::source::Span;
use crate::syntax::{NodeId, NodeKind, Tree};
use crate::value::{Shape, Value};

use super::context::Context;
use super::evaluate::Evaluator;

/// How often something may be differentiated.
const MAX_PRIMES: u32 = 64;
/// How many entries a matrix may have.
const MAX_ENTRIES: usize = 1 << 16;

impl Evaluator<'_> {
    pub(super) fn list(&mut self, items: Vec<(Span, Value)>, span: Span) -> Option<Value> {
        let (first_span, first) = items.first()?;
        let shape = first.shape();
        for (item_span, item) in &items {
            if item.shape() != shape {
                let message = format!(
                    "the entries of a list have one shape, but these are {shape} and {}",
                    item.shape()
                );
                return self.fail(
                    Diagnostic::error("shape", *item_span, message)
                        .label(item.shape().to_string())
                        .also(*first_span, shape.to_string()),
                );
            }
        }
        if items.len() * shape.size() > MAX_ENTRIES {
            return self.fail(Diagnostic::error(
                "size",
                span,
                format!("a matrix has at most {MAX_ENTRIES} entries"),
            ));
        }
        match shape {
            Shape::Scalar => Some(Value::Vector(
                items.iter().map(|(_, v)| v.entries()[0].clone()).collect(),
            )),
            Shape::Vector(_) => {
                let rows: Vec<Vec<Expr>> =
                    items.iter().map(|(_, v)| v.entries().to_vec()).collect();
                Some(Value::Matrix(Matrix::from_rows(&rows)))
            }
            Shape::Matrix(..) => self.fail(Diagnostic::error(
                "shape",
                span,
                "a list of matrices has no meaning: lists nest two deep at most",
            )),
        }
    }

    pub(super) fn index(
        &mut self,
        of: &Value,
        indices: &[Value],
        spans: &[Span],
        whole: Span,
    ) -> Option<Value> {
        let limits: Vec<usize> = match of.shape() {
            Shape::Scalar => {
                return self.fail(Diagnostic::error(
                    "index",
                    whole,
                    "a scalar has no entries to pick",
                ));
            }
            Shape::Vector(n) => vec![n],
            Shape::Matrix(rows, cols) => vec![rows, cols],
        };
        if indices.len() != limits.len() {
            let form = if limits.len() == 1 {
                "one index: `v[1]`"
            } else {
                "two indices: `A[2,3]`"
            };
            let message = format!("{} takes {form}", of.shape());
            return self.fail(Diagnostic::error("index", whole, message));
        }
        let mut picks = Vec::with_capacity(2);
        for ((index, span), limit) in indices.iter().zip(spans).zip(&limits) {
            let number = index.as_scalar().and_then(Expr::as_number);
            let pick = number
                .and_then(Rational::as_integer)
                .and_then(|i| usize::try_from(i).ok());
            match pick {
                Some(i) if (1..=*limit).contains(&i) => picks.push(i - 1),
                _ if number.is_some() => {
                    let message = format!(
                        "the index must be a whole number from 1 to {limit}: this is {}",
                        of.shape()
                    );
                    let mut diagnostic = Diagnostic::error("index", *span, message);
                    if pick == Some(0) {
                        diagnostic = diagnostic.help("entries are counted from 1");
                    }
                    return self.fail(diagnostic);
                }
                _ => {
                    return self.fail(Diagnostic::error(
                        "index",
                        *span,
                        "an index is a whole number",
                    ));
                }
            }
        }
        Some(Value::Scalar(match of {
            Value::Matrix(m) => m[(picks[0], picks[1])].clone(),
            _ => of.entries()[picks[0]].clone(),
        }))
    }

    pub(super) fn prime(
        &mut self,
        tree: &Tree,
        of: NodeId,
        value: &Value,
        count: u32,
        span: Span,
        context: &Context,
    ) -> Option<Value> {
        if let Some(name) = base_name(tree, of) {
            self.check_prime(name, span)?;
        }
        self.check_clock(span)?;
        let jets = value.entries().iter().all(|e| e.as_symbol().is_some());
        if count > MAX_PRIMES || (!jets && count > 16) {
            return self.fail(Diagnostic::error(
                "derivative",
                span,
                "too many time derivatives",
            ));
        }
        let mut entries = value.entries().to_vec();
        if let Some(control) = self.control_in(&entries) {
            let message = format!("the time derivative of the control `{control}` is not known");
            return self.fail(Diagnostic::error("derivative", span, message));
        }
        for _ in 0..count {
            let size = entries.iter().map(Expr::node_count).sum();
            self.spend(size, span)?;
            entries = self.scope.total_derivative(&entries);
        }
        self.check_first_order(&entries, span)?;
        self.check_order(&entries, span, context)?;
        // What moves has a velocity.
        let moves = self.ledger.dependence.positions || self.ledger.dependence.velocities;
        self.ledger.dependence.velocities = moves;
        if let Some(forbidden) = context.forbids(self.ledger.dependence) {
            let message = format!("{} cannot depend on {forbidden}", context.what);
            return self.fail(Diagnostic::error("not-allowed", span, message).help(context.help()));
        }
        Some(Value::from_entries(value.shape(), entries))
    }

    /// An auxiliary state is of first order: what stands for its derivative has none itself.
    fn check_first_order(&mut self, entries: &[Expr], span: Span) -> Option<()> {
        let beyond = |s: &Symbol| {
            s.order() > 1 && self.scope.variables.get(s.name()) == Some(&Variable::Auxiliary)
        };
        let found = free_symbols(entries).into_iter().find(beyond);
        match found {
            None => Some(()),
            Some(symbol) => {
                let name = symbol.name();
                let message = format!(
                    "`{name}` is an auxiliary state: it has a rate `{name}'`, but no `{symbol}`"
                );
                self.fail(
                    Diagnostic::error("derivative", span, message)
                        .help("a quantity with accelerations is a `coord`"),
                )
            }
        }
    }

    /// Reports derivatives beyond those that the context allows.
    pub(super) fn check_order(
        &mut self,
        entries: &[Expr],
        span: Span,
        context: &Context,
    ) -> Option<()> {
        let Some(highest) = context.highest else {
            return Some(());
        };
        let beyond = |s: &Symbol| self.scope.order(s).is_some_and(|order| order > highest);
        let Some(symbol) = free_symbols(entries).into_iter().find(beyond) else {
            return Some(());
        };
        let message = format!(
            "{} cannot contain the acceleration `{symbol}`",
            context.what
        );
        self.fail(
            Diagnostic::error("not-allowed", span, message)
                .help("use only coordinates, velocities, auxiliary states, parameters and `t`"),
        )
    }

    /// A control that the expressions contain.
    fn control_in(&self, entries: &[Expr]) -> Option<Symbol> {
        if !self.ledger.dependence.controls {
            return None;
        }
        let is_control =
            |s: &Symbol| self.scope.variables.get(s.name()) == Some(&Variable::Control);
        free_symbols(entries).into_iter().find(is_control)
    }

    /// Names that have no time derivative of their own.
    pub(super) fn check_prime(&mut self, name: &str, span: Span) -> Option<()> {
        if name == "t" || name == "pi" {
            return self.fail(Diagnostic::error(
                "derivative",
                span,
                format!("`{name}` has no prime"),
            ));
        }
        let Some(entry) = self.scope.entries.get(name) else {
            return Some(());
        };
        let message = match &entry.meaning {
            Meaning::Parameter(_) => {
                format!("`{name}` is {}: its time derivative is 0", entry.what)
            }
            Meaning::Control(_) => {
                format!("`{name}` is a control, and its time derivative is not known")
            }
            Meaning::Group { kind, .. } if kind.is_vector_space() => return Some(()),
            Meaning::Group { velocity_name, .. } => {
                return self.fail(
                    Diagnostic::error(
                        "derivative",
                        span,
                        format!("`{name}` is a group factor and has no prime"),
                    )
                    .help(format!("use its velocity `{velocity_name}`")),
                );
            }
            _ => return Some(()),
        };
        self.fail(
            Diagnostic::error("derivative", span, message)
                .also(entry.span, "declared here")
                .help("remove the prime"),
        )
    }
}

/// The name that is primed, directly or behind an index.
fn base_name(tree: &Tree, of: NodeId) -> Option<&str> {
    match &tree.nodes[of as usize].kind {
        NodeKind::Name(name) => Some(name),
        NodeKind::Index(inner, _) => match &tree.nodes[*inner as usize].kind {
            NodeKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}
