//! From a model to a system: frame, Lagrangian, forces and independent constraints.

use crate::constraints::{ConstraintOrigin, Constraints};
use crate::error::MechanicsError;
use crate::system::{Factor, NamedSection, System};
use rattleback_geometry::{Form, Frame, Independence, LieGroup, Trivialization, independent_rows};
use rattleback_language::{self as language, ConstraintKind, FibreItem, Model, Span, Values};
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkKind {
    /// A constraint that follows from others and is dropped.
    Redundant,
    /// A velocity constraint that is the derivative of a relation between positions.
    Closed,
}

/// Something that the reader of a derivation should know about the model.
#[derive(Debug, Clone)]
pub struct Remark {
    /// What it is about.
    pub kind: RemarkKind,
    /// What.
    pub message: String,
    /// Where in the model.
    pub span: Option<Span>,
}

/// A system and what was noticed on the way.
#[derive(Debug, Clone)]
pub struct Built {
    /// The system.
    pub system: System,
    /// Dropped constraints and the like.
    pub remarks: Vec<Remark>,
}

impl System {
    /// The system that a model describes. Constraints nonlinear in the velocities are refused.
    pub fn from_model(model: &Model) -> Result<Built, MechanicsError> {
        let (frame, factors) = configuration(model);
        let order = model.order.max(1);
        let mut system =
            System::on_frame(&model.name, frame, factors, model.lagrangian.clone(), order);
        system.names = model.names();
        system.lagrangian_span = Some(model.lagrangian_span);
        defined("the Lagrangian", &model.lagrangian, model.lagrangian_span)?;
        system.force = total_force(model, &system.frame)?;
        system.symmetries = sections(&model.symmetries, &system.frame);
        system.one_forms = one_forms(model, &system.frame);
        system.user_frame = sections(&model.frame, &system.frame);
        system.frame_spans = model.frame.iter().map(|f| f.span).collect();
        system.fibre = fibre(model, &system.factors);
        system.circles = circles(model);
        system.near = start_point(model, &system);
        let remarks = constrain(&mut system, model)?;
        Ok(Built { system, remarks })
    }
}

/// The coordinates that the model declares as angles.
fn circles(model: &Model) -> Vec<Symbol> {
    let angle = |f: &language::Factor| match f {
        language::Factor::Coordinate {
            symbol,
            kind: language::CoordinateKind::Angle,
            ..
        } => Some(symbol.clone()),
        _ => None,
    };
    model.configuration.iter().filter_map(angle).collect()
}

/// Positions and parameters at the start of the model, as exact constants.
fn start_point(model: &Model, system: &System) -> Vec<(Symbol, Expr)> {
    let values = Values::of(model);
    let mut point = values.pairs().to_vec();
    for factor in &system.factors {
        let neutral = factor
            .group
            .map_or_else(|| vec![Expr::zero()], |g| g.identity());
        for (z, neutral) in system.frame.base()[factor.base.clone()].iter().zip(neutral) {
            let stated = model.start.get(z).map(|a| values.at(&a.value));
            point.push((z.clone(), stated.unwrap_or(neutral)));
        }
    }
    point
}

fn defined(what: &str, e: &Expr, span: Span) -> Result<(), MechanicsError> {
    if e.is_undefined() {
        return Err(MechanicsError::Undefined {
            what: what.into(),
            span: Some(span),
        });
    }
    Ok(())
}

fn configuration(model: &Model) -> (Frame, Vec<Factor>) {
    let (mut frames, mut factors) = (Vec::new(), Vec::new());
    let (mut base, mut fibre) = (0, 0);
    for factor in &model.configuration {
        let (frame, kind, trivialization) = match factor {
            language::Factor::Coordinate { symbol, .. } => {
                let frame = Frame::coordinates(std::slice::from_ref(symbol));
                (frame, None, Trivialization::Body)
            }
            language::Factor::Group {
                kind,
                entries,
                velocities,
                trivialization,
                ..
            } => {
                let frame = kind.frame(entries, velocities, *trivialization);
                (frame, Some(*kind), *trivialization)
            }
        };
        let (b, f) = (frame.base().len(), frame.rank());
        factors.push(Factor {
            name: factor.name().into(),
            group: kind,
            trivialization,
            base: base..base + b,
            fibre: fibre..fibre + f,
        });
        (base, fibre) = (base + b, fibre + f);
        frames.push(frame);
    }
    (Frame::direct_sum(&frames), factors)
}

/// Components by velocity symbol, as a dense vector on the frame.
fn dense(components: &[(Symbol, Expr)], frame: &Frame) -> Vec<Expr> {
    let mut all = vec![Expr::zero(); frame.rank()];
    for (velocity, value) in components {
        if let Some(a) = frame.fibre().iter().position(|y| y == velocity) {
            all[a] += value.clone();
        }
    }
    all
}

fn sections(fields: &[language::VectorField], frame: &Frame) -> Vec<NamedSection> {
    fields
        .iter()
        .map(|f| NamedSection {
            name: f.name.clone(),
            components: dense(&f.components, frame),
        })
        .collect()
}

/// The declared one-forms; one without a name goes by its number.
fn one_forms(model: &Model, frame: &Frame) -> Vec<NamedSection> {
    let numbered = model.oneforms.iter().enumerate();
    numbered
        .map(|(i, f)| NamedSection {
            name: f
                .name
                .clone()
                .unwrap_or_else(|| format!("oneform {}", i + 1)),
            components: dense(&f.components, frame),
        })
        .collect()
}

/// External forces plus every control times its one-form.
fn total_force(model: &Model, frame: &Frame) -> Result<Vec<Expr>, MechanicsError> {
    let mut total = vec![Expr::zero(); frame.rank()];
    let controls = model
        .controls
        .iter()
        .map(|c| (&c.form, Expr::from(&c.symbol)));
    for (form, factor) in model
        .forces
        .iter()
        .map(|f| (f, Expr::one()))
        .chain(controls)
    {
        for (sum, component) in total.iter_mut().zip(dense(&form.components, frame)) {
            defined("this force", &component, form.span)?;
            *sum += component * &factor;
        }
    }
    Ok(total)
}

fn fibre(model: &Model, factors: &[Factor]) -> Vec<usize> {
    model
        .fibre
        .iter()
        .filter_map(|item| {
            let name = match item {
                FibreItem::Coordinate(s) => s.name(),
                FibreItem::Group(name) => name,
            };
            factors.iter().position(|f| f.name == name)
        })
        .collect()
}

/// One constraint as a row A^s and an offset a^s.
fn linear_row(
    c: &language::Constraint,
    frame: &Frame,
) -> Result<(Vec<Expr>, Expr), MechanicsError> {
    defined("this constraint", &c.expr, c.span)?;
    match c.kind {
        ConstraintKind::Holonomic => {
            Ok((frame.differential(&c.expr), c.expr.diff(&Symbol::time())))
        }
        ConstraintKind::Linear | ConstraintKind::Affine => {
            let rest: Vec<_> = frame
                .fibre()
                .iter()
                .map(|y| (y.clone(), Expr::zero()))
                .collect();
            let row = c.expr.gradient(frame.fibre());
            Ok((
                rattleback_symbolic::substitute_all(&row, &rest),
                c.expr.substitute(&rest),
            ))
        }
        ConstraintKind::Nonlinear => Err(MechanicsError::NonlinearConstraint {
            span: c.span,
            form: "derive".into(),
        }),
        ConstraintKind::HigherOrder => Err(MechanicsError::HigherOrderConstraint { span: c.span }),
    }
}

/// Keeps independent constraints; a redundant one is named, a contradiction is an error.
fn constrain(system: &mut System, model: &Model) -> Result<Vec<Remark>, MechanicsError> {
    let mut remarks = Vec::new();
    if model.constraints.is_empty() {
        return Ok(remarks);
    }
    let rows: Vec<(Vec<Expr>, Expr)> = model
        .constraints
        .iter()
        .map(|c| linear_row(c, &system.frame))
        .collect::<Result<_, _>>()?;
    let n = system.frame.rank();
    let forms = Matrix::new(rows.len(), n, |s, a| rows[s].0[a].clone());
    let distribution =
        |e: rattleback_geometry::DistributionError| MechanicsError::Distribution(e.to_string());
    let independent = independent_rows(&forms, &system.on_groups).map_err(distribution)?;
    // A dropped row must stay dependent when its offset joins it, else 0 = nonzero.
    let augmented = Matrix::new(rows.len(), n + 1, |s, a| {
        if a < n {
            rows[s].0[a].clone()
        } else {
            rows[s].1.clone()
        }
    });
    let with_offsets = independent_rows(&augmented, &system.on_groups).map_err(distribution)?;
    for (s, c) in model.constraints.iter().enumerate() {
        if independent.kept.contains(&s) {
            continue;
        }
        if with_offsets.kept.contains(&s) || contradicts(model, s, &independent) {
            return Err(MechanicsError::ContradictoryConstraint { span: c.span });
        }
        remarks.push(Remark {
            kind: RemarkKind::Redundant,
            message: "this constraint follows from the ones before it and is dropped".into(),
            span: Some(c.span),
        });
    }
    let kept = &independent.kept;
    if kept.len() >= n {
        return Err(MechanicsError::NoFreedom {
            constraints: kept.len(),
            velocities: n,
        });
    }
    let columns: Vec<usize> = (0..n).collect();
    let origins = kept.iter().map(|&s| match model.constraints[s].kind {
        ConstraintKind::Holonomic => ConstraintOrigin::Holonomic,
        _ => ConstraintOrigin::Velocity,
    });
    let holonomic = model
        .constraints
        .iter()
        .filter(|c| c.kind == ConstraintKind::Holonomic)
        .map(|c| c.expr.clone())
        .collect();
    let offsets = kept.iter().map(|&s| rows[s].1.clone()).collect();
    let constraints = Constraints::new(forms.select(kept, &columns), offsets)
        .with_origins(origins.collect(), holonomic);
    system.constraints = constraints;
    system.names = model.names().keeping(kept);
    remarks.extend(closed_forms(system, model, kept));
    Ok(remarks)
}

/// Is a dropped position constraint a nonzero constant away from the ones that imply its form?
fn contradicts(model: &Model, s: usize, rows: &Independence) -> bool {
    let constraints = &model.constraints;
    let holonomic = |i: usize| constraints[i].kind == ConstraintKind::Holonomic;
    let Some(dropped) = rows.dropped.iter().find(|d| d.row == s) else {
        return false;
    };
    let used = rows
        .kept
        .iter()
        .zip(&dropped.coefficients)
        .filter(|(_, c)| !c.is_zero());
    let used: Vec<(&usize, &Expr)> = used.collect();
    if !holonomic(s)
        || used
            .iter()
            .any(|(i, c)| !holonomic(**i) || c.as_number().is_none())
    {
        return false;
    }
    let implied = Expr::sum(used.iter().map(|(i, c)| &constraints[**i].expr * *c));
    let gap = rattleback_symbolic::normalize(&(&constraints[s].expr - implied));
    gap.as_number().is_some_and(|r| !r.is_zero())
}

/// Names velocity constraints that are the derivative of a position constraint: closed forms.
fn closed_forms(system: &System, model: &Model, kept: &[usize]) -> Vec<Remark> {
    let constraints = &system.constraints;
    let time = Symbol::time();
    let is_closed = |s: usize| {
        // A form that moves with time would need a dt-component to be closed.
        if constraints.forms().row(s).iter().any(|e| e.contains(&time)) {
            return false;
        }
        let d = Form::covector(constraints.forms().row(s)).differential(&system.frame);
        system.prove_zero(&d.values()).is_proven()
    };
    (0..constraints.len())
        .filter(|&s| constraints.origins()[s] == ConstraintOrigin::Velocity)
        .filter(|&s| constraints.offsets()[s].is_zero())
        .filter(|&s| is_closed(s))
        .map(|s| Remark {
            kind: RemarkKind::Closed,
            message: "this velocity constraint is closed: it is holonomic, the derivative of a relation between positions".into(),
            span: Some(model.constraints[kept[s]].span),
        })
        .collect()
}
