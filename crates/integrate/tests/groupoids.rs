//! Discrete mechanics on groupoids, of first and second order, against tabulated values (CG, P-GPD).

use rattleback_compile::program::{Interpreter, Program};
use rattleback_geometry::groupoid::{
    ActionGroupoid, GaugeGroupoid, GroupGroupoid, Groupoid, RowVectors,
};
use rattleback_lie::{DirectProduct, Group};
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{
    discrete_euler_lagrange, momenta_on, regularity_matrix, second_order_equations,
};
use rattleback_symbolic::{Expr, Symbol, substitute_all};

fn close(found: &[f64], exact: &[f64]) {
    assert_eq!(found.len(), exact.len());
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-9, "{found} is not {exact}");
    }
}

fn symbols(name: &str, n: usize) -> Vec<Symbol> {
    (0..n)
        .map(|k| Symbol::variable(&format!("{name}{k}")))
        .collect()
}

fn expressions(symbols: &[Symbol]) -> Vec<Expr> {
    symbols.iter().map(Expr::from).collect()
}

/// The rotation vector over h of a rotation, by the inverse Cayley map.
fn velocity(g: &[Expr], h: &Expr) -> Vec<Expr> {
    let x = Group::SO3.cayley_inverse(g).unwrap();
    x.iter().map(|x| x / h).collect()
}

/// cay(hξ).
fn rotation(xi: &[Expr], h: &Expr) -> Vec<Expr> {
    let x: Vec<Expr> = xi.iter().map(|x| x * h).collect();
    Group::SO3.cayley(&x)
}

/// h⟨Iξ, ξ⟩/2.
fn kinetic(inertia: &[Expr; 3], xi: &[Expr], h: &Expr) -> Expr {
    let terms = inertia.iter().zip(xi).map(|(i, x)| i * x.powi(2));
    h * Expr::sum(terms) / 2
}

fn values(all: &[Expr], at: &[(Symbol, Expr)]) -> Vec<f64> {
    let all = substitute_all(all, at);
    all.iter().map(|e| e.evaluate(&[]).unwrap()).collect()
}

/// P-GPD-2 and 3.
#[test]
fn regularity_on_a_group() {
    let group = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
    let inertia = [Expr::from(2), Expr::ratio(3, 2), Expr::one()];
    let h = Expr::ratio(1, 10);
    let g = symbols("g", 9);
    let l = kinetic(&inertia, &velocity(&expressions(&g), &h), &h);
    let xi = [Expr::ratio(2, 5), Expr::one(), Expr::ratio(-3, 10)];
    let at: Vec<(Symbol, Expr)> = g.iter().cloned().zip(rotation(&xi, &h)).collect();
    let momenta = momenta_on(&group, &g, &l);
    close(
        &values(&momenta.after, &at),
        &[0.79441, 1.510775, -0.2914325],
    );
    let matrix = regularity_matrix(&group, &g, &l);
    close(
        &values(matrix.entries(), &at),
        &[
            20.0831823,
            0.4213545,
            0.738932025,
            -0.331068,
            15.162358125,
            -0.1342224375,
            -0.766017975,
            0.0665075625,
            10.04403223125,
        ],
    );
}

/// One step of equations for unknowns, as a program on what is known.
fn stepper(known: &[Symbol], unknowns: &[Symbol], residuals: Vec<Expr>) -> Interpreter {
    let stage = Stage::Implicit {
        unknowns: unknowns.to_vec(),
        residuals,
    };
    let program = Program::new(known, &[], &[stage], &expressions(unknowns)).unwrap();
    Interpreter::new(program)
}

/// P-GPD-6: a gauge groupoid, (ψ₀, ψ₁, Δθ).
#[test]
fn shape_and_momentum_of_a_beanie() {
    let groupoid = GaugeGroupoid::new(1, DirectProduct::new(&[Group::R(1)]));
    let h = Expr::ratio(1, 10);
    let (first, second) = (symbols("a", 3), symbols("b", 3));
    let [from, to, turn] = [0, 1, 2].map(|k| Expr::from(&first[k]));
    let (spin, shape) = (&turn / &h, (&to - &from) / &h);
    let kinetic = Expr::ratio(3, 4) * spin.powi(2) + (&spin + shape).powi(2) / 4;
    let potential = (2 - from.cos() - to.cos()) / 2;
    let l = &h * (kinetic - potential);
    let mut equations = discrete_euler_lagrange(&groupoid, &first, &l, &second);
    equations.push(
        groupoid
            .gap(&expressions(&first), &expressions(&second))
            .swap_remove(0),
    );
    // Unknowns are counted from the step before.
    let delta = symbols("d", 3);
    let shifted: Vec<(Symbol, Expr)> = second
        .iter()
        .zip(first.iter().zip(&delta))
        .map(|(b, (a, d))| (b.clone(), Expr::from(a) + d))
        .collect();
    let step = stepper(&first, &delta, substitute_all(&equations, &shifted));
    let mut g = vec![0.3, 0.32, 0.05];
    for _ in 0..40 {
        let d = step.values(&g).unwrap();
        g.iter_mut().zip(d).for_each(|(g, d)| *g += d);
    }
    close(&g, &[0.3243145122464, 0.3333859917173, 0.0527321301323]);
    let momentum = momenta_on(&groupoid, &first, &l).after.swap_remove(1);
    let at: Vec<(Symbol, f64)> = first.iter().cloned().zip(g).collect();
    close(&[momentum.evaluate(&at).unwrap()], &[1.1]);
}

/// |ξ₂ − ξ₁|²/2h.
fn bending(first: &[Expr], second: &[Expr], h: &Expr) -> Expr {
    let (a, b) = (velocity(first, h), velocity(second, h));
    Expr::sum(a.iter().zip(&b).map(|(a, b)| (b - a).powi(2))) / (2 * h)
}

const THREE: [[f64; 3]; 3] = [[0.5, -0.2, 0.3], [0.52, -0.18, 0.27], [0.53, -0.15, 0.25]];

/// The velocities of four steps, the last one counted from the third.
fn four_velocities() -> ([Vec<Symbol>; 3], Vec<Symbol>, [Vec<Expr>; 4]) {
    let known = ["u", "v", "w"].map(|name| symbols(name, 3));
    let delta = symbols("d", 3);
    let [u, v, w] = known.each_ref().map(|s| expressions(s));
    let last = w.iter().zip(&delta).map(|(w, d)| w + d).collect();
    (known, delta, [u, v, w, last])
}

/// P-GPD-7: second order on SO(3).
#[test]
fn second_order_on_a_group() {
    let group = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
    let h = Expr::ratio(1, 10);
    let g = ["g", "h", "k", "l"].map(|name| symbols(name, 9));
    let l = bending(&expressions(&g[1]), &expressions(&g[2]), &h);
    let equations = second_order_equations(&group, g.each_ref().map(Vec::as_slice), &l);
    let (known, delta, velocities) = four_velocities();
    let placed: Vec<(Symbol, Expr)> = g
        .iter()
        .zip(&velocities)
        .flat_map(|(g, xi)| g.iter().cloned().zip(rotation(xi, &h)))
        .collect();
    let step = stepper(&known.concat(), &delta, substitute_all(&equations, &placed));
    let mut xi: Vec<Vec<f64>> = THREE.map(|x| x.to_vec()).to_vec();
    for k in 0..30 {
        let d = step.values(&xi[k..k + 3].concat()).unwrap();
        let next = xi[k + 2].iter().zip(d).map(|(x, d)| x + d).collect();
        xi.push(next);
    }
    close(&xi[32], &[-1.775406583192, 7.483516462234, 2.037981269696]);
}

/// P-GPD-8: second order on the action groupoid S² ⋊ SO(3), with a potential.
#[test]
fn second_order_on_an_action_groupoid() {
    let top = ActionGroupoid::new(RowVectors::of(Group::SO3).unwrap());
    let h = Expr::ratio(1, 10);
    let g = ["g", "h", "k", "l"].map(|name| symbols(name, 12));
    let (first, second) = (expressions(&g[1]), expressions(&g[2]));
    let potential = &h * Expr::ratio(4, 5) * &first[2];
    let l = bending(&first[3..], &second[3..], &h) + potential;
    let equations = second_order_equations(&top, g.each_ref().map(Vec::as_slice), &l);
    let (known, delta, velocities) = four_velocities();
    // The direction at the first of the four steps, carried along.
    let gamma = symbols("gamma", 3);
    let mut point = expressions(&gamma);
    let mut placed: Vec<(Symbol, Expr)> = Vec::new();
    for (g, xi) in g.iter().zip(&velocities) {
        let element = [point, rotation(xi, &h)].concat();
        point = top.target(&element);
        placed.extend(g.iter().cloned().zip(element));
    }
    let inputs = [gamma.clone(), known.concat()].concat();
    let step = stepper(&inputs, &delta, substitute_all(&equations, &placed));
    let mut xi: Vec<Vec<f64>> = THREE.map(|x| x.to_vec()).to_vec();
    let mut direction = vec![vec![0.6, 0.0, 0.8]];
    let carried = |gamma: &[f64], xi: &[f64]| {
        let x: Vec<f64> = xi.iter().map(|x| 0.1 * x).collect();
        top.target(&[gamma, &Group::SO3.cayley(&x)].concat())
    };
    for k in 0..12 {
        let d = step
            .values(&[&direction[k][..], &xi[k..k + 3].concat()].concat())
            .unwrap();
        let next = xi[k + 2].iter().zip(d).map(|(x, d)| x + d).collect();
        xi.push(next);
        direction.push(carried(&direction[k], &xi[k]));
    }
    for k in 12..14 {
        direction.push(carried(&direction[k], &xi[k]));
    }
    close(
        &xi[14],
        &[0.0140993052169, 1.0392189170279, 0.6110500927646],
    );
    close(
        &direction[14],
        &[0.4327855362691, 0.1472197539645, 0.8893947512994],
    );
}
