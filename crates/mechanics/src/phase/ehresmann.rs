//! The constraints of a system as an Ehresmann connection: normal form, lifts, prolongation
//! (VE-C01, C02, C03; HJ-C28; DP-B12, B14).

use super::PhaseError;
use super::coframe::{from_columns, linear_constraints, skew, values};
use crate::System;
use rattleback_geometry::{
    Ehresmann, EhresmannError, Frame, Section, StructureFunctions, Subframe, independent_rows,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// Constraints in normal form, s'^a + A^a_α r'^α = 0 with A = w_s⁻¹ w_r, for a split of the
/// velocities in base r' and fibre s'; h_α = ∂_α − A^a_α ∂_a spans D.
///
/// The chart ends where det w_s = 0: see [`Ehresmann::condition`].
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::NormalForm};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let split = NormalForm::with_fibre(&knife, &[1]).unwrap();
/// // y' = tan φ x'
/// let phi = Expr::from(&knife.frame().base()[2]);
/// let gap = &split.connection().components()[(0, 0)] + phi.tan();
/// assert!(knife.prove_zero(&[gap]).is_proven());
/// assert!(split.connection().condition().is_some()); // cos φ ≠ 0
/// ```
#[derive(Clone, Debug)]
pub struct NormalForm {
    connection: Ehresmann,
    lifts: Vec<Section>,
}

/// A horizontal lift to the tangent bundle along D.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProlongedLift {
    /// The section h_α.
    pub position: Section,
    /// The rates of the fibre velocities s'^a; those of the base velocities vanish.
    pub fibre_velocity: Vec<Expr>,
}

impl NormalForm {
    /// The normal form for these velocities as fibre, by their index in the frame.
    pub fn with_fibre(system: &System, fibre: &[usize]) -> Result<Self, PhaseError> {
        linear_constraints(system, "an Ehresmann connection")?;
        let (frame, forms) = (system.frame(), system.constraints().forms());
        let connection =
            Ehresmann::new(frame, forms, fibre, &system.on_groups).map_err(|e| match e {
                EhresmannError::Vertical => PhaseError::Chart {
                    fibre: names(frame, fibre),
                },
                other => PhaseError::Connection(other),
            })?;
        let base = connection.base().len();
        Ok(Self {
            lifts: (0..base).map(|alpha| connection.lift(alpha)).collect(),
            connection,
        })
    }

    /// The normal form with a fibre that works: velocities whose positions occur nowhere first, then
    /// from the last one on (VE-C01).
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        linear_constraints(system, "an Ehresmann connection")?;
        let (frame, w) = (system.frame(), system.constraints().forms());
        let seen = |a: usize| {
            let column = frame.anchor().column(a);
            let pairs = frame.base().iter().zip(&column);
            let moved: Vec<&Symbol> = pairs
                .filter(|(_, rho)| !rho.is_zero())
                .map(|(z, _)| z)
                .collect();
            let used = |e: &Expr| e.contains_any(moved.iter().copied());
            used(system.lagrangian()) || w.entries().iter().any(used)
        };
        let (cyclic, others): (Vec<usize>, Vec<usize>) =
            (0..frame.rank()).rev().partition(|&a| !seen(a));
        let order = [cyclic, others].concat();
        let candidates = Matrix::new(order.len(), w.rows(), |i, s| w[(s, order[i])].clone());
        let kept = independent_rows(&candidates, &system.on_groups)?.kept;
        let mut fibre: Vec<usize> = kept.iter().map(|&i| order[i]).collect();
        fibre.sort_unstable();
        Self::with_fibre(system, &fibre)
    }

    /// The connection: forms, projections, curvature, conditions.
    pub fn connection(&self) -> &Ehresmann {
        &self.connection
    }
    /// The frame.
    pub fn frame(&self) -> &Frame {
        self.connection.frame()
    }
    /// The horizontal lifts h_α.
    pub fn lifts(&self) -> &[Section] {
        &self.lifts
    }
    /// The base velocities.
    pub fn base_velocities(&self) -> Vec<Symbol> {
        let y = self.frame().fibre();
        self.connection
            .base()
            .iter()
            .map(|&i| y[i].clone())
            .collect()
    }
    /// The fibre velocities.
    pub fn fibre_velocities(&self) -> Vec<Symbol> {
        let y = self.frame().fibre();
        self.connection
            .fibre()
            .iter()
            .map(|&i| y[i].clone())
            .collect()
    }

    /// The lifts as a frame of D with the base velocities as quasi-velocities.
    pub fn sections(&self) -> Subframe {
        let n = self.frame().rank();
        Subframe {
            drift: vec![Expr::zero(); n],
            basis: from_columns(n, &self.lifts),
            velocities: self.base_velocities(),
        }
    }

    /// ω^a([h_α, h_β]), one matrix per fibre velocity.
    ///
    /// This is B of VE (1.4) and R of DP-B12; our curvature B(X, Y) = −A([hor X, hor Y]) is minus
    /// this.
    pub fn bracket_curvature(&self) -> Vec<Matrix> {
        let d = self.lifts.len();
        let pairs = |i: usize, j: usize| self.connection.bracket_curvature(i, j);
        let all: Vec<Vec<Vec<Expr>>> = (0..d)
            .map(|i| (i + 1..d).map(|j| pairs(i, j)).collect())
            .collect();
        (0..self.connection.fibre().len())
            .map(|a| skew(d, |i, j| all[i][j - i - 1][a].clone()))
            .collect()
    }

    /// D as a frame of its own, the lifts h_α with the base part of their brackets; coordinate bases
    /// have none.
    pub fn horizontal_frame(&self) -> Frame {
        let (sections, frame) = (self.sections(), self.frame());
        let mut structure = StructureFunctions::default();
        for i in 0..self.lifts.len() {
            for j in i + 1..self.lifts.len() {
                let bracket = frame.bracket(&self.lifts[i], &self.lifts[j]);
                for (gamma, &b) in self.connection.base().iter().enumerate() {
                    structure.set(i, j, gamma, bracket[b].clone());
                }
            }
        }
        let anchor = frame.anchor() * &sections.basis;
        Frame::new(
            frame.base().to_vec(),
            sections.velocities,
            anchor,
            structure,
        )
    }

    /// The prolonged lifts of ∂/∂r^α to TQ along D (DP-B14, with the lost q̇^b of the print): the
    /// fibre velocity s'^a = −A^a_β r'^β changes at the rate −r'^β h_α\[A^a_β\].
    pub fn prolonged_lifts(&self) -> Vec<ProlongedLift> {
        let v = values(&self.base_velocities());
        let slipping = self.connection.components().apply(&v);
        let slipping: Vec<Expr> = slipping.iter().map(|e| -e).collect();
        self.lifts
            .iter()
            .map(|h| ProlongedLift {
                position: h.clone(),
                fibre_velocity: self.frame().act(h, &slipping),
            })
            .collect()
    }

    /// The lift of base accelerations r'' to the full accelerations of a motion in D:
    /// s''^a = −A^a_α r''^α − r'^α r'^β h_α\[A^a_β\].
    pub fn accelerations(&self, base: &[Expr]) -> Vec<Expr> {
        let v = values(&self.base_velocities());
        let prolonged = self.prolonged_lifts();
        let mut all = self.connection.reconstruct(base);
        for (a, &s) in self.connection.fibre().iter().enumerate() {
            let turning: Vec<Expr> = prolonged
                .iter()
                .map(|p| p.fibre_velocity[a].clone())
                .collect();
            all[s] += dot(&turning, &v);
        }
        all
    }

    /// The vector fields e_a along the fibre.
    pub(super) fn vertical_fields(&self) -> Vec<Section> {
        let fibre = self.connection.fibre();
        fibre.iter().map(|&s| self.frame().basis(s)).collect()
    }
}

fn names(frame: &Frame, velocities: &[usize]) -> String {
    let all: Vec<String> = velocities
        .iter()
        .map(|&i| frame.fibre()[i].to_string())
        .collect();
    all.join(", ")
}
