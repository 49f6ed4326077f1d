//! What `control` shows: the solution of a problem with ends.

mod beside;
mod data;
mod digits;
mod table;
mod verdict;

pub use beside::gain_columns;
pub use table::{rows, table};

use crate::control::indirect::SecondOrder;
use crate::control::optimal::{
    Controlled, Extremum, Feedback, FlatRoute, Kind, Scheme, Solution, Status, UNCONFIRMED,
};
use crate::document::{Block, Data, Document, Remark};
use crate::number::shown;
use data::mean_and_spread;
use digits::{in_full, known};
use verdict::ABNORMAL;

/// What the names of rows take.
const NAMES: usize = 12;

/// A solution with what stands beside it.
pub struct Page<'a> {
    /// The solution.
    pub found: &'a Controlled,
    /// The way by flat outputs.
    pub flat: Option<&'a FlatRoute>,
    /// Feedback along the path.
    pub feedback: Option<&'a Feedback>,
}

/// Rows of a page: what it is, and what is said of it.
#[derive(Default)]
struct Rows(Vec<(String, String)>);

impl Rows {
    fn put(&mut self, name: &str, said: impl Into<String>) {
        self.0.push((name.to_owned(), said.into()));
    }
}

impl Page<'_> {
    /// The page in no notation yet.
    pub fn document(&self) -> Document {
        let found = self.found;
        let title = found.title.as_deref().unwrap_or(&found.system);
        let mut document = Document::new(format!("{title} ({})", found.system));
        let mut rows = Rows::default();
        rows.put("problem", words(found.kind));
        outcome(found, &mut rows);
        confirmation(found, &mut rows);
        path_ends(found, &mut rows);
        let Rows(mut rows) = rows;
        rows.extend(self.flat.iter().flat_map(|f| beside::flat_rows(f)));
        let controls = &found.names.controls;
        rows.extend((self.feedback.iter()).flat_map(|f| beside::feedback_rows(f, controls)));
        document.opening = vec![Block::Rows(NAMES, rows)];
        document.remarks = warnings(found).into_iter().map(Remark::Warning).collect();
        document
            .with_notes(found.notes.clone())
            .with_data(Data::Plain(self.data()))
    }

    /// What a machine is told (CLI.md).
    fn data(&self) -> serde_json::Value {
        let mut page = data::json(self.found);
        if let Some(flat) = self.flat {
            page["flat"] = beside::flat_json(flat);
        }
        if let Some(feedback) = self.feedback {
            page["feedback"] = beside::feedback_json(feedback, &self.found.names.controls);
        }
        page
    }
}

/// How it ended, at which cost and after how much work.
fn outcome(found: &Controlled, rows: &mut Rows) {
    let s = &found.solution;
    rows.put("status", s.status.name());
    if let Some(cost) = s.cost {
        let name = match found.kind {
            Kind::BoundaryValue => "action",
            _ => "cost",
        };
        rows.put(name, format!("{}{}", cost_digits(s, cost), cost_error(s)));
    }
    if let Some(t) = s.trajectory.times.last() {
        rows.put("final time", shown(*t, 0.0));
    }
    for (name, x) in found.free.iter().zip(&s.free) {
        rows.put(name, in_full(*x));
    }
    rows.put("mesh", format!("{} intervals, {}", s.nodes, s.scheme));
    let work = format!(
        "{} iterations, optimality {:.1e}, constraints {:.1e}",
        s.iterations, s.optimality, s.infeasibility
    );
    rows.put("solver", work);
}

/// The cost with the digits that its estimated error leaves.
fn cost_digits(s: &Solution, cost: f64) -> String {
    match (s.cost_error, s.scheme) {
        (Some(e), scheme) if scheme != Scheme::Map && e < 1.0 => known(cost, e * cost.abs()),
        _ => in_full(cost),
    }
}

fn cost_error(s: &Solution) -> String {
    match (s.cost_error, s.scheme) {
        (_, Scheme::Map) => String::new(),
        (Some(e), _) => format!("  (relative error about {e:.0e})"),
        (None, _) => "  (of the discrete problem)".into(),
    }
}

/// What speaks for the path: second order, what is conserved, the other route, its replay.
fn confirmation(found: &Controlled, rows: &mut Rows) {
    let s = &found.solution;
    if s.status == Status::Solved && s.cost.is_some() && found.is_confirmed() {
        rows.put("second order", judged(found));
    }
    if let Some((mean, spread)) = mean_and_spread(&s.trajectory.hamiltonian) {
        rows.put("Hamiltonian", kept(mean, spread));
    }
    if let Some(p) = &found.polished {
        let text = format!(
            "the necessary conditions give {}; cost and states differ by {:.1e}",
            in_full(p.cost),
            p.difference
        );
        rows.put("both routes", text);
        if let Some(SecondOrder::Conjugate(times)) = &p.second_order {
            let times: Vec<String> = times.iter().map(|t| shown(*t, 0.0)).collect();
            rows.put("conjugate", format!("at t = {}", times.join(", ")));
        }
    }
    for (name, mean, spread) in &found.momenta {
        rows.put(&format!("momentum {name}"), kept(*mean, *spread));
    }
    if let Some(error) = found.replay_error {
        let text = format!("the controls lead to the end within {error:.1e}");
        rows.put("replay", text);
    }
    if s.extremals.len() > 1 {
        let all = s.extremals.iter();
        let all = all.map(|(cost, kind)| format!("{} ({})", shown(*cost, 0.0), kind.name()));
        rows.put("extremals", all.collect::<Vec<_>>().join(", "));
    }
}

/// The verdict on second order, as JSON has it.
fn judged(found: &Controlled) -> &'static str {
    let jacobi = found
        .polished
        .as_ref()
        .and_then(|p| p.second_order.as_ref());
    let conjugate = matches!(jacobi, Some(SecondOrder::Conjugate(_)));
    let s = &found.solution;
    if s.status == Status::Solved && !found.is_confirmed() {
        return "not told: what speaks against the path is below";
    }
    if s.abnormal {
        return "not told: the extremal is abnormal";
    }
    match (s.extremum, found.doubts().is_empty()) {
        (Extremum::Saddle | Extremum::Maximum, _) if found.bounded => {
            "not told: directions of descent, which bounds or abnormal multipliers may close"
        }
        (Extremum::Minimum, false) => "not told: what speaks against the path is below",
        (Extremum::Minimum, true) if conjugate => {
            "not told: by the inertia of the KKT matrix a minimum, by conjugate points none"
        }
        (Extremum::Unknown, true) if conjugate => {
            "a stationary path that is no minimum, by its conjugate points"
        }
        (kind, _) => extremum(kind),
    }
}

fn extremum(found: Extremum) -> &'static str {
    match found {
        Extremum::Minimum => "a strict local minimum, by the inertia of the KKT matrix",
        Extremum::Saddle => "a stationary path that is no minimum",
        Extremum::Maximum => "a maximum",
        Extremum::Unknown => "not told: a direction is flat to working precision",
    }
}

/// A quantity that should stay as it is.
fn kept(mean: f64, spread: f64) -> String {
    format!("{}, largest change {spread:.1e}", known(mean, spread))
}

/// The largest |x| of each column.
fn columns(rows: &[Vec<f64>]) -> Vec<f64> {
    let columns = rows.first().map_or(0, Vec::len);
    let largest = |j: usize| rows.iter().fold(0.0, |m: f64, row| m.max(row[j].abs()));
    (0..columns).map(largest).collect()
}

/// State and controls at both ends, costates at the start; what is rounding beside the rest of its column is 0.
fn path_ends(found: &Controlled, rows: &mut Rows) {
    let (names, path) = (&found.names, &found.solution.trajectory);
    let values = |k: usize| -> String {
        let state = names
            .state
            .iter()
            .map(|s| &s.name)
            .zip(columns(&path.states));
        let controls = names.controls.iter().zip(columns(&path.controls));
        let state = state.zip(&path.states[k]);
        let all = state.chain(controls.zip(&path.controls[k]));
        let all = all.map(|((n, largest), x)| format!("{n} = {}", shown(*x, largest)));
        all.collect::<Vec<_>>().join(", ")
    };
    rows.put("start", values(0));
    rows.put("end", values(path.times.len() - 1));
    let costates = names.costates.iter().zip(&path.costates[0]);
    let costates = costates.map(|(c, x)| format!("{}: {}", c.label(), shown(*x, 0.0)));
    rows.put("costates", costates.collect::<Vec<_>>().join(", "));
}

/// What is less than it was asked for.
fn warnings(found: &Controlled) -> Vec<String> {
    let s = &found.solution;
    let mut all = Vec::new();
    if s.mesh_limit && s.status == Status::Solved {
        all.push(format!(
            "refinement ended at its limit, with {} intervals; the cost is known to {} only",
            s.nodes,
            s.cost_error.map_or("?".into(), |e| shown(e, 0.0))
        ));
    }
    if let (Status::Solved, Some(arcs)) = (s.status, s.trajectory.singular_arcs()) {
        all.push(format!(
            "a singular arc: between t = {} and t = {} neither bounds nor the second derivatives of H determine the controls, for {:.0}% of the time",
            shown(arcs.from, 0.0), shown(arcs.to, 0.0), 100.0 * arcs.share
        ));
    }
    if s.status == Status::Solved && !s.mesh_limit && s.is_rough() {
        all.push(format!(
            "the cost is known to {} only, not to {} as asked for",
            s.cost_error.map_or("?".into(), |e| shown(e, 0.0)),
            shown(s.tolerance, 0.0)
        ));
    }
    if s.status == Status::Solved && !found.is_confirmed() {
        all.push(UNCONFIRMED.into());
    }
    all.extend(found.doubts().iter().map(ToString::to_string));
    if s.abnormal {
        all.push(ABNORMAL.into());
    } else if s.status == Status::Solved && s.extremum == Extremum::Unknown && !has_conjugate(found)
    {
        all.push("the second-order conditions could not be told: some direction is flat to working precision".into());
    }
    all
}

/// Do Jacobi fields tell that the path is no minimum? Then the matrix need not.
fn has_conjugate(found: &Controlled) -> bool {
    let jacobi = found
        .polished
        .as_ref()
        .and_then(|p| p.second_order.as_ref());
    matches!(jacobi, Some(SecondOrder::Conjugate(_)))
}

/// What to try where it failed.
fn advice(found: &Controlled) -> Option<&'static str> {
    Some(match found.solution.status {
        Status::Solved => return None,
        Status::Infeasible => {
            "try another first iterate (`guess`, ‹starts 8›), a longer or free time, or wider bounds"
        }
        Status::Unreachable => "change the goal to what the invariants allow",
        Status::Unbounded => {
            "bound what runs away: a `bound` on the free numbers or the state, or a cost on them"
        }
        Status::Degenerate if found.solution.scheme == Scheme::Map => {
            "add a cost on the controls that nothing determines, or leave them out"
        }
        Status::Degenerate if found.solution.scheme == Scheme::HermiteSimpson => {
            "try another scheme, such as ‹scheme gauss4›"
        }
        Status::Degenerate => "try another scheme, such as ‹scheme hermite-simpson›",
        Status::Singular => "add a cost on the controls, or bound them",
        Status::IterationLimit => {
            "try another first iterate (`guess`, ‹starts 8›), or more intervals with ‹nodes›"
        }
        Status::Interrupted => "go on from the file with ‹guess FILE›",
    })
}

/// Why it failed, where, and what to try.
pub fn failure(found: &Controlled) -> Option<String> {
    let status = found.solution.status;
    let advice = advice(found)?;
    let what = match status {
        Status::Infeasible => "no path satisfies the conditions near the last iterate",
        Status::Unbounded => "the cost has no least value: something runs away",
        Status::IterationLimit => "the iteration did not come to an end",
        Status::Interrupted => "interrupted: this is the best iterate so far",
        Status::Unreachable => "the goal cannot be reached",
        Status::Degenerate => "the discretisation leaves free directions",
        Status::Singular => "the conditions do not determine the controls",
        Status::Solved => return None,
    };
    // Where all conditions hold it is the optimality that is missed.
    let missed = || match status {
        Status::IterationLimit => format!(
            ": the slope of the Lagrangian is {:.1e} still",
            found.solution.optimality
        ),
        _ => String::new(),
    };
    let resisting = found.resisting.as_ref();
    let resisting = resisting.map_or_else(missed, |r| format!(": {r}"));
    Some(format!("{what}{resisting}\n  help: {advice}"))
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::OptimalControl => "optimal control",
        Kind::ParameterOptimisation => "free numbers and start values of least cost",
        Kind::BoundaryValue => "stationary curve between ends",
    }
}
