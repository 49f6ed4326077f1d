//! What the tests share: directories that vanish, and a table to write.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rattleback_report::{Column, ColumnKind, Metadata, Table};

static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A directory of its own for one test, removed in the end.
pub struct Directory(PathBuf);

impl Directory {
    pub fn new() -> Directory {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("rattleback-report-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    #[allow(dead_code)]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A table with a column of several kinds.
#[allow(dead_code)]
pub fn table() -> Table {
    let metadata = Metadata::new()
        .with(Metadata::VERSION, "1.2.3")
        .with(
            Metadata::MODEL,
            "system s \"A title\"\n\n# a comment\ncoord x\n",
        )
        .with(Metadata::METHOD, "dop853");
    Table::new(vec![
        Column::new("member", ColumnKind::Index),
        Column::new("t", ColumnKind::Time).with_unit(Some("s")),
        Column::new("R[1,2]", ColumnKind::GroupEntry),
        Column::new("theta'", ColumnKind::Velocity).with_unit(Some("rad/s")),
        Column::new("m", ColumnKind::Given),
    ])
    .described(metadata)
}
