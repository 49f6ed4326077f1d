//! The models on the pages that teach: each is one, and the first of them is what `new` writes.

use crate::common::{folder, rattleback, written};
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn models_on_the_pages_are_models() {
    let mut tried = 0;
    for page in ["how-to.md", "coming-from.md"] {
        let text = std::fs::read_to_string(docs().join(page)).unwrap();
        let blocks = text.split("```mech\n").skip(1);
        for model in blocks.filter_map(|rest| rest.split("```").next()) {
            let path = written(&format!("{page}{tried}"), model);
            let run = rattleback(["check", &path]).exits(0);
            assert!(run.out.contains("0 warnings"), "{model}\n{}", run.err);
            rattleback(["simulate", &path, "--until", "0.1"]).exits(0);
            tried += 1;
        }
    }
    assert!(tried >= 7, "{tried}");
}

#[test]
fn the_first_model_is_what_new_writes() {
    let path = folder("new").join("sleigh");
    rattleback(["new", path.to_str().unwrap()]).exits(0);
    let new = std::fs::read_to_string(path.with_extension("mech")).unwrap();
    let shown = std::fs::read_to_string(docs().join("examples/sleigh.mech")).unwrap();
    assert_eq!(new, shown);
}
