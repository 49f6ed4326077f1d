//! Chores of the project, shared by the `xtask` command and its tests.

pub mod alike;
pub mod book;
pub mod build;
pub mod conserved;
pub mod coverage;
pub mod crosscheck;
pub mod docs;
pub mod emulate;
pub mod error;
pub mod example;
pub mod gallery;
pub mod links;
pub mod model_times;
#[cfg(doctest)]
pub mod pages;
pub mod peers;
pub mod process;
pub mod python;
pub mod suite;

pub use error::ChoreError;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
