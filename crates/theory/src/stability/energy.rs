//! Stability by energy and conserved quantities: E − Σ c_k I_k has a strict extremum across the orbit, among the states with
//! the same I. With large weights E − Σ c_k I_k + N Σ (I_k − I_k⁰)² then has one across the orbit among all states, and
//! it is conserved: the state is stable modulo the orbit (Lagrange and Dirichlet at rest, Routh and Patrick for steady
//! motions of groups that commute, or are compact).

use super::exact::Signs;
use super::linear::Point;
use super::pencil;
use crate::{Gap, Named, Reason};
use rattleback_geometry::Frame;
use rattleback_lie::Group;
use rattleback_mechanics::phase::tangent_lift;
use rattleback_mechanics::{NamedSection, System};
use rattleback_symbolic::{
    Expr, Matrix, Sign, Symbol, dot, nullspace, rank, simplify, substitute_all,
};

/// The largest number of directions of the phase space that is judged.
const LARGEST: usize = 16;

/// Why it does not apply, in the words of a gap.
pub(super) enum Open {
    /// A premise is missing.
    Premise(&'static str),
    /// The second variation is not definite.
    Indefinite,
    /// A computation was not decided.
    Undecided,
}

impl Open {
    /// Why it does not decide.
    pub fn reason(self) -> Reason {
        match self {
            Open::Premise(why) => Gap::EnergyDoesNotApply.with("why", why).into(),
            Open::Indefinite => Gap::SecondVariationIndefinite.into(),
            Open::Undecided => Gap::SecondVariationUnknown.into(),
        }
    }
}

/// What is conserved besides the energy, and the symmetries of all of it.
pub(super) struct Conserved {
    /// The functions.
    pub functions: Vec<Expr>,
    /// Symmetries of the Lagrangian that leave energy and functions alone, or are compact with these as momenta.
    pub fields: Vec<NamedSection>,
}

impl Conserved {
    /// Nothing but the energy, for a state of rest.
    pub fn energy(fields: Vec<NamedSection>) -> Self {
        Self {
            functions: Vec::new(),
            fields,
        }
    }

    /// The momenta of symmetries of a system with holonomic constraints at most and no forces.
    pub fn momenta(system: &System, fields: Vec<NamedSection>) -> Result<Self, Open> {
        if !commute_or_compact(system, &fields) {
            return Err(Open::Premise(
                "the symmetries neither commute nor are compact",
            ));
        }
        let p = system.momenta();
        Ok(Self {
            functions: fields.iter().map(|f| dot(&p, &f.components)).collect(),
            fields,
        })
    }

    /// First integrals, with the symmetries that leave all of them alone.
    pub fn integrals(system: &System, functions: Vec<Expr>, fields: &[NamedSection]) -> Self {
        let frame = system.frame();
        let keeps = |f: &&NamedSection| {
            let lift = tangent_lift(frame, &f.components);
            let along = functions
                .iter()
                .map(|i| lift.apply(frame, frame.fibre(), i));
            system.prove_zero(&along.collect::<Vec<_>>()).is_proven()
        };
        Self {
            fields: fields.iter().filter(keeps).cloned().collect(),
            functions,
        }
    }
}

/// Is the energy conserved or lost, whatever the motion?
pub(super) fn premise(system: &System, parameters: &[(Symbol, Expr)], rests: bool) -> Option<Open> {
    let constraints = system.constraints();
    let holonomic = constraints.holonomic().len() == constraints.len();
    match () {
        () if 2 * system.frame().rank() > LARGEST => {
            Some(Open::Premise("the phase space is too large"))
        }
        () if !constraints.is_linear() && !holonomic => {
            Some(Open::Premise("affine constraints do work"))
        }
        () if !rests && system.is_forced() => {
            Some(Open::Premise("momenta of forced systems are not conserved"))
        }
        () if system.is_forced() && !is_dissipative(system, parameters) => {
            Some(Open::Premise("the power of the forces has no sign"))
        }
        () => None,
    }
}

/// A second variation that is definite.
#[derive(Clone, Copy)]
pub(super) struct Definite {
    /// The number of directions it was judged on.
    pub directions: usize,
    /// Is it positive?
    pub positive: bool,
}

/// Is the second variation definite?
pub(super) fn definite(
    system: &System,
    conserved: &Conserved,
    point: &Point,
) -> Result<Definite, Open> {
    let frame = system.frame();
    let residuals = system.constraints().all_residuals(frame);
    let along = Along { frame, point };
    // dE = Σ κ_i dc_i over what is conserved and what vanishes.
    let energy = system.energy();
    let kept: Vec<Expr> = [&conserved.functions[..], &residuals].concat();
    let slopes = along.first(&kept);
    let slope: Vec<Expr> = along
        .first(std::slice::from_ref(&energy))
        .into_iter()
        .map(|mut c| c.swap_remove(0))
        .collect();
    let (kappa, others) = multipliers(&slope, &slopes, kept.len(), &point.signs)?;
    let combined = |k: &[Expr]| Expr::sum(k.iter().zip(&kept).map(|(k, c)| k * c));
    let rows: Vec<Vec<Expr>> = (0..kept.len())
        .map(|r| slopes.iter().map(|c| c[r].clone()).collect())
        .collect();
    let tangent = kept_directions(&rows, 2 * frame.rank(), &point.signs)?;
    let orbit: Vec<Vec<Expr>> = conserved
        .fields
        .iter()
        .map(|f| {
            let lift = tangent_lift(frame, &f.components);
            point.at(&[lift.base, lift.fibre].concat())
        })
        .collect();
    let transverse = transverse(&rows, &orbit, &tangent, &point.signs)?;
    let m = transverse.len();
    let form = |f: &Expr| {
        let second = along.second(f);
        Matrix::new(m, m, |i, j| {
            let hv: Vec<Expr> = second.iter().map(|row| dot(row, &transverse[j])).collect();
            simplify(&dot(&transverse[i], &hv))
        })
    };
    let first = form(&(energy - combined(&kappa)));
    let mut others: Vec<Matrix> = others.iter().map(|k| form(&combined(k))).collect();
    others.retain(|f| !f.entries().iter().all(Expr::is_zero));
    let definite = |positive| Definite {
        directions: m,
        positive,
    };
    match pencil::is_positive(&first, &others, &point.signs) {
        Some(true) => return Ok(definite(true)),
        None => return Err(Open::Undecided),
        Some(false) => {}
    }
    // What is conserved may as well have a maximum; what is lost may not.
    let negative = || pencil::is_positive(&first.map(|e| -e), &others, &point.signs);
    match !system.is_forced() && negative() == Some(true) {
        true => Ok(definite(false)),
        false => Err(Open::Indefinite),
    }
}

fn unit(n: usize, j: usize) -> Vec<Expr> {
    (0..n).map(|i| Expr::from(i64::from(i == j))).collect()
}

/// Derivatives along the directions of the phase space, at a point: the sections of the frame, then the velocities.
struct Along<'a> {
    frame: &'a Frame,
    point: &'a Point,
}

impl Along<'_> {
    fn directions(&self) -> std::ops::Range<usize> {
        0..2 * self.frame.rank()
    }

    fn derivatives(&self, j: usize, f: &[Expr]) -> Vec<Expr> {
        let n = self.frame.rank();
        match j < n {
            true => self.frame.act_basis(j, f),
            false => f
                .iter()
                .map(|e| e.diff(&self.frame.fibre()[j - n]))
                .collect(),
        }
    }

    /// For each direction the slopes of the functions.
    fn first(&self, f: &[Expr]) -> Vec<Vec<Expr>> {
        let at = |j: usize| self.point.at(&self.derivatives(j, f));
        self.directions().map(at).collect()
    }

    /// The second derivatives of a function.
    fn second(&self, f: &Expr) -> Vec<Vec<Expr>> {
        let slope = |j: usize| self.derivatives(j, std::slice::from_ref(f)).swap_remove(0);
        let first: Vec<Expr> = self.directions().map(slope).collect();
        self.first(&first)
    }
}

/// Directions that keep what has these slopes.
fn kept_directions(rows: &[Vec<Expr>], n: usize, signs: &Signs) -> Result<Vec<Vec<Expr>>, Open> {
    if rows.is_empty() {
        return Ok((0..n).map(|j| unit(n, j)).collect());
    }
    let space = nullspace(&Matrix::from_rows(rows)).map_err(|_| Open::Undecided)?;
    match signs.is_open() && !signs.never_vanish(&space.conditions) {
        true => Err(Open::Undecided),
        false => Ok(space.basis),
    }
}

/// κ with slope = Σ κ_i row_i, and the κ that combine to nothing.
#[allow(clippy::type_complexity)]
fn multipliers(
    slope: &[Expr],
    columns: &[Vec<Expr>],
    count: usize,
    signs: &Signs,
) -> Result<(Vec<Expr>, Vec<Vec<Expr>>), Open> {
    let none =
        || Open::Premise("the energy is not stationary among the states that are comparable");
    let still = slope.iter().all(|e| signs.is_zero(e));
    if count == 0 {
        return still.then(|| (Vec::new(), Vec::new())).ok_or_else(none);
    }
    let matrix = Matrix::new(slope.len(), count + 1, |j, i| match i < count {
        true => columns[j][i].clone(),
        false => slope[j].clone(),
    });
    let all = nullspace(&matrix).map_err(|_| Open::Undecided)?.basis;
    let (with, without): (Vec<_>, Vec<_>) = all.into_iter().partition(|v| !v[count].is_zero());
    let found = with.first().ok_or_else(none)?;
    let scaled = |v: &[Expr]| -> Vec<Expr> {
        (0..count)
            .map(|i| simplify(&-(&v[i] / &v[count])))
            .collect()
    };
    let first = scaled(found);
    let mut others: Vec<Vec<Expr>> = without.into_iter().map(|v| v[..count].to_vec()).collect();
    for v in &with[1..] {
        let difference = scaled(v).into_iter().zip(&first);
        others.push(difference.map(|(a, b)| simplify(&(a - b))).collect());
    }
    Ok((first, others))
}

/// Tangent directions that complete those of the orbit within the tangent space.
fn transverse(
    rows: &[Vec<Expr>],
    orbit: &[Vec<Expr>],
    tangent: &[Vec<Expr>],
    signs: &Signs,
) -> Result<Vec<Vec<Expr>>, Open> {
    // The part of the orbit that keeps the momenta: Σ c_k O_k with rows · O c = 0.
    let isotropy: Vec<Vec<Expr>> = match (rows.is_empty(), orbit.is_empty()) {
        (_, true) => Vec::new(),
        (true, false) => orbit.to_vec(),
        (false, false) => {
            let matrix = Matrix::new(rows.len(), orbit.len(), |r, k| {
                simplify(&dot(&rows[r], &orbit[k]))
            });
            let kept = nullspace(&matrix).map_err(|_| Open::Undecided)?;
            if signs.is_open() && !signs.never_vanish(&kept.conditions) {
                return Err(Open::Undecided);
            }
            let combined = |c: &Vec<Expr>| -> Vec<Expr> {
                (0..orbit[0].len())
                    .map(|i| Expr::sum(c.iter().zip(orbit).map(|(c, o)| c * &o[i])))
                    .collect()
            };
            kept.basis.iter().map(combined).collect()
        }
    };
    let mut kept: Vec<Vec<Expr>> = Vec::new();
    let mut known: Vec<Vec<Expr>> = Vec::new();
    let size = |all: &[Vec<Expr>]| -> Result<usize, Open> {
        if all.is_empty() {
            return Ok(0);
        }
        let found = rank(&Matrix::from_rows(all)).map_err(|_| Open::Undecided)?;
        let sure = !signs.is_open() || found.everywhere || signs.never_vanish(&found.conditions);
        sure.then_some(found.rank).ok_or(Open::Undecided)
    };
    for (k, v) in isotropy.iter().chain(tangent).enumerate() {
        let before = size(&known)?;
        known.push(v.clone());
        if size(&known)? == before {
            known.pop();
        } else if k >= isotropy.len() {
            kept.push(v.clone());
        }
    }
    Ok(kept)
}

/// Do the forces never feed energy in, at the values of the parameters?
fn is_dissipative(system: &System, parameters: &[(Symbol, Expr)]) -> bool {
    let power = dot(system.force(), &system.frame().velocity());
    let power = simplify(&(-power).substitute(parameters));
    if matches!(power.sign(), Sign::Positive | Sign::NonNegative) || power.is_zero() {
        return true;
    }
    // A quadratic form in the velocities with constant coefficients.
    let y = system.frame().fibre();
    let slopes = power.gradient(y);
    let rest: Vec<(Symbol, Expr)> = y.iter().map(|s| (s.clone(), Expr::zero())).collect();
    let starts = substitute_all(&slopes, &rest).iter().all(Expr::is_zero);
    let hessian = Matrix::new(y.len(), y.len(), |i, j| simplify(&slopes[i].diff(&y[j])));
    let numbers = hessian.entries().iter().all(|e| e.as_number().is_some());
    starts
        && numbers
        && power.degree(y) == Some(2)
        && power.substitute(&rest).is_zero()
        && is_semidefinite(&hessian)
}

/// All principal minors of a matrix of numbers at least zero.
fn is_semidefinite(m: &Matrix) -> bool {
    let n = m.rows();
    (1u32..1 << n.min(12)).all(|set| {
        let kept: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let minor = rattleback_symbolic::determinant(&m.select(&kept, &kept));
        minor.is_ok_and(|d| d.as_number().is_some_and(|r| !r.is_negative()))
    })
}

/// Do all fields commute, or do those that do not act on rotations alone?
fn commute_or_compact(system: &System, fields: &[NamedSection]) -> bool {
    let frame = system.frame();
    let rotates = |f: &NamedSection| {
        let moved = f
            .components
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_zero());
        let mut moved = moved.map(|(a, _)| a);
        moved.all(|a| {
            let mut factors = system.factors().iter();
            factors.any(|f| f.fibre.contains(&a) && f.group.is_some_and(Group::is_compact))
        })
    };
    fields.iter().enumerate().all(|(i, f)| {
        fields[..i].iter().all(|g| {
            let bracket = frame.bracket(&f.components, &g.components);
            system.prove_zero(&bracket).is_proven() || (rotates(f) && rotates(g))
        })
    })
}
