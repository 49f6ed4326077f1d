//! Whether a problem depends on time.

use super::posed::Posed;
use rattleback_mechanics::Stage;
use rattleback_symbolic::Symbol;

impl Posed {
    /// Does nothing along the path depend on time, nor is there a condition at a time on the way?
    pub fn is_autonomous(&self) -> bool {
        let plant = &self.plant;
        let stages = plant.stages.iter().flat_map(Stage::expressions);
        let direct = plant.velocity.iter().chain(&plant.rates);
        let conditions = plant.equalities.iter().map(|(e, _)| e);
        let bounds = self.paths.iter().map(|b| &b.value);
        let all = direct.chain([&plant.cost]).chain(conditions).chain(bounds);
        let mut all = all.chain(stages);
        let time = [Symbol::time()];
        self.vias.is_empty() && !all.any(|e| e.contains_any(&time))
    }
}
