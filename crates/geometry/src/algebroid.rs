//! Constructors and checks of Lie algebroids beyond tangent bundles and groups (AC-C11).

use crate::distribution::{Distribution, DistributionError};
use crate::express::Basis;
use crate::forms::Form;
use crate::frame::Frame;
use crate::principal::PrincipalConnection;
use crate::proof::{Parametrization, vanish_on};
use crate::structure::StructureFunctions;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot};

/// What the structure equations of a frame say.
#[derive(Clone, Debug)]
pub struct StructureCheck {
    /// Is the anchor a morphism of brackets (AC 1.10)?
    pub anchor: Verdict,
    /// Does the Jacobi identity hold (AC 1.11)?
    pub jacobi: Verdict,
}

impl StructureCheck {
    /// A Lie algebroid, and not only a skew-symmetric one?
    pub fn is_lie_algebroid(&self) -> bool {
        self.anchor.is_proven() && self.jacobi.is_proven()
    }
}

impl Frame {
    /// Checks the structure equations of a Lie algebroid.
    pub fn check_structure(&self, on: &Parametrization) -> StructureCheck {
        StructureCheck {
            anchor: vanish_on(&self.anchor_defect(), on),
            jacobi: vanish_on(&self.jacobi_defect(), on),
        }
    }

    /// The frame whose differential is given on coordinates, d z^i = ρ^i_A e^A, and on the dual
    /// basis, d e^D = -½ C^D_AB e^A ∧ e^B.
    pub fn from_differential(
        base: &[Symbol],
        fibre: &[Symbol],
        d_base: &[Form],
        d_dual: &[Form],
    ) -> Self {
        let anchor = Matrix::new(base.len(), fibre.len(), |i, a| d_base[i].component(&[a]));
        let mut structure = StructureFunctions::default();
        for (d, form) in d_dual.iter().enumerate() {
            for (indices, value) in form.components() {
                if let [a, b] = indices {
                    structure.set(*a, *b, d, -value);
                }
            }
        }
        Self::new(base.to_vec(), fibre.to_vec(), anchor, structure)
    }

    /// The Atiyah algebroid TU × g of U × G with a principal connection: sections e_i over ∂_i and
    /// e_a in the algebra, with
    ///
    /// ```text
    /// C^a_ij = -B^a_ij    C^d_ia = c^d_ab A^b_i    C^d_ab = c^d_ab    ρ(e_i) = ∂_i    ρ(e_a) = 0
    /// ```
    pub fn atiyah(connection: &PrincipalConnection, fibre: &[Symbol]) -> Self {
        let (n, m) = (connection.base().len(), connection.algebra().dimension());
        let c = connection.algebra().structure();
        let mut structure = StructureFunctions::default();
        for i in 0..n {
            for j in i + 1..n {
                for (a, b) in connection.curvature(i, j).iter().enumerate() {
                    structure.set(i, j, n + a, -b);
                }
            }
            for a in 0..m {
                let mixed = (0..m).map(|d| {
                    Expr::sum((0..m).map(|b| c.get(a, b, d) * &connection.components()[(b, i)]))
                });
                for (d, value) in mixed.enumerate() {
                    structure.set(i, n + a, n + d, value);
                }
            }
        }
        structure.extend_shifted(c, n);
        let anchor = Matrix::new(n, n + m, |i, a| i64::from(i == a).into());
        Self::new(
            connection.base().to_vec(),
            fibre.to_vec(),
            anchor,
            structure,
        )
    }

    /// The linear Poisson bracket on the dual bundle, with momenta p_A for the sections:
    /// {z^i, p_A} = ρ^i_A and {p_A, p_B} = -C^D_AB p_D.
    pub fn poisson_bracket(&self, p: &[Symbol], f: &Expr, g: &Expr) -> Expr {
        let (f_z, g_z) = (self.differential(f), self.differential(g));
        let (f_p, g_p) = (f.gradient(p), g.gradient(p));
        let momenta: Vec<Expr> = p.iter().map(Expr::from).collect();
        let mut turned = vec![Expr::zero(); self.rank()];
        for (d, value) in self.structure().contract(&f_p, &g_p) {
            turned[d] += value;
        }
        dot(&f_z, &g_p) - dot(&f_p, &g_z) - dot(&turned, &momenta)
    }
}

impl Form {
    /// Is the form closed (a cocycle) for the differential of the frame?
    pub fn is_closed(&self, frame: &Frame, on: &Parametrization) -> Verdict {
        vanish_on(&self.differential(frame).values(), on)
    }
}

impl Distribution {
    /// An involutive distribution as an algebroid of its own: the foliation. `None` if brackets are
    /// not proven to stay inside.
    pub fn foliation(&self, fibre: &[Symbol]) -> Result<Option<Frame>, DistributionError> {
        if !self.is_involutive().is_proven() {
            return Ok(None);
        }
        let rows = self.basis().transpose();
        let basis = Basis::of_rows(&rows, self.parametrization())?;
        let solver = basis.solver();
        let mut structure = StructureFunctions::default();
        for a in 0..self.rank() {
            for b in a + 1..self.rank() {
                let bracket = self.frame().bracket(&self.section(a), &self.section(b));
                for (d, c) in solver.coefficients(&bracket).into_iter().enumerate() {
                    structure.set(a, b, d, c);
                }
            }
        }
        let anchor = self.frame().anchor() * self.basis();
        let base = self.frame().base().to_vec();
        Ok(Some(Frame::new(base, fibre.to_vec(), anchor, structure)))
    }
}
