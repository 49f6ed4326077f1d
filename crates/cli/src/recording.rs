//! Where the rows of a motion go: a table, a figure, both or neither.

use crate::failure::Failure;
use crate::terminal;
use rattleback::report::{Plot, PlotWhat, ReportError, RowSink, Table, TableWriter};
use std::fs::{OpenOptions, remove_file};
use std::path::Path;

/// What messages call standard output.
const STANDARD_OUTPUT: &str = "standard output";

/// The open results of one motion.
pub struct Recording {
    writer: Option<TableWriter>,
    plot: Option<Plot>,
}

impl Recording {
    /// Opens what is asked for, so that a path that cannot be written is told before the work.
    pub fn open(
        table: Table,
        output: Option<&Path>,
        plot: Option<&Path>,
        what: Option<&str>,
    ) -> Result<Self, Failure> {
        // Before a table is begun.
        plot.map_or(Ok(()), check_figure)?;
        let writer = match output {
            None => None,
            Some(path) if path.as_os_str() == "-" => {
                terminal::check_open()?;
                let out = TableWriter::csv(std::io::stdout(), STANDARD_OUTPUT, &table);
                Some(out.map_err(told)?)
            }
            Some(path) => Some(TableWriter::create(path, &table).map_err(told)?),
        };
        let plot = match plot {
            None => None,
            Some(path) => {
                let plot = match what {
                    None => Plot::sensible(&table),
                    Some(what) => PlotWhat::parse_list(what, &table)
                        .and_then(|what| Plot::new(&table, &what))
                        .map_err(|e| Failure::Input(e.to_string()))?,
                };
                Some(plot.written_to(path))
            }
        };
        Ok(Self { writer, plot })
    }

    /// Takes one row.
    pub fn row(&mut self, row: &[f64]) -> Result<(), Failure> {
        if let Some(writer) = &mut self.writer {
            writer.row(row).map_err(told)?;
        }
        if let Some(plot) = &mut self.plot {
            plot.row(row).map_err(told)?;
        }
        Ok(())
    }

    /// Takes one row that stands alone: a point of the figure, not a corner of a line.
    pub fn point(&mut self, row: &[f64]) -> Result<(), Failure> {
        if let Some(writer) = &mut self.writer {
            writer.row(row).map_err(told)?;
        }
        if let Some(plot) = &mut self.plot {
            let gap = vec![f64::NAN; row.len()];
            for row in [row, row, &gap] {
                plot.row(row).map_err(told)?;
            }
        }
        Ok(())
    }

    /// Completes the results.
    pub fn finish(&mut self) -> Result<(), Failure> {
        if let Some(writer) = &mut self.writer {
            writer.finish().map_err(told)?;
        }
        if let Some(plot) = &mut self.plot {
            plot.finish().map_err(told)?;
        }
        Ok(())
    }
}

/// Refuses a figure in a format that there is not, or where none can be written.
pub fn check_figure(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default();
    if !ending.eq_ignore_ascii_case("svg") {
        return Err(told(ReportError::UnknownFormat {
            path: path.to_owned(),
            expected: "`.svg`",
        }));
    }
    let is_new = !path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let tried = opened.and_then(|_| if is_new { remove_file(path) } else { Ok(()) });
    tried.map_err(|source| {
        told(ReportError::Write {
            path: path.to_owned(),
            source,
        })
    })
}

/// A failure to write, in the command line's words.
pub fn told(error: ReportError) -> Failure {
    if error.is_broken(STANDARD_OUTPUT) {
        return Failure::Output(std::io::ErrorKind::BrokenPipe.into());
    }
    match error {
        // The name or the file that was given is wrong, not the writing.
        ReportError::UnknownFormat { .. }
        | ReportError::Malformed { .. }
        | ReportError::Damaged { .. }
        | ReportError::Busy { .. } => Failure::Input(error.to_string()),
        _ => Failure::Computation(error.to_string()),
    }
}
