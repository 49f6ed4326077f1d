//! The energy of a member at its end against that at its start, where nothing works on it.

use super::run::Status;
use crate::compiled::Compiled;
use crate::simulation::{BESIDE, FAR, GROSS, SimulationError};
use rattleback_compile::{Motion, RecordKind};
use rattleback_integrate::Tolerance;

/// The compiled energy.
#[derive(Clone)]
pub(super) struct Balance {
    energy: Compiled,
    tolerance: Tolerance,
    dimension: usize,
}

impl Balance {
    /// Of motions that conserve their energy; none for others, whose work a member does not integrate.
    pub(super) fn of(
        motion: &Motion,
        tolerance: Tolerance,
    ) -> Result<Option<Self>, SimulationError> {
        let mut records = motion.records.iter();
        let energy = records.find(|r| r.kind == RecordKind::Energy);
        let is_conserved = motion.power.as_ref().is_some_and(|p| p.is_zero());
        let Some(energy) = energy.filter(|_| is_conserved) else {
            return Ok(None);
        };
        let program = motion.program(std::slice::from_ref(&energy.value))?;
        Ok(Some(Self {
            energy: Compiled::new(program),
            tolerance,
            dimension: motion.state.len(),
        }))
    }

    /// Judges a member that ended at the state in `inputs` = (t, x, varied) and had started at (t, x).
    pub(super) fn judge(&mut self, inputs: &mut [f64], start: (f64, &[f64]), steps: u64) -> Status {
        let (end, size_at_end) = self.energy(inputs);
        inputs[0] = start.0;
        inputs[1..=self.dimension].copy_from_slice(start.1);
        let (begun, size_at_start) = self.energy(inputs);
        if !end.is_finite() {
            return Status::Fault;
        }
        let size = size_at_start.max(size_at_end);
        let explained = FAR * (1.0 + steps as f64) * (self.tolerance.relative + f64::EPSILON);
        let error = (end - begun).abs();
        match error > explained * size && error > GROSS * size {
            true => Status::OffBalance,
            false => Status::Finished,
        }
    }

    /// The energy, and how much it changes where the state changes by its own size.
    fn energy(&mut self, inputs: &mut [f64]) -> (f64, f64) {
        let (mut here, mut beside) = ([f64::NAN], [f64::NAN]);
        // Without a value it is not a number.
        let _ = self.energy.call(inputs, &mut here);
        let least = self.tolerance.absolute / (self.tolerance.relative + f64::EPSILON);
        for x in &mut inputs[1..=self.dimension] {
            *x += BESIDE * (x.abs() + least);
        }
        let _ = self.energy.call(inputs, &mut beside);
        let slope = (beside[0] - here[0]).abs() / BESIDE;
        (here[0], slope + here[0].abs())
    }
}
