//! Is a one-form a solution? The strong and the weak test, with certificates (HJ-C14, C17 to C19;
//! DP-B2, B3, B8 to B10, B15).

use super::{HamiltonJacobiError, Setting};
use crate::Claim;
use crate::exact::{tidy, tidy_all};
use crate::verdict::claim;
use rattleback_geometry::{Distribution, Form};
use rattleback_mechanics::phase::AnnihilatorIdeal;
use rattleback_mechanics::{Chaplygin, Quantity, System};
use rattleback_symbolic::{Expr, Matrix, Verdict, dot, inverse};

/// What is true of a one-form γ.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Its components in the ambient frame.
    pub form: Vec<Expr>,
    /// γ_a = γ(Z_a).
    pub components: Vec<Expr>,
    /// Does γ take values in 𝓜, so that its velocity obeys the constraints?
    pub admissible: Claim,
    /// Is dγ zero on D?
    pub closed: Claim,
    /// Is Z_a[H∘γ] = 0 (= F(Z_a) with an external force F)?
    pub balanced: Claim,
    /// All three: the theorem of Hamilton and Jacobi applies.
    pub strong: Claim,
    /// γ ∈ 𝓜 and i_v dγ + d(H∘γ) − F ∈ D°: exactly then every motion q' = v lifts to a motion.
    pub weak: Claim,
    /// H∘γ.
    pub energy: Expr,
    /// Is H∘γ constant?
    pub constant: Claim,
    /// The velocity v of γ, by ambient velocities.
    pub velocity: Vec<Quantity>,
    /// dγ(Z_a, Z_b), a < b.
    pub curl: Vec<((usize, usize), Expr)>,
    /// The covector E = d(H∘γ) − F + i_v dγ; on D it measures the failure. Empty where first integrals
    /// make it superfluous.
    pub defect: Vec<Expr>,
    /// λ_s along the lifted motions, E = λ_s A^s, where the weak test holds.
    pub multipliers: Vec<Quantity>,
    /// β^s with dγ = β^s ∧ ω^s, where dγ vanishes on D.
    pub certificate: Option<Vec<Vec<Expr>>>,
    /// The reduced reading, for Chaplygin systems.
    pub reduced: Option<ReducedReading>,
}

/// A one-form on a Chaplygin system seen from the base (DP-B15).
#[derive(Clone, Debug)]
pub struct ReducedReading {
    /// γ*_α = γ(h_α).
    pub components: Vec<Expr>,
    /// Is γ* closed? Only then the theorem of the reduced system applies, and it never does where the
    /// gyroscopic force works.
    pub closed: Claim,
    /// dγ*_αβ = γ([h_α, h_β]), the condition that replaces closedness.
    pub generalized: Claim,
    /// γ([h_α, h_β]) for α < β: what closedness misses.
    pub obstruction: Vec<((usize, usize), Expr)>,
}

impl Verification {
    /// Tests a one-form, by components in the ambient frame.
    pub fn of(system: &System, form: &[Expr]) -> Result<Self, HamiltonJacobiError> {
        let setting = Setting::of(system)?;
        Self::in_setting(system, &setting, form)
    }

    /// Tests the one-form of a vector field X in D, γ = FL∘X (DP-B9).
    pub fn of_field(system: &System, x: &[Expr]) -> Result<Self, HamiltonJacobiError> {
        Self::of(system, &system.mass_matrix().apply(x))
    }

    /// What follows for γ = γ_a on the frame of D once it is known, for a reason, to pass the strong test with
    /// an energy: nothing is left to prove.
    pub(crate) fn assured(s: &Setting, form: &[Expr], energy: &Expr, why: &str) -> Self {
        let gamma: Vec<Expr> = s.fields.iter().map(|z| dot(form, z)).collect();
        let velocity = tidy_all(&s.velocity(&gamma));
        let known = || Claim::proven(why);
        Self {
            form: form.to_vec(),
            components: tidy_all(&gamma),
            admissible: known(),
            closed: known(),
            balanced: known(),
            strong: known(),
            weak: known(),
            energy: energy.clone(),
            constant: known(),
            velocity: named(s, &velocity),
            curl: pairs(s.rank()).map(|ab| (ab, Expr::zero())).collect(),
            defect: Vec::new(),
            multipliers: Vec::new(),
            certificate: None,
            reduced: None,
        }
    }

    /// The test, in a given frame of D.
    pub fn in_setting(
        system: &System,
        s: &Setting,
        form: &[Expr],
    ) -> Result<Self, HamiltonJacobiError> {
        let frame = &s.frame;
        let raw: Vec<Expr> = s.fields.iter().map(|z| dot(form, z)).collect();
        let gamma = tidy_all(&raw);
        let off = |gamma: &[Expr]| -> Vec<Expr> {
            let inside = s.covector.apply(gamma);
            form.iter().zip(&inside).map(|(a, b)| a - b).collect()
        };
        // Roots in another shape are not always told to be equal.
        let verdict = match s.zero(&off(&gamma)) {
            Verdict::Undecided { .. } => s.zero(&off(&raw)),
            decided => decided,
        };
        let admissible = claim(verdict, "γ = g♭v with v in D");
        let energy = tidy(&s.energy(&gamma));
        let velocity = tidy_all(&s.velocity(&gamma));
        let known: Vec<_> = frame
            .fibre()
            .iter()
            .cloned()
            .zip(velocity.iter().cloned())
            .collect();
        let d = Form::covector(form).differential(frame);
        let curl: Vec<((usize, usize), Expr)> = pairs(s.rank())
            .map(|(a, b)| {
                (
                    (a, b),
                    tidy(&d.evaluate(&[s.fields[a].clone(), s.fields[b].clone()])),
                )
            })
            .collect();
        let curls: Vec<Expr> = curl.iter().map(|(_, e)| e.clone()).collect();
        let closed = claim(s.zero(&curls), "dγ vanishes on D");
        let force: Vec<Expr> = system
            .force()
            .iter()
            .map(|f| f.substitute(&known))
            .collect();
        let slope: Vec<Expr> = frame
            .differential(&energy)
            .iter()
            .zip(&force)
            .map(|(e, f)| e - f)
            .collect();
        let along = |w: &[Expr]| -> Vec<Expr> { s.fields.iter().map(|z| dot(w, z)).collect() };
        let balanced = claim(s.zero(&along(&slope)), "d(H∘γ) vanishes on D");
        let turned = d.interior(&velocity);
        let defect: Vec<Expr> = (0..frame.rank())
            .map(|i| tidy(&(&slope[i] + turned.component(&[i]))))
            .collect();
        let lifts =
            "i_v dγ + d(H∘γ) annihilates D, so that γ carries every motion of v to a motion";
        let lifted = match closed.is_proven() && balanced.is_proven() {
            true => Claim::proven(format!("{lifts} (as both terms do)")),
            false => claim(s.zero(&along(&defect)), lifts),
        };
        let weak = both(&[&admissible, &lifted]);
        let strong = both(&[&admissible, &closed, &balanced]);
        let multipliers = match weak.is_proven() {
            true => reactions(s, &defect),
            false => Vec::new(),
        };
        let certificate = match closed.is_proven() && s.forms.rows() > 0 {
            true => certificate(system, &d, frame.rank()),
            false => None,
        };
        Ok(Self {
            form: form.to_vec(),
            constant: constant(system, s, &energy, &balanced),
            velocity: named(s, &velocity),
            reduced: reduced(system, form),
            components: gamma,
            admissible,
            closed,
            balanced,
            strong,
            weak,
            energy,
            curl,
            defect,
            multipliers,
            certificate,
        })
    }
}

/// An ambient velocity by its names.
fn named(s: &Setting, velocity: &[Expr]) -> Vec<Quantity> {
    let pairs = s.frame.fibre().iter().zip(velocity);
    pairs
        .map(|(y, v)| Quantity::new(y.to_string(), v.clone()))
        .collect()
}

pub(crate) fn pairs(k: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..k).flat_map(move |a| (a + 1..k).map(move |b| (a, b)))
}

/// True if all are; false if one is false.
fn both(claims: &[&Claim]) -> Claim {
    for c in claims {
        if c.is_refuted() {
            return (*c).clone();
        }
    }
    for c in claims {
        if !c.is_proven() {
            return (*c).clone();
        }
    }
    let how = claims.iter().filter_map(|c| match c {
        Claim::Proven { how } => Some(how.as_str()),
        _ => None,
    });
    Claim::proven(how.collect::<Vec<_>>().join("; "))
}

/// H∘γ is constant where its differential vanishes; a bracket-generating D says so already.
fn constant(system: &System, s: &Setting, energy: &Expr, balanced: &Claim) -> Claim {
    let slopes = claim(
        s.zero(&s.frame.differential(energy)),
        "its differential vanishes",
    );
    if slopes.is_proven() || !balanced.is_proven() {
        return slopes;
    }
    let generates = Distribution::annihilated_by(&s.frame, system.constraints().forms(), &s.on)
        .and_then(|d| d.is_bracket_generating());
    match generates {
        Ok(true) => Claim::proven("d(H∘γ) vanishes on D, which generates everything by brackets"),
        _ => slopes,
    }
}

/// λ with E = λ_s A^s: A Aᵀ λ = A E.
fn reactions(s: &Setting, defect: &[Expr]) -> Vec<Quantity> {
    if s.forms.rows() == 0 {
        return Vec::new();
    }
    let gram = (&s.forms * &s.forms.transpose()).map(tidy);
    let Ok(found) = inverse(&gram) else {
        return Vec::new();
    };
    let lambda = found.solution.apply(&s.forms.apply(defect));
    lambda
        .iter()
        .enumerate()
        .map(|(i, e)| Quantity::new(format!("lambda{}", i + 1), tidy(e)))
        .collect()
}

fn certificate(system: &System, d: &Form, n: usize) -> Option<Vec<Vec<Expr>>> {
    let nu = Matrix::new(n, n, |a, b| d.component(&[a, b]));
    let found = AnnihilatorIdeal::of(system).ok()?.factors(&nu).ok()?;
    Some(found.iter().map(|beta| tidy_all(beta)).collect())
}

fn reduced(system: &System, form: &[Expr]) -> Option<ReducedReading> {
    let chaplygin = Chaplygin::of(system).ok()?;
    let frame = system.frame();
    let k = chaplygin.sections.rank();
    let h: Vec<Vec<Expr>> = (0..k).map(|a| chaplygin.sections.basis.column(a)).collect();
    let components: Vec<Expr> = h.iter().map(|x| tidy(&dot(form, x))).collect();
    let (mut curls, mut gaps, mut obstruction) = (Vec::new(), Vec::new(), Vec::new());
    for (a, b) in pairs(k) {
        let slope = |x: &[Expr], f: &Expr| frame.act(x, std::slice::from_ref(f)).swap_remove(0);
        let curl = slope(&h[a], &components[b]) - slope(&h[b], &components[a]);
        let turned = tidy(&dot(form, &frame.bracket(&h[a], &h[b])));
        gaps.push(&curl - &turned);
        curls.push(curl);
        obstruction.push(((a, b), turned));
    }
    let say = |verdict: Verdict, what: &str| claim(verdict, what);
    Some(ReducedReading {
        components,
        closed: say(system.prove_zero(&curls), "γ* is closed on the base"),
        generalized: say(system.prove_zero(&gaps), "dγ*(∂_α, ∂_β) = γ([h_α, h_β])"),
        obstruction,
    })
}

/// The older ansatz γ = dS − λ̃_i μ^i with λ̃ such that γ ∈ 𝓜 (DP-B11): the projection of dS.
pub fn from_generating_function(
    system: &System,
    s: &Expr,
) -> Result<Vec<Expr>, HamiltonJacobiError> {
    let setting = Setting::of(system)?;
    let ds = setting.frame.differential(s);
    let gamma: Vec<Expr> = setting.fields.iter().map(|z| dot(&ds, z)).collect();
    Ok(tidy_all(&setting.covector.apply(&gamma)))
}
