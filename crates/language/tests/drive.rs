//! Driven models: controls without a one-form, input laws, auxiliary states, discrete time, parts of SE(n).

mod common;

use common::{BASE, base_with, errors, findings, model, only_error};
use rattleback_language::{
    Clock, ConstraintKind, Model, Names, Overrides, Source, Update, at_next, parse,
};
use rattleback_symbolic::{Expr, Symbol};

fn law(model: &Model, control: &str) -> String {
    let control = Symbol::variable(control);
    model.input(&control).unwrap().law.to_string()
}

#[test]
fn inputs_are_laws_of_the_state() {
    let m = base_with("control u on x\ncontrol v\ninput u = -2*x - x' + sin(t), v = m*y\ncost v^2");
    assert_eq!(law(&m, "v"), "m*y");
    let u = m.input(&Symbol::variable("u")).unwrap();
    assert!(u.law.contains(&Symbol::time()) && u.law.contains(&Symbol::variable("x").derivative()));
    assert!(m.controls[1].form.components.is_empty());
}

#[test]
fn mistakes_in_inputs() {
    let base = format!("{BASE}control u on x\ncontrol v on y\n");
    let with = |s: &str| format!("{base}{s}\n");
    assert_eq!(errors(&with("input u = v")), [(7, 11, "not-allowed")]);
    assert_eq!(errors(&with("input u = x''")), [(7, 11, "not-allowed")]);
    assert_eq!(
        errors(&with("let a = x''\ninput u = a")),
        [(8, 11, "not-allowed")]
    );
    assert_eq!(
        errors(&with("input u = lambda1")),
        [(7, 11, "generated-name")]
    );
    assert_eq!(errors(&with("input u = [1, 2]")), [(7, 11, "shape")]);
    assert_eq!(
        errors(&with("input u = 1\ninput u = 2")),
        [(8, 7, "duplicate")]
    );
    assert_eq!(errors(&with("input x = 1")), [(7, 7, "target")]);
    assert_eq!(errors(&with("input u")), [(7, 8, "syntax")]);
    assert_eq!(errors(&with("input u' = 1")), [(7, 7, "derivative")]);
    let unknown = only_error(&format!("{BASE}control thrust on x\ninput thrst = 1\n"));
    assert!(unknown.contains("did you mean `thrust`?"), "{unknown}");
    let misspelt = only_error(&with("inptu u = 1"));
    assert!(misspelt.contains("did you mean `input`?"), "{misspelt}");
}

#[test]
fn a_control_that_acts_on_nothing_is_warned_of() {
    assert_eq!(findings(&format!("{BASE}control u\n")), [(5, 9, "unused")]);
    assert_eq!(findings(&format!("{BASE}control u\ncost u^2\n")), []);
}

#[test]
fn auxiliary_states_have_rates() {
    let m = base_with(
        "rate fuel' = -u^2, lag' = (x' - lag)/tau + fuel'\nstate fuel, lag  # what is left\nparam tau = 2\ncontrol u\n\
         force (x: fuel*lag)\nstart fuel = 3\nobserve o = lag' + fuel",
    );
    assert_eq!(m.states.len(), 2);
    assert_eq!(m.states[1].doc.as_deref(), Some("what is left"));
    assert!(matches!(&m.states[0].update, Update::Rate(e) if e.to_string() == "-u^2"));
    let fuel = Symbol::variable("fuel");
    // As it is written, the rate has the derivative; put in, it has not.
    assert!(m.states[1].update.expression().contains(&fuel.derivative()));
    let rates = m.rates();
    assert_eq!(rates[1].0, Symbol::variable("lag").derivative());
    assert!(
        !rates[1].1.contains(&fuel.derivative()) && rates[1].1.contains(&Symbol::variable("u"))
    );
    // An observable keeps z' for the lowering.
    let observed = m.observables[0].value.as_scalar().unwrap();
    assert!(observed.contains(&Symbol::variable("lag").derivative()));
    assert_eq!(m.start.auxiliary.len(), 1);
    assert_eq!(m.start.get(&fuel).unwrap().value, Expr::from(3));
}

#[test]
fn mistakes_in_states_and_rates() {
    let with = |s: &str| format!("{BASE}state z\n{s}\n");
    let missing = only_error(&with("observe o = z"));
    assert!(
        missing.contains("test.mech:5:7") && missing.contains("rate z' = "),
        "{missing}"
    );
    assert_eq!(
        errors(&with("rate z' = 1\nrate z' = 2")),
        [(7, 6, "duplicate")]
    );
    assert_eq!(errors(&with("rate z' = x''")), [(6, 11, "not-allowed")]);
    assert_eq!(
        errors(&with("rate z' = lambda1")),
        [(6, 11, "generated-name")]
    );
    assert_eq!(errors(&with("rate z' = [1, 2]")), [(6, 11, "shape")]);
    assert_eq!(
        errors(&with("rate z' = 1\nobserve o = z''")),
        [(7, 13, "derivative")]
    );
    assert_eq!(
        errors(&with("rate z' = 1\nlet a = z'\nobserve o = a'")),
        [(8, 13, "derivative")]
    );
    assert_eq!(
        errors(&with("rate z' = 1\nstart z' = 2")),
        [(7, 7, "target")]
    );
    assert_eq!(
        errors(&with("rate z' = 1\nforce (z: 1)")),
        [(7, 8, "target")]
    );
    assert_eq!(
        errors(&with("rate z' = 1\nconstraint z = 1")),
        [(7, 12, "constraint")]
    );
    assert_eq!(
        errors(&with("rate z' = 1\nparam z = 2")),
        [(7, 7, "duplicate")]
    );
    let prime = only_error(&with("rate z = 1\nrate z' = 1"));
    assert!(prime.contains("write `rate z' = …`"), "{prime}");
    let coordinate = only_error(&with("rate z' = 1\nrate x' = 1"));
    assert!(
        coordinate.contains("is a coordinate") && coordinate.contains("`state`"),
        "{coordinate}"
    );
    let unknown = only_error(&format!(
        "{BASE}state fuel\nrate feul' = 1\nrate fuel' = 1\n"
    ));
    assert!(unknown.contains("did you mean `fuel`?"), "{unknown}");
}

#[test]
fn algebraic_loops() {
    let loops = |s: &str| only_error(&format!("{BASE}{s}\n"));
    let text = loops("state z\ncontrol u\nrate z' = u - z\ninput u = -z'");
    assert!(
        text.contains("`z'` depends on `u`, which depends on `z'`") && text.contains("on the way"),
        "{text}"
    );
    let text = loops("state a, b, c\nrate a' = 1, b' = c', c' = b' + a'");
    assert!(
        text.contains("algebraic loop") && text.contains("`b'`"),
        "{text}"
    );
    assert!(loops("state a\nrate a' = a' + 1").contains("algebraic loop"));
    // A constant input cuts the loop, and so does a state on the way.
    let fine = base_with("state z\ncontrol u\nrate z' = u - z\ninput u = -z");
    assert_eq!(fine.rates().len(), 1);
}

#[test]
fn rates_that_grow_beyond_reason() {
    let chain: Vec<String> = (1..60)
        .map(|i| format!("z{i}' = z{}'^100", i - 1))
        .collect();
    let names: Vec<String> = (0..60).map(|i| format!("z{i}")).collect();
    let text = format!(
        "system a\nstate {}\nrate z0' = 3, {}\n",
        names.join(", "),
        chain.join(", ")
    );
    let codes: Vec<&str> = errors(&text).iter().map(|e| e.2).collect();
    assert_eq!(codes, ["undefined"]);
    assert_eq!(
        errors("system a\nstate a, b\nrate a' = 0, b' = 1/a'\n"),
        [(3, 14, "undefined")]
    );
}

/// z' stands for its rate: what it depends on decides the kind of a constraint.
#[test]
fn constraints_with_auxiliary_states() {
    let kind = |c: &str| {
        base_with(&format!("state z\nrate z' = x'*z\nconstraint {c}")).constraints[0].kind
    };
    assert_eq!(kind("x = z"), ConstraintKind::Holonomic);
    assert_eq!(kind("y' = z'"), ConstraintKind::Linear);
    assert_eq!(kind("y' = z"), ConstraintKind::Affine);
    assert_eq!(kind("y'*z' = 1"), ConstraintKind::Nonlinear);
    assert_eq!(kind("x'' = z"), ConstraintKind::HigherOrder);
}

#[test]
fn a_model_of_states_alone_needs_no_lagrangian() {
    let m = model(
        "system unicycle\nstate x, y, theta\ncontrol v\ncontrol w\nrate x' = v*cos(theta), y' = v*sin(theta), theta' = w\n\
         input v = 1, w = cos(t)\nstart x = 1\ntime 0 .. 2\n",
    );
    assert_eq!((m.states.len(), m.clock), (3, Clock::Continuous));
    assert!(m.configuration.is_empty() && m.lagrangian.is_zero());
    // A Lagrangian needs coordinates all the same.
    assert_eq!(
        errors("system a\nstate x\nrate x' = 1\nlagrangian x^2\n"),
        [(5, 1, "missing")]
    );
    assert_eq!(errors("system a\ncoord x\nstate z\nrate z' = 1\n").len(), 1);
}

#[test]
fn plants_in_discrete_time() {
    let m = model(
        "system plant\nparam h = 1/10\nstate x, v\ncontrol u\nmap next(x) = x + h*v, next(v) = v + h*u\n\
         input u = -x\nstart x = 1\ncost x^2 + u^2\nvia 3: x = 0\ntime 0 .. 15 step 1\n",
    );
    assert_eq!(m.clock, Clock::Map);
    assert!(matches!(&m.states[0].update, Update::Map(e) if e.contains(&Symbol::variable("v"))));
    assert!(m.rates().is_empty());
}

#[test]
fn mistakes_in_discrete_time() {
    let plant = "system p\nstate x, v\nmap next(x) = x + v, next(v) = v\n";
    let with = |s: &str| errors(&format!("{plant}{s}\n"));
    assert_eq!(with("coord y"), [(4, 1, "clock")]);
    assert_eq!(with("rate x' = 1"), [(4, 1, "clock"), (4, 6, "duplicate")]);
    assert_eq!(with("observe o = x'"), [(4, 13, "derivative")]);
    assert_eq!(with("cost next(x)"), [(4, 6, "not-allowed")]);
    assert_eq!(with("map next(x) = 1"), [(4, 5, "duplicate")]);
    assert_eq!(with("map x = 1"), [(4, 5, "target")]);
    assert_eq!(with("map next(x + v) = 1"), [(4, 5, "target")]);
    assert_eq!(with("map next(q) = 1"), [(4, 5, "unknown-name")]);
    assert_eq!(with("time 0 .. 3 step 2"), [(4, 1, "time")]);
    // Nodes are counted one by one.
    assert_eq!(with("time 0 .. 4 step 2"), [(4, 1, "time")]);
    assert_eq!(with("time 0 .. 4\nvia 3/2: x = 1"), [(5, 5, "time")]);
    assert_eq!(with("lagrangian x^2"), [(5, 1, "missing")]);
    let missing = only_error("system p\nstate x, v\nmap next(x) = x + v\n");
    assert!(missing.contains("map next(v) = "), "{missing}");
}

#[test]
fn discrete_lagrangians() {
    let m = model(
        "system m\nparam k = 2\ncoord x\ngroup R : SO(3) velocity w\nlet d = next(x) - x\n\
         lagrangian d^2/2 - k*x^2 + dot([1, 0, 0], transpose(R)*next(R)*[1, 0, 0])\nstart x = 1, p_x = 0.5, p_R = [0, 0, 1]\n",
    );
    assert_eq!(m.clock, Clock::DiscreteLagrangian);
    let next = at_next(&Symbol::variable("x"));
    assert!(m.lagrangian.contains(&next));
    assert!(m.lagrangian.contains(&at_next(&Symbol::variable("R[1,1]"))));
    let momenta: Vec<String> = m
        .start
        .momenta
        .iter()
        .map(|a| a.symbol.to_string())
        .collect();
    assert_eq!(momenta, ["p_x", "p_R[1]", "p_R[2]", "p_R[3]"]);
    // A printed formula reads back.
    let read = m.expression(&Source::new("printed", m.lagrangian.to_string()));
    assert_eq!(read.unwrap().as_scalar(), Some(&m.lagrangian));
}

#[test]
fn mistakes_in_discrete_lagrangians() {
    let base = "system m\ncoord x\ngroup R : SO(3) velocity w\nlagrangian (next(x) - x)^2 + next(R[1,1])*R[1,1]\n";
    let with = |s: &str| errors(&format!("{base}{s}\n"));
    assert_eq!(with(""), []);
    assert_eq!(with("observe o = x'"), [(5, 13, "derivative")]);
    assert_eq!(with("observe o = w[1]"), [(5, 13, "derivative")]);
    assert_eq!(with("start x' = 1"), [(5, 7, "derivative")]);
    assert_eq!(with("start w = [0, 0, 1]"), [(5, 7, "derivative")]);
    assert_eq!(with("observe o = next(x)"), [(5, 13, "not-allowed")]);
    assert_eq!(with("force (x: next(x))"), [(5, 11, "not-allowed")]);
    assert_eq!(with("state z\nrate z' = 1"), [(6, 1, "clock")]);
    assert_eq!(
        errors("system m\ncoord x\nlagrangian x'^2 + next(x)\n"),
        [(3, 12, "derivative")]
    );
    for argument in ["t", "x, x"] {
        let text = format!("system m\ncoord x\nlagrangian next({argument}) + x\n");
        assert_eq!(errors(&text).len(), 1, "{text}");
    }
}

#[test]
fn parts_of_motions() {
    let se3 = "system s\ngroup T : SE(3) velocity w\nlagrangian dot(w, w)/2\n";
    let m = model(&format!(
        "{se3}let e = T.R*[0, 0, 1]\nobserve o = T.p[1] + e[2] + T.R[1,2] + T.p'[1]\n"
    ));
    let text = m.observables[0].value.as_scalar().unwrap().to_string();
    assert!(
        text.contains("T[1,4]") && text.contains("T[2,3]") && text.contains("T[1,2]"),
        "{text}"
    );
    let with = |s: &str| errors(&format!("{se3}observe o = {s}\n"));
    assert_eq!(with("T.q[1]"), [(4, 14, "part")]);
    assert_eq!(with("w.p[1]"), [(4, 14, "part")]);
    assert_eq!(with("(2*T).p[1]"), [(4, 18, "part")]);
    assert_eq!(with("1.x"), [(4, 14, "character")]);
    assert_eq!(
        errors(
            "system s\ngroup R : SO(3) velocity w\nlagrangian dot(w, w)/2\nobserve o = R.p[1]\n"
        ),
        [(4, 14, "part")]
    );
    let plane = model("system s\ngroup X : SE(2) velocity w\nlagrangian dot(w, w)/2 - X.p[2]\n");
    assert!(plane.lagrangian.contains(&Symbol::variable("X[2,3]")));
}

/// Newer words are words only at the head of a statement.
#[test]
fn newer_words_are_names_elsewhere() {
    for word in [
        "input", "state", "rate", "map", "flat", "periodic", "via", "guess",
    ] {
        let texts = [
            format!("{BASE}param {word} = 2\nobserve o = {word}*x\n"),
            format!(
                "system a\ncoord {word}\nlagrangian {word}'^2/2 -\n  {word}^2\nstart {word} = 1,\n  {word}' = 2\n"
            ),
            format!("system a\ncoord x,\n    {word}\nlagrangian (x'^2 +\n{word}'^2)/2\n"),
            format!("{BASE}let {word} = x\nlet v = [y,\n{word},\n{word} + 1]\nobserve o = v[2]\n"),
            format!("{BASE}param {word} = 2\ndraw disk radius\n  {word} at [x, y, 0]\n"),
            format!("{BASE}control\n  {word} on x\n"),
            format!("{BASE}param {word} = 2\ntime 0 ..\n  {word} step 0.1\n"),
        ];
        for text in texts {
            assert_eq!(findings(&text), [], "{text}");
            let source = rattleback_language::format(&text).unwrap();
            assert_eq!(findings(&source), [], "{source}");
        }
        let m = base_with(&format!("param {word} = 2\nobserve o = {word}"));
        let set = Overrides::parse([format!("{word}=3")]).unwrap();
        let value = m.with_overrides(&set).unwrap().parameters[1].value.clone();
        assert_eq!(value, Expr::from(3));
        // At the head it is a statement, unless it is plainly a definition without its word.
        let text = only_error(&format!("{BASE}{word} = 2\n"));
        assert!(text.contains(&format!("let {word} = …")), "{text}");
    }
    // An open bracket does not swallow a statement that begins with one.
    let text = format!("{BASE}observe a = (x + 1\nstate z\nrate z' = 1\n");
    assert_eq!(errors(&text), [(5, 13, "bracket")]);
    // An indented one is pointed out and read.
    let text = format!("{BASE}param k = 1\n  state z\nrate z' = k\n");
    assert!(only_error(&text).contains("remove the indentation"));
}

#[test]
fn settings_of_driven_models() {
    let m = base_with(
        "state z\nrate z' = u\ncontrol u on x\ncontrol v on y\ninput u = -x\nparam k = 2\nobserve o = k\nstart z = 1",
    );
    let set = |s: &[&str]| m.with_overrides(&Overrides::parse(s).unwrap());
    let driven = set(&["u=1.5*k", "v=2", "z=4"]).unwrap();
    assert_eq!(law(&driven, "u"), "3*k/2");
    assert_eq!(law(&driven, "v"), "2");
    assert_eq!(driven.inputs.len(), 2);
    assert_eq!(driven.inputs[0].setting.as_deref(), Some("u=1.5*k"));
    assert_eq!(
        driven.start.get(&Symbol::variable("z")).unwrap().value,
        Expr::from(4)
    );
    let refused = |s: &str| set(&[s]).unwrap_err().render(false);
    assert!(refused("u=x").contains("cannot contain `x`"));
    assert!(refused("w=1").contains("did you mean") || refused("w=1").contains("a control"));
    assert!(refused("z'=1").contains("auxiliary state"));
}

#[test]
fn a_model_at_its_values_keeps_what_was_set() {
    let text = "system a\nparam n = 2\ncoord x\nlagrangian x'^2/2 - x^n\ncontrol u on x\ninput u = -n*x\nstate z\nrate z' = n*z\nstart z = n\n";
    let source = Source::new("a", text);
    let m = parse(&source).model.unwrap();
    let fixed = m.at_values(&source).unwrap().unwrap();
    assert_eq!(law(&fixed, "u"), "-2*x");
    assert_eq!(fixed.rates()[0].1.to_string(), "2*z");
    assert_eq!(fixed.start.auxiliary[0].value, Expr::from(2));
    let set = m
        .with_overrides(&Overrides::parse(["u=n/4"]).unwrap())
        .unwrap();
    assert_eq!(law(&set.at_values(&source).unwrap().unwrap(), "u"), "1/2");
}

#[test]
fn names_of_nodes_give_way() {
    let names = Names::new(["h".to_owned(), "x_0".to_owned()], Vec::new());
    assert_eq!(names.step().name(), "h_");
    assert_eq!(names.at_node("x", 0).name(), "x_0_");
    assert_eq!(names.at_node("p_x", 1).name(), "p_x_1");
    assert_eq!(names.at_node("R[1,2]", 1).name(), "R_1[1,2]");
}
