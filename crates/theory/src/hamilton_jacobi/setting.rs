//! The Hamilton-Jacobi problem in a frame of the constraint distribution.

use super::HamiltonJacobiError;
use crate::exact::{tidy, tidy_all};
use rattleback_geometry::{Frame, Section, vanish_on};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, inverse, substitute_all};

/// A frame Z_a of D with its metric, potential and projected brackets. A one-form γ with values in
/// 𝓜 = g♭(D) is given by γ_a = γ(Z_a), and (HJ-C17, C20)
///
/// ```text
/// H∘γ = ½ g^ab γ_a γ_b + V        dγ(Z_a, Z_b) = Z_a[γ_b] − Z_b[γ_a] − ĉ^d_ab γ_d
/// ```
#[derive(Clone, Debug)]
pub struct Setting {
    /// The ambient frame.
    pub frame: Frame,
    /// The fields Z_a.
    pub fields: Vec<Section>,
    /// g(Z_a, Z_b).
    pub metric: Matrix,
    /// g^ab.
    pub inverse_metric: Matrix,
    /// V.
    pub potential: Expr,
    /// γ = C γ_a: the covector of the frame components, g Z g_D⁻¹.
    pub covector: Matrix,
    /// ĉ^d_ab for a < b, by (a, b), a vector over d.
    pub brackets: Vec<((usize, usize), Vec<Expr>)>,
    /// The external force on Z_a as a function of positions and ambient velocities.
    pub force: Vec<Expr>,
    /// Constraint forms.
    pub forms: Matrix,
    /// Positions by free parameters, for proofs.
    pub on: Vec<(Symbol, Expr)>,
}

impl Setting {
    /// In the system's own frame of D.
    pub fn of(system: &System) -> Result<Self, HamiltonJacobiError> {
        let sections = system.sections()?;
        let fields = (0..sections.rank())
            .map(|a| sections.basis.column(a))
            .collect();
        Self::in_fields(system, fields)
    }

    /// In any frame of D.
    pub fn in_fields(system: &System, fields: Vec<Section>) -> Result<Self, HamiltonJacobiError> {
        if system.order() > 1 {
            return Err(HamiltonJacobiError::NotNatural(
                "derivatives beyond velocities occur",
            ));
        }
        if !system.constraints().is_linear() {
            return Err(HamiltonJacobiError::Affine);
        }
        let (frame, l) = (system.frame(), system.lagrangian());
        let rest: Vec<(Symbol, Expr)> = frame
            .fibre()
            .iter()
            .map(|y| (y.clone(), Expr::zero()))
            .collect();
        let mass = system.mass_matrix().map(tidy);
        if mass.entries().iter().any(|e| e.contains_any(frame.fibre())) {
            return Err(HamiltonJacobiError::NotNatural(
                "the Lagrangian is not quadratic in the velocities",
            ));
        }
        let linear = substitute_all(&system.momenta(), &rest);
        if !system.prove_zero(&linear).is_proven() {
            return Err(HamiltonJacobiError::NotNatural(
                "the Lagrangian has a term linear in the velocities",
            ));
        }
        if l.contains(&Symbol::time())
            || system
                .constraints()
                .forms()
                .entries()
                .iter()
                .any(|e| e.contains(&Symbol::time()))
        {
            return Err(HamiltonJacobiError::NotNatural("time occurs"));
        }
        let k = fields.len();
        let lowered: Vec<Vec<Expr>> = fields.iter().map(|z| mass.apply(z)).collect();
        let metric = Matrix::new(k, k, |a, b| {
            tidy(&dot(&lowered[a.max(b)], &fields[a.min(b)]))
        });
        let inverse_metric = inverse(&metric)?.solution.map(tidy);
        let lowered_matrix = Matrix::new(frame.rank(), k, |i, a| lowered[a][i].clone());
        let covector = (&lowered_matrix * &inverse_metric).map(tidy);
        let mut brackets = Vec::new();
        for a in 0..k {
            for b in a + 1..k {
                let bracket = frame.bracket(&fields[a], &fields[b]);
                let projected = covector.transpose().apply(&bracket);
                brackets.push(((a, b), tidy_all(&projected)));
            }
        }
        Ok(Self {
            potential: tidy(&-l.substitute(&rest)),
            force: fields.iter().map(|z| dot(system.force(), z)).collect(),
            forms: system.constraints().forms().clone(),
            frame: frame.clone(),
            on: system.parametrization().to_vec(),
            fields,
            metric,
            inverse_metric,
            covector,
            brackets,
        })
    }

    /// The same with orthogonal fields, by Gram and Schmidt in this order.
    pub fn orthogonal(
        &self,
        system: &System,
        order: &[usize],
    ) -> Result<Self, HamiltonJacobiError> {
        let mass = system.mass_matrix();
        let mut found: Vec<(Section, Vec<Expr>, Expr)> = Vec::new();
        for &a in order {
            let mut z = self.fields[a].clone();
            for (e, lowered, square) in &found {
                let c = tidy(&(dot(lowered, &z) / square));
                if !c.is_zero() {
                    z = z.iter().zip(e).map(|(z, e)| tidy(&(z - &c * e))).collect();
                }
            }
            let lowered = mass.apply(&z);
            let square = tidy(&dot(&lowered, &z));
            found.push((z, lowered, square));
        }
        Self::in_fields(system, found.into_iter().map(|(z, ..)| z).collect())
    }

    /// k, the rank of D.
    pub fn rank(&self) -> usize {
        self.fields.len()
    }

    /// Is the frame orthogonal?
    pub fn is_orthogonal(&self) -> bool {
        let k = self.rank();
        (0..k).all(|a| (0..k).all(|b| a == b || self.metric[(a, b)].is_zero()))
    }

    /// Z_a\[f\].
    pub fn along(&self, a: usize, f: &Expr) -> Expr {
        self.frame
            .act(&self.fields[a], std::slice::from_ref(f))
            .swap_remove(0)
    }

    /// ĉ^d_ab γ_d for a < b.
    pub fn turned(&self, a: usize, b: usize, gamma: &[Expr]) -> Expr {
        let (c, sign) = match a < b {
            true => (self.bracket(a, b), 1),
            false => (self.bracket(b, a), -1),
        };
        sign * dot(c, gamma)
    }

    fn bracket(&self, a: usize, b: usize) -> &[Expr] {
        let found = self.brackets.iter().find(|(ab, _)| *ab == (a, b));
        found.map_or(&[], |(_, c)| c.as_slice())
    }

    /// ½ g^ab γ_a γ_b + V.
    pub fn energy(&self, gamma: &[Expr]) -> Expr {
        dot(&self.inverse_metric.apply(gamma), gamma) / 2 + &self.potential
    }

    /// The ambient velocity of γ_a: Z_a g^ab γ_b.
    pub fn velocity(&self, gamma: &[Expr]) -> Vec<Expr> {
        let v = self.inverse_metric.apply(gamma);
        (0..self.frame.rank())
            .map(|i| Expr::sum(self.fields.iter().zip(&v).map(|(z, v)| &z[i] * v)))
            .collect()
    }

    /// Do the functions vanish on the configuration space?
    pub fn zero(&self, f: &[Expr]) -> Verdict {
        vanish_on(f, &self.on)
    }
}
