//! An ensemble over all threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::delivery::Delivery;
use super::field::Ensemble;
use super::lanes::{Desk, Lanes, Next};
use super::stepper::{BatchStepper, MemberOutcome};

/// How many members may be under way or waiting for their turn, unless told.
const WINDOW: usize = 1 << 16;
/// How many outcomes a thread collects before it hands them over.
const PARCEL: usize = 16;

/// How an ensemble is followed.
#[derive(Clone, Debug)]
pub struct EnsembleRun<'a> {
    threads: usize,
    times: &'a [f64],
    most_steps: u64,
    spacing: f64,
    window: usize,
    stop: Option<&'a AtomicBool>,
    progress: Option<&'a AtomicUsize>,
}

/// What became of an ensemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnsembleSummary {
    /// Members that came to their end or failed.
    pub finished: usize,
    /// Members that failed.
    pub failed: usize,
    /// Accepted steps of all members.
    pub steps: u64,
    /// Rejected trials of all members.
    pub rejected: u64,
}

impl Default for EnsembleRun<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> EnsembleRun<'a> {
    /// On all cores, without samples.
    pub fn new() -> Self {
        EnsembleRun {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            times: &[],
            most_steps: u64::MAX,
            spacing: f64::INFINITY,
            window: WINDOW,
            stop: None,
            progress: None,
        }
    }

    /// On this many threads. The outcomes do not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Samples every member at these times, in ascending order (also for members that go backwards).
    pub fn times(mut self, times: &'a [f64]) -> Self {
        self.times = times;
        self
    }

    /// The most steps of a member, accepted and rejected ones together.
    pub fn most_steps(mut self, most_steps: u64) -> Self {
        self.most_steps = most_steps;
        self
    }

    /// The time within which two crossings of the same event may go unseen, where steps are longer than four
    /// times that; without it, a quarter of a step.
    pub fn spacing(mut self, spacing: f64) -> Self {
        self.spacing = spacing;
        self
    }

    /// How many members may be under way or wait for their turn to be delivered. Bounds the memory
    /// while one member takes much longer than all others.
    pub fn window(mut self, members: usize) -> Self {
        self.window = members.max(1);
        self
    }

    /// A flag that ends the run when raised: finished members are delivered, those under way dropped.
    pub fn stop_flag(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// A count of the finished members that others may look at.
    pub fn progress(mut self, progress: &'a AtomicUsize) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Follows all members with steppers of this kind. The sink gets the outcomes in the order of
    /// the members (after a stop with gaps), from one thread at a time.
    pub fn run<E, S, K>(
        &self,
        ensemble: &E,
        stepper: impl Fn() -> S + Sync,
        sink: K,
    ) -> EnsembleSummary
    where
        E: Ensemble,
        S: BatchStepper<E::Field>,
        K: FnMut(usize, MemberOutcome) + Send,
    {
        let mut summary = EnsembleSummary::default();
        let mut sink = sink;
        let counted = |member: usize, outcome: MemberOutcome| {
            summary.finished += 1;
            summary.failed += usize::from(outcome.error.is_some());
            summary.steps += outcome.steps;
            summary.rejected += outcome.rejected;
            sink(member, outcome);
        };
        let office = Office {
            members: ensemble.members(),
            window: self.window,
            next: AtomicUsize::new(0),
            delivered: AtomicUsize::new(0),
            delivery: Mutex::new(Delivery::new(counted)),
        };
        let threads = self.threads.min(ensemble.members().max(1));
        if threads == 1 {
            self.work(ensemble, stepper(), &office);
        } else {
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| self.work(ensemble, stepper(), &office));
                }
            });
        }
        office.close();
        summary
    }

    /// The work of one thread.
    fn work<E, S, K>(&self, ensemble: &E, stepper: S, office: &Office<K>)
    where
        E: Ensemble,
        S: BatchStepper<E::Field>,
        K: FnMut(usize, MemberOutcome),
    {
        let never = AtomicBool::new(false);
        let mut counter = Counter {
            office,
            progress: self.progress,
            parcel: Vec::with_capacity(PARCEL),
        };
        Lanes::new(ensemble, stepper, self.times, self.most_steps)
            .spacing(self.spacing)
            .run(&mut counter, self.stop.unwrap_or(&never));
        office.deliver(&mut counter.parcel);
    }
}

/// The desk of one thread in the office.
struct Counter<'a, K> {
    office: &'a Office<K>,
    progress: Option<&'a AtomicUsize>,
    parcel: Vec<(usize, MemberOutcome)>,
}

impl<K: FnMut(usize, MemberOutcome)> Desk for Counter<'_, K> {
    fn next(&mut self) -> Next {
        let next = self.office.next();
        // What the others wait for may be right here.
        if next == Next::Later && !self.parcel.is_empty() {
            self.office.deliver(&mut self.parcel);
        }
        next
    }

    fn done(&mut self, member: usize, outcome: MemberOutcome) {
        self.parcel.push((member, outcome));
        if let Some(progress) = self.progress {
            progress.fetch_add(1, Ordering::Relaxed);
        }
        if self.parcel.len() >= PARCEL {
            self.office.deliver(&mut self.parcel);
        }
    }
}

/// Where threads get members and leave outcomes.
struct Office<K> {
    members: usize,
    window: usize,
    next: AtomicUsize,
    /// All members before this one are delivered.
    delivered: AtomicUsize,
    delivery: Mutex<Delivery<K>>,
}

impl<K: FnMut(usize, MemberOutcome)> Office<K> {
    fn next(&self) -> Next {
        let far = self
            .delivered
            .load(Ordering::Relaxed)
            .saturating_add(self.window);
        if self.next.load(Ordering::Relaxed) >= far.min(self.members) {
            return if far < self.members {
                Next::Later
            } else {
                Next::Done
            };
        }
        let member = self.next.fetch_add(1, Ordering::Relaxed);
        if member < self.members {
            Next::Member(member)
        } else {
            Next::Done
        }
    }

    fn deliver(&self, parcel: &mut Vec<(usize, MemberOutcome)>) {
        // A sink that panicked has ended the run already; there is no one to deliver to.
        if let Ok(mut delivery) = self.delivery.lock() {
            let delivered = delivery.accept(parcel.drain(..));
            self.delivered.store(delivered, Ordering::Relaxed);
        }
    }

    fn close(self) {
        if let Ok(mut delivery) = self.delivery.into_inner() {
            delivery.finish();
        }
    }
}
