//! Lines as SVG paths: no more points than the eye can tell apart.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::axis::Mapping;
use super::line::{Data, Line};
use super::simplify::simplify;
use super::style::{colour, dash};
use super::{Point, is_gap};

/// The attribute of a stroke.
pub(super) fn dashed(number: usize) -> String {
    match dash(number) {
        "" => String::new(),
        pattern => format!(" stroke-dasharray=\"{pattern}\""),
    }
}

/// A line in pixels; of `peaks`, only the highest point in every pixel column.
pub(super) fn polyline(
    line: &Line,
    points: &[Point],
    x: Mapping,
    y: Mapping,
    peaks: bool,
) -> String {
    let pixels = points.iter().map(|p| [x.pixel(p[0]), y.pixel(p[1])]);
    if line.data.is_in_cells() {
        return path(&cells(pixels), line, "");
    }
    let pixels = match line.data {
        Data::Function(_) => columns(pixels, peaks),
        Data::Path(_) => pixels.collect(),
    };
    let (mut lines, mut dots) = (String::new(), String::new());
    let simple = simplify(pixels, [0.06; 2]);
    for part in simple.split(|point| is_gap(*point)) {
        match part {
            [] => {}
            [alone] => dots += &format!("M{}h0", pixel_pair(*alone)),
            [first, rest @ ..] => {
                let _ = write!(lines, "M{}", pixel_pair(*first));
                for (number, point) in rest.iter().enumerate() {
                    let command = if number == 0 { 'L' } else { ' ' };
                    let _ = write!(lines, "{command}{}", pixel_pair(*point));
                }
            }
        }
    }
    path(&lines, line, &dashed(line.dash)) + &path(&dots, line, DOTTED)
}

/// The attribute of strokes of no length: with round ends they are dots.
const DOTTED: &str = " stroke-width=\"4.4\"";

fn path(d: &str, line: &Line, attributes: &str) -> String {
    match d {
        "" => String::new(),
        _ => format!(
            "<path d=\"{d}\" stroke=\"{}\"{attributes}/>\n",
            colour(line.colour)
        ),
    }
}

/// Horizontal lines, three points each with the gap, put on half pixels and joined where they touch: the ink
/// is wider than what separates them.
fn cells(pixels: impl Iterator<Item = Point>) -> String {
    let mut rows: BTreeMap<i64, Vec<[f64; 2]>> = BTreeMap::new();
    let pixels: Vec<Point> = pixels.collect();
    for line in pixels.split(|point| is_gap(*point)) {
        if let [from, to] = line {
            let row = (2.0 * from[1]).round() as i64;
            rows.entry(row).or_default().push([from[0], to[0]]);
        }
    }
    let mut d = String::new();
    for (row, mut lines) in rows {
        lines.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut joined: Vec<[f64; 2]> = Vec::new();
        for line in lines {
            match joined.last_mut() {
                Some(last) if line[0] <= last[1] + 1.0 => last[1] = last[1].max(line[1]),
                _ => joined.push(line),
            }
        }
        let y = 0.5 * row as f64;
        for [from, to] in joined {
            let _ = write!(d, "M{}h{}", pixel_pair([from, y]), pixel_text(to - from));
        }
    }
    d
}

/// At most four points per half pixel column: the first, the lowest, the highest, the last. Of peaks,
/// the highest per pixel column.
fn columns(pixels: impl Iterator<Item = Point>, peaks: bool) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    let mut column: Vec<Point> = Vec::new();
    let per_pixel = if peaks { 1.0 } else { 2.0 };
    let place = |p: Point| (per_pixel * p[0]).floor();
    for point in pixels {
        let same = column
            .last()
            .is_some_and(|last| !is_gap(point) && place(*last) == place(point));
        if !same {
            flush(&mut column, &mut kept, peaks);
        }
        if is_gap(point) {
            kept.push(point);
        } else {
            column.push(point);
        }
    }
    flush(&mut column, &mut kept, peaks);
    kept
}

fn flush(column: &mut Vec<Point>, kept: &mut Vec<Point>, peaks: bool) {
    if peaks {
        // Pixels count downwards.
        let highest = column.iter().min_by(|a, b| a[1].total_cmp(&b[1]));
        kept.extend(highest);
        column.clear();
        return;
    }
    if column.len() <= 4 {
        kept.append(column);
        return;
    }
    let by_height = |a: &(usize, &Point), b: &(usize, &Point)| a.1[1].total_cmp(&b.1[1]);
    let lowest = column.iter().enumerate().min_by(by_height).map(|(k, _)| k);
    let highest = column.iter().enumerate().max_by(by_height).map(|(k, _)| k);
    let mut places = [Some(0), lowest, highest, Some(column.len() - 1)];
    places.sort();
    kept.extend(places.iter().flatten().filter_map(|k| column.get(*k)));
    column.clear();
}

fn pixel_pair(point: Point) -> String {
    format!("{} {}", pixel_text(point[0]), pixel_text(point[1]))
}

/// A pixel to a tenth, without needless digits.
fn pixel_text(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}
