//! Where in a model a thing comes from, as an id that travels where the text does not.

use rattleback_language::{self as language, Model, Span};

/// The statement of a model that something comes from: the number of a statement, or of a scalar component of it, among
/// those of its kind. The model that a problem was made of knows the place ([`Origin::place`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The Lagrangian, or the kinetic energy.
    Lagrangian,
    /// A scalar constraint.
    Constraint(usize),
    /// An external force.
    Force(usize),
    /// A control.
    Control(usize),
    /// A field of the declared frame.
    Frame(usize),
    /// A factor of the configuration space.
    Factor(usize),
    /// A parameter.
    Parameter(usize),
    /// An assumption.
    Assumption(usize),
    /// A part of the domain.
    Domain(usize),
    /// An observable.
    Observable(usize),
    /// A value of the start state.
    Start(usize),
    /// A condition at the end.
    Goal(usize),
    /// Conditions on the way.
    Via(usize),
    /// A first iterate.
    Guess(usize),
    /// The law of a control.
    Input(usize),
    /// An auxiliary state.
    Auxiliary(usize),
    /// An inequality along the path.
    Bound(usize),
    /// The time interval.
    Horizon,
}

/// A place in the text of a model, or in a setting that changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which part of the text.
    pub span: Span,
    /// The setting whose text it is; none for the file itself.
    pub setting: Option<String>,
}

impl Origin {
    /// Its place in the model that the problem was made of; none in another model that has no such statement.
    pub fn place(self, model: &Model) -> Option<Place> {
        if let Origin::Start(i) = self {
            let stated = model.start.iter().nth(i)?;
            return Some(Place {
                span: stated.span,
                setting: stated.setting.clone(),
            });
        }
        if let Origin::Input(i) = self {
            let input = model.inputs.get(i)?;
            return Some(Place {
                span: input.span,
                setting: input.setting.clone(),
            });
        }
        self.span(model).map(|span| Place {
            span,
            setting: None,
        })
    }

    fn span(self, model: &Model) -> Option<Span> {
        match self {
            Origin::Lagrangian => Some(model.lagrangian_span),
            Origin::Constraint(i) => model.constraints.get(i).map(|c| c.span),
            Origin::Force(i) => model.forces.get(i).map(|f| f.span),
            Origin::Control(i) => model.controls.get(i).map(|c| c.form.span),
            Origin::Frame(i) => model.frame.get(i).map(|f| f.span),
            Origin::Factor(i) => model.configuration.get(i).map(language::Factor::span),
            Origin::Parameter(i) => model.parameters.get(i).map(|p| p.span),
            Origin::Assumption(i) => model.assumptions.get(i).map(|a| a.span),
            Origin::Domain(i) => model.domain.get(i).map(|a| a.span),
            Origin::Observable(i) => model.observables.get(i).map(|o| o.span),
            Origin::Start(i) => model.start.iter().nth(i).map(|a| a.span),
            Origin::Goal(i) => model.goals.get(i).map(language::Condition::span),
            Origin::Via(i) => model.vias.get(i).map(|v| v.span),
            Origin::Guess(i) => model.guesses.get(i).map(|g| g.span),
            Origin::Input(i) => model.inputs.get(i).map(|input| input.span),
            Origin::Auxiliary(i) => model.states.get(i).map(|s| s.span),
            Origin::Bound(i) => model.bounds.get(i).map(|b| b.span),
            Origin::Horizon => model.time.as_ref().map(|h| h.span),
        }
    }
}
