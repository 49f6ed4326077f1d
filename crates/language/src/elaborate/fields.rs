//! One-forms and vector fields by components: forces, controls, symmetries, frames, candidate solutions.

use rattleback_symbolic::{Expr, Symbol};

use crate::diagnostic::Diagnostic;
use crate::model::{Control, FibreItem, OneForm, VectorField};
use crate::scope::Meaning;
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{Components, Name, NamedComponents, Statement, StatementKind, Tree};
use crate::value::Shape;

use super::Elaborator;
use super::context::Context;
use super::evaluate::clip;

const FORCE: Context = Context::everything("a force");
const CONTROL: Context = Context::motion("the direction of a control");
const SYMMETRY: Context = Context::positions("a component of a symmetry");
const FRAME: Context = Context::positions("a component of a frame field");
const ONE_FORM: Context = Context::positions("a component of a one-form");

impl Elaborator<'_> {
    /// Forces, controls and everything else that is given by components.
    pub(super) fn fields(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Force(components) => {
                let form = self.one_form(statement, None, components, &FORCE);
                self.model.forces.push(form);
            }
            StatementKind::Control(items) => {
                items.iter().for_each(|item| self.control(statement, item))
            }
            StatementKind::Symmetry(items) => {
                let fields: Vec<_> = items
                    .iter()
                    .map(|item| self.vector_field(statement, item, &SYMMETRY))
                    .collect();
                self.model.symmetries.extend(fields);
            }
            StatementKind::Frame(items) => {
                let fields: Vec<_> = items
                    .iter()
                    .map(|item| self.vector_field(statement, item, &FRAME))
                    .collect();
                self.model.frame.extend(fields);
            }
            StatementKind::OneForm(items) => {
                for item in items {
                    let form =
                        self.one_form(statement, Some(&item.name), &item.components, &ONE_FORM);
                    self.model.oneforms.push(form);
                }
            }
            StatementKind::Fibre(names) => names.iter().for_each(|name| self.fibre(name)),
            _ => {}
        }
    }

    fn vector_field(
        &mut self,
        statement: &Statement,
        item: &NamedComponents,
        context: &Context,
    ) -> VectorField {
        let components = self.components(&item.components, context);
        let span = item.name.span.to(item.components.span);
        VectorField {
            name: item.name.text.clone(),
            components,
            doc: self.doc(statement, span),
            span,
        }
    }

    fn one_form(
        &mut self,
        statement: &Statement,
        name: Option<&Name>,
        components: &Components,
        context: &Context,
    ) -> OneForm {
        let span = name.map_or(components.span, |name| name.span.to(components.span));
        let name = name.map(|name| name.text.clone());
        let components = self.components(components, context);
        OneForm {
            name,
            components,
            doc: self.doc(statement, span),
            span,
        }
    }

    fn control(&mut self, statement: &Statement, item: &NamedComponents) {
        let form = self.one_form(statement, Some(&item.name), &item.components, &CONTROL);
        let entry = self
            .scope
            .entries
            .get(&item.name.text)
            .filter(|entry| entry.span == item.name.span);
        if let Some(Meaning::Control(symbol)) = entry.map(|entry| &entry.meaning) {
            let symbol = symbol.clone();
            self.model.controls.push(Control { symbol, form });
        }
    }

    /// Components by velocity symbol.
    fn components(&mut self, components: &Components, context: &Context) -> Vec<(Symbol, Expr)> {
        let mut found: Vec<(Symbol, Expr)> = Vec::new();
        let mut places: Vec<(Symbol, Span)> = Vec::new();
        for (label, value) in &components.items {
            let target = self.evaluator().component(label);
            let values = match value {
                Some(tree) => self.component_values(tree, target.as_ref().map(|t| t.1), context),
                None => self.unit_component(label, target.as_ref().map(|t| t.1)),
            };
            let (Some((symbols, _)), Some(values)) = (target, values) else {
                continue;
            };
            for (symbol, value) in symbols.into_iter().zip(values) {
                if let Some((_, first)) = places.iter().find(|(seen, _)| *seen == symbol) {
                    let diagnostic = Diagnostic::error(
                        "duplicate",
                        label.span(),
                        "this component is given twice",
                    )
                    .label("second")
                    .also(*first, "first");
                    self.sink.push(diagnostic);
                    break;
                }
                places.push((symbol.clone(), label.span()));
                found.push((symbol, value));
            }
        }
        found
    }

    fn component_values(
        &mut self,
        tree: &Tree,
        shape: Option<Shape>,
        context: &Context,
    ) -> Option<Vec<Expr>> {
        let value = self.value(tree, context)?;
        let shape = shape?;
        if value.shape() != shape {
            let message = format!("expected {shape}, found {}", value.shape());
            self.sink.push(
                Diagnostic::error("shape", tree.span(), message).label(value.shape().to_string()),
            );
            return None;
        }
        Some(value.entries().to_vec())
    }

    /// `control u on x`: the component is 1.
    fn unit_component(&mut self, label: &Tree, shape: Option<Shape>) -> Option<Vec<Expr>> {
        match shape? {
            Shape::Scalar => Some(vec![Expr::one()]),
            shape => {
                let message = format!("a control acts along one direction, but this is {shape}");
                self.sink.push(
                    Diagnostic::error("shape", label.span(), message)
                        .help("name one component, such as `w[1]`"),
                );
                None
            }
        }
    }

    fn fibre(&mut self, name: &Name) {
        self.ledger.used.insert(name.text.clone());
        let Some(entry) = self.scope.entries.get(&name.text) else {
            let known = self.model.configuration.iter().map(|factor| factor.name());
            let help = match closest(&name.text, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the fibre consists of coordinates and groups".to_owned(),
            };
            self.sink.push(
                Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("unknown name `{}`", clip(&name.text)),
                )
                .help(help),
            );
            return;
        };
        let item = match &entry.meaning {
            Meaning::Coordinate(symbol) => FibreItem::Coordinate(symbol.clone()),
            Meaning::Group { .. } => FibreItem::Group(name.text.clone()),
            Meaning::Unknown => return,
            _ => {
                let message = format!(
                    "the fibre consists of coordinates and groups, but `{}` is {}",
                    name.text, entry.what
                );
                self.sink.push(
                    Diagnostic::error("fibre", name.span, message)
                        .also(entry.span, "declared here"),
                );
                return;
            }
        };
        if self.model.fibre.contains(&item) {
            let message = format!("`{}` is in the fibre already", name.text);
            self.sink
                .push(Diagnostic::error("duplicate", name.span, message).help("remove it here"));
            return;
        }
        self.model.fibre.push(item);
    }
}
