//! Several first iterates: where the first one fails, where it may be beaten, and where they are asked for.

use super::path::Path;
use super::plant::Kind;
use super::solve::{Extremum, Found, Run};
use super::tolerance::NOTHING;
use crate::stage::Ending;

/// How many scattered guesses are tried where the model's own fails.
const RETRIES: usize = 6;
/// How many of them may end at the same least violation as the model's own.
const CONFIRMED: usize = 2;
/// How many first iterates are tried where the first path found is no strict minimum.
const PROBES: usize = 4;
/// Beside a path that is found already, others get so many times its iterations, and no fewer than this.
const PATIENCE: (usize, usize) = (4, 100);
/// A cost below this part of its unit is small.
const SMALL: f64 = 0.1;
/// Costs that differ by this part are the same, as far as the first mesh tells.
const ALIKE: f64 = 1e-3;
/// No further first iterate is tried after so much work.
const WORK: usize = 30_000_000;

/// Are two costs the same, as far as the first mesh tells?
fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= ALIKE * (a.abs() + b.abs()) + NOTHING
}

impl Run<'_> {
    /// The best path from all first iterates, refined.
    pub(super) fn best_of_starts(&mut self) -> Found {
        let posed = &self.transcriber.posed;
        let mut path = match &self.request.guess {
            Some(path) => path.clone(),
            None => posed.guess(0),
        };
        self.singular =
            posed.plant.kind == Kind::OptimalControl && posed.leaves_controls_open(&path);
        let mut first = self.on_first_mesh(&path);
        if self.singular {
            return first;
        }
        if self.request.starts == 1 {
            (first, path) = self.or_rolled(first, path);
        }
        self.weigh(&first);
        let probed = self.may_be_beaten(&first);
        if probed {
            (first, path) = self.best_beside(first, path);
        }
        let mut best = self.refined(first, &path);
        let scattered = !best.is_good() && !best.is_final();
        if scattered {
            best = self.scattered(best);
        }
        if best.outcome.ending == Ending::Infeasible {
            best = self.left(best, &path);
        }
        if !probed && !scattered && self.may_be_beaten(&best) {
            return self.beaten(best);
        }
        self.distinct(best)
    }

    /// What becomes of a path whose violation is stationary, where it is left for points beside: infeasible is only what comes
    /// back to it.
    fn left(&mut self, stuck: Found, path: &Path) -> Found {
        self.leaves = true;
        let found = self.on_first_mesh(path);
        let found = self.refined(found, path);
        self.leaves = false;
        match found.outcome.ending {
            Ending::Infeasible => stuck,
            _ => found,
        }
    }

    /// The way with the attitude at the end left free, where it leads to less.
    fn or_rolled(&mut self, first: Found, path: Path) -> (Found, Path) {
        let Some(rolled) = self.rolled.take() else {
            return (first, path);
        };
        let found = self.on_first_mesh(&rolled);
        let better = !first.is_good() || self.is_cheaper(&found, &first);
        match found.is_good() && better {
            true => (found, rolled),
            false => (first, path),
        }
    }

    /// Weighs a cost that is small beside its unit from now on: bounds are met up to absolute tolerances, whose worth would drown
    /// it.
    fn weigh(&mut self, first: &Found) {
        let (cost, unit) = (first.outcome.objective.abs(), self.cost_size());
        let bounded = first.transcription.problem.is_bounded();
        if first.is_good() && bounded && cost > NOTHING * unit && cost < SMALL * unit {
            self.weight = unit / cost;
        }
    }

    /// The best of some first iterates on the first mesh, before any is refined.
    fn best_beside(&mut self, first: Found, path: Path) -> (Found, Path) {
        let begun = self.work;
        self.wait_like(&first);
        let mut best = (first, path);
        for k in 1..PROBES {
            if self.watch.stop() || self.work > begun + WORK {
                break;
            }
            let path = self.transcriber.posed.guess(k);
            let found = self.on_first_mesh(&path);
            if found.is_good() && self.is_cheaper(&found, &best.0) {
                best = (found, path);
            }
        }
        self.patience = usize::MAX;
        best
    }

    /// Gives first iterates beside a path that is found no more than their share of iterations.
    fn wait_like(&mut self, found: &Found) {
        let share = PATIENCE.0 * found.outcome.iterations;
        self.patience = self.patience.min(share.max(PATIENCE.1));
    }

    fn is_cheaper(&self, found: &Found, than: &Found) -> bool {
        let (a, b) = (found.outcome.objective, than.outcome.objective);
        a < b && !alike(a, b)
    }

    /// A refined path that turned out to be no strict minimum, or a better one beside it.
    fn beaten(&mut self, best: Found) -> Found {
        let path = self.path_of(&best);
        let cost = best.outcome.objective;
        let coarse = self.on_first_mesh(&path);
        let (beside, path) = self.best_beside(coarse, path);
        let better = beside.outcome.objective < cost && !alike(beside.outcome.objective, cost);
        if !better || !beside.is_good() {
            return self.alone(best);
        }
        let refined = self.refined(beside, &path);
        match refined.is_good() && self.is_cheaper(&refined, &best) {
            true => self.alone(refined),
            false => self.alone(best),
        }
    }

    /// A path as the only extremal.
    fn alone(&self, mut found: Found) -> Found {
        if found.is_good() {
            found.extremals = vec![(found.outcome.objective, self.told(&found))];
        }
        found
    }

    /// What kind of path it is; where bounds hold it, they may close the directions in which it falls.
    fn told(&self, found: &Found) -> Extremum {
        match self.judged(found) {
            Extremum::Saddle | Extremum::Maximum if found.outcome.held => Extremum::Unknown,
            told => told,
        }
    }

    /// The best of the first iterates that are asked for, with the costs of all distinct paths.
    fn distinct(&mut self, first: Found) -> Found {
        let mut best = self.alone(first);
        let mut extremals = std::mem::take(&mut best.extremals);
        let (rolled, posed) = (self.rolled.take(), &self.transcriber.posed);
        let scattered = (1..self.request.starts).map(|k| posed.guess(k));
        for path in rolled.into_iter().chain(scattered) {
            if self.watch.stop() {
                break;
            }
            let found = self.on_first_mesh(&path);
            let known =
                |all: &[(f64, Extremum)], cost: f64| all.iter().any(|(c, _)| alike(*c, cost));
            if !found.is_good() || known(&extremals, found.outcome.objective) {
                continue;
            }
            // Distinct on the first mesh: refined before it is compared.
            let path = self.path_of(&found);
            let found = self.refined(found, &path);
            let cost = found.outcome.objective;
            if !found.is_good() || known(&extremals, cost) {
                continue;
            }
            extremals.push((cost, self.told(&found)));
            if cost < best.outcome.objective || !best.is_good() {
                best = found;
            }
        }
        extremals.sort_by(|a, b| a.0.total_cmp(&b.0));
        best.extremals = extremals;
        best
    }

    /// May a path beside the one found cost less, as beside a symmetric one that is stationary by its symmetry alone?
    fn may_be_beaten(&self, found: &Found) -> bool {
        self.request.starts == 1
            && self.request.nodes.is_none()
            && self.request.guess.is_none()
            && self.transcriber.posed.plant.kind == Kind::OptimalControl
            && found.is_good()
            && self.extremum(found) != Extremum::Minimum
    }

    /// Where the straight guess leads nowhere (a symmetric one may have no way to leave its symmetry): the best of
    /// some scattered ones.
    fn scattered(&mut self, failed: Found) -> Found {
        let mut best: Option<Found> = None;
        let mut alike = 0;
        let begun = self.work;
        for k in 1..=RETRIES {
            let tired = best.is_some() && self.work > begun + WORK;
            if self.watch.stop() || alike == CONFIRMED || tired {
                break;
            }
            let found = self.on_first_mesh(&self.transcriber.posed.guess(k));
            alike += usize::from(found.resists_like(&failed));
            let cost = found.outcome.objective;
            let better = best.as_ref().is_none_or(|b| cost < b.outcome.objective);
            if found.is_good() {
                self.wait_like(&found);
            }
            if found.is_good() && better {
                best = Some(found);
            }
        }
        self.patience = usize::MAX;
        let Some(found) = best else { return failed };
        let path = self.path_of(&found);
        self.refined(found, &path)
    }

    pub(super) fn path_of(&self, found: &Found) -> Path {
        let at = &found.outcome.iterate.point;
        self.transcriber.path(&found.transcription, at)
    }
}
