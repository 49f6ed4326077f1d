//! Discrete mechanics on groupoids, of first and second order, against tabulated values (CG, P-GPD).

use rattleback_compile::program::{Interpreter, Program};
use rattleback_geometry::groupoid::{
    ActionGroupoid, GaugeGroupoid, GroupGroupoid, Groupoid, PairGroupoid, RowVectors, Translations,
};
use rattleback_lie::{DirectProduct, Group};
use rattleback_mechanics::Stage;
use rattleback_mechanics::discrete::{
    SubmanifoldFlow, composability, constrained_second_order_equations, discrete_euler_lagrange,
    momenta_on, regularity_matrix, second_order_equations, submanifold_point,
};
use rattleback_numeric::Dense;
use rattleback_symbolic::{Expr, Symbol, prove_all_zero, substitute_all};

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
    let mut entries = values(matrix.entries(), &at);
    let determinant = rattleback_numeric::determinant(&mut entries, 3);
    assert!((determinant - 3068.682079331669).abs() < 1e-6);
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
    // Noether: R_k μ_k with μ = (1/h)(dcay⁻¹)ᵀ ∂(cost)/∂ξ_k is the same at all steps (CG-D10).
    let mut attitude: Vec<f64> = Group::SO3.identity();
    for k in 0..31 {
        if k > 0 {
            let slope = |i: usize| (2.0 * xi[k][i] - xi[k - 1][i] - xi[k + 1][i]) / 0.1;
            let d = [slope(0), slope(1), slope(2)];
            let w: Vec<f64> = xi[k].iter().map(|x| 0.1 * x).collect();
            // (1 − W/2 + w wᵀ/4)ᵀ d = d + w × d/2 + (w·d) w/4.
            let cross = [
                w[1] * d[2] - w[2] * d[1],
                w[2] * d[0] - w[0] * d[2],
                w[0] * d[1] - w[1] * d[0],
            ];
            let along: f64 = w.iter().zip(&d).map(|(w, d)| w * d).sum();
            let mu = [0, 1, 2].map(|i| (d[i] + cross[i] / 2.0 + along * w[i] / 4.0) / 0.1);
            let spatial = [0, 1, 2].map(|i| (0..3).map(|j| attitude[3 * i + j] * mu[j]).sum());
            close(&spatial, &[1.07122107212, -0.87781831155, -1.04172974457]);
        }
        let x: Vec<f64> = xi[k].iter().map(|x| 0.1 * x).collect();
        attitude = Group::SO3.product(&attitude, &Group::SO3.cayley(&x));
    }
}

/// Points of Σ_L that compose are a motion: the components along (X, −X→) are the second-order equations, those along W←
/// fix μ (CG-D7), on pairs of points and on a group.
#[test]
fn the_lagrangian_submanifold_composes() {
    fn check<G: Groupoid + Clone>(groupoid: &G, size: usize, l: impl Fn(&[Expr], &[Expr]) -> Expr) {
        let g = ["g", "h", "k", "l"].map(|name| symbols(name, size));
        let of = |a: usize, b: usize| l(&expressions(&g[a]), &expressions(&g[b]));
        // μ_k = −D₂L(g_{k−1}, g_k).
        let mu = |a: usize, b: usize| -> Vec<Expr> {
            of(a, b).gradient(&g[b]).iter().map(|e| -e).collect()
        };
        let points = [(0, 1, 2), (1, 2, 3)]
            .map(|(a, b, c)| submanifold_point(&of(b, c), &g[b], &g[c], &mu(a, b)));
        let steps = [&g[1][..], &g[2], &g[3]];
        let gap = composability(groupoid, steps, [&points[0], &points[1]]);
        let (moves, stays) = gap.split_at(groupoid.rank());
        let equations =
            second_order_equations(groupoid, g.each_ref().map(Vec::as_slice), &of(1, 2));
        let defects: Vec<Expr> = moves
            .iter()
            .zip(&equations)
            .map(|(a, b)| a - b)
            .chain(stays.iter().cloned())
            .collect();
        let verdict = prove_all_zero(&defects);
        assert!(verdict.is_proven(), "{verdict:?}");
    }
    let bend = |a: &[Expr], b: &[Expr]| {
        let middle = 2 * &a[1] - &a[0] - &b[1];
        middle.powi(2) + a[1].sin() * &b[1]
    };
    check(&PairGroupoid::new(1), 2, bend);
    let plane = GroupGroupoid::new(DirectProduct::new(&[Group::SE2]));
    let size = plane.coordinates();
    check(&plane, size, |a, b| {
        Expr::sum(a.iter().zip(b).map(|(a, b)| (b - a).powi(2) * a)) + a[0].sin()
    });
}

/// Constraints with a multiplier for each pair: the equations are the variation of Σ L + λΦ (CG-D6).
#[test]
fn constraints_on_pairs_of_steps() {
    let pairs = PairGroupoid::new(1);
    let g = ["g", "h", "k", "l"].map(|name| symbols(name, 2));
    let lambda = ["a", "b", "c"].map(|name| symbols(name, 1));
    let l = |a: &[Expr], b: &[Expr]| (2 * &a[1] - &a[0] - &b[1]).powi(2) / 2;
    let phi = |a: &[Expr], b: &[Expr]| (&a[0] * &b[1]).sin() - &a[1];
    let of = |k: usize, f: &dyn Fn(&[Expr], &[Expr]) -> Expr| {
        f(&expressions(&g[k]), &expressions(&g[k + 1]))
    };
    let equations = constrained_second_order_equations(
        &pairs,
        g.each_ref().map(Vec::as_slice),
        &of(1, &l),
        &[of(1, &phi)],
        lambda.each_ref().map(Vec::as_slice),
    );
    // Composable: the five points x₀, …, x₄ of the four steps.
    let x = symbols("x", 5);
    let placed: Vec<(Symbol, Expr)> = (0..4)
        .flat_map(|k| {
            let ends = [Expr::from(&x[k]), Expr::from(&x[k + 1])];
            g[k].iter().cloned().zip(ends).collect::<Vec<_>>()
        })
        .collect();
    let sum = Expr::sum((0..3).map(|k| of(k, &l) + of(k, &phi) * &lambda[k][0]));
    let varied = sum.substitute(&placed).diff(&x[2]);
    let found = equations[0].substitute(&placed);
    let verdict = prove_all_zero(&[found - varied]);
    assert!(verdict.is_proven(), "{verdict:?}");
}

/// F⁺∘(F⁻)⁻¹ on so(3)* is a Poisson map: J Λ(Π) Jᵀ = Λ(Π'), and |Π|² is kept (CG-C6).
#[test]
fn momentum_maps_are_poisson() {
    let group = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
    let inertia = [Expr::from(2), Expr::ratio(3, 2), Expr::one()];
    let h = Expr::ratio(1, 10);
    let (g, xi) = (symbols("g", 9), symbols("x", 3));
    let l = kinetic(&inertia, &velocity(&expressions(&g), &h), &h);
    let at: Vec<(Symbol, Expr)> = g
        .iter()
        .cloned()
        .zip(rotation(&expressions(&xi), &h))
        .collect();
    let momenta = momenta_on(&group, &g, &l);
    let [before, after] = [&momenta.before, &momenta.after].map(|m| substitute_all(m, &at));
    for place in [[0.4, 1.0, -0.3], [-2.0, 0.7, 1.1], [3.0, -4.0, 2.0]] {
        let values: Vec<(Symbol, f64)> = xi.iter().cloned().zip(place).collect();
        let number = |e: &Expr| e.evaluate(&values).unwrap();
        let slopes = |m: &[Expr]| {
            let rows: Vec<f64> = m
                .iter()
                .flat_map(|e| e.gradient(&xi))
                .map(|e| number(&e))
                .collect();
            Dense::of_rows(3, 3, &rows)
        };
        let tensor = |m: &[Expr]| {
            let p: Vec<f64> = m.iter().map(number).collect();
            let rows = [0.0, p[2], -p[1], -p[2], 0.0, p[0], p[1], -p[0], 0.0];
            Dense::of_rows(3, 3, &rows)
        };
        // J = D(after) D(before)⁻¹.
        let turned = slopes(&before)
            .transposed()
            .solve(&slopes(&after).transposed());
        let j = turned.unwrap().transposed();
        let defect = &(&(&j * &tensor(&before)) * &j.transposed()) - &tensor(&after);
        assert!(defect.largest() < 1e-11, "{}", defect.largest());
        let size = |m: &[Expr]| m.iter().map(|e| number(e).powi(2)).sum::<f64>();
        assert!((size(&before) - size(&after)).abs() < 1e-11);
    }
}

/// The flow of Σ_L on a group, with its Jacobian: state (g, a, b), unknown the velocity of the next step and multipliers.
struct GroupFlow {
    map: Interpreter,
    slopes: Interpreter,
    regularity: Interpreter,
}

impl GroupFlow {
    fn of(
        l: impl Fn(&[Expr], &[Expr]) -> Expr,
        constraints: impl Fn(&[Expr], &[Expr]) -> Vec<Expr>,
    ) -> Self {
        let group = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
        let h = Expr::ratio(1, 10);
        let (g1, g2, xi) = (symbols("g", 9), symbols("k", 9), symbols("x", 3));
        let (a, b) = (symbols("a", 3), symbols("b", 3));
        let (e1, e2) = (expressions(&g1), expressions(&g2));
        let held = constraints(&e1, &e2);
        let lambda = symbols("l", held.len());
        let flow =
            SubmanifoldFlow::of(&group, [&g1, &g2], &l(&e1, &e2), (&held, &lambda), (&a, &b));
        let next = rotation(&expressions(&xi), &h);
        let at: Vec<(Symbol, Expr)> = g2.iter().cloned().zip(next.clone()).collect();
        let known = [&g1[..], &a, &b].concat();
        let unknowns = [&xi[..], &lambda].concat();
        let stage = Stage::Implicit {
            unknowns,
            residuals: substitute_all(&flow.equations, &at),
        };
        let outputs = [next, substitute_all(&flow.next, &at)].concat();
        let stages = std::slice::from_ref(&stage);
        let program = Program::new(&known, &[], stages, &outputs).unwrap();
        let regular = substitute_all(flow.regularity.entries(), &at);
        let regular = Program::new(&known, &[], stages, &regular).unwrap();
        Self {
            slopes: Interpreter::new(program.jacobian(0..known.len())),
            map: Interpreter::new(program),
            regularity: Interpreter::new(regular),
        }
    }

    /// The Poisson tensor of A*(P^αG) = g* × T*G on functions of (g, a, b): {g, a} = −X→, {g, b} = W←, and −C on a and b.
    fn tensor(x: &[f64]) -> Dense {
        let group = GroupGroupoid::new(DirectProduct::new(&[Group::SO3]));
        let basis =
            |i: usize| -> Vec<f64> { (0..3).map(|j| f64::from(u8::from(i == j))).collect() };
        let mut tensor = Dense::zeros(15, 15);
        for i in 0..3 {
            let (left, right) = (
                group.left(&x[..9], &basis(i)),
                group.right(&x[..9], &basis(i)),
            );
            for k in 0..9 {
                tensor[(k, 9 + i)] = -right[k];
                tensor[(9 + i, k)] = right[k];
                tensor[(k, 12 + i)] = left[k];
                tensor[(12 + i, k)] = -left[k];
            }
            // [e_1, e_2] = e_3: {p_1, p_2} = −p_3.
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            for first in [9, 12] {
                tensor[(first + i, first + j)] = -x[first + k];
                tensor[(first + j, first + i)] = x[first + k];
            }
        }
        tensor
    }

    fn assert_poisson(&self, x: &[f64]) -> Vec<f64> {
        let regular = self.regularity.values(x).unwrap();
        let size = regular.len().isqrt();
        assert!(
            Dense::of_rows(size, size, &regular)
                .solve(&Dense::identity(size))
                .is_ok()
        );
        let next = self.map.values(x).unwrap();
        let slopes = Dense::of_rows(15, 15, &self.slopes.values(x).unwrap());
        let pushed = &(&slopes * &Self::tensor(x)) * &slopes.transposed();
        let defect = &pushed - &Self::tensor(&next);
        let largest = pushed.largest();
        assert!(
            defect.largest() < 1e-8 * largest,
            "{} of {largest}",
            defect.largest()
        );
        next
    }
}

/// CG-D8, D11: the flow of Σ_L is Poisson on A*(P^αG), with constraints on pairs of steps too; a motion of the second-order
/// equations is one of its orbits.
#[test]
fn the_flow_of_the_submanifold_is_poisson() {
    let h = Expr::ratio(1, 10);
    let inertia = [Expr::from(2), Expr::ratio(3, 2), Expr::one()];
    let l = |g: &[Expr], k: &[Expr]| bending(g, k, &h) + kinetic(&inertia, &velocity(g, &h), &h);
    let free = |_: &[Expr], _: &[Expr]| Vec::new();
    let flow = GroupFlow::of(l, free);
    let xi = [0.4, 1.0, -0.3].map(|x: f64| x * 0.1);
    let first = Group::SO3.cayley::<f64>(&xi);
    // The covector of a pair of equal steps, and beside it.
    for offset in [0.0, 0.3] {
        let start = [&first[..], &[0.5 + offset, 0.2, -0.1], &[0.3, offset, 0.2]].concat();
        let mut x = start;
        for _ in 0..3 {
            x = flow.assert_poisson(&x);
        }
    }
    // One component of the difference of the velocities is held.
    let held = |g: &[Expr], k: &[Expr]| {
        let (a, b) = (velocity(g, &h), velocity(k, &h));
        vec![&b[2] - &a[2] - &a[0] * &a[1] / 10]
    };
    let flow = GroupFlow::of(|g: &[Expr], k: &[Expr]| bending(g, k, &h), held);
    let start = [&first[..], &[0.5, 0.2, -0.1], &[0.3, 0.1, 0.2]].concat();
    let next = flow.map.values(&start).unwrap();
    let (a, b) = (
        Group::SO3.cayley_inverse(&start[..9]).unwrap(),
        Group::SO3.cayley_inverse(&next[..9]).unwrap(),
    );
    close(&[(b[2] - a[2]) * 10.0], &[a[0] * a[1] * 10.0]);
}

/// Reduction by the morphism (g, h) to g⁻¹h: upstairs and downstairs the equations are the same, of first and second order
/// (CG-D9).
#[test]
fn reduction_by_a_morphism() {
    let group = DirectProduct::new(&[Group::SO3]);
    let upstairs = ActionGroupoid::new(Translations(group.clone()));
    let downstairs = GroupGroupoid::new(group);
    let h = Expr::ratio(1, 10);
    let inertia = [Expr::from(2), Expr::ratio(3, 2), Expr::one()];
    let g = ["g", "h", "k", "l"].map(|name| symbols(name, 9));
    let full: Vec<Vec<Symbol>> = ["p", "q", "r", "s"]
        .iter()
        .zip(&g)
        .map(|(point, g)| [symbols(point, 9), g.clone()].concat())
        .collect();
    let l = kinetic(&inertia, &velocity(&expressions(&g[1]), &h), &h);
    let above = discrete_euler_lagrange(&upstairs, &full[1], &l, &full[2]);
    let below = discrete_euler_lagrange(&downstairs, &g[1], &l, &g[2]);
    let second = bending(&expressions(&g[1]), &expressions(&g[2]), &h);
    let lifted: [&[Symbol]; 4] = [&full[0], &full[1], &full[2], &full[3]];
    let above_too = second_order_equations(&upstairs, lifted, &second);
    let below_too = second_order_equations(&downstairs, g.each_ref().map(Vec::as_slice), &second);
    let pairs = above
        .iter()
        .zip(&below)
        .chain(above_too.iter().zip(&below_too));
    let defects: Vec<Expr> = pairs.map(|(a, b)| a - b).collect();
    assert_eq!(defects.len(), 6);
    let verdict = prove_all_zero(&defects);
    assert!(verdict.is_proven(), "{verdict:?}");
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
    // Γ·μ is kept, with hμ = (dcay⁻¹_{hξ})ᵀ D and D the slope of the sum by ξ_k.
    let dot = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    for k in 1..14 {
        let d = [0, 1, 2].map(|i| (2.0 * xi[k][i] - xi[k - 1][i] - xi[k + 1][i]) / 0.1);
        let w = [0, 1, 2].map(|i| 0.1 * xi[k][i]);
        let along = dot(&w, &d) / 4.0;
        let mu = [0, 1, 2].map(|i| {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            (d[i] + (w[j] * d[l] - w[l] * d[j]) / 2.0 + along * w[i]) / 0.1
        });
        let gamma = [0, 1, 2].map(|i| direction[k][i]);
        close(&[dot(&gamma, &mu)], &[-0.190651152382732]);
    }
}
