//! Functions that are constant along a distribution, in closed form.

use crate::Effort;
use crate::exact::{
    OneForm, choices, circular_coordinates, constant_relations, factors_of, is_negative, monomials,
    tidy, tidy_all,
};
use rattleback_geometry::{Distribution, Section, independent_rows};
use rattleback_mechanics::{Factor, System};
use rattleback_symbolic::{Expr, Matrix, nullspace, solve};

/// Ansatz functions beyond which a degree is not tried.
const MOST: usize = 150;

/// Independent functions φ with Z[φ] = 0 for all Z in D: position constraints of the model, polynomials
/// in coordinates, sines and cosines, then potentials of closed forms that annihilate the closure.
pub(crate) fn of(
    system: &System,
    d: &Distribution,
    closure: &[Section],
    effort: Effort,
) -> Vec<Expr> {
    let wanted = system.frame().rank() - closure.len();
    let mut found = Found {
        system,
        all: Vec::new(),
        wanted,
    };
    for g in system.constraints().holonomic() {
        found.offer(g.clone());
    }
    for degree in 1..=3 {
        if found.is_complete() || effort.is_spent() {
            break;
        }
        for f in polynomial(system, d, degree, &[], effort) {
            found.offer(f);
        }
    }
    if !found.is_complete() && !effort.is_spent() {
        let further = logarithms_and_angles(system, d);
        for f in polynomial(system, d, 1, &further, effort) {
            found.offer(f);
        }
    }
    if !found.is_complete() && !effort.is_spent() {
        for f in flat(system, closure, effort) {
            found.offer(f);
        }
    }
    found.all
}

struct Found<'a> {
    system: &'a System,
    all: Vec<Expr>,
    wanted: usize,
}

impl Found<'_> {
    fn is_complete(&self) -> bool {
        self.all.len() >= self.wanted
    }

    /// Takes a function whose differential is independent of the others.
    fn offer(&mut self, f: Expr) {
        if self.is_complete() {
            return;
        }
        let frame = self.system.frame();
        let rows: Vec<Vec<Expr>> = self
            .all
            .iter()
            .chain([&f])
            .map(|g| frame.differential(g))
            .collect();
        let rows = Matrix::from_rows(&rows);
        let independent = independent_rows(&rows, self.system.parametrization());
        if independent.is_ok_and(|i| i.kept.len() == self.all.len() + 1) {
            self.all.push(tidy(&f));
        }
    }
}

/// Polynomials of a degree in coordinates, sines and cosines, plus constant multiples of further functions.
fn polynomial(
    system: &System,
    d: &Distribution,
    degree: usize,
    further: &[Expr],
    effort: Effort,
) -> Vec<Expr> {
    let frame = system.frame();
    let circular = circular_coordinates(frame, d.basis().entries(), system.circles());
    let mut ansatz: Vec<Expr> = frame.base().iter().map(Expr::from).collect();
    ansatz.extend(plane_angles(system));
    ansatz.extend_from_slice(further);
    for m in monomials(frame.base(), |s| circular.contains(s), degree, MOST) {
        if m.as_number().is_none() && !ansatz.contains(&m) {
            ansatz.push(m);
        }
    }
    let along: Vec<Vec<Expr>> = (0..d.rank())
        .map(|a| frame.act(&d.section(a), &ansatz))
        .collect();
    let functions: Vec<Vec<Expr>> = (0..ansatz.len())
        .map(|j| along.iter().map(|z| z[j].clone()).collect())
        .collect();
    let relations = constant_relations(&functions, system.parametrization(), effort);
    let mut found: Vec<Expr> = relations
        .unwrap_or_default()
        .iter()
        .map(|c| Expr::sum(c.iter().zip(&ansatz).map(|(c, m)| c * m)))
        .collect();
    found.sort_by_key(Expr::node_count);
    found
}

/// The most logarithms that are tried together.
const MOST_LOGARITHMS: usize = 20;

/// Logarithms of the factors of D, and angles in the planes whose radii are among them.
fn logarithms_and_angles(system: &System, d: &Distribution) -> Vec<Expr> {
    let entries = [d.basis().entries(), system.constraints().forms().entries()].concat();
    let factors = factors_of(&entries);
    let positive = |b: &Expr| match is_negative(b, system.start_point()) {
        true => -b,
        false => b.clone(),
    };
    let logarithms = factors
        .iter()
        .take(MOST_LOGARITHMS)
        .map(|b| positive(b).log());
    let q: Vec<Expr> = system.frame().base().iter().map(Expr::from).collect();
    let pairs = (0..q.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    let angles = pairs
        .map(|(i, j)| (&q[i], &q[j]))
        .filter(|(x, y)| factors.contains(&(x.powi(2) + y.powi(2))))
        .map(|(x, y)| Expr::atan2(y, x));
    angles.chain(logarithms).collect()
}

/// The angle of each rotation of a plane among the factors.
fn plane_angles(system: &System) -> Vec<Expr> {
    let angle = |f: &Factor| {
        let group = f.group?;
        if group.rotation_size() != Some(2) {
            return None;
        }
        // Row by row.
        let entries = &system.frame().base()[f.base.clone()];
        let (cosine, sine) = (entries.first()?, entries.get(group.matrix_size()?)?);
        Some(Expr::atan2(&sine.into(), &cosine.into()))
    };
    system.factors().iter().filter_map(angle).collect()
}

/// Potentials of the forms ds^a + A^a_α dr^α that annihilate the closure, where they are closed.
fn flat(system: &System, closure: &[Section], effort: Effort) -> Vec<Expr> {
    let frame = system.frame();
    let n = frame.rank();
    let rows = Matrix::new(closure.len(), n, |i, j| closure[i][j].clone());
    let Ok(space) = nullspace(&rows) else {
        return Vec::new();
    };
    let forms = Matrix::from_rows(&space.basis);
    let mut found = Vec::new();
    let all_columns: Vec<usize> = (0..n).collect();
    for columns in choices(&all_columns, forms.rows()) {
        if effort.is_spent() {
            break;
        }
        let all: Vec<usize> = (0..forms.rows()).collect();
        let Ok(solved) = solve(&forms.select(&all, &columns), &forms) else {
            continue;
        };
        for row in 0..solved.solution.rows() {
            let form = tidy_all(solved.solution.row(row));
            let form = OneForm {
                frame,
                components: &form,
                circles: system.circles(),
                on: system.parametrization(),
                near: system.start_point(),
            };
            if let Ok(p) = form.potential(&[], effort) {
                found.push(p.value());
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}
