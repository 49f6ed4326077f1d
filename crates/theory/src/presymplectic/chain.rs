//! The constraint algorithm of Gotay, Nester and Hinds, on manifolds and algebroids (AC-C20).

use super::chart::{Chart, GroupFactor};
use super::impose::numerator;
use super::problem::{OnSet, Problem};
use super::reduction::BUDGET;
use super::search::{Branch, Outcome, Search};
use super::special::special_cases;
use crate::exact::tidy;
use crate::finding::search::{self, Exhausted, Searched};
use crate::{Absence, Answer, Case, Effort, Evidence, Gap, Named, Reason, Theorem};
use rattleback_geometry::{Frame, vanish_on};
use rattleback_symbolic::{
    Expr, Function, Kind, LinearError, Matrix, Symbol, postorder, rank_within,
};

/// A two-form Ω and a one-form α on an anchored frame: the equation i_X Ω = α.
#[derive(Clone, Debug)]
pub struct Presymplectic {
    /// The frame; its base coordinates are those of the manifold.
    pub frame: Frame,
    /// Ω(e_a, e_b).
    pub form: Matrix,
    /// α(e_a), usually dH.
    pub covector: Vec<Expr>,
    /// The groups whose entries are among the coordinates.
    pub groups: Vec<GroupFactor>,
}

/// One step of the algorithm.
#[derive(Clone, Debug)]
pub struct Step {
    /// The new constraint functions.
    pub constraints: Vec<Expr>,
    /// The rank of the frame along the new set, the dimension of the set for a tangent bundle.
    pub dimension: usize,
}

/// How the algorithm ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Nothing new: a field exists on the final set.
    Stable,
    /// Only isolated points are left.
    OnlyEquilibria,
    /// A constraint without zeros.
    Inconsistent(Expr),
    /// It was left before the end.
    Open(Reason),
}

/// The chain M ⊃ M_1 ⊃ … ⊃ M_f.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The rank of the frame at the beginning.
    pub dimension: usize,
    /// The steps that cut something away.
    pub steps: Vec<Step>,
    /// The coordinates in which everything here is written: those of the frame, unless a chart was needed.
    pub coordinates: Vec<Symbol>,
    /// The final set: each symbol equals its expression.
    pub solved: Vec<(Symbol, Expr)>,
    /// One solution X on the final set, by components in the frame; empty if there is none.
    pub field: Vec<Expr>,
    /// The rates of the coordinates along X.
    pub rates: Vec<Expr>,
    /// In how many directions X is free on the final set.
    pub freedom: usize,
    /// These directions, where they could be written down.
    pub gauge: Vec<Vec<Expr>>,
    /// The rank of Ω on the final set; what it lacks to the dimension is free in the equation restricted to that set.
    pub form_rank: Option<usize>,
    /// Functions whose powers appeared as constraints: irregular ones, replaced by their radicals.
    pub irregular: Vec<Expr>,
    /// What was taken not to vanish; where it does ranks may jump.
    pub conditions: Vec<Expr>,
    /// Other branches that were not followed: factors that might vanish instead.
    pub branches: Vec<Expr>,
    /// The parameters of the chart by the given coordinates; empty if none was needed.
    pub chart: Vec<(Symbol, Expr)>,
    /// Parameters at which the chain is another one.
    pub cases: Vec<Case>,
    /// How it ended.
    pub end: End,
    /// Is there a consistent motion on the final set?
    pub claim: Answer,
}

impl Chain {
    /// The dimensions, from the whole space to the final set.
    pub fn dimensions(&self) -> Vec<usize> {
        let steps = self.steps.iter().map(|s| s.dimension);
        std::iter::once(self.dimension).chain(steps).collect()
    }

    /// An expression in the given coordinates rather than those of a chart.
    pub fn shown(&self, e: &Expr) -> Expr {
        match self.chart.is_empty() {
            true => e.clone(),
            false => tidy(&e.substitute(&self.chart)),
        }
    }

    /// A constraint function in the given coordinates, without what never vanishes in the chart.
    pub fn shown_constraint(&self, f: &Expr) -> Expr {
        match self.chart.is_empty() {
            true => f.clone(),
            false => Expr::product(numerator(&self.shown(f)).into_iter().map(|(g, _)| g)),
        }
    }
}

impl Presymplectic {
    /// Runs the algorithm.
    pub fn chain(&self, effort: Effort) -> Chain {
        let problem = Problem::new(
            self.frame.clone(),
            self.form.transpose(),
            self.covector.clone(),
            self.groups.clone(),
        );
        let mut chain = chain_of(&problem, effort);
        chain.claim = chain.claim.by(Theorem::FieldOnFinalSet);
        chain
    }
}

/// The chain of K X = r with its special cases; its rank of the form is that of Kᵀ where it is square.
pub(super) fn chain_of(problem: &Problem, effort: Effort) -> Chain {
    let (mut chain, mut parameters) = decided(problem, effort);
    parameters.extend(chain.conditions.iter().cloned());
    chain.cases = special_cases(problem, &parameters, &chain, effort);
    chain
}

/// The chain at generic parameters, in charts if need be, and functions of the parameters that were taken
/// not to vanish.
pub(super) fn decided(problem: &Problem, effort: Effort) -> (Chain, Vec<Expr>) {
    let mut search = Search::new(problem);
    let first = search.run(effort);
    let unsolved = match &first {
        Outcome::Open { unsolved, .. } => unsolved.clone(),
        _ => None,
    };
    let mut chain = report(problem, first, Vec::new());
    if matches!(chain.end, End::Open(_)) && !effort.is_spent() {
        chain = in_charts(problem, unsolved.as_ref(), effort).unwrap_or(chain);
    }
    (chain, search.parameters)
}

/// The chain in the first chart that has a final set; a contradiction if it is one in all charts.
fn in_charts(problem: &Problem, unsolved: Option<&Expr>, effort: Effort) -> Option<Chain> {
    let mut angles = angles_in(problem, unsolved);
    'covers: loop {
        if problem.groups.is_empty() && angles.is_empty() {
            return None;
        }
        let (charts, mut all_empty) = Chart::cover(&problem.groups, &angles);
        let mut empty = None;
        let mut open = None;
        let mut covered = search::Search::of(Searched::Branches, effort);
        for chart in charts {
            let local = chart.apply(problem).ok()??;
            let back = chart.inverse(&problem.groups);
            match Search::new(&local).run(effort) {
                stable @ Outcome::Stable(_) => return Some(report(&local, stable, back)),
                Outcome::Inconsistent {
                    function,
                    branch,
                    searched,
                } => {
                    covered.join(Ok(searched));
                    empty = empty.or(Some((local, function, branch, back)));
                }
                Outcome::Open {
                    unsolved: Some(g), ..
                } if angles_in(problem, Some(&g))
                    .iter()
                    .any(|a| !angles.contains(a)) =>
                {
                    for a in angles_in(problem, Some(&g)) {
                        if !angles.contains(&a) {
                            angles.push(a);
                        }
                    }
                    continue 'covers;
                }
                other => {
                    all_empty = false;
                    open = open.or_else(|| Some(report(&local, other, back)));
                }
            }
        }
        if open.is_some() || !all_empty {
            return open;
        }
        let (local, function, branch, back) = empty?;
        let searched = covered.finish().ok()?;
        let none = Outcome::Inconsistent {
            function,
            branch,
            searched,
        };
        return Some(report(&local, none, back));
    }
}

/// Coordinates whose sines or cosines occur.
fn angles_in(problem: &Problem, f: Option<&Expr>) -> Vec<Symbol> {
    let nodes = postorder(f.map_or(&[], std::slice::from_ref), |_| true);
    let inside = |q: &Symbol| {
        nodes.iter().any(|node| match node.kind() {
            Kind::Function(Function::Sin | Function::Cos, x) => x[0].contains(q),
            _ => false,
        })
    };
    let base = problem.frame.base().iter();
    base.filter(|q| inside(q)).cloned().collect()
}

/// What a search found, with the field on the final set and the proof that it is one.
fn report(problem: &Problem, outcome: Outcome, chart: Vec<(Symbol, Expr)>) -> Chain {
    let (branch, end, searched) = match outcome {
        Outcome::Stable(branch) => (branch, End::Stable, None),
        Outcome::Inconsistent {
            function,
            branch,
            searched,
        } => (branch, End::Inconsistent(function), Some(searched)),
        Outcome::Open { why, branch, .. } => (branch, End::Open(why), None),
    };
    let Branch {
        steps,
        solved,
        irregular,
        conditions,
        others,
        ..
    } = branch;
    let mut chain = Chain {
        dimension: problem.frame.rank(),
        steps,
        coordinates: problem.frame.base().to_vec(),
        solved,
        field: Vec::new(),
        rates: Vec::new(),
        freedom: 0,
        gauge: Vec::new(),
        form_rank: None,
        irregular,
        conditions,
        branches: others,
        chart,
        cases: Vec::new(),
        end,
        claim: Answer::undecided(Gap::NotLookedAt),
    };
    if chain.end == End::Stable {
        if let Err(why) = finish(problem, &mut chain) {
            chain.end = End::Open(Reason::failed(why));
        } else if problem.free_coordinates(&chain.solved) == 0
            && chain.rates.iter().all(Expr::is_zero)
        {
            chain.end = End::OnlyEquilibria;
        }
    }
    match (&chain.end, searched) {
        (End::Inconsistent(f), Some(searched)) => chain.claim = no_final_set(&chain, f, searched),
        (End::Open(why), _) => chain.claim = Answer::undecided(why.clone()),
        _ => {}
    }
    chain
}

/// Every branch ends in a function without zeros, for example this one.
fn no_final_set(chain: &Chain, f: &Expr, searched: Exhausted) -> Answer {
    let none = match searched.looked_at() {
        0 | 1 => Absence::FinalPoint,
        _ => Absence::FinalSet,
    };
    let none = none.with("function", chain.shown_constraint(f));
    Answer::refuted(Evidence::none(none, searched, []))
}

/// The field, its freedom and the rank of the form on the final set.
fn finish(problem: &Problem, chain: &mut Chain) -> Result<(), LinearError> {
    let n = problem.frame.rank();
    let here = problem.on_set(&chain.solved);
    let reduced = here.reduced();
    let solution = reduced.solution(&problem.on)?;
    chain.field = solution.field;
    chain.rates = problem.frame.anchored(&chain.field);
    chain.freedom = solution.freedom;
    for c in &solution.conditions {
        for (g, _) in numerator(&tidy(c)) {
            let known = chain.conditions.iter().any(|h| *h == g || *h == -&g);
            if !known && !g.is_nonvanishing() {
                chain.conditions.push(g);
            }
        }
    }
    if chain.freedom > 0 {
        chain.gauge = reduced.kernel(&problem.on).unwrap_or_default();
    }
    if here.own == n {
        chain.form_rank = form_rank(&here);
    }
    let mut gaps = here.gaps(&chain.field);
    for direction in &chain.gauge {
        gaps.extend(here.image(direction));
    }
    let verdict = vanish_on(&gaps, &problem.on);
    chain.claim = Answer::vanish(&gaps, verdict, crate::Function::ChainGap);
    Ok(())
}

/// The rank of Ω on the tangent space of the set: rank \[\[Ω, Tᵀ\], \[T, 0\]\] − 2 rank T with the slopes T.
fn form_rank(here: &OnSet) -> Option<usize> {
    let n = here.own;
    let columns: Vec<usize> = (0..n).collect();
    let tangent: Vec<usize> = (n..here.matrix.rows()).collect();
    if let Some(sample) = &here.sample {
        let form = sample.select(&columns, &columns);
        let tangent = sample.select(&tangent, &columns);
        return Some(form.bordered(&tangent).rank() - 2 * tangent.rank());
    }
    let form = here.matrix.select(&columns, &columns);
    let slopes = here.matrix.select(&tangent, &columns);
    let corner = Matrix::zeros(tangent.len(), tangent.len());
    let both = form.bordered(&slopes.transpose(), &slopes, &corner);
    Some(rank_within(&both, BUDGET).ok()?.rank - 2 * rank_within(&slopes, BUDGET).ok()?.rank)
}
