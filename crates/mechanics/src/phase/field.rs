//! Vector fields on phase space, by components in the frame and along the fibre.

use rattleback_geometry::{Frame, Section};
use rattleback_symbolic::{Expr, Symbol, dot};

/// A vector field on a phase space over a frame: ρ(base) moves the positions, `fibre` moves the
/// velocities (or momenta).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseField {
    /// The image Tτ X under the projection to the configuration space, a section of the frame.
    pub base: Section,
    /// The rates of the fibre coordinates.
    pub fibre: Vec<Expr>,
}

impl PhaseField {
    /// A field from all its components, base first.
    pub fn from_components(mut components: Vec<Expr>, rank: usize) -> Self {
        let fibre = components.split_off(rank);
        Self {
            base: components,
            fibre,
        }
    }

    /// The vertical lift ι(w): no motion of the base.
    pub fn vertical(w: Vec<Expr>) -> Self {
        Self {
            base: vec![Expr::zero(); w.len()],
            fibre: w,
        }
    }

    /// Base components, then fibre components.
    pub fn components(&self) -> Vec<Expr> {
        [self.base.as_slice(), &self.fibre].concat()
    }

    /// X\[f\] for a function of the positions and of the fibre coordinates `fibre`.
    pub fn apply(&self, frame: &Frame, fibre: &[Symbol], f: &Expr) -> Expr {
        dot(&frame.differential(f), &self.base) + dot(&f.gradient(fibre), &self.fibre)
    }

    /// X − Σ coefficient · field.
    pub fn minus<'a>(&self, terms: impl IntoIterator<Item = (&'a Expr, &'a PhaseField)>) -> Self {
        let mut result = self.clone();
        for (c, x) in terms {
            for (r, e) in result.base.iter_mut().zip(&x.base) {
                *r -= c * e;
            }
            for (r, e) in result.fibre.iter_mut().zip(&x.fibre) {
                *r -= c * e;
            }
        }
        result
    }

    /// The rates of the base coordinates, ρ(base), then of the fibre coordinates.
    pub fn rates(&self, frame: &Frame) -> Vec<Expr> {
        [frame.anchored(&self.base), self.fibre.clone()].concat()
    }
}
