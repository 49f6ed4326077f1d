//! The indirect route: the necessary conditions of a control or boundary-value problem, solved as a two-point problem by
//! collocation (AC-C40, PR2 to PR6; CG-B6, G3).
//!
//! Hamilton's equations of state and costate are collocated at Gauss points of an adaptive mesh; conditions at the ends
//! and on the way bring multipliers, what is free transversality, free numbers a condition each. All of it is one Newton
//! iteration on exact derivatives, with the intervals reduced to their ends by orthogonal elimination. The mesh is
//! refined until each interval agrees with itself cut in two, which is the residual of multiple shooting.

mod collocation;
mod conjugate;
mod costates;
mod elimination;
mod ends;
mod error;
mod family;
mod field;
mod gauss;
mod jacobi;
mod mesh;
mod prescribed;
mod solution;

pub use conjugate::{SecondOrder, Undetermined};
pub use costates::costates_along;
pub use error::IndirectError;
pub use family::{Family, FamilyError};
pub use prescribed::Costates;
pub use solution::{Extremal, IndirectGuess, IndirectOptions};

use collocation::Iterate;
use ends::Asked;
use field::Field;
use rattleback_mechanics::Problem;

/// Solves the necessary conditions of a problem, from a first guess of its states and costates.
///
/// The states of the guess are those of the form `optimality` before its costates, in their order
/// ([`state_names`]); costates that are left out are fitted to the controls (PR5), or start at 0.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_control::indirect::{self, IndirectGuess, IndirectOptions};
/// use rattleback_mechanics::Problem;
/// # let text = "system mass\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\ngoal x = 1, x' = 0\ntime 0 .. 1\n";
/// # let model = parse(&Source::new("mass.mech", text)).model.unwrap();
/// let problem = Problem::from_model(&model)?;
/// let guess = IndirectGuess {
///     times: vec![0.0, 1.0],
///     states: vec![vec![0.0, 0.0], vec![1.0, 0.0]],
///     ..IndirectGuess::default()
/// };
/// let extremal = indirect::solve(&problem, &guess, &IndirectOptions::default())?;
/// // From rest to rest over a unit: J = 6.
/// assert!((extremal.cost - 6.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    problem: &Problem,
    guess: &IndirectGuess,
    options: &IndirectOptions,
) -> Result<Extremal, IndirectError> {
    let (mut field, start) = Field::of(problem)?;
    let asked = Asked::of(problem, &field, &start)?;
    let guess = guess.completed(problem, &mut field)?;
    let mut iterate = Iterate::of(&field, asked, &guess, options)?;
    loop {
        let steps = iterate.solve(&mut field, options)?;
        let worst = iterate.refine(&mut field, options)?;
        if worst <= options.tolerance {
            return solution::extremal(problem, &mut field, &iterate, steps, worst);
        }
        if iterate.intervals() > options.most_intervals {
            return Err(IndirectError::MeshLimit {
                intervals: iterate.intervals(),
                residual: worst,
            });
        }
    }
}

/// The names of the states that a guess has columns of, then those of the costates.
pub fn state_names(problem: &Problem) -> Result<(Vec<String>, Vec<String>), IndirectError> {
    let steering = problem.steered().steering()?;
    let states = steering.state().iter().map(ToString::to_string).collect();
    let costates = steering.momenta.iter().chain(&steering.adjoints);
    Ok((states, costates.map(ToString::to_string).collect()))
}
