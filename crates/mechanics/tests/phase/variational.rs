//! Vakonomic motion: multipliers, canonical form, split form (VE-C07, C18).

use crate::random::{differences, few, seeds, system, values, vanishes};
use proptest::prelude::*;
use rattleback_geometry::{Frame, Group, LieGroup, Trivialization};
use rattleback_mechanics::phase::{Gyroscopic, NormalForm, SubRiemannian, lagrange_derivative};
use rattleback_mechanics::{Constraints, Factor, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, dot, substitute_all};

/// d/dt along the canonical flow.
fn along(canonical: &SubRiemannian, e: &[Expr]) -> Vec<Expr> {
    let rates = canonical.rates();
    e.iter()
        .map(|e| dot(&e.gradient(&canonical.bracket().coordinates), &rates))
        .collect()
}

fn multipliers(m: usize) -> Vec<Symbol> {
    (1..=m)
        .map(|s| Symbol::variable(&format!("mu{s}")))
        .collect()
}

/// y, y', μ, μ' as functions on the canonical phase space.
fn motion(system: &System, canonical: &SubRiemannian) -> Vec<(Symbol, Expr)> {
    let y = system.frame().fibre();
    let mu = multipliers(system.constraints().len());
    let velocity = canonical.velocity().to_vec();
    let acceleration = along(canonical, &velocity);
    let rates = along(canonical, canonical.multipliers());
    y.iter()
        .cloned()
        .zip(velocity)
        .chain(y.iter().map(Symbol::derivative).zip(acceleration))
        .chain(
            mu.iter()
                .cloned()
                .zip(canonical.multipliers().iter().cloned()),
        )
        .chain(mu.iter().map(Symbol::derivative).zip(rates))
        .collect()
}

/// The Euler-Lagrange equations of L − μφ hold along the canonical flow, and the constraints too.
fn solves_the_augmented_problem(system: &System) -> bool {
    let canonical = SubRiemannian::of(system).unwrap();
    let phi = system.constraints().residuals(system.frame());
    let mu = values(&multipliers(phi.len()));
    let augmented = system.lagrangian() - dot(&mu, &phi);
    let equations = lagrange_derivative(system.frame(), &augmented);
    let known = motion(system, &canonical);
    vanishes(&substitute_all(&[equations, phi].concat(), &known))
}

/// The split form with its multiplier equation holds along the canonical flow.
fn solves_the_split_problem(system: &System, fibre: &[usize]) -> bool {
    let canonical = SubRiemannian::of(system).unwrap();
    let split = NormalForm::with_fibre(system, fibre).unwrap();
    let data = Gyroscopic::of(system, &split).unwrap();
    let known = motion(system, &canonical);
    // With forms in normal form the page's μ is ours.
    let mu = values(&multipliers(fibre.len()));
    let residual = data.vakonomic_residual(&mu);
    let pi = differences(data.fibre_momenta(), &mu);
    let here = substitute_all(&pi, &known);
    let transport = substitute_all(&data.multiplier_transport(&pi), &known);
    vanishes(&substitute_all(&residual, &known))
        && vanishes(&differences(&along(&canonical, &here), &transport))
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn the_canonical_form_solves_the_multiplier_form(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        prop_assert!(solves_the_augmented_problem(&system));
    }

    #[test]
    fn the_canonical_form_solves_the_split_form(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let fibre: Vec<usize> = (3 - m..3).collect();
        prop_assert!(solves_the_split_problem(&system, &fibre));
    }

    /// μ belongs to P: P = p − Aᵀμ goes there and back.
    #[test]
    fn multipliers_come_back_from_the_momenta(mut s in seeds(), m in 1usize..3) {
        let system = system(&mut s, 3, m);
        let canonical = SubRiemannian::of(&system).unwrap();
        let on_d = system.sections().unwrap().restrict(system.frame(), canonical.initial());
        let pairs: Vec<(Symbol, Expr)> = canonical.momenta().iter().cloned().zip(on_d).collect();
        let back = substitute_all(canonical.multipliers(), &pairs);
        prop_assert!(vanishes(&differences(&back, &values(&multipliers(m)))));
        let velocity = substitute_all(canonical.velocity(), &pairs);
        prop_assert!(vanishes(&differences(&velocity, &system.sections().unwrap().velocity())));
    }
}

/// Affine constraints: the canonical form needs no change.
#[test]
fn affine_constraints_have_a_canonical_form() {
    let q = ["x", "y", "z"].map(Symbol::variable);
    let x = values(&q);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2 - x[0].cos();
    let forms = Matrix::from_rows(&[vec![-&x[1], Expr::zero(), Expr::one()]]);
    let system = System::on_coordinates("affine", &q, l)
        .with_constraints(Constraints::new(forms, vec![x[0].sin()]));
    assert!(solves_the_augmented_problem(&system));
}

/// The carriage on SE(2): π' = ad*_ξ π, and the body curvature (VE-C18).
#[test]
fn a_group_fibre_transports_its_multipliers() {
    let (system, split) = carriage(Expr::ratio(1, 5));
    assert!(solves_the_augmented_problem(&system));
    assert!(solves_the_split_problem(
        &system,
        split.connection().fibre()
    ));
    // Bcal_12 = (rotation, forward, side) = (0, 0, −R²/w).
    let b = split.bracket_curvature();
    assert!(b[0][(0, 1)].is_zero() && b[1][(0, 1)].is_zero());
    let (r, w) = (
        Expr::from(Symbol::constant("R")),
        Expr::from(Symbol::constant("w")),
    );
    assert!(vanishes(&[&b[2][(0, 1)] + r.powi(2) / w]));
    let data = Gyroscopic::of(&system, &split).unwrap();
    let pi = values(&["a", "b", "c"].map(Symbol::constant));
    let xi = split.sections().velocity()[2..].to_vec();
    let algebra = Frame::new(
        Vec::new(),
        ["e1", "e2", "e3"].map(Symbol::variable).to_vec(),
        Matrix::zeros(0, 3),
        Group::SE2.structure(),
    );
    // ad*_ξ π = −C^D_AB ξ^B π_D; the restricted Lagrangian does not see the group.
    let coadjoint: Vec<Expr> = algebra.gyroscopic(&xi, &pi).iter().map(|e| -e).collect();
    assert!(vanishes(&differences(
        &data.multiplier_transport(&pi),
        &coadjoint
    )));
    // Centred mass: ⟨dl/dξ, Bcal⟩ r' = 0, so μ = dl/dξ is a solution (corollary 4); offset: not.
    let (centred, split) = carriage(Expr::zero());
    let free = Gyroscopic::of(&centred, &split).unwrap();
    assert!(vanishes(&free.gyroscopic_force()));
    assert!(!vanishes(&data.gyroscopic_force()));
    let same = free.vakonomic_residual(free.fibre_momenta());
    assert!(vanishes(&differences(&same, &free.nonholonomic_residual())));
}

/// Wheels ψ₁, ψ₂ and a body on SE(2) with velocities (rotation o, forward u, side v).
fn carriage(offset: Expr) -> (System, NormalForm) {
    let psi = ["psi1", "psi2"].map(Symbol::variable);
    let entries: Vec<Symbol> = (0..9)
        .map(|i| Symbol::variable(&format!("g[{},{}]", i / 3 + 1, i % 3 + 1)))
        .collect();
    let body = ["o", "u", "v"].map(Symbol::variable);
    let frame = Frame::direct_sum(&[
        Frame::coordinates(&psi),
        Group::SE2.frame(&entries, &body, Trivialization::Body),
    ]);
    let [m, j, i, r, w] = ["m", "J", "I", "R", "w"].map(|n| Expr::from(Symbol::constant(n)));
    let [o, u, v] = body.each_ref().map(Expr::from);
    let spin = Expr::sum(psi.iter().map(|s| Expr::from(s.derivative()).powi(2)));
    let l = &m * (u.powi(2) + (&v + &offset * &o).powi(2)) / 2 + &j * o.powi(2) / 2 + &i * spin / 2;
    let factors = vec![
        Factor {
            name: "psi1".into(),
            group: None,
            trivialization: rattleback_geometry::Trivialization::Body,
            base: 0..1,
            fibre: 0..1,
            unit: None,
        },
        Factor {
            name: "psi2".into(),
            group: None,
            trivialization: rattleback_geometry::Trivialization::Body,
            base: 1..2,
            fibre: 1..2,
            unit: None,
        },
        Factor {
            name: "g".into(),
            group: Some(Group::SE2),
            trivialization: rattleback_geometry::Trivialization::Body,
            base: 2..11,
            fibre: 2..5,
            unit: None,
        },
    ];
    let (zero, one) = (Expr::zero, Expr::one);
    let forms = Matrix::from_rows(&[
        vec![zero(), -(&r / &w), one(), zero(), zero()],
        vec![-&r, zero(), zero(), one(), zero()],
        vec![zero(), zero(), zero(), zero(), one()],
    ]);
    let system = System::on_frame("carriage", frame, factors, l, 1)
        .with_constraints(Constraints::new(forms, vec![Expr::zero(); 3]));
    let split = NormalForm::with_fibre(&system, &[2, 3, 4]).unwrap();
    (system, split)
}
