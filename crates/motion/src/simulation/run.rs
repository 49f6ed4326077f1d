//! Following one motion of a problem.

use super::built::Simulation;
use super::chaplygin;
use super::diagnosis;
use super::error::SimulationError;
use super::events::{EventCode, EventSpec};
use super::guard::{Watched, places};
use super::method::Method;
use super::outcome::{Outcome, Row, momenta};
use super::passage::Passage;
use super::stepper::{self, AnyStepper};
use super::watch::Watch;
use rattleback_compile::RecordKind;
use rattleback_integrate::taylor::StepPolicy;
use rattleback_integrate::{Drive, DriveError, Event, Output, StepSize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

impl Simulation {
    /// Follows the motion; every row goes to `sink`. What was computed before a failure is in the
    /// outcome.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, SimulationError> {
        if self.method == Method::Iteration {
            return self.iterate(stop, sink);
        }
        let begun = Instant::now();
        let projected = self.space.clone().filter(|_| self.options.project);
        let mut stepper = self.stepper()?;
        let count = places(stepper.order(), self.series());
        self.outlook.look_at_places(count);
        let mut watch = Watch::new(
            &self.motion,
            &self.outlook,
            self.projection.clone(),
            projected,
            &self.given,
            sink,
        );
        watch.passage = self.passage();
        watch.may_branch = self.may_branch;
        watch.features = self.features.clone();
        watch.confinement = self.confinement.clone();
        let mut x = self.start.clone();
        let (summary, result) = match self.tables.is_empty() {
            true => {
                let mut events = self.events();
                let drive = self.drive(stop);
                drive.run_counted(
                    &mut self.field,
                    &mut *stepper,
                    &mut x,
                    &mut events,
                    &mut watch,
                )
            }
            false => self.stretches(stop, &mut *stepper, &mut x, &mut watch)?,
        };
        self.stepper = Some(stepper);
        let failure = self.failure(result, &mut watch)?;
        let judgement = watch.guard.judgement();
        let failure = failure.or(judgement.failure);
        let mut warnings = judgement.warnings;
        warnings.extend(watch.misses.warning_of_kinks(self.step));
        warnings.extend(match self.method.is_adaptive() {
            true => watch.misses.warning_of_rounding(self.options.rtol),
            false => watch.misses.warning_of_steps(self.step),
        });
        warnings.extend(summary.blurred.map(|at| self.warning_of_blur(at)));
        let confinement = watch.confinement.as_ref();
        warnings.extend(
            confinement
                .and_then(|c| c.blurred())
                .map(warning_of_samples),
        );
        warnings.extend(confinement.and_then(|c| c.sampled()).map(warning_of_solves));
        let guarded = |kind, of: fn(&Watched) -> Option<f64>| watch.guard.largest(kind, of);
        Ok(Outcome {
            end: failure.is_none().then_some(summary.end),
            failure,
            steps: summary.steps,
            rejected: summary.rejected,
            evaluations: summary.evaluations,
            seconds: begun.elapsed().as_secs_f64(),
            energy_start: watch.guard.energy_at_start(),
            work: watch.row.first().and_then(|t| watch.guard.work_until(*t)),
            energy_change: guarded(RecordKind::Energy, |w| Some(w.change)),
            energy_error: guarded(RecordKind::Energy, |w| w.is_kept.then_some(w.error)),
            constraint_residual: guarded(RecordKind::Residual, |w| Some(w.change)),
            momenta: momenta(&watch.guard),
            warnings,
            coarser: None,
            group_distance: self.space.as_ref().map(|space| space.distance(&x)),
            passed: watch.passage.take().map_or(Vec::new(), |p| p.times),
            hits: std::mem::take(&mut watch.hits),
            row: std::mem::take(&mut watch.row),
            sizes: std::mem::take(&mut watch.sizes),
        })
    }

    /// The method, ready for a run: that of the run before, whose memory serves again. A map has more to remember
    /// than a method forgets at a new start.
    fn stepper(&mut self) -> Result<AnyStepper, SimulationError> {
        match self.stepper.take().filter(|_| self.discrete.is_none()) {
            Some(stepper) => Ok(stepper),
            None => stepper::stepper(
                self.method,
                &self.motion,
                &self.field,
                &self.options,
                self.discrete.as_ref(),
            ),
        }
    }

    fn warning_of_blur(&self, (event, t): (usize, f64)) -> String {
        let text = &self.events[event].0.text;
        format!(
            "crossings of `{text}` may be missing from t = {t} on: it turns too often to be followed; try a smaller ‹step›"
        )
    }

    /// From when to when, in which steps, with which rows.
    fn drive<'s>(&self, stop: &'s AtomicBool) -> Drive<'s> {
        let drive = Drive::new(self.from, self.until).stop_flag(stop);
        match self.method.is_adaptive() {
            true => drive
                .output(Output::Spacing(self.step))
                .most_steps(self.options.most_steps),
            false => drive
                .step_size(StepSize::Fixed(self.step))
                .output(Output::Steps),
        }
    }

    /// What ended the motion before its time: its steps, a value that is not finite, or a broken assumption.
    fn failure(
        &self,
        result: Result<(), DriveError>,
        watch: &mut Watch<'_>,
    ) -> Result<Option<String>, SimulationError> {
        if let Err(DriveError::BadRequest(why)) = result {
            return Err(SimulationError::Request(why.into()));
        }
        let fixed;
        let motion = match self.given.is_empty() {
            true => &self.motion,
            false => {
                fixed = self.motion.at(&self.given);
                &fixed
            }
        };
        let start = (self.from, &self.start[..]);
        let (barrier, missed) = (watch.barrier.as_ref(), watch.misses.last());
        let conditions = &self.frame_conditions;
        let explain = |e: DriveError| {
            let told = diagnosis::explain(motion, conditions, start, &e, barrier, missed);
            let (DriveError::Fault { state, .. }, Some(time)) = (&e, &self.options.chaplygin_time)
            else {
                return told;
            };
            let ended = chaplygin::ended(time, motion, &self.start, state);
            told + &ended.unwrap_or_default()
        };
        let stepping = result.err().map(explain);
        let lost = watch.lost.take().map(|l| diagnosis::lost(motion, &l));
        let broken = watch.broken.take();
        let broken = broken.map(|(text, t, x)| diagnosis::broken(motion, &text, t, &x));
        Ok(stepping.or(lost).or(broken))
    }

    /// The steps of series, where it follows them.
    fn series(&self) -> Option<StepPolicy> {
        let policy = || self.field.policy(self.options.tolerance());
        (self.method == Method::TAYLOR).then(policy)
    }

    /// The check of steps over singular positions and near to them, where anything is to stay regular.
    fn passage(&self) -> Option<Passage> {
        if self.motion.regular().is_empty() {
            return None;
        }
        Some(Passage::new(
            &self.field,
            self.motion.state.len(),
            self.series(),
            self.options.tolerance(),
            self.method.is_adaptive(),
        ))
    }

    /// The events, to be looked for.
    pub(super) fn events(&self) -> Vec<Event<'static>> {
        let event = |(spec, code): &(EventSpec, EventCode)| {
            let (mut code, course) = (code.clone(), code.clone());
            let mut inputs = vec![0.0; 1 + self.motion.state.len()];
            inputs.extend_from_slice(&self.given);
            let event = Event::new(move |t, x| {
                inputs[0] = t;
                inputs[1..=x.len()].copy_from_slice(x);
                code.value(&inputs)
            })
            .direction(spec.direction);
            let given = self.given.clone();
            let event = match course.is_bounded() {
                true => event.bounded(move |tube| course.bounds(&given, tube)),
                false => event,
            };
            if spec.terminal {
                event.terminal()
            } else {
                event
            }
        };
        self.events.iter().map(event).collect()
    }
}

/// The warning that what a motion must not do is looked at in samples only.
fn warning_of_samples((done, t): (&str, f64)) -> String {
    format!(
        "from t = {t} on it is only sampled whether the motion {done} since what that is about turns too often to be \
         followed; try a smaller ‹step›"
    )
}

/// The same where that is so from the start on.
fn warning_of_solves(done: &str) -> String {
    format!(
        "it is only sampled whether the motion {done} since that takes the solution of many equations, or of such that \
         are not linear; try another ‹form›"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Options;
    use rattleback_language::{Source, parse};
    use rattleback_mechanics::{Form, Problem};

    fn simulation(text: &str, method: Method) -> Simulation {
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options {
            method: Some(method),
            ..Options::default()
        };
        Simulation::new(&problem, &problem.system, &options, Vec::new()).unwrap()
    }

    /// Follows the field of one motion under the guard of another.
    fn under_guard_of(right: &str, wrong: &str, method: Method) -> Outcome {
        let mut guarded = simulation(right, method);
        guarded.field = simulation(wrong, method).field;
        let never = AtomicBool::new(false);
        let run = guarded.run(&never, &mut |_| ControlFlow::Continue(()));
        run.unwrap()
    }

    fn pendulum(g: &str, damping: &str) -> String {
        format!(
            "system s\nparam g = {g}, c = {damping}\ncoord q\nlagrangian q'^2/2 + g*cos(q)\nforce (q: -c*q')\n\
             start q = 2\ntime 0 .. 10\n"
        )
    }

    #[test]
    fn a_field_that_is_wrong_is_told() {
        for method in [Method::TAYLOR, Method::DOP853, Method::RADAU5] {
            let right = under_guard_of(&pendulum("1", "0"), &pendulum("1", "0"), method);
            assert_eq!((right.failure, right.warnings.len()), (None, 0), "{method}");
            let right = under_guard_of(&pendulum("1", "1/5"), &pendulum("1", "1/5"), method);
            assert_eq!((right.failure, right.warnings.len()), (None, 0), "{method}");
            // Another gravity, and work that is not what it is said to be.
            for (g, c) in [("6/5", "0"), ("1", "1/5")] {
                let wrong = under_guard_of(&pendulum("1", "0"), &pendulum(g, c), method);
                let failure = wrong.failure.unwrap();
                assert!(
                    failure.contains("the balance of energy is off"),
                    "{failure}"
                );
                assert!(failure.contains("from t = "), "{failure}");
            }
        }
    }

    #[test]
    fn a_motion_is_the_same_when_it_is_followed_again() {
        for method in Method::all() {
            let text = pendulum("1", "0").replace("time 0 .. 10", "time 0 .. 3 step 1/10");
            let model = parse(&Source::new("model.mech", &text)).model.unwrap();
            let problem = Problem::from_model(&model).unwrap();
            let options = Options {
                method: Some(method),
                form: method.needs_momenta().then_some(Form::Hamiltonian),
                ..Options::default()
            };
            let made = Simulation::new(&problem, &problem.system, &options, Vec::new());
            let Ok(mut made) = made else { continue };
            let never = AtomicBool::new(false);
            let mut once = || {
                let run = made.run_twice(&never, &mut |_| ControlFlow::Continue(()));
                let run = run.ok();
                run.map(|run| {
                    (
                        run.row,
                        run.steps,
                        run.evaluations,
                        run.energy_error,
                        run.coarser,
                    )
                })
            };
            assert_eq!(once(), once(), "{method}");
        }
    }

    #[test]
    fn a_field_that_is_slightly_wrong_is_warned_of() {
        let slightly = under_guard_of(
            &pendulum("1", "0"),
            &pendulum("10001/10000", "0"),
            Method::TAYLOR,
        );
        assert_eq!(slightly.failure, None);
        assert_eq!(slightly.warnings.len(), 1, "{slightly:?}");
        assert!(slightly.warnings[0].contains("‹rtol"), "{slightly:?}");
    }

    #[test]
    fn momenta_that_are_conserved_are_under_guard() {
        // A magnetic field turns the velocity and leaves the energy alone.
        let text = |b: &str| {
            format!(
                "system s\nparam B = {b}\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 + B*x*y'\nsymmetry north = (y: 1)\n\
                 start x' = 1, y' = 1\ntime 0 .. 5\n"
            )
        };
        let right = under_guard_of(&text("0"), &text("0"), Method::DOP853);
        assert_eq!(right.failure, None);
        let wrong = under_guard_of(&text("0"), &text("1"), Method::DOP853);
        let failure = wrong.failure.unwrap();
        let told = "`momentum_north`, which is conserved, has changed";
        assert!(failure.contains(told), "{failure}");
    }

    /// The method that is taken at a tolerance.
    fn method(text: &str, rtol: f64) -> Method {
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options {
            rtol,
            atol: rtol,
            ..Options::default()
        };
        let made = Simulation::new(&problem, &problem.system, &options, Vec::new());
        made.unwrap().method
    }

    #[test]
    fn the_method_is_the_one_whose_first_steps_take_less_work() {
        // Steps of series are many times longer than those of DOP853 on a top, where both cost about the same.
        let top = "system top\ngroup R : SO(3) velocity w\nkinetic (w[1]^2 + w[2]^2 + w[3]^2/2)/2\n\
                   potential 6/5*R[3,3]\nstart R = rotation([1, 0, 0], 0.6), w = [0.3, -0.1, 4]\ntime 0 .. 10\n";
        assert_eq!(method(top, 1e-9), Method::TAYLOR);
        assert_eq!(method(top, 1e-9), method(top, 1e-9));
        // Series of many products of many states do not pay where few digits are wanted.
        let angles = ["a", "b", "c", "d", "f"];
        let mut text = String::from("system links\n");
        text += &format!("coord {}\n", angles.join(", "));
        let (mut x, mut y, mut energy) = (String::from("0"), String::from("0"), Vec::new());
        for a in angles {
            text += &format!("let x_{a} = {x} + sin({a})\nlet y_{a} = {y} - cos({a})\n");
            (x, y) = (format!("x_{a}"), format!("y_{a}"));
            energy.push(format!("(x_{a}'^2 + y_{a}'^2)/2"));
        }
        text += &format!(
            "kinetic {}\npotential 10*y_f\nstart a = 1\ntime 0 .. 5\n",
            energy.join(" + ")
        );
        assert_eq!(method(&text, 1e-4), Method::DOP853);
    }

    #[test]
    fn few_digits_of_a_stiff_motion_take_implicit_steps() {
        let text = "system relaxation\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce (x: 100*(1 - x^2)*x')\n\
                    start x = 2\ntime 0 .. 120\n";
        assert_eq!(method(text, 1e-6), Method::RADAU5);
        assert_eq!(method(text, 1e-11), Method::TAYLOR);
    }

    #[test]
    fn constraints_are_under_guard() {
        // Another constraint, which holds at the start and does no work either.
        let follow = |wrong: &str| {
            let of = |constraint: &str| {
                let text = format!(
                    "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint {constraint}\n\
                     start x' = 1, y' = 1, z' = 1/2\ntime 0 .. 2\n"
                );
                let model = parse(&Source::new("model.mech", &text)).model.unwrap();
                let problem = Problem::from_model(&model).unwrap();
                let options = Options {
                    form: Some(Form::LagrangeDAlembert),
                    project: false,
                    ..Options::default()
                };
                Simulation::new(&problem, &problem.system, &options, Vec::new()).unwrap()
            };
            let mut guarded = of("z' = x'/2");
            guarded.field = of(wrong).field;
            let never = AtomicBool::new(false);
            let run = guarded.run(&never, &mut |_| ControlFlow::Continue(()));
            run.unwrap().failure
        };
        assert_eq!(follow("z' = x'/2"), None);
        let failure = follow("z' = x'*cos(y)/2").unwrap();
        assert!(
            failure.contains("a constraint (`residual1`) is off"),
            "{failure}"
        );
    }
}
