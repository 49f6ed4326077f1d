//! Tables as a user meets them: written, read back, interrupted, refused.

mod common;

use common::{Directory, table};
use proptest::prelude::*;
use rattleback_report::{EarlierTable, ReportError, RowSink, Table, TableReader, TableWriter, Tee};
use std::path::Path;

/// The formats that this build has.
fn endings() -> &'static [&'static str] {
    match cfg!(feature = "parquet") {
        true => &["csv", "parquet"],
        false => &["csv"],
    }
}

fn row(k: u32) -> [f64; 5] {
    let t = f64::from(k) / 3.0;
    [f64::from(k), t, t.sin(), -t.exp(), 0.5]
}

fn write(directory: &Directory, name: &str, rows: &[[f64; 5]]) {
    let mut writer = TableWriter::create(&directory.file(name), &table()).unwrap();
    for row in rows {
        writer.row(row).unwrap();
    }
    writer.finish().unwrap();
}

/// Goes on with a table, after its rows were shown.
fn resumed(
    path: &Path,
    table: &Table,
    mut kept: impl FnMut(&[f64]),
) -> Result<TableWriter, ReportError> {
    let mut earlier = EarlierTable::open(path)?;
    let mut row = Vec::new();
    while earlier.next_row(&mut row)? {
        kept(&row);
    }
    earlier.go_on(table)
}

fn bits(rows: &[Vec<f64>]) -> Vec<Vec<u64>> {
    let one = |row: &Vec<f64>| row.iter().map(|v| v.to_bits()).collect();
    rows.iter().map(one).collect()
}

proptest! {
    #![proptest_config(rattleback_testing::cases(32))]

    #[test]
    fn every_number_reads_back_bit_for_bit(
        values in prop::collection::vec((any::<f64>(), any::<f64>(), any::<f64>(), 0..1u64 << 50), 0..50)
    ) {
        let directory = Directory::new();
        // The sign and payload of NaN are not kept in text.
        let clean = |v: f64| if v.is_nan() { f64::NAN } else { v };
        let rows: Vec<[f64; 5]> = values.iter()
            .map(|(a, b, c, k)| [*k as f64, clean(*a), clean(*b), clean(*c), f64::INFINITY])
            .collect();
        for ending in endings() {
            let name = format!("a.{ending}");
            write(&directory, &name, &rows);
            let mut reader = TableReader::open(&directory.file(&name)).unwrap();
            prop_assert_eq!(reader.table(), &table());
            let expected: Vec<Vec<f64>> = rows.iter().map(|r| r.to_vec()).collect();
            prop_assert_eq!(bits(&reader.rows().unwrap()), bits(&expected));
        }
    }
}

#[test]
fn csv_describes_itself_in_comments() {
    let directory = Directory::new();
    write(
        &directory,
        "a.csv",
        &[row(1), [2.0, 1e-300, f64::NAN, -0.0, 1e22]],
    );
    let text = std::fs::read_to_string(directory.file("a.csv")).unwrap();
    let expected = "# version: 1.2.3\n# model:\n#   system s \"A title\"\n#\n#   # a comment\n\
        #   coord x\n# method: dop853\n# column member: index\n# column t: time [s]\n\
        # column R[1,2]: group-entry\n# column theta': velocity [rad/s]\n# column m: given\n\
        # checksum: crc32 2377f605 of the 000000000114 bytes behind this line\n\
        member,t,\"R[1,2]\",theta',m\n";
    let rows = text
        .strip_prefix(expected)
        .unwrap_or_else(|| panic!("{text}"));
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows[1], "2,1e-300,NaN,-0.0,1e22");
    assert_eq!(rows.len(), 2);
}

#[test]
fn many_rows_cross_groups_and_buffers() {
    let directory = Directory::new();
    let rows: Vec<_> = (0..150_000).map(row).collect();
    for ending in endings() {
        let name = format!("a.{ending}");
        write(&directory, &name, &rows);
        let mut reader = TableReader::open(&directory.file(&name)).unwrap();
        let mut values = Vec::new();
        for expected in &rows {
            assert!(reader.next_row(&mut values).unwrap());
            assert_eq!(values, expected);
        }
        assert!(!reader.next_row(&mut values).unwrap());
    }
}

#[test]
fn a_dropped_writer_leaves_readable_rows() {
    let directory = Directory::new();
    for ending in endings() {
        let path = directory.file(&format!("a.{ending}"));
        let mut writer = TableWriter::create(&path, &table()).unwrap();
        for k in 0..10 {
            writer.row(&row(k)).unwrap();
        }
        drop(writer);
        assert_eq!(TableReader::open(&path).unwrap().rows().unwrap().len(), 10);
    }
}

#[test]
fn csv_rows_are_in_the_file_before_the_end() {
    let directory = Directory::new();
    let path = directory.file("a.csv");
    let mut writer = TableWriter::create(&path, &table()).unwrap();
    for k in 0..100_000 {
        writer.row(&row(k)).unwrap();
    }
    let rows = TableReader::open(&path).unwrap().rows().unwrap().len();
    assert!(
        rows > 90_000,
        "only {rows} of 100000 rows have been handed on"
    );
}

#[test]
fn a_torn_last_row_is_left_out() {
    let directory = Directory::new();
    write(&directory, "a.csv", &[row(1), row(2), row(3)]);
    let path = directory.file("a.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    for cut in 1..8 {
        std::fs::write(&path, &text[..text.len() - cut]).unwrap();
        assert_eq!(TableReader::open(&path).unwrap().rows().unwrap().len(), 2);
    }
}

#[test]
fn a_run_resumes() {
    let directory = Directory::new();
    for ending in endings() {
        let name = format!("a.{ending}");
        let path = directory.file(&name);
        write(&directory, &name, &[row(0), row(1)]);
        let mut kept = Vec::new();
        let mut writer = resumed(&path, &table(), |r| kept.push(r[0])).unwrap();
        writer.row(&row(2)).unwrap();
        writer.finish().unwrap();
        assert_eq!(kept, [0.0, 1.0]);
        let rows = TableReader::open(&path).unwrap().rows().unwrap();
        assert_eq!(rows, [row(0), row(1), row(2)]);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_run_with_other_columns_does_not_resume() {
    let directory = Directory::new();
    write(&directory, "a.csv", &[row(0)]);
    let mut other = table();
    other.columns.pop();
    let error = resumed(&directory.file("a.csv"), &other, |_| ()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("its columns are not those of this run")
    );
    let kept = TableReader::open(&directory.file("a.csv")).unwrap().rows();
    assert_eq!(kept.unwrap().len(), 1);
}

#[test]
fn one_writer_at_a_time_holds_a_file() {
    let directory = Directory::new();
    for ending in endings() {
        let name = format!("a.{ending}");
        let path = directory.file(&name);
        let mut first = TableWriter::create(&path, &table()).unwrap();
        first.row(&row(0)).unwrap();
        let seconds = [
            TableWriter::create(&path, &table()),
            EarlierTable::open(&path).and_then(|earlier| earlier.go_on(&table())),
        ];
        for second in seconds {
            let error = second.unwrap_err();
            assert!(matches!(&error, ReportError::Busy { path: p } if *p == path));
            assert!(error.to_string().contains(&name), "{error}");
        }
        first.row(&row(1)).unwrap();
        first.finish().unwrap();
        drop(first);
        // The one that goes on holds it as well.
        let mut next = resumed(&path, &table(), |_| ()).unwrap();
        assert!(TableWriter::create(&path, &table()).is_err());
        next.row(&row(2)).unwrap();
        next.finish().unwrap();
        drop(next);
        let rows = TableReader::open(&path).unwrap().rows().unwrap();
        assert_eq!(rows, [row(0), row(1), row(2)]);
    }
}

#[test]
fn a_table_goes_on_as_often_as_it_likes() {
    let directory = Directory::new();
    for ending in endings() {
        let name = format!("a.{ending}");
        let path = directory.file(&name);
        write(&directory, &name, &[]);
        for k in 0..40 {
            let mut kept = 0;
            let mut writer = resumed(&path, &table(), |_| kept += 1).unwrap();
            assert_eq!(kept, k);
            writer.row(&row(k)).unwrap();
            writer.finish().unwrap();
        }
        let rows = TableReader::open(&path).unwrap().rows().unwrap();
        assert_eq!(rows, (0..40).map(row).collect::<Vec<_>>());
        // Nothing to add leaves it as it is.
        let before = std::fs::read(&path).unwrap();
        resumed(&path, &table(), |_| ()).unwrap().finish().unwrap();
        assert!(std::fs::read(&path).unwrap() == before);
        // What went on in parts is what was written at once.
        if *ending == "csv" {
            write(
                &directory,
                "whole.csv",
                &(0..40).map(row).collect::<Vec<_>>(),
            );
            assert!(std::fs::read(directory.file("whole.csv")).unwrap() == before);
        }
    }
}

/// Every bit of every byte of the rows: seen by checksum or by what is read. The description is of this run, or the
/// caller tells.
#[test]
fn a_flipped_bit_in_the_rows_is_seen() {
    let directory = Directory::new();
    for ending in endings() {
        let name = format!("a.{ending}");
        let path = directory.file(&name);
        let rows: Vec<_> = (0..30).map(row).collect();
        write(&directory, &name, &rows);
        let bytes = std::fs::read(&path).unwrap();
        let begin = match *ending {
            "csv" => bytes.len() - lengths_of_rows(&bytes),
            _ => 4,
        };
        let other = directory.file(&format!("b.{ending}"));
        for place in begin..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << (place % 8);
            std::fs::write(&other, &flipped).unwrap();
            let read = resumed(&other, &table(), |_| ()).map(drop);
            // A last line without its end is one that a killed run has not finished; a footer whose end is gone is
            // one that it has not written.
            let is_end = place + 8 >= bytes.len() && *ending != "csv" || place + 1 == bytes.len();
            assert!(
                read.is_err() || is_end,
                "{ending}: byte {place} of {}",
                bytes.len()
            );
            if read.is_err() {
                assert!(
                    std::fs::read(&other).unwrap() == flipped,
                    "the file was touched"
                );
            }
        }
    }
}

/// The number of bytes behind the comments and the names of the columns.
fn lengths_of_rows(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let rows = text.lines().filter(|l| !l.starts_with('#')).skip(1);
    rows.map(|line| line.len() + 1).sum()
}

#[test]
fn both_sinks_of_a_tee_get_rows() {
    let directory = Directory::new();
    let (a, b) = (directory.file("a.csv"), directory.file("b.csv"));
    let first = TableWriter::create(&a, &table()).unwrap();
    let second = Some(TableWriter::create(&b, &table()).unwrap());
    let mut tee = Tee(first, second);
    tee.row(&row(7)).unwrap();
    tee.finish().unwrap();
    assert_eq!(std::fs::read(&a).unwrap(), std::fs::read(&b).unwrap());
    assert_eq!(TableReader::open(&a).unwrap().rows().unwrap(), [row(7)]);
}

#[test]
fn errors_name_the_file() {
    let directory = Directory::new();
    for ending in endings() {
        let missing = directory.file("no/such").join(format!("a.{ending}"));
        let error = TableWriter::create(&missing, &table()).unwrap_err();
        assert!(matches!(&error, ReportError::Create { path, .. } if *path == missing));
        assert!(error.to_string().contains("no/such"), "{error}");
        assert!(TableReader::open(&missing).is_err());
        let garbage = directory.file(&format!("g.{ending}"));
        std::fs::write(&garbage, "a,b\n1,two\n").unwrap();
        let read = TableReader::open(&garbage).and_then(|mut r| r.rows());
        assert!(matches!(read, Err(ReportError::Malformed { .. })));
    }
    let error = TableWriter::create(&directory.file("a.xlsx"), &table()).unwrap_err();
    assert!(error.to_string().contains(".csv"), "{error}");
}

#[test]
fn mistakes_of_the_caller_are_errors() {
    let directory = Directory::new();
    let mut twice = table();
    twice.columns.push(twice.columns[0].clone());
    for ending in endings() {
        let path = directory.file(&format!("a.{ending}"));
        let error = TableWriter::create(&path, &twice).unwrap_err();
        assert!(matches!(error, ReportError::DuplicateColumn(name) if name == "member"));
        let mut writer = TableWriter::create(&path, &table()).unwrap();
        let error = writer.row(&[1.0]).unwrap_err();
        assert!(matches!(
            error,
            ReportError::RowLength {
                found: 1,
                expected: 5
            }
        ));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let directory = Directory::new();
    for ending in endings() {
        let path = directory.file(&format!("full.{ending}"));
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let failed = TableWriter::create(&path, &table()).and_then(|mut writer| {
            (0..10).try_for_each(|k| writer.row(&row(k)))?;
            writer.finish()
        });
        let error = failed.unwrap_err();
        assert!(matches!(&error, ReportError::Write { path: p, .. } if *p == path));
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_goes_away_is_a_broken_pipe() {
    use std::os::fd::AsRawFd;
    let directory = Directory::new();
    let (reader, pipe) = std::io::pipe().unwrap();
    let path = directory.file("pipe.csv");
    let target = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    std::os::unix::fs::symlink(target, &path).unwrap();
    let mut writer = TableWriter::create(&path, &table()).unwrap();
    drop(reader);
    let error = (0..10_000)
        .try_for_each(|k| writer.row(&row(k)))
        .unwrap_err();
    // That is told: only a reader of standard output may go away when it has enough.
    assert!(
        matches!(&error, ReportError::Write { source, .. }
            if source.kind() == std::io::ErrorKind::BrokenPipe),
        "{error}"
    );
    assert!(!error.is_broken("standard output"));
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;

    use rattleback_report::{Column, ColumnKind, Table};

    const ROWS: u32 = 400_000;

    /// A file with many groups of which the writer has not been told the end, as a killed run leaves it.
    fn abandoned(directory: &Directory) -> std::path::PathBuf {
        let path = directory.file("a.parquet");
        let mut writer = TableWriter::create(&path, &table()).unwrap();
        for k in 0..ROWS {
            writer.row(&row(k)).unwrap();
        }
        std::mem::forget(writer);
        path
    }

    /// The rows are the first ones that were written; how many there are.
    fn leading_rows(path: &std::path::Path) -> u32 {
        let mut reader = TableReader::open(path).unwrap();
        assert_eq!(reader.table(), &table());
        let (mut count, mut values) = (0, Vec::new());
        while reader.next_row(&mut values).unwrap() {
            assert_eq!(values, row(count));
            count += 1;
        }
        count
    }

    #[test]
    fn rows_are_readable_before_the_end() {
        let directory = Directory::new();
        let rows = leading_rows(&abandoned(&directory));
        assert!(rows > ROWS - 60_000, "only {rows} of {ROWS} rows are there");
        // Also by readers that know nothing of this program: the last footer is at the end.
        let bytes = std::fs::read(directory.file("a.parquet")).unwrap();
        assert!(bytes.ends_with(b"PAR1"));
    }

    #[test]
    fn a_new_table_is_readable_at_once() {
        let directory = Directory::new();
        let path = directory.file("a.parquet");
        let mut writer = TableWriter::create(&path, &table()).unwrap();
        assert_eq!(leading_rows(&path), 0);
        writer.row(&row(0)).unwrap();
        writer.finish().unwrap();
        assert_eq!(leading_rows(&path), 1);
    }

    #[test]
    fn a_file_torn_anywhere_keeps_the_groups_before() {
        let directory = Directory::new();
        let path = abandoned(&directory);
        let bytes = std::fs::read(&path).unwrap();
        let mut before = 0;
        for percent in [30, 50, 70, 99] {
            std::fs::write(&path, &bytes[..bytes.len() * percent / 100]).unwrap();
            let rows = leading_rows(&path);
            assert!(rows >= before, "{rows} after {before}");
            before = rows;
        }
        assert!(before > ROWS / 2, "{before}");
        // And the run goes on from there, in a file that the writer above does not hold.
        let torn = std::fs::read(&path).unwrap();
        let path = directory.file("b.parquet");
        std::fs::write(&path, torn).unwrap();
        let mut kept = 0;
        let mut writer = resumed(&path, &table(), |_| kept += 1).unwrap();
        for k in before..ROWS {
            writer.row(&row(k)).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(kept, before);
        assert_eq!(leading_rows(&path), ROWS);
    }

    /// Many columns make groups short and footers long: groups then wait for each other, and few footers are
    /// written. The file is readable all the same, and whole in the end.
    #[test]
    fn footers_of_many_groups_are_few_and_complete() {
        const COLUMNS: usize = 700;
        let names = (0..COLUMNS).map(|k| format!("c{k}"));
        let columns = names.map(|name| Column::new(name, ColumnKind::Other));
        let wide = Table::new(columns.collect());
        let numbers = |row: usize| {
            let number = |column: usize| ((row * COLUMNS + column) as f64).sin();
            (0..COLUMNS).map(number).collect::<Vec<f64>>()
        };
        let count = |path: &std::path::Path| {
            let mut reader = TableReader::open(path).unwrap();
            let (mut rows, mut values) = (0, Vec::new());
            while reader.next_row(&mut values).unwrap() {
                assert_eq!(values, numbers(rows));
                rows += 1;
            }
            rows
        };
        let directory = Directory::new();
        let path = directory.file("wide.parquet");
        let mut writer = TableWriter::create(&path, &wide).unwrap();
        let rows = 256 * 20 + 7;
        for row in 0..rows {
            writer.row(&numbers(row)).unwrap();
            if row == 256 * 15 {
                assert!(std::fs::read(&path).unwrap().ends_with(b"PAR1"));
                assert!(count(&path) >= 256);
            }
        }
        writer.finish().unwrap();
        assert_eq!(count(&path), rows);
        let bytes = std::fs::read(&path).unwrap();
        let footers = bytes.windows(4).filter(|window| window == b"PAR1").count();
        assert!(footers < 20, "{footers} footers of 21 groups");
        assert!(bytes.len() < rows * COLUMNS * 10, "{}", bytes.len());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn former_footers_do_not_swell_a_finished_file() {
        let directory = Directory::new();
        let (slow, fast) = (
            directory.file("slow.parquet"),
            directory.file("fast.parquet"),
        );
        let mut writer = TableWriter::create(&slow, &table()).unwrap();
        for k in 0..4 {
            writer.row(&row(k)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(510));
        }
        assert!(leading_rows(&slow) >= 3, "rows wait for a full group");
        writer.finish().unwrap();
        write(
            &directory,
            "fast.parquet",
            &[row(0), row(1), row(2), row(3)],
        );
        assert_eq!(leading_rows(&slow), 4);
        assert_eq!(std::fs::read(&slow).unwrap(), std::fs::read(&fast).unwrap());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
