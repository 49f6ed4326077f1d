//! The structure of a file: `system` comes first, what must be there is there, what may occur once does.

use crate::auxiliary::Clock;
use crate::diagnostic::Diagnostic;
use crate::parse::end_of;
use crate::source::Span;
use crate::syntax::{Statement, StatementKind};

use super::Elaborator;

impl Elaborator<'_> {
    pub(super) fn structure(&mut self, statements: &[Statement]) {
        self.system(statements);
        let has = |wanted: fn(&StatementKind) -> bool| statements.iter().any(|s| wanted(&s.kind));
        // An unreadable statement may be the missing one.
        if statements.is_empty() || statements.iter().any(Statement::is_doubtful) {
            return;
        }
        let end = end_of(self.source);
        // A lone `potential` is reported where the Lagrangian is composed.
        let energies = |k: &StatementKind| {
            use StatementKind::{Kinetic, Lagrangian, Potential};
            matches!(k, Lagrangian(_) | Kinetic(_) | Potential(_))
        };
        // Where `map` takes states on, a `coord` has been reported.
        let space = self.model.clock != Clock::Map
            && has(|k| matches!(k, StatementKind::Coord(_) | StatementKind::Group(_)));
        let states = has(|k| matches!(k, StatementKind::State(_)));
        // A model of states alone needs neither.
        if !space && states && !has(energies) {
            return;
        }
        if !space {
            let message =
                "the model has no configuration space: expected a `coord` or a `group` statement";
            let help = match states {
                true => "a Lagrangian needs coordinates; a model of states alone has none",
                false => "declare for example `coord x, y`",
            };
            self.sink
                .push(Diagnostic::error("missing", end, message).help(help));
        }
        if !has(energies) {
            let message =
                "the model has no Lagrangian: expected a `lagrangian` or a `kinetic` statement";
            self.sink.push(
                Diagnostic::error("missing", end, message)
                    .help("write for example `lagrangian m/2*x'^2`"),
            );
        }
    }

    fn system(&mut self, statements: &[Statement]) {
        let Some(first) = statements.first() else {
            let diagnostic = Diagnostic::error(
                "missing",
                Span::default(),
                "the file has no statements: expected `system NAME`",
            )
            .help("a model begins with `system NAME \"Title\"`");
            self.sink.push(diagnostic);
            return;
        };
        let mut found = false;
        for (index, statement) in statements.iter().enumerate() {
            let StatementKind::System { name, title } = &statement.kind else {
                continue;
            };
            if !self.only_once("system", statement.keyword) {
                continue;
            }
            found = true;
            if index > 0 {
                let diagnostic = Diagnostic::error(
                    "order",
                    statement.keyword,
                    "`system` must be the first statement",
                )
                .also(first.keyword, "the first statement is this")
                .help("move it to the top of the file");
                self.sink.push(diagnostic);
            }
            self.model.name.clone_from(&name.text);
            self.model.title.clone_from(title);
            self.model.span = statement.span;
            self.model.doc = self.doc(statement, statement.span);
        }
        if !found && !first.is_doubtful() {
            let diagnostic = Diagnostic::error(
                "missing",
                first.keyword,
                "expected `system NAME` as the first statement",
            )
            .label("before this")
            .help("a model begins with `system NAME \"Title\"`");
            self.sink.push(diagnostic);
        }
    }
}
