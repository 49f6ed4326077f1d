//! Limits of known systems (HJ section H 8), and systems at the edge of what applies.

use crate::random::{constrained, differences, values, vanishes};
use rattleback_geometry::Frame;
use rattleback_mechanics::phase::{
    AnnihilatorIdeal, CanonicalPhaseSpace, ConstrainedPhaseSpace, DiracBracket, FrameMomenta,
    Gyroscopic, IdealReaction, MomentumConstraints, NonholonomicConnection, NormalForm, PhaseError,
    SubRiemannian, SymplecticDistribution, VelocityPhaseSpace,
};
use rattleback_mechanics::{Constraints, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

fn planar(offset: Expr) -> System {
    let q = ["x", "y", "theta"].map(Symbol::variable);
    let theta = Expr::from(&q[2]);
    let [m, j] = ["m", "J"].map(|n| Expr::from(Symbol::constant(n)));
    let [x, y, o] = q.each_ref().map(|s| Expr::from(s.derivative()));
    let centre =
        (&x - &offset * &o * theta.sin()).powi(2) + (&y + &offset * &o * theta.cos()).powi(2);
    let l = &m * centre / 2 + &j * o.powi(2) / 2;
    let form = Matrix::from_rows(&[vec![theta.sin(), -theta.cos(), Expr::zero()]]);
    constrained(&l, &q, form)
}

/// A sleigh with its centre of mass over the blade is the knife edge: one bracket, one Hamiltonian.
#[test]
fn a_sleigh_without_offset_is_the_knife_edge() {
    let a = Symbol::constant("a");
    let sleigh = FrameMomenta::of(&planar(Expr::from(&a))).unwrap();
    let knife = FrameMomenta::of(&planar(Expr::zero())).unwrap();
    let centred = |e: &[Expr]| substitute_all(e, &[(a.clone(), Expr::zero())]);
    assert_eq!(sleigh.bracket().coordinates, knife.bracket().coordinates);
    let bracket = centred(sleigh.bracket().matrix.entries());
    assert!(vanishes(&differences(
        &bracket,
        knife.bracket().matrix.entries()
    )));
    assert!(vanishes(&differences(
        &centred(&[sleigh.hamiltonian().clone()]),
        &[knife.hamiltonian().clone()]
    )));
    // With an offset the projected bracket does not vanish.
    let n = sleigh.bracket().coordinates.len();
    assert!(!vanishes(
        &[sleigh.bracket().matrix[(n - 2, n - 1)].clone()]
    ));
    assert!(vanishes(&[knife.bracket().matrix[(n - 2, n - 1)].clone()]));
}

/// A disk of radius 0 spins and does not travel.
#[test]
fn a_disk_without_radius_does_not_travel() {
    let q = ["x", "y", "phi", "psi"].map(Symbol::variable);
    let phi = Expr::from(&q[2]);
    let radius = Symbol::constant("R");
    let r = Expr::from(&radius);
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = Expr::sum(v.iter().map(|e| e.powi(2))) / 2;
    let form = Matrix::from_rows(&[
        vec![Expr::one(), Expr::zero(), Expr::zero(), -&r * phi.cos()],
        vec![Expr::zero(), Expr::one(), Expr::zero(), -&r * phi.sin()],
    ]);
    let system = constrained(&l, &q, form);
    let h = SymplecticDistribution::of(&system).unwrap();
    let motion = h.ambient(&h.field(h.energy()));
    let still = substitute_all(
        &[motion.base, motion.fibre].concat(),
        &[(radius, Expr::zero())],
    );
    assert!(vanishes(&still[..2]), "x' = y' = 0");
    assert!(vanishes(&still[4..]), "no acceleration at all");
    assert!(!vanishes(&still[2..4]));
}

/// A snakeboard with its wheels held turns on a circle of radius r|cot φ|.
#[test]
fn a_snakeboard_with_fixed_wheels_goes_round() {
    let q = ["x", "y", "theta", "psi", "phi"].map(Symbol::variable);
    let [theta, phi] = [2, 4].map(|i| Expr::from(&q[i]));
    let [m, r, j0, j1] = ["m", "r", "J0", "J1"].map(|n| Expr::from(Symbol::constant(n)));
    let v: Vec<Expr> = q.iter().map(|s| s.derivative().into()).collect();
    let l = &m * (v[0].powi(2) + v[1].powi(2) + r.powi(2) * v[2].powi(2)) / 2
        + &j0 * v[2].clone() * &v[3]
        + &j0 * v[3].powi(2) / 2
        + &j1 * v[4].powi(2);
    let wheel = |sign: i64| {
        let angle = &theta + sign * &phi;
        vec![
            -angle.sin(),
            angle.cos(),
            -sign * &r * phi.cos(),
            Expr::zero(),
            Expr::zero(),
        ]
    };
    let system = constrained(&l, &q, Matrix::from_rows(&[wheel(1), wheel(-1)]));
    let h = SymplecticDistribution::of(&system).unwrap();
    let motion = h.ambient(&h.field(h.energy()));
    let velocity = h.sections().velocity();
    // Hold φ: v with φ' = 0. The frame has one field along ∂_φ; find the others' velocities.
    let held: Vec<(Symbol, Expr)> = h
        .velocities()
        .iter()
        .enumerate()
        .filter(|(a, _)| !h.section(*a)[4].is_zero())
        .map(|(_, v)| (v.clone(), Expr::zero()))
        .collect();
    let speed = substitute_all(&velocity, &held);
    let turning = substitute_all(&motion.fibre, &held);
    assert!(
        vanishes(&[turning[4].clone(), turning[2].clone()]),
        "θ' stays constant"
    );
    // v² = (r cot φ)² θ'².
    let round = (speed[0].powi(2) + speed[1].powi(2)) * phi.sin().powi(2)
        - (r * phi.cos()).powi(2) * speed[2].powi(2);
    assert!(vanishes(&[round]));
    assert_eq!(values(h.velocities()).len(), 3);
}

/// Without constraints every construction is there and says the same as the free one.
#[test]
fn without_constraints_everything_is_free() {
    let q = ["r", "phi"].map(Symbol::variable);
    let r = Expr::from(&q[0]);
    let v = q.each_ref().map(|s| Expr::from(s.derivative()));
    let l = (v[0].powi(2) + r.powi(2) * v[1].powi(2)) / 2 - r.powi(2);
    let system = System::on_coordinates("plane", &q, l);
    let phase = VelocityPhaseSpace::of(&system).unwrap();
    let motion = phase.hamiltonian_field(phase.energy());
    let space = ConstrainedPhaseSpace::of(&system).unwrap();
    assert_eq!(space.distributional_field(phase.energy()), motion);
    assert_eq!(space.horizontal_basis().len(), 4);
    let dirac = DiracBracket::of(&system).unwrap();
    assert!(dirac.bracket(&r, &v[0]).is_one());
    let momenta = FrameMomenta::of(&system).unwrap();
    assert!(momenta.bracket().is_poisson(&[]).is_proven());
    let h = SymplecticDistribution::of(&system).unwrap();
    let framed = h.ambient(&h.field(h.energy())).fibre;
    let velocities: Vec<(Symbol, Expr)> = h
        .velocities()
        .iter()
        .cloned()
        .zip(v.iter().cloned())
        .collect();
    assert!(vanishes(&differences(
        &substitute_all(&framed, &velocities),
        &motion.fibre
    )));
    let constraints = MomentumConstraints::of(&system).unwrap();
    assert!(constraints.multipliers().is_empty());
    assert_eq!(
        constraints.bracket().matrix,
        constraints.phase().bracket().matrix
    );
    let free = SubRiemannian::of(&system).unwrap();
    assert!(vanishes(&[
        free.hamiltonian() - constraints.phase().hamiltonian()
    ]));
    let split = NormalForm::of(&system).unwrap();
    assert!(split.bracket_curvature().is_empty());
    let data = Gyroscopic::of(&system, &split).unwrap();
    assert!(vanishes(&data.gyroscopic_force()));
    assert!(IdealReaction::of(&system).unwrap().velocity.is_empty());
    assert!(
        AnnihilatorIdeal::of(&system)
            .unwrap()
            .contains(&Matrix::identity(2))
            .is_refuted()
    );
}

/// What a construction cannot treat is refused by name.
#[test]
fn what_does_not_apply_is_refused() {
    let q = ["x", "y"].map(Symbol::variable);
    let v = q.each_ref().map(|s| Expr::from(s.derivative()));
    let quartic = System::on_coordinates("quartic", &q, v[0].powi(4) + v[1].powi(2));
    assert!(matches!(
        CanonicalPhaseSpace::of(&quartic),
        Err(PhaseError::NotQuadratic { .. })
    ));
    assert!(matches!(
        FrameMomenta::of(&quartic),
        Err(PhaseError::NotQuadratic { .. })
    ));
    assert!(matches!(
        NonholonomicConnection::of(&quartic),
        Err(PhaseError::NotQuadratic { .. })
    ));
    // Its two-form is there all the same: W depends on the velocities.
    let phase = VelocityPhaseSpace::of(&quartic).unwrap();
    assert!(vanishes(&[
        phase.bracket(&Expr::from(&q[0]), &v[0]) - (12 * v[0].powi(2)).recip()
    ]));
    let degenerate = System::on_coordinates("degenerate", &q, v[0].powi(2));
    assert!(matches!(
        VelocityPhaseSpace::of(&degenerate),
        Err(PhaseError::Singular { .. })
    ));
    let affine = System::on_coordinates("affine", &q, v[0].powi(2) + v[1].powi(2))
        .with_constraints(Constraints::new(
            Matrix::from_rows(&[vec![Expr::one(), Expr::zero()]]),
            vec![Expr::one()],
        ));
    assert!(matches!(
        ConstrainedPhaseSpace::of(&affine),
        Err(PhaseError::Affine { .. })
    ));
    assert!(matches!(
        SymplecticDistribution::of(&affine),
        Err(PhaseError::Affine { .. })
    ));
    assert!(matches!(
        NormalForm::of(&affine),
        Err(PhaseError::Affine { .. })
    ));
    let jerk = System::on_frame(
        "jerk",
        Frame::coordinates(&q[..1]),
        Vec::new(),
        Expr::from(q[0].jet(2)).powi(2),
        2,
    );
    assert!(matches!(
        VelocityPhaseSpace::of(&jerk),
        Err(PhaseError::HigherOrder { order: 2, .. })
    ));
    assert!(matches!(
        SubRiemannian::of(&jerk),
        Err(PhaseError::HigherOrder { order: 2, .. })
    ));
}
