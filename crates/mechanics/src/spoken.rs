//! Equations under the names that a model gives to its frame.

use crate::System;
use crate::equations::{Equations, Stage};
use rattleback_symbolic::{Expr, Matrix, Symbol, substitute_all};

/// The highest derivative of a frame velocity that equations of motion contain.
const HIGHEST: u32 = 1;

impl System {
    /// The fields of the declared frame by name; none where the frame is computed.
    pub fn frame_names(&self) -> Vec<String> {
        self.user_frame.iter().map(|f| f.name.clone()).collect()
    }

    /// The equations with velocities and momenta called after the declared frame: y1 is `forward`, P_y1 is
    /// `P_forward`. For reading only: commands and tables know the generated names.
    pub fn spoken(&self, equations: &Equations) -> Equations {
        let pairs: Vec<(Symbol, Symbol)> = self
            .frame_names()
            .iter()
            .zip(1..)
            .flat_map(|(name, a)| {
                let velocity = self.names().frame_velocity(a);
                let momentum = self.names().reduced_momentum(velocity.name());
                let costate = self.names().momentum(velocity.name(), 0);
                [
                    (costate, Symbol::variable(&format!("p_{name}"))),
                    (velocity, Symbol::variable(name)),
                    (momentum, Symbol::variable(&format!("P_{name}"))),
                ]
            })
            .flat_map(|(from, to)| (0..=HIGHEST).map(move |k| (from.jet(k), to.jet(k))))
            .collect();
        match pairs.is_empty() {
            true => equations.clone(),
            false => Renaming(pairs).equations(equations),
        }
    }
}

/// Old symbols with their new ones.
struct Renaming(Vec<(Symbol, Symbol)>);

impl Renaming {
    fn symbol(&self, s: &Symbol) -> Symbol {
        let found = self.0.iter().find(|(from, _)| from == s);
        found.map_or_else(|| s.clone(), |(_, to)| to.clone())
    }

    fn symbols(&self, all: &[Symbol]) -> Vec<Symbol> {
        all.iter().map(|s| self.symbol(s)).collect()
    }

    fn all(&self, e: &[Expr]) -> Vec<Expr> {
        let pairs: Vec<(Symbol, Expr)> = self
            .0
            .iter()
            .map(|(from, to)| (from.clone(), to.into()))
            .collect();
        substitute_all(e, &pairs)
    }

    fn one(&self, e: &Expr) -> Expr {
        self.all(std::slice::from_ref(e)).swap_remove(0)
    }

    fn matrix(&self, m: &Matrix) -> Matrix {
        m.map(|e| self.one(e))
    }

    fn stage(&self, stage: &Stage) -> Stage {
        let mut renamed = stage.map(|e| self.all(e));
        let (Stage::Linear { unknowns, .. } | Stage::Implicit { unknowns, .. }) = &mut renamed;
        *unknowns = self.symbols(unknowns);
        renamed
    }

    fn equations(&self, old: &Equations) -> Equations {
        let mut new = old.clone();
        new.state = old.state.renamed(|s| self.symbol(s));
        new.stages = old.stages.iter().map(|s| self.stage(s)).collect();
        for e in new.expressions_mut() {
            *e = self.one(e);
        }
        for q in new.stated_mut() {
            q.value = self.one(&q.value);
        }
        for q in &mut new.momenta {
            q.name = self.symbol(&Symbol::variable(&q.name)).name().to_owned();
        }
        if let Some(bracket) = &mut new.bracket {
            bracket.coordinates = self.symbols(&bracket.coordinates);
        }
        new.conditions = self.all(&old.conditions);
        new.basis = old.basis.as_ref().map(|m| self.matrix(m));
        new
    }
}
