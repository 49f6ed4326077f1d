//! The constraint algorithm, Tulczyjew's triple and Lagrangian submanifolds (AC).

mod support;

use rattleback_geometry::{Form, Frame, StructureFunctions};
use rattleback_symbolic::{Expr, Matrix, Symbol, Tape, dot, prove_all_zero, prove_zero};
use rattleback_theory::Effort;
use rattleback_theory::presymplectic::*;
use support::{Numbers, given, rk4};

fn variables<const N: usize>(names: [&str; N]) -> [Symbol; N] {
    names.map(Symbol::variable)
}

fn e(s: &Symbol) -> Expr {
    Expr::from(s)
}

/// The chain of a Lagrangian, with its dimensions and the number of free directions.
fn check(name: &str, system: &Presymplectic, dimensions: &[usize], gauge: usize) -> Chain {
    let chain = system.chain(Effort::unlimited());
    assert_eq!(chain.dimensions(), dimensions, "{name}: {:?}", chain.end);
    assert!(chain.claim.is_proven(), "{name}: {:?}", chain.claim);
    assert_eq!((chain.freedom, chain.gauge.len()), (gauge, gauge), "{name}");
    stays_inside(name, &chain);
    chain
}

/// The field, integrated from a random point of the final set, stays inside and keeps H.
fn stays_inside(name: &str, chain: &Chain) {
    let base = chain.coordinates.as_slice();
    let rates = chain.rates.clone();
    let inside: Vec<Expr> = base
        .iter()
        .map(|s| e(s).substitute(&chain.solved))
        .collect();
    let gaps: Vec<Expr> = chain.solved.iter().map(|(w, v)| e(w) - v).collect();
    let all = [rates, inside, gaps].concat();
    let mut names = base.to_vec();
    let constants: Vec<Symbol> = rattleback_symbolic::free_symbols(&all)
        .into_iter()
        .filter(|s| !base.contains(s))
        .collect();
    names.extend(constants.iter().cloned());
    let tape = Tape::new(&names, &all).expect("a tape");
    let mut numbers = Numbers::new(9);
    let n = base.len();
    let values: Vec<f64> = constants
        .iter()
        .map(|_| 1.0 + 0.3 * numbers.next())
        .collect();
    let anywhere: Vec<f64> = (0..n).map(|_| 0.4 + 0.3 * numbers.next()).collect();
    let start = tape.evaluate(&[anywhere, values.clone()].concat())[n..2 * n].to_vec();
    let end = rk4(
        &|x: &[f64]| tape.evaluate(&[x, &values].concat())[..n].to_vec(),
        &start,
        0.3,
        300,
    );
    let gaps = &tape.evaluate(&[end, values].concat())[2 * n..];
    assert!(gaps.iter().all(|g| g.abs() < 1e-8), "{name}: {gaps:?}");
}

fn lagrangian(coordinates: &str, l: &str) -> Presymplectic {
    let g = given(&format!(
        "system s\nparam g = 2\nassume g > 0\ncoord {coordinates}\nlagrangian {l}\n"
    ));
    Presymplectic::of_lagrangian(&g.system)
}

/// AC 4.2, G1 to G5.
#[test]
fn chains_of_singular_lagrangians() {
    check("G1", &lagrangian("x, y", "(x' + y)^2/2"), &[6, 4, 3], 1);
    let cawley = check(
        "G2",
        &lagrangian("x, y, z", "x'*z' + y*z^2/2"),
        &[9, 6, 5, 4],
        1,
    );
    assert_eq!(cawley.irregular.len(), 1);
    check("G3", &lagrangian("x, y", "sqrt(x'^2 + y'^2)"), &[6, 4], 1);
    check(
        "G4",
        &lagrangian("x, y, lam", "(x'^2 + y'^2)/2 - g*y + lam*(x^2 + y^2 - 1)/2"),
        &[9, 6, 5, 4, 3, 2],
        0,
    );
    check("G5", &lagrangian("q", "q'^2/2 - cos(q)"), &[3, 2], 0);
}

#[test]
fn a_lagrangian_without_motion() {
    let chain = lagrangian("x, y", "x'^2/2 + y").chain(Effort::unlimited());
    assert!(matches!(chain.end, End::Inconsistent(_)), "{:?}", chain.end);
    assert!(chain.claim.is_refuted());
}

/// G6: the singular double integrator.
#[test]
fn the_singular_double_integrator() {
    let q = variables(["x", "y"]);
    let l = (e(&q[0].jet(2)) + e(&q[1].jet(2))).powi(2) / 2;
    let chain = check("G6", &Presymplectic::of_order(&q, &l, 2), &[10, 8, 7], 1);
    // x − y is gauge with both of its derivatives.
    assert_eq!(chain.form_rank, Some(4));
}

/// G7, G8: a rigid body with two torques, on the algebra so(3), for two costs.
#[test]
fn the_rigid_body_with_two_torques() {
    let body = |c1: i64, c2: i64| {
        let o = variables(["O1", "O2", "O3"]);
        let p = variables(["p1", "p2", "p3"]);
        let pt = variables(["pt1", "pt2", "pt3"]);
        let a = variables(["a1", "a2"]);
        // I = 1: u_a = a_a and O3' = 0.
        let cost = c1 * (e(&a[0]).powi(2) + e(&a[1]).powi(2))
            + c2 * Expr::sum(o.iter().map(|o| e(o).powi(2)));
        let mut h = -cost;
        for i in 0..3 {
            h += e(&p[i]) * e(&o[i]);
        }
        h += e(&pt[0]) * e(&a[0]) + e(&pt[1]) * e(&a[1]);
        // Sections e_A of so(3), then all the coordinates.
        let algebra = Frame::new(
            Vec::new(),
            variables(["w1", "w2", "w3"]).to_vec(),
            Matrix::zeros(0, 3),
            StructureFunctions::from_constants(&[(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1)]),
        );
        let fibre: Vec<Symbol> = [o.as_slice(), &p, &pt, &a].concat();
        let frame = prolonged(&algebra, &fibre);
        let mut form = canonical_form(&algebra, &p, 3, frame.rank());
        for i in 0..3 {
            form[(3 + i, 9 + i)] = Expr::one();
            form[(9 + i, 3 + i)] = Expr::from(-1);
        }
        Presymplectic {
            covector: frame.differential(&h),
            frame,
            form,
            groups: Vec::new(),
        }
    };
    let singular = check("G7", &body(0, 1), &[14, 12, 10, 8], 0);
    assert_eq!(singular.form_rank, Some(8));
    check("G8", &body(1, 0), &[14, 12], 0);
    check("G8", &body(1, 1), &[14, 12], 0);
}

/// On a group the free rigid body needs one step: p = I w, and the field is Euler's.
#[test]
fn euler_poincare_as_a_chain() {
    let g = given(
        "system top\nparam A = 1, B = 2, C = 3\nassume A > 0, B > 0, C > 0\ngroup R : SO(3) velocity w\nlagrangian (A*w[1]^2 + B*w[2]^2 + C*w[3]^2)/2\n",
    );
    let system = Presymplectic::of_lagrangian(&g.system);
    let chain = system.chain(Effort::unlimited());
    assert_eq!(chain.dimensions(), [9, 6]);
    assert!(chain.claim.is_proven());
    assert!(chain.gauge.is_empty());
    let w: Vec<Expr> = g.system.frame().velocity();
    let [a, b, c] = ["A", "B", "C"].map(|n| {
        let found = g
            .model
            .parameters
            .iter()
            .find(|p| p.symbol.name() == n)
            .expect("a parameter");
        e(&found.symbol)
    });
    // The rates of (w, p) on the final set: A w1' = (B − C) w2 w3.
    let solved = &chain.solved;
    let expected = ((&b - &c) * &w[1] * &w[2]) / &a;
    let rate = &chain.field[3];
    let gap = (rate - expected).substitute(solved);
    assert!(prove_zero(&gap).is_proven(), "{rate} on {solved:?}");
}

/// Vakonomic constraints: the multiplier is determined in one step after the momenta.
#[test]
fn vakonomic_problems_are_presymplectic() {
    let g = given(
        "system heis\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x' - x*y'\n",
    );
    let chain = Presymplectic::of_lagrangian(&g.system).chain(Effort::unlimited());
    // (q, v, p, μ): p = L_v − μφ_v and φ = 0, which determine v and μ.
    assert_eq!(chain.dimensions(), [10, 6]);
    assert!(chain.claim.is_proven() && chain.gauge.is_empty());
    assert_eq!(chain.form_rank, Some(6));
}

#[test]
fn prolongations_are_algebroids() {
    // An action algebroid of so(3) on R^3.
    let x = variables(["x1", "x2", "x3"]);
    let entries = [
        [(0, 0), (3, -1), (2, 1)],
        [(3, 1), (0, 0), (1, -1)],
        [(2, -1), (1, 1), (0, 0)],
    ];
    let anchor = Matrix::new(3, 3, |i, a| match entries[i][a] {
        (0, _) => Expr::zero(),
        (k, s) => s * e(&x[k - 1]),
    });
    let structure = StructureFunctions::from_constants(&[(0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1)]);
    let y = variables(["y1", "y2", "y3"]);
    let signs = [1, -1];
    let frame = signs
        .iter()
        .map(|s| {
            Frame::new(
                x.to_vec(),
                y.to_vec(),
                anchor.map(|e| *s * e),
                structure.clone(),
            )
        })
        .find(|f| f.check_structure(&[]).is_lie_algebroid())
        .expect("one of the two signs is an action");
    let over = prolonged(&frame, &y);
    assert!(over.check_structure(&[]).is_lie_algebroid());
    let again = prolonged(&over, &variables(["z1", "z2", "z3", "z4", "z5", "z6"]));
    assert!(again.check_structure(&[]).is_lie_algebroid());
    // Lifts: [X^c, Y^c] = [X, Y]^c, [X^c, Y^v] = [X, Y]^v, [X^v, Y^v] = 0.
    let a = vec![e(&x[0]) * e(&x[1]), e(&x[2]).sin(), Expr::one()];
    let b = vec![e(&x[1]), e(&x[0]).powi(2), e(&x[2])];
    let bracket = frame.bracket(&a, &b);
    let gap = |u: Vec<Expr>, v: Vec<Expr>| -> Vec<Expr> {
        u.iter().zip(&v).map(|(u, v)| u - v).collect()
    };
    let cc = over.bracket(&complete_lift(&frame, &a), &complete_lift(&frame, &b));
    let cv = over.bracket(&complete_lift(&frame, &a), &vertical_lift(&frame, &b));
    let vv = over.bracket(&vertical_lift(&frame, &a), &vertical_lift(&frame, &b));
    let all = [
        gap(cc, complete_lift(&frame, &bracket)),
        gap(cv, vertical_lift(&frame, &bracket)),
        vv,
    ]
    .concat();
    assert!(prove_all_zero(&all).is_proven());
    // The canonical section is minus the differential of the Liouville section.
    let p = variables(["p1", "p2", "p3"]);
    let dual = prolonged(&frame, &p);
    let liouville: Vec<Expr> = p
        .iter()
        .map(Expr::from)
        .chain((0..3).map(|_| Expr::zero()))
        .collect();
    let d = Form::covector(&liouville).differential(&dual);
    let omega = canonical_form(&frame, &p, 0, 6);
    let gaps: Vec<Expr> = (0..36)
        .map(|k| d.component(&[k / 6, k % 6]) + &omega[(k / 6, k % 6)])
        .collect();
    assert!(prove_all_zero(&gaps).is_proven());
}

#[test]
fn subspaces_are_classified() {
    let form = Matrix::new(4, 4, |i, j| match (i, j) {
        (0, 2) | (1, 3) => Expr::one(),
        (2, 0) | (3, 1) => Expr::from(-1),
        _ => Expr::zero(),
    });
    let unit = |i: usize| -> Vec<Expr> { (0..4).map(|j| i64::from(i == j).into()).collect() };
    let class = |w: &[Vec<Expr>]| classify(&form, w).expect("a class");
    assert!(class(&[unit(0), unit(1)]).lagrangian());
    assert!(class(&[unit(0), unit(2)]).symplectic);
    assert!(class(&[unit(0)]).isotropic && !class(&[unit(0)]).coisotropic);
    assert!(class(&[unit(0), unit(1), unit(2)]).coisotropic);
    // A vector twice spans no more than once; the kernel of the restriction is W ∩ W^⊥.
    assert_eq!(
        class(&[unit(0), unit(0), unit(2)]),
        class(&[unit(0), unit(2)])
    );
    let inside = restricted_kernel(&form, &[unit(0), unit(1), unit(2)]).expect("a kernel");
    assert_eq!(inside.len(), 1);
    assert!((0..4).all(|i| inside[0][i].is_zero() == (i != 1)));
    let x = Expr::from(Symbol::variable("x"));
    let twisted = Matrix::new(3, 3, |i, j| match (i, j) {
        (0, 1) => x.clone(),
        (1, 0) => -&x,
        (1, 2) => Expr::one(),
        (2, 1) => Expr::from(-1),
        _ => Expr::zero(),
    });
    let DarbouxBasis { pairs, kernel } = darboux(&twisted);
    assert_eq!((pairs.len(), kernel.len()), (1, 1));
    let pair = |v: &[Expr], w: &[Expr]| dot(v, &twisted.apply(w));
    let mut gaps = vec![pair(&pairs[0].0, &pairs[0].1) - 1];
    gaps.extend(twisted.apply(&kernel[0]));
    assert!(prove_all_zero(&gaps).is_proven());
}

#[test]
fn lagrangian_submanifolds() {
    let q = variables(["x", "y", "p", "r"]);
    let form = canonical(1);
    let [u, v] = variables(["u", "v"]);
    // The image of a one-form is Lagrangian exactly if it is closed.
    let closed = [e(&u), e(&v), e(&v) * e(&u).cos(), e(&u).sin()];
    let open = [e(&u), e(&v), e(&v), -e(&u)];
    let test =
        |x: &[Expr]| is_lagrangian(&q, &form, &[u.clone(), v.clone()], x).expect("a verdict");
    assert!(test(&closed).is_proven());
    assert!(test(&open).is_refuted());
    // Over a circle: p·∂x/∂u = L', the conormal is free.
    let circle = [e(&u).cos(), e(&u).sin()];
    let (p, free) =
        generated(std::slice::from_ref(&u), &circle, &(2 * e(&u))).expect("a submanifold");
    assert_eq!(free.len(), 1);
    let s = &v;
    let sheet: Vec<Expr> = circle
        .iter()
        .cloned()
        .chain((0..2).map(|i| &p[i] + e(s) * &free[0][i]))
        .collect();
    assert!(test(&sheet).is_proven());
}

/// (q, p) ↦ (q, p + a(q)) is symplectic exactly if a is closed.
#[test]
fn symplectic_maps() {
    let x = variables(["x", "y", "p", "r"]);
    let [a, b, p, r] = x.each_ref().map(e);
    let test = |image: &[Expr]| is_symplectic_map(&x, &canonical(1), image);
    let shift = |s: Expr, t: Expr| [a.clone(), b.clone(), &p + s, &r + t];
    assert!(test(&shift(&b * a.cos(), a.sin())).is_proven());
    assert!(test(&shift(b.clone(), -&a)).is_refuted());
    assert!(test(&[p.clone(), r.clone(), -&a, -&b]).is_proven());
    assert!(test(&[2 * &a, b.clone(), p.clone(), r.clone()]).is_refuted());
}

/// α is symplectic, β and R are not up to a sign: they turn the form around; β = R∘α.
#[test]
fn tulczyjew_maps() {
    let n = 2;
    let names: Vec<Symbol> = (0..4 * n)
        .map(|i| Symbol::variable(&format!("z{i}")))
        .collect();
    let blocks = |v: &[Expr]| -> Blocks { std::array::from_fn(|k| v[k * n..(k + 1) * n].to_vec()) };
    let z: Vec<Expr> = names.iter().map(Expr::from).collect();
    let pullback = |map: &dyn Fn(Blocks) -> Blocks, form: &Matrix| {
        let image = map(blocks(&z)).concat();
        let jacobian = Matrix::new(4 * n, 4 * n, |i, j| image[i].diff(&names[j]));
        &(&jacobian.transpose() * form) * &jacobian
    };
    let lift = lifted_form(n);
    let by_alpha = pullback(&alpha, &canonical(n));
    assert_eq!(by_alpha, lift);
    assert_eq!(pullback(&beta, &canonical(n)), lift.map(|e| -e));
    assert_eq!(pullback(&turned, &canonical(n)), canonical(n).map(|e| -e));
    assert_eq!(turned(alpha(blocks(&z))), beta(blocks(&z)));
    assert_eq!(alpha_inverse(alpha(blocks(&z))), blocks(&z));
    assert_eq!(kappa(kappa(blocks(&z))), blocks(&z));
}

#[test]
fn implicit_dynamics() {
    let regular = given(
        "system a\nparam k = 2\ncoord x, y\nkinetic (x'^2 + (1 + x^2)*y'^2)/2\npotential k*x*y\n",
    );
    let found = ImplicitDynamics::of(&regular.system);
    assert!(found.hamiltonian.is_proven());
    let names: Vec<Symbol> = (0..8).map(|i| Symbol::variable(&format!("z{i}"))).collect();
    let verdict = is_lagrangian(
        &names,
        &lifted_form(2),
        &found.parameters,
        &found.points.concat(),
    );
    assert!(verdict.expect("a verdict").is_proven());
    let singular = given("system b\ncoord x, y\nlagrangian (x' + y)^2/2\n");
    assert!(
        ImplicitDynamics::of(&singular.system)
            .hamiltonian
            .is_refuted()
    );
}

/// With constraints: Σ_L is Lagrangian, every point of it is passed by a motion, and momenta are kept.
#[test]
fn implicit_dynamics_with_constraints() {
    let g = given(
        "system heis\nparam m = 2\nassume m > 0\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\npotential x*y\nconstraint z' = y*x' - x*y'\n",
    );
    let found = ImplicitDynamics::constrained(&g.system).expect("a submanifold");
    assert!(found.hamiltonian.is_proven(), "{:?}", found.hamiltonian);
    let names: Vec<Symbol> = (0..12)
        .map(|i| Symbol::variable(&format!("z{i}")))
        .collect();
    let verdict = is_lagrangian(
        &names,
        &lifted_form(3),
        &found.parameters,
        &found.points.concat(),
    );
    assert!(verdict.expect("a verdict").is_proven());
    let chain = found.integrable(Effort::unlimited());
    assert!(chain.claim.is_proven(), "{:?}", chain.claim);
    assert_eq!((chain.dimensions(), chain.freedom), (vec![6], 0));
    // Nothing but the constraint determines the velocities: Σ_L lies over a surface.
    let g = given("system c\ncoord x, y\nlagrangian x*y\nconstraint y' = x'\n");
    let found = ImplicitDynamics::constrained(&g.system).expect("a submanifold");
    assert!(found.hamiltonian.is_refuted());
}

/// Σ_L of order two is Lagrangian, and its equations are those of Ostrogradsky (AC A18 in spirit).
#[test]
fn higher_order_dynamics() {
    let q = variables(["x"]);
    let (x, v, a) = (e(&q[0]), e(&q[0].jet(1)), e(&q[0].jet(2)));
    let l = a.powi(2) / 2 + &x * &v * &a - x.cos() * v.powi(2);
    let found = HigherOrderDynamics::of(&q, &l, 2);
    let names: Vec<Symbol> = (0..8).map(|i| Symbol::variable(&format!("z{i}"))).collect();
    let verdict = is_lagrangian(
        &names,
        &lifted_form(2),
        &found.parameters,
        &found.points.concat(),
    );
    assert!(verdict.expect("a verdict").is_proven());
    // p_1 = L_a and p_1' = L_v − p_0.
    assert!(prove_zero(&(&found.points[1][1] - l.diff(&q[0].jet(2)))).is_proven());
    let p0 = &found.points[1][0];
    assert!(prove_zero(&(&found.points[3][1] - (l.diff(&q[0].jet(1)) - p0))).is_proven());
}
