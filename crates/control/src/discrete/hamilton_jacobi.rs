//! Jacobi's action at a point, with the discrete Hamilton-Jacobi theory that belongs to it (DP-A12 to A16).

use super::numbers::With;
use super::{InStepsError, Request};
use rattleback_compile::EvaluationError;
use rattleback_motion::discrete::{
    Action, ActionError, Data, Fan, Jacobi, Maps, MomentumMap, Residuals, RollOut, Rolled, Scan,
    Trivialised,
};
use rattleback_symbolic::{Expr, Symbol, Tape};

/// Jacobi's action at a point.
pub struct HamiltonJacobi {
    /// The action.
    pub action: Action,
    /// How well it fulfils the discrete Hamilton-Jacobi equations.
    pub residuals: Residuals,
    /// The maps f⁺, f⁻ and g at the point.
    pub maps: Maps,
    /// The theorem on the last steps: right and left.
    pub theorem: [Result<Rolled, ActionError>; 2],
    /// The nodes between which it was checked.
    pub checked: (usize, usize),
    /// The motion in the coordinates of its start, over the first steps.
    pub trivialised: Result<Trivialised, ActionError>,
    /// The motions beside it, where a picture was asked for.
    pub fan: Option<Fan>,
    /// Other motions to the same point, where they were looked for: in one dimension, and behind a caustic.
    pub branches: Vec<Action>,
    /// How far was looked for them, in one dimension.
    pub scan: Option<Scan>,
}

/// How many steps the theorem is checked on, and the transformation that makes the motion trivial.
const CHECKED: usize = 4;
const TRIVIAL: usize = 8;
/// Actions that differ by this part of 1 + their size are one.
const SAME: f64 = 1e-9;

impl HamiltonJacobi {
    pub(super) fn new(
        with: &With<'_>,
        steps: usize,
        request: &Request,
    ) -> Result<Self, InStepsError> {
        if with.system.force().iter().any(|f| !f.is_zero()) {
            return Err(InStepsError::NoAction);
        }
        let map = with.map(with.h)?;
        let symbols = &with.space.positions;
        let first = with.first()?;
        let wanted = |(s, q): (&Symbol, &f64)| {
            let given = request.at.iter().find(|(name, _)| name == s);
            given.map_or(*q, |(_, x)| *x)
        };
        let at: Vec<f64> = symbols.iter().zip(&first.q).map(wanted).collect();
        if request.picture && !(1..=2).contains(&at.len()) {
            return Err(InStepsError::NoPicture(at.len()));
        }
        let picture = request.picture;
        match &request.from {
            None => {
                let time = with.h * steps.max(1) as f64;
                let guess = with.guess(&first, &at, time);
                let data = Data::Point {
                    q: &first.q,
                    guess: &guess,
                };
                found(&map, steps, &data, &guess, &at, picture)
            }
            Some(function) => {
                let jets = jets(with, function, symbols)?;
                let initial = |x: &[f64]| jets.at(x);
                let data = Data::Cauchy {
                    initial: &initial,
                    guess: &at,
                };
                found(&map, steps, &data, &at, &at, picture)
            }
        }
    }
}

/// Why the forms of the equation have no value where they need S at the node behind the last one.
pub fn behind(e: &ActionError) -> String {
    match e {
        ActionError::Conjugate => {
            "the node behind the last one is conjugate to the start: S has no value there".into()
        }
        e => format!("S has no value at the node behind the last one: {e}"),
    }
}

/// Guesses around one: the same scaled, and moved.
fn guesses(first: &[f64]) -> Vec<Vec<f64>> {
    let scaled =
        [0.0, -1.0, 0.5, 2.0, -2.0, 4.0, -4.0].map(|s| first.iter().map(|x| s * x).collect());
    let moved = [0.5, -0.5, 2.0, -2.0].map(|d| first.iter().map(|x| x + d).collect());
    scaled.into_iter().chain(moved).collect()
}

fn found(
    map: &MomentumMap,
    steps: usize,
    data: &Data<'_>,
    guess: &[f64],
    at: &[f64],
    picture: bool,
) -> Result<HamiltonJacobi, InStepsError> {
    let first = map.action(steps, data, at);
    let elsewhere = match &first {
        Ok(action) => !action.caustics.is_empty(),
        Err(e) => matches!(e, ActionError::NotFound { .. } | ActionError::NoStep { .. }),
    };
    // In one dimension they are scanned for, elsewhere searched for around a guess.
    let size = guess.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let size = if size > 0.0 { size } else { 1.0 };
    let scan = map.scan(steps, data, at, (guess[0], size));
    let begins = match (&scan, elsewhere && !map.is_exact()) {
        (Some(scan), _) => scan.found.iter().map(|u| vec![*u]).collect(),
        (None, true) => guesses(guess),
        (None, false) => Vec::new(),
    };
    let branches = map.branches(steps, data, at, &begins);
    let action = match first {
        Ok(action) => action,
        Err(e) => branches.first().cloned().ok_or(e)?,
    };
    map.check_steps(&action.path)?;
    let begun = data.unknowns(&action.path[0]);
    let data = data.guessing(&begun);
    let family = Jacobi { map, data: &data };
    // Point data has no S at the start.
    let earliest = usize::from(matches!(data, Data::Point { .. }));
    let before = (steps > earliest).then(|| &action.path[steps - 1]);
    let residuals = map.residuals(&family, steps, at, before)?;
    let maps = map.maps(&family, steps, at, before)?;
    let length = if map.is_exact() { 1 } else { CHECKED };
    let from = steps.saturating_sub(length).max(earliest);
    let start = &action.path[from].q;
    let theorem = [RollOut::Right, RollOut::Left]
        .map(|side| map.roll_out(&family, (from, steps), start, side));
    let trivial = steps.min(if map.is_exact() { 2 } else { TRIVIAL });
    let trivialised = map.trivialised(&action.path[..=trivial]);
    let same = |b: &Action| (b.value - action.value).abs() <= SAME * (1.0 + action.value.abs());
    let branches = branches.into_iter().filter(|b| !same(b)).collect();
    Ok(HamiltonJacobi {
        fan: picture.then(|| fan(map, steps, &data, &begun)),
        residuals,
        maps,
        theorem,
        checked: (from, steps),
        trivialised,
        branches,
        scan,
        action,
    })
}

/// Motions in each direction of a picture, by the number of directions.
const MOTIONS: [usize; 2] = [401, 81];

/// The motions around one: each datum within twice its size, or that of the others where these are larger.
fn fan(map: &MomentumMap, steps: usize, data: &Data<'_>, begun: &[f64]) -> Fan {
    let largest = begun.iter().fold(0.5, |m: f64, x| m.max(x.abs()));
    let reach: Vec<f64> = begun.iter().map(|_| 2.0 * largest).collect();
    map.fan(
        steps,
        data,
        begun,
        &reach,
        MOTIONS[begun.len().clamp(1, 2) - 1],
    )
}

/// S₀ with its first and second derivatives.
fn jets(with: &With<'_>, function: &Expr, q: &[Symbol]) -> Result<Jets, InStepsError> {
    let is_known = |s: &Symbol| q.contains(s) || with.constants.iter().any(|(c, _)| c == s);
    if let Some(other) = function.free_symbols().iter().find(|s| !is_known(s)) {
        let names: Vec<String> = q.iter().map(ToString::to_string).collect();
        return Err(InStepsError::Beginning(other.to_string(), names.join(", ")));
    }
    let slopes = function.gradient(q);
    let second = slopes.iter().flat_map(|s| s.gradient(q));
    let all: Vec<Expr> = std::iter::once(function.clone())
        .chain(slopes.clone())
        .chain(second)
        .collect();
    let constants = with.constants.iter().map(|(s, _)| s.clone());
    let symbols: Vec<Symbol> = constants.chain(q.iter().cloned()).collect();
    Ok(Jets {
        tape: Tape::new(&symbols, &all).map_err(EvaluationError::from)?,
        constants: with.constants.iter().map(|(_, x)| *x).collect(),
    })
}

/// A function with its derivatives, as a tape.
struct Jets {
    tape: Tape,
    constants: Vec<f64>,
}

impl Jets {
    fn at(&self, x: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
        let values = self.tape.evaluate(&[&self.constants[..], x].concat());
        let n = x.len();
        (values[0], values[1..=n].to_vec(), values[n + 1..].to_vec())
    }
}
