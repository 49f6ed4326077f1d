//! `--at equilibrium` and `--at steady` take the nearest, whatever is stated of symmetries.

use crate::common::{rattleback, written};
use serde_json::Value;
use std::fmt::Write;

#[track_caller]
fn linear(test: &str, text: &str, at: &str) -> Value {
    let model = written(test, text);
    rattleback(["linearize", &model, "--json", "--at", at])
        .exits(0)
        .json()
}

#[track_caller]
fn is_at(page: &Value, expected: &[(&str, f64)]) {
    for (name, value) in expected {
        let found = page["at"][name].as_f64().unwrap();
        assert!((found - value).abs() < 1e-6, "{name}: {found} {value}");
    }
}

/// The foot of the perpendicular, (x − 3/10) + 2 x (x² − 2) = 0, from (0.3, 2) on the family y = x².
#[test]
fn the_nearest_of_a_family_is_taken() {
    let valley = "system valley\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (y - x^2)^2/2\nstart x = 0.3, y = 2\n";
    let page = linear("valley", valley, "equilibrium");
    assert_eq!(page["equilibrium"], true);
    let x = page["at"]["x"].as_f64().unwrap();
    assert!((x - 0.3 + 2.0 * x * (x * x - 2.0)).abs() < 1e-6, "{x}");
    is_at(&page, &[("y", x * x), ("x'", 0.0)]);
}

/// A family that bends as much as it is far away: x²/4 + y² = 1, where (x − x₀, y − y₀) is across it.
#[test]
fn families_that_bend_are_followed() {
    let ring = "system ring\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x^2/4 + y^2 - 1)^2/2\nstart x = 2.5, y = 0.2365\n";
    let page = linear("ring", ring, "equilibrium");
    let [x, y] = ["x", "y"].map(|name| page["at"][name].as_f64().unwrap());
    assert!((x * x / 4.0 + y * y - 1.0).abs() < 1e-9);
    let across = -(x - 2.5) * 2.0 * y + (y - 0.2365) * x / 2.0;
    assert!(across.abs() < 1e-6, "{x} {y}: {across}");
}

/// Spherical pendulum: cos θ φ'² = −10, the member for which (θ − 2, φ' − 4) is across the family.
#[test]
fn the_nearest_of_steady_motions_is_taken() {
    let pendulum = "system pendulum\ncoord th, phi\nkinetic (th'^2 + sin(th)^2*phi'^2)/2\npotential 10*cos(th)\n\
                    start th = 2, phi' = 4\n";
    let page = linear("whirl", pendulum, "steady");
    let [theta, rate] = ["th", "phi'"].map(|name| page["at"][name].as_f64().unwrap());
    assert!((theta.cos() * rate * rate + 10.0).abs() < 1e-6);
    let along = [-2.0 * theta.cos() * rate, -theta.sin() * rate * rate];
    let across = (theta - 2.0) * along[0] + (rate - 4.0) * along[1];
    assert!(across.abs() < 1e-5, "{theta} {rate}: {across}");
    // Rounding of the search is not shown.
    assert_eq!(page["at"]["phi"], 0.0);
    assert_eq!(page["at"]["th'"], 0.0);
}

/// Two minima of an effective potential: the near one is reached though least squares from the start lead to the far one.
#[test]
fn steady_motions_are_looked_for_around_the_start() {
    let two = "system two\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - 1)*(x - 1.2)*(x + 3)^2\n\
               start x = 0.2, y' = 1\n";
    let page = linear("two_lanes", two, "steady");
    let x = page["at"]["x"].as_f64().unwrap();
    let slope =
        |x: f64| (2.0 * x - 2.2) * (x + 3.0).powi(2) + 2.0 * (x - 1.0) * (x - 1.2) * (x + 3.0);
    assert!(slope(x).abs() < 1e-6 && (x - 0.2).abs() < 1.0, "{x}");
}

/// A start that symmetries carry which nobody states, or only the values of the parameters, is the nearest itself.
#[test]
fn a_start_on_a_steady_motion_is_kept() {
    let disk = "system pair\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential (x^2 + y^2)/2\n\
                start x = 1, y' = 1, z' = 2\n";
    let top = "system top\nparam I = diag(1, 2, 2)\ngroup R : SO(3) velocity w\nkinetic dot(w, I*w)/2\nstart w = [3, 0.5, 0]\n";
    let page = linear("unstated_turn", disk, "steady");
    is_at(&page, &[("x", 1.0), ("y'", 1.0), ("z'", 2.0)]);
    assert_eq!(page["steady"].as_array().unwrap().len(), 2, "{page}");
    for at in ["start", "steady"] {
        let page = linear("top_by_values", top, at);
        is_at(&page, &[("w[1]", 3.0), ("w[2]", 0.5), ("w[3]", 0.0)]);
        assert!(!page["steady"].as_array().unwrap().is_empty(), "{page}");
    }
}

/// Sums of many squares do not hide the softest direction of a long chain.
#[test]
fn long_chains_hang_at_rest() {
    let n = 32;
    let mut text = "system chain\nparam k = 3, g = 9.81\ncoord x1".to_owned();
    (2..=n).for_each(|i| write!(text, ", x{i}").unwrap());
    text += "\nkinetic (x1'^2";
    (2..=n).for_each(|i| write!(text, " + x{i}'^2").unwrap());
    text += ")/2\npotential k*x1^2/2 - g*x1";
    (2..=n).for_each(|i| write!(text, " + k*(x{i} - x{} - 1)^2/2 - g*x{i}", i - 1).unwrap());
    let page = linear("long_chain", &(text + "\n"), "equilibrium");
    let lowest: f64 = (1..=n)
        .map(|i| f64::from(n + 1 - i) * 9.81 / 3.0 + 1.0)
        .sum::<f64>()
        - 1.0;
    is_at(
        &page,
        &[
            (&format!("x{n}"), lowest),
            ("x1", f64::from(n) * 9.81 / 3.0),
        ],
    );
}

/// Constants that cancel, though not in floating point, push nothing.
#[test]
fn constants_that_cancel_leave_a_state_at_rest() {
    for push in [
        "log(2) + log(3) - log(6)",
        "sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)",
        "sin(1)^2 + cos(1)^2 - 1",
    ] {
        let text =
            format!("system push\ncoord x\nkinetic x'^2/2\nforce (x: {push})\nstart x = 3\n");
        assert_eq!(
            linear("cancelling", &text, "start")["equilibrium"],
            true,
            "{push}"
        );
    }
    let pushed =
        "system push\ncoord x\nkinetic x'^2/2\nforce (x: sqrt(2) - 1.41421356237)\nstart x = 3\n";
    assert_eq!(
        linear("not_cancelling", pushed, "start")["equilibrium"],
        false
    );
}

/// Modes out of reach that integers hide in floating point: triple −1 beside what controls move, and one that is 0 or stays.
#[test]
fn integers_decide_whether_modes_out_of_reach_die_out() {
    // z = P y for y' = J y + e_1 u with the Jordan block of −1, then with a rotation, then with a slow growth.
    let plant = |block: [[i64; 3]; 3]| {
        let p = [[1, 2, 3, 4], [0, 1, 5, 6], [0, 0, 1, 7], [1, 2, 3, 5]];
        let mut inner = [[0; 4]; 4];
        inner[0] = [2, 1, 1, 1];
        (0..3).for_each(|i| inner[i + 1][1..].copy_from_slice(&block[i]));
        let inverse = inverse_of_unimodular(p);
        let product = |a: [[i64; 4]; 4], b: [[i64; 4]; 4]| -> [[i64; 4]; 4] {
            std::array::from_fn(|i| {
                std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum())
            })
        };
        let a = product(product(p, inner), inverse);
        let mut text = "system hidden\nstate z1, z2, z3, z4\ncontrol u\n".to_owned();
        for (i, row) in a.iter().enumerate() {
            write!(text, "rate z{}' = {}*u", i + 1, p[i][0]).unwrap();
            (0..4).for_each(|j| write!(text, " + ({})*z{}", row[j], j + 1).unwrap());
            text.push('\n');
        }
        text
    };
    let cases = [
        ([[-1, 1, 0], [0, -1, 1], [0, 0, -1]], "proven"),
        ([[-1, 1, 0], [0, 0, 1], [0, -1, 0]], "refuted"),
        ([[-1, 1, 0], [0, -1, 1], [0, 0, 0]], "refuted"),
        ([[-1, 1, 1], [0, 0, 1], [0, -1, -1]], "proven"),
    ];
    for (block, verdict) in cases {
        let page = linear("hidden_modes", &plant(block), "start");
        assert_eq!(page["controllable"]["verdict"], "refuted");
        assert_eq!(
            page["stabilisable"]["verdict"], verdict,
            "{block:?} {}",
            page["stabilisable"]
        );
    }
}

/// By cofactors; the determinant is 1.
fn inverse_of_unimodular(p: [[i64; 4]; 4]) -> [[i64; 4]; 4] {
    let minor = |i: usize, j: usize| {
        let rows: Vec<usize> = (0..4).filter(|r| *r != i).collect();
        let columns: Vec<usize> = (0..4).filter(|c| *c != j).collect();
        let m = |r: usize, c: usize| p[rows[r]][columns[c]];
        (0..3)
            .map(|c| {
                let (d, e) = ((c + 1) % 3, (c + 2) % 3);
                m(0, c) * (m(1, d) * m(2, e) - m(1, e) * m(2, d))
            })
            .sum::<i64>()
    };
    let sign = |k: usize| if k.is_multiple_of(2) { 1 } else { -1 };
    assert_eq!(
        (0..4).map(|j| sign(j) * p[0][j] * minor(0, j)).sum::<i64>(),
        1
    );
    std::array::from_fn(|i| std::array::from_fn(|j| sign(i + j) * minor(j, i)))
}

/// Rounding of a heading does not deny a steady motion: the velocity that a constraint determines, and accelerations that cancel.
#[test]
fn headings_do_not_deny_steady_motions() {
    for heading in ["0", "0.4", "1/3", "1.1", "-2.3"] {
        let conical = format!(
            "system conical\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*z\nconstraint x^2 + y^2 + z^2 = 1\n\
             symmetry r = (x: -y, y: x)\nstart x = 0.6*cos({heading}), y = 0.6*sin({heading}), z = -0.8, \
             x' = -0.6*sqrt(9.81/0.8)*sin({heading}), y' = 0.6*sqrt(9.81/0.8)*cos({heading})\n"
        );
        let page = linear("conical", &conical, "start");
        let rate = page["steady"][0]["rate"].as_f64();
        assert!(
            rate.is_some_and(|w| (w - (9.81_f64 / 0.8).sqrt()).abs() < 1e-9),
            "{heading}: {page}"
        );
        let disk = format!(
            "system disk\nparam R = 0.7\ncoord x, y\ncoord phi, theta : angle\nkinetic (x'^2 + y'^2 + phi'^2 + theta'^2)/2\n\
             constraint x' = R*cos(phi)*theta'\nconstraint y' = R*sin(phi)*theta'\nsymmetry east = (x: 1)\nsymmetry north = (y: 1)\n\
             symmetry yaw = (x: -y, y: x, phi: 1)\nsymmetry rolling = (theta: 1)\n\
             start x = 0.2, y = -0.1, phi = {heading}, phi' = 0.9, theta' = 1.7\n"
        );
        for at in ["start", "steady"] {
            let page = linear("turning_disk", &disk, at);
            assert!(
                !page["steady"].as_array().unwrap().is_empty(),
                "{heading}: {page}"
            );
        }
    }
}

/// A velocity that must vanish does, beside how large it was at the start; what rests is nearest where nothing else is.
#[test]
fn steady_motions_beside_the_start_are_found() {
    let board = "system board\ncoord x, y\ncoord th, phi : angle\nkinetic (x'^2 + y'^2 + th'^2 + phi'^2)/2\n\
                 constraint sin(th)*x' = cos(th)*y'\nconstraint th' = phi*(cos(th)*x' + sin(th)*y')\nsymmetry east = (x: 1)\n\
                 symmetry north = (y: 1)\nsymmetry yaw = (x: -y, y: x, th: 1)\nstart th = 0.3, phi = 0.5, th' = 0.8, phi' = 0.6\n";
    let page = linear("board", board, "steady");
    is_at(&page, &[("phi", 0.5), ("th'", 0.8), ("phi'", 0.0)]);
    let identity = "system held\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce (x: cosh(y)^2 - sinh(y)^2 - 1)\nstart y = 0.4\n";
    is_at(&linear("identity", identity, "equilibrium"), &[("y", 0.4)]);
}

/// The equations have slopes where an output has none.
#[test]
fn outputs_without_slopes_are_left_out() {
    let text = "system s\ncoord x\nkinetic x'^2/2\npotential x^2/2\ncontrol u on x\nobserve far = sqrt(x^2)\nobserve place = x\n\
                observe depth = log(x^2)\nstart x = 0\n";
    let page = linear("no_slopes", text, "equilibrium");
    assert_eq!(page["outputs"], serde_json::json!(["place"]), "{page}");
    assert_eq!(page["observable"]["verdict"], "proven");
    let notes = page["notes"].to_string();
    assert!(
        notes.contains("output far") && notes.contains("output depth"),
        "{notes}"
    );
}
