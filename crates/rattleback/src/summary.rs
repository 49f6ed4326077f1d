//! What `check` says about a model.

use crate::kind::{Kind, LagrangianKind, counted};
use crate::language::{Constraint, ConstraintKind, Model, Severity};
use crate::mechanics::Form;
use crate::number::shown;
use crate::posed::PosedProblem;
use crate::reading::{Finding, Reading};
use crate::sheet::json::{Formulas, parameters};
use crate::symbolic::Order;
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
    pub fn text(&self, model: &Model, reading: &Reading, ok: bool) -> String {
        let (summary, kind) = (self, &self.kind);
        let title = model
            .title
            .as_ref()
            .map_or(String::new(), |t| format!(": {t}"));
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
        let posed = PosedProblem::of(model, &reading.source);
        rows.extend(posed.iter().flat_map(PosedProblem::rows));
        rows.push((
            "start",
            summary
                .energy
                .map_or(String::new(), |e| format!("energy {}", shown(e, 1.0))),
        ));
        let count = |s: Severity| {
            reading
                .findings
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
        let mut out = format!("{}{title}\n", model.name);
        for (name, value) in rows.iter().filter(|(_, v)| !v.is_empty()) {
            out += &format!("  {name:<14} {value}\n");
        }
        out
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

/// The summary for a machine; without a model only the findings.
pub fn json(reading: &Reading, found: Option<(&Model, &Summary)>, ok: bool) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.into(), value);
    };
    put(
        "system",
        found.map_or(Value::Null, |(m, _)| m.name.clone().into()),
    );
    put("ok", ok.into());
    put(
        "diagnostics",
        reading.findings.iter().map(diagnostic).collect(),
    );
    if let Some((model, summary)) = found {
        let symbols: Vec<_> = model
            .parameters
            .iter()
            .map(|p| p.symbol.clone())
            .chain(model.positions())
            .collect();
        let formulas = Formulas::new(Order::new(&symbols));
        put("title", model.title.clone().into());
        put("kind", kind_object(&summary.kind));
        put("params", parameters(model));
        put("lagrangian", formulas.object(&model.lagrangian).into());
        put(
            "constraints",
            model
                .constraints
                .iter()
                .map(|c| constraint(c, reading, &formulas))
                .collect(),
        );
        put("default_form", summary.default_form.name().into());
        put(
            "forms",
            summary
                .forms
                .iter()
                .map(|f| Value::from(f.name()))
                .collect(),
        );
        put("energy_at_start", summary.energy.into());
        let posed = PosedProblem::of(model, &reading.source);
        put("problem", posed.map_or(Value::Null, |p| p.json()));
    }
    out.into()
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

fn constraint(c: &Constraint, reading: &Reading, formulas: &Formulas) -> Value {
    let kind = match c.kind {
        ConstraintKind::Holonomic => "holonomic",
        ConstraintKind::Linear => "linear",
        ConstraintKind::Affine => "affine",
        ConstraintKind::Nonlinear => "nonlinear",
        ConstraintKind::HigherOrder => "higher-order",
    };
    let mut object = Map::new();
    object.insert("kind".into(), kind.into());
    object.insert(
        "line".into(),
        reading.source.location(c.span.start).line.into(),
    );
    object.append(&mut formulas.object(&c.expr));
    object.into()
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
