//! `--input u=FILE.csv` of the command line: a control fed from a table.

use crate::arguments::{InputArguments, ModelArguments};
use crate::destination;
use crate::failure::Failure;
use rattleback::compile::{Between, Table, TableError, Tables};
use rattleback::language::{Model, closest};
use rattleback::notes;
use rattleback::symbolic::Symbol;
use std::path::Path;

/// The tables of the command line.
pub struct Inputs<'a> {
    asked: &'a [String],
    tables: Vec<InputTable>,
}

/// A table with the lines of its rows in its file.
struct InputTable {
    table: Table,
    file: String,
    /// The line of the first row and of the last.
    ends: (usize, usize),
}

impl<'a> Inputs<'a> {
    /// Reads all tables; a mistake is told with its file and line. No result may overwrite one.
    pub fn read(
        model: &Model,
        arguments: &ModelArguments,
        inputs: &'a InputArguments,
        results: &[Option<&Path>],
    ) -> Result<Self, Failure> {
        let refused = |text: &str, why: String| Failure::Input(format!("--input {text}: {why}"));
        let mut all = Self {
            asked: &inputs.input,
            tables: Vec::new(),
        };
        for text in &inputs.input {
            let table = one(model, text).map_err(|why| refused(text, why))?;
            let control = table.table.control.to_string();
            if all.fed().contains(&control) {
                return Err(refused(text, format!("`{control}` has two tables")));
            }
            if let Some(set) = named(&arguments.set, &control) {
                let why =
                    format!("`{control}` has a value by --set {set} too; leave one of them out");
                return Err(refused(text, why));
            }
            destination::spare(Path::new(&table.file), results)?;
            all.tables.push(table);
        }
        Ok(all)
    }

    /// The tables.
    pub fn tables(&self) -> Tables {
        let tables = self.tables.iter().map(|input| input.table.clone());
        tables.collect::<Vec<_>>().into()
    }

    /// The controls that tables feed.
    pub fn fed(&self) -> Vec<String> {
        let controls = self.tables.iter().map(|input| &input.table.control);
        controls.map(Symbol::to_string).collect()
    }

    /// Laws of the model that tables replace.
    pub fn replaced(&self, model: &Model) -> Vec<String> {
        notes::on_tables(model, self.asked)
    }

    /// What was asked for, with a number that tells one content from another.
    pub fn described(&self) -> String {
        let rows = self.tables.iter().flat_map(|input| input.table.rows());
        let bytes = rows.flatten().flat_map(|x| x.to_bits().to_le_bytes());
        // Fowler, Noll and Vo's hash.
        let print = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{} ({print:016x})", self.asked.join(" "))
    }

    /// A control that is varied as well as fed.
    pub fn varied_too(&self, varied: &[String]) -> Result<(), Failure> {
        match self.fed().iter().find(|u| varied.contains(u)) {
            None => Ok(()),
            Some(u) => Err(Failure::Input(format!(
                "`{u}` is varied and has a table by --input: leave one of them out"
            ))),
        }
    }

    /// A motion beyond a table, told with the line at which the table ends.
    pub fn outside(&self, error: &TableError) -> Option<Failure> {
        let TableError::Outside { time, from, until } = error else {
            return None;
        };
        let ends = |t: &&InputTable| {
            let times = t.table.times();
            times.first() == Some(from) && times.last() == Some(until)
        };
        let table = self.tables.iter().find(ends)?;
        let line = match time < from {
            true => table.ends.0,
            false => table.ends.1,
        };
        let help = "give a table that covers the motion, or another --until";
        Some(Failure::Input(format!(
            "{}:{line}: {error}\n  help: {help}",
            table.file
        )))
    }
}

/// The setting `NAME=VALUE` of a name.
fn named<'a>(settings: &'a [String], name: &str) -> Option<&'a String> {
    let is_of = |set: &&String| set.split_once('=').is_some_and(|(n, _)| n.trim() == name);
    settings.iter().find(is_of)
}

fn one(model: &Model, text: &str) -> Result<InputTable, String> {
    let form = "write NAME=FILE.csv, with :hold, :linear or :cubic behind it";
    let (name, rest) = text.split_once('=').ok_or(form)?;
    let control = control(model, name.trim())?;
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
    Ok(InputTable {
        table,
        file: file.to_owned(),
        ends: (line(0), line(last)),
    })
}

fn control(model: &Model, name: &str) -> Result<Symbol, String> {
    let mut controls = model.controls.iter().map(|c| &c.symbol);
    if let Some(found) = controls.find(|c| c.name() == name || c.to_string() == name) {
        return Ok(found.clone());
    }
    let names: Vec<String> = model
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
