//! Momenta from first integrals: k independent functions F_a(q, P) that are constant along all motions are
//! solved for P. Their common levels are carried along by the motion, so that the family of the γ is
//! complete and passes the weak test, and the strong one where the integrals commute, as two do of which one
//! is the energy.

use super::Setting;
use super::killing;
use super::solution::{Candidate, Levels, Method};
use crate::exact::{tidy, tidy_all};
use crate::roots::square_root;
use crate::{Effort, FirstIntegralReport, Origin};
use rattleback_geometry::independent_rows;
use rattleback_mechanics::phase::FrameMomenta;
use rattleback_mechanics::{Quantity, System};
use rattleback_symbolic::{
    Expr, Matrix, Symbol, dot, inverse, nullspace, prove_all_zero, prove_zero,
};

/// Families that are offered at most: each is certified.
const OFFERED: usize = 4;

/// A function linear in the momenta of the frame, with its place among all integrals.
struct Linear {
    index: usize,
    row: Vec<Expr>,
    value: Expr,
    canonical: Expr,
}

/// What the families are made in.
struct Room<'a> {
    s: &'a Setting,
    /// P_a, and the Hamiltonian in them.
    momenta: &'a [Symbol],
    hamiltonian: &'a Expr,
    names: &'a [Symbol],
}

impl Room<'_> {
    fn levels(
        &self,
        functions: Vec<(Expr, &Symbol)>,
        closed: bool,
        solved: bool,
    ) -> Option<Levels> {
        Some(Levels {
            functions: functions.into_iter().map(|(f, c)| f - c).collect(),
            momenta: self.momenta.to_vec(),
            closed,
            solved,
        })
    }
}

/// ½ K^ab P_a P_b + U.
pub(crate) struct Quadratic {
    pub(crate) tensor: Matrix,
    pub(crate) rest: Expr,
    /// In positions and momenta.
    pub(crate) canonical: Expr,
    /// In positions and velocities.
    pub(crate) value: Expr,
}

/// Families from linear integrals, with the energy where one is missing, and for two momenta from a
/// quadratic one; those from commuting integrals first.
pub(crate) fn families(
    system: &System,
    s: &Setting,
    names: &[Symbol],
    effort: Effort,
) -> Vec<Candidate> {
    let Ok(phase) = FrameMomenta::of(system) else {
        return Vec::new();
    };
    let report = FirstIntegralReport::by_ansatz(system, effort);
    let momenta = phase.momenta();
    let mut linear = Vec::new();
    let mut quadratic = Vec::new();
    for (index, f) in report.all.iter().enumerate() {
        match (&f.origin, f.canonical.degree(momenta)) {
            (Origin::Energy | Origin::Constraints, _) => {}
            (_, Some(1)) => linear.push(Linear {
                index,
                row: tidy_all(&f.canonical.gradient(momenta)),
                value: f.value.clone(),
                canonical: f.canonical.clone(),
            }),
            (_, Some(2)) => quadratic.extend(Quadratic::of(&f.canonical, momenta, &f.value)),
            _ => {}
        }
    }
    let k = s.rank();
    let room = Room {
        s,
        momenta,
        hamiltonian: phase.hamiltonian(),
        names,
    };
    let mut found = Vec::new();
    let commute = |set: &[usize]| {
        let pairs = set.iter().flat_map(|&a| set.iter().map(move |&b| (a, b)));
        let brackets: Vec<Expr> = pairs
            .map(|(a, b)| report.involution[(linear[a].index, linear[b].index)].clone())
            .collect();
        s.zero(&brackets).is_proven()
    };
    let with_energy = subsets(s, &linear, k - 1);
    let (commuting, others): (Vec<_>, Vec<_>) = with_energy.into_iter().partition(|x| commute(x));
    found.extend(
        commuting
            .iter()
            .filter_map(|x| beside_energy(&room, &linear, x, true))
            .take(2),
    );
    if k == 2 && commuting.is_empty() {
        quadratic.extend(killing::quadratic(system, &phase, s, effort));
        found.extend(
            quadratic
                .iter()
                .filter_map(|f| eigenframe(&room, f))
                .take(2),
        );
    }
    let alone = subsets(s, &linear, k);
    found.extend(
        alone
            .iter()
            .filter_map(|x| by_inversion(&room, &linear, x, commute(x)))
            .take(1),
    );
    if alone.is_empty() {
        found.extend(
            others
                .iter()
                .filter_map(|x| beside_energy(&room, &linear, x, false))
                .take(1),
        );
    }
    found.truncate(OFFERED);
    found
}

/// Sets of linear integrals that are independent in the momenta.
fn subsets(s: &Setting, linear: &[Linear], size: usize) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size {
        let longer = sets.iter().flat_map(|set| {
            let first = set.last().map_or(0, |i| i + 1);
            (first..linear.len()).map(move |i| [set.as_slice(), &[i]].concat())
        });
        sets = longer.take(60).collect();
    }
    let independent = |set: &Vec<usize>| {
        let rows: Vec<Vec<Expr>> = set.iter().map(|&i| linear[i].row.clone()).collect();
        size > 0
            && independent_rows(&Matrix::from_rows(&rows), &s.on)
                .is_ok_and(|r| r.kept.len() == size)
    };
    sets.into_iter().filter(independent).collect()
}

fn rows(linear: &[Linear], set: &[usize]) -> Matrix {
    Matrix::from_rows(
        &set.iter()
            .map(|&i| linear[i].row.clone())
            .collect::<Vec<_>>(),
    )
}

fn named(linear: &[Linear], set: &[usize], constants: &[Symbol]) -> Vec<Quantity> {
    let pairs = set.iter().zip(constants);
    pairs
        .map(|(&i, c)| Quantity::new(c.name(), linear[i].value.clone()))
        .collect()
}

/// P with N P = c for as many integrals as momenta.
fn by_inversion(
    room: &Room,
    linear: &[Linear],
    set: &[usize],
    commuting: bool,
) -> Option<Candidate> {
    let s = room.s;
    let functions = set.iter().map(|&i| linear[i].canonical.clone());
    let constants = room.names.get(1..=set.len())?.to_vec();
    let c: Vec<Expr> = constants.iter().map(Expr::from).collect();
    let gamma = inverse(&rows(linear, set)).ok()?.solution.apply(&c);
    Some(Candidate {
        method: Method::Integrals,
        form: s.covector.apply(&tidy_all(&gamma)),
        levels: room.levels(functions.zip(&constants).collect(), commuting, false),
        integrals: named(linear, set, &constants),
        constants,
        notes: vec![format!(
            "the {} linear first integrals are solved for the momenta",
            set.len()
        )],
    })
}

/// P = P_0(c) + τ n with N n = 0 and P_0 ⟂ n; the energy gives τ.
fn beside_energy(room: &Room, linear: &[Linear], set: &[usize], closed: bool) -> Option<Candidate> {
    let s = room.s;
    let functions = set.iter().map(|&i| linear[i].canonical.clone());
    let functions = std::iter::once(room.hamiltonian.clone()).chain(functions);
    let n = rows(linear, set);
    let constants = room.names.get(..=set.len())?.to_vec();
    let c: Vec<Expr> = constants[1..].iter().map(Expr::from).collect();
    let gram = (&(&n * &s.metric) * &n.transpose()).map(tidy);
    let shares = inverse(&gram).ok()?.solution.apply(&c);
    let start = s.metric.apply(&n.transpose().apply(&shares));
    let free = nullspace(&n).ok()?.basis.into_iter().next()?;
    let length = tidy(&dot(&s.inverse_metric.apply(&free), &free));
    let left = 2 * (Expr::from(&constants[0]) - &s.potential) - dot(&c, &shares);
    let step = square_root(&tidy(&left)) / square_root(&length);
    let gamma: Vec<Expr> = start
        .iter()
        .zip(&free)
        .map(|(p, n)| tidy(&(p + &step * n)))
        .collect();
    Some(Candidate {
        method: Method::Integrals,
        form: s.covector.apply(&gamma),
        levels: room.levels(functions.zip(&constants).collect(), closed, false),
        integrals: named(linear, set, &constants[1..]),
        constants,
        notes: vec![format!(
            "the energy and {} linear first integral{} are solved for the momenta",
            set.len(),
            if set.len() == 1 { "" } else { "s" }
        )],
    })
}

impl Quadratic {
    /// From a function without a part linear in the momenta.
    pub(crate) fn of(f: &Expr, momenta: &[Symbol], value: &Expr) -> Option<Self> {
        let rest: Vec<(Symbol, Expr)> = momenta.iter().map(|p| (p.clone(), Expr::zero())).collect();
        let slope = f.gradient(momenta);
        let linear = slope.iter().all(|e| tidy(&e.substitute(&rest)).is_zero());
        let k = momenta.len();
        let tensor = Matrix::new(k, k, |a, b| tidy(&slope[a.min(b)].diff(&momenta[a.max(b)])));
        linear.then(|| Self {
            tensor,
            rest: tidy(&f.substitute(&rest)),
            canonical: f.clone(),
            value: value.clone(),
        })
    }
}

/// Two momenta, energy and ½ K PP + U: in the eigenframe K e_i = λ_i G e_i both are sums of squares,
///
/// ```text
/// π_1² = 2(c − U − λ_2(E − V))/(λ_1 − λ_2)        π_2² = 2(λ_1(E − V) − c + U)/(λ_1 − λ_2)
/// ```
fn eigenframe(room: &Room, f: &Quadratic) -> Option<Candidate> {
    let s = room.s;
    let (k, g, upper) = (&f.tensor, &s.metric, &s.inverse_metric);
    let mixed = (g * k).map(tidy);
    let trace = tidy(&(&mixed[(0, 0)] + &mixed[(1, 1)]));
    let det = &mixed[(0, 0)] * &mixed[(1, 1)] - &mixed[(0, 1)] * &mixed[(1, 0)];
    let square = tidy(&(trace.powi(2) - 4 * det));
    if !prove_zero(&square.substitute(&s.on)).is_refuted() {
        return None;
    }
    // The root of the discriminant is a symbol while the formulas are checked.
    let root = Symbol::constant("root of the discriminant");
    let open = [1, -1].map(|sign| (&trace + sign * Expr::from(&root)) / 2);
    let vectors = open.clone().map(|value| eigenvector(k, upper, &value));
    let crossed = |m: &Matrix| dot(&m.apply(&vectors[0]), &vectors[1]);
    let own_value = |i: usize| {
        let gap = k.apply(&vectors[i]);
        let scaled = upper.apply(&vectors[i]);
        dot(&gap, &vectors[i]) - &open[i] * dot(&scaled, &vectors[i])
    };
    let gaps = [crossed(upper), crossed(k), own_value(0), own_value(1)];
    let solved = vanishes(&gaps, &root, &square, s);
    let known = [(root, square_root(&square))];
    let values = open.each_ref().map(|e| tidy(&e.substitute(&known)));
    let gap = &values[0] - &values[1];
    let constants = room.names.get(..2)?.to_vec();
    let left = Expr::from(&constants[0]) - &s.potential;
    let own = Expr::from(&constants[1]) - &f.rest;
    let squares = [
        2 * (&own - &values[1] * &left) / &gap,
        2 * (&values[0] * &left - &own) / &gap,
    ];
    let mut gamma = vec![Expr::zero(); 2];
    for (vector, square) in vectors.iter().zip(&squares) {
        let e: Vec<Expr> = vector.iter().map(|e| tidy(&e.substitute(&known))).collect();
        let length = tidy(&dot(&upper.apply(&e), &e));
        let step = square_root(&tidy(&(square / length)));
        for (total, e) in gamma.iter_mut().zip(&e) {
            *total += &step * e;
        }
    }
    let coordinates: Vec<String> = values
        .iter()
        .filter(|v| v.free_symbols().iter().any(|x| s.frame.base().contains(x)))
        .map(ToString::to_string)
        .collect();
    let mut notes =
        vec!["the energy and a quadratic first integral are solved for the momenta".into()];
    if coordinates.len() == 2 && s.forms.rows() == 0 {
        notes.push(format!(
            "the Hamiltonian separates in the eigenvalues {} of its tensor",
            coordinates.join(" and ")
        ));
    }
    Some(Candidate {
        method: Method::Integrals,
        form: s.covector.apply(&tidy_all(&gamma)),
        levels: room.levels(
            vec![
                (room.hamiltonian.clone(), &constants[0]),
                (f.canonical.clone(), &constants[1]),
            ],
            true,
            solved,
        ),
        integrals: vec![Quantity::new(constants[1].name(), f.value.clone())],
        constants,
        notes,
    })
}

/// e with K e = λ G e.
fn eigenvector(k: &Matrix, upper: &Matrix, value: &Expr) -> Vec<Expr> {
    let row = |a: usize| -> Vec<Expr> {
        (0..2)
            .map(|b| &k[(a, b)] - value * &upper[(a, b)])
            .collect()
    };
    let first = row(0);
    let row = match prove_all_zero(&first).is_proven() {
        true => row(1),
        false => first,
    };
    vec![row[1].clone(), -&row[0]]
}

/// Do polynomials in a root vanish, given its square?
fn vanishes(all: &[Expr], root: &Symbol, square: &Expr, s: &Setting) -> bool {
    let mut parts = Vec::new();
    for e in all {
        let Ok(powers) = e.coefficients(root) else {
            return false;
        };
        let mut reduced = [Expr::zero(), Expr::zero()];
        for (n, c) in powers.iter().enumerate() {
            reduced[n % 2] += c * square.powi(n as i64 / 2);
        }
        parts.extend(reduced);
    }
    s.zero(&parts).is_proven()
}
