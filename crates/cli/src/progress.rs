//! Progress of long work: a bar on a terminal, nothing on a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A bar in thousandths of the whole, shown only if the work takes longer than a moment.
pub struct Progress(ProgressBar);

const WHOLE: u64 = 1000;

impl Progress {
    /// A bar for work that is measured by its share, such as simulated time.
    pub fn share(what: &str) -> Self {
        let template = "{prefix} [{bar:30}] {percent}% {elapsed} (rest {eta}) {msg}";
        Self(bar(what, WHOLE, template))
    }

    /// A bar for work that is counted, with its rate.
    pub fn count(what: &str, length: usize) -> Self {
        let template = "{prefix} [{bar:30}] {pos}/{len} {per_sec} {elapsed} (rest {eta})";
        Self(bar(what, length as u64, template))
    }

    /// Sets how many are done.
    pub fn set_count(&self, done: usize) {
        self.0.set_position(done as u64);
    }

    /// Sets the share that is done.
    pub fn set(&self, share: f64) {
        self.0
            .set_position((share.clamp(0.0, 1.0) * WHOLE as f64) as u64);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn bar(what: &str, length: u64, template: &str) -> ProgressBar {
    // indicatif draws nothing where standard error is not a terminal.
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
