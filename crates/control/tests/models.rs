//! The shipped models that pose problems, and the costs that their comments tell.

mod common;

use common::{cost, near, tried};
use rattleback_control::optimal::{Request, Solution, Status};

fn model(name: &str, starts: usize) -> Solution {
    let text = rattleback_testing::models::text(name);
    let request = Request {
        starts,
        ..Request::default()
    };
    let solution = tried(&text, &request);
    eprintln!("{name}: {:?}", solution.extremals);
    assert_eq!(solution.status, Status::Solved, "{name}");
    solution
}

#[test]
fn the_cart_pole_swings_up() {
    near(cost(&model("cart_pole_swing_up", 1)), 58.8077, 1e-5);
}

#[test]
fn the_sleigh_is_parked() {
    near(cost(&model("sleigh_parking", 1)), 1.568512, 1e-5);
}

#[test]
fn the_snakeboard_moves_on() {
    near(cost(&model("snakeboard_transfer", 1)), 0.0889173, 1e-4);
}

#[test]
fn splines_and_manipulators() {
    near(cost(&model("cubic_splines", 1)), 1400.0, 1e-9);
    near(cost(&model("two_link_manipulator", 1)), 2.19753, 1e-5);
}

#[test]
fn groups_and_rotors() {
    near(
        cost(&model("underactuated_rigid_body", 6)),
        3.57893062048,
        1e-5,
    );
    near(cost(&model("heavy_top_rotors", 1)), 0.1326520225, 1e-5);
    near(cost(&model("se2_vehicle", 6)), 15.0890699740, 1e-5);
}
