//! Meshes: the nodes of a path, stretch by stretch.

/// The nodes of each stretch between times that conditions name, as shares of it from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    stretches: Vec<Vec<f64>>,
}

impl Mesh {
    /// Equal intervals: each stretch gets its share of n by its length, at least one.
    pub fn uniform(lengths: &[f64], n: usize) -> Self {
        let whole: f64 = lengths.iter().sum();
        let count = |length: &f64| (n as f64 * length / whole).round().max(1.0) as usize;
        let mut counts: Vec<usize> = lengths.iter().map(count).collect();
        // Rounding must not change the number of intervals where there are enough.
        while counts.iter().sum::<usize>() > n.max(counts.len()) {
            let Some(most) = counts.iter_mut().max() else {
                break;
            };
            *most -= 1;
        }
        while counts.iter().sum::<usize>() < n {
            let longest = counts.iter_mut().zip(lengths);
            let worst = longest.max_by(|a, b| {
                let width = |(c, l): &(&mut usize, &f64)| **l / **c as f64;
                width(a).total_cmp(&width(b))
            });
            let Some((count, _)) = worst else { break };
            *count += 1;
        }
        let stretch = |&n: &usize| (0..=n).map(|k| k as f64 / n as f64).collect();
        Self {
            stretches: counts.iter().map(stretch).collect(),
        }
    }

    /// How many intervals there are.
    pub fn intervals(&self) -> usize {
        self.stretches.iter().map(|s| s.len() - 1).sum()
    }

    /// The stretch of an interval, where it begins in it and how wide it is.
    pub fn interval(&self, k: usize) -> (usize, f64, f64) {
        let mut rest = k;
        for (i, stretch) in self.stretches.iter().enumerate() {
            if rest < stretch.len() - 1 {
                return (i, stretch[rest], stretch[rest + 1] - stretch[rest]);
            }
            rest -= stretch.len() - 1;
        }
        (self.stretches.len().saturating_sub(1), 1.0, 0.0)
    }

    /// The node at which a stretch begins.
    pub fn node_of_stretch(&self, i: usize) -> usize {
        self.stretches[..i].iter().map(|s| s.len() - 1).sum()
    }

    /// Are the intervals of each stretch equal?
    pub fn is_even(&self) -> bool {
        self.stretches.iter().all(|stretch| {
            let widths = || stretch.windows(2).map(|w| w[1] - w[0]);
            let (least, most) = (widths().fold(1.0, f64::min), widths().fold(0.0, f64::max));
            most <= 1.5 * least
        })
    }

    /// Cuts the intervals that are marked into as many parts as said.
    pub fn refined(&self, parts: &[usize]) -> Self {
        let mut k = 0;
        let stretches = self.stretches.iter().map(|stretch| {
            let mut nodes = vec![0.0];
            for pair in stretch.windows(2) {
                let n = parts.get(k).copied().unwrap_or(1).max(1);
                let width = (pair[1] - pair[0]) / n as f64;
                nodes.extend((1..n).map(|j| pair[0] + j as f64 * width));
                nodes.push(pair[1]);
                k += 1;
            }
            nodes
        });
        Self {
            stretches: stretches.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_share_the_intervals() {
        let mesh = Mesh::uniform(&[1.0, 3.0], 8);
        assert_eq!((mesh.intervals(), mesh.node_of_stretch(1)), (8, 2));
        assert_eq!(mesh.interval(1), (0, 0.5, 0.5));
        assert_eq!(mesh.interval(2).0, 1);
        // Every stretch has at least one.
        assert_eq!(Mesh::uniform(&[1e-3, 1.0], 3).intervals(), 3);
        assert_eq!(Mesh::uniform(&[1.0, 1.0, 1.0], 2).intervals(), 3);
    }

    #[test]
    fn refinement_cuts_what_is_marked() {
        let mesh = Mesh::uniform(&[1.0], 2).refined(&[1, 2]);
        assert_eq!(mesh.intervals(), 3);
        assert_eq!(mesh.interval(1), (0, 0.5, 0.25));
        assert!(!mesh.is_even() && Mesh::uniform(&[1.0, 0.1], 7).is_even());
    }
}
