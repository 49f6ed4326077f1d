//! Figures as a user meets them: chosen panels, small files, nothing that breaks them.

mod common;

use common::Directory;
use proptest::prelude::*;
use rattleback_report::{
    Aspect, Axis, Column, ColumnKind, Envelope, Figure, Line, Metadata, Panel, Plot, PlotWhat,
    ReportError, RowSink, Table, WhatError,
};

fn table() -> Table {
    Table::new(vec![
        Column::new("t", ColumnKind::Time).with_unit(Some("s")),
        Column::new("x", ColumnKind::Line).with_unit(Some("m")),
        Column::new("y", ColumnKind::Line).with_unit(Some("m")),
        Column::new("theta1", ColumnKind::Angle),
        Column::new("x'", ColumnKind::Velocity).with_unit(Some("m/s^2")),
        Column::new("theta1'", ColumnKind::Velocity),
        Column::new("energy_error", ColumnKind::EnergyError),
        Column::new("constraint1", ColumnKind::ConstraintResidual),
    ])
    .described(Metadata::new().with(Metadata::TITLE, "A <title> & more"))
}

fn row(t: f64) -> [f64; 8] {
    let (s, c) = t.sin_cos();
    [t, s * t, c * t, 3.0 * t, c, 3.0, 1e-12 * s, 0.0]
}

fn drawn(plot: &mut Plot, rows: u32) -> String {
    for k in 0..rows {
        plot.row(&row(f64::from(k) * 0.001)).unwrap();
    }
    plot.figure().svg()
}

/// Every element is closed, in order, and no coordinate is missing.
fn assert_sound(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, text) = tag
            .split_once('>')
            .unwrap_or_else(|| panic!("an open tag: {tag}"));
        assert!(!text.contains('"'), "{tag}");
        let name = inside
            .split([' ', '/'])
            .find(|part| !part.is_empty())
            .unwrap();
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') {
            open.push(name);
        }
        assert!(!inside.contains("NaN") && !inside.contains("inf"), "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}

fn panels(svg: &str) -> usize {
    svg.matches("<clipPath").count()
}

#[test]
fn the_sensible_figure_shows_what_there_is() {
    let svg = drawn(&mut Plot::sensible(&table()), 5_000);
    assert_sound(&svg);
    // Lengths, angles, two kinds of velocities, errors, the path.
    assert_eq!(panels(&svg), 6);
    for text in [
        "A &lt;title&gt; &amp; more",
        "(m/s²)",
        "θ",
        "ẋ",
        "energy error",
        "10⁻¹²",
        "−π",
    ] {
        assert!(svg.contains(text), "{text} is missing");
    }
}

#[test]
fn a_figure_shows_what_is_asked_for() {
    for (list, count) in [
        ("coordinates", 2),
        ("velocities", 2),
        ("path", 1),
        ("phase", 2),
        ("energy, constraints", 2),
        ("errors", 1),
        ("x:theta1", 1),
        ("t:x", 1),
        ("θ₁, x'", 2),
    ] {
        let wishes = PlotWhat::parse_list(list, &table()).unwrap();
        let svg = drawn(&mut Plot::new(&table(), &wishes).unwrap(), 100);
        assert_sound(&svg);
        assert_eq!(panels(&svg), count, "{list}");
    }
    let nothing = Plot::new(&table(), &[PlotWhat::Momenta]).unwrap_err();
    assert_eq!(nothing, WhatError::Nothing(PlotWhat::Momenta));
    assert_eq!(nothing.to_string(), "this motion has no momenta to plot");
}

#[test]
fn errors_of_an_energy_are_its_changes_and_zeros_are_told() {
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new("y1", ColumnKind::FrameVelocity),
        Column::new("x'", ColumnKind::Velocity),
        Column::new("energy", ColumnKind::Energy),
        Column::new("residual1", ColumnKind::ConstraintResidual),
    ]);
    let mut plot = Plot::sensible(&table);
    for k in 0..100 {
        let t = f64::from(k);
        plot.row(&[t, 1.0, 1.0, 5.0 + 1e-9 * t, 0.0]).unwrap();
    }
    let svg = plot.figure().svg();
    assert_sound(&svg);
    assert!(
        svg.contains("energy error") && svg.contains("residual 1 = 0"),
        "{svg}"
    );
    assert!(svg.contains("10⁻⁷") && !svg.contains("10⁻¹⁸"), "{svg}");
    // The word means the error, also beside a column of that name; over time the column can be had.
    for (wish, on_logarithm) in [("energy", true), ("t:energy", false)] {
        let wishes = PlotWhat::parse_list(wish, &table).unwrap();
        let mut plot = Plot::new(&table, &wishes).unwrap();
        plot.row(&[0.0, 1.0, 1.0, 5.0, 0.0]).unwrap();
        plot.row(&[1.0, 1.0, 1.0, 5.5, 0.0]).unwrap();
        assert_eq!(plot.figure().svg().contains("energy error"), on_logarithm);
    }
    // The velocity in a frame is left out where the model has its own.
    assert_eq!(panels(&svg), 2);
    let wishes = PlotWhat::parse_list("frame", &table).unwrap();
    assert_eq!(
        panels(&Plot::new(&table, &wishes).unwrap().figure().svg()),
        1
    );
}

#[test]
fn a_million_rows_make_a_small_file() {
    let svg = drawn(&mut Plot::sensible(&table()), 1_000_000);
    assert_sound(&svg);
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
}

#[test]
fn the_same_rows_make_the_same_bytes() {
    let one = drawn(&mut Plot::sensible(&table()), 30_000);
    let two = drawn(&mut Plot::sensible(&table()), 30_000);
    assert_eq!(one, two);
}

#[test]
fn motions_are_told_apart() {
    let mut columns = vec![Column::new("t", ColumnKind::Time)];
    for motion in ["nonholonomic", "vakonomic"] {
        columns.push(Column::new("x", ColumnKind::Line).of_motion(motion));
        columns.push(Column::new("y", ColumnKind::Line).of_motion(motion));
        columns.push(Column::new("energy", ColumnKind::Energy).of_motion(motion));
    }
    columns.push(Column::new("distance", ColumnKind::Distance));
    let mut plot = Plot::sensible(&Table::new(columns));
    for k in 0..100 {
        let t = f64::from(k) * 0.1;
        let (s, c) = t.sin_cos();
        plot.row(&[t, c, s, 1.0 + 1e-9 * t, c, 2.0 * s, 2.0 + 1e-8 * t, s.abs()])
            .unwrap();
    }
    let svg = plot.figure().svg();
    assert_sound(&svg);
    // Coordinates, path, distance, errors.
    assert_eq!(panels(&svg), 4);
    for text in [
        "> nonholonomic",
        "> vakonomic",
        "energy error vakonomic",
        "stroke-dasharray",
    ] {
        assert!(svg.contains(text), "{text} is missing");
    }
}

#[test]
fn one_row_is_a_dot() {
    let svg = drawn(&mut Plot::sensible(&table()), 1);
    assert_sound(&svg);
    // Of x, y, the angle, two velocities and the path.
    let dots = svg.lines().filter(|line| line.contains("h0\" stroke="));
    assert_eq!(
        dots.filter(|line| line.contains("stroke-width=\"4.4\""))
            .count(),
        6
    );
    // So is a value between two gaps.
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new("x", ColumnKind::Line),
    ]);
    let mut plot = Plot::sensible(&table);
    for (k, x) in [1.0, 2.0, f64::NAN, 1.5, f64::NAN, 2.0, 1.0]
        .into_iter()
        .enumerate()
    {
        plot.row(&[k as f64, x]).unwrap();
    }
    assert_eq!(plot.figure().svg().matches("h0\"").count(), 1);
}

#[test]
fn long_names_are_shortened_and_told_in_the_legend() {
    let name = "the_horizontal_position_of_the_cart";
    let unit = "furlong per fortnight squared";
    let title = "A title of many words ".repeat(30);
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new(name, ColumnKind::Line).with_unit(Some(unit)),
        Column::new("y", ColumnKind::Line),
        Column::new(format!("{name}{name}{name}"), ColumnKind::Angle),
    ])
    .described(Metadata::new().with(Metadata::TITLE, title));
    let mut plot = Plot::sensible(&table);
    plot.row(&[0.0, 1.0, 2.0, 3.0]).unwrap();
    plot.row(&[1.0, 2.0, 3.0, 2.0]).unwrap();
    let svg = plot.figure().svg();
    assert_sound(&svg);
    let words = name.replace('_', " ");
    // The whole name is in the legend, a part of it beside the axis.
    assert!(svg.contains(&format!(">{words}</text>")), "{svg}");
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    let shown = texts.map(|line| {
        let inside = line.rsplit_once("</title>").unwrap_or(("", line)).1;
        let inside = inside.trim_end_matches("</text>");
        (
            line.contains("rotate"),
            inside
                .rsplit('>')
                .next()
                .unwrap_or_default()
                .chars()
                .count(),
        )
    });
    for (is_turned, letters) in shown {
        assert!(
            letters < if is_turned { 60 } else { 125 },
            "{letters} letters"
        );
    }
    assert_eq!(svg.matches("font-weight=\"bold\"").count(), 3);
    assert!(svg.matches('…').count() >= 4);
}

#[test]
fn quantities_of_very_different_size_have_axes_of_their_own() {
    let mut columns = vec![Column::new("t", ColumnKind::Time)];
    columns.extend(["a", "b", "c", "d"].map(|name| Column::new(name, ColumnKind::Observable)));
    let mut plot = Plot::sensible(&Table::new(columns));
    for k in 0..100 {
        let t = f64::from(k);
        plot.row(&[t, 1e12, 1e8 + t, 1e-13 * t, 2e8 - t]).unwrap();
    }
    let svg = plot.figure().svg();
    assert_sound(&svg);
    assert_eq!(panels(&svg), 3);
}

#[test]
fn empty_figures_are_figures() {
    assert_sound(&Figure::new("").svg());
    assert!(Figure::new("").svg().contains("nothing to draw"));
    assert_sound(&Plot::sensible(&table()).figure().svg());
    let panel = Panel::new(
        Axis::linear("t", None),
        Axis::logarithmic("error"),
        Aspect::Free,
    );
    let line = Line::function("e", Envelope::new());
    assert_sound(&Figure::new("empty").with(panel.with(line)).svg());
}

#[test]
fn a_plot_is_written_at_the_end() {
    let directory = Directory::new();
    let path = directory.file("a.svg");
    let mut plot = Plot::sensible(&table()).written_to(&path);
    let svg = drawn(&mut plot, 10);
    plot.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), svg);
    // Nothing is left beside it, and a second one replaces it.
    plot.finish().unwrap();
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);

    let missing = directory.file("no/such/a.svg");
    let error = plot.written_to(&missing).finish().unwrap_err();
    assert!(matches!(&error, ReportError::Create { path, .. } if *path == missing));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let directory = Directory::new();
    let path = directory.file("a.svg");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let error = Plot::sensible(&table())
        .written_to(&path)
        .finish()
        .unwrap_err();
    assert!(matches!(error, ReportError::Write { .. }), "{error}");
}

proptest! {
    #![proptest_config(rattleback_testing::cases(64))]

    #[test]
    fn any_numbers_make_a_sound_figure(
        rows in prop::collection::vec(prop::array::uniform8(prop::num::f64::ANY), 0..40)
    ) {
        let mut plot = Plot::sensible(&table());
        for row in &rows {
            plot.row(row).unwrap();
        }
        assert_sound(&plot.figure().svg());
    }
}
