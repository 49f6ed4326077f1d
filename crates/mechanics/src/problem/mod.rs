//! The fully lowered model: a system with its controls, costs, bounds, ends, horizon, observables and assumptions.

mod constrain;
mod drive;
mod ends;
mod family;
mod lower;
mod objective;
mod periodicity;
mod varied;

use crate::system::System;
use rattleback_language::{Clock, ConstraintKind, Given, Relation, Value, Values};
use rattleback_symbolic::{Expr, Order, Symbol};

pub use crate::origin::{Origin, Place};
pub use constrain::{Remark, RemarkKind};
pub use ends::{Auxiliary, Condition, ConditionKind, FlatOutput, Guess, Input, Via};
pub use family::{Family, Piece};
pub use varied::{NotVaried, Varied};

/// All that a model says, on the frame of its system. Controls stay controls: the force of [`Problem::system`] is the
/// external one, and [`Problem::open`] is the system that they push.
///
/// ```
/// # use rattleback_language::{Source, parse};
/// use rattleback_mechanics::Problem;
/// # let text = "system cart\ncoord x\nkinetic x'^2/2\nforce (x: -x')\ncontrol u on x\n";
/// # let model = parse(&Source::new("cart.mech", text)).model.unwrap();
/// let problem = Problem::from_model(&model)?;
/// assert_eq!(problem.system.force()[0].to_string(), "-x'");
/// assert_eq!(problem.controls[0].form[0].to_string(), "1");
/// assert_eq!(problem.open().force()[0].to_string(), "u - x'");
/// # Ok::<(), rattleback_mechanics::MechanicsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    /// The system, pushed by external forces alone.
    pub system: System,
    /// Its title.
    pub title: Option<String>,
    /// What the model says about it.
    pub doc: Option<String>,
    /// Constants, in an order in which their values can be worked out.
    pub parameters: Vec<Parameter>,
    /// The values of the parameters, as exact constants.
    pub values: Values,
    /// Facts that may be used.
    pub assumptions: Vec<Assumption>,
    /// The model's own names for scalars, vectors and matrices, which are put in everywhere else.
    pub abbreviations: Vec<Abbreviation>,
    /// All constraints as the model states them, those too that follow from others.
    pub constraints: Vec<StatedConstraint>,
    /// Controls with the one-forms that they multiply.
    pub controls: Vec<Control>,
    /// Quantities to record along motions.
    pub observables: Vec<Observable>,
    /// How time passes.
    pub clock: Clock,
    /// What feeds the controls.
    pub inputs: Vec<Input>,
    /// Variables of first order beside the configuration.
    pub auxiliary: Vec<Auxiliary>,
    /// The parameters that an optimisation may choose.
    pub free: Vec<Symbol>,
    /// The initial state, as far as it is stated.
    pub start: State,
    /// Conditions at the end.
    pub goals: Vec<Condition>,
    /// Conditions on the way.
    pub vias: Vec<Via>,
    /// The first iterate along the path.
    pub guesses: Vec<Guess>,
    /// Outputs that are said to be flat.
    pub flats: Vec<FlatOutput>,
    /// What is made least along the path: the sum of these.
    pub costs: Vec<Expr>,
    /// What is made least at the end: the sum of these.
    pub terminals: Vec<Expr>,
    /// Inequalities along the path.
    pub bounds: Vec<Bound>,
    /// The time interval.
    pub horizon: Option<Horizon>,
    /// What was noticed on the way.
    pub remarks: Vec<Remark>,
    /// What the model says about its symbols.
    docs: Vec<(Symbol, String)>,
}

/// A constant with its default value.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The symbol.
    pub symbol: Symbol,
    /// The value, in earlier parameters.
    pub value: Expr,
    /// Where it is declared.
    pub origin: Origin,
}

/// A fact: `lhs relation rhs`.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Left side.
    pub lhs: Expr,
    /// The relation.
    pub relation: Relation,
    /// Right side.
    pub rhs: Expr,
    /// As the model writes it.
    pub text: String,
    /// It is assumed only where this exponent is not whole.
    pub unless_whole: Option<Expr>,
    /// Where it stands.
    pub origin: Origin,
}

/// A name of the model and what it stands for.
#[derive(Clone, Debug)]
pub struct Abbreviation {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub value: Value,
}

/// One scalar constraint `expr = 0`, as the model states it.
#[derive(Clone, Debug)]
pub struct StatedConstraint {
    /// What vanishes.
    pub expr: Expr,
    /// How it depends on the velocities.
    pub kind: ConstraintKind,
    /// The number of its statement, from 0: the components of a vector equation share it.
    pub statement: usize,
    /// Where it stands.
    pub origin: Origin,
}

/// A control u and the one-form that it multiplies.
#[derive(Clone, Debug)]
pub struct Control {
    /// The control.
    pub symbol: Symbol,
    /// The components of the one-form in the dual of the frame.
    pub form: Vec<Expr>,
    /// Where it is declared.
    pub origin: Origin,
}

/// A quantity to record.
#[derive(Clone, Debug)]
pub struct Observable {
    /// Its name.
    pub name: String,
    /// Its entries: one for a scalar.
    pub entries: Vec<Expr>,
    /// Where it stands.
    pub origin: Origin,
}

impl Observable {
    /// The entries with their names: `name`, or `name[1]`, `name[2]`, ….
    pub fn named_entries(&self) -> impl Iterator<Item = (String, &Expr)> {
        let single = self.entries.len() == 1;
        let entries = self.entries.iter().enumerate();
        entries.map(move |(i, value)| match single {
            true => (self.name.clone(), value),
            false => (format!("{}[{}]", self.name, i + 1), value),
        })
    }
}

/// A stated value of a state.
#[derive(Clone, Debug)]
pub struct Stated {
    /// What gets the value: a position, a velocity, a higher derivative or a multiplier.
    pub symbol: Symbol,
    /// A constant expression in the parameters.
    pub value: Expr,
    /// How it is meant.
    pub given: Given,
    /// Where it stands.
    pub origin: Origin,
}

/// The initial state, as far as the model states it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Positions, velocities and higher derivatives.
    pub values: Vec<Stated>,
    /// Vakonomic multipliers.
    pub multipliers: Vec<Stated>,
    /// Momenta, or costates.
    pub momenta: Vec<Stated>,
}

impl State {
    /// The stated value of a symbol.
    pub fn get(&self, symbol: &Symbol) -> Option<&Stated> {
        self.iter().find(|stated| stated.symbol == *symbol)
    }

    /// The stated value of a multiplier, or of a derivative of one.
    pub fn multiplier(&self, symbol: &Symbol) -> Option<&Stated> {
        self.multipliers.iter().find(|m| m.symbol == *symbol)
    }

    /// Everything that is stated.
    pub fn iter(&self) -> impl Iterator<Item = &Stated> {
        let values = self.values.iter().chain(&self.multipliers);
        values.chain(&self.momenta)
    }
}

/// An inequality along the path: `lower <= expr <= upper`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bounded.
    pub expr: Expr,
    /// Its lower bound.
    pub lower: Option<Expr>,
    /// Its upper bound.
    pub upper: Option<Expr>,
    /// Where it stands.
    pub origin: Origin,
}

/// The time interval.
#[derive(Clone, Debug)]
pub struct Horizon {
    /// Start time, a constant expression in the parameters.
    pub from: Expr,
    /// End time.
    pub to: Expr,
    /// The step, where one is given.
    pub step: Option<Expr>,
    /// Where it stands.
    pub origin: Origin,
}

impl Problem {
    /// The name of the system, behind its title where it has one.
    pub fn heading(&self) -> String {
        let name = self.system.name();
        match &self.title {
            Some(title) => format!("{title} ({name})"),
            None => name.to_owned(),
        }
    }

    /// The time at the start, 0 where the model states none.
    pub fn start_time(&self) -> Expr {
        let from = self.horizon.as_ref().map(|h| h.from.clone());
        from.unwrap_or_else(Expr::zero)
    }

    /// Symbols in the order in which the model declares them, with more behind them: that in which formulas are written.
    pub fn order<'a>(&'a self, more: impl IntoIterator<Item = &'a Symbol>) -> Order {
        let parameters = self.parameters.iter().map(|p| &p.symbol);
        let frame = self.system.frame();
        let symbols = parameters.chain(frame.base()).chain(frame.fibre());
        Order::new(&symbols.chain(more).cloned().collect::<Vec<_>>())
    }

    /// Names that the model declares and that a page can mistake for its own: of parameters, factors and abbreviations,
    /// without their indices.
    pub fn declared_names(&self) -> impl Iterator<Item = String> + '_ {
        let stem = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
        let parameters = self.parameters.iter();
        let parameters = parameters.map(move |p| stem(p.symbol.name()));
        let factors = self.system.factors().iter().map(|f| f.name.clone());
        let abbreviations = self.abbreviations.iter().map(|a| a.name.clone());
        parameters.chain(factors).chain(abbreviations)
    }

    /// What the model says about a parameter, a control or a position.
    pub fn doc_of(&self, symbol: &Symbol) -> Option<&str> {
        let found = self.docs.iter().find(|(s, _)| s == symbol);
        found.map(|(_, text)| text.as_str())
    }

    /// Is a velocity in a nonlinear constraint not stated? It need not be fixed by the constraint, and the start is then
    /// not judged.
    pub fn leaves_velocities_open(&self) -> bool {
        let nonlinear = |c: &&StatedConstraint| c.kind == ConstraintKind::Nonlinear;
        let velocities = || self.system.frame().fibre().iter();
        let constraints = self.constraints.iter().filter(nonlinear);
        constraints
            .flat_map(|c| velocities().filter(|v| c.expr.contains(v)))
            .any(|v| self.start.get(v).is_none())
    }

    /// Is a symbol a control?
    pub fn is_control(&self, symbol: &Symbol) -> bool {
        self.controls.iter().any(|c| c.symbol == *symbol)
    }
}
