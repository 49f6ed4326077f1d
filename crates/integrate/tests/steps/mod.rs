//! Systems in steps for the tests of variational methods, and the maps that they give.

#![allow(dead_code)]

use rattleback_compile::program::{Interpreter, Program};
use rattleback_geometry::{Group, LieGroup, Trivialization};
use rattleback_mechanics::discrete::{DiscreteSystem, Discretization};
use rattleback_mechanics::{Constraints, Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot};

/// The compiled map of a discrete system on positions and velocities.
pub struct Map {
    step: Interpreter,
    size: usize,
}

impl Map {
    pub fn new(system: &System, how: Discretization) -> Self {
        let discrete = DiscreteSystem::new(system, how).unwrap();
        let step = discrete.step();
        let outputs = [step.next.clone(), vec![step.action.clone()]].concat();
        let program = Program::new(&step.inputs, &[], &step.stages, &outputs).unwrap();
        let size = step.next.len();
        Map {
            step: Interpreter::new(program),
            size,
        }
    }

    fn values(&self, x: &[f64], h: f64) -> Option<Vec<f64>> {
        self.step.values(&[&[0.0, h], x].concat()).ok()
    }

    pub fn step(&self, x: &[f64], h: f64) -> Option<Vec<f64>> {
        let mut values = self.values(x, h)?;
        values.truncate(self.size);
        Some(values)
    }

    pub fn action(&self, x: &[f64], h: f64) -> f64 {
        self.values(x, h).unwrap()[self.size]
    }

    /// The states at n + 1 nodes.
    pub fn follow(&self, start: &[f64], h: f64, n: usize) -> Vec<Vec<f64>> {
        let mut path = vec![start.to_vec()];
        for k in 0..n {
            path.push(self.step(&path[k], h).unwrap());
        }
        path
    }

    /// The largest entry of Mᵀ J M − J for the map on positions and momenta, in coordinates.
    pub fn symplectic_defect(&self, system: &System, x: &[f64], h: f64) -> f64 {
        let (n, size) = (self.size / 2, self.size);
        let next = self.step(x, h).unwrap();
        let slopes = Interpreter::new(self.step.program().jacobian(2..2 + size));
        let slopes = slopes.values(&[&[0.0, h], x].concat()).unwrap();
        let (here, there) = (legendre(system, x), legendre(system, &next));
        // dx₁ in dx₀, the two-form dq ∧ dp pulled back to velocities at both ends.
        let mut defect: f64 = 0.0;
        for a in 0..size {
            for b in 0..size {
                let column =
                    |j: usize| -> Vec<f64> { (0..size).map(|i| slopes[i * size + j]).collect() };
                let unit = |j: usize| -> Vec<f64> {
                    (0..size).map(|i| f64::from(u8::from(i == j))).collect()
                };
                let after = pairing(&there, n, &column(a), &column(b));
                let before = pairing(&here, n, &unit(a), &unit(b));
                defect = defect.max((after - before).abs());
            }
        }
        defect
    }
}

/// ∂p/∂(q, v) by rows at a state.
fn legendre(system: &System, x: &[f64]) -> Vec<f64> {
    let state: Vec<Symbol> = [system.frame().base(), system.frame().fibre()].concat();
    let rows = system
        .momenta()
        .into_iter()
        .flat_map(|p| p.gradient(&state));
    let program = Program::new(&state, &[], &[], &rows.collect::<Vec<_>>()).unwrap();
    Interpreter::new(program).values(x).unwrap()
}

/// Σ dq(u) dp(v) − dq(v) dp(u).
fn pairing(slopes: &[f64], n: usize, u: &[f64], v: &[f64]) -> f64 {
    let momentum =
        |i: usize, w: &[f64]| -> f64 { (0..2 * n).map(|j| slopes[i * 2 * n + j] * w[j]).sum() };
    (0..n)
        .map(|i| u[i] * momentum(i, v) - v[i] * momentum(i, u))
        .sum()
}

pub fn close(found: f64, exact: f64, within: f64) {
    assert!((found - exact).abs() <= within, "{found} is not {exact}");
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

/// q'²/2 − V(q).
pub fn particle(potential: Expr) -> System {
    let q = Symbol::variable("q");
    let l = Expr::from(q.derivative()).powi(2) / 2 - potential;
    System::on_coordinates("particle", &[q], l)
}

pub fn pendulum() -> System {
    particle(1 - Expr::from(Symbol::variable("q")).cos())
}

/// Two links with a mass matrix that depends on position.
pub fn double_pendulum() -> System {
    let [a, b] = ["a", "b"].map(Symbol::variable);
    let (va, vb) = (Expr::from(a.derivative()), Expr::from(b.derivative()));
    let (xa, xb) = (Expr::from(&a), Expr::from(&b));
    let kinetic = va.powi(2) + vb.powi(2) / 2 + &va * &vb * (&xa - &xb).cos();
    let l = kinetic + 2 * xa.cos() + xb.cos();
    System::on_coordinates("double_pendulum", &[a, b], l)
}

/// A free body on a group, ⟨Iξ, ξ⟩/2 with a symmetric inertia by rows.
pub fn free_body(group: Group, inertia: &[Expr]) -> System {
    let entries: Vec<Symbol> = (0..group.coordinates())
        .map(|k| Symbol::variable(&format!("g[{k}]")))
        .collect();
    let velocities: Vec<Symbol> = (0..group.dimension())
        .map(|k| Symbol::variable(&format!("w[{k}]")))
        .collect();
    let frame = group.frame(&entries, &velocities, Trivialization::Body);
    let factor = Factor {
        name: "g".into(),
        group: Some(group),
        trivialization: Trivialization::Body,
        base: 0..group.coordinates(),
        fibre: 0..group.dimension(),
        unit: None,
    };
    let w: Vec<Expr> = velocities.iter().map(Expr::from).collect();
    let rows = inertia
        .chunks(w.len())
        .zip(&w)
        .map(|(row, w_i)| dot(row, &w) * w_i);
    System::on_frame("body", frame, vec![factor], Expr::sum(rows) / 2, 1)
}

fn rotation(trivialization: Trivialization, l: impl Fn(&[Expr], &[Expr]) -> Expr) -> System {
    let entries: Vec<Symbol> = (0..9).map(|k| entry(k / 3 + 1, k % 3 + 1)).collect();
    let velocities: Vec<Symbol> = (1..=3)
        .map(|k| Symbol::variable(&format!("w[{k}]")))
        .collect();
    let frame = Group::SO3.frame(&entries, &velocities, trivialization);
    let factor = Factor {
        name: "R".into(),
        group: Some(Group::SO3),
        trivialization,
        base: 0..9,
        fibre: 0..3,
        unit: None,
    };
    let symbols = |all: &[Symbol]| all.iter().map(Expr::from).collect::<Vec<_>>();
    let l = l(&symbols(&entries), &symbols(&velocities));
    System::on_frame("body", frame, vec![factor], l, 1)
}

pub fn entry(i: usize, j: usize) -> Symbol {
    Symbol::variable(&format!("R[{i},{j}]"))
}

pub fn rigid_body(inertia: [Expr; 3], potential: Expr) -> System {
    rotation(Trivialization::Body, |_, w| {
        let kinetic = inertia.iter().zip(w).map(|(i, w)| i * w.powi(2) / 2);
        Expr::sum(kinetic) - &potential
    })
}

/// A body with a potential, in velocities of the body or of the space.
pub fn leaning_body(body: bool) -> System {
    let energy = |r: &[Expr], w: &[Expr]| {
        let kinetic = w[0].powi(2) + 3 * w[1].powi(2) / 4 + w[2].powi(2) / 2;
        kinetic - 2 * &r[8] - r[1].powi(2)
    };
    match body {
        true => rotation(Trivialization::Body, energy),
        false => rotation(Trivialization::Space, |r, w| {
            // w_body = Rᵀ w.
            let column = |j: usize| [0, 1, 2].map(|i| r[3 * i + j].clone());
            let body = [0, 1, 2].map(|j| dot(&column(j), w));
            energy(r, &body)
        }),
    }
}

/// The identity with a velocity.
pub fn state(velocity: &[f64; 3]) -> Vec<f64> {
    [&Group::SO3.identity::<f64>(), &velocity[..]].concat()
}

/// B(ξ) = Iξ + (h/2) ξ × Iξ + (h²/4)(ξ·Iξ) ξ, or with the other sign of the product (CG-C4).
pub fn momentum_before(inertia: &[f64; 3], h: f64, xi: [f64; 3]) -> [f64; 3] {
    let m = [0, 1, 2].map(|k| inertia[k] * xi[k]);
    let scale = h * h / 4.0 * (0..3).map(|k| xi[k] * m[k]).sum::<f64>();
    let cross = [
        xi[1] * m[2] - xi[2] * m[1],
        xi[2] * m[0] - xi[0] * m[2],
        xi[0] * m[1] - xi[1] * m[0],
    ];
    [0, 1, 2].map(|k| m[k] + h / 2.0 * cross[k] + scale * xi[k])
}

pub trait OverInertia {
    fn map_entries(self, inertia: &[f64; 3]) -> [f64; 3];
}

impl OverInertia for [f64; 3] {
    fn map_entries(self, inertia: &[f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|k| self[k] / inertia[k])
    }
}

pub fn spherical_pendulum() -> System {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let kinetic = Expr::sum(q.iter().map(|q| Expr::from(q.derivative()).powi(2) / 2));
    let l = kinetic - Expr::from(&q[2]);
    let g = (Expr::sum(q.iter().map(|q| Expr::from(q).powi(2))) - 1) / 2;
    let system = System::on_coordinates("spherical_pendulum", &q, l);
    let constraints = Constraints::of_positions(system.frame(), vec![g]);
    system.with_constraints(constraints)
}

/// Mass 1, inertia 1/5 about the centre, which is 3/10 ahead of the blade.
pub fn sleigh() -> System {
    let q = ["x", "y", "phi"].map(Symbol::variable);
    let [vx, vy, w] = q.each_ref().map(|q| Expr::from(q.derivative()));
    let phi = Expr::from(&q[2]);
    let a = Expr::ratio(3, 10);
    let centre = (vx - &a * &w * phi.sin(), vy + &a * &w * phi.cos());
    let l = (centre.0.powi(2) + centre.1.powi(2)) / 2 + w.powi(2) / 10;
    let forms = Matrix::from_rows(&[vec![phi.sin(), -phi.cos(), Expr::zero()]]);
    let system = System::on_coordinates("sleigh", &q, l);
    system.with_constraints(Constraints::new(forms, vec![Expr::zero()]))
}

/// Turning and forward velocity of the sleigh after one unit of time, by the classical Runge-Kutta method.
pub fn sleigh_velocities(turning: f64, forward: f64) -> [f64; 2] {
    let rates = |[w, v]: [f64; 2]| [-(0.3 / 0.29) * w * v, 0.3 * w * w];
    let mut y = [turning, forward];
    let h = 1e-3;
    for _ in 0..1000 {
        let shifted = |k: [f64; 2], c: f64| [y[0] + c * k[0], y[1] + c * k[1]];
        let a = rates(y);
        let b = rates(shifted(a, h / 2.0));
        let c = rates(shifted(b, h / 2.0));
        let d = rates(shifted(c, h));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}
