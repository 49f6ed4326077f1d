//! The Ehresmann connection of constraints solved for fibre velocities
//! (VE-C01, C02, C03; HJ-C28; DP-B12, B14).

use super::PhaseError;
use super::coframe::{columns, from_columns, linear_constraints};
use super::elimination::linear_solution;
use crate::System;
use crate::engine::Sections;
use rattleback_geometry::{Frame, Section, StructureFunctions, independent_rows};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

/// Constraints in normal form, s'^a + A^a_α r'^α = 0 with A = w_s⁻¹ w_r, for a split of the
/// velocities in base r' and fibre s'; h_α = ∂_α − A^a_α ∂_a spans D.
///
/// The chart ends where det w_s = 0: see [`Ehresmann::conditions`].
#[derive(Clone, Debug)]
pub struct Ehresmann {
    frame: Frame,
    base: Vec<usize>,
    fibre: Vec<usize>,
    connection: Matrix,
    lifts: Vec<Section>,
    conditions: Vec<Expr>,
    on_groups: Vec<(Symbol, Expr)>,
}

/// A horizontal lift to the tangent bundle along D.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProlongedLift {
    /// The section h_α.
    pub position: Section,
    /// The rates of the fibre velocities s'^a; those of the base velocities vanish.
    pub fibre_velocity: Vec<Expr>,
}

impl Ehresmann {
    /// The connection for these velocities as fibre, by their index in the frame.
    pub fn with_fibre(system: &System, fibre: &[usize]) -> Result<Self, PhaseError> {
        linear_constraints(system, "an Ehresmann connection")?;
        let (frame, constraints) = (system.frame(), system.constraints());
        if fibre.len() != constraints.len() {
            return Err(PhaseError::FibreSize {
                constraints: constraints.len(),
                fibre: fibre.len(),
            });
        }
        let base: Vec<usize> = (0..frame.rank()).filter(|i| !fibre.contains(i)).collect();
        let rows: Vec<usize> = (0..constraints.len()).collect();
        let w = constraints.forms();
        let solved =
            linear_solution(&w.select(&rows, fibre), &w.select(&rows, &base)).map_err(|_| {
                let names: Vec<String> = fibre
                    .iter()
                    .map(|&i| frame.fibre()[i].to_string())
                    .collect();
                PhaseError::Chart {
                    fibre: names.join(", "),
                }
            })?;
        let connection = solved.solution;
        let lift = |alpha: usize| -> Section {
            let mut h = vec![Expr::zero(); frame.rank()];
            h[base[alpha]] = Expr::one();
            for (a, &s) in fibre.iter().enumerate() {
                h[s] = -&connection[(a, alpha)];
            }
            h
        };
        Ok(Self {
            lifts: (0..base.len()).map(lift).collect(),
            conditions: solved
                .conditions
                .into_iter()
                .filter(|c| !c.is_nonvanishing())
                .collect(),
            on_groups: system.on_groups.clone(),
            frame: frame.clone(),
            fibre: fibre.to_vec(),
            base,
            connection,
        })
    }

    /// The connection with a fibre that works: velocities whose positions occur nowhere first, then
    /// from the last one on (VE-C01).
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        linear_constraints(system, "an Ehresmann connection")?;
        let (frame, w) = (system.frame(), system.constraints().forms());
        let seen = |a: usize| {
            let column = frame.anchor().column(a);
            let moved: Vec<&Symbol> = frame
                .base()
                .iter()
                .zip(&column)
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

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The base velocities, by index.
    pub fn base(&self) -> &[usize] {
        &self.base
    }
    /// The fibre velocities, by index.
    pub fn fibre(&self) -> &[usize] {
        &self.fibre
    }
    /// The base velocities.
    pub fn base_velocities(&self) -> Vec<Symbol> {
        self.base
            .iter()
            .map(|&i| self.frame.fibre()[i].clone())
            .collect()
    }
    /// The fibre velocities.
    pub fn fibre_velocities(&self) -> Vec<Symbol> {
        self.fibre
            .iter()
            .map(|&i| self.frame.fibre()[i].clone())
            .collect()
    }
    /// A^a_α: rows are fibre velocities, columns base velocities.
    pub fn connection(&self) -> &Matrix {
        &self.connection
    }
    /// Functions that must not vanish: the factors of det w_s.
    pub fn conditions(&self) -> &[Expr] {
        &self.conditions
    }
    /// The horizontal lifts h_α.
    pub fn lifts(&self) -> &[Section] {
        &self.lifts
    }

    /// The lifts as a frame of D with the base velocities as quasi-velocities.
    pub fn sections(&self) -> Sections {
        Sections {
            drift: vec![Expr::zero(); self.frame.rank()],
            basis: from_columns(self.frame.rank(), &self.lifts),
            velocities: self.base_velocities(),
        }
    }

    /// The normalised forms ω^a = ds^a + A^a_α dr^α, as rows in the order of the frame.
    pub fn forms(&self) -> Matrix {
        Matrix::new(self.fibre.len(), self.frame.rank(), |a, i| {
            match self.base.iter().position(|&b| b == i) {
                Some(alpha) => self.connection[(a, alpha)].clone(),
                None => i64::from(self.fibre[a] == i).into(),
            }
        })
    }

    /// The vertical projection y ↦ ω^a(y) ∂_a (VE-C02).
    pub fn vertical_projector(&self) -> Matrix {
        let forms = self.forms();
        Matrix::new(self.frame.rank(), self.frame.rank(), |i, j| {
            self.fibre
                .iter()
                .position(|&s| s == i)
                .map_or_else(Expr::zero, |a| forms[(a, j)].clone())
        })
    }

    /// The horizontal projection 1 − vertical.
    pub fn horizontal_projector(&self) -> Matrix {
        &Matrix::identity(self.frame.rank()) - &self.vertical_projector()
    }

    /// [h_α, h_β] for α < β.
    fn brackets(&self) -> Vec<(usize, usize, Section)> {
        let d = self.lifts.len();
        let pairs = (0..d).flat_map(|i| (i + 1..d).map(move |j| (i, j)));
        pairs
            .map(|(i, j)| (i, j, self.frame.bracket(&self.lifts[i], &self.lifts[j])))
            .collect()
    }

    /// ω^a([h_α, h_β]), one matrix per fibre velocity.
    ///
    /// This is B of VE (1.4) and R of DP-B12: in coordinates
    /// ∂_β A_α − ∂_α A_β + A^a_α ∂_a A_β − A^a_β ∂_a A_α, on a group ∂_β A_α − ∂_α A_β + [A_α, A_β].
    /// Our curvature B(X, Y) = −A([hor X, hor Y]) is minus this.
    pub fn bracket_curvature(&self) -> Vec<Matrix> {
        let (d, forms) = (self.lifts.len(), self.forms());
        let mut all = vec![Matrix::zeros(d, d); self.fibre.len()];
        for (i, j, bracket) in self.brackets() {
            for (b, value) in all.iter_mut().zip(forms.apply(&bracket)) {
                b[(j, i)] = -&value;
                b[(i, j)] = value;
            }
        }
        all
    }

    /// D as a frame of its own, the lifts h_α with the base part of their brackets; coordinate bases
    /// have none.
    pub fn horizontal_frame(&self) -> Frame {
        let sections = self.sections();
        let mut structure = StructureFunctions::default();
        for (i, j, bracket) in self.brackets() {
            for (gamma, &b) in self.base.iter().enumerate() {
                structure.set(i, j, gamma, bracket[b].clone());
            }
        }
        let anchor = self.frame.anchor() * &sections.basis;
        Frame::new(
            self.frame.base().to_vec(),
            sections.velocities,
            anchor,
            structure,
        )
    }

    /// The curvature B(h_α, h_β) = −A([h_α, h_β]) = dω(h_α, h_β), one matrix per fibre velocity.
    pub fn curvature(&self) -> Vec<Matrix> {
        self.bracket_curvature()
            .iter()
            .map(|b| b.map(|e| -e))
            .collect()
    }

    /// Is the connection flat, so that D is integrable (VE-C03)?
    pub fn is_flat(&self) -> Verdict {
        let all: Vec<Expr> = self
            .bracket_curvature()
            .iter()
            .flat_map(|b| b.entries().to_vec())
            .collect();
        prove_all_zero(&substitute_all(&all, &self.on_groups))
    }

    /// The prolonged lifts of ∂/∂r^α to TQ along D (DP-B14, with the lost q̇^b of the print): the
    /// fibre velocity s'^a = −A^a_β r'^β changes at the rate −r'^β h_α\[A^a_β\].
    pub fn prolonged_lifts(&self) -> Vec<ProlongedLift> {
        let v: Vec<Expr> = self.base_velocities().iter().map(Expr::from).collect();
        let slipping: Vec<Expr> = self.connection.apply(&v).iter().map(|e| -e).collect();
        self.lifts
            .iter()
            .map(|h| ProlongedLift {
                position: h.clone(),
                fibre_velocity: self.frame.act(h, &slipping),
            })
            .collect()
    }

    /// The lift of base accelerations r'' to the full accelerations of a motion in D:
    /// s''^a = −A^a_α r''^α − r'^α r'^β h_α\[A^a_β\].
    pub fn accelerations(&self, base: &[Expr]) -> Vec<Expr> {
        let v: Vec<Expr> = self.base_velocities().iter().map(Expr::from).collect();
        let prolonged = self.prolonged_lifts();
        let mut all = vec![Expr::zero(); self.frame.rank()];
        for (&i, e) in self.base.iter().zip(base) {
            all[i] = e.clone();
        }
        for (a, &s) in self.fibre.iter().enumerate() {
            let turning: Vec<Expr> = prolonged
                .iter()
                .map(|p| p.fibre_velocity[a].clone())
                .collect();
            all[s] = dot(&turning, &v) - dot(self.connection.row(a), base);
        }
        all
    }

    /// The vector fields ∂_a along the fibre.
    pub(super) fn vertical_fields(&self) -> Vec<Section> {
        let identity = Matrix::identity(self.frame.rank());
        let all = columns(&identity);
        self.fibre.iter().map(|&s| all[s].clone()).collect()
    }
}
