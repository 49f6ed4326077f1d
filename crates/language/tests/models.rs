//! The shipped models: all load without a finding, and formatting them changes nothing but the spacing.

use rattleback_language::{Factor, Model, Source, format, load, parse};
use rattleback_symbolic::{Expr, Style, prove_zero, text};
use rattleback_testing::models::paths as shipped;
use std::path::Path;

/// Everything that a reader of the model could tell apart, but for places.
fn summary(model: &Model) -> String {
    let mut text = format!(
        "{} {:?} {:?} {} {}\n",
        model.name, model.title, model.doc, model.order, model.lagrangian
    );
    let parameters = model
        .parameters
        .iter()
        .map(|p| format!("{} = {} {:?}\n", p.symbol, p.value, p.doc));
    let factors = model
        .configuration
        .iter()
        .map(|f| format!("{} {:?}\n", f.name(), f.doc()));
    let constraints = model
        .constraints
        .iter()
        .map(|c| format!("{} {:?} {:?}\n", c.expr, c.kind, c.doc));
    let states = model
        .start
        .iter()
        .map(|a| format!("{} {:?} {}\n", a.symbol, a.given, a.value));
    let goals = model
        .goals
        .iter()
        .map(|g| format!("{:?}\n", g.expressions()));
    let observables = model
        .observables
        .iter()
        .map(|o| format!("{} = {:?} {:?}\n", o.name, o.value, o.doc));
    let draws = model
        .draws
        .iter()
        .map(|d| format!("{} {:?} {:?}\n", d.shape, d.size, d.attributes));
    let fields = model
        .symmetries
        .iter()
        .chain(&model.frame)
        .map(|f| format!("{} {:?}\n", f.name, f.components));
    let forms = model
        .forces
        .iter()
        .chain(&model.oneforms)
        .map(|f| format!("{:?} {:?}\n", f.name, f.components));
    let controls = model
        .controls
        .iter()
        .map(|c| format!("{} {:?}\n", c.symbol, c.form.components));
    let bounds = model
        .bounds
        .iter()
        .map(|b| format!("{:?} {} {:?}\n", b.lower, b.expr, b.upper));
    text.extend(
        parameters
            .chain(factors)
            .chain(constraints)
            .chain(states)
            .chain(goals)
            .chain(observables),
    );
    text.extend(
        draws
            .chain(fields)
            .chain(forms)
            .chain(controls)
            .chain(bounds),
    );
    text + &format!(
        "{:?} {:?} {:?}",
        model.cost(),
        model.terminal(),
        model.fibre
    )
}

#[test]
fn all_models_load_without_findings() {
    let paths = shipped();
    assert!(!paths.is_empty());
    for path in paths {
        let source = load(&path).unwrap();
        let outcome = parse(&source);
        let text: String = outcome
            .diagnostics
            .iter()
            .map(|d| d.render(&source, false))
            .collect();
        assert!(
            outcome.model.is_some() && outcome.diagnostics.is_empty(),
            "{text}"
        );
    }
}

#[test]
fn examples_of_the_language_page_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    for name in ["lagged_cart", "river", "standard_map", "tank"] {
        let source = load(folder.join(format!("{name}.mech"))).unwrap();
        let outcome = parse(&source);
        assert!(outcome.diagnostics.is_empty(), "{:#?}", outcome.diagnostics);
        assert_eq!(format(source.text()).unwrap(), source.text(), "{name}");
    }
}

#[test]
fn formatting_keeps_every_model() {
    for path in shipped() {
        let source = load(&path).unwrap();
        let formatted = format(source.text()).unwrap();
        assert_eq!(format(&formatted).unwrap(), formatted, "{}", path.display());
        let again = Source::new("formatted", formatted);
        let (before, after) = (parse(&source).model.unwrap(), parse(&again).model.unwrap());
        assert_eq!(summary(&before), summary(&after), "{}", path.display());
    }
}

#[test]
fn printed_formulas_read_back() {
    for path in shipped() {
        let model = parse(&load(&path).unwrap()).model.unwrap();
        let mut formulas: Vec<Expr> = model.constraints.iter().map(|c| c.expr.clone()).collect();
        formulas.push(model.lagrangian.clone());
        // The entries of group elements have no primes of their own.
        let coordinates = |f: &Factor| matches!(f, Factor::Coordinate { .. });
        if model.configuration.iter().all(coordinates) {
            let rates: Vec<Expr> = formulas.iter().map(Expr::total_derivative).collect();
            formulas.extend(rates);
        }
        for formula in &formulas {
            for style in [Style::ascii(), Style::unicode()] {
                let printed = text(formula, &style);
                let read = model.expression(&Source::new("printed", printed.as_str()));
                let read = read.unwrap_or_else(|d| panic!("{printed}\n{d:#?}"));
                let difference = read.as_scalar().expect("a scalar") - formula;
                assert!(
                    prove_zero(&difference).is_proven(),
                    "{}: {printed}",
                    path.display()
                );
            }
        }
    }
}
