//! Arithmetic of values: numbers, sums, products and powers, with shapes and sizes checked.

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Fact, Kind, Rational, Sign, is_probably_zero, prove_zero};

use crate::diagnostic::Diagnostic;
use crate::numeric::{MAX_BITS, coefficient_bits, power_bits};
use crate::source::Span;
use crate::syntax::NodeId;
use crate::value::{Shape, Value};

use super::context::Context;
use super::evaluate::{Demand, Evaluator};

/// How many digits a number may have.
const MAX_DIGITS: usize = 4096;
/// The largest exponent, and the largest denominator of one.
const MAX_EXPONENT: i64 = 10_000;

impl Evaluator<'_> {
    pub(super) fn number(&mut self, span: Span) -> Option<Expr> {
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

    pub(super) fn sum(
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

    pub(super) fn product(
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
                    bits += coefficient_bits(&e);
                    if over && self.vanishes(&e, span) {
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

    pub(super) fn tensor_product(
        &mut self,
        a: &Value,
        b: &Value,
        at: Span,
        to: Span,
        context: &Context,
    ) -> Option<Value> {
        match (a, b) {
            (Value::Matrix(m), Value::Vector(v)) if m.cols() == v.len() => {
                self.spend(4 * m.rows() * m.cols(), at)?;
                Some(Value::Vector(m.apply(v)))
            }
            (Value::Matrix(m), Value::Matrix(n)) if m.cols() == n.rows() => {
                self.spend(4 * m.rows() * m.cols() * n.cols(), at)?;
                Some(Value::Matrix(m * n))
            }
            (Value::Vector(p), Value::Vector(q))
                if context.group.is_some_and(|g| multiplies(g, [p, q])) =>
            {
                context.group.map(|g| Value::Vector(g.product(p, q)))
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

    pub(super) fn power(
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
            if r.is_negative() && self.vanishes(b, base_span) {
                return self.fail(
                    Diagnostic::error("division-by-zero", base_span, "zero has no negative power")
                        .label("this is 0"),
                );
            }
            let reasonable = r
                .as_small()
                .is_some_and(|(n, d)| n.abs() <= MAX_EXPONENT && d <= MAX_EXPONENT);
            let growth = power_bits(coefficient_bits(b), r);
            if !reasonable || growth > MAX_BITS {
                return self.too_large(whole);
            }
            if !r.is_integer() && b.as_number().is_none() {
                let fact = Fact::new(b.clone(), Sign::NonNegative);
                self.ledger.asked.push((fact.into(), whole));
            }
        } else if b.as_number().is_some_and(|n| n.is_negative()) {
            let message = "a negative number has no power with a symbolic exponent";
            return self.fail(Diagnostic::error("undefined", whole, message));
        } else if b.as_number().is_none() {
            let demand = Demand {
                fact: Fact::new(b.clone(), Sign::NonNegative),
                unless_whole: Some(e.clone()),
            };
            self.ledger.asked.push((demand, whole));
        }
        Some(Value::Scalar(b.pow(e)))
    }

    /// Whether an expression is identically zero, if only after simplification.
    pub(super) fn vanishes(&mut self, e: &Expr, span: Span) -> bool {
        if !matches!(
            e.kind(),
            Kind::Sum(..) | Kind::Product(..) | Kind::Scaled(..)
        ) {
            return e.is_zero();
        }
        // The test costs as much as the expression is large.
        self.spend(e.node_count(), span).is_some()
            && is_probably_zero(e)
            && prove_zero(e).is_proven()
    }

    pub(super) fn too_large<T>(&mut self, span: Span) -> Option<T> {
        self.fail(Diagnostic::error(
            "number",
            span,
            "this number is too large to be kept exactly",
        ))
    }
}

/// Do vectors stand for elements that have a product, as quaternions do?
fn multiplies(group: Group, factors: [&[Expr]; 2]) -> bool {
    let by_components = group.matrix_size().is_none() && !group.is_vector_space();
    by_components && factors.iter().all(|v| v.len() == group.coordinates())
}
