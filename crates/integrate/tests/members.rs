//! Events and projection along the motions of members.

use rattleback_integrate::taylor::{BatchJets, BatchTaylor};
use rattleback_integrate::*;

/// Points that go round the unit circle, each at its own speed w: (x, y)' = w (−y, x).
struct Wheel {
    members: usize,
    end: f64,
    events: Vec<MemberEvent>,
    projects: bool,
}

const ANGLE: f64 = 0.3;

fn speed(member: usize) -> f64 {
    1.0 + 0.1 * member as f64
}

struct WheelLanes {
    w: [f64; LANES],
    projects: bool,
}

impl BatchField for WheelLanes {
    fn dimension(&self) -> usize {
        2
    }
    fn assign(&mut self, lane: usize, member: usize) {
        self.w[lane] = speed(member);
    }
    fn rates(&mut self, _: &[f64; LANES], x: &[Block], rates: &mut [Block]) -> u8 {
        for l in 0..LANES {
            rates[0][l] = -self.w[l] * x[1][l];
            rates[1][l] = self.w[l] * x[0][l];
        }
        0
    }
    /// Event 0 is where y vanishes, event 1 where x does; it depends on the lane's member on purpose.
    fn event(&mut self, lane: usize, event: usize, _: f64, x: &[f64]) -> f64 {
        self.w[lane] * x[1 - event]
    }
    fn projects(&self) -> bool {
        self.projects
    }
    fn project(&mut self, _: usize, _: f64, x: &mut [f64]) {
        let r = x[0].hypot(x[1]);
        x.iter_mut().for_each(|x| *x /= r);
    }
}

impl BatchJets for WheelLanes {
    fn jets(&mut self, _: &[f64; LANES], x: &[Block], order: usize, c: &mut [Block]) -> u8 {
        c[..2].copy_from_slice(x);
        for k in 0..order {
            for (l, w) in self.w.iter().enumerate() {
                let w = w / (k + 1) as f64;
                c[2 * k + 2][l] = -w * c[2 * k + 1][l];
                c[2 * k + 3][l] = w * c[2 * k][l];
            }
        }
        0
    }
}

impl Ensemble for Wheel {
    type Field = WheelLanes;
    fn members(&self) -> usize {
        self.members
    }
    fn field(&self) -> WheelLanes {
        WheelLanes {
            w: [f64::NAN; LANES],
            projects: self.projects,
        }
    }
    fn start(&self, _: usize, x: &mut [f64]) -> Span {
        x.copy_from_slice(&[ANGLE.cos(), ANGLE.sin()]);
        Span {
            start: 0.0,
            end: self.end,
        }
    }
    fn events(&self) -> &[MemberEvent] {
        &self.events
    }
}

/// The outcomes with both methods at a tolerance.
fn outcomes(wheel: &Wheel, times: &[f64], tolerance: f64) -> [Vec<MemberOutcome>; 2] {
    let tolerance = Tolerance::both(tolerance);
    let run = EnsembleRun::new().times(times).spacing(0.5);
    let mut all = [Vec::new(), Vec::new()];
    let [dop853, taylor] = &mut all;
    let method = || BatchDop853::new(2, tolerance);
    run.run(wheel, method, |_, outcome| dop853.push(outcome));
    let method = || BatchTaylor::new(2, tolerance);
    run.run(wheel, method, |_, outcome| taylor.push(outcome));
    all
}

#[test]
fn events_are_located_and_counted() {
    let rising = MemberEvent {
        direction: Direction::Rising,
        terminal: false,
    };
    for end in [20.0, -20.0] {
        let wheel = Wheel {
            members: 11,
            end,
            events: vec![MemberEvent::default(), rising],
            projects: false,
        };
        for (member, outcome) in outcomes(&wheel, &[], 1e-10)
            .iter()
            .flat_map(|all| all.iter().enumerate())
        {
            let turn = speed(member) * end.abs() / std::f64::consts::PI;
            // Forwards y vanishes at the angle π, backwards at 0; x rises at 3π/2, or at −π/2 − 2kπ from below.
            let [first, rise] = match end > 0.0 {
                true => [1.0, 1.5].map(|share| share * std::f64::consts::PI - ANGLE),
                false => [ANGLE, ANGLE + 1.5 * std::f64::consts::PI],
            };
            let (first, rise) = (first / speed(member), rise / speed(member));
            let [any, up] = outcome.events[..] else {
                panic!("{outcome:?}");
            };
            assert!(
                (any.first.abs() - first).abs() < 1e-8,
                "{any:?}, not {first}"
            );
            assert!(
                any.count.abs_diff(turn as u64) <= 1,
                "{any:?} in {turn} half turns"
            );
            assert!((up.first.abs() - rise).abs() < 1e-8, "{up:?}, not {rise}");
            assert!(up.count.abs_diff(any.count / 2) <= 1, "{up:?} {any:?}");
            assert_eq!((outcome.t, outcome.stopped_by), (end, None));
        }
    }
}

#[test]
fn a_terminal_event_ends_a_member_and_its_samples() {
    let stop = MemberEvent {
        terminal: true,
        ..MemberEvent::default()
    };
    let wheel = Wheel {
        members: 10,
        end: 3.0,
        events: vec![stop, MemberEvent::default()],
        projects: false,
    };
    let times: Vec<f64> = (0..=30).map(|k| f64::from(k) * 0.1).collect();
    for (member, outcome) in outcomes(&wheel, &times, 1e-10)
        .iter()
        .flat_map(|all| all.iter().enumerate())
    {
        let half = (std::f64::consts::PI - ANGLE) / speed(member);
        assert_eq!(outcome.stopped_by, (half < 3.0).then_some(0));
        let end = half.min(3.0);
        assert!((outcome.t - end).abs() < 1e-8);
        let angle = ANGLE + speed(member) * end;
        assert!((outcome.state[0] - angle.cos()).abs() < 1e-7, "{outcome:?}");
        assert!((outcome.state[1] - angle.sin()).abs() < 1e-7, "{outcome:?}");
        // x has vanished on the way.
        assert_eq!(outcome.events[1].count, 1);
        for (time, sample) in times.iter().zip(outcome.samples.chunks(2)) {
            assert_eq!(sample[0].is_nan(), *time > outcome.t, "{time}");
        }
    }
}

#[test]
fn members_stay_where_they_are_put() {
    let times: Vec<f64> = (1..100).map(f64::from).collect();
    for projects in [true, false] {
        let wheel = Wheel {
            members: 9,
            end: 100.0,
            events: vec![MemberEvent::default()],
            projects,
        };
        for outcome in outcomes(&wheel, &times, 1e-5).iter().flatten() {
            let states = outcome.samples.chunks(2).chain([&outcome.state[..]]);
            let off = states
                .map(|x| (x[0].hypot(x[1]) - 1.0).abs())
                .fold(0.0, f64::max);
            assert_eq!(off < 1e-15, projects, "{off}");
        }
    }
}
