//! The model: what a file says, with every name resolved to a symbol.

use std::collections::HashSet;

use rattleback_lie::{Group, Trivialization};
use rattleback_symbolic::{Expr, Fact, Symbol};

use crate::auxiliary::{AuxiliaryState, Clock, Input};
use crate::ends::{self, Condition, Cost, FreeNumber, Guess, Via};
use crate::names::Names;
use crate::scope::Scope;
use crate::source::Span;
use crate::syntax::Relation;
use crate::value::Value;

/// A constant with its default value.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The symbol; entries of vectors and matrices are `I[1,1]`, ….
    pub symbol: Symbol,
    /// The value, in earlier parameters.
    pub value: Expr,
    /// The comment at its declaration.
    pub doc: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// A fact that may be used: `lhs relation rhs`.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// Left side.
    pub lhs: Expr,
    /// The relation.
    pub relation: Relation,
    /// Right side.
    pub rhs: Expr,
    /// As the file writes it.
    pub text: String,
    /// It is assumed only where this exponent is not whole.
    pub unless_whole: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

impl Assumption {
    /// As a fact of algebra.
    pub fn fact(&self) -> Fact {
        Fact::new(&self.lhs - &self.rhs, self.relation.sign())
    }
}

/// Where a coordinate lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinateKind {
    /// On the line.
    Line,
    /// On the circle.
    Angle,
}

/// A factor of the configuration space.
#[derive(Clone, Debug)]
pub enum Factor {
    /// A coordinate on the line or the circle.
    Coordinate {
        /// Its symbol; the velocity is its derivative.
        symbol: Symbol,
        /// Line or circle.
        kind: CoordinateKind,
        /// The comment at its declaration.
        doc: Option<String>,
        /// Where it is declared.
        span: Span,
    },
    /// A Lie group.
    Group {
        /// Its name.
        name: String,
        /// Which group.
        kind: Group,
        /// The entries of an element, row by row: `R[1,1]`, …; `g[1]`, … for quaternions and vectors.
        entries: Vec<Symbol>,
        /// The velocity components.
        velocities: Vec<Symbol>,
        /// The side of the velocity.
        trivialization: Trivialization,
        /// The comment at its declaration.
        doc: Option<String>,
        /// Where it is declared.
        span: Span,
    },
}

impl Factor {
    /// The name that the file gives it.
    pub fn name(&self) -> &str {
        match self {
            Factor::Coordinate { symbol, .. } => symbol.name(),
            Factor::Group { name, .. } => name,
        }
    }

    /// The symbols z of its points.
    pub fn positions(&self) -> &[Symbol] {
        match self {
            Factor::Coordinate { symbol, .. } => std::slice::from_ref(symbol),
            Factor::Group { entries, .. } => entries,
        }
    }

    /// The symbols y of its velocities.
    pub fn velocities(&self) -> Vec<Symbol> {
        match self {
            Factor::Coordinate { symbol, .. } => vec![symbol.derivative()],
            Factor::Group { velocities, .. } => velocities.clone(),
        }
    }

    /// Is it a coordinate, not a group?
    pub fn is_coordinate(&self) -> bool {
        matches!(self, Factor::Coordinate { .. })
    }

    /// Where it is declared.
    pub fn span(&self) -> Span {
        match self {
            Factor::Coordinate { span, .. } | Factor::Group { span, .. } => *span,
        }
    }

    /// The comment at its declaration.
    pub fn doc(&self) -> Option<&str> {
        match self {
            Factor::Coordinate { doc, .. } | Factor::Group { doc, .. } => doc.as_deref(),
        }
    }
}

/// How a constraint depends on the velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// Not at all.
    Holonomic,
    /// Linearly.
    Linear,
    /// Linearly, with a part free of them.
    Affine,
    /// In another way.
    Nonlinear,
    /// Accelerations or higher derivatives occur.
    HigherOrder,
}

/// One scalar constraint `expr = 0`.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its name, where it has one; the components of a vector equation share it.
    pub name: Option<String>,
    /// Left side minus right side.
    pub expr: Expr,
    /// How it depends on the velocities.
    pub kind: ConstraintKind,
    /// The number of its statement among the constraint statements, from 0.
    pub statement: usize,
    /// The component of a vector equation, from 0.
    pub component: usize,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

impl Constraint {
    /// How it depends on the velocities.
    pub fn kind(&self) -> ConstraintKind {
        self.kind
    }
}

/// A one-form; components by velocity symbol.
#[derive(Clone, Debug)]
pub struct OneForm {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Component of the dual of each velocity: `x'` for dx, `w[1]` for the first left-invariant form.
    pub components: Vec<(Symbol, Expr)>,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A vector field; components by velocity symbol.
#[derive(Clone, Debug)]
pub struct VectorField {
    /// Its name.
    pub name: String,
    /// Component along each velocity.
    pub components: Vec<(Symbol, Expr)>,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A control input and the one-form that it multiplies; without components it acts through rates, maps and costs.
#[derive(Clone, Debug)]
pub struct Control {
    /// The input.
    pub symbol: Symbol,
    /// The one-form.
    pub form: OneForm,
}

/// An item of the `fibre` statement.
#[derive(Clone, Debug, PartialEq)]
pub enum FibreItem {
    /// A coordinate.
    Coordinate(Symbol),
    /// A group factor, by name.
    Group(String),
}

/// A named quantity: an abbreviation or an observable.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub value: Value,
    /// The comment at its statement.
    pub doc: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// A quantity to record along trajectories.
pub type Observable = Definition;

/// How a value of the initial state is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Given {
    /// `x = 1`: as it is.
    #[default]
    Stated,
    /// `x ~ 1`: a first guess where a position constraint has to be solved.
    Approximate,
    /// `x = free(1)`: an optimisation may choose it; the value is its guess, 0 or the identity where none is given.
    Free,
}

/// A value of the initial state.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// What gets the value: a position, a velocity, a higher derivative, a multiplier, a momentum, an auxiliary state.
    pub symbol: Symbol,
    /// A constant expression in the parameters.
    pub value: Expr,
    /// How it is meant.
    pub given: Given,
    /// Where it stands, in the file or in the setting.
    pub span: Span,
    /// The setting that gave it, if one did.
    pub setting: Option<String>,
}

/// The initial state, as far as the file states it.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Coordinates and entries of group elements.
    pub positions: Vec<Assignment>,
    /// Velocities.
    pub velocities: Vec<Assignment>,
    /// Derivatives beyond velocities.
    pub higher: Vec<Assignment>,
    /// Vakonomic multipliers `mu1`, ….
    pub multipliers: Vec<Assignment>,
    /// Momenta or costates `p_x`, ….
    pub momenta: Vec<Assignment>,
    /// Auxiliary states.
    pub auxiliary: Vec<Assignment>,
}

/// The initial state.
pub type Start = State;

impl State {
    /// The stated value of a symbol.
    pub fn get(&self, symbol: &Symbol) -> Option<&Assignment> {
        self.iter().find(|assignment| assignment.symbol == *symbol)
    }

    /// All assignments.
    pub fn iter(&self) -> impl Iterator<Item = &Assignment> {
        self.positions
            .iter()
            .chain(&self.velocities)
            .chain(&self.higher)
            .chain(&self.multipliers)
            .chain(&self.momenta)
            .chain(&self.auxiliary)
    }

    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// An inequality along the path, or on free numbers: `lower <= expr <= upper`.
#[derive(Clone, Debug)]
pub struct Bound {
    /// What is bounded.
    pub expr: Expr,
    /// Its lower bound.
    pub lower: Option<Expr>,
    /// Its upper bound.
    pub upper: Option<Expr>,
    /// Where it stands.
    pub span: Span,
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
    pub span: Span,
}

/// What an attribute of a drawing says.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawArgument {
    /// A scalar, vector or matrix along the motion.
    Value(Value),
    /// A text.
    Text(String),
}

/// Something that the animation shows.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Whether the file calls the shape the body: `draw body ellipsoid`.
    pub body: bool,
    /// `disk`, `box`, `ellipsoid`, `rod`, `trail`, ….
    pub shape: String,
    /// The value that follows the shape without a word: the size of a box, the point of a trail.
    pub size: Option<DrawArgument>,
    /// Attributes in file order.
    pub attributes: Vec<(String, DrawArgument)>,
    /// Where it stands.
    pub span: Span,
}

impl Draw {
    /// The value of an attribute.
    pub fn attribute(&self, word: &str) -> Option<&DrawArgument> {
        self.attributes
            .iter()
            .find(|(name, _)| name == word)
            .map(|(_, argument)| argument)
    }
}

/// A model: the first page of a mechanics paper, resolved.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name of the system.
    pub name: String,
    /// Its title.
    pub title: Option<String>,
    /// The comment at the `system` statement.
    pub doc: Option<String>,
    /// Where the `system` statement stands.
    pub span: Span,
    /// How time passes.
    pub clock: Clock,
    /// Parameters, free numbers among them, in an order in which their values can be worked out.
    pub parameters: Vec<Parameter>,
    /// The parameters that an optimisation may choose.
    pub free: Vec<FreeNumber>,
    /// Assumptions.
    pub assumptions: Vec<Assumption>,
    /// Where functions are defined of which nothing is left: √x² is x, where √x is.
    pub domain: Vec<Assumption>,
    /// Factors of the configuration space in file order.
    pub configuration: Vec<Factor>,
    /// Auxiliary states in file order.
    pub states: Vec<AuxiliaryState>,
    /// Abbreviations in file order.
    pub abbreviations: Vec<Definition>,
    /// Kinetic energy, where it is given on its own.
    pub kinetic: Option<Expr>,
    /// Potential energy, where it is given on its own.
    pub potential: Option<Expr>,
    /// The Lagrangian; T - V where these are given, 0 in a model of auxiliary states alone.
    pub lagrangian: Expr,
    /// Where the Lagrangian, or the kinetic energy, stands.
    pub lagrangian_span: Span,
    /// The highest derivative of a coordinate in the Lagrangian; a group velocity counts as 1.
    pub order: u32,
    /// Constraints, one per scalar component.
    pub constraints: Vec<Constraint>,
    /// External forces.
    pub forces: Vec<OneForm>,
    /// Controls.
    pub controls: Vec<Control>,
    /// What feeds the controls.
    pub inputs: Vec<Input>,
    /// Outputs of which state and controls are functions with their derivatives.
    pub flats: Vec<Definition>,
    /// Infinitesimal symmetries.
    pub symmetries: Vec<VectorField>,
    /// The frame of the distribution that the file chooses.
    pub frame: Vec<VectorField>,
    /// Candidate solutions of Hamilton-Jacobi equations.
    pub oneforms: Vec<OneForm>,
    /// The fibre that the file chooses.
    pub fibre: Vec<FibreItem>,
    /// Quantities to record.
    pub observables: Vec<Observable>,
    /// The initial state.
    pub start: Start,
    /// Conditions at the end, those of `periodic` among them.
    pub goals: Vec<Condition>,
    /// Conditions on the way.
    pub vias: Vec<Via>,
    /// The first iterate along the path.
    pub guesses: Vec<Guess>,
    /// Running costs, which add up.
    pub costs: Vec<Cost>,
    /// Terminal costs, which add up.
    pub terminals: Vec<Cost>,
    /// Inequalities along the path and on free numbers.
    pub bounds: Vec<Bound>,
    /// The time interval.
    pub time: Option<Horizon>,
    /// What the animation shows.
    pub draws: Vec<Draw>,
    /// What the names mean.
    pub(crate) scope: Scope,
}

impl Model {
    /// Does an expression depend on a free number, by itself or through parameters?
    ///
    /// ```
    /// use rattleback_language::{Source, parse};
    /// let text = "system a\ncoord x\nfree T = 2\nparam w = 1/T\nlagrangian w*x'^2\ntime 0 .. T\n";
    /// let model = parse(&Source::new("a", text)).model.unwrap();
    /// assert!(model.depends_on_free(&model.lagrangian));
    /// ```
    pub fn depends_on_free(&self, e: &Expr) -> bool {
        if self.free.is_empty() {
            return false;
        }
        let mut free: HashSet<Symbol> = self.free.iter().map(|f| f.symbol.clone()).collect();
        for parameter in &self.parameters {
            let symbols = parameter.value.free_symbols();
            if symbols.iter().any(|s| free.contains(s)) {
                free.insert(parameter.symbol.clone());
            }
        }
        e.free_symbols().iter().any(|s| free.contains(s))
    }

    /// The names that the program makes up for what belongs to this model.
    pub fn names(&self) -> Names {
        let constraints = self.constraints.iter().map(|c| c.name.clone());
        Names::new(self.scope.entries.keys().cloned(), constraints.collect())
    }

    /// The running cost, all its terms together.
    pub fn cost(&self) -> Option<Expr> {
        ends::total(&self.costs)
    }

    /// The terminal cost, all its terms together.
    pub fn terminal(&self) -> Option<Expr> {
        ends::total(&self.terminals)
    }

    /// All position symbols z, in configuration order.
    pub fn positions(&self) -> Vec<Symbol> {
        self.configuration
            .iter()
            .flat_map(|factor| factor.positions().iter().cloned())
            .collect()
    }

    /// All velocity symbols y, in configuration order.
    pub fn velocities(&self) -> Vec<Symbol> {
        self.configuration
            .iter()
            .flat_map(Factor::velocities)
            .collect()
    }

    /// What a name of the file stands for, if it is a quantity.
    pub fn find(&self, name: &str) -> Option<Value> {
        let spelled = crate::letters::spell(name).ok().filter(|s| s.dots == 0)?;
        self.scope.value(&spelled.name)
    }

    /// The group factor or coordinate of a name.
    pub fn factor(&self, name: &str) -> Option<&Factor> {
        self.configuration
            .iter()
            .find(|factor| factor.name() == name)
    }
}
