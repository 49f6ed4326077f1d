//! Lines as SVG paths: no more points than the eye can tell apart.

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
    let pixels = match line.data {
        Data::Function(_) => columns(pixels, peaks),
        Data::Path(_) => pixels.collect(),
    };
    let mut d = String::new();
    let mut command = 'M';
    for point in simplify(pixels, [0.06; 2]) {
        if is_gap(point) {
            command = 'M';
            continue;
        }
        let _ = write!(
            d,
            "{command}{} {}",
            pixel_text(point[0]),
            pixel_text(point[1])
        );
        command = if command == 'M' { 'L' } else { ' ' };
    }
    if d.is_empty() {
        return String::new();
    }
    let ink = colour(line.colour);
    format!("<path d=\"{d}\" stroke=\"{ink}\"{}/>\n", dashed(line.dash))
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

/// A pixel to a tenth, without needless digits.
fn pixel_text(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}
