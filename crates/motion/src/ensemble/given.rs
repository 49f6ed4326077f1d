//! What the programs of a member are given besides time and state.

use super::members::Members;
use rattleback_compile::Tables;
use std::sync::Arc;

/// What is varied, then the coefficients of the tables that feed controls.
pub struct Given {
    members: Arc<Members>,
    tables: Tables,
    /// A time inside the first stretch between knots.
    early: f64,
}

impl Given {
    /// For these members, fed by these tables from a time to another one.
    pub(super) fn new(members: &Arc<Members>, tables: Tables, from: f64, until: f64) -> Self {
        let knots = tables.knots(from, until);
        let next = match from <= until {
            true => knots.first(),
            false => knots.last(),
        };
        Self {
            members: Arc::clone(members),
            early: 0.5 * (from + next.unwrap_or(&until)),
            tables,
        }
    }

    /// The values of a member where its motion begins.
    pub(super) fn begin(&self, member: usize, out: &mut [f64]) {
        self.write(member, self.early, out);
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.members.varied() + self.tables.symbols().len()
    }

    /// Writes the values of a member around a time.
    pub(super) fn write(&self, member: usize, t: f64, out: &mut [f64]) {
        let (varied, coefficients) = out.split_at_mut(self.members.varied());
        self.members.values(member, varied);
        coefficients.copy_from_slice(&self.tables.values(t));
    }
}
