//! Optimal control on groups, against the oracle tables (AC RB, SC, HO; CG P-RB, P-GRP, P-TOP).

mod common;

use common::{all_near, cost, near, solved, tried};
use rattleback_control::optimal::{Ends, Request, Scheme};

const BODY: &str = "system body\nparam I1 = 2, I2 = 1.5, I3 = 1\ngroup R : SO(3) velocity w\n\
    kinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\n";
const BODY_ENDS: &str = "start w = [0.1, 0.2, -0.1]\n\
    goal R = rotation(1/sqrt(1.16)*[0.4, -0.6, 0.8], sqrt(1.16)), w = [0, 0.3, 0.2]\ntime 0 .. 2\n";

#[test]
fn rigid_body_with_acceleration_and_torque_costs() {
    let text = format!(
        "{BODY}control u1 on (w[1]: I1)\ncontrol u2 on (w[2]: I2)\ncontrol u3 on (w[3]: I3)\ncost (u1^2 + u2^2 + u3^2)/2\n{BODY_ENDS}"
    );
    let s = solved(&text);
    near(cost(&s), 1.346825344888, 1e-8);
    all_near(
        &s.trajectory.controls[0],
        &[0.685900097512, -1.376212845200, 1.283084641225],
        1e-5,
    );
    let p = &s.trajectory.costates[0];
    all_near(
        &p[..3],
        &[0.882849774435, -1.591034290640, 0.855993072685],
        1e-5,
    );
    let text = format!(
        "{BODY}control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\ncost (u1^2 + u2^2 + u3^2)/2\n{BODY_ENDS}"
    );
    near(cost(&solved(&text)), 2.638121466885, 1e-8);
}

/// The discrete cost with n intervals, by half steps at the ends or by the end velocities themselves.
fn staggered(text: &str, n: usize, ends: Ends) -> f64 {
    let request = Request {
        scheme: Scheme::Midpoint,
        nodes: Some(n),
        ends,
        ..Request::default()
    };
    cost(&tried(text, &request))
}

#[test]
fn staggered_velocities_give_the_tables_of_the_rigid_body() {
    let text = format!(
        "{BODY}control u1 on (w[1]: I1)\ncontrol u2 on (w[2]: I2)\ncontrol u3 on (w[3]: I3)\ncost (u1^2 + u2^2 + u3^2)/2\n{BODY_ENDS}"
    );
    for (n, known) in [
        (10, 1.324939205355),
        (20, 1.341292437568),
        (40, 1.345438282077),
    ] {
        near(staggered(&text, n, Ends::HalfStep), known, 1e-9);
    }
    for (n, known) in [
        (10, 1.862046106650),
        (20, 1.570015610219),
        (40, 1.451357339300),
    ] {
        near(staggered(&text, n, Ends::Node), known, 1e-9);
    }
    let text = format!(
        "{BODY}control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\ncost (u1^2 + u2^2 + u3^2)/2\n{BODY_ENDS}"
    );
    near(staggered(&text, 10, Ends::Node), 3.654617673377, 1e-9);
    near(staggered(&text, 20, Ends::Node), 3.078033483068, 1e-9);
}

#[test]
fn staggered_velocities_of_the_body_with_two_torques() {
    let text = TWO_TORQUES.replace("I2 = 1, I3 = 1", "I2 = 2, I3 = 3");
    let text = format!(
        "{text}cost u1^2 + u2^2\ngoal R = rotation(1/sqrt(0.38)*[0.5, -0.3, 0.2], sqrt(0.38)), p = 0, q = 0, r = 0\ntime 0 .. 3\n"
    );
    let request = Request {
        scheme: Scheme::Midpoint,
        nodes: Some(20),
        starts: 6,
        ..Request::default()
    };
    near(cost(&tried(&text, &request)), 3.528759839812, 1e-9);
}

#[test]
fn motions_of_the_plane() {
    let text = "system b\ngroup X : SE(2) velocity (w, v1, v2)\nkinetic (0.5*w^2 + 1.5*v1^2 + 1.5*v2^2)/2\n\
        control u1 on (w: 1)\ncontrol u2 on (v1: 1)\ncontrol u3 on (v2: 1)\ncost (u1^2 + u2^2 + u3^2)/2\n\
        start v1 = 0.2\ngoal X = [[cos(0.6), -sin(0.6), (sin(0.6)*1 - (1 - cos(0.6))*0.5)/0.6], [sin(0.6), cos(0.6), ((1 - cos(0.6))*1 + sin(0.6)*0.5)/0.6], [0, 0, 1]], w = 0.1, v1 = 0.3, v2 = -0.1\ntime 0 .. 1.5\n";
    let s = solved(text);
    near(cost(&s), 2.774673059239, 1e-8);
    all_near(
        &s.trajectory.controls[0],
        &[0.733333333333, 1.773938675374, 2.872852450864],
        1e-5,
    );
}

#[test]
fn riemannian_cubics() {
    let text = "system c\ngroup R : SO(3) velocity w\nlagrangian norm2(w')/2\nstart w = [0.5, 0, 0.2]\n\
        goal R = rotation(1/sqrt(1.09)*[0.6, -0.3, 0.8], sqrt(1.09)), w = [0, 0.4, -0.3]\ntime 0 .. 1\n";
    let s = solved(text);
    near(cost(&s), 6.79903653954, 1e-8);
    near(s.trajectory.hamiltonian[0], 19.2786857702, 1e-6);
    all_near(
        &s.trajectory.controls[0],
        &[1.91212947630, -2.70074138867, 4.32383731254],
        1e-4,
    );
    all_near(
        &s.trajectory.costates[0][..3],
        &[5.44554527595, -7.14553909889, 8.66503494145],
        1e-4,
    );
}

const TWO_TORQUES: &str = "system body\nparam I1 = 1, I2 = 1, I3 = 1\ngroup R : SO(3) velocity (p, q, r)\n\
    kinetic (I1*p^2 + I2*q^2 + I3*r^2)/2\ncontrol u1 on (p: 1)\ncontrol u2 on (q: 1)\n";

#[test]
fn two_torques_on_a_round_body() {
    // r is constant: its end value follows.
    let text = format!(
        "{TWO_TORQUES}cost (u1^2 + u2^2)/2\ngoal R = rotation([0.6, -0.8, 0], 1), p = 0, q = 0\ntime 0 .. 4\n"
    );
    let s = solved(&text);
    near(cost(&s), 0.09375, 1e-8);
    near(s.trajectory.hamiltonian[0], 0.0703125, 1e-6);
}

#[test]
fn two_torques_on_an_uneven_body() {
    let text = TWO_TORQUES.replace("I2 = 1, I3 = 1", "I2 = 2, I3 = 3");
    let text = format!(
        "{text}cost u1^2 + u2^2\ngoal R = rotation(1/sqrt(0.38)*[0.5, -0.3, 0.2], sqrt(0.38)), p = 0, q = 0, r = 0\ntime 0 .. 3\n"
    );
    let request = Request {
        starts: 6,
        tolerance: 1e-8,
        ..Request::default()
    };
    let s = tried(&text, &request);
    near(cost(&s), 3.57893062048, 1e-6);
}

#[test]
fn the_top_is_lifted() {
    let text = "system top\nparam I1 = 1, I2 = 1.2, I3 = 0.6\ngroup R : SO(3) velocity w\nlet e = transpose(R)*[0, 0, 1]\n\
        kinetic (I1*w[1]^2 + I2*w[2]^2 + I3*w[3]^2)/2\npotential 1.5*e[3]\ncontrol u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncost (u1^2 + u2^2)/2\n\
        start R = rotation([0, 1, 0], -asin(0.36))*rotation([1, 0, 0], atan2(0.48, 0.8)), w = [0.1, -0.2, 1.5]\n\
        goal e = [0, 0, 1], w = [0, 0, 1.5]\ntime 0 .. 2\n";
    let s = solved(text);
    near(cost(&s), 2.11722592395, 1e-7);
    near(s.trajectory.hamiltonian[0], 1.50800093460, 1e-5);
}

#[test]
fn a_rotation_by_pi_is_reached() {
    let text = format!(
        "{BODY}control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\ncost (u1^2 + u2^2 + u3^2)/2\ngoal R = rotation([0, 0, 1], pi), w = [0, 0, 0]\ntime 0 .. 1\n"
    );
    // About one axis of inertia 1: 6 π².
    near(
        cost(&solved(&text)),
        6.0 * std::f64::consts::PI.powi(2),
        1e-6,
    );
}

/// CG-D5: R_k μ_k is the same at all nodes, to rounding.
#[test]
fn the_momentum_of_staggered_velocities_is_fixed_in_space() {
    let text = format!(
        "{BODY}control u1 on (w[1]: I1)\ncontrol u2 on (w[2]: I2)\ncontrol u3 on (w[3]: I3)\ncost (u1^2 + u2^2 + u3^2)/2\n{BODY_ENDS}"
    );
    let request = Request {
        scheme: Scheme::Midpoint,
        nodes: Some(20),
        ..Request::default()
    };
    let s = tried(&text, &request);
    let pi = [0.879591448652, -1.585362691756, 0.853869506904];
    for (x, p) in s.trajectory.states.iter().zip(&s.trajectory.costates) {
        let spatial = [0, 1, 2].map(|i| (0..3).map(|j| x[3 * i + j] * p[j]).sum::<f64>());
        all_near(&spatial, &pi, 1e-8);
    }
}

/// CG-G12 (3), (10): swapping the ends and negating the velocities mirrors the discrete solution, and turning both attitudes from
/// the left changes nothing.
#[test]
fn discrete_costs_know_neither_direction_nor_place() {
    let controls = "control u1 on (w[1]: 1)\ncontrol u2 on (w[2]: 1)\ncontrol u3 on (w[3]: 1)\ncost (u1^2 + u2^2 + u3^2)/2\n";
    let goal = "rotation(1/sqrt(1.16)*[0.4, -0.6, 0.8], sqrt(1.16))";
    let turn = "rotation([0.6, 0, 0.8], 0.7)";
    let forward = format!("{BODY}{controls}{BODY_ENDS}");
    let back = format!(
        "{BODY}{controls}start R = {goal}, w = [0, -0.3, -0.2]\n\
         goal R = rotation([1, 0, 0], 0), w = [-0.1, -0.2, 0.1]\ntime 0 .. 2\n"
    );
    let turned = format!(
        "{BODY}{controls}start R = {turn}, w = [0.1, 0.2, -0.1]\n\
         goal R = {turn}*{goal}, w = [0, 0.3, 0.2]\ntime 0 .. 2\n"
    );
    for ends in [Ends::HalfStep, Ends::Node] {
        let known = staggered(&forward, 12, ends);
        near(staggered(&back, 12, ends), known, 1e-9);
        near(staggered(&turned, 12, ends), known, 1e-9);
    }
}
