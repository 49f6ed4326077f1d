//! Arcs of a path on which neither bounds nor the second derivatives of H determine the controls.
//!
//! At a switch from bound to bound a sample or two lie between the bounds, however fine the mesh is there: an arc is what
//! lasts, and is measured in time.

use super::extract::Trajectory;

/// Arcs that last less than this part of the horizon are switches.
const SHORT: f64 = 0.05;

/// Singular arcs of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingularArcs {
    /// Where the first begins.
    pub from: f64,
    /// Where the last ends.
    pub to: f64,
    /// What part of the horizon they last.
    pub share: f64,
}

impl Trajectory {
    /// The singular arcs; none where they do not last.
    pub fn singular_arcs(&self) -> Option<SingularArcs> {
        let intervals = || {
            let pairs = self.flat.windows(2).zip(self.times.windows(2));
            pairs.filter(|(flat, _)| flat[0] && flat[1])
        };
        let (first, last) = (intervals().next()?, intervals().next_back()?);
        let whole = self.times.last()? - self.times.first()?;
        let lasting: f64 = intervals().map(|(_, t)| t[1] - t[0]).sum();
        let found = SingularArcs {
            from: first.1[0],
            to: last.1[1],
            share: lasting / whole,
        };
        (found.share > SHORT).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(times: &[f64], flat: &[bool]) -> Trajectory {
        Trajectory {
            times: times.to_vec(),
            flat: flat.to_vec(),
            ..Trajectory::default()
        }
    }

    #[test]
    fn switches_are_no_arcs() {
        let times = [0.0, 1.0, 1.01, 1.02, 2.0, 3.0];
        let switch = path(&times, &[false, true, true, true, false, true]);
        assert_eq!(switch.singular_arcs(), None);
        let arc = path(&times, &[false, false, false, true, true, true]);
        let found = arc.singular_arcs().unwrap();
        assert_eq!((found.from, found.to), (1.02, 3.0));
        assert!((found.share - 0.66).abs() < 1e-12);
    }
}
