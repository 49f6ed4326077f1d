//! The oracle tables of the theory documents as data: models, commands and the values that these must give.
//!
//! A case of `tables/*.txt` begins with `== ID`, then comes the model, and for each command `$ COMMAND OPTIONS` the lines
//! `= WHERE | VALUES | ERROR`, with errors relative to values above 1. WHERE is a key of the JSON object (`costates.start`,
//! `momenta.0.mean`), perhaps a time among those of a path (`trajectory @ 0.5`), perhaps names in it (`: x, y`).

use crate::common::{rattleback, written};
use serde_json::Value;

/// What a command must give.
struct Expected<'a> {
    place: &'a str,
    values: Vec<f64>,
    error: f64,
}

impl<'a> Expected<'a> {
    fn read(line: &'a str) -> Self {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [place, values, error] = parts[..] else {
            panic!("`{line}` is not WHERE | VALUES | ERROR");
        };
        let number = |text: &str| -> f64 {
            let text = text.trim();
            text.parse()
                .unwrap_or_else(|_| panic!("`{text}` is no number in `{line}`"))
        };
        Self {
            place,
            values: values.split(',').map(number).collect(),
            error: number(error),
        }
    }

    fn check(&self, case: &str, result: &Value) {
        let found = lookup(result, self.place);
        let is_right = |(x, y): (&Option<f64>, &f64)| {
            x.is_some_and(|x| (x - y).abs() <= self.error * y.abs().max(1.0))
        };
        let all_right = found.iter().zip(&self.values).all(is_right);
        assert!(
            found.len() == self.values.len() && all_right,
            "{case}: {} is {found:?}, not {:?}",
            self.place,
            self.values
        );
    }
}

/// The numbers at a place of a result; none for what is no number.
fn lookup(result: &Value, place: &str) -> Vec<Option<f64>> {
    let (path, names) = place
        .split_once(": ")
        .map_or((place, None), |(p, n)| (p, Some(n)));
    let (key, time) = path
        .split_once(" @ ")
        .map_or((path, None), |(k, t)| (k, Some(t)));
    let pointer = format!("/{}", key.replace('.', "/"));
    let object = result.pointer(&pointer).unwrap_or(&Value::Null);
    let node = time.map(|t| node_at(object, t.trim().parse().unwrap()));
    let at = |value: &Value| node.map_or(value.as_f64(), |k| value[k].as_f64());
    match (names, object) {
        (Some(names), _) => names.split(", ").map(|n| at(&object[n])).collect(),
        (None, Value::Array(all)) => all.iter().map(Value::as_f64).collect(),
        (None, one) => vec![one.as_f64()],
    }
}

/// Which node of a path is at a time.
fn node_at(path: &Value, time: f64) -> usize {
    let times = path["t"].as_array().expect("a path has times");
    let is_it = |t: &Value| t.as_f64().is_some_and(|t| (t - time).abs() < 1e-9);
    let place = times.iter().position(is_it);
    place.unwrap_or_else(|| panic!("no node at {time}"))
}

fn check_table(name: &str, text: &str) {
    let cases = format!("\n{text}");
    for (number, case) in cases.split("\n== ").skip(1).enumerate() {
        let (id, rest) = case.split_once('\n').expect("a case has a model");
        let begin = rest.find("\n$ ").expect("a case has a command");
        let (model, commands) = rest.split_at(begin + 1);
        let model = written(&format!("{name}_{number}"), model);
        for command in format!("\n{commands}").split("\n$ ").skip(1) {
            check_command(&format!("{name}, {id}"), &model, command);
        }
    }
}

/// Runs one command, whose options have no blanks of their own, and compares.
fn check_command(case: &str, model: &str, text: &str) {
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default();
    let mut words = line.split_whitespace();
    let command = words.next().expect("a command");
    let arguments = [command, model, "--json"].into_iter().chain(words);
    let result = rattleback(arguments).exits(0).json();
    let expected: Vec<&str> = lines.filter_map(|l| l.strip_prefix("= ")).collect();
    assert!(!expected.is_empty(), "{case}: `{line}` compares nothing");
    for values in expected {
        Expected::read(values).check(&format!("{case}: {line}"), &result);
    }
}

/// P-COIN, P-NHOC: nonholonomic systems between ends.
#[test]
fn rolling_and_sliding() {
    check_table("coin", include_str!("tables/coin.txt"));
}

/// P-BALL: affine constraints that may depend on time, and the three-point scheme.
#[test]
fn a_ball_on_a_plate() {
    check_table("ball", include_str!("tables/ball.txt"));
}

/// P-RB, P-GRP, P-TOP, CG-D6, SR1: groups, with momenta fixed in space.
#[test]
fn on_groups() {
    check_table("groups", include_str!("tables/groups.txt"));
}

/// P-TWO, P-SPL, P-CART and the cart-poles, pendula and carts of AC.
#[test]
fn in_coordinates() {
    check_table("coordinates", include_str!("tables/coordinates.txt"));
}

/// RB, VH: bodies and vehicles with fewer controls than velocities.
#[test]
fn bodies_and_vehicles() {
    check_table("bodies", include_str!("tables/bodies.txt"));
}

/// Data sets of HJ, VE and DP: motions in rescaled time, and discrete-time control.
#[test]
fn motions_and_actions() {
    check_table("motions", include_str!("tables/motions.txt"));
}

/// P-EX, P-D2: Jacobi's action over steps of Lagrangians with accelerations, and of a given discrete one.
#[test]
fn actions_of_steps() {
    check_table("steps", include_str!("tables/steps.txt"));
}

#[test]
#[should_panic(expected = "cost is [Some(")]
fn a_wrong_value_is_found() {
    let text = "== X\nsystem p\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\ngoal x = 1, x' = 0\ntime 0 .. 1\n\
                $ control\n= cost | 6.1 | 1e-3\n";
    check_table("wrong", text);
}
