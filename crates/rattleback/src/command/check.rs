//! `rattleback check`: every problem with its place, and what kind of system it is.

use crate::arguments::ModelArguments;
use crate::complaint::{self, Complaint};
use crate::failure::Failure;
use crate::kind::{Kind, LagrangianKind, counted};
use crate::number::shown;
use crate::reading::{Finding, Reading};
use crate::sheet::json::{Formulas, parameters};
use crate::start::AtStart;
use crate::terminal;
use rattleback::compile::StartState;
use rattleback::language::{ConstraintKind, Model, Severity};
use rattleback::mechanics::{Form, System};
use rattleback::symbolic::Order;
use serde_json::{Map, Value, json};

/// What the check found out about a model without errors in its text.
struct Summary {
    kind: Kind,
    default_form: Form,
    forms: Vec<Form>,
    energy: Option<f64>,
}

/// Checks text, mechanics and start state, in this order, as far as they make sense.
pub fn run(arguments: &ModelArguments) -> Result<(), Failure> {
    let mut reading = Reading::of(arguments)?;
    let Ok(model) = reading.take_model() else {
        let failure = Failure::Reported {
            code: crate::failure::BAD_INPUT,
        };
        return finish(arguments, &reading, None, Err(failure));
    };
    let (summary, result) = examine(&mut reading, &model);
    finish(
        arguments,
        &reading,
        summary.as_ref().map(|s| (&model, s)),
        result,
    )
}

fn examine(reading: &mut Reading, model: &Model) -> (Option<Summary>, Result<(), Failure>) {
    let treatable = label_nonlinear(reading, model);
    let built = match System::from_model(&treatable) {
        Ok(built) => built,
        Err(e) => {
            return (
                None,
                Err(reading.complain(Complaint::about_mechanics(&e, model))),
            );
        }
    };
    for remark in &built.remarks {
        reading.add(complaint::remark(remark, model));
    }
    let system = built.system;
    let nonlinear = treatable.constraints.len() < model.constraints.len();
    let default_form = Form::default_for(&system);
    let forms = if nonlinear {
        Vec::new()
    } else {
        Form::ALL
            .into_iter()
            .filter(|f| system.equations(*f).is_ok())
            .collect()
    };
    let mut summary = Summary {
        kind: Kind::of(model, &system),
        default_form,
        forms,
        energy: None,
    };
    let result = examine_motion(reading, &treatable, &system, nonlinear, &mut summary);
    (Some(summary), result)
}

/// Names each constraint that is nonlinear in the velocities; gives the model without them.
fn label_nonlinear(reading: &mut Reading, model: &Model) -> Model {
    let mut treatable = model.clone();
    treatable
        .constraints
        .retain(|c| c.kind != ConstraintKind::Nonlinear);
    for c in model
        .constraints
        .iter()
        .filter(|c| c.kind == ConstraintKind::Nonlinear)
    {
        let message = "this constraint is nonlinear in the velocities: it is accepted, but `derive` cannot treat it";
        reading.add(complaint::note("nonlinear", c.span, message.into()));
    }
    treatable
}

fn examine_motion(
    reading: &mut Reading,
    model: &Model,
    system: &System,
    nonlinear: bool,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let start = StartState::of(model, system)
        .map_err(|e| reading.complain(Complaint::about_start(&e, model)));
    if nonlinear {
        return start.map(|_| ());
    }
    system
        .check_regular()
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    let equations = system
        .equations(summary.default_form)
        .map_err(|e| reading.complain(Complaint::about_mechanics(&e, model)))?;
    summary.energy = Some(AtStart::of(model, &start?, &equations)?.values.energy);
    Ok(())
}

/// Writes the summary and ends.
fn finish(
    arguments: &ModelArguments,
    reading: &Reading,
    found: Option<(&Model, &Summary)>,
    result: Result<(), Failure>,
) -> Result<(), Failure> {
    if arguments.json {
        let value = json_summary(reading, found, result.is_ok());
        terminal::write(&format!("{value:#}\n"))?;
    } else if let Some((model, summary)) = found {
        terminal::write(&text_summary(model, summary, reading, result.is_ok()))?;
    }
    result
}

fn text_summary(model: &Model, summary: &Summary, reading: &Reading, ok: bool) -> String {
    let kind = &summary.kind;
    let title = model
        .title
        .as_ref()
        .map_or(String::new(), |t| format!(": {t}"));
    let mut rows: Vec<(&str, String)> = vec![("Lagrangian", kind.lagrangian_words())];
    if let LagrangianKind::General(why) = &kind.lagrangian {
        rows.push(("", format!("not kinetic minus potential energy: {why}")));
    }
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
    let forces = if kind.forced {
        "external forces act".to_owned()
    } else {
        String::new()
    };
    rows.push(("forces", forces));
    rows.push(("controls", kind.controls.join(", ")));
    rows.push(("symmetries", listed(&kind.symmetries, " (declared)")));
    let forms: Vec<&str> = summary.forms.iter().map(|f| f.name()).collect();
    rows.push(("forms", forms.join(", ")));
    if !forms.is_empty() {
        rows.push(("default form", summary.default_form.name().into()));
    }
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

fn json_summary(reading: &Reading, found: Option<(&Model, &Summary)>, ok: bool) -> Value {
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
        let formulas = Formulas::new(Order::new(&symbols), false);
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
    }
    out.into()
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

fn constraint(
    c: &rattleback::language::Constraint,
    reading: &Reading,
    formulas: &Formulas,
) -> Value {
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
        LagrangianKind::General(_) => "general",
        LagrangianKind::HigherOrder(_) => "higher-order",
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
            "redundant": c.redundant,
        },
        "degrees_of_freedom": kind.degrees_of_freedom,
        "forced": kind.forced,
        "controls": kind.controls,
        "symmetries": kind.symmetries,
    })
}
