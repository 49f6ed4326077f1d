//! Draws the figures of `docs/control-problems.md` into `docs/figures`, from solutions made on the spot:
//! `cargo run --release -p rattleback --example control_figures`.
//!
//! Figures 3.5 and 3.6 (a body with two torques), 5.1 to 5.3 (a ball on a rotating plate), 6.4 (cubic splines) and 6.5 (a
//! two-link manipulator) of the thesis, and one for each further problem class.

use rattleback::control::optimal::Scheme;
use rattleback::report::{Column, ColumnKind, Metadata, Plot, PlotWhat, RowSink, Table};
use rattleback::session::Controlled;
use rattleback::{Error, Model};
use std::path::{Path, PathBuf};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    body()?;
    ball()?;
    ball_errors()?;
    spline()?;
    arm()?;
    for (name, what) in [
        ("two_carts", "coordinates, controls"),
        ("acrobot", "coordinates, controls"),
        ("bang", "coordinates, controls"),
        ("slit", "coordinates, controls"),
        ("parking", "x:y, delta, controls"),
        ("ball_turn", "x:y, coordinates"),
        ("gait", "x:y, psi, phi, controls"),
    ] {
        example(name, what)?;
    }
    Ok(())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped(name: &str) -> Result<Model, Box<dyn std::error::Error>> {
    let path = root().join("models").join(format!("{name}.mech"));
    Ok(Model::read(std::fs::read_to_string(path)?)?)
}

/// A figure from rows.
fn draw(name: &str, title: &str, columns: Vec<Column>, what: &str, rows: &[Vec<f64>]) -> Outcome {
    let metadata = Metadata::new().with(Metadata::TITLE, title);
    let table = Table::new(columns).described(metadata);
    let wishes = PlotWhat::parse_list(what, &table)?;
    let path = root().join("docs/figures").join(format!("{name}.svg"));
    let mut plot = Plot::new(&table, &wishes)?.written_to(&path);
    for row in rows {
        plot.row(row)?;
    }
    plot.finish()?;
    println!("{name}: {} rows", rows.len());
    Ok(())
}

fn columns(names: &[&str]) -> Vec<Column> {
    let kind = |i: usize| match i {
        0 => ColumnKind::Time,
        _ => ColumnKind::Line,
    };
    let all = names.iter().enumerate();
    all.map(|(i, n)| Column::new(*n, kind(i))).collect()
}

/// The values of a state or control along a path.
fn values(found: &Controlled, name: &str) -> Vec<f64> {
    let path = &found.solution.trajectory;
    let state = found.names.state.iter().position(|s| s.name == name);
    match state {
        Some(i) => path.states.iter().map(|x| x[i]).collect(),
        None => {
            let control = found.names.controls.iter().position(|n| n == name);
            let control = control.unwrap_or_else(|| panic!("there is no `{name}`"));
            path.controls.iter().map(|u| u[control]).collect()
        }
    }
}

fn rows_of(found: &Controlled, names: &[&str]) -> Vec<Vec<f64>> {
    let all: Vec<Vec<f64>> = names.iter().map(|n| values(found, n)).collect();
    let times = found.solution.trajectory.times.iter().enumerate();
    times
        .map(|(k, t)| {
            std::iter::once(*t)
                .chain(all.iter().map(|c| c[k]))
                .collect()
        })
        .collect()
}

/// 3.5 and 3.6: angular velocities, energy and effort of a round body with two torques, with and without a cost on them.
fn body() -> Outcome {
    let model = shipped("underactuated_rigid_body")?;
    let turned = |c2: &str| -> Result<Controlled, Box<dyn std::error::Error>> {
        let text = model.source().text().replace(
            "goal R = rotation(1/sqrt(0.38)*[0.5, -0.3, 0.2], sqrt(0.38)), p = 0, q = 0, r = 0",
            "goal R = rotation(1/sqrt(0.5)*[0.5, 0.3, 0.4], sqrt(0.5)), p = 0, q = 0",
        );
        let settings = ["I2 = 1", "I3 = 1", "c1 = 1/2", c2, "until = 4"];
        let model = Model::read(text)?.set_all(&settings, &[])?;
        Ok(model.control().starts(6).nodes(80).run(&())?)
    };
    let (plain, weighted) = (turned("c2 = 0")?, turned("c2 = 1/2")?);
    let both = |row: &[f64], other: &[f64]| -> Vec<f64> {
        let half = |a: f64, b: f64| (a * a + b * b) / 2.0;
        vec![
            row[0],
            row[1],
            row[2],
            other[1],
            other[2],
            half(row[1], row[2]),
            half(other[1], other[2]),
            half(row[3], row[4]),
            half(other[3], other[4]),
        ]
    };
    let names = ["p", "q", "u1", "u2"];
    let (a, b) = (rows_of(&plain, &names), rows_of(&weighted, &names));
    let rows: Vec<Vec<f64>> = a.iter().zip(&b).map(|(a, b)| both(a, b)).collect();
    let names = [
        "t",
        "O1",
        "O2",
        "O1 weighted",
        "O2 weighted",
        "energy",
        "energy weighted",
        "effort",
        "effort weighted",
    ];
    let title = "Body with two torques: angular velocities";
    draw(
        "thesis_3_5",
        title,
        columns(&names),
        "O1, O2, O1 weighted, O2 weighted",
        &rows,
    )?;
    let title = "Body with two torques: energy and effort";
    let what = "energy, energy weighted, effort, effort weighted";
    draw("thesis_3_6", title, columns(&names), what, &rows)
}

/// 5.1 to 5.3: the way of the ball, its effort and its controls.
fn ball() -> Outcome {
    let found = shipped("ball_on_rotating_plate")?
        .control()
        .nodes(80)
        .run(&())?;
    let mut rows = rows_of(&found, &["x", "y", "u1", "u2"]);
    for row in &mut rows {
        row.push((row[3] * row[3] + row[4] * row[4]) / 2.0);
    }
    let names = columns(&["t", "x", "y", "u1", "u2", "effort"]);
    let title = "Ball on a rotating plate";
    draw("thesis_5_1", title, names.clone(), "x:y", &rows)?;
    draw("thesis_5_2", title, names.clone(), "effort", &rows)?;
    draw("thesis_5_3", title, names, "u1, u2", &rows)
}

/// The optimum of the ball with its attitude free: z = a + b t + (c + d t) e^{iAt}, and its rate.
fn ball_at(t: f64) -> [f64; 2] {
    let (a, b, d) = (
        [-451.921955621596, -43.667406748984],
        [9.433892018401, -32.735568073606],
        [-1.883781006054, -34.202725269633],
    );
    let c = [1.0 - a[0], -a[1]];
    let (cos, sin) = ((0.15 * t).cos(), (0.15 * t).sin());
    let e = [c[0] + d[0] * t, c[1] + d[1] * t];
    [
        a[0] + b[0] * t + e[0] * cos - e[1] * sin,
        a[1] + b[1] * t + e[0] * sin + e[1] * cos,
    ]
}

/// 5.1, right: the error of the three-point scheme against its step.
fn ball_errors() -> Outcome {
    let mut rows = Vec::new();
    for n in [178, 100, 56, 32, 18, 10] {
        let text = format!(
            "system ball3\nparam N = {n}, h = 4/N, A = 0.15\nstate a, b, c, d\ncontrol e, f\n\
            map next(a) = c, next(b) = d, next(c) = e, next(d) = f\n\
            cost h/2*(((e - 2*c + a)/h^2 + A*(f - b)/(2*h))^2 + ((f - 2*d + b)/h^2 - A*(e - a)/(2*h))^2)\n\
            start a = 1, b = 0, c = 1 + h, d = h\ngoal a = 6 - h, b = -h, c = 6, d = 0\ntime 0 .. N - 1 step 1\n"
        );
        let found = Model::read(text)?.control().run(&())?;
        let h = 4.0 / f64::from(n);
        let mut nodes: Vec<[f64; 2]> = (found.solution.trajectory.states.iter())
            .map(|x| [x[0], x[1]])
            .collect();
        nodes.push([6.0, 0.0]);
        let errors = nodes.iter().enumerate().map(|(k, z)| {
            let exact = ball_at(h * k as f64);
            (z[0] - exact[0]).powi(2) + (z[1] - exact[1]).powi(2)
        });
        let mean = errors.sum::<f64>() / nodes.len() as f64;
        rows.push(vec![h, mean.sqrt()]);
    }
    let title = "Ball: error of the three-point scheme";
    draw(
        "thesis_5_1_error",
        title,
        columns(&["h", "RMS position"]),
        "RMS position",
        &rows,
    )
}

/// The root mean square of differences at the nodes.
fn apart(found: &Controlled, names: &[&str], exact: &dyn Fn(f64) -> Vec<f64>) -> f64 {
    let rows = rows_of(found, names);
    let sum: f64 = (rows.iter())
        .map(|row| {
            let exact = exact(row[0]);
            row[1..]
                .iter()
                .zip(&exact)
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
        })
        .sum();
    (sum / rows.len() as f64).sqrt()
}

/// 6.4: a spline by the discrete Lagrangian of the trapezoid, and its errors.
fn spline() -> Outcome {
    let model = Model::read(
        "system spline\ncoord x, y\nlagrangian (x''^2 + y''^2)/2\nstart x = 0, y = 0, x' = 10, y' = 10\n\
         goal x = 10, y = 0, x' = 10, y' = 20\ntime 0 .. 1\n",
    )?;
    let on = |n: usize| -> Result<Controlled, Error> {
        model.control().scheme(Scheme::Trapezoid).nodes(n).run(&())
    };
    let rows = rows_of(&on(21)?, &["x", "y"]);
    draw(
        "thesis_6_4",
        "A spline of 21 steps",
        columns(&["t", "x", "y"]),
        "x:y",
        &rows,
    )?;
    let exact = |t: f64| vec![10.0 * t, 10.0 * t - 40.0 * t * t + 30.0 * t * t * t];
    let speeds = |t: f64| vec![10.0, 10.0 - 80.0 * t + 90.0 * t * t];
    let mut errors = Vec::new();
    for n in [80, 40, 20, 10] {
        let found = on(n)?;
        let position = apart(&found, &["x", "y"], &exact);
        let velocity = apart(&found, &["x'", "y'"], &speeds);
        errors.push(vec![1.0 / n as f64, position, velocity]);
    }
    let names = columns(&["h", "RMS q", "RMS v"]);
    draw(
        "thesis_6_4_error",
        "Errors of the spline",
        names,
        "RMS q, RMS v",
        &errors,
    )
}

/// 6.5: the manipulator on 30 steps, and its errors.
fn arm() -> Outcome {
    let model = shipped("two_link_manipulator")?;
    let on = |n: usize| -> Result<Controlled, Error> {
        model.control().scheme(Scheme::Midpoint).nodes(n).run(&())
    };
    let names = ["theta1", "theta2", "theta1'", "theta2'"];
    let found = on(30)?;
    let rows = rows_of(&found, &names);
    let title = "Two-link manipulator on 30 steps";
    let heads = ["t", names[0], names[1], names[2], names[3]];
    draw(
        "thesis_6_5",
        title,
        columns(&heads),
        "theta1, theta2",
        &rows,
    )?;
    let fine = model.control().scheme(Scheme::Gauss6).nodes(960).run(&())?;
    let fine = rows_of(&fine, &names);
    let exact = |places: [usize; 2]| {
        let fine = fine.clone();
        move |t: f64| -> Vec<f64> {
            let gap = |k: &usize| (fine[*k][0] - t).abs();
            let k = (0..fine.len()).min_by(|a, b| gap(a).total_cmp(&gap(b)));
            places.map(|p| fine[k.unwrap_or(0)][p]).to_vec()
        }
    };
    let mut errors = Vec::new();
    for n in [32, 20, 16, 10] {
        let found = on(n)?;
        let position = apart(&found, &names[..2], &exact([1, 2]));
        let velocity = apart(&found, &names[2..], &exact([3, 4]));
        errors.push(vec![1.0 / n as f64, position, velocity]);
    }
    let names = columns(&["h", "RMS q", "RMS v"]);
    draw(
        "thesis_6_5_error",
        "Errors of the manipulator",
        names,
        "RMS q, RMS v",
        &errors,
    )
}

/// A model of docs/examples, as `control --plot` shows it.
fn example(name: &str, what: &str) -> Outcome {
    let path = root().join("docs/examples").join(format!("{name}.mech"));
    let model = Model::read(std::fs::read_to_string(path)?)?;
    let found = model.control().run(&())?;
    let table = rattleback::control_page::table(&found, model.source().text());
    let rows: Vec<Vec<f64>> = rattleback::control_page::rows(&found).collect();
    let title = found.title.clone().unwrap_or_default();
    println!(
        "{name}: {} {:?}",
        found.solution.status.name(),
        found.solution.cost
    );
    draw(
        &format!("control_{name}"),
        &title,
        table.columns,
        what,
        &rows,
    )
}
