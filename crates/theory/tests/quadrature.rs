//! Densities and multipliers that are integrals without a closed form, checked along motions.

mod support;

use rattleback_compile::{CompiledQuadrature, Evaluator, QuadratureError};
use rattleback_mechanics::{Equations, Form, System};
use rattleback_symbolic::{Role, Symbol};
use rattleback_theory::{Effort, HamiltonizationReport, MeasureReport, Quadrature, Space};
use support::{Numbers, system, values};

/// A particle with the inertia `weight` along z, and z' = slope·x'.
fn particle(weight: &str, slope: &str) -> String {
    format!(
        "system particle\nparam k = 0.7\nassume k > 0\ncoord x, y, z\n\
        kinetic (x'^2 + y'^2 + ({weight})*z'^2)/2\npotential k*x*sin(y)\nconstraint z' = ({slope})*x'\n\
        fibre z\nstart y = 1/2\n"
    )
}

/// Two such particles whose coordinates y = u + v/2 and p = u − v are mixed.
const MIXED: &str = "system mixed\ncoord x, u, v, s, z, w\n\
    kinetic (x'^2 + (u' + v'/2)^2 + (u' - v')^2 + s'^2 + exp((u + v/2)^2)*z'^2 + sqrt(1 + (u - v)^4)*w'^2)/2\n\
    constraint z' = (u + v/2)*x'\nconstraint w' = (u - v)*s'\nfibre z, w\n";

fn parameters(system: &System) -> Vec<(Symbol, f64)> {
    let own = |(s, e): &(Symbol, _)| (s.clone(), values(std::slice::from_ref(e), &[])[0]);
    let constant = |p: &&(Symbol, _)| p.0.role() == Role::Constant;
    system
        .start_point()
        .iter()
        .filter(constant)
        .map(own)
        .collect()
}

/// The motion of a formulation, and its integral by fourth-order steps.
struct Motion {
    equations: Equations,
    evaluator: Evaluator,
    numbers: Vec<f64>,
}

impl Motion {
    fn of(system: &System, form: Form) -> Self {
        let (names, numbers): (Vec<Symbol>, Vec<f64>) = parameters(system).into_iter().unzip();
        let equations = system.equations(form).expect("equations");
        let evaluator = Evaluator::new(&equations, &names).expect("a program");
        Self {
            equations,
            evaluator,
            numbers,
        }
    }

    fn rates(&self, x: &[f64]) -> Vec<f64> {
        self.evaluator
            .at(0.0, x, &self.numbers)
            .expect("rates")
            .rates
    }

    fn flow(&self, x: &[f64], time: f64) -> Vec<f64> {
        let steps = 60;
        let h = time / f64::from(steps);
        let add = |x: &[f64], k: &[f64], s: f64| -> Vec<f64> {
            x.iter().zip(k).map(|(x, k)| x + s * k).collect()
        };
        let mut x = x.to_vec();
        for _ in 0..steps {
            let a = self.rates(&x);
            let b = self.rates(&add(&x, &a, h / 2.0));
            let c = self.rates(&add(&x, &b, h / 2.0));
            let d = self.rates(&add(&x, &c, h));
            for i in 0..x.len() {
                x[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
            }
        }
        x
    }

    /// det of the derivative of the flow, by differences of fourth order.
    fn stretch(&self, x: &[f64], time: f64) -> f64 {
        let n = x.len();
        let h = 1e-3;
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let at = |step: f64| {
                    let mut y = x.to_vec();
                    y[i] += step;
                    self.flow(&y, time)
                };
                let (a, b, c, d) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
                (0..n)
                    .map(|j| (a[j] - 8.0 * b[j] + 8.0 * c[j] - d[j]) / (12.0 * h))
                    .collect()
            })
            .collect();
        determinant(columns)
    }
}

fn determinant(mut m: Vec<Vec<f64>>) -> f64 {
    let n = m.len();
    let mut det = 1.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| m[i][k].abs().total_cmp(&m[j][k].abs()))
            .expect("a row");
        if pivot != k {
            m.swap(k, pivot);
            det = -det;
        }
        det *= m[k][k];
        for i in k + 1..n {
            let row = m[k].clone();
            let factor = m[i][k] / row[k];
            for (x, y) in m[i].iter_mut().zip(&row) {
                *x -= factor * y;
            }
        }
    }
    det
}

fn compiled(system: &System, n: &Quadrature) -> (CompiledQuadrature, Vec<f64>) {
    let (names, numbers): (Vec<Symbol>, Vec<f64>) = parameters(system).into_iter().unzip();
    (
        CompiledQuadrature::new(n, &names).expect("a program"),
        numbers,
    )
}

/// The density of a state: its positions are looked up by name.
fn density(
    motion: &Motion,
    n: &Quadrature,
    program: &CompiledQuadrature,
    numbers: &[f64],
    state: &[f64],
) -> f64 {
    let at: Vec<f64> = n
        .coordinates
        .iter()
        .map(|s| {
            let place = motion.equations.state.iter().position(|x| x == s);
            state[place.expect("a coordinate of the state")]
        })
        .collect();
    program.at(&at, numbers).expect("a density")
}

/// N(x(t)) · det Dφ_t = N(x(0)) along random motions.
fn check_volume(text: &str) {
    let s = system(text);
    let report = MeasureReport::of(&s, Effort::unlimited());
    assert!(report.claim.is_proven(), "{:?}\n{text}", report.claim);
    assert!(report.density.is_none(), "{:?}", report.density);
    let n = report.quadrature.expect("a quadrature");
    let form = match report.space {
        Space::Reduced { .. } => Form::Chaplygin,
        _ => Form::AlmostPoisson,
    };
    let motion = Motion::of(&s, form);
    let (program, numbers) = compiled(&s, &n);
    let mut random = Numbers(17);
    let mut moved: f64 = 0.0;
    for _ in 0..3 {
        let start: Vec<f64> = motion
            .equations
            .state
            .iter()
            .map(|_| random.next())
            .collect();
        let end = motion.flow(&start, 0.6);
        let before = density(&motion, &n, &program, &numbers, &start);
        let after = density(&motion, &n, &program, &numbers, &end);
        let stretch = motion.stretch(&start, 0.6);
        assert!(
            (after * stretch / before - 1.0).abs() < 1e-7,
            "{before} {after} {stretch}\n{text}"
        );
        moved = moved.max((after / before - 1.0).abs());
    }
    assert!(moved > 1e-3, "the density hardly changes: {text}");
}

#[test]
fn volumes_are_kept_along_motions() {
    for (weight, slope) in [
        ("exp(k*y^2)", "y"),
        ("sqrt(1 + y^4)", "y"),
        ("exp(y)", "1/sqrt(1 + y^4)"),
        ("2 + sin(y^2)", "k*y + 1"),
    ] {
        check_volume(&particle(weight, slope));
    }
}

#[test]
fn volumes_are_kept_where_components_depend_on_all_coordinates() {
    check_volume(MIXED);
}

#[test]
fn volumes_are_kept_without_a_symmetry() {
    let text = particle("exp(k*y^2)", "y")
        .replace("fibre z\n", "")
        .replace("potential k*x*sin(y)", "potential k*x*sin(y) + z*x");
    check_volume(&text);
}

#[test]
fn the_integral_does_not_depend_on_the_path() {
    let s = system(MIXED);
    let n = MeasureReport::of(&s, Effort::unlimited())
        .quadrature
        .expect("a quadrature");
    let (program, numbers) = compiled(&s, &n);
    let size = n.coordinates.len();
    let mut random = Numbers(5);
    for _ in 0..6 {
        let mut point = || -> Vec<f64> { (0..size).map(|_| random.next()).collect() };
        let (a, b, c, end) = (point(), point(), point(), point());
        let base = program.base_point(&numbers).expect("a base point");
        let straight = program
            .along(&[base.clone(), end.clone()], &numbers)
            .expect("an integral");
        let around = program
            .along(&[base, a, b, c, end.clone()], &numbers)
            .expect("an integral");
        assert!((straight - around).abs() < 1e-11, "{straight} {around}");
        let value = program.at(&end, &numbers).expect("a density");
        assert!((value.ln() - straight).abs() < 1e-11);
    }
}

#[test]
fn closed_parts_come_in_front() {
    // cot(φ)-like and Gaussian parts on two coordinates that do not meet.
    let text = "system parts\ncoord x, y, p, s, z, w\n\
        kinetic (x'^2 + y'^2 + p'^2 + s'^2 + exp(y^2)*z'^2 + w'^2)/2\n\
        constraint z' = y*x'\nconstraint w' = p*s'\nfibre z, w\n";
    let n = MeasureReport::of(&system(text), Effort::unlimited())
        .quadrature
        .expect("a quadrature");
    assert_eq!(n.legs.len(), 1);
    assert_eq!(n.legs[0].coordinate.name(), "y");
    let p = n.coordinates.iter().find(|s| s.name() == "p").expect("p");
    assert!(n.factor.contains(p) && !n.form.iter().any(|w| w.contains(p)));
    check_volume(text);
}

/// dr/dτ = ∂H/∂p, dp/dτ = −∂H/∂r with p = f P, dτ = f dt.
#[test]
fn motions_with_a_multiplier_by_quadrature_are_hamiltonian() {
    for (weight, slope) in [("exp(k*y^2)", "y"), ("exp(y)", "1/sqrt(1 + y^4)")] {
        let s = system(&particle(weight, slope));
        let report = HamiltonizationReport::of(&s, Effort::unlimited());
        assert!(report.claim.is_proven(), "{:?}", report.claim);
        let h = report.direct.expect("a Hamiltonization");
        let integral = h.quadrature.clone().expect("a quadrature");
        let (program, numbers) = compiled(&s, &integral);
        let motion = Motion::of(&s, Form::Chaplygin);
        let f_symbol = h.multiplier.as_symbol().expect("a symbol").clone();
        let (by_r, by_p) = h.gradients();
        let mut random = Numbers(29);
        for _ in 0..5 {
            let n = h.coordinates.len();
            let at: Vec<f64> = (0..2 * n).map(|_| random.next()).collect();
            let flow = motion.rates(&at);
            let f = density(&motion, &integral, &program, &numbers, &at);
            let mut here = parameters(&s);
            here.extend(h.coordinates.iter().cloned().zip(at.iter().copied()));
            here.extend(h.momenta.iter().cloned().zip(at[n..].iter().map(|p| f * p)));
            here.push((f_symbol.clone(), f));
            let slopes = values(&integral.logarithmic_derivative(), &here);
            let growth: f64 = slopes.iter().zip(&flow).map(|(a, b)| a * b).sum();
            let (by_r, by_p) = (values(&by_r, &here), values(&by_p, &here));
            for i in 0..n {
                assert!((flow[i] / f - by_p[i]).abs() < 1e-10);
                let rate = growth * at[n + i] + flow[n + i];
                assert!((rate + by_r[i]).abs() < 1e-10, "{rate} {}", by_r[i]);
            }
        }
    }
}

/// A particle whose y is an angle.
fn on_a_circle(slope: &str) -> System {
    let text = particle("exp(cos(y))", slope)
        .replace("coord x, y, z", "coord x\ncoord y : angle\ncoord z")
        .replace("potential k*x*sin(y)\n", "");
    system(&text)
}

#[test]
fn periods_around_circles_are_decided() {
    let odd = MeasureReport::of(&on_a_circle("sin(y)"), Effort::unlimited());
    assert!(
        odd.claim.is_proven() && odd.quadrature.is_some(),
        "{:?}",
        odd.claim
    );
    assert_eq!(odd.periods.vanish(), Some(true));

    let s = on_a_circle("2 + sin(y) + cos(y)");
    let winding = MeasureReport::of(&s, Effort::unlimited());
    assert!(winding.claim.is_refuted(), "{:?}", winding.claim);
    let (circle, found) = winding.periods.numeric.first().expect("a number");
    let change = &found.change;
    assert_eq!(circle.to_string(), "the circle of y");
    // The same by integration along the circle.
    let n = winding.quadrature.expect("a quadrature on the cover");
    let (program, numbers) = compiled(&s, &n);
    let turn = |angle: f64| vec![0.3, angle];
    assert_eq!(n.coordinates[1].name(), "y");
    let around = program
        .along(&[turn(0.2), turn(0.2 + std::f64::consts::TAU)], &numbers)
        .expect("an integral");
    assert!(
        (around - change).abs() < 1e-11 && around.abs() > 0.1,
        "{around} {change}"
    );
    let h = HamiltonizationReport::of(&s, Effort::unlimited())
        .direct
        .expect("a multiplier");
    assert_eq!(h.periods.vanish(), Some(false));
}

/// s' + κ r' + r θ' = 0 in the plane: ln N grows by 2πκ/(2 + κ²) with each turn, which only the coordinates
/// can hide.
#[test]
fn turns_about_a_singular_place_count() {
    let polar = "system polar\nparam kappa = 0.8\nassume kappa > 0\ncoord r\ncoord theta : angle\ncoord s\n\
        kinetic (r'^2 + r^2*theta'^2 + s'^2)/2\nconstraint s' + kappa*r' + r*theta' = 0\nfibre s\n\
        start r = 1\n";
    let cartesian = "system cartesian\nparam kappa = 0.8\nassume kappa > 0\ncoord x, y, s\n\
        kinetic (x'^2 + y'^2 + s'^2)/2\n\
        constraint sqrt(x^2 + y^2)*s' + kappa*(x*x' + y*y') + x*y' - y*x' = 0\nfibre s\nstart x = 1\n";
    for text in [polar, cartesian] {
        let s = system(text);
        let report = MeasureReport::of(&s, Effort::unlimited());
        assert!(report.claim.is_refuted(), "{:?}\n{text}", report.claim);
        let exact = report
            .periods
            .exact
            .iter()
            .map(|(_, e)| values(std::slice::from_ref(e), &parameters(&s))[0]);
        let numeric = report.periods.numeric.iter().map(|p| p.1.change);
        let all: Vec<f64> = exact.chain(numeric).collect();
        let expected = std::f64::consts::TAU * 0.8 / (2.0 + 0.64);
        assert_eq!(all.len(), 1, "{:?}", report.periods);
        assert!((all[0].abs() - expected).abs() < 1e-9, "{all:?} {expected}");
    }
}

#[test]
fn a_singular_place_is_not_passed() {
    // z' = x'/y: everything is singular at y = 0, and the start is on the positive side.
    let s = system(&particle("exp(k*y^2)", "1/y"));
    let report = MeasureReport::of(&s, Effort::unlimited());
    assert!(report.claim.is_proven(), "{:?}", report.claim);
    let n = report.quadrature.expect("a quadrature");
    let (program, numbers) = compiled(&s, &n);
    assert!(program.at(&[0.1, 1.2], &numbers).is_ok());
    let beyond = program.at(&[0.1, -1.2], &numbers);
    assert!(
        matches!(beyond, Err(QuadratureError::Singular { .. })),
        "{beyond:?}"
    );
}
