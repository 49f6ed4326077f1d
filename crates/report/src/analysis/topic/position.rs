//! Positions of steady states in words: coordinates by name, elements of groups by their parts.

use crate::mechanics::{Factor, System};
use crate::symbolic::{Expr, Symbol};
use crate::theory::SteadyState;

/// A factor of the configuration space at a steady state.
struct Place<'a> {
    factor: &'a Factor,
    entries: &'a [Symbol],
    state: &'a SteadyState,
}

/// The part of an element of SO(n) or SE(n) that an entry of its matrix belongs to.
enum Part {
    Rotation,
    /// The row of the position.
    Position(usize),
    /// The last row of SE(n), the same for all elements.
    Fixed,
}

impl Place<'_> {
    /// None for coordinates and for groups without matrices.
    fn part(&self, k: usize) -> Option<Part> {
        let group = self.factor.group?;
        let (size, turning) = (group.matrix_size()?, group.rotation_size()?);
        Some(match (k / size < turning, k % size < turning) {
            (true, true) => Part::Rotation,
            (true, false) => Part::Position(k / size + 1),
            (false, _) => Part::Fixed,
        })
    }

    fn known(&self, k: usize) -> Option<&Expr> {
        let mut positions = self.state.positions.iter().chain(&self.state.placed);
        let (_, e) = positions.find(|(z, _)| *z == self.entries[k])?;
        Some(e)
    }

    fn rotation(&self) -> Vec<usize> {
        let turns = |k: &usize| matches!(self.part(*k), Some(Part::Rotation));
        (0..self.entries.len()).filter(turns).collect()
    }

    /// Is the rotation determined as a whole?
    fn is_turned(&self) -> bool {
        let rotation = self.rotation();
        !rotation.is_empty() && rotation.iter().all(|k| self.known(*k).is_some())
    }

    fn is_upright(&self) -> bool {
        let Some(group) = self.factor.group else {
            return false;
        };
        let identity = group.identity::<Expr>();
        let kept = |k: &usize| self.known(*k) == Some(&identity[*k]);
        self.is_turned() && self.rotation().iter().all(kept)
    }

    fn rotation_name(&self) -> String {
        match self.factor.group.is_some_and(|g| g.has_fixed_row()) {
            true => format!("{}.R", self.factor.name),
            false => self.factor.name.clone(),
        }
    }

    fn name(&self, k: usize) -> String {
        match self.part(k) {
            Some(Part::Position(row)) => format!("{}.p[{row}]", self.factor.name),
            _ => self.entries[k].to_string(),
        }
    }

    /// `X.R = identity, X.p[3] = 0`.
    fn determined(&self) -> Vec<String> {
        let upright = self.is_upright();
        let whole = upright.then(|| format!("{} = identity", self.rotation_name()));
        let apart = |k: &usize| match self.part(*k) {
            Some(Part::Rotation) => !upright,
            Some(Part::Fixed) => false,
            Some(Part::Position(_)) | None => true,
        };
        let entries = (0..self.entries.len()).filter(apart);
        let entries =
            entries.filter_map(|k| Some(format!("{} = {}", self.name(k), self.known(k)?)));
        whole.into_iter().chain(entries).collect()
    }

    /// The entries that are free beside a determined rotation; none stands for the element as a whole.
    fn open(&self) -> Option<Vec<usize>> {
        let free = |k: &usize| {
            let same_for_all = matches!(self.part(*k), Some(Part::Fixed));
            let free = self.state.free.contains(&self.entries[*k]) && self.known(*k).is_none();
            free && !same_for_all
        };
        let open: Vec<usize> = (0..self.entries.len()).filter(free).collect();
        let whole = self.factor.group.is_some() && !open.is_empty() && !self.is_turned();
        (!whole).then_some(open)
    }

    fn free(&self, name: impl Fn(&Self, usize) -> String) -> Vec<String> {
        match self.open() {
            None => vec![self.factor.name.clone()],
            Some(open) => open.into_iter().map(|k| name(self, k)).collect(),
        }
    }
}

fn places<'a>(system: &'a System, state: &'a SteadyState) -> impl Iterator<Item = Place<'a>> {
    system.factors().iter().map(move |factor| Place {
        factor,
        entries: &system.frame().base()[factor.base.clone()],
        state,
    })
}

/// What is determined, as equations.
pub fn determined(system: &System, state: &SteadyState) -> Vec<String> {
    places(system, state).flat_map(|p| p.determined()).collect()
}

/// Free positions in words, then free rates.
pub fn free(system: &System, state: &SteadyState) -> Vec<String> {
    free_by(system, state, |place, k| place.name(k))
}

/// The same by the names that positions have in tables.
pub fn free_columns(system: &System, state: &SteadyState) -> Vec<String> {
    free_by(system, state, |place, k| place.entries[k].to_string())
}

fn free_by(
    system: &System,
    state: &SteadyState,
    name: impl Fn(&Place<'_>, usize) -> String,
) -> Vec<String> {
    let base = system.frame().base();
    let rates = state.free.iter().filter(|s| !base.contains(s));
    let positions = places(system, state).flat_map(|p| p.free(&name));
    positions.chain(rates.map(ToString::to_string)).collect()
}
