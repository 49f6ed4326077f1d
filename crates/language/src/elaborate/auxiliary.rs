//! Auxiliary states with their rates or maps, and the laws of the controls.

use std::collections::HashMap;

use rattleback_symbolic::{Expr, Symbol};

use crate::auxiliary::{AuxiliaryState, Input, Update};
use crate::diagnostic::Diagnostic;
use crate::scope::Meaning;
use crate::source::Span;
use crate::suggest::closest;
use crate::syntax::{Definition, Equation, NodeKind, Statement, StatementKind, Tree};

use super::Elaborator;
use super::access::{Access, access};
use super::context::Context;
use super::evaluate::clip;

const RATE: Context = Context::everything("a rate").up_to_velocities();
const MAP: Context = Context::everything("a map");
const INPUT: Context = Context::motion("the law of a control").up_to_velocities();

/// How large all rates together may be, with those that they use put in.
const MAX_SIZE: usize = 1 << 20;

/// How many parts of an algebraic loop are shown.
const LONGEST: usize = 6;

/// The rates and maps that are given, by the name of the state.
type Updates = HashMap<String, (Update, Span)>;

impl Elaborator<'_> {
    pub(super) fn auxiliary(&mut self, statements: &[Statement]) {
        let mut updates = Updates::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Rate(items) => {
                    items.iter().for_each(|item| self.rate(item, &mut updates));
                }
                StatementKind::Map(items) => {
                    items.iter().for_each(|item| self.map(item, &mut updates));
                }
                StatementKind::Input(items) => {
                    items.iter().for_each(|item| self.input(statement, item));
                }
                _ => {}
            }
        }
        // A statement that could not be read may be the missing one.
        let doubtful = statements.iter().any(Statement::is_doubtful);
        for statement in statements {
            if let StatementKind::State(names) = &statement.kind {
                for name in names {
                    let update = updates.remove(&name.text);
                    self.state_with(statement, &name.text, name.span, update, doubtful);
                }
            }
        }
        self.check_loops();
    }

    /// Keeps a state with its rate or map; reports one that has none.
    fn state_with(
        &mut self,
        statement: &Statement,
        name: &str,
        span: Span,
        update: Option<(Update, Span)>,
        doubtful: bool,
    ) {
        let entry = self.scope.entries.get(name).filter(|e| e.span == span);
        let Some(Meaning::Auxiliary(symbol)) = entry.map(|e| &e.meaning) else {
            return;
        };
        let symbol = symbol.clone();
        match update {
            Some((update, update_span)) => {
                let doc = self.doc(statement, span);
                self.model.states.push(AuxiliaryState {
                    symbol,
                    update,
                    update_span,
                    doc,
                    span,
                });
            }
            None if doubtful => {}
            None => {
                let message =
                    format!("the auxiliary state `{name}` has neither a `rate` nor a `map`");
                let help = format!(
                    "write `rate {name}' = …`, or `map next({name}) = …` where time is discrete"
                );
                self.sink
                    .push(Diagnostic::error("missing", span, message).help(help));
            }
        }
    }

    /// `rate z' = EXPR`
    fn rate(&mut self, equation: &Equation, updates: &mut Updates) {
        let rate = match self.scope.discrete {
            // That `rate` does not belong here has been reported.
            Some(_) => None,
            None => self.scalar(&equation.right, &RATE),
        };
        if is_error(&equation.left) {
            return;
        }
        let Some(Access {
            name,
            indices: None,
            primes: 1,
            ..
        }) = access(&equation.left, self.source)
        else {
            let name = access(&equation.left, self.source).map_or("z", |a| a.name);
            let diagnostic = Diagnostic::error(
                "target",
                equation.left.span(),
                "expected the derivative of an auxiliary state",
            )
            .help(format!("write `rate {}' = …`", clip(name)));
            return self.sink.push(diagnostic);
        };
        let name = name.to_owned();
        self.update(&name, equation, rate.map(Update::Rate), updates);
    }

    /// `map next(z) = EXPR`
    fn map(&mut self, equation: &Equation, updates: &mut Updates) {
        let map = self.scalar(&equation.right, &MAP);
        if is_error(&equation.left) {
            return;
        }
        let Some(name) = next_of(&equation.left) else {
            let diagnostic = Diagnostic::error(
                "target",
                equation.left.span(),
                "expected the value of an auxiliary state at the next node",
            )
            .help("write `map next(z) = …`");
            return self.sink.push(diagnostic);
        };
        let name = name.to_owned();
        self.update(&name, equation, map.map(Update::Map), updates);
    }

    /// Notes how a state goes on; reports what is no state, and a second rate or map.
    fn update(
        &mut self,
        name: &str,
        equation: &Equation,
        update: Option<Update>,
        updates: &mut Updates,
    ) {
        let span = equation.left.span();
        match self.scope.entries.get(name) {
            Some(entry) => match &entry.meaning {
                Meaning::Auxiliary(_) => {}
                Meaning::Unknown | Meaning::Pending => return,
                meaning => {
                    let message =
                        format!("`{}` is {}, not an auxiliary state", clip(name), entry.what);
                    let diagnostic = Diagnostic::error("target", span, message)
                        .also(entry.span, "declared here");
                    return self.sink.push(match meaning {
                        Meaning::Coordinate(_) | Meaning::Group { .. } => diagnostic.help(
                            "its motion follows from the Lagrangian; one that is given is declared by `state`",
                        ),
                        _ => diagnostic,
                    });
                }
            },
            None => {
                let states = self.names_of(|meaning| matches!(meaning, Meaning::Auxiliary(_)));
                let help = match closest(name, states.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("declare it: `state {}`", clip(name)),
                };
                let message = format!("unknown name `{}`", clip(name));
                let diagnostic = Diagnostic::error("unknown-name", span, message).help(help);
                return self.sink.push(diagnostic);
            }
        }
        let whole = span.to(equation.right.span());
        if let Some((_, first)) = updates.get(name) {
            let message = format!("how `{name}` goes on is given twice");
            let diagnostic = Diagnostic::error("duplicate", whole, message)
                .label("second")
                .also(*first, "first")
                .help("an auxiliary state has one `rate` or one `map`");
            return self.sink.push(diagnostic);
        }
        // A mistake in the right-hand side has been reported.
        let update = update.unwrap_or_else(|| Update::Rate(Expr::zero()));
        updates.insert(name.to_owned(), (update, whole));
    }

    /// `input u = EXPR`
    fn input(&mut self, statement: &Statement, item: &Definition) {
        let law = self.scalar(&item.value, &INPUT);
        let Some(control) = self.control_named(&item.name.text, item.name.span) else {
            return;
        };
        let span = item.name.span.to(item.value.span());
        if let Some(first) = self.model.inputs.iter().find(|i| i.control == control) {
            let message = format!("the control `{control}` has two laws");
            let diagnostic = Diagnostic::error("duplicate", span, message)
                .label("second")
                .also(first.span, "first")
                .help("remove one of them");
            return self.sink.push(diagnostic);
        }
        let doc = self.doc(statement, span);
        let law = law.unwrap_or_else(Expr::zero);
        self.model.inputs.push(Input {
            control,
            law,
            doc,
            span,
            setting: None,
        });
    }

    /// The control of a name; reports what is none.
    fn control_named(&mut self, name: &str, span: Span) -> Option<Symbol> {
        let Some(entry) = self.scope.entries.get(name) else {
            let controls = self.names_of(|meaning| matches!(meaning, Meaning::Control(_)));
            let help = match closest(name, controls.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if controls.is_empty() => {
                    format!("declare it: `control {} on x`", clip(name))
                }
                None => format!("the controls are: {}", controls.join(", ")),
            };
            let message = format!("unknown name `{}`", clip(name));
            self.sink
                .push(Diagnostic::error("unknown-name", span, message).help(help));
            return None;
        };
        match &entry.meaning {
            Meaning::Control(symbol) => Some(symbol.clone()),
            Meaning::Unknown | Meaning::Pending => None,
            _ => {
                let message = format!("`{}` is {}, not a control", clip(name), entry.what);
                let diagnostic =
                    Diagnostic::error("target", span, message).also(entry.span, "declared here");
                self.sink
                    .push(diagnostic.help("an input is given to what `control` declares"));
                None
            }
        }
    }

    /// Names with a meaning of some kind, in alphabetical order, as many as a message can bear.
    pub(super) fn names_of(&self, wanted: impl Fn(&Meaning) -> bool) -> Vec<String> {
        let entries = self.scope.entries.iter();
        let mut names: Vec<String> = entries
            .filter(|(_, entry)| wanted(&entry.meaning))
            .map(|(name, _)| name.clone())
            .collect();
        names.sort_unstable();
        names.truncate(20);
        names
    }

    fn check_loops(&mut self) {
        if self.sink.has_errors() {
            return;
        }
        self.resolve_rates();
        let way = self.model.algebraic_loop();
        let (Some((_, place)), Some((first, _))) = (way.first(), way.first()) else {
            return;
        };
        // A long way is shown by its beginning.
        let shown = &way[..way.len().min(LONGEST)];
        let mut names: Vec<String> = shown.iter().map(|(s, _)| format!("`{s}`")).collect();
        names.extend((shown.len() < way.len()).then(|| "…".to_owned()));
        names.push(format!("`{first}`"));
        let message = format!(
            "an algebraic loop: {} depends on {}",
            names[0],
            names[1..].join(", which depends on ")
        );
        let diagnostic = Diagnostic::error("loop", *place, message)
            .help("a value that depends on itself at the same moment needs a `state` on the way");
        let diagnostic = shown[1..]
            .iter()
            .fold(diagnostic, |d, (_, span)| d.also(*span, "on the way"));
        self.sink.push(diagnostic);
    }
}

impl Elaborator<'_> {
    /// Puts rates into the rates that use them; reports those that have no value then.
    fn resolve_rates(&mut self) {
        let Some(last) = self.model.states.last().map(|state| state.update_span) else {
            return;
        };
        let size = self.model.size_of_rates();
        if size > MAX_SIZE {
            let message =
                "rates that use each other make expressions that are too large to work out";
            return self.sink.push(Diagnostic::error("size", last, message));
        }
        self.rates = self.model.resolved_rates();
        let rates = &self.rates;
        let undefined = |state: &&AuxiliaryState| {
            let rate = rates.get(&state.symbol.derivative());
            rate.is_some_and(Expr::is_undefined)
        };
        if let Some(state) = self.model.states.iter().find(undefined) {
            let message = format!(
                "the rate of `{}` has no value: it divides by zero, or its numbers are too large",
                state.symbol
            );
            self.sink
                .push(Diagnostic::error("undefined", state.update_span, message));
        }
    }
}

fn is_error(tree: &Tree) -> bool {
    matches!(tree.root(), NodeKind::Error)
}

/// The name of z where the tree is `next(z)`.
fn next_of(tree: &Tree) -> Option<&str> {
    match tree.root() {
        NodeKind::Call(call, arguments) if call.text == "next" => match arguments.as_slice() {
            [only] => match &tree.nodes[*only as usize].kind {
                NodeKind::Name(name) => Some(name),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
