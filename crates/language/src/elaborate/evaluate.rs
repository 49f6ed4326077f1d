//! Evaluation of syntax trees to values, one node after the other.

use std::collections::HashSet;

use rattleback_symbolic::{Expr, Fact, Symbol};

use crate::diagnostic::{Diagnostic, Sink};
use crate::group;
use crate::scope::{Dependence, Entry, Meaning, Scope};
use crate::slips;
use crate::source::{Source, Span};
use crate::suggest::closest;
use crate::syntax::{Name, NodeId, NodeKind, Tree};
use crate::value::{Shape, Value};
use crate::words::{self, CONSTANTS, OTHER_FUNCTIONS, SCALAR_FUNCTIONS};

use super::context::{Context, GENERATED};
use super::moments;

/// How many scalar operations the vectors and matrices of one model may take.
const WORK: usize = 4_000_000;

/// Evaluates expressions in a scope.
pub(crate) struct Evaluator<'a> {
    pub(crate) source: &'a Source,
    pub(crate) scope: &'a Scope,
    pub(crate) sink: &'a mut Sink,
    pub(crate) ledger: &'a mut Ledger,
}

/// What a function or a power asks of its argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Demand {
    pub(crate) fact: Fact,
    /// The exponent of a power that asks for nothing where this is whole.
    pub(crate) unless_whole: Option<Expr>,
}

impl From<Fact> for Demand {
    fn from(fact: Fact) -> Self {
        Demand {
            fact,
            unless_whole: None,
        }
    }
}

/// What evaluation keeps count of.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// Names that some expression mentions.
    pub(crate) used: HashSet<String>,
    /// Unknown names that have been reported, with their lines.
    unknown: HashSet<(String, usize)>,
    /// What the names of the last expression depend on.
    pub(crate) dependence: Dependence,
    /// What functions asked of their arguments, with the places of the calls: it may cancel in what they are part of.
    pub(crate) asked: Vec<(Demand, Span)>,
    /// Where abbreviations are used, each with the place of its name where it is defined.
    pub(crate) mentions: Vec<(Span, Span)>,
    /// Scalar operations that are left.
    work: usize,
}

impl Default for Ledger {
    fn default() -> Self {
        Ledger {
            used: HashSet::new(),
            unknown: HashSet::new(),
            dependence: Dependence::default(),
            asked: Vec::new(),
            mentions: Vec::new(),
            work: WORK,
        }
    }
}

impl Evaluator<'_> {
    /// The value of an expression. None where a mistake has been reported.
    pub(crate) fn evaluate(&mut self, tree: &Tree, context: &Context) -> Option<Value> {
        self.ledger.dependence = Dependence::default();
        let mut values: Vec<Option<Value>> = Vec::with_capacity(tree.nodes.len());
        for id in 0..tree.nodes.len() {
            let value = self.node(tree, id, &mut values, context);
            values.push(value.and_then(|value| self.defined(value, tree.nodes[id].span)));
        }
        values.pop().flatten()
    }

    /// A scalar expression.
    pub(crate) fn scalar(&mut self, tree: &Tree, context: &Context) -> Option<Expr> {
        match self.evaluate(tree, context)? {
            Value::Scalar(e) => Some(e),
            other => {
                let message = format!(
                    "{} is a scalar, but this is {}",
                    context.what,
                    other.shape()
                );
                self.fail(
                    Diagnostic::error("shape", tree.span(), message)
                        .label(other.shape().to_string()),
                )
            }
        }
    }

    pub(crate) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.sink.push(diagnostic);
        None
    }

    fn defined(&mut self, value: Value, span: Span) -> Option<Value> {
        if value.entries().iter().any(Expr::is_undefined) {
            return self.fail(
                Diagnostic::error("undefined", span, "this has no value: it divides by zero, or takes a root or logarithm of a number that has none")
                    .label("not defined"),
            );
        }
        Some(value)
    }

    /// Takes `amount` scalar operations from the budget.
    pub(crate) fn spend(&mut self, amount: usize, span: Span) -> Option<()> {
        match self.ledger.work.checked_sub(amount) {
            Some(left) => self.ledger.work = left,
            None => {
                // One report is enough: the budget stays empty.
                if self.ledger.work > 0 {
                    self.ledger.work = 0;
                    let message =
                        "the vectors and matrices of this model are too large to work out";
                    self.sink.push(Diagnostic::error("size", span, message));
                }
                return None;
            }
        }
        Some(())
    }

    /// Takes the operations of a vector or a matrix from the budget; scalars are paid for by their text.
    pub(super) fn spend_on(&mut self, value: &Value, span: Span) -> Option<()> {
        match value.shape() {
            Shape::Scalar => Some(()),
            shape => self.spend(shape.size(), span),
        }
    }

    fn node(
        &mut self,
        tree: &Tree,
        id: usize,
        values: &mut [Option<Value>],
        context: &Context,
    ) -> Option<Value> {
        let node = &tree.nodes[id];
        let span_of = |id: NodeId| tree.nodes[id as usize].span;
        match &node.kind {
            NodeKind::Error => None,
            NodeKind::Number => self.number(node.span).map(Value::Scalar),
            NodeKind::Name(name) => self.name(name, node.span, context),
            NodeKind::Negate(of) => {
                let value = take(values, *of)?;
                self.spend_on(&value, node.span)?;
                Some(value.map(|e| -e))
            }
            NodeKind::Sum(terms) => {
                let terms = collect(
                    terms
                        .iter()
                        .map(|&(minus, id)| (minus, id, take(values, id))),
                )?;
                self.sum(&terms, span_of)
            }
            NodeKind::Product(factors) => {
                let factors = collect(
                    factors
                        .iter()
                        .map(|&(over, id)| (over, id, take(values, id))),
                )?;
                self.product(factors, span_of, node.span, context)
            }
            NodeKind::Power(base, exponent) => {
                let pair = (take(values, *base), take(values, *exponent));
                let (Some(b), Some(e)) = pair else {
                    return None;
                };
                self.power(b, e, span_of(*base), span_of(*exponent))
            }
            NodeKind::Call(name, arguments) => {
                let spans: Vec<Span> = arguments.iter().map(|&id| span_of(id)).collect();
                let arguments = take_all(values, arguments);
                self.called(name, arguments, &spans, node.span, context)
            }
            NodeKind::List(items) => {
                let spans = items.iter().map(|&id| span_of(id));
                let items = spans.zip(take_all(values, items)?).collect();
                self.list(items, node.span)
            }
            NodeKind::Index(of, indices) => {
                let spans: Vec<Span> = indices.iter().map(|&id| span_of(id)).collect();
                let (indices, of) = (take_all(values, indices), take(values, *of));
                self.index(&of?, &indices?, &spans, node.span)
            }
            NodeKind::Prime(of, count) => {
                let value = take(values, *of)?;
                self.prime(tree, *of, &value, *count, node.span, context)
            }
            NodeKind::Member(of, name) => {
                let value = take(values, *of)?;
                self.member(tree, *of, &value, name)
            }
        }
    }

    /// A function or a moment of its arguments, where those have values. That a name is no function is said anyway.
    fn called(
        &mut self,
        name: &Name,
        arguments: Option<Vec<Value>>,
        spans: &[Span],
        span: Span,
        context: &Context,
    ) -> Option<Value> {
        if words::MOMENTS.contains(&name.text.as_str()) {
            return self.moment(name, &arguments?, span, context);
        }
        if !words::is_function(&name.text) {
            return self.not_a_function(name, context);
        }
        self.call(name, &arguments?, spans, span, context)
    }

    fn name(&mut self, name: &str, span: Span, context: &Context) -> Option<Value> {
        match (name, context.group) {
            ("pi", _) => return Some(Value::Scalar(Expr::pi())),
            ("t", _) => {
                self.permit(
                    "t",
                    "time",
                    Dependence {
                        time: true,
                        ..Dependence::default()
                    },
                    span,
                    context,
                )?;
                return Some(Value::Scalar(Symbol::time().into()));
            }
            ("identity", Some(group)) => return Some(group::identity(group)),
            ("identity", None) => {
                let message = "`identity` is the value of a group element, in `start` and `goal`";
                return self.fail(Diagnostic::error("identity", span, message));
            }
            (words::FREE, _) if context.free => return Some(Value::Scalar(Expr::zero())),
            _ => {}
        }
        let scope = self.scope;
        let Some(entry) = scope.entries.get(name) else {
            return self.unknown_name(name, span, context);
        };
        if matches!(entry.meaning, Meaning::Velocity(_)) {
            self.check_clock(span)?;
        }
        let dependence = entry.dependence;
        if !matches!(entry.meaning, Meaning::Unknown | Meaning::Field) {
            self.permit(name, entry.what, dependence, span, context)?;
        }
        if context.above.is_some_and(|rank| entry.rank >= rank) {
            return self.declared_below(name, span, entry.span, context);
        }
        if context.counts {
            self.ledger.used.insert(name.to_owned());
        }
        if matches!(entry.meaning, Meaning::Abbreviation(_)) {
            self.ledger.mentions.push((entry.span, span));
        }
        match &entry.meaning {
            Meaning::Unknown => None,
            Meaning::Pending => {
                let message = format!(
                    "{} cannot use `{name}`, {} that is worked out later",
                    context.what, entry.what
                );
                self.fail(
                    Diagnostic::error("order", span, message).also(entry.span, "declared here"),
                )
            }
            Meaning::Field if context.is_generated() && scope.frame.iter().any(|f| f == name) => {
                // The velocity along the field is a generated quantity.
                let place = scope.frame.iter().position(|f| f == name)?;
                let velocity = scope.names.frame_velocity(place + 1);
                self.ledger.dependence.generated = true;
                Some(Value::Scalar(velocity.into()))
            }
            Meaning::Field => {
                let message = format!("`{name}` is {}, not a quantity", entry.what);
                self.fail(
                    Diagnostic::error("not-a-quantity", span, message)
                        .also(entry.span, "declared here"),
                )
            }
            _ => {
                let value = scope.value(name)?;
                self.spend_on(&value, span)?;
                self.check_order(value.entries(), span, context)?;
                Some(value)
            }
        }
    }

    /// Reports a name that the context does not allow.
    fn permit(
        &mut self,
        name: &str,
        what: &str,
        of: Dependence,
        span: Span,
        context: &Context,
    ) -> Option<()> {
        self.ledger.dependence = self.ledger.dependence.and(of);
        let Some(forbidden) = context.forbids(of) else {
            return Some(());
        };
        let message = if what == "an abbreviation" || what == "an observable" {
            format!(
                "{} cannot depend on {forbidden}, as `{name}` does",
                context.what
            )
        } else {
            format!("{} cannot contain `{name}`, which is {what}", context.what)
        };
        let help = match forbidden {
            "a control" if !context.is_constant() => {
                "controls may occur in `force`, `rate`, `map`, `cost`, `bound` and `observe`"
            }
            "the next node" => moments::NEXT,
            GENERATED => {
                "momenta, multipliers and the energy follow from the equations: use velocities"
            }
            _ => context.help(),
        };
        self.fail(Diagnostic::error("not-allowed", span, message).help(help))
    }

    fn declared_below(
        &mut self,
        name: &str,
        span: Span,
        declaration: Span,
        context: &Context,
    ) -> Option<Value> {
        if context.setting {
            return self.set_by_later(name, span);
        }
        let same_place = self
            .scope
            .entries
            .get(name)
            .is_some_and(|entry| Some(entry.rank) == context.above);
        let message = if same_place {
            format!("`{name}` is defined by itself")
        } else {
            format!(
                "`{name}` is declared below; {} uses only names above it",
                context.what
            )
        };
        let help = if same_place {
            "use another name"
        } else {
            "move its declaration up"
        };
        self.fail(
            Diagnostic::error("order", span, message)
                .also(declaration, "declared here")
                .help(help),
        )
    }

    /// The values of parameters are worked out in the order of the file, also where the command line sets them.
    fn set_by_later(&mut self, name: &str, span: Span) -> Option<Value> {
        let message = format!(
            "`{name}` is not declared above the parameter that is set, and only what is declared above it can be used"
        );
        self.fail(Diagnostic::error("order", span, message).help("give its number instead"))
    }

    /// A generated quantity has the shape of what it belongs to: `p_w` is a vector where `w` is.
    fn generated_value(&self, name: &str) -> Value {
        let symbol = |name: &str| Expr::from(Symbol::variable(name));
        let owner = name
            .split_once('_')
            .and_then(|(_, owner)| self.scope.value(owner));
        match owner {
            Some(Value::Vector(entries)) => {
                let entry = |i: usize| symbol(&format!("{name}[{i}]"));
                Value::Vector((1..=entries.len()).map(entry).collect())
            }
            _ => Value::Scalar(symbol(name)),
        }
    }

    pub(crate) fn unknown_name(
        &mut self,
        name: &str,
        span: Span,
        context: &Context,
    ) -> Option<Value> {
        if let Some(what) = self.scope.names.generated(name) {
            if context.is_generated() {
                self.ledger.dependence.generated = true;
                return Some(self.generated_value(name));
            }
            let message = format!(
                "`{name}` is {what} that the program generates; a model cannot use it here"
            );
            return self.fail(Diagnostic::error("generated-name", span, message));
        }
        if context.is_generated() && words::is_recorded(name) {
            self.ledger.dependence.generated = true;
            return Some(Value::Scalar(Symbol::variable(name).into()));
        }
        if words::is_function(name) {
            return self.fail(
                Diagnostic::error(
                    "unknown-name",
                    span,
                    format!("`{name}` is a function and needs its arguments"),
                )
                .help(format!("write `{name}(…)`")),
            );
        }
        if words::MOMENTS.contains(&name) {
            return self.bare_moment(name, span);
        }
        if let Some(what) = words::reserved(name) {
            return self.fail(Diagnostic::error(
                "unknown-name",
                span,
                format!("`{name}` is {what}, not a quantity"),
            ));
        }
        let line = self.source.line(span.start);
        if !self.ledger.unknown.insert((name.to_owned(), line)) {
            return None;
        }
        // `dx/dt` is one slip.
        let derivative = |(other, at): &(String, usize)| {
            *at == line && other.starts_with('d') && self.slip(other).is_some()
        };
        if name == "dt" && self.ledger.unknown.iter().any(derivative) {
            return None;
        }
        if self.sink.is_full() {
            return self.fail(Diagnostic::error("unknown-name", span, "unknown name"));
        }
        let known = self.known_quantities().chain(CONSTANTS.iter().copied());
        let suggestion = self
            .slip(name)
            .or_else(|| closest(name, known).map(|near| format!("did you mean `{near}`?")))
            .or_else(|| slips::is_unit(name).then(|| slips::UNITS.to_owned()));
        let mut diagnostic = Diagnostic::error(
            "unknown-name",
            span,
            format!("unknown name `{}`", clip(name)),
        );
        diagnostic.help = Some(suggestion.unwrap_or_else(|| {
            format!(
                "declare it: `param {0} = …`, `coord {0}` or `let {0} = …`",
                clip(name)
            )
        }));
        self.fail(diagnostic.label("not declared"))
    }

    /// What an unknown name means that is written as in other programs.
    pub(crate) fn slip(&self, name: &str) -> Option<String> {
        let is_known = |of: &str| self.scope.entries.contains_key(of);
        if let Some((of, primes)) = slips::derivative(name, is_known) {
            let written = format!("{of}{}", "'".repeat(primes));
            return Some(format!("a time derivative is a prime: write `{written}`"));
        }
        let small = name.to_lowercase();
        if words::is_function(&small) {
            return Some(format!(
                "functions are small letters with parentheses: `{small}(…)`"
            ));
        }
        slips::letter(name).map(str::to_owned)
    }

    fn known_quantities(&self) -> impl Iterator<Item = &str> {
        let quantity = |entry: &Entry| !matches!(entry.meaning, Meaning::Unknown | Meaning::Field);
        self.scope
            .entries
            .iter()
            .filter(move |(_, entry)| quantity(entry))
            .map(|(name, _)| name.as_str())
    }

    fn not_a_function(&mut self, name: &crate::syntax::Name, context: &Context) -> Option<Value> {
        let text = name.text.as_str();
        if self.scope.entries.contains_key(text) || CONSTANTS.contains(&text) {
            if context.counts {
                self.ledger.used.insert(text.to_owned());
            }
            return self.fail(
                Diagnostic::error(
                    "not-a-function",
                    name.span,
                    format!("`{text}` is not a function"),
                )
                .label("there is no implicit multiplication")
                .help(format!("write `{text}*(…)`")),
            );
        }
        let known = SCALAR_FUNCTIONS.iter().chain(OTHER_FUNCTIONS).copied();
        let diagnostic = Diagnostic::error(
            "unknown-function",
            name.span,
            format!("unknown function `{}`", clip(text)),
        );
        let all = known.clone().collect::<Vec<_>>().join(", ");
        let help = match (slips::function(text), closest(text, known)) {
            (Some(instead), _) => instead.to_owned(),
            (None, Some(near)) => format!("did you mean `{near}`? The functions are: {all}"),
            (None, None) => format!("the functions are: {all}"),
        };
        self.fail(diagnostic.help(help))
    }
}

fn take(values: &mut [Option<Value>], id: NodeId) -> Option<Value> {
    values.get_mut(id as usize)?.take()
}

/// All values, or none if one has failed.
fn take_all(values: &mut [Option<Value>], ids: &[NodeId]) -> Option<Vec<Value>> {
    ids.iter().map(|&id| take(values, id)).collect()
}

/// The same with the signs of terms, or the places of factors.
fn collect(
    items: impl Iterator<Item = (bool, NodeId, Option<Value>)>,
) -> Option<Vec<(bool, NodeId, Value)>> {
    items
        .map(|(flag, id, value)| Some((flag, id, value?)))
        .collect()
}

/// A name short enough for a message.
pub(crate) fn clip(name: &str) -> String {
    if name.chars().count() > 40 {
        name.chars().take(40).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}
