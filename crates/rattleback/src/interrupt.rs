//! Ctrl-C, and the signal with which batch systems end a program: long work ends cleanly and keeps what it has.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static INSTALLED: OnceLock<()> = OnceLock::new();

/// The flag that Ctrl-C or a wish to terminate raises; a second one ends the program at once.
pub fn flag() -> &'static AtomicBool {
    INSTALLED.get_or_init(|| {
        // Without a handler Ctrl-C ends the program the usual way: nothing to tell.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
    });
    &STOP
}
