//! Following a map from node to node: x ↦ next(x).

use super::built::Simulation;
use super::diagnosis;
use super::error::SimulationError;
use super::guard::places;
use super::outcome::{Hit, Outcome, Row, momenta};
use super::watch::Watch;
use crate::discrete::Node;
use rattleback_integrate::{Direction, End, Observer, VectorField};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How many nodes follow the first one from `from` to `until`.
pub(crate) fn nodes(from: f64, until: f64) -> u64 {
    (until - from).max(0.0).round() as u64
}

impl Simulation {
    /// One row per node; an event fires at the first node behind its crossing.
    pub(super) fn iterate(
        &mut self,
        stop: &AtomicBool,
        sink: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, SimulationError> {
        let begun = Instant::now();
        self.outlook.look_at_places(places(1, None));
        let mut watch = Watch::new(&self.motion, &self.outlook, None, None, &self.given, sink);
        watch.confinement = self.confinement.clone();
        let mut x = self.start.clone();
        let mut next = x.clone();
        let mut before: Vec<f64> = Vec::new();
        let mut hits = Vec::new();
        let (mut end, mut failure, mut steps) = (End::Reached, None, 0);
        let last = nodes(self.from, self.until);
        for node in 0..=last {
            let t = self.from + node as f64;
            if !self.tables.is_empty() {
                self.given = self.tables.values(t);
                self.field.set_constants(&self.given);
                watch.set_constants(&self.given);
            }
            let crossed = self.crossed(t, &x, &mut before);
            for &event in &crossed {
                hits.push(Hit {
                    event,
                    time: t,
                    state: x.clone(),
                    row: watch.row_at(t, &x),
                });
            }
            if watch.sample(t, &x).is_break() {
                end = End::Observer;
                break;
            }
            let is_terminal = |event: &&usize| self.events[**event].0.terminal;
            if let Some(&event) = crossed.iter().find(is_terminal) {
                end = End::Event(event);
                break;
            }
            if stop.load(Ordering::Relaxed) {
                end = End::Stopped;
                break;
            }
            if node == last {
                break;
            }
            failure = self.next_node(t, &x, &mut next);
            if failure.is_some() {
                break;
            }
            std::mem::swap(&mut x, &mut next);
            steps += 1;
        }
        let lost = watch.lost.take();
        let lost = lost.map(|lost| diagnosis::lost(&self.motion, &lost));
        let broken = watch.broken.take();
        let broken = broken.map(|(text, t, x)| diagnosis::broken(&self.motion, &text, t, &x));
        let failure = failure.or(lost).or(broken);
        Ok(Outcome {
            end: failure.is_none().then_some(end),
            failure,
            row: std::mem::take(&mut watch.row),
            sizes: std::mem::take(&mut watch.sizes),
            steps,
            rejected: 0,
            evaluations: steps,
            seconds: begun.elapsed().as_secs_f64(),
            energy_start: None,
            work: None,
            energy_change: None,
            energy_error: None,
            constraint_residual: None,
            momenta: momenta(&watch.guard),
            warnings: Vec::new(),
            coarser: None,
            group_distance: None,
            passed: Vec::new(),
            hits,
        })
    }

    /// Writes the state at the node behind t; what is in the way of it.
    fn next_node(&mut self, t: f64, x: &[f64], next: &mut [f64]) -> Option<String> {
        let found = self.field.rates(t, x, next);
        let lost = next.iter().position(|v| !v.is_finite());
        if found.is_ok() && lost.is_none() {
            return None;
        }
        if let Some(map) = &self.elsewhere {
            let (q, p) = x.split_at(map.dimension());
            let (q, p) = (q.to_vec(), p.to_vec());
            let Ok((node, _)) = map.advance_at(t, &Node { q, p }, 1.0) else {
                return Some(format!(
                    "the node behind t = {t} was not found: p = -D1 L_d, which determines it, was not solved; try other start momenta"
                ));
            };
            next.copy_from_slice(&[node.q, node.p].concat());
            return None;
        }
        let name = match (found, lost) {
            (Ok(()), Some(i)) => format!("`{}`", self.motion.state[i]),
            _ => "the map".into(),
        };
        Some(format!(
            "{name} has no finite value at the node behind t = {t}; try other start values or parameters"
        ))
    }

    /// The events whose functions have changed their sign since the node before.
    fn crossed(&self, t: f64, x: &[f64], before: &mut Vec<f64>) -> Vec<usize> {
        let inputs = [&[t], x, &self.given[..]].concat();
        let values: Vec<f64> = self
            .events
            .iter()
            .map(|(_, code)| code.clone().value(&inputs))
            .collect();
        let crosses = |k: &usize| {
            let (Some(&was), is) = (before.get(*k), values[*k]) else {
                return false;
            };
            match self.events[*k].0.direction {
                Direction::Rising => was < 0.0 && is >= 0.0,
                Direction::Falling => was > 0.0 && is <= 0.0,
                Direction::Any => was < 0.0 && is >= 0.0 || was > 0.0 && is <= 0.0,
            }
        };
        let crossed = (0..values.len()).filter(crosses).collect();
        *before = values;
        crossed
    }
}
