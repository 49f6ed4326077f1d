//! Ctrl-C, and the signals with which batch systems end a program.
//!
//! While there is nothing to keep (a model is read, derived, judged, compiled) the program ends at once. Once results
//! are being written, long work ends cleanly and keeps what it has.

use crate::failure::COMPUTATION_FAILED;
use crate::terminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

static STOP: AtomicBool = AtomicBool::new(false);
/// Is there something to keep?
static KEEPING: Mutex<bool> = Mutex::new(false);

/// Obeys signals from now on.
pub fn watch() {
    // Without a handler Ctrl-C ends the program the usual way: nothing to tell.
    let _ = ctrlc::set_handler(|| {
        // Held to the end of the program: meanwhile nobody begins a file.
        let keeping = KEEPING.lock().unwrap_or_else(PoisonError::into_inner);
        if !*keeping {
            terminal::tell("error: interrupted: there is no result yet, and no file was written");
            std::process::exit(COMPUTATION_FAILED.into());
        }
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// From now on there is something to keep: the flag that a signal raises; a second one ends the program at once.
/// To be called before any file is made, since whoever sees one may interrupt.
pub fn keep() -> &'static AtomicBool {
    *KEEPING.lock().unwrap_or_else(PoisonError::into_inner) = true;
    &STOP
}

/// The flag that a signal raises once there is something to keep.
pub fn flag() -> &'static AtomicBool {
    &STOP
}

/// Lets a write that would make a file longer than the system allows fail, like one to a full disk, instead of
/// ending the program in the middle of a row. To be called before there are threads: they do as this one.
#[cfg(unix)]
pub fn survive_long_files() {
    use nix::sys::signal::{SigSet, Signal};
    let mut set = SigSet::empty();
    set.add(Signal::SIGXFSZ);
    // If it cannot be blocked, rows end where the system ends the program.
    let _ = set.thread_block();
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub fn survive_long_files() {}
