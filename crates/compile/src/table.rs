//! A table as the input of a control: a polynomial of time between its knots.
//!
//! On a stretch between knots u(t) = c₀ + c₁ s + c₂ s² + c₃ s³ with s = t − t_k. The coefficients are constants of the
//! programs that change from stretch to stretch, so that every method meets a smooth field, and steps end at knots.

use rattleback_symbolic::{Expr, Symbol};

/// How a table goes on between its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// Each value from its time on.
    Hold,
    /// Along straight lines.
    #[default]
    Linear,
    /// Along a cubic spline without a knot at the second row and the last but one.
    Cubic,
}

/// What is wrong with a table, and in which of its rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TableError {
    /// Too few rows.
    #[error("a table needs at least {least} rows, but there are {rows}")]
    Short {
        /// How many are needed.
        least: usize,
        /// How many there are.
        rows: usize,
    },
    /// Times that do not increase.
    #[error("the times of a table increase, but {time} follows {before}")]
    Order {
        /// The row.
        row: usize,
        /// Its time.
        time: f64,
        /// The time of the row before.
        before: f64,
    },
    /// The motion goes beyond the table.
    #[error("the motion is asked for at t = {time}, but the table goes from {from} to {until}")]
    Outside {
        /// The time.
        time: f64,
        /// The first time of the table.
        from: f64,
        /// Its last time.
        until: f64,
    },
}

/// A control fed from a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The control.
    pub control: Symbol,
    times: Vec<f64>,
    /// c₀ … c₃ from each time on.
    pieces: Vec<[f64; 4]>,
}

impl Table {
    /// The table of these times and values.
    pub fn new(
        control: Symbol,
        times: Vec<f64>,
        values: &[f64],
        between: Between,
    ) -> Result<Self, TableError> {
        let least = match between {
            Between::Hold => 1,
            Between::Linear => 2,
            Between::Cubic => 4,
        };
        if times.len() < least {
            let rows = times.len();
            return Err(TableError::Short { least, rows });
        }
        let may_repeat = between == Between::Hold;
        for (row, pair) in times.windows(2).enumerate() {
            let (before, time) = (pair[0], pair[1]);
            if !(before < time || may_repeat && before == time) {
                let row = row + 1;
                return Err(TableError::Order { row, time, before });
            }
        }
        let pieces = match between {
            Between::Hold => values.iter().map(|&v| [v, 0.0, 0.0, 0.0]).collect(),
            Between::Linear => lines(&times, values),
            Between::Cubic => spline(&times, values),
        };
        Ok(Self {
            control,
            times,
            pieces,
        })
    }

    /// The polynomials c₀ + c₁ s + c₂ s² + c₃ s³ with s = t − t_k, one from each time on but the last.
    pub fn of_pieces(
        control: Symbol,
        times: Vec<f64>,
        pieces: Vec<[f64; 4]>,
    ) -> Result<Self, TableError> {
        let rows = pieces.len().min(times.len().saturating_sub(1));
        if rows == 0 {
            return Err(TableError::Short { least: 2, rows });
        }
        for (row, pair) in times.windows(2).enumerate() {
            let (before, time) = (pair[0], pair[1]);
            if before.partial_cmp(&time) != Some(std::cmp::Ordering::Less) {
                let row = row + 1;
                return Err(TableError::Order { row, time, before });
            }
        }
        Ok(Self {
            control,
            times,
            pieces,
        })
    }

    /// Is a stretch of time within the table?
    pub fn covers(&self, from: f64, until: f64) -> Result<(), TableError> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        match [from, until]
            .into_iter()
            .find(|t| !(first..=last).contains(t))
        {
            None => Ok(()),
            Some(time) => Err(TableError::Outside {
                time,
                from: first,
                until: last,
            }),
        }
    }

    /// The times of its rows.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// t_k, c₀, …, c₃ of each piece.
    pub fn rows(&self) -> impl Iterator<Item = [f64; 5]> {
        let pieces = self.times.iter().zip(&self.pieces);
        pieces.map(|(t, [c0, c1, c2, c3])| [*t, *c0, *c1, *c2, *c3])
    }

    /// t_k, c₀, …, c₃ as symbols. No name of the language contains a space.
    pub fn symbols(&self) -> [Symbol; 5] {
        let name = |part: &str| Symbol::constant(&format!("table {} {part}", self.control));
        ["time", "0", "1", "2", "3"].map(name)
    }

    /// c₀ + s (c₁ + s (c₂ + s c₃)) with s = t − t_k.
    pub fn law(&self) -> Expr {
        let [knot, c0, c1, c2, c3] = self.symbols().map(Expr::from);
        let s = Expr::from(Symbol::time()) - knot;
        c0 + &s * (c1 + &s * (c2 + &s * c3))
    }

    /// The values of the symbols at a time that is no knot.
    pub fn values(&self, t: f64) -> [f64; 5] {
        let behind = self.times.partition_point(|time| *time <= t);
        let last = self.pieces.len() - 1;
        let piece = behind.saturating_sub(1).min(last);
        let [c0, c1, c2, c3] = self.pieces[piece];
        [self.times[piece], c0, c1, c2, c3]
    }
}

/// All tables that feed a motion; their symbols are constants of its programs.
#[derive(Clone, Debug, Default)]
pub struct Tables(Vec<Table>);

impl From<Vec<Table>> for Tables {
    fn from(tables: Vec<Table>) -> Self {
        Self(tables)
    }
}

impl Tables {
    /// Does no table feed the motion?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One by one.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.0.iter()
    }

    /// The symbols of all, in the order of [`Self::values`].
    pub fn symbols(&self) -> Vec<Symbol> {
        self.0.iter().flat_map(Table::symbols).collect()
    }

    /// The values of the symbols at a time.
    pub fn values(&self, t: f64) -> Vec<f64> {
        self.0.iter().flat_map(|table| table.values(t)).collect()
    }

    /// Is a motion from a time to another one within all of them?
    pub fn covers(&self, from: f64, until: f64) -> Result<(), TableError> {
        self.0
            .iter()
            .try_for_each(|table| table.covers(from, until))
    }

    /// The knots between two times, in ascending order.
    pub fn knots(&self, a: f64, b: f64) -> Vec<f64> {
        let (low, high) = (a.min(b), a.max(b));
        let all = self.0.iter().flat_map(|table| table.times());
        let mut knots: Vec<f64> = all.copied().filter(|t| low < *t && *t < high).collect();
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }
}

fn slopes<'a>(t: &'a [f64], u: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let steps = t.windows(2).zip(u.windows(2));
    steps.map(|(t, u)| (u[1] - u[0]) / (t[1] - t[0]))
}

fn lines(t: &[f64], u: &[f64]) -> Vec<[f64; 4]> {
    let pieces = slopes(t, u).zip(u);
    pieces.map(|(slope, &u)| [u, slope, 0.0, 0.0]).collect()
}

/// The not-a-knot spline by its second derivatives M: with h_i = t_{i+1} − t_i and d_i the slopes of the chords,
///
///   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 (d_i − d_{i−1}),
///
/// and a third derivative that does not jump at the second row and the last but one.
fn spline(t: &[f64], u: &[f64]) -> Vec<[f64; 4]> {
    let h: Vec<f64> = t.windows(2).map(|t| t[1] - t[0]).collect();
    let d: Vec<f64> = slopes(t, u).collect();
    let n = h.len();
    let mut lower: Vec<f64> = (1..n).map(|i| h[i - 1]).collect();
    let mut middle: Vec<f64> = (1..n).map(|i| 2.0 * (h[i - 1] + h[i])).collect();
    let mut upper: Vec<f64> = (1..n).map(|i| h[i]).collect();
    let mut right: Vec<f64> = (1..n).map(|i| 6.0 * (d[i] - d[i - 1])).collect();
    // M_0 = M_1 − h_0/h_1 (M_2 − M_1), and the same from the other end.
    let ratio = h[0] / h[1];
    middle[0] += h[0] * (1.0 + ratio);
    upper[0] -= h[0] * ratio;
    let back = h[n - 1] / h[n - 2];
    middle[n - 2] += h[n - 1] * (1.0 + back);
    lower[n - 2] -= h[n - 1] * back;
    for i in 1..n - 1 {
        let part = lower[i] / middle[i - 1];
        middle[i] -= part * upper[i - 1];
        right[i] -= part * right[i - 1];
    }
    let mut inner = vec![0.0; n - 1];
    for i in (0..n - 1).rev() {
        let above = inner.get(i + 1).map_or(0.0, |next| upper[i] * next);
        inner[i] = (right[i] - above) / middle[i];
    }
    let first = inner[0] - ratio * (inner[1] - inner[0]);
    let last = inner[n - 2] + back * (inner[n - 2] - inner[n - 3]);
    let m: Vec<f64> = [&[first], &inner[..], &[last]].concat();
    (0..n)
        .map(|i| {
            let slope = d[i] - h[i] * (2.0 * m[i] + m[i + 1]) / 6.0;
            [u[i], slope, m[i] / 2.0, (m[i + 1] - m[i]) / (6.0 * h[i])]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(table: &Table, t: f64) -> f64 {
        let [knot, c0, c1, c2, c3] = table.values(t);
        let s = t - knot;
        c0 + s * (c1 + s * (c2 + s * c3))
    }

    fn table(times: &[f64], f: impl Fn(f64) -> f64, between: Between) -> Result<Table, TableError> {
        let values: Vec<f64> = times.iter().map(|&t| f(t)).collect();
        Table::new(Symbol::variable("u"), times.to_vec(), &values, between)
    }

    #[test]
    fn each_kind_is_exact_where_it_can_be() {
        let times = [0.0, 0.7, 1.0, 2.5, 3.0];
        let cubic = |t: f64| 1.0 - 2.0 * t + t * t - t.powi(3) / 4.0;
        let line = |t: f64| 3.0 - t / 2.0;
        for k in 0..60 {
            let t = 0.05 * f64::from(k);
            let spline = table(&times, cubic, Between::Cubic).unwrap();
            assert!((at(&spline, t) - cubic(t)).abs() < 1e-13, "{t}");
            let four = table(&times[..4], cubic, Between::Cubic).unwrap();
            assert!(
                (at(&four, t.min(2.5)) - cubic(t.min(2.5))).abs() < 1e-13,
                "{t}"
            );
            let lines = table(&times, line, Between::Linear).unwrap();
            assert!((at(&lines, t) - line(t)).abs() < 1e-14, "{t}");
        }
        let hold = Table::new(
            Symbol::variable("u"),
            vec![0.0, 1.0, 1.0, 2.0],
            &[1.0, 2.0, 3.0, 4.0],
            Between::Hold,
        );
        let hold = hold.unwrap();
        let values = [0.0, 0.9, 1.0, 1.9, 2.0].map(|t| at(&hold, t));
        assert_eq!(values, [1.0, 1.0, 3.0, 3.0, 4.0]);
    }

    #[test]
    fn pieces_are_taken_as_they_are() {
        let control = Symbol::variable("u");
        let pieces = vec![[1.0, 2.0, 3.0, 4.0], [5.0, 0.0, -1.0, 0.0]];
        let steps = Table::of_pieces(control.clone(), vec![0.0, 1.0, 3.0], pieces).unwrap();
        assert_eq!(
            [0.0, 0.5, 1.0, 3.0].map(|t| at(&steps, t)),
            [1.0, 3.25, 5.0, 1.0]
        );
        let back = Table::of_pieces(control.clone(), vec![0.0, 0.0], vec![[0.0; 4]]);
        assert!(matches!(back, Err(TableError::Order { row: 1, .. })));
        let short = Table::of_pieces(control, vec![0.0], Vec::new());
        assert!(matches!(short, Err(TableError::Short { .. })));
    }

    #[test]
    fn what_is_no_table_is_told() {
        let short = table(&[0.0, 1.0, 2.0], |t| t, Between::Cubic).unwrap_err();
        assert_eq!(short, TableError::Short { least: 4, rows: 3 });
        let order = table(&[0.0, 1.0, 1.0], |t| t, Between::Linear).unwrap_err();
        assert!(matches!(order, TableError::Order { row: 2, .. }), "{order}");
        let fits = table(&[0.0, 1.0], |t| t, Between::Linear).unwrap();
        assert_eq!(fits.covers(0.0, 1.0), Ok(()));
        assert!(fits.covers(0.0, 1.5).is_err() && fits.covers(-0.1, 1.0).is_err());
    }
}
