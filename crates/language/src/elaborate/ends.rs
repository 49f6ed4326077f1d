//! Conditions at the end and on the way, and guesses along the path.

use std::collections::HashMap;

use rattleback_lie::Group;
use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::ends::{Condition, Guess, Via};
use crate::moments::{at_start, moved};
use crate::scope::{Dependence, Meaning};
use crate::source::Span;
use crate::syntax::{Chain, Equation, Relation, Statement, StatementKind, Tree};
use crate::value::{Shape, Value};

use super::Elaborator;
use super::access::{Target, access};
use super::context::Context;

const GOAL: Context = Context::motion("a goal").with_start();
const VIA: Context = Context::motion("a condition on the way").with_start();
const VIA_TIME: Context = Context::constant("the time of `via`");
const GUESS: Context = Context::time("a guess");

/// A side of a condition, with what it depends on.
type Side = Option<(Value, Dependence)>;

impl Elaborator<'_> {
    pub(super) fn ends(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Goal(chains) => {
                    let goals = self.conditions(chains, &GOAL);
                    self.model.goals.extend(goals);
                }
                StatementKind::Periodic(items) => {
                    let goals: Vec<_> = items
                        .iter()
                        .filter_map(|tree| self.periodic(tree))
                        .collect();
                    self.model.goals.extend(goals.into_iter().flatten());
                }
                StatementKind::Via { time, conditions } => {
                    let at = self.scalar(time, &VIA_TIME);
                    let conditions = self.conditions(conditions, &VIA);
                    self.check_twice(&conditions);
                    let span = time.span();
                    self.model.vias.extend(at.map(|time| Via {
                        time,
                        conditions,
                        span,
                    }));
                }
                StatementKind::Guess(items) => items.iter().for_each(|item| self.guess(item)),
                _ => {}
            }
        }
        let goals = std::mem::take(&mut self.model.goals);
        self.check_twice(&goals);
        self.model.goals = goals;
    }

    fn conditions(&mut self, chains: &[Chain], context: &Context) -> Vec<Condition> {
        let mut all = Vec::new();
        for chain in chains {
            match self.element_of(chain) {
                Some((group, kind)) => {
                    all.extend(self.element_condition(chain, group, kind, context))
                }
                None => self.scalar_conditions(chain, context, &mut all),
            }
        }
        all
    }

    /// The group factor that an equation gives an element to.
    fn element_of(&self, chain: &Chain) -> Option<(String, Group)> {
        let access = access(chain.sides.first()?, self.source)?;
        let whole = access.indices.is_none() && access.primes == 0;
        match self.scope.entries.get(access.name).map(|e| &e.meaning) {
            Some(Meaning::Group { kind, .. }) if whole && chain.relations == [Relation::Equal] => {
                Some((access.name.to_owned(), *kind))
            }
            _ => None,
        }
    }

    fn element_condition(
        &mut self,
        chain: &Chain,
        group: String,
        kind: Group,
        context: &Context,
    ) -> Vec<Condition> {
        let [left, right] = chain.sides.as_slice() else {
            return Vec::new();
        };
        let context = context.of_group(kind);
        let (element, value) = (self.value(left, &context), self.value(right, &context));
        let (Some(element), Some(value)) = (element, value) else {
            return Vec::new();
        };
        if self
            .evaluator()
            .check_element(kind, &value, right)
            .is_none()
        {
            return Vec::new();
        }
        let span = left.span().to(right.span());
        if kind.is_vector_space() {
            let pairs = element.entries().iter().zip(value.entries());
            return pairs
                .map(|(l, r)| equal(l.clone(), r.clone(), span))
                .collect();
        }
        let entries = value.entries().to_vec();
        vec![Condition::Element {
            group,
            entries,
            span,
        }]
    }

    fn scalar_conditions(&mut self, chain: &Chain, context: &Context, all: &mut Vec<Condition>) {
        let sides: Vec<Side> = chain
            .sides
            .iter()
            .map(|side| {
                let value = self.value(side, context)?;
                Some((value, self.ledger.dependence))
            })
            .collect();
        let several = chain.relations.len() > 1;
        for (k, &relation) in chain.relations.iter().enumerate() {
            let (left, right) = (chain.sides[k].span(), chain.sides[k + 1].span());
            let relation = match relation {
                Relation::Less | Relation::LessOrEqual => Relation::LessOrEqual,
                Relation::Greater | Relation::GreaterOrEqual => Relation::GreaterOrEqual,
                Relation::Equal if !several => Relation::Equal,
                _ => {
                    let message = match relation {
                        Relation::NotEqual => {
                            "a condition is an equation or an inequality, and `!=` is neither"
                        }
                        _ => "a chain is made of inequalities alone",
                    };
                    let diagnostic = Diagnostic::error("condition", left.to(right), message)
                        .help("write several conditions, separated by commas");
                    return self.sink.push(diagnostic);
                }
            };
            let (Some((l, a)), Some((r, b))) = (&sides[k], &sides[k + 1]) else {
                continue;
            };
            if !self.check_sides(l, r, relation, left, right) {
                continue;
            }
            let span = left.to(right);
            if a.and(*b) == Dependence::default() {
                let diagnostic = Diagnostic::error(
                    "condition",
                    span,
                    "this condition contains nothing of the state and no free number",
                )
                .help("a condition is such as `x = 1`, `y >= 2` or `theta = start(theta) + 2*pi`");
                self.sink.push(diagnostic);
                continue;
            }
            let pairs = l.entries().iter().zip(r.entries());
            all.extend(pairs.map(|(l, r)| Condition::Scalar {
                left: l.clone(),
                relation,
                right: r.clone(),
                span,
            }));
        }
    }

    /// Whether two sides can be compared.
    fn check_sides(
        &mut self,
        l: &Value,
        r: &Value,
        relation: Relation,
        left: Span,
        right: Span,
    ) -> bool {
        if l.shape() != r.shape() {
            let message = format!("expected {}, found {}", l.shape(), r.shape());
            let diagnostic = Diagnostic::error("shape", right, message)
                .label(r.shape().to_string())
                .also(left, l.shape().to_string());
            self.sink.push(diagnostic);
            return false;
        }
        if relation != Relation::Equal && l.shape() != Shape::Scalar {
            let message = format!(
                "an inequality compares scalars, but these are {}",
                l.shape()
            );
            let diagnostic = Diagnostic::error("shape", left.to(right), message)
                .help("compare the entries one by one");
            self.sink.push(diagnostic);
            return false;
        }
        true
    }

    /// Reports a symbol that gets two values at one time.
    fn check_twice(&mut self, conditions: &[Condition]) {
        let mut places: HashMap<(&str, u32), Span> = HashMap::new();
        for condition in conditions {
            let (name, order) = match condition {
                Condition::Element { group, .. } => (group.as_str(), 0),
                Condition::Scalar { .. } => match condition.assigned() {
                    Some((symbol, _)) => (symbol.name(), symbol.order()),
                    None => continue,
                },
            };
            let span = condition.span();
            if let Some(first) = places.insert((name, order), span) {
                let primes = "'".repeat(order as usize);
                let message = format!("`{name}{primes}` gets a value twice");
                let diagnostic = Diagnostic::error("duplicate", span, message)
                    .label("second")
                    .also(first, "first")
                    .help("remove one of them");
                return self.sink.push(diagnostic);
            }
        }
    }

    /// `periodic x`: x = start(x) at the end.
    fn periodic(&mut self, tree: &Tree) -> Option<Vec<Condition>> {
        let target = self.evaluator().target(tree)?;
        let span = tree.span();
        match target {
            Target::Symbols(symbols, _) => {
                let goal = |s: &Symbol| equal(s.into(), at_start(s).into(), span);
                Some(symbols.iter().map(goal).collect())
            }
            Target::Element { .. } => {
                let group = access(tree, self.source)?.name.to_owned();
                let element = self.scope.value(&group)?;
                let entries = element.entries().iter().map(|e| moved(e, at_start));
                Some(vec![Condition::Element {
                    group,
                    entries: entries.collect(),
                    span,
                }])
            }
            Target::Generated(..) => {
                let message = "a multiplier or a momentum has a start value, but no goal";
                self.sink
                    .push(Diagnostic::error("target", span, message).help("remove it"));
                None
            }
        }
    }

    /// `guess x = EXPR`
    fn guess(&mut self, equation: &Equation) {
        let target = match self.guessed_control(&equation.left) {
            Some(control) => Some(Target::Symbols(vec![control], Shape::Scalar)),
            None => self.evaluator().target(&equation.left),
        };
        let context = self.evaluator().in_group(GUESS, target.as_ref());
        let value = self.value(&equation.right, &context);
        let (Some(target), Some(value)) = (target, value) else {
            return;
        };
        if !self.is_guessed(&target, equation.left.span()) {
            return;
        }
        let Some(pairs) = self.evaluator().assigned(target, &value, equation) else {
            return;
        };
        let span = equation.left.span().to(equation.right.span());
        for (symbol, value) in pairs {
            if let Some(first) = self.model.guesses.iter().find(|g| g.symbol == symbol) {
                let message = format!("`{symbol}` gets a guess twice");
                let diagnostic = Diagnostic::error("duplicate", span, message)
                    .label("second")
                    .also(first.span, "first")
                    .help("remove one of them");
                return self.sink.push(diagnostic);
            }
            self.model.guesses.push(Guess {
                symbol,
                value,
                span,
            });
        }
    }

    fn guessed_control(&self, tree: &Tree) -> Option<Symbol> {
        let access = access(tree, self.source)?;
        let plain = access.primes == 0 && access.indices.is_none();
        match &self.scope.entries.get(access.name)?.meaning {
            Meaning::Control(symbol) if plain => Some(symbol.clone()),
            _ => None,
        }
    }

    /// Whether a guess may be given to this: to positions, auxiliary states and controls.
    fn is_guessed(&mut self, target: &Target, span: Span) -> bool {
        let message = match target {
            Target::Generated(..) => "a multiplier or a momentum has no guess",
            Target::Symbols(symbols, _)
                if symbols
                    .iter()
                    .any(|s| self.scope.order(s).is_some_and(|o| o > 0)) =>
            {
                "a velocity has no guess of its own: it follows from that of the position"
            }
            _ => return true,
        };
        let diagnostic = Diagnostic::error("target", span, message)
            .help("a guess is for coordinates, group elements, auxiliary states and controls");
        self.sink.push(diagnostic);
        false
    }
}

fn equal(left: Expr, right: Expr, span: Span) -> Condition {
    Condition::Scalar {
        left,
        relation: Relation::Equal,
        right,
        span,
    }
}
