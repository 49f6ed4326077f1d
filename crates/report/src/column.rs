//! Columns: what the numbers of a row mean.

use std::collections::HashSet;

/// What a column holds. It decides on which axis the column is drawn and how it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// The time.
    Time,
    /// A coordinate on the line.
    Line,
    /// A coordinate on the circle. Not wrapped in tables; wrapped in plots.
    Angle,
    /// An entry of a group element, such as `R[1,2]`.
    GroupEntry,
    /// A velocity: of a coordinate, or of a group factor.
    Velocity,
    /// A velocity in a frame that the formulation chose.
    FrameVelocity,
    /// A momentum.
    Momentum,
    /// A quantity of an `observe` statement.
    Observable,
    /// A multiplier of a constraint.
    Multiplier,
    /// A control input.
    Control,
    /// The energy.
    Energy,
    /// The energy minus the energy at the start.
    EnergyError,
    /// How far a constraint is from holding.
    ConstraintResidual,
    /// The distance of two motions.
    Distance,
    /// A value that a member of an ensemble was given.
    Given,
    /// The number of a member of an ensemble. Stored as an integer.
    Index,
    /// How a computation ended, as a code. Stored as an integer.
    Outcome,
    /// Anything else.
    Other,
}

impl ColumnKind {
    /// All kinds.
    pub const ALL: [ColumnKind; 18] = [
        ColumnKind::Time,
        ColumnKind::Line,
        ColumnKind::Angle,
        ColumnKind::GroupEntry,
        ColumnKind::Velocity,
        ColumnKind::FrameVelocity,
        ColumnKind::Momentum,
        ColumnKind::Observable,
        ColumnKind::Multiplier,
        ColumnKind::Control,
        ColumnKind::Energy,
        ColumnKind::EnergyError,
        ColumnKind::ConstraintResidual,
        ColumnKind::Distance,
        ColumnKind::Given,
        ColumnKind::Index,
        ColumnKind::Outcome,
        ColumnKind::Other,
    ];

    /// The word for it in a file's description.
    pub fn word(self) -> &'static str {
        match self {
            ColumnKind::Time => "time",
            ColumnKind::Line => "coordinate",
            ColumnKind::Angle => "angle",
            ColumnKind::GroupEntry => "group-entry",
            ColumnKind::Velocity => "velocity",
            ColumnKind::FrameVelocity => "frame-velocity",
            ColumnKind::Momentum => "momentum",
            ColumnKind::Observable => "observable",
            ColumnKind::Multiplier => "multiplier",
            ColumnKind::Control => "control",
            ColumnKind::Energy => "energy",
            ColumnKind::EnergyError => "energy-error",
            ColumnKind::ConstraintResidual => "constraint-residual",
            ColumnKind::Distance => "distance",
            ColumnKind::Given => "given",
            ColumnKind::Index => "index",
            ColumnKind::Outcome => "outcome",
            ColumnKind::Other => "other",
        }
    }

    /// The kind of a word.
    pub fn from_word(word: &str) -> Option<ColumnKind> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Is it stored as a whole number?
    pub fn is_integer(self) -> bool {
        matches!(self, ColumnKind::Index | ColumnKind::Outcome)
    }

    /// Is it a coordinate of the configuration?
    pub fn is_position(self) -> bool {
        matches!(
            self,
            ColumnKind::Line | ColumnKind::Angle | ColumnKind::GroupEntry
        )
    }

    /// Does the model name it? The others have names that the program chose.
    pub fn is_named_by_model(self) -> bool {
        self.is_position()
            || matches!(
                self,
                ColumnKind::Velocity
                    | ColumnKind::FrameVelocity
                    | ColumnKind::Observable
                    | ColumnKind::Control
                    | ColumnKind::Given
            )
    }

    /// Does it belong on a logarithmic axis?
    pub fn is_error(self) -> bool {
        matches!(
            self,
            ColumnKind::EnergyError | ColumnKind::ConstraintResidual | ColumnKind::Distance
        )
    }
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in the file, unique in the table: `theta'`, `R[1,2]`.
    pub name: String,
    /// The quantity in the model language; the name, unless several motions share a table.
    pub quantity: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Its unit, such as `m/s`, where one is known.
    pub unit: Option<String>,
    /// The motion that it belongs to, where a table holds several.
    pub motion: Option<String>,
}

impl Column {
    /// A column of this name and kind. Angles are in radians.
    pub fn new(name: impl Into<String>, kind: ColumnKind) -> Column {
        let name = name.into();
        Column {
            quantity: name.clone(),
            name,
            kind,
            unit: (kind == ColumnKind::Angle).then(|| "rad".to_owned()),
            motion: None,
        }
    }

    /// The column with a unit; nothing changes for `None`.
    #[must_use]
    pub fn with_unit(mut self, unit: Option<impl Into<String>>) -> Column {
        self.unit = unit.map(Into::into).or(self.unit);
        self
    }

    /// The column of one of several motions: its name becomes `NAME(MOTION)`.
    #[must_use]
    pub fn of_motion(mut self, motion: impl Into<String>) -> Column {
        let motion = motion.into();
        self.name = format!("{}({motion})", self.quantity);
        self.motion = Some(motion);
        self
    }

    /// The column as one of the program: `rattleback.energy`, which no model can declare.
    fn of_program(self) -> Column {
        let quantity = format!("{PROGRAM}{}", self.quantity);
        let renamed = Column {
            name: quantity.clone(),
            quantity,
            ..self
        };
        match renamed.motion.clone() {
            Some(motion) => renamed.of_motion(motion),
            None => renamed,
        }
    }
}

/// What stands before the program's name of a quantity where the model has another one of that name.
const PROGRAM: &str = "rattleback.";

/// The columns, with those of the program renamed where the model uses their names.
pub(crate) fn told_apart(columns: Vec<Column>) -> Vec<Column> {
    let of_model: HashSet<String> = columns
        .iter()
        .filter(|column| column.kind.is_named_by_model())
        .map(|column| column.quantity.clone())
        .collect();
    let told = |column: Column| match !column.kind.is_named_by_model()
        && of_model.contains(&column.quantity)
    {
        true => column.of_program(),
        false => column,
    };
    columns.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_kinds() {
        for kind in ColumnKind::ALL {
            assert_eq!(ColumnKind::from_word(kind.word()), Some(kind));
        }
        assert_eq!(ColumnKind::from_word("nothing"), None);
    }

    #[test]
    fn the_model_keeps_its_names() {
        let energy = |kind| Column::new("energy", kind).of_motion("vakonomic");
        let columns = told_apart(vec![
            energy(ColumnKind::Observable),
            Column::new("energy", ColumnKind::Energy).of_motion("nonholonomic"),
            energy(ColumnKind::Energy),
            Column::new("status", ColumnKind::Given),
            Column::new("status", ColumnKind::Outcome),
            Column::new("steps", ColumnKind::Index),
        ]);
        let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "energy(vakonomic)",
                "rattleback.energy(nonholonomic)",
                "rattleback.energy(vakonomic)",
                "status",
                "rattleback.status",
                "steps"
            ]
        );
        assert_eq!(columns[1].quantity, "rattleback.energy");
    }

    #[test]
    fn columns_of_two_motions_have_two_names() {
        let one = Column::new("x", ColumnKind::Line).of_motion("vakonomic");
        assert_eq!(one.name, "x(vakonomic)");
        assert_eq!(one.quantity, "x");
    }
}
