//! Sessions: used from several threads, cancelled in every phase from another thread.

use rattleback::compile::Tables;
use rattleback::control::Place;
use rattleback::control::optimal::Status;
use rattleback::export::Target;
use rattleback::integrate::End;
use rattleback::mechanics::Form;
use rattleback::simulation::{Method, Options};
use rattleback::symbolic::Cancel;
use rattleback::{Error, Model, Phase, Session};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const SLEIGH: &str = "system sleigh\nparam m = 2, J = 1\ncoord x, y\ncoord theta : angle\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nconstraint sin(theta)*x' = cos(theta)*y'\n\
    start x' = 1, theta' = 3\n";

/// A chain of links whose equations grow with their number.
fn chain(links: usize) -> String {
    let mut text = "system chain\nparam l = 1, g = 10\n".to_owned();
    let mut kinetic = Vec::new();
    let (mut x, mut y) = (String::new(), String::new());
    for k in 1..=links {
        let _ = writeln!(text, "coord q{k} : angle");
        let _ = write!(x, "{}l*sin(q{k})", if k > 1 { " + " } else { "" });
        let _ = write!(y, "{}l*cos(q{k})", if k > 1 { " + " } else { "" });
        let _ = writeln!(text, "let a{k} = {x}\nlet b{k} = {y}");
        kinetic.push(format!("(a{k}'^2 + b{k}'^2)/2 + g*b{k}"));
    }
    let _ = writeln!(text, "lagrangian {}", kinetic.join(" + "));
    let starts: Vec<String> = (1..=links).map(|k| format!("q{k} = {k}/10")).collect();
    let _ = writeln!(text, "start {}\ntime 0 .. 1", starts.join(", "));
    text
}

const MOMENT: Duration = Duration::from_millis(2);

/// Equations are programs by then, and numbers are worked with.
const AMONG_NUMBERS: Duration = Duration::from_millis(300);

/// Does the work while another thread waits for a phase to begin and then cancels.
fn cancelled_in<T>(phase: Phase, work: impl FnOnce(&Session) -> T) -> T {
    cancelled_after(MOMENT, phase, work)
}

fn cancelled_after<T>(wait: Duration, phase: Phase, work: impl FnOnce(&Session) -> T) -> T {
    let cancel = Cancel::new();
    let (sender, begun) = channel();
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        if p.phase == phase {
            let _ = sender.send(());
        }
    });
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if begun.recv().is_ok() {
                // In the midst of work that takes a hundred times as long.
                std::thread::sleep(wait);
                cancel.cancel();
            }
        });
        // The session goes with the work: a phase that never begins is waited for no longer.
        let session = session;
        work(&session)
    })
}

fn is_send_and_sync<T: Send + Sync>() {}

#[test]
fn sessions_and_models_go_between_threads() {
    is_send_and_sync::<Session>();
    is_send_and_sync::<Model>();
    is_send_and_sync::<Error>();
}

#[test]
fn one_model_answers_two_threads_at_once() {
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let text = SLEIGH.replace(
        "start",
        "constraint 2*sin(theta)*x' = 2*cos(theta)*y'\nstart",
    );
    let session = Session::new().on_finding(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    let model = session.read("sleigh.mech", text).unwrap();
    let alone = model.derive(Form::Hamel).unwrap().sheet().text(false);
    let ends: Vec<(String, f64)> = std::thread::scope(|scope| {
        let ask = || {
            let sheet = model.derive(Form::Hamel).unwrap().sheet().text(false);
            let motion = model.simulate().until(2.0).run().unwrap();
            (sheet, *motion["theta"].last().unwrap())
        };
        let both = [scope.spawn(ask), scope.spawn(ask)];
        both.map(|asked| asked.join().unwrap()).into()
    });
    for (sheet, theta) in &ends {
        assert_eq!(*sheet, alone);
        assert!((theta - 6.0).abs() < 1e-9);
    }
    // The redundant constraint is told once, whoever asks.
    assert_eq!(told.load(Ordering::Relaxed), 1);
}

#[test]
fn two_models_are_worked_on_at_once() {
    let session = Session::new();
    let texts = [SLEIGH.to_owned(), chain(2)];
    std::thread::scope(|scope| {
        for text in texts {
            let session = &session;
            scope.spawn(move || {
                let model = session.read("model", text).unwrap();
                let analysis = model
                    .analyze()
                    .only(&["regularity"])
                    .unwrap()
                    .run()
                    .unwrap();
                assert_eq!(analysis.json()["regularity"]["verdict"], "proven");
            });
        }
    });
}

#[test]
fn nothing_begins_after_the_end() {
    let cancel = Cancel::new();
    let session = Session::new().cancelled_by(&cancel);
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    let simulation = model.simulate();
    let mut compiled = simulation.compile().unwrap();
    let comparison = model.compare(Form::Vakonomic);
    let mut prepared = model.prepare(None).unwrap();
    let mut pair = comparison.compile_in(&mut prepared).unwrap();
    let many = model.ensemble().vary("m=1,2").unwrap();
    let ensemble = many.compile_in(&mut prepared).unwrap();
    cancel.cancel();
    let phase = |e: Error| match e {
        Error::Cancelled(phase) => phase,
        other => panic!("{other}"),
    };
    let read = session.read("sleigh.mech", SLEIGH);
    assert_eq!(phase(read.err().unwrap()), Phase::Reading);
    assert_eq!(phase(model.derive(None).err().unwrap()), Phase::Deriving);
    assert_eq!(phase(model.check().err().unwrap()), Phase::Deriving);
    let followed = simulation.follow(&mut compiled, |_| unreachable!());
    assert_eq!(phase(followed.err().unwrap()), Phase::Following);
    let compared = comparison.follow(&mut pair, |_| unreachable!());
    assert_eq!(phase(compared.err().unwrap()), Phase::Following);
    many.follow(&ensemble, 0, &AtomicUsize::new(0), |_| unreachable!());
    let again = comparison.compile_in(&mut prepared);
    assert_eq!(phase(again.err().unwrap()), Phase::Compiling);
    let code = model.export_in(&mut prepared, None, Target::C, Tables::default());
    assert_eq!(phase(code.err().unwrap()), Phase::Compiling);
    let in_steps = model.discrete().run();
    assert_eq!(phase(in_steps.err().unwrap()), Phase::Deriving);
    // Another session begins anew.
    assert!(model.within(&Session::new()).derive(None).is_ok());
}

/// Many statements, each made of those before it.
fn long_text() -> String {
    let mut text = "system long\ncoord q\nlet a0 = sin(q)\n".to_owned();
    for k in 1..20_000 {
        let _ = writeln!(text, "let a{k} = cos(a{}) + q*a{}", k - 1, k / 2);
    }
    let _ = writeln!(text, "lagrangian q'^2/2 - a19999");
    text
}

#[test]
fn reading_is_cancelled() {
    let read = cancelled_in(Phase::Reading, |s| s.read("long.mech", long_text()));
    assert!(matches!(read, Err(Error::Cancelled(Phase::Reading))));
}

#[test]
fn deriving_is_cancelled() {
    let derived = cancelled_in(Phase::Deriving, |s| {
        s.read("chain.mech", chain(100))?.derive(None)
    });
    let error = derived.err().unwrap();
    assert!(
        matches!(error, Error::Cancelled(Phase::Deriving)),
        "{error}"
    );
}

#[test]
fn a_check_that_is_cancelled_finds_nothing_wrong() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let checked = cancelled_in(Phase::Deriving, |session| {
        let listening = session
            .clone()
            .on_finding(move |f| heard.lock().unwrap().push(f.to_string()));
        listening.read("chain.mech", chain(100))?.check()
    });
    let error = checked.err().unwrap();
    assert!(
        matches!(error, Error::Cancelled(Phase::Deriving)),
        "{error}"
    );
    assert_eq!(*told.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn proving_is_cancelled_and_keeps_what_it_had() {
    let cancel = Cancel::new();
    let token = cancel.clone();
    // The first topic that is judged ends the work.
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        if p.phase == Phase::Proving {
            token.cancel();
        }
    });
    let model = session.read("chain.mech", chain(4)).unwrap();
    let analysis = model.analyze().run().unwrap();
    assert!(analysis.is_cut_short);
    let json = analysis.json();
    let verdicts: Vec<&str> = analysis
        .topics
        .iter()
        .filter_map(|t| json[t.name]["verdict"].as_str())
        .collect();
    assert_eq!(verdicts.len(), analysis.topics.len());
    assert!(verdicts.contains(&"undecided"), "{verdicts:?}");
}

#[test]
fn a_timeout_ends_one_question_and_not_the_session() {
    let model = Model::read(chain(4)).unwrap();
    let cut = model.analyze().timeout(Duration::ZERO).run().unwrap();
    assert!(cut.is_cut_short);
    let whole = model
        .analyze()
        .only(&["regularity"])
        .unwrap()
        .run()
        .unwrap();
    assert!(!whole.is_cut_short);
    assert_eq!(whole.json()["regularity"]["verdict"], "proven");
}

#[test]
fn compiling_is_cancelled() {
    let compiled = cancelled_in(Phase::Compiling, |s| {
        s.read("chain.mech", chain(40))?.simulate().compile()
    });
    let error = compiled.err().unwrap();
    assert!(
        matches!(error, Error::Cancelled(Phase::Compiling)),
        "{error}"
    );
}

#[test]
fn following_is_cancelled_and_keeps_its_rows() {
    let cancel = Cancel::new();
    let token = cancel.clone();
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        if p.phase == Phase::Following && p.share > 0.25 {
            token.cancel();
        }
    });
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    let motion = model.simulate().until(40.0).step(0.01).run().unwrap();
    assert_eq!(motion.outcome.end, Some(End::Stopped));
    let last = *motion["t"].last().unwrap();
    assert!((10.0..40.0).contains(&last), "{last}");
}

#[test]
fn following_is_cancelled_between_rows() {
    // One row at the end, many steps before it.
    let motion = cancelled_in(Phase::Following, |s| {
        let model = s.read("sleigh.mech", SLEIGH)?;
        let request = model.simulate().method(Method::DOP853);
        request.until(1e9).step(1e9).run()
    });
    assert_eq!(motion.unwrap().outcome.end, Some(End::Stopped));
}

const SWING_UP: &str = "system pendulum\ncoord q : angle\nlagrangian q'^2/2 + cos(q)\ncontrol u on q\ncost u^2/2\n\
    start q = 0\ngoal q = pi, q' = 0\ntime 0 .. 9\n";

#[test]
fn steering_is_cancelled_and_keeps_its_best_iterate() {
    let cancel = Cancel::new();
    let token = cancel.clone();
    // The first iteration ends the search.
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        if p.phase == Phase::Steering && p.share > 0.0 {
            token.cancel();
        }
    });
    let model = session.read("swing.mech", SWING_UP).unwrap();
    let found = model.control().run(&()).unwrap();
    assert_eq!(found.solution.status, Status::Interrupted);
    assert!(!found.solution.trajectory.states.is_empty());
}

#[test]
fn necessary_conditions_are_left_and_the_direct_solution_is_kept() {
    let cancel = Cancel::new();
    let (token, steered) = (cancel.clone(), AtomicBool::new(false));
    // Whatever comes after the search is the confirmation.
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        steered.fetch_or(p.phase == Phase::Steering, Ordering::Relaxed);
        if p.phase != Phase::Steering && steered.load(Ordering::Relaxed) {
            token.cancel();
        }
    });
    let model = session.read("swing.mech", SWING_UP).unwrap();
    let found = model.control().run(&()).unwrap();
    assert!(found.polished.is_none() && found.replay_error.is_none());
    assert!(found.solution.cost.is_some());
}

/// A pendulum over a time that takes hours to follow.
const FOREVER: &str =
    "system pendulum\ncoord q : angle\nlagrangian q'^2/2 + cos(q)\nstart q = 1\ntime 0 .. 1e9\n";

#[test]
fn neighbours_are_followed_until_somebody_cancels() {
    let monodromy = cancelled_after(AMONG_NUMBERS, Phase::Following, |s| {
        s.read("pendulum.mech", FOREVER)?.monodromy().map(|_| ())
    });
    let lyapunov = cancelled_after(AMONG_NUMBERS, Phase::Following, |s| {
        s.read("pendulum.mech", FOREVER)?.lyapunov(1).map(|_| ())
    });
    for error in [monodromy.err().unwrap(), lyapunov.err().unwrap()] {
        assert!(
            matches!(error, Error::Cancelled(Phase::Following)),
            "{error}"
        );
    }
}

#[test]
fn linear_systems_are_cancelled() {
    let linear = cancelled_in(Phase::Compiling, |s| {
        let model = s.read("chain.mech", chain(30))?;
        model.linearize(Place::Equilibrium, false).map(|_| ())
    });
    let error = linear.err().unwrap();
    assert!(
        matches!(error, Error::Cancelled(Phase::Compiling)),
        "{error}"
    );
}

#[test]
fn an_ensemble_is_cancelled_and_keeps_its_members() {
    let cancel = Cancel::new();
    let token = cancel.clone();
    let session = Session::new().cancelled_by(&cancel).on_progress(move |p| {
        if p.phase == Phase::Following {
            token.cancel();
        }
    });
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    let asked = model.ensemble().vary("m=1:2:20000").unwrap().threads(1);
    let gathered = asked.until(50.0).run().unwrap();
    assert_eq!(gathered.asked, 20_000);
    let members = gathered.members.len();
    assert!((1..20_000).contains(&members), "{members}");
}

#[test]
fn progress_grows_to_the_end() {
    let shares = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&shares);
    let session = Session::new().on_progress(move |p| heard.lock().unwrap().push(p.share));
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    model.simulate().until(1.0).run().unwrap();
    let shares = shares.lock().unwrap();
    assert!(shares.windows(2).all(|w| w[0] <= w[1]));
    assert_eq!(shares.last(), Some(&1.0));
}

#[test]
fn settings_are_told_with_their_own_text() {
    let session = Session::new().naming(|name| format!("the field {name}"));
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    let refused = model.set("m = 1").unwrap().set("nobody = 3");
    let Err(Error::Mistakes(mistakes)) = refused else {
        panic!("`nobody` was set");
    };
    let finding = &mistakes.reading.findings[0];
    assert_eq!(finding.source.name(), "the field setting");
    assert_eq!(finding.source.text(), "nobody = 3");
    assert_eq!(mistakes.partial.unwrap().name, "sleigh");
    // The place of a start value that a setting gave.
    let beside = model.set("y' = 1").unwrap();
    let Err(Error::Refused(refusal)) = beside.derive(None) else {
        panic!("the start state breaks the constraint");
    };
    assert!(
        !refusal.finding.to_string().contains("--"),
        "{}",
        refusal.finding
    );
}

#[test]
fn a_flag_is_not_raised_by_reading_it() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let session = Session::new().cancelled_by(&Cancel::watching(&STOP));
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    assert!(model.simulate().until(1.0).run().is_ok());
    STOP.store(true, Ordering::Relaxed);
    let derived = model.derive(None);
    assert!(matches!(derived, Err(Error::Cancelled(Phase::Deriving))));
}

#[test]
fn an_ensemble_ends_where_somebody_has_enough() {
    let session = Session::new();
    let model = session.read("sleigh.mech", SLEIGH).unwrap();
    let many = model.ensemble().vary("m=1:2:20000").unwrap().threads(1);
    let mut prepared = model.prepare(None).unwrap();
    let many = many.until(50.0);
    let ensemble = many.compile_in(&mut prepared).unwrap();
    let mut members = 0;
    many.follow(&ensemble, 0, &AtomicUsize::new(0), |_| {
        members += 1;
        ControlFlow::Break(())
    });
    assert!((1..20_000).contains(&members), "{members}");
    // Only this question has ended.
    assert!(model.derive(None).is_ok());
}

/// What the program asks is what the library answers: the rows of both motions at the same times.
#[test]
fn two_motions_are_compared_row_by_row() {
    let model = Session::new().read("sleigh.mech", SLEIGH).unwrap();
    let asked = model.compare(Form::Hamel);
    let asked = asked.options(Options {
        form: Some(Form::LagrangeDAlembert),
        until: Some(1.0),
        step: Some(0.25),
        ..Options::default()
    });
    let mut pair = asked.compile_in(&mut model.prepare(None).unwrap()).unwrap();
    let mut times = Vec::new();
    let outcomes = asked.follow(&mut pair, |row| {
        times.push(row[0]);
        ControlFlow::Continue(())
    });
    assert!(outcomes.unwrap().iter().all(|o| o.failure.is_none()));
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert!(pair.comparison.largest.0 < 1e-6 && pair.comparison.parted.is_none());
}

#[test]
fn steps_are_asked_for_in_words() {
    let text =
        "system spring\ncoord x\nlagrangian x'^2/2 - x^2/2\nstart x = 1\ntime 0 .. 1 step 1/10\n";
    let model = Session::new().read("spring.mech", text).unwrap();
    let asked = || model.discrete().steps(3);
    let found = asked().at("x = 1/2").from("start").run().unwrap();
    let page = found.document().json(false);
    assert!(page.to_string().contains("action"), "{page}");
    for (wrong, why) in [
        (asked().at("y = 1").run(), "no coordinate `y`"),
        (asked().at("x").run(), "NAME = VALUE"),
        (asked().at("x = 1/2").from("T = 1").run(), "write `start`"),
    ] {
        let error = wrong.err().unwrap();
        assert!(matches!(error, Error::Asked(_)), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let unknown = model.discrete().rule("simpson").err().unwrap();
    assert!(unknown.to_string().contains("exact"), "{unknown}");
}
