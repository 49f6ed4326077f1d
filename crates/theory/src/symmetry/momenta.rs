//! Momenta of symmetries and the momentum equation (NG-M1 to M4, N2; HJ-C03; VE-C27).

use super::{FIELDS, Symmetry, SymmetryReport};
use crate::exact::{Settle, all_constant_relations};
use crate::finding::search::{CutShort, Exhausted, Search};
use crate::{Absence, Answer, Effort, Evidence, Function, Gap, Named, Reason, Theorem};
use rattleback_mechanics::System;
use rattleback_mechanics::phase::tangent_lift;
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, nullspace, solve};

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
    pub conserved: Answer,
    /// Does Z lie in D?
    pub horizontal: bool,
}

/// The momenta of the symmetries, and of the fields in D along their orbits.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, MomentumReport};
/// let text = "system disk\ncoord x, y, phi, psi\nkinetic (x'^2 + y'^2 + phi'^2 + psi'^2)/2\n\
///     constraint x' = cos(phi)*psi'\nconstraint y' = sin(phi)*psi'\n";
/// let model = parse(&Source::new("disk.mech", text)).model.unwrap();
/// let disk = Problem::from_model(&model).unwrap().system;
/// let found = MomentumReport::of(&disk, Effort::unlimited());
/// assert!(found.all.iter().any(|m| m.conserved.is_proven()));
/// assert!(found.all.iter().any(|m| m.conserved.is_refuted()));
/// ```
#[derive(Clone, Debug)]
pub struct MomentumReport {
    /// Is some momentum of a symmetry conserved?
    pub claim: Answer,
    /// The momenta.
    pub all: Vec<Momentum>,
    /// The velocities of the frame of D, and what they are in ambient velocities: y = Z v.
    pub frame_velocities: Vec<Symbol>,
}

impl MomentumReport {
    /// The momenta of the symmetries that hold, and of fields in D that leave L alone.
    pub fn of(system: &System, effort: Effort) -> Self {
        let symmetries = SymmetryReport::of(system, effort);
        let settle = Settle::new(system);
        let mut search = Search::of(FIELDS, effort);
        let mut all = of_symmetries(system, &symmetries.all, &settle, &mut search);
        search.join(symmetries.exhausted);
        for (k, z) in horizontal_fields(system, &settle, &all, &mut search)
            .iter()
            .enumerate()
        {
            all.extend(momentum(system, &settle, &format!("H{}", k + 1), z));
        }
        Self {
            claim: claim(&symmetries.claim, &all, search.finish()),
            all,
            frame_velocities: system
                .sections()
                .map(|s| s.velocities.clone())
                .unwrap_or_default(),
        }
    }
}

/// The momenta of the symmetries that hold, and of the fields of D along their orbits.
pub(crate) fn of_symmetries(
    system: &System,
    symmetries: &[Symmetry],
    settle: &Settle,
    search: &mut Search,
) -> Vec<Momentum> {
    let fields: Vec<Symmetry> = symmetries.iter().filter(|s| s.holds()).cloned().collect();
    let mut all: Vec<Momentum> = Vec::new();
    for s in &fields {
        all.extend(momentum(system, settle, &s.name, &s.components));
    }
    let along = orbit_fields(system, settle, &fields, search);
    for (k, z) in along.iter().enumerate() {
        if !search.goes_on() {
            break;
        }
        all.extend(momentum(system, settle, &format!("D{}", k + 1), z));
    }
    all
}

/// Is some momentum conserved?
fn claim(symmetries: &Answer, all: &[Momentum], searched: Result<Exhausted, CutShort>) -> Answer {
    if all.is_empty() {
        return match symmetries {
            Answer::Undecided(why) => Answer::undecided(why.clone()),
            shown => Answer::undecided(Reason::Gap {
                gap: Gap::NoMomentum.into(),
                shown: shown.evidence().cloned().into_iter().collect(),
                behind: None,
            }),
        };
    }
    let kept: Vec<&Momentum> = all.iter().filter(|m| m.conserved.is_proven()).collect();
    if !kept.is_empty() {
        let names: Vec<String> = kept.iter().map(|m| m.name.clone()).collect();
        let shown = kept.iter().filter_map(|m| m.conserved.evidence().cloned());
        let theorem = Theorem::MomentaConserved.with("fields", names);
        return Answer::proven(Evidence::theorem(
            theorem,
            [Evidence::Parts(shown.collect())],
        ));
    }
    for m in all {
        if let Answer::Undecided(why) = &m.conserved {
            let gap = Gap::MomentumOpen.with("field", m.name.clone());
            return Answer::undecided(Reason::because(gap, why.clone()));
        }
    }
    changing(all, searched)
}

/// No momentum of those that were found is conserved. That there is none among those of the ansatz takes a search
/// that left none of them out.
fn changing(all: &[Momentum], searched: Result<Exhausted, CutShort>) -> Answer {
    let rates = all.iter().filter_map(|m| m.conserved.evidence().cloned());
    let rates = Evidence::Parts(rates.collect());
    match searched {
        Ok(done) => Answer::refuted(Evidence::none(Absence::ConservedMomentum, done, [rates])),
        Err(why) => Answer::undecided(Reason::Gap {
            gap: Gap::MomentaChange.into(),
            shown: vec![rates],
            behind: Some(Box::new(why.into())),
        }),
    }
}

/// Fields in D that leave L alone on D, though perhaps not D itself: their momenta are conserved all the same
/// (NG-N2). Only those that no field so far gives.
fn horizontal_fields(
    system: &System,
    settle: &Settle,
    known: &[Momentum],
    search: &mut Search,
) -> Vec<Vec<Expr>> {
    let sections = match system.sections() {
        Ok(sections) if sections.rank() > 0 && !system.constraints().is_empty() => sections,
        _ => return Vec::new(),
    };
    let frame = system.frame();
    let forms = system.constraints().forms();
    let ansatz = super::polynomial_fields(system, 2);
    let mut conditions: Vec<Vec<Expr>> = Vec::new();
    for z in &ansatz {
        if !search.goes_on() {
            return Vec::new();
        }
        let change = system.change_of_lagrangian(z) + dot(system.force(), z);
        let mut row = sections.restrict(frame, &[change]);
        row.extend(forms.apply(z));
        conditions.push(row);
    }
    let relations = all_constant_relations(&conditions, system.parametrization(), search);
    let mut fields: Vec<Vec<Expr>> = relations
        .iter()
        .map(|c| settle.all(&super::combined(c, &ansatz)))
        .collect();
    fields.sort_by_key(|z| z.iter().map(Expr::node_count).sum::<usize>());
    let mut kept: Vec<Vec<Expr>> = known.iter().map(|m| m.components.clone()).collect();
    let before = kept.len();
    for z in fields {
        if super::is_independent(system, &kept, &z) {
            kept.push(z);
        }
    }
    kept.split_off(before)
}

/// Fields of D along the orbits: D ∩ span ξ, where that is more than single symmetries (the nonholonomic
/// momenta of locomotion). Only those that no symmetry gives already.
fn orbit_fields(
    system: &System,
    settle: &Settle,
    symmetries: &[Symmetry],
    search: &mut Search,
) -> Vec<Vec<Expr>> {
    let forms = system.constraints().forms();
    if symmetries.is_empty() || forms.rows() == 0 {
        return Vec::new();
    }
    let columns: Vec<Vec<Expr>> = symmetries.iter().map(|s| s.components.clone()).collect();
    let span = Matrix::new(system.frame().rank(), columns.len(), |i, j| {
        columns[j][i].clone()
    });
    let space = match nullspace(&(forms * &span)) {
        Ok(space) => space,
        Err(e) => {
            search.leave_out(Gap::OrbitFields.with("error", e.to_string()));
            return Vec::new();
        }
    };
    space
        .basis
        .iter()
        .map(|c| settle.all(&span.apply(c)))
        .filter(|z| !z.iter().all(Expr::is_zero))
        .filter(|z| super::is_new(system, symmetries, z))
        .collect()
}

fn momentum(system: &System, settle: &Settle, name: &str, z: &[Expr]) -> Option<Momentum> {
    let sections = system.sections().ok()?;
    let frame = system.frame();
    let p = system.momenta();
    let value = dot(&p, z);
    let arms = system.constraints().forms().apply(z);
    let horizontal = system.prove_zero(&arms).is_proven();
    let time = Symbol::time();
    let unsteady: Vec<Expr> = z.iter().map(|e| e.diff(&time)).collect();
    let lift = tangent_lift(frame, z);
    // Z_TQ[L] + ⟨p, ∂Z/∂t⟩ + F(Z), to which the reactions add.
    let rate = lift.apply(frame, frame.fibre(), system.lagrangian())
        + dot(&p, &unsteady)
        + dot(system.force(), z);
    let rate = sections.restrict(frame, &[rate]).swap_remove(0);
    let (rate_on_motions, what) = match horizontal {
        true => (Some(rate.clone()), Function::MomentumRate),
        false => (
            along_motions(system, &value),
            Function::MomentumRateWithReaction,
        ),
    };
    let conserved = match rate_on_motions {
        Some(rate) => {
            let rate = [rate];
            Answer::vanish(&rate, system.prove_zero(&rate), what)
        }
        None => Answer::undecided(Gap::NoAccelerations),
    };
    Some(Momentum {
        name: name.into(),
        components: z.to_vec(),
        value: settle.apply(&value),
        rate: settle.apply(&rate),
        reaction_arms: settle.all(&arms),
        conserved,
        horizontal,
    })
}

/// The rate of a function of positions and velocities along motions, by the equations in the frame of D:
/// affine constraints, time and forces included.
fn along_motions(system: &System, f: &Expr) -> Option<Expr> {
    let frame = system.frame();
    let sections = system.sections().ok()?;
    let equations = system.restricted().ok()?.equations();
    let minus: Vec<Expr> = equations.bias.iter().map(|e| -e).collect();
    let accelerations = solve(&equations.mass, &Matrix::column_vector(&minus)).ok()?;
    let v = &sections.velocities;
    let f = sections.restrict(frame, std::slice::from_ref(f));
    let transport = frame.rates_along(&sections.velocity(), &f, |s| v.contains(s));
    Some(&transport[0] + dot(&f[0].gradient(v), accelerations.solution.entries()))
}
