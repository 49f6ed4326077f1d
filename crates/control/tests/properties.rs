//! What holds for every problem: envelopes, scaling, momenta of symmetries, earlier results as guesses.

mod common;

use common::{cost, near, posed, solved};
use rattleback_control::optimal::{Request, Status, momenta, solve};

fn cart(x: f64, t: f64) -> String {
    format!(
        "system cart\nparam M = 1, m = 0.3, l = 0.5, g = 9.81\ncoord x\ncoord th : angle\n\
         kinetic M/2*x'^2 + m/2*(x'^2 + 2*x'*l*th'*cos(th) + l^2*th'^2)\npotential m*g*l*cos(th)\nsymmetry slide = (x: 1)\n\
         control u on x\ncost u^2/2\nstart th = 0.2\ngoal x = {x:?}, th = 0, x' = 0, th' = 0\ntime 0 .. {t:?}\n"
    )
}

#[test]
fn the_cost_changes_with_the_end_as_costate_and_hamiltonian_say() {
    let here = solved(&cart(0.5, 1.5));
    let d = 1e-3;
    let by_time =
        (cost(&solved(&cart(0.5, 1.5 + d))) - cost(&solved(&cart(0.5, 1.5 - d)))) / (2.0 * d);
    near(by_time, -here.trajectory.hamiltonian[0], 1e-4);
    let by_place =
        (cost(&solved(&cart(0.5 + d, 1.5))) - cost(&solved(&cart(0.5 - d, 1.5)))) / (2.0 * d);
    let last = here.trajectory.costates.last().unwrap();
    near(by_place, last[0], 1e-4);
}

#[test]
fn momenta_of_symmetries_are_constant_to_rounding() {
    let text = cart(0.5, 1.5);
    let p = posed(&text).unwrap();
    let found = solve(p, &Request::default(), &()).unwrap();
    let all = momenta(&found.transcriber.posed, &found.solution.trajectory);
    let (name, values) = &all[0];
    assert_eq!(name, "slide");
    assert!(
        values.iter().all(|v| (v - values[0]).abs() < 1e-8),
        "{values:?}"
    );
    // A cost on the place breaks the symmetry.
    let p = posed(&text.replace("cost u^2/2", "cost u^2/2 + x^2")).unwrap();
    let found = solve(p, &Request::default(), &()).unwrap();
    assert!(momenta(&found.transcriber.posed, &found.solution.trajectory).is_empty());
}

#[test]
fn a_turning_symmetry_of_the_coin_is_kept() {
    let text = "system coin\ncoord x, y\ncoord th : angle\nkinetic (x'^2 + y'^2 + th'^2)/2\nconstraint sin(th)*x' = cos(th)*y'\n\
        symmetry turn = (x: -y, y: x, th: 1)\nsymmetry east = (x: 1)\ncontrol u1 on th\ncontrol u2 on (x: cos(th), y: sin(th))\ncost (u1^2 + u2^2)/2\n\
        goal x = 1, y = 0.5, th = 0.3, x' = 0, y' = 0, th' = 0\ntime 0 .. 1\n";
    let found = solve(
        posed(text).unwrap(),
        &Request {
            tolerance: 1e-9,
            ..Request::default()
        },
        &(),
    )
    .unwrap();
    let all = momenta(&found.transcriber.posed, &found.solution.trajectory);
    assert_eq!(all.len(), 2);
    for (name, values) in &all {
        let change = values
            .iter()
            .fold(0.0, |m: f64, v| m.max((v - values[0]).abs()));
        assert!(change < 1e-4 * (1.0 + values[0].abs()), "{name} {change}");
    }
}

#[test]
fn rest_to_rest_costs_scale_with_time() {
    let coin = |t: f64| {
        format!(
            "system coin\ncoord x, y\ncoord th : angle\nkinetic (x'^2 + y'^2 + th'^2)/2\nconstraint sin(th)*x' = cos(th)*y'\n\
        control u1 on th\ncontrol u2 on (x: cos(th), y: sin(th))\ncost (u1^2 + u2^2)/2\n\
        goal x = 1, y = 0.5, th = 0.3, x' = 0, y' = 0, th' = 0\ntime 0 .. {t:?}\n"
        )
    };
    let (one, two) = (solved(&coin(1.0)), solved(&coin(2.0)));
    near(cost(&one) / cost(&two), 8.0, 1e-6);
    near(two.trajectory.hamiltonian[0], 3.0 * cost(&two) / 2.0, 1e-5);
}

#[test]
fn an_earlier_result_is_a_guess_on_another_mesh() {
    let text = cart(0.5, 1.5);
    let first = solve(
        posed(&text).unwrap(),
        &Request {
            nodes: Some(30),
            ..Request::default()
        },
        &(),
    )
    .unwrap();
    let mut guess = posed(&text).unwrap().guess(0);
    guess.times = first.solution.trajectory.times.clone();
    guess.states = first.solution.trajectory.states.clone();
    guess.controls = first.solution.trajectory.controls.clone();
    let request = Request {
        nodes: Some(47),
        guess: Some(guess),
        ..Request::default()
    };
    let second = solve(posed(&text).unwrap(), &request, &())
        .unwrap()
        .solution;
    assert_eq!((second.status, second.nodes), (Status::Solved, 47));
    near(cost(&second), 2.087576694340, 1e-5);
}

/// The same problem in units of mass, length and time that are a million times larger or smaller: the same status and cost.
#[test]
fn units_do_not_matter() {
    let problems = |m: f64, l: f64, t: f64| {
        let u = m * l / (t * t);
        let point = format!("system a\ncoord x\nkinetic {m:?}/2*x'^2\ncontrol u on x\n");
        let (effort, g) = (u * u * t, 9.81 * l / (t * t));
        [
            (
                format!("{point}cost u^2\ngoal x = {l:?}, x' = 0\ntime 0 .. {t:?}\n"),
                effort,
            ),
            (
                format!(
                    "{point}bound {:?} <= u <= {u:?}\nfree T = {:?}\ncost 1\ngoal x = {l:?}, x' = 0\ntime 0 .. T\n",
                    -u,
                    1.5 * t
                ),
                t,
            ),
            (
                format!(
                    "{point}cost u^2/2\nbound x <= {:?}\nstart x' = {:?}\ngoal x = 0, x' = {:?}\ntime 0 .. {t:?}\n",
                    l / 9.0,
                    l / t,
                    -l / t
                ),
                effort,
            ),
            (
                format!(
                    "system a\ncoord th : angle\nkinetic {0:?}/2*th'^2\npotential -{1:?}*cos(th)\ncontrol u on th\ncost u^2\n\
                     goal th = pi, th' = 0\ntime 0 .. {2:?}\n",
                    m * l * l,
                    m * g * l,
                    3.0 * t
                ),
                (u * l).powi(2) * t,
            ),
            (
                format!(
                    "system a\ncoord x, y\nkinetic {m:?}/2*(x'^2 + y'^2)\ncontrol u on x\ncontrol v on y\ncost u^2 + v^2\n\
                     bound (x - {0:?})^2 + (y - {1:?})^2 >= {2:?}\ngoal x = {l:?}, y = 0, x' = 0, y' = 0\ntime 0 .. {t:?}\n",
                    l / 2.0,
                    0.05 * l,
                    0.04 * l * l
                ),
                effort,
            ),
        ]
    };
    let costs = |m: f64, l: f64, t: f64| {
        problems(m, l, t).map(|(text, unit)| {
            let s = solve(posed(&text).unwrap(), &Request::default(), &()).unwrap();
            assert_eq!(s.solution.status, Status::Solved, "{text}");
            cost(&s.solution) / unit
        })
    };
    let ordinary = costs(1.0, 1.0, 1.0);
    for s in [1e-6, 1e6] {
        for [m, l, t] in [[s, 1.0, 1.0], [1.0, s, 1.0], [1.0, 1.0, s]] {
            let found = costs(m, l, t);
            found
                .iter()
                .zip(&ordinary)
                .for_each(|(a, b)| near(*a, *b, 1e-7));
        }
    }
}
