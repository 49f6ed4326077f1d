//! Figures of long motions tell the truth: nothing is drawn where the motion was not, and nothing is lost.

use rattleback_report::{Column, ColumnKind, Plot, PlotWhat, RowSink, Table};

type Pixel = [f64; 2];

/// The numbers of a path's data, each with the command that it belongs to.
fn numbers(d: &str) -> Vec<(char, f64)> {
    let mut all = Vec::new();
    for part in d
        .split_inclusive(['M', 'L', 'h'])
        .collect::<Vec<_>>()
        .windows(2)
    {
        let command = part[0].chars().last().unwrap();
        let values = part[1].trim_end_matches(['M', 'L', 'h']).split(' ');
        all.extend(values.map(|value| (command, value.parse().unwrap())));
    }
    all
}

/// The straight lines of a path's data.
fn segments(d: &str) -> Vec<[Pixel; 2]> {
    let mut lines = Vec::new();
    let mut at = [0.0; 2];
    let mut rest = numbers(d).into_iter();
    while let Some((command, x)) = rest.next() {
        let to = match command {
            'h' => [at[0] + x, at[1]],
            _ => [x, rest.next().unwrap().1],
        };
        if command != 'M' {
            lines.push([at, to]);
        }
        at = to;
    }
    lines
}

/// The lines that are drawn in the first colour.
fn drawn(svg: &str) -> Vec<[Pixel; 2]> {
    let paths = svg.split("<path d=\"").skip(1);
    let of_data = paths.filter(|path| path.contains("stroke=\"#0072b2\""));
    let d = |path: &str| path.split('"').next().unwrap_or_default().to_owned();
    // Samples of legends are strokes of two pixels.
    of_data
        .filter(|path| !path.lines().next().unwrap().contains("stroke-width=\"2\""))
        .flat_map(|path| segments(&d(path)))
        .collect()
}

/// Points along a line, less than a tenth of a pixel apart.
fn along([a, b]: [Pixel; 2]) -> impl Iterator<Item = Pixel> {
    let count = (10.0 * (b[0] - a[0]).hypot(b[1] - a[1])).ceil().max(1.0) as u32;
    (0..=count).map(move |k| {
        let share = f64::from(k) / f64::from(count);
        [0, 1].map(|axis: usize| a[axis] + share * (b[axis] - a[axis]))
    })
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
        (low.min(v), high.max(v))
    })
}

fn portrait(kind: ColumnKind) -> (Table, Plot) {
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new("x", kind),
        Column::new("x'", ColumnKind::Velocity),
    ]);
    let wishes = PlotWhat::parse_list("x:x'", &table).unwrap();
    let plot = Plot::new(&table, &wishes).unwrap();
    (table, plot)
}

#[test]
fn an_oscillator_is_a_circle_however_long() {
    for rows in [2_000_u32, 100_000, 1_000_000] {
        let (_, mut plot) = portrait(ColumnKind::Line);
        for k in 0..=rows {
            let t = 0.1 * f64::from(k);
            plot.row(&[t, t.cos(), -t.sin()]).unwrap();
        }
        let svg = plot.figure().svg();
        assert!(svg.len() < 400_000, "{} bytes", svg.len());
        let ink: Vec<Pixel> = drawn(&svg).into_iter().flat_map(along).collect();
        let centre_and_radius = |axis: usize| {
            let (low, high) = bounds(ink.iter().map(|p| p[axis]));
            (0.5 * (low + high), 0.5 * (high - low))
        };
        let [(cx, a), (cy, b)] = [centre_and_radius(0), centre_and_radius(1)];
        assert!(a > 100.0 && b > 100.0);
        let mut seen = [false; 360];
        for [x, y] in &ink {
            let (u, v) = ((x - cx) / a, (y - cy) / b);
            // The distance from the ellipse, to first order.
            let off = (u * u + v * v - 1.0).abs() / (2.0 * (u / a).hypot(v / b));
            assert!(off < 1.0, "{rows} rows: {off} pixels off at {x} {y}");
            seen[(v.atan2(u).to_degrees() + 180.0) as usize % 360] = true;
        }
        assert!(seen.iter().all(|s| *s), "{rows} rows: the circle has holes");
    }
}

#[test]
fn a_decaying_swing_has_no_chords() {
    let (_, mut plot) = portrait(ColumnKind::Angle);
    // First round and round, so that the angle is wrapped, then a swing that dies out.
    let rows = 600_000_u32;
    let state = |t: f64| {
        let fast = (-t / 4000.0).exp();
        (12.0 - 12.0 * fast + fast * t.cos(), fast * t.sin())
    };
    let mut farthest = 0.0_f64;
    for k in 0..=rows {
        let t = 0.05 * f64::from(k);
        let (x, v) = state(t);
        farthest = farthest.max(v.abs());
        plot.row(&[t, x, v]).unwrap();
    }
    let ink: Vec<Pixel> = drawn(&plot.figure().svg())
        .into_iter()
        .flat_map(along)
        .collect();
    let (left, right) = bounds(ink.iter().map(|p| p[0]));
    let (top, bottom) = bounds(ink.iter().map(|p| p[1]));
    // Around the wrapped angle at time t the swing reaches exp(−t/4000): compare the height of what is inked
    // with the highest that any row within a pixel of there has.
    let columns = (right - left).ceil() as usize + 1;
    let mut highest = vec![0.0_f64; columns];
    let scale = (right - left) / std::f64::consts::TAU;
    for k in 0..=rows {
        let (x, v) = state(0.05 * f64::from(k));
        let wrapped = x - std::f64::consts::TAU * (x / std::f64::consts::TAU).round();
        let place = ((wrapped + std::f64::consts::PI) * scale) as usize;
        highest[place.min(columns - 1)] = highest[place.min(columns - 1)].max(v.abs());
    }
    let middle = 0.5 * (top + bottom);
    let unit = 0.5 * (bottom - top) / farthest;
    for [x, y] in ink {
        let place = (x - left) as usize;
        let near = place.saturating_sub(2)..(place + 3).min(columns);
        let most = highest[near].iter().copied().fold(0.0, f64::max) * unit;
        assert!(
            (y - middle).abs() < most + 1.5,
            "ink at {x} {y}, beyond {most}"
        );
    }
}

#[test]
fn every_pixel_column_keeps_its_lowest_and_highest_value() {
    let table = Table::new(vec![
        Column::new("t", ColumnKind::Time),
        Column::new("x", ColumnKind::Line),
    ]);
    let rows = 1_000_000_u32;
    let value = |k: u32| {
        let s = f64::from(k);
        let spike = if k % 77_777 == 5 { 2.0 } else { 0.0 };
        (0.37 * s).sin() * (1.0 + (s * 3e-5).sin()) + (s * s * 1e-9).cos() + spike
    };
    let mut plot = Plot::sensible(&table);
    for k in 0..rows {
        plot.row(&[f64::from(k), value(k)]).unwrap();
    }
    let ink: Vec<Pixel> = drawn(&plot.figure().svg())
        .into_iter()
        .flat_map(along)
        .collect();
    let (left, right) = bounds(ink.iter().map(|p| p[0]));
    let (top, bottom) = bounds(ink.iter().map(|p| p[1]));
    let (least, most) = bounds((0..rows).map(value));
    let columns = (right - left).ceil() as usize + 1;
    let empty = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut told, mut shown) = (vec![empty; columns], vec![empty; columns]);
    let add = |all: &mut Vec<(f64, f64)>, place: f64, y: f64| {
        if let Some((low, high)) = all.get_mut(place as usize) {
            (*low, *high) = (low.min(y), high.max(y));
        }
    };
    for k in 0..rows {
        let x = f64::from(k) / f64::from(rows - 1) * (right - left);
        let y = bottom - (value(k) - least) / (most - least) * (bottom - top);
        add(&mut told, x, y);
    }
    for [x, y] in ink {
        add(&mut shown, x - left, y);
    }
    // A stretch of rows may lie across the edge of two columns.
    let near = |all: &[(f64, f64)], place: usize| {
        let around = place.saturating_sub(1)..(place + 2).min(columns);
        all[around]
            .iter()
            .fold(empty, |(low, high), one| (low.min(one.0), high.max(one.1)))
    };
    for place in 0..columns - 1 {
        for (one, other) in [(&told, &shown), (&shown, &told)] {
            let (low, high) = one[place];
            let (lower, higher) = near(other, place);
            assert!(lower < low + 0.6 && higher > high - 0.6, "column {place}");
        }
    }
}
