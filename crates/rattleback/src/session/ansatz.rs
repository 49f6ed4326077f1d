//! A problem with ends within a family of extremals on which costates are prescribed.

use super::{ControlRequest, Controlled, Error, Model, Phase, Route};
use crate::Failed;
use crate::control::indirect::{self, Costates, Family, FamilyError};
use crate::control::optimal::Kind;
use crate::control::stage::Watch;
use crate::language::{AskedError, listed, named_value};
use crate::mechanics::Problem;
use crate::symbolic::{Expr, Symbol};

impl Model {
    /// Solves the problem with ends within the extremals whose costates have prescribed values, such as
    /// `p_x = 0, p_y = 0`; `lambda1` is the costate of the first position (CG-B7). It is proven first that the
    /// conditions of optimality keep them. Whether the family meets the goal is told by the status.
    ///
    /// ```
    /// use rattleback::Model;
    ///
    /// // From rest to x = 1, at any speed: the costate of x stays constant, that of x' does not.
    /// let model = Model::read(
    ///     "system cart\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on x\ncontrol v on y\ncost (u^2 + v^2)/2\n\
    ///      goal x = 1, x' = 0\ntime 0 .. 1\n",
    /// )?;
    /// let found = model.control_within(&model.control(), "lambda2 = 0, p_y_1 = 0", &())?;
    /// assert!((found.solution.cost.unwrap() - 6.0).abs() < 1e-8);
    /// assert!(model.control_within(&model.control(), "p_x_1 = 0", &()).is_err());
    /// # Ok::<(), rattleback::Error>(())
    /// ```
    pub fn control_within(
        &self,
        request: &ControlRequest<'_>,
        ansatz: &str,
        watch: &dyn Watch,
    ) -> Result<Controlled, Error> {
        let (posed, problem) = self.pose()?;
        if posed.plant.is_map || posed.plant.kind == Kind::ParameterOptimisation {
            let why = "an ansatz prescribes costates: there are none without controls that steer a motion in time";
            return Err(Error::Request(why.into()));
        }
        let prescribed = self.prescribed(ansatz, &problem)?;
        let work = || Family::check(&problem, &prescribed);
        let judged = self.session.during(Phase::Proving, work)?;
        judged.map_err(told)?;
        let (states, costates) = names(&problem)?;
        // The costates of the direct solution are where the search begins.
        let mut found = request.clone().route(Route::Direct).run(watch)?;
        let path = &found.solution.trajectory;
        let start = match path.costates[0].len() == costates.len() {
            true => path.costates[0].clone(),
            false => vec![0.0; costates.len()],
        };
        let work = || Family::follow(&problem, &prescribed, &start, &path.times);
        let family = self.session.during(Phase::Following, work)?;
        let family = family.map_err(told)?;
        let missed = found.take_family(&family, &states);
        found.resisting = missed.map(|(origin, miss)| {
            let what = self.placed("this condition", Some(origin));
            format!("the family does not meet the goal: {what} is missed by {miss:.6}")
        });
        found.notes.push(family.told(&prescribed));
        Ok(found)
    }

    /// `NAME = EXPR, …`.
    fn prescribed(&self, text: &str, problem: &Problem) -> Result<Vec<(Symbol, Expr)>, Error> {
        let bad = |why: String| Error::Request(format!("the ansatz \"{text}\": {why}"));
        let costates = Costates::of(problem).map_err(|e| bad(e.to_string()))?;
        let mut prescribed: Vec<(Symbol, Expr)> = Vec::new();
        for part in listed(text) {
            let (name, value) = named_value(part)
                .ok_or_else(|| bad("write COSTATE = VALUE, separated by commas".into()))?;
            // A `lambda1` that the model has is no number of a costate.
            let symbol = match self.declared.names().declares(name) {
                true => costates.named(name),
                false => costates.numbered(name),
            };
            let symbol = symbol.map_err(|e| bad(e.to_string()))?;
            if prescribed.iter().any(|(s, _)| s == symbol) {
                return Err(bad(format!("`{symbol}` is prescribed twice")));
            }
            let value = self.declared.scalar("ansatz", value);
            let value = value.map_err(|e| match e {
                AskedError::Expression(_, all) => {
                    let why: Vec<&str> = all.iter().map(|d| d.message.as_str()).collect();
                    bad(why.join("; "))
                }
                AskedError::Text(_) => bad(format!("the value of `{name}` is no number")),
            })?;
            prescribed.push((symbol.clone(), value));
        }
        Ok(prescribed)
    }
}

/// The states and costates of the conditions of optimality.
fn names(problem: &Problem) -> Result<(Vec<String>, Vec<String>), Error> {
    indirect::state_names(problem).map_err(|e| Failed(e.to_string()).into())
}

/// What is asked wrongly is bad input, what does not work out a failure.
fn told(error: FamilyError) -> Error {
    match error {
        FamilyError::NoCostate { .. }
        | FamilyError::NotKept { .. }
        | FamilyError::NotTreated(_) => Error::Request(error.to_string()),
        e => Failed(e.to_string()).into(),
    }
}
