//! What holds for every problem, over random ones: time reversal, scaling, envelopes, agreement of the two routes.

mod common;

use common::{cost, near, solved, tried};
use proptest::prelude::*;
use rattleback_control::indirect::{self, IndirectGuess, IndirectOptions, SecondOrder};
use rattleback_control::optimal::{Request, Solution};
use rattleback_mechanics::{Form, Problem};

/// Two coupled pendulums, pushed at one or both: weights, a coupling, ends.
#[derive(Clone, Debug)]
struct Case {
    masses: [f64; 2],
    gravity: f64,
    spring: f64,
    both: bool,
    from: [f64; 4],
    to: [f64; 4],
    time: f64,
}

fn cases() -> impl Strategy<Value = Case> {
    let small = || -0.8..0.8f64;
    let state = || [small(), small(), small(), small()];
    let numbers = (
        [0.5..2.0f64, 0.5..2.0],
        -1.0..1.0f64,
        0.3..1.5f64,
        any::<bool>(),
    );
    (numbers, state(), state(), 1.0..2.0f64).prop_map(
        |((masses, gravity, spring, both), from, to, time)| Case {
            masses,
            gravity,
            spring,
            both,
            from,
            to,
            time,
        },
    )
}

impl Case {
    /// The model with its lengths multiplied, which a linear one may be.
    fn text(&self, is_linear: bool) -> String {
        let [a, b] = self.masses;
        let (g, k) = (self.gravity, self.spring);
        let well = |x: &str| match is_linear {
            true => format!("-{x}^2/2"),
            false => format!("cos({x})"),
        };
        let push = if self.both {
            "control v on y\ncost v^2\n"
        } else {
            ""
        };
        let state =
            |[x, y, vx, vy]: [f64; 4]| format!("x = {x:?}, y = {y:?}, x' = {vx:?}, y' = {vy:?}");
        format!(
            "system random\ncoord x, y\nkinetic {a:?}/2*x'^2 + {b:?}/2*y'^2\npotential {g:?}*({} + {}) + {k:?}/2*(x - y)^2\n\
             control u on x\n{push}cost u^2/2\nstart {}\ngoal {}\ntime 0 .. {:?}\n",
            well("x"),
            well("y"),
            state(self.from),
            state(self.to),
            self.time
        )
    }

    /// From the end back to the start.
    fn reversed(&self) -> Self {
        let back = |[x, y, vx, vy]: [f64; 4]| [x, y, -vx, -vy];
        Self {
            from: back(self.to),
            to: back(self.from),
            ..self.clone()
        }
    }

    fn scaled(&self, by: f64) -> Self {
        Self {
            from: self.from.map(|x| by * x),
            to: self.to.map(|x| by * x),
            ..self.clone()
        }
    }
}

fn optimality(text: &str) -> Problem {
    let parsed = rattleback_language::parse(&rattleback_language::Source::new("a.mech", text));
    Problem::for_form(&parsed.model.unwrap(), Some(Form::Optimality)).unwrap()
}

fn guess(s: &Solution) -> IndirectGuess {
    let path = &s.trajectory;
    IndirectGuess {
        times: path.times.clone(),
        states: path.states.clone(),
        costates: Some(path.costates.clone()),
        controls: Some(path.controls.clone()),
        free: Vec::new(),
    }
}

/// A sleigh steered by a torque alone: X(t) falls as a power of time at the start, and what rounding leaves of it there is
/// no conjugate point.
#[test]
fn rounding_near_the_start_is_no_conjugate_point() {
    let text = "system sleigh\nparam m = 1, a = 0.3, I = 0.2\ncoord x, y\ncoord th : angle\n\
        kinetic m/2*((x' - a*th'*sin(th))^2 + (y' + a*th'*cos(th))^2) + I/2*th'^2\n\
        constraint x'*sin(th) - y'*cos(th) = 0\ncontrol tau on th\ncost tau^2\nstart x' = 1\n\
        goal x = 1.5, y = 0.5\ntime 0 .. 2\n";
    let direct = tried(text, &Request::default());
    let options = IndirectOptions {
        intervals: 16,
        ..IndirectOptions::default()
    };
    let found = indirect::solve(&optimality(text), &guess(&direct), &options).unwrap();
    near(found.cost, cost(&direct), 1e-5);
    let conjugate = matches!(found.second_order, SecondOrder::Conjugate(_));
    assert!(!conjugate, "{:?}", found.second_order);
}

proptest! {
    #![proptest_config(rattleback_testing::cases(6))]

    #[test]
    fn the_way_back_costs_the_same(case in cases()) {
        let (forth, back) = (solved(&case.text(false)), solved(&case.reversed().text(false)));
        near(cost(&forth), cost(&back), 1e-7);
    }

    #[test]
    fn costs_of_linear_problems_are_squares(case in cases()) {
        let (one, two) = (solved(&case.text(true)), solved(&case.scaled(2.0).text(true)));
        near(cost(&two), 4.0 * cost(&one), 1e-7);
    }

    #[test]
    fn both_routes_lead_to_the_same_path(case in cases()) {
        // With one push alone the costates may be so large that Newton's method on the conditions ends in rounding.
        prop_assume!(case.both);
        let text = case.text(false);
        let direct = solved(&text);
        let found = indirect::solve(&optimality(&text), &guess(&direct), &IndirectOptions::default()).unwrap();
        near(found.cost, cost(&direct), 1e-7);
        let (first, exact) = (&direct.trajectory.costates[0], &found.costates[0]);
        let size = exact.iter().fold(1.0, |m: f64, p| m.max(p.abs()));
        for (a, b) in first.iter().zip(exact) {
            prop_assert!((a - b).abs() <= 1e-4 * size, "{first:?} is not {exact:?}");
        }
    }

    /// dJ/dx_T = p(T), dJ/dT = −H(T).
    #[test]
    fn costs_change_with_the_end_as_costates_and_hamiltonian_say(case in cases()) {
        let here = solved(&case.text(false));
        let d = 1e-3;
        let value = |change: &dyn Fn(&mut Case, f64), by: f64| {
            let mut other = case.clone();
            change(&mut other, by);
            cost(&solved(&other.text(false)))
        };
        let slope = |change: &dyn Fn(&mut Case, f64)| (value(change, d) - value(change, -d)) / (2.0 * d);
        let last = here.trajectory.costates.last().unwrap();
        let size = last.iter().fold(1.0, |m: f64, p| m.max(p.abs()));
        for (i, p) in last.iter().enumerate() {
            let found = slope(&|c: &mut Case, by| c.to[i] += by);
            prop_assert!((found - p).abs() <= 1e-3 * size, "{i}: {found} is not {p}");
        }
        let by_time = slope(&|c: &mut Case, by| c.time += by);
        let h = here.trajectory.hamiltonian.last().unwrap();
        prop_assert!((by_time + h).abs() <= 1e-3 * (1.0 + h.abs()), "{by_time} is not -{h}");
    }
}
