//! Signs and relations that assumptions give to names, read before any symbol is made.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use rattleback_symbolic::{Fact, Rational, Sign};

use crate::diagnostic::Sink;
use crate::model::Assumption;
use crate::scope::Scope;
use crate::source::Source;
use crate::syntax::{NodeKind, Relation, Statement, StatementKind, Tree};

use super::Elaborator;
use super::access::access;

/// The sign of each name that is compared with a number: `m > 0`, `0 < I[1,1]`, `r != 0`.
pub(super) fn collect(source: &Source, statements: &[Statement]) -> HashMap<String, Sign> {
    let mut signs: HashMap<String, Sign> = HashMap::new();
    for statement in statements {
        let StatementKind::Assume(chains) = &statement.kind else {
            continue;
        };
        for chain in chains {
            for (pair, &relation) in chain.sides.windows(2).zip(&chain.relations) {
                let facts = [
                    (&pair[0], relation, &pair[1]),
                    (&pair[1], relation.reversed(), &pair[0]),
                ];
                for (left, relation, right) in facts {
                    if let (Some(name), Some(bound)) =
                        (symbol_name(left, source), number(right, source))
                    {
                        let entry = signs.entry(name).or_insert(Sign::Unknown);
                        *entry = entry.and(sign(relation, &bound));
                    }
                }
            }
        }
    }
    signs
}

/// The relations of the model, read in the signed symbols of a first elaboration; none where all
/// assumptions are about signs.
pub(super) fn relations(source: &Source, statements: &[Statement], scope: &Scope) -> Vec<Fact> {
    let mut chains = statements.iter().flat_map(|s| match &s.kind {
        StatementKind::Assume(chains) => chains.as_slice(),
        _ => &[],
    });
    let abbreviations: HashSet<&str> = statements
        .iter()
        .flat_map(|s| match &s.kind {
            StatementKind::Let(items)
            | StatementKind::Observe(items)
            | StatementKind::Flat(items) => items.as_slice(),
            _ => &[],
        })
        .map(|d| d.name.text.as_str())
        .collect();
    let is_sign = |pair: &[Tree]| is_sign(pair, source, &abbreviations);
    if chains.all(|chain| chain.sides.windows(2).all(is_sign)) {
        return Vec::new();
    }
    // What is wrong is reported by the elaboration proper.
    let mut sink = Sink::default();
    let mut first = Elaborator::new(source, &mut sink, scope.clone());
    first.clock(statements);
    first.declare(statements);
    first.define(statements);
    let assumptions = first.model.assumptions.iter();
    assumptions.map(Assumption::fact).collect()
}

/// Is a name that stands for a symbol compared with zero?
fn is_sign(pair: &[Tree], source: &Source, abbreviations: &HashSet<&str>) -> bool {
    let zero = |tree: &Tree| number(tree, source).is_some_and(|n| n.is_zero());
    let named = |tree: &Tree| {
        symbol_name(tree, source).is_some_and(|name| {
            let head = name.split('[').next().unwrap_or(&name);
            !abbreviations.contains(head)
        })
    };
    named(&pair[0]) && zero(&pair[1]) || zero(&pair[0]) && named(&pair[1])
}

/// The name of the symbol that an access means, such as `m` or `I[1,1]`.
fn symbol_name(tree: &Tree, source: &Source) -> Option<String> {
    let access = access(tree, source).filter(|a| a.primes == 0)?;
    Some(match access.indices {
        None => access.name.to_owned(),
        Some(indices) => {
            let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
            format!("{}[{}]", access.name, indices.join(","))
        }
    })
}

/// A number with or without a sign.
fn number(tree: &Tree, source: &Source) -> Option<Rational> {
    let parse = |tree: &Tree| source.slice(tree.nodes[0].span).parse::<Rational>().ok();
    match tree.nodes.as_slice() {
        [only] if matches!(only.kind, NodeKind::Number) => parse(tree),
        [first, last]
            if matches!(
                (&first.kind, &last.kind),
                (NodeKind::Number, NodeKind::Negate(_))
            ) =>
        {
            parse(tree).map(|n| -n)
        }
        _ => None,
    }
}

/// What `x relation bound` says about the sign of x.
fn sign(relation: Relation, bound: &Rational) -> Sign {
    match (relation, bound.cmp(&Rational::ZERO)) {
        (Relation::Greater, Ordering::Greater | Ordering::Equal)
        | (Relation::GreaterOrEqual, Ordering::Greater) => Sign::Positive,
        (Relation::GreaterOrEqual, Ordering::Equal) => Sign::NonNegative,
        (Relation::Less, Ordering::Less | Ordering::Equal)
        | (Relation::LessOrEqual, Ordering::Less) => Sign::Negative,
        (Relation::LessOrEqual, Ordering::Equal) => Sign::NonPositive,
        (Relation::NotEqual, Ordering::Equal) => Sign::NonZero,
        _ => Sign::Unknown,
    }
}
