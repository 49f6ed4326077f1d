//! A model as a problem: controls stay controls, and everything knows the statement that it comes from.

use rattleback_language::{Model, Overrides, Source, parse};
use rattleback_mechanics::{MechanicsError, NotVaried, Origin, Problem, Varied};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

const TEXT: &str = "system cart \"A cart\"
param m = 2, k = 3*m     # mass; stiffness
assume m > 0
coord x, y               # along; across
coord theta : angle
kinetic m/2*(x'^2 + y'^2) + theta'^2/2
force (x: -k*x')
force (y: sin(t))
control u on (x: cos(theta), y: sin(theta))
control w on theta       # torque
constraint sin(theta)*x' = cos(theta)*y'
constraint 2*sin(theta)*x' = 2*cos(theta)*y'
observe speed = [x', y']
start x = 1, theta' = m
goal theta = pi
cost u^2 + w^2
terminal x^2
bound -1 <= u <= 1
time 0 .. 2*m step 1/10
";

fn model() -> Model {
    let outcome = parse(&Source::new("cart.mech", TEXT));
    outcome
        .model
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics))
}

fn said(origin: Origin, model: &Model) -> &'static str {
    let place = origin.place(model).unwrap_or_else(|| panic!("{origin:?}"));
    assert_eq!(place.setting, None);
    &TEXT[place.span.range()]
}

#[test]
fn controls_are_no_force_until_they_push() {
    let problem = Problem::from_model(&model()).unwrap();
    let u = |name: &str| problem.controls.iter().find(|c| c.symbol.name() == name);
    let (u, w) = (u("u").unwrap(), u("w").unwrap());
    let is = |e: &Expr, text: &str| assert_eq!(e.to_string(), text);
    is(&problem.system.force()[2], "0");
    let names = |all: &[Expr]| rattleback_symbolic::free_symbols(all);
    assert!(!names(problem.system.force()).contains(&u.symbol));
    assert!(problem.is_control(&w.symbol) && !problem.is_control(&Symbol::variable("x")));
    // F_A + u_a B^a_A.
    let open = problem.open();
    for a in 0..3 {
        let pushed = &problem.system.force()[a]
            + Expr::from(&u.symbol) * &u.form[a]
            + Expr::from(&w.symbol) * &w.form[a];
        assert!(prove_zero(&(&open.force()[a] - pushed)).is_proven());
    }
    assert_eq!(problem.driven().force(), problem.system.force());
}

#[test]
fn everything_that_is_posed_is_lowered() {
    let problem = Problem::from_model(&model()).unwrap();
    let name = |s: &str| problem.parameters.iter().find(|p| p.symbol.name() == s);
    let number = |e: &Expr| problem.values.number(e).unwrap();
    assert_eq!(number(&Expr::from(&name("k").unwrap().symbol)), 6.0);
    assert_eq!((problem.costs.len(), problem.terminals.len()), (1, 1));
    let horizon = problem.horizon.as_ref().unwrap();
    assert_eq!((number(&horizon.from), number(&horizon.to)), (0.0, 4.0));
    assert_eq!(number(problem.bounds[0].upper.as_ref().unwrap()), 1.0);
    let speed: Vec<String> = problem.observables[0]
        .named_entries()
        .map(|(n, _)| n)
        .collect();
    assert_eq!(speed, ["speed[1]", "speed[2]"]);
    let turning = Symbol::variable("theta").derivative();
    let stated = problem
        .start
        .iter()
        .find(|s| s.symbol.to_string() == turning.to_string());
    assert_eq!(number(&stated.unwrap().value), 2.0);
    assert_eq!(problem.goals.len(), 1);
    assert_eq!(problem.doc_of(&problem.controls[1].symbol), Some("torque"));
    assert_eq!(problem.title.as_deref(), Some("A cart"));
}

#[test]
fn origins_lead_back_to_the_text() {
    let model = model();
    let problem = Problem::from_model(&model).unwrap();
    assert!(said(problem.controls[1].origin, &model).contains("theta"));
    assert!(said(problem.assumptions[0].origin, &model).contains("m > 0"));
    assert!(said(problem.bounds[0].origin, &model).contains("u <= 1"));
    assert!(said(problem.observables[0].origin, &model).contains("speed"));
    assert!(said(problem.goals[0].origin, &model).contains("theta"));
    assert!(said(Origin::Force(1), &model).contains("sin(t)"));
    // The second constraint follows from the first: kept as stated, dropped from the system, told at its place.
    assert_eq!(problem.constraints.len(), 2);
    assert_eq!(problem.system.constraints().len(), 1);
    assert!(said(problem.remarks[0].origin, &model).contains("2*sin"));
    // No other model's statements are mistaken for its own.
    assert_eq!(Origin::Control(2).place(&model), None);
}

#[test]
fn a_value_that_was_set_has_its_place_in_the_setting() {
    let set = Overrides::parse(["y=1/2"]).unwrap();
    let model = model().with_overrides(&set).unwrap();
    let problem = Problem::from_model(&model).unwrap();
    let y = problem
        .start
        .iter()
        .find(|s| s.symbol.name() == "y")
        .unwrap();
    let place = y.origin.place(&model).unwrap();
    assert!(place.setting.is_some_and(|text| text.contains("y=1/2")));
}

#[test]
fn an_error_knows_the_statement_that_it_is_about() {
    let text =
        "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = y\nconstraint 2*x' = y\n";
    let model = parse(&Source::new("s.mech", text)).model.unwrap();
    let error = Problem::from_model(&model).unwrap_err();
    let is_contradiction = matches!(error, MechanicsError::ContradictoryConstraint { .. });
    assert!(is_contradiction, "{error}");
    assert_eq!(error.origin(), Some(Origin::Constraint(1)));
}

#[test]
fn what_is_varied_is_found_by_its_name() {
    let model = model();
    let found = |name: &str| Varied::named(&model, name);
    assert!(matches!(found("m"), Ok(Varied::Parameter(s)) if s.name() == "m"));
    assert!(matches!(found("theta'"), Ok(Varied::Start(s)) if s.to_string() == "theta'"));
    assert!(matches!(found("u"), Ok(Varied::Control(s)) if s.name() == "u"));
    let fed = parse(&Source::new("cart.mech", format!("{TEXT}input u = -x'\n")));
    let fed = fed.model.unwrap();
    assert!(matches!(
        Varied::named(&fed, "u"),
        Err(NotVaried::Control(_))
    ));
    let near = |e: NotVaried| match e {
        NotVaried::Unknown { near, .. } => near,
        NotVaried::Control(_) => None,
    };
    assert_eq!(found("thet").map_err(near), Err(Some("theta".to_owned())));
}

/// Forms that depend on others are dropped; the positions that their constraints choose are remembered.
#[test]
fn position_constraints_are_independent() {
    let text = "system s\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n\
                constraint x^2 + y^2 = 1\nconstraint (x^2 + y^2)^2 = 1\nstart x = 1\n";
    let model = parse(&Source::new("s.mech", text)).model.unwrap();
    let problem = Problem::from_model(&model).unwrap();
    let constraints = problem.system.constraints();
    assert_eq!(constraints.len(), 2);
    assert_eq!(constraints.holonomic().len(), 1);
    assert_eq!(constraints.positions().count(), 2);
}
