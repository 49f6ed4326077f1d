//! Whether standard output was closed when the program began.
//!
//! The standard library puts the null device in the place of a closed standard stream before `main`, so that results
//! would vanish with success. It has to be found out before that: the loader calls functions in a list of their own.
#![allow(unsafe_code)] // The attribute that puts a function into that list.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Was standard output closed?
pub fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
extern "C" fn look() {
    let flags = rustix::io::fcntl_getfd(rustix::stdio::stdout());
    CLOSED.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}

// SAFETY: the loader calls what is in this section before `main`, with arguments that may be passed over. `look` asks
// the system one question and sets a flag; it uses nothing that the standard library sets up.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
