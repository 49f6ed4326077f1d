//! Stability of equilibria and steady motions: by energy and momentum, and by the spectrum of the linear system in the
//! frame that moves along.

mod arcs;
mod chart;
mod energy;
mod exact;

use crate::equilibria::{Relation, SteadyState, leaves_rates_open};
use crate::exact::tidy;
use crate::symmetry::is_symmetry;
use crate::{Answer, Evidence, Gap, Named, Reason, Theorem};
use arcs::without_arcs;
use energy::Open;
use exact::{characteristic, on_axis, routh, sign};
use rattleback_mechanics::{
    Chart, Form, LinearSystem, NamedSection, Problem, System, VariationalEquations,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, simplify};
use std::cmp::Ordering;

/// What is known of the stability of a state, for the values of the parameters.
#[derive(Clone, Debug)]
pub struct Stability {
    /// Is it stable in Lyapunov's sense, modulo the orbit of the symmetries and along the family?
    pub stable: Answer,
    /// The names of independent directions.
    pub state: Vec<String>,
    /// A at the values, as exact constants; none where there is no linear system.
    pub matrix: Option<Matrix>,
    /// Under which conditions on parameters and free ones the modes across the family do not grow, where these are
    /// short.
    pub conditions: Vec<Relation>,
    /// Do all motions nearby come to the family: do the modes across it die out?
    pub attracts: bool,
}

impl Stability {
    /// Nothing is known, for this reason.
    pub(crate) fn open(why: impl Into<Reason>) -> Self {
        Self {
            stable: Answer::undecided(why),
            state: Vec::new(),
            matrix: None,
            conditions: Vec::new(),
            attracts: false,
        }
    }
}

/// A state to be judged.
pub(crate) struct Judged<'a> {
    state: &'a SteadyState,
    /// The symmetries that carry it, with their rates.
    carried: &'a [(NamedSection, Expr)],
    /// All symmetries that are known.
    symmetries: Vec<NamedSection>,
}

/// The state at the values.
pub(crate) struct Where {
    /// Positions, velocities and parameters.
    point: Vec<(Symbol, Expr)>,
    /// Parameters alone.
    parameters: Vec<(Symbol, Expr)>,
    /// The rates of the symmetries that carry it.
    rates: Vec<Expr>,
}

impl<'a> Judged<'a> {
    /// Takes what a state says of itself.
    pub fn of(state: &'a SteadyState) -> Self {
        Self {
            state,
            carried: &state.carried,
            symmetries: Vec::new(),
        }
    }
}

/// The largest system that is judged, and the largest with entries that are not numbers.
const LARGEST: usize = 14;
const LARGEST_ALGEBRAIC: usize = 8;
/// Conditions longer than this are not written out.
const SHORT: usize = 40;

impl Stability {
    /// Judges a state.
    pub(crate) fn of(problem: &Problem, judged: &Judged<'_>) -> Self {
        let system = &problem.system;
        let Some(values) = &judged.state.values else {
            return Self::open(Gap::NotRealHere);
        };
        let parameters = problem.values.pairs().to_vec();
        let free: Vec<(Symbol, Expr)> = values.clone();
        let rates = judged.carried.iter();
        let rates = rates.map(|(_, r)| problem.values.at(&r.substitute(&free)));
        let at = Where {
            point: [values.clone(), parameters.clone()].concat(),
            parameters,
            rates: rates.map(|r| simplify(&r)).collect(),
        };
        let judged = Judged {
            symmetries: known_symmetries(system, judged.carried),
            ..*judged
        };
        let linear = Linear::of(system, &judged, &at);
        let spectrum = match &linear {
            Ok(linear) => linear.verdict(family(system, judged.state)),
            Err(why) => Spectrum::Open(why.clone()),
        };
        let (state, matrix, conditions) = match linear {
            Ok(linear) => (
                linear.system.state.clone(),
                Some(linear.matrix()),
                linear.conditions(system, &judged),
            ),
            Err(_) => (Vec::new(), None, Vec::new()),
        };
        let attracts = matches!(spectrum, Spectrum::Attracts { .. });
        // Where the sign of a rate decides, only the start can say which.
        let open = |s: &&Symbol| {
            let used = conditions
                .iter()
                .any(|r: &Relation| r.difference().contains(s));
            let rate = !system.frame().base().contains(s);
            let stated = problem.start.get(s).map(|v| problem.values.at(&v.value));
            used && rate && stated.is_none_or(|v| v.is_zero())
        };
        let one_way = judged.state.free.iter().any(|s| open(&s));
        let stable = match one_way {
            false if leaves_rates_open(problem, judged.state) => {
                Answer::undecided(Gap::RatesNotGiven)
            }
            false => answer(system, &judged, &at, spectrum),
            true => {
                let all: Vec<String> = conditions.iter().map(ToString::to_string).collect();
                let gap = Gap::OneWay.with("conditions", all.join(" and "));
                Answer::undecided(gap)
            }
        };
        Self {
            stable,
            state,
            matrix,
            conditions,
            attracts: attracts && !one_way,
        }
    }
}

/// What the eigenvalues tell.
enum Spectrum {
    /// So many have positive real part.
    Unstable { roots: Option<usize> },
    /// All but those along the family die out.
    Attracts { along: usize },
    /// On the imaginary axis.
    Neutral,
    /// Not known.
    Open(Reason),
}

fn answer(system: &System, judged: &Judged<'_>, at: &Where, spectrum: Spectrum) -> Answer {
    match spectrum {
        Spectrum::Unstable { roots: Some(n) } => {
            return Answer::refuted(Theorem::EigenvaluesRight.with("roots", n));
        }
        Spectrum::Unstable { roots: None } => {
            return Answer::refuted(Evidence::from(Theorem::EigenvaluesOffAxis));
        }
        Spectrum::Attracts { along: 0 } => {
            return Answer::proven(Evidence::from(Theorem::EigenvaluesLeft));
        }
        Spectrum::Attracts { along } => {
            return Answer::proven(Theorem::FamilyAttracts.with("along", along));
        }
        Spectrum::Neutral | Spectrum::Open(_) => {}
    }
    let behind = match energy::definite(system, judged, at) {
        Ok(0) => Reason::from(Gap::NothingTransverse),
        Ok(directions) => {
            let theorem = match (judged.carried.is_empty(), judged.symmetries.is_empty()) {
                (true, true) => Theorem::EnergyMinimum,
                (true, false) => Theorem::EnergyMinimumAcrossOrbit,
                (false, _) => Theorem::EnergyMomentumMinimum,
            };
            return Answer::proven(theorem.with("directions", directions));
        }
        Err(Open::Indefinite) => Reason::from(Gap::SecondVariationIndefinite),
        Err(Open::Premise(why)) => Gap::EnergyDoesNotApply.with("why", why).into(),
        Err(Open::Undecided) => Reason::from(Gap::SecondVariationUnknown),
    };
    Answer::undecided(match spectrum {
        Spectrum::Open(why) => Reason::because(Gap::SpectrumUnknown, why),
        _ => Reason::because(Gap::SpectrumOnAxis, behind),
    })
}

/// The dimension of the family; none where it takes entries of a group that are partly determined.
fn family(system: &System, state: &SteadyState) -> Option<usize> {
    let frame = system.frame();
    let is_free = |z: &Symbol| state.free.contains(z);
    let mut dimension = state
        .free
        .iter()
        .filter(|s| !frame.base().contains(s))
        .count();
    for factor in system.factors() {
        let entries = &frame.base()[factor.base.clone()];
        dimension += match entries.iter().filter(|z| is_free(z)).count() {
            0 => 0,
            all if all == entries.len() => factor.fibre.len(),
            _ => return None,
        };
    }
    Some(dimension)
}

/// Those that carry the state, declared ones that hold and cyclic coordinates.
fn known_symmetries(system: &System, carried: &[(NamedSection, Expr)]) -> Vec<NamedSection> {
    let mut all: Vec<NamedSection> = carried.iter().map(|(f, _)| f.clone()).collect();
    let declared = system.symmetries().iter().cloned();
    for s in declared.chain(system.cyclic()) {
        let new = !all.iter().any(|a| a.components == s.components);
        if new && is_symmetry(system, &s).is_proven() {
            all.push(s);
        }
    }
    all
}

/// The linear system at the values.
struct Linear {
    system: LinearSystem<Expr>,
    equations: VariationalEquations,
    chart: Chart,
}

impl Linear {
    fn of(system: &System, judged: &Judged<'_>, at: &Where) -> Result<Self, Reason> {
        let equations = system.equations(Form::default_for(system));
        let equations = equations.map_err(Reason::failed)?;
        let equations = VariationalEquations::of(system, &equations).map_err(Reason::failed)?;
        let fields: Vec<NamedSection> = judged.carried.iter().map(|(f, _)| f.clone()).collect();
        let moving = equations.moving_with(system, &fields, &at.rates);
        let moving = moving.ok_or_else(|| Reason::from(Gap::NoLinearSystem))?;
        let chart =
            chart::of(&moving, &at.point).ok_or_else(|| Reason::from(Gap::NoLinearSystem))?;
        let linear = moving.linear_system(&at.point, &chart, &[], &[]);
        let linear = linear.map_err(Reason::failed)?;
        Ok(Self {
            system: linear.map(|e| simplify(&e.substitute(&at.parameters))),
            equations,
            chart,
        })
    }

    fn matrix(&self) -> Matrix {
        let n = self.system.state.len();
        Matrix::new(n, n, |i, j| self.system.a[i][j].clone())
    }

    /// By Routh's table or, where the polynomial is even, by Sturm's chain; `family` is how many directions of steady
    /// states there are.
    fn verdict(&self, family: Option<usize>) -> Spectrum {
        let a = self.matrix();
        let numbers = a.entries().iter().all(|e| e.as_number().is_some());
        let most = if numbers { LARGEST } else { LARGEST_ALGEBRAIC };
        if a.rows() > most {
            return Spectrum::Open(Gap::TooManyStates.with("states", a.rows()).into());
        }
        let p = characteristic(&a);
        let is_zero = |e: &&Expr| sign(e) == Some(Ordering::Equal);
        let zeros = p.iter().take_while(is_zero).count();
        let q = &p[zeros..];
        if q.len() == 1 {
            return match Some(zeros) == family {
                true => Spectrum::Open(Gap::NothingTransverse.into()),
                false => Spectrum::Neutral,
            };
        }
        match (routh(q), Some(zeros) == family) {
            (Some(0), true) => return Spectrum::Attracts { along: zeros },
            (Some(0), false) => return Spectrum::Neutral,
            (Some(n), _) => return Spectrum::Unstable { roots: Some(n) },
            (None, _) => {}
        }
        match on_axis(q) {
            Some(false) => Spectrum::Unstable { roots: None },
            _ => Spectrum::Neutral,
        }
    }

    /// The conditions of a polynomial of degree 1 or 2 across the family, in parameters and free ones.
    fn conditions(&self, system: &System, judged: &Judged<'_>) -> Vec<Relation> {
        if self.system.state.len() > LARGEST_ALGEBRAIC {
            return Vec::new();
        }
        let fields: Vec<NamedSection> = judged.carried.iter().map(|(f, _)| f.clone()).collect();
        let rates: Vec<Expr> = judged.carried.iter().map(|(_, r)| r.clone()).collect();
        let state = judged.state;
        let point = [&state.positions[..], &state.velocities, &state.gauge].concat();
        let moving = self.equations.moving_with(system, &fields, &rates);
        let linear = moving.and_then(|m| m.linear_system(&point, &self.chart, &[], &[]).ok());
        let Some(linear) = linear else {
            return Vec::new();
        };
        let n = linear.state.len();
        let size: usize = linear.a.iter().flatten().map(Expr::node_count).sum();
        if size > n * n * SHORT {
            return Vec::new();
        }
        let p = characteristic(&Matrix::new(n, n, |i, j| linear.a[i][j].clone()));
        let p: Vec<Expr> = p.iter().map(|e| tidy(&without_arcs(&tidy(e)))).collect();
        let zeros = p.iter().take_while(|e| e.is_zero()).count();
        let q = &p[zeros..];
        let needed: Vec<&Expr> = match q {
            [a, _] => vec![a],
            [b, a, _] if a.is_zero() => vec![b],
            [b, a, _] => vec![a, b],
            _ => return Vec::new(),
        };
        let all = needed.into_iter().filter(|e| e.node_count() <= SHORT);
        let all: Vec<Relation> = all.map(Relation::positive).collect();
        match all.iter().any(|r| r.holds() == Some(false)) {
            true => Vec::new(),
            false => all.into_iter().filter(|r| r.holds().is_none()).collect(),
        }
    }
}
