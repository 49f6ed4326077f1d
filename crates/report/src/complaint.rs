//! Errors of the rooms as diagnostics with places in the model.

use crate::compile::StartError;
use crate::control::optimal::PoseError;
use crate::language::{AskedError, Constraint, Diagnostic, Model, Severity, Source, Span, Values};
use crate::mechanics::optimality::NotFlat;
use crate::mechanics::{ConstraintKind, MechanicsError, Origin, Remark, RemarkKind};
use crate::simulation::WithoutValue;
use crate::symbolic::{Expr, Symbol};

/// What an error comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The input is bad.
    Input,
    /// A computation failed.
    Computation,
}

/// An error of a room: what it says at which place, and what it comes from.
#[derive(Debug)]
pub struct Complaint {
    /// What to show.
    pub diagnostic: Diagnostic,
    /// What it comes from.
    pub blame: Blame,
    /// The setting of the command line that the place is in; else it is in the file.
    pub setting: Option<String>,
}

impl Complaint {
    /// What a derivation says. Without a place of its own it is about the system as a whole.
    pub fn about_mechanics(error: &MechanicsError, model: &Model) -> Self {
        let (word, help) = explain(error);
        let place = error.origin().and_then(|o| o.place(model));
        let span = place.map_or_else(|| fallback(error, model), |p| p.span);
        let blame = match error {
            MechanicsError::Undecided { .. } | MechanicsError::Singular { .. } => {
                Blame::Computation
            }
            _ => Blame::Input,
        };
        let mut diagnostic = Diagnostic::error(word, span, error.to_string());
        diagnostic.help = match error {
            MechanicsError::Degenerate { .. } => vanishing_parameters(model),
            _ => None,
        }
        .or_else(|| help.map(str::to_owned));
        Self {
            diagnostic,
            blame,
            setting: None,
        }
    }

    /// What the start state says.
    pub fn about_start(error: &StartError, model: &Model) -> Self {
        let (word, origin, help, blame) = match error {
            StartError::Violated {
                origin,
                by_position: true,
                ..
            } => (
                "start",
                Some(*origin),
                "give start positions that satisfy it, or leave some out",
                Blame::Input,
            ),
            StartError::Violated { origin, .. } => (
                "start",
                Some(*origin),
                "leave out start velocities that the constraints determine",
                Blame::Input,
            ),
            StartError::NotFinite { origin, .. } => (
                "start",
                *origin,
                "give a value that is a finite real number",
                Blame::Input,
            ),
            StartError::Determined { origin, .. } => {
                ("start", *origin, "leave it out", Blame::Input)
            }
            StartError::NotInGroup { origin, .. } => (
                "start",
                *origin,
                "give an element of the group: `identity`, `rotation(axis, angle)` or a matrix of it",
                Blame::Input,
            ),
            StartError::Assumption { origin, .. } => (
                "assumption",
                Some(*origin),
                "start elsewhere, or change what the model asks for",
                Blame::Input,
            ),
            StartError::NoMultiplier { origin, .. } => (
                "start",
                Some(*origin),
                "multipliers are mu1, mu2, … in the order of the constraints; that of `constraint slip: …` is mu_slip",
                Blame::Input,
            ),
            StartError::NoCostate { origin, .. } => (
                "start",
                Some(*origin),
                "costates are p_x of x, p_x_1 of x', p_w of a group's velocity, p_R of its element, p_y1 of a frame velocity",
                Blame::Input,
            ),
            StartError::Parameter { origin, .. } => (
                "value",
                Some(*origin),
                "give a value that is a finite real number",
                Blame::Input,
            ),
            StartError::Evaluation(_) => (
                "evaluation",
                None,
                "choose other start values",
                Blame::Computation,
            ),
        };
        let place = origin.and_then(|origin| origin.place(model));
        let (span, setting) = place.map_or((model.span, None), |p| (p.span, p.setting));
        let diagnostic = Diagnostic::error(word, span, error.to_string()).help(help);
        Self {
            diagnostic,
            blame,
            setting,
        }
    }
}

impl Complaint {
    /// What is wrong with a problem with ends; none where it is about what was asked, not about the model.
    pub fn about_posed(error: &PoseError, model: &Model) -> Option<Self> {
        Some(match error {
            PoseError::Mechanics(e) => Self::about_mechanics(e, model),
            PoseError::Start(e) => Self::about_start(e, model),
            PoseError::Unknown(_) => return None,
            PoseError::Statement { trouble, origin } => {
                let place = origin.and_then(|o| o.place(model));
                let (span, setting) = place.map_or((model.span, None), |p| (p.span, p.setting));
                let said = Diagnostic::error("control", span, trouble.to_string());
                Self {
                    diagnostic: said.help(trouble.help()),
                    blame: Blame::Input,
                    setting,
                }
            }
        })
    }

    /// Outputs that are not flat.
    pub fn about_flatness(error: &NotFlat, model: &Model) -> Self {
        let span = model.flats.first().map_or(model.span, |f| f.span);
        let help = "name as many outputs as there are controls, from which and from whose derivatives the state follows";
        Self {
            diagnostic: Diagnostic::error("flat", span, error.to_string()).help(help),
            blame: Blame::Input,
            setting: None,
        }
    }
}

/// A note on each constraint that only variational problems treat.
pub fn on_jets(model: &Model) -> Vec<Diagnostic> {
    let note = |c: &Constraint| {
        let (word, message) = match c.kind {
            ConstraintKind::Nonlinear => (
                "nonlinear",
                "this constraint is nonlinear in the velocities: only the form `vakonomic` treats it",
            ),
            ConstraintKind::HigherOrder => (
                "higher-order",
                "this constraint has accelerations: only the forms `higher-order` and `vakonomic` treat it",
            ),
            _ => return None,
        };
        Some(note(word, c.span, message.into()))
    };
    model.constraints.iter().filter_map(note).collect()
}

/// A remark of the derivation with its place: a warning where something of the model is dropped,
/// else a note.
pub fn remark(remark: &Remark, model: &Model) -> Diagnostic {
    let place = remark.origin.place(model);
    let span = place.map_or(model.span, |p| p.span);
    let message = said(remark, model);
    match remark.kind {
        RemarkKind::Redundant => Diagnostic::warning("constraint", span, message),
        RemarkKind::Closed => note("constraint", span, message),
        RemarkKind::NotPeriodic => Diagnostic::warning("angle", span, message)
            .help("declare it without `: angle`, or write it by functions of period 2*pi"),
    }
}

/// The remarks on a model at their lines, but for whether an angle closes, which proofs alone ask.
pub fn noted(remarks: &[Remark], model: &Model, source: &Source) -> Vec<String> {
    let told = |r: &&Remark| r.kind != RemarkKind::NotPeriodic;
    let line = |about| {
        let line = remark(about, model).line(source);
        format!("line {line}: {}", said(about, model))
    };
    remarks.iter().filter(told).map(line).collect()
}

/// What a remark says; of an equation between vectors it names the component.
pub fn said(remark: &Remark, model: &Model) -> String {
    let about = match remark.origin {
        Origin::Constraint(i) => model.constraints.get(i),
        _ => None,
    };
    let is_one_of_several = |c: &&Constraint| {
        let others = model.constraints.iter();
        let mut others = others.filter(|o| o.statement == c.statement);
        c.component > 0 || others.any(|o| o.component > 0)
    };
    match (about.filter(is_one_of_several), &remark.message) {
        (Some(c), message) if message.starts_with("this ") => {
            format!("component {} of {message}", c.component + 1)
        }
        (_, message) => message.clone(),
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
    (word(error), remedy(error))
}

/// A stable word for the kind of error.
fn word(error: &MechanicsError) -> &'static str {
    match error {
        MechanicsError::NonlinearConstraint { .. } => "nonlinear",
        MechanicsError::HigherOrderConstraint { .. }
        | MechanicsError::BeyondLagrangian { .. }
        | MechanicsError::ContradictoryConstraint { .. }
        | MechanicsError::NoFreedom { .. }
        | MechanicsError::ConstrainedControl { .. } => "constraint",
        MechanicsError::AcceleratedForce { .. } => "force",
        MechanicsError::Degenerate { .. } => "degenerate",
        MechanicsError::BadFrame { .. } => "frame",
        MechanicsError::Undefined { .. } => "undefined",
        MechanicsError::DiscreteLagrangian { .. } | MechanicsError::NoDiscreteMap { .. } => {
            "discrete"
        }
        MechanicsError::NoObjective => "cost",
        MechanicsError::Singular { .. } => "singular",
        MechanicsError::NotChaplygin { .. }
        | MechanicsError::ReductionNotDerived { .. }
        | MechanicsError::OnSlice { .. }
        | MechanicsError::NoOptimality { .. }
        | MechanicsError::Constrained { .. }
        | MechanicsError::NoLagrangian { .. }
        | MechanicsError::HasLagrangian { .. }
        | MechanicsError::AuxiliaryRate { .. }
        | MechanicsError::HigherOrder { .. }
        | MechanicsError::NotNatural { .. }
        | MechanicsError::FirstOrder { .. }
        | MechanicsError::AffineConstraints { .. } => "form",
        _ => "derivation",
    }
}

/// What would put an error right, where that can be said.
fn remedy(error: &MechanicsError) -> Option<&'static str> {
    Some(match error {
        MechanicsError::NonlinearConstraint { .. } => {
            "ask for `‹form vakonomic›`, or write constraints that are linear or affine in the velocities"
        }
        MechanicsError::HigherOrderConstraint { .. } => {
            "give the Lagrangian accelerations and ask for `‹form higher-order›`, or integrate the constraint \
             until only velocities are left"
        }
        MechanicsError::BeyondLagrangian { .. } => {
            "give the Lagrangian derivatives of that order, or integrate the constraint until it has none above \
             those of the Lagrangian"
        }
        MechanicsError::AcceleratedForce { .. } => {
            "put it into the kinetic energy as a mass, or write the force by positions, velocities and time"
        }
        MechanicsError::ContradictoryConstraint { .. } => {
            "remove one of them, or let both say the same"
        }
        MechanicsError::NoFreedom { .. } => {
            "remove a constraint; two that say the same only on the positions that they allow count as two"
        }
        MechanicsError::Degenerate { .. } => {
            "give every direction that the constraints allow a kinetic energy, or see what the equations leave \
             with `rattleback analyze ‹only presymplectic›`"
        }
        MechanicsError::BadFrame { .. } => {
            "correct the `frame` statements, or remove them: a frame is then computed"
        }
        MechanicsError::NotChaplygin { .. }
        | MechanicsError::ReductionNotDerived { .. }
        | MechanicsError::OnSlice { .. } => "ask for `hamel` or `lagrange-dalembert`",
        MechanicsError::Undefined { .. } => "this expression has no value anywhere: correct it",
        MechanicsError::DiscreteLagrangian { .. } => {
            "`rattleback discrete` derives its equations, `rattleback simulate` follows its map"
        }
        MechanicsError::ConstrainedControl { .. } => {
            "make the variable a coordinate, or let its rate be free of controls"
        }
        MechanicsError::NoObjective => "add a `cost`, such as `cost u^2/2`",
        MechanicsError::Singular { .. } => {
            "let the cost grow with each control, such as `cost u^2/2`, or see what the conditions leave with \
             `rattleback analyze ‹only control›`"
        }
        _ => return None,
    })
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

/// Names that a message lists.
const MOST_NAMES: usize = 30;

/// An event that has no value along the motion, with its place and the names that can be used.
pub fn without_value(found: &WithoutValue) -> AskedError {
    let (text, name) = (&found.text, &found.name);
    let source = Source::new(event_option(found.terminal), text.as_str());
    let span = source.find_word(name).unwrap_or(Span::new(0, text.len()));
    let message = found.to_string();
    let mut usable = found.usable.clone();
    let more = usable.len().saturating_sub(MOST_NAMES);
    usable.truncate(MOST_NAMES);
    if more > 0 {
        usable.push(format!("and {more} more"));
    }
    let help = format!(
        "these have: {}; or choose another ‹form›",
        usable.join(", ")
    );
    let diagnostic = Diagnostic::error("event", span, message).help(help);
    AskedError::Expression(Box::new(source), vec![diagnostic])
}

/// The option that an event is given with.
pub fn event_option(terminal: bool) -> &'static str {
    if terminal {
        "‹stop›"
    } else {
        "‹event›"
    }
}
