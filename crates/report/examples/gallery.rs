//! Draws the figures of `docs/output.md` into the current directory: `cargo run -p rattleback-report --example gallery`.
//!
//! The motions are closed formulas, so that the gallery needs no integrator.

use rattleback_report::{
    Column, ColumnKind, Metadata, Plot, PlotWhat, ReportError, RowSink, Table,
};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    knife_edge("knife_edge.svg")?;
    pendulum("phase.svg")?;
    comparison("comparison.svg")?;
    attitude("attitude.svg")?;
    Ok(())
}

fn fill(
    plot: Plot,
    name: &str,
    end: f64,
    row: impl Fn(f64) -> Vec<f64>,
) -> Result<(), ReportError> {
    let mut plot = plot.written_to(Path::new(name));
    for k in 0..=20_000 {
        plot.row(&row(end * f64::from(k) / 20_000.0))?;
    }
    plot.finish()
}

/// The knife edge on an inclined plane: a cycloid that slides sideways.
fn knife_edge(name: &str) -> Result<(), Box<dyn Error>> {
    let (rate, pull) = (1.5, 9.81 * 0.3_f64.sin());
    let c = pull / (2.0 * rate * rate);
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time).with_unit(Some("s")),
        Column::new("x", ColumnKind::Line).with_unit(Some("m")),
        Column::new("y", ColumnKind::Line).with_unit(Some("m")),
        Column::new("phi", ColumnKind::Angle),
        Column::new("x'", ColumnKind::Velocity).with_unit(Some("m/s")),
        Column::new("y'", ColumnKind::Velocity).with_unit(Some("m/s")),
        Column::new("phi'", ColumnKind::Velocity).with_unit(Some("rad/s")),
        Column::new("energy_error", ColumnKind::EnergyError),
        Column::new("constraint1", ColumnKind::ConstraintResidual),
    ])
    .described(Metadata::new().with(Metadata::TITLE, "Knife edge on an inclined plane"));
    fill(Plot::sensible(&table), name, 10.0, |t| {
        let phi = rate * t;
        let speed = pull / rate * phi.sin();
        let noise = 1e-15 * (1.0 + t) * (t * 917.0).sin() * (t * 57.0).cos();
        vec![
            t,
            c * phi.sin().powi(2),
            c * (phi - phi.sin() * phi.cos()),
            phi,
            speed * phi.cos(),
            speed * phi.sin(),
            rate,
            noise * 30.0,
            noise.abs(),
        ]
    })?;
    Ok(())
}

/// A damped turn of two coupled rods: phase portraits and one quantity against another.
fn pendulum(name: &str) -> Result<(), Box<dyn Error>> {
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new("theta1", ColumnKind::Angle),
        Column::new("theta2", ColumnKind::Angle),
        Column::new("theta1'", ColumnKind::Velocity).with_unit(Some("rad/s")),
        Column::new("theta2'", ColumnKind::Velocity).with_unit(Some("rad/s")),
        Column::new("p_theta1", ColumnKind::Momentum),
    ])
    .described(Metadata::new().with(Metadata::TITLE, "Two rods"));
    let wishes = PlotWhat::parse_list("coordinates, momenta, phase, θ₁:θ₂", &table)?;
    fill(Plot::new(&table, &wishes)?, name, 30.0, |t| {
        let decay = (-0.08 * t).exp();
        vec![
            t,
            1.2 * decay * (2.1 * t).cos(),
            9.0 * (1.0 - decay) + 0.5 * (3.3 * t).sin(),
            -1.2 * decay * (2.1 * (2.1 * t).sin() + 0.08 * (2.1 * t).cos()),
            0.72 * decay + 1.65 * (3.3 * t).cos(),
            2.5e-6 * decay * (2.1 * t).sin(),
        ]
    })?;
    Ok(())
}

/// Two motions from one start, side by side.
fn comparison(name: &str) -> Result<(), Box<dyn Error>> {
    let mut columns = vec![Column::new("t", ColumnKind::Time).with_unit(Some("s"))];
    for motion in ["nonholonomic", "vakonomic"] {
        for quantity in ["x", "y"] {
            let column = Column::new(quantity, ColumnKind::Line).with_unit(Some("m"));
            columns.push(column.of_motion(motion));
        }
    }
    columns.push(Column::new("distance", ColumnKind::Distance).with_unit(Some("m")));
    let table = Table::new(columns)
        .described(Metadata::new().with(Metadata::TITLE, "Skate: two principles, two motions"));
    fill(Plot::sensible(&table), name, 10.0, |t| {
        let (a, b) = (t.cos() * t, t.sin() * t);
        let (c, d) = ((1.05 * t).cos() * t, (1.02 * t).sin() * t);
        vec![t, a, b, c, d, (a - c).hypot(b - d)]
    })?;
    Ok(())
}

/// Nine entries of a turning body, with a stretch without values.
fn attitude(name: &str) -> Result<(), Box<dyn Error>> {
    let mut columns = vec![Column::new("t", ColumnKind::Time)];
    for entry in 0..9 {
        let name = format!("R[{},{}]", entry / 3 + 1, entry % 3 + 1);
        columns.push(Column::new(name, ColumnKind::GroupEntry));
    }
    for axis in 1..=3 {
        columns
            .push(Column::new(format!("w[{axis}]"), ColumnKind::Velocity).with_unit(Some("rad/s")));
    }
    columns.push(Column::new("spin", ColumnKind::Observable).with_unit(Some("kg m^2/s")));
    let table =
        Table::new(columns).described(Metadata::new().with(Metadata::TITLE, "A turning body"));
    fill(Plot::sensible(&table), name, 12.0, |t| {
        let mut row = vec![t];
        row.extend((0..9).map(|k| (t + f64::from(k)).sin()));
        row.extend((1..=3).map(|k| 40.0 * (f64::from(k) * t).cos()));
        row.push(if (4.0..5.0).contains(&t) {
            f64::NAN
        } else {
            1e6 + 2e5 * (9.0 * t).sin()
        });
        row
    })?;
    Ok(())
}
