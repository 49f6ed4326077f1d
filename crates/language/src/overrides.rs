//! Overrides: values that are set from outside, read with the expression parser of the model language.

use std::fmt;

use rattleback_symbolic::{Expr, Matrix, Symbol, nullspace, simplify};

use crate::auxiliary::{Clock, Input};
use crate::diagnostic::{Diagnostic, Sink};
use crate::elaborate::access::{Access, access};
use crate::elaborate::context::Context;
use crate::elaborate::evaluate::{Evaluator, Ledger};
use crate::elaborate::review::{
    NO_STATE, beyond_state, broken_assumptions, check_horizon, underflow,
};
use crate::elaborate::schedule::misfits;
use crate::model::{Assignment, ConstraintKind, Factor, Given, Horizon, Model, Parameter};
use crate::numeric::Values;
use crate::parse::{lone_assignment, lone_expression};
use crate::scope::Meaning;
use crate::source::{Source, Span};
use crate::suggest::closest;
use crate::syntax::{Equation, Tree};
use crate::value::{Shape, Value};

/// Settings such as `m=2`, `theta'=0.5`, `R=identity`, `u=1.2` (a constant input), `until=5` or `step=1/100`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    items: Vec<(Source, Item)>,
}

/// One setting.
#[derive(Clone, Debug)]
enum Item {
    /// `NAME=VALUE`.
    Assignment(Equation),
    /// The value of an option of its own.
    Option(TimeOption, Tree),
}

impl Item {
    fn span(&self) -> Span {
        match self {
            Item::Assignment(equation) => equation.left.span().to(equation.right.span()),
            Item::Option(_, value) => value.span(),
        }
    }

    /// The name of what is set, where it has one.
    fn name<'a>(&'a self, source: &'a Source) -> Option<&'a str> {
        match self {
            Item::Assignment(equation) => access(&equation.left, source).map(|a| a.name),
            Item::Option(option, _) => Some(option.name()),
        }
    }
}

/// What sets the time of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOption {
    /// The end.
    Until,
    /// The step, or the spacing of the rows.
    Step,
}

impl TimeOption {
    /// Its name.
    fn name(self) -> &'static str {
        match self {
            TimeOption::Until => "until",
            TimeOption::Step => "step",
        }
    }

    /// A value that there could be.
    fn example(self) -> &'static str {
        match self {
            TimeOption::Until => "give a number or a constant expression, for example `until=2*pi`",
            TimeOption::Step => "give a positive number, for example `step=0.01`",
        }
    }
}

/// A setting that cannot be used, with what is wrong with it.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The text of the setting.
    pub source: Source,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// All settings that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub struct OverrideError {
    /// Each setting with its diagnostics.
    pub rejected: Vec<Rejected>,
}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl OverrideError {
    /// All diagnostics with the settings underlined.
    pub fn render(&self, color: bool) -> String {
        let render = |r: &Rejected| -> String {
            r.diagnostics
                .iter()
                .map(|d| d.render(&r.source, color))
                .collect()
        };
        self.rejected.iter().map(render).collect()
    }
}

impl Overrides {
    /// Reads settings of the form `NAME=VALUE`.
    pub fn parse<S: AsRef<str>>(
        settings: impl IntoIterator<Item = S>,
    ) -> Result<Self, OverrideError> {
        Self::parse_as(Source::SETTING, settings)
    }

    /// The same for settings by another option; what is wrong with them is told under its name.
    pub fn parse_as<S: AsRef<str>>(
        option: &str,
        settings: impl IntoIterator<Item = S>,
    ) -> Result<Self, OverrideError> {
        let mut overrides = Overrides::default();
        let mut rejected = Vec::new();
        for setting in settings {
            let source = Source::new(option, setting.as_ref());
            let read = |source: &Source, sink: &mut Sink| {
                lone_assignment(source, sink).map(Item::Assignment)
            };
            rejected.extend(overrides.add(source, read).err());
        }
        if rejected.is_empty() {
            Ok(overrides)
        } else {
            Err(OverrideError { rejected })
        }
    }

    /// Adds the value of an option; what is wrong with it is told under the option's name.
    pub fn option(&mut self, option: TimeOption, value: &str) -> Result<(), OverrideError> {
        let source = Source::new(option.name(), value);
        let read = |source: &Source, sink: &mut Sink| {
            Some(Item::Option(option, lone_expression(source, sink)))
        };
        self.add(source, read).map_err(|mut rejected| {
            for diagnostic in &mut rejected.diagnostics {
                diagnostic.help.get_or_insert(option.example().to_owned());
            }
            let rejected = vec![rejected];
            OverrideError { rejected }
        })
    }

    /// Reads one setting and keeps it.
    fn add(
        &mut self,
        source: Source,
        read: impl FnOnce(&Source, &mut Sink) -> Option<Item>,
    ) -> Result<(), Rejected> {
        let mut sink = Sink::default();
        let item = match crate::oversize(&source) {
            Some(diagnostic) => {
                sink.push(diagnostic);
                None
            }
            None => read(&source, &mut sink),
        };
        match item {
            Some(item) if !sink.has_errors() => {
                self.items.push((source, item));
                Ok(())
            }
            _ => Err(Rejected {
                source,
                diagnostics: sink.finish(),
            }),
        }
    }

    /// Adds a value by name: `set("m", "2")`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OverrideError> {
        let mut more = Self::parse([format!("{name}={value}")])?;
        self.items.append(&mut more.items);
        Ok(())
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// What there is to set.
const SETTABLE: &str = "set a parameter, a start value, a velocity along a declared frame, a control, `until` or `step`";

/// What a setting changes.
enum Place {
    Time(TimeOption),
    /// Parameter symbols with the structural zeros between them, in a shape; the rank of the declaration.
    Parameter {
        entries: Vec<Expr>,
        shape: Shape,
        rank: usize,
    },
    /// A control: the setting is its law.
    Control(Symbol),
    /// The velocity along a field of the declared frame.
    Frame(usize),
    State,
}

impl Model {
    /// The model with other parameter values, start values or horizon. Values that follow from changed
    /// parameters follow; an assumption that fails is an error.
    pub fn with_overrides(&self, overrides: &Overrides) -> Result<Model, OverrideError> {
        let mut model = self.clone();
        let mut rejected = Vec::new();
        // Velocities along a frame depend on the positions that other settings give.
        let is_field = |(source, item): &&(Source, Item)| {
            let name = item.name(source);
            name.is_some_and(|name| self.frame.iter().any(|f| f.name == name))
        };
        let (last, first): (Vec<_>, Vec<_>) = overrides.items.iter().partition(is_field);
        for (source, item) in first.into_iter().chain(last) {
            let mut sink = Sink::default();
            let _ = model.apply(source, item, &mut sink);
            let mut diagnostics = sink.finish();
            if let Item::Option(option, _) = item {
                // Names cannot be declared here.
                let wrong = diagnostics.iter_mut();
                wrong.for_each(|d| d.help = Some(option.example().to_owned()));
            }
            if !diagnostics.is_empty() {
                rejected.push(Rejected {
                    source: source.clone(),
                    diagnostics,
                });
            }
        }
        if rejected.is_empty() {
            rejected = consequences(&model, overrides);
        }
        if rejected.is_empty() {
            Ok(model)
        } else {
            Err(OverrideError { rejected })
        }
    }

    /// The values of all parameters as exact constants, in an order in which they can be worked out.
    pub fn parameter_values(&self, overrides: &Overrides) -> Result<Values, OverrideError> {
        if overrides.is_empty() {
            return Ok(Values::of(self));
        }
        self.with_overrides(overrides)
            .map(|model| Values::of(&model))
    }

    /// An expression in the names of the model, generated names included: a printed formula reads back.
    pub fn expression(&self, source: &Source) -> Result<Value, Vec<Diagnostic>> {
        let mut sink = Sink::default();
        if let Some(diagnostic) = crate::oversize(source) {
            return Err(vec![diagnostic]);
        }
        let tree = lone_expression(source, &mut sink);
        let context = Context::everything("the expression")
            .with_generated()
            .with_start()
            .with_next();
        let mut ledger = Ledger::default();
        let mut evaluator = Evaluator {
            source,
            scope: &self.scope,
            sink: &mut sink,
            ledger: &mut ledger,
        };
        let value = evaluator.evaluate(&tree, &context);
        match value {
            Some(value) if !sink.has_errors() => Ok(value),
            _ => Err(sink.finish()),
        }
    }

    fn apply(&mut self, source: &Source, item: &Item, sink: &mut Sink) -> Option<()> {
        let scope = self.scope.clone();
        let mut ledger = Ledger::default();
        let mut evaluator = Evaluator {
            source,
            scope: &scope,
            sink,
            ledger: &mut ledger,
        };
        let context = Context::setting();
        let equation = match item {
            Item::Assignment(equation) => equation,
            Item::Option(option, value) => {
                return self.set_time(*option, value, &mut evaluator);
            }
        };
        match self.place(source, equation, &mut evaluator)? {
            Place::Time(option) => self.set_time(option, &equation.right, &mut evaluator)?,
            Place::Control(control) => {
                let law = evaluator.scalar(&equation.right, &context)?;
                let value = Values::of(self).number(&law);
                if value.is_some_and(|u| !u.is_finite()) {
                    let message = format!("the value of `{control}` is not a finite number");
                    let span = equation.right.span();
                    evaluator
                        .sink
                        .push(Diagnostic::error("undefined", span, message));
                    return None;
                }
                self.set_input(Input {
                    control,
                    law,
                    doc: None,
                    span: item.span(),
                    setting: Some(source.text().to_owned()),
                });
            }
            Place::Parameter {
                entries,
                shape,
                rank,
            } => {
                let value = evaluator.evaluate(&equation.right, &context.above(rank))?;
                self.set_parameter(&entries, shape, &value, equation, &mut evaluator)?;
            }
            Place::Frame(along) => {
                let value = evaluator.scalar(&equation.right, &context)?;
                self.set_along_frame(along, value, source, item.span(), &mut evaluator)?;
            }
            Place::State => {
                let assignments = evaluator.assignments(equation, false, "a start value")?;
                for mut assignment in assignments {
                    assignment.setting = Some(source.text().to_owned());
                    self.start.replace(assignment, &scope);
                }
            }
        }
        Some(())
    }

    /// Gives the velocity along one field of the frame; those along the others stay as the start states them, 0 where
    /// it does not.
    fn set_along_frame(
        &mut self,
        along: usize,
        value: Expr,
        source: &Source,
        span: Span,
        evaluator: &mut Evaluator,
    ) -> Option<()> {
        let here = self.stated_positions();
        let fields: Vec<Vec<(Symbol, Expr)>> = self
            .frame
            .iter()
            .map(|f| {
                let all = f.components.iter();
                all.map(|(y, e)| (y.clone(), e.substitute(&here))).collect()
            })
            .collect();
        let positions = self.positions();
        let unknown = fields
            .iter()
            .flatten()
            .find(|(_, e)| e.contains_any(&positions));
        if unknown.is_some() {
            let message = format!(
                "the field `{}` depends on a position that the start leaves to the constraints: state it",
                self.frame[along].name
            );
            return evaluator.fail(Diagnostic::error("target", span, message));
        }
        let part = |b: usize, y: &Symbol| {
            let of = fields[b].iter().find(|(s, _)| s == y);
            of.map_or_else(Expr::zero, |(_, e)| e.clone())
        };
        let stated: Vec<(Symbol, Expr)> = self
            .start
            .velocities
            .iter()
            .map(|a| (a.symbol.clone(), a.value.clone()))
            .collect();
        let n = fields.len();
        let mut parts = vec![Expr::zero(); n];
        if !stated.is_empty() {
            let rows = Matrix::new(stated.len(), n + 1, |i, b| match b < n {
                true => part(b, &stated[i].0),
                false => -&stated[i].1,
            });
            let all = nullspace(&rows).map(|s| s.basis).unwrap_or_default();
            if let Some(found) = all.iter().find(|v| !v[n].is_zero()) {
                parts = (0..n).map(|b| &found[b] / &found[n]).collect();
            }
        }
        parts[along] = value;
        let scope = self.scope.clone();
        for symbol in self.velocities() {
            let terms = (0..n).map(|b| &parts[b] * part(b, &symbol));
            let assignment = Assignment {
                value: simplify(&Expr::sum(terms)),
                symbol,
                given: Given::Stated,
                span,
                setting: Some(source.text().to_owned()),
            };
            self.start.replace(assignment, &scope);
        }
        Some(())
    }

    /// The positions that the start knows: stated, or neutral where no constraint on positions asks for another.
    fn stated_positions(&self) -> Vec<(Symbol, Expr)> {
        let held = |z: &Symbol| {
            let mut constraints = self.constraints.iter();
            constraints.any(|c| c.kind == ConstraintKind::Holonomic && c.expr.contains(z))
        };
        let mut all = Vec::new();
        for factor in &self.configuration {
            let neutral = match factor {
                Factor::Coordinate { .. } => vec![Expr::zero()],
                Factor::Group { kind, .. } => kind.identity(),
            };
            for (z, neutral) in factor.positions().iter().zip(neutral) {
                let stated = self.start.positions.iter().find(|a| a.symbol == *z);
                match stated {
                    Some(a) if a.given == Given::Stated => all.push((z.clone(), a.value.clone())),
                    None if !held(z) => all.push((z.clone(), neutral)),
                    _ => {}
                }
            }
        }
        all
    }

    fn set_time(
        &mut self,
        option: TimeOption,
        value: &Tree,
        evaluator: &mut Evaluator,
    ) -> Option<()> {
        let span = value.span();
        let value = evaluator.scalar(value, &Context::setting())?;
        let end = self.time.as_ref().map(|time| time.to.clone());
        let free = end.filter(|to| option == TimeOption::Until && self.depends_on_free(to));
        if let Some(to) = free {
            let message = format!(
                "the end of the horizon is free, `{to}`: set its guess instead, by its name"
            );
            return evaluator.fail(Diagnostic::error("free", span, message));
        }
        let horizon = self.time.get_or_insert_with(|| Horizon {
            from: Expr::zero(),
            to: Expr::one(),
            step: None,
            span: Span::default(),
        });
        match option {
            TimeOption::Until => horizon.to = value,
            TimeOption::Step => horizon.step = Some(value),
        }
        Some(())
    }

    /// What the left side of a setting means.
    fn place(
        &self,
        source: &Source,
        equation: &Equation,
        evaluator: &mut Evaluator,
    ) -> Option<Place> {
        let Some(Access {
            name,
            name_span,
            indices,
            primes: 0,
        }) = access(&equation.left, source)
        else {
            return Some(Place::State);
        };
        match (self.scope.entries.get(name), name, &indices) {
            (None, "until", None) => Some(Place::Time(TimeOption::Until)),
            (None, "step", None) => Some(Place::Time(TimeOption::Step)),
            (Some(entry), ..) => match &entry.meaning {
                Meaning::Parameter(value) => {
                    self.parameter_place(value, &indices, entry.rank, equation, evaluator)
                }
                Meaning::Control(symbol) => Some(Place::Control(symbol.clone())),
                Meaning::Field if self.frame.iter().any(|f| f.name == name) => {
                    let along = self.frame.iter().position(|f| f.name == name)?;
                    Some(Place::Frame(along))
                }
                Meaning::Coordinate(_)
                | Meaning::Auxiliary(_)
                | Meaning::Group { .. }
                | Meaning::Velocity(_) => Some(Place::State),
                _ => evaluator.fail(
                    Diagnostic::error(
                        "target",
                        name_span,
                        format!("`{name}` is {} and cannot be set", entry.what),
                    )
                    .help(SETTABLE),
                ),
            },
            (None, ..) if self.scope.names.generated(name).is_some() => Some(Place::State),
            (None, ..) => {
                let known = self
                    .scope
                    .entries
                    .iter()
                    .filter(|(_, e)| settable(&e.meaning))
                    .map(|(n, _)| n.as_str());
                let near = closest(name, known.chain(["until", "step"]));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let help = evaluator.slip(name).or(near);
                let help = help.unwrap_or_else(|| SETTABLE.to_owned());
                evaluator.fail(
                    Diagnostic::error(
                        "unknown-name",
                        name_span,
                        format!("the model has no `{name}`"),
                    )
                    .help(help),
                )
            }
        }
    }

    fn parameter_place(
        &self,
        value: &Value,
        indices: &Option<Vec<usize>>,
        rank: usize,
        equation: &Equation,
        evaluator: &mut Evaluator,
    ) -> Option<Place> {
        let entries = value.entries();
        let shape = value.shape();
        let position = match (indices.as_deref(), shape) {
            (None, _) => {
                return Some(Place::Parameter {
                    entries: entries.to_vec(),
                    shape,
                    rank,
                });
            }
            (Some(&[i]), Shape::Vector(n)) if (1..=n).contains(&i) => i - 1,
            (Some(&[i, j]), Shape::Matrix(n, m))
                if (1..=n).contains(&i) && (1..=m).contains(&j) =>
            {
                (i - 1) * m + j - 1
            }
            _ => {
                let message = format!("this parameter is {shape}: there is no such entry");
                return evaluator.fail(Diagnostic::error("index", equation.left.span(), message));
            }
        };
        Some(Place::Parameter {
            entries: vec![entries[position].clone()],
            shape: Shape::Scalar,
            rank,
        })
    }

    fn set_parameter(
        &mut self,
        entries: &[Expr],
        shape: Shape,
        value: &Value,
        equation: &Equation,
        evaluator: &mut Evaluator,
    ) -> Option<()> {
        if value.shape() != shape {
            let message = format!("expected {shape}, found {}", value.shape());
            return evaluator.fail(Diagnostic::error("shape", equation.right.span(), message));
        }
        for (entry, value) in entries.iter().zip(value.entries()) {
            match entry.as_symbol() {
                Some(symbol) => {
                    if let Some(parameter) =
                        self.parameters.iter_mut().find(|p| p.symbol == *symbol)
                    {
                        parameter.value = value.clone();
                    }
                }
                None if value.is_zero() => {}
                None => {
                    let message = "an entry that is 0 in the model stays 0: the equations were derived with it";
                    return evaluator.fail(
                        Diagnostic::error("structure", equation.right.span(), message)
                            .help("give the entry a nonzero default in the model"),
                    );
                }
            }
        }
        Some(())
    }
}

fn settable(meaning: &Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Parameter(_)
            | Meaning::Coordinate(_)
            | Meaning::Auxiliary(_)
            | Meaning::Control(_)
            | Meaning::Group { .. }
            | Meaning::Velocity(_)
    )
}

/// Something that the changed values break: a stable word for it, the message, the symbols that it is about.
struct Consequence {
    code: &'static str,
    message: String,
    symbols: Vec<Symbol>,
    help: Option<String>,
}

/// What the changed values break in the model: assumptions, the horizon, values that do not exist.
fn consequences(model: &Model, overrides: &Overrides) -> Vec<Rejected> {
    let values = Values::of(model);
    let mut found: Vec<Consequence> = Vec::new();
    let mut add = |code, message, symbols| {
        found.push(Consequence {
            code,
            message,
            symbols,
            help: None,
        });
    };
    for Parameter { symbol, value, .. } in &model.parameters {
        let mut symbols = vec![symbol.clone()];
        symbols.extend(value.free_symbols());
        if values.get(symbol).is_some_and(Expr::is_undefined) {
            let message = format!("with this, the value of `{symbol}` is not defined");
            add("undefined", message, symbols);
        } else if values.underflows(symbol) {
            add("range", underflow(symbol), symbols);
        }
    }
    for (assumption, found) in broken_assumptions(model, &values) {
        let sides = [assumption.lhs.clone(), assumption.rhs.clone()];
        let message = format!(
            "this breaks the assumption `{}` of the model: {found}",
            assumption.text
        );
        add(
            "assumption",
            message,
            rattleback_symbolic::free_symbols(&sides),
        );
    }
    for (symbol, _) in beyond_state(model, &model.scope) {
        add("target", NO_STATE.to_owned(), vec![symbol]);
    }
    if let Some((word, message)) = check_horizon(model, &values) {
        let from = model.time.as_ref().and_then(|t| values.number(&t.from));
        let help = match word {
            "until" => format!("for example `until={}`", from.unwrap_or(0.0) + 10.0),
            _ if model.clock != Clock::Continuous => "leave the step out".to_owned(),
            _ => "for example `step=0.01`".to_owned(),
        };
        found.push(Consequence {
            code: "time",
            message,
            symbols: vec![Symbol::variable(word)],
            help: Some(help),
        });
    } else {
        found.extend(misfits(model, &values).into_iter().map(|misfit| {
            let times = ["until", "step"].map(Symbol::variable);
            Consequence {
                code: misfit.code,
                message: misfit.message,
                symbols: misfit.symbols.into_iter().chain(times).collect(),
                help: None,
            }
        }));
    }
    found.iter().map(|c| blame(overrides, c)).collect()
}

/// The setting that a consequence is about: one that sets one of the symbols, else the last.
fn blame(overrides: &Overrides, consequence: &Consequence) -> Rejected {
    let sets = |(source, item): &&(Source, Item)| {
        let name = item.name(source);
        consequence
            .symbols
            .iter()
            .any(|s| Some(s.name().split('[').next().unwrap_or_default()) == name)
    };
    let mut items = overrides.items.iter();
    let found = match consequence.code {
        // Of several times the last one counts.
        "time" => items.rfind(sets),
        _ => items.find(sets),
    };
    let found = found.or(overrides.items.last());
    let (source, item) = match found {
        Some((source, item)) => (source.clone(), Some(item)),
        None => (Source::new(Source::SETTING, ""), None),
    };
    let span = item.map_or(Span::default(), Item::span);
    let mut diagnostic = Diagnostic::error(consequence.code, span, &consequence.message);
    diagnostic.help = consequence.help.clone();
    Rejected {
        source,
        diagnostics: vec![diagnostic],
    }
}
