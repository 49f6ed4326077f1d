//! Which group acts along the fibre.

use crate::symmetry::leave_alone;
use crate::{Answer, Theorem};
use rattleback_geometry::Group;
use rattleback_mechanics::fibre::is_cyclic;
use rattleback_mechanics::phase::SymmetryAlgebra;
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::Expr;

/// The group of a Chaplygin structure.
#[derive(Clone, Debug)]
pub struct FibreGroup {
    /// `R^2`, `S^1`, `SE(2)`, ….
    pub name: String,
    /// Does it commute?
    pub abelian: bool,
    /// Its generators, where they are fields of the model or of coordinates.
    pub generators: Vec<NamedSection>,
    /// Do they leave the Lagrangian and the distribution alone?
    pub symmetric: Answer,
}

impl FibreGroup {
    /// The group along a fibre: translations of cyclic factors, the declared symmetries that move just
    /// the fibre, or the motions of a plane among its coordinates. `None` if none is known.
    pub(super) fn of(system: &System, fibre: &[usize]) -> Option<Self> {
        if fibre.iter().all(|&i| is_cyclic(system, i)) {
            return Some(translations(system, fibre));
        }
        let moved: Vec<usize> = fibre
            .iter()
            .flat_map(|&i| system.factors()[i].fibre.clone())
            .collect();
        let along = |s: &&NamedSection| {
            s.components
                .iter()
                .enumerate()
                .all(|(i, c)| c.is_zero() || moved.contains(&i))
        };
        let declared: Vec<NamedSection> =
            system.symmetries().iter().filter(along).cloned().collect();
        if declared.len() == moved.len()
            && let Some(group) = algebra(system, declared)
        {
            return Some(group);
        }
        plane_motions(system, fibre).and_then(|fields| algebra(system, fields))
    }

    /// The group of an algebra that is known to leave the system alone.
    pub(super) fn of_algebra(algebra: &SymmetryAlgebra, fields: &[NamedSection]) -> Self {
        Self {
            name: algebra_name(algebra),
            abelian: algebra.is_abelian(),
            generators: fields.to_vec(),
            symmetric: Answer::proven(Theorem::GeneratorsLeaveAlone),
        }
    }
}

/// The factors themselves act by translation.
fn translations(system: &System, fibre: &[usize]) -> FibreGroup {
    let factors: Vec<_> = fibre.iter().map(|&i| &system.factors()[i]).collect();
    let circle = |i: usize| system.circles().contains(&system.frame().base()[i]);
    let circles = factors
        .iter()
        .filter(|f| f.group.is_none() && circle(f.base.start))
        .count();
    let lines = factors.iter().filter(|f| f.group.is_none()).count() - circles;
    let power = |name: &str, k: usize| match k {
        0 => None,
        1 => Some(name.to_owned()),
        _ => Some(format!("{name}^{k}")),
    };
    let torus = match circles {
        0 => None,
        1 => Some("S^1".to_owned()),
        k => Some(format!("T^{k}")),
    };
    let mut parts: Vec<String> = power("R", lines).into_iter().chain(torus).collect();
    let groups: Vec<Group> = factors.iter().filter_map(|f| f.group).collect();
    parts.extend(groups.iter().map(group_name));
    let generators = fibre
        .iter()
        .filter(|&&i| system.factors()[i].group.is_none())
        .map(|&i| {
            let factor = &system.factors()[i];
            let mut components = vec![Expr::zero(); system.frame().rank()];
            components[factor.fibre.start] = Expr::one();
            NamedSection {
                name: factor.name.clone(),
                components,
            }
        })
        .collect();
    FibreGroup {
        name: parts.join(" x "),
        abelian: groups.iter().all(|g| g.is_abelian()),
        generators,
        symmetric: Answer::proven(Theorem::FibreSilent),
    }
}

fn group_name(g: &Group) -> String {
    match g.is_vector_space() {
        true => format!("{}^{}", g.family(), g.number()),
        false => g.to_string(),
    }
}

/// Two cyclic coordinates and an angle: translations and the rotation of the plane with the angle.
fn plane_motions(system: &System, fibre: &[usize]) -> Option<Vec<NamedSection>> {
    let coordinate = |i: usize| system.factors()[i].group.is_none();
    if fibre.len() != 3 || !fibre.iter().all(|&i| coordinate(i)) {
        return None;
    }
    let cyclic: Vec<usize> = fibre
        .iter()
        .copied()
        .filter(|&i| is_cyclic(system, i))
        .collect();
    let turned: Vec<usize> = fibre
        .iter()
        .copied()
        .filter(|i| !cyclic.contains(i))
        .collect();
    let ([x, y], [angle]) = (cyclic.as_slice(), turned.as_slice()) else {
        return None;
    };
    let at = |i: usize| system.factors()[i].fibre.start;
    let position = |i: usize| Expr::from(&system.frame().base()[system.factors()[i].base.start]);
    let field = |name: &str, entries: &[(usize, Expr)]| {
        let mut components = vec![Expr::zero(); system.frame().rank()];
        for (i, e) in entries {
            components[*i] = e.clone();
        }
        NamedSection {
            name: name.into(),
            components,
        }
    };
    Some(vec![
        field(&system.factors()[*x].name, &[(at(*x), Expr::one())]),
        field(&system.factors()[*y].name, &[(at(*y), Expr::one())]),
        field(
            "rotation",
            &[
                (at(*x), -position(*y)),
                (at(*y), position(*x)),
                (at(*angle), Expr::one()),
            ],
        ),
    ])
}

fn algebra(system: &System, fields: Vec<NamedSection>) -> Option<FibreGroup> {
    let algebra = SymmetryAlgebra::of(system, &fields).ok()?;
    let symmetric = leave_alone(system, &fields).ok()?;
    let symmetric = symmetric.by(Theorem::GeneratorsLeaveAlone);
    if !symmetric.is_proven() {
        return None;
    }
    Some(FibreGroup {
        name: algebra_name(&algebra),
        abelian: algebra.is_abelian(),
        generators: fields,
        symmetric,
    })
}

/// The local group of a small algebra, by the ranks of its derived algebra and of its centre.
fn algebra_name(algebra: &SymmetryAlgebra) -> String {
    let n = algebra.fields().len();
    if algebra.is_abelian() {
        return if n == 1 { "R".into() } else { format!("R^{n}") };
    }
    let derived = derived_rank(algebra);
    match (n, derived) {
        (2, 1) => "Aff(1)".into(),
        (3, 1) => "the Heisenberg group".into(),
        (3, 2) => "SE(2)".into(),
        (3, 3) => "SO(3)".into(),
        _ => format!("a Lie group of dimension {n}"),
    }
}

fn derived_rank(algebra: &SymmetryAlgebra) -> usize {
    use rattleback_symbolic::{Matrix, rank};
    let n = algebra.fields().len();
    let mut rows = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            rows.push(
                (0..n)
                    .map(|k| algebra.constant(i, j, k).clone())
                    .collect::<Vec<_>>(),
            );
        }
    }
    rank(&Matrix::from_rows(&rows)).map_or(0, |r| r.rank)
}
