//! The filter: pairs of violation and objective that a new point must improve on.

/// Trial points are refused where some entry is better in both (Fletcher and Leyffer).
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    entries: Vec<(f64, f64)>,
    /// No point may violate the constraints by more.
    most: f64,
}

/// By how much violation and objective must improve, relative to the violation.
pub(super) const MARGIN: (f64, f64) = (1e-5, 1e-8);

impl Filter {
    pub fn new(most: f64) -> Self {
        Self {
            entries: Vec::new(),
            most,
        }
    }

    /// Is a point with this violation and objective acceptable?
    pub fn accepts(&self, violation: f64, objective: f64) -> bool {
        let improves = |&(v, f): &(f64, f64)| violation <= v || objective <= f;
        violation <= self.most && self.entries.iter().all(improves)
    }

    /// Points that do not improve on this one are refused from now on.
    pub fn add(&mut self, violation: f64, objective: f64) {
        let entry = (
            (1.0 - MARGIN.0) * violation,
            objective - MARGIN.1 * violation,
        );
        self.entries.retain(|e| e.0 < entry.0 || e.1 < entry.1);
        self.entries.push(entry);
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_that_is_worse_in_both_is_refused() {
        let mut filter = Filter::new(100.0);
        filter.add(1.0, 1.0);
        assert!(!filter.accepts(1.0, 1.0));
        assert!(filter.accepts(0.5, 2.0));
        assert!(filter.accepts(2.0, 0.5));
        assert!(!filter.accepts(200.0, -1.0));
        // An entry that another one covers is forgotten.
        filter.add(0.5, 0.5);
        assert_eq!(filter.entries.len(), 1);
    }
}
