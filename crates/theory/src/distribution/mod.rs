//! The constraint distribution: growth, bracket generation, integrability and its integrals
//! (HJ-C10, NG-K5, A1, A2).

mod closure;
mod driven;
mod integrals;
mod leaf;

pub(crate) use driven::{is_driven, with_time};
pub(crate) use integrals::of as integrals_along;
pub use leaf::Leaf;

use crate::exact::{Settle, common_parameter_zeros};
use crate::regularity::rank_drop;
use crate::{Answer, Case, Effort, Function, Named, Theorem};
use closure::closure;
use rattleback_geometry::{Distribution, DistributionError, Section};
use rattleback_mechanics::System;
use rattleback_symbolic::{Expr, Symbol};

/// What brackets make of the constraint distribution D.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// use rattleback_theory::{Effort, DistributionReport};
/// let text = "system knife\ncoord x, y, phi\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
///     constraint sin(phi)*x' = cos(phi)*y'\n";
/// let model = parse(&Source::new("knife.mech", text)).model.unwrap();
/// let knife = Problem::from_model(&model).unwrap().system;
/// let found = DistributionReport::of(&knife, Effort::unlimited()).unwrap();
/// assert_eq!(found.growth, [2, 3]);
/// assert!(found.generating.is_proven() && found.integrable.is_refuted());
/// ```
#[derive(Clone, Debug)]
pub struct DistributionReport {
    /// dim Q.
    pub dimension: usize,
    /// rank D at generic points.
    pub rank: usize,
    /// A frame of D.
    pub frame: Vec<Section>,
    /// The velocities in which the sections are written.
    pub velocities: Vec<Symbol>,
    /// The ranks of D, D + [D, D], … at generic points, until they stop growing.
    pub growth: Vec<usize>,
    /// The same at the start point of the model.
    pub growth_at_start: Option<Vec<usize>>,
    /// Does D generate TQ by brackets? Where the constraints are driven (see `driven`): do D and its drift
    /// leave no function of positions and time alone?
    pub generating: Answer,
    /// Is D integrable, its drift included?
    pub integrable: Answer,
    /// Functions constant along D and its drift, independent of each other.
    pub integrals: Vec<Expr>,
    /// How many more there are locally that were not found in closed form.
    pub missing: usize,
    /// The system on the levels of the integrals, where these can be solved for coordinates (NG-A2).
    pub leaf: Option<Leaf>,
    /// Functions at whose zeros the constraint forms lose rank.
    pub rank_drop: Vec<Expr>,
    /// The constraints have a part free of velocities, or change with time: rank, growth and frame are about
    /// their linear part at a fixed time.
    pub driven: bool,
    /// Did the search for integrals end early?
    pub out_of_effort: bool,
    /// Special values of parameters.
    pub cases: Vec<Case>,
}

/// Levels of brackets looked at at the start point.
const DEPTH: usize = 6;

impl DistributionReport {
    /// Judges a system.
    pub fn of(system: &System, effort: Effort) -> Result<Self, DistributionError> {
        effort.shared(system, |effort| Self::afresh(system, effort))
    }

    fn afresh(system: &System, effort: Effort) -> Result<Self, DistributionError> {
        let d = distribution(system)?;
        let n = system.frame().rank();
        let growth = d.growth()?.ranks;
        let rank = growth.last().copied().unwrap_or(0);
        let driven = is_driven(system);
        let (generating, integrable, missing) = if driven && rank < n {
            let whole = with_time(system)?;
            let reached = whole.growth()?.ranks.last().copied().unwrap_or(0);
            let missing = n + 1 - reached;
            (driven::generating(missing), integrable(&whole), missing)
        } else {
            (generating(&growth, n), integrable(&d), n - rank)
        };
        let settle = Settle::new(system);
        let mut report = Self {
            dimension: n,
            rank: d.rank(),
            frame: (0..d.rank()).map(|a| settle.all(&d.section(a))).collect(),
            velocities: system.frame().fibre().to_vec(),
            growth_at_start: growth_at_start(system, &d),
            generating,
            integrable,
            integrals: Vec::new(),
            missing,
            leaf: None,
            rank_drop: rank_drop(system, &settle),
            driven,
            out_of_effort: false,
            cases: Vec::new(),
            growth,
        };
        report.cases = integrable_cases(&d, &report.integrable);
        if missing > 0 {
            report.integrals = integrals::of(system, &d, &closure(&d)?, effort);
            if driven {
                let along = |f: &Expr| driven::along_motions(system, f);
                report.integrals = report.integrals.iter().filter_map(along).collect();
            } else {
                report.leaf = Leaf::of(system, &report.integrals);
            }
            report.missing = missing - report.integrals.len();
            report.out_of_effort = report.missing > 0 && effort.is_spent();
        }
        Ok(report)
    }

    /// The number of levels until the growth vector stops.
    pub fn step(&self) -> usize {
        self.growth.len()
    }

    /// The dimension of the sets that can be reached: the rank of the bracket closure (NG-A1).
    pub fn accessible(&self) -> usize {
        self.growth.last().copied().unwrap_or(0)
    }
}

/// D as a subbundle of the frame.
pub(crate) fn distribution(system: &System) -> Result<Distribution, DistributionError> {
    let (frame, on) = (system.frame(), system.parametrization());
    match system.sections() {
        Ok(sections) => {
            let all: Vec<Section> = (0..sections.rank())
                .map(|a| sections.basis.column(a))
                .collect();
            Distribution::spanned_by(frame, &all, on)
        }
        Err(_) => Distribution::annihilated_by(frame, system.constraints().forms(), on),
    }
}

fn generating(growth: &[usize], n: usize) -> Answer {
    let with = |theorem: Theorem| theorem.with("ranks", growth).with("dimension", n);
    match growth.last().copied().unwrap_or(0) {
        last if last == n => Answer::proven(with(Theorem::Chow)),
        last => Answer::refuted(with(Theorem::GrowthStops).with("last", last)),
    }
}

fn integrable(d: &Distribution) -> Answer {
    match d.annihilator().rows() {
        0 => Answer::proven(Theorem::NoConstraints),
        _ => involutive(d).by(Theorem::Frobenius),
    }
}

/// Do the constraint forms vanish on the brackets of a frame of D? Where not: which form on which bracket.
pub(crate) fn involutive(d: &Distribution) -> Answer {
    let tensor = d.involutivity_tensor();
    let values: Vec<Expr> = tensor.iter().map(|t| t.3.clone()).collect();
    let answer = Answer::vanish(&values, d.is_involutive(), Function::ConstraintsOnBrackets);
    answer.naming(|which| {
        let (form, first, second, _) = &tensor[which];
        Function::ConstraintOnBracket
            .with("form", form + 1)
            .with("first", first + 1)
            .with("second", second + 1)
            .with("first_field", d.section(*first))
            .with("second_field", d.section(*second))
            .with("one_form", d.annihilator().row(*form).to_vec())
    })
}

/// Parameters at which D becomes integrable.
fn integrable_cases(d: &Distribution, integrable: &Answer) -> Vec<Case> {
    if !integrable.is_refuted() {
        return Vec::new();
    }
    let tensor: Vec<Expr> = d.involutivity_tensor().into_iter().map(|t| t.3).collect();
    common_parameter_zeros(&tensor)
        .into_iter()
        .map(|condition| Case {
            condition,
            then: "the distribution is integrable".into(),
        })
        .collect()
}

fn growth_at_start(system: &System, d: &Distribution) -> Option<Vec<usize>> {
    let point = system.start_point();
    if point.is_empty() {
        return None;
    }
    let growth = d.growth_at(point, DEPTH).ok()?;
    Some(growth.ranks)
}
