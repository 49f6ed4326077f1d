//! Errors of the rooms as diagnostics with places in the model.

use crate::failure::{BAD_INPUT, COMPUTATION_FAILED};
use rattleback::compile::StartError;
use rattleback::language::{Diagnostic, Model, Severity, Span, Values};
use rattleback::mechanics::{MechanicsError, Remark, RemarkKind};
use rattleback::symbolic::{Expr, Symbol};

/// An error of a room: what it says at which place, and the exit code.
#[derive(Debug)]
pub struct Complaint {
    /// What to show.
    pub diagnostic: Diagnostic,
    /// The exit code.
    pub code: u8,
    /// The setting of the command line that the place is in; else it is in the file.
    pub setting: Option<String>,
}

impl Complaint {
    /// What a derivation says. Without a place of its own it is about the system as a whole.
    pub fn about_mechanics(error: &MechanicsError, model: &Model) -> Self {
        let (word, help) = explain(error);
        let span = error.span().unwrap_or_else(|| fallback(error, model));
        let code = match error {
            MechanicsError::Undecided { .. } => COMPUTATION_FAILED,
            _ => BAD_INPUT,
        };
        let mut diagnostic = Diagnostic::error(word, span, error.to_string());
        diagnostic.help = match error {
            MechanicsError::Degenerate { .. } => vanishing_parameters(model),
            _ => None,
        }
        .or_else(|| help.map(str::to_owned));
        Self {
            diagnostic,
            code,
            setting: None,
        }
    }

    /// What the start state says.
    pub fn about_start(error: &StartError, model: &Model) -> Self {
        let (word, span, help, code) = match error {
            StartError::Violated {
                span,
                by_position: true,
                ..
            } => (
                "start",
                *span,
                "give start positions that satisfy it; those left out are 0",
                BAD_INPUT,
            ),
            StartError::Violated { span, .. } => (
                "start",
                *span,
                "leave out start velocities that the constraints determine",
                BAD_INPUT,
            ),
            StartError::NotFinite { span, .. } => (
                "start",
                span.unwrap_or(model.span),
                "give a value that is a finite real number",
                BAD_INPUT,
            ),
            StartError::Determined { span, .. } => (
                "start",
                span.unwrap_or(model.span),
                "leave it out",
                BAD_INPUT,
            ),
            StartError::NotInGroup { span, .. } => (
                "start",
                span.unwrap_or(model.span),
                "give an element of the group: `identity`, `rotation(axis, angle)` or a matrix of it",
                BAD_INPUT,
            ),
            StartError::Assumption { span, .. } => (
                "assumption",
                *span,
                "start elsewhere, or take the assumption back",
                BAD_INPUT,
            ),
            StartError::NoMultiplier { span, .. } => (
                "start",
                *span,
                "multipliers are mu1, mu2, … in the order of the constraints; that of `constraint slip: …` is mu_slip",
                BAD_INPUT,
            ),
            StartError::Parameter { span, .. } => (
                "value",
                *span,
                "give a value that is a finite real number",
                BAD_INPUT,
            ),
            StartError::Evaluation(_) => (
                "evaluation",
                model.span,
                "choose other start values",
                COMPUTATION_FAILED,
            ),
        };
        // A value given on the command line has its place there.
        let stated = |is: &dyn Fn(&str) -> bool| {
            let assignment = model.start.iter().find(|a| is(&a.symbol.to_string()));
            assignment.and_then(|a| a.setting.clone())
        };
        let setting = match error {
            StartError::NotFinite { name, .. }
            | StartError::Determined { name, .. }
            | StartError::NoMultiplier { name, .. } => stated(&|symbol| symbol == name),
            StartError::NotInGroup { name, .. } => {
                stated(&|symbol| symbol.split('[').next() == Some(name))
            }
            _ => None,
        };
        let diagnostic = Diagnostic::error(word, span, error.to_string()).help(help);
        Self {
            diagnostic,
            code,
            setting,
        }
    }
}

/// A remark of the derivation with its place: a warning where something of the model is dropped,
/// else a note.
pub fn remark(remark: &Remark, model: &Model) -> Diagnostic {
    let span = remark.span.unwrap_or(model.span);
    let message = remark.message.clone();
    match remark.kind {
        RemarkKind::Redundant => Diagnostic::warning("constraint", span, message),
        RemarkKind::Closed => note("constraint", span, message),
    }
}

/// Something worth knowing about a place.
pub fn note(word: &'static str, span: Span, message: String) -> Diagnostic {
    let mut diagnostic = Diagnostic::warning(word, span, message);
    diagnostic.severity = Severity::Note;
    diagnostic
}

/// A stable word for the kind of error, and what would put it right.
fn explain(error: &MechanicsError) -> (&'static str, Option<&'static str>) {
    match error {
        MechanicsError::NonlinearConstraint { .. } => (
            "nonlinear",
            Some(
                "write constraints that are linear or affine in the velocities; `check` accepts this one and labels it",
            ),
        ),
        MechanicsError::HigherOrderConstraint { .. } => (
            "constraint",
            Some("integrate the constraint until only velocities are left"),
        ),
        MechanicsError::ContradictoryConstraint { .. } => (
            "constraint",
            Some("remove one of them, or let both say the same"),
        ),
        MechanicsError::NoFreedom { .. } => ("constraint", Some("remove a constraint")),
        MechanicsError::Degenerate { .. } => (
            "degenerate",
            Some(
                "give every direction that the constraints allow a kinetic energy, or see what the equations leave \
                 with `rattleback analyze --only presymplectic`",
            ),
        ),
        MechanicsError::BadFrame { .. } => (
            "frame",
            Some("correct the `frame` statements, or remove them: a frame is then computed"),
        ),
        MechanicsError::NotChaplygin { .. } | MechanicsError::ReductionNotDerived { .. } => {
            ("form", Some("ask for `hamel` or `lagrange-dalembert`"))
        }
        MechanicsError::Undefined { .. } => (
            "undefined",
            Some("this expression has no value anywhere: correct it"),
        ),
        MechanicsError::Constrained { .. }
        | MechanicsError::HigherOrder { .. }
        | MechanicsError::HigherOrderConstrained { .. }
        | MechanicsError::NotNatural { .. }
        | MechanicsError::FirstOrder { .. }
        | MechanicsError::AffineConstraints { .. } => ("form", None),
        _ => ("derivation", None),
    }
}

/// What to change where parameters of the Lagrangian are 0: they are the likely cause of a degenerate
/// kinetic energy.
fn vanishing_parameters(model: &Model) -> Option<String> {
    let values = Values::of(model);
    let zero = |s: &Symbol| values.get(s).is_some_and(Expr::is_zero);
    let symbols = model.parameters.iter().map(|p| &p.symbol);
    let names: Vec<String> = symbols
        .filter(|s| zero(s) && model.lagrangian.contains(s))
        .map(|s| format!("`{s}`"))
        .collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("the parameter {one} is 0: give it another value")),
        several => Some(format!(
            "the parameters {} are 0: give them other values",
            several.join(", ")
        )),
    }
}

/// The place of an error that names none: constraints for what they do together, else the Lagrangian.
fn fallback(error: &MechanicsError, model: &Model) -> Span {
    let constraints = model.constraints.iter().map(|c| c.span).reduce(Span::to);
    match error {
        MechanicsError::NotNatural { .. } | MechanicsError::HigherOrder { .. } => {
            model.lagrangian_span
        }
        _ => constraints.unwrap_or(model.lagrangian_span),
    }
}
