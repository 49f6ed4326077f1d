//! Real points at which an expression is certainly not zero, by an enclosure that excludes zero.
//!
//! Doubles first; where they cannot tell, more bits at the same points.

use super::point::Points;
use super::random::Random;
use super::verdict::{Enclosure, Witness};
use crate::meaning::directed::Directed;
use crate::meaning::doubles::Doubles;
use crate::meaning::elimination::Place;
use crate::meaning::enclosure::{Enclosures, Interval};
use crate::meaning::multiple::Multiple;
use crate::meaning::{Lowered, Numbers, Prepared};
use crate::work::count_work;
use crate::{Expr, Rational, Sign};

/// The expressions as a program, and the points drawn so far.
pub(crate) struct Sampler {
    points: Points,
    lowered: Option<Lowered>,
    doubles: Option<Prepared<Enclosures<Doubles>>>,
    /// Points where everything has an enclosure.
    defined: Vec<Vec<Rational>>,
    attempts: usize,
    outputs: usize,
}

/// What sampling found.
pub(crate) enum Sample {
    /// Some output is certainly not zero.
    Nonzero(Witness, Enclosure),
    /// All outputs may be zero.
    Consistent,
}

/// Bits of the enclosures that follow doubles.
const PRECISIONS: [usize; 4] = [128, 256, 512, 1024];
/// Points at which ranks are looked at.
const RANK_POINTS: usize = 6;
/// Draws after which no point that keeps the assumptions is looked for any more.
const MAX_OUTSIDE: usize = 4;
/// Operations on doubles beyond which no further point is drawn.
const MAX_DRAWN: usize = 1 << 20;
/// Operations times bits beyond which no further enclosure is computed.
const MAX_WORK: usize = 1 << 24;

impl Sampler {
    pub(crate) fn new(roots: &[Expr]) -> Self {
        let points = Points::new(roots);
        let lowered = Lowered::new(&points.symbols, roots).ok();
        let doubles = lowered.as_ref().map(|l| l.prepare(Enclosures(Doubles)));
        Self {
            points,
            lowered,
            doubles,
            defined: Vec::new(),
            attempts: 0,
            outputs: roots.len(),
        }
    }

    /// Tries up to `count` points where everything is defined, among four times as many draws.
    pub(crate) fn sample(&mut self, random: &mut Random, count: usize) -> Sample {
        let Some(doubles) = &self.doubles else {
            return Sample::Consistent;
        };
        let (mut defined, mut outside) = (0, 0);
        let affordable = (MAX_DRAWN / doubles.len().max(1)).max(3);
        for _ in 0..(4 * count).min(affordable) {
            let point = self.points.draw(self.attempts, random);
            self.attempts += 1;
            let Some(point) = point else {
                outside += 1;
                if outside == MAX_OUTSIDE {
                    break;
                }
                continue;
            };
            let values = at(doubles, &point);
            if let Some(found) = first_nonzero(doubles.meaning(), &values) {
                return self.nonzero(point, found);
            }
            if values.iter().all(Option::is_some) {
                defined += 1;
                self.defined.push(point);
            }
            if defined >= count || self.points.symbols.is_empty() {
                break;
            }
        }
        Sample::Consistent
    }

    /// More and more bits at the first points drawn, where doubles could not tell.
    pub(crate) fn sample_closely(&mut self, random: &mut Random, count: usize) -> Sample {
        let Some(lowered) = &self.lowered else {
            return Sample::Consistent;
        };
        let mut points: Vec<Vec<Rational>> = self.defined.iter().take(count).cloned().collect();
        points.extend((points.len()..count).filter_map(|k| self.points.draw(k, random)));
        if self.points.symbols.is_empty() {
            points.truncate(1);
        }
        for bits in PRECISIONS {
            if lowered.len() * bits > MAX_WORK {
                break;
            }
            let program = lowered.prepare(Enclosures(Multiple { bits }));
            for point in &points {
                let values = at(&program, point);
                if let Some(found) = first_nonzero(program.meaning(), &values) {
                    return self.nonzero(point.clone(), found);
                }
            }
        }
        Sample::Consistent
    }

    /// Which outputs exclude zero at one of some points.
    pub(crate) fn which_nonzero(&self, random: &mut Random, count: usize) -> Vec<bool> {
        let mut found = vec![false; self.outputs];
        let Some(doubles) = &self.doubles else {
            return found;
        };
        for attempt in 0..count {
            let Some(point) = self.points.draw(attempt, random) else {
                continue;
            };
            let values = at(doubles, &point);
            for (known, value) in found.iter_mut().zip(&values) {
                let nonzero = |v| doubles.meaning().excludes_zero(v);
                *known |= value.as_ref().is_some_and(nonzero);
            }
        }
        found
    }

    /// The largest rank that enclosures certify at a few points for the matrix of outputs at these places, which is at
    /// most `full`.
    pub(crate) fn rank(&self, random: &mut Random, places: &[Place], full: usize) -> usize {
        let (Some(lowered), Some(doubles)) = (&self.lowered, &self.doubles) else {
            return 0;
        };
        let points: Vec<Vec<Rational>> = (0..RANK_POINTS)
            .filter_map(|attempt| self.points.draw(attempt, random))
            .collect();
        let rank = |p: &Vec<Rational>| doubles.meaning().rank(&at(doubles, p), places);
        let mut best = 0;
        for point in &points {
            best = best.max(rank(point));
            if best == full {
                return best;
            }
        }
        for bits in PRECISIONS {
            if lowered.len() * bits > MAX_WORK {
                break;
            }
            let program = lowered.prepare(Enclosures(Multiple { bits }));
            for point in points.iter().take(2) {
                best = best.max(program.meaning().rank(&at(&program, point), places));
                if best == full {
                    return best;
                }
            }
        }
        best
    }

    fn nonzero(&self, point: Vec<Rational>, (which, value): (usize, Enclosure)) -> Sample {
        let point = self.points.named(point);
        Sample::Nonzero(Witness { point, which }, value)
    }

    /// Is there a point that satisfies all assumptions, as far as one can find?
    pub(crate) fn can_draw(&self) -> bool {
        self.points.exist()
    }
}

/// A number between two doubles; `None` for what is not a number.
///
/// ```
/// use rattleback_symbolic::{Expr, enclose};
/// let root = enclose(&Expr::from(2).sqrt()).unwrap();
/// assert!(root.low * root.low < 2.0 && root.high * root.high > 2.0);
/// ```
pub fn enclose(e: &Expr) -> Option<Enclosure> {
    let lowered = Lowered::new(&[], std::slice::from_ref(e)).ok()?;
    let program = lowered.prepare(Enclosures(Multiple { bits: 128 }));
    let value = program.evaluate(&[]).pop()??;
    let (low, high) = program.meaning().to_doubles(&value);
    Some(Enclosure { low, high })
}

/// The sign of a number, where its enclosure tells it from zero.
pub(crate) fn enclosed_sign(constant: &Expr) -> Option<Sign> {
    let value = enclose(constant).filter(Enclosure::excludes_zero)?;
    Some(match value.low > 0.0 {
        true => Sign::Positive,
        false => Sign::Negative,
    })
}

/// The enclosures of the outputs at a rational point, which may have values for further symbols at its end.
fn at<D: Directed>(
    program: &Prepared<Enclosures<D>>,
    point: &[Rational],
) -> Vec<Option<Interval<D::Number>>> {
    count_work(program.len() as u64 * program.meaning().0.bits().div_ceil(64) as u64);
    let point = point.iter().take(program.inputs());
    let inputs: Vec<_> = point.map(|r| program.meaning().number(r)).collect();
    program.evaluate(&inputs)
}

fn first_nonzero<D: Directed>(
    meaning: &Enclosures<D>,
    values: &[Option<Interval<D::Number>>],
) -> Option<(usize, Enclosure)> {
    values.iter().enumerate().find_map(|(i, value)| {
        let value = value.as_ref().filter(|v| meaning.excludes_zero(v))?;
        let (low, high) = meaning.to_doubles(value);
        let enclosure = Enclosure { low, high };
        // A value too small for doubles shows nothing.
        enclosure.excludes_zero().then_some((i, enclosure))
    })
}
