//! Shared by the tests: reading texts, and a small complete model to build on.

#![allow(dead_code)]

use rattleback_language::{Diagnostic, Model, Severity, Source, parse};

/// Statements that make any further statement a complete model.
pub const BASE: &str = "system test\nparam m = 1\ncoord x, y\nlagrangian m/2*(x'^2 + y'^2)\n";

/// A body that turns.
pub const RIGID: &str = "system r\ngroup R : SO(3) velocity w\nlagrangian dot(w, w)/2 - R[3,3]\n";

/// The diagnostics of a text, as (line, column, code).
pub fn findings(text: &str) -> Vec<(usize, usize, &'static str)> {
    let source = Source::new("test.mech", text);
    let place = |d: &Diagnostic| (d.line(&source), d.column(&source), d.code);
    parse(&source).diagnostics.iter().map(place).collect()
}

/// The errors of a text, as (line, column, code).
pub fn errors(text: &str) -> Vec<(usize, usize, &'static str)> {
    let source = Source::new("test.mech", text);
    let errors = parse(&source)
        .diagnostics
        .into_iter()
        .filter(|d| d.severity == Severity::Error);
    errors
        .map(|d| (d.line(&source), d.column(&source), d.code))
        .collect()
}

/// The one error of a text, rendered.
pub fn only_error(text: &str) -> String {
    let source = Source::new("test.mech", text);
    let diagnostics = parse(&source).diagnostics;
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert_eq!(errors.len(), 1, "{text}\n{diagnostics:#?}");
    errors[0].render(&source, false)
}

/// The model of a text that has no errors.
pub fn model(text: &str) -> Model {
    let source = Source::new("test.mech", text);
    let outcome = parse(&source);
    let rendered: String = outcome
        .diagnostics
        .iter()
        .map(|d| d.render(&source, false))
        .collect();
    outcome
        .model
        .unwrap_or_else(|| panic!("{text}\n{rendered}"))
}

/// The model of [`BASE`] and further statements.
pub fn base_with(statements: &str) -> Model {
    model(&format!("{BASE}{statements}\n"))
}

/// The text of the scalar that a `let` of the base model is worth.
pub fn value(expression: &str) -> String {
    let model = base_with(&format!("let probe = {expression}\nobserve o = probe"));
    let value = model.find("probe").unwrap();
    match value.as_scalar() {
        Some(e) => e.to_string(),
        None => format!("{:?}", value.entries()),
    }
}

/// Whether two expressions of the base model are the same.
pub fn assert_same(a: &str, b: &str) {
    assert_eq!(value(a), value(b), "{a} and {b}");
}
