//! Densities on the constrained momentum space, without symmetry: v_b[ln N] = θ_b, continued by
//! brackets (HJ-C33, second half).

use super::{MeasureReport, Space};
use crate::exact::{OneForm, metric_inverse, tidy, tidy_all};
use crate::{Answer, Effort, Function, Gap, Reason, Theorem};
use rattleback_geometry::{Frame, Section, independent_rows, vanish_on};
use rattleback_mechanics::System;
use rattleback_mechanics::engine::hessian;
use rattleback_symbolic::{Expr, Matrix, dot, solve};

/// θ_b = ĉ^a_ab − div v_b, the required derivative of ln N along v_b.
fn required(
    frame: &Frame,
    basis: &[Section],
    metric: &Matrix,
    upper: &Matrix,
    g: &Matrix,
) -> Vec<Expr> {
    let k = basis.len();
    let lowered: Vec<Vec<Expr>> = basis.iter().map(|v| g.apply(v)).collect();
    debug_assert_eq!(metric.rows(), k);
    (0..k)
        .map(|b| {
            let mut total = Expr::zero();
            for a in 0..k {
                let bracket = frame.bracket(&basis[a], &basis[b]);
                for e in 0..k {
                    total += &upper[(a, e)] * dot(&lowered[e], &bracket);
                }
            }
            tidy(&(total - divergence(frame, &basis[b])))
        })
        .collect()
}

/// div X in the volume of coordinates and Haar measures: frames of unimodular groups have none.
fn divergence(frame: &Frame, x: &[Expr]) -> Expr {
    Expr::sum((0..frame.rank()).map(|a| frame.act_basis(a, &x[a..=a]).swap_remove(0)))
}

pub(super) fn of(system: &System, effort: Effort) -> MeasureReport {
    let open = Answer::undecided(Reason::out_of_effort());
    let mut report = MeasureReport::open(open, Space::Constrained);
    match judged(system, &mut report, effort) {
        Ok(()) => report,
        Err(claim) => {
            report.claim = claim;
            report
        }
    }
}

fn judged(system: &System, report: &mut MeasureReport, effort: Effort) -> Result<(), Answer> {
    let frame = system.frame();
    let sections = system.sections().map_err(Answer::failed)?;
    let basis: Vec<Section> = (0..sections.rank())
        .map(|a| sections.basis.column(a))
        .collect();
    let g = system.mass_matrix();
    if g.entries().iter().any(|e| e.contains_any(frame.fibre())) {
        return Err(Answer::undecided(Gap::NotQuadratic));
    }
    let l = sections.restrict(frame, std::slice::from_ref(system.lagrangian()));
    let metric = hessian(&l[0], &sections.velocities);
    let upper = metric_inverse(&metric).map_err(Answer::failed)?;
    let theta = required(frame, &basis, &metric, &upper, &g);
    let mut known: Vec<(Section, Expr)> = basis.iter().cloned().zip(theta).collect();
    continue_by_brackets(system, &basis, &mut known, effort)?;
    let n = frame.rank();
    if known.len() < n {
        return leafwise(system, report, &known, effort);
    }
    let rows = Matrix::new(n, n, |i, j| known[i].0[j].clone());
    let values: Vec<Expr> = known.iter().map(|k| k.1.clone()).collect();
    let form = solve(&rows, &Matrix::column_vector(&values)).map_err(Answer::failed)?;
    let form = tidy_all(&form.solution.column(0));
    report.directions = frame.fibre().to_vec();
    let hints = super::metric_hints(&metric, &upper);
    let found = one_form(system, &form).exponential(&hints, effort);
    report.judge(
        found,
        form,
        "determined by the motion along D and its brackets",
    );
    Ok(())
}

fn one_form<'a>(system: &'a System, components: &'a [Expr]) -> OneForm<'a> {
    OneForm {
        frame: system.frame(),
        components,
        circles: system.circles(),
        on: system.parametrization(),
        near: system.start_point(),
    }
}

/// [X, Y][ln N] = X[θ_Y] − Y[θ_X]: sections until the brackets of D span, each consistent with those
/// before it.
fn continue_by_brackets(
    system: &System,
    basis: &[Section],
    known: &mut Vec<(Section, Expr)>,
    effort: Effort,
) -> Result<(), Answer> {
    let (frame, on) = (system.frame(), system.parametrization());
    let n = frame.rank();
    let mut from = 0;
    while from < known.len() {
        let end = known.len();
        for w in from..end {
            for v in 0..basis.len() {
                if effort.is_spent() {
                    return Err(Answer::undecided(Reason::out_of_effort()));
                }
                if w == v || (w < basis.len() && w < v) {
                    continue;
                }
                let (y, theta_y) = known[w].clone();
                let (x, theta_x) = known[v].clone();
                let bracket = frame.bracket(&x, &y);
                if bracket.iter().all(Expr::is_zero) {
                    continue;
                }
                let along = frame.act(&x, &[theta_y]).swap_remove(0)
                    - frame.act(&y, &[theta_x]).swap_remove(0);
                let all: Vec<&Section> = known.iter().map(|k| &k.0).chain([&bracket]).collect();
                let rows = Matrix::new(all.len(), n, |i, j| all[i][j].clone());
                let kept = independent_rows(&rows, on).map_err(Answer::failed)?.kept;
                if kept.len() > known.len() {
                    known.push((tidy_all(&bracket), tidy(&along)));
                } else {
                    consistent(system, known, &bracket, &along)?;
                }
            }
        }
        from = end;
    }
    Ok(())
}

/// A bracket that depends on known sections must have the derivative that they give it.
fn consistent(
    system: &System,
    known: &[(Section, Expr)],
    bracket: &[Expr],
    along: &Expr,
) -> Result<(), Answer> {
    let rows = Matrix::new(known.len(), bracket.len(), |i, j| known[i].0[j].clone());
    let gram = &rows * &rows.transpose();
    let rhs = Matrix::column_vector(&rows.apply(bracket));
    let c = solve(&gram, &rhs)
        .map_err(Answer::failed)?
        .solution
        .column(0);
    let values: Vec<Expr> = known.iter().map(|k| k.1.clone()).collect();
    let defect = [along - dot(&c, &values)];
    let verdict = vanish_on(&defect, system.parametrization());
    let agrees = Answer::vanish(&defect, verdict, Function::DensityDefect);
    match agrees.against(Theorem::DensityContradiction) {
        Answer::Proven(_) => Ok(()),
        other => Err(other),
    }
}

/// On the leaves of the closure: the form is completed by zero on coordinates across them.
fn leafwise(
    system: &System,
    report: &mut MeasureReport,
    known: &[(Section, Expr)],
    effort: Effort,
) -> Result<(), Answer> {
    let (frame, on) = (system.frame(), system.parametrization());
    let n = frame.rank();
    let mut rows: Vec<Section> = known.iter().map(|k| k.0.clone()).collect();
    let mut values: Vec<Expr> = known.iter().map(|k| k.1.clone()).collect();
    for a in (0..n).rev() {
        if rows.len() == n {
            break;
        }
        rows.push(frame.basis(a));
        let matrix = Matrix::from_rows(&rows);
        let kept = independent_rows(&matrix, on).map_err(Answer::failed)?;
        if kept.kept.len() < rows.len() {
            rows.pop();
        } else {
            values.push(Expr::zero());
        }
    }
    let solved = solve(&Matrix::from_rows(&rows), &Matrix::column_vector(&values))
        .map_err(Answer::failed)?;
    let form = tidy_all(&solved.solution.column(0));
    report.directions = frame.fibre().to_vec();
    match one_form(system, &form).exponential(&[], effort) {
        Ok(n) => {
            report.judge(Ok(n), form, "determined along the leaves of D");
            Ok(())
        }
        Err(_) if known.len() == system.frame().rank() - system.constraints().len() => {
            Err(Answer::proven(Theorem::LeafwiseLiouville))
        }
        Err(_) => Err(Answer::undecided(Gap::DensityAcrossLeaves)),
    }
}
