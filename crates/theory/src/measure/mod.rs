//! Invariant measures with a density on the configuration space (HJ-C33, VE-C22, C23).

mod unreduced;

use crate::chaplygin::{ChaplyginReport, Reduction};
use crate::claim::point;
use crate::exact::{
    Exponential, Loop, OneForm, Periods, PotentialError, common_parameter_zeros, tidy,
};
use crate::search::out_of_effort;
use crate::{Case, Claim, Effort};
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
/// use rattleback_mechanics::System;
/// use rattleback_theory::{Effort, MeasureReport};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = System::from_model(&model).unwrap().system;
/// let found = MeasureReport::of(&knife, Effort::unlimited());
/// assert!(found.claim.is_proven());
/// let phi = Expr::from(&knife.frame().base()[2]);
/// assert_eq!(found.density, Some(phi.cos()));
/// ```
#[derive(Clone, Debug)]
pub struct MeasureReport {
    /// Does such a measure exist?
    pub claim: Claim,
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
    pub gyroscopic_free: Option<Claim>,
    /// Special values of parameters.
    pub cases: Vec<Case>,
}

impl MeasureReport {
    /// Judges the reduced system where there is one, else the system on D.
    pub fn of(system: &System, effort: Effort) -> Self {
        if system.constraints().is_empty() {
            return Self::liouville(system);
        }
        if let Some(claim) = out_of_scope(system) {
            return Self::open(claim, Space::Constrained);
        }
        if let Err(e) = system.check_regular() {
            return Self::open(Claim::undecided(e.to_string()), Space::Constrained);
        }
        let chaplygin = ChaplyginReport::of(system, effort);
        // Which space the density lives on is settled before one is looked for.
        if let Some(why) = &chaplygin.cut {
            return Self::open(Claim::undecided(why.to_string()), Space::Constrained);
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
        let mut report = Self::open(Claim::undecided(out_of_effort()), space);
        report.directions = reduction.base.fibre().to_vec();
        report.gyroscopic_free = Some(Claim::that_vanishes(
            &reduction.is_gyroscopic_free(),
            "the gyroscopic force",
        ));
        report.judge(found, tau, "the trace of the gyroscopic tensor");
        report
    }

    fn open(claim: Claim, space: Space) -> Self {
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
            let why = "the motion is of first order, on the positions, where this is not judged";
            return Self::open(Claim::undecided(why), Space::Cotangent);
        }
        if let Err(e) = system.check_regular() {
            return Self::open(Claim::undecided(e.to_string()), Space::Cotangent);
        }
        let mut report = match out_of_scope(system) {
            Some(claim) => return Self::open(claim, Space::Cotangent),
            None => Self::open(
                Claim::proven("a Hamiltonian flow keeps the Liouville volume"),
                Space::Cotangent,
            ),
        };
        report.density = Some(Expr::one());
        report
    }

    /// Fills in the answer from the integral of d ln N.
    fn judge(&mut self, found: Result<Exponential, PotentialError>, form: Vec<Expr>, what: &str) {
        self.one_form = form;
        match found {
            Ok(n) => self.take(n, what),
            Err(PotentialError::NotClosed {
                component,
                witness,
                value,
                ..
            }) => {
                self.cases = common_parameter_zeros(std::slice::from_ref(&component))
                    .into_iter()
                    .map(|condition| Case {
                        condition,
                        then: "the one-form is closed and there is a density locally".into(),
                    })
                    .collect();
                self.claim = Claim::refuted(format!(
                    "d ln N would be {what}, which is not closed: a component of its derivative is {component}, {value} at {}",
                    point(&witness)
                ));
                self.obstruction = Some(component);
            }
            Err(PotentialError::NoClosedForm) => {
                self.claim = Claim::undecided(format!(
                    "d ln N is {what}, which is closed, but its integral was not found in closed form, and no path to integrate it along numerically: the space has group factors, or the form is singular wherever it was tried"
                ));
            }
            Err(PotentialError::Undecided(why)) => self.claim = Claim::undecided(why),
            Err(PotentialError::OutOfEffort) => self.claim = Claim::undecided(out_of_effort()),
        }
    }

    fn take(&mut self, n: Exponential, what: &str) {
        self.periods = n.periods;
        let single = self.periods.vanish();
        self.claim = match single {
            Some(true) if n.value.is_ok() => Claim::proven(format!(
                "d ln N is {what}; it is exact, and the divergence of the motion in the volume N vanishes"
            )),
            Some(true) => Claim::proven(format!(
                "d ln N is {what}; it is closed and without periods, so that N is a quadrature, and the divergence of the motion in the volume N vanishes"
            )),
            Some(false) => Claim::refuted(format!(
                "d ln N is {what}, which is closed, but {}: no density is single valued",
                change_around(&self.periods)
            )),
            None => Claim::undecided(format!(
                "d ln N is {what}, which is closed, but it is not known whether its integral is single valued: {}",
                self.periods
                    .undecided
                    .first()
                    .map_or_else(String::new, |(s, why)| format!(
                        "around the circle of {s} {why}"
                    ))
            )),
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

/// The first change on a closed way, in words.
fn change_around(periods: &Periods) -> String {
    if let Some((way, change)) = periods.exact.first() {
        return format!("ln N changes by {change} around {way}");
    }
    let words = |(way, change, at): &(Loop, f64, String)| {
        let at = match at.is_empty() {
            true => String::new(),
            false => format!(" at {at}"),
        };
        format!("ln N changes by {change} around {way}{at}")
    };
    periods.numeric.first().map_or_else(String::new, words)
}

/// What no statement here is made about.
fn out_of_scope(system: &System) -> Option<Claim> {
    if system.order() > 1 {
        return Some(Claim::undecided(
            "the Lagrangian has derivatives beyond velocities",
        ));
    }
    if !system.constraints().is_linear() {
        return Some(Claim::undecided(
            "the constraints have a part free of velocities",
        ));
    }
    let time = Symbol::time();
    let forms = system.constraints().forms().entries();
    if std::iter::once(system.lagrangian())
        .chain(forms)
        .any(|e| e.contains(&time))
    {
        return Some(Claim::undecided("the system depends on time"));
    }
    let fibre = system.frame().fibre();
    if crate::scope::uncontrolled_force(system)
        .iter()
        .any(|f| f.contains_any(fibre))
    {
        return Some(Claim::undecided("a force depends on the velocities"));
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
