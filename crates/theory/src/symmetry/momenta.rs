//! Momenta of symmetries and the momentum equation (NG-M1 to M4, N2; HJ-C03; VE-C27).

use super::{Symmetry, SymmetryReport};
use crate::exact::tidy;
use crate::scope::uncontrolled;
use crate::{Claim, Deadline};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::MomentumFunction;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, nullspace};

/// The momentum of a field and how it changes.
#[derive(Clone, Debug)]
pub struct Momentum {
    /// The name of the field.
    pub name: String,
    /// The field.
    pub components: Vec<Expr>,
    /// ⟨∂L/∂y, Z⟩, in the ambient velocities.
    pub value: Expr,
    /// Its rate along motions, without the reaction; in the velocities of D where Z lies in D.
    pub rate: Expr,
    /// φ_s(Z): the rate gains λ_s φ_s(Z).
    pub reaction_arms: Vec<Expr>,
    /// Is it conserved along every motion?
    pub conserved: Claim,
    /// Does Z lie in D?
    pub horizontal: bool,
}

/// The momenta of the symmetries, and of the fields in D along their orbits.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::System;
/// use rattleback_theory::{Deadline, MomentumReport};
/// let text = "system disk\ncoord x, y, phi, psi\nkinetic (x'^2 + y'^2 + phi'^2 + psi'^2)/2\n\
///     constraint x' = cos(phi)*psi'\nconstraint y' = sin(phi)*psi'\n";
/// let model = parse(&Source::new("disk.mech", text)).model.unwrap();
/// let disk = System::from_model(&model).unwrap().system;
/// let found = MomentumReport::of(&disk, Deadline::none());
/// assert!(found.all.iter().any(|m| m.conserved.is_proven()));
/// assert!(found.all.iter().any(|m| m.conserved.is_refuted()));
/// ```
#[derive(Clone, Debug)]
pub struct MomentumReport {
    /// Is some momentum of a symmetry conserved?
    pub claim: Claim,
    /// The momenta.
    pub all: Vec<Momentum>,
    /// The velocities of the frame of D, and what they are in ambient velocities: y = Z v.
    pub frame_velocities: Vec<Symbol>,
}

impl MomentumReport {
    /// The momenta of the symmetries that hold.
    pub fn of(system: &System, deadline: Deadline) -> Self {
        let symmetries = SymmetryReport::of(system, deadline);
        let fields: Vec<Symmetry> = symmetries.all.into_iter().filter(Symmetry::holds).collect();
        let mut all: Vec<Momentum> = Vec::new();
        for s in &fields {
            all.extend(momentum(system, &s.name, &s.components));
        }
        for (k, z) in orbit_fields(system, &fields).into_iter().enumerate() {
            if deadline.passed() {
                break;
            }
            all.extend(momentum(system, &format!("D{}", k + 1), &z));
        }
        let conserved: Vec<&str> = all
            .iter()
            .filter(|m| m.conserved.is_proven())
            .map(|m| m.name.as_str())
            .collect();
        let claim = if fields.is_empty() {
            Claim::undecided(symmetries.claim.evidence())
        } else if conserved.is_empty() {
            Claim::refuted("each of the momenta changes along some motion; their rates are below")
        } else {
            Claim::proven(format!(
                "the rate of the momentum of {} vanishes along every motion",
                conserved.join(", ")
            ))
        };
        Self {
            claim,
            all,
            frame_velocities: system
                .sections()
                .map(|s| s.velocities.clone())
                .unwrap_or_default(),
        }
    }
}

/// Fields of D along the orbits: D ∩ span ξ, where that is more than single symmetries (the nonholonomic
/// momenta of locomotion). Only those that no symmetry gives already.
fn orbit_fields(system: &System, symmetries: &[Symmetry]) -> Vec<Vec<Expr>> {
    let forms = system.constraints().forms();
    if symmetries.is_empty() || forms.rows() == 0 {
        return Vec::new();
    }
    let columns: Vec<Vec<Expr>> = symmetries.iter().map(|s| s.components.clone()).collect();
    let span = Matrix::new(system.frame().rank(), columns.len(), |i, j| {
        columns[j][i].clone()
    });
    let Ok(space) = nullspace(&(forms * &span)) else {
        return Vec::new();
    };
    space
        .basis
        .iter()
        .map(|c| span.apply(c).iter().map(tidy).collect::<Vec<Expr>>())
        .filter(|z| !z.iter().all(Expr::is_zero))
        .filter(|z| super::is_new(system, symmetries, z))
        .collect()
}

fn momentum(system: &System, name: &str, z: &[Expr]) -> Option<Momentum> {
    let function = MomentumFunction::of(&uncontrolled(system), z).ok()?;
    let sections = system.sections().ok()?;
    let frame = system.frame();
    let arms = function.reaction_arms.clone();
    let horizontal = system.prove_zero(&arms).is_proven();
    let rate = sections
        .restrict(frame, std::slice::from_ref(&function.rate))
        .swap_remove(0);
    let conserved = if horizontal {
        Claim::that_vanishes(
            &system.prove_zero(std::slice::from_ref(&rate)),
            "the rate of the momentum",
        )
    } else {
        with_reaction(system, &function.rate, &arms)
    };
    Some(Momentum {
        name: name.into(),
        components: z.to_vec(),
        value: tidy(&function.value),
        rate: tidy(&rate),
        reaction_arms: arms.iter().map(tidy).collect(),
        conserved,
        horizontal,
    })
}

/// The rate with the reaction: λ from the equations of motion.
fn with_reaction(system: &System, rate: &Expr, arms: &[Expr]) -> Claim {
    use rattleback_mechanics::phase::ConstrainedPhaseSpace;
    let undecided = |e: &dyn std::fmt::Display| Claim::undecided(e.to_string());
    if crate::scope::is_forced(system) {
        return Claim::undecided("an external force acts on the system");
    }
    let space = match ConstrainedPhaseSpace::of(system) {
        Ok(space) => space,
        Err(e) => return undecided(&e),
    };
    let field = space.phase().hamiltonian_field(space.phase().energy());
    let lambda = space.project_tangent(&field).multipliers;
    let total = rate + dot(&lambda, arms);
    let Ok(sections) = system.sections() else {
        return Claim::undecided("the distribution has no frame");
    };
    let on_d = sections.restrict(system.frame(), &[total]);
    Claim::that_vanishes(
        &system.prove_zero(&on_d),
        "the rate of the momentum, with the reaction,",
    )
}
