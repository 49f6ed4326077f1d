//! Every method follows the members of an ensemble as it follows single motions.

use crate::common::{folder, rattleback, tables, written};
use serde_json::Value;

/// Parameters that follow from the one that is varied, friction, and a push that a table feeds.
const DRIVEN: &str = "system driven\nparam m = 2\nparam k = m/2\ncoord q\nkinetic m*q'^2/2\npotential -k*cos(q)\n\
                      control u on q\nforce (q: -q'/5)\nstart q = 1\ntime 0 .. 3 step 0.1\n";
const SKATE: &str = "system skate\nparam J = 1/2\ncoord x, y, th\nkinetic (x'^2 + y'^2)/2 + J*th'^2/2\n\
                     constraint sin(th)*x' - cos(th)*y' = 0\nstart x' = 1, th' = 1/2\ntime 0 .. 3 step 0.1\n";
const TOP: &str = "system top\nparam k = 1\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + w[2]^2 + w[3]^2/2)/2\n\
                   potential k*R[3,3]\nstart R = [[4/5, 0, -3/5], [0, 1, 0], [3/5, 0, 4/5]], w = [0.3, -0.1, 4]\n\
                   time 0 .. 2 step 0.05\n";
const BOWL: &str = "system bowl\nparam m = 1\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\npotential (x^2 + y^2)/2\n\
                    constraint z' = y*x'\nfibre z\nstart x = 0.5, y = 0.3, x' = 0.2, y' = -0.4\ntime 0 .. 3 step 0.05\n";
const PUSH: &str = "t,u\n0,0.3\n0.73,0\n1.9,0.3\n3,-0.1\n";

/// The members' ends beside those of single motions.
#[track_caller]
fn agrees(test: &str, text: &str, name: &str, values: &[&str], method: &str, more: &[&str]) {
    let model = written(test, text);
    let path = folder(&format!("{test}_out")).join("ends.csv");
    let path = path.to_str().unwrap();
    let vary = format!("{name}={}", values.join(","));
    let all = [
        "ensemble", &model, "--vary", &vary, "--method", method, "-o", path,
    ];
    rattleback(all.iter().chain(more)).exits(0);
    let table = tables::read(path);
    for (k, value) in values.iter().enumerate() {
        let set = format!("{name}={value}");
        let all = [
            "simulate", &model, "--set", &set, "--method", method, "--json",
        ];
        let page: Value = rattleback(all.iter().chain(more)).exits(0).json();
        let end = page["final"].as_object().unwrap();
        for (entry, x) in end.iter().filter(|(entry, _)| *entry != "t") {
            let (x, member) = (x.as_f64().unwrap(), table.column(entry)[k]);
            let off = (x - member).abs();
            assert!(
                off <= 1e-11 * (1.0 + x.abs()),
                "{method}, {set}, {entry}: {member}, not {x}"
            );
        }
    }
}

#[test]
fn members_with_parameters_and_a_table() {
    let push = written("pushed_members.csv", PUSH);
    let input = format!("u={push}:linear");
    for method in [
        "dop853",
        "dopri5",
        "rk4",
        "gauss4",
        "radau5",
        "yoshida4",
        "munthe-kaas8",
        "variational-midpoint",
        "variational-trapezoid",
        "variational-left",
        "variational-gauss4",
        "variational-lobatto6",
    ] {
        let (values, test) = (["1", "2", "3.7", "0.3", "5"], format!("members_{method}"));
        agrees(&test, DRIVEN, "m", &values, method, &["--input", &input]);
    }
}

#[test]
fn members_with_constraints_and_on_groups() {
    for method in [
        "rk4",
        "gauss4",
        "radau5",
        "variational-midpoint",
        "variational-right",
    ] {
        agrees(
            &format!("skates_{method}"),
            SKATE,
            "th'",
            &["0.1", "0.5", "1"],
            method,
            &[],
        );
    }
    for method in [
        "munthe-kaas4",
        "commutator-free4",
        "variational-midpoint",
        "variational-trapezoid",
    ] {
        agrees(
            &format!("tops_{method}"),
            TOP,
            "k",
            &["0.5", "1", "1.5"],
            method,
            &[],
        );
    }
}

/// A particle with z' = y x' in a bowl, with masses that differ: on the base, with and without a push, and in Chaplygin time.
#[test]
fn members_on_the_base_of_a_chaplygin_system() {
    let on_base = ["--form", "chaplygin"];
    for method in [
        "variational-midpoint",
        "variational-gauss4",
        "chaplygin-symplectic",
    ] {
        let more = match method {
            "chaplygin-symplectic" => &[][..],
            _ => &on_base[..],
        };
        for (name, values) in [("m", ["1", "2", "0.4"]), ("x'", ["0.2", "0.3", "-1"])] {
            let test = format!("base_{}_{method}", name.len());
            agrees(&test, BOWL, name, &values, method, more);
        }
    }
    let push = written("base_push.csv", PUSH);
    let input = format!("u={push}:linear");
    let pushed = BOWL.replace("fibre z", "fibre z\ncontrol u on x");
    let more = ["--input", &input, "--form", "chaplygin"];
    agrees(
        "pushed_on_base",
        &pushed,
        "m",
        &["1", "2"],
        "variational-midpoint",
        &more,
    );
    // The rule is of order 2: a step of half the length has a quarter of the error.
    let model = written("pushed_on_base", &pushed);
    let end = |options: &[&str]| -> f64 {
        let all = ["simulate", &model, "--input", &input, "--json"];
        let page: Value = rattleback(all.iter().chain(options)).exits(0).json();
        page["final"]["z"].as_f64().unwrap()
    };
    let exact = end(&["--method", "dop853"]);
    let error = |step: &str| {
        let method = ["--method", "variational-midpoint", "--form", "chaplygin"];
        (end(&[&method[..], &["--step", step]].concat()) - exact).abs()
    };
    let ratio = error("0.05") / error("0.025");
    assert!((3.0..5.0).contains(&ratio), "{ratio}");
}

/// A multiplier that is known only for the parameters of the model says nothing about members with others.
#[test]
fn chaplygin_time_at_the_values_is_not_for_others() {
    let text = BOWL.replace("z' = y*x'", "z' = (y + e*x*y)*x' + e*x^2*y'");
    let text = text.replace("param m = 1", "param e = 0\nparam m = 1");
    let model = written("chaplygin_at_values", &text);
    let all = ["--method", "chaplygin-symplectic"];
    rattleback(["simulate", &model].iter().chain(&all)).exits(0);
    let vary = ["ensemble", &model, "--vary", "x'=0.1,0.2"];
    rattleback(vary.iter().chain(&all)).exits(0);
    let vary = ["ensemble", &model, "--vary", "e=0,1"];
    rattleback(vary.iter().chain(&all)).exits(2);
}

/// A stiff ensemble: x goes to cos(t) as fast as its parameter says, which Runge-Kutta steps follow only shortly.
#[test]
fn stiff_members_take_few_steps() {
    let text = "system stiff\nstate x\nparam a = 1e6\nrate x' = -a*(x - cos(t))\nstart x = 1\ntime 0 .. 2 step 0.1\n";
    let model = written("stiff_members", text);
    let path = folder("stiff_members_out").join("ends.csv");
    let path = path.to_str().unwrap();
    let all = [
        "ensemble",
        &model,
        "--vary",
        "a=1e5,1e6,1e7",
        "--method",
        "radau5",
        "-o",
        path,
    ];
    rattleback(all).exits(0);
    let table = tables::read(path);
    for (x, steps) in table.column("x").iter().zip(table.column("steps")) {
        assert!(
            (x - 2f64.cos()).abs() < 2e-5 && steps < 1000.0,
            "{x}, {steps} steps"
        );
    }
}

/// Steps of a discrete principle end at the rows of a table, and converge to the motion.
#[test]
fn variational_steps_take_tables() {
    let model = written("variational_table", DRIVEN);
    let push = written("variational_table.csv", PUSH);
    let input = format!("u={push}:linear");
    let end = |method: &str, step: &str| -> f64 {
        let all = [
            "simulate", &model, "--method", method, "--step", step, "--input", &input, "--json",
        ];
        rattleback(all).exits(0).json()["final"]["q"]
            .as_f64()
            .unwrap()
    };
    let right = end("taylor", "0.1");
    let errors = ["0.1", "0.05"].map(|h| (end("variational-midpoint", h) - right).abs());
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 2.0).abs() < 0.3 && errors[0] < 1e-2, "{errors:?}");
    assert!((end("variational-gauss6", "0.1") - right).abs() < 1e-9);
}
