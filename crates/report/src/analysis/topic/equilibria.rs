//! Equilibria and steady motions, and their stability.

use super::Case;
use super::position::{determined, free, free_columns};
use crate::analysis::page::Topic;
use crate::document::{Item, Value};
use crate::mechanics::{Problem, System};
use crate::symbolic::{Expr, Symbol, enclose};
use crate::theory::{Answer, Effort, EquilibriumReport, Gap, SteadyState};
use rattleback_numeric::number::shown;
use rattleback_numeric::{Dense, Eigen};
use serde_json::{Map, Value as Json, json};

/// All that were found, with the claim that there are no others.
pub fn judge(case: &Case, effort: Effort) -> Topic {
    let (problem, report) = (&case.problem, case.equilibria(effort));
    let answer = everything(report);
    // Those that were asked about: a system may have others.
    let along = report.symmetries.join(", ");
    let statement = match report.symmetries.is_empty() {
        true => "there are no other equilibria".to_owned(),
        false => format!("there are no other equilibria, nor steady motions along {along}"),
    };
    let found = described(problem, report, Told::State);
    for_values(Topic::new("equilibria", statement, answer.clone()), report)
        .with("found", "found", Value::List(found))
        .data("exhaustive", Value::Answer(answer))
        .data(
            "exhaustive_equilibria",
            Value::Answer(report.exhaustive.clone()),
        )
        .data("symmetries", Value::Words(report.symmetries.clone()))
}

/// The verdicts about each of them with their evidence.
pub fn stability(case: &Case, effort: Effort) -> Topic {
    let (problem, report) = (&case.problem, case.equilibria(effort));
    let claims: Vec<&Answer> = report.found.iter().map(|s| &s.stability.stable).collect();
    let answer = match claims.is_empty() {
        true => Answer::undecided(Gap::NothingFound),
        false => Answer::all(&claims),
    };
    let found = described(problem, report, Told::Verdict);
    let topic = Topic::new(
        "stability",
        "all of its equilibria and steady motions are stable",
        answer,
    );
    for_values(topic, report).with("found", "found", Value::List(found))
}

/// Says so where the values given are special ones.
fn for_values(topic: Topic, report: &EquilibriumReport) -> Topic {
    if report.special.is_empty() {
        return topic;
    }
    let all: Vec<String> = report.special.iter().map(|e| format!("{e} = 0")).collect();
    let words = format!(
        "for the values given, which are special: {}",
        all.join(", ")
    );
    topic.line(words).data("special", Value::Words(all))
}

fn everything(report: &EquilibriumReport) -> Answer {
    match &report.steady_exhaustive {
        None => report.exhaustive.clone(),
        Some(steady) => Answer::all(&[&report.exhaustive, steady]),
    }
}

/// What a reader is told of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    State,
    Verdict,
}

/// All of them, numbered, so that verdicts with their evidence can go by the number.
fn described(problem: &Problem, report: &EquilibriumReport, told: Told) -> Vec<Vec<Item>> {
    let all = (1..).zip(&report.found);
    all.map(|(k, s)| one(problem, k, s, told)).collect()
}

fn one(problem: &Problem, k: usize, state: &SteadyState, told: Told) -> Vec<Item> {
    let system = &problem.system;
    let kind = if state.is_equilibrium() {
        "equilibrium"
    } else {
        "steady"
    };
    let mut items = vec![Item::data("kind", Value::Word(kind.into()))];
    let heading = format!("({k}) {}", heading(system, state));
    match told {
        Told::State => items.push(Item::new("", heading, Value::Word(word(state)))),
        Told::Verdict => items.extend([
            Item::line(heading),
            Item::new(
                "stable",
                format!("({k}) is stable{}", judged_at(state)),
                Value::Answer(state.stability.stable.clone()),
            ),
        ]),
    }
    let text = |e: &Expr| json!({ "text": e.to_string() });
    let all = state.positions.iter().chain(&state.placed);
    let all = all.chain(&state.velocities);
    let known: Map<String, Json> = all.map(|(s, e)| (s.to_string(), text(e))).collect();
    let values = state.values.as_ref().map(|all| -> Map<String, Json> {
        let value = |(s, e): &(Symbol, Expr)| (s.to_string(), json!(number(e)));
        all.iter().map(value).collect()
    });
    let conditions: Vec<String> = state.conditions.iter().map(ToString::to_string).collect();
    items.push(Item::data("state", Value::Data(known.into())));
    items.push(Item::data("values", Value::Data(json!(values))));
    items.push(Item::data("conditions", Value::Data(json!(conditions))));
    let nonzero: Vec<String> = state.nonzero.iter().map(|e| format!("{e} != 0")).collect();
    items.push(Item::data("nonzero", Value::Data(json!(nonzero))));
    items.push(Item::data(
        "free",
        Value::Data(json!(free_columns(system, state))),
    ));
    items.push(Item::data("eigenvalues", Value::Data(eigenvalues(state))));
    if told == Told::State {
        let stable = Value::Answer(state.stability.stable.clone());
        items.push(Item::data("stable", stable));
    }
    if !state.is_equilibrium() {
        let names: Vec<&str> = state.carried.iter().map(|(f, _)| f.name.as_str()).collect();
        let rate =
            |e: &Expr| json!({ "text": e.to_string(), "value": rate_value(problem, state, e) });
        let rates: Map<String, Json> = state
            .carried
            .iter()
            .map(|(f, r)| (f.name.clone(), rate(r)))
            .collect();
        let first = state.carried.first().map(|(_, r)| rate(r));
        items.push(Item::data("symmetry", Value::Word(names.join(", "))));
        items.push(Item::data("rate", Value::Data(json!(first))));
        items.push(Item::data("rates", Value::Data(rates.into())));
    }
    let crossing: Vec<String> = state
        .stability
        .conditions
        .iter()
        .map(ToString::to_string)
        .collect();
    if !crossing.is_empty() {
        let grows = match state.stability.attracts {
            true => "motions nearby come to it where",
            false => "the modes across it do not grow where",
        };
        if told == Told::Verdict {
            items.push(Item::line(format!("{grows} {}", crossing.join(" and "))));
        }
        items.push(Item::data("stable_where", Value::Data(json!(crossing))));
    }
    items.push(Item::data(
        "attracts",
        Value::Flag(Some(state.stability.attracts)),
    ));
    items
}

/// `theta = acos(g/(R*Omega^2)) where Omega^2 > g/R`.
fn heading(system: &System, state: &SteadyState) -> String {
    let moving = |(s, e): &&(Symbol, Expr)| !e.is_zero() && e.as_symbol() != Some(s);
    let velocities = state.velocities.iter().filter(moving);
    let velocities = velocities.map(|(s, e)| format!("{s} = {e}"));
    let mut parts = determined(system, state);
    parts.extend(velocities);
    let mut out = parts.join(", ");
    let free: Vec<String> = free(system, state);
    out += &match (out.is_empty(), free.is_empty()) {
        (_, true) => String::new(),
        (true, false) => format!("any {}", free.join(", ")),
        (false, false) => format!(" with any {}", free.join(", ")),
    };
    let conditions: Vec<String> = state.conditions.iter().map(ToString::to_string).collect();
    if !conditions.is_empty() {
        out += &format!(" where {}", conditions.join(" and "));
    }
    let kind = match state.is_equilibrium() {
        true => "at rest",
        false => "steadily",
    };
    match state.placed.is_empty() {
        true => format!("{kind}, {out}"),
        // Symmetries carry it on, and turn its velocities.
        false => format!("{kind}, modulo symmetries, {out}"),
    }
}

fn word(state: &SteadyState) -> String {
    let at = judged_at(state);
    match (&state.values, &state.stability.stable) {
        (None, _) => "not for the values given".into(),
        (_, Answer::Proven(_)) if state.stability.attracts => {
            format!("stable{at}, and motions nearby come to it")
        }
        (_, Answer::Proven(_)) => format!("stable{at}"),
        (_, Answer::Refuted(_)) => format!("unstable{at}"),
        (_, Answer::Undecided(_)) => "stability not decided".into(),
    }
}

/// ` at theta = 0.3, phi' = 2`: what the verdict about a family is for.
fn judged_at(state: &SteadyState) -> String {
    let value = |(s, e): &(Symbol, Expr)| Some(format!("{s} = {}", shown(number(e)?, 0.0)));
    let all: Vec<String> = state.judged_at.iter().filter_map(value).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" at {}", all.join(", ")),
    }
}

fn number(e: &Expr) -> Option<f64> {
    enclose(e).map(|value| value.middle())
}

fn rate_value(problem: &Problem, state: &SteadyState, e: &Expr) -> Option<f64> {
    let values = state.values.as_ref()?;
    number(&problem.values.at(&e.substitute(values)))
}

/// The eigenvalues at the values, in floating point.
fn eigenvalues(state: &SteadyState) -> Json {
    let Some(a) = &state.stability.matrix else {
        return Json::Null;
    };
    let entries: Option<Vec<f64>> = a.entries().iter().map(number).collect();
    let n = a.rows();
    let values = entries.and_then(|all| Eigen::of(&Dense::of_rows(n, n, &all)).ok());
    match values {
        None => Json::Null,
        Some(eigen) => eigen
            .values
            .iter()
            .map(|v| json!({ "re": v.re, "im": v.im }))
            .collect(),
    }
}
