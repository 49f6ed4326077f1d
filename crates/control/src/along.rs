//! The linear system along a motion, sample by sample.

use crate::claims::dense;
use crate::error::LinearizeError;
use crate::plant::Plant;
use rattleback_compile::{LinearizationError, Linearizer};
use rattleback_mechanics::{Chart, LinearSystem, Problem};
use rattleback_numeric::{Complex, Eigen};

/// A linear system at a time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The time.
    pub time: f64,
    /// The state of the equations.
    pub state: Vec<f64>,
    /// The controls there.
    pub inputs: Vec<f64>,
    /// A, B, C, D.
    pub system: LinearSystem<f64>,
    /// The eigenvalues of A: of neighbouring motions for a short time.
    pub eigenvalues: Vec<Complex>,
}

/// Linear systems along a motion, all in the independent directions of the first.
pub struct Along {
    plant: Plant,
    linearizer: Linearizer,
    chart: Option<Chart>,
}

impl Along {
    /// Makes a problem ready, with its laws put in if the loop is closed.
    pub fn new(problem: &Problem, closed: bool) -> Result<Self, LinearizeError> {
        let plant = Plant::of(problem, closed)?;
        let (_, outputs) = plant.outputs();
        let linearizer = Linearizer::new(
            &plant.variational,
            &plant.constants,
            &plant.controls,
            &outputs,
        )?;
        Ok(Self {
            plant,
            linearizer,
            chart: None,
        })
    }

    /// The names of the entries of a state.
    pub fn state(&self) -> Vec<String> {
        self.plant
            .equations
            .state
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The names of the controls.
    pub fn inputs(&self) -> Vec<String> {
        self.plant
            .controls
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> Vec<String> {
        self.plant.outputs().0
    }

    /// The linear systems at these times of the motion, with its state by columns; what fails, with its time.
    pub fn samples(
        &mut self,
        times: &[f64],
        columns: &[&[f64]],
    ) -> Result<Vec<Sample>, (f64, LinearizeError)> {
        let at = |(i, t): (usize, &f64)| {
            let state: Vec<f64> = columns.iter().map(|c| c[i]).collect();
            self.at(*t, &state).map_err(|e| (*t, e))
        };
        times.iter().enumerate().map(at).collect()
    }

    /// The linear system at a state of the motion.
    pub fn at(&mut self, time: f64, state: &[f64]) -> Result<Sample, LinearizeError> {
        let inputs = self.plant.input_values(time, state)?;
        let found = self
            .linearizer
            .at_with_chart(time, state, &inputs, self.chart.as_ref());
        let (system, chart, _) = found?;
        let finite = system.a.iter().flatten().all(|x| x.is_finite());
        if !finite {
            return Err(LinearizationError::NotFinite.into());
        }
        self.chart.get_or_insert(chart);
        let eigen = Eigen::of(&dense(&system.a, system.state.len()))?;
        Ok(Sample {
            time,
            state: state.to_vec(),
            inputs,
            system,
            eigenvalues: eigen.values,
        })
    }
}
