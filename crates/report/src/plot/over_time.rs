//! Panels of columns over time, split where one linear axis cannot show all of them.

use super::axis::{Axis, Scale};
use super::envelope::Envelope;
use super::line::{Data, Line};
use super::magnitude::alike;
use super::panel::{Aspect, Panel};
use super::style::{COLOURS, LABEL};
use super::text::Text;
use crate::column::{Column, ColumnKind};

/// The widest list of names beside an axis; a word stands for a wider one.
const WIDEST_LIST: f64 = 105.0;

/// Columns that share panels over time.
#[derive(Clone, Debug)]
pub(crate) struct OverTime {
    pub time: Column,
    pub columns: Vec<Column>,
    /// The label of a logarithmic axis; none for a linear one.
    pub words: Option<String>,
}

impl OverTime {
    /// One panel for all columns, without data.
    pub fn empty_panel(&self) -> Panel {
        let empty = self.columns.iter().map(|_| Data::Function(Envelope::new()));
        self.panel(self.columns.iter().zip(empty))
    }

    /// The panels for these lines, one per column: several where quantities are of very different size.
    pub fn panels(&self, lines: &[Line]) -> Vec<Panel> {
        let groups = match self.words {
            Some(_) => vec![(0..lines.len()).collect()],
            None => alike(&self.columns, lines),
        };
        let panel = |group: &Vec<usize>| {
            let of_line = |&k: &usize| Some((self.columns.get(k)?, lines.get(k)?.data.clone()));
            self.panel(group.iter().filter_map(of_line))
        };
        groups.iter().map(panel).collect()
    }

    fn panel<'a>(&self, columns: impl Iterator<Item = (&'a Column, Data)>) -> Panel {
        let is_logarithmic = self.words.is_some();
        let mut strokes = Strokes::default();
        let (columns, data): (Vec<&Column>, Vec<Data>) = columns.unzip();
        let line = |(column, data): (&&Column, Data)| {
            let name = match (is_logarithmic, column.kind) {
                (true, ColumnKind::Energy) => Text::plain("energy error"),
                _ => Text::symbol(&column.quantity),
            };
            let mut line = strokes.next(column, Line::new(of_motion(name, column), data));
            line.angle = [false, column.kind == ColumnKind::Angle];
            line
        };
        let lines: Vec<Line> = columns.iter().zip(data).map(line).collect();
        let first = columns.first();
        let scale = match (is_logarithmic, first.map(|column| column.kind)) {
            (true, _) => Scale::Logarithmic,
            (false, Some(ColumnKind::Angle)) => Scale::Angular,
            (false, _) => Scale::Linear,
        };
        let unit = first.and_then(|column| column.unit.as_deref());
        let axis = match (&self.words, lines.as_slice()) {
            (Some(_), [only]) => Axis::labelled(only.label.clone(), unit, scale),
            (Some(words), _) => Axis::labelled(Text::plain(words), None, scale),
            (None, _) => Axis::labelled(axis_label(&columns), unit, scale),
        };
        let mut panel = Panel::new(column_axis(&self.time), axis, Aspect::Free);
        panel.lines = lines;
        panel
    }
}

/// The symbols of the columns; a word for many of them, and for long ones.
fn axis_label(columns: &[&Column]) -> Text {
    let mut seen: Vec<&str> = Vec::new();
    for column in columns {
        if !seen.contains(&column.quantity.as_str()) {
            seen.push(&column.quantity);
        }
    }
    let symbols: Vec<Text> = seen.iter().map(|name| Text::symbol(name)).collect();
    let list = Text::list(&symbols);
    let kind = columns
        .first()
        .map_or(ColumnKind::Other, |column| column.kind);
    match symbols.len() {
        0 | 1 => list,
        2 if list.width(LABEL) <= WIDEST_LIST => list,
        _ => Text::plain(plural(kind)),
    }
}

fn plural(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Line => "coordinates",
        ColumnKind::Angle => "angles",
        ColumnKind::GroupEntry => "entries",
        ColumnKind::Velocity | ColumnKind::FrameVelocity => "velocities",
        ColumnKind::Momentum => "momenta",
        ColumnKind::Multiplier => "multipliers",
        ColumnKind::Control => "controls",
        ColumnKind::Observable => "observed",
        _ => "",
    }
}

/// The label with the motion, where a table holds several.
fn of_motion(label: Text, column: &Column) -> Text {
    match &column.motion {
        Some(motion) => label.and(&format!(" {motion}")),
        None => label,
    }
}

/// The axis of one column.
pub(crate) fn column_axis(column: &Column) -> Axis {
    let scale = match column.kind {
        ColumnKind::Angle => Scale::Angular,
        _ => Scale::Linear,
    };
    Axis::labelled(
        Text::symbol(&column.quantity),
        column.unit.as_deref(),
        scale,
    )
}

/// Gives out colours by quantity and strokes by motion.
#[derive(Default)]
struct Strokes {
    quantities: Vec<String>,
    motions: Vec<Option<String>>,
}

impl Strokes {
    fn next(&mut self, column: &Column, line: Line) -> Line {
        let quantity = place_of(&mut self.quantities, &column.quantity);
        let motion = place_of(&mut self.motions, &column.motion);
        line.styled(quantity, motion + quantity / COLOURS.len())
    }
}

fn place_of<T: PartialEq + Clone>(seen: &mut Vec<T>, item: &T) -> usize {
    match seen.iter().position(|other| other == item) {
        Some(place) => place,
        None => {
            seen.push(item.clone());
            seen.len() - 1
        }
    }
}
