//! Horizontal lifts of reduced momenta and the self-tests of a Chaplygin reduction
//! (HJ-C27, C29, C30, C41).

use super::PhaseError;
use super::coframe::{legendre_inverse, values};
use crate::System;
use crate::chaplygin::Chaplygin;
use rattleback_symbolic::{Expr, Matrix, Symbol, Verdict, dot, substitute_all};

/// Reduced momenta P_α = ∂l/∂r'^α with the Hamiltonian and the lift to 𝓜 of a Chaplygin system.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Chaplygin, Problem};
/// let text = "system disk\ncoord phi, psi, x, y\nkinetic (x'^2 + y'^2 + phi'^2 + psi'^2)/2\n\
///     constraint x' = cos(phi)*psi'\nconstraint y' = sin(phi)*psi'\nfibre x, y\n";
/// let model = parse(&Source::new("disk.mech", text)).model.unwrap();
/// let disk = Problem::from_model(&model).unwrap().system;
/// let reduced = Chaplygin::of(&disk).unwrap();
/// let momenta = reduced.momenta(&disk).unwrap();
/// // H̄ = ½(P_φ² + P_ψ²/2): rolling adds to the spin.
/// let p: Vec<Expr> = momenta.momenta.iter().map(Expr::from).collect();
/// let expected = p[0].powi(2) / 2 + p[1].powi(2) / 4;
/// assert!(disk.prove_zero(&[&momenta.hamiltonian - expected]).is_proven());
/// assert!(reduced.check_lift(&disk).unwrap().is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct ReducedMomenta {
    /// The symbols P_α.
    pub momenta: Vec<Symbol>,
    /// r'^α in (r, P).
    pub velocities: Vec<Expr>,
    /// H̄(r, P).
    pub hamiltonian: Expr,
    /// hl^𝓜(P) = g h_α ḡ^αβ P_β, by components in the ambient frame.
    pub lift: Vec<Expr>,
    /// Ξ_αβ(r, P) = −⟨hl P, [h_α, h_β]⟩.
    pub gyroscopic: Matrix,
}

impl Chaplygin {
    /// The reduced momenta, for Lagrangians quadratic in the velocities.
    pub fn momenta(&self, system: &System) -> Result<ReducedMomenta, PhaseError> {
        let v = &self.sections.velocities;
        let momenta: Vec<Symbol> = v
            .iter()
            .map(|r| system.names().reduced_momentum(r.name()))
            .collect();
        let velocities = legendre_inverse(
            "the reduced Legendre transform",
            &self.lagrangian.gradient(v),
            v,
            &values(&momenta),
        )?;
        let known: Vec<(Symbol, Expr)> =
            v.iter().cloned().zip(velocities.iter().cloned()).collect();
        let p = self.sections.restrict(system.frame(), &system.momenta());
        Ok(ReducedMomenta {
            hamiltonian: self.energy.substitute(&known),
            lift: substitute_all(&p, &known),
            gyroscopic: self.gyroscopic.map(|e| e.substitute(&known)),
            momenta,
            velocities,
        })
    }

    /// The self-tests ⟨hl P, hl v⟩ = P·v, H∘hl = H̄ and A g⁻¹ hl P = 0 (HJ-C29): they catch a wrong
    /// lift (HJ erratum E1).
    pub fn check_lift(&self, system: &System) -> Result<Verdict, PhaseError> {
        let reduced = self.momenta(system)?;
        let p = values(&reduced.momenta);
        let canonical = super::MomentumConstraints::of(system)?;
        let symbols = canonical.phase().momenta();
        let here: Vec<(Symbol, Expr)> = symbols
            .iter()
            .cloned()
            .zip(reduced.lift.iter().cloned())
            .collect();
        let mut defects: Vec<Expr> = (0..p.len())
            .map(|a| dot(&reduced.lift, &self.sections.basis.column(a)) - &p[a])
            .collect();
        defects.push(canonical.phase().hamiltonian().substitute(&here) - &reduced.hamiltonian);
        defects.extend(substitute_all(canonical.residuals(), &here));
        Ok(system.prove_zero(&defects))
    }

    /// Is the bracket of the lifts vertical, dr([h_α, h_β] − c^γ_αβ h_γ) = 0, and Ξ antisymmetric and without
    /// work (HJ-C30, C31)?
    pub fn check_gyroscopic(&self, system: &System) -> Verdict {
        let v = values(&self.sections.velocities);
        let mut defects = vec![dot(&v, &self.gyroscopic.apply(&v))];
        let (frame, k) = (system.frame(), self.sections.rank());
        for i in 0..k {
            for j in 0..k {
                defects.push(&self.gyroscopic[(i, j)] + &self.gyroscopic[(j, i)]);
                let column = |a: usize| self.sections.basis.column(a);
                let bracket = frame.bracket(&column(i), &column(j));
                let own: Vec<Expr> = (0..k)
                    .map(|d| self.frame.structure().get(i, j, d))
                    .collect();
                let own = self.sections.basis.apply(&own);
                let lost: Vec<Expr> = bracket.iter().zip(&own).map(|(b, c)| b - c).collect();
                let moved = frame.anchored(&lost);
                let base = frame
                    .base()
                    .iter()
                    .zip(moved)
                    .filter(|(z, _)| self.base.contains(z));
                defects.extend(base.map(|(_, e)| e));
            }
        }
        system.prove_zero(&defects)
    }

    /// The rates of the fibre coordinates along a base motion, z' = ρ(h_α) r'^α (HJ-C41).
    pub fn reconstruction(&self, system: &System) -> Vec<(Symbol, Expr)> {
        let frame = system.frame();
        let rates = frame.anchored(&self.sections.velocity());
        let all = frame.base().iter().cloned().zip(rates);
        all.filter(|(z, _)| !self.base.contains(z)).collect()
    }
}
