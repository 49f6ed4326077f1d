//! The problem: start, horizon, costs, bounds and drawings.

use rattleback_symbolic::Expr;

use crate::diagnostic::Diagnostic;
use crate::drawing::{self, DrawSize};
use crate::ends::Cost;
use crate::model::{Bound, Draw, DrawArgument, Horizon};
use crate::scope::Dependence;
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{
    Chain, DrawStatement, DrawValue, Name, Relation, StartItem, Statement, StatementKind, Tree,
};
use crate::value::Shape;

use super::Elaborator;
use super::context::Context;
use super::evaluate::clip;

const COST: Context = Context::everything("the cost");
const TERMINAL: Context = Context::motion("the terminal cost").with_start();
const BOUND: Context = Context::everything("a bound");
const TIME: Context = Context::constant("a time");
const DRAW: Context = Context::everything("what is drawn");

impl Elaborator<'_> {
    pub(super) fn problem(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Start(items) => items.iter().for_each(|item| self.start(item)),
                StatementKind::Cost(tree) => {
                    let cost = self.cost(statement, tree, &COST);
                    self.model.costs.extend(cost);
                }
                StatementKind::Terminal(tree) => {
                    let terminal = self.cost(statement, tree, &TERMINAL);
                    self.model.terminals.extend(terminal);
                }
                StatementKind::Bound(chains) => chains.iter().for_each(|chain| self.bound(chain)),
                StatementKind::Time { from, to, step } => {
                    let horizon = self.horizon(statement, from, to, step.as_ref());
                    if self.only_once("time", statement.keyword) {
                        self.model.time = horizon;
                    }
                }
                StatementKind::Draw(draw) => self.draw(statement, draw),
                _ => {}
            }
        }
    }

    fn start(&mut self, item: &StartItem) {
        let read = self
            .evaluator()
            .assignments(&item.equation, item.approximate, "a start value");
        for assignment in read.unwrap_or_default() {
            let span = assignment.span;
            let symbol = assignment.symbol.clone();
            if let Some(first) = self.model.start.assign(assignment, &self.scope) {
                let diagnostic = Diagnostic::error(
                    "duplicate",
                    span,
                    format!("`{symbol}` gets a start value twice"),
                )
                .label("second")
                .also(first, "first")
                .help("remove one of them");
                self.sink.push(diagnostic);
                return;
            }
        }
    }

    /// One term of a cost.
    fn cost(&mut self, statement: &Statement, tree: &Tree, context: &Context) -> Option<Cost> {
        let expr = self.scalar(tree, context)?;
        let span = tree.span();
        let doc = self.doc(statement, span);
        Some(Cost { expr, doc, span })
    }

    fn horizon(
        &mut self,
        statement: &Statement,
        from: &Tree,
        to: &Tree,
        step: Option<&Tree>,
    ) -> Option<Horizon> {
        let (from, to) = (self.scalar(from, &TIME), self.scalar(to, &TIME));
        let step = match step {
            Some(tree) => Some(self.scalar(tree, &TIME)?),
            None => None,
        };
        Some(Horizon {
            from: from?,
            to: to?,
            step,
            span: statement.span,
        })
    }

    fn bound(&mut self, chain: &Chain) {
        let mut sides: Vec<Option<(Expr, bool)>> = Vec::with_capacity(chain.sides.len());
        for side in &chain.sides {
            let value = self.scalar(side, &BOUND);
            let fixed = self.ledger.dependence == Dependence::default();
            sides.push(value.map(|e| (e, fixed)));
        }
        let sides: Option<Vec<(Expr, bool)>> = sides.into_iter().collect();
        let span = chain
            .sides
            .iter()
            .fold(chain.sides[0].span(), |span, side| span.to(side.span()));
        if let Some(&relation) = chain
            .relations
            .iter()
            .find(|r| matches!(r, Relation::Equal | Relation::NotEqual))
        {
            let message = format!(
                "a bound is an inequality, and `{}` is none",
                relation.symbol()
            );
            self.sink.push(
                Diagnostic::error("bound", span, message)
                    .help("an equation is a `constraint`; a final value is a `goal`"),
            );
            return;
        }
        let Some(sides) = sides else { return };
        match bound_of(&sides, &chain.relations, span) {
            Some(bound) => self.model.bounds.push(bound),
            None => {
                let diagnostic = Diagnostic::error(
                    "bound",
                    span,
                    "expected a bound of the form `a <= x <= b`, `x <= b` or `x >= a`",
                )
                .help("write several `bound` statements");
                self.sink.push(diagnostic);
            }
        }
    }

    fn draw(&mut self, statement: &Statement, draw: &DrawStatement) {
        let shapes = drawing::DRAW_SHAPES;
        let size_rule = shapes
            .iter()
            .find(|(name, _)| *name == draw.shape.text)
            .map(|(_, size)| *size);
        if size_rule.is_none() {
            let names = shapes.iter().map(|(name, _)| *name);
            let help = match closest(&draw.shape.text, names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the shapes are: {}", names.collect::<Vec<_>>().join(", ")),
            };
            let message = format!("unknown shape `{}`", clip(&draw.shape.text));
            self.sink
                .push(Diagnostic::error("draw", draw.shape.span, message).help(help));
        }
        let mut drawn = Draw {
            body: draw.body,
            shape: draw.shape.text.clone(),
            size: None,
            attributes: Vec::new(),
            span: statement.span,
        };
        for (attribute, value) in &draw.pieces {
            match attribute {
                None => {
                    let argument =
                        self.draw_value(value, &[Shape::Vector(2), Shape::Vector(3)], None);
                    if size_rule == Some(DrawSize::None) {
                        let message = format!(
                            "`{}` takes no value without a word before it",
                            draw.shape.text
                        );
                        self.sink.push(
                            Diagnostic::error("draw", value_span(value), message)
                                .help("write for example `at [x, y, 0]`"),
                        );
                    }
                    drawn.size = argument;
                }
                Some(name) => {
                    if let Some(argument) = self.draw_attribute(name, value, &drawn) {
                        drawn.attributes.push((name.text.clone(), argument));
                    }
                }
            }
        }
        self.model.draws.push(drawn);
    }

    fn draw_attribute(
        &mut self,
        name: &Name,
        value: &DrawValue,
        drawn: &Draw,
    ) -> Option<DrawArgument> {
        let Some(shapes) = drawing::draw_attribute(&name.text) else {
            let help = match closest(&name.text, drawing::draw_attribute_names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the words are: {}",
                    drawing::draw_attribute_names()
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            };
            let message = format!("`{}` is not a word of `draw`", clip(&name.text));
            self.sink
                .push(Diagnostic::error("draw", name.span, message).help(help));
            // Names in the value count as used all the same.
            self.draw_value(value, &[], None);
            return None;
        };
        if drawn.attribute(&name.text).is_some() {
            let message = format!("`{}` is given twice", name.text);
            self.sink
                .push(Diagnostic::error("duplicate", name.span, message));
        }
        self.draw_value(value, shapes, Some(&name.text))
    }

    /// The value of an attribute in one of the shapes; a text where none is allowed.
    fn draw_value(
        &mut self,
        value: &DrawValue,
        shapes: &[Shape],
        attribute: Option<&str>,
    ) -> Option<DrawArgument> {
        let what = attribute.unwrap_or("this");
        match value {
            DrawValue::Text(text, span) => {
                if !shapes.is_empty() {
                    self.sink.push(Diagnostic::error(
                        "draw",
                        *span,
                        format!("`{what}` takes {}, not a text", one_of(shapes)),
                    ));
                    return None;
                }
                Some(DrawArgument::Text(text.clone()))
            }
            DrawValue::Expression(tree) => {
                let found = self.value(tree, &DRAW)?;
                if attribute.is_some() && shapes.is_empty() {
                    self.sink.push(Diagnostic::error(
                        "draw",
                        tree.span(),
                        format!("`{what}` takes a text in quotes"),
                    ));
                    return None;
                }
                if !shapes.is_empty() && !shapes.contains(&found.shape()) {
                    let message = format!("expected {}, found {}", one_of(shapes), found.shape());
                    self.sink.push(
                        Diagnostic::error("shape", tree.span(), message)
                            .label(found.shape().to_string()),
                    );
                    return None;
                }
                Some(DrawArgument::Value(found))
            }
        }
    }
}

/// The bound of a chain; each side with whether it is constant.
fn bound_of(sides: &[(Expr, bool)], relations: &[Relation], span: Span) -> Option<Bound> {
    let rising = |r: &Relation| matches!(r, Relation::Less | Relation::LessOrEqual);
    match (sides, relations) {
        ([(a, _), (x, _), (b, _)], [p, q]) if rising(p) == rising(q) => {
            let (lower, upper) = if rising(p) { (a, b) } else { (b, a) };
            let (lower, upper) = (Some(lower.clone()), Some(upper.clone()));
            Some(Bound {
                expr: x.clone(),
                lower,
                upper,
                span,
            })
        }
        ([(a, a_fixed), (b, b_fixed)], [relation]) => {
            // The side that moves is the bounded one; if both move, the left one is.
            let swap = *a_fixed && !b_fixed;
            let (x, limit) = if swap { (b, a) } else { (a, b) };
            let (lower, upper) = if rising(relation) != swap {
                (None, Some(limit.clone()))
            } else {
                (Some(limit.clone()), None)
            };
            Some(Bound {
                expr: x.clone(),
                lower,
                upper,
                span,
            })
        }
        _ => None,
    }
}

fn value_span(value: &DrawValue) -> Span {
    match value {
        DrawValue::Expression(tree) => tree.span(),
        DrawValue::Text(_, span) => *span,
    }
}

fn one_of(shapes: &[Shape]) -> String {
    shapes
        .iter()
        .map(Shape::to_string)
        .collect::<Vec<_>>()
        .join(" or ")
}
