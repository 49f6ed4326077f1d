//! The problems that are measured beside other tools, built the way that their scripts build them.
//!
//! Parameters are numbers, Lagrangians come link by link, and nothing is simplified beforehand.

pub mod clock;
pub mod command;
pub mod crowd;
pub mod motion;
pub mod pendulum;
pub mod snakeboard;
pub mod trailers;

use rattleback_compile::{EvaluationError, Evaluator};
use rattleback_mechanics::{Constraints, Equations, Form, MechanicsError, System};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A problem by its name and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A planar chain of this many links.
    Pendulum(usize),
    /// A tractor with this many trailers.
    Trailers(usize),
    /// The snakeboard.
    Snakeboard,
}

/// What went wrong on the way to equations that can be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No such problem.
    #[error("there is no problem `{0}`: try pendulum, trailers or snakeboard")]
    Unknown(String),
    /// The derivation failed.
    #[error(transparent)]
    Derivation(#[from] MechanicsError),
    /// The equations could not be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

impl Problem {
    /// From the names that the scripts use.
    pub fn named(name: &str, size: usize) -> Result<Self, BenchError> {
        match name {
            "pendulum" => Ok(Self::Pendulum(size)),
            "trailers" => Ok(Self::Trailers(size)),
            "snakeboard" => Ok(Self::Snakeboard),
            _ => Err(BenchError::Unknown(name.into())),
        }
    }

    /// The system, built from numbers and coordinates.
    pub fn system(self) -> System {
        match self {
            Self::Pendulum(n) => pendulum::system(n),
            Self::Trailers(k) => trailers::system(k),
            Self::Snakeboard => snakeboard::system(),
        }
    }

    /// The formulation that the other tools use.
    pub fn form(self) -> Form {
        match self {
            Self::Pendulum(_) => Form::EulerLagrange,
            Self::Trailers(_) | Self::Snakeboard => Form::LagrangeDAlembert,
        }
    }

    /// The equations of motion.
    pub fn equations(self) -> Result<Equations, BenchError> {
        Ok(self.system().equations(self.form())?)
    }

    /// From nothing to equations that can be evaluated.
    pub fn evaluator(self) -> Result<Evaluator, BenchError> {
        Ok(Evaluator::new(&self.equations()?, &[])?)
    }
}

/// q0, q1, … as symbols, coordinates and velocities.
fn coordinates(n: usize) -> (Vec<Symbol>, Vec<Expr>, Vec<Expr>) {
    let symbols: Vec<Symbol> = (0..n).map(|i| Symbol::variable(&format!("q{i}"))).collect();
    let q = symbols.iter().map(Expr::from).collect();
    let v = symbols.iter().map(|s| s.derivative().into()).collect();
    (symbols, q, v)
}

/// A q' = 0, row by row.
fn velocity_constraints(rows: Vec<Vec<Expr>>) -> Constraints {
    let columns = rows.first().map_or(0, Vec::len);
    let forms = Matrix::new(rows.len(), columns, |s, i| rows[s][i].clone());
    Constraints::new(forms, vec![Expr::zero(); rows.len()])
}
