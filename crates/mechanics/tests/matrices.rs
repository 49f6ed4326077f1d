//! The manipulator form and the Gibbs function are what they say they are, on random metrics and groups.

use proptest::prelude::*;
use rattleback_language::{Source, parse};
use rattleback_mechanics::{Equations, Form, Problem, Stage, System};
use rattleback_symbolic::{Expr, Matrix, Symbol, prove_all_zero};
use rattleback_testing::system::{Seeds, Shape};

fn system(text: &str) -> System {
    let outcome = parse(&Source::new("test.mech", text));
    let model = outcome
        .model
        .unwrap_or_else(|| panic!("{:?}\n{text}", outcome.diagnostics));
    Problem::from_model(&model).expect("a problem").open()
}

/// An entry of the form's matrices; 0 where all of a part vanishes.
fn entry(equations: &Equations, name: &str) -> Expr {
    let found = equations.extras.iter().find(|q| q.name == name);
    found.map_or(Expr::zero(), |q| q.value.clone())
}

fn square(equations: &Equations, name: &str, n: usize) -> Matrix {
    Matrix::new(n, n, |i, j| {
        entry(equations, &format!("{name}[{},{}]", i + 1, j + 1))
    })
}

/// M y' + C y + g = Q + Aᵀλ is the linear system, and Ṁ − 2C is skew.
fn check_manipulator(system: &System) -> Result<(), TestCaseError> {
    let equations = system.equations(Form::Manipulator).expect("it applies");
    let frame = system.frame();
    let (n, y) = (frame.rank(), frame.velocity());
    let (mass, coriolis) = (square(&equations, "M", n), square(&equations, "C", n));
    let Some(Stage::Linear { matrix, rhs, .. }) = equations.stages.first() else {
        panic!("a linear system");
    };
    let turned = coriolis.apply(&y);
    let along = frame.act(&y, mass.entries());
    let mut gaps = Vec::new();
    for i in 0..n {
        let at = |part: &str| entry(&equations, &format!("{part}[{}]", i + 1));
        let controls = system.feed().iter().enumerate().map(|(k, (u, _))| {
            entry(&equations, &format!("B[{},{}]", i + 1, k + 1)) * Expr::from(u)
        });
        let pushed = at("Q") + Expr::sum(controls) - at("g") - &turned[i];
        gaps.push(pushed - &rhs[i]);
        for j in 0..n {
            gaps.push(&mass[(i, j)] - &matrix[(i, j)]);
            gaps.push(&along[i * n + j] - &coriolis[(i, j)] - &coriolis[(j, i)]);
        }
    }
    prop_assert!(prove_all_zero(&gaps).is_proven());
    Ok(())
}

/// ∂S/∂v'_a = Q_a are the equations of motion on the distribution.
fn check_gibbs(system: &System) -> Result<(), TestCaseError> {
    let equations = system.equations(Form::GibbsAppell).expect("it applies");
    let gibbs = entry(&equations, "S");
    let Some(Stage::Linear {
        unknowns,
        matrix,
        rhs,
    }) = equations.stages.first()
    else {
        panic!("a linear system");
    };
    let a: Vec<Expr> = unknowns.iter().map(Expr::from).collect();
    let left = matrix.apply(&a);
    let gap = |(k, u): (usize, &Symbol)| {
        let force = entry(&equations, &format!("Q[{}]", k + 1));
        gibbs.diff(u) - force - &left[k] + &rhs[k]
    };
    let gaps: Vec<Expr> = unknowns.iter().enumerate().map(gap).collect();
    prop_assert!(prove_all_zero(&gaps).is_proven());
    Ok(())
}

#[test]
fn controls_stand_in_their_own_matrix() {
    let s = system(
        "system cart\nparam M = 2, m = 1, l = 1, g = 9.81\ncoord x\ncoord a : angle\n\
         kinetic (M + m)/2*x'^2 + m*l*cos(a)*x'*a' + m*l^2/2*a'^2\npotential m*g*l*cos(a)\n\
         control u on x\nforce (a: -a')\n",
    );
    let equations = s.equations(Form::Manipulator).expect("it applies");
    assert_eq!(entry(&equations, "B[1,1]"), Expr::one());
    assert!(entry(&equations, "B[2,1]").is_zero());
    assert_eq!(entry(&equations, "Q[2]").to_string(), "-a'");
    check_manipulator(&s).expect("its parts add up");
}

proptest! {
    #![proptest_config(rattleback_testing::cases(16))]

    #[test]
    fn parts_add_up_to_the_equations(
        values in prop::collection::vec(any::<u32>(), 12),
        coordinates in 2usize..4,
        constraints in 0usize..2,
        group in prop::option::of(0usize..5),
    ) {
        let shape = Shape { coordinates, constraints, group, affine: false, turning: false, symmetric: false };
        let system = system(&Seeds::new(values).model(shape));
        check_manipulator(&system)?;
        check_gibbs(&system)?;
    }
}
