//! Work and precision: the time at which a method reaches an error.

use serde_json::Value;

/// One run of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The tolerance that was asked for.
    pub tolerance: f64,
    /// The largest relative error at the end.
    pub error: f64,
    /// Processor seconds of the run.
    pub seconds: f64,
    /// Processor seconds of the compilation before it.
    pub setup: f64,
}

impl Point {
    /// With the compilation.
    pub fn total(&self) -> f64 {
        self.seconds + self.setup
    }
}

/// The points of one method, from the loosest tolerance to the tightest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precision(Vec<Point>);

impl Precision {
    /// From points [tolerance, error, seconds, …, seconds of compilation], those that have a result.
    pub fn of(value: &Value) -> Self {
        let number = |row: &Value, i: usize| row.get(i).and_then(Value::as_f64);
        let points = value.as_array().into_iter().flatten().filter_map(|row| {
            Some(Point {
                tolerance: number(row, 0)?,
                error: number(row, 1)?,
                seconds: number(row, 2)?,
                setup: number(row, 4).unwrap_or(0.0),
            })
        });
        Self(points.collect())
    }

    /// The shorter times of two runs of the same method; their errors are the same.
    pub fn or_faster(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            a.seconds = a.seconds.min(b.seconds);
            a.setup = a.setup.min(b.setup);
        }
        self
    }

    /// Only the points up to a tolerance.
    pub fn up_to(&self, limit: f64) -> Self {
        let fine = self.0.iter().filter(|p| p.tolerance <= limit);
        Self(fine.copied().collect())
    }

    /// The point at which the method reaches an error, between two tolerances by powers.
    ///
    /// An error counts once the next tighter tolerance confirms it: a lucky one does not.
    pub fn at(&self, target: f64) -> Option<Point> {
        let confirmed = |i: usize| match self.0.get(i + 1) {
            Some(next) => next.error.max(self.0[i].error),
            None => self.0[i].error,
        };
        let reached = (0..self.0.len()).find(|&i| confirmed(i) <= target)?;
        let here = Point {
            error: confirmed(reached),
            ..self.0[reached]
        };
        let Some(before) = reached.checked_sub(1) else {
            return Some(here);
        };
        let there = Point {
            error: confirmed(before),
            ..self.0[before]
        };
        Some(between(there, here, target))
    }
}

/// On the straight line of the logarithms of error and seconds.
fn between(there: Point, here: Point, target: f64) -> Point {
    // An error of exactly zero has no logarithm.
    let log = |error: f64| error.max(f64::MIN_POSITIVE).ln();
    let share = (log(there.error) - target.ln()) / (log(there.error) - log(here.error));
    let share = share.clamp(0.0, 1.0);
    let power = |there: f64, here: f64| there.powf(1.0 - share) * here.powf(share);
    Point {
        tolerance: power(there.tolerance, here.tolerance),
        error: target,
        seconds: power(there.seconds, here.seconds),
        setup: there.setup + share * (here.setup - there.setup),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn points(rows: &[(f64, f64)]) -> Precision {
        let rows: Vec<Value> = rows
            .iter()
            .map(|(e, s)| json!([1e-5, e, s, 0, 0.5]))
            .collect();
        Precision::of(&json!(rows))
    }

    #[test]
    fn times_follow_powers_between_tolerances() {
        let found = points(&[(1e-4, 1.0), (1e-8, 4.0)]).at(1e-6).unwrap();
        assert!((found.seconds - 2.0).abs() < 1e-12);
        assert_eq!(found.total(), found.seconds + 0.5);
    }

    #[test]
    fn a_lucky_error_does_not_count() {
        let lucky = points(&[(1e-4, 1.0), (1e-9, 2.0), (1e-5, 3.0), (1e-7, 5.0)]);
        let found = lucky.at(1e-6).unwrap();
        assert!(found.seconds > 3.0, "{found:?}");
    }

    #[test]
    fn a_method_that_never_gets_there_has_no_time() {
        assert_eq!(points(&[(1e-4, 1.0), (1e-8, 4.0)]).at(1e-9), None);
        assert_eq!(Precision::default().at(1.0), None);
    }

    #[test]
    fn nothing_is_faster_than_the_loosest_tolerance() {
        assert_eq!(
            points(&[(1e-8, 4.0), (1e-9, 5.0)])
                .at(1e-6)
                .unwrap()
                .seconds,
            4.0
        );
    }

    #[test]
    fn loose_tolerances_can_be_left_out() {
        let both = Precision::of(&json!([[1e-4, 1e-5, 1.0], [1e-8, 1e-9, 2.0]]));
        let fine = both.up_to(1e-6).at(1e-4).unwrap();
        assert_eq!((fine.seconds, fine.tolerance), (2.0, 1e-8));
    }

    #[test]
    fn of_two_runs_the_shorter_times_stay() {
        let best =
            points(&[(1e-4, 1.0), (1e-8, 4.0)]).or_faster(&points(&[(1e-4, 2.0), (1e-8, 3.0)]));
        assert_eq!(best, points(&[(1e-4, 1.0), (1e-8, 3.0)]));
    }
}
