//! How properties are tried.

use proptest::test_runner::{Config, FileFailurePersistence};

/// Tries a property this often, or as often as `PROPTEST_CASES` says. Seeds that failed are kept in a file beside the
/// test, `NAME.regressions`, and tried first ever after.
pub fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|n| n.parse().ok()).unwrap_or(usual),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    }
}
