//! Tests and the program itself on an emulated aarch64, against the same on this processor.

use crate::{ChoreError, alike, build, process, suite};
use std::path::Path;
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// Where Debian's cross-compiler keeps the libraries of the other processor.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// The crates in which the processor matters.
const CRATES: [&str; 3] = [
    "rattleback-native",
    "rattleback-compile",
    "rattleback-integrate",
];

/// What the program does on both processors.
const COMMANDS: &[&[&str]] = &[
    &["simulate", "models/snakeboard.mech", "--method", "taylor"],
    &["simulate", "models/rattleback.mech", "--until", "2"],
    &["simulate", "models/pendulum_chain.mech", "--until", "1"],
    &[
        "simulate",
        "models/heavy_top.mech",
        "--until",
        "1",
        "--method",
        "gauss4",
    ],
    &[
        "ensemble",
        "models/chaplygin_sleigh.mech",
        "--vary",
        "m=0.5:2:7",
    ],
    &[
        "ensemble",
        "models/rolling_disk.mech",
        "--vary",
        "m=1:2:5",
        "--method",
        "dop853",
    ],
    &["export", "models/rolling_disk.mech", "--to", "c"],
];

/// Runs everything; returns how many tests and comparisons passed.
pub fn emulated() -> Result<usize, ChoreError> {
    if cfg!(target_arch = "aarch64") {
        let message = "this processor is an aarch64: `cargo xtask test` tests it without emulation";
        return Err(ChoreError::Unexpected(message.into()));
    }
    let missing = missing();
    if !missing.is_empty() {
        let message = format!("cannot emulate an aarch64:\n{}", missing.join("\n"));
        return Err(ChoreError::Unexpected(message));
    }
    Ok(tests()? + program()?)
}

/// What has to be installed first, and how.
fn missing() -> Vec<String> {
    let starts =
        |program: &str| process::output(&mut process::command(program, &["--version"])).is_ok();
    let library = ["--print", "target-libdir", "--target", TARGET];
    let library = process::output(&mut process::command("rustc", &library));
    let has_library = library.is_ok_and(|output| {
        let place = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success() && Path::new(&place).is_dir()
    });
    let needs = [
        (
            has_library,
            format!("the standard library of {TARGET}: rustup target add {TARGET}"),
        ),
        (
            starts(LINKER) && Path::new(LIBRARIES).is_dir(),
            format!("the linker {LINKER}: on Debian, apt install gcc-aarch64-linux-gnu"),
        ),
        (
            starts(EMULATOR),
            format!("the emulator {EMULATOR}: on Debian, apt install qemu-user"),
        ),
    ];
    let lacking = needs.into_iter().filter(|(is_there, _)| !is_there);
    lacking.map(|(_, advice)| format!("  {advice}")).collect()
}

/// Tells cargo how to link and run.
fn crossing(cargo: &mut Command) -> &mut Command {
    cargo
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER)
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER",
            format!("{EMULATOR} -L {LIBRARIES}"),
        )
}

fn tests() -> Result<usize, ChoreError> {
    let mut arguments = vec!["test", "--no-fail-fast", "--target", TARGET];
    for name in CRATES {
        arguments.extend(["--package", name]);
    }
    let mut passed = 0;
    process::watch(crossing(&mut process::cargo(&arguments)), |line| {
        passed += suite::counts(line).map_or(0, |(passed, _)| passed);
    })?;
    Ok(passed)
}

fn program() -> Result<usize, ChoreError> {
    let here = build::binary("rattleback", "rattleback", false)?;
    let there = build::binary_with("rattleback", "rattleback", &["--target", TARGET], |cargo| {
        crossing(cargo);
    })?;
    for &command in COMMANDS {
        let shown = command.join(" ");
        println!("rattleback {shown}");
        let expected = printed(process::command(&here.to_string_lossy(), command))?;
        let mut emulator = process::command(EMULATOR, &["-L", LIBRARIES]);
        emulator.arg(&there).args(command);
        let found = printed(emulator)?;
        let lines = || expected.lines().zip(found.lines());
        let other = lines().find(|(one, two)| !alike::alike(one, two));
        if let Some((one, two)) = other {
            return Err(ChoreError::Unexpected(format!(
                "`rattleback {shown}` prints\n  {one}\nhere, and on an aarch64\n  {two}"
            )));
        }
        if expected.lines().count() != found.lines().count() {
            return Err(ChoreError::Unexpected(format!(
                "`rattleback {shown}` prints more on one processor than on the other"
            )));
        }
    }
    Ok(COMMANDS.len())
}

/// The standard output of a command that succeeds.
fn printed(mut command: Command) -> Result<String, ChoreError> {
    let output = process::output(&mut command)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(ChoreError::Failed {
        program: process::shown(&command),
        status: output.status.to_string(),
    })
}
