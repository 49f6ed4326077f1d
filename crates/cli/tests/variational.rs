//! Variational problems with constraints of any order: tabulated extremals, and what is refused.

use crate::common::following::{Case, accurate};
use crate::common::{rattleback, written};
use rattleback::mechanics::Form;
use rattleback::simulation::Method;

/// Follows the variational forms of a model.
#[track_caller]
fn check(case: &Case, forms: &[Form], until: f64, expected: &[(&str, f64)], tolerance: f64) {
    for form in forms {
        let equations = case.equations(*form);
        let end = case.follow_with(&equations, &accurate(Method::TAYLOR, until), &[]);
        end.is(expected, tolerance);
    }
}

const BOTH: [Form; 2] = [Form::Vakonomic, Form::HigherOrder];

/// AC-VK1: the unicycle on SE(2), p2 = −μ.
#[test]
fn a_vakonomic_unicycle() {
    let case = Case::text(
        "system unicycle\ngroup X : SE(2) velocity (w, v1, v2)\nlagrangian (w^2 + v1^2)/2\nconstraint v2 = 0\n\
         start w = 0.5, v1 = 1, mu1 = -0.3\n",
    );
    let expected = [
        ("w", 0.657642377785),
        ("v1", -0.904160662129),
        ("mu1", 0.522009096720),
        ("X[1,3]", 2.35475451424),
        ("X[2,3]", 0.864068732056),
    ];
    check(&case, &[Form::Vakonomic], 4.0, &expected, 1e-9);
}

/// AC-VK2: the Heisenberg particle, p_z = −μ.
#[test]
fn a_vakonomic_heisenberg_particle() {
    let case = Case::text(
        "system heisenberg\ncoord x, y, z\nlagrangian (x'^2 + y'^2)/2\nconstraint z' = (x*y' - y*x')/2\n\
         start x = 0.2, y = -0.1, x' = 1, y' = 0.5, mu1 = -0.8\n",
    );
    let expected = [
        ("x", -0.0415420965243),
        ("y", 2.49390663227),
        ("z", 1.93143154614),
    ];
    check(&case, &[Form::Vakonomic], 3.0, &expected, 1e-9);
}

/// AC-LP2: second order on a U(1) bundle, in the coordinates of the bundle.
#[test]
fn second_order_on_a_bundle() {
    let case = Case::text(
        "system bundle\nparam B = 1.5\ncoord x, y, s\n\
         lagrangian (x''^2 + y''^2 + (s'' + B*(x*y'' - y*x'')/2)^2)/2\n\
         observe bar = s' + B*(x*y' - y*x')/2\n\
         start x = 0.1, y = 0.2, x' = 1, y' = -0.5, x'' = 0.2, y'' = 0.1, x''' = -0.3, y''' = 0.4\n\
         start s' = 0.3 - B*(0.1*(-0.5) - 0.2*1)/2, s'' = -0.2 - B*(0.1*0.1 - 0.2*0.2)/2\n\
         start s''' = 0.6 - B*(1*0.1 + 0.1*0.4 - (-0.5)*0.2 - 0.2*(-0.3))/2\n",
    );
    let expected = [
        ("x", 1.83484036249),
        ("y", -0.681141470823),
        ("x'", 0.281913063552),
        ("y'", -0.715058476858),
        ("x''", -1.16206495656),
        ("y''", -0.862672038159),
        ("x'''", -1.09302732374),
        ("y'''", -1.16135632624),
        ("bar", 1.1),
    ];
    check(&case, &[Form::HigherOrder], 2.0, &expected, 1e-9);
}

const CART_POLE: &str = "system cartpole\nparam M = 1, m = 0.2, l = 0.5, g = 9.81\ncoord x\ncoord theta : angle\n\
    let u = (M + m)*x'' + m*l*cos(theta)*theta'' - m*l*sin(theta)*theta'^2\nlagrangian u^2/2\n\
    constraint balance: cos(theta)*x'' + l*theta'' = g*sin(theta)\nobserve pull = u\n";

/// AC-CP1: the extremal of the cart-pole from its tabulated costates, p1_t = l (m u cos θ − μ).
#[test]
fn the_cart_pole_with_least_force() {
    let start = "start x'' = -22.2306205317, x''' = 2*240.389706701 - 163.723975902\n\
        start mu_balance = -0.2*22.2306205317 - 2*52.0463042414\n\
        start mu_balance' = 2*240.389706701 + 0.2*(2*240.389706701 - 163.723975902)\n";
    let case = Case::text(&format!("{CART_POLE}{start}"));
    let half = [
        ("x", 0.25),
        ("theta", 0.0),
        ("x'", 2.14632647170),
        ("theta'", -2.15798799389),
        ("pull", 0.0),
        ("energy", 247.100244613),
    ];
    check(&case, &BOTH, 0.5, &half, 1e-7);
    let end = [
        ("x", 0.5),
        ("theta", 0.0),
        ("x'", 0.0),
        ("theta'", 0.0),
        ("pull", 22.2306205317),
    ];
    check(&case, &BOTH, 1.0, &end, 1e-6);
}

/// AC-RB3: a body with two torques, from its tabulated costates; pt3 = −μ I3.
#[test]
fn a_rigid_body_with_two_torques() {
    let case = Case::text(
        "system body\nparam I1 = 1, I2 = 2, I3 = 3\ngroup R : SO(3) velocity w\n\
         let u1 = I1*w[1]' - (I2 - I3)*w[2]*w[3]\nlet u2 = I2*w[2]' - (I3 - I1)*w[3]*w[1]\n\
         lagrangian u1^2 + u2^2\nconstraint I3*w[3]' = (I1 - I2)*w[1]*w[2]\n\
         start w[1]' = -1.82270254063, w[2]' = -0.506641953303/2\n\
         start w[1]'' = 9.53990011853/2, w[2]'' = 0.914823669341/8\n\
         start mu1 = -63.6347228927/3, mu1' = 28.1853848317/3\n",
    );
    let half = [
        ("w[1]", 0.414014153987),
        ("w[2]", -0.307202188036),
        ("w[3]", -0.00298438174732),
        ("R[1,1]", 0.942510247673),
        ("R[1,2]", -0.00542195624134),
        ("R[1,3]", -0.334133259975),
        ("energy", 3.57893062048),
    ];
    check(&case, &BOTH, 1.5, &half, 1e-7);
    let rest = [("w[1]", 0.0), ("w[2]", 0.0), ("w[3]", 0.0)];
    check(&case, &BOTH, 3.0, &rest, 1e-6);
}

/// A velocity constraint under a Lagrangian with accelerations: two formulations of ideal reactions agree.
#[test]
fn order_two_with_ideal_reactions() {
    let case = Case::text(
        "system rolling\ncoord x, y, phi\nlagrangian (x''^2 + y''^2 + phi''^2)/2 - x^2/2\n\
         constraint x'*sin(phi) = y'*cos(phi)\n\
         start phi = 0.3, x' = 1, phi' = 0.7, x'' = 0.2, phi'' = -0.1, phi''' = 0.4, x''' = 0.3\n",
    );
    let reactions = case.equations(Form::LagrangeDAlembert);
    let options = accurate(Method::TAYLOR, 1.0);
    let end = case.follow_with(&reactions, &options, &[]);
    let expected: Vec<(&str, f64)> = ["x", "y", "phi", "x'", "y'", "phi'"]
        .into_iter()
        .map(|name| (name, end.at(name)))
        .collect();
    check(&case, &[Form::Hamel], 1.0, &expected, 1e-9);
}

#[test]
fn accelerations_need_a_lagrangian_that_has_them() {
    let text = "system a\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x'' = y\n";
    let model = written("beyond_lagrangian", text);
    rattleback(["derive", &model, "--form", "vakonomic"])
        .exits(2)
        .says(&["order 2", "order 1", "model.mech:4:"]);
    rattleback(["derive", &model])
        .exits(2)
        .says(&["beyond velocities", "model.mech:4:"]);
    let text =
        "system a\ncoord x, y\nlagrangian x''^2 + y''^2\nconstraint x'' = y\nstart x'' = 1\n";
    rattleback(["check", &written("broken_acceleration", text)])
        .exits(2)
        .says(&["breaks", "model.mech:4:"]);
}

/// One reduction for `derive` and `analyze`, on a base with a group.
#[test]
fn a_ball_reduces_to_its_attitude() {
    let text = "system ball\ngroup R : SO(3) velocity w\ncoord x, y\n\
        kinetic (x'^2 + y'^2)/2 + (w[1]^2 + 2*w[2]^2 + 3*w[3]^2)/5\n\
        constraint x' = w[2]\nconstraint y' = -w[1]\nfibre x, y\nstart w = [1, 2, 3]\n";
    let case = Case::text(text);
    let end = case.follow_with(
        &case.equations(Form::Hamel),
        &accurate(Method::TAYLOR, 2.0),
        &[],
    );
    let expected: Vec<(&str, f64)> = ["x", "y", "R[1,1]", "R[2,3]", "w[1]", "w[2]", "w[3]"]
        .into_iter()
        .map(|name| (name, end.at(name)))
        .collect();
    check(&case, &[Form::Chaplygin], 2.0, &expected, 1e-9);
    let page = rattleback([
        "analyze",
        &written("ball", text),
        "--only",
        "chaplygin",
        "--json",
    ])
    .exits(0);
    assert!(page.out.contains("\"proven\""), "{}", page.out);
}

/// AC-HO2: a heavy top with two torques, from its tabulated costates.
#[test]
fn an_underactuated_top() {
    let [i1, i2, i3] = [1.0, 1.2, 0.6];
    let (g, w) = ([0.36, 0.48, 0.8], [0.1, -0.2, 1.5]);
    let p = [-3.60770581225, 3.49540556008, -0.473775720531];
    let bar = [-2.14214012056, 3.23090477381, 19.7666472308];
    let (u, mu) = ([bar[0] / i1, bar[1] / i2], -bar[2] / i3);
    // p̄' = ∂(L − μφ)/∂w − p.
    let slope = [
        -u[1] * (i3 - i1) * w[2] + mu * (i1 - i2) * w[1],
        -u[0] * (i2 - i3) * w[2] + mu * (i1 - i2) * w[0],
        -u[0] * (i2 - i3) * w[1] - u[1] * (i3 - i1) * w[0],
    ];
    let push = [(slope[0] - p[0]) / i1, (slope[1] - p[1]) / i2];
    let mu_rate = -(slope[2] - p[2]) / i3;
    let a = [
        (u[0] + (i2 - i3) * w[1] * w[2] + 1.5 * g[1]) / i1,
        (u[1] + (i3 - i1) * w[2] * w[0] - 1.5 * g[0]) / i2,
        (i1 - i2) * w[0] * w[1] / i3,
    ];
    let turn = [g[1] * w[2] - g[2] * w[1], g[2] * w[0] - g[0] * w[2]];
    let jerk = [
        (push[0] + (i2 - i3) * (a[1] * w[2] + w[1] * a[2]) + 1.5 * turn[1]) / i1,
        (push[1] + (i3 - i1) * (a[2] * w[0] + w[2] * a[0]) - 1.5 * turn[0]) / i2,
    ];
    let case = Case::text(&format!(
        "system top\nparam I1 = 1, I2 = 1.2, I3 = 0.6\ngroup R : SO(3) velocity w\n\
         let e = transpose(R)*[0, 0, 1]\n\
         let u1 = I1*w[1]' - (I2 - I3)*w[2]*w[3] - 1.5*e[2]\nlet u2 = I2*w[2]' - (I3 - I1)*w[3]*w[1] + 1.5*e[1]\n\
         lagrangian (u1^2 + u2^2)/2\nconstraint I3*w[3]' = (I1 - I2)*w[1]*w[2]\n\
         observe f1 = u1\nobserve f2 = u2\nobserve up = e\n\
         start R = [[0.8, -0.6, 0], [0.48, 0.64, -0.6], [0.36, 0.48, 0.8]], w = [0.1, -0.2, 1.5]\n\
         start w[1]' = {:.17}, w[2]' = {:.17}, w[1]'' = {:.17}, w[2]'' = {:.17}, mu1 = {:.17}, mu1' = {:.17}\n",
        a[0], a[1], jerk[0], jerk[1], mu, mu_rate
    ));
    let half = [
        ("f1", 0.891998104168),
        ("f2", -0.248785343053),
        ("energy", 1.50800093460),
    ];
    check(&case, &BOTH, 1.0, &half, 1e-7);
    let end = [
        ("up[1]", 0.0),
        ("up[2]", 0.0),
        ("up[3]", 1.0),
        ("w[1]", 0.0),
        ("w[2]", 0.0),
        ("w[3]", 1.5),
    ];
    check(&case, &BOTH, 2.0, &end, 1e-6);
}
