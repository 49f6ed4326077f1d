//! Every printed formula reads back as the same value: all shipped models, as they are and simplified.

use rattleback_language::{Model, Source, load, parse};
use rattleback_symbolic::{
    Expr, Order, Simplifier, Style, Symbol, fingerprint, simplify_with, text,
};
use rattleback_testing::models::paths as models;

/// Formulas such as a derivation prints: energies, momenta, forces, constraints.
fn formulas(model: &Model) -> Vec<Expr> {
    let l = &model.lagrangian;
    let mut all = vec![l.clone()];
    for v in model.velocities() {
        let momentum = l.diff(&v);
        all.push(momentum.total_derivative());
        all.push(momentum);
    }
    all.extend(model.positions().iter().map(|q| l.diff(q)));
    all.extend(model.constraints.iter().map(|c| c.expr.clone()));
    all
}

/// The model's own text with the formulas as observed quantities.
fn read_back(source: &Source, texts: &[String]) -> Vec<Expr> {
    let mut extended = source.text().trim_end().to_owned();
    for (i, formula) in texts.iter().enumerate() {
        extended += &format!("\nobserve formula_{i} = {formula}");
    }
    let source = Source::new(source.name(), extended + "\n");
    let outcome = parse(&source);
    let complaints: Vec<String> = outcome
        .diagnostics
        .iter()
        .map(|d| d.plain(&source))
        .collect();
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{}", complaints.join("\n")));
    let observed = model.observables.iter().rev().take(texts.len()).rev();
    observed
        .map(|o| o.value.as_scalar().unwrap().clone())
        .collect()
}

fn assert_reads_back(source: &Source, formulas: &[Expr], style: &Style) {
    let texts: Vec<String> = formulas.iter().map(|e| text(e, style)).collect();
    for (e, (back, text)) in formulas
        .iter()
        .zip(read_back(source, &texts).iter().zip(&texts))
    {
        let same = e == back
            || fingerprint(&[e.clone(), back.clone()]).is_some_and(|values| values[0] == values[1]);
        assert!(same, "{}: {text}\nreads back as {back}", source.name());
    }
}

#[test]
fn printed_formulas_of_all_models_read_back() {
    for path in models() {
        let source = load(&path).unwrap();
        let model = parse(&source).model.unwrap();
        let mut symbols: Vec<Symbol> = model.parameters.iter().map(|p| p.symbol.clone()).collect();
        symbols.extend(model.positions());
        let order = Order::new(&symbols).with_velocities(&model.velocities());
        let how = Simplifier {
            collect: model.velocities(),
            ..Simplifier::default()
        };
        let plain = formulas(&model);
        let simplified: Vec<Expr> = plain.iter().map(|e| simplify_with(e, &how)).collect();
        for style in [Style::ascii(), Style::unicode()] {
            let style = style.with_order(order.clone());
            assert_reads_back(&source, &plain, &style);
            assert_reads_back(&source, &simplified, &style);
        }
    }
}
