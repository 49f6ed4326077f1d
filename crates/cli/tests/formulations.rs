//! Every formulation that applies follows the same motion, and so does every method that fits.

use crate::common::all_shipped;
use crate::common::following::{Case, End};
use crate::common::random::{Seeds, Shape};
use proptest::prelude::*;
use rattleback::integrate::methods;
use rattleback::mechanics::Form;
use rattleback::simulation::{Method, Options};

/// Formulations with the nonholonomic motion.
fn nonholonomic() -> impl Iterator<Item = Form> {
    Form::ALL.into_iter().filter(|f| *f != Form::Vakonomic)
}

fn options(method: Method, until: f64) -> Options {
    Options {
        method: Some(method),
        until: Some(until),
        step: Some(if method.is_adaptive() {
            until
        } else {
            until / 100.0
        }),
        rtol: 1e-11,
        atol: 1e-12,
        ..Options::default()
    }
}

/// The largest difference of positions that both motions have, relative to their size.
fn distance(one: &End, two: &End) -> Option<f64> {
    let other = two.positions();
    let common = one.positions().into_iter().filter_map(|(name, x)| {
        let (_, y) = other.iter().find(|(n, _)| *n == name)?;
        Some((x - y).abs() / (1.0 + x.abs()))
    });
    common.reduce(|a, b| if a > b { a } else { b })
}

/// Follows in every form that applies and compares with the first; gives the forms.
fn agreement(case: &Case, until: f64) -> Result<Vec<Form>, TestCaseError> {
    let mut reference: Option<End> = None;
    let mut forms = Vec::new();
    for form in nonholonomic() {
        // A fibre that nobody declared may be singular along the way: that form is another chart.
        let undeclared = form == Form::Chaplygin && case.model.fibre.is_empty();
        let Some(equations) = case.system.equations(form).ok().filter(|_| !undeclared) else {
            continue;
        };
        let end = case
            .attempt(&equations, &options(Method::DOP853, until), &[])
            .map_err(|e| TestCaseError::fail(format!("{form}: {e}")))?;
        if let Some(residual) = end.outcome.constraint_residual {
            prop_assert!(
                residual < 1e-9,
                "{form} breaks a constraint by {residual:.1e}"
            );
        }
        forms.push(form);
        let Some(first) = &reference else {
            reference = Some(end);
            continue;
        };
        let apart = distance(first, &end);
        prop_assert!(
            apart.is_some_and(|d| d < 1e-8),
            "{form} is {apart:?} from {}",
            forms[0]
        );
    }
    Ok(forms)
}

fn shapes(affine: bool) -> impl Strategy<Value = Shape> {
    let group = prop::option::of(0usize..5);
    let either = any::<(bool, bool)>();
    (2usize..5, 0usize..3, group, either).prop_map(
        move |(coordinates, constraints, group, (turning, symmetric))| Shape {
            coordinates,
            constraints: if affine {
                constraints.max(1)
            } else {
                constraints
            },
            group,
            affine,
            turning,
            symmetric,
        },
    )
}

fn seeds() -> impl Strategy<Value = Seeds> {
    prop::collection::vec(0u32..1_000_000, 24).prop_map(Seeds::new)
}

proptest! {
    #![proptest_config(rattleback_testing::cases(24))]

    #[test]
    fn random_systems_move_alike_in_every_form(mut seeds in seeds(), shape in shapes(false)) {
        let text = seeds.model(shape);
        let case = Case::text(&text);
        let forms = agreement(&case, 0.8).map_err(|e| TestCaseError::fail(format!("{e} in\n{text}")))?;
        prop_assert!(forms.len() >= 2, "few forms apply to\n{text}");
        let equations = case.equations(forms[0]);
        let end = case.attempt(&equations, &options(Method::TAYLOR, 0.8), &[]).map_err(TestCaseError::fail)?;
        let change = end.outcome.energy_error.unwrap();
        prop_assert!(change < 1e-9, "the energy changes by {change:.1e} in\n{text}");
        let other = case.attempt(&equations, &options(Method::DOP853, 0.8), &[]).map_err(TestCaseError::fail)?;
        prop_assert!(distance(&end, &other).is_some_and(|d| d < 1e-9), "methods part in\n{text}");
    }

    #[test]
    fn affine_constraints_move_alike_in_every_form(mut seeds in seeds(), shape in shapes(true)) {
        let text = seeds.model(shape);
        let forms = agreement(&Case::text(&text), 0.8).map_err(|e| TestCaseError::fail(format!("{e} in\n{text}")))?;
        prop_assert!(forms.len() >= 2, "few forms apply to\n{text}");
    }
}

/// Momenta of lifts and of a frame that turn with time have rates of their own.
#[test]
fn frames_that_turn_with_time_move_alike_in_every_form() {
    let lifts = "system turning\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 - x*cos(t)\n\
         constraint y' = t*x'\nfibre y\nstart x = 1, x' = 0.5\ntime 2 .. 5\n";
    let declared = "system turning\ncoord x, y\nlagrangian (x'^2 + 2*y'^2)/2 - x*cos(t) - x*y\n\
         frame a = (x: cos(t), y: sin(t))\nframe b = (x: -sin(t), y: cos(t))\n\
         start x = 1, x' = 0.5\n";
    let turning = [Form::Hamel, Form::Distributional, Form::AlmostPoisson];
    for (text, until, more) in [(lifts, 5.0, Some(Form::Chaplygin)), (declared, 3.0, None)] {
        let forms = agreement(&Case::text(text), until).unwrap();
        for form in turning.into_iter().chain(more) {
            assert!(forms.contains(&form), "{form} in\n{text}");
        }
    }
}

/// A short span of a shipped model's motion.
const SHORT: f64 = 0.2;

#[test]
fn shipped_models_move_alike_in_every_form() {
    for name in all_shipped() {
        let case = Case::shipped(&name);
        let until = case.start.time + SHORT;
        let mut reference: Option<End> = None;
        for form in nonholonomic() {
            let Ok(equations) = case.system.equations(form) else {
                continue;
            };
            let end = match case.attempt(&equations, &options(Method::DOP853, until), &[]) {
                Ok(end) => end,
                // A declared fibre may be singular at the start, which must be said.
                Err(e) if form == Form::Chaplygin && e.contains("start state") => continue,
                Err(e) => panic!("{name} {form}: {e}"),
            };
            if let Some(residual) = end.outcome.constraint_residual {
                assert!(residual < 1e-9, "{name} {form}: residual {residual:.1e}");
            }
            if let Some(first) = &reference {
                let apart = distance(first, &end);
                assert!(apart.is_some_and(|d| d < 1e-8), "{name} {form}: {apart:?}");
            } else {
                reference = Some(end);
            }
        }
        assert!(reference.is_some(), "{name}");
    }
}

/// Motions through the places where a computed frame of their constraints ends.
const THROUGH_THE_END_OF_A_FRAME: [&str; 3] = [
    "system pendulum\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - 9.81*z\n\
     constraint x^2 + y^2 + z^2 = 1\nstart x = 0.6, z = -0.8, y' = 6\n",
    "system double\ncoord x, y, u, v\nlagrangian (x'^2 + y'^2 + u'^2 + v'^2)/2 - 9.81*(y + v)\n\
     constraint x^2 + y^2 = 1\nconstraint (u - x)^2 + (v - y)^2 = 1\n\
     start x = 1, u = 2\n",
    "system spin\ngroup R : SO(3) velocity w\nlagrangian (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/2\n\
     constraint (R*w)[3] = 0.4*t\nstart w[1] = 2, w[2] = 1\n",
];

#[test]
fn a_motion_does_not_end_with_a_computed_frame() {
    for text in THROUGH_THE_END_OF_A_FRAME {
        let case = Case::text(text);
        let chosen = Options {
            method: None,
            ..options(Method::DOP853, 5.0)
        };
        assert_eq!(chosen.form_for(&case.system), Form::LagrangeDAlembert);
        let end = case.follow(&chosen);
        assert!(end.outcome.steps < 5000, "{} steps", end.outcome.steps);
        let residual = end.outcome.constraint_residual.unwrap();
        assert!(residual < 1e-9, "residual {residual:.1e} in\n{text}");
        let condition = &case.system.frame_conditions()[0];
        assert!(
            condition.contains_any(case.system.frame().base()),
            "{condition}"
        );
    }
}

/// How far a method may be from an accurate one over a short span.
fn tolerance(method: Method) -> f64 {
    match method {
        Method::Variational(rule) if rule.order() == 1 => 1e-1,
        Method::Variational(rule) if rule.order() == 2 => 1e-3,
        Method::Field(methods::VERLET) | Method::Field(methods::GAUSS_2) => 1e-3,
        Method::Field(methods::RK4)
        | Method::Field(methods::MUNTHE_KAAS_4)
        | Method::Field(methods::COMMUTATOR_FREE_4) => 1e-5,
        Method::Field(methods::YOSHIDA_4) => 1e-5,
        _ => 1e-7,
    }
}

#[test]
fn shipped_models_move_alike_with_every_method() {
    for name in all_shipped() {
        let case = Case::shipped(&name);
        let until = case.start.time + SHORT;
        let plain = case.equations(Options::default().form_for(&case.system));
        let canonical = case.system.equations(Form::Hamiltonian).ok();
        let reference = case.follow_with(&plain, &options(Method::DOP853, until), &[]);
        let mut fits = 0;
        for method in Method::all() {
            let equations = match &canonical {
                Some(canonical) if method.needs_momenta() => canonical,
                _ => &plain,
            };
            match case.attempt(equations, &options(method, until), &[]) {
                Ok(end) => {
                    fits += 1;
                    let apart = distance(&reference, &end);
                    assert!(
                        apart.is_some_and(|d| d < tolerance(method)),
                        "{name} {method}: {apart:?}"
                    );
                }
                Err(e) => assert!(e.contains("does not fit"), "{name} {method}: {e}"),
            }
        }
        assert!(fits >= 10, "{name}: only {fits} methods fit");
    }
}

/// The energy of a model without forces, controls and time in its constraints stays what it is.
#[test]
fn shipped_conservative_models_keep_their_energy() {
    let mut checked = 0;
    for name in all_shipped() {
        let case = Case::shipped(&name);
        let until = case.start.time + SHORT;
        let drifts = case
            .system
            .constraints()
            .offsets()
            .iter()
            .any(|e| !e.is_zero());
        if drifts || !case.model.forces.is_empty() {
            continue;
        }
        let end = case.follow(&options(Method::TAYLOR, until));
        let Some(change) = end.outcome.energy_error else {
            continue;
        };
        let size = 1.0 + end.at("energy").abs();
        assert!(change < 1e-9 * size, "{name}: {change:.1e}");
        checked += 1;
    }
    assert!(checked > 20, "only {checked} models are conservative");
}
