//! Orthogonal projection on a distribution, and the bracket and connection that it leaves (CG-A2, A3).

use crate::distribution::Distribution;
use crate::frame::{Frame, Section};
use crate::metric::{Metric, MetricError};
use crate::structure::StructureFunctions;
use crate::tidy::tidy_component;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// A distribution with a metric on the frame that it lives in.
///
/// ```
/// use rattleback_geometry::{Distribution, Frame, Metric, Projection};
/// use rattleback_symbolic::{Expr, Matrix, Symbol};
/// let q = ["x", "y", "phi"].map(Symbol::variable);
/// let phi = Expr::from(&q[2]);
/// let frame = Frame::coordinates(&q);
/// let knife = Matrix::from_rows(&[vec![phi.sin(), -phi.cos(), Expr::zero()]]);
/// let d = Distribution::annihilated_by(&frame, &knife, &[]).unwrap();
/// let metric = Metric::new(&frame, Matrix::identity(3), &[]).unwrap();
/// let y = ["y1", "y2"].map(Symbol::variable);
/// let p = Projection::new(&d, &metric).unwrap();
/// // [∂φ, cos φ ∂x + sin φ ∂y] is normal to D, so the projected bracket vanishes.
/// assert!(p.frame(&y).structure().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Projection {
    distribution: Distribution,
    metric: Metric,
    induced: Matrix,
    /// G^{DE} Z_E^T G: the components along the basis of D of a section's projection.
    components: Matrix,
}

impl Projection {
    /// Needs a metric that stays nondegenerate on the distribution.
    pub fn new(distribution: &Distribution, metric: &Metric) -> Result<Self, MetricError> {
        let z = distribution.basis();
        let lowered = &z.transpose() * metric.lower();
        let induced = (&lowered * z).map(tidy_component);
        let on = distribution.parametrization();
        let names: Vec<Symbol> = (0..z.cols())
            .map(|a| Symbol::variable(&format!("y{}", a + 1)))
            .collect();
        let anchor = metric.frame().anchor() * z;
        let bare = Frame::new(
            metric.frame().base().to_vec(),
            names,
            anchor,
            StructureFunctions::default(),
        );
        let inverse = Metric::new(&bare, induced.clone(), on)?.upper().clone();
        Ok(Self {
            distribution: distribution.clone(),
            metric: metric.clone(),
            induced,
            components: &inverse * &lowered,
        })
    }

    /// The distribution D.
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// The metric of the whole frame.
    pub fn metric(&self) -> &Metric {
        &self.metric
    }

    /// The metric of D in its basis: G(Z_A, Z_B).
    pub fn induced(&self) -> &Matrix {
        &self.induced
    }

    /// The components of the projection of X along the basis of D.
    pub fn components(&self, x: &[Expr]) -> Section {
        self.components.apply(x)
    }

    /// The projector P on D along its orthogonal complement.
    pub fn projector(&self) -> Matrix {
        self.distribution.basis() * &self.components
    }

    /// The complementary projector 1 - P.
    pub fn complement(&self) -> Matrix {
        &Matrix::identity(self.metric.frame().rank()) - &self.projector()
    }

    /// D as a frame of its own, with anchor ρ Z and the projected bracket
    /// [[Z_A, Z_B]] = P [Z_A, Z_B] = C^D_AB Z_D: a skew-symmetric algebroid whose Jacobi and anchor
    /// defects ([`Frame::jacobi_defect`], [`Frame::anchor_defect`]) measure the constraints.
    pub fn frame(&self, fibre: &[Symbol]) -> Frame {
        let outer = self.metric.frame();
        let d = &self.distribution;
        let mut structure = StructureFunctions::default();
        for a in 0..d.rank() {
            for b in a + 1..d.rank() {
                let bracket = outer.bracket(&d.section(a), &d.section(b));
                for (k, c) in self.components(&bracket).iter().enumerate() {
                    structure.set(a, b, k, tidy_component(c));
                }
            }
        }
        Frame::new(
            outer.base().to_vec(),
            fibre.to_vec(),
            outer.anchor() * d.basis(),
            structure,
        )
    }

    /// The induced metric on [`Projection::frame`]; its Levi-Civita connection is the nonholonomic
    /// connection P ∇_X Y restricted to D.
    pub fn induced_metric(&self, fibre: &[Symbol]) -> Result<Metric, MetricError> {
        let on = self.distribution.parametrization();
        Metric::new(&self.frame(fibre), self.induced.clone(), on)
    }
}
