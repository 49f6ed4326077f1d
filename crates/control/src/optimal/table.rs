//! A first iterate from the columns of a table.

use super::path::Path;
use super::posed::Posed;
use rattleback_symbolic::Symbol;

/// A table that is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableTrouble {
    /// No times.
    #[error("the guess has no column `t` with at least two rows")]
    NoTimes,
    /// Times that do not ascend.
    #[error("the times of the guess do not ascend: row {0} is not after the one before it")]
    Order(usize),
    /// The path of another model.
    #[error("the guess has no column {0}: is it the path of another model?")]
    Missing(String),
}

impl Posed {
    /// A path from columns by name, among them `t` and those of the state; controls that are missing are taken from the
    /// model's own guess.
    pub fn path_of(&self, columns: &[(String, Vec<f64>)]) -> Result<Path, TableTrouble> {
        let column = |name: &str| columns.iter().find(|(n, _)| n == name).map(|(_, v)| v);
        let times = column("t").filter(|t| t.len() >= 2);
        let times = times.ok_or(TableTrouble::NoTimes)?;
        // A time that is no number is not after another one, either.
        let ascends = |w: &[f64]| w[0].partial_cmp(&w[1]) == Some(std::cmp::Ordering::Less);
        if let Some(k) = times.windows(2).position(|w| !ascends(w)) {
            return Err(TableTrouble::Order(k + 2));
        }
        let states = self.plant.state_symbols();
        let missing = states.iter().map(Symbol::to_string);
        let missing = missing.filter(|name| column(name).is_none());
        let missing: Vec<String> = missing.map(|name| format!("`{name}`")).collect();
        if !missing.is_empty() {
            return Err(TableTrouble::Missing(missing.join(", ")));
        }
        let own = self.guess(0);
        let (first, last) = (times[0], times[times.len() - 1]);
        let mut path = Path {
            times: times.clone(),
            free: own.free.clone(),
            ..Path::default()
        };
        for (i, (f, _)) in self.free.iter().enumerate() {
            if self.to.as_symbol() == Some(f) {
                path.free[i] = last;
            }
        }
        for (k, t) in times.iter().enumerate() {
            let (mut state, mut controls) = own.at(&self.plant, (t - first) / (last - first));
            let put = |name: String, value: &mut f64| {
                let given = column(&name).and_then(|c| c.get(k));
                if let Some(x) = given.filter(|x| x.is_finite()) {
                    *value = *x;
                }
            };
            for (s, value) in states.iter().zip(&mut state) {
                put(s.to_string(), value);
            }
            for (u, value) in self.plant.controls.iter().zip(&mut controls) {
                put(u.to_string(), value);
            }
            path.states.push(state);
            path.controls.push(controls);
        }
        Ok(path)
    }
}
