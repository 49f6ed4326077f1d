//! The functions of the language.

use rattleback_symbolic::{Expr, Fact, Matrix, Rational, Sign, dot, enclose};

use crate::diagnostic::Diagnostic;
use crate::group::rotation_matrix;
use crate::slips;
use crate::source::Span;
use crate::syntax::Name;
use crate::value::{Shape, Value, cross, hat};

use super::context::Context;
use super::evaluate::Evaluator;

impl Evaluator<'_> {
    /// The value of a call of a known function.
    pub(crate) fn call(
        &mut self,
        name: &Name,
        arguments: &[Value],
        spans: &[Span],
        whole: Span,
        context: &Context,
    ) -> Option<Value> {
        let call = Call {
            name,
            arguments,
            spans,
            whole,
        };
        for value in arguments {
            self.spend_on(value, whole)?;
        }
        match name.text.as_str() {
            "atan2" => {
                let [y, x] = self.scalars(&call)?;
                Some(Value::Scalar(Expr::atan2(&y, &x)))
            }
            "dot" => {
                let (a, b) = self.equal_vectors(&call)?;
                Some(Value::Scalar(dot(a, b)))
            }
            "cross" => {
                let [a, b] = self.three_vectors(&call)?;
                Some(Value::Vector(cross(a, b)))
            }
            "norm2" => {
                self.count(&call, 1)?;
                let v = self.vector(&call, 0)?;
                Some(Value::Scalar(dot(v, v)))
            }
            "transpose" => {
                self.count(&call, 1)?;
                match &arguments[0] {
                    Value::Matrix(m) => Some(Value::Matrix(m.transpose())),
                    other => self.wrong_shape(&call, 0, "a matrix", other.shape()),
                }
            }
            "hat" => {
                let [v] = self.three_vectors(&call)?;
                Some(Value::Matrix(hat(v)))
            }
            "diag" => self.diagonal(&call),
            "rotation" => self.rotation(&call, context),
            _ => {
                let [x] = self.scalars(&call)?;
                self.elementary(&call, &x).map(Value::Scalar)
            }
        }
    }

    fn elementary(&mut self, call: &Call, x: &Expr) -> Option<Expr> {
        let number = match x.free_symbols().is_empty() {
            true => enclose(x),
            false => None,
        };
        let negative = x.as_number().is_some_and(Rational::is_negative)
            || number.is_some_and(|v| v.high < 0.0);
        let beyond_one = x.as_number().is_some_and(|r| r.abs() > Rational::ONE)
            || number.is_some_and(|v| v.low > 1.0 || v.high < -1.0);
        let name = call.name.text.as_str();
        let outside = match name {
            "sqrt" if negative => Some("a negative number has no real square root"),
            "log" if negative || x.is_zero() => Some("only positive numbers have a logarithm"),
            "asin" | "acos" if beyond_one => Some("no angle has a sine or cosine beyond 1"),
            "cot" | "csc" if x.is_zero() => Some("this divides by the sine of zero"),
            _ => None,
        };
        if let Some(message) = outside {
            return self.fail(Diagnostic::error(
                "undefined",
                call.whole,
                format!("`{name}` is not defined here: {message}"),
            ));
        }
        let mut ask = |x: Expr, sign: Sign| {
            if x.as_number().is_none() {
                let fact = Fact::new(x, sign);
                self.ledger.asked.push((fact.into(), call.whole));
            }
        };
        match name {
            "sqrt" => ask(x.clone(), Sign::NonNegative),
            "log" => ask(x.clone(), Sign::Positive),
            "asin" | "acos" => {
                ask(Expr::one() - x, Sign::NonNegative);
                ask(Expr::one() + x, Sign::NonNegative);
            }
            _ => {}
        }
        Some(match name {
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "cot" => x.cot(),
            "sec" => x.sec(),
            "csc" => x.csc(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "exp" => x.exp(),
            "log" => x.log(),
            _ => x.sqrt(),
        })
    }

    fn count(&mut self, call: &Call, wanted: usize) -> Option<()> {
        let found = call.arguments.len();
        if found == wanted {
            return Some(());
        }
        let plural = if wanted == 1 { "argument" } else { "arguments" };
        let message = format!(
            "`{}` takes {wanted} {plural}, found {found}",
            call.name.text
        );
        let diagnostic = Diagnostic::error("arguments", call.whole, message);
        self.fail(match (call.name.text.as_str(), found) {
            // `dot(x)` is a derivative elsewhere.
            ("dot", 1) => diagnostic.help(slips::DERIVATIVE),
            ("atan", 2) => diagnostic.help("write `atan2(y, x)`"),
            _ => diagnostic,
        })
    }

    fn wrong_shape<T>(&mut self, call: &Call, k: usize, wanted: &str, found: Shape) -> Option<T> {
        let message = format!("`{}` takes {wanted}, but this is {found}", call.name.text);
        self.fail(Diagnostic::error("shape", call.spans[k], message).label(found.to_string()))
    }

    fn scalars<const N: usize>(&mut self, call: &Call) -> Option<[Expr; N]> {
        self.count(call, N)?;
        let mut scalars = Vec::with_capacity(N);
        for (k, value) in call.arguments.iter().enumerate() {
            match value {
                Value::Scalar(e) => scalars.push(e.clone()),
                other => return self.wrong_shape(call, k, "a scalar", other.shape()),
            }
        }
        scalars.try_into().ok()
    }

    fn vector<'v>(&mut self, call: &Call<'v>, k: usize) -> Option<&'v [Expr]> {
        match &call.arguments[k] {
            Value::Vector(v) => Some(v),
            other => self.wrong_shape(call, k, "a vector", other.shape()),
        }
    }

    fn equal_vectors<'v>(&mut self, call: &Call<'v>) -> Option<(&'v [Expr], &'v [Expr])> {
        self.count(call, 2)?;
        let (a, b) = (self.vector(call, 0)?, self.vector(call, 1)?);
        if a.len() == b.len() {
            return Some((a, b));
        }
        let (left, right) = (Shape::Vector(a.len()), Shape::Vector(b.len()));
        let message = format!(
            "`{}` takes vectors of one length, but these are {left} and {right}",
            call.name.text
        );
        self.fail(
            Diagnostic::error("shape", call.spans[1], message)
                .label(right.to_string())
                .also(call.spans[0], left.to_string()),
        )
    }

    fn three_vectors<'v, const N: usize>(&mut self, call: &Call<'v>) -> Option<[&'v [Expr]; N]> {
        self.count(call, N)?;
        let mut vectors = Vec::with_capacity(N);
        for k in 0..N {
            let v = self.vector(call, k)?;
            if v.len() != 3 {
                return self.wrong_shape(
                    call,
                    k,
                    "a vector with 3 entries",
                    Shape::Vector(v.len()),
                );
            }
            vectors.push(v);
        }
        vectors.try_into().ok()
    }

    fn diagonal(&mut self, call: &Call) -> Option<Value> {
        let n = call.arguments.len();
        self.spend(n.saturating_mul(n), call.whole)?;
        if n > 256 {
            return self.fail(Diagnostic::error(
                "size",
                call.whole,
                "a diagonal matrix has at most 256 rows",
            ));
        }
        let mut entries = Vec::with_capacity(n);
        for (k, value) in call.arguments.iter().enumerate() {
            match value {
                Value::Scalar(e) => entries.push(e.clone()),
                other => return self.wrong_shape(call, k, "scalars", other.shape()),
            }
        }
        Some(Value::Matrix(Matrix::diagonal(&entries)))
    }

    /// `rotation(axis, angle)` of space, or `rotation(angle)` of the plane.
    fn rotation(&mut self, call: &Call, context: &Context) -> Option<Value> {
        if let [Value::Scalar(angle)] = call.arguments {
            let (s, c) = (angle.sin(), angle.cos());
            return Some(Value::Matrix(Matrix::from_rows(&[
                vec![c.clone(), -&s],
                vec![s, c],
            ])));
        }
        self.count(call, 2)?;
        let axis = self.vector(call, 0)?;
        if axis.len() != 3 {
            return self.wrong_shape(call, 0, "an axis with 3 entries", Shape::Vector(axis.len()));
        }
        let angle = match &call.arguments[1] {
            Value::Scalar(angle) => angle,
            other => return self.wrong_shape(call, 1, "an angle", other.shape()),
        };
        let length2 = dot(axis, axis);
        if length2.is_zero() {
            return self.fail(Diagnostic::error(
                "undefined",
                call.spans[0],
                "the axis of a rotation cannot be zero",
            ));
        }
        let inverse_length = length2.powr(&Rational::new(-1, 2));
        let unit: Vec<Expr> = axis.iter().map(|n| n * &inverse_length).collect();
        let of_group = context.group.and_then(|g| g.turn_about(&unit, angle));
        Some(match of_group {
            Some(components) => Value::Vector(components),
            None => Value::Matrix(rotation_matrix(&unit, angle)),
        })
    }
}

/// A call with its places.
struct Call<'v> {
    name: &'v Name,
    arguments: &'v [Value],
    spans: &'v [Span],
    whole: Span,
}
