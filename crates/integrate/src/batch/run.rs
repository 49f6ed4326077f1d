//! An ensemble over all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, TryLockError};

use super::delivery::Delivery;
use super::field::Ensemble;
use super::lanes::{Desk, Lanes, Next};
use super::stepper::{BatchStepper, MemberOutcome};

/// How many members may be under way or waiting for their turn, unless told.
const WINDOW: usize = 1 << 14;
/// How many outcomes a thread collects before it hands them over.
const PARCEL: usize = 16;
/// How many it collects before it waits for another one that hands over its own.
const LARGEST_PARCEL: usize = 1 << 9;
/// The most members that a thread takes at a time: a count that all threads change is slow.
const LARGEST_SHARE: usize = 8;
/// Into how many shares a thread would divide what is left, so that all of them end at the same time.
const SHARES: usize = 32;

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
        let threads = self.threads.min(ensemble.members().max(1));
        let office = Office {
            members: ensemble.members(),
            threads,
            window: self.window,
            next: AtomicUsize::new(0),
            delivered: AtomicUsize::new(0),
            delivery: Mutex::new(Delivery::new(counted)),
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| self.work(ensemble, stepper(), &office));
            }
            self.work(ensemble, stepper(), &office);
        });
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
            share: 0..0,
            progress: self.progress,
            parcel: Vec::with_capacity(PARCEL),
        };
        Lanes::new(ensemble, stepper, self.times, self.most_steps)
            .spacing(self.spacing)
            .run(&mut counter, self.stop.unwrap_or(&never));
        counter.deliver();
    }
}

/// The desk of one thread in the office.
struct Counter<'a, K> {
    office: &'a Office<K>,
    /// Members that only this thread follows.
    share: Range<usize>,
    progress: Option<&'a AtomicUsize>,
    parcel: Vec<(usize, MemberOutcome)>,
}

impl<K: FnMut(usize, MemberOutcome)> Counter<'_, K> {
    /// Hands over what has been collected.
    fn deliver(&mut self) {
        // A sink that panicked has ended the run already; there is no one to deliver to.
        if let Ok(mut delivery) = self.office.delivery.lock() {
            self.office.accept(&mut delivery, &mut self.parcel);
        }
    }

    /// The same, unless another thread is about to: its sink may be busy with a file.
    fn try_deliver(&mut self) {
        match self.office.delivery.try_lock() {
            Ok(mut delivery) => self.office.accept(&mut delivery, &mut self.parcel),
            Err(TryLockError::WouldBlock) if self.parcel.len() >= LARGEST_PARCEL => self.deliver(),
            Err(_) => {}
        }
    }
}

impl<K: FnMut(usize, MemberOutcome)> Desk for Counter<'_, K> {
    fn next(&mut self) -> Next {
        if self.share.is_empty() {
            match self.office.take() {
                Ok(share) => self.share = share,
                Err(next) => {
                    // What the others wait for may be right here.
                    if next == Next::Later && !self.parcel.is_empty() {
                        self.deliver();
                    }
                    return next;
                }
            }
        }
        self.share.next().map_or(Next::Done, Next::Member)
    }

    fn done(&mut self, member: usize, outcome: MemberOutcome) {
        self.parcel.push((member, outcome));
        if let Some(progress) = self.progress {
            progress.fetch_add(1, Ordering::Relaxed);
        }
        if self.parcel.len() >= PARCEL {
            self.try_deliver();
        }
    }
}

/// Where threads get members and leave outcomes.
struct Office<K> {
    members: usize,
    threads: usize,
    window: usize,
    next: AtomicUsize,
    /// All members before this one are delivered.
    delivered: AtomicUsize,
    delivery: Mutex<Delivery<K>>,
}

impl<K: FnMut(usize, MemberOutcome)> Office<K> {
    /// Members for one thread: several while there are many, in the end one.
    fn take(&self) -> Result<Range<usize>, Next> {
        let delivered = self.delivered.load(Ordering::Relaxed);
        let far = delivered.saturating_add(self.window).min(self.members);
        let next = self.next.load(Ordering::Relaxed);
        if next >= far {
            return Err(match far < self.members {
                true => Next::Later,
                false => Next::Done,
            });
        }
        let share = (far - next) / (self.threads * SHARES);
        let share = share.clamp(1, LARGEST_SHARE);
        let first = self.next.fetch_add(share, Ordering::Relaxed);
        Ok(first.min(self.members)..(first + share).min(self.members))
    }

    fn accept(&self, delivery: &mut Delivery<K>, parcel: &mut Vec<(usize, MemberOutcome)>) {
        let delivered = delivery.accept(parcel.drain(..));
        self.delivered.store(delivered, Ordering::Relaxed);
    }

    fn close(self) {
        if let Ok(mut delivery) = self.delivery.into_inner() {
            delivery.finish();
        }
    }
}
