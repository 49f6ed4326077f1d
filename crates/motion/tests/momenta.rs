//! What steps keep of momenta is said alike of single motions and of members.

use rattleback_compile::RecordKind;
use rattleback_language::{Source, parse};
use rattleback_mechanics::discrete::Rule;
use rattleback_mechanics::{Problem, Varied};
use rattleback_motion::ensemble::{Axis, AxisValues, Ensemble, Members};
use rattleback_motion::simulation::{Method, Options, Simulation};

/// Translations in polar coordinates are symmetries of the motion, and not of the steps in these coordinates.
const CURVED: &str = "system plane\ncoord r, th\nlagrangian (r'^2 + r^2*th'^2)/2 - r*cos(th)\n\
                      symmetry up = (r: sin(th), th: cos(th)/r)\nstart r = 1, th = 0.3, th' = 1\ntime 0 .. 1 step 0.05\n";
const STRAIGHT: &str = "system plane\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x\nsymmetry up = (y: 1)\n\
                        start y' = 1\ntime 0 .. 1 step 0.05\n";

#[test]
fn members_keep_the_momenta_that_single_motions_keep() {
    for (text, varied, kept) in [(CURVED, "th'", false), (STRAIGHT, "y'", true)] {
        let model = parse(&Source::new("model.mech", text)).model.unwrap();
        let problem = Problem::from_model(&model).unwrap();
        let options = Options {
            method: Some(Method::Variational(Rule::Midpoint)),
            ..Options::default()
        };
        let single = Simulation::new(&problem, &problem.system, &options, Vec::new()).unwrap();
        let axis = Axis {
            name: varied.to_owned(),
            values: AxisValues::List(vec![0.5, 1.0]),
        };
        let members = Members::new(vec![axis], Vec::new(), 1, 0).unwrap();
        let what = Varied::named(&model, varied).unwrap();
        let all = Ensemble::new(
            &problem,
            &problem.system,
            &options,
            members,
            &[what],
            Vec::new(),
        );
        for motion in [&single.motion, &all.unwrap().motion] {
            let mut momenta = motion
                .records
                .iter()
                .filter(|r| r.kind == RecordKind::SymmetryMomentum);
            assert_eq!(momenta.next().unwrap().conserved, kept, "{text}");
        }
    }
}
