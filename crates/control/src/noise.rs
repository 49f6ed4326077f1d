//! What of rates is rounding: it changes at random where the state does by its last digits.

use crate::point::StatePoint;
use crate::reach::Reach;
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::System;

/// Last digits by which the entries of a state are changed, in no simple order.
const DIGITS: [f64; 7] = [1.0, -3.0, 2.0, -1.0, 4.0, -2.0, 3.0];
/// States that are tried.
const STATES: usize = 5;
/// A rate of so many times what it changes by is one.
const HEARD: f64 = 4.0;

/// The rates at a state with 0 for those that are not told from rounding, and their slopes. Terms that cancel leave some of
/// it where no slope is: accelerations of a disk that rolls evenly.
pub(crate) fn rates_and_slopes(
    system: &System,
    linearizer: &Linearizer,
    point: &StatePoint,
    (t, u): (f64, &[f64]),
) -> Result<(Vec<f64>, Vec<Vec<f64>>), LinearizationError> {
    let (mut rates, slopes) = linearizer.rest(t, &point.state, u)?;
    let mut noise = vec![0.0_f64; rates.len()];
    let reach = Reach::of(system, point, &[]);
    for k in 0..STATES {
        let digits = |i: usize| DIGITS[(i * (k + 1) + k) % DIGITS.len()] * f64::EPSILON;
        let sizes = reach.of_directions().iter().enumerate();
        let by: Vec<f64> = sizes.map(|(i, size)| digits(i) * size).collect();
        let Ok((beside, _)) = linearizer.rest(t, &point.moved(system, &by), u) else {
            continue;
        };
        let both = noise.iter_mut().zip(rates.iter().zip(&beside));
        both.for_each(|(noise, (here, there))| *noise = noise.max((here - there).abs()));
    }
    let faint = rates.iter_mut().zip(&noise);
    let faint = faint.filter(|(rate, noise)| rate.abs() <= HEARD * **noise);
    faint.for_each(|(rate, _)| *rate = 0.0);
    Ok((rates, slopes))
}
