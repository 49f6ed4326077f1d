//! Systems that nobody has seen before: drawn at random, measured beside the rivals, reported as a distribution.

use super::precision::Precision;
use super::table::{markdown, number, significant};
use crate::{ChoreError, build, process, python, root};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The error of a motion at which times are compared, and that of the worst member of a crowd.
const TARGET: f64 = 1e-9;
const CROWD_TARGET: f64 = 1e-8;

/// What was measured of one system: the time of the best rival over ours, where both come to the error.
#[derive(Clone, Debug, Default)]
struct Row {
    class: String,
    motion: Option<f64>,
    crowd: Option<f64>,
    /// Right-hand sides one by one and in four lanes.
    single: Option<f64>,
    lanes: Option<f64>,
    /// The method that we took near the target.
    method: String,
}

/// Measures so many systems; `keep` gets the section after each of them, so that a run that is cut short leaves what it
/// has measured.
pub fn section(
    count: usize,
    seed: u64,
    keep: &mut dyn FnMut(&str) -> Result<(), ChoreError>,
) -> Result<String, ChoreError> {
    let bench = Bench::new()?;
    let classes = bench.draw(count, seed)?;
    let (mut rows, mut section) = (Vec::new(), String::new());
    let mut busiest: f64 = 0.0;
    for (k, class) in classes.iter().enumerate() {
        let row = bench.measure(k, class)?;
        eprintln!("{k} {class}: {row:?}");
        rows.push(row);
        busiest = busiest.max(load().unwrap_or(0.0));
        section = text(
            &rows,
            &Circumstances {
                seed,
                count,
                busiest,
            },
        );
        keep(&section)?;
    }
    Ok(section)
}

/// How a run went.
struct Circumstances {
    seed: u64,
    /// How many systems it was to measure.
    count: usize,
    /// The largest load of the machine while it measured; 0 where that is not known.
    busiest: f64,
}

/// How many programs want a processor, on average over the last minute; none where the system does not tell.
fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// What a reader should know of the machine: programs beside ours take from the caches even where processor time is
/// counted.
fn told_load(busiest: f64) -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    match busiest {
        0.0 => String::new(),
        busiest => format!(
            " Load of the machine while measuring: up to {} on {processors} processors.",
            significant(busiest)
        ),
    }
}

/// The programs, and where systems are kept.
struct Bench {
    python: PathBuf,
    ours: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn new() -> Result<Self, ChoreError> {
        let folder = root().join("target").join("peers").join("drawn");
        fs::create_dir_all(&folder).map_err(ChoreError::file(&folder))?;
        Ok(Self {
            python: python::environment("peers", "scripts/peers/requirements.txt")?,
            ours: build::example("rattleback-motion", "follow")?,
            folder,
        })
    }

    fn draw(&self, count: usize, seed: u64) -> Result<Vec<String>, ChoreError> {
        let folder = self.folder.to_string_lossy();
        let (seed, count) = (seed.to_string(), count.to_string());
        let script = "scripts/peers/drawn.py";
        let found = line(&self.python, &[script, &seed, &count, &folder])?;
        let names = found.as_array().into_iter().flatten();
        Ok(names.filter_map(|n| n.as_str().map(Into::into)).collect())
    }

    fn measure(&self, k: usize, class: &str) -> Result<Row, ChoreError> {
        let model = self.folder.join(format!("{k}.mech"));
        let (model, file) = (
            model.to_string_lossy(),
            self.folder.join(format!("{k}.json")),
        );
        let ours = |arguments: &[&str]| line(&self.ours, &[&[&*model], arguments].concat()).ok();
        let mut row = Row {
            class: class.into(),
            ..Row::default()
        };
        let Some(mut data) = ours(&["data"]) else {
            row.method = "refused".into();
            return Ok(row);
        };
        keep(&file, &data)?;
        let path = file.to_string_lossy();
        let folder = self.folder.to_string_lossy();
        let script = "scripts/peers/versus.py";
        let rival = |tool: &str| line(&self.python, &[script, tool, &path, &folder]).ok();
        let rhs = ours(&["rates"]);
        let nanoseconds = |value: &Option<Value>, key: &str| value.as_ref()?[key].as_f64();
        row.single = over(
            nanoseconds(&rival("gcc-rates"), "rhs_ns"),
            nanoseconds(&rhs, "rhs_ns"),
        );
        row.lanes = over(
            nanoseconds(&rival("heyoka-rates"), "batch_ns"),
            nanoseconds(&rhs, "batch_ns"),
        );
        let Some(reference) = rival("reference").filter(|r| r["reference"].is_array()) else {
            return Ok(row);
        };
        data["reference"] = reference["reference"].clone();
        keep(&file, &data)?;
        let end = data["reference"].to_string();
        let found = ours(&["motion", &end]);
        row.method = found.as_ref().map_or(String::new(), methods);
        let tools: &[&str] = match class {
            "stiff" => &["lsoda", "heyoka"],
            _ => &["heyoka", "dop853"],
        };
        row.motion = against(
            found,
            tools.iter().map(|tool| rival(tool)).collect(),
            TARGET,
        );
        // Members differ in the last component, which must be one that a start has.
        let is_free = matches!(
            class,
            "bodies" | "chain" | "links" | "spherical" | "magnetic" | "wells"
        );
        if is_free && rival("crowd").is_some() {
            let found = ours(&["crowd", &folder]);
            let rivals = vec![rival("heyoka-crowd"), rival("dop853-crowd")];
            row.crowd = against(found, rivals, CROWD_TARGET);
        }
        Ok(row)
    }
}

fn keep(file: &Path, data: &Value) -> Result<(), ChoreError> {
    fs::write(file, data.to_string()).map_err(ChoreError::file(file))
}

/// The line of JSON that a program prints.
fn line(program: &Path, arguments: &[&str]) -> Result<Value, ChoreError> {
    let output = process::output(&mut process::command(&program.to_string_lossy(), arguments))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    serde_json::from_str(last).map_err(|_| {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.lines().last().unwrap_or_default().to_string();
        eprintln!("  {}: {why}", arguments.get(1).unwrap_or(&""));
        ChoreError::Unexpected(why)
    })
}

/// The methods that were taken, from the loosest tolerance to the tightest.
fn methods(found: &Value) -> String {
    let all = found["methods"].as_array().into_iter().flatten();
    let mut names: Vec<&str> = all.filter_map(Value::as_str).collect();
    names.dedup();
    names.join(", ")
}

fn over(rival: Option<f64>, ours: Option<f64>) -> Option<f64> {
    Some(rival? / ours?)
}

/// The time of the best rival over ours at an error; 0 where only rivals come to it.
fn against(ours: Option<Value>, rivals: Vec<Option<Value>>, target: f64) -> Option<f64> {
    let seconds = |value: &Value| {
        Precision::of(&value["points"])
            .at(target)
            .map(|p| p.seconds)
    };
    let best = rivals.iter().flatten().filter_map(seconds);
    let best = best.min_by(f64::total_cmp)?;
    let ours = seconds(&ours.unwrap_or(json!({})));
    Some(ours.map_or(0.0, |ours| best / ours))
}

/// The middle one, the smallest and the share below 1.
fn distribution(ratios: &[f64]) -> [Option<f64>; 3] {
    let mut sorted = ratios.to_vec();
    sorted.sort_by(f64::total_cmp);
    let below = sorted.iter().filter(|r| **r < 1.0).count() as f64;
    [
        sorted.get(sorted.len() / 2).copied(),
        sorted.first().copied(),
        (!sorted.is_empty()).then(|| below / sorted.len() as f64),
    ]
}

type Ratio = fn(&Row) -> Option<f64>;

const WHAT: [(&str, Ratio); 4] = [
    ("one motion, error 1e-9", |row| row.motion),
    ("400 members, largest error 1e-8", |row| row.crowd),
    ("right-hand side, one state", |row| row.single),
    ("right-hand side, four lanes", |row| row.lanes),
];

fn line_of(name: String, rows: &[&Row], ratio: Ratio) -> Vec<String> {
    let ratios: Vec<f64> = rows.iter().filter_map(|row| ratio(row)).collect();
    let [median, worst, below] = distribution(&ratios);
    let count = ratios.len().to_string();
    vec![name, count, number(median), number(worst), number(below)]
}

fn text(rows: &[Row], run: &Circumstances) -> String {
    let head = [
        "rival's time over ours",
        "systems",
        "median",
        "worst",
        "share below 1",
    ];
    let all: Vec<&Row> = rows.iter().collect();
    let lines: Vec<Vec<String>> = WHAT
        .iter()
        .map(|(what, ratio)| line_of(what.to_string(), &all, *ratio))
        .collect();
    let mut classes: Vec<&str> = rows.iter().map(|row| row.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    let of_class = |class: &&str| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.class == **class).collect();
        let mut cells = line_of(class.to_string(), &own, |row| row.motion);
        let crowd = line_of(String::new(), &own, |row| row.crowd);
        cells.extend_from_slice(&crowd[2..4]);
        let mut methods: Vec<&str> = own.iter().map(|row| row.method.as_str()).collect();
        methods.sort_unstable();
        methods.dedup();
        cells.push(methods.join("; "));
        cells
    };
    let by_class: Vec<Vec<String>> = classes.iter().map(of_class).collect();
    let class_head = [
        "class, one motion",
        "systems",
        "median",
        "worst",
        "share below 1",
        "members: median",
        "members: worst",
        "our methods",
    ];
    let measured = match rows.len() {
        all if all == run.count => format!("{all} systems"),
        some => format!("the first {some} of {} systems", run.count),
    };
    let missed = rows.iter().filter(|row| row.motion == Some(0.0)).count();
    let refused = rows.iter().filter(|row| row.method == "refused").count();
    format!(
        "Seed {}, {}.{} Where only a rival comes to the error the ratio is 0 ({}); refused: {}.\n\n{}\n{}",
        run.seed,
        measured,
        told_load(run.busiest),
        significant(missed as f64),
        significant(refused as f64),
        markdown(&head, &lines),
        markdown(&class_head, &by_class)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_a_middle_and_a_worst() {
        assert_eq!(
            distribution(&[2.0, 0.5, 3.0]),
            [Some(2.0), Some(0.5), Some(1.0 / 3.0)]
        );
        assert_eq!(distribution(&[]), [None; 3]);
    }

    #[test]
    fn the_best_rival_counts_and_an_error_that_we_miss_is_worst() {
        let flat = |s: f64| Some(json!({ "points": [[1e-9, 1e-10, s]] }));
        assert_eq!(
            against(flat(1.0), vec![flat(4.0), flat(2.0), None], TARGET),
            Some(2.0)
        );
        assert_eq!(against(None, vec![flat(4.0)], TARGET), Some(0.0));
        assert_eq!(against(flat(1.0), vec![None], TARGET), None);
    }

    #[test]
    fn the_table_tells_of_classes() {
        let row = |class: &str, motion| Row {
            class: class.into(),
            motion: Some(motion),
            method: "taylor".into(),
            ..Row::default()
        };
        let rows = [row("b", 2.0), row("a", 0.5), row("b", 1.0)];
        let of = |count, busiest| {
            let seed = 7;
            text(
                &rows,
                &Circumstances {
                    seed,
                    count,
                    busiest,
                },
            )
        };
        let cut = of(9, 14.0);
        assert!(
            cut.starts_with(
                "Seed 7, the first 3 of 9 systems. Load of the machine while measuring: up to 14 on"
            ),
            "{cut}"
        );
        let text = of(3, 0.0);
        assert!(text.starts_with("Seed 7, 3 systems. Where"), "{text}");
        assert!(
            text.contains("| one motion, error 1e-9 | 3 | 1.0 | 0.50 | 0.33 |"),
            "{text}"
        );
        assert!(text.contains("| b | 2 | 2.0 | 1.0 | 0 |"), "{text}");
    }
}
