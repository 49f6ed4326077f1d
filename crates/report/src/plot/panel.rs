//! Panels: lines over two axes.

use std::fmt::Write;

use super::Point;
use super::axis::{Axis, Mapping, Scale};
use super::furniture::{axes, grid};
use super::layout::{Frame, LEGEND_ROW, LegendEntry, NARROW, OVER_TIME, legend_rows};
use super::line::{Data, Line, drawn_ends, drawn_points, wrapped_axes};
use super::range::Range;
use super::stroke::{dashed, polyline};
use super::style::{FRAME, LABEL, LINE, PAPER, SMALL, colour};
use super::text::{Anchor, Text};
use super::ticks::Ticks;

/// The lowest share of the largest error that a logarithmic axis shows.
const DEEPEST: f64 = 1e-14;

/// How the two axes relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Each axis fills its side.
    Free,
    /// One unit is as long on both axes.
    Equal,
}

/// Lines over two axes.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) lines: Vec<Line>,
    pub(crate) aspect: Aspect,
}

impl Panel {
    /// An empty panel.
    pub fn new(x: Axis, y: Axis, aspect: Aspect) -> Panel {
        Panel {
            x,
            y,
            lines: Vec::new(),
            aspect,
        }
    }

    /// The panel with one more line.
    #[must_use]
    pub fn with(mut self, line: Line) -> Panel {
        self.lines.push(line);
        self
    }

    /// Does it show functions of time, which share an axis with those below?
    pub(crate) fn is_over_time(&self) -> bool {
        !self
            .lines
            .iter()
            .any(|line| matches!(line.data, Data::Path(_)))
    }

    /// Works out what is to be drawn where.
    pub(crate) fn prepared(&self) -> Prepared<'_> {
        let wrapped = wrapped_axes(&self.lines);
        let points = |line: &Line| match self.y.scale {
            // Zero has no place on this axis; the legend says so instead.
            Scale::Logarithmic if line.data.vanishes() => Vec::new(),
            Scale::Logarithmic => line.data.peaks(),
            _ => drawn_points(line, wrapped),
        };
        let mut lines: Vec<Vec<Point>> = self.lines.iter().map(points).collect();
        let every = |axis: usize| {
            let values = lines.iter().flatten().map(move |p| p[axis]);
            Range::of(values)
        };
        let mut x = every(0).drawable();
        let mut y = match self.y.scale {
            Scale::Logarithmic => self.decades(),
            _ => every(1).drawable().padded(0.05),
        };
        if self.y.scale == Scale::Logarithmic {
            for point in lines.iter_mut().flatten() {
                // A NaN stays one.
                point[1] = if point[1] <= 0.0 {
                    y.low
                } else {
                    point[1].log10().max(y.low)
                };
            }
        }
        if wrapped[1] {
            y = Range::new(-std::f64::consts::PI, std::f64::consts::PI).padded(0.05);
        }
        if self.is_over_time() {
            // The whole time, also where the first samples are not among the points.
            let times = self.lines.iter().map(|line| line.data.ranges()[0]);
            x = times.fold(Range::EMPTY, Range::join).drawable();
        } else {
            x = match wrapped[0] {
                true => Range::new(-std::f64::consts::PI, std::f64::consts::PI).padded(0.03),
                false => x.padded(0.05),
            };
        }
        Prepared {
            panel: self,
            wrapped,
            lines,
            x,
            y,
        }
    }

    /// The powers of ten that the positive values span.
    fn decades(&self) -> Range {
        let positive = self.lines.iter().map(|line| match &line.data {
            Data::Function(envelope) => envelope.positive_range(),
            path => Range::of(path.peaks().iter().map(|p| p[1]).filter(|y| *y > 0.0)),
        });
        let range = positive.fold(Range::EMPTY, Range::join);
        if range.is_empty() {
            // All errors vanish: the decades around round-off.
            return Range::new(-18.0, -14.0);
        }
        let low = range.low.max(DEEPEST * range.high);
        let (low, high) = (low.log10().floor(), (range.high.log10() + 1e-9).ceil());
        Range::new(low, high.max(low + 1.0))
    }
}

/// A panel with its points and ranges worked out.
pub(crate) struct Prepared<'a> {
    pub panel: &'a Panel,
    wrapped: [bool; 2],
    lines: Vec<Vec<Point>>,
    x: Range,
    y: Range,
}

impl Prepared<'_> {
    /// The room above the panel, which is so wide.
    pub fn head(&self, width: f64) -> f64 {
        let rows = self.legend(width).len() as f64 * LEGEND_ROW;
        let factor = self.vertical_ticks(100.0).factor.is_some();
        match (self.panel.is_over_time(), factor) {
            // One more for the key of the ends.
            (false, _) => rows + LEGEND_ROW,
            (true, true) => rows.max(12.0),
            (true, false) => rows,
        }
    }

    /// The width and height that suit a path, at most these: equal axes need not leave half of the
    /// panel empty.
    pub fn path_size(&self, width: f64, height: f64) -> (f64, f64) {
        if self.panel.aspect == Aspect::Free {
            return (width, height);
        }
        let shape = self.x.length() / self.y.length();
        let fitting = (shape * height).clamp(0.45 * width, width);
        (fitting, (fitting / shape).clamp(0.4 * height, height))
    }

    /// The rows of the legend, as entries with their labels and left edges.
    fn legend(&self, width: f64) -> Vec<Vec<LegendEntry>> {
        let lines = &self.panel.lines;
        let is_needed = lines.len() > 1
            || self.has_long_name()
            || lines.iter().any(|line| self.is_out_of_range(line));
        if !is_needed {
            return Vec::new();
        }
        let width = match self.panel.is_over_time() {
            true => width,
            // A narrow one has room beside it.
            false => width.max(NARROW),
        };
        legend_rows(lines.iter().map(|line| self.label(line)), width)
    }

    /// Is the name of the only line too long for the axis beside it?
    fn has_long_name(&self) -> bool {
        let title = self.panel.y.title(LABEL, f64::INFINITY);
        self.panel.is_over_time() && title.width(LABEL) > OVER_TIME
    }

    /// Is it zero throughout, and the axis logarithmic?
    fn is_out_of_range(&self, line: &Line) -> bool {
        self.panel.y.scale == Scale::Logarithmic && line.data.vanishes()
    }

    /// What the legend says about a line.
    fn label(&self, line: &Line) -> Text {
        match self.is_out_of_range(line) {
            true => line.label.clone().and(" = 0"),
            false => line.label.clone(),
        }
    }

    /// The room for the labels of the vertical axis, and for what they leave out.
    pub fn label_width(&self, height: f64) -> f64 {
        let ticks = self.vertical_ticks(height);
        let factor = Text::plain(ticks.factor.as_deref().unwrap_or_default());
        // Above the axis there is nothing beside it.
        ticks.widest(SMALL).max(factor.width(SMALL) - LABEL - 12.0)
    }

    fn vertical_ticks(&self, height: f64) -> Ticks {
        self.panel.y.ticks_up(self.y, height)
    }

    /// Draws everything. `labelled`: does the horizontal axis carry its labels?
    pub fn draw(&self, frame: Frame, labelled: bool, clip: usize) -> String {
        let (x, y) = self.mappings(frame);
        let across = self.panel.x.ticks_across(x.range, frame.width);
        let up = self.panel.y.ticks_up(y.range, frame.height);
        let mut svg = String::from("<g>\n");
        svg += &grid(frame, x, y, &across, &up);
        svg += &format!(
            "<g clip-path=\"url(#plot{clip})\" fill=\"none\" stroke-width=\"{LINE}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
        );
        for (line, points) in self.panel.lines.iter().zip(&self.lines) {
            svg += &polyline(line, points, x, y, self.panel.y.scale == Scale::Logarithmic);
        }
        svg += "</g>\n";
        svg += &self.ends(x, y);
        svg += &axes(frame, x, y, &across, &up, labelled);
        svg += &self.labels(frame, labelled, &across, &up);
        svg += &self.draw_legend(frame);
        svg += &self.key_of_ends(frame);
        svg + "</g>\n"
    }

    /// Values to pixels; for equal axes the range of the longer side grows.
    fn mappings(&self, frame: Frame) -> (Mapping, Mapping) {
        let (mut x, mut y) = (self.x, self.y);
        if self.panel.aspect == Aspect::Equal {
            let unit = (x.length() / frame.width).max(y.length() / frame.height);
            x = grown(x, unit * frame.width);
            y = grown(y, unit * frame.height);
        }
        let across = Mapping {
            range: x,
            start: frame.left,
            end: frame.left + frame.width,
        };
        let up = Mapping {
            range: y,
            start: frame.top + frame.height,
            end: frame.top,
        };
        (across, up)
    }

    /// Marks where paths begin and end.
    fn ends(&self, x: Mapping, y: Mapping) -> String {
        let mut svg = String::new();
        for line in &self.panel.lines {
            let Some([first, last]) = drawn_ends(line, self.wrapped) else {
                continue;
            };
            let ink = colour(line.colour);
            for (point, fill) in [(first, PAPER), (last, ink)] {
                let (cx, cy) = (x.pixel(point[0]), y.pixel(point[1]));
                // A rim, so that it stands out of a path that fills the panel.
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"5.2\" fill=\"{PAPER}\"/><circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3.6\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"1.4\"/>"
                );
            }
        }
        svg
    }

    /// What the marks at the ends of paths mean, above the right corner.
    fn key_of_ends(&self, frame: Frame) -> String {
        if self.panel.is_over_time() {
            return String::new();
        }
        let (right, y) = (frame.left + frame.width, frame.top - 10.0);
        let mark = |x: f64, fill: &str| {
            format!(
                "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.2\" fill=\"{fill}\" stroke=\"{FRAME}\" stroke-width=\"1.3\"/>\n",
                y - 4.0
            )
        };
        let word = |word: &str, x: f64| Text::plain(word).svg([x, y], SMALL, Anchor::Start, "");
        mark(right - 74.0, PAPER)
            + &word("start", right - 67.0)
            + &mark(right - 30.0, FRAME)
            + &word("end", right - 23.0)
    }

    /// What the axes show.
    fn labels(&self, frame: Frame, labelled: bool, across: &Ticks, up: &Ticks) -> String {
        let mut svg = String::new();
        let middle = frame.left + 0.5 * frame.width;
        if labelled {
            let at = [middle, frame.top + frame.height + 35.0];
            let factor = Text::plain(across.factor.as_deref().unwrap_or_default());
            let room = frame.width - 2.0 * factor.width(SMALL);
            let title = self.panel.x.title(LABEL, room);
            svg += &title.svg(at, LABEL, Anchor::Middle, "");
            if across.factor.is_some() {
                let at = [frame.left + frame.width, at[1]];
                svg += &factor.svg(at, SMALL, Anchor::End, "");
            }
        }
        if let Some(factor) = &up.factor {
            let at = [frame.left - 6.0, frame.top - 6.0];
            svg += &Text::plain(factor).svg(at, SMALL, Anchor::End, "");
        }
        let at = [
            frame.left - frame.margin + 12.0,
            frame.top + 0.5 * frame.height,
        ];
        let turn = format!(" transform=\"rotate(-90 {:.1} {:.1})\"", at[0], at[1]);
        let title = self.panel.y.title(LABEL, frame.height);
        svg + &title.svg(at, LABEL, Anchor::Middle, &turn)
    }

    /// The legend above the panel.
    fn draw_legend(&self, frame: Frame) -> String {
        let mut svg = String::new();
        let rows = self.legend(frame.width);
        let bottom = match self.panel.is_over_time() {
            true => frame.top,
            false => frame.top - LEGEND_ROW,
        };
        let height = rows.len() as f64 * LEGEND_ROW;
        for (row, entries) in rows.iter().enumerate() {
            let y = bottom - height + row as f64 * LEGEND_ROW + 8.0;
            for entry in entries {
                let Some(line) = self.panel.lines.get(entry.line) else {
                    continue;
                };
                let x = frame.left + entry.left;
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {y:.1}h22\" stroke=\"{}\" stroke-width=\"2\"{}/>",
                    colour(line.colour),
                    dashed(line.dash)
                );
                let label = &entry.label;
                svg += &label.svg([x + 27.0, y + 4.0], LABEL, Anchor::Start, "");
            }
        }
        svg
    }
}

fn grown(range: Range, length: f64) -> Range {
    Range::new(range.middle() - 0.5 * length, range.middle() + 0.5 * length)
}
