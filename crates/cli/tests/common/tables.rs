//! Reading the tables that the program writes.

use rattleback::report::{Metadata, TableReader};
use std::path::Path;

/// A table in memory.
pub struct Contents {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
    pub metadata: Metadata,
}

/// Reads a whole table.
#[track_caller]
pub fn read(path: impl AsRef<Path>) -> Contents {
    let mut reader = TableReader::open(path.as_ref()).unwrap_or_else(|e| panic!("{e}"));
    let rows = reader.rows().unwrap_or_else(|e| panic!("{e}"));
    let table = reader.table();
    Contents {
        names: table.columns.iter().map(|c| c.name.to_string()).collect(),
        rows,
        metadata: table.metadata.clone(),
    }
}

impl Contents {
    /// All values of a column.
    #[track_caller]
    pub fn column(&self, name: &str) -> Vec<f64> {
        let i = self.names.iter().position(|n| n == name);
        let i = i.unwrap_or_else(|| panic!("no {name} in {:?}", self.names));
        self.rows.iter().map(|row| row[i]).collect()
    }

    /// What the members of an ensemble were given: a parameter by its name, a start value as NAME(0).
    #[track_caller]
    pub fn given(&self, name: &str) -> Vec<f64> {
        let start = format!("{name}(0)");
        if self.names.contains(&start) {
            return self.column(&start);
        }
        self.column(name)
    }

    /// The rows as bits, so that equal means equal to the last bit and NaN is NaN.
    pub fn bits(&self) -> Vec<Vec<u64>> {
        let bits = |row: &Vec<f64>| row.iter().map(|x| x.to_bits()).collect();
        self.rows.iter().map(bits).collect()
    }
}
