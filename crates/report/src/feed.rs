//! Tables that feed controls: files with a column of times and one of values.

use crate::compile::{Between, Table, TableError, Tables};
use crate::language::closest;
use crate::mechanics::Problem;
use crate::symbolic::Symbol;
use std::path::Path;

/// A table with the lines of its rows in its file.
#[derive(Clone, Debug)]
struct Fed {
    table: Table,
    file: String,
    /// The line of the first row and of the last.
    ends: (usize, usize),
}

/// The tables that feed controls of a model.
#[derive(Clone, Debug, Default)]
pub struct Feeds {
    asked: Vec<String>,
    all: Vec<Fed>,
    replaced: Vec<String>,
}

/// A text that is no table for a control.
#[derive(Clone, Debug, thiserror::Error)]
#[error("‹input {text}›: {why}")]
pub struct FeedError {
    /// What was asked for.
    pub text: String,
    /// What is wrong, with file and line where it has them.
    pub why: String,
}

impl Feeds {
    /// Reads tables: `u=push.csv` feeds the control `u` from the columns `t` and `u` of a file; behind a colon stands how
    /// values are found between the rows, `linear` (as without it), `hold` or `cubic`.
    ///
    /// ```
    /// use rattleback_language::{Source, parse};
    /// use rattleback_mechanics::Problem;
    /// use rattleback_report::Feeds;
    ///
    /// let text = "system cart\ncoord x\nkinetic x'^2/2\ncontrol u on x\n";
    /// let model = parse(&Source::new("cart.mech", text)).model.ok_or("no model")?;
    /// let problem = Problem::from_model(&model)?;
    /// let file = std::env::temp_dir().join("rattleback_push.csv");
    /// std::fs::write(&file, "t,u\n0,0\n1,2\n")?;
    /// let feeds = Feeds::read(&problem, &[format!("u={}:hold", file.display())])?;
    /// assert_eq!(feeds.controls(), ["u"]);
    /// assert!(Feeds::read(&problem, &["v=push.csv".to_owned()]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(problem: &Problem, asked: &[String]) -> Result<Self, FeedError> {
        let mut feeds = Self {
            asked: asked.to_vec(),
            all: Vec::new(),
            replaced: crate::notes::on_tables(problem, asked),
        };
        for text in asked {
            let refused = |why: String| FeedError {
                text: text.clone(),
                why,
            };
            let fed = one(problem, text).map_err(refused)?;
            let control = fed.table.control.to_string();
            if feeds.controls().contains(&control) {
                return Err(refused(format!("`{control}` has two tables")));
            }
            feeds.all.push(fed);
        }
        Ok(feeds)
    }

    /// The tables.
    pub fn tables(&self) -> Tables {
        let tables = self.all.iter().map(|fed| fed.table.clone());
        tables.collect::<Vec<_>>().into()
    }

    /// The controls that tables feed.
    pub fn controls(&self) -> Vec<String> {
        let controls = self.all.iter().map(|fed| &fed.table.control);
        controls.map(Symbol::to_string).collect()
    }

    /// The files of the tables, with what was asked for and the control.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &str, String)> {
        let asked = self.asked.iter().map(String::as_str);
        let all = self.all.iter().zip(asked);
        all.map(|(fed, asked)| (Path::new(&fed.file), asked, fed.table.control.to_string()))
    }

    /// What is to be said of laws of the model that tables replace.
    pub fn replaced(&self) -> &[String] {
        &self.replaced
    }

    /// What was asked for, with a number that tells one content from another.
    pub fn described(&self) -> String {
        let rows = self.all.iter().flat_map(|fed| fed.table.rows());
        let bytes = rows.flatten().flat_map(|x| x.to_bits().to_le_bytes());
        // Fowler, Noll and Vo's hash.
        let print = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{} ({print:016x})", self.asked.join(" "))
    }

    /// A motion beyond a table, told with the line at which the table ends.
    pub fn outside(&self, error: &TableError) -> Option<String> {
        let TableError::Outside { time, from, until } = error else {
            return None;
        };
        let ends = |fed: &&Fed| {
            let times = fed.table.times();
            times.first() == Some(from) && times.last() == Some(until)
        };
        let fed = self.all.iter().find(ends)?;
        let line = match time < from {
            true => fed.ends.0,
            false => fed.ends.1,
        };
        let help = "give a table that covers the motion, or another ‹until›";
        Some(format!("{}:{line}: {error}\n  help: {help}", fed.file))
    }
}

fn one(problem: &Problem, text: &str) -> Result<Fed, String> {
    let form = "write NAME=FILE.csv, with :hold, :linear or :cubic behind it";
    let (name, rest) = text.split_once('=').ok_or(form)?;
    let control = control(problem, name.trim())?;
    let (file, between) = match rest.rsplit_once(':') {
        Some((file, "hold")) => (file, Between::Hold),
        Some((file, "linear")) => (file, Between::Linear),
        Some((file, "cubic")) => (file, Between::Cubic),
        Some((file, word)) if !Path::new(rest).exists() && Path::new(file).exists() => {
            return Err(format!("`{word}` is no kind of table: {form}"));
        }
        _ => (rest, Between::default()),
    };
    let content = std::fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"))?;
    let rows = rows(&content, &control.to_string())
        .map_err(|(line, why)| format!("{file}:{line}: {why}"))?;
    let times: Vec<f64> = rows.iter().map(|r| r.1).collect();
    let values: Vec<f64> = rows.iter().map(|r| r.2).collect();
    let line = |k: usize| rows.get(k).map_or(1, |r| r.0);
    let last = rows.len().saturating_sub(1);
    let table = Table::new(control, times, &values, between).map_err(|error| {
        let at = match &error {
            TableError::Order { row, .. } => line(*row),
            _ => line(last),
        };
        format!("{file}:{at}: {error}")
    })?;
    Ok(Fed {
        table,
        file: file.to_owned(),
        ends: (line(0), line(last)),
    })
}

fn control(problem: &Problem, name: &str) -> Result<Symbol, String> {
    let mut controls = problem.controls.iter().map(|c| &c.symbol);
    if let Some(found) = controls.find(|c| c.name() == name || c.to_string() == name) {
        return Ok(found.clone());
    }
    let names: Vec<String> = problem
        .controls
        .iter()
        .map(|c| c.symbol.to_string())
        .collect();
    let near = closest(name, names.iter().map(String::as_str));
    Err(match (near, names.is_empty()) {
        (Some(near), _) => format!("there is no control `{name}`; did you mean `{near}`?"),
        (None, true) => format!("there is no control `{name}`: the model has none"),
        (None, false) => format!(
            "there is no control `{name}`; the controls are: {}",
            names.join(", ")
        ),
    })
}

/// Line, time and value of each row; what is wrong comes with its line.
type Rows = Vec<(usize, f64, f64)>;

fn rows(content: &str, control: &str) -> Result<Rows, (usize, String)> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let lines = content
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()));
    // Tables of ours say something about themselves before their header.
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (first, header) = lines
        .next()
        .ok_or((1, "the file has no header".to_owned()))?;
    let names = cells(header);
    let column = |name: &str| {
        let mut places = (0..names.len()).filter(|&i| names[i] == name);
        let place = places.next().ok_or_else(|| {
            let found = names.join(", ");
            (
                first,
                format!("there is no column `{name}`; the header has: {found}"),
            )
        })?;
        match places.next() {
            None => Ok(place),
            Some(_) => Err((first, format!("there are several columns `{name}`"))),
        }
    };
    let (time, value) = (column("t")?, column(control)?);
    lines
        .map(|(line, text)| {
            let cells = cells(text);
            let surplus = cells.iter().skip(names.len()).find(|c| !c.is_empty());
            if let Some(surplus) = surplus {
                let why = format!(
                    "`{surplus}` is in no column; the header has: {}",
                    names.join(", ")
                );
                return Err((line, why));
            }
            let number = |column: usize| {
                let name = names[column];
                let text = cells.get(column).copied().unwrap_or_default();
                let number = text.parse::<f64>().ok().filter(|v| v.is_finite());
                number.ok_or_else(|| match text.is_empty() {
                    true => (line, format!("the value of `{name}` is missing")),
                    false => (line, format!("`{text}` is no finite number for `{name}`")),
                })
            };
            Ok((line, number(time)?, number(value)?))
        })
        .collect()
}

/// The texts of the cells of a line, without blanks and quotes around them. Commas in quotes part nothing: "R[1,2]".
fn cells(line: &str) -> Vec<&str> {
    let mut quoted = false;
    let parts = line.split(|c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    parts.map(|text| text.trim().trim_matches('"')).collect()
}
