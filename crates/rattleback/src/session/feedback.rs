//! Feedback along the solution of a problem with ends.

use super::{Controlled, Error, Model, Phase};
use crate::control::optimal::{Feedback, Status};

impl Model {
    /// The regulator along the path of a solution, and its closed loop from disturbed starts.
    ///
    /// ```
    /// use rattleback::Model;
    ///
    /// let model = Model::read(
    ///     "system pendulum\ncoord q : angle\nlagrangian q'^2/2 - cos(q)\ncontrol u on q\ncost u^2/2\n\
    ///      start q = pi\ngoal q = 0, q' = 0\ntime 0 .. 3\n",
    /// )?;
    /// let found = model.control().run(&())?;
    /// let feedback = model.feedback(&found)?;
    /// // Upright is unstable: what the open loop makes larger the closed one makes smaller.
    /// let (open, closed) = feedback.worst();
    /// assert!(closed.unwrap() < open.unwrap());
    /// # Ok::<(), rattleback::Error>(())
    /// ```
    pub fn feedback(&self, found: &Controlled) -> Result<Feedback, Error> {
        if found.solution.status != Status::Solved {
            let why = "there is no feedback along a path that is no solution";
            return Err(Error::Request(why.into()));
        }
        let (posed, _) = self.pose()?;
        let solution = &found.solution;
        let work = || Feedback::along(&posed, &solution.trajectory, &solution.free);
        let feedback = self.session.during(Phase::Following, work)?;
        feedback.map_err(|e| Error::Request(format!("no feedback: {e}")))
    }
}
