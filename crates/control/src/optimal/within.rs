//! A path within a family of extremals in the place of the one that was found.

use super::{Controlled, Extremum, Status};
use crate::indirect::Family;
use rattleback_mechanics::Origin;

/// A miss of the goal that counts as none, relative to the size of the end state.
const REACHED: f64 = 1e-8;
/// Costs that differ by this part at most are those of one path.
const SAME: f64 = 1e-5;
/// The relative error of what is integrated along an extremal.
const INTEGRATED: f64 = 1e-10;

impl Controlled {
    /// Takes the path of a family with these states; the condition of the goal that it misses most, if it does, and by how
    /// much.
    pub fn take_family(&mut self, family: &Family, states: &[String]) -> Option<(Origin, f64)> {
        let last = family.states.last().into_iter().flatten();
        let size = last.fold(1.0, |m: f64, x| m.max(x.abs()));
        let reached = family.miss() <= REACHED * size;
        self.take_path(family, states);
        let solution = &mut self.solution;
        solution.status = match reached {
            true => Status::Solved,
            false => Status::Infeasible,
        };
        // Where the family ends in the direct solution, what is known of that one holds.
        let direct = solution.cost.unwrap_or(f64::NAN);
        if !reached || (direct - family.cost).abs() > SAME * direct.abs() {
            solution.extremum = Extremum::Unknown;
        }
        solution.cost = Some(family.cost);
        solution.cost_error = Some(INTEGRATED);
        solution.infeasibility = family.miss();
        solution.extremals.clear();
        self.polished = None;
        self.replay_error = None;
        self.replay_cost = None;
        self.momenta.clear();
        let misses = family.misses.iter().filter(|_| !reached);
        let worst = misses.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        worst.map(|(origin, miss)| (*origin, miss.abs()))
    }

    fn take_path(&mut self, family: &Family, states: &[String]) {
        let place = |name: &String| self.names.state.iter().position(|s| s.name == *name);
        let places: Vec<Option<usize>> = states.iter().map(place).collect();
        let path = &mut self.solution.trajectory;
        for (row, x) in path.states.iter_mut().zip(&family.states) {
            for (place, value) in places.iter().zip(x) {
                if let Some(i) = place {
                    row[*i] = *value;
                }
            }
        }
        path.times.clone_from(&family.times);
        path.controls.clone_from(&family.controls);
        path.costates.clone_from(&family.costates);
        path.hamiltonian.clone_from(&family.hamiltonian);
        path.flat = vec![false; family.times.len()];
    }
}
