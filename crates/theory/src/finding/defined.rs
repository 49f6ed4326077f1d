//! Witnesses that keep the definitions of derived parameters.

use super::{Answer, Evidence, Point};
use rattleback_symbolic::{Expr, Rational, Role, Sign, Symbol, enclose, facts_of};

/// Parameters that are defined by others, and values of all of them.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Each with its definition, in an order in which they can be worked out.
    pub derived: Vec<(Symbol, Expr)>,
    /// Values of all parameters that keep the definitions.
    pub values: Vec<(Symbol, Expr)>,
}

impl Answer {
    /// The same answer with points at which derived parameters have the values that their definitions give them: a body
    /// that cannot exist is a poor witness. Where no such point is found, the statement is one about free parameters,
    /// and its point stays.
    pub fn keeping(self, definitions: &Definitions) -> Self {
        match self {
            Answer::Proven(e) => Answer::Proven(definitions.kept(e)),
            Answer::Refuted(e) => Answer::Refuted(definitions.kept(e)),
            Answer::Undecided(why) => Answer::Undecided(why),
        }
    }
}

impl Definitions {
    fn kept(&self, evidence: Evidence) -> Evidence {
        let all = |parts: Vec<Evidence>| parts.into_iter().map(|e| self.kept(e)).collect();
        match evidence {
            Evidence::Point(point) => Evidence::Point(self.moved(&point).unwrap_or(point)),
            Evidence::Theorem { theorem, premises } => Evidence::Theorem {
                theorem,
                premises: all(premises),
            },
            Evidence::Absent(absent) => Evidence::Absent(absent.with_premises(all)),
            Evidence::Parts(parts) => Evidence::Parts(all(parts)),
            zero @ Evidence::Zero(_) => zero,
        }
    }

    /// A point that keeps the definitions, where this one has derived parameters and such a point is found.
    fn moved(&self, point: &Point) -> Option<Point> {
        let is_derived = |s: &Symbol| self.derived.iter().any(|(d, _)| d == s);
        if !point.at.iter().any(|(s, _)| is_derived(s)) {
            return None;
        }
        let kept = |keep: &dyn Fn(&Symbol) -> bool| -> Vec<(Symbol, Rational)> {
            let values = point.at.iter().filter(|(s, _)| !is_derived(s) && keep(s));
            values.cloned().collect()
        };
        // The parameters of the point first, then those of the model.
        let points = [kept(&|_| true), kept(&|s| s.role() != Role::Constant)];
        points.into_iter().find_map(|at| self.at(point, at))
    }

    /// The point with these values, the other parameters from the model and the derived ones from their definitions.
    fn at(&self, point: &Point, mut at: Vec<(Symbol, Rational)>) -> Option<Point> {
        let mut known: Vec<(Symbol, Expr)> =
            at.iter().map(|(s, r)| (s.clone(), r.into())).collect();
        let mut function = point.function.clone();
        for (s, value) in &self.values {
            if known.iter().any(|(n, _)| n == s) {
                continue;
            }
            let definition = self.derived.iter().find(|(d, _)| d == s).map(|(_, e)| e);
            let value = definition.unwrap_or(value).substitute(&known);
            match (value.as_number(), definition) {
                (Some(r), _) => at.push((s.clone(), r.clone())),
                // Points are rational: what is not is written by what defines it.
                (None, Some(e)) => function = function.substitute(&[(s.clone(), e.clone())]),
                (None, None) => return None,
            }
            known.push((s.clone(), value));
        }
        if !respects(&known) {
            return None;
        }
        let value = enclose(&function.substitute(&known)).filter(|v| v.excludes_zero())?;
        // Only what the function contains, and what these are made of, is shown.
        let contained = function.free_symbols();
        at.retain(|(s, _)| contained.contains(s) || self.defines(s, &contained));
        Some(Point {
            function,
            at,
            value,
            ..point.clone()
        })
    }

    /// Does a derived parameter among these depend on the symbol?
    fn defines(&self, s: &Symbol, contained: &[Symbol]) -> bool {
        let of = |(d, e): &(Symbol, Expr)| contained.contains(d) && e.contains(s);
        self.derived.iter().any(of)
    }
}

/// Do constants respect all that is assumed of their symbols, certainly?
fn respects(point: &[(Symbol, Expr)]) -> bool {
    let symbols: Vec<Symbol> = point.iter().map(|(s, _)| s.clone()).collect();
    let plain: Vec<(Symbol, Expr)> = point.iter().map(|(s, e)| (s.plain(), e.clone())).collect();
    let signs = point.iter().map(|(s, e)| (e.clone(), s.sign()));
    let facts = facts_of(&symbols);
    let relations = facts
        .iter()
        .map(|f| (f.expression().substitute(&plain), f.sign()));
    signs
        .chain(relations)
        .all(|(value, sign)| has_sign(&value, sign))
}

fn has_sign(value: &Expr, sign: Sign) -> bool {
    if sign == Sign::Unknown {
        return true;
    }
    let Some(v) = enclose(value) else {
        return false;
    };
    match sign {
        Sign::Unknown => true,
        Sign::NonZero => v.excludes_zero(),
        Sign::Positive => v.low > 0.0,
        Sign::NonNegative => v.low > 0.0 || value.is_zero(),
        Sign::Negative => v.high < 0.0,
        Sign::NonPositive => v.high < 0.0 || value.is_zero(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Function;
    use rattleback_symbolic::prove_zero;

    fn rod() -> (Definitions, [Expr; 3]) {
        let [m, l, j] = ["m", "l", "J"].map(|n| Symbol::constant(n).with_sign(Sign::Positive));
        let [me, le, je] = [&m, &l, &j].map(Expr::from);
        let derived = vec![(j.clone(), &me * le.powi(2) / 12)];
        let values = vec![(m, 2.into()), (l, 3.into()), (j, Expr::ratio(3, 2))];
        (Definitions { derived, values }, [me, le, je])
    }

    #[test]
    fn witnesses_are_bodies_that_exist() {
        let (definitions, [m, l, j]) = rod();
        let f = [&j - &m * &l];
        let answer = Answer::vanish(&f, prove_zero(&f[0]), Function::Residual);
        let Answer::Refuted(Evidence::Point(point)) = answer.keeping(&definitions) else {
            panic!("m l²/12 - m l is not zero");
        };
        let at = |e: &Expr| {
            let values: Vec<(Symbol, Expr)> = point
                .at
                .iter()
                .map(|(s, r)| (s.clone(), r.into()))
                .collect();
            e.substitute(&values)
        };
        assert!(at(&(&j - &m * l.powi(2) / 12)).is_zero(), "{:?}", point.at);
        assert!(point.value.excludes_zero() && !at(&f[0]).is_zero());
    }

    #[test]
    fn a_statement_about_free_parameters_keeps_its_point() {
        let (definitions, [m, l, j]) = rod();
        let f = [12 * &j - &m * l.powi(2)];
        let answer = Answer::vanish(&f, prove_zero(&f[0]), Function::Residual);
        assert_eq!(answer.clone().keeping(&definitions), answer);
    }
}
