//! Which components of a state are positions and which are momenta.

/// The canonical pairs (q_i, p_i) of a state, by the indices of its components.
///
/// ```
/// use rattleback_integrate::symplectic::Partition;
/// let partition = Partition::new(4, &[(0, 2), (1, 3)])?;
/// assert_eq!(partition, Partition::halves(2));
/// # Ok::<(), rattleback_integrate::symplectic::PartitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    positions: Vec<usize>,
    momenta: Vec<usize>,
}

/// Why pairs do not partition a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartitionError {
    /// A pair names a component that the state does not have.
    #[error("there is no state component {0}")]
    Missing(usize),
    /// A component is named twice.
    #[error("state component {0} is in two pairs")]
    Twice(usize),
    /// A component is in no pair.
    #[error("state component {0} is neither a position nor a momentum")]
    Unpaired(usize),
}

impl Partition {
    /// The partition of a state with `dimension` components into the pairs (position, momentum).
    pub fn new(dimension: usize, pairs: &[(usize, usize)]) -> Result<Self, PartitionError> {
        let mut paired = vec![false; dimension];
        for k in pairs.iter().flat_map(|&(q, p)| [q, p]) {
            let seen = paired.get_mut(k).ok_or(PartitionError::Missing(k))?;
            if std::mem::replace(seen, true) {
                return Err(PartitionError::Twice(k));
            }
        }
        match paired.iter().position(|&seen| !seen) {
            Some(k) => Err(PartitionError::Unpaired(k)),
            None => Ok(Partition {
                positions: pairs.iter().map(|pair| pair.0).collect(),
                momenta: pairs.iter().map(|pair| pair.1).collect(),
            }),
        }
    }

    /// All positions first, then all momenta.
    pub fn halves(degrees_of_freedom: usize) -> Self {
        Partition {
            positions: (0..degrees_of_freedom).collect(),
            momenta: (degrees_of_freedom..2 * degrees_of_freedom).collect(),
        }
    }

    /// The number of state components.
    pub fn dimension(&self) -> usize {
        2 * self.positions.len()
    }

    /// The components that are positions.
    pub fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// The components that are momenta, in the order of the positions.
    pub fn momenta(&self) -> &[usize] {
        &self.momenta
    }

    /// Whether ∂q'/∂q and ∂p'/∂p vanish in the Jacobian of a field at a state, as they do
    /// everywhere for H = T(p) + V(q).
    pub fn is_separable(&self, jacobian: &[f64]) -> bool {
        let n = self.dimension();
        [&self.positions, &self.momenta].iter().all(|part| {
            let entries = part.iter().flat_map(|&i| part.iter().map(move |&j| (i, j)));
            entries.into_iter().all(|(i, j)| jacobian[i * n + j] == 0.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_pairs_that_do_not_cover_the_state_once() {
        let new = |pairs| Partition::new(4, pairs);
        assert_eq!(new(&[(0, 2), (1, 4)]), Err(PartitionError::Missing(4)));
        assert_eq!(new(&[(0, 2), (1, 2)]), Err(PartitionError::Twice(2)));
        assert_eq!(new(&[(0, 2)]), Err(PartitionError::Unpaired(1)));
        assert_eq!(new(&[(3, 2), (1, 0)]).unwrap().momenta(), [2, 0]);
    }

    #[test]
    fn separability_is_read_off_the_jacobian() {
        let partition = Partition::halves(1);
        assert!(partition.is_separable(&[0.0, 1.0, -2.0, 0.0]));
        assert!(!partition.is_separable(&[0.1, 1.0, -2.0, -0.1]));
    }
}
