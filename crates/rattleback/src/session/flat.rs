//! The problem of a model by its flat outputs: without dynamics to be held, as a second way to the same solution.

use super::{ControlRequest, Controlled, Error, Model, Phase, Route};
use crate::complaint::Complaint;
use crate::control::optimal::{FlatProblem, FlatRoute};
use crate::control::stage::Watch;
use crate::mechanics::optimality::{Flatness, NotFlat};

impl Model {
    /// Proves that the declared outputs are flat; none where none are declared. What is flat but not written down, and
    /// what is not decided, is a note.
    pub fn flatness(&self) -> Result<Option<Result<Flatness, String>>, Error> {
        if self.declared.flats.is_empty() {
            return Ok(None);
        }
        let (_, problem) = self.pose()?;
        let found = self.session.during(Phase::Proving, || problem.flatness())?;
        match found {
            Ok(flatness) => Ok(Some(Ok(flatness))),
            Err(e @ (NotFlat::NotInverted { .. } | NotFlat::Undecided { .. })) => {
                Ok(Some(Err(e.to_string())))
            }
            Err(e) => {
                let complaint = Complaint::about_flatness(&e, &self.declared);
                Err(self.reading.clone().complain(complaint).into())
            }
        }
    }

    /// Solves the problem by its flat outputs, from the ordinary solution as a first guess.
    pub fn control_flat(
        &self,
        flatness: &Flatness,
        found: &Controlled,
        watch: &dyn Watch,
    ) -> Result<FlatRoute, Error> {
        let (posed, problem) = self.pose()?;
        let flat = FlatProblem::of(flatness, &problem, &posed, found);
        let text = flat.model(&problem);
        let model = self.session.read("flat", text.clone())?;
        let request = ControlRequest::new(&model).route(Route::Direct);
        let request = request.guess(&flat.columns())?;
        let solved = request.run(watch)?;
        Ok(FlatRoute {
            flatness: flatness.clone(),
            model: text,
            status: solved.solution.status,
            cost: solved.solution.cost,
            difference: flat.difference(found, &solved),
        })
    }
}
