//! The independent ones among the constraints of a model.

use super::lower::defined;
use super::{Origin, StatedConstraint};
use crate::constraints::{ConstraintOrigin, Constraints};
use crate::error::MechanicsError;
use crate::system::JetConstraint;
use crate::system::System;
use rattleback_geometry::{
    DistributionError, Form, Frame, Independence, Parametrization, independent_rows,
};
use rattleback_language::ConstraintKind;
use rattleback_symbolic::{Expr, Matrix, Symbol};

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemarkKind {
    /// A constraint that follows from others and is dropped.
    Redundant,
    /// A velocity constraint that is the derivative of a relation between positions.
    Closed,
    /// An angle that does not enter as one: the model is no function on its circle.
    NotPeriodic,
}

/// Something that the reader of a derivation should know about the model.
#[derive(Debug, Clone)]
pub struct Remark {
    /// What it is about.
    pub kind: RemarkKind,
    /// What.
    pub message: String,
    /// Where in the model.
    pub origin: Origin,
}

/// One constraint as a row A^s and an offset a^s.
fn linear_row(
    c: &StatedConstraint,
    frame: &Frame,
    rates: &[(Symbol, Expr)],
) -> Result<(Vec<Expr>, Expr), MechanicsError> {
    defined("this constraint", &c.expr, c.origin)?;
    match c.kind {
        ConstraintKind::Holonomic if rates.is_empty() => {
            Ok((frame.differential(&c.expr), c.expr.diff(&Symbol::time())))
        }
        ConstraintKind::Holonomic => {
            let level = frame.rate(&c.expr).substitute(rates);
            let (row, offset) = affine_part(&level, frame);
            let moves = |a: &&Expr| a.contains_any(frame.fibre());
            match level.gradient(frame.fibre()).iter().find(moves) {
                Some(_) => Err(nonlinear(c.origin)),
                None => Ok((row, offset)),
            }
        }
        ConstraintKind::Linear | ConstraintKind::Affine => Ok(affine_part(&c.expr, frame)),
        ConstraintKind::Nonlinear => Err(nonlinear(c.origin)),
        ConstraintKind::HigherOrder => Err(MechanicsError::HigherOrderConstraint {
            origin: c.origin,
            form: "derive".into(),
        }),
    }
}

/// A and a of A y + a.
fn affine_part(e: &Expr, frame: &Frame) -> (Vec<Expr>, Expr) {
    let fibre = frame.fibre().iter();
    let rest: Vec<_> = fibre.map(|y| (y.clone(), Expr::zero())).collect();
    let row = e.gradient(frame.fibre());
    let row = rattleback_symbolic::substitute_all(&row, &rest);
    (row, e.substitute(&rest))
}

fn nonlinear(origin: Origin) -> MechanicsError {
    MechanicsError::NonlinearConstraint {
        origin,
        form: "derive".into(),
    }
}

/// Keeps independent constraints; a redundant one is named, a contradiction is an error.
pub(super) fn constrain(
    system: &mut System,
    stated: &[StatedConstraint],
) -> Result<Vec<Remark>, MechanicsError> {
    let mut remarks = Vec::new();
    if stated.is_empty() {
        return Ok(remarks);
    }
    let rates = system.auxiliary_jets();
    let rows: Vec<(Vec<Expr>, Expr)> = stated
        .iter()
        .map(|c| linear_row(c, &system.frame, &rates))
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
    for (s, c) in stated.iter().enumerate() {
        if independent.kept.contains(&s) {
            continue;
        }
        if with_offsets.kept.contains(&s) || contradicts(stated, s, &independent) {
            return Err(MechanicsError::ContradictoryConstraint { origin: c.origin });
        }
        remarks.push(Remark {
            kind: RemarkKind::Redundant,
            message: "this constraint follows from the ones before it and is dropped".into(),
            origin: c.origin,
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
    let origins = kept.iter().map(|&s| match stated[s].kind {
        ConstraintKind::Holonomic => ConstraintOrigin::Holonomic,
        _ => ConstraintOrigin::Velocity,
    });
    let (holonomic, implied) =
        positions(stated, &forms, &system.on_groups).map_err(distribution)?;
    let offsets = kept.iter().map(|&s| rows[s].1.clone()).collect();
    let constraints = Constraints::new(forms.select(kept, &columns), offsets)
        .with_origins(origins.collect(), holonomic)
        .with_implied(implied);
    system.constraints = constraints;
    system.kept = kept.clone();
    system.names = system.names.keeping(kept);
    remarks.extend(closed_forms(system, stated, kept));
    Ok(remarks)
}

/// The position constraints that are independent among each other, and those that follow from them. A velocity
/// constraint that implies the form of one does not say at which value it is kept.
fn positions(
    stated: &[StatedConstraint],
    forms: &Matrix,
    on_groups: &Parametrization,
) -> Result<(Vec<Expr>, Vec<Expr>), DistributionError> {
    let is_position = |s: &usize| stated[*s].kind == ConstraintKind::Holonomic;
    let rows: Vec<usize> = (0..stated.len()).filter(is_position).collect();
    let columns: Vec<usize> = (0..forms.cols()).collect();
    let kept = independent_rows(&forms.select(&rows, &columns), on_groups)?.kept;
    let all = rows.iter().enumerate();
    let (kept, implied): (Vec<_>, Vec<_>) = all.partition(|(i, _)| kept.contains(i));
    let stated = |part: Vec<(usize, &usize)>| {
        let part = part.into_iter();
        part.map(|(_, &s)| stated[s].expr.clone()).collect()
    };
    Ok((stated(kept), stated(implied)))
}

/// [`constrain`] where those that only variational problems treat are kept apart.
pub(super) fn constrain_variations(
    system: &mut System,
    stated: &[StatedConstraint],
) -> Result<Vec<Remark>, MechanicsError> {
    let is_jet = |c: &StatedConstraint| {
        matches!(
            c.kind,
            ConstraintKind::Nonlinear | ConstraintKind::HigherOrder
        )
    };
    let (jets, linear): (Vec<usize>, Vec<usize>) =
        (0..stated.len()).partition(|&i| is_jet(&stated[i]));
    let plain: Vec<StatedConstraint> = linear.iter().map(|&i| stated[i].clone()).collect();
    let names = system.names.clone();
    let remarks = constrain(system, &plain)?;
    for &i in &jets {
        defined("this constraint", &stated[i].expr, stated[i].origin)?;
        let found = JetConstraint::of(
            &stated[i].expr,
            stated[i].origin,
            &system.frame,
            system.order,
        );
        if found.order > system.order {
            return Err(MechanicsError::BeyondLagrangian {
                origin: found.origin,
                order: found.order,
                lagrangian: system.order,
            });
        }
        system.jet_constraints.push(found);
    }
    let kept: Vec<usize> = system.kept.iter().map(|&s| linear[s]).chain(jets).collect();
    system.names = names.keeping(&kept);
    let (constraints, velocities) = (kept.len(), system.frame.rank());
    if constraints >= velocities {
        return Err(MechanicsError::NoFreedom {
            constraints,
            velocities,
        });
    }
    system.kept = kept;
    Ok(remarks)
}

/// Is a dropped position constraint a nonzero constant away from the ones that imply its form?
fn contradicts(constraints: &[StatedConstraint], s: usize, rows: &Independence) -> bool {
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
fn closed_forms(system: &System, stated: &[StatedConstraint], kept: &[usize]) -> Vec<Remark> {
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
            origin: stated[kept[s]].origin,
        })
        .collect()
}
