//! Verdicts by work, not by the clock: more effort may decide more, never the opposite, and load changes nothing.

mod support;

use rattleback_mechanics::System;
use rattleback_symbolic::{Cancel, work_done};
use rattleback_theory::hamilton_jacobi::HamiltonJacobi;
use rattleback_theory::presymplectic::Presymplectic;
use rattleback_theory::vakonomic::Equivalence;
use rattleback_theory::{
    Answer, BracketReport, ChaplyginReport, DistributionReport, Effort, FirstIntegralReport,
    HamiltonizationReport, MeasureReport, MomentumReport, Regularity, SymmetryReport,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use support::{shipped, system as model};

const TOPICS: [&str; 12] = [
    "regularity",
    "distribution",
    "symmetries",
    "momenta",
    "first_integrals",
    "jacobi",
    "chaplygin",
    "measure",
    "hamiltonization",
    "hamilton_jacobi",
    "vakonomic",
    "presymplectic",
];

/// The claims of one topic, in a fixed order.
fn claims(topic: &str, system: &System, effort: f64) -> Vec<Answer> {
    let effort = Effort::of(effort);
    let open = |why: String| vec![Answer::failed(why)];
    match topic {
        "regularity" => vec![Regularity::of(system).regular],
        "distribution" => match DistributionReport::of(system, effort) {
            Ok(r) => vec![r.generating, r.integrable],
            Err(e) => open(e.to_string()),
        },
        "symmetries" => vec![SymmetryReport::of(system, effort).claim],
        "momenta" => vec![MomentumReport::of(system, effort).claim],
        "first_integrals" => {
            let r = FirstIntegralReport::of(system, effort);
            vec![r.claim, r.levels]
        }
        "jacobi" => vec![BracketReport::of(system, effort).poisson],
        "chaplygin" => vec![ChaplyginReport::of(system, effort).claim],
        "measure" => vec![MeasureReport::of(system, effort).claim],
        "hamiltonization" => vec![HamiltonizationReport::of(system, effort).claim],
        "hamilton_jacobi" => match HamiltonJacobi::of(system, &[], effort) {
            Ok(r) => vec![r.claim],
            Err(e) => open(e.to_string()),
        },
        "vakonomic" => match Equivalence::of(system, effort) {
            Ok(r) => vec![r.claim, r.every, r.integrable],
            Err(e) => open(e.to_string()),
        },
        "presymplectic" => vec![Presymplectic::of_lagrangian(system).chain(effort).claim],
        other => panic!("no topic {other}"),
    }
}

fn are_opposite(a: &Answer, b: &Answer) -> bool {
    a.is_proven() && b.is_refuted() || a.is_refuted() && b.is_proven()
}

/// Every verdict of every shipped model at other efforts, each topic beside others on busy processors: the same, or
/// undecided.
#[test]
fn less_effort_never_turns_a_verdict_round() {
    let names = support::all_shipped();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let system = shipped(name);
            for topic in TOPICS {
                let full = claims(topic, &system, 1.0);
                for effort in [0.0, 1e-3, 1e-2, 0.3] {
                    for (a, b) in claims(topic, &system, effort).iter().zip(&full) {
                        assert!(
                            !are_opposite(a, b),
                            "{name}, {topic} at effort {effort}: {a:?}, else {b:?}"
                        );
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
}

/// Neither other threads nor what was computed before changes a verdict, its evidence or the work it takes.
#[test]
fn load_changes_nothing() {
    let measured = |name: &str, topic: &str, effort: f64| {
        let system = shipped(name);
        let before = work_done();
        let said = claims(topic, &system, effort);
        (said, work_done() - before)
    };
    let stop = AtomicBool::new(false);
    for name in ["chaplygin_sphere", "suslov"] {
        for topic in ["momenta", "chaplygin", "vakonomic"] {
            for effort in [1e-3, 1e-2] {
                let alone = measured(name, topic, effort);
                let (first, second) = std::thread::scope(|scope| {
                    let spin = || {
                        while !stop.load(Ordering::Relaxed) {
                            std::hint::spin_loop();
                        }
                    };
                    scope.spawn(spin);
                    scope.spawn(spin);
                    let beside = scope.spawn(|| measured(name, topic, effort));
                    let here = measured(name, topic, effort);
                    let beside = beside.join().expect("it ends");
                    stop.store(true, Ordering::Relaxed);
                    (here, beside)
                });
                stop.store(false, Ordering::Relaxed);
                assert_eq!(alone, first, "{name}, {topic}");
                assert_eq!(alone, second, "{name}, {topic}");
            }
        }
    }
}

/// Topics ask for each other's answers, which are found once: who asks first, and what was spent before, changes nothing.
#[test]
fn the_order_of_topics_changes_nothing() {
    for name in ["chaplygin_sleigh", "suslov", "heisenberg_particle"] {
        for effort in [1e-3, 1.0] {
            let alone = TOPICS.map(|topic| claims(topic, &shipped(name), effort));
            let system = shipped(name);
            let mut backwards = TOPICS;
            backwards.reverse();
            let mut after_others = backwards.map(|topic| claims(topic, &system, effort));
            after_others.reverse();
            assert_eq!(alone, after_others, "{name} at effort {effort}");
            let system = shipped(name);
            let at_once = std::thread::scope(|scope| {
                let begin = |topic| {
                    let system = &system;
                    scope.spawn(move || claims(topic, system, effort))
                };
                let begun = TOPICS.map(begin);
                begun.map(|topic| topic.join().expect("it ends"))
            });
            assert_eq!(alone, at_once, "{name} at effort {effort}");
        }
    }
}

/// A cancelled topic decides nothing that it would decide otherwise by a search, and comes to an end.
#[test]
fn what_is_cancelled_is_not_turned_round() {
    let cancel = Cancel::new();
    cancel.cancel();
    for name in ["chaplygin_sleigh", "suslov", "two_wheeled_carriage"] {
        let system = shipped(name);
        for topic in TOPICS {
            let full = claims(topic, &system, 1.0);
            // Nothing is known about a copy.
            let copy = system.clone();
            let cut = cancel.scope(|| claims(topic, &copy, 1.0));
            for (a, b) in cut.iter().zip(&full) {
                assert!(!are_opposite(a, b), "{name}, {topic}: {a:?}, else {b:?}");
            }
        }
    }
}

/// Translations and rotations of all bodies together are found, whatever the size.
#[test]
fn four_bodies_have_their_common_symmetries() {
    let bodies = 1..=4;
    let coordinates: Vec<String> = bodies
        .clone()
        .map(|i| format!("east{i}, north{i}, up{i}"))
        .collect();
    let kinetic: Vec<String> = bodies
        .clone()
        .map(|i| format!("(east{i}'^2 + north{i}'^2 + up{i}'^2)/2"))
        .collect();
    let pairs = bodies
        .clone()
        .flat_map(|i| (i + 1..=4).map(move |j| (i, j)));
    let potential: Vec<String> = pairs
        .map(|(i, j)| {
            format!("1/sqrt((east{i} - east{j})^2 + (north{i} - north{j})^2 + (up{i} - up{j})^2)")
        })
        .collect();
    let text = format!(
        "system bodies\ncoord {}\nkinetic {}\npotential -({})\n",
        coordinates.join(", "),
        kinetic.join(" + "),
        potential.join(" + ")
    );
    let found = SymmetryReport::of(&model(&text), Effort::of(1.0));
    assert!(found.claim.is_proven(), "{:?}", found.claim);
    let holding = found.all.iter().filter(|s| s.holds()).count();
    assert!(holding >= 6, "{holding} fields");
}

/// A momentum of a symmetry in D is conserved, though the symmetry moves D.
#[test]
fn horizontal_symmetries_have_conserved_momenta() {
    for name in [
        "knife_edge",
        "martinet",
        "chaplygin_sleigh",
        "veselova_group",
    ] {
        let system = shipped(name);
        let integrals = FirstIntegralReport::of(&system, Effort::unlimited());
        let horizontal = integrals
            .all
            .iter()
            .any(|i| i.origin == rattleback_theory::Origin::HorizontalSymmetry);
        let momenta = MomentumReport::of(&system, Effort::unlimited()).claim;
        assert!(!(horizontal && momenta.is_refuted()), "{name}: {momenta:?}");
    }
}

/// A position constraint that the model states is no integral worth a verdict.
#[test]
fn a_stated_constraint_is_no_discovery() {
    let text = "system wire\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
        potential x^3*z + exp(z*x) + y^5*x\nconstraint x*z^3 + exp(y) - 2 = 0\n\
        start x = 1, y = 0, z = 1\n";
    let found = FirstIntegralReport::of(&model(text), Effort::unlimited());
    assert!(!found.claim.is_proven(), "{:?}", found.claim);
    assert!(
        found
            .all
            .iter()
            .any(|i| i.origin == rattleback_theory::Origin::Constraints)
    );
}

/// Where the motion is not determined nothing is said about it.
#[test]
fn a_degenerate_motion_is_not_hamiltonized() {
    let text = "system null\ncoord x, y, z\nkinetic (x'^2 - y'^2 + z'^2)/2\nconstraint x' = y'\n";
    let system = model(text);
    assert!(Regularity::of(&system).regular.is_refuted());
    for topic in ["hamiltonization", "measure", "jacobi", "chaplygin"] {
        for claim in claims(topic, &system, 1.0) {
            assert!(!claim.is_proven(), "{topic}: {claim:?}");
        }
    }
}
