//! What may differ between the members of an ensemble, found by its name in the model.

use rattleback_language::{Model, Overrides, Source, closest};
use rattleback_symbolic::{Kind, Role, Symbol};

/// A quantity that differs between motions of one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Varied {
    /// A parameter.
    Parameter(Symbol),
    /// A control whose input is constant.
    Control(Symbol),
    /// The start value of a position, a velocity, a higher derivative or a multiplier.
    Start(Symbol),
}

/// A name that cannot be varied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotVaried {
    /// The model does not have it.
    #[error("the model has no parameter or start value `{name}` to vary{}", near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The name.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
    /// A control is fed by a law.
    #[error(
        "`{0}` is a control that its `input` feeds along the motion: vary a parameter of that law instead"
    )]
    Control(String),
}

impl Varied {
    /// The parameter or start value of this name.
    pub fn named(model: &Model, name: &str) -> Result<Self, NotVaried> {
        let unknown = || NotVaried::Unknown {
            name: name.to_owned(),
            near: near(model, name),
        };
        let source = Source::new("vary", name);
        let value = model.expression(&source).map_err(|_| unknown())?;
        let expression = value.as_scalar().ok_or_else(unknown)?;
        let Kind::Symbol(s) = expression.kind() else {
            return Err(unknown());
        };
        if model.controls.iter().any(|control| control.symbol == *s) {
            let law = model.input(s).map(|input| input.law.free_symbols());
            let moves = |s: &Symbol| s.role() != Role::Constant;
            return match law.is_some_and(|symbols| symbols.iter().any(moves)) {
                true => Err(NotVaried::Control(name.to_owned())),
                false => Ok(Varied::Control(s.clone())),
            };
        }
        let is_parameter = model.parameters.iter().any(|p| p.symbol == *s);
        let can_start = s.role() == Role::Variable && {
            let set = Overrides::parse([format!("{name} = 0")]);
            set.is_ok_and(|set| model.with_overrides(&set).is_ok())
        };
        match (is_parameter, can_start) {
            (true, _) => Ok(Varied::Parameter(s.clone())),
            (false, true) => Ok(Varied::Start(s.clone())),
            _ => Err(unknown()),
        }
    }

    /// The parameter, or what the start value is of.
    pub fn symbol(&self) -> &Symbol {
        match self {
            Varied::Parameter(s) | Varied::Control(s) | Varied::Start(s) => s,
        }
    }
}

/// The parameter, position or velocity whose name is closest.
fn near(model: &Model, name: &str) -> Option<String> {
    let parameters = model.parameters.iter().map(|p| p.symbol.to_string());
    let positions = model.positions().into_iter().map(|z| z.to_string());
    let velocities = model.velocities().into_iter().map(|v| v.to_string());
    let controls = model.controls.iter().map(|c| c.symbol.to_string());
    let states = model.states.iter().map(|s| s.symbol.to_string());
    let configuration = positions.chain(velocities);
    let beside = states.chain(controls);
    let known: Vec<String> = parameters.chain(configuration).chain(beside).collect();
    closest(name, known.iter().map(String::as_str)).map(str::to_owned)
}
