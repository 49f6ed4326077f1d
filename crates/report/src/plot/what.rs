//! What a figure is asked to show: the words of `--plot-what`.

use std::fmt;

use crate::name::display_name;
use crate::table::Table;

/// Something to show.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlotWhat {
    /// The coordinates over time.
    Coordinates,
    /// The velocities over time; those in a frame only where the model has no others.
    Velocities,
    /// The velocities in the frame that the formulation chose, over time.
    Frame,
    /// The path of the first two coordinates on the line.
    Path,
    /// Each coordinate against its velocity.
    Phase,
    /// The energy error on a logarithmic axis.
    Energy,
    /// The constraint residuals on a logarithmic axis.
    Constraints,
    /// All errors on one logarithmic axis.
    Errors,
    /// The observed quantities over time.
    Observed,
    /// The momenta over time.
    Momenta,
    /// The multipliers over time.
    Multipliers,
    /// The controls over time.
    Controls,
    /// The distance of two motions on a logarithmic axis.
    Distance,
    /// One column over time.
    Column(String),
    /// One column against another: the first is horizontal.
    Against(String, String),
}

/// The words, with what they ask for.
const WORDS: [(&str, PlotWhat); 13] = [
    ("coordinates", PlotWhat::Coordinates),
    ("velocities", PlotWhat::Velocities),
    ("frame", PlotWhat::Frame),
    ("path", PlotWhat::Path),
    ("phase", PlotWhat::Phase),
    ("energy", PlotWhat::Energy),
    ("constraints", PlotWhat::Constraints),
    ("errors", PlotWhat::Errors),
    ("observed", PlotWhat::Observed),
    ("momenta", PlotWhat::Momenta),
    ("multipliers", PlotWhat::Multipliers),
    ("controls", PlotWhat::Controls),
    ("distance", PlotWhat::Distance),
];

/// A wish that the table cannot fulfil.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatError {
    /// No column has this name.
    #[error("there is no column `{name}` to plot; there are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The columns and words that exist.
        known: String,
    },
    /// There is nothing of that kind in this motion.
    #[error("this motion has no {0} to plot")]
    Nothing(PlotWhat),
    /// Nothing was asked for.
    #[error("nothing to plot was named; say for instance `coordinates` or `x:y`")]
    Empty,
}

impl PlotWhat {
    /// Reads a list such as `coordinates, R[1,2], x:y`. A word that is also a name in the model means what
    /// the model calls so.
    pub fn parse_list(list: &str, table: &Table) -> Result<Vec<PlotWhat>, WhatError> {
        let items: Vec<&str> = split_outside_brackets(list)
            .into_iter()
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect();
        if items.is_empty() {
            return Err(WhatError::Empty);
        }
        items.into_iter().map(|item| parse(item, table)).collect()
    }

    /// The words that can be asked for.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }
}

impl fmt::Display for PlotWhat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlotWhat::Column(name) => write!(f, "{name}"),
            PlotWhat::Against(x, y) => write!(f, "{x}:{y}"),
            PlotWhat::Energy => write!(f, "energy"),
            PlotWhat::Frame => write!(f, "velocities in a frame"),
            PlotWhat::Observed => write!(f, "observed quantities"),
            PlotWhat::Path => write!(f, "path of two coordinates on the line"),
            PlotWhat::Phase => write!(f, "coordinate with its velocity"),
            word => {
                let known = WORDS.iter().find(|(_, what)| what == word);
                write!(f, "{}", known.map_or("", |(word, _)| word))
            }
        }
    }
}

fn parse(item: &str, table: &Table) -> Result<PlotWhat, WhatError> {
    let column = |name: &str| match find(table, name) {
        Some(name) => Ok(name),
        None => Err(WhatError::Unknown {
            name: name.to_owned(),
            known: known(table),
        }),
    };
    if let Some((x, y)) = item.split_once(':') {
        return Ok(PlotWhat::Against(column(x.trim())?, column(y.trim())?));
    }
    match WORDS.iter().find(|(word, _)| *word == item) {
        Some((_, what)) if !is_named_by_model(table, item) => Ok(what.clone()),
        _ => column(item).map(PlotWhat::Column),
    }
}

/// Does the model itself use this name?
fn is_named_by_model(table: &Table, name: &str) -> bool {
    let mut of_model = table.columns.iter().filter(|c| c.kind.is_named_by_model());
    of_model.any(|c| c.quantity == name)
}

/// The quantity that a name means, in either spelling.
fn find(table: &Table, name: &str) -> Option<String> {
    let exact = table.columns.iter().find(|c| c.name == name);
    let by_quantity = || table.columns.iter().find(|c| c.quantity == name);
    let by_letters = || {
        table
            .columns
            .iter()
            .find(|c| raised(&display_name(&c.quantity)) == raised(name))
    };
    if let Some(column) = exact {
        return Some(column.name.clone());
    }
    by_quantity()
        .or_else(by_letters)
        .map(|c| c.quantity.clone())
}

/// A name with its low digits on the line: `λ1` for `λ₁`.
fn raised(name: &str) -> String {
    let digit = |c: char| "₀₁₂₃₄₅₆₇₈₉".chars().position(|low| low == c);
    let on_line = |c: char| digit(c).and_then(|d| char::from_digit(d as u32, 10));
    name.chars().map(|c| on_line(c).unwrap_or(c)).collect()
}

fn known(table: &Table) -> String {
    let columns = table.columns.iter().map(|c| c.name.clone());
    let words = PlotWhat::words().map(str::to_owned);
    columns.chain(words).collect::<Vec<_>>().join(", ")
}

/// Splits at the commas that are not inside of `[…]`.
fn split_outside_brackets(list: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    list.split(|c: char| {
        match c {
            '[' => depth = depth.saturating_add(1),
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Column, ColumnKind};

    fn table() -> Table {
        Table::new(vec![
            Column::new("t", ColumnKind::Time),
            Column::new("theta", ColumnKind::Angle),
            Column::new("theta'", ColumnKind::Velocity),
            Column::new("lambda1", ColumnKind::Multiplier),
            Column::new("R[1,2]", ColumnKind::GroupEntry),
            Column::new("x", ColumnKind::Line).of_motion("vakonomic"),
            Column::new("energy", ColumnKind::Energy),
        ])
    }

    #[test]
    fn words_names_and_pairs() {
        let list = " coordinates, R[1,2],θ:theta' , x(vakonomic), energy,λ1,λ₁";
        let column = |name: &str| PlotWhat::Column(name.to_owned());
        assert_eq!(
            PlotWhat::parse_list(list, &table()),
            Ok(vec![
                PlotWhat::Coordinates,
                column("R[1,2]"),
                PlotWhat::Against("theta".to_owned(), "theta'".to_owned()),
                column("x(vakonomic)"),
                PlotWhat::Energy,
                column("lambda1"),
                column("lambda1"),
            ])
        );
    }

    #[test]
    fn names_of_the_model_come_before_words() {
        let of_model = |name: &str| Column::new(name, ColumnKind::Observable);
        let own = |name: &str| Ok(vec![PlotWhat::Column(name.to_owned())]);
        let time = Column::new("t", ColumnKind::Time);
        let energy = Column::new("energy", ColumnKind::Energy);
        let table = Table::new(vec![time, of_model("energy"), of_model("path"), energy]);
        for name in ["energy", "path", "rattleback.energy"] {
            assert_eq!(PlotWhat::parse_list(name, &table), own(name));
        }
        assert_eq!(
            PlotWhat::parse_list("errors", &table),
            Ok(vec![PlotWhat::Errors])
        );
    }

    #[test]
    fn unknown_names_are_told() {
        let error = PlotWhat::parse_list("theta, thta", &table()).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("`thta`") && text.contains("theta'") && text.contains("phase"),
            "{text}"
        );
        assert_eq!(PlotWhat::parse_list(" , ", &table()), Err(WhatError::Empty));
    }
}
