//! The equations of a model as source code.

use super::{Error, Model, Phase, Prepared};
use crate::Failed;
use crate::compile::Tables;
use crate::complaint::Complaint;
use crate::export::{Export, ExportError, Target, export};
use crate::mechanics::Form;

impl Model {
    /// The equations as source code, for a model that is prepared in a formulation, with tables in the place of laws; and
    /// the formulation, where none was asked for.
    ///
    /// ```
    /// use rattleback::{Model, export::Target};
    ///
    /// let model = Model::read("system fall\ncoord z\nlagrangian z'^2/2 - 10*z\n")?;
    /// let mut prepared = model.prepare(None)?;
    /// let (_, code) = model.export_in(&mut prepared, None, Target::C, Default::default())?;
    /// assert!(code.contains("rates"));
    /// # Ok::<(), rattleback::Error>(())
    /// ```
    pub fn export_in(
        &self,
        prepared: &mut Prepared,
        form: Option<Form>,
        target: Target,
        tables: Tables,
    ) -> Result<(Form, String), Error> {
        prepared.feed(&tables);
        let problem = &prepared.problem;
        let work = || {
            let (form, exported) = Export::of_problem(problem, form, tables)?;
            Ok((form, export(&exported, target)))
        };
        let made = self.session.during(Phase::Compiling, work)?;
        made.map_err(|error: ExportError| {
            let complaint = match &error {
                ExportError::Mechanics(e) => Complaint::about_mechanics(e, &prepared.model),
                ExportError::Start(e) => Complaint::about_start(e, &prepared.model),
                ExportError::Program { .. } => return Failed(error.to_string()).into(),
            };
            prepared.reading.complain(complaint).into()
        })
    }
}
