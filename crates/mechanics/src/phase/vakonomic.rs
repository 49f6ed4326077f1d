//! Vakonomic motion as a Hamiltonian system without multipliers (VE-C07d).

use super::PhaseError;
use super::canonical::linear_bracket;
use super::coframe::{first_order, legendre_inverse, values};
use super::elimination::inverse;
use crate::System;
use crate::equations::BracketMatrix;
use rattleback_symbolic::{Expr, Symbol, dot, substitute_all};

/// The canonical form: with P_A = ∂L/∂y^A − μ_s A^s_A the vakonomic equations of L − μ_s φ^s are the
/// Hamilton equations of the frame's linear bracket for
///
/// ```text
/// H(z, P) = ⟨P, V⟩ − l(z, v),   V = X₀ + v^a Z_a,   ∂l/∂v^a = ⟨P, Z_a⟩,   l = L on D
/// ```
///
/// For L = T − V and linear constraints H = ½ g_D^ab P(Z_a) P(Z_b) + V. There is no multiplier and no
/// drift off the constraints; μ is recovered from P.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::{Problem, phase::SubRiemannian};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let canonical = SubRiemannian::of(&knife).unwrap();
/// // x and y are cyclic: their momenta are constant along vakonomic motions.
/// let rates = canonical.rates();
/// assert!(knife.prove_zero(&rates[3..5]).is_proven());
/// let slip = knife.constraints().forms().apply(canonical.velocity());
/// assert!(knife.prove_zero(&slip).is_proven());
/// ```
#[derive(Clone, Debug)]
pub struct SubRiemannian {
    momenta: Vec<Symbol>,
    hamiltonian: Expr,
    bracket: BracketMatrix,
    velocity: Vec<Expr>,
    multipliers: Vec<Expr>,
    initial: Vec<Expr>,
}

impl SubRiemannian {
    /// For Lagrangians quadratic in the velocities; the constraints may be affine.
    pub fn of(system: &System) -> Result<Self, PhaseError> {
        let what = "the canonical form of vakonomic motion";
        first_order(system, what)?;
        let (frame, sections) = (system.frame(), system.sections()?);
        let momenta = system.momentum_symbols();
        let p = values(&momenta);
        let l = sections
            .restrict(frame, std::slice::from_ref(system.lagrangian()))
            .swap_remove(0);
        let paired: Vec<Expr> = (0..sections.rank())
            .map(|a| dot(&p, &sections.basis.column(a)))
            .collect();
        let v = legendre_inverse(
            what,
            &l.gradient(&sections.velocities),
            &sections.velocities,
            &paired,
        )?;
        let known: Vec<(Symbol, Expr)> = sections.velocities.iter().cloned().zip(v).collect();
        let velocity = substitute_all(&sections.velocity(), &known);
        let kinetic = substitute_all(&sections.restrict(frame, &system.momenta()), &known);
        // P = p(V) − Aᵀμ.
        let a = system.constraints().forms();
        let gram = inverse("the constraint matrix A Aᵀ", &(a * &a.transpose()))?;
        let excess: Vec<Expr> = kinetic.iter().zip(&p).map(|(k, p)| k - p).collect();
        let mu = system.variational_multipliers();
        let pushed = a.transpose().apply(&values(&mu));
        Ok(Self {
            hamiltonian: dot(&p, &velocity) - l.substitute(&known),
            bracket: linear_bracket(frame, &momenta),
            multipliers: gram.apply(&a.apply(&excess)),
            initial: system
                .momenta()
                .iter()
                .zip(&pushed)
                .map(|(p, m)| p - m)
                .collect(),
            momenta,
            velocity,
        })
    }

    /// The momenta P_A.
    pub fn momenta(&self) -> &[Symbol] {
        &self.momenta
    }
    /// H(z, P).
    pub fn hamiltonian(&self) -> &Expr {
        &self.hamiltonian
    }
    /// The bracket of (z, P).
    pub fn bracket(&self) -> &BracketMatrix {
        &self.bracket
    }
    /// The rates of (z, P).
    pub fn rates(&self) -> Vec<Expr> {
        self.bracket.field(&self.hamiltonian)
    }
    /// The velocity y in (z, P), which satisfies the constraints identically.
    pub fn velocity(&self) -> &[Expr] {
        &self.velocity
    }
    /// μ_s in (z, P).
    pub fn multipliers(&self) -> &[Expr] {
        &self.multipliers
    }
    /// P_A at (z, y, μ), with μ named mu1, mu2, ….
    pub fn initial(&self) -> &[Expr] {
        &self.initial
    }
}
