//! Whether standard output was closed when the program began.
//!
//! The standard library puts the null device in the place of a closed standard stream before `main`, so that results
//! would vanish with success. It opens it for reading and writing; who sends output there opens it for writing only.

/// Was standard output closed?
#[cfg(unix)]
pub fn is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let out = rustix::stdio::stdout();
    let (Ok(flags), Ok(found), Ok(null)) = (fcntl_getfl(out), fstat(out), stat("/dev/null")) else {
        return true;
    };
    let is_null = found.st_rdev == null.st_rdev && found.st_mode == null.st_mode;
    is_null && flags.contains(OFlags::RDWR)
}

/// Elsewhere writing fails by itself.
#[cfg(not(unix))]
pub fn is_closed() -> bool {
    false
}
