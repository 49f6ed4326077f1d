//! Jets: lifts commute with brackets, and jets of curves in a group come back.

mod random;

use random::{Random, symbols};
use rattleback_geometry::{
    Frame, Group, GroupJets, LieGroup, Trivialization, field_lift, function_lifts, jet_coordinates,
    tangent_of_jets,
};
use rattleback_symbolic::{Expr, Symbol, prove_all_zero, substitute_all};

fn assert_zero(all: &[Expr], what: &str) {
    let verdict = prove_all_zero(all);
    assert!(verdict.is_proven(), "{what}: {verdict:?}");
}

/// [X^(k), Y^(k)] = [X, Y]^(k) and X^(k)[f^(l)] = (X[f])^(l).
#[test]
fn lifts_are_natural() {
    let q = symbols(&["x", "y"]);
    let frame = Frame::coordinates(&q);
    for (seed, order) in [(1, 1), (2, 2), (3, 3)] {
        let mut random = Random::new(seed);
        let (x, y) = (random.section(&frame), random.section(&frame));
        let upstairs = Frame::coordinates(&jet_coordinates(&q, order));
        let bracket = upstairs.bracket(&field_lift(&x, order), &field_lift(&y, order));
        let lifted = field_lift(&frame.bracket(&x, &y), order);
        let defect: Vec<Expr> = bracket.iter().zip(&lifted).map(|(a, b)| a - b).collect();
        assert_zero(&defect, "brackets");
        let f = random.function(&q);
        let along = upstairs.act(&field_lift(&x, order), &function_lifts(&f, order));
        let lifted = function_lifts(&frame.act(&x, &[f])[0], order);
        let defect: Vec<Expr> = along.iter().zip(&lifted).map(|(a, b)| a - b).collect();
        assert_zero(&defect, "functions");
    }
}

#[test]
fn jets_are_velocities_of_jets() {
    let q = symbols(&["x"]);
    let (point, velocity) = tangent_of_jets(&q, 3);
    assert_eq!(point, [0, 1, 2].map(|k| q[0].jet(k)));
    assert_eq!(velocity, [1, 2, 3].map(|k| q[0].jet(k)));
}

#[test]
fn jets_in_a_group_come_back() {
    for group in [Group::SO2, Group::SO3, Group::SE2, Group::SU2] {
        for side in [Trivialization::Body, Trivialization::Space] {
            let entries: Vec<Symbol> = (0..group.coordinates())
                .map(|k| Symbol::variable(&format!("g_{k}")))
                .collect();
            let velocities: Vec<Symbol> = (0..group.dimension())
                .map(|k| Symbol::variable(&format!("v{k}")))
                .collect();
            let jets = GroupJets::new(group, &entries, &velocities, side);
            let order = 3;
            // Write the jet of the curve through (g, ξ, ξ', ξ''), then read the velocities off it.
            let curve = jets.curve_jet(order);
            let mut values: Vec<(Symbol, Expr)> = Vec::new();
            for (s, level) in curve.iter().enumerate() {
                let jet = entries.iter().map(|e| e.jet(s as u32));
                values.extend(jet.zip(level.iter().cloned()));
            }
            let on: Vec<_> = entries
                .iter()
                .cloned()
                .zip(group.parametrization("p"))
                .collect();
            for (s, level) in jets.trivialize(order).iter().enumerate() {
                let read = substitute_all(&substitute_all(level, &values), &on);
                let defect: Vec<Expr> = read
                    .iter()
                    .zip(&velocities)
                    .map(|(e, v)| e - Expr::from(v.jet(s as u32)))
                    .collect();
                assert_zero(&defect, &format!("{group:?} {side:?} order {s}"));
            }
        }
    }
}

#[test]
fn the_trivialised_tangent_map_shifts_velocities() {
    let entries: Vec<Symbol> = (0..4)
        .map(|k| Symbol::variable(&format!("g_{k}")))
        .collect();
    let w = [Symbol::variable("w")];
    let jets = GroupJets::new(Group::SO2, &entries, &w, Trivialization::Body);
    let (point, velocity) = jets.tangent(3);
    assert_eq!(point.len(), 6);
    assert_eq!(point[4..], [w[0].clone(), w[0].jet(1)]);
    assert_eq!(velocity, [0, 1, 2].map(|k| w[0].jet(k)));
}
