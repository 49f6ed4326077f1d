//! Relations between the entries of groups in what is shown, and symmetries that need them.

mod support;

use rattleback_geometry::vanish_on;
use rattleback_symbolic::{Expr, Symbol, free_symbols};
use rattleback_theory::{
    BracketReport, Effort, FirstIntegral, FirstIntegralReport, MomentumReport, Origin, Regularity,
    SymmetryReport,
};
use support::{shipped, system};

const SKATE: &str = "system skate\nparam m = 1, J = 0.3\nassume m > 0, J > 0\ncoord x, y\n\
    group g : SO(2) velocity w\nkinetic m/2*(x'^2 + y'^2) + J/2*w^2\n\
    constraint g[2,1]*x' = g[1,1]*y'\n";

#[test]
fn a_skate_on_a_group_is_a_skate() {
    let skate = system(SKATE);
    let found = Regularity::of(&skate);
    assert!(found.regular.is_proven() && found.positive.is_proven());
    // g11² + g21² is 1: it neither vanishes nor stands in the determinant.
    assert!(found.cases.is_empty() && found.rank_drop.is_empty());
    let determinant = found.determinant.expect("a determinant");
    assert!(
        free_symbols(&[determinant])
            .iter()
            .all(|s| ["m", "J"].contains(&s.name()))
    );
    let brackets = BracketReport::of(&skate, Effort::unlimited());
    assert_eq!(brackets.jacobiators.len(), 2);
    // Each bracket of integrals that is shown is not zero, and the energy commutes with all of them.
    let integrals = FirstIntegralReport::of(&skate, Effort::unlimited());
    let n = integrals.all.len();
    assert!(n > 3);
    for i in 0..n {
        assert!(integrals.involution[(0, i)].is_zero());
        for j in 0..n {
            let entry = &integrals.involution[(i, j)];
            let verdict = skate.prove_zero(std::slice::from_ref(entry));
            assert_eq!(verdict.is_proven(), entry.is_zero(), "{entry}");
        }
    }
}

#[test]
fn invariant_fields_are_found_on_every_group() {
    let sleigh = "system sleigh\nparam m = 1, J = 0.3, a = 0.2\ngroup g : SE(2) velocity (w, u, v)\n\
        kinetic m/2*(u^2 + (v + a*w)^2) + J/2*w^2\nconstraint v = 0\n";
    let body = "system body\nparam m = 1, I1 = 1, I2 = 2, I3 = 3\n\
        group g : SE(3) velocity (p, q, r, u, v, w)\n\
        kinetic m/2*(u^2 + v^2 + w^2) + (I1*p^2 + I2*q^2 + I3*r^2)/2\n";
    // Translations, turns about the centre and turns about the origin.
    for (text, count) in [(sleigh, 3), (body, 9)] {
        let model = system(text);
        let found = SymmetryReport::of(&model, Effort::unlimited());
        assert_eq!(found.all.len(), count, "{text}");
        assert!(found.constants.is_some_and(|c| !c.is_empty()), "{text}");
    }
    // The heavy top keeps its turn about the vertical when its attitude is a quaternion.
    let top = shipped("quaternion_top");
    let found = MomentumReport::of(&top, Effort::unlimited());
    assert_eq!(found.all.len(), 1);
    assert!(found.claim.is_proven());
}

#[test]
fn witnesses_name_entries() {
    let skate = system(&format!("{SKATE}symmetry s = (x: g[1,1])\n"));
    let found = SymmetryReport::of(&skate, Effort::unlimited());
    assert!(
        found.claim.is_refuted(),
        "a field that turns with the skate is no symmetry"
    );
    let witness = found.claim.words();
    assert!(
        witness.contains("g[") && !witness.contains("g_c1"),
        "{witness}"
    );
    let entries: Vec<Expr> = skate.frame().base()[2..].iter().map(Expr::from).collect();
    let unit = [entries[0].powi(2) + entries[2].powi(2) - 1];
    assert!(vanish_on(&unit, skate.parametrization()).is_proven());
}

#[test]
fn momenta_need_no_inertia() {
    // The Lagrangian determines no acceleration of y, but x does not occur in it.
    let gauge = system("system s\ncoord x, y\nlagrangian (x' + y)^2/2\n");
    let found = MomentumReport::of(&gauge, Effort::unlimited());
    assert!(found.claim.is_proven() && found.all.len() == 1);
    let regularity = Regularity::of(&gauge);
    assert!(regularity.regular.is_refuted() && regularity.positive.is_refuted());
}

#[test]
fn a_magnetic_field_keeps_a_shifted_momentum() {
    let charge = shipped("charged_particle");
    let found = FirstIntegralReport::of(&charge, Effort::unlimited());
    let linear: Vec<_> = found.all.iter().filter(|i| i.field.is_some()).collect();
    assert_eq!(linear.len(), 1);
    assert_eq!(linear[0].origin, Origin::HorizontalSymmetry);
    // m y' + B x, up to a factor.
    let by = |name: &str| {
        let all = free_symbols(&[charge.lagrangian().clone(), linear[0].value.clone()]);
        let is = |s: &Symbol| s.to_string() == name;
        Expr::from(all.into_iter().find(is).expect("a symbol"))
    };
    let want = by("m") * by("y'") + by("B") * by("x");
    support::assert_proportional(&linear[0].value, &want);
}

#[test]
fn integrals_do_not_depend_on_the_coordinates() {
    // The Heisenberg particle in x = u + 2 w, y = v + 2 w, z = w: straight lines as before.
    let text = "system h\nparam m = 1\nassume m > 0\ncoord u, v, w\n\
        kinetic m/2*((u' + 2*w')^2 + (v' + 2*w')^2 + w'^2)\n\
        constraint w' = (v + 2*w)*(u' + 2*w') - (u + 2*w)*(v' + 2*w')\n";
    let slanted = system(text);
    let found = FirstIntegralReport::of(&slanted, Effort::unlimited());
    let straight = FirstIntegralReport::of(&shipped("heisenberg_particle"), Effort::unlimited());
    assert!(found.independent >= straight.independent);
    // A definite kinetic energy degenerates nowhere, whatever its determinant in a frame of D.
    let regularity = Regularity::of(&slanted);
    assert!(regularity.positive.is_proven() && regularity.cases.is_empty());
}

#[test]
fn constants_of_hamilton_jacobi_solutions_are_first_integrals() {
    // exp(m a s/(m a² + J)) θ' of the sleigh with an odometer is no polynomial.
    let sleigh = shipped("odometer_sleigh");
    let found = FirstIntegralReport::of(&sleigh, Effort::unlimited());
    let new = |i: &&FirstIntegral| i.origin == Origin::HamiltonJacobi;
    // The density of its measure finds it too, as the momentum of a field.
    let either = |i: &&FirstIntegral| new(i) || i.origin == Origin::Gauge;
    let constant = found.all.iter().find(either).expect("a constant");
    assert!(found.claim.is_proven() && constant.proof.is_proven());

    // Without the odometer the constant is an angle that grows with each turn: no function on the space.
    let plain = FirstIntegralReport::of(&shipped("chaplygin_sleigh"), Effort::unlimited());
    assert!(!plain.all.iter().any(|i| new(&i)) && plain.claim.decided().is_none());
}
