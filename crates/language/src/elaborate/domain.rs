//! Where a model is defined: what its logarithms, roots and inverse functions ask of the symbols.
//!
//! A state outside is no state of the model, so no proof may rest on one: the symbols carry the domain like any other
//! assumption.

use std::collections::{HashMap, HashSet};

use rattleback_symbolic::{Assumptions, Expr, Fact, Function, Kind, Sign, Symbol, postorder};

use crate::diagnostic::Diagnostic;
use crate::model::{Assumption, Factor, Model};
use crate::scope::Scope;
use crate::source::Span;
use crate::syntax::{Relation, Statement, StatementKind};

use super::evaluate::{Demand, Ledger};

/// A part of the domain, and the statement that asks for it.
pub(super) struct Defined {
    pub(super) fact: Fact,
    pub(super) span: Span,
    /// Is it about time or entries of group elements? They are tied by more than assumptions, and time runs through.
    is_tied: bool,
    /// Can a motion leave it? One that only touches zero, to its accuracy, does not.
    is_watched: bool,
    /// The exponent of a power that asks for nothing where this is whole: motions know its value, proofs do not.
    unless_whole: Option<Expr>,
}

impl Defined {
    /// May the symbols carry it?
    pub(super) fn is_fact(&self) -> bool {
        !self.is_tied && self.unless_whole.is_none()
    }

    /// As an assumption of a model, to be watched along its motions.
    fn assumption(&self, scope: &Scope) -> Assumption {
        Assumption {
            lhs: scope.in_scope(self.fact.expression()),
            relation: match self.fact.sign() {
                Sign::NonNegative => Relation::GreaterOrEqual,
                _ => Relation::Greater,
            },
            rhs: Expr::zero(),
            text: self.fact.to_string(),
            unless_whole: self.unless_whole.as_ref().map(|e| scope.in_scope(e)),
            span: self.span,
        }
    }
}

/// What motions are watched for.
pub(super) fn watched<'d>(
    domain: impl IntoIterator<Item = &'d Defined>,
    scope: &Scope,
) -> Vec<Assumption> {
    let watched = domain.into_iter().filter(|d| d.is_watched);
    watched.map(|d| d.assumption(scope)).collect()
}

/// What functions asked of their arguments, and where abbreviations are used, in the order of the text.
struct Asked {
    facts: Vec<(Demand, Span)>,
    mentions: Vec<(Span, Span)>,
}

impl Asked {
    fn new(ledger: Ledger) -> Self {
        let Ledger {
            asked: mut facts,
            mut mentions,
            ..
        } = ledger;
        facts.sort_by_key(|(_, call)| call.start);
        mentions.sort_by_key(|(_, place)| place.start);
        Self { facts, mentions }
    }

    /// What the motion asks for, in its own statements and through abbreviations.
    fn of_motion(&self, statements: &[Statement]) -> Vec<(Demand, Span)> {
        let abbreviations: HashMap<u32, Span> = statements
            .iter()
            .filter_map(|s| match &s.kind {
                StatementKind::Let(items) => Some(items),
                _ => None,
            })
            .flatten()
            .map(|d| (d.name.span.start, d.value.span()))
            .collect();
        let mut found = Vec::new();
        let mut seen: HashSet<u32> = HashSet::new();
        for statement in statements.iter().filter(|s| is_motion(&s.kind)) {
            let mut open = vec![statement.span];
            while let Some(part) = open.pop() {
                let facts = within(&self.facts, part).iter();
                found.extend(facts.map(|(demand, _)| (demand.clone(), statement.span)));
                let named = within(&self.mentions, part).iter();
                let named = named.filter(|(name, _)| seen.insert(name.start));
                open.extend(named.filter_map(|(name, _)| abbreviations.get(&name.start)));
            }
        }
        found
    }
}

/// Those whose places are in a part of the text; they are in order.
fn within<T>(all: &[(T, Span)], part: Span) -> &[(T, Span)] {
    let from = all.partition_point(|(_, place)| place.start < part.start);
    let to = all.partition_point(|(_, place)| place.start < part.end);
    &all[from..to.max(from)]
}

/// What must hold for the Lagrangian, the constraints, the forces, the rates and the maps to have values, where the symbols do not say it.
/// `asked` is what functions asked of their arguments, whether or not it is left of them: √x² is x, where √x is.
pub(super) fn domain(model: &Model, statements: &[Statement], asked: Ledger) -> Vec<Defined> {
    let groups = model
        .configuration
        .iter()
        .filter(|factor| matches!(factor, Factor::Group { .. }));
    let tied: Vec<Symbol> = groups
        .flat_map(|group| group.positions().iter().cloned())
        .chain([Symbol::time()])
        .collect();
    let mut all: Vec<Defined> = Vec::new();
    let forces = model.forces.iter().flat_map(|force| {
        let components = force.components.iter();
        components.map(|(_, component)| (component, force.span))
    });
    let potential = statements
        .iter()
        .find(|s| matches!(s.kind, StatementKind::Potential(_)))
        .and_then(|s| Some((model.potential.as_ref()?, s.span)));
    let updates = model.states.iter();
    let updates = updates.map(|s| (s.update.expression(), s.update_span));
    let stated = potential
        .into_iter()
        .chain([(&model.lagrangian, model.lagrangian_span)])
        .chain(model.constraints.iter().map(|c| (&c.expr, c.span)))
        .chain(forces)
        .chain(updates);
    let stated = stated.flat_map(|(e, span)| {
        let demands = facts(e).into_iter().map(Demand::from);
        demands.map(move |demand| (demand, span))
    });
    let cancelled = Asked::new(asked).of_motion(statements).into_iter();
    let cancelled = cancelled.filter(|(demand, _)| is_needed(&demand.fact));
    for (Demand { fact, unless_whole }, span) in stated.chain(cancelled) {
        let is_known = |d: &Defined| d.fact == fact && d.unless_whole == unless_whole;
        if !all.iter().any(is_known) {
            all.push(Defined {
                is_tied: tied.iter().any(|s| fact.expression().contains(s)),
                is_watched: !fact.expression().sign().is_nonnegative(),
                unless_whole,
                fact,
                span,
            });
        }
    }
    all
}

/// Is the motion made of it?
fn is_motion(statement: &StatementKind) -> bool {
    matches!(
        statement,
        StatementKind::Lagrangian(_)
            | StatementKind::Kinetic(_)
            | StatementKind::Potential(_)
            | StatementKind::Constraint(_)
            | StatementKind::Force(_)
            | StatementKind::Rate(_)
            | StatementKind::Map(_)
    )
}

/// Do the signs of the symbols not say it already?
fn is_needed(fact: &Fact) -> bool {
    let known = fact.expression().sign();
    !(known.is_nonnegative() && (known == fact.sign() || fact.sign() == Sign::NonNegative))
}

/// What the functions and powers of one expression ask for. A parameter as exponent asks for nothing: it may be whole.
fn facts(e: &Expr) -> Vec<Fact> {
    let mut all = Vec::new();
    let mut need = |x: Expr, sign: Sign| {
        let fact = Fact::new(x, sign);
        if is_needed(&fact) {
            all.push(fact);
        }
    };
    for part in postorder(std::slice::from_ref(e), |_| true) {
        match part.kind() {
            Kind::Function(Function::Log, x) => need(x[0].clone(), Sign::Positive),
            Kind::Function(Function::Asin | Function::Acos, x) => {
                need(Expr::one() - &x[0], Sign::NonNegative);
                need(Expr::one() + &x[0], Sign::NonNegative);
            }
            Kind::Product(powers) => {
                for (base, exponent) in powers.iter().filter(|(_, r)| !r.is_integer()) {
                    let sign = match exponent.is_negative() {
                        true => Sign::Positive,
                        false => Sign::NonNegative,
                    };
                    need(base.clone(), sign);
                }
            }
            _ => {}
        }
    }
    all
}

/// The mistake of a model that is defined nowhere: parts of its domain exclude each other or the assumptions, which
/// come first among the facts.
pub(super) fn nowhere(domain: &[Defined], facts: &[Fact]) -> Option<Diagnostic> {
    let Defined { fact, span, .. } = domain
        .iter()
        .find(|d| excluded(&d.fact))
        .or_else(|| clashing(domain, facts))?;
    let message = format!("this is defined where {fact}, and no state of the model is there");
    Some(
        Diagnostic::error("domain", *span, message)
            .help("change it, or an assumption that excludes it"),
    )
}

/// Do the signs of the symbols exclude it alone?
fn excluded(fact: &Fact) -> bool {
    match fact.expression().sign() {
        Sign::Negative => true,
        Sign::NonPositive => fact.sign() == Sign::Positive,
        _ => false,
    }
}

fn clashing<'d>(domain: &'d [Defined], facts: &[Fact]) -> Option<&'d Defined> {
    let assumed = facts.len() - domain.len();
    let clash = Assumptions::contradiction(facts)?;
    let asks = clash.iter().rev().find_map(|i| i.checked_sub(assumed))?;
    domain.get(asks)
}
