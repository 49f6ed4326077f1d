//! What differs between the members of an ensemble: parameters, controls and start values.

use rattleback_mechanics::{Problem, Stage, Varied};
use rattleback_symbolic::{Expr, Symbol, substitute_all};

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

impl Target {
    fn of(varied: &Varied) -> Self {
        let name = varied.symbol().to_string();
        match varied {
            Varied::Parameter(s) | Varied::Control(s) => Target {
                name,
                symbol: s.clone(),
                starts: None,
            },
            Varied::Start(s) => Target {
                // No name of the language contains a space.
                symbol: Symbol::constant(&format!("start of {s}")),
                starts: Some(s.clone()),
                name,
            },
        }
    }
}

/// What cannot be varied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariationError {
    /// It is varied twice.
    #[error("`{0}` is varied twice")]
    Twice(String),
}

impl Variation {
    /// The variation of these parameters and start values.
    pub fn of(problem: &Problem, varied: &[Varied]) -> Result<Self, VariationError> {
        let mut variation = Variation::default();
        for varied in varied {
            let target = Target::of(varied);
            let same = |t: &Target| t.symbol == target.symbol;
            if variation.targets.iter().any(same) {
                return Err(VariationError::Twice(target.name));
            }
            variation.targets.push(target);
        }
        for parameter in &problem.parameters {
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
        Variation::default().with_constants(constants)
    }

    /// With constants of the problem's own, from which no parameter follows, behind what is varied.
    pub fn with_constants(mut self, constants: &[Symbol]) -> Self {
        let target = |symbol: &Symbol| Target {
            name: symbol.to_string(),
            symbol: symbol.clone(),
            starts: None,
        };
        self.targets.extend(constants.iter().map(target));
        self
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
