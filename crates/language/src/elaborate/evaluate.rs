//! Evaluation of syntax trees to values, one node after the other.

use std::collections::HashSet;

use rattleback_symbolic::{Expr, Matrix, Rational, Symbol};

use crate::diagnostic::{Diagnostic, Sink};
use crate::scope::{Dependence, Meaning, Scope};
use crate::source::{Source, Span};
use crate::suggest::closest;
use crate::syntax::{NodeId, NodeKind, Tree};
use crate::value::{Shape, Value, quaternion_product};
use crate::words::{self, CONSTANTS, OTHER_FUNCTIONS, SCALAR_FUNCTIONS};

use super::context::Context;
use crate::group::GroupKind;

/// How many digits a number may have.
const MAX_DIGITS: usize = 4096;
/// How many bits a number may grow to.
const MAX_BITS: u64 = 1 << 16;
/// The largest exponent, and the largest denominator of one.
const MAX_EXPONENT: i64 = 10_000;
/// How often something may be differentiated.
const MAX_PRIMES: u32 = 64;
/// How many entries a matrix may have.
const MAX_ENTRIES: usize = 1 << 16;
/// How many scalar operations the vectors and matrices of one model may take.
pub(crate) const WORK: usize = 20_000_000;

/// Evaluates expressions in a scope.
pub(crate) struct Evaluator<'a> {
    pub(crate) source: &'a Source,
    pub(crate) scope: &'a Scope,
    pub(crate) sink: &'a mut Sink,
    pub(crate) used: &'a mut HashSet<String>,
    /// Scalar operations that are left.
    pub(crate) work: &'a mut usize,
}

impl Evaluator<'_> {
    /// The value of an expression. None where a mistake has been reported.
    pub(crate) fn evaluate(&mut self, tree: &Tree, context: &Context) -> Option<Value> {
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
        match self.work.checked_sub(amount) {
            Some(left) => *self.work = left,
            None => {
                // One report is enough: the budget stays empty.
                if *self.work > 0 {
                    *self.work = 0;
                    let message =
                        "the vectors and matrices of this model are too large to work out";
                    self.sink.push(Diagnostic::error("size", span, message));
                }
                return None;
            }
        }
        Some(())
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
            NodeKind::Negate(of) => take(values, *of).map(|value| value.map(|e| -e)),
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
                let arguments: Vec<Option<Value>> =
                    arguments.iter().map(|&id| take(values, id)).collect();
                if !words::is_function(&name.text) {
                    return self.not_a_function(name, context);
                }
                let arguments: Option<Vec<Value>> = arguments.into_iter().collect();
                self.call(name, &arguments?, &spans, node.span, context)
            }
            NodeKind::List(items) => {
                let items: Vec<(NodeId, Option<Value>)> =
                    items.iter().map(|&id| (id, take(values, id))).collect();
                let items: Option<Vec<(Span, Value)>> = items
                    .into_iter()
                    .map(|(id, value)| Some((span_of(id), value?)))
                    .collect();
                self.list(items?, node.span)
            }
            NodeKind::Index(of, indices) => {
                let spans: Vec<Span> = indices.iter().map(|&id| span_of(id)).collect();
                let indices: Vec<Option<Value>> =
                    indices.iter().map(|&id| take(values, id)).collect();
                let of = take(values, *of);
                let indices: Option<Vec<Value>> = indices.into_iter().collect();
                self.index(&of?, &indices?, &spans, node.span)
            }
            NodeKind::Prime(of, count) => {
                let value = take(values, *of)?;
                self.prime(tree, *of, &value, *count, node.span)
            }
        }
    }

    fn number(&mut self, span: Span) -> Option<Expr> {
        let text = self.source.slice(span);
        if text.len() > MAX_DIGITS {
            return self.fail(Diagnostic::error(
                "number",
                span,
                format!("this number has more than {MAX_DIGITS} digits"),
            ));
        }
        match text.parse::<Rational>() {
            Ok(number) => Some(number.into()),
            Err(error) => self.fail(Diagnostic::error("number", span, error.to_string())),
        }
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
            ("identity", Some(group)) => return Some(group.identity()),
            ("identity", None) => {
                let message = "`identity` is the value of a group element, in `start` and `goal`";
                return self.fail(Diagnostic::error("identity", span, message));
            }
            _ => {}
        }
        let scope = self.scope;
        let Some(entry) = scope.entries.get(name) else {
            return self.unknown_name(name, span, context);
        };
        if context.above.is_some_and(|rank| entry.rank >= rank) {
            return self.declared_below(name, span, entry.span, context);
        }
        if context.counts {
            self.used.insert(name.to_owned());
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
            Meaning::Field => {
                let message = format!("`{name}` is {}, not a quantity", entry.what);
                self.fail(
                    Diagnostic::error("not-a-quantity", span, message)
                        .also(entry.span, "declared here"),
                )
            }
            _ => {
                self.permit(name, entry.what, entry.dependence, span, context)?;
                scope.value(name)
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
        let help = if context.allowed == Dependence::default() {
            "use a constant expression in the parameters"
        } else if forbidden == "a control" {
            "controls may occur in `force`, `cost`, `bound` and `observe`"
        } else {
            "use only coordinates, parameters and `t`"
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

    pub(crate) fn unknown_name(
        &mut self,
        name: &str,
        span: Span,
        context: &Context,
    ) -> Option<Value> {
        if let Some(what) = words::generated(name) {
            if context.generated {
                return Some(Value::Scalar(Symbol::variable(name).into()));
            }
            let message = format!(
                "`{name}` is {what} that the program generates; a model cannot use it here"
            );
            return self.fail(Diagnostic::error("generated-name", span, message));
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
        if let Some(what) = words::reserved(name) {
            return self.fail(Diagnostic::error(
                "unknown-name",
                span,
                format!("`{name}` is {what}, not a quantity"),
            ));
        }
        if self.sink.is_full() {
            return self.fail(Diagnostic::error("unknown-name", span, "unknown name"));
        }
        let known = self
            .scope
            .entries
            .keys()
            .map(String::as_str)
            .chain(CONSTANTS.iter().copied());
        let suggestion = closest(name, known).map(|near| format!("did you mean `{near}`?"));
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

    fn not_a_function(&mut self, name: &crate::syntax::Name, context: &Context) -> Option<Value> {
        let text = name.text.as_str();
        if self.scope.entries.contains_key(text) || CONSTANTS.contains(&text) {
            if context.counts {
                self.used.insert(text.to_owned());
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
        let help = match (text, closest(text, known.clone())) {
            ("ln", _) => "the natural logarithm is `log`".to_owned(),
            ("abs", _) => "write `sqrt(x^2)`".to_owned(),
            ("arcsin" | "arccos" | "arctan", _) => format!("write `a{}`", &text[3..]),
            ("norm", _) => "write `sqrt(norm2(v))`".to_owned(),
            (_, Some(near)) => format!("did you mean `{near}`?"),
            (_, None) => format!(
                "the functions are: {}",
                known.collect::<Vec<_>>().join(", ")
            ),
        };
        self.fail(diagnostic.help(help))
    }

    fn sum(
        &mut self,
        terms: &[(bool, NodeId, Value)],
        span_of: impl Fn(NodeId) -> Span,
    ) -> Option<Value> {
        let (_, first, value) = terms.first()?;
        let shape = value.shape();
        for (_, id, term) in terms {
            if term.shape() != shape {
                let message = format!("cannot add {shape} and {}", term.shape());
                return self.fail(
                    Diagnostic::error("shape", span_of(*id), message)
                        .label(term.shape().to_string())
                        .also(span_of(*first), shape.to_string()),
                );
            }
        }
        if shape != Shape::Scalar {
            self.spend(terms.len() * shape.size(), span_of(*first))?;
        }
        let entry = |k: usize| {
            Expr::linear_combination(terms.iter().map(|(minus, _, term)| {
                (
                    term.entries()[k].clone(),
                    if *minus {
                        Rational::MINUS_ONE
                    } else {
                        Rational::ONE
                    },
                )
            }))
        };
        Some(Value::from_entries(
            shape,
            (0..shape.size()).map(entry).collect(),
        ))
    }

    fn product(
        &mut self,
        factors: Vec<(bool, NodeId, Value)>,
        span_of: impl Fn(NodeId) -> Span,
        whole: Span,
        context: &Context,
    ) -> Option<Value> {
        let mut scalars: Vec<(Expr, Rational)> = Vec::new();
        let mut tensor: Option<(Value, Span)> = None;
        let mut bits = 0;
        for (over, id, value) in factors {
            let span = span_of(id);
            match value {
                Value::Scalar(e) => {
                    bits += bit_size(&e);
                    if over && e.is_zero() {
                        return self.fail(
                            Diagnostic::error(
                                "division-by-zero",
                                span,
                                "division by an expression that is identically zero",
                            )
                            .label("this is 0"),
                        );
                    }
                    scalars.push((
                        e,
                        if over {
                            Rational::MINUS_ONE
                        } else {
                            Rational::ONE
                        },
                    ));
                }
                other if over => {
                    let message = format!("cannot divide by {}", other.shape());
                    return self.fail(Diagnostic::error("shape", span, message));
                }
                other => {
                    tensor = Some(match tensor {
                        None => (other, span),
                        Some((left, at)) => (
                            self.tensor_product(&left, &other, at, span, context)?,
                            at.to(span),
                        ),
                    });
                }
            }
        }
        if bits > MAX_BITS {
            return self.too_large(whole);
        }
        let scalar = Expr::power_product(scalars);
        Some(match tensor {
            None => Value::Scalar(scalar),
            Some((value, span)) => {
                self.spend(value.shape().size(), span)?;
                value.map(|e| e * &scalar)
            }
        })
    }

    fn tensor_product(
        &mut self,
        a: &Value,
        b: &Value,
        at: Span,
        to: Span,
        context: &Context,
    ) -> Option<Value> {
        match (a, b) {
            (Value::Matrix(m), Value::Vector(v)) if m.cols() == v.len() => {
                self.spend(m.rows() * m.cols(), at)?;
                Some(Value::Vector(m.apply(v)))
            }
            (Value::Matrix(m), Value::Matrix(n)) if m.cols() == n.rows() => {
                self.spend(m.rows() * m.cols() * n.cols(), at)?;
                Some(Value::Matrix(m * n))
            }
            (Value::Vector(p), Value::Vector(q))
                if context.group == Some(GroupKind::SU2) && p.len() == 4 && q.len() == 4 =>
            {
                Some(Value::Vector(quaternion_product(p, q)))
            }
            _ => {
                let message = format!("cannot multiply {} by {}", a.shape(), b.shape());
                let diagnostic = Diagnostic::error("shape", to, message)
                    .label(b.shape().to_string())
                    .also(at, a.shape().to_string());
                self.fail(match (a, b) {
                    (Value::Vector(_), Value::Vector(_)) => diagnostic.help(
                        "the scalar product is `dot(a, b)`, the vector product `cross(a, b)`",
                    ),
                    (Value::Vector(_), Value::Matrix(_)) => {
                        diagnostic.help("a row times a matrix is `transpose(A)*v`")
                    }
                    _ => diagnostic,
                })
            }
        }
    }

    fn power(
        &mut self,
        base: Value,
        exponent: Value,
        base_span: Span,
        exponent_span: Span,
    ) -> Option<Value> {
        let whole = base_span.to(exponent_span);
        let (Value::Scalar(b), Value::Scalar(e)) = (&base, &exponent) else {
            let message = format!(
                "cannot raise {} to the power of {}",
                base.shape(),
                exponent.shape()
            );
            let diagnostic = Diagnostic::error("shape", whole, message);
            return self.fail(match base {
                Value::Vector(_) => diagnostic.help("the squared length of a vector is `norm2(v)`"),
                Value::Matrix(_) => diagnostic.help("write the product: `A*A`"),
                Value::Scalar(_) => diagnostic,
            });
        };
        if let Some(r) = e.as_number() {
            if b.is_zero() && r.is_negative() {
                return self.fail(
                    Diagnostic::error("division-by-zero", base_span, "zero has no negative power")
                        .label("this is 0"),
                );
            }
            let reasonable = r
                .as_small()
                .is_some_and(|(n, d)| n.abs() <= MAX_EXPONENT && d <= MAX_EXPONENT);
            let (n, d) = r.as_small().unwrap_or((i64::MAX, 1));
            // An exact root of a number works with its d-th powers.
            let growth = bit_size(b)
                .saturating_mul(n.unsigned_abs())
                .saturating_mul(d.unsigned_abs());
            if !reasonable || (bit_size(b) > 1 && growth > MAX_BITS) {
                return self.too_large(whole);
            }
        } else if b.as_number().is_some_and(|n| n.is_negative()) {
            let message = "a negative number has no power with a symbolic exponent";
            return self.fail(Diagnostic::error("undefined", whole, message));
        }
        Some(Value::Scalar(b.pow(e)))
    }

    fn too_large<T>(&mut self, span: Span) -> Option<T> {
        self.fail(Diagnostic::error(
            "number",
            span,
            "this number is too large to be kept exactly",
        ))
    }

    fn list(&mut self, items: Vec<(Span, Value)>, span: Span) -> Option<Value> {
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

    fn index(
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
                    return self.fail(Diagnostic::error("index", *span, message));
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

    fn prime(
        &mut self,
        tree: &Tree,
        of: NodeId,
        value: &Value,
        count: u32,
        span: Span,
    ) -> Option<Value> {
        if let Some(name) = base_name(tree, of) {
            self.check_prime(name, span)?;
        }
        let size = value.shape().size();
        let jets = value.entries().iter().all(|e| e.as_symbol().is_some());
        if count > MAX_PRIMES || (!jets && count > 16) {
            return self.fail(Diagnostic::error(
                "derivative",
                span,
                "too many time derivatives",
            ));
        }
        let mut entries = value.entries().to_vec();
        for _ in 0..count {
            self.spend(size, span)?;
            entries = self.scope.total_derivative(&entries);
        }
        Some(Value::from_entries(value.shape(), entries))
    }

    /// Names that have no time derivative of their own.
    fn check_prime(&mut self, name: &str, span: Span) -> Option<()> {
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
            Meaning::Parameter(_) => format!("`{name}` is a parameter: its time derivative is 0"),
            Meaning::Control(_) => {
                format!("`{name}` is a control, and its time derivative is not known")
            }
            Meaning::Group {
                kind: GroupKind::R(_),
                ..
            } => return Some(()),
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

fn take(values: &mut [Option<Value>], id: NodeId) -> Option<Value> {
    values.get_mut(id as usize)?.take()
}

/// All values, or none if one has failed.
fn collect(
    items: impl Iterator<Item = (bool, NodeId, Option<Value>)>,
) -> Option<Vec<(bool, NodeId, Value)>> {
    items
        .map(|(flag, id, value)| Some((flag, id, value?)))
        .collect()
}

/// Bits of the numeric coefficient: what products and powers multiply.
fn bit_size(e: &Expr) -> u64 {
    let coefficient = match e.as_number() {
        Some(number) => number.clone(),
        None => e.split_coefficient().0,
    };
    match coefficient.as_small() {
        Some((n, d)) => u64::from(64 - n.unsigned_abs().leading_zeros())
            .max(u64::from(64 - d.unsigned_abs().leading_zeros())),
        None => {
            8 * coefficient
                .numerator()
                .to_le_bytes()
                .len()
                .max(coefficient.denominator().to_le_bytes().len()) as u64
        }
    }
}

/// A name short enough for a message.
pub(crate) fn clip(name: &str) -> String {
    if name.chars().count() > 40 {
        name.chars().take(40).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}
