//! Problems with ends: free numbers and start values, goals, conditions on the way, guesses, costs.

mod common;

use common::{BASE, base_with, errors, findings, model, only_error};
use rattleback_language::{
    Condition, Given, Model, Overrides, Relation, TimeOption, Values, at_start,
};
use rattleback_symbolic::{Expr, Symbol};

const RIGID: &str = "system rigid\ngroup R : SO(3) velocity w\nlagrangian dot(w, w)/2\n";

fn variable(name: &str) -> Symbol {
    Symbol::variable(name)
}

/// Conditions as texts: `left relation right`, `group := entries`.
fn shown(conditions: &[Condition]) -> Vec<String> {
    let show = |c: &Condition| match c {
        Condition::Scalar {
            left,
            relation,
            right,
            ..
        } => format!("{left} {} {right}", relation.symbol()),
        Condition::Element { group, entries, .. } => format!("{group} := {}", entries[0]),
    };
    conditions.iter().map(show).collect()
}

#[test]
fn free_numbers_are_parameters_with_a_guess() {
    let m = base_with(
        "free T = 2*m, k = [0, 3]  # to be found\nparam rate = 1/T\nforce (x: -k[1]*rate*x)\ntime 0 .. T\nbound 0.5 <= T, rate <= 4, k[2] >= 0",
    );
    let names: Vec<String> = m.free.iter().map(|f| f.symbol.to_string()).collect();
    assert_eq!(names, ["T", "k[1]", "k[2]"]);
    assert_eq!(m.free[0].doc.as_deref(), Some("to be found"));
    let values = Values::of(&m);
    assert_eq!(values.get(&m.free[0].symbol), Some(&Expr::from(2)));
    // What follows from a guess follows.
    assert_eq!(values.at(&m.time.as_ref().unwrap().to), Expr::from(2));
    let rate = m.find("rate").unwrap();
    assert_eq!(values.at(rate.as_scalar().unwrap()), Expr::ratio(1, 2));
    assert!(m.depends_on_free(rate.as_scalar().unwrap()));
    assert!(!m.depends_on_free(&m.lagrangian));
    let bounds: Vec<(String, bool)> = m
        .bounds
        .iter()
        .map(|b| (b.expr.to_string(), b.lower.is_some()))
        .collect();
    let expected = [("T", true), ("rate", false), ("k[2]", true)];
    assert_eq!(bounds, expected.map(|(s, l)| (s.to_owned(), l)));
}

#[test]
fn mistakes_in_free_numbers() {
    let with = |s: &str| errors(&format!("{BASE}{s}\n"));
    assert_eq!(with("free T"), [(5, 7, "syntax")]);
    assert_eq!(with("free T = x"), [(5, 10, "not-allowed")]);
    assert_eq!(with("free m = 1"), [(5, 6, "duplicate")]);
    assert_eq!(
        with("free T = S\nfree S = 1\ntime 0 .. S"),
        [(5, 10, "order")]
    );
    assert_eq!(findings(&format!("{BASE}free T = 1\n")), [(5, 6, "unused")]);
    assert_eq!(with("observe o = free"), [(5, 13, "not-allowed")]);
    assert_eq!(with("observe o = x + free(1)"), [(5, 17, "not-allowed")]);
}

#[test]
fn settings_change_guesses() {
    let m = base_with("free T = 2\ntime 0 .. T\nstart x' = free(0.3), y ~ 1, x = free");
    let set = |s: &[&str]| m.with_overrides(&Overrides::parse(s).unwrap());
    let other = set(&["T=5", "x'=0.4", "y=2"]).unwrap();
    assert_eq!(
        Values::of(&other).get(&other.free[0].symbol),
        Some(&Expr::from(5))
    );
    let start = |m: &Model, s: Symbol| {
        let a = m.start.get(&s).unwrap();
        (a.value.to_string(), a.given)
    };
    assert_eq!(
        start(&other, variable("x").derivative()),
        ("2/5".into(), Given::Free)
    );
    // What is set with `=` is stated.
    assert_eq!(start(&other, variable("y")), ("2".into(), Given::Stated));
    assert_eq!(start(&other, variable("x")), ("0".into(), Given::Free));
    // The end is free: there is nothing to set but its guess.
    assert!(
        set(&["until=3"])
            .unwrap_err()
            .render(false)
            .contains("set its guess")
    );
    let mut until = Overrides::default();
    until.option(TimeOption::Until, "3").unwrap();
    assert!(
        m.with_overrides(&until)
            .unwrap_err()
            .render(false)
            .contains("`T`")
    );
    assert!(set(&["step=0.1"]).is_ok());
}

#[test]
fn start_values_that_are_free_or_approximate() {
    let m = model(&format!(
        "{RIGID}coord x, b\ngroup s : R(2)\nobserve o = x + b + s[1]\nparam c = 2\n\
         start x = 1, x' = free, b ~ 1.5*c, b' = free(c), w = [0, free, free(0.2)], s = [free(1), 2]\n\
         start R = free(rotation([0, 0, 1], pi/2))\n"
    ));
    let start: Vec<String> = m
        .start
        .iter()
        .filter(|a| !a.symbol.name().starts_with('R'))
        .map(|a| format!("{} {:?} {}", a.symbol, a.given, a.value))
        .collect();
    assert_eq!(
        start,
        [
            "x Stated 1",
            "b Approximate 3*c/2",
            "s[1] Free 1",
            "s[2] Stated 2",
            "x' Free 0",
            "b' Free c",
            "w[1] Stated 0",
            "w[2] Free 0",
            "w[3] Free 1/5",
        ]
    );
    let rotation = m.start.get(&variable("R[2,1]")).unwrap();
    assert_eq!(
        (rotation.given, &rotation.value),
        (Given::Free, &Expr::one())
    );
    // Without a guess a group element is the identity.
    let m = model(&format!("{RIGID}start R = free, w = free\n"));
    let entry = |s: &str| m.start.get(&variable(s)).unwrap().value.clone();
    assert_eq!(
        (entry("R[1,1]"), entry("R[1,2]")),
        (Expr::one(), Expr::zero())
    );
    assert!(m.start.iter().all(|a| a.given == Given::Free));
}

#[test]
fn mistakes_in_free_start_values() {
    let with = |s: &str| errors(&format!("{BASE}start {s}\n"));
    assert_eq!(with("x = 1 + free"), [(5, 15, "not-allowed")]);
    assert_eq!(with("x = free(free)"), [(5, 16, "not-allowed")]);
    assert_eq!(with("x = free(1, 2)"), [(5, 11, "arguments")]);
    assert_eq!(with("x = free(y)"), [(5, 16, "not-allowed")]);
    assert_eq!(with("x ~ free"), [(5, 11, "free")]);
    assert_eq!(with("x ~"), [(5, 10, "syntax")]);
    assert_eq!(with("x ~ 1, x = 2"), [(5, 14, "duplicate")]);
    assert_eq!(
        errors(
            "system q\ngroup g : SU(2) velocity w\nlagrangian dot(w, w)\nstart g = [1, free, 0, 0]\n"
        ),
        [(4, 11, "free")]
    );
    assert_eq!(
        errors(&format!(
            "{RIGID}start R = [[1, 0, 0], [0, free, 0], [0, 0, 1]]\n"
        )),
        [(4, 27, "not-allowed")]
    );
    assert_eq!(
        errors(&format!("{RIGID}start w = free(1)\n")),
        [(4, 11, "shape")]
    );
}

#[test]
fn initial_costates() {
    let m = model(&format!(
        "{RIGID}coord x\nstate z\nrate z' = x\n\
         start p_x = 0.3, p_w[2] = 1, p_R = [0, 0, 1], p_z = 2, mu1 = 0.1\n"
    ));
    let momenta: Vec<String> = m
        .start
        .momenta
        .iter()
        .map(|a| format!("{} = {}", a.symbol, a.value))
        .collect();
    let expected = [
        "p_x = 3/10",
        "p_w[2] = 1",
        "p_R[1] = 0",
        "p_R[2] = 0",
        "p_R[3] = 1",
        "p_z = 2",
    ];
    assert_eq!(momenta, expected);
    assert_eq!(m.start.multipliers.len(), 1);
    let unknown = only_error(&format!("{BASE}start p_q = 1\n"));
    assert!(unknown.contains("unknown name `q`"), "{unknown}");
    assert_eq!(
        errors(&format!("{RIGID}start p_w = 1\n")),
        [(4, 13, "shape")]
    );
    assert_eq!(
        errors(&format!("{RIGID}start p_w[4] = 1\n")),
        [(4, 7, "index")]
    );
    // A model's own name comes first.
    let own = base_with("coord p_x\nforce (x: p_x)\nstart p_x = 2");
    assert_eq!((own.start.momenta.len(), own.start.positions.len()), (0, 1));
}

#[test]
fn goals_are_conditions() {
    let m = base_with(
        "free k = 1\ngoal x = 1, x' = 0\ngoal x^2 + y^2 = k\ngoal y >= 2, 1 <= x' + t < 3\ngoal y' =\n  start(x*y') + 2*pi",
    );
    assert_eq!(
        shown(&m.goals),
        [
            "x = 1",
            "x' = 0",
            "x^2 + y^2 = k",
            "y >= 2",
            "1 <= x' + t",
            "x' + t <= 3",
            "y' = 2*pi + start(x)*start(y')",
        ]
    );
    assert_eq!(m.goals[0].assigned().unwrap().0, &variable("x"));
    assert!(m.goals[2].assigned().is_none());
    let constants = base_with("free k = 1\ngoal k = 1, start(x) = 2");
    assert!(constants.goals.iter().all(|g| g.assigned().is_none()));
    let Condition::Scalar {
        right, relation, ..
    } = &m.goals[6]
    else {
        panic!("a scalar condition");
    };
    assert_eq!(*relation, Relation::Equal);
    assert!(right.contains(&at_start(&variable("y").derivative())));
}

#[test]
fn goals_of_groups() {
    let m = model(
        "system g\ngroup R : SO(3) velocity w\ngroup X : SE(2) velocity v\ngroup s : R(2)\nlagrangian dot(w, w) + dot(v, v) + norm2(s')\n\
         goal R = rotation([0, 0, 1], pi/2), w = [0, 0, 1], s = identity\n\
         goal X = start(X)*[[0, -1, 1], [1, 0, 0], [0, 0, 1]], R[1,1] <= 1/2\nvia 1: X.p = start(X).p\ntime 0 .. 2\n",
    );
    assert_eq!(
        shown(&m.goals),
        [
            "R := 0",
            "w[1] = 0",
            "w[2] = 0",
            "w[3] = 1",
            "s[1] = 0",
            "s[2] = 0",
            "X := start(X[1,2])",
            "R[1,1] <= 1/2",
        ]
    );
    assert_eq!(
        shown(&m.vias[0].conditions),
        ["X[1,3] = start(X[1,3])", "X[2,3] = start(X[2,3])"]
    );
}

#[test]
fn mistakes_in_goals() {
    let with = |s: &str| errors(&format!("{BASE}control u on x\n{s}\n"));
    assert_eq!(with("goal x"), [(6, 7, "syntax")]);
    assert_eq!(with("goal x 1"), [(6, 8, "syntax")]);
    assert_eq!(with("goal x != 1"), [(6, 6, "condition")]);
    assert_eq!(with("goal x = y = 1"), [(6, 6, "condition")]);
    assert_eq!(with("goal m = 1"), [(6, 6, "condition")]);
    assert_eq!(with("goal u = 1"), [(6, 6, "not-allowed")]);
    assert_eq!(with("goal x = [1, 2]"), [(6, 10, "shape")]);
    assert_eq!(with("goal [x, y] >= [1, 2]"), [(6, 6, "shape")]);
    assert_eq!(with("goal x = 1\ngoal x = 2"), [(7, 6, "duplicate")]);
    assert_eq!(with("goal x'' = 1"), [(6, 6, "target")]);
    assert_eq!(with("goal mu1 = 1"), [(6, 6, "generated-name")]);
    assert_eq!(with("goal xx = 1"), [(6, 6, "unknown-name")]);
    assert_eq!(with("observe o = start(x)"), [(6, 13, "not-allowed")]);
    assert_eq!(with("terminal u"), [(6, 10, "not-allowed")]);
    assert_eq!(
        errors(&format!("{RIGID}goal R = [1, 2]\n")),
        [(4, 10, "shape")]
    );
    assert_eq!(
        errors(&format!("{RIGID}goal R = identity, R = identity\n")),
        [(4, 20, "duplicate")]
    );
}

#[test]
fn periodic_is_short_for_goals() {
    let m = model(&format!(
        "{RIGID}coord x\nobserve o = x\nperiodic x, x', R, w\n"
    ));
    assert_eq!(
        shown(&m.goals),
        [
            "x = start(x)",
            "x' = start(x')",
            "R := start(R[1,1])",
            "w[1] = start(w[1])",
            "w[2] = start(w[2])",
            "w[3] = start(w[3])",
        ]
    );
    let with = |s: &str| errors(&format!("{BASE}{s}\n"));
    assert_eq!(with("periodic x + y"), [(5, 10, "target")]);
    assert_eq!(with("periodic m"), [(5, 10, "target")]);
    assert_eq!(with("periodic q"), [(5, 10, "unknown-name")]);
    assert_eq!(with("periodic mu1"), [(5, 10, "target")]);
    assert_eq!(with("periodic x\ngoal x = 1"), [(6, 6, "duplicate")]);
}

#[test]
fn conditions_on_the_way() {
    let m = base_with("free T = 2\ntime 0 .. T\nvia T/4: x = 1, y >= start(y)\nvia 1: x' = 0");
    assert_eq!(m.vias.len(), 2);
    assert_eq!(m.vias[0].time.to_string(), "T/4");
    assert_eq!(shown(&m.vias[0].conditions), ["x = 1", "y >= start(y)"]);
    let with = |s: &str| errors(&format!("{BASE}time 0 .. 2\n{s}\n"));
    assert_eq!(with("via 2: x = 1"), [(6, 5, "time")]);
    assert_eq!(with("via -1: x = 1"), [(6, 5, "time")]);
    assert_eq!(with("via x: x = 1"), [(6, 5, "not-allowed")]);
    assert_eq!(with("via 1 x = 1"), [(6, 7, "syntax")]);
    assert_eq!(with("via 1"), [(6, 6, "syntax")]);
    assert_eq!(with("via 1: x = 1, x = 2"), [(6, 15, "duplicate")]);
    // A setting that moves the end is blamed for it.
    let m = base_with("time 0 .. 2\nvia 1: x = 1");
    let set = Overrides::parse(["until=1/2"]).unwrap();
    let text = m.with_overrides(&set).unwrap_err().render(false);
    assert!(
        text.contains("inside the horizon") && text.contains("until=1/2"),
        "{text}"
    );
}

#[test]
fn guesses_along_the_path() {
    let m = model(&format!(
        "{RIGID}coord x\nstate z\nrate z' = u + x\ncontrol u\nfree T = 1\ntime 0 .. T\n\
         guess x = t/T, u = cos(t), z = 1, R = rotation([0, 0, 1], t)\n"
    ));
    let guesses: Vec<String> = m
        .guesses
        .iter()
        .map(|g| format!("{} = {}", g.symbol, g.value))
        .collect();
    assert_eq!(
        guesses[..4],
        ["x = t/T", "u = cos(t)", "z = 1", "R[1,1] = cos(t)"]
    );
    assert_eq!(guesses.len(), 3 + 9);
    let with = |s: &str| errors(&format!("{BASE}{s}\n"));
    assert_eq!(with("guess x' = 1"), [(5, 7, "target")]);
    assert_eq!(with("guess x = y"), [(5, 11, "not-allowed")]);
    assert_eq!(with("guess x = t\nguess x = 1"), [(6, 7, "duplicate")]);
    assert_eq!(with("guess m = 1"), [(5, 7, "target")]);
    assert_eq!(with("guess mu1 = 1"), [(5, 7, "target")]);
    assert_eq!(
        errors(&format!("{RIGID}guess w = [t, 0, 0]\n")),
        [(4, 7, "target")]
    );
    let help = only_error(&format!("{BASE}guess x = y\n"));
    assert!(
        help.contains("use only `t`, parameters and free numbers"),
        "{help}"
    );
}

#[test]
fn costs_add_up() {
    let m =
        base_with("control u on x\ncost u^2  # effort\ncost y^2\nterminal x\nterminal start(x)*y");
    assert_eq!(m.cost().unwrap().to_string(), "u^2 + y^2");
    assert_eq!(m.terminal().unwrap().to_string(), "x + start(x)*y");
    assert_eq!(m.costs[0].doc.as_deref(), Some("effort"));
    let none = base_with("");
    assert!(none.cost().is_none() && none.terminal().is_none());
}

#[test]
fn bounds_that_leave_nothing() {
    let with = |s: &str| errors(&format!("{BASE}param a = 1\n{s}\n"));
    assert_eq!(with("bound 2 <= x <= a"), [(6, 7, "bound")]);
    assert_eq!(with("bound a <= x <= 1"), []);
    // A free limit may yet move.
    assert_eq!(with("free b = 0\nbound a <= x <= b"), []);
}

#[test]
fn flat_outputs() {
    let m = base_with("param l = 1\nflat out = x + l, pair = [x', y]\nobserve o = out");
    let shapes: Vec<(String, usize)> = m
        .flats
        .iter()
        .map(|f| (f.name.clone(), f.value.entries().len()))
        .collect();
    assert_eq!(shapes, [("out".into(), 1), ("pair".into(), 2)]);
    let with = |s: &str| errors(&format!("{BASE}{s}\n"));
    assert_eq!(with("flat x = x"), [(5, 6, "duplicate")]);
    assert_eq!(with("flat o = lambda1"), [(5, 10, "generated-name")]);
    assert_eq!(with("flat q + y"), [(5, 8, "syntax")]);
}

/// The order of the statements says nothing.
#[test]
fn statements_come_in_any_order() {
    let lines = [
        "param m = 1",
        "coord x, y",
        "lagrangian m/2*(x'^2 + y'^2) + z*x",
        "rate z' = u - z",
        "state z",
        "input u = -z",
        "control u",
        "goal x = start(x) + T",
        "via T/2: y = 1",
        "guess z = t",
        "start x = free(1), z ~ 1",
        "time 0 .. T",
        "free T = 2",
        "cost u^2",
        "bound T <= 3",
        "flat o = x",
        "periodic y",
    ];
    let summary = |lines: &[&str]| {
        let text = format!("system a\n{}\n", lines.join("\n"));
        let m = model(&text);
        let mut goals = shown(&m.goals);
        goals.sort();
        let start: Vec<String> = m
            .start
            .iter()
            .map(|a| format!("{} {:?}", a.symbol, a.given))
            .collect();
        format!(
            "{} {:?} {goals:?} {start:?} {:?} {:?}",
            m.lagrangian,
            m.rates(),
            m.vias[0].time,
            m.guesses[0].value
        )
    };
    let reversed: Vec<&str> = lines.iter().rev().copied().collect();
    assert_eq!(summary(&lines), summary(&reversed));
}
