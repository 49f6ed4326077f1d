//! Our two methods on one problem, and which of them we take unless told.

use super::precision::{Point, Precision};

/// The names of our methods.
pub const METHODS: [&str; 2] = ["taylor", "dop853"];

/// Work and precision of our methods.
#[derive(Clone, Default)]
pub struct Ours {
    /// Beyond this tolerance we take DOP853 unless told.
    pub loose: f64,
    /// The points, in the order of [`METHODS`].
    pub points: [Precision; 2],
}

impl Ours {
    /// The faster method at an error: its name and its time.
    pub fn faster(&self, target: f64, time: fn(&Point) -> f64) -> Option<(&'static str, f64)> {
        let points = METHODS.into_iter().zip(&self.points);
        points
            .filter_map(|(name, wp)| Some((name, time(&wp.at(target)?))))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What we take unless told: the method and its time.
    pub fn by_default(&self, target: f64, time: fn(&Point) -> f64) -> Option<(&'static str, f64)> {
        let [taylor, dop853] = &self.points;
        let [series, steps] = METHODS;
        let coarse = dop853.at(target).filter(|p| p.tolerance > self.loose);
        match coarse {
            Some(point) => Some((steps, time(&point))),
            None => Some((series, time(&taylor.up_to(self.loose).at(target)?))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn we_take_steps_where_a_loose_tolerance_is_enough() {
        let flat = |seconds: f64| Precision::of(&json!([[1e-6, 1e-12, seconds]]));
        let ours = |loose| Ours {
            loose,
            points: [flat(2e-6), flat(1e-6)],
        };
        let by_default = |loose| ours(loose).by_default(1e-9, |p| p.seconds);
        assert_eq!(by_default(1e-7), Some(("dop853", 1e-6)));
        assert_eq!(by_default(1e-5), Some(("taylor", 2e-6)));
        let faster = ours(1e-5).faster(1e-9, |p| p.seconds);
        assert_eq!(faster, Some(("dop853", 1e-6)));
    }
}
