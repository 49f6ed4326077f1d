//! Many motions of a model.

use super::simulate::cancelling;
use super::{Error, Model, Phase, Prepared};
use crate::compile::Tables;
use crate::ensemble::{Axis, Ensemble, Finished, Gathered, Members, Sample};
use crate::request;
use crate::simulation::{EventSpec, Options};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;

/// A question for many motions that differ in parameters and start values.
///
/// ```
/// use rattleback::Model;
///
/// let model = Model::read("system fall\nparam g = 10\ncoord z\nlagrangian z'^2/2 - g*z\n")?;
/// let gathered = model.ensemble().vary("g=2,4,6")?.until(1.0).run()?;
/// let z: Vec<f64> = gathered.column("z").ok_or("no z")?.collect();
/// assert!((z[2] + 3.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct EnsembleRequest<'a> {
    model: &'a Model,
    axes: Vec<Axis>,
    samples: Vec<Sample>,
    draws: usize,
    seed: u64,
    threads: Option<usize>,
    options: Options,
    events: Vec<EventSpec>,
    tables: Tables,
}

impl<'a> EnsembleRequest<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            axes: Vec::new(),
            samples: Vec::new(),
            draws: 1,
            seed: 0,
            threads: None,
            options: Options::default(),
            events: Vec::new(),
            tables: Tables::default(),
        }
    }

    /// Takes every value of a grid: `m=0.5:2:11`, `g=2,4,6`.
    pub fn vary(mut self, text: &str) -> Result<Self, Error> {
        self.axes.push(request::axis(&self.model.declared, text)?);
        Ok(self)
    }

    /// Draws at random: `theta'~normal(0,1)`.
    pub fn sample(mut self, text: &str) -> Result<Self, Error> {
        let sample = request::sample(&self.model.declared, text)?;
        self.samples.push(sample);
        Ok(self)
    }

    /// How many draws there are at each point of the grid, and the seed that decides them.
    pub fn draws(mut self, draws: usize, seed: u64) -> Self {
        (self.draws, self.seed) = (draws, seed);
        self
    }

    /// How many threads follow them; all cores without a choice.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// The end time.
    pub fn until(mut self, time: f64) -> Self {
        self.options.until = Some(time);
        self
    }

    /// Everything that may be asked of each motion.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Feeds controls of all from tables, in the place of their laws.
    pub fn feed(mut self, tables: Tables) -> Self {
        self.tables = tables;
        self
    }

    /// Looks for events that have been read.
    pub fn events(mut self, events: Vec<EventSpec>) -> Self {
        self.events.extend(events);
        self
    }

    /// The members that are asked for.
    pub fn members(&self) -> Result<Members, Error> {
        let (axes, samples) = (self.axes.clone(), self.samples.clone());
        Ok(Members::new(axes, samples, self.draws, self.seed)?)
    }

    /// Derives and compiles, for a model that is prepared in the formulation that is asked for.
    pub fn compile_in(&self, prepared: &mut Prepared) -> Result<Ensemble, Error> {
        let members = self.members()?;
        let varied = request::varied(&self.model.declared, &members)?;
        prepared.feed(&self.tables);
        let session = &self.model.session;
        prepared.compiled(
            session,
            &self.options,
            &varied,
            |problem, system, options| {
                let (events, tables) = (self.events.clone(), self.tables.clone());
                Ensemble::with_tables(problem, system, options, members, &varied, events, tables)
            },
        )
    }

    /// Follows the members from `first` on and hands each over at its end, in order, until the sink has enough or the
    /// session is cancelled. Meanwhile `done` counts.
    pub fn follow(
        &self,
        ensemble: &Ensemble,
        first: usize,
        done: &AtomicUsize,
        mut sink: impl FnMut(&Finished<'_>) -> ControlFlow<()> + Send,
    ) {
        let enough = self.model.session.cancel.child();
        cancelling(&enough, |stop| {
            ensemble.run(first, self.threads, stop, done, &mut |member| {
                if sink(&member).is_break() {
                    enough.cancel();
                }
            })
        });
    }

    /// Follows all members; each keeps its end. Those that were done before the session was cancelled are kept.
    pub fn run(&self) -> Result<Gathered, Error> {
        let session = &self.model.session;
        let ensemble = self.compile_in(&mut self.model.prepare(self.options.form)?)?;
        let mut gathered = Gathered::of(&ensemble);
        self.follow(&ensemble, 0, &AtomicUsize::new(0), |member| {
            gathered.push(member);
            let share = gathered.members.len() as f64 / gathered.asked as f64;
            session.progress(Phase::Following, share);
            ControlFlow::Continue(())
        });
        Ok(gathered)
    }
}
