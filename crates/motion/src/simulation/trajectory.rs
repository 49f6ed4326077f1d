//! A motion that was followed to its end: its rows, column by column, and what it came to.

use super::{Outcome, Simulation};
use std::ops::{ControlFlow, Index};

/// What takes the rows of a motion.
pub type Rows<'a> = dyn FnMut(&[f64]) -> ControlFlow<()> + 'a;

/// The rows of a motion, column by column, and what it came to.
pub struct Trajectory {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    /// What was followed, and how.
    pub simulation: Simulation,
    /// What it came to: steps, balance of energy, residuals, events, failure.
    pub outcome: Outcome,
}

impl Trajectory {
    /// Keeps the rows of a simulation that somebody follows.
    pub fn of<E>(
        mut simulation: Simulation,
        follow: impl FnOnce(&mut Simulation, &mut Rows<'_>) -> Result<Outcome, E>,
    ) -> Result<Self, E> {
        let names = simulation.columns();
        let mut columns = vec![Vec::new(); names.len()];
        let outcome = follow(&mut simulation, &mut |row| {
            for (column, value) in columns.iter_mut().zip(row) {
                column.push(*value);
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self {
            names,
            columns,
            simulation,
            outcome,
        })
    }

    /// The names of the columns: `t`, the state, recorded quantities.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Is there no row?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let k = self.names.iter().position(|n| n == name)?;
        self.columns.get(k).map(Vec::as_slice)
    }
}

/// A column by its name; panics where there is none, as an index does. [`Trajectory::column`] does not.
impl Index<&str> for Trajectory {
    type Output = [f64];

    fn index(&self, name: &str) -> &[f64] {
        match self.column(name) {
            Some(column) => column,
            None => panic!("no column `{name}`: there are {}", self.names.join(", ")),
        }
    }
}
