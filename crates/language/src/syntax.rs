//! Syntax trees: what a file says, before any name has a meaning.

use rattleback_symbolic::Sign;

use crate::layout::Docs;
use crate::source::Span;

/// A name in its ASCII spelling, with the derivatives that its dots or primes say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Index of a node in its [`Tree`].
pub(crate) type NodeId = u32;

/// A node of an expression. Children always stand before their parents.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    /// A mistake that has been reported.
    Error,
    /// Its digits are the text of the span.
    Number,
    Name(String),
    Negate(NodeId),
    /// Terms, each with whether it is subtracted.
    Sum(Vec<(bool, NodeId)>),
    /// Factors, each with whether it divides.
    Product(Vec<(bool, NodeId)>),
    Power(NodeId, NodeId),
    Call(Name, Vec<NodeId>),
    List(Vec<NodeId>),
    Index(NodeId, Vec<NodeId>),
    Prime(NodeId, u32),
    /// `T.R`
    Member(NodeId, Name),
}

/// An expression: nodes in an order in which they can be evaluated one after the other, the root last.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    pub(crate) fn error(span: Span) -> Self {
        Tree {
            nodes: vec![Node {
                kind: NodeKind::Error,
                span,
            }],
        }
    }

    pub(crate) fn span(&self) -> Span {
        self.nodes.last().map_or(Span::default(), |node| node.span)
    }

    pub(crate) fn root(&self) -> &NodeKind {
        self.nodes
            .last()
            .map_or(&NodeKind::Error, |node| &node.kind)
    }
}

/// How two sides of a condition compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Relation {
    /// The relation read from right to left.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessOrEqual => Relation::GreaterOrEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterOrEqual => Relation::LessOrEqual,
            other => other,
        }
    }

    /// What it says about the sign of left minus right; an equation says nothing.
    pub fn sign(self) -> Sign {
        match self {
            Relation::Less => Sign::Negative,
            Relation::LessOrEqual => Sign::NonPositive,
            Relation::Greater => Sign::Positive,
            Relation::GreaterOrEqual => Sign::NonNegative,
            Relation::NotEqual => Sign::NonZero,
            Relation::Equal => Sign::Unknown,
        }
    }

    /// As written in the language.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
            Relation::Equal => "=",
            Relation::NotEqual => "!=",
        }
    }

    /// Whether numbers that compare like `ordering` satisfy it.
    pub fn holds(self, ordering: std::cmp::Ordering) -> bool {
        match self {
            Relation::Less => ordering.is_lt(),
            Relation::LessOrEqual => ordering.is_le(),
            Relation::Greater => ordering.is_gt(),
            Relation::GreaterOrEqual => ordering.is_ge(),
            Relation::Equal => ordering.is_eq(),
            Relation::NotEqual => ordering.is_ne(),
        }
    }
}

/// `name = value`
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) value: Tree,
}

/// `target = value` where the target may have primes and indices.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) left: Tree,
    pub(crate) right: Tree,
}

/// `target = value`, or `target ~ value` for a value that is approximate.
#[derive(Clone, Debug)]
pub(crate) struct StartItem {
    pub(crate) equation: Equation,
    pub(crate) approximate: bool,
}

/// `a <= b <= c`: the sides, and the relations between them.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) sides: Vec<Tree>,
    pub(crate) relations: Vec<Relation>,
}

/// `(x: e, y: e)`: a one-form or a vector field by components.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    pub(crate) items: Vec<(Tree, Option<Tree>)>,
    pub(crate) span: Span,
}

/// Components with a name.
#[derive(Clone, Debug)]
pub(crate) struct NamedComponents {
    pub(crate) name: Name,
    pub(crate) components: Components,
}

/// How a group factor's velocity is named.
#[derive(Clone, Debug)]
pub(crate) enum VelocityNames {
    Vector(Name),
    Entries(Vec<Name>, Span),
}

#[derive(Clone, Debug)]
pub(crate) struct GroupDeclaration {
    pub(crate) name: Name,
    pub(crate) family: Name,
    /// The dimension in parentheses.
    pub(crate) dimension: Option<(u32, Span)>,
    pub(crate) velocity: Option<VelocityNames>,
    pub(crate) space: bool,
}

/// What follows an attribute of a drawing.
#[derive(Clone, Debug)]
pub(crate) enum DrawValue {
    Expression(Tree),
    Text(String, Span),
}

#[derive(Clone, Debug)]
pub(crate) struct DrawStatement {
    /// Whether the shape is said to be the body.
    pub(crate) body: bool,
    pub(crate) shape: Name,
    /// Attribute (none for the leading size), value.
    pub(crate) pieces: Vec<(Option<Name>, DrawValue)>,
}

/// An equation that may have a name.
#[derive(Clone, Debug)]
pub(crate) struct NamedEquation {
    pub(crate) name: Option<Name>,
    pub(crate) equation: Equation,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// A statement that could not be read; the names that it may have declared.
    Unreadable(Vec<String>),
    System {
        name: Name,
        title: Option<String>,
    },
    Param(Vec<Definition>),
    Assume(Vec<Chain>),
    Coord(Vec<(Name, bool)>),
    Group(GroupDeclaration),
    Let(Vec<Definition>),
    Lagrangian(Tree),
    Kinetic(Tree),
    Potential(Tree),
    Constraint(Vec<NamedEquation>),
    Force(Components),
    Control(Vec<NamedComponents>),
    Symmetry(Vec<NamedComponents>),
    Frame(Vec<NamedComponents>),
    OneForm(Vec<NamedComponents>),
    Fibre(Vec<Name>),
    Observe(Vec<Definition>),
    Input(Vec<Definition>),
    State(Vec<Name>),
    Rate(Vec<Equation>),
    Map(Vec<Equation>),
    Flat(Vec<Definition>),
    Free(Vec<Definition>),
    Start(Vec<StartItem>),
    Goal(Vec<Chain>),
    Periodic(Vec<Tree>),
    Via {
        time: Tree,
        conditions: Vec<Chain>,
    },
    Guess(Vec<Equation>),
    Cost(Tree),
    Terminal(Tree),
    Bound(Vec<Chain>),
    Time {
        from: Tree,
        to: Tree,
        step: Option<Tree>,
    },
    Draw(DrawStatement),
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    /// The word that begins it.
    pub(crate) keyword: Span,
    pub(crate) span: Span,
    pub(crate) docs: Docs,
    /// Names in a statement whose first word had to be guessed: it may have declared them.
    pub(crate) guessed: Vec<String>,
}

impl Statement {
    /// Names that the statement may have declared in a way that was not understood.
    pub(crate) fn doubtful_names(&self) -> &[String] {
        match &self.kind {
            StatementKind::Unreadable(names) => names,
            _ => &self.guessed,
        }
    }

    /// Whether its meaning is in doubt.
    pub(crate) fn is_doubtful(&self) -> bool {
        matches!(self.kind, StatementKind::Unreadable(_)) || !self.guessed.is_empty()
    }
}
