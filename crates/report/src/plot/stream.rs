//! A figure that rows flow into.

use std::path::{Path, PathBuf};

use super::figure::Figure;
use super::plan::{Plan, sensible, wished};
use super::what::{PlotWhat, WhatError};
use crate::error::{ReportError, check_length};
use crate::metadata::Metadata;
use crate::sink::RowSink;
use crate::table::Table;

/// Draws the rows of a motion, in memory that does not grow with them.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    columns: usize,
    plans: Vec<Plan>,
    path: Option<PathBuf>,
}

impl Plot {
    /// What a reader wants to see first: coordinates, velocities, the path, observed quantities, and
    /// the errors, as far as the table has them.
    pub fn sensible(table: &Table) -> Plot {
        let wishes = sensible(table);
        let plans = wishes.iter().filter_map(|what| wished(table, what).ok());
        Plot::of_plans(table, plans.flatten().collect())
    }

    /// What was asked for, in that order.
    pub fn new(table: &Table, wishes: &[PlotWhat]) -> Result<Plot, WhatError> {
        let mut plans = Vec::new();
        for what in wishes {
            plans.extend(wished(table, what)?);
        }
        Ok(Plot::of_plans(table, plans))
    }

    fn of_plans(table: &Table, plans: Vec<Plan>) -> Plot {
        let title = [Metadata::TITLE, Metadata::SYSTEM]
            .iter()
            .find_map(|key| table.metadata.get(key));
        Plot {
            title: title.unwrap_or_default().to_owned(),
            columns: table.columns.len(),
            plans,
            path: None,
        }
    }

    /// The plot, to be written to this file by [`RowSink::finish`].
    #[must_use]
    pub fn written_to(mut self, path: &Path) -> Plot {
        self.path = Some(path.to_owned());
        self
    }

    /// The rows so far as a figure.
    pub fn figure(&self) -> Figure {
        let figure = Figure::new(self.title.clone());
        let panels = self.plans.iter().flat_map(Plan::panels);
        panels.fold(figure, Figure::with)
    }
}

impl RowSink for Plot {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        check_length(values, self.columns)?;
        for plan in &mut self.plans {
            for (line, feed) in plan.panel.lines.iter_mut().zip(&mut plan.feeds) {
                if let (Some(&x), Some(&y)) = (values.get(feed.x), values.get(feed.y)) {
                    line.data.push(x, feed.part.of(y));
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        match &self.path {
            Some(path) => self.figure().write(path),
            None => Ok(()),
        }
    }
}
