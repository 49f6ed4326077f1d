//! The way that a path takes with the attitude at its end left free, as one more first iterate.
//!
//! A body that rolls turns as it goes, and how far is a matter of its constraints: the straight way from attitude to attitude
//! may be a whole turn off. The way with the attitude left free turns as the constraints say, and ends near the goal's
//! attitude where that is reached at little cost.

use super::path::Path;
use super::plant::Kind;
use super::posed::Posed;
use super::solve::{FIRST_INTERVALS, Found, Request, Run, solve_by};
use crate::stage::Watch;
use rattleback_mechanics::Form;

/// That way, for constrained motions to a given attitude of which the model guesses nothing.
pub(super) fn way(posed: &Posed, request: &Request, watch: &dyn Watch) -> Option<Path> {
    let plant = &posed.plant;
    let rolls = plant.kind == Kind::OptimalControl && plant.form == Some(Form::Hamel);
    let guessed = request.guess.is_some() || !posed.guesses.is_empty();
    if !rolls || guessed || posed.goal.attitudes.is_empty() {
        return None;
    }
    let mut free = posed.clone();
    free.goal.attitudes.clear();
    let request = Request {
        nodes: Some(FIRST_INTERVALS),
        starts: 1,
        ..request.clone()
    };
    let ask = |run: &Run, found: &Found| found.is_good().then(|| run.path_of(found));
    // A first iterate that there is none of is no reason to fail.
    let (_, path) = solve_by(free, &request, watch, ask).ok()?;
    path
}
