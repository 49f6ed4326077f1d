//! The program as a user meets it. One test program for all files here: each of them links the whole library.

mod common;

mod analyze;
mod analyze_motion;
mod bad_input;
mod balance;
mod chaplygin_time;
mod closed_forms;
mod commands;
mod compare;
mod confinement;
mod control;
mod crossings;
mod discrete;
mod discrete_judged;
mod discrete_numbers;
mod drive_slips;
mod driving;
mod ensemble;
mod ensemble_methods;
mod equilibria;
mod examples;
mod exponents;
mod export;
mod failures;
mod faults;
mod features;
mod first_order;
mod forms;
mod formulations;
mod functions;
mod guide;
mod input_tables;
mod interruption;
mod invariance;
mod jumps;
mod legendre;
mod lengths;
mod linearize;
mod linearize_changes;
mod linearize_modulo;
mod linearize_nearest;
mod linearize_rounding;
mod linkages;
mod long_steps;
mod models;
mod names;
mod no_options_in_the_library;
mod optimality;
mod oracles;
mod orbits;
mod pages;
mod pieces;
mod schemas;
mod shell;
mod simulate;
mod snapshots;
mod standard_input;
mod start;
mod steering;
mod tables;
mod trajectories;
mod typeset;
mod units;
mod variational;
mod vectors;
mod wall;
mod widths;

/// A file that is no module here would not be tried at all.
#[test]
fn every_file_is_tried() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = std::fs::read_to_string(here.join("program.rs")).unwrap();
    let manifest = std::fs::read_to_string(here.join("../Cargo.toml")).unwrap();
    for entry in std::fs::read_dir(&here).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|e| e == "rs") && name != "program" {
            let is_module = text.contains(&format!("\nmod {name};\n"));
            let is_alone = manifest.contains(&format!("tests/{name}.rs"));
            assert!(
                is_module || is_alone,
                "add `mod {name};` to tests/program.rs"
            );
        }
    }
}
