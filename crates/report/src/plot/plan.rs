//! Which columns go into which panel.

use super::curve::Curve;
use super::line::{Data, Line};
use super::over_time::{OverTime, column_axis};
use super::panel::{Aspect, Panel};
use super::text::Text;
use super::what::{PlotWhat, WhatError};
use crate::column::{Column, ColumnKind};
use crate::table::Table;

/// The most lines that one panel can show and a reader can follow.
const MOST_LINES: usize = 9;

/// A panel, with the columns that feed its lines.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub panel: Panel,
    pub feeds: Vec<Feed>,
    /// What is known of columns over time.
    over_time: Option<OverTime>,
}

impl Plan {
    /// The panel as it is to be drawn; several for columns that no one axis can show.
    pub fn panels(&self) -> Vec<Panel> {
        match &self.over_time {
            Some(columns) => columns.panels(&self.panel.lines),
            None => vec![self.panel.clone()],
        }
    }
}

/// What a line is fed with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feed {
    pub x: usize,
    pub y: usize,
    pub part: Part,
}

/// What of a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// The value.
    Whole,
    /// Its size.
    Size,
    /// The size of its change since the first value, once there is one.
    Change(Option<f64>),
}

impl Part {
    /// What is drawn of this value.
    pub fn of(&mut self, value: f64) -> f64 {
        match self {
            Part::Whole => value,
            Part::Size => value.abs(),
            Part::Change(first) => {
                if first.is_none() && value.is_finite() {
                    *first = Some(value);
                }
                (value - first.unwrap_or(f64::NAN)).abs()
            }
        }
    }
}

/// What a figure shows if nobody says.
pub(crate) fn sensible(table: &Table) -> Vec<PlotWhat> {
    [
        PlotWhat::Coordinates,
        PlotWhat::Velocities,
        PlotWhat::Path,
        PlotWhat::Observed,
        PlotWhat::Controls,
        PlotWhat::Distance,
        PlotWhat::Errors,
    ]
    .into_iter()
    .filter(|what| !plans(table, what).is_empty())
    .collect()
}

/// The panels for a wish; an error where there is nothing of that kind.
pub(crate) fn wished(table: &Table, what: &PlotWhat) -> Result<Vec<Plan>, WhatError> {
    let plans = plans(table, what);
    match plans.is_empty() {
        true => Err(WhatError::Nothing(what.clone())),
        false => Ok(plans),
    }
}

fn plans(table: &Table, what: &PlotWhat) -> Vec<Plan> {
    use ColumnKind as Kind;
    let over_time = |kinds: &[Kind]| over_time(table, &of_kinds(table, kinds));
    match what {
        PlotWhat::Coordinates => over_time(&[Kind::Line, Kind::Angle, Kind::GroupEntry]),
        PlotWhat::Velocities => match over_time(&[Kind::Velocity]) {
            own if own.is_empty() => over_time(&[Kind::FrameVelocity]),
            own => own,
        },
        PlotWhat::Frame => over_time(&[Kind::FrameVelocity]),
        PlotWhat::Observed => over_time(&[Kind::Observable]),
        PlotWhat::Momenta => over_time(&[Kind::Momentum]),
        PlotWhat::Multipliers => over_time(&[Kind::Multiplier]),
        PlotWhat::Controls => over_time(&[Kind::Control]),
        PlotWhat::Energy => logarithmic(table, &energy_errors(table), "energy error"),
        PlotWhat::Constraints => {
            let residuals = of_kinds(table, &[Kind::ConstraintResidual]);
            logarithmic(table, &residuals, "residual")
        }
        PlotWhat::Errors => {
            let residuals = of_kinds(table, &[Kind::ConstraintResidual]);
            let errors = [energy_errors(table), residuals].concat();
            logarithmic(table, &errors, "error")
        }
        PlotWhat::Distance => logarithmic(table, &of_kinds(table, &[Kind::Distance]), "distance"),
        PlotWhat::Path => path(table),
        PlotWhat::Phase => phase(table),
        PlotWhat::Column(name) => {
            let named = named(table, name);
            let is_error = |k: &usize| table.columns.get(*k).is_some_and(|c| c.kind.is_error());
            match named.iter().all(is_error) {
                true => logarithmic(table, &named, ""),
                false => self::over_time(table, &named),
            }
        }
        PlotWhat::Against(x, y) => against(table, x, y),
    }
}

fn of_kinds(table: &Table, kinds: &[ColumnKind]) -> Vec<usize> {
    let numbered = table.columns.iter().enumerate();
    numbered
        .filter(|(_, column)| kinds.contains(&column.kind))
        .map(|(place, _)| place)
        .collect()
}

/// The energy errors; failing that, the energies, whose changes are drawn.
fn energy_errors(table: &Table) -> Vec<usize> {
    match of_kinds(table, &[ColumnKind::EnergyError]) {
        errors if errors.is_empty() => of_kinds(table, &[ColumnKind::Energy]),
        errors => errors,
    }
}

/// The columns of this name; of all motions, where it is the name of a quantity.
fn named(table: &Table, name: &str) -> Vec<usize> {
    match table.find(name) {
        Some(place) => vec![place],
        None => {
            let numbered = table.columns.iter().enumerate();
            let same = numbered.filter(|(_, column)| column.quantity == name);
            same.map(|(place, _)| place).collect()
        }
    }
}

/// Columns over time: one panel for what shares an axis.
fn over_time(table: &Table, columns: &[usize]) -> Vec<Plan> {
    let mut groups: Vec<(AxisKey, Vec<usize>)> = Vec::new();
    for &place in columns {
        let Some(column) = table.columns.get(place) else {
            continue;
        };
        let key = AxisKey::of(table, column);
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, group)) => group.push(place),
            None => groups.push((key, vec![place])),
        }
    }
    let chunks = groups.iter().flat_map(|(_, group)| chunks(table, group));
    chunks
        .filter_map(|chunk| time_panel(table, &chunk, None))
        .collect()
}

fn logarithmic(table: &Table, columns: &[usize], words: &str) -> Vec<Plan> {
    let chunks = chunks(table, columns);
    chunks
        .iter()
        .filter_map(|chunk| time_panel(table, chunk, Some(words)))
        .collect()
}

/// What has to agree for two columns to share an axis.
#[derive(PartialEq)]
struct AxisKey {
    kind: ColumnKind,
    unit: Option<String>,
    angular: bool,
}

impl AxisKey {
    fn of(table: &Table, column: &Column) -> AxisKey {
        AxisKey {
            kind: column.kind,
            unit: column.unit.clone(),
            angular: is_angular(table, column),
        }
    }
}

/// Is it an angle, or the velocity of one?
fn is_angular(table: &Table, column: &Column) -> bool {
    let base = column.quantity.trim_end_matches('\'');
    let is_base = |c: &Column| c.quantity == base && c.kind == ColumnKind::Angle;
    table.columns.iter().any(is_base)
}

/// Columns over time. With `words`, on a logarithmic axis that they label.
fn time_panel(table: &Table, columns: &[usize], words: Option<&str>) -> Option<Plan> {
    let time = table.time()?;
    let of_places = columns
        .iter()
        .map(|place| table.columns.get(*place).cloned());
    let over_time = OverTime {
        time: table.columns.get(time)?.clone(),
        columns: of_places.collect::<Option<_>>()?,
        words: words.map(str::to_owned),
    };
    let feed = |(&y, column): (&usize, &Column)| Feed {
        x: time,
        y,
        part: match (words, column.kind) {
            (None, _) => Part::Whole,
            (Some(_), ColumnKind::Energy) => Part::Change(None),
            (Some(_), _) => Part::Size,
        },
    };
    Some(Plan {
        feeds: columns.iter().zip(&over_time.columns).map(feed).collect(),
        panel: over_time.empty_panel(),
        over_time: Some(over_time),
    })
}

/// Groups of at most [`MOST_LINES`] columns, of like size, motions of one quantity together.
fn chunks(table: &Table, columns: &[usize]) -> Vec<Vec<usize>> {
    if columns.is_empty() {
        return Vec::new();
    }
    let mut sorted = columns.to_vec();
    let quantity = |k: &usize| table.columns.get(*k).map(|c| c.quantity.as_str());
    let first_place = |k: &usize| {
        columns
            .iter()
            .position(|other| quantity(other) == quantity(k))
    };
    sorted.sort_by_key(first_place);
    let panels = sorted.len().div_ceil(MOST_LINES);
    let size = sorted.len().div_ceil(panels);
    sorted.chunks(size).map(<[usize]>::to_vec).collect()
}

/// The path of the first two coordinates on the line, of every motion.
fn path(table: &Table) -> Vec<Plan> {
    let mut names: Vec<&str> = Vec::new();
    for column in table.columns.iter().filter(|c| c.kind == ColumnKind::Line) {
        if !names.contains(&column.quantity.as_str()) {
            names.push(&column.quantity);
        }
    }
    match names.as_slice() {
        [x, y, ..] => against(table, x, y),
        _ => Vec::new(),
    }
}

/// Each coordinate against its velocity.
fn phase(table: &Table) -> Vec<Plan> {
    let mut names: Vec<&str> = Vec::new();
    for column in table.columns.iter().filter(|c| c.kind.is_position()) {
        let velocity = format!("{}'", column.quantity);
        let has_velocity = table.columns.iter().any(|c| c.quantity == velocity);
        if has_velocity && !names.contains(&column.quantity.as_str()) {
            names.push(&column.quantity);
        }
    }
    let portrait = |name: &&str| against(table, name, &format!("{name}'"));
    names.iter().flat_map(portrait).collect()
}

/// One column against another, for each motion that has both.
fn against(table: &Table, x: &str, y: &str) -> Vec<Plan> {
    let (xs, ys) = (named(table, x), named(table, y));
    let column = |k: usize| table.columns.get(k);
    if let Some(&first) = xs.first()
        && column(first).is_some_and(|c| c.kind == ColumnKind::Time)
    {
        return over_time(table, &ys);
    }
    let mut feeds = Vec::new();
    let mut lines = Vec::new();
    let mut axes = None;
    for &y in &ys {
        let motion_of = |k: usize| column(k).and_then(|c| c.motion.as_deref());
        let partner = xs
            .iter()
            .find(|x| motion_of(**x) == motion_of(y) || xs.len() == 1);
        let Some((&x, across, up)) = partner.and_then(|x| Some((x, column(*x)?, column(y)?)))
        else {
            continue;
        };
        let number = lines.len();
        let label = Text::plain(up.motion.as_deref().unwrap_or_default());
        let angle = [across.kind, up.kind].map(|kind| kind == ColumnKind::Angle);
        let data = Data::Path(Curve::of_angles(angle));
        let mut line = Line::new(label, data).styled(number, number);
        line.angle = angle;
        lines.push(line);
        feeds.push(Feed {
            x,
            y,
            part: Part::Whole,
        });
        axes = axes.or(Some((across, up)));
    }
    let Some((across, up)) = axes else {
        return Vec::new();
    };
    let lengths = across.kind == ColumnKind::Line && up.kind == ColumnKind::Line;
    let aspect = match lengths && across.unit == up.unit {
        true => Aspect::Equal,
        false => Aspect::Free,
    };
    let mut panel = Panel::new(column_axis(across), column_axis(up), aspect);
    panel.lines = lines;
    vec![Plan {
        panel,
        feeds,
        over_time: None,
    }]
}
