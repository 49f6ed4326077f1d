//! Models whose ranks depend on relations between elementary functions, on branches, or on many links.

use rattleback_language::{Source, parse};
use rattleback_mechanics::{MechanicsError, Problem, Regularity, System};

fn system(text: &str) -> System {
    let outcome = parse(&Source::new("test.mech", text));
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}\n{text}", outcome.diagnostics));
    Problem::from_model(&model).expect("a system").system
}

#[test]
fn a_polar_angle_hides_an_integrable_constraint() {
    // z' = r', so z - r is constant.
    let s = system(
        "system radius\ncoord x, y, z\nlet phi = atan2(y, x)\nkinetic (x'^2 + y'^2 + z'^2)/2\n\
         constraint z' = cos(phi)*x' + sin(phi)*y'\n",
    );
    let d = rattleback_geometry::Distribution::annihilated_by(
        s.frame(),
        s.constraints().forms(),
        s.parametrization(),
    )
    .expect("a distribution");
    assert!(d.is_involutive().is_proven());
    assert_eq!(d.growth().expect("a growth vector").ranks, [2]);
}

#[test]
fn the_branch_of_a_root_decides_whether_a_mass_vanishes() {
    let mass = |m: &str| {
        system(&format!(
            "system branch\ncoord x, y\nkinetic (x'^2 + ({m})*y'^2)/2\n"
        ))
    };
    let heavy = mass("sqrt(6+2*sqrt(5)) + 1 + sqrt(5)");
    assert_eq!(heavy.regularity().expect("a rank"), Regularity::Regular);
    let none = mass("sqrt(6+2*sqrt(5)) - 1 - sqrt(5)");
    assert!(matches!(
        none.check_regular(),
        Err(MechanicsError::Degenerate { .. })
    ));
}

/// A chain of rods of length 1 in Cartesian coordinates.
fn chain(links: usize, axes: &[&str]) -> System {
    let name = |a: &str, i: usize| format!("{a}{i}");
    let all: Vec<String> = (1..=links)
        .flat_map(|i| axes.iter().map(move |a| name(a, i)))
        .collect();
    let squares: Vec<String> = all.iter().map(|q| format!("{q}'^2")).collect();
    let rods: String = (1..=links)
        .map(|i| {
            let gap = |a: &&str| match i {
                1 => format!("{a}1^2"),
                _ => format!("({a}{i} - {a}{})^2", i - 1),
            };
            let length: Vec<String> = axes.iter().map(gap).collect();
            format!("constraint {} = 1\n", length.join(" + "))
        })
        .collect();
    system(&format!(
        "system chain\ncoord {}\nkinetic ({})/2\n{rods}",
        all.join(", "),
        squares.join(" + ")
    ))
}

#[test]
fn long_chains_are_regular() {
    for (links, axes) in [(7, &["a", "b"][..]), (6, &["a", "b", "c"])] {
        let regularity = chain(links, axes).regularity().expect("a frame");
        assert_eq!(regularity, Regularity::Regular, "{links} {axes:?}");
    }
}
