//! Invariant measures with a density on the configuration space (HJ-C33, VE-C22, C23).

mod unreduced;

use crate::chaplygin::{ChaplyginReport, Reduction};
use crate::exact::{Exponential, OneForm, Periods, PotentialError, common_parameter_zeros, tidy};
use crate::regularity::without_motion;
use crate::{Answer, Case, Effort, Evidence, Gap, Named, Phrase, Reason, Theorem};
use rattleback_geometry::Quadrature;
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Matrix, Symbol, determinant, substitute_all};

/// On which space a density lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// The reduced space, relative to dr dP.
    Reduced {
        /// The base coordinates.
        base: Vec<Symbol>,
        /// The fibre that was divided out.
        fibre: Vec<String>,
    },
    /// The constrained momentum space, relative to dq dP with the frame momenta P on D.
    Constrained,
    /// T*Q of a system without constraints, relative to dq dp.
    Cotangent,
}

/// Is there an invariant measure N·volume with N a function of positions alone?
///
/// ```
/// # use rattleback_language::{Source, parse};
/// # use rattleback_symbolic::Expr;
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, MeasureReport};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = MeasureReport::of(&knife, Effort::unlimited());
/// assert!(found.claim.is_proven());
/// let phi = Expr::from(&knife.frame().base()[2]);
/// assert_eq!(found.density, Some(phi.cos()));
/// ```
#[derive(Clone, Debug)]
pub struct MeasureReport {
    /// Does such a measure exist?
    pub claim: Answer,
    /// Where.
    pub space: Space,
    /// N in closed form.
    pub density: Option<Expr>,
    /// N where it exists only on the cover of the circles.
    pub density_on_cover: Option<Expr>,
    /// N as an integral where no closed form was found; on the cover where it has periods.
    pub quadrature: Option<Quadrature>,
    /// The one-form d ln N that was integrated, by components in `directions`.
    pub one_form: Vec<Expr>,
    /// The coordinates or velocities that the components belong to.
    pub directions: Vec<Symbol>,
    /// ∮ d ln N on closed ways on which it is not zero.
    pub periods: Periods,
    /// What obstructs, where something does: a component of the exterior derivative.
    pub obstruction: Option<Expr>,
    /// Does the gyroscopic force vanish? Then the density is constant and vakonomic motion agrees (VE-C23,
    /// C25); known for reduced systems.
    pub gyroscopic_free: Option<Answer>,
    /// Special values of parameters.
    pub cases: Vec<Case>,
}

impl MeasureReport {
    /// Judges the reduced system where there is one, else the system on D.
    pub fn of(system: &System, effort: Effort) -> Self {
        effort.shared(system, |effort| Self::afresh(system, effort))
    }

    fn afresh(system: &System, effort: Effort) -> Self {
        if system.constraints().is_empty() {
            return Self::liouville(system);
        }
        if let Some(claim) = out_of_scope(system) {
            return Self::open(claim, Space::Constrained);
        }
        if let Some(claim) = without_motion(system) {
            return Self::open(claim, Space::Constrained);
        }
        let chaplygin = ChaplyginReport::of(system, effort);
        // Which space the density lives on is settled before one is looked for.
        if let Some(why) = &chaplygin.cut {
            return Self::open(Answer::undecided(why.clone()), Space::Constrained);
        }
        match &chaplygin.reduction {
            Some(reduction) => Self::reduced(reduction, effort),
            None => unreduced::of(system, effort),
        }
    }

    /// The measure of a reduced system: d ln N = τ.
    pub fn reduced(reduction: &Reduction, effort: Effort) -> Self {
        let space = Space::Reduced {
            base: reduction.base.base().to_vec(),
            fibre: reduction.fibre.clone(),
        };
        let tau = reduction.trace();
        let hints = metric_hints(&reduction.metric, &reduction.inverse_metric);
        let form = OneForm {
            frame: &reduction.base,
            components: &tau,
            circles: &reduction.circles,
            on: &reduction.on,
            near: &reduction.near,
        };
        let found = form.exponential(&hints, effort);
        let mut report = Self::open(Answer::undecided(Reason::out_of_effort()), space);
        report.directions = reduction.base.fibre().to_vec();
        report.gyroscopic_free = Some(reduction.is_gyroscopic_free());
        report.judge(found, tau, "the trace of the gyroscopic tensor");
        report
    }

    fn open(claim: Answer, space: Space) -> Self {
        Self {
            claim,
            space,
            density: None,
            density_on_cover: None,
            quadrature: None,
            one_form: Vec::new(),
            directions: Vec::new(),
            periods: Periods::default(),
            obstruction: None,
            gyroscopic_free: None,
            cases: Vec::new(),
        }
    }

    fn liouville(system: &System) -> Self {
        if system.first_order().is_some() {
            return Self::open(Answer::undecided(Gap::FirstOrderMotion), Space::Cotangent);
        }
        if let Some(claim) = without_motion(system) {
            return Self::open(claim, Space::Cotangent);
        }
        let mut report = match out_of_scope(system) {
            Some(claim) => return Self::open(claim, Space::Cotangent),
            None => Self::open(Answer::proven(Theorem::Liouville), Space::Cotangent),
        };
        report.density = Some(Expr::one());
        report
    }

    /// Fills in the answer from the integral of d ln N.
    fn judge(&mut self, found: Result<Exponential, PotentialError>, form: Vec<Expr>, what: &str) {
        self.one_form = form;
        match found {
            Ok(n) => self.take(n, what),
            Err(PotentialError::NotClosed(point)) => {
                self.cases = common_parameter_zeros(std::slice::from_ref(&point.function))
                    .into_iter()
                    .map(|condition| Case {
                        condition,
                        then: "the one-form is closed and there is a density locally".into(),
                    })
                    .collect();
                self.obstruction = Some(point.function.clone());
                let theorem = Theorem::DensityNotClosed.with("form", what);
                self.claim = Answer::refuted(Evidence::theorem(theorem, [Evidence::Point(*point)]));
            }
            Err(PotentialError::NoClosedForm) => {
                self.claim = Answer::undecided(Gap::DensityNotIntegrated.with("form", what));
            }
            Err(PotentialError::Undecided(why)) => self.claim = Answer::undecided(why),
            Err(PotentialError::OutOfEffort) => {
                self.claim = Answer::undecided(Reason::out_of_effort());
            }
        }
    }

    fn take(&mut self, n: Exponential, what: &str) {
        self.periods = n.periods;
        let single = self.periods.vanish();
        let form = self.one_form.clone();
        self.claim = match single {
            Some(true) if !self.periods.broken.is_empty() => {
                Answer::proven(on_pieces(&self.periods, what).with("components", form))
            }
            Some(true) => {
                let theorem = match &n.value {
                    Ok(density) => Theorem::DensityExact.with("density", density),
                    Err(_) => Theorem::DensityQuadrature.into(),
                };
                Answer::proven(theorem.with("form", what).with("components", form))
            }
            Some(false) => Answer::refuted(changes(&self.periods, what).with("components", form)),
            None => Answer::undecided(maybe_changes(&self.periods, what)),
        };
        if let Some((_, period)) = self.periods.exact.first() {
            self.cases = common_parameter_zeros(std::slice::from_ref(period))
                .into_iter()
                .map(|condition| Case {
                    condition,
                    then: "the density is single valued".into(),
                })
                .collect();
        }
        match n.value {
            Ok(density) if single == Some(true) => self.density = Some(density),
            Ok(density) => self.density_on_cover = Some(density),
            Err(integral) => self.quadrature = Some(integral),
        }
    }
}

/// The first change on a closed way: no density is single valued.
fn changes(periods: &Periods, form: &str) -> Phrase<Theorem> {
    if let Some((way, change)) = periods.exact.first() {
        return Theorem::DensityPeriod
            .with("form", form)
            .with("change", change)
            .with("way", way.to_string());
    }
    let Some((way, found)) = periods.numeric.first() else {
        return Theorem::DensityPeriodByNumbers.with("form", form);
    };
    let theorem = match found.at.is_empty() {
        true => Theorem::DensityPeriodByNumbers.into(),
        false => Theorem::DensityPeriodByNumbersAt.with("at", found.at.as_slice()),
    };
    theorem
        .with("form", form)
        .with("change", found.change.to_string())
        .with("way", way.to_string())
        .with("integrand", &found.integrand)
        .with("variable", found.variable.to_string())
        .with("enclosure", found.value)
}

/// The circles that poles cut.
fn on_pieces(periods: &Periods, form: &str) -> Phrase<Theorem> {
    let circles: Vec<String> = periods.broken.iter().map(|(s, _)| s.to_string()).collect();
    let poles = periods.broken.iter().flat_map(|(_, p)| p.clone());
    Theorem::DensityOnPieces
        .with("form", form)
        .with("poles", poles.collect::<Vec<Expr>>())
        .with("circle", circles.join(", "))
}

/// The first closed way on which a change is not known.
fn maybe_changes(periods: &Periods, form: &str) -> Phrase<Gap> {
    match periods.undecided.first() {
        Some((way, why)) => Gap::DensityMaybePeriodicAround
            .with("way", way.to_string())
            .with("why", why.as_str()),
        None => Gap::DensityMaybePeriodic.into(),
    }
    .with("form", form)
}

/// What no statement here is made about.
fn out_of_scope(system: &System) -> Option<Answer> {
    if system.order() > 1 {
        return Some(Answer::undecided(Gap::HigherDerivatives));
    }
    if !system.constraints().is_linear() {
        return Some(Answer::undecided(Gap::AffineConstraints));
    }
    let time = Symbol::time();
    let forms = system.constraints().forms().entries();
    if std::iter::once(system.lagrangian())
        .chain(forms)
        .any(|e| e.contains(&time))
    {
        return Some(Answer::undecided(Gap::DependsOnTime));
    }
    let fibre = system.frame().fibre();
    if system.force().iter().any(|f| f.contains_any(fibre)) {
        return Some(Answer::undecided(Gap::VelocityForce));
    }
    None
}

/// Factors that a density is often made of: those of the metric and its determinant.
pub(crate) fn metric_hints(metric: &Matrix, upper: &Matrix) -> Vec<Expr> {
    let mut hints = Vec::new();
    if metric.rows() <= 4
        && let Ok(d) = determinant(metric)
    {
        hints.push(tidy(&d));
    }
    for e in metric.entries().iter().chain(upper.entries()) {
        if e.node_count() < 60 && !hints.contains(e) {
            hints.push(e.clone());
        }
    }
    hints
}

/// Is div(N X) = 0 for the reduced motion? The check of a density without the theory behind it.
pub fn divergence(reduction: &Reduction, density: &Expr) -> Expr {
    let (_, rates) = reduction.rates();
    let v = reduction.velocities();
    // The base frames are those of coordinates and of unimodular groups: e_A has no divergence.
    let along = (0..reduction.rank()).map(|a| {
        reduction
            .base
            .act_basis(a, &[density * &v[a]])
            .swap_remove(0)
    });
    let fibre = reduction
        .momenta
        .iter()
        .zip(&rates)
        .map(|(p, rate)| density * rate.diff(p));
    let total = Expr::sum(along.chain(fibre));
    substitute_all(&[total], &reduction.on).swap_remove(0)
}
