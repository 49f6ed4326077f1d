//! A model may use the names of the program's own columns: they stay the model's, and the program's give way.

use crate::common::{folder, rattleback, tables, written};

/// Everything that the program calls something is something else here.
const NAMES: &str = "system names
param status = 2
coord member, steps, x, energy
kinetic (member'^2 + steps'^2 + x'^2 + energy'^2)/2
potential status*x^2/2
constraint member' = steps*x'
symmetry s = (energy: 1)
observe residual1 = 5
observe event1 = 7
observe momentum_s = 8
observe distance = 9
start x' = 1, steps = 2, steps' = 1, energy' = 3
time 0 .. 1 step 0.5
";

fn file(name: &str) -> String {
    folder(name).join(name).to_str().unwrap().to_owned()
}

/// The last value of a column.
fn last(path: &str, column: &str) -> f64 {
    *tables::read(path).column(column).last().unwrap()
}

fn assert_close(what: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-6,
        "{what}: {found}, not {expected}"
    );
}

#[test]
fn simulate_keeps_the_names_of_the_model() {
    let model = written("names_simulate", NAMES);
    for ending in ["csv", "parquet"] {
        let path = file(&format!("names.{ending}"));
        let figure = file("names.svg");
        let run = rattleback([
            "simulate",
            &model,
            "--json",
            "-o",
            &path,
            "--plot",
            &figure,
            "--event",
            "energy = 1.5",
        ])
        .exits(0);
        let json = run.json();
        for (column, expected) in [
            ("energy", 3.0),
            ("residual1", 5.0),
            ("momentum_s", 8.0),
            ("distance", 9.0),
            ("rattleback.momentum_s", 3.0),
            ("rattleback.residual1", 0.0),
        ] {
            assert_close(column, last(&path, column), expected);
        }
        let energy = json["energy"].as_f64().unwrap();
        assert_close("energy", last(&path, "rattleback.energy"), energy);
        assert_close("energy", energy, 0.5 * (4.0 + 1.0 + 1.0 + 9.0));
        assert!(json["max_energy_error"].as_f64().unwrap() < 1e-6);
        // The event asks for the coordinate, not for the energy.
        assert_close("event", json["events"][0]["t"].as_f64().unwrap(), 0.5);
    }
}

#[test]
fn figures_show_either() {
    let text = "system own\ncoord x\nlagrangian x'^2/2 - x^2/2\nobserve energy = 17\nstart x = 1\n\
                time 0 .. 1 step 0.1\n";
    let model = written("names_figure", text);
    let figure = file("own.svg");
    for (wish, shown) in [
        ("energy", ">energy</text>"),
        ("rattleback.energy", ">rattleback.energy</text>"),
        ("errors", ">energy error</text>"),
    ] {
        rattleback(["simulate", &model, "--plot", &figure, "--plot-what", wish]).exits(0);
        let svg = std::fs::read_to_string(&figure).unwrap();
        assert!(svg.contains(shown), "{wish}: {svg}");
    }
}

#[test]
fn the_word_energy_means_its_error() {
    let text =
        "system spring\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("names_energy", text);
    let figure = file("energy.svg");
    for (wish, is_error) in [("energy", true), ("t:energy", false)] {
        rattleback(["simulate", &model, "--plot", &figure, "--plot-what", wish]).exits(0);
        let svg = std::fs::read_to_string(&figure).unwrap();
        assert_eq!(svg.contains("energy error"), is_error, "{svg}");
    }
}

#[test]
fn compare_keeps_the_names_of_the_model() {
    let model = written("names_compare", NAMES);
    let (path, figure) = (file("both.csv"), file("both.svg"));
    rattleback(["compare", &model, "-o", &path, "--plot", &figure]).exits(0);
    for (column, expected) in [
        ("energy(nonholonomic)", 3.0),
        ("energy(vakonomic)", 3.0),
        ("distance(vakonomic)", 9.0),
        ("residual1(nonholonomic)", 5.0),
        ("rattleback.residual1(nonholonomic)", 0.0),
    ] {
        assert_close(column, last(&path, column), expected);
    }
    assert!(last(&path, "rattleback.distance") >= 0.0);
}

#[test]
fn ensembles_keep_the_names_of_the_model() {
    let model = written("names_ensemble", NAMES);
    for ending in ["csv", "parquet"] {
        let path = file(&format!("many.{ending}"));
        let arguments = [
            "ensemble",
            &model,
            "--json",
            "--vary",
            "status=2,3",
            "--vary",
            "energy'=3,4",
            "--event",
            "x = 0.5",
            "-o",
            &path,
        ];
        let json = rattleback(arguments).exits(0).json();
        for (column, expected) in [
            ("rattleback.member", 3.0),
            ("status", 3.0),
            ("energy'(0)", 4.0),
            ("energy", 4.0),
            ("event1", 7.0),
            ("rattleback.status", 0.0),
            ("residual1", 5.0),
        ] {
            assert_close(column, last(&path, column), expected);
        }
        assert!(last(&path, "rattleback.event1") > 0.0);
        assert!(last(&path, "rattleback.steps") >= 1.0);
        let mean = |name: &str| json["final"][name]["mean"].as_f64().unwrap();
        assert_close("energy", mean("energy"), 3.5);
        assert!(mean("rattleback.energy") > 7.0);
        // A table with such names can be gone on with.
        let resumed = rattleback(arguments.into_iter().chain(["--resume"])).exits(0);
        assert_eq!(resumed.json()["kept"], 4);
    }
}

/// The commonest line of mechanics clashes with frame velocities, which give way; a constraint bears its name.
#[test]
fn generated_names_give_way_and_constraints_bear_theirs() {
    let text = "system rod\ncoord x1, y1, x2, y2\nkinetic (x1'^2 + y1'^2 + x2'^2 + 2*y2'^2)/2\n\
                potential 9*(y1 + 2*y2)\nconstraint rod: (x2 - x1)^2 + (y2 - y1)^2 = 1\n\
                observe pull = 2*lambda_rod, push = p_x1 + p_x2, twice = 2*energy\n\
                start x2 = 1, y2' = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("rod", text);
    for form in ["lagrange-dalembert", "hamel", "hamiltonian", "newton"] {
        let run = rattleback(["simulate", &model, "--form", form, "--json"]).exits(0);
        let json = run.json();
        let (last, observed) = (&json["final"], &json["observed"]);
        let number = |v: &serde_json::Value| v.as_f64().unwrap_or(f64::NAN);
        assert_close(form, number(&observed["push"]), 0.0);
        assert_close(
            form,
            number(&observed["pull"]),
            2.0 * number(&last["lambda_rod"]),
        );
        assert!(last["y1"].is_number() && last["y2"].is_number(), "{last}");
        assert_eq!(last["y1_"].is_number(), form == "hamel", "{last}");
    }
    let run = rattleback(["derive", &model, "--form", "hamel"]).exits(0);
    assert!(run.out.contains("`y1_` is a frame velocity"), "{}", run.out);
}

/// Text is in the words of a declared frame; JSON has its names beside the generated ones.
#[test]
fn a_declared_frame_is_called_by_its_name() {
    let text = "system s\ncoord x, y\ncoord phi : angle\nkinetic (x'^2 + y'^2 + phi'^2)/2\n\
                constraint sin(phi)*x' = cos(phi)*y'\nframe forward = (x: cos(phi), y: sin(phi))\n\
                frame pivot = (phi: 1)\nstart phi' = 1\n";
    let model = written("declared", text);
    for form in ["hamel", "almost-poisson"] {
        let run = rattleback(["derive", &model, "--form", form]).exits(0);
        assert!(
            run.out.contains("forward") && !run.out.contains("y₁"),
            "{}",
            run.out
        );
        let json = rattleback(["derive", &model, "--form", form, "--json"])
            .exits(0)
            .json();
        assert_eq!(json["frame"], serde_json::json!(["forward", "pivot"]));
        assert!(!json["state"].to_string().contains("forward"));
    }
}

/// What a page calls something of its own gives way to names of the model, in headings as in formulas.
#[test]
fn matrices_and_the_energy_give_way() {
    const COLLIDE: &str = "system collide\nparam M = 2, g = 9.81, B = 3, E = 4\ncoord x\ncoord theta : angle\n\
         let C = [x, sin(theta)]\nkinetic M/2*x'^2 + M*E/2*norm2(C')\npotential g*B*cos(theta)\ncontrol u on x\n\
         start theta = 0.3\n";
    let model = written("names_matrices", COLLIDE);
    let run = rattleback(["derive", &model, "--form", "manipulator", "--ascii"]).exits(0);
    for line in [
        "  M_*[x'', theta''] + C_*[x', theta'] + g_ = B_*[u]\n",
        "  E_ = ",
        "  M_[1,1] = ",
        "  g_[2]   = -g*B*sin(theta)\n",
        "  B_[1,1] = 1\n",
        "`M_` is the mass matrix; `M` is the model's own",
        "`E_` is the energy; `E` is the model's own",
    ] {
        assert!(run.out.contains(line), "no {line} in\n{}", run.out);
    }
    assert!(!run.out.contains("  C = ["), "{}", run.out);
    let json = rattleback(["derive", &model, "--form", "manipulator", "--json"]).exits(0);
    assert!(json.out.contains("\"M[1,1]\""), "{}", json.out);
}

/// Two names of one page are not typeset alike.
#[test]
fn names_are_told_apart_in_latex() {
    const ALIKE: &str = "system alike\nparam lambda_1 = 3, I1 = 5, I_1 = 7\ncoord x1, e\n\
         kinetic lambda_1/2*(x1'^2 + e'^2) + I1*I_1*x1'^2\npotential exp(-e^2)\nconstraint x1' = e^2*e'\n";
    let model = written("names_alike", ALIKE);
    let run = rattleback(["derive", &model, "--format", "latex"]).exits(0);
    for part in [
        r"\mathrm{lambda1} &=",
        r"\mathrm{I\_1}",
        r"\mathrm{e}^{-e^{2}}",
    ] {
        assert!(run.out.contains(part), "no {part} in\n{}", run.out);
    }
    assert!(!run.out.contains("I_{1} I_{1}"), "{}", run.out);
}

/// A frame of the constraints gives way to the model's `y1`, and what it is does not depend on its name.
#[test]
fn velocities_in_a_frame_are_not_those_of_the_model() {
    let text = "system own\ncoord y1, x, z\nkinetic (y1'^2 + x'^2 + z'^2)/2\nconstraint z' = y1*x'\n\
                start x' = 1, y1' = 1\ntime 0 .. 1 step 0.1\n";
    let model = written("names_frame", text);
    let (path, figure) = (file("frame.csv"), file("frame.svg"));
    rattleback([
        "simulate",
        &model,
        "--form",
        "hamel",
        "-o",
        &path,
        "--plot",
        &figure,
        "--plot-what",
        "velocities",
    ])
    .exits(0);
    let table = std::fs::read_to_string(&path).unwrap();
    for line in [
        "# column y1_: frame-velocity",
        "# column y2: frame-velocity",
        "# column y1': velocity",
    ] {
        assert!(table.contains(line), "{line}: {table}");
    }
    let curves = |path: &str| {
        std::fs::read_to_string(path)
            .unwrap()
            .matches("<path")
            .count()
    };
    let own = curves(&figure);
    // The same model by other names.
    let other = written("names_frame_other", text.replace("y1", "a"));
    rattleback([
        "simulate",
        &other,
        "--form",
        "hamel",
        "--plot",
        &figure,
        "--plot-what",
        "velocities",
    ])
    .exits(0);
    assert_eq!(own, curves(&figure));
}

/// Velocities of a group may be called what a frame would be.
#[test]
fn velocities_of_a_group_are_drawn_by_any_name() {
    let text = "system top\ngroup R : SO(3) velocity (y1, y2, y3)\ncoord x\n\
                kinetic (y1^2 + 2*y2^2 + 3*y3^2 + x'^2)/2\nstart y1 = 1, y2 = 0.1, x' = 1\n\
                time 0 .. 1 step 0.1\n";
    let figure = file("group.svg");
    let curves = |model: &str| {
        let arguments = ["simulate", model, "--plot", &figure, "--plot-what"];
        rattleback(arguments.into_iter().chain(["velocities"])).exits(0);
        let svg = std::fs::read_to_string(&figure).unwrap();
        svg.matches("<path").count()
    };
    let renamed = ["1", "2", "3"].iter().fold(text.to_owned(), |text, n| {
        text.replace(&format!("y{n}"), &format!("s{n}"))
    });
    let own = curves(&written("names_group", text));
    assert_eq!(own, curves(&written("names_group_other", &renamed)));
}

/// The costate of x gives way to the coordinate `p_x`, in the table and in JSON.
#[test]
fn costates_give_way_to_coordinates() {
    let text = "system pair\ncoord x, p_x\nkinetic (x'^2 + p_x'^2)/2\ncontrol u on x\ncontrol v on p_x\n\
                cost (u^2 + v^2)/2\ngoal x = 1, x' = 0, p_x = 2, p_x' = 0\ntime 0 .. 1\n";
    let model = written("names_costates", text);
    let path = file("costates.csv");
    let found = rattleback(["control", &model, "--json", "-o", &path])
        .exits(0)
        .json();
    let costates = ["p_x_", "p_p_x", "p_x_'", "p_p_x'"];
    for column in costates {
        assert!(!tables::read(&path).column(column).is_empty(), "{column}");
        assert!(!found["trajectory"][column].is_null(), "{column}");
    }
    assert_close("p_x", last(&path, "p_x"), 2.0);
    let states = found["trajectory"]["p_x"].as_array().unwrap();
    assert_close("p_x", states.last().unwrap().as_f64().unwrap(), 2.0);
    // u = 6 − 12 t for a way of 1, and −6 at the end is the costate of x'.
    assert_close("p_x_", last(&path, "p_x_"), 12.0);
    assert_close("p_p_x", last(&path, "p_p_x"), 24.0);
}

/// The momentum of `p_a` is `p_p_a`.
#[test]
fn momenta_of_coordinates_that_look_like_momenta() {
    let text = "system one\ncoord p_a\nlagrangian p_a'^2/2\nstart p_p_a = 2\n";
    rattleback(["check", &written("names_momentum", text)]).exits(0);
    let ending = "system one\ncoord a_\nlagrangian a_'^2/2\nstart p_a_ = 2\n";
    rattleback(["check", &written("names_momentum_end", ending)]).exits(0);
}
