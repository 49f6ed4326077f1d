//! The functions of an export in the order in which they are written.

use super::body::{Body, Equations, Queue, Statement, body};
use super::dialect::Dialect;
use super::names::{Scope, identifier};
use super::{Export, Routine};
use rattleback_compile::Table;

/// The identifiers of an export in one language.
pub(super) struct Identifiers {
    pub state: Vec<String>,
    pub parameters: Vec<String>,
    pub tables: Vec<Feed>,
    scope: Scope,
}

/// The identifiers of a table: its own, that of a piece as a whole, and those of its time and coefficients.
pub(super) struct Feed {
    pub table: String,
    pub row: String,
    pub piece: [String; 5],
}

impl Feed {
    fn of(table: &Table, scope: &mut Scope) -> Self {
        let control = identifier(&table.control.to_string());
        let part = |k: usize| match k {
            0 => format!("{control}_since"),
            k => format!("{control}_c{}", k - 1),
        };
        Feed {
            table: scope.declare(&format!("{control}_table").to_uppercase()),
            row: scope.declare(&format!("{control}_piece")),
            piece: std::array::from_fn(|k| scope.declare(&part(k))),
        }
    }
}

impl Identifiers {
    pub fn new(what: &Export, dialect: &Dialect) -> Identifiers {
        let mut scope = Scope::new(dialect.reserved);
        let mut declare = |variables: &[super::Variable]| -> Vec<String> {
            variables.iter().map(|v| scope.declare(&v.name)).collect()
        };
        let (state, parameters) = (declare(&what.state), declare(&what.parameters));
        let tables = what.tables.iter();
        let tables = tables.map(|table| Feed::of(table, &mut scope)).collect();
        Identifiers {
            state,
            parameters,
            tables,
            scope,
        }
    }

    /// Time, state, parameters, coefficients of tables: the inputs of the programs.
    pub fn inputs(&self) -> Vec<String> {
        let time = std::iter::once("t".to_owned());
        let given = self.state.iter().chain(&self.parameters);
        let coefficients = self.tables.iter().flat_map(|feed| &feed.piece);
        time.chain(given.chain(coefficients).cloned()).collect()
    }

    /// The tables that a body uses, each with those names of its piece that are used.
    pub fn fed<'a>(
        &'a self,
        body: &'a Body,
    ) -> impl Iterator<Item = (&'a Feed, Vec<Option<String>>)> {
        let first = 1 + self.state.len() + self.parameters.len();
        let used = body.used.get(first..).unwrap_or_default().chunks(5);
        let feeds = self.tables.iter().zip(used);
        let feeds = feeds.filter(|(_, used)| used.contains(&true));
        feeds.map(|(feed, used)| {
            let names = feed.piece.iter().zip(used);
            let names = names.map(|(name, used)| used.then(|| name.clone()));
            (feed, names.collect())
        })
    }

    /// Which of the state, and which of the parameters, a body uses; in order, by identifier.
    pub fn used<'a>(&'a self, body: &'a Body) -> [Vec<&'a String>; 2] {
        let used = |from: usize| body.used.iter().skip(from).copied();
        let pick = |names: &'a [String], from: usize| -> Vec<&'a String> {
            let flagged = names.iter().zip(used(from));
            flagged.filter(|(_, used)| *used).map(|(n, _)| n).collect()
        };
        [
            pick(&self.state, 1),
            pick(&self.parameters, 1 + self.state.len()),
        ]
    }
}

/// A routine with its body.
pub(super) struct Function<'a> {
    pub routine: &'a Routine,
    pub outputs: Vec<String>,
    pub body: Body,
}

impl Function<'_> {
    /// Is the only result named like the function? Then it is returned as a number.
    pub fn is_scalar(&self) -> bool {
        matches!(self.routine.outputs.as_slice(), [only] if *only == self.routine.name)
    }
}

/// Equations for Newton's method with their body.
pub(super) struct Implicit {
    pub number: usize,
    pub size: usize,
    pub known: Vec<String>,
    pub unknowns: Vec<String>,
    /// Outputs: the Jacobian by rows, then the residuals.
    pub body: Body,
}

impl Implicit {
    /// The Jacobian by rows, and the residuals.
    pub fn linearized(&self) -> (&[String], &[String]) {
        let outputs = &self.body.outputs;
        outputs.split_at(outputs.len().min(self.size * self.size))
    }
}

/// Everything to write.
pub(super) struct Written<'a> {
    pub rates: Function<'a>,
    pub functions: Vec<Function<'a>>,
    pub implicit: Vec<Implicit>,
    /// The largest system of equations; 0 where there is none.
    pub largest: usize,
}

impl Written<'_> {
    /// All functions, the rates first.
    pub fn all(&self) -> impl Iterator<Item = &Function<'_>> {
        std::iter::once(&self.rates).chain(&self.functions)
    }

    /// Can any of them fail?
    pub fn can_fail(&self) -> bool {
        self.all().any(|function| can_fail(&function.body))
    }

    /// Is Newton's method needed?
    pub fn has_implicit(&self) -> bool {
        !self.implicit.is_empty()
    }

    fn bodies(&self) -> impl Iterator<Item = &Body> {
        let implicit = self.implicit.iter().map(|e| &e.body);
        self.all().map(|f| &f.body).chain(implicit)
    }
}

/// Can a function with this body fail?
pub(super) fn can_fail(body: &Body) -> bool {
    let fails = |s: &Statement| !matches!(s, Statement::Let { .. });
    body.statements.iter().any(fails)
}

/// Writes all programs of an export as statements.
pub(super) fn written<'a>(what: &'a Export, names: &Identifiers, dialect: &Dialect) -> Written<'a> {
    let mut queue = Queue::default();
    let inputs = names.inputs();
    let mut function = |routine: &'a Routine| {
        let mut outputs = Scope::new(dialect.reserved);
        Function {
            routine,
            outputs: routine.outputs.iter().map(|n| outputs.declare(n)).collect(),
            body: body(
                &routine.program,
                &inputs,
                names.scope.clone(),
                dialect,
                &mut queue,
            ),
        }
    };
    let rates = function(&what.rates);
    let functions = what.functions.iter().map(&mut function).collect();
    let mut written = Written {
        rates,
        functions,
        implicit: Vec::new(),
        largest: 0,
    };
    while let Some(equations) = queue.waiting.pop_front() {
        let implicit = implicit(equations, dialect, &mut queue);
        written.implicit.push(implicit);
    }
    written.largest = largest(&written);
    written
}

fn implicit(equations: Equations, dialect: &Dialect, queue: &mut Queue) -> Implicit {
    let mut scope = Scope::new(dialect.reserved);
    let unknowns: Vec<String> = equations
        .unknowns
        .iter()
        .map(|n| scope.declare(n))
        .collect();
    let mut counter = 0;
    let known: Vec<String> = (0..equations.known)
        .map(|_| scope.number("k", &mut counter))
        .collect();
    let inputs = [known.clone(), unknowns.clone()].concat();
    Implicit {
        number: equations.number,
        size: unknowns.len(),
        body: body(&equations.program, &inputs, scope, dialect, queue),
        known,
        unknowns,
    }
}

fn largest(written: &Written) -> usize {
    let solved = |s: &Statement| match s {
        Statement::Solve { names, .. } | Statement::Newton { names, .. } => names.len(),
        Statement::Let { .. } | Statement::Check { .. } => 0,
    };
    let statements = written.bodies().flat_map(|body| &body.statements);
    statements.map(solved).max().unwrap_or(0)
}
