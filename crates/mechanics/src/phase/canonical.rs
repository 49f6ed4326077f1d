//! The momentum phase space: Legendre transform, Hamiltonian, bracket (HJ-C02, C03; AC-C14, C17).

use super::PhaseError;
use super::PhaseField;
use super::coframe::{differential, first_order, legendre_inverse, skew, values};
use crate::System;
use crate::equations::BracketMatrix;
use rattleback_geometry::{Frame, independent_rows};
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, prove_all_zero, substitute_all};

/// Positions z and momenta p_A = ∂L/∂y^A, with the linear bracket of the frame
///
/// ```text
/// {z^i, z^j} = 0,    {z^i, p_A} = ρ^i_A,    {p_A, p_B} = −C^D_AB p_D
/// ```
///
/// and the Hamiltonian H = ⟨p, y⟩ − L, y in (z, p). In coordinates q' = H_p, p' = −H_q.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::CanonicalPhaseSpace};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let canonical = CanonicalPhaseSpace::of(&knife).unwrap();
/// let p_phi = Expr::from(&canonical.momenta()[2]);
/// assert!(canonical.is_conserved(&p_phi).is_proven());
/// assert!(canonical.is_symmetry(&[Expr::one(), Expr::zero(), Expr::zero()]).is_proven());
/// assert!(canonical.bracket().is_poisson(&[]).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct CanonicalPhaseSpace {
    frame: Frame,
    momenta: Vec<Symbol>,
    velocities: Vec<Expr>,
    hamiltonian: Expr,
    bracket: BracketMatrix,
    on_groups: Vec<(Symbol, Expr)>,
}

impl CanonicalPhaseSpace {
    /// For regular Lagrangians quadratic in the velocities; others have no Hamiltonian in closed form.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the Legendre transform";
        first_order(system, what)?;
        let frame = system.frame();
        let momenta = system.momentum_symbols();
        let velocities =
            legendre_inverse(what, &system.momenta(), frame.fibre(), &values(&momenta))?;
        let known: Vec<(Symbol, Expr)> = frame
            .fibre()
            .iter()
            .cloned()
            .zip(velocities.iter().cloned())
            .collect();
        Ok(Self {
            bracket: linear_bracket(frame, &momenta),
            hamiltonian: system.energy().substitute(&known),
            on_groups: system.on_groups.clone(),
            frame: frame.clone(),
            momenta,
            velocities,
        })
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The momenta p_A.
    pub fn momenta(&self) -> &[Symbol] {
        &self.momenta
    }
    /// y^A = ∂H/∂p_A, the inverse Legendre transform.
    pub fn velocities(&self) -> &[Expr] {
        &self.velocities
    }
    /// H(z, p).
    pub fn hamiltonian(&self) -> &Expr {
        &self.hamiltonian
    }
    /// The bracket of (z, p).
    pub fn bracket(&self) -> &BracketMatrix {
        &self.bracket
    }

    /// A function on TQ as a function of (z, p).
    pub fn pull(&self, f: &Expr) -> Expr {
        let known: Vec<(Symbol, Expr)> = self
            .frame
            .fibre()
            .iter()
            .cloned()
            .zip(self.velocities.iter().cloned())
            .collect();
        f.substitute(&known)
    }

    /// df in the coframe (e^A, dp_A).
    pub fn differential(&self, f: &Expr) -> Vec<Expr> {
        differential(&self.frame, &self.momenta, f)
    }

    /// The bracket matrix [[0, 1], [−1, −C^D_AB p_D]] in the basis (e_A, ∂/∂p_A).
    pub fn adapted_bracket(&self) -> Matrix {
        let (n, p) = (self.frame.rank(), values(&self.momenta));
        let corner = skew(n, |a, b| {
            -dot(
                &p,
                &self
                    .frame
                    .bracket(&self.frame.basis(a), &self.frame.basis(b)),
            )
        });
        let one = Matrix::identity(n);
        Matrix::zeros(n, n).bordered(&one, &one.map(|e| -e), &corner)
    }

    /// X_f: z' = ρ ∂f/∂p, p_A' = −e_A\[f\] − C^D_AB p_D ∂f/∂p_B.
    pub fn hamiltonian_field(&self, f: &Expr) -> PhaseField {
        let components = self.adapted_bracket().apply(&self.differential(f));
        PhaseField::from_components(components, self.frame.rank())
    }

    /// Is f a first integral of H?
    pub fn is_conserved(&self, f: &Expr) -> Verdict {
        self.bracket
            .is_conserved(f, &self.hamiltonian, &self.on_groups)
    }

    /// The number of independent differentials among the functions, at a generic point: with
    /// [`BracketMatrix::involution`] the data of Liouville and Arnold.
    pub fn differential_rank(&self, f: &[Expr]) -> Result<usize, PhaseError> {
        let n = 2 * self.frame.rank();
        let rows: Vec<Vec<Expr>> = f.iter().map(|f| self.differential(f)).collect();
        let matrix = Matrix::new(f.len(), n, |i, j| rows[i][j].clone());
        Ok(independent_rows(&matrix, &self.on_groups)?.kept.len())
    }

    /// The momentum map J_Z = ⟨p, Z⟩ of a vector field.
    pub fn momentum(&self, z: &[Expr]) -> Expr {
        dot(&values(&self.momenta), z)
    }

    /// The cotangent lift of Z: base Z, p_A' = −⟨p, [e_A, Z]⟩; it is X_{J_Z}.
    pub fn cotangent_lift(&self, z: &[Expr]) -> PhaseField {
        let p = values(&self.momenta);
        let fibre = (0..self.frame.rank())
            .map(|a| -dot(&p, &self.frame.bracket(&self.frame.basis(a), z)))
            .collect();
        PhaseField {
            base: z.to_vec(),
            fibre,
        }
    }

    /// Does the lifted action of Z leave H alone? Then J_Z is conserved (Noether).
    pub fn is_symmetry(&self, z: &[Expr]) -> Verdict {
        let lift = self.cotangent_lift(z);
        let change = lift.apply(&self.frame, &self.momenta, &self.hamiltonian);
        prove_all_zero(&substitute_all(&[change], &self.on_groups))
    }
}

/// The linear bracket of a frame on (z, p): {z, p} = ρ, {p_A, p_B} = −C^D_AB p_D (AC-C14).
pub fn linear_bracket(frame: &Frame, momenta: &[Symbol]) -> BracketMatrix {
    let (m, n) = (frame.base().len(), frame.rank());
    let p = values(momenta);
    let matrix = skew(m + n, |i, j| match (i < m, j < m) {
        (true, true) => Expr::zero(),
        (true, false) => frame.anchor()[(i, j - m)].clone(),
        _ => -dot(&p, &frame.bracket(&frame.basis(i - m), &frame.basis(j - m))),
    });
    BracketMatrix {
        coordinates: [frame.base(), momenta].concat(),
        matrix,
    }
}
