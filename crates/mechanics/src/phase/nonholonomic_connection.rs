//! Constraint data, projectors, the projected bracket and the nonholonomic connection of a system
//! (CG-A1 to A6).

use super::PhaseError;
use super::coframe::{first_order, linear_constraints};
use crate::System;
use rattleback_geometry::{Connection, Distribution, Frame, Metric, Projection};
use rattleback_symbolic::{Expr, Symbol, Verdict};

/// D ⊂ TQ with the kinetic metric G of L = ½G(y, y) − V: the projector P on D, the bracket
/// [[e_A, e_B]] = P[e_A, e_B] and the connection of Koszul's formula, so that
///
/// ```text
/// z' = ρ(v^A e_A),    v'^D = −Γ^D_AB v^A v^B − G^DB e_B[V] + G^DB F(e_B)
/// ```
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::NonholonomicConnection};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let connection = NonholonomicConnection::of(&knife).unwrap();
/// assert!(connection.is_involutive().is_refuted());
/// assert!(knife.prove_zero(&connection.connection().torsion()).is_proven());
/// assert!(knife.prove_zero(&connection.accelerations()).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct NonholonomicConnection {
    projection: Projection,
    metric: Metric,
    connection: Connection,
    potential: Expr,
    force: Vec<Expr>,
    velocities: Vec<Symbol>,
}

impl NonholonomicConnection {
    /// For natural Lagrangians and linear constraints, with the system's frame of D.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the nonholonomic connection";
        first_order(system, what)?;
        linear_constraints(system, what)?;
        let mass = system.mass_matrix();
        let (frame, sections) = (system.frame(), system.sections()?);
        if mass.entries().iter().any(|e| e.contains_any(frame.fibre())) {
            return Err(PhaseError::NotQuadratic { what });
        }
        let on = &system.on_groups;
        let outer = Metric::new(frame, mass, on)?;
        let basis = super::coframe::columns(&sections.basis);
        let distribution = Distribution::spanned_by(frame, &basis, on)?;
        let projection = Projection::new(&distribution, &outer)?;
        let metric = projection.induced_metric(&sections.velocities)?;
        let rest: Vec<(Symbol, Expr)> = frame
            .fibre()
            .iter()
            .map(|y| (y.clone(), Expr::zero()))
            .collect();
        Ok(Self {
            connection: Connection::levi_civita(&metric),
            potential: -system.lagrangian().substitute(&rest),
            force: sections
                .basis
                .transpose()
                .apply(&sections.restrict(frame, system.force())),
            velocities: sections.velocities.clone(),
            projection,
            metric,
        })
    }

    /// The orthogonal projection on D (CG-A2).
    pub fn projection(&self) -> &Projection {
        &self.projection
    }
    /// D as a frame with the projected bracket C^D_AB (CG-A3); its Jacobi and anchor defects are
    /// diagnostics of the constraints.
    pub fn frame(&self) -> &Frame {
        self.metric.frame()
    }
    /// G_AB on D.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }
    /// Γ^D_AB (CG-A4).
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The rates v' of the quasi-velocities, multiplier-free (CG-A5).
    pub fn accelerations(&self) -> Vec<Expr> {
        let geodesic = self.connection.spray();
        let slope = self.frame().differential(&self.potential);
        let pull: Vec<Expr> = self.force.iter().zip(&slope).map(|(f, s)| f - s).collect();
        let raised = self.metric.sharp(&pull);
        geodesic.iter().zip(&raised).map(|(g, r)| g + r).collect()
    }

    /// d/dt ∂l/∂v^A − ρ^i_A ∂l/∂z^i + C^D_AB v^B ∂l/∂v^D − F_A for any restricted Lagrangian l(z, v)
    /// (CG-A6): what vanishes along motions.
    pub fn hamel_residual(&self, l: &Expr) -> Vec<Expr> {
        let equations = super::lagrange_derivative(self.frame(), l);
        equations
            .iter()
            .zip(&self.force)
            .map(|(e, f)| e - f)
            .collect()
    }

    /// Is D involutive, so that the constraints are holonomic (CG-A1)?
    pub fn is_involutive(&self) -> Verdict {
        self.projection.distribution().is_involutive()
    }

    /// The quasi-velocities.
    pub fn velocities(&self) -> &[Symbol] {
        &self.velocities
    }
}
