//! Accesses: the names of parts of the state, such as `x'`, `w[2]` or `R`.

use rattleback_lie::Group;
use rattleback_symbolic::Symbol;

use crate::diagnostic::Diagnostic;
use crate::scope::{Entry, Meaning};
use crate::source::{Source, Span};
use crate::suggest::closest;
use crate::syntax::{NodeId, NodeKind, Tree};
use crate::value::{Shape, Value};

use super::evaluate::{Evaluator, clip};

/// A name with primes and indices, before it means anything.
#[derive(Debug)]
pub(crate) struct Access<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_span: Span,
    pub(crate) indices: Option<Vec<usize>>,
    pub(crate) primes: u32,
}

/// Reads a tree as an access.
pub(crate) fn access<'a>(tree: &'a Tree, source: &Source) -> Option<Access<'a>> {
    let mut primes = 0u32;
    let mut indices = None;
    let mut node = tree.nodes.last()?;
    loop {
        match &node.kind {
            NodeKind::Name(name) => {
                return Some(Access {
                    name,
                    name_span: node.span,
                    indices,
                    primes,
                });
            }
            NodeKind::Prime(of, count) => {
                primes = primes.saturating_add(*count);
                node = &tree.nodes[*of as usize];
            }
            NodeKind::Index(of, list) if indices.is_none() => {
                indices = Some(whole_numbers(tree, list, source)?);
                node = &tree.nodes[*of as usize];
            }
            _ => return None,
        }
    }
}

fn whole_numbers(tree: &Tree, list: &[NodeId], source: &Source) -> Option<Vec<usize>> {
    let number = |id: &NodeId| {
        let node = &tree.nodes[*id as usize];
        matches!(node.kind, NodeKind::Number)
            .then(|| source.slice(node.span).parse::<usize>().ok())
            .flatten()
    };
    list.iter().map(number).collect()
}

/// A part of the state.
#[derive(Debug)]
pub(crate) enum Target {
    /// Symbols that take a value of this shape.
    Symbols(Vec<Symbol>, Shape),
    /// The element of a group.
    Element { kind: Group, entries: Vec<Symbol> },
    /// Multipliers or momenta that the program generates, in a shape.
    Generated(Vec<Symbol>, Shape),
}

impl Evaluator<'_> {
    /// What a start value is given to.
    pub(crate) fn target(&mut self, tree: &Tree) -> Option<Target> {
        if matches!(tree.root(), NodeKind::Error) {
            return None;
        }
        let Some(access) = access(tree, self.source) else {
            return self.fail(
                Diagnostic::error(
                    "target",
                    tree.span(),
                    "expected a coordinate, a velocity, a group element or an auxiliary state",
                )
                .help("write for example `x = 0`, `x' = 1`, `w = [0, 0, 3]` or `R = identity`"),
            );
        };
        if let Some(found) = self.generated(&access, tree.span()) {
            return found;
        }
        let Some(entry) = self.scope.entries.get(access.name) else {
            return self.unknown_target(&access);
        };
        let is_plain = access.indices.is_none() && access.primes == 0;
        match &entry.meaning {
            Meaning::Unknown | Meaning::Pending => None,
            Meaning::Coordinate(symbol) if access.indices.is_none() => {
                if access.primes > 0 {
                    self.check_clock(tree.span())?;
                }
                let symbol = symbol.jet(access.primes);
                Some(Target::Symbols(vec![symbol], Shape::Scalar))
            }
            Meaning::Auxiliary(symbol) if is_plain => {
                Some(Target::Symbols(vec![symbol.clone()], Shape::Scalar))
            }
            Meaning::Auxiliary(symbol) => self.rate_is_given(symbol, tree.span()),
            Meaning::Velocity(value) => {
                self.check_clock(tree.span())?;
                self.part(value, &access, tree.span())
            }
            Meaning::Group { kind, element, .. } if kind.is_vector_space() => {
                self.part(element, &access, tree.span())
            }
            Meaning::Group { kind, entries, .. } if is_plain => Some(Target::Element {
                kind: *kind,
                entries: entries.clone(),
            }),
            Meaning::Group { velocity_name, .. } => {
                self.whole_element(&access, velocity_name, tree.span())
            }
            _ => self.no_state(&access, entry, tree.span()),
        }
    }

    /// What the program makes up and the model does not declare: a multiplier of a variational problem, a momentum.
    fn generated(&mut self, access: &Access, span: Span) -> Option<Option<Target>> {
        let scope = self.scope;
        if scope.entries.contains_key(access.name) {
            return None;
        }
        if scope.names.is_variational_multiplier(access.name) && access.indices.is_none() {
            // Where a constraint has accelerations the multiplier has rates of its own.
            let symbol = Symbol::variable(access.name).jet(access.primes);
            return Some(Some(Target::Generated(vec![symbol], Shape::Scalar)));
        }
        let is_momentum = scope.names.is_momentum(access.name) && access.primes == 0;
        is_momentum.then(|| self.momentum(access, span))
    }

    fn rate_is_given(&mut self, symbol: &Symbol, span: Span) -> Option<Target> {
        let message =
            format!("`{symbol}` is an auxiliary state: its derivative is given by its rate");
        let help = format!("give `{symbol}` alone a value");
        self.fail(Diagnostic::error("target", span, message).help(help))
    }

    fn whole_element(&mut self, access: &Access, velocity: &str, span: Span) -> Option<Target> {
        let name = access.name;
        let message = format!("`{name}` takes a whole group element, and has no prime");
        self.fail(Diagnostic::error("target", span, message).help(format!(
            "write `{name} = identity`, a rotation or a matrix; its velocity is `{velocity}`"
        )))
    }

    fn no_state(&mut self, access: &Access, entry: &Entry, span: Span) -> Option<Target> {
        let message = format!(
            "`{}` is {}, which is no part of the state",
            access.name, entry.what
        );
        let diagnostic =
            Diagnostic::error("target", span, message).also(entry.span, "declared here");
        self.fail(match entry.what {
            "a parameter" => diagnostic.help("give its value where it is declared: `param`"),
            _ => diagnostic,
        })
    }

    /// The momentum or costate `p_x`, `p_w`, `p_w[1]`, `p_R[2]` of a part of the state.
    fn momentum(&mut self, access: &Access, span: Span) -> Option<Target> {
        let scope = self.scope;
        let state = |name: &str| scope.entries.get(name).filter(|e| is_state(&e.meaning));
        let owner = access.name.strip_prefix("p_").unwrap_or(access.name);
        // Underscores at the end are the coordinate's own, or get the momentum out of the way of another name.
        let owner = match state(owner) {
            Some(_) => owner,
            None => owner.trim_end_matches('_'),
        };
        // The momenta of higher derivatives are `p_x_1`, ….
        let unnumbered = owner
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('_');
        let is_frame = scope.names.is_frame_velocity(owner);
        if is_frame && state(owner).is_none() && access.indices.is_none() {
            let symbol = Symbol::variable(access.name);
            return Some(Target::Generated(vec![symbol], Shape::Scalar));
        }
        let Some(entry) = state(owner).or_else(|| state(unnumbered)) else {
            let name = Access {
                name: owner,
                name_span: access.name_span,
                indices: None,
                primes: 0,
            };
            return self.unknown_target(&name);
        };
        let size = match &entry.meaning {
            Meaning::Group { kind, .. } => Some(kind.dimension()),
            Meaning::Velocity(Value::Vector(entries)) => Some(entries.len()),
            _ => None,
        };
        let symbol = |i: usize| Symbol::variable(&format!("{}[{i}]", access.name));
        match (size, access.indices.as_deref()) {
            (None, None) => {
                let symbol = Symbol::variable(access.name);
                Some(Target::Generated(vec![symbol], Shape::Scalar))
            }
            (Some(n), None) => {
                let symbols = (1..=n).map(symbol).collect();
                Some(Target::Generated(symbols, Shape::Vector(n)))
            }
            (Some(n), Some(&[i])) if (1..=n).contains(&i) => {
                Some(Target::Generated(vec![symbol(i)], Shape::Scalar))
            }
            (size, Some(_)) => {
                let entries = match size {
                    Some(n) => Shape::Vector(n).to_string(),
                    None => Shape::Scalar.to_string(),
                };
                let message = format!("`{}` is {entries}: it has no such entry", access.name);
                self.fail(Diagnostic::error("index", span, message))
            }
        }
    }

    /// All or one of the symbols of a vector, differentiated.
    fn part(&mut self, value: &Value, access: &Access, span: Span) -> Option<Target> {
        let symbols: Vec<Symbol> = value
            .entries()
            .iter()
            .filter_map(|e| e.as_symbol())
            .map(|s| s.jet(s.order() + access.primes))
            .collect();
        match access.indices.as_deref() {
            None => Some(Target::Symbols(symbols, value.shape())),
            Some(&[i]) if value.shape() != Shape::Scalar && (1..=symbols.len()).contains(&i) => {
                Some(Target::Symbols(vec![symbols[i - 1].clone()], Shape::Scalar))
            }
            Some(_) => {
                let message = format!(
                    "`{}` is {}: the index must be a whole number from 1 to {}",
                    access.name,
                    value.shape(),
                    symbols.len()
                );
                self.fail(Diagnostic::error("index", span, message))
            }
        }
    }

    fn unknown_target<T>(&mut self, access: &Access) -> Option<T> {
        let name = access.name;
        if name == "t" {
            return self.fail(
                Diagnostic::error("target", access.name_span, "time is no part of the state")
                    .help("the horizon is given by `time 0 .. 10`"),
            );
        }
        let known = self
            .scope
            .entries
            .iter()
            .filter(|(_, entry)| is_state(&entry.meaning))
            .map(|(name, _)| name.as_str());
        let near = closest(name, known.clone()).map(|near| format!("did you mean `{near}`?"));
        let help = self.slip(name).or(near).unwrap_or_else(|| {
            let mut names: Vec<&str> = known.collect();
            names.sort_unstable();
            names.truncate(20);
            format!("the state has: {}", names.join(", "))
        });
        self.fail(
            Diagnostic::error(
                "unknown-name",
                access.name_span,
                format!("unknown name `{}`", clip(name)),
            )
            .help(help),
        )
    }

    /// The velocity symbols that a component of a one-form or a vector field belongs to.
    pub(crate) fn component(&mut self, tree: &Tree) -> Option<(Vec<Symbol>, Shape)> {
        if matches!(tree.root(), NodeKind::Error) {
            return None;
        }
        let Some(access) = access(tree, self.source) else {
            return self.fail(
                Diagnostic::error(
                    "target",
                    tree.span(),
                    "expected the name of a coordinate or of a group velocity",
                )
                .help("components are written `(x: 1, w[3]: 2)`"),
            );
        };
        self.ledger.used.insert(access.name.to_owned());
        let scope = self.scope;
        let Some(entry) = scope.entries.get(access.name) else {
            return self.unknown_target(&access);
        };
        let no_prime = |this: &mut Self| {
            let message = "a component goes by its coordinate, without a prime";
            this.fail(
                Diagnostic::error("target", tree.span(), message)
                    .help(format!("write `{}:`", access.name)),
            )
        };
        match &entry.meaning {
            Meaning::Unknown | Meaning::Pending => None,
            Meaning::Coordinate(_) if access.primes > 0 => no_prime(self),
            Meaning::Coordinate(symbol) if access.indices.is_none() => {
                Some((vec![symbol.derivative()], Shape::Scalar))
            }
            Meaning::Velocity(value) if access.primes == 0 => {
                match self.part(value, &access, tree.span())? {
                    Target::Symbols(symbols, shape) => Some((symbols, shape)),
                    _ => None,
                }
            }
            Meaning::Velocity(_) => no_prime(self),
            // The velocity of R(n) is v'; `v[1]` names the component as well.
            Meaning::Group { kind, element, .. }
                if kind.is_vector_space() && access.primes <= 1 =>
            {
                let access = Access {
                    primes: 1,
                    ..access
                };
                match self.part(element, &access, tree.span())? {
                    Target::Symbols(symbols, shape) => Some((symbols, shape)),
                    _ => None,
                }
            }
            Meaning::Group { velocity_name, .. } => {
                let message = format!(
                    "the components of the group factor `{}` go by its velocity",
                    access.name
                );
                self.fail(
                    Diagnostic::error("target", tree.span(), message)
                        .help(format!("write for example `({velocity_name}: 1)`")),
                )
            }
            _ => {
                let message = format!(
                    "`{}` is {}, not a coordinate or a group velocity",
                    access.name, entry.what
                );
                self.fail(
                    Diagnostic::error("target", tree.span(), message)
                        .also(entry.span, "declared here"),
                )
            }
        }
    }
}

fn is_state(meaning: &Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Coordinate(_)
            | Meaning::Auxiliary(_)
            | Meaning::Group { .. }
            | Meaning::Velocity(_)
    )
}
