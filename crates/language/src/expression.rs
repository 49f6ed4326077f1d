//! Expressions from outside in the names of a model.

use crate::diagnostic::{Diagnostic, Sink};
use crate::elaborate::context::Context;
use crate::elaborate::evaluate::{Evaluator, Ledger};
use crate::model::Model;
use crate::parse::lone_expression;
use crate::source::Source;
use crate::value::Value;

impl Model {
    /// An expression in the names of the model, generated names included: a printed formula reads back.
    pub fn expression(&self, source: &Source) -> Result<Value, Vec<Diagnostic>> {
        let mut sink = Sink::default();
        if let Some(diagnostic) = crate::oversize(source) {
            return Err(vec![diagnostic]);
        }
        let tree = lone_expression(source, &mut sink);
        let context = Context::everything("the expression")
            .with_generated()
            .with_start()
            .with_next();
        let mut ledger = Ledger::default();
        let mut evaluator = Evaluator {
            source,
            scope: &self.scope,
            sink: &mut sink,
            ledger: &mut ledger,
        };
        let value = evaluator.evaluate(&tree, &context);
        match value {
            Some(value) if !sink.has_errors() => Ok(value),
            _ => Err(sink.finish()),
        }
    }
}
