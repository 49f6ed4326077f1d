//! The test of one reduction: pure trace and exact, or the symmetrised condition and exact.

use crate::chaplygin::Reduction;
use crate::exact::{Exponential, OneForm, Periods, PotentialError, common_parameter_zeros, tidy};
use crate::measure::metric_hints;
use crate::{Answer, Case, Effort, Evidence, Function, Gap, Named, Reason, Theorem};
use rattleback_geometry::Quadrature;
use rattleback_symbolic::{Expr, Matrix, Symbol, free_symbols, substitute_all};

/// A Hamiltonization: with the multiplier f, time τ with dτ = f dt and momenta p = f P,
///
/// ```text
/// dr/dτ = ∂H_C/∂p,   dp/dτ = −∂H_C/∂r,   H_C(r, p) = H̄(r, p/f)
/// ```
///
/// and f(Ω − Ξ) is closed where the tensor is of pure trace.
#[derive(Clone, Debug)]
pub struct Hamiltonization {
    /// f(r); a symbol of that name where f is a quadrature.
    pub multiplier: Expr,
    /// f as an integral, where no closed form was found.
    pub quadrature: Option<Quadrature>,
    /// H_C(r, p).
    pub hamiltonian: Expr,
    /// The base coordinates.
    pub coordinates: Vec<Symbol>,
    /// The momenta p of H_C, by the names of the reduced ones.
    pub momenta: Vec<Symbol>,
    /// Is Ξ = dF ∧ Θ (HJ-C34), or does only the weaker condition HJ-C35 hold?
    pub strong: bool,
    /// A magnetic term in the brackets of the momenta, {p_a, p_b} = f B_ab: zero without Routh reduction.
    pub magnetic: Matrix,
    /// Closed ways on which ln f changes, and by how much: then f lives on the cover.
    pub periods: Periods,
    /// Why.
    pub how: Evidence,
}

/// Why a reduction has no multiplier.
#[derive(Clone, Debug)]
pub(crate) struct Obstruction {
    pub(crate) claim: Box<Answer>,
    pub(crate) cases: Vec<Case>,
}

impl Obstruction {
    fn new(claim: Answer) -> Self {
        Self {
            claim: Box::new(claim),
            cases: Vec::new(),
        }
    }
}

impl Hamiltonization {
    /// Judges a reduction.
    pub(crate) fn of(r: &Reduction, effort: Effort) -> Result<Self, Obstruction> {
        let n = r.rank();
        Self::with_magnetic(r, Matrix::zeros(n, n), effort)
    }

    /// A system that is Hamiltonian already.
    pub(super) fn trivial(q: &[Symbol], p: &[Symbol], hamiltonian: Expr, how: Evidence) -> Self {
        Self {
            multiplier: Expr::one(),
            quadrature: None,
            hamiltonian,
            coordinates: q.to_vec(),
            momenta: p.to_vec(),
            strong: true,
            magnetic: Matrix::zeros(p.len(), p.len()),
            periods: Periods::default(),
            how,
        }
    }

    /// Judges a reduction whose gyroscopic form has a part B free of momenta.
    pub(super) fn with_magnetic(
        r: &Reduction,
        magnetic: Matrix,
        effort: Effort,
    ) -> Result<Self, Obstruction> {
        let n = r.rank();
        let slope: Vec<Expr> = if n < 2 {
            vec![Expr::zero(); n]
        } else {
            let scale = Expr::ratio(1, n as i64 - 1);
            r.trace().iter().map(|t| tidy(&(t * &scale))).collect()
        };
        let (strong, reason) = traced(r, &slope)?;
        closed_magnetic(r, &magnetic, &slope)?;
        let form = OneForm {
            frame: &r.base,
            components: &slope,
            circles: &r.circles,
            on: &r.on,
            near: &r.near,
        };
        let Exponential { value, periods } = form
            .exponential(&metric_hints(&r.metric, &r.inverse_metric), effort)
            .map_err(Obstruction::from_potential)?;
        let integrated = match (value.is_ok(), periods.vanish()) {
            (true, Some(true)) => Theorem::MultiplierExact,
            (true, Some(false)) => Theorem::MultiplierExactOnCover,
            (true, None) => Theorem::MultiplierExactOnSomeCover,
            (false, Some(true)) => Theorem::MultiplierClosed,
            (false, Some(false)) => Theorem::MultiplierClosedOnCover,
            (false, None) => Theorem::MultiplierClosedOnSomeCover,
        };
        let integrated = integrated.with("form", slope);
        let (multiplier, quadrature) = match value {
            Ok(f) => (f, None),
            Err(integral) => (Expr::from(multiplier_symbol(r)), Some(integral)),
        };
        Ok(Self {
            hamiltonian: chaplygin_hamiltonian(r, &multiplier),
            how: Evidence::Parts(vec![reason, integrated.into()]),
            coordinates: r.base.base().to_vec(),
            momenta: r.momenta.clone(),
            strong,
            magnetic,
            periods,
            multiplier,
            quadrature,
        })
    }

    /// The gradient of H_C by positions and by momenta, where f varies too: f_i = f F_i.
    pub fn gradients(&self) -> (Vec<Expr>, Vec<Expr>) {
        let by_positions = self.hamiltonian.gradient(&self.coordinates);
        let by_momenta = self.hamiltonian.gradient(&self.momenta);
        let (Some(integral), Some(f)) = (&self.quadrature, self.multiplier.as_symbol()) else {
            return (by_positions, by_momenta);
        };
        let by_f = self.hamiltonian.diff(f) * Expr::from(f);
        let slopes = integral.logarithmic_derivative();
        let total = by_positions
            .iter()
            .zip(&slopes)
            .map(|(e, slope)| e + &by_f * slope);
        (total.collect(), by_momenta)
    }
}

/// `f`, or a longer name where the system has an f of its own.
fn multiplier_symbol(r: &Reduction) -> Symbol {
    let mut taken = free_symbols(std::slice::from_ref(&r.hamiltonian));
    taken.extend(r.base.base().iter().cloned());
    let mut name = "f".to_owned();
    while taken.iter().any(|s| s.name() == name) {
        name.push('f');
    }
    Symbol::variable(&name)
}

impl Obstruction {
    fn from_potential(e: PotentialError) -> Self {
        match e {
            PotentialError::NotClosed(point) => {
                let cases = common_parameter_zeros(std::slice::from_ref(&point.function))
                    .into_iter()
                    .map(|condition| Case {
                        condition,
                        then: "the multiplier exists locally".into(),
                    })
                    .collect();
                Self {
                    claim: Box::new(Answer::refuted(Evidence::theorem(
                        Theorem::MultiplierNotClosed,
                        [Evidence::Point(*point)],
                    ))),
                    cases,
                }
            }
            PotentialError::NoClosedForm => {
                Self::new(Answer::undecided(Gap::MultiplierNotIntegrated))
            }
            PotentialError::Undecided(why) => Self::new(Answer::undecided(why)),
            PotentialError::OutOfEffort => Self::new(Answer::undecided(Reason::out_of_effort())),
        }
    }
}

fn delta(a: usize, b: usize) -> Expr {
    i64::from(a == b).into()
}

/// T^γ_αβ = F_α δ^γ_β − F_β δ^γ_α − C^γ_αβ for α < β.
fn defect(r: &Reduction, f: &[Expr]) -> Vec<(usize, usize, usize, Expr)> {
    let n = r.rank();
    let mut all = Vec::new();
    for a in 0..n {
        for b in a + 1..n {
            for c in 0..n {
                let trace = &f[a] * delta(c, b) - &f[b] * delta(c, a);
                all.push((a, b, c, trace - &r.tensor[c][(a, b)]));
            }
        }
    }
    all
}

/// Is C^γ_αβ = F_α δ^γ_β − F_β δ^γ_α (HJ-C34)?
fn pure_trace(r: &Reduction, f: &[Expr]) -> Answer {
    let all: Vec<Expr> = defect(r, f).into_iter().map(|t| t.3).collect();
    Answer::vanish(&all, r.prove_zero(&all), Function::TraceDefect)
}

/// Is the tensor of pure trace, or does at least the weaker condition hold? Why.
fn traced(r: &Reduction, slope: &[Expr]) -> Result<(bool, Evidence), Obstruction> {
    let theorem = match r.rank() {
        2 => Theorem::TwoBaseCoordinates,
        _ => Theorem::PureTrace,
    };
    match pure_trace(r, slope) {
        Answer::Proven(zero) => return Ok((true, Evidence::theorem(theorem, [zero]))),
        Answer::Undecided(why) => return Err(Obstruction::new(Answer::undecided(why))),
        Answer::Refuted(_) => {}
    }
    match symmetrised(r, slope).by(Theorem::SymmetrisedCondition) {
        Answer::Proven(shown) => Ok((false, shown)),
        Answer::Undecided(why) => Err(Obstruction::new(Answer::undecided(why))),
        Answer::Refuted(point) => Err(not_pure(r, slope, point)),
    }
}

/// d(f(Ω − Ξ)) on the pairs (e_α, e_β, ∂_Pγ) and (e_α, e_β, e_γ) (HJ-C40): zero for a conformally
/// symplectic form. For bases with coordinates.
pub fn conformal_defect(r: &Reduction, f: &Expr) -> Vec<Expr> {
    let n = r.rank();
    let slope = r.base.differential(f);
    let xi = r.gyroscopic();
    let mut all = Vec::new();
    for a in 0..n {
        for b in a + 1..n {
            for c in 0..n {
                let trace = &slope[a] * delta(b, c) - &slope[b] * delta(a, c);
                all.push(trace - f * &r.tensor[c][(a, b)]);
            }
            for c in b + 1..n {
                let along = |x: usize, y: usize, z: usize| {
                    r.base.act_basis(x, &[f * &xi[(y, z)]]).swap_remove(0)
                };
                all.push(along(a, b, c) + along(b, c, a) + along(c, a, b));
            }
        }
    }
    all
}

/// Is Sym_γδ [T^γ_αβ ḡ^αδ] = 0 (HJ-C35)? Contracting with ḡ shows that F = τ/(n̄ − 1) is the only candidate.
fn symmetrised(r: &Reduction, f: &[Expr]) -> Answer {
    let n = r.rank();
    let mut t = vec![Matrix::zeros(n, n); n];
    for (a, b, c, value) in defect(r, f) {
        t[c][(b, a)] = -&value;
        t[c][(a, b)] = value;
    }
    let mut all = Vec::new();
    for b in 0..n {
        for c in 0..n {
            for d in c..n {
                let terms = (0..n).map(|a| {
                    &t[c][(a, b)] * &r.inverse_metric[(a, d)]
                        + &t[d][(a, b)] * &r.inverse_metric[(a, c)]
                });
                all.push(Expr::sum(terms));
            }
        }
    }
    Answer::vanish(&all, r.prove_zero(&all), Function::SymmetrisedDefect)
}

fn not_pure(r: &Reduction, f: &[Expr], point: Evidence) -> Obstruction {
    let nonzero: Vec<(usize, usize, usize, Expr)> = defect(r, f)
        .into_iter()
        .map(|(a, b, c, e)| (a, b, c, tidy(&e)))
        .filter(|t| !t.3.is_zero())
        .collect();
    let name = |a: usize| r.base.fibre()[a].name().to_owned();
    let theorem = match nonzero.first() {
        Some((a, b, c, e)) => Theorem::NotPureTraceBy
            .with("momentum", r.momenta[*c].to_string())
            .with("first", name(*a))
            .with("second", name(*b))
            .with("defect", e),
        None => Theorem::NotPureTrace.into(),
    };
    let components: Vec<Expr> = nonzero.into_iter().map(|t| t.3).collect();
    Obstruction {
        claim: Box::new(Answer::refuted(Evidence::theorem(theorem, [point]))),
        cases: common_parameter_zeros(&components)
            .into_iter()
            .map(|condition| Case {
                condition,
                then: "the gyroscopic tensor is of pure trace".into(),
            })
            .collect(),
    }
}

/// H_C(r, p) = H̄(r, p/f).
fn chaplygin_hamiltonian(r: &Reduction, f: &Expr) -> Expr {
    let scaled: Vec<(Symbol, Expr)> = r
        .momenta
        .iter()
        .map(|p| (p.clone(), Expr::from(p) / f))
        .collect();
    tidy(&substitute_all(std::slice::from_ref(&r.hamiltonian), &scaled)[0])
}

/// d(fB) = f (F ∧ B + dB) = 0: then {p_a, p_b} = f B_ab is a magnetic term of a Poisson bracket.
fn closed_magnetic(r: &Reduction, b: &Matrix, slope: &[Expr]) -> Result<(), Obstruction> {
    let n = r.rank();
    let mut all = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let term = |x: usize, y: usize, z: usize| {
                    let value = &b[(y, z)];
                    let along = r.base.act_basis(x, std::slice::from_ref(value));
                    &along[0] + &slope[x] * value
                };
                all.push(term(i, j, k) + term(j, k, i) + term(k, i, j));
            }
        }
    }
    let closed = Answer::vanish(&all, r.prove_zero(&all), Function::MagneticDerivative);
    match closed.against(Theorem::MagneticNotClosed) {
        Answer::Proven(_) => Ok(()),
        other => Err(Obstruction::new(other)),
    }
}
