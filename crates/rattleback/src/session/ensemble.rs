//! Many motions of a model.

use super::simulate::cancelling;
use super::{Error, Model, Phase};
use crate::compile::Tables;
use crate::ensemble::{Axis, Ensemble, EnsembleError, Finished, Members, Sample, Status};
use crate::request;
use crate::simulation::Options;
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

    /// Follows all members; each keeps its end. Those that were done before the session was cancelled are kept.
    pub fn run(&self) -> Result<Gathered, Error> {
        let session = &self.model.session;
        let (axes, samples) = (self.axes.clone(), self.samples.clone());
        let members = Members::new(axes, samples, self.draws, self.seed)?;
        let varied = request::varied(&self.model.declared, &members)?;
        let mut prepared = self.model.prepare(self.options.form)?;
        prepared.feed(&self.tables);
        let work = || {
            let (problem, system) = (&prepared.problem, &prepared.system);
            let options = prepared.timed(&self.options, &varied)?;
            let tables = self.tables.clone();
            Ensemble::with_tables(
                problem,
                system,
                &options,
                members,
                &varied,
                Vec::new(),
                tables,
            )
        };
        let ensemble = match session.during(Phase::Compiling, work)? {
            Ok(ensemble) => ensemble,
            Err(EnsembleError::Simulation(e)) => return Err(prepared.complain(e)),
            Err(e) => return Err(e.into()),
        };
        let count = ensemble.members.count();
        let (done, mut members) = (AtomicUsize::new(0), Vec::new());
        cancelling(&session.cancel, |stop| {
            ensemble.run(0, self.threads, stop, &done, &mut |member: Finished<'_>| {
                members.push(Member::of(&member));
                session.progress(Phase::Following, members.len() as f64 / count as f64);
            })
        });
        let state = ensemble.motion.state.iter().map(ToString::to_string);
        let records = ensemble.motion.records.iter().map(|r| r.name.clone());
        Ok(Gathered {
            given: ensemble.members.names(),
            names: std::iter::once("t".to_owned())
                .chain(state)
                .chain(records)
                .collect(),
            members,
            asked: count,
        })
    }
}

/// One motion of many.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its number.
    pub number: usize,
    /// The values that it was given, in the order of [`Gathered::given`].
    pub given: Vec<f64>,
    /// How it ended.
    pub status: Status,
    /// Time, state and recorded quantities at its end, in the order of [`Gathered::names`].
    pub end: Vec<f64>,
}

impl Member {
    fn of(finished: &Finished<'_>) -> Self {
        Self {
            number: finished.member,
            given: finished.given.to_vec(),
            status: finished.status,
            end: finished.row.to_vec(),
        }
    }
}

/// The ends of many motions.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The names of what differs.
    pub given: Vec<String>,
    /// The names of what is known at the end: `t`, the state, recorded quantities.
    pub names: Vec<String>,
    /// The members that came to an end, in their order.
    pub members: Vec<Member>,
    /// How many were asked for.
    pub asked: usize,
}

impl Gathered {
    /// What the members have at their end, or were given, by name.
    pub fn column(&self, name: &str) -> Option<impl Iterator<Item = f64> + '_> {
        let end = self.names.iter().position(|n| n == name);
        let given = self.given.iter().position(|n| n == name);
        let value = move |m: &Member| match (end, given) {
            (Some(k), _) => m.end.get(k).copied(),
            (None, Some(k)) => m.given.get(k).copied(),
            (None, None) => None,
        };
        (end.is_some() || given.is_some()).then(|| {
            self.members
                .iter()
                .map(move |m| value(m).unwrap_or(f64::NAN))
        })
    }
}
