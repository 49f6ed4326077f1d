//! Definitions: parameters, abbreviations and observables, in the order of the file.

use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::ends::FreeNumber;
use crate::model::{self, Assumption, Parameter};
use crate::scope::{Dependence, Meaning};
use crate::syntax::{Chain, Definition, Relation, Statement, StatementKind};
use crate::value::Value;

use super::Elaborator;
use super::context::Context;
use super::evaluate::clip;
use super::groups::entry_names;

const OBSERVABLE: Context = Context::everything("an observable").with_generated();
const FLAT: Context = Context::everything("a flat output");

impl Elaborator<'_> {
    pub(super) fn define(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Param(items) => items
                    .iter()
                    .for_each(|d| self.define_parameter(statement, d, false)),
                StatementKind::Free(items) => items
                    .iter()
                    .for_each(|d| self.define_parameter(statement, d, true)),
                StatementKind::Let(items) => items
                    .iter()
                    .for_each(|d| self.define_abbreviation(statement, d)),
                _ => {}
            }
        }
        // Everything else may stand above the abbreviations that it uses.
        for statement in statements {
            match &statement.kind {
                StatementKind::Observe(items) => {
                    let observables = items
                        .iter()
                        .filter_map(|d| self.output(statement, d, &OBSERVABLE));
                    let observables: Vec<_> = observables.collect();
                    self.model.observables.extend(observables);
                }
                StatementKind::Flat(items) => {
                    let outputs = items
                        .iter()
                        .filter_map(|d| self.output(statement, d, &FLAT));
                    let outputs: Vec<_> = outputs.collect();
                    self.model.flats.extend(outputs);
                }
                StatementKind::Assume(chains) => chains.iter().for_each(|chain| self.assume(chain)),
                _ => {}
            }
        }
    }

    /// The rank of a definition; none where the name belongs to another declaration.
    fn rank(&self, definition: &Definition) -> Option<usize> {
        let entry = self.scope.entries.get(&definition.name.text)?;
        (entry.span == definition.name.span).then_some(entry.rank)
    }

    /// Gives a meaning to a name that waits for one.
    fn mean(&mut self, name: &str, meaning: Meaning, dependence: Dependence) {
        if let Some(entry) = self.scope.entries.get_mut(name)
            && matches!(entry.meaning, Meaning::Pending)
        {
            entry.meaning = meaning;
            entry.dependence = dependence;
        }
    }

    fn fail_meaning(&mut self, name: &str) {
        self.mean(name, Meaning::Unknown, Dependence::default());
    }

    /// A parameter; one that an optimisation may choose is `free`, and its value is its guess.
    fn define_parameter(&mut self, statement: &Statement, definition: &Definition, free: bool) {
        let Some(rank) = self.rank(definition) else {
            return;
        };
        let name = definition.name.text.as_str();
        let what = match free {
            true => "the guess of a free number",
            false => "the value of a parameter",
        };
        let context = Context::constant(what).above(rank);
        let Some(default) = self.value(&definition.value, &context) else {
            return self.fail_meaning(name);
        };
        let dependence = Dependence {
            free: free || self.ledger.dependence.free,
            ..Dependence::default()
        };
        let doc = self.doc(statement, definition.value.span());
        let shape = default.shape();
        let is_scalar = matches!(default, Value::Scalar(_));
        let mut entries = Vec::with_capacity(shape.size());
        for (entry_name, value) in entry_names(name, shape).iter().zip(default.entries()) {
            // Zeros of a matrix are its structure: they stay exact.
            if value.is_zero() && !is_scalar && !free {
                entries.push(Expr::zero());
                continue;
            }
            if let Some(fixed) = self.scope.fixed.get(entry_name) {
                entries.push(fixed.clone());
                continue;
            }
            let symbol = self.scope.assumed(Symbol::constant(entry_name));
            entries.push(Expr::from(&symbol));
            let (value, doc, span) = (value.clone(), doc.clone(), definition.name.span);
            if free {
                let (symbol, doc) = (symbol.clone(), doc.clone());
                self.model.free.push(FreeNumber { symbol, doc, span });
            }
            self.model.parameters.push(Parameter {
                symbol,
                value,
                doc,
                span,
            });
        }
        let meaning = Meaning::Parameter(Value::from_entries(shape, entries));
        self.mean(name, meaning, dependence);
    }

    fn define_abbreviation(&mut self, statement: &Statement, definition: &Definition) {
        let Some(rank) = self.rank(definition) else {
            return;
        };
        let name = definition.name.text.as_str();
        let context = Context::everything("an abbreviation")
            .with_next()
            .above(rank);
        let Some(value) = self.value(&definition.value, &context) else {
            return self.fail_meaning(name);
        };
        let dependence = self.ledger.dependence;
        self.mean(name, Meaning::Abbreviation(value.clone()), dependence);
        let doc = self.doc(statement, definition.value.span());
        self.model.abbreviations.push(model::Definition {
            name: name.to_owned(),
            value,
            doc,
            span: definition.name.span,
        });
    }

    /// A quantity of the motion that has a name but is no abbreviation: it is worked out after those.
    fn output(
        &mut self,
        statement: &Statement,
        definition: &Definition,
        context: &Context,
    ) -> Option<model::Definition> {
        self.rank(definition)?;
        let name = definition.name.text.as_str();
        let Some(value) = self.value(&definition.value, context) else {
            self.fail_meaning(name);
            return None;
        };
        let dependence = self.ledger.dependence;
        self.mean(name, Meaning::Observable(value.clone()), dependence);
        let doc = self.doc(statement, definition.value.span());
        Some(model::Definition {
            name: name.to_owned(),
            value,
            doc,
            span: definition.name.span,
        })
    }

    fn assume(&mut self, chain: &Chain) {
        let context = Context::motion("an assumption").without_counting();
        let sides: Vec<Option<Expr>> = chain
            .sides
            .iter()
            .map(|side| self.scalar(side, &context))
            .collect();
        for (k, &relation) in chain.relations.iter().enumerate() {
            let span = chain.sides[k].span().to(chain.sides[k + 1].span());
            if relation == Relation::Equal {
                let diagnostic =
                    Diagnostic::error("assumption", span, "an assumption is an inequality")
                        .help("to fix a value, write it where the name is declared");
                self.sink.push(diagnostic);
                continue;
            }
            let (Some(lhs), Some(rhs)) = (&sides[k], &sides[k + 1]) else {
                continue;
            };
            let cost = lhs.node_count() + rhs.node_count();
            if self.evaluator().spend(cost, span).is_none() {
                return;
            }
            self.model.assumptions.push(Assumption {
                lhs: lhs.clone(),
                relation,
                rhs: rhs.clone(),
                text: clip(self.source.slice(span)),
                unless_whole: None,
                span,
            });
        }
    }
}
