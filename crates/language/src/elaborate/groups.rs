//! Declarations of group factors: their entries, velocities and kinematics.

use rattleback_lie::{Group, Trivialization};
use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::group;
use crate::model::Factor;
use crate::scope::{Dependence, Meaning, Variable};
use crate::suggest::closest;
use crate::syntax::{GroupDeclaration, Name, Statement, VelocityNames};
use crate::value::{Shape, Value};
use crate::words::groups;

use super::Elaborator;
use super::evaluate::clip;

/// Which groups there are, for a message.
fn known() -> String {
    let name = |g: Group| match g.is_vector_space() {
        true => format!("{}(n)", g.family()),
        false => g.to_string(),
    };
    let [all @ .., last] = Group::ALL.map(name);
    format!("the groups are {} and {last}", all.join(", "))
}

impl Elaborator<'_> {
    pub(super) fn declare_group(&mut self, statement: &Statement, group: &GroupDeclaration) {
        let kind = self.group_kind(group);
        let Some(kind) = kind else {
            // The names are known to be declared, though not what they mean.
            self.declare_name(
                &group.name,
                "a group",
                Meaning::Unknown,
                Dependence::default(),
            );
            for name in velocity_names(group) {
                self.declare_name(name, "a velocity", Meaning::Unknown, Dependence::default());
            }
            return;
        };
        let entries = self.entry_symbols(&group.name.text, group::shape(kind));
        let element = element(kind, &entries);
        let (velocities, velocity_name) = self.velocities(group, kind, &entries);
        let meaning = Meaning::Group {
            kind,
            element: element.clone(),
            entries: entries.clone(),
            velocities: velocities.clone(),
            velocity_name,
        };
        let dependence = Dependence {
            positions: true,
            ..Dependence::default()
        };
        let fine = self.declare_name(&group.name, "a group", meaning, dependence);
        self.declare_velocities(group, kind, &velocities);
        if !fine {
            return;
        }
        for symbol in &entries {
            self.scope
                .variables
                .insert(symbol.name().to_owned(), Variable::Position);
        }
        let trivialization = if group.space {
            Trivialization::Space
        } else {
            Trivialization::Body
        };
        if !kind.is_vector_space() {
            let w: Vec<Expr> = velocities.iter().map(Expr::from).collect();
            let rates = kind.rates(trivialization, element.entries(), &w);
            self.scope.rates.extend(entries.iter().cloned().zip(rates));
        }
        let name = group.name.text.clone();
        let doc = self.doc(statement, statement.span);
        let span = group.name.span;
        self.model.configuration.push(Factor::Group {
            name,
            kind,
            entries,
            velocities,
            trivialization,
            doc,
            span,
        });
    }

    fn group_kind(&mut self, group: &GroupDeclaration) -> Option<Group> {
        let (n, _) = group.dimension?;
        let kind = group::named(&group.family.text, n);
        if kind.is_none() {
            let name = format!("{}({n})", clip(&group.family.text));
            let help = match closest(&group.family.text, groups()) {
                Some(near) if group::named(near, n).is_some() => {
                    format!("did you mean `{near}({n})`?")
                }
                _ => known(),
            };
            self.sink.push(
                Diagnostic::error(
                    "group",
                    group.family.span,
                    format!("`{name}` is not a group of the language"),
                )
                .help(help),
            );
        }
        kind
    }

    /// The velocity symbols, and how a message names the velocity.
    fn velocities(
        &mut self,
        group: &GroupDeclaration,
        kind: Group,
        entries: &[Symbol],
    ) -> (Vec<Symbol>, String) {
        let n = kind.dimension();
        if kind.is_vector_space() {
            let jets = entries.iter().map(Symbol::derivative).collect();
            return (jets, format!("{}'", group.name.text));
        }
        match &group.velocity {
            Some(VelocityNames::Vector(name)) if n == 1 => {
                (vec![self.variable(&name.text)], name.text.clone())
            }
            Some(VelocityNames::Vector(name)) => (
                self.entry_symbols(&name.text, Shape::Vector(n)),
                name.text.clone(),
            ),
            Some(VelocityNames::Entries(names, span)) => {
                if names.len() != n {
                    let message = format!(
                        "{kind} has {n} velocity components, but here are {} names",
                        names.len()
                    );
                    self.sink.push(Diagnostic::error("shape", *span, message));
                }
                let symbols = (0..n)
                    .map(|i| {
                        names.get(i).map_or_else(
                            || self.variable(&format!("{}_{i}", group.name.text)),
                            |x| self.variable(&x.text),
                        )
                    })
                    .collect();
                (
                    symbols,
                    names
                        .first()
                        .map_or_else(String::new, |name| name.text.clone()),
                )
            }
            None => {
                let message = format!(
                    "the group factor `{}` needs a name for its velocity",
                    group.name.text
                );
                self.sink
                    .push(
                        Diagnostic::error("syntax", group.name.span, message).help(format!(
                            "write `group {} : {kind} velocity w`",
                            group.name.text
                        )),
                    );
                (
                    self.entry_symbols(&format!("{}_velocity", group.name.text), Shape::Vector(n)),
                    "w".to_owned(),
                )
            }
        }
    }

    fn variable(&self, name: &str) -> Symbol {
        self.scope.assumed(Symbol::variable(name))
    }

    /// The symbols of all entries of a vector or a matrix: `v[1]`, `R[1,1]`, ….
    fn entry_symbols(&self, name: &str, shape: Shape) -> Vec<Symbol> {
        let names = entry_names(name, shape);
        names.iter().map(|name| self.variable(name)).collect()
    }

    fn declare_velocities(&mut self, group: &GroupDeclaration, kind: Group, velocities: &[Symbol]) {
        let dependence = Dependence {
            velocities: true,
            ..Dependence::default()
        };
        let all = || velocities.iter().map(Expr::from).collect::<Vec<_>>();
        match &group.velocity {
            None => {}
            Some(VelocityNames::Vector(name)) => {
                let value = match velocities {
                    [one] if !kind.is_vector_space() => Value::Scalar(one.into()),
                    _ => Value::Vector(all()),
                };
                self.declare_name(name, "a velocity", Meaning::Velocity(value), dependence);
            }
            Some(VelocityNames::Entries(names, _)) => {
                for (i, name) in names.iter().enumerate() {
                    let meaning = velocities.get(i).map_or(Meaning::Unknown, |s| {
                        Meaning::Velocity(Value::Scalar(s.into()))
                    });
                    self.declare_name(name, "a velocity", meaning, dependence);
                }
            }
        }
        if !kind.is_vector_space() {
            for symbol in velocities {
                self.scope
                    .variables
                    .insert(symbol.name().to_owned(), Variable::Velocity);
            }
        }
    }
}

fn velocity_names(group: &GroupDeclaration) -> impl Iterator<Item = &Name> {
    let (one, many) = match &group.velocity {
        Some(VelocityNames::Vector(name)) => (Some(name), [].as_slice()),
        Some(VelocityNames::Entries(names, _)) => (None, names.as_slice()),
        None => (None, [].as_slice()),
    };
    one.into_iter().chain(many)
}

/// The names of all entries, row by row.
pub(super) fn entry_names(name: &str, shape: Shape) -> Vec<String> {
    match shape {
        Shape::Scalar => vec![name.to_owned()],
        Shape::Vector(n) => (1..=n).map(|i| format!("{name}[{i}]")).collect(),
        Shape::Matrix(rows, cols) => (1..=rows)
            .flat_map(|i| (1..=cols).map(move |j| (i, j)))
            .map(|(i, j)| format!("{name}[{i},{j}]"))
            .collect(),
    }
}

/// A group element in its symbols. The last row of a motion is constant, and is written so.
fn element(kind: Group, entries: &[Symbol]) -> Value {
    let mut values: Vec<Expr> = entries.iter().map(Expr::from).collect();
    if let (true, Shape::Matrix(rows, cols)) = (kind.has_fixed_row(), group::shape(kind)) {
        for j in 0..cols {
            values[(rows - 1) * cols + j] = if j + 1 == cols {
                Expr::one()
            } else {
                Expr::zero()
            };
        }
    }
    Value::from_entries(group::shape(kind), values)
}
