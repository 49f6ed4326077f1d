//! Where rows go.

use crate::error::ReportError;

/// Takes the rows of a motion one by one.
pub trait RowSink {
    /// Takes one row: a value per column, NaN where there is none.
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError>;

    /// Completes the result. Call it after an interrupted motion too, so that the rows so far stay
    /// readable. Rows after it are an error of the caller.
    fn finish(&mut self) -> Result<(), ReportError>;
}

impl<S: RowSink + ?Sized> RowSink for Box<S> {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        (**self).row(values)
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        (**self).finish()
    }
}

impl<S: RowSink> RowSink for Option<S> {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        self.as_mut().map_or(Ok(()), |sink| sink.row(values))
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        self.as_mut().map_or(Ok(()), RowSink::finish)
    }
}

/// Gives every row to two sinks. A failure of one keeps rows from neither.
#[derive(Debug)]
pub struct Tee<A, B>(pub A, pub B);

impl<A: RowSink, B: RowSink> RowSink for Tee<A, B> {
    fn row(&mut self, values: &[f64]) -> Result<(), ReportError> {
        let first = self.0.row(values);
        self.1.row(values)?;
        first
    }

    fn finish(&mut self) -> Result<(), ReportError> {
        let first = self.0.finish();
        self.1.finish()?;
        first
    }
}
