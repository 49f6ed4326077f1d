//! A picture of S^k and of its caustics, for one and two degrees of freedom.

use super::Page;
use crate::discrete::{Fan, Ray};
use crate::{Aspect, Axis, Curve, Figure, Line, Panel};

/// Every so many motions of a fan are drawn as rays.
const EVERY: usize = 8;
/// How many values of S have a line of their own.
const LEVELS: usize = 12;
/// Half the size of a mark, as a part of the picture.
const MARK: f64 = 0.008;
/// Colours of the palette.
const MESH: usize = 0;
const CAUSTIC: usize = 1;
const LEVEL: usize = 2;
const MOTION: usize = 3;

impl Page<'_> {
    /// S^k over the configurations, drawn by the motions beside the one that was found; none where no action was asked
    /// for with a picture.
    pub fn picture(&self) -> Option<Figure> {
        let found = self.found.numbers.action.as_ref()?;
        let fan = found.fan.as_ref()?;
        let names = self.coordinates();
        let steps = found.action.path.len() - 1;
        let title = format!("{}: S after {steps} steps", self.problem.system.name());
        let step = self.found.numbers.step.unwrap_or(1.0);
        let figure = Figure::new(title);
        Some(match names.len() {
            1 => figure
                .with(rays_over_time(fan, &names[0], step))
                .with(over_positions(fan, steps, &names[0], "S", |ray| {
                    ray.values[steps]
                }))
                .with(over_positions(fan, steps, &names[0], "DS", |ray| {
                    ray.nodes[steps].p[0]
                })),
            _ => {
                let path = found.action.path.iter().map(|node| [node.q[0], node.q[1]]);
                figure.with(in_the_plane(fan, steps, &names, path.collect()))
            }
        })
    }
}

/// Is the motion complete?
fn reaches(ray: &Ray, steps: usize) -> bool {
    ray.nodes.len() > steps && ray.values[steps].is_finite()
}

/// Where a line between two values passes zero, as a part of it.
fn zero_between(a: f64, b: f64) -> Option<f64> {
    ((a < 0.0) != (b < 0.0)).then(|| a / (a - b))
}

fn between(a: f64, b: f64, part: f64) -> f64 {
    a + part * (b - a)
}

fn gap(curve: &mut Curve) {
    curve.push(f64::NAN, f64::NAN);
}

/// Crosses at points.
fn marks(points: &[[f64; 2]], all: &[[f64; 2]]) -> Curve {
    let extent = |axis: usize| {
        let values = all.iter().map(|p| p[axis]);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        MARK * (high - low)
    };
    let size = [extent(0), extent(1)];
    let mut curve = Curve::new();
    for [x, y] in points {
        for (dx, dy) in [(size[0], size[1]), (size[0], -size[1])] {
            curve.push(x - dx, y - dy);
            curve.push(x + dx, y + dy);
            gap(&mut curve);
        }
    }
    curve
}

/// q over time along the motions, and where neighbouring ones meet.
fn rays_over_time(fan: &Fan, name: &str, step: f64) -> Panel {
    let mut rays = Curve::new();
    let mut seen = Vec::new();
    for ray in fan.rays.iter().step_by(EVERY) {
        for (k, node) in ray.nodes.iter().enumerate() {
            rays.push(k as f64 * step, node.q[0]);
            seen.push([k as f64 * step, node.q[0]]);
        }
        gap(&mut rays);
    }
    let mut met = Vec::new();
    for ray in &fan.rays {
        // At the start of point data all motions are together.
        for k in 1..ray.nodes.len().saturating_sub(1) {
            if let Some(part) = zero_between(ray.spreads[k], ray.spreads[k + 1]) {
                let q = between(ray.nodes[k].q[0], ray.nodes[k + 1].q[0], part);
                met.push([(k as f64 + part) * step, q]);
            }
        }
    }
    let panel = Panel::new(
        Axis::linear("t", None),
        Axis::linear(name, None),
        Aspect::Free,
    )
    .with(Line::path("motions", rays).styled(MESH, 0));
    with_marks(panel, &met, &seen)
}

fn with_marks(panel: Panel, met: &[[f64; 2]], seen: &[[f64; 2]]) -> Panel {
    match met.is_empty() {
        true => panel,
        false => panel.with(Line::path("caustics", marks(met, seen)).styled(CAUSTIC, 0)),
    }
}

/// A function of the last nodes over their positions: with several values behind a caustic, and a cusp or a fold there.
fn over_positions(
    fan: &Fan,
    steps: usize,
    name: &str,
    what: &str,
    value: impl Fn(&Ray) -> f64,
) -> Panel {
    let point = |ray: &Ray| [ray.nodes[steps].q[0], value(ray)];
    let mut curve = Curve::new();
    let (mut seen, mut met) = (Vec::new(), Vec::new());
    for ray in &fan.rays {
        match reaches(ray, steps) {
            true => {
                let [x, y] = point(ray);
                curve.push(x, y);
                seen.push([x, y]);
            }
            false => gap(&mut curve),
        }
    }
    for pair in fan.rays.windows(2) {
        if !pair.iter().all(|ray| reaches(ray, steps)) {
            continue;
        }
        if let Some(part) = zero_between(pair[0].spreads[steps], pair[1].spreads[steps]) {
            let (a, b) = (point(&pair[0]), point(&pair[1]));
            met.push([between(a[0], b[0], part), between(a[1], b[1], part)]);
        }
    }
    let panel = Panel::new(
        Axis::linear(name, None),
        Axis::linear(what, None),
        Aspect::Free,
    )
    .with(Line::path(what, curve).styled(MESH, 0));
    with_marks(panel, &met, &seen)
}

/// The last nodes in the plane: lines of the grid of data, of equal S, and of caustics, with the motion that was found.
fn in_the_plane(fan: &Fan, steps: usize, names: &[String], path: Vec<[f64; 2]>) -> Panel {
    let count = fan.counts[0];
    let ray = |i: usize, j: usize| fan.at(&[i, j]);
    let mut mesh = Curve::new();
    for turned in [false, true] {
        for i in (0..count).step_by(EVERY / 2) {
            for j in 0..count {
                let ray = if turned { ray(j, i) } else { ray(i, j) };
                match reaches(ray, steps) {
                    true => mesh.push(ray.nodes[steps].q[0], ray.nodes[steps].q[1]),
                    false => gap(&mut mesh),
                }
            }
            gap(&mut mesh);
        }
    }
    let caustics = level_lines(fan, steps, |ray| ray.spreads[steps]);
    let values = fan.rays.iter().filter(|ray| reaches(ray, steps));
    let values: Vec<f64> = values.map(|ray| ray.values[steps]).collect();
    let low = values.iter().copied().fold(f64::MAX, f64::min);
    let high = values.iter().copied().fold(f64::MIN, f64::max);
    let mut levels = Curve::new();
    for k in 1..=LEVELS {
        let level = low + (high - low) * k as f64 / (LEVELS + 1) as f64;
        draw(
            &level_lines(fan, steps, |ray| ray.values[steps] - level),
            &mut levels,
        );
    }
    let mut motion = Curve::new();
    path.iter().for_each(|[x, y]| motion.push(*x, *y));
    let panel = Panel::new(
        Axis::linear(&names[0], None),
        Axis::linear(&names[1], None),
        Aspect::Equal,
    )
    .with(Line::path("grid of data", mesh).styled(MESH, 0))
    .with(Line::path("equal S", levels).styled(LEVEL, 0))
    .with(Line::path("motion", motion).styled(MOTION, 0));
    match caustics.is_empty() {
        true => panel,
        false => {
            let mut curve = Curve::new();
            draw(&caustics, &mut curve);
            panel.with(Line::path("caustics", curve).styled(CAUSTIC, 0))
        }
    }
}

fn draw(segments: &[[[f64; 2]; 2]], curve: &mut Curve) {
    for segment in segments {
        segment.iter().for_each(|[x, y]| curve.push(*x, *y));
        gap(curve);
    }
}

/// Where a function of the motions vanishes, by segments in the triangles of the grid, at the last nodes.
fn level_lines(fan: &Fan, steps: usize, f: impl Fn(&Ray) -> f64) -> Vec<[[f64; 2]; 2]> {
    let count = fan.counts[0];
    let mut segments = Vec::new();
    for i in 0..count - 1 {
        for j in 0..count - 1 {
            for corner in [[i + 1, j], [i, j + 1]] {
                let corners = [[i, j], corner, [i + 1, j + 1]].map(|place| fan.at(&place));
                if !corners.iter().all(|ray| reaches(ray, steps)) {
                    continue;
                }
                let crossed: Vec<[f64; 2]> = [(0, 1), (1, 2), (2, 0)]
                    .into_iter()
                    .filter_map(|(a, b)| {
                        let (a, b) = (corners[a], corners[b]);
                        let part = zero_between(f(a), f(b))?;
                        let (p, q) = (&a.nodes[steps].q, &b.nodes[steps].q);
                        Some([between(p[0], q[0], part), between(p[1], q[1], part)])
                    })
                    .collect();
                if let [a, b] = crossed[..] {
                    segments.push([a, b]);
                }
            }
        }
    }
    segments
}
