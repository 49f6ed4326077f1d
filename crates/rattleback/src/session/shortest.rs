//! The formulation that says the same motion in the fewest characters.

use super::{Derivation, Error, Model, Phase};
use crate::mechanics::Form;

/// Formulations of other motions than the one that the model's constraints make.
const OF_OTHER_MOTIONS: [Form; 2] = [Form::Vakonomic, Form::Optimality];

impl Derivation {
    /// The shortest one, with the length of each that has equations here.
    pub(super) fn shortest(asked: &Model) -> Result<Self, Error> {
        let usual = Self::of(asked, None)?;
        let system = asked.posed(None)?.problem.open();
        // With accelerations in the Lagrangian the usual form is the variational problem, which no other form states.
        let is_variational = usual.form == Form::HigherOrder;
        let is_other = |f: &Form| is_variational || OF_OTHER_MOTIONS.contains(f);
        let same_motion = |f: &Form| *f != usual.form && !is_other(f);
        let has_equations =
            |f: &Form| system.has_own(*f) && system.equations(*f).is_ok_and(|e| e.slice.is_empty());
        let others = || -> Vec<Form> {
            let forms = Form::ALL.into_iter().filter(same_motion);
            forms.filter(has_equations).collect()
        };
        let others = asked.session.during(Phase::Deriving, others)?;
        let mut found = vec![usual];
        for form in others {
            found.push(Self::of(asked, Some(form))?);
        }
        let mut measured: Vec<(Option<usize>, String, Self)> = Vec::new();
        for one in found {
            let formulas = one.sheet().formulas().text(true);
            // Another name for the same equations.
            if !measured.iter().any(|(_, page, _)| *page == formulas) {
                measured.push((one.sheet().characters(), formulas, one));
            }
        }
        measured.sort_by_key(|(length, ..)| length.unwrap_or(usize::MAX));
        let lengths = measured.iter().map(|(length, _, d)| (d.form, *length));
        let lengths: Vec<(Form, Option<usize>)> = lengths.collect();
        let (_, _, first) = measured.swap_remove(0);
        Ok(Self { lengths, ..first })
    }
}
