//! What is proven is checked again by numbers along motions, by a route that shares nothing with the proof.

mod support;

use rattleback_compile::Evaluator;
use rattleback_mechanics::{Equations, Form, System};
use rattleback_symbolic::{Expr, Role, Symbol, free_symbols};
use rattleback_theory::{
    Effort, FirstIntegralReport, Hamiltonization, HamiltonizationReport, MeasureReport,
    MomentumReport, Space,
};
use support::{Numbers, all_shipped, shipped, values};

/// The parameters of a system at some values that make sense: those of the model.
fn parameters(system: &System) -> Vec<(Symbol, f64)> {
    system
        .start_point()
        .iter()
        .filter(|(s, _)| s.role() == Role::Constant)
        .map(|(s, e)| (s.clone(), values(std::slice::from_ref(e), &[])[0]))
        .collect()
}

/// The rates of a formulation at a state.
fn rates(equations: &Equations, parameters: &[(Symbol, f64)], state: &[f64]) -> Vec<f64> {
    let (names, numbers): (Vec<Symbol>, Vec<f64>) = parameters.iter().cloned().unzip();
    let evaluator = Evaluator::new(equations, &names).expect("a program");
    evaluator.at(0.0, state, &numbers).expect("rates").rates
}

fn point(equations: &Equations, parameters: &[(Symbol, f64)], state: &[f64]) -> Vec<(Symbol, f64)> {
    let here = equations.state.iter().cloned().zip(state.iter().copied());
    here.chain(parameters.iter().cloned()).collect()
}

/// div(N X) by central differences.
fn divergence(
    equations: &Equations,
    parameters: &[(Symbol, f64)],
    density: &Expr,
    at: &[f64],
) -> f64 {
    let h = 1e-5;
    let flux = |i: usize, step: f64| {
        let mut moved = at.to_vec();
        moved[i] += step;
        let n = values(
            std::slice::from_ref(density),
            &point(equations, parameters, &moved),
        )[0];
        n * rates(equations, parameters, &moved)[i]
    };
    (0..at.len())
        .map(|i| (flux(i, h) - flux(i, -h)) / (2.0 * h))
        .sum()
}

fn state(numbers: &mut Numbers, size: usize) -> Vec<f64> {
    (0..size).map(|_| 0.4 + 0.3 * numbers.next()).collect()
}

/// Forces and controls are no part of what is claimed.
fn is_free(system: &System) -> bool {
    system.force().iter().all(Expr::is_zero) && system.order() == 1
}

#[test]
fn densities_have_no_divergence() {
    let mut checked = 0;
    for name in all_shipped() {
        let system = shipped(&name);
        if system.has_groups() || system.constraints().is_empty() || !is_free(&system) {
            continue;
        }
        let found = MeasureReport::of(&system, Effort::unlimited());
        let Some(density) = found.density.or(found.density_on_cover) else {
            continue;
        };
        let form = match found.space {
            Space::Reduced { .. } => Form::Chaplygin,
            _ => Form::AlmostPoisson,
        };
        let equations = system.equations(form).expect("equations");
        let parameters = parameters(&system);
        let mut numbers = Numbers::new(11);
        for _ in 0..4 {
            let at = state(&mut numbers, equations.state.len());
            let flow = rates(&equations, &parameters, &at);
            let scale = flow.iter().fold(1.0f64, |m, v| m.max(v.abs()));
            let div = divergence(&equations, &parameters, &density, &at);
            assert!(div.abs() < 1e-5 * scale, "{name}: {div} with N = {density}");
        }
        checked += 1;
    }
    assert!(checked >= 10, "only {checked}");
}

/// dr/dτ = ∂H/∂p and dp/dτ = −∂H/∂r + fB dr/dτ for p = f P along the reduced motion.
fn check_hamiltonization(
    name: &str,
    h: &Hamiltonization,
    equations: &Equations,
    parameters: &[(Symbol, f64)],
) {
    let n = h.coordinates.len();
    assert_eq!(equations.state[..n], h.coordinates[..], "{name}");
    let mut numbers = Numbers::new(23);
    for _ in 0..4 {
        let at = state(&mut numbers, 2 * n);
        let flow = rates(equations, parameters, &at);
        let here = point(equations, parameters, &at);
        let f = values(std::slice::from_ref(&h.multiplier), &here)[0];
        let slope: f64 = h
            .multiplier
            .gradient(&h.coordinates)
            .iter()
            .zip(&flow)
            .map(|(e, v)| values(std::slice::from_ref(e), &here)[0] * v)
            .sum();
        let canonical: Vec<(Symbol, f64)> = here
            .iter()
            .map(|(s, v)| (s.clone(), if h.momenta.contains(s) { f * v } else { *v }))
            .collect();
        let by_p = values(&h.hamiltonian.gradient(&h.momenta), &canonical);
        let by_r = values(&h.hamiltonian.gradient(&h.coordinates), &canonical);
        for i in 0..n {
            let position = flow[i] / f - by_p[i];
            let momentum = (slope * at[n + i] + f * flow[n + i]) / f + by_r[i];
            let scale = 1.0 + by_p[i].abs() + by_r[i].abs();
            assert!(
                position.abs() < 1e-9 * scale,
                "{name}: r{i} off by {position}"
            );
            assert!(
                momentum.abs() < 1e-9 * scale,
                "{name}: p{i} off by {momentum}"
            );
        }
    }
}

#[test]
fn hamiltonized_motions_are_hamiltonian() {
    let mut checked = 0;
    for name in all_shipped() {
        let system = shipped(&name);
        if system.has_groups() || system.constraints().is_empty() || !is_free(&system) {
            continue;
        }
        let Some(h) = HamiltonizationReport::of(&system, Effort::unlimited()).direct else {
            continue;
        };
        let equations = system.equations(Form::Chaplygin).expect("equations");
        check_hamiltonization(&name, &h, &equations, &parameters(&system));
        checked += 1;
    }
    assert!(checked >= 8, "only {checked}");
}

/// The rate of a function of positions and velocities along the motion with multipliers.
fn rate_along(
    system: &System,
    f: &Expr,
    parameters: &[(Symbol, f64)],
    numbers: &mut Numbers,
) -> (f64, f64) {
    let form = if system.constraints().is_empty() {
        Form::EulerLagrange
    } else {
        Form::LagrangeDAlembert
    };
    let equations = system.equations(form).expect("equations");
    let frame = system.frame();
    // Positions near the start, so that group entries are a group element.
    let start: Vec<(Symbol, f64)> = system
        .start_point()
        .iter()
        .filter(|(s, _)| frame.base().contains(s))
        .map(|(s, e)| (s.clone(), values(std::slice::from_ref(e), &[])[0]))
        .collect();
    let groups: Vec<&Symbol> = system.parametrization().iter().map(|(s, _)| s).collect();
    let positions: Vec<f64> = frame
        .base()
        .iter()
        .map(|z| {
            let here = start.iter().find(|(s, _)| s == z).map_or(0.0, |p| p.1);
            if groups.contains(&z) {
                here
            } else {
                here + 0.3 * numbers.next() + 0.1
            }
        })
        .collect();
    let sections = system.sections().expect("a frame");
    let mut known: Vec<(Symbol, f64)> = frame
        .base()
        .iter()
        .cloned()
        .zip(positions.clone())
        .collect();
    known.extend(parameters.iter().cloned());
    known.extend(
        sections
            .velocities
            .iter()
            .map(|v| (v.clone(), 0.4 * numbers.next())),
    );
    let velocities = values(&sections.velocity(), &known);
    let at = [positions, velocities].concat();
    let flow = rates(&equations, parameters, &at);
    let here = point(&equations, parameters, &at);
    let slopes = values(&f.gradient(&equations.state), &here);
    let terms: Vec<f64> = slopes.iter().zip(&flow).map(|(a, b)| a * b).collect();
    (
        terms.iter().sum(),
        terms.iter().fold(1.0, |m, t| m + t.abs()),
    )
}

#[test]
fn first_integrals_are_constant() {
    let mut checked = 0;
    for name in all_shipped() {
        let system = shipped(&name);
        if !is_free(&system) || !system.constraints().is_linear() {
            continue;
        }
        let found = FirstIntegralReport::of(&system, Effort::unlimited());
        let parameters = parameters(&system);
        let mut numbers = Numbers::new(5);
        for integral in &found.all {
            assert!(integral.proof.is_proven());
            for _ in 0..2 {
                let (rate, scale) = rate_along(&system, &integral.value, &parameters, &mut numbers);
                assert!(
                    rate.abs() < 1e-8 * scale,
                    "{name}: {} has rate {rate}",
                    integral.value
                );
            }
            checked += 1;
        }
    }
    assert!(checked >= 50, "only {checked}");
}

#[test]
fn momenta_that_are_conserved_are_constant_and_others_are_not() {
    let (mut constant, mut moving) = (0, 0);
    for name in all_shipped() {
        let system = shipped(&name);
        let has_velocities = system.first_order().is_none();
        if !is_free(&system) || !system.constraints().is_linear() || !has_velocities {
            continue;
        }
        let parameters = parameters(&system);
        let mut numbers = Numbers::new(9);
        for m in MomentumReport::of(&system, Effort::unlimited()).all {
            let rates: Vec<(f64, f64)> = (0..3)
                .map(|_| rate_along(&system, &m.value, &parameters, &mut numbers))
                .collect();
            let still = rates.iter().all(|(r, scale)| r.abs() < 1e-8 * scale);
            // A refutation is for generic parameters; those of a model may be special.
            if m.conserved.is_proven() {
                assert!(still, "{name}: {} changes by {rates:?}", m.value);
                constant += 1;
            } else if m.conserved.is_refuted() && !still {
                moving += 1;
            }
        }
    }
    assert!(constant >= 20 && moving >= 20, "{constant} and {moving}");
}

#[test]
fn the_odometer_integral_of_the_sleigh_is_constant() {
    let sleigh = shipped("chaplygin_sleigh");
    let found = HamiltonizationReport::of(&sleigh, Effort::unlimited()).found;
    let lift = found.iter().find(|f| f.by == "odometer").expect("a lift");
    let h = &lift.hamiltonization;
    // The heading is cyclic in H, so f P_theta = f (J + a²m) θ' is kept.
    let theta = h
        .coordinates
        .iter()
        .find(|s| s.name() == "theta")
        .expect("theta");
    assert!(!h.hamiltonian.contains(theta));
    let s = &lift.odometers[0].0;
    let parameters = parameters(&sleigh);
    let mut numbers = Numbers::new(3);
    let equations = sleigh
        .equations(Form::LagrangeDAlembert)
        .expect("equations");
    for _ in 0..4 {
        let (heading, u, w) = (numbers.next(), numbers.next(), numbers.next());
        let at = [0.2, 0.1, heading, u * heading.cos(), u * heading.sin(), w];
        let flow = rates(&equations, &parameters, &at);
        let here = point(&equations, &parameters, &at);
        let kappa = values(&[h.multiplier.log().diff(s)], &here)[0];
        let speed = values(std::slice::from_ref(&lift.odometers[0].1), &here)[0];
        let rate = kappa * speed * w + flow[5];
        assert!(rate.abs() < 1e-10, "{rate}");
    }
}

#[test]
fn obstructions_are_not_zero() {
    for name in ["chaplygin_sleigh", "sleigh_parking"] {
        let system = shipped(name);
        let found = MeasureReport::of(&system, Effort::unlimited());
        assert!(found.claim.is_refuted());
        let obstruction = found.obstruction.expect("an obstruction");
        let mut numbers = Numbers::new(2);
        let at = numbers.point(std::slice::from_ref(&obstruction));
        assert!(values(&[obstruction], &at)[0].abs() > 1e-6);
    }
}

#[test]
fn printed_objects_have_no_stray_symbols() {
    // A reduced Hamiltonian is a function of the base and its momenta alone.
    for name in all_shipped() {
        let system = shipped(&name);
        if !is_free(&system) {
            continue;
        }
        let report = HamiltonizationReport::of(&system, Effort::unlimited());
        let all = report
            .direct
            .iter()
            .chain(report.found.iter().map(|f| &f.hamiltonization));
        for h in all {
            for s in free_symbols(std::slice::from_ref(&h.hamiltonian)) {
                let known = s.role() == Role::Constant
                    || h.coordinates.contains(&s)
                    || h.momenta.contains(&s);
                assert!(known, "{name}: {s} in {}", h.hamiltonian);
            }
        }
    }
}
