//! Momenta that variational steps keep are the same for one motion and for many.

use rattleback_compile::RecordKind;
use rattleback_language::{Model, Source, parse};
use rattleback_mechanics::{Problem, Varied};
use rattleback_motion::ensemble::{Axis, AxisValues, Ensemble, Members};
use rattleback_motion::simulation::{Options, Simulation};
use rattleback_testing::models;

fn read(text: String) -> Model {
    parse(&Source::new("model.mech", text)).model.unwrap()
}

/// The momenta that are called conserved in one motion and in an ensemble that varies the first parameter.
fn conserved(model: &Model, method: &str) -> Option<[Vec<(String, bool)>; 2]> {
    let problem = Problem::from_model(model).ok()?;
    let system = problem.driven();
    let options = Options {
        method: Some(method.parse().unwrap()),
        until: Some(0.02),
        step: Some(0.01),
        ..Options::default()
    };
    let one = Simulation::new(&problem, &system, &options, Vec::new()).ok()?;
    let name = model.parameters.first()?.symbol.to_string();
    let varied = [Varied::named(model, &name).ok()?];
    let value = problem
        .values
        .number(&(&model.parameters[0].symbol).into())?;
    let values = AxisValues::List(vec![value]);
    let members = Members::new(vec![Axis { name, values }], Vec::new(), 1, 0).unwrap();
    let many = Ensemble::new(&problem, &system, &options, members, &varied, Vec::new()).ok()?;
    Some([&one.motion, &many.motion].map(|motion| {
        let momenta = motion.records.iter();
        let momenta = momenta.filter(|r| r.kind == RecordKind::SymmetryMomentum);
        momenta.map(|r| (r.name.clone(), r.conserved)).collect()
    }))
}

#[test]
fn ensembles_of_the_shipped_models_keep_the_momenta_of_single_motions() {
    let mut compared = 0;
    for name in models::with_lagrangian() {
        let model = read(models::text(&name));
        if model.symmetries.is_empty() {
            continue;
        }
        let Some([one, many]) = conserved(&model, "variational-midpoint") else {
            continue;
        };
        assert_eq!(one, many, "{name}");
        compared += one.len();
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn a_momentum_of_the_motion_need_not_be_one_of_the_steps_of_an_ensemble() {
    // Curved in the coordinates of the steps: a symmetry of the motion and not of L_d.
    let text = "system plane\nparam g = 1\ncoord r, th\nlagrangian (r'^2 + r^2*th'^2)/2 - g*r*cos(th)\n\
                symmetry up = (r: sin(th), th: cos(th)/r)\nstart r = 1, th = 0.3, th' = 1, r' = 0.2\n";
    let model = read(text.to_owned());
    let name = "momentum_up".to_owned();
    let [one, many] = conserved(&model, "variational-midpoint").unwrap();
    assert_eq!(one, [(name.clone(), false)]);
    assert_eq!(many, one);
    let [one, many] = conserved(&model, "dop853").unwrap();
    assert_eq!(one, [(name, true)]);
    assert_eq!(many, one);
}
