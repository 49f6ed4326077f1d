//! Settings put into a model: what each names, and what it changes there.

use super::consequences::consequences;
use super::{Item, OverrideError, Overrides, Rejected, TimeOption};
use crate::auxiliary::Input;
use crate::diagnostic::{Diagnostic, Sink};
use crate::elaborate::access::{Access, access};
use crate::elaborate::context::Context;
use crate::elaborate::evaluate::{Evaluator, Ledger};
use crate::model::{Assignment, ConstraintKind, Factor, Given, Horizon, Model};
use crate::numeric::Values;
use crate::scope::Meaning;
use crate::source::{Source, Span};
use crate::suggest::closest;
use crate::syntax::{Equation, Tree};
use crate::value::{Shape, Value};
use rattleback_symbolic::{Expr, Matrix, Symbol, nullspace, simplify};

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
