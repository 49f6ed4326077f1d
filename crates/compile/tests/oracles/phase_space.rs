//! Two-forms, metrics, projectors and fields on phase space.

use crate::run::{Question, Route, indices, parts, route};
use rattleback_compile::Staged;
use rattleback_geometry::{Connection, Metric};
use rattleback_mechanics::phase::{
    ConstrainedPhaseSpace, MomentumConstraints, MomentumFunction, NonholonomicConnection,
    PhaseField, SymplecticDistribution, VelocityPhaseSpace, lie_derivative_of_metric,
};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

pub fn answer(q: &Question) -> Option<Vec<Route>> {
    let case = q.case;
    let names = &q.row.names;
    let system = &case.system;
    Some(match q.row.quantity.as_str() {
        "varpi" => {
            let twist = SymplecticDistribution::of(system).unwrap().form();
            vec![route("trivialised", entries(q, &twist))]
        }
        "frame_metric" => {
            let h = SymplecticDistribution::of(system).unwrap();
            let connection = NonholonomicConnection::of(system).unwrap();
            vec![
                route("Hessian on D", entries(q, h.metric())),
                route("induced metric", entries(q, connection.metric().lower())),
            ]
        }
        "dirac_M" => {
            let space = ConstrainedPhaseSpace::of(system).unwrap();
            let momenta = MomentumConstraints::of(system).unwrap();
            vec![
                route("on velocities", entries(q, space.compatibility())),
                route("on momenta", entries(q, momenta.compatibility())),
            ]
        }
        "dirac_K" => {
            let space = ConstrainedPhaseSpace::of(system).unwrap();
            let sign = Expr::from(q.oracle.sign("bracket_sign") as i64);
            vec![route(
                "bracket of constraints",
                entries(q, &(space.constraint_brackets() * &sign)),
            )]
        }
        "regularity" => {
            let space = ConstrainedPhaseSpace::of(system).unwrap();
            vec![route("regularity", entries(q, &space.regularity_matrix()))]
        }
        "regularity_determinant" => {
            let m = ConstrainedPhaseSpace::of(system)
                .unwrap()
                .regularity_matrix();
            vec![route(
                "regularity",
                vec![determinant(&m, |e| case.value_of(e))],
            )]
        }
        "Yf" => hamiltonian_fields(q),
        "omega_TQ" => {
            let skew = VelocityPhaseSpace::of(system).unwrap().skew().clone();
            let at = |n: &String| {
                let p = parts(n);
                case.value_of(&skew[(case.velocity(p[0]), case.velocity(p[1]))])
            };
            vec![route("S", names.iter().map(at).collect())]
        }
        "christoffel" => {
            let metric = Metric::new(system.frame(), system.mass_matrix(), &[]).unwrap();
            let connection = Connection::levi_civita(&metric);
            let at = |n: &String| {
                let p = parts(n);
                let [d, a, b] = [0, 1, 2].map(|i| case.velocity(p[i]));
                case.value_of(connection.symbol(a, b, d))
            };
            vec![route("Koszul", names.iter().map(at).collect())]
        }
        "connection_coefficients" | "structure_functions" => {
            let connection = NonholonomicConnection::of(system).unwrap();
            let at = |n: &String| {
                let i = indices(n);
                let (d, a, b) = (i[0], i[1], i[2]);
                if q.row.quantity == "structure_functions" {
                    case.value_of(&connection.frame().structure().get(a, b, d))
                } else {
                    case.value_of(connection.connection().symbol(a, b, d))
                }
            };
            vec![route("projected", names.iter().map(at).collect())]
        }
        "projector" => {
            let projector = NonholonomicConnection::of(system)
                .unwrap()
                .projection()
                .projector();
            let at = |n: &String| {
                let p = parts(n);
                case.value_of(&projector[(case.velocity(p[0]), case.velocity(p[1]))])
            };
            vec![route(
                "orthogonal projector",
                names.iter().map(at).collect(),
            )]
        }
        "lie_derivative_metric" => {
            let z = system.sections().unwrap().basis.column(0);
            let change = lie_derivative_of_metric(system.frame(), &system.mass_matrix(), &z);
            let v = system.frame().velocity();
            vec![route(
                "L_Z k",
                vec![case.value_of(&(dot(&v, &change.apply(&v)) / 2))],
            )]
        }
        "potential_derivative" => {
            let z = system.sections().unwrap().basis.column(0);
            let still: Vec<(Symbol, Expr)> = system
                .frame()
                .fibre()
                .iter()
                .map(|y| (y.clone(), Expr::zero()))
                .collect();
            let v = -system.lagrangian().substitute(&still);
            vec![route(
                "dV(Z)",
                vec![case.value_of(&dot(&system.frame().differential(&v), &z))],
            )]
        }
        "momentum_field_rates" | "tangent_lift_rates" => {
            let z = system.sections().unwrap().basis.column(0);
            let momentum = MomentumFunction::of(system, &z).unwrap();
            let field = if q.row.quantity == "tangent_lift_rates" {
                &momentum.lift
            } else {
                &momentum.field
            };
            vec![route(
                "field",
                names
                    .iter()
                    .map(|n| case.value_of(&field.fibre[case.velocity(n)]))
                    .collect(),
            )]
        }
        "multipliers_off_constraint" => vec![route("on momenta", off_constraint(q))],
        "constraint_rank" => {
            let forms = system.constraints().forms();
            let values = case.values_of(forms.entries());
            vec![route(
                "rank",
                vec![numerical_rank(&values, forms.cols()) as f64],
            )]
        }
        _ => return None,
    })
}

/// Entries named `1,2`.
fn entries(q: &Question, m: &Matrix) -> Vec<f64> {
    let at = |n: &String| {
        let i = indices(n);
        q.case.value_of(&m[(i[0], i[1])])
    };
    q.row.names.iter().map(at).collect()
}

fn hamiltonian_fields(q: &Question) -> Vec<Route> {
    let case = q.case;
    let f = case.function(q.row.text("f").expect("a function"), q.source);
    let space = ConstrainedPhaseSpace::of(&case.system).unwrap();
    let h = SymplecticDistribution::of(&case.system).unwrap();
    let chosen = |field: &PhaseField| {
        let at = |n: &String| {
            let a = case.velocity(n);
            if n.ends_with("''") {
                case.value_of(&field.fibre[a])
            } else {
                case.value_of(&field.base[a])
            }
        };
        q.row.names.iter().map(at).collect::<Vec<f64>>()
    };
    vec![
        route("projected on H", chosen(&space.distributional_field(&f))),
        route(
            "in the frame",
            chosen(&h.ambient(&h.field(&h.restrict(&f)))),
        ),
        route(
            "solved with the form",
            chosen(&solved_with_form(q, &space, &f)),
        ),
    ]
}

/// Y_f from ϖ on the horizontal basis: (HbᵀΩHb)ᵀ x = Hbᵀ df, Y_f = Hb x, numbers only (NG-H5, H7).
fn solved_with_form(q: &Question, space: &ConstrainedPhaseSpace, f: &Expr) -> PhaseField {
    let basis = space.horizontal_basis();
    let df = space.phase().differential(f);
    let unknowns: Vec<Symbol> = (0..basis.len())
        .map(|i| Symbol::variable(&format!("x{i}_")))
        .collect();
    let numbers =
        |e: &[Expr]| -> Vec<Expr> { q.case.values_of(e).into_iter().map(float).collect() };
    let form = space.symplectic_form().transpose();
    let entries = numbers(form.entries());
    let n = basis.len();
    let rhs: Vec<Expr> = basis.iter().map(|b| dot(&df, &b.components())).collect();
    let stage = rattleback_mechanics::Stage::Linear {
        unknowns: unknowns.clone(),
        matrix: Matrix::new(n, n, |i, j| entries[i * n + j].clone()),
        rhs: numbers(&rhs),
    };
    let x: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
    let solution = Staged::new(&[], &[stage], &x)
        .unwrap()
        .evaluate(&[])
        .unwrap();
    let rank = space.frame().rank();
    let mut all = vec![Expr::zero(); 2 * rank];
    for (b, x) in basis.iter().zip(solution) {
        for (sum, e) in all.iter_mut().zip(b.components()) {
            *sum += e * float(x);
        }
    }
    PhaseField::from_components(all, rank)
}

/// A number as an exact expression: the rational value of the float.
fn float(x: f64) -> Expr {
    let scale = 2f64.powi(60);
    let (high, rest) = ((x * scale / 2f64.powi(30)).trunc(), x * scale);
    let low = rest - high * 2f64.powi(30);
    (Expr::from(high as i64) * 2i64.pow(30) + Expr::from(low as i64)) / Expr::from(2).powi(60)
}

fn off_constraint(q: &Question) -> Vec<f64> {
    let text = q.source;
    let mut case = crate::case::Case::new(text, &[]);
    let momenta = MomentumConstraints::of(&case.system).unwrap();
    for (name, value) in q.row.all["at"].as_object().expect("momenta") {
        case.know(Symbol::variable(name), value.as_f64().expect("a number"));
    }
    let sign = q.oracle.sign("multiplier_sign");
    case.values_of(&momenta.multipliers())
        .iter()
        .map(|v| sign * v)
        .collect()
}

/// The determinant of a small matrix of numbers.
pub fn determinant(m: &Matrix, value: impl Fn(&Expr) -> f64) -> f64 {
    let n = m.rows();
    let mut a: Vec<Vec<f64>> = (0..n)
        .map(|i| m.row(i).iter().map(&value).collect())
        .collect();
    let mut det = 1.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap_or(k);
        if a[pivot][k] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            a.swap(pivot, k);
            det = -det;
        }
        det *= a[k][k];
        let row = a[k].clone();
        for lower in a.iter_mut().skip(k + 1) {
            let factor = lower[k] / row[k];
            lower
                .iter_mut()
                .zip(&row)
                .for_each(|(x, r)| *x -= factor * r);
        }
    }
    det
}

/// The rank of a matrix of numbers, by elimination with full pivoting.
pub fn numerical_rank(entries: &[f64], cols: usize) -> usize {
    let mut rows: Vec<Vec<f64>> = entries.chunks(cols).map(<[f64]>::to_vec).collect();
    let mut rank = 0;
    while let Some((i, j)) = largest(&rows) {
        let row = rows.swap_remove(i);
        for other in &mut rows {
            let factor = other[j] / row[j];
            other
                .iter_mut()
                .zip(&row)
                .for_each(|(x, r)| *x -= factor * r);
        }
        rank += 1;
    }
    rank
}

fn largest(rows: &[Vec<f64>]) -> Option<(usize, usize)> {
    let cells = rows
        .iter()
        .enumerate()
        .flat_map(|(i, r)| r.iter().enumerate().map(move |(j, x)| (i, j, x.abs())));
    let best = cells.max_by(|a, b| a.2.total_cmp(&b.2))?;
    (best.2 > 1e-10).then_some((best.0, best.1))
}
