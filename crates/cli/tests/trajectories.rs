//! End states of motions against the tables of the theory, to the digits that they give.

use crate::common::following::{Case, End, accurate};
use rattleback::integrate::methods;
use rattleback::language::Source;
use rattleback::mechanics::Form;
use rattleback::mechanics::engine::ostrogradsky_momenta;
use rattleback::simulation::Method;
use rattleback::symbolic::Expr;
use serde_json::Value;
use std::path::Path;

/// A method, and how many digits of the tables it is asked for.
struct Check {
    method: Method,
    /// The least relative tolerance.
    floor: f64,
}

const CHECKS: [Check; 4] = [
    Check {
        method: Method::TAYLOR,
        floor: 2e-12,
    },
    Check {
        method: Method::DOP853,
        floor: 2e-12,
    },
    Check {
        method: Method::Field(methods::GAUSS_8),
        floor: 2e-12,
    },
    Check {
        method: Method::RADAU5,
        floor: 1e-8,
    },
];

/// The files of reference values.
fn files() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mechanics/tests/oracles");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|p| serde_json::from_str(&std::fs::read_to_string(p).unwrap()).unwrap())
        .collect()
}

/// One row of a table: quantities at a time.
struct Row<'a> {
    id: String,
    names: Vec<&'a str>,
    values: Vec<f64>,
    until: f64,
    vakonomic: bool,
    settings: Vec<String>,
    /// How many significant digits the row gives.
    digits: usize,
}

impl<'a> Row<'a> {
    fn read(file: &str, row: &'a Value) -> Self {
        let list = |key: &str| row[key].as_array().into_iter().flatten();
        let set = row["set"].as_object().into_iter().flatten();
        let set = set.map(|(name, v)| format!("{name}={}", v.as_str().unwrap()));
        let mu = list("mu0")
            .enumerate()
            .map(|(s, v)| format!("mu{}={v}", s + 1));
        let digits = |v: &Value| {
            let text = v.to_string();
            let digits = text.bytes().filter(u8::is_ascii_digit);
            digits.skip_while(|d| *d == b'0').count()
        };
        Self {
            id: format!("{file} {}", row["id"].as_str().unwrap()),
            names: list("names").map(|n| n.as_str().unwrap()).collect(),
            values: list("value").map(|v| v.as_f64().unwrap()).collect(),
            until: row["t"].as_f64().unwrap(),
            vakonomic: row["form"] == "vakonomic",
            settings: set.chain(mu).collect(),
            digits: list("value").map(digits).max().unwrap(),
        }
    }

    /// One unit of the last digit that is given.
    fn unit(&self, value: f64) -> f64 {
        let leading = value.abs().log10().floor();
        10f64.powf(leading + 1.0 - self.digits as f64)
    }

    /// Forms in which all the quantities of the tables can be read off, between them.
    fn forms(&self, case: &Case) -> Vec<Form> {
        if self.vakonomic {
            vec![Form::Vakonomic]
        } else if case.system.constraints().is_empty() {
            vec![Form::default_for(&case.system)]
        } else {
            vec![Form::Hamel, Form::LagrangeDAlembert]
        }
    }

    /// Compares in all forms with all methods; gives how many numbers were compared, and what differs.
    fn check(&self, source: &Source) -> (usize, Vec<String>) {
        let case = Case::of(source, &self.settings);
        let (mut compared, mut wrong) = (0, Vec::new());
        let mut seen = vec![false; self.names.len()];
        for form in self.forms(&case) {
            let equations = case.equations(form);
            for check in &CHECKS {
                let options = accurate(check.method, self.until);
                let end = match case.attempt(&equations, &options, &[]) {
                    Ok(end) => end,
                    Err(e) => {
                        wrong.push(format!("{} {form} {}: {e}", self.id, check.method));
                        continue;
                    }
                };
                for (k, (name, want)) in self.names.iter().zip(&self.values).enumerate() {
                    let Some(found) = quantity(&case, &end, name) else {
                        continue;
                    };
                    seen[k] = true;
                    compared += 1;
                    // Pages vouch for all digits but the last one.
                    let allowed = (10.0 * self.unit(*want)).max(check.floor * (1.0 + want.abs()));
                    let error = (found - want).abs();
                    if error.is_nan() || error > allowed {
                        wrong.push(format!(
                            "{} {form} {}: {name} is {found}, not {want}: {error:.1e}",
                            self.id, check.method
                        ));
                    }
                }
            }
        }
        let missing = self.names.iter().zip(&seen).filter(|(_, seen)| !**seen);
        wrong.extend(missing.map(|(name, _)| format!("{}: nothing has {name}", self.id)));
        (compared, wrong)
    }
}

/// A quantity as the tables name it: a column, a momentum, a frame velocity.
fn quantity(case: &Case, end: &End, name: &str) -> Option<f64> {
    if let Some(value) = end.get(name) {
        return Some(value);
    }
    let system = &case.system;
    if let Some(velocity) = name.strip_prefix("p_") {
        let fibre = system.frame().fibre();
        let a = fibre.iter().position(|y| y.name() == velocity)?;
        return end.value(&system.momenta()[a]);
    }
    // a1_2: the second component of the first Ostrogradsky momentum.
    if let Some((level, component)) = name.strip_prefix('a').and_then(|n| n.split_once('_')) {
        let levels = ostrogradsky_momenta(system.frame(), system.lagrangian(), system.order());
        let level: &Vec<Expr> = levels.get(level.parse::<usize>().ok()?)?;
        return end.value(level.get(component.parse::<usize>().ok()? - 1)?);
    }
    // c1, y1: the velocities in the frame of the constraints.
    let number: usize = name.trim_start_matches(['c', 'y']).parse().ok()?;
    let sections = system.sections().ok()?;
    end.get(&sections.velocities.get(number.checked_sub(1)?)?.to_string())
}

#[track_caller]
fn check_page(prefix: &str) {
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in files() {
        let id = file["id"].as_str().unwrap();
        let rows = file["trajectory"].as_array();
        for row in rows
            .into_iter()
            .flatten()
            .filter(|_| id.starts_with(prefix))
        {
            let source = Source::new(id, file["model"].as_str().unwrap());
            let (some, differ) = Row::read(id, row).check(&source);
            compared += some;
            wrong.extend(differ);
        }
    }
    assert!(compared > 0, "nothing was compared for {prefix}");
    assert!(
        wrong.is_empty(),
        "{} of {compared} comparisons failed:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn nonholonomic_geometry_motions() {
    check_page("NG");
}

#[test]
fn hamilton_jacobi_motions() {
    check_page("HJ");
}

#[test]
fn projection_motions() {
    check_page("DP");
}

#[test]
fn vakonomic_motions() {
    check_page("VE");
}

#[test]
fn quasi_velocity_motions() {
    check_page("CG");
}

#[test]
fn algebroid_motions() {
    check_page("AC");
}
