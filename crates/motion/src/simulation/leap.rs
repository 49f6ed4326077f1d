//! Jumps of the Lagrangian: the equations hold on both sides of one, and say nothing of a motion that meets it.

use crate::compiled::Compiled;
use rattleback_compile::Motion;
use rattleback_mechanics::Problem;
use rattleback_symbolic::{Cut, Expr, MissingInput, jumps};

/// A part of what the Lagrangian is made of that is no rounding.
const LEAST: f64 = 1e-7;

/// The Lagrangian beside the places that it may jump at.
#[derive(Clone)]
pub(super) struct Leaps {
    /// L and Σ p_A y^A.
    lagrangian: Compiled,
    /// Where it may jump.
    pub(super) cuts: Vec<Cut>,
}

impl Leaps {
    /// Of a motion that may meet such places, those of time alone left aside: what jumps with time acts as a force.
    pub(super) fn of(problem: &Problem, motion: &Motion) -> Result<Option<Self>, MissingInput> {
        let (system, frame) = (&problem.system, problem.system.frame());
        let moves = |e: &Expr| e.contains_any(frame.base()) || e.contains_any(frame.fibre());
        let lagrangian = system.lagrangian();
        let cuts = jumps(std::slice::from_ref(lagrangian)).into_iter();
        let cuts: Vec<Cut> = cuts.filter(|cut| moves(&cut.at)).collect();
        if cuts.is_empty() {
            return Ok(None);
        }
        let exchanged = frame.velocity().into_iter().zip(system.momenta());
        let exchanged = Expr::sum(exchanged.map(|(v, p)| v * p));
        let both = motion.express(&[lagrangian.clone(), exchanged]);
        let lagrangian = Compiled::new(motion.program(&both)?);
        Ok(Some(Self { lagrangian, cuts }))
    }

    /// How far L and Σ p_A y^A are apart at two places, beside their sizes; endless where there is no value.
    pub(super) fn apart(&mut self, one: &[f64], other: &[f64]) -> f64 {
        let [a, b] = [self.at(one), self.at(other)];
        let size = [a, b]
            .iter()
            .flatten()
            .fold(0.0, |m: f64, x| m.max(x.abs()));
        // At given momenta it may be what they are paired with that jumps.
        let apart = (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
        match apart {
            0.0 => 0.0,
            _ if apart.is_nan() => f64::INFINITY,
            _ => apart / size,
        }
    }

    /// Does L jump that is so far apart at two places, and so far at two that are much closer together?
    pub(super) fn is_jump(far: f64, near: f64) -> bool {
        near > LEAST && near > 0.5 * far
    }

    fn at(&mut self, inputs: &[f64]) -> [f64; 2] {
        let mut values = [f64::NAN; 2];
        let _ = self.lagrangian.call(inputs, &mut values);
        values
    }
}
