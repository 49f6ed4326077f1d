//! Ensembles: every member as if it were alone.

mod common;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use common::*;
use rattleback_integrate::*;

/// Pendulums of different lengths, amplitudes and times: θ'' = −g sin θ + 0.1 cos t.
#[derive(Clone)]
struct Pendulums {
    members: usize,
}

fn gravity(member: usize) -> f64 {
    1.0 + (member % 7) as f64 * 0.3
}

fn start(member: usize) -> [f64; 2] {
    [0.1 + (member % 13) as f64 * 0.2, 0.0]
}

/// Very different lengths of time, and some backwards.
fn span(member: usize) -> Span {
    let length = 0.5 + ((member * 37) % 29) as f64;
    Span {
        start: 0.25,
        end: if member % 5 == 3 {
            0.25 - length
        } else {
            0.25 + length
        },
    }
}

fn rates(g: f64, t: f64, x: [f64; 2]) -> [f64; 2] {
    [x[1], 0.1 * t.cos() - g * x[0].sin()]
}

struct PendulumLanes {
    g: [f64; LANES],
}

impl BatchField for PendulumLanes {
    fn dimension(&self) -> usize {
        2
    }
    fn assign(&mut self, lane: usize, member: usize) {
        self.g[lane] = gravity(member);
    }
    fn rates(&mut self, t: &[f64; LANES], x: &[Block], out: &mut [Block]) -> u8 {
        for l in 0..LANES {
            [out[0][l], out[1][l]] = rates(self.g[l], t[l], [x[0][l], x[1][l]]);
        }
        0
    }
}

impl Ensemble for Pendulums {
    type Field = PendulumLanes;
    fn members(&self) -> usize {
        self.members
    }
    fn field(&self) -> PendulumLanes {
        PendulumLanes {
            g: [f64::NAN; LANES],
        }
    }
    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x.copy_from_slice(&start(member));
        span(member)
    }
}

struct OnePendulum {
    g: f64,
}

impl VectorField for OnePendulum {
    fn dimension(&self) -> usize {
        2
    }
    fn rates(&mut self, t: f64, x: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        out.copy_from_slice(&rates(self.g, t, [x[0], x[1]]));
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &mut [f64]) -> Result<(), Fault> {
        Err(Fault::NotConverged)
    }
}

fn stepper() -> BatchDop853 {
    BatchDop853::new(2, Tolerance::both(1e-9))
}

fn outcomes<E: Ensemble<Field: BatchField>>(
    run: EnsembleRun<'_>,
    ensemble: &E,
) -> (Vec<(usize, MemberOutcome)>, EnsembleSummary)
where
    BatchDop853: BatchStepper<E::Field>,
{
    let mut all = Vec::new();
    let summary = run.run(ensemble, stepper, |member, outcome| {
        all.push((member, outcome))
    });
    (all, summary)
}

#[test]
fn every_member_moves_as_if_alone() {
    let ensemble = Pendulums { members: 61 };
    let (all, summary) = outcomes(EnsembleRun::new(), &ensemble);
    assert_eq!((summary.finished, summary.failed), (61, 0));
    for (k, (member, outcome)) in all.iter().enumerate() {
        assert_eq!(k, *member, "outcomes come in order");
        let mut x = start(*member);
        let Span { start: t0, end: t1 } = span(*member);
        let alone = Drive::new(t0, t1)
            .output(Output::Ends)
            .run(
                &mut OnePendulum {
                    g: gravity(*member),
                },
                &mut Dop853::new(2, Tolerance::both(1e-9)),
                &mut x,
                &mut [],
                &mut |_: f64, _: &[f64]| ControlFlow::Continue(()),
            )
            .unwrap();
        assert_eq!(outcome.t, t1);
        // The order of a sum differs, and motions near the upright position blow that up.
        assert_eq!(
            (outcome.steps, outcome.rejected),
            (alone.steps, alone.rejected)
        );
        assert!(
            distance(&outcome.state, &x) < 1e-10,
            "{:?} {x:?}",
            outcome.state
        );
    }
}

#[test]
fn outcomes_do_not_depend_on_threads_or_neighbours() {
    let times = [0.25, 0.5, 1.0, 3.0];
    let run = |threads, members| {
        let ensemble = Pendulums { members };
        outcomes(EnsembleRun::new().threads(threads).times(&times), &ensemble).0
    };
    let bits = |all: &[(usize, MemberOutcome)]| -> Vec<Vec<u64>> {
        all.iter()
            .map(|(_, o)| {
                o.state
                    .iter()
                    .chain(&o.samples)
                    .map(|x| x.to_bits())
                    .collect()
            })
            .collect()
    };
    let one = bits(&run(1, 50));
    assert_eq!(one, bits(&run(2, 50)));
    assert_eq!(one, bits(&run(5, 50)));
    // Fewer members put others into the neighbouring lanes.
    for members in 1..6 {
        assert_eq!(one[..members], bits(&run(1, members)));
    }
}

#[test]
fn samples_come_from_dense_output() {
    let times = [-0.1, 0.25, 0.6, 1.7, 1e3];
    let (all, _) = outcomes(EnsembleRun::new().times(&times), &Pendulums { members: 12 });
    for (member, outcome) in &all {
        let Span { start: t0, end: t1 } = span(*member);
        for (k, &time) in times.iter().enumerate() {
            let sample = &outcome.samples[2 * k..2 * k + 2];
            let reached = t0.min(t1) <= time && time <= t0.max(t1);
            assert_eq!(reached, sample[0].is_finite(), "member {member} at {time}");
            if !reached {
                continue;
            }
            let mut x = start(*member);
            Drive::new(t0, time)
                .run(
                    &mut OnePendulum {
                        g: gravity(*member),
                    },
                    &mut Dop853::new(2, Tolerance::both(1e-12)),
                    &mut x,
                    &mut [],
                    &mut |_: f64, _: &[f64]| ControlFlow::Continue(()),
                )
                .unwrap();
            assert!(distance(sample, &x) < 1e-7, "member {member} at {time}");
        }
    }
}

/// x' = x² − c, x(0) = 1: blows up for c = 0 at t = 1; has no value for odd members from x = 1.5 on.
struct Fragile;
struct FragileLanes([usize; LANES]);

impl BatchField for FragileLanes {
    fn dimension(&self) -> usize {
        1
    }
    fn assign(&mut self, lane: usize, member: usize) {
        self.0[lane] = member;
    }
    fn rates(&mut self, _: &[f64; LANES], x: &[Block], out: &mut [Block]) -> u8 {
        let mut failed = 0;
        for l in 0..LANES {
            let x = x[0][l];
            let member = self.0[l];
            out[0][l] = if member.is_multiple_of(3) { x * x } else { x };
            if member % 3 == 1 && x > 1.5 {
                failed |= 1 << l;
            }
        }
        failed
    }
}

impl Ensemble for Fragile {
    type Field = FragileLanes;
    fn members(&self) -> usize {
        31
    }
    fn field(&self) -> FragileLanes {
        FragileLanes([0; LANES])
    }
    fn start(&self, member: usize, x: &mut [f64]) -> Span {
        x[0] = if member == 11 { f64::NAN } else { 1.0 };
        if member == 4 {
            x[0] = 2.0;
        }
        let end = if member == 8 { 0.0 } else { 2.0 };
        Span { start: 0.0, end }
    }
}

#[test]
fn failed_members_do_not_stop_the_others() {
    let mut all = Vec::new();
    let summary = EnsembleRun::new().threads(2).run(
        &Fragile,
        || BatchDop853::new(1, Tolerance::both(1e-8)),
        |member, outcome: MemberOutcome| all.push((member, outcome)),
    );
    assert_eq!(summary.finished, 31);
    for (member, outcome) in &all {
        let x = outcome.state[0];
        match member {
            11 => assert_eq!(outcome.error, Some(MemberError::BadStart)),
            8 => assert_eq!((outcome.error, outcome.steps, x), (None, 0, 1.0)),
            4 => assert_eq!(
                (outcome.error, outcome.t, x),
                (Some(MemberError::Fault), 0.0, 2.0)
            ),
            m if m.is_multiple_of(3) => {
                assert!(outcome.error.is_some());
                assert!((outcome.t - 1.0).abs() < 1e-6, "{}", outcome.t);
            }
            m if m % 3 == 1 => {
                assert_eq!(outcome.error, Some(MemberError::Fault));
                assert!((outcome.t - 1.5_f64.ln()).abs() < 1e-6);
                assert!(
                    x <= 1.5 && x > 1.5 - 1e-6,
                    "inside of where there are rates"
                );
            }
            _ => {
                assert_eq!((outcome.error, outcome.t), (None, 2.0));
                assert!((x - 2_f64.exp()).abs() < 1e-6);
            }
        }
    }
    assert_eq!(
        summary.failed,
        all.iter().filter(|(_, o)| o.error.is_some()).count()
    );
}

#[test]
fn a_stop_keeps_what_is_finished() {
    let stop = AtomicBool::new(false);
    let progress = AtomicUsize::new(0);
    let mut seen = Vec::new();
    let summary = EnsembleRun::new()
        .threads(2)
        .stop_flag(&stop)
        .progress(&progress)
        .run(
            &Pendulums { members: 100_000 },
            stepper,
            |member, outcome: MemberOutcome| {
                assert_eq!(outcome.t, span(member).end);
                seen.push(member);
                stop.store(seen.len() > 100, Ordering::Relaxed);
            },
        );
    assert!(seen.len() > 100 && seen.len() < 100_000);
    assert!(seen.windows(2).all(|w| w[0] < w[1]));
    assert_eq!(summary.finished, seen.len());
    assert_eq!(progress.load(Ordering::Relaxed), seen.len());
}

#[test]
fn members_may_run_out_of_steps() {
    let (all, summary) = outcomes(EnsembleRun::new().most_steps(3), &Pendulums { members: 20 });
    assert!(summary.failed > 5);
    for (member, outcome) in all {
        if outcome.t == span(member).end {
            assert_eq!(outcome.error, None);
        } else {
            assert_eq!(outcome.error, Some(MemberError::TooManySteps));
            assert_eq!(outcome.steps + outcome.rejected, 3);
        }
    }
}

#[test]
fn an_empty_ensemble_is_done_at_once() {
    let (all, summary) = outcomes(EnsembleRun::new(), &Pendulums { members: 0 });
    assert!(all.is_empty());
    assert_eq!(summary, EnsembleSummary::default());
}

/// However narrow the window, all members come through, in order.
#[test]
fn waiting_for_a_slow_member_ends() {
    for (window, threads) in [(1, 1), (1, 3), (3, 2), (7, 3)] {
        let run = EnsembleRun::new().threads(threads).window(window);
        let (all, _) = outcomes(run, &Pendulums { members: 40 });
        let members: Vec<usize> = all.iter().map(|(member, _)| *member).collect();
        assert_eq!(members, (0..40).collect::<Vec<_>>());
    }
}
