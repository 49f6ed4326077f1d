//! Lines: data with a label and a stroke.

use super::Point;
use super::curve::Curve;
use super::envelope::Envelope;
use super::range::Range;
use super::text::Text;
use super::wrap::{self, worth_wrapping};

/// What a line runs through.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Function(Envelope),
    Path(Curve),
}

impl Data {
    pub fn push(&mut self, x: f64, y: f64) {
        match self {
            Data::Function(envelope) => envelope.push(x, y),
            Data::Path(curve) => curve.push(x, y),
        }
    }

    /// The points for a logarithmic axis.
    pub fn peaks(&self) -> Vec<Point> {
        match self {
            Data::Function(envelope) => envelope.peaks(),
            Data::Path(_) => self.points([false; 2]),
        }
    }

    /// The points to connect, with gaps; with these coordinates wrapped.
    fn points(&self, wrapped: [bool; 2]) -> Vec<Point> {
        let mut points = match self {
            Data::Function(envelope) => envelope.points(),
            Data::Path(curve) => match curve.canvas(wrapped) {
                Some(canvas) => return canvas.lines(),
                None => curve.points(),
            },
        };
        for axis in [0, 1].into_iter().filter(|axis| wrapped[*axis]) {
            points = wrap::wrapped(&points, axis);
        }
        points
    }

    /// Is it drawn in cells?
    pub fn is_in_cells(&self) -> bool {
        match self {
            Data::Function(_) => false,
            Data::Path(curve) => curve.canvas([false; 2]).is_some(),
        }
    }

    /// Are all values zero?
    pub fn vanishes(&self) -> bool {
        let [_, y] = self.ranges();
        y == Range::new(0.0, 0.0)
    }

    pub fn ranges(&self) -> [Range; 2] {
        match self {
            Data::Function(envelope) => [envelope.x_range(), envelope.y_range()],
            Data::Path(curve) => curve.ranges(),
        }
    }
}

/// A line of a panel.
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) label: Text,
    pub(crate) data: Data,
    pub(crate) colour: usize,
    pub(crate) dash: usize,
    /// Which of x and y are angles.
    pub(crate) angle: [bool; 2],
}

impl Line {
    /// A function of time, named in the model language.
    pub fn function(name: &str, data: Envelope) -> Line {
        Line::new(Text::symbol(name), Data::Function(data))
    }

    /// A path, with words that name it.
    pub fn path(words: &str, data: Curve) -> Line {
        Line::new(Text::plain(words), Data::Path(data))
    }

    pub(crate) fn new(label: Text, data: Data) -> Line {
        Line {
            label,
            data,
            colour: 0,
            dash: 0,
            angle: [false, false],
        }
    }

    /// The line in another colour of the palette, and with another stroke; 0 is a full one.
    #[must_use]
    pub fn styled(mut self, colour: usize, dash: usize) -> Line {
        self.colour = colour;
        self.dash = dash;
        self
    }
}

/// Which coordinates of the lines of one panel are to be wrapped: none of them, where one line makes
/// so many turns that it has to be shown as it is.
pub(crate) fn wrapped_axes(lines: &[Line]) -> [bool; 2] {
    [0, 1].map(|axis: usize| {
        let ranges = || {
            let angles = lines.iter().filter(move |line| line.angle[axis]);
            angles.map(move |line| line.data.ranges()[axis])
        };
        let long = |range: Range| range.length() > std::f64::consts::TAU;
        ranges().any(worth_wrapping) && ranges().all(|r| worth_wrapping(r) || !long(r))
    })
}

/// The points of a line, wrapped where asked.
pub(crate) fn drawn_points(line: &Line, wrapped: [bool; 2]) -> Vec<Point> {
    line.data.points(own(line, wrapped))
}

/// Where a path begins and ends, wrapped where asked.
pub(crate) fn drawn_ends(line: &Line, wrapped: [bool; 2]) -> Option<[Point; 2]> {
    let Data::Path(curve) = &line.data else {
        return None;
    };
    let (first, last) = curve.ends()?;
    Some([first, last].map(|point| wrap::one(point, own(line, wrapped))))
}

/// The coordinates of a line that are to be wrapped: its angles.
fn own(line: &Line, wrapped: [bool; 2]) -> [bool; 2] {
    [0, 1].map(|axis: usize| wrapped[axis] && line.angle[axis])
}
