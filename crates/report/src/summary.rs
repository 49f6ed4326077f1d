//! What `check` says about a model.

use crate::document::{Block, Data, Document};
use crate::kind::{Kind, LagrangianKind, counted};
use crate::language::{Constraint, ConstraintKind, Finding, Model, Severity, Source, Values};
use crate::mechanics::Form;
use crate::posed::PosedProblem;
use crate::sheet::json::parameters;
use crate::symbolic::Order;
use rattleback_numeric::number::shown;
use serde_json::{Map, Value, json};

/// What the check found out about a model without errors in its text.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What kind of system it is.
    pub kind: Kind,
    /// The formulation that `derive` takes by itself.
    pub default_form: Form,
    /// The formulations that apply.
    pub forms: Vec<Form>,
    /// The energy at the start, where it could be worked out.
    pub energy: Option<f64>,
}

impl Summary {
    /// A few lines for a person.
    fn rows(
        &self,
        posed: Option<&PosedProblem>,
        findings: &[Finding],
        ok: bool,
    ) -> Vec<(String, String)> {
        let (summary, kind) = (self, &self.kind);
        let head = match kind.dimension {
            0 => "motion",
            _ => "Lagrangian",
        };
        let mut rows: Vec<(&str, String)> = vec![(head, kind.lagrangian_words())];
        if let LagrangianKind::General(why) = &kind.lagrangian {
            rows.push(("", format!("not kinetic minus potential energy: {why}")));
        }
        rows.push(("states", kind.states.join(", ")));
        if kind.dimension > 0 {
            rows.push(("configuration", configuration(kind)));
            rows.push(("constraints", kind.constraint_words()));
            rows.push((
                "freedom",
                counted(
                    kind.degrees_of_freedom,
                    "degree of freedom",
                    "degrees of freedom",
                ),
            ));
        }
        let forces = if kind.forced {
            "external forces act"
        } else {
            ""
        };
        rows.push(("forces", forces.into()));
        let time = if kind.time_dependent {
            "occurs in the equations"
        } else {
            ""
        };
        rows.push(("time", time.into()));
        rows.push(("controls", kind.controls.join(", ")));
        rows.push(("inputs", inputs(kind)));
        rows.push(("symmetries", listed(&kind.symmetries, " (declared)")));
        let forms: Vec<&str> = summary.forms.iter().map(|f| f.name()).collect();
        rows.push(("forms", forms.join(", ")));
        if !forms.is_empty() {
            rows.push(("default form", summary.default_form.name().into()));
        }
        rows.extend(posed.into_iter().flat_map(PosedProblem::rows));
        rows.push((
            "start",
            summary
                .energy
                .map_or(String::new(), |e| format!("energy {}", shown(e, 0.0))),
        ));
        let count = |s: Severity| {
            findings
                .iter()
                .filter(|f| f.diagnostic.severity == s)
                .count()
        };
        let warnings = counted(count(Severity::Warning), "warning", "warnings");
        rows.push((
            "result",
            if ok {
                format!("ok, {warnings}")
            } else {
                "not ok".into()
            },
        ));
        rows.into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

impl Summary {
    /// What a machine is told of the model.
    fn data(
        &self,
        model: &Model,
        source: &Source,
        posed: Option<&PosedProblem>,
    ) -> [(&'static str, Data); 9] {
        let constraints = model.constraints.iter().map(|c| constraint(c, source));
        let forms: Vec<&str> = self.forms.iter().map(|f| f.name()).collect();
        [
            ("title", Data::plain(model.title.clone())),
            ("kind", Data::Plain(kind_object(&self.kind))),
            ("params", Data::Plain(parameters(&Values::of(model)))),
            ("lagrangian", Data::Formula(model.lagrangian.clone())),
            ("constraints", Data::List(constraints.collect())),
            ("default_form", Data::plain(self.default_form.name())),
            ("forms", Data::plain(forms)),
            ("energy_at_start", Data::plain(self.energy)),
            ("problem", Data::plain(posed.map(PosedProblem::json))),
        ]
    }
}

fn listed(names: &[String], behind: &str) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("{}{behind}", names.join(", "))
    }
}

fn configuration(kind: &Kind) -> String {
    let mut parts = Vec::new();
    if !kind.lines.is_empty() {
        parts.push(kind.lines.join(", "));
    }
    if !kind.angles.is_empty() {
        parts.push(format!("{} on the circle", kind.angles.join(", ")));
    }
    parts.extend(
        kind.groups
            .iter()
            .map(|(name, group)| format!("{name} in {group}")),
    );
    format!("{}; dimension {}", parts.join("; "), kind.dimension)
}

/// The room that names take.
const NAMES: usize = 13;

/// What was found in a text, and the model where there is one, in no notation yet.
pub fn document(
    source: &Source,
    findings: &[Finding],
    found: Option<(&Model, &Summary)>,
    ok: bool,
) -> Document {
    let name = found.map(|(model, _)| model.name.clone());
    let mut data = vec![
        ("system", Data::plain(name)),
        ("ok", Data::plain(ok)),
        (
            "diagnostics",
            Data::Plain(findings.iter().map(diagnostic).collect()),
        ),
    ];
    let Some((model, summary)) = found else {
        return Document::new("").with_data(Data::object(data));
    };
    let posed = PosedProblem::of(model, source);
    data.extend(summary.data(model, source, posed.as_ref()));
    let title = model.title.as_ref();
    let title = title.map_or(String::new(), |t| format!(": {t}"));
    let parameters = model.parameters.iter().map(|p| p.symbol.clone());
    let symbols: Vec<_> = parameters.chain(model.positions()).collect();
    Document {
        opening: vec![Block::Rows(
            NAMES,
            summary.rows(posed.as_ref(), findings, ok),
        )],
        order: Order::new(&symbols),
        ..Document::new(format!("{}{title}", model.name))
    }
    .with_data(Data::object(data))
}

/// Each control with what feeds it in motions: `u = -k*x, w = 0 (no input)`.
fn inputs(kind: &Kind) -> String {
    let fed = |u: &String| {
        let law = kind.inputs.iter().find(|(control, _)| control == u);
        match law {
            Some((_, law)) => format!("{u} = {law}"),
            None => format!("{u} = 0 (no input)"),
        }
    };
    let all: Vec<String> = kind.controls.iter().map(fed).collect();
    all.join(", ")
}

fn diagnostic(finding: &Finding) -> Value {
    let d = &finding.diagnostic;
    let place = d.location(&finding.source);
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    json!({
        "severity": severity,
        "code": d.code,
        "message": d.message,
        "source": finding.source.name(),
        "line": place.line,
        "column": place.column,
        "help": d.help,
    })
}

fn constraint(c: &Constraint, source: &Source) -> Data {
    let kind = match c.kind {
        ConstraintKind::Holonomic => "holonomic",
        ConstraintKind::Linear => "linear",
        ConstraintKind::Affine => "affine",
        ConstraintKind::Nonlinear => "nonlinear",
        ConstraintKind::HigherOrder => "higher-order",
    };
    let line = source.location(c.span.start).line;
    let about = Data::Plain(json!({"kind": kind, "line": line}));
    Data::Merged(vec![about, Data::Formula(c.expr.clone())])
}

fn kind_object(kind: &Kind) -> Value {
    let lagrangian = match &kind.lagrangian {
        LagrangianKind::Natural => "natural",
        LagrangianKind::FirstOrder(_) => "first-order",
        LagrangianKind::General(_) => "general",
        LagrangianKind::HigherOrder(_) => "higher-order",
        LagrangianKind::Discrete => "discrete",
        LagrangianKind::Rates => "rates",
        LagrangianKind::Map => "map",
    };
    let order = match kind.lagrangian {
        LagrangianKind::HigherOrder(order) => order,
        _ => 1,
    };
    let groups: Vec<Value> = kind
        .groups
        .iter()
        .map(|(name, group)| json!({"name": name, "group": group}))
        .collect();
    let c = &kind.constraints;
    let inputs = kind.inputs.iter();
    let inputs: Map<String, Value> = inputs
        .map(|(u, law)| (u.clone(), law.as_str().into()))
        .collect();
    json!({
        "lagrangian": lagrangian,
        "order": order,
        "time_dependent": kind.time_dependent,
        "dimension": kind.dimension,
        "coordinates": kind.lines,
        "angles": kind.angles,
        "groups": groups,
        "constraints": {
            "linear": c.linear,
            "affine": c.affine,
            "holonomic": c.holonomic,
            "nonlinear": c.nonlinear,
            "higher_order": c.higher_order,
            "redundant": c.redundant,
        },
        "degrees_of_freedom": kind.degrees_of_freedom,
        "forced": kind.forced,
        "controls": kind.controls,
        "inputs": inputs,
        "states": kind.states,
        "symmetries": kind.symmetries,
    })
}
