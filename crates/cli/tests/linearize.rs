//! `linearize` as a user meets it: published eigenvalues, regulators, motions and mistakes.

use crate::common::{folder, rattleback, shipped, written};
use serde_json::Value;

#[track_caller]
fn linearized(test: &str, text: &str, more: &[&str]) -> Value {
    let model = written(&format!("linearize_{test}"), text);
    let arguments = ["linearize", &model, "--json"];
    let all = arguments.iter().chain(more);
    rattleback(all).exits(0).json()
}

/// Eigenvalues (re, im), sorted.
fn eigenvalues(page: &Value) -> Vec<(f64, f64)> {
    let one = |v: &Value| (v["re"].as_f64().unwrap(), v["im"].as_f64().unwrap());
    let mut all: Vec<(f64, f64)> = page.as_array().unwrap().iter().map(one).collect();
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all
}

#[track_caller]
fn has(all: &[(f64, f64)], expected: (f64, f64), tolerance: f64) {
    let near = |v: &&(f64, f64)| (v.0 - expected.0).hypot(v.1 - expected.1) < tolerance;
    assert!(all.iter().any(|v| near(&v)), "no {expected:?} in {all:?}");
}

fn matrix(page: &Value, name: &str) -> Vec<Vec<f64>> {
    let row = |row: &Value| {
        let entries = row.as_array().unwrap().iter();
        entries.map(|e| e["value"].as_f64().unwrap()).collect()
    };
    page[name].as_array().unwrap().iter().map(row).collect()
}

/// Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007), table 2.
#[test]
fn the_whipple_bicycle_has_the_eigenvalues_of_the_benchmark() {
    let model = shipped("large/whipple_bicycle");
    let at = |v: &str| {
        let page = rattleback(["linearize", &model, "--set", &format!("v={v}"), "--json"]);
        let page = page.exits(0).json();
        (eigenvalues(&page["eigenvalues"]), page)
    };
    let (fast, page) = at("5");
    for expected in [
        (-0.775341882195845, 4.464867713788248),
        (-0.775341882195845, -4.464867713788248),
        (-0.322866429004087, 0.0),
        (-14.078389692798217, 0.0),
    ] {
        has(&fast, expected, 1e-9);
    }
    assert_eq!(
        fast.len(),
        10,
        "4 modes, and 6 of positions and speed that stay"
    );
    assert_eq!(page["steady"][0]["symmetry"], "x");
    let (still, _) = at("0");
    for size in [3.131643247906656, 5.530943717653935] {
        has(&still, (size, 0.0), 1e-6);
        has(&still, (-size, 0.0), 1e-6);
    }
}

const CART: &str = "system cart\nparam M = 2, m = 1/2, l = 1/2, g = 10\nassume M > 0, m > 0, l > 0\ncoord x\ncoord theta : angle\n\
    kinetic (M + m)/2*x'^2 + m*l*x'*theta'*cos(theta) + m*l^2/2*theta'^2\npotential m*g*l*cos(theta)\n\
    control u on x\ncost (x^2 + theta^2 + u^2)/2\nobserve tip = x + l*sin(theta)\n";

#[test]
fn an_inverted_pendulum_in_formulas() {
    let page = linearized("cart", CART, &[]);
    assert_eq!(
        page["state"],
        serde_json::json!(["x", "theta", "x'", "theta'"])
    );
    assert_eq!(page["equilibrium"], true);
    assert_eq!(page["A"][2][1]["text"], "-g*m/M");
    assert_eq!(page["A"][2][1]["value"], -2.5);
    assert_eq!(page["B"][2][0]["text"], "1/M");
    assert_eq!(page["C"][0][1]["text"], "l");
    for claim in ["controllable", "stabilisable", "observable"] {
        assert_eq!(page[claim]["verdict"], "proven", "{claim}");
    }
    let closed = eigenvalues(&page["lqr"]["closed_loop"]);
    assert!(closed.iter().all(|v| v.0 < 0.0));
    // A formula of a row parses again: it is what a parameter may be.
    let text = page["A"][3][1]["text"].as_str().unwrap();
    let again = format!(
        "system again\nparam M = 2, m = 1/2, l = 1/2, g = 10, k = {text}\ncoord x\nkinetic x'^2/2\npotential -k*x^2/2\n"
    );
    let again = linearized("again", &again, &[]);
    assert_eq!(again["A"][1][0]["value"], page["A"][3][1]["value"]);
}

/// The example of SciPy's solve_continuous_are: its matrices and its answer.
#[test]
fn a_regulator_has_the_values_of_scipy() {
    let page = linearized(
        "scipy",
        "system plant\nstate x, y\ncontrol u\nrate x' = 4*x + 3*y + u\nrate y' = -4.5*x - 3.5*y - u\n\
         cost (9*x^2 + 12*x*y + 4*y^2 + u^2)/2\n",
        &[],
    );
    let expected = [[21.72792206, 14.48528137], [14.48528137, 9.65685425]];
    for (i, row) in expected.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let found = page["lqr"]["value"][i][j].as_f64().unwrap();
            assert!((found - x).abs() < 1e-7, "{found} {x}");
        }
    }
    // K = BᵀP.
    let gain = page["lqr"]["gains"][0][0].as_f64().unwrap();
    assert!((gain - (21.72792206 - 14.48528137)).abs() < 1e-7);
}

#[test]
fn what_is_not_stabilisable_is_said_with_its_mode() {
    let page = linearized(
        "lost",
        "system lost\nstate x, y\ncontrol u\nrate x' = -x + u\nrate y' = 2*y\ncost (x^2 + y^2 + u^2)/2\n",
        &[],
    );
    assert!(page["lqr"].is_null());
    let why = page["why"]["lqr"].as_str().unwrap();
    assert!(why.contains("the mode 2,"), "{why}");
    assert_eq!(page["stabilisable"]["verdict"], "refuted");
    assert_eq!(page["controllable"]["verdict"], "refuted");
    let cost = "system off\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost ((x - 1)^2 + u^2)/2\n";
    let page = linearized("off", cost, &[]);
    assert!(page["lqr"].is_null());
    assert!(page["why"]["lqr"].as_str().unwrap().contains("gradient"));
}

#[test]
fn the_law_can_be_written_and_holds_the_model() {
    let folder = folder("linearize_write");
    let held = folder.join("held.mech").display().to_string();
    let text = format!("{CART}input u = 0\nstart theta = 0.2\ntime 0 .. 30 step 0.1\n");
    let model = written("linearize_write_model", &text);
    let at = ["linearize", &model, "--at", "theta = 0", "--write", &held];
    rattleback(at).exits(0);
    let last = rattleback(["simulate", &held, "--json"]).exits(0).json();
    for name in ["x", "theta", "x'", "theta'"] {
        let value = last["final"][name].as_f64().unwrap();
        assert!(value.abs() < 1e-3, "{name} = {value}");
    }
    // Closing the loop gives the eigenvalues of the regulator.
    let open = rattleback(["linearize", &model, "--at", "theta = 0", "--json"])
        .exits(0)
        .json();
    let closed = [
        "linearize",
        &held,
        "--at",
        "theta = 0",
        "--closed",
        "--json",
    ];
    let closed = rattleback(closed).exits(0).json();
    let expected = eigenvalues(&open["lqr"]["closed_loop"]);
    let found = eigenvalues(&closed["eigenvalues"]);
    expected.iter().for_each(|v| has(&found, *v, 1e-6));
    assert_eq!(closed["inputs"], serde_json::json!([]));
}

#[test]
fn a_law_on_a_group_is_written_by_its_entries() {
    let folder = folder("linearize_group");
    let held = folder.join("held.mech").display().to_string();
    let text = "system satellite\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\n\
        control a on (w[1]: 1)\ncontrol b on (w[2]: 1)\ncontrol c on (w[3]: 1)\n\
        cost (3 - R[1,1] - R[2,2] - R[3,3]) + dot(w, w)/2 + (a^2 + b^2 + c^2)/2\n\
        start w = [0.2, -0.3, 0.1]\ntime 0 .. 30 step 0.1\n";
    let model = written("linearize_group_model", text);
    let at = [
        "linearize",
        &model,
        "--at",
        "w = [0, 0, 0]",
        "--json",
        "--write",
        &held,
    ];
    let page = rattleback(at).exits(0).json();
    assert_eq!(page["state"][0], "R~1");
    let last = rattleback(["simulate", &held, "--json"]).exits(0).json();
    for name in ["R[1,2]", "R[1,3]", "R[2,3]", "w[1]", "w[2]", "w[3]"] {
        let value = last["final"][name].as_f64().unwrap();
        assert!(value.abs() < 1e-4, "{name} = {value}");
    }
}

/// One pendulum as an angle, on a circle in the plane, and as a rotation.
#[test]
fn eigenvalues_do_not_depend_on_coordinates() {
    let damped = "param m = 1.3, g = 9.81, l = 0.7, c = 0.4\n";
    let angle = format!(
        "system angle\n{damped}coord theta : angle\nkinetic m*l^2/2*theta'^2\npotential -m*g*l*cos(theta)\nforce (theta: -c*l^2*theta')\n"
    );
    let plane = format!(
        "system plane\n{damped}coord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\nconstraint x^2 + y^2 = l^2\n\
         force (x: -c*x', y: -c*y')\nstart y = -l\n"
    );
    let turned = format!(
        "system turned\n{damped}group R : SO(2) velocity w\nkinetic m*l^2/2*w^2\npotential -m*g*l*R[1,1]\nforce (w: -c*l^2*w)\n"
    );
    let expected = eigenvalues(&linearized("angle", &angle, &[])["eigenvalues"]);
    assert_eq!(expected.len(), 2);
    for (name, text) in [("plane", plane), ("turned", turned)] {
        let found = eigenvalues(&linearized(name, &text, &[])["eigenvalues"]);
        assert_eq!(found.len(), 2, "{name}");
        expected.iter().for_each(|v| has(&found, *v, 1e-10));
    }
}

/// Upright, a disk that rolls with psi' falls if psi'^2 < Id g R m/((Ia + m R²)(2... : here thin, so psi'^2 < g/(3 R).
#[test]
fn a_thin_disk_falls_below_its_critical_speed() {
    let model = shipped("rolling_disk");
    let grows = |speed: f64| {
        let set = format!("psi'={speed}");
        let at = [
            "linearize",
            &model,
            "--set",
            "theta=0",
            "--set",
            "phi'=0",
            "--set",
            &set,
            "--json",
        ];
        let page = rattleback(at).exits(0).json();
        assert_eq!(page["equilibrium"], false);
        assert!(!page["steady"].as_array().unwrap().is_empty());
        eigenvalues(&page["eigenvalues"]).last().unwrap().0
    };
    // A hoop: g/(4 R); a uniform disk, I = mR²/4 and mR²/2: psi'² = g/(3 R).
    let critical = (9.81 / (3.0 * 0.25_f64)).sqrt();
    assert!(grows(critical * 0.99) > 1e-2);
    assert!(grows(critical * 1.01) < 1e-6);
}

/// A sleeping top is spectrally stable where (I3 s)² > 4 k I1.
#[test]
fn a_sleeping_top_wakes_below_its_critical_spin() {
    let grows = |spin: f64| {
        let text = format!(
            "system top\nparam I1 = 1, I3 = 1/2, k = 1.2\ngroup R : SO(3) velocity w\n\
             kinetic (I1*(w[1]^2 + w[2]^2) + I3*w[3]^2)/2\npotential k*R[3,3]\nsymmetry figure = (w[3]: 1)\nstart w = [0, 0, {spin}]\n"
        );
        let page = linearized("top", &text, &[]);
        assert_eq!(page["steady"][0]["symmetry"], "figure");
        eigenvalues(&page["eigenvalues"]).last().unwrap().0
    };
    let critical = (4.0 * 1.2_f64).sqrt() / 0.5;
    assert!(grows(critical * 0.99) > 1e-2);
    assert!(grows(critical * 1.01) < 1e-6);
}

#[test]
fn a_rattleback_wobbles_the_more_in_one_direction_of_spin() {
    let model = shipped("rattleback");
    let grows = |spin: &str| {
        let set = format!("w=[0, 0, {spin}]");
        let page = rattleback(["linearize", &model, "--set", &set, "--json"])
            .exits(0)
            .json();
        eigenvalues(&page["eigenvalues"]).last().unwrap().0
    };
    // The spin that is not stable has a growing wobble, the other one less of it.
    let (one, other) = (grows("-5"), grows("5"));
    assert!((one - other).abs() > 1e-3, "{one} {other}");
}

#[test]
fn equilibria_and_steady_motions_near_the_start() {
    let pendulum = "system pendulum\nparam g = 9.81, l = 0.5\ncoord theta : angle\nkinetic l^2/2*theta'^2\npotential -g*l*cos(theta)\nstart theta = 2.9, theta' = 0.1\n";
    let page = linearized("nearest", pendulum, &["--at", "equilibrium"]);
    assert_eq!(page["A"][1][0]["text"], "g/l");
    assert!((page["at"]["theta"].as_f64().unwrap() - std::f64::consts::PI).abs() < 1e-12);
    let page = linearized("stated", pendulum, &["--at", "theta = 0, theta' = 0"]);
    assert_eq!(page["A"][1][0]["text"], "-g/l");
    let page = linearized("neither", pendulum, &[]);
    assert!(
        page["notes"][0]
            .as_str()
            .unwrap()
            .contains("no equilibrium")
    );
    // A bob that circles: one mode of the swing, the rest goes along.
    let conical = "system conical\nparam g = 9.81, l = 1\ncoord theta, phi : angle\nkinetic l^2/2*(theta'^2 + sin(theta)^2*phi'^2)\n\
        potential -g*l*cos(theta)\nstart theta = 0.8, phi' = 3.7\n";
    let page = linearized("conical", conical, &["--at", "steady"]);
    assert_eq!(page["steady"][0]["symmetry"], "phi");
    let theta = page["at"]["theta"].as_f64().unwrap();
    let rate = page["steady"][0]["rate"].as_f64().unwrap();
    assert!((rate * rate * theta.cos() - 9.81).abs() < 1e-7);
    let swing = (rate * rate * (1.0 + 3.0 * theta.cos().powi(2))).sqrt();
    has(&eigenvalues(&page["eigenvalues"]), (0.0, swing), 1e-5);
}

#[test]
fn along_a_motion_there_is_one_row_per_sample() {
    let folder = folder("linearize_along");
    let file = folder.join("along.csv").display().to_string();
    let text = "system swing\nparam g = 9.81\ncoord q : angle\nkinetic q'^2/2\npotential -g*cos(q)\ncontrol u on q\nstart q = 1\ntime 0 .. 1 step 0.25\n";
    let model = written("linearize_along_model", text);
    rattleback(["linearize", &model, "--along", "-o", &file]).exits(0);
    let rows = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<&str> = rows.lines().filter(|l| !l.starts_with('#')).collect();
    assert!(
        rows[0].contains("A[1,1]") && rows[0].contains("B[2,1]"),
        "{}",
        rows[0]
    );
    assert_eq!(rows.len(), 6);
    let page = rattleback(["linearize", &model, "--along", "--json"])
        .exits(0)
        .json();
    for sample in page["along"].as_array().unwrap() {
        let q = sample["at"]["q"].as_f64().unwrap();
        let slope = sample["A"][1][0].as_f64().unwrap();
        assert!((slope + 9.81 * q.cos()).abs() < 1e-9);
    }
}

#[test]
fn turns_sections_and_exponents() {
    let spring = "system spring\nparam k = 4\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1\ntime 0 .. 10 step 0.5\n";
    let model = written("linearize_spring", spring);
    let turn = [
        "linearize",
        &model,
        "--along",
        "--periodic",
        "--set",
        "until=pi",
        "--json",
    ];
    let page = rattleback(turn).exits(0).json();
    eigenvalues(&page["multipliers"])
        .iter()
        .for_each(|m| assert!((m.0 - 1.0).hypot(m.1) < 1e-5));
    let open = [
        "linearize",
        &model,
        "--along",
        "--periodic",
        "--set",
        "until=3",
    ];
    rattleback(open)
        .exits(1)
        .says(&["does not close", "one period"]);

    let folder = folder("linearize_section");
    let [table, plot] =
        ["section.csv", "section.svg"].map(|f| folder.join(f).display().to_string());
    let section = [
        "simulate",
        &model,
        "--section",
        "x' = 0 : rising",
        "--json",
        "-o",
        &table,
        "--plot",
        &plot,
    ];
    let page = rattleback(section).exits(0).json();
    let times = page["section"]["t"].as_array().unwrap();
    let expected = [1.0, 3.0, 5.0].map(|k| k * std::f64::consts::FRAC_PI_2);
    assert_eq!(times.len(), expected.len());
    for (t, e) in times.iter().zip(expected) {
        assert!((t.as_f64().unwrap() - e).abs() < 1e-7);
    }
    let rows = std::fs::read_to_string(&table).unwrap();
    assert_eq!(
        rows.lines().filter(|l| !l.starts_with('#')).count(),
        1 + expected.len()
    );
    assert!(std::fs::read_to_string(&plot).unwrap().contains("<path"));

    let saddle = "system saddle\nstate x, y\nrate x' = 0.5*x\nrate y' = -y\nstart x = 1e-3, y = 1\ntime 0 .. 30 step 1\n";
    let model = written("linearize_saddle", saddle);
    let page = rattleback(["simulate", &model, "--lyapunov", "2", "--json"])
        .exits(0)
        .json();
    let value = |k: usize| page["lyapunov"][k]["value"].as_f64().unwrap();
    assert!((value(0) - 0.5).abs() < 1e-6 && (value(1) + 1.0).abs() < 1e-6);
    rattleback(["simulate", &model, "--lyapunov", "3"])
        .exits(2)
        .says(&["at most 2"]);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let falling = written(
        "linearize_falling",
        "system falling\ncoord z\nkinetic z'^2/2\npotential 10*z\n",
    );
    let none = ["linearize", &falling, "--at", "equilibrium"];
    rattleback(none)
        .exits(1)
        .says(&["an equilibrium: none was found"]);
    rattleback(["linearize", &falling, "--at", "nowhere"])
        .exits(2)
        .says(&["no place to linearise at"]);
    rattleback(["linearize", &falling, "--at", "y = 2"])
        .exits(2)
        .says(&["`y`"]);
    rattleback(["linearize", &falling, "--at", "steady"])
        .exits(2)
        .says(&["needs a symmetry"]);
    rattleback(["linearize", &falling, "--write", "x.mech"])
        .exits(2)
        .says(&["a `cost`"]);
    rattleback(["linearize", &falling, "-o", "x.csv"])
        .exits(2)
        .says(&["--along"]);
    let law = "system law\ncoord x\nkinetic x'^2/2\ncontrol u on x\ninput u = -x''\n";
    let law = written("linearize_law", law);
    rattleback(["linearize", &law])
        .exits(2)
        .says(&["model.mech:5"]);
    let node = "system node\nstate x\nmap next(x) = x/2\nstart x = 1\ntime 0 .. 3 step 1\n";
    let node = written("linearize_node", node);
    rattleback(["linearize", &node])
        .exits(2)
        .says(&["from node to node"]);
}

#[test]
fn a_page_shows_formulas_or_numbers_but_never_both_in_one_matrix() {
    let model = written("linearize_page", CART);
    let page = rattleback(["linearize", &model]).exits(0).out;
    for words in [
        "an equilibrium",
        "-m*g/M",
        "Regulator u = u0 - K (x - x0)",
        "controllable: yes",
    ] {
        let spaced = words.replace('*', " ");
        assert!(
            page.contains(words)
                || page.contains(&spaced)
                || page.contains(&words.replace('*', "")),
            "no {words} in\n{page}"
        );
    }
    let away = rattleback(["linearize", &model, "--at", "theta = 0.3"])
        .exits(0)
        .out;
    let a: String = away
        .split("\nB\n")
        .next()
        .unwrap()
        .split("\nA\n")
        .nth(1)
        .unwrap()
        .into();
    let entries = a.lines().skip(1).flat_map(|l| l.split_whitespace().skip(1));
    entries.for_each(|e| assert!(e.parse::<f64>().is_ok(), "{e} in\n{a}"));
    let _ = matrix(&linearized("matrix", CART, &[]), "A");
}

/// Statements in any order, and `free` numbers in the place of parameters, give the same linear system.
#[test]
fn neither_the_order_of_statements_nor_free_numbers_matter() {
    let statements = [
        "param m = 2, c = 0.1, tau = 0.3, kp = 8",
        "assume m > 0",
        "coord x",
        "state F, I",
        "control u",
        "kinetic m/2*x'^2",
        "force (x: F - c*x')",
        "rate F' = (u - F)/tau",
        "rate I' = 1 - x",
        "input u = kp*(1 - x) + 2*I - 5*x'",
        "cost ((x - 1)^2 + F^2 + I^2 + u^2)/2",
        "observe power = F*x'",
        "start x = 1, F = 0",
        "time 0 .. 10 step 0.01",
    ];
    let read = |name: &str, order: Vec<&str>, more: &[&str]| {
        let text = format!("system lagged\n{}\n", order.join("\n"));
        let mut page = linearized(name, &text, more);
        page.as_object_mut().unwrap().remove("system");
        page
    };
    let first = read("order_0", statements.to_vec(), &["--closed"]);
    assert_eq!(first["state"], serde_json::json!(["x", "x'", "F", "I"]));
    for k in 1..4 {
        let mut order = statements.to_vec();
        order.reverse();
        order.rotate_left(3 * k);
        assert_eq!(first, read(&format!("order_{k}"), order, &["--closed"]));
    }
    let open = read("open", statements.to_vec(), &[]);
    let free = statements.map(|s| match s.strip_prefix("param m = 2, c = 0.1, ") {
        Some(rest) => format!("free m = 2, c = 0.1\nparam {rest}"),
        None => s.to_owned(),
    });
    let chosen = read("free", free.iter().map(String::as_str).collect(), &[]);
    for name in ["A", "B", "C", "D"] {
        assert_eq!(matrix(&open, name), matrix(&chosen, name), "{name}");
    }
    assert_eq!(open["lqr"]["gains"], chosen["lqr"]["gains"]);
}

/// `check` tells a posed problem: what is looked for, its ends and bounds, what is free.
#[test]
fn check_tells_a_posed_problem() {
    let text = "system reach\nfree T = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\ncontrol u on x\ncost u^2\nterminal y^2\n\
        start x = 0, y' = free(0.3)\ngoal x = 1, x' <= 2\nvia 0.5: y = 1\nbound -1 <= u <= 1\nbound 0.5 <= T\ntime 0 .. T\n";
    let model = written("linearize_posed", text);
    let page = rattleback(["check", &model]).exits(0).out;
    for line in [
        "problem        optimal-control",
        "unknowns       u",
        "x = 1 at the end",
        "y = 1 at t = 1/2",
        "-1 <= u <= 1",
        "T, y' at the start",
    ] {
        assert!(page.contains(line), "no {line} in\n{page}");
    }
    let page = rattleback(["check", &model, "--json"]).exits(0).json();
    assert_eq!(page["problem"]["unknowns"], serde_json::json!(["u"]));
    assert_eq!(
        page["problem"]["free"],
        serde_json::json!(["T", "y' at the start"])
    );
}

/// Declared frame fields name the columns of their velocities in figures.
#[test]
fn frame_fields_can_be_plotted_by_name() {
    let text = "system knife\ncoord x, y\ncoord phi : angle\nkinetic (x'^2 + y'^2 + phi'^2)/2\nconstraint sin(phi)*x' = cos(phi)*y'\n\
        frame forward = (x: cos(phi), y: sin(phi))\nframe pivot = (phi: 1)\nstart x' = 1, phi' = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("linearize_frame", text);
    let folder = folder("linearize_frame_plot");
    let drawn = |what: &str| {
        let plot = folder.join("plot.svg").display().to_string();
        let simulated = ["simulate", &model, "--form", "hamel"];
        let figure = ["--plot", &plot, "--plot-what", what];
        rattleback(simulated.iter().chain(&figure)).exits(0);
        std::fs::read_to_string(&plot).unwrap()
    };
    assert_eq!(drawn("forward,forward:pivot"), drawn("y1,y1:y2"));
    assert_ne!(drawn("forward"), drawn("pivot"));
}

/// Controls that are held over the step of the model's time: gains and value solve the discrete Riccati equation.
#[test]
fn a_sampled_regulator_solves_its_own_equation() {
    let page = linearized(
        "sampled",
        "system sampled\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost (x^2 + x'^2 + u^2)/2\ntime 0 .. 1 step 0.1\n",
        &[],
    );
    let held = &page["lqr"]["sampled"];
    assert_eq!(held["step"], 0.1);
    let number = |v: &Value| v.as_f64().unwrap();
    let k = [number(&held["gains"][0][0]), number(&held["gains"][0][1])];
    let p = |i: usize, j: usize| number(&held["value"][i][j]);
    let h = 0.1;
    let (a, b) = ([[1.0, h], [0.0, 1.0]], [h * h / 2.0, h]);
    // B'P, then (h R + B'P B) K = B'P A and P = h Q + A'P (A − B K).
    let row = |i: usize| b[0] * p(0, i) + b[1] * p(1, i);
    let weight = h + row(0) * b[0] + row(1) * b[1];
    for j in 0..2 {
        let pushed = row(0) * a[0][j] + row(1) * a[1][j];
        assert!((weight * k[j] - pushed).abs() < 1e-10);
        for i in 0..2 {
            let left = |r: usize| a[0][i] * p(0, r) + a[1][i] * p(1, r);
            let closed = |r: usize| a[r][j] - b[r] * k[j];
            let unit = if i == j { h } else { 0.0 };
            let value = unit + left(0) * closed(0) + left(1) * closed(1);
            assert!((value - p(i, j)).abs() < 1e-10, "{i} {j}");
        }
    }
    let modes = eigenvalues(&held["closed_loop"]);
    assert!(modes.iter().all(|(re, im)| re.hypot(*im) < 1.0));
    // A regulator of a model without a step is not sampled.
    let page = linearized(
        "continuous",
        "system s\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost (x^2 + u^2)/2\n",
        &[],
    );
    assert!(page["lqr"]["sampled"].is_null());
}

/// Formulas at a state where nothing cancels grow with the factorial of the links; numbers do not.
#[test]
fn long_chains_are_linearised_in_numbers_where_formulas_would_swell() {
    let links = 12;
    let names: Vec<String> = (1..=links).map(|i| format!("q{i}")).collect();
    let sum = |of: &str, i: usize| {
        let terms = names[..i].iter().map(|q| format!("{of}({q})*{q}'"));
        terms.collect::<Vec<_>>().join(" + ")
    };
    let bodies = (1..=links).map(|i| format!("(({})^2 + ({})^2)/2", sum("cos", i), sum("sin", i)));
    let heights = names.iter().enumerate();
    let heights = heights.map(|(i, q)| format!("{}*cos({q})", links - i));
    let text = format!(
        "system chain\ncoord {}\nkinetic {}\npotential -({})\ncontrol u on q1\n",
        names.join(", "),
        bodies.collect::<Vec<_>>().join(" + "),
        heights.collect::<Vec<_>>().join(" + "),
    );
    let start: String = (1..=links)
        .map(|i| format!("start q{i} = {i}/20, q{i}' = {i}/30\n"))
        .collect();
    let at = |test: &str, text: &str| {
        let model = written(test, text);
        rattleback(["linearize", &model, "--json"]).exits(0).json()
    };
    let swinging = at("chain_swings", &format!("{text}{start}"));
    assert!(swinging["A"][links][0]["value"].as_f64().unwrap().abs() > 1e-3);
    let why = swinging["inexact"].as_str().unwrap();
    assert!(why.contains("too long"), "{why}");
    // Hanging at rest the entries are fractions.
    let hanging = at("chain_hangs", &text);
    assert!(hanging["inexact"].is_null());
}

/// An observable of a control is one of the state once the loop is closed.
#[test]
fn outputs_of_closed_loops_have_the_laws_in_the_place_of_controls() {
    let text = "system held\ncoord x\nkinetic x'^2/2\npotential x^2/2\ncontrol u on x\ninput u = -3*x'\nobserve o = u + x\n";
    let model = written("closed_outputs", text);
    let found = rattleback(["linearize", &model, "--closed", "--json"])
        .exits(0)
        .json();
    let row = found["C"][0].as_array().unwrap();
    let row: Vec<f64> = row.iter().map(|e| e["value"].as_f64().unwrap()).collect();
    assert_eq!(row, [1.0, -3.0]);
    rattleback([
        "linearize",
        &model,
        "--along",
        "--closed",
        "--json",
        "--set",
        "until=1",
    ])
    .exits(0);
}

/// A Lagrangian that is linear in the velocities has a state without them.
#[test]
fn predators_and_prey_have_an_equilibrium() {
    let model = shipped("lotka_volterra");
    let page = rattleback(["linearize", &model, "--at", "equilibrium", "--json"]);
    let page = page.exits(0).json();
    let all = eigenvalues(&page["eigenvalues"]);
    let frequency = (2.0 / 3.0f64).sqrt();
    has(&all, (0.0, frequency), 1e-12);
    has(&all, (0.0, -frequency), 1e-12);
}

/// A sleigh on a spring rests at x = 0 in any direction; that it turns at the start does not turn where it rests.
#[test]
fn velocities_of_the_start_do_not_lead_away_from_the_nearest_rest() {
    for turning in ["0", "0.8", "80"] {
        let text = format!(
            "system sleigh\ncoord x, y\ncoord th : angle\n\
             kinetic 1.3/2*(x'^2 + y'^2) + 0.3*th'^2 + 0.39*th'*(y'*cos(th) - x'*sin(th))\npotential 0.4*x^2\n\
             constraint sin(th)*x' = cos(th)*y'\nstart th = 0.4, th' = {turning}, x = 0.2\n"
        );
        let page = linearized("turning", &text, &["--at", "equilibrium"]);
        let at = |name: &str| page["at"][name].as_f64().unwrap();
        assert!(at("x").abs() < 1e-9, "{turning}: {}", page["at"]);
        assert!((at("th") - 0.4).abs() < 0.01, "{turning}: {}", page["at"]);
    }
}

/// A circular orbit is steady at the start, though nobody has declared the rotation; so is a body that turns about an axis.
#[test]
fn a_start_is_carried_by_symmetries_that_are_found() {
    let orbit = "system orbit\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2)\nstart x = 1, y' = 1\n";
    let page = linearized("found_orbit", orbit, &[]);
    let all = eigenvalues(&page["eigenvalues"]);
    assert!(all.iter().all(|(re, _)| re.abs() < 1e-6), "{all:?}");
    has(&all, (0.0, 1.0), 1e-6);
    let body = "system body\ngroup R : SO(3) velocity w space\nlet W = transpose(R)*w\n\
        kinetic (W[1]^2 + 2*W[2]^2 + 3*W[3]^2)/2\nstart R = rotation([0, 0, 1], pi/2), w = [1, 0, 0]\n";
    let page = linearized("found_body", body, &[]);
    has(
        &eigenvalues(&page["eigenvalues"]),
        (3.0f64.sqrt() / 3.0, 0.0),
        1e-6,
    );
}

/// No law that vanishes at a state holds what moves there.
#[test]
fn there_is_no_regulator_about_a_state_that_moves() {
    let text =
        "system falls\ncoord x\nkinetic x'^2/2\npotential exp(x)\ncontrol u on x\ncost x^2 + u^2\n";
    let page = linearized("falls", text, &[]);
    assert!(page["lqr"].is_null(), "{page:#}");
    assert!(
        page["why"].to_string().contains("no equilibrium"),
        "{page:#}"
    );
}
