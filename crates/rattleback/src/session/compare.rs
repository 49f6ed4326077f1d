//! Two motions of a model side by side.

use super::simulate::cancelling;
use super::{Error, Model, Phase, Prepared};
use crate::comparison::Pair;
use crate::compile::Tables;
use crate::mechanics::Form;
use crate::simulation::{Options, Outcome};
use std::ops::ControlFlow;

/// A question for two motions from the same start, in two formulations.
///
/// ```
/// use rattleback::{Model, mechanics::Form};
/// use std::ops::ControlFlow;
///
/// let model = Model::read(
///     "system particle\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n\
///      start x' = 1, y' = 1\ntime 0 .. 1 step 1/10\n",
/// )?;
/// let request = model.compare(Form::Vakonomic);
/// let mut pair = request.compile_in(&mut model.prepare(None)?)?;
/// request.follow(&mut pair, |_| ControlFlow::Continue(()))?;
/// // Reactions do no work; a shortest curve is another motion.
/// assert!(pair.comparison.largest.0 > 0.01);
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Clone)]
pub struct ComparisonRequest<'a> {
    model: &'a Model,
    with: Form,
    options: Options,
    tables: Tables,
}

impl<'a> ComparisonRequest<'a> {
    pub(super) fn new(model: &'a Model, with: Form) -> Self {
        Self {
            model,
            with,
            options: Options::default(),
            tables: Tables::default(),
        }
    }

    /// Everything that may be asked of the first motion; the second differs in its formulation.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Feeds controls of both from tables, in the place of their laws.
    pub fn feed(mut self, tables: Tables) -> Self {
        self.tables = tables;
        self
    }

    /// Derives and compiles both, for a model that is prepared in the formulation of the first.
    pub fn compile_in(&self, prepared: &mut Prepared) -> Result<Pair, Error> {
        prepared.feed(&self.tables);
        let session = &self.model.session;
        prepared.compiled(session, &self.options, &[], |problem, system, options| {
            Pair::of(problem, system, options, self.with, &self.tables)
        })
    }

    /// Follows both and hands their common rows over.
    pub fn follow(
        &self,
        pair: &mut Pair,
        mut sink: impl FnMut(&[f64]) -> ControlFlow<()>,
    ) -> Result<[Outcome; 2], Error> {
        let session = &self.model.session;
        session.check(Phase::Following)?;
        let [one, two] = cancelling(&session.cancel, |stop| pair.follow(stop, &mut sink));
        Ok([one?, two?])
    }
}
