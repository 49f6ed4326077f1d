//! What changes the energy and the momenta of a motion: forces, time and reactions.

use crate::engine::{MassForm, euler_lagrange};
use crate::{Equations, Form, NamedSection, System};
use rattleback_symbolic::{Expr, Symbol, dot, substitute_all};

impl System {
    /// dE/dt along motions of these equations,
    ///
    ///   dE/dt = F_A y^A − ∂L/∂t − λ_s a^s,    ∂/∂t with auxiliary states as given functions of time,
    ///
    /// in velocities, accelerations and multipliers: reactions work where a constraint A y + a = 0 moves. Zero
    /// where the energy is conserved; none where the reactions are not known.
    pub fn power(&self, equations: &Equations) -> Option<Expr> {
        if let Some(power) = &equations.power {
            return Some(power.clone());
        }
        let unsteady = |e: &Expr| {
            let jets = self.auxiliary_jets();
            let given = self
                .auxiliary
                .iter()
                .flat_map(|(z, _)| [z.clone(), z.derivative()]);
            let moved = given.map(|s| e.diff(&s) * Expr::from(s.derivative()));
            let moved = e.diff(&Symbol::time()) + Expr::sum(moved);
            moved.substitute(&jets)
        };
        let external = dot(&self.force, &self.frame.velocity()) - unsteady(&self.lagrangian);
        if !self.is_constrained() {
            return Some(external);
        }
        let reactions = match equations.form {
            Form::Vakonomic | Form::HigherOrder
                if self.order > 1 || !self.jet_constraints.is_empty() =>
            {
                self.augmented_power()
            }
            Form::Vakonomic => self.vakonomic_power(),
            _ if self.constraints.is_linear() => Expr::zero(),
            _ if equations.multipliers.is_empty() => self.drift_power()?,
            _ => {
                let lambda = equations.multipliers.iter().map(|q| q.value.clone());
                -dot(&lambda.collect::<Vec<_>>(), self.constraints.offsets())
            }
        };
        Some(external + reactions)
    }

    /// ⟨W y' + b, X₀⟩ with A X₀ = −a: the reactions λ_s A^s are what the Euler-Lagrange equations miss.
    fn drift_power(&self) -> Option<Expr> {
        let MassForm { mass, bias } =
            euler_lagrange(&self.frame, &self.lagrangian, 1, &self.force, &[]);
        let rates = self.frame.fibre().iter().map(|y| y.derivative().into());
        let inertia = mass.apply(&rates.collect::<Vec<Expr>>());
        let drift = &self.sections().ok()?.drift;
        Some(dot(&inertia, drift) + dot(&bias, drift))
    }

    /// μ_s ∂φ^s/∂t, where the energy shown is that of L − μ_s φ^s.
    fn augmented_power(&self) -> Expr {
        let time = Symbol::time();
        let constraints = self.variational_constraints();
        let terms = constraints.iter();
        Expr::sum(terms.map(|c| Expr::from(&c.multiplier) * c.expr.diff(&time)))
    }

    /// The energy of L − μ_s φ^s is E + μ_s a^s and changes by μ_s ∂φ^s/∂t: so E changes by the rest.
    fn vakonomic_power(&self) -> Expr {
        let time = Symbol::time();
        let phi = self.constraints.residuals(&self.frame);
        let terms = phi.iter().zip(self.constraints.offsets());
        let multipliers = self.variational_multipliers();
        Expr::sum(terms.zip(&multipliers).map(|((phi, a), mu)| {
            let mu = Expr::from(mu);
            &mu * phi.diff(&time) - self.frame.rate(&(&mu * a))
        }))
    }

    /// Is p_A ξ^A proven constant along the motions of a formulation, at the values of the parameters that the
    /// system knows? Noether: ξ leaves L alone on the constraints, no force acts along it, no reaction either.
    ///
    ///   d(p_A ξ^A)/dt = ξ^A (ρ^i_A ∂L/∂z^i − C^D_AB y^B p_D + F_A) + p_A dξ^A/dt + λ_s A^s_A ξ^A
    pub fn conserves(&self, symmetry: &NamedSection, form: Form) -> bool {
        if self.is_discrete_lagrangian() {
            return self.keeps_over_steps(&symmetry.components);
        }
        if self.order > 1 || form == Form::Vakonomic && self.is_constrained() {
            return false;
        }
        let (frame, xi, p) = (&self.frame, &symmetry.components, self.momenta());
        let bracket = frame.gyroscopic(&frame.velocity(), &p);
        let gradient = frame.differential(&self.lagrangian);
        let pushed = (0..frame.rank()).map(|a| &gradient[a] - &bracket[a] + &self.force[a]);
        let rate = dot(xi, &pushed.collect::<Vec<_>>()) + dot(&p, &frame.rates(xi));
        let Ok(sections) = self.sections() else {
            return false;
        };
        let mut rates = match self.constraints.is_empty() {
            true => vec![rate],
            false => sections.restrict(frame, &[rate]),
        };
        rates.extend(self.constraints.forms().apply(xi));
        self.prove_zero(&substitute_all(&rates, &self.constant_values()))
            .is_proven()
    }
}
