//! Values at other moments, `start(EXPR)` and `next(EXPR)`, and parts of elements of SE(n).

use rattleback_symbolic::{Expr, Matrix, Role, Symbol, free_symbols};

use crate::auxiliary::Clock;
use crate::diagnostic::Diagnostic;
use crate::moments::{at_next, at_start, moved};
use crate::scope::{Meaning, Variable};
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{Name, NodeId, NodeKind, Tree};
use crate::value::Value;
use crate::words::{MOMENTS, reserved};

use super::context::Context;
use super::evaluate::{Evaluator, clip};

/// Where a value at the next node may stand.
pub(super) const NEXT: &str =
    "`next(x)` stands on the left of `map`, and in the `lagrangian` of a discrete model";
const START: &str = "`start(…)` stands in `goal`, `via` and `terminal`";
const FREE: &str = "a free start value is `x = free` or `x = free(0.3)`, alone or as an entry of a list; \
                    a free number is declared by `free k = 1`";

impl Evaluator<'_> {
    /// The value of `start(EXPR)`, `next(EXPR)` or `free(GUESS)`.
    pub(super) fn moment(
        &mut self,
        name: &Name,
        arguments: &[Value],
        span: Span,
        context: &Context,
    ) -> Option<Value> {
        let [value] = arguments else {
            let message = format!(
                "`{}` takes 1 argument, found {}",
                name.text,
                arguments.len()
            );
            return self.fail(Diagnostic::error("arguments", span, message));
        };
        self.spend_on(value, span)?;
        let allowed = match name.text.as_str() {
            "start" => context.start,
            "next" => true,
            _ => context.free,
        };
        if !allowed {
            let message = format!("`{}(…)` has no meaning here", name.text);
            return self.misplaced(&name.text, message, span);
        }
        match name.text.as_str() {
            "start" => Some(value.map(|e| moved(e, at_start))),
            "next" => self.next(value, span, context),
            _ => Some(value.clone()),
        }
    }

    /// Reports one of the words where it stands for nothing.
    pub(super) fn bare_moment<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let what = reserved(name).unwrap_or("a word of the statements");
        let message = format!("`{name}` is {what}, not a quantity here");
        self.misplaced(name, message, span)
    }

    fn misplaced<T>(&mut self, name: &str, message: String, span: Span) -> Option<T> {
        let help = match name {
            "start" => START,
            "next" => NEXT,
            _ => FREE,
        };
        self.fail(Diagnostic::error("not-allowed", span, message).help(help))
    }

    /// A function of positions at the next node.
    fn next(&mut self, value: &Value, span: Span, context: &Context) -> Option<Value> {
        self.ledger.dependence.next = true;
        if !context.allowed.next {
            let message = format!("{} cannot contain a value at the next node", context.what);
            return self.fail(Diagnostic::error("not-allowed", span, message).help(NEXT));
        }
        let is_position = |s: &Symbol| {
            s.role() == Role::Constant
                || s.order() == 0 && self.scope.variables.get(s.name()) == Some(&Variable::Position)
        };
        let symbols = free_symbols(value.entries());
        if let Some(symbol) = symbols.into_iter().find(|s| !is_position(s)) {
            let message = format!(
                "`next` takes coordinates and group elements, but this contains `{symbol}`"
            );
            return self.fail(Diagnostic::error("not-allowed", span, message).help(NEXT));
        }
        Some(value.map(|e| moved(e, at_next)))
    }

    /// Reports a derivative in a model whose time goes from node to node.
    pub(super) fn check_clock(&mut self, span: Span) -> Option<()> {
        let Some(place) = self.scope.discrete else {
            return Some(());
        };
        let help = match self.scope.clock {
            Clock::Map => "use differences of nodes",
            _ => "use `next(x) - x`; the start is `start x = …, p_x = …`",
        };
        self.fail(
            Diagnostic::error(
                "derivative",
                span,
                "a discrete model has no derivatives and no velocities",
            )
            .also(place, "this makes time discrete")
            .help(help),
        )
    }

    /// `T.R`, the rotation, and `T.p`, the position, of an element of SE(n).
    pub(super) fn member(
        &mut self,
        tree: &Tree,
        of: NodeId,
        value: &Value,
        name: &Name,
    ) -> Option<Value> {
        if matches!(tree.nodes[of as usize].kind, NodeKind::Number) {
            let message = "a number needs a digit on both sides of its point: `1.0`, `0.5`";
            return self.fail(Diagnostic::error("character", name.span, message));
        }
        let group = element_name(tree, of).and_then(|n| self.scope.entries.get(n));
        let motion = group.is_some_and(
            |entry| matches!(&entry.meaning, Meaning::Group { kind, .. } if kind.has_fixed_row()),
        );
        let (true, Value::Matrix(m)) = (motion, value) else {
            let message = format!(
                "only a group element of SE(2) or SE(3) has a part `.{}`",
                clip(&name.text)
            );
            let help = "an entry of a vector or a matrix is `v[1]`, `A[2,3]`";
            return self.fail(Diagnostic::error("part", name.span, message).help(help));
        };
        let n = m.rows() - 1;
        match name.text.as_str() {
            "R" => Some(Value::Matrix(Matrix::new(n, n, |i, j| m[(i, j)].clone()))),
            "p" => Some(Value::Vector(
                (0..n).map(|i| m[(i, n)].clone()).collect::<Vec<Expr>>(),
            )),
            other => {
                let help = match closest(other, ["R", "p"]) {
                    Some(near) => format!("did you mean `.{near}`?"),
                    None => "the parts are `.R`, the rotation, and `.p`, the position".to_owned(),
                };
                let message = format!("an element of SE(n) has no part `.{}`", clip(other));
                self.fail(Diagnostic::error("part", name.span, message).help(help))
            }
        }
    }
}

/// The name of a group element, as it is or at another moment.
fn element_name(tree: &Tree, of: NodeId) -> Option<&str> {
    let mut node = of;
    loop {
        match &tree.nodes[node as usize].kind {
            NodeKind::Name(name) => return Some(name),
            NodeKind::Call(call, arguments) if MOMENTS.contains(&call.text.as_str()) => {
                node = *arguments.first()?;
            }
            _ => return None,
        }
    }
}
