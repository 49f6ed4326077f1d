//! `rattleback analyze`: what is true of the system, every verdict with its evidence.

use crate::arguments::{AnalyzeArguments, Format};
use crate::failure::Failure;
use crate::interrupt;
use crate::reading;
use crate::terminal;
use rattleback::session::AnalysisRequest;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Judges the topics and writes the page.
pub fn run(arguments: &AnalyzeArguments) -> Result<(), Failure> {
    let limits = Limits::of(arguments)?;
    let model = reading::read(&arguments.model)?;
    let request = limits.put(model.analyze().only(&arguments.only)?)?;
    model.problem()?;
    // Until here there is nothing to keep; what is judged before a signal is shown.
    let stop = interrupt::keep();
    let analysis = match request.run() {
        Err(_) if stop.load(Ordering::SeqCst) => {
            let why = "interrupted: nothing was decided by then";
            return Err(Failure::Computation(why.into()));
        }
        judged => judged?,
    };
    let page = match arguments.format {
        _ if arguments.model.json => format!("{:#}\n", analysis.json()),
        Format::Text => terminal::text(&analysis.document(), !arguments.ascii),
        Format::Latex if arguments.standalone => analysis.document().latex_page(),
        Format::Latex => analysis.latex(),
        Format::Mathml => analysis.html(),
    };
    terminal::show(&page)?;
    match stop.load(Ordering::SeqCst) {
        true => Err(Failure::Computation(
            "interrupted: what was not decided by then is undecided".into(),
        )),
        false => Ok(()),
    }
}

/// What the searches may spend, and when they are cancelled.
struct Limits {
    effort: f64,
    timeout: Option<Duration>,
}

impl Limits {
    fn of(arguments: &AnalyzeArguments) -> Result<Self, Failure> {
        if arguments.budget.is_some() {
            let why = "there is no `--budget` any more: `--effort X` multiplies the work that a search may \
                       spend, `--timeout SECONDS` cancels";
            return Err(Failure::Input(why.into()));
        }
        let effort = arguments.effort;
        if !effort.is_finite() || effort < 0.0 {
            let why = format!("--effort takes a number from 0 on, not {effort}");
            return Err(Failure::Input(why));
        }
        let duration = |s: f64| {
            Duration::try_from_secs_f64(s)
                .map_err(|_| Failure::Input(format!("--timeout takes seconds, not {s}")))
        };
        let timeout = arguments.timeout.map(duration).transpose()?;
        Ok(Self { effort, timeout })
    }

    fn put<'m>(&self, request: AnalysisRequest<'m>) -> Result<AnalysisRequest<'m>, Failure> {
        let request = request.effort(self.effort)?;
        Ok(match self.timeout {
            Some(timeout) => request.timeout(timeout),
            None => request,
        })
    }
}
