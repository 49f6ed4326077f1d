//! The converse of the momentum equation: a curve that obeys it for enough fields is a motion (NG-M4).

use rattleback_geometry::{Section, independent_rows};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::{MomentumFunction, PhaseError};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// Why a choice of functions and fields proves nothing.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoConverse {
    /// The differentials of the functions do not separate the velocities of D.
    #[error("the differentials of the {functions} functions have rank {rank} on D, not {wanted}")]
    Functions {
        /// How many functions.
        functions: usize,
        /// The rank of their differentials on D.
        rank: usize,
        /// The rank of D.
        wanted: usize,
    },
    /// The fields do not span D.
    #[error("the {fields} fields have rank {rank} in D, not {wanted}")]
    Fields {
        /// How many fields.
        fields: usize,
        /// Their rank.
        rank: usize,
        /// The rank of D.
        wanted: usize,
    },
    /// A field is not in D.
    #[error("field {0} is not in D")]
    NotInD(usize),
    /// The momenta do not exist.
    #[error(transparent)]
    Phase(#[from] PhaseError),
    /// The distribution has no frame.
    #[error("{0}")]
    Frame(String),
}

/// The test of a curve (q(t), v(t)) in D by functions f and fields Z in D:
///
/// ```text
/// d/dt f = v[f],      d/dt P_Z = ½(L_Z k)(v, v) − dV(Z)
/// ```
///
/// It is conclusive if the df span D* and the Z span D.
#[derive(Clone, Debug)]
pub struct MotionTest {
    /// Symbols for the rates of the base coordinates.
    pub rates: Vec<Symbol>,
    /// Symbols for the rates of the frame velocities.
    pub accelerations: Vec<Symbol>,
    /// What vanishes along a motion, in positions, velocities and the rates of both.
    pub residuals: Vec<Expr>,
}

impl MotionTest {
    /// The test by these functions and fields, if it is conclusive.
    pub fn of(system: &System, functions: &[Expr], fields: &[Section]) -> Result<Self, NoConverse> {
        let frame = system.frame();
        let on = system.parametrization();
        let sections = system
            .sections()
            .map_err(|e| NoConverse::Frame(e.to_string()))?;
        let wanted = sections.rank();
        let rank = |rows: &[Vec<Expr>]| {
            independent_rows(&Matrix::from_rows(rows), on).map_or(0, |r| r.kept.len())
        };
        let on_d: Vec<Vec<Expr>> = functions
            .iter()
            .map(|f| sections.basis.transpose().apply(&frame.differential(f)))
            .collect();
        if rank(&on_d) < wanted {
            return Err(NoConverse::Functions {
                functions: functions.len(),
                rank: rank(&on_d),
                wanted,
            });
        }
        for (k, z) in fields.iter().enumerate() {
            let arms = system.constraints().forms().apply(z);
            if !system.prove_zero(&arms).is_proven() {
                return Err(NoConverse::NotInD(k));
            }
        }
        if rank(fields) < wanted {
            return Err(NoConverse::Fields {
                fields: fields.len(),
                rank: rank(fields),
                wanted,
            });
        }
        let jet = |s: &Symbol, what: &str| Symbol::variable(&format!("{what}_{}", s.name()));
        let rates: Vec<Symbol> = frame.base().iter().map(|s| jet(s, "rate")).collect();
        let accelerations: Vec<Symbol> = frame.fibre().iter().map(|s| jet(s, "rate_of")).collect();
        let along = |e: &Expr| {
            e.derivation(|s| {
                let base = frame.base().iter().position(|z| z == s);
                let fibre = frame.fibre().iter().position(|y| y == s);
                match (base, fibre) {
                    (Some(i), _) => Expr::from(&rates[i]),
                    (_, Some(i)) => Expr::from(&accelerations[i]),
                    _ => Expr::zero(),
                }
            })
        };
        let velocity = frame.velocity();
        let mut residuals: Vec<Expr> = functions
            .iter()
            .map(|f| along(f) - frame.act(&velocity, std::slice::from_ref(f)).swap_remove(0))
            .collect();
        for z in fields {
            let momentum = MomentumFunction::of(system, z)?;
            residuals.push(along(&momentum.value) - momentum.rate);
        }
        Ok(Self {
            rates,
            accelerations,
            residuals,
        })
    }
}
