//! `simulate --method chaplygin-symplectic`, and reduced variational methods on the base.

use crate::common::{rattleback, shipped, written};
use serde_json::Value;

const METHOD: &str = "chaplygin-symplectic";

#[track_caller]
fn run(model: &str, method: &str, more: &[&str]) -> Value {
    let arguments = ["simulate", model, "--json", "--method", method];
    let all = arguments.into_iter().chain(more.iter().copied());
    rattleback(all).exits(0).json()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

/// The largest difference between final states.
#[track_caller]
fn apart(a: &Value, b: &Value) -> f64 {
    let (a, b) = (
        a["final"].as_object().unwrap(),
        b["final"].as_object().unwrap(),
    );
    let differences = a.iter().map(|(name, x)| {
        let other = b.get(name).unwrap_or_else(|| panic!("no {name}"));
        (number(x) - number(other)).abs()
    });
    differences.fold(0.0, f64::max)
}

/// The particle has a closed form: rows stand at their times, the fibre is reconstructed, the order is 4.
#[test]
fn the_particle_has_its_closed_form() {
    let model = shipped("nonholonomic_particle");
    let (v, t) = (0.8, 5.0);
    let c = 0.6 * 1.25_f64.sqrt();
    let x: f64 = 0.5 + v * t;
    let y = 0.2 + c / v * (x.asinh() - 0.5_f64.asinh());
    let z = -0.1 - c / v * ((1.0 + x * x).sqrt() - 1.25_f64.sqrt());
    let errors = ["0.2", "0.1", "0.05"].map(|h| {
        let found = run(&model, METHOD, &["--step", h]);
        let miss = |name: &str, exact: f64| (number(&found["final"][name]) - exact).abs();
        assert!(number(&found["max_constraint_residual"]) < 1e-13, "{found}");
        miss("x", x).max(miss("y", y)).max(miss("z", z))
    });
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 3.6, "order {order} of {errors:?}");
    }
    assert!(errors[2] < 1e-6, "{errors:?}");
}

/// Every method follows the same motion, at the same rows.
#[test]
fn methods_agree_with_it() {
    let sleigh = "system sleigh\nparam m = 1.2, J = 0.7\ncoord x, y\ncoord theta : angle\n\
                  kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n\
                  constraint sin(theta)*x' - cos(theta)*y' = 0\nfibre y\n\
                  start theta = 0.2, theta' = 0.3, x' = 0.5, y' = 0.5*tan(0.2)\ntime 0 .. 3 step 0.05\n";
    let sleigh = written("sleigh_without_offset", sleigh);
    let cases = [
        (shipped("veselova"), "6", "0.02", 1e-5),
        (shipped("knife_edge"), "1", "0.005", 1e-4),
        (shipped("mobile_robot"), "2", "0.02", 1e-6),
        (sleigh, "3", "0.02", 1e-6),
    ];
    for (model, until, step, within) in cases {
        let options = ["--until", until, "--step", step];
        let found = run(&model, METHOD, &options);
        assert_eq!(found["method"], METHOD);
        let form = found["form"].as_str().unwrap().to_owned();
        let exact = run(&model, "dop853", &["--until", until, "--form", &form]);
        let error = apart(&found, &exact);
        assert!(error < within, "{model}: {error}");
        assert!(number(&found["max_constraint_residual"]) < 1e-10, "{model}");
    }
}

/// A particle with ż = y ẋ in a bowl: its multiplier has no zeros, so that motions go on for ever.
const BOWL: &str = "system bowl\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x^2 + 2*y^2)/2\n\
                    constraint z' = y*x'\nfibre z\n\
                    start x = 0.7, y = 0.4, x' = 0.2, z' = 0.08, y' = -0.5\ntime 0 .. 10 step 0.1\n";

/// The error of the energy stays where it is; that of a method that is not symplectic grows with time.
#[test]
fn the_energy_does_not_drift() {
    let model = written("bowl", BOWL);
    let error = |method: &str, until: &str| {
        let options = ["--until", until, "--step", "0.25"];
        number(&run(&model, method, &options)["max_energy_error"])
    };
    let (short, long) = (error(METHOD, "100"), error(METHOD, "1500"));
    assert!(long < 1.2 * short, "{short} became {long}");
    let (short, long) = (error("rk4", "100"), error("rk4", "1500"));
    assert!(long > 5.0 * short, "{short} became {long}");
}

/// Where there is no Hamiltonization the reason is told.
#[test]
fn refusals_say_why() {
    let refused = |model: &str, more: &[&str], texts: &[&str]| {
        let arguments = ["simulate", model, "--method", METHOD];
        let all = arguments.into_iter().chain(more.iter().copied());
        rattleback(all).exits(2).says(texts);
    };
    refused(
        &shipped("chaplygin_sleigh"),
        &[],
        &["there is no Hamiltonization", "not closed"],
    );
    refused(&shipped("central_force"), &[], &["no constraints"]);
    refused(
        &shipped("veselova"),
        &["--form", "hamel"],
        &["leave --form out"],
    );
    let forced = "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = -x*y'\nfibre z\n\
                  force (x: -x')\nstart x' = 1\ntime 0 .. 1\n";
    refused(
        &written("forced_particle", forced),
        &[],
        &["no Hamiltonization was found", "force"],
    );
}

/// A zero of the multiplier ends its time: told with the place.
#[test]
fn zeros_of_the_multiplier_end_it() {
    let arguments = ["simulate", &shipped("knife_edge"), "--method", METHOD];
    rattleback(arguments).exits(1).says(&[
        "t = 1.2",
        "multiplier f = cos(phi) vanishes",
        "--until",
    ]);
}

/// Discrete Lagrange-d'Alembert on the base with the gyroscopic force: the rules keep their orders there, and the fibre is
/// reconstructed to order 4.
#[test]
fn reduced_rules_have_their_orders() {
    let model = written("bowl_on_its_base", BOWL);
    let exact = run(&model, "dop853", &["--form", "chaplygin", "--until", "4"]);
    let orders = [
        ("left", 1.0),
        ("midpoint", 2.0),
        ("trapezoid", 2.0),
        ("gauss4", 4.0),
        ("lobatto4", 4.0),
        ("gauss6", 6.0),
    ];
    for (rule, order) in orders {
        let method = format!("variational-{rule}");
        let errors = |step: &str| {
            let options = ["--form", "chaplygin", "--until", "4", "--step", step];
            let found = run(&model, &method, &options);
            let miss =
                |name: &str| (number(&found["final"][name]) - number(&exact["final"][name])).abs();
            let base = ["x", "y", "P_x", "P_y"].map(miss);
            (base.into_iter().fold(0.0, f64::max), miss("z"))
        };
        let (coarse, fine) = (errors("0.4"), errors("0.2"));
        let found = (coarse.0 / fine.0).log2();
        assert!(
            (found - order).abs() < 0.6,
            "{rule}: {found} ({coarse:?}, {fine:?})"
        );
        let fibre = (coarse.1 / fine.1).log2();
        assert!(
            fibre > f64::min(order, 4.0) - 0.6,
            "{rule}: {fibre} ({coarse:?}, {fine:?})"
        );
    }
}

/// Discrete Lagrange-d'Alembert in a frame, without multipliers, visits the nodes of the one with multipliers.
#[test]
fn frames_and_multipliers_visit_the_same_nodes() {
    let drift = "system plate\nparam W = 0.4\ncoord x, y\ngroup R : SO(3) velocity w\n\
                 let O = R*w\nkinetic (x'^2 + y'^2)/2 + 0.2*norm2(w)\n\
                 constraint x' = O[2] - W*y\nconstraint y' = -O[1] + W*x\n\
                 start x = 0.3, w = [0.2, 0.7, 0.5], x' = 0.7, y' = -0.08\ntime 0 .. 1 step 0.01\n";
    let models = [
        shipped("chaplygin_sleigh"),
        shipped("snakeboard"),
        shipped("chaplygin_ball"),
        written("plate_in_frames", drift),
    ];
    for model in models {
        for placement in ["midpoint", "node"] {
            for rule in ["variational-midpoint", "variational-trapezoid"] {
                let options = ["--until", "1", "--step", "0.02", "--placement", placement];
                let plain = run(&model, rule, &options);
                let framed = run(&model, rule, &[&options[..], &["--form", "hamel"]].concat());
                let (plain, framed) = (&plain["final"], &framed["final"]);
                let mut shared = 0;
                for (name, value) in framed.as_object().unwrap() {
                    if let Some(other) = plain.get(name) {
                        let error = (number(value) - number(other)).abs();
                        assert!(
                            error < 1e-9,
                            "{model}, {placement}, {rule}: {name} by {error}"
                        );
                        shared += 1;
                    }
                }
                assert!(shared >= 3, "{model}");
            }
        }
    }
}

/// Steps are equal in Chaplygin time all along the motion, so that the energy does not drift, whatever rounding makes of the
/// times of rows.
#[test]
fn the_energy_of_coupled_motions_does_not_drift() {
    let model = written(
        "coupled_in_chaplygin_time",
        "system coupled\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2/2 + y^2/2 + x*y/5\n\
         constraint z' = y*x'\nfibre z\nstart x = 0.3, y = 0.5, x' = 0.8, y' = -0.4\ntime 0 .. 1\n",
    );
    let change = |until: &str| {
        let found = run(&model, METHOD, &["--step", "0.2", "--until", until]);
        number(&found["energy_change"])
    };
    let (early, late) = (change("50"), change("1000"));
    assert!(late < 1.1 * early && early < 5e-6, "{early}, then {late}");
}
