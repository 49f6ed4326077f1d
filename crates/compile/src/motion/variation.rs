//! What differs between the members of an ensemble: parameters and start values.

use rattleback_language::{Model, Overrides, Source, closest};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Kind, Role, Symbol, substitute_all};

/// Parameters and start values that are inputs of a motion's programs.
#[derive(Clone, Debug, Default)]
pub struct Variation {
    targets: Vec<Target>,
    /// Parameters whose values follow from varied ones.
    derived: Vec<(Symbol, Expr)>,
}

#[derive(Clone, Debug)]
struct Target {
    name: String,
    /// The input.
    symbol: Symbol,
    /// The position, velocity or multiplier whose start value it is; none for a parameter.
    starts: Option<Symbol>,
}

/// A name that cannot be varied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariationError {
    /// The model does not have it.
    #[error("the model has no parameter or start value `{name}` to vary{}", near.as_ref().map_or(String::new(), |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The name.
        name: String,
        /// One that looks like it.
        near: Option<String>,
    },
    /// Controls are held.
    #[error("`{0}` is a control, which is held at 0, and cannot be varied")]
    Control(String),
    /// It is varied twice.
    #[error("`{0}` is varied twice")]
    Twice(String),
}

impl Variation {
    /// The variation of these parameters and start values, named as in the model.
    pub fn of(model: &Model, names: &[String]) -> Result<Self, VariationError> {
        let mut variation = Variation::default();
        for name in names {
            let target = target(model, name)?;
            let same = |t: &Target| t.symbol == target.symbol;
            if variation.targets.iter().any(same) {
                return Err(VariationError::Twice(name.clone()));
            }
            variation.targets.push(target);
        }
        for parameter in &model.parameters {
            if variation.is_input(&parameter.symbol) {
                continue;
            }
            let value = parameter.value.substitute(&variation.derived);
            if value.free_symbols().iter().any(|s| variation.is_input(s)) {
                variation.derived.push((parameter.symbol.clone(), value));
            }
        }
        Ok(variation)
    }

    /// The variation of each of these constants by itself, controls too: no parameter follows from
    /// another one.
    pub fn of_constants(constants: &[Symbol]) -> Self {
        let target = |symbol: &Symbol| Target {
            name: symbol.to_string(),
            symbol: symbol.clone(),
            starts: None,
        };
        Variation {
            targets: constants.iter().map(target).collect(),
            derived: Vec::new(),
        }
    }

    /// The names of what is varied, as the model writes them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.targets.iter().map(|t| t.name.as_str())
    }

    /// The inputs.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.targets.iter().map(|t| &t.symbol)
    }

    /// Is nothing varied?
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    fn is_input(&self, s: &Symbol) -> bool {
        self.symbols().any(|x| x == s)
    }

    /// Does a parameter differ between members?
    pub(super) fn moves(&self, s: &Symbol) -> bool {
        self.is_input(s) || self.derived.iter().any(|(d, _)| d == s)
    }

    /// The varied start value of a position, velocity or multiplier.
    pub(super) fn start(&self, s: &Symbol) -> Option<Expr> {
        let target = self.targets.iter().find(|t| t.starts.as_ref() == Some(s));
        target.map(|t| Expr::from(&t.symbol))
    }

    /// Expressions with derived parameters written in the varied ones.
    pub(super) fn apply(&self, all: &[Expr]) -> Vec<Expr> {
        if self.derived.is_empty() {
            return all.to_vec();
        }
        substitute_all(all, &self.derived)
    }

    pub(super) fn apply_to_stages(&self, stages: &[Stage]) -> Vec<Stage> {
        stages.iter().map(|s| s.map(|e| self.apply(e))).collect()
    }
}

fn target(model: &Model, name: &str) -> Result<Target, VariationError> {
    let unknown = || VariationError::Unknown {
        name: name.to_owned(),
        near: near(model, name),
    };
    let source = Source::new("--vary", name);
    let value = model.expression(&source).map_err(|_| unknown())?;
    let expression = value.as_scalar().ok_or_else(unknown)?;
    let Kind::Symbol(s) = expression.kind() else {
        return Err(unknown());
    };
    if model.controls.iter().any(|control| control.symbol == *s) {
        return Err(VariationError::Control(name.to_owned()));
    }
    let is_parameter = model.parameters.iter().any(|p| p.symbol == *s);
    let can_start = s.role() == Role::Variable && {
        let set = Overrides::parse([format!("{name} = 0")]);
        set.is_ok_and(|set| model.with_overrides(&set).is_ok())
    };
    match (is_parameter, can_start) {
        (true, _) => Ok(Target {
            name: s.to_string(),
            symbol: s.clone(),
            starts: None,
        }),
        (false, true) => Ok(Target {
            name: s.to_string(),
            // No name of the language contains a space.
            symbol: Symbol::constant(&format!("start of {s}")),
            starts: Some(s.clone()),
        }),
        _ => Err(unknown()),
    }
}

/// The parameter, position or velocity whose name is closest.
fn near(model: &Model, name: &str) -> Option<String> {
    let parameters = model.parameters.iter().map(|p| p.symbol.to_string());
    let positions = model.positions().into_iter().map(|z| z.to_string());
    let velocities = model.velocities().into_iter().map(|v| v.to_string());
    let known: Vec<String> = parameters.chain(positions).chain(velocities).collect();
    closest(name, known.iter().map(String::as_str)).map(str::to_owned)
}
