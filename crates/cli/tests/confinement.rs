//! Motions end where they leave the domain of the model or break an assumption, whatever rows and steps there are.

use crate::common::{Run, folder, rattleback, tables, written};
use std::f64::consts::PI;

/// x = 1 + a cos(t + 1/2) and a force on y that has no say in it.
fn swing(a: f64, assume: &str, force: &str) -> String {
    format!(
        "system s\ncoord x, y\n{assume}\nkinetic (x'^2 + y'^2)/2\npotential (x - 1)^2/2\nforce (y: {force})\n\
         start x = 1 + {a}*cos(0.5), x' = -{a}*sin(0.5)\ntime 0 .. 20 step 20\n"
    )
}

/// When that x is this for the first time.
fn passes(a: f64, x: f64) -> f64 {
    ((x - 1.0) / a).acos() - 0.5
}

#[track_caller]
fn ends_at(run: &Run, time: f64, accuracy: f64) {
    let rest = run.err.split("at t = ").nth(1);
    let told = rest.and_then(|rest| rest.split([':', ';', '\n', ',']).next());
    let told: f64 = told.and_then(|t| t.parse().ok()).unwrap_or(f64::NAN);
    assert!((told - time).abs() < accuracy, "{time}: {}", run.err);
    assert!(run.err.contains("state: "), "{}", run.err);
}

#[test]
fn an_assumption_that_breaks_between_rows_ends_the_motion() {
    let model = written("between_rows", swing(1.1, "assume x > 0", "sqrt(x^2)"));
    let time = passes(1.1, 0.0);
    for method in ["taylor", "dop853", "dopri5", "radau5"] {
        for step in ["20", "1", "0.1"] {
            let run = rattleback(["simulate", &model, "--method", method, "--step", step]).exits(1);
            ends_at(&run, time, 1e-6);
            assert!(run.err.contains("`x > 0`"), "{}", run.err);
        }
    }
    // Below zero for 0.86, between the ends of steps of equal length.
    for method in ["rk4", "gauss4", "verlet", "variational-midpoint"] {
        let steps = ["--method", method, "--step", "1.25"];
        let run = rattleback(["simulate", &model].iter().chain(&steps).copied()).exits(1);
        ends_at(&run, time, 0.5);
    }
}

#[test]
fn every_relation_is_watched() {
    for (assume, time) in [
        ("x' < 1", PI + (1.0 / 1.1f64).asin() - 0.5),
        ("x^2 < 4", 2.0 * PI - (1.0 / 1.1f64).acos() - 0.5),
        ("x != 0", passes(1.1, 0.0)),
        ("-x <= 0", passes(1.1, 0.0)),
    ] {
        let text = swing(1.1, &format!("assume {assume}"), "1");
        let run = rattleback(["simulate", &written("relation", text)]).exits(1);
        ends_at(&run, time, 1e-6);
    }
    for assume in ["x' < 1.11", "x^2 < 4.5", "x != -0.1001", "-x <= 0.1001"] {
        let text = swing(1.1, &format!("assume {assume}"), "1");
        rattleback(["simulate", &written("held", text)]).exits(0);
    }
    // What touches zero does not break it.
    let text = swing(1.0, "assume x >= 0", "1");
    rattleback(["simulate", &written("touched", text)]).exits(0);
}

#[test]
fn a_short_stay_outside_the_domain_is_seen() {
    for (force, a) in [
        ("sqrt(x)*sqrt(x)", 1.1),
        ("exp(log(x))", 1.1),
        ("log(x) - log(x) + x", 1.1),
        ("x^3*log(x)", 1.00001),
        ("x^9*sqrt(x)", 1.0001),
        ("x^6/log(x/4)", 1.0001),
        ("x^6*log(x)", 1.000001),
        ("exp(-1/x)*log(x)", 1.000001),
        ("x^4*asin(x)^2", 0.2001),
    ] {
        let text = swing(a, "", force);
        let text = match force.contains("asin") {
            true => text
                .replace("(x - 1)^2", "(x - 4/5)^2")
                .replace("= 1 +", "= 0.8 +"),
            false => text,
        };
        let run = rattleback(["simulate", &written("domain", text)]).exits(1);
        assert!(run.err.contains("at t = "), "{force}: {}", run.err);
    }
    // Time and entries of group elements have edges too.
    let root = "(cos(t) + 0.9999)^5*sqrt(cos(t) + 0.9999)";
    let run = rattleback(["simulate", &written("time", swing(0.5, "", root))]).exits(1);
    ends_at(&run, (-0.9999f64).acos(), 1e-3);
    let text = "system top\ngroup R : SO(3) velocity w\ncoord y\nkinetic (w[1]^2 + w[2]^2 + w[3]^2 + y'^2)/2\n\
                force (y: (R[3,3] + 0.9999)^5*sqrt(R[3,3] + 0.9999))\nstart w = [1, 0, 0]\ntime 0 .. 20 step 20\n";
    let run = rattleback(["simulate", &written("tilted", text)]).exits(1);
    ends_at(&run, (-0.9999f64).acos(), 1e-3);
}

#[test]
fn members_end_where_single_motions_do() {
    let text = swing(1.1, "param a = 1\nassume x > -1/10 + a/10", "a*sqrt(x^2)");
    let model = written("members", text);
    let folder = folder("members_out");
    for method in ["taylor", "dop853", "radau5"] {
        let path = folder.join(method).with_extension("csv");
        let output = path.to_str().unwrap();
        let vary = ["--vary", "a=-1,1,2", "--method", method, "-o", output];
        rattleback(["ensemble", &model].iter().chain(&vary).copied()).exits(0);
        let table = tables::read(&path);
        assert_eq!(table.column("status"), [0.0, 2.0, 2.0], "{method}");
        let times = table.column("t");
        for (t, x) in times[1..].iter().zip([0.0, 0.1]) {
            assert!((t - passes(1.1, x)).abs() < 1e-6, "{method}: {times:?}");
        }
        let x = table.column("x");
        assert!((x[2] - 0.1).abs() < 1e-6, "{method}: {x:?}");
    }
    // A start that breaks it is no start of a motion.
    let path = folder.join("starts.csv");
    let output = path.to_str().unwrap();
    let vary = ["--vary", "x=-1,1", "--until", "0.1", "-o", output];
    rattleback(["ensemble", &model].iter().chain(&vary).copied()).exits(0);
    let table = tables::read(&path);
    assert_eq!(table.column("status"), [2.0, 0.0]);
    assert_eq!(table.column("t"), [0.0, 0.1]);
}

/// What turns too often to be enclosed is sampled, and that is said.
#[test]
fn what_is_only_sampled_is_told() {
    let warnings = |assume: &str| {
        let text = format!(
            "system s\ncoord x\nassume {assume}\nkinetic x'^2/2\nstart x' = 1\ntime 0 .. 10\n"
        );
        let model = written("sampled", text);
        let page = rattleback(["simulate", &model, "--json"]).exits(0).json();
        page["warnings"].as_array().unwrap().clone()
    };
    let told = warnings("sin(1e5*x)*sin(1e5*x + 1e-3) > -1e-3");
    let words = told[0].as_str().unwrap();
    assert!(
        words.contains("only sampled whether the motion breaks the assumption"),
        "{words}"
    );
    assert_eq!(told.len(), 1);
    assert!(warnings("sin(1e5*x) > -1.5").is_empty());
    assert!(warnings("sin(x)*sin(x + 1e-3) > -1e-3").is_empty());
}

/// Velocities that are solved for are enclosed like others: nothing short is missed in momenta.
#[test]
fn conditions_on_velocities_that_are_solved_for_are_enclosed() {
    let angles: Vec<String> = (1..=5).map(|k| format!("q{k}")).collect();
    let sum = |f: &str, n: usize| {
        let terms: Vec<String> = angles[..n].iter().map(|q| format!("{f}({q})")).collect();
        terms.join(" + ")
    };
    let link = |k: usize| {
        format!(
            "let x{k} = {}\nlet y{k} = {}\n",
            sum("sin", k),
            sum("cos", k)
        )
    };
    let lets: String = (1..=5).map(link).collect();
    let kinetic: Vec<String> = (1..=5).map(|k| format!("(x{k}'^2 + y{k}'^2)/2")).collect();
    let simulated = |assume: &str, form: &str, method: &str| {
        let text = format!(
            "system chain\ncoord {}\n{lets}assume {assume}\nkinetic {}\npotential -(y1 + y2 + y3 + y4 + y5)\n\
             start q1 = 0.3\ntime 0 .. 2 step 0.5\n",
            angles.join(", "),
            kinetic.join(" + ")
        );
        let model = written("solved_velocities", text);
        rattleback(["simulate", &model, "--form", form, "--method", method])
    };
    // Broken for two microseconds, and not quite.
    let pulse = "1 - exp(-1e12*(q5' - 1/50)^2) > 1/2";
    for form in ["euler-lagrange", "hamiltonian"] {
        for method in ["taylor", "dop853", "radau5"] {
            let run = simulated(pulse, form, method);
            ends_at(&run, 1.271799961, 1e-7);
            let run = simulated(&pulse.replace("1/2", "-1/2"), form, method).exits(0);
            assert!(
                !run.out.contains("warning"),
                "{form}, {method}: {}",
                run.out
            );
        }
    }
}
