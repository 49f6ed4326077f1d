//! The cells that a path passes through: a drawing in bounded memory, however long the path is.

use std::f64::consts::PI;

use super::range::Range;
use super::wrap::wrapped;
use super::{GAP, Point, is_gap};

/// Cells along each axis. The path's range takes at least a quarter of them, mostly more than half, which
/// makes a cell narrower than a pixel.
const CELLS: usize = 2048;
/// The bits of a row of cells, in words.
const WORDS: usize = CELLS / 64;

/// A drawing of a path as cells of a grid that grows with it.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    grids: [Grid; 2],
    /// Which axes show an angle between −π and π.
    pub wrapped: [bool; 2],
    /// The cells, row by row, one bit each.
    rows: Vec<[u64; WORDS]>,
    last: Point,
}

/// Cells along one axis. Their length is a power of two, so that two of them make one of a coarser grid.
#[derive(Clone, Copy, Debug)]
struct Grid {
    length: f64,
    /// The number of the first cell, counted from zero.
    first: f64,
}

impl Grid {
    /// The finest grid around a range, with cells of at least this length.
    fn around(range: Range, least: f64) -> Grid {
        let needed = range.length() / (CELLS as f64 - 2.0);
        let length = needed.log2().ceil().exp2().max(least);
        let middle = (range.middle() / length).floor();
        Grid {
            length,
            first: middle - 0.5 * CELLS as f64,
        }
    }

    /// A value in cells from the lower edge.
    fn place(self, value: f64) -> f64 {
        value / self.length - self.first
    }

    fn covers(self, range: Range) -> bool {
        self.place(range.low) >= 0.0 && self.place(range.high) < CELLS as f64
    }

    /// The value in the middle of a cell.
    fn middle(self, cell: usize) -> f64 {
        (self.first + cell as f64 + 0.5) * self.length
    }
}

impl Canvas {
    /// Nothing drawn yet; for a path within these ranges.
    pub fn new(ranges: [Range; 2], wrapped: [bool; 2]) -> Canvas {
        let grids = shown(ranges, wrapped).map(|range| Grid::around(range, 0.0));
        Canvas {
            grids,
            wrapped,
            rows: vec![[0; WORDS]; CELLS],
            last: GAP,
        }
    }

    /// Draws on to the next point; a gap lifts the pen. The ranges contain the point.
    pub fn push(&mut self, point: Point, ranges: [Range; 2]) {
        let from = std::mem::replace(&mut self.last, point);
        if is_gap(point) {
            return;
        }
        self.grow(shown(ranges, self.wrapped));
        let from = if is_gap(from) { point } else { from };
        let mut parts = vec![from, point];
        for axis in [0, 1].into_iter().filter(|axis| self.wrapped[*axis]) {
            parts = wrapped(&parts, axis);
        }
        for part in parts
            .windows(2)
            .filter(|part| !part.iter().any(|p| is_gap(*p)))
        {
            self.draw(part[0], part[1]);
        }
    }

    /// Inks the cells along a straight line.
    fn draw(&mut self, from: Point, to: Point) {
        let place = |p: Point| {
            [0, 1].map(|axis: usize| {
                self.grids[axis]
                    .place(p[axis])
                    .clamp(0.0, CELLS as f64 - 1.0)
            })
        };
        let (a, b) = (place(from), place(to));
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let steps = dx.abs().max(dy.abs()).ceil().max(1.0);
        for k in 0..=steps as u32 {
            let share = f64::from(k) / steps;
            self.ink((a[0] + share * dx) as usize, (a[1] + share * dy) as usize);
        }
    }

    fn ink(&mut self, column: usize, row: usize) {
        let word = self
            .rows
            .get_mut(row)
            .and_then(|row| row.get_mut(column / 64));
        if let Some(word) = word {
            *word |= 1 << (column % 64);
        }
    }

    /// Makes room for these ranges: the same drawing on a grid that is coarser or lies elsewhere.
    fn grow(&mut self, ranges: [Range; 2]) {
        let [across, up] = self.grids;
        if across.covers(ranges[0]) && up.covers(ranges[1]) {
            return;
        }
        let old = std::mem::replace(&mut self.rows, vec![[0; WORDS]; CELLS]);
        self.grids =
            [(across, ranges[0]), (up, ranges[1])].map(|(grid, range)| match grid.covers(range) {
                true => grid,
                false => Grid::around(range, grid.length),
            });
        for (row, cells) in old.iter().enumerate() {
            for column in inked(cells) {
                let point = [across.middle(column), up.middle(row)];
                self.draw(point, point);
            }
        }
    }

    /// The drawing as horizontal lines, each from the middle of a cell to that of another, with gaps.
    pub fn lines(&self) -> Vec<Point> {
        let [across, up] = self.grids;
        let mut lines = Vec::new();
        for (row, cells) in self.rows.iter().enumerate() {
            let mut run: Option<(usize, usize)> = None;
            let mut end = |(first, last): (usize, usize)| {
                lines.extend([first, last].map(|cell| [across.middle(cell), up.middle(row)]));
                lines.push(GAP);
            };
            for cell in inked(cells) {
                run = match run {
                    Some((first, last)) if cell == last + 1 => Some((first, cell)),
                    before => {
                        before.into_iter().for_each(&mut end);
                        Some((cell, cell))
                    }
                };
            }
            run.into_iter().for_each(end);
        }
        lines
    }
}

/// The inked cells of a row.
fn inked(row: &[u64; WORDS]) -> impl Iterator<Item = usize> {
    let words = row.iter().enumerate().filter(|(_, word)| **word != 0);
    words.flat_map(|(place, word)| {
        let bits = (0..64).filter(move |bit| (word >> bit) & 1 == 1);
        bits.map(move |bit| 64 * place + bit)
    })
}

/// What the axes show of these ranges.
fn shown(ranges: [Range; 2], wrapped: [bool; 2]) -> [Range; 2] {
    [0, 1].map(|axis: usize| match wrapped[axis] {
        true => Range::new(-PI, PI),
        false => ranges[axis].drawable(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws a path from scratch, the ranges known only as far as it came.
    fn drawn(points: impl Iterator<Item = Point>, wrapped: [bool; 2]) -> Canvas {
        let mut ranges = [Range::EMPTY; 2];
        let mut canvas: Option<Canvas> = None;
        for point in points {
            ranges = [0, 1].map(|axis: usize| ranges[axis].with(point[axis]));
            canvas
                .get_or_insert_with(|| Canvas::new(ranges, wrapped))
                .push(point, ranges);
        }
        canvas.unwrap()
    }

    fn cells(canvas: &Canvas) -> Vec<Point> {
        canvas.lines().into_iter().filter(|p| !is_gap(*p)).collect()
    }

    #[test]
    fn a_growing_path_stays_where_it_was() {
        let line = |k: u32| {
            [
                0.001 * f64::from(k * k),
                -3.0 * 0.001 * f64::from(k * k) + 1.0,
            ]
        };
        let canvas = drawn((0..3000).map(line), [false; 2]);
        let cells = cells(&canvas);
        let range = Range::of(cells.iter().map(|p| p[0]));
        assert!(range.low < 9.0 && range.high > 8985.0, "{range:?}");
        for [x, y] in cells {
            // A cell is a 1024th of the range, and a coarser one may have grown around the line.
            assert!(
                (y + 3.0 * x - 1.0).abs() < 2.0 * 27_000.0 / 1024.0,
                "{x} {y}"
            );
        }
    }

    #[test]
    fn far_from_zero_and_at_the_ends_of_the_numbers() {
        for points in [
            [[1e9, 1e-9], [1e9 + 3.0, 2e-9]],
            [[-1e300, 5e-324], [1e300, 0.0]],
            [[f64::MAX, 1.0], [-f64::MAX, 1.0]],
            [[7.0, 7.0], [7.0, 7.0]],
        ] {
            let canvas = drawn(points.into_iter(), [false; 2]);
            assert!(!canvas.lines().is_empty(), "{points:?}");
            assert!(canvas.grids.iter().all(|grid| grid.length > 0.0));
        }
    }

    #[test]
    fn a_gap_lifts_the_pen() {
        let points = [[0.0, 0.0], [1.0, 1.0], GAP, [1.0, 0.0], [0.0, 1.0]];
        let ranges = [Range::new(0.0, 1.0); 2];
        let mut canvas = Canvas::new(ranges, [false; 2]);
        points.into_iter().for_each(|p| canvas.push(p, ranges));
        for [x, y] in cells(&canvas) {
            assert!(
                (x - y).abs() < 0.01 || (x + y - 1.0).abs() < 0.01,
                "{x} {y}"
            );
        }
    }

    #[test]
    fn an_angle_is_drawn_within_one_turn() {
        let canvas = drawn((0..1000).map(|k| [0.05 * f64::from(k), 1.0]), [true, false]);
        let lines = canvas.lines();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0][0] < -3.13 && lines[1][0] > 3.13);
    }
}
