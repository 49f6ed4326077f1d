//! Variational steps that are too long: their equations have solutions, but none that goes over into the motion.

use crate::common::{rattleback, shipped, written};

fn model(name: &str, potential: &str, start: &str) -> String {
    let kinetic = "(x'^2 + y'^2)/2";
    written(
        name,
        format!(
            "system s\ncoord x, y\nkinetic {kinetic}\npotential {potential}\nstart {start}\ntime 0 .. 1 step 0.1\n"
        ),
    )
}

/// Along the branch of short steps the equation of the midpoint m = (x₀ + x₁)/2 comes to a fold (quartic hill: at
/// h² = 4/27, cubic: at h = 1) or to a pole (linear hill: at h = 2, in two directions at once, so that no determinant changes
/// its sign). Beyond them there may be solutions, on the other side of the hill.
#[test]
fn another_branch_is_an_error() {
    let cases = [
        ("quartic_hill", "-x^4", "x = 1", 0.35, 0.5),
        ("quartic_hill_far", "-x^4", "x = 1", 0.38, 5.0),
        ("linear_hill", "-(x^2 + y^2)/2", "x = 1, y = 0.5", 1.9, 2.83),
        (
            "linear_hill_far",
            "-(x^2 + y^2)/2",
            "x = 1, y' = 1",
            1.99,
            14.0,
        ),
        ("cubic", "x^3/3", "x = -1", 0.9, 1.5),
    ];
    for (name, potential, start, short, long) in cases {
        let model = model(name, potential, start);
        let step = |h: f64| {
            let h = h.to_string();
            let words = ["simulate", &model, "--method", "variational-midpoint"];
            rattleback(words.into_iter().chain(["--step", &h, "--until", &h]))
        };
        step(short).exits(0);
        step(long)
            .exits(1)
            .says(&["too long", "branch", "smaller --step"]);
        let long = long.to_string();
        rattleback(["discrete", &model, "--step", &long])
            .exits(1)
            .says(&["too long", "smaller --step"]);
    }
}

/// Drawn at random, held against the branch followed in twenty thousand parts: there are solutions around the guess at the
/// whole step whose slope has the sign of that at rest, but they are on other branches.
#[test]
fn other_branches_with_the_same_sign() {
    let step = |name: &str, potential: &str, start: &str, h: &str| {
        let model = model(name, potential, start);
        let words = [
            "simulate",
            &model,
            "--json",
            "--method",
            "variational-midpoint",
        ];
        rattleback(words.into_iter().chain(["--step", h, "--until", h]))
    };
    let first = "-0.183*x + 0.999*x^2 + 0.751*x^3 + 1.471*x^4 + 1.98*sin(2.617*x)";
    step("drawn_1", first, "x = 1.274, x' = 0.531", "1.6864")
        .exits(1)
        .says(&["too long", "branch"]);
    let second = "-0.65*x + 1.971*x^2 + 0.06*x^3 - 0.858*x^4 - 1.626*sin(2.97*x)";
    step("drawn_2", second, "x = -1.029, x' = 1.259", "2.5234")
        .exits(1)
        .says(&["too long", "branch"]);
    let third = "1.437*x - 1.856*x^2 - 0.736*x^3 + 1.691*x^4 - 1.646*sin(1.8*x)";
    let found = step("drawn_3", third, "x = -0.211, x' = -0.306", "4.6811").exits(0);
    let x = found.json()["final"]["x"].as_f64().unwrap();
    assert!((x - 1.726_807_151_982).abs() < 1e-9, "{x}");
}

/// A motion that comes to where its steps are too long is ended there.
#[test]
fn the_way_to_a_fold_ends() {
    let model = model("runs_away", "-x^4", "x = 0.5, x' = 0.5");
    let words = ["simulate", &model, "--method", "variational-midpoint"];
    let options = ["--step", "0.01", "--until", "5"];
    rattleback(words.into_iter().chain(options))
        .exits(1)
        .says(&["too long", "branch", "smaller --step"]);
}

/// Where the branch goes on, steps are as long as one likes: in a convex well there is one solution, and beside the top of a
/// hill the branch leads down its side.
#[test]
fn long_steps_on_the_branch_are_taken() {
    let cases = [
        (
            "steep_well",
            "x^4 + x^2*y^2 + y^4",
            "x = 1, y = 0.5, y' = 0.3",
        ),
        ("upside_down", "cos(x) + y^2", "x = 0.1"),
        ("double_well", "x^4/4 - x^2/2 + y^2", "x = 0.1, x' = 0.3"),
    ];
    for (name, potential, start) in cases {
        let model = model(name, potential, start);
        for step in ["1", "3", "10"] {
            let words = ["simulate", &model, "--method", "variational-midpoint"];
            rattleback(words.into_iter().chain(["--step", step, "--until", step])).exits(0);
        }
    }
}

/// The sleigh comes to run straight: its turning dies out, and the noise of what is left of it is no other branch.
#[test]
fn velocities_that_die_out_end_nothing() {
    let sleigh = shipped("chaplygin_sleigh");
    for form in ["lagrange-dalembert", "hamel"] {
        let words = ["simulate", &sleigh, "--method", "variational-midpoint"];
        let options = ["--form", form, "--step", "0.02", "--until", "200"];
        rattleback(words.into_iter().chain(options)).exits(0);
    }
}

/// Along the branch the constraints lose their rank: a smaller step does not lead through, and is not what is told. At a
/// cusp of x²y = y³, on a line where one of two constraints vanishes, and where two that are apart at the start meet.
#[test]
fn constraints_that_lose_their_rank_are_named() {
    let cases = [
        (
            "cusp",
            "constraint x^2*y - y^3 = 0",
            "x = 1, y = 1, x' = -1",
        ),
        ("vanishing", "constraint x*(y' - z') = 0", "x = -1, x' = 1"),
        (
            "meeting",
            "constraint y' = z'\nconstraint y' + x*z' = z' + x*z'*(1 + x) + x^2*x'",
            "x = -1, x' = 1",
        ),
    ];
    for (name, constraints, start) in cases {
        let text = format!(
            "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential y\n{constraints}\nstart {start}\n\
             time 0 .. 4 step 0.07\n"
        );
        let model = written(&format!("rank_{name}"), text);
        for rule in ["variational-midpoint", "variational-trapezoid"] {
            rattleback(["simulate", &model, "--method", rule])
                .exits(1)
                .says(&["constraints lose their rank"])
                .lacks(&["smaller --step"]);
        }
    }
}
