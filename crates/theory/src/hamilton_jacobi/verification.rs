//! Is a one-form a solution? The strong and the weak test, with certificates (HJ-C14, C17 to C19;
//! DP-B2, B3, B8 to B10, B15).

use super::{HamiltonJacobiError, Setting};
use crate::exact::{tidy, tidy_all};
use crate::{Answer, Evidence, Function, Theorem};
use rattleback_geometry::{Distribution, Form};
use rattleback_mechanics::phase::AnnihilatorIdeal;
use rattleback_mechanics::{Chaplygin, Quantity, System};
use rattleback_symbolic::{Expr, Matrix, dot, inverse};

/// What is true of a one-form γ.
#[derive(Clone, Debug)]
pub struct Verification {
    /// Its components in the ambient frame.
    pub form: Vec<Expr>,
    /// γ_a = γ(Z_a).
    pub components: Vec<Expr>,
    /// Does γ take values in 𝓜, so that its velocity obeys the constraints?
    pub admissible: Answer,
    /// Is dγ zero on D?
    pub closed: Answer,
    /// Is Z_a[H∘γ] = 0 (= F(Z_a) with an external force F)?
    pub balanced: Answer,
    /// All three: the theorem of Hamilton and Jacobi applies.
    pub strong: Answer,
    /// γ ∈ 𝓜 and i_v dγ + d(H∘γ) − F ∈ D°: exactly then every motion q' = v lifts to a motion.
    pub weak: Answer,
    /// H∘γ.
    pub energy: Expr,
    /// Is H∘γ constant?
    pub constant: Answer,
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
    pub closed: Answer,
    /// dγ*_αβ = γ([h_α, h_β]), the condition that replaces closedness.
    pub generalized: Answer,
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
    ///
    /// ```
    /// # use rattleback_language::{Source, parse};
    /// # use rattleback_symbolic::Expr;
    /// use rattleback_mechanics::Problem;
    /// use rattleback_theory::hamilton_jacobi::Verification;
    /// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
    ///     constraint sin(phi)*x' = cos(phi)*y'\n";
    /// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
    /// let knife = Problem::from_model(&model).unwrap().system;
    /// // Turning evenly while sliding along the edge.
    /// let phi = Expr::from(&knife.frame().base()[2]);
    /// let found = Verification::of_field(&knife, &[phi.cos(), phi.sin(), Expr::one()]).unwrap();
    /// assert!(found.strong.is_proven());
    /// ```
    pub fn of_field(system: &System, x: &[Expr]) -> Result<Self, HamiltonJacobiError> {
        Self::of(system, &system.mass_matrix().apply(x))
    }

    /// What follows for γ = γ_a on the frame of D once it is known, for a reason, to pass the strong test with
    /// an energy: nothing is left to prove.
    pub(crate) fn assured(s: &Setting, form: &[Expr], energy: &Expr, why: &Evidence) -> Self {
        let gamma: Vec<Expr> = s.fields.iter().map(|z| dot(form, z)).collect();
        let velocity = tidy_all(&s.velocity(&gamma));
        let known = || Answer::proven(why.clone());
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
        let (gamma, admissible) = admissible(s, form);
        let vanish = |f: &[Expr], what: Function| Answer::vanish(f, s.zero(f), what);
        let energy = tidy(&s.energy(&gamma));
        let velocity = tidy_all(&s.velocity(&gamma));
        let known: Vec<_> = frame
            .fibre()
            .iter()
            .cloned()
            .zip(velocity.iter().cloned())
            .collect();
        let d = Form::covector(form).differential(frame);
        let curl = curl_on(s, &d);
        let curls: Vec<Expr> = curl.iter().map(|(_, e)| e.clone()).collect();
        let closed = vanish(&curls, Function::CurlOnD);
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
        let balanced = vanish(&along(&slope), Function::EnergyAlongD);
        let turned = d.interior(&velocity);
        let defect: Vec<Expr> = (0..frame.rank())
            .map(|i| tidy(&(&slope[i] + turned.component(&[i]))))
            .collect();
        let lifted = match Answer::all(&[&closed, &balanced]) {
            Answer::Proven(parts) => {
                Answer::proven(Evidence::theorem(Theorem::BothTermsAnnihilate, [parts]))
            }
            _ => vanish(&along(&defect), Function::LiftDefect).by(Theorem::LiftsMotions),
        };
        let weak = Answer::all(&[&admissible, &lifted]);
        let strong = Answer::all(&[&admissible, &closed, &balanced]);
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

/// The components of a one-form on D, and whether it lies in the momenta of D.
fn admissible(s: &Setting, form: &[Expr]) -> (Vec<Expr>, Answer) {
    let raw: Vec<Expr> = s.fields.iter().map(|z| dot(form, z)).collect();
    let gamma = tidy_all(&raw);
    let off = |gamma: &[Expr]| {
        let inside = s.covector.apply(gamma);
        let off: Vec<Expr> = form.iter().zip(&inside).map(|(a, b)| a - b).collect();
        Answer::vanish(&off, s.zero(&off), Function::OffMomenta)
    };
    // Roots in another shape are not always told to be equal.
    let answer = match off(&gamma) {
        Answer::Undecided(_) => off(&raw),
        decided => decided,
    };
    (gamma, answer)
}

/// dγ(Z_a, Z_b).
fn curl_on(s: &Setting, d: &Form) -> Vec<((usize, usize), Expr)> {
    let on = |a: usize, b: usize| d.evaluate(&[s.fields[a].clone(), s.fields[b].clone()]);
    pairs(s.rank())
        .map(|(a, b)| ((a, b), tidy(&on(a, b))))
        .collect()
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

/// H∘γ is constant where its differential vanishes; a bracket-generating D says so already.
fn constant(system: &System, s: &Setting, energy: &Expr, balanced: &Answer) -> Answer {
    let slopes = s.frame.differential(energy);
    let slopes = Answer::vanish(&slopes, s.zero(&slopes), Function::EnergySlope);
    if slopes.is_proven() || !balanced.is_proven() {
        return slopes;
    }
    let generates = Distribution::annihilated_by(&s.frame, system.constraints().forms(), &s.on)
        .and_then(|d| d.is_bracket_generating());
    match generates {
        Ok(true) => balanced.clone().by(Theorem::ConstantByBrackets),
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
    let chaplygin = Chaplygin::on_coordinates(system)?;
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
    let vanish = |f: &[Expr], what: Function| Answer::vanish(f, system.prove_zero(f), what);
    Some(ReducedReading {
        components,
        closed: vanish(&curls, Function::CurlOnBase),
        generalized: vanish(&gaps, Function::GeneralizedCurl),
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
