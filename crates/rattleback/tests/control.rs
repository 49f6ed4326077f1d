//! What becomes of solutions that speak against themselves.

use rattleback::Model;
use rattleback::control::optimal::Status;

/// On the last mesh a Hamiltonian that changes is held against a cost that is known badly; what one mesh was asked for, or
/// another knows well, is told with a warning.
#[test]
fn a_path_whose_hamiltonian_changes_is_no_solution_where_its_cost_is_not_known() {
    let text = "system cart\ncoord x\nkinetic x'^2/2\ncontrol u on x\ncost u^2/2\n\
        start x = 0\ngoal x = 1, x' = 0\ntime 0 .. 1\n";
    let model = Model::read(text).unwrap();
    let judged = |mesh_limit: bool, cost_error: f64, change: f64| {
        let mut found = model.control().run(&()).unwrap();
        let solution = &mut found.solution;
        (solution.mesh_limit, solution.cost_error) = (mesh_limit, Some(cost_error));
        solution.trajectory.hamiltonian[3] += change;
        found.withhold();
        (found.solution.status, found.resisting)
    };
    let (status, why) = judged(true, 0.05, 100.0);
    assert_eq!(status, Status::IterationLimit);
    assert!(why.unwrap().contains("the Hamiltonian changes by"));
    for (limit, error, change) in [(true, 0.05, 0.1), (true, 1e-5, 100.0), (false, 0.05, 100.0)] {
        assert_eq!(judged(limit, error, change).0, Status::Solved);
    }
}
