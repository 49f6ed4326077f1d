//! One motion of a model.

use super::{Error, Model, Phase, Prepared};
use crate::compile::Tables;
use crate::mechanics::Form;
use crate::request;
use crate::simulation::{EventSpec, Method, Options, Outcome, Row, Simulation, Trajectory};
use crate::symbolic::Cancel;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// A question for one motion; what is not said is chosen by what the system is.
///
/// ```
/// use rattleback::Model;
///
/// let model = Model::read("system fall\ncoord z\nlagrangian z'^2/2 - 10*z\nstart z = 5\n")?;
/// let motion = model.simulate().until(2.0).stop_at("z = 0 : falling")?.run()?;
/// assert!((motion["t"].last().unwrap() - 1.0).abs() < 1e-9);
/// # Ok::<(), rattleback::Error>(())
/// ```
#[derive(Clone)]
pub struct SimulationRequest<'a> {
    model: &'a Model,
    options: Options,
    events: Vec<EventSpec>,
    tables: Tables,
}

impl<'a> SimulationRequest<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        Self {
            model,
            options: Options::default(),
            events: Vec::new(),
            tables: Tables::default(),
        }
    }

    /// The end time.
    pub fn until(mut self, time: f64) -> Self {
        self.options.until = Some(time);
        self
    }

    /// The step of a method with fixed steps, else the time between rows.
    pub fn step(mut self, step: f64) -> Self {
        self.options.step = Some(step);
        self
    }

    /// The formulation to follow.
    pub fn form(mut self, form: Form) -> Self {
        self.options.form = Some(form);
        self
    }

    /// The method.
    pub fn method(mut self, method: Method) -> Self {
        self.options.method = Some(method);
        self
    }

    /// The relative and the absolute tolerance of adaptive methods.
    pub fn tolerance(mut self, relative: f64, absolute: f64) -> Self {
        (self.options.rtol, self.options.atol) = (relative, absolute);
        self
    }

    /// Everything that may be asked, at once.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Feeds controls from tables, in the place of their laws; [`Feeds`](crate::report::Feeds) reads them from files.
    pub fn feed(mut self, tables: Tables) -> Self {
        self.tables = tables;
        self
    }

    /// Looks for an event on the way, such as `theta = 0 : rising`.
    pub fn event(self, text: &str) -> Result<Self, Error> {
        self.with_event(text, false)
    }

    /// Ends the motion at an event.
    pub fn stop_at(self, text: &str) -> Result<Self, Error> {
        self.with_event(text, true)
    }

    /// Looks for events that have been read.
    pub fn events(mut self, events: Vec<EventSpec>) -> Self {
        self.events.extend(events);
        self
    }

    fn with_event(mut self, text: &str, terminal: bool) -> Result<Self, Error> {
        let event = request::event(&self.model.declared, text, terminal)?;
        self.events.push(event);
        Ok(self)
    }

    /// Derives and compiles; nothing is followed yet.
    pub fn compile(&self) -> Result<Simulation, Error> {
        self.compile_in(&mut self.model.prepare(self.options.form)?)
    }

    /// The same of a model that is prepared in the formulation that is asked for.
    pub fn compile_in(&self, prepared: &mut Prepared) -> Result<Simulation, Error> {
        prepared.feed(&self.tables);
        let session = &self.model.session;
        prepared.compiled(session, &self.options, &[], |problem, system, options| {
            let (events, tables) = (self.events.clone(), self.tables.clone());
            Simulation::with_tables(problem, system, options, events, tables)
        })
    }

    /// Follows the motion and keeps its rows. A motion that fails on the way, or is cancelled, keeps the rows so
    /// far and says so in its [`outcome`](Trajectory::outcome).
    pub fn run(&self) -> Result<Trajectory, Error> {
        Trajectory::of(self.compile()?, |simulation, rows| {
            self.follow(simulation, rows)
        })
    }

    /// Follows the motion and hands each row over: time, state, recorded quantities, in the order of
    /// [`Simulation::columns`].
    pub fn follow(
        &self,
        simulation: &mut Simulation,
        mut sink: impl FnMut(&[f64]) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let session = &self.model.session;
        session.check(Phase::Following)?;
        session.progress(Phase::Following, 0.0);
        let (from, span) = (simulation.from, simulation.until - simulation.from);
        let outcome = cancelling(&session.cancel, |stop| {
            simulation.run_twice(stop, &mut |Row(row)| {
                if let Some(t) = row.first().filter(|_| span != 0.0) {
                    session.progress(Phase::Following, (t - from) / span);
                }
                sink(row)
            })
        });
        Ok(outcome?)
    }
}

/// Follows motions under a token: they look at a flag.
pub(super) fn cancelling<T>(cancel: &Cancel, follow: impl FnOnce(&AtomicBool) -> T) -> T {
    cancel.scope(|| cancel.with_flag(follow))
}
