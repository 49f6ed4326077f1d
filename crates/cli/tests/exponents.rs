//! x^n with a parameter as exponent is the power that its value makes of it, for negative x too: nothing is taken from it.

use crate::common::{rattleback, written};
use serde_json::Value;

/// A particle in the plane.
fn particle(parameters: &str, potential: &str, start: &str) -> String {
    format!(
        "system particle\n{parameters}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential {potential}\nstart {start}\ntime 0 .. 0.5\n"
    )
}

#[track_caller]
fn final_x(test: &str, text: &str) -> f64 {
    let model = written(test, text);
    let page = rattleback(["simulate", &model, "--json"]).exits(0).json();
    page["final"]["x"].as_f64().unwrap()
}

/// The same motion as with the number written in.
#[test]
fn motions_are_those_of_the_number() {
    let cases = [
        ("2", "sqrt(x^2) + x^n"),
        ("3", "sqrt(x^2) + x^n"),
        ("2", "sqrt(x^n)"),
        ("4", "(x^n)^(1/4)"),
        ("1", "sqrt((x^n)^2)"),
        ("2", "(x^2)^(3/2) + x^n"),
        ("2", "sqrt(x^2) + log(3 + x^n)"),
        ("2", "sqrt(4*x^n)"),
        ("3", "(x^2)^(n/2) - x^n"),
        ("2", "(x - y)^n + sqrt((x - y)^2)"),
        ("2", "sin(x)^n + sqrt(sin(x)^2)"),
    ];
    for (n, potential) in cases {
        for start in ["x = -1, x' = 0.1, y' = 1", "x = 0.02, y = 1, x' = -0.9"] {
            let open = particle(&format!("param n = {n}"), potential, start);
            let written_in = potential.replace('n', n).replace(&format!("si{n}"), "sin");
            let closed = particle("", &written_in, start);
            let (found, right) = (
                final_x("open_exponent", &open),
                final_x("written_exponent", &closed),
            );
            assert!(
                (found - right).abs() < 1e-8,
                "{potential}, n = {n}, {start}: {found} {right}"
            );
        }
    }
}

/// The sign of a parameter under a power is not known either.
#[test]
fn powers_of_parameters_keep_their_sign() {
    let start = "x = -1, x' = 0.1";
    let open = particle("param n = 2, a = -2", "a^n*x^2 + sqrt(a^2)*x", start);
    let closed = particle("", "4*x^2 + 2*x", start);
    let (found, right) = (
        final_x("power_of_parameter", &open),
        final_x("its_number", &closed),
    );
    assert!((found - right).abs() < 1e-8, "{found} {right}");
}

#[track_caller]
fn verdict(test: &str, text: &str) -> Value {
    let model = written(test, text);
    let page = rattleback(["analyze", &model, "--json", "--only", "distribution"])
        .exits(0)
        .json();
    page["distribution"]["verdict"].clone()
}

/// The constraint z' = f x y' is integrable where f = 0, and else not.
#[test]
fn verdicts_do_not_rest_on_a_sign_that_nobody_stated() {
    let constrained = |n: &str, f: &str, x: &str| {
        format!(
            "system s\nparam n = {n}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = ({f})*x*y'\nstart x = {x}, y = 0.4\n"
        )
    };
    // Zero for x > 0 alone.
    for (n, f) in [
        ("3", "(x^2)^(n/2) - x^n"),
        ("3", "exp(n*log(x^2)/2) - x^n"),
        ("2", "(x^n)^(1/n) - x"),
        ("1", "sqrt(x^(2*n)) - x^n"),
    ] {
        assert_ne!(
            verdict("exponent_verdict", &constrained(n, f, "-0.7")),
            "refuted",
            "{f}"
        );
    }
    // Zero for x < 0 alone.
    assert_ne!(
        verdict(
            "exponent_verdict",
            &constrained("2", "(x^n)^(1/n) + x", "-0.7")
        ),
        "proven"
    );
    // Zero everywhere, and nowhere.
    for f in [
        "x^n*x - x^(n + 1)",
        "x^n/x^3 - x^(n - 3)",
        "(x^n)^2 - x^(2*n)",
    ] {
        assert_eq!(
            verdict("exponent_verdict", &constrained("2", f, "-0.7")),
            "refuted",
            "{f}"
        );
    }
    assert_eq!(
        verdict("exponent_verdict", &constrained("2", "x^n + 1", "-0.7")),
        "proven"
    );
}

/// Models with negative bases are models.
#[test]
fn negative_bases_are_not_refused() {
    let bead = "system bead\nparam n = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint y = x^n\n\
                start x = -1, y = 1\ntime 0 .. 1\n";
    let literal = bead.replace("x^n", "x^2").replace("param n = 2\n", "");
    let (found, right) = (
        final_x("bead_on_power", bead),
        final_x("bead_on_parabola", &literal),
    );
    assert!((found - right).abs() < 1e-8, "{found} {right}");
    let left = particle("param n = 2\nassume x < 0", "x^n", "x = -1");
    assert!((final_x("left_of_zero", &left) + 0.760_244_597).abs() < 1e-8);
}

/// A root that cancels with another is still asked for.
#[test]
fn powers_that_cancel_keep_their_domain() {
    let model = written(
        "cancelled_powers",
        "system s\ncoord x\nkinetic x'^2/2\npotential (x^(2/3))^(3/2)\nstart x = 1, x' = -2\ntime 0 .. 2 step 0.1\n",
    );
    rattleback(["simulate", &model])
        .exits(1)
        .says(&["leaves the domain of the model, `x >= 0`"]);
}

/// Factors that are not negative come out of a power, and so do the primes of a number.
#[test]
fn powers_of_products_are_products_of_powers() {
    let constrained = |f: &str, start: &str| {
        let assume = if start.contains('-') {
            ""
        } else {
            "assume x > 0, y > 0\n"
        };
        format!(
            "system s\nparam n = 3, m = 2\n{assume}coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
             constraint z' = ({f})*x*y'\nstart {start}\n"
        )
    };
    for f in [
        "(x*y)^n - x^n*y^n",
        "(x/y)^n*y^n - x^n",
        "(2*x)^n - 2^n*x^n",
        "(4*x^2)^(n/2) - (2*x)^n",
        "4^n - 2^(2*n)",
        "8^(n/3) - 2^n",
        "6^n - 2^n*3^n",
        "(3/4)^n - 3^n*2^(-2*n)",
        "(12*x/y)^m - 3^m*2^(2*m)*x^m*y^(-m)",
    ] {
        assert_eq!(
            verdict("powers_of_products", &constrained(f, "x = 0.7, y = 0.4")),
            "refuted",
            "{f}"
        );
    }
    for f in [
        "(x*y)^n - x^n*y^m",
        "4^n - 2^n",
        "(3/4)^n - 3^n*2^(-n)",
        "(-2*x)^n + 2^n*x^n + 1",
    ] {
        let start = if f.contains("-2*x") {
            "x = -0.7, y = 0.4"
        } else {
            "x = 0.7, y = 0.4"
        };
        assert_ne!(
            verdict("powers_of_products", &constrained(f, start)),
            "refuted",
            "{f}"
        );
    }
}

/// A root whose exponent is a parameter is one of what is not negative, whether or not it is left of it; a whole power
/// asks for nothing.
#[test]
fn a_root_that_cancels_keeps_its_domain() {
    let start = "x = 1, x' = -1.5";
    let last = |n: &str, potential: &str| {
        let text =
            particle(&format!("param n = {n}"), potential, start).replace("0 .. 0.5", "0 .. 2");
        let model = written("cancelled_root", text);
        rattleback(["simulate", &model])
    };
    for (n, potential) in [
        ("1/2", "(x^n)^2"),
        ("1/2", "x^n*x^n"),
        ("3/2", "x^(2*n)"),
        ("0.25", "y + (x^n)^4"),
    ] {
        let shown = last(n, potential);
        match potential {
            "x^(2*n)" => shown.exits(0),
            _ => shown
                .exits(1)
                .says(&["leaves the domain of the model, `x >= 0`"]),
        };
    }
    last("1", "(x^n)^2").exits(0);
    last("2", "x^n*x^n").exits(0);
    let beyond = particle("param n = 1/2", "(x^n)^2", "x = -1");
    rattleback(["simulate", &written("root_of_negative", beyond)]).exits(2);
}
