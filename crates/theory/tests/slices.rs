//! One system in adapted coordinates, by its fibre, and in others, by its symmetry: the answers are the same.

mod support;

use rattleback_mechanics::phase::SymmetryAlgebra;
use rattleback_mechanics::{Constraints, Form, MechanicsError, NamedSection, System};
use rattleback_symbolic::{Expr, Matrix, Role, Symbol, free_symbols, inverse, substitute_all};
use rattleback_theory::{
    Answer, ChaplyginReport, Choice, Effort, Finding, HamiltonizationReport, MeasureReport,
    Reduction, divergence,
};
use support::{Numbers, shipped, system, values};

/// The same system in coordinates q with old = map(q); the fields along its fibre become symmetries.
fn in_other_coordinates(s: &System, q: &[Symbol], map: &[Expr]) -> System {
    let old = s.frame().base();
    let n = old.len();
    let slope = Matrix::new(n, n, |i, j| map[i].diff(&q[j]));
    let speeds: Vec<Expr> = q.iter().map(|x| Expr::from(x.derivative())).collect();
    let mut known: Vec<(Symbol, Expr)> = old.iter().cloned().zip(map.iter().cloned()).collect();
    known.extend(s.frame().fibre().iter().cloned().zip(slope.apply(&speeds)));
    let forms = s.constraints().forms().map(|e| e.substitute(&known));
    let back = inverse(&slope).expect("an invertible map").solution;
    let fields = s
        .fibre()
        .iter()
        .map(|&i| NamedSection {
            name: format!("along_{}", old[i].name()),
            components: back.column(i),
        })
        .collect();
    System::on_coordinates("moved", q, s.lagrangian().substitute(&known))
        .with_constraints(Constraints::new(
            &forms * &slope,
            vec![Expr::zero(); forms.rows()],
        ))
        .with_symmetries(fields)
}

fn names(prefix: &str, n: usize) -> Vec<Symbol> {
    (1..=n)
        .map(|i| Symbol::variable(&format!("{prefix}{i}")))
        .collect()
}

fn reduction(s: &System) -> Reduction {
    let report = ChaplyginReport::of(s, Effort::unlimited());
    assert!(report.claim.is_proven(), "{:?}", report.claim);
    for Finding {
        statement: name,
        answer: claim,
    } in &report.checks
    {
        assert!(claim.is_proven(), "{name}: {claim:?}");
    }
    report.reduction.expect("a reduction")
}

fn verdict(c: &Answer) -> &'static str {
    match c {
        Answer::Proven(_) => "proven",
        Answer::Refuted(_) => "refuted",
        Answer::Undecided(_) => "undecided",
    }
}

fn close(a: &[f64], b: &[f64], what: &str) {
    for (a, b) in a.iter().zip(b) {
        assert!(
            (a - b).abs() < 1e-8 * (1.0 + b.abs()),
            "{what}: {a} is not {b}"
        );
    }
}

/// `to` gives the base coordinates of the first by those of the second, on its slice.
fn check_same(first: &Reduction, second: &Reduction, to: &[Expr], seed: u64) {
    let n = first.rank();
    assert_eq!(second.rank(), n);
    let (r, s) = (first.base.base(), second.base.base());
    let slope = Matrix::new(n, n, |i, j| to[i].diff(&s[j]));
    let mut random = Numbers(seed);
    for _ in 0..5 {
        // Away from the origin of polar coordinates.
        let mut here: Vec<(Symbol, f64)> = Vec::new();
        for x in s {
            here.push((x.clone(), 0.8 + 0.3 * random.next()));
        }
        for v in second.base.fibre() {
            here.push((v.clone(), random.next()));
        }
        let v: Vec<f64> = (0..n).map(|j| here[n + j].1).collect();
        let parameters: Vec<(Symbol, f64)> =
            free_symbols(&[first.hamiltonian.clone(), Expr::sum(first.trace())])
                .into_iter()
                .filter(|s| s.role() == Role::Constant)
                .map(|s| (s, 0.8 + 0.3 * random.next()))
                .collect();
        here.extend(parameters.iter().cloned());
        let at: Vec<f64> = values(to, &here);
        let d: Vec<Vec<f64>> = (0..n).map(|i| values(slope.row(i), &here)).collect();
        let mut there: Vec<(Symbol, f64)> = r.iter().cloned().zip(at).chain(parameters).collect();
        for (i, speed) in first.base.fibre().iter().enumerate() {
            let rate = (0..n).map(|j| d[i][j] * v[j]).sum();
            there.push((speed.clone(), rate));
        }
        close(
            &values(std::slice::from_ref(&second.lagrangian), &here),
            &values(std::slice::from_ref(&first.lagrangian), &there),
            "the Lagrangian",
        );
        // Momenta of the first at will; those of the second are the pulled back ones.
        let p: Vec<f64> = (0..n).map(|_| random.next()).collect();
        there.extend(first.momenta.iter().cloned().zip(p.iter().copied()));
        for (j, s) in second.momenta.iter().enumerate() {
            here.push((s.clone(), (0..n).map(|i| d[i][j] * p[i]).sum()));
        }
        close(
            &values(std::slice::from_ref(&second.hamiltonian), &here),
            &values(std::slice::from_ref(&first.hamiltonian), &there),
            "the Hamiltonian",
        );
        let (own, other) = (second.gyroscopic(), first.gyroscopic());
        let other = values(other.entries(), &there);
        for a in 0..n {
            for b in 0..n {
                let pulled: f64 = (0..n)
                    .flat_map(|i| (0..n).map(move |j| (i, j)))
                    .map(|(i, j)| d[i][a] * d[j][b] * other[i * n + j])
                    .sum();
                close(
                    &values(&[own[(a, b)].clone()], &here),
                    &[pulled],
                    "the gyroscopic form",
                );
            }
        }
        let trace = values(&first.trace(), &there);
        let pulled: Vec<f64> = (0..n)
            .map(|a| (0..n).map(|i| d[i][a] * trace[i]).sum())
            .collect();
        close(&values(&second.trace(), &here), &pulled, "the trace");
    }
}

/// The equations of the form are those of the reduction, on the same slice, and cannot be followed there.
fn check_form(s: &System) {
    let r = reduction(s);
    let equations = s.equations(Form::Chaplygin).expect("equations").explicit();
    assert_eq!(equations.slice, r.slice);
    let (moved, turned) = r.rates();
    let rates = moved.iter().chain(&turned).zip(&equations.rates);
    let mut defects: Vec<Expr> = rates.map(|(own, other)| own - other).collect();
    assert_eq!(defects.len(), equations.rates.len());
    let along = r.connection.apply(&r.velocities());
    let rebuilt = equations.reconstruction.iter().zip(&along);
    defects.extend(rebuilt.map(|(q, a)| &q.value + a));
    assert_eq!(along.len(), equations.reconstruction.len());
    assert!(s.prove_zero(&defects).is_proven(), "{defects:?}");
    let followed = equations.check_followed();
    assert!(matches!(followed, Err(MechanicsError::OnSlice { .. })));
}

#[test]
fn the_form_is_on_the_slice_of_the_reduction() {
    // With potentials that leave no coordinate to be a fibre.
    check_form(&spiral("r^2", "r^2 + z^2").1);
    let knife = system(KNIFE);
    let q = names("q", 3);
    let z: Vec<Expr> = q.iter().map(Expr::from).collect();
    let map = vec![
        &z[0] - &z[1] + z[2].powi(2),
        &z[0] + 2 * &z[1],
        z[2].clone(),
    ];
    check_form(&in_other_coordinates(&knife, &q, &map));
    // Motions of the plane do not commute, and in these coordinates they move the wheels.
    let carriage = shipped("carriage_offset");
    let base = carriage.frame().base();
    let q = names("q", base.len());
    let place = |name: &str| {
        base.iter()
            .position(|s| s.name() == name)
            .expect("a coordinate")
    };
    let [x, y, theta, right, left] = ["x", "y", "theta", "psi1", "psi2"].map(place);
    let mut map: Vec<Expr> = q.iter().map(Expr::from).collect();
    let [qx, qy, turned] = [x, y, theta].map(|i| map[i].clone());
    map[right] += qx.powi(2);
    map[left] += &qy * &turned;
    let moved = in_other_coordinates(&carriage, &q, &map);
    let mut fields = moved.symmetries().to_vec();
    fields[2].components[x] = -&qy;
    fields[2].components[y] = qx.clone();
    fields[2].components[right] = 2 * &qx * &qy;
    fields[2].components[left] = -(&turned * &qx + &qy);
    check_form(&moved.with_symmetries(fields));
}

fn same_verdict(one: &Answer, other: &Answer) {
    assert_eq!(verdict(one), verdict(other), "{one:?}\n{other:?}");
}

/// The verdicts and, up to a constant factor, the densities and multipliers.
fn check_claims(first: &System, second: &System, to: &[Expr], seed: u64) {
    let (a, b) = (reduction(first), reduction(second));
    check_same(&a, &b, to, seed);
    let none = Effort::unlimited();
    let (one, other) = (
        MeasureReport::of(first, none),
        MeasureReport::of(second, none),
    );
    same_verdict(&one.claim, &other.claim);
    let free = |m: &MeasureReport| m.gyroscopic_free.as_ref().map(verdict);
    assert_eq!(free(&one), free(&other));
    let known: Vec<(Symbol, Expr)> = a.base.base().iter().cloned().zip(to.to_vec()).collect();
    if let (Some(n), Some(m)) = (&one.density, &other.density) {
        proportional(&n.substitute(&known), m, &b, seed);
        let div = divergence(&b, m);
        let at = point(std::slice::from_ref(&div), seed);
        assert!(values(&[div], &at)[0].abs() < 1e-8);
    }
    let (one, other) = (
        HamiltonizationReport::of(first, none),
        HamiltonizationReport::of(second, none),
    );
    same_verdict(&one.claim, &other.claim);
    if let (Some(f), Some(g)) = (&one.direct, &other.direct)
        && f.quadrature.is_none()
        && g.quadrature.is_none()
    {
        proportional(&f.multiplier.substitute(&known), &g.multiplier, &b, seed);
        assert_eq!(f.strong, g.strong);
    }
}

fn point(all: &[Expr], seed: u64) -> Vec<(Symbol, f64)> {
    let mut random = Numbers(seed ^ 99);
    free_symbols(all)
        .into_iter()
        .map(|s| (s, 0.8 + 0.3 * random.next()))
        .collect()
}

fn proportional(a: &Expr, b: &Expr, on: &Reduction, seed: u64) {
    let ratio = a / b;
    let parameters = point(std::slice::from_ref(&ratio), seed);
    let mut random = Numbers(seed ^ 5);
    let ratios: Vec<f64> = (0..6)
        .map(|_| {
            let mut here = parameters.clone();
            for (s, v) in &mut here {
                if on.base.base().contains(s) {
                    *v = 0.8 + 0.3 * random.next();
                }
            }
            values(std::slice::from_ref(&ratio), &here)[0]
        })
        .collect();
    for r in &ratios {
        assert!(
            (r - ratios[0]).abs() < 1e-8 * ratios[0].abs(),
            "{a} and {b}: {ratios:?}"
        );
    }
}

/// Small functions of some variables.
fn function(seed: &mut Numbers, z: &[Expr]) -> Expr {
    let mut pick = |n: usize| ((seed.next() + 1.0) / 2.0 * n as f64) as usize % n;
    let (a, b) = (z[pick(z.len())].clone(), z[pick(z.len())].clone());
    let c = Expr::ratio(pick(5) as i64 - 2, 1 + pick(2) as i64);
    match pick(4) {
        0 => c * a.sin(),
        1 => c * &a * &b,
        2 => c * (a + 1),
        _ => c * a.powi(2) + b,
    }
}

/// s'^a = −A^a_α(r) r'^α with a metric that depends on r.
fn random_chaplygin(seed: u64, base: usize, fibre: usize) -> System {
    let mut random = Numbers(seed);
    let q = [names("r", base), names("s", fibre)].concat();
    let r: Vec<Expr> = q[..base].iter().map(Expr::from).collect();
    let v: Vec<Expr> = q.iter().map(|s| Expr::from(s.derivative())).collect();
    let mut l = -function(&mut random, &r);
    for (i, v) in v.iter().enumerate() {
        l += (Expr::from(2 + i as i64)) * v.powi(2) / 2;
    }
    l += (1 + r[0].powi(2)) * v[base].powi(2) / 2;
    let forms = Matrix::new(fibre, base + fibre, |a, i| match i < base {
        true => function(&mut random, &r),
        false => Expr::from(i64::from(i - base == a)),
    });
    System::on_coordinates("random", &q, l)
        .with_constraints(Constraints::new(forms, vec![Expr::zero(); fibre]))
        .with_fibre((base..base + fibre).collect())
}

/// A product of shears with whole numbers, and a reordering.
fn random_matrix(seed: u64, n: usize) -> Matrix {
    let mut random = Numbers(seed ^ 1234);
    let mut m = Matrix::new(n, n, |i, j| Expr::from(i64::from((i + 1) % n == j)));
    for k in 0..2 * n {
        let mut pick = |n: usize| ((random.next() + 1.0) / 2.0 * n as f64) as usize % n;
        let (i, j, c) = (k % n, pick(n), pick(3) as i64 - 1);
        if i != j {
            let mut shear = Matrix::identity(n);
            shear[(i, j)] = Expr::from(c);
            m = &shear * &m;
        }
    }
    m
}

/// The base coordinates of the first by those on the slice of the second.
fn base_map(first: &System, second: &System, map: &[Expr]) -> Vec<Expr> {
    let slice = reduction(second).slice;
    let base: Vec<Expr> = (0..map.len())
        .filter(|i| !first.fibre().contains(i))
        .map(|i| map[i].clone())
        .collect();
    substitute_all(&base, &slice)
}

#[test]
fn linear_changes_of_random_systems() {
    let mut slices = 0;
    for seed in [1, 4, 6, 8u64] {
        let (base, fibre) = (2 + (seed % 2) as usize, 1 + (seed / 4 % 2) as usize);
        let first = random_chaplygin(seed, base, fibre);
        let q = names("q", base + fibre);
        let z: Vec<Expr> = q.iter().map(Expr::from).collect();
        let map = random_matrix(seed, base + fibre).apply(&z);
        let second = in_other_coordinates(&first, &q, &map);
        slices += usize::from(!reduction(&second).slice.is_empty());
        let to = base_map(&first, &second, &map);
        check_claims(&first, &second, &to, seed);
    }
    assert!(slices >= 3, "only {slices} are no coordinate fibres");
}

const KNIFE: &str = "system knife\nparam m = 1.5, J = 0.4, g = 2\nassume m > 0, J > 0\ncoord x, y, phi\n\
    kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2\npotential -m*g*x\nconstraint sin(phi)*x' = cos(phi)*y'\nfibre y\n";

#[test]
fn a_knife_edge_along_a_diagonal() {
    // Not shipped: the plane is sheared, and the heading is measured from somewhere else.
    let first = system(KNIFE);
    let q = names("q", 3);
    let z: Vec<Expr> = q.iter().map(Expr::from).collect();
    let map = vec![&z[0] - &z[1], &z[0] + 2 * &z[1], &z[2] + &z[0] - &z[1]];
    let second = in_other_coordinates(&first, &q, &map);
    assert!(!reduction(&second).slice.is_empty());
    check_claims(&first, &second, &base_map(&first, &second, &map), 3);
}

#[test]
fn a_sleigh_has_no_measure_in_any_coordinates() {
    let first = shipped("chaplygin_sleigh").clone().with_fibre(vec![1]);
    let q = names("q", 3);
    let z: Vec<Expr> = q.iter().map(Expr::from).collect();
    let map = vec![&z[0] + &z[1], &z[1] - &z[0], z[2].clone()];
    let second = in_other_coordinates(&first, &q, &map);
    check_claims(&first, &second, &base_map(&first, &second, &map), 4);
    assert!(
        MeasureReport::of(&second, Effort::unlimited())
            .claim
            .is_refuted()
    );
}

/// θ' = b(r) z' with L = ½(r'² + r²θ'² + z'²) − V, once in polar and once in Cartesian coordinates.
fn spiral(b: &str, potential: &str) -> (System, System) {
    let polar = format!(
        "system polar\ncoord r, theta, z\nkinetic (r'^2 + r^2*theta'^2 + z'^2)/2\npotential {potential}\n\
        constraint theta' = ({b})*z'\nfibre theta\nstart r = 1\n"
    );
    let plain = |t: &str| t.replace("r^2", "(x^2 + y^2)");
    let cartesian = format!(
        "system cartesian\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential {}\n\
        constraint x*y' - y*x' = ({})*(x^2 + y^2)*z'\nsymmetry turn = (x: -y, y: x)\nstart x = 3/5, y = 4/5\n",
        plain(potential),
        plain(b)
    );
    (system(&polar), system(&cartesian))
}

#[test]
fn a_rotation_of_the_plane() {
    for (b, potential) in [
        ("1", "r^2/2"),
        ("r^2", "z*r^2"),
        ("1/(1 + r^2)", "z"),
        ("z*r^2", "0*z"),
    ] {
        let (first, second) = spiral(b, potential);
        let r = reduction(&second);
        assert_eq!(
            (r.slice.len(), r.fibre.as_slice()),
            (1, ["turn".to_owned()].as_slice())
        );
        let held = &r.slice[0];
        assert!(held.1.is_zero() && ["x", "y"].contains(&held.0.name()));
        let to: Vec<Expr> = r.base.base().iter().map(Expr::from).collect();
        check_claims(&first, &second, &to, 7);
    }
}

#[test]
fn a_rotation_about_another_point() {
    let (first, second) = spiral("r^2", "z*r^2");
    let q = second.frame().base().to_vec();
    let z: Vec<Expr> = q.iter().map(Expr::from).collect();
    let known = [(q[0].clone(), &z[0] - 1), (q[1].clone(), &z[1] - 2)];
    let forms = second.constraints().forms().map(|e| e.substitute(&known));
    let turn = NamedSection {
        name: "turn".into(),
        components: vec![2 - &z[1], &z[0] - 1, Expr::zero()],
    };
    let moved = System::on_coordinates("moved", &q, second.lagrangian().substitute(&known))
        .with_constraints(Constraints::new(forms, vec![Expr::zero()]))
        .with_symmetries(vec![turn]);
    let r = reduction(&moved);
    let x = Expr::from(&r.base.base()[0]);
    // The slice goes through the centre.
    let centre = if r.slice[0].0 == q[1] { 1 } else { 2 };
    assert_eq!(r.slice[0].1, Expr::from(3 - centre));
    let to = [centre - x, Expr::from(&r.base.base()[1])];
    check_claims(&first, &moved, &to, 11);
}

#[test]
fn a_screw_motion() {
    // u = z − c θ is invariant: r² θ' = 2 (z' − c θ') + r' in both; c = 1/2.
    let cylinder = "system cylinder\ncoord r, u, theta\n\
        kinetic (r'^2 + r^2*theta'^2 + (u' + theta'/2)^2)/2\npotential r^2 + 0*u\n\
        constraint r^2*theta' = 2*u' + r*r'\nfibre theta\nstart r = 1\n";
    let screw = "system screw\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2 + y^2\n\
        constraint (x*y' - y*x')*(1 + 1/(x^2 + y^2)) = 2*z' + x*x' + y*y'\n\
        symmetry screw = (x: -y, y: x, z: 1/2)\nstart x = 1\n";
    let (first, second) = (system(cylinder), system(screw));
    let r = reduction(&second);
    assert_eq!(r.slice.len(), 1);
    assert_eq!(r.slice[0].0.name(), "z");
    let [x, y] = [0, 1].map(|i| Expr::from(&r.base.base()[i]));
    let to = [(x.powi(2) + y.powi(2)).sqrt(), -Expr::atan2(&y, &x) / 2];
    check_claims(&first, &second, &to, 13);
}

#[test]
fn motions_of_the_plane_do_not_commute() {
    // The structure constants of SE(2) enter: the slice is the fibre's identity, and so is the answer.
    for name in ["carriage_offset", "two_wheeled_carriage"] {
        let s = shipped(name);
        let place = |n: &str| {
            s.frame()
                .base()
                .iter()
                .position(|x| x.name() == n)
                .expect("a coordinate")
        };
        let (x, y, theta) = (place("x"), place("y"), place("theta"));
        let field = |name: &str, entries: Vec<(usize, Expr)>| {
            let mut components = vec![Expr::zero(); s.frame().rank()];
            entries.into_iter().for_each(|(i, e)| components[i] = e);
            NamedSection {
                name: name.into(),
                components,
            }
        };
        let at = |i: usize| Expr::from(&s.frame().base()[i]);
        let fields = vec![
            field("right", vec![(x, Expr::one())]),
            field("up", vec![(y, Expr::one())]),
            field("turn", vec![(x, -at(y)), (y, at(x)), (theta, Expr::one())]),
        ];
        let Ok(first) = Reduction::with_fibre(&s, &[x, y, theta]) else {
            panic!("{name}: no reduction by its coordinates");
        };
        let algebra = SymmetryAlgebra::of(&s, &fields).expect("an algebra");
        assert!(!algebra.is_abelian());
        let second = Reduction::along_orbits(&s, &algebra).expect("a reduction");
        assert_eq!(second.slice.len(), 3);
        let to: Vec<Expr> = second.base.base().iter().map(Expr::from).collect();
        assert_eq!(first.base.base(), second.base.base());
        check_same(&first, &second, &to, 17);
    }
}

#[test]
fn symmetries_are_found_where_no_coordinates_are_a_fibre() {
    let (first, second) = spiral("r^2", "z*r^2");
    let silent = second.clone().with_symmetries(Vec::new());
    let report = ChaplyginReport::of(&silent, Effort::unlimited());
    assert!(report.claim.is_proven(), "{:?}", report.claim);
    assert_eq!(report.choice, Choice::FoundSymmetries);
    let r = report.reduction.expect("a reduction");
    let to: Vec<Expr> = r.base.base().iter().map(Expr::from).collect();
    check_claims(&first, &silent, &to, 19);
    // A diagonal translation.
    let knife = system(KNIFE);
    let q = names("q", 3);
    let z: Vec<Expr> = q.iter().map(Expr::from).collect();
    let map = vec![&z[0] - &z[1], &z[0] + 2 * &z[1], z[2].clone()];
    let silent = in_other_coordinates(&knife, &q, &map).with_symmetries(Vec::new());
    check_claims(&knife, &silent, &base_map(&knife, &silent, &map), 23);
}

#[test]
fn what_is_no_symmetry_is_no_slice() {
    let text = "system spiral\ncoord x, y, z\nkinetic (x'^2 + 2*y'^2 + z'^2)/2\n\
        constraint x*y' - y*x' = z'*(x^2 + y^2)\nsymmetry turn = (x: -y, y: x)\n";
    let report = ChaplyginReport::of(&system(text), Effort::unlimited());
    assert!(
        report.claim.is_refuted() && report.reduction.is_none(),
        "{:?}",
        report.claim
    );
    assert_eq!(report.choice, Choice::Symmetries);
}
