//! The runner: routes to a quantity, compared with the reference value.

use crate::case::Case;
use crate::data::{Oracle, Row, oracles};
use crate::{algebra, brackets, dynamics, higher_order, phase_space, reduction, refusals};

/// Values of a quantity along one route.
pub struct Route {
    pub name: &'static str,
    pub values: Vec<f64>,
}

/// Shorthand for routes.
pub fn route(name: &'static str, values: Vec<f64>) -> Route {
    Route { name, values }
}

/// A row to be worked out.
pub struct Question<'a> {
    pub oracle: &'a Oracle,
    pub row: &'a Row,
    pub case: &'a Case,
    pub source: &'a str,
}

/// The routes to a quantity, or none if no module knows it.
fn answer(question: &Question) -> Option<Vec<Route>> {
    dynamics::answer(question)
        .or_else(|| phase_space::answer(question))
        .or_else(|| brackets::answer(question))
        .or_else(|| reduction::answer(question))
        .or_else(|| higher_order::answer(question))
}

/// Every value and trap of the files of a page.
pub fn check_page(prefix: &str) {
    let mut report = Report::default();
    for oracle in oracles(prefix) {
        match &oracle.model {
            None => algebra::check(&oracle, &mut report),
            Some(_) if oracle.all["refuse"] == true => refusals::check(&oracle, &mut report),
            Some(text) => check_model(&oracle, text, &mut report),
        }
    }
    report.finish(prefix);
}

fn check_model(oracle: &Oracle, text: &str, report: &mut Report) {
    let plain = Case::new(text, &[]).with_motion();
    for (row, is_trap) in oracle
        .values
        .iter()
        .map(|r| (r, false))
        .chain(oracle.traps.iter().map(|r| (r, true)))
    {
        let changed = (!row.set().is_empty()).then(|| Case::new(text, &row.set()).with_motion());
        let case = changed.as_ref().unwrap_or(&plain);
        match answer(&Question {
            oracle,
            row,
            case,
            source: text,
        }) {
            Some(routes) => report.compare(oracle, row, &routes, is_trap),
            None => report.fail(oracle, row, "nobody knows this quantity".into()),
        }
    }
    if oracle.all["not_chaplygin"] == true {
        refusals::check_not_projectable(oracle, &plain, report);
    }
    for row in &oracle.singular {
        refusals::check_rank_drop(oracle, row, &plain, report);
    }
}

/// What went wrong, and how much was looked at.
#[derive(Default)]
pub struct Report {
    failures: Vec<String>,
    compared: usize,
}

impl Report {
    /// Compares every route; a trap must be missed by every route.
    pub fn compare(&mut self, oracle: &Oracle, row: &Row, routes: &[Route], is_trap: bool) {
        for route in routes {
            self.compared += 1;
            if route.values.len() != row.value.len() {
                self.fail(
                    oracle,
                    row,
                    format!(
                        "{}: {} values for {}",
                        route.name,
                        route.values.len(),
                        row.value.len()
                    ),
                );
                continue;
            }
            let close = |(got, want): (&f64, &f64)| {
                (got - want).abs() <= row.tolerance * (1.0 + want.abs())
            };
            let agrees = route.values.iter().zip(&row.value).all(close);
            if agrees == is_trap {
                let verb = if is_trap {
                    "must differ from"
                } else {
                    "expected"
                };
                let what = format!(
                    "{}: {verb} {:?}, got {:?}",
                    route.name, row.value, route.values
                );
                self.fail(oracle, row, what);
            }
        }
    }

    /// A failure with its place.
    pub fn fail(&mut self, oracle: &Oracle, row: &Row, what: String) {
        self.note(format!(
            "{} {} {} {:?}: {what}",
            oracle.id, row.id, row.quantity, row.names
        ));
    }

    /// Any failure.
    pub fn note(&mut self, what: String) {
        self.failures.push(what);
    }

    /// Something was compared.
    pub fn count(&mut self) {
        self.compared += 1;
    }

    fn finish(self, page: &str) {
        assert!(self.compared > 0, "nothing was compared for {page}");
        assert!(
            self.failures.is_empty(),
            "{} of {} comparisons failed:\n{}",
            self.failures.len(),
            self.compared,
            self.failures.join("\n")
        );
    }
}

/// The parts of a name like `x,y` or `z;x,y`.
pub fn parts(name: &str) -> Vec<&str> {
    name.split([',', ';']).map(str::trim).collect()
}

/// Indices of a name like `1,2`, from 0.
pub fn indices(name: &str) -> Vec<usize> {
    parts(name)
        .iter()
        .map(|p| p.parse::<usize>().expect("an index") - 1)
        .collect()
}
