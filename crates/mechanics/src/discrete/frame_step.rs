//! A step in a frame of the constraint distribution: discrete Lagrange-d'Alembert without multipliers.

use super::step::{Step, pairs, solving};
use super::system::{DiscreteSystem, expressions};
use rattleback_geometry::Subframe;
use rattleback_symbolic::{Expr, Symbol, dot, substitute_all};

/// X₀ + w^a X_a in body velocities.
struct Sections {
    drift: Vec<Expr>,
    columns: Vec<Vec<Expr>>,
}

impl Sections {
    /// X₀ + w^a X_a at a place.
    fn combined(&self, w: &[Expr], place: &[(Symbol, Expr)]) -> Vec<Expr> {
        let moved = |i: usize| {
            let columns = self.columns.iter().zip(w);
            let terms = columns.map(|(x, w)| x[i].substitute(place) * w);
            self.drift[i].substitute(place) + Expr::sum(terms)
        };
        (0..self.drift.len()).map(moved).collect()
    }

    /// ⟨m, X_a⟩ at a place.
    fn paired(&self, m: &[Expr], place: &[(Symbol, Expr)]) -> Vec<Expr> {
        let along = |x: &Vec<Expr>| dot(&substitute_all(x, place), m);
        self.columns.iter().map(along).collect()
    }
}

impl DiscreteSystem {
    /// The step map on positions and the velocities w of a frame X₀, X_a of the constraint distribution:
    ///
    /// ```text
    /// ξ = X₀ + s^a X_a where constraints are placed        ⟨p_k − p₀(g_k, ξ), X_a(q_k)⟩ = 0
    /// p_{k+1} of w_{k+1}:                                   ⟨p_{k+1} − p₁(g_k, ξ), X_a(q_{k+1})⟩ = 0
    /// ```
    ///
    /// The same nodes as with multipliers, which drop out. None with constraints on positions: these hold at nodes, not
    /// along a frame.
    pub fn frame_step(&self, frame: &Subframe) -> Option<Step> {
        let z = expressions(&self.z);
        let sections = Sections {
            drift: self.chart.body(&z, &frame.drift),
            columns: (0..frame.rank())
                .map(|a| self.chart.body(&z, &frame.basis.column(a)))
                .collect(),
        };
        let [xi] = &self.velocities[..] else {
            return None;
        };
        let here = sections.combined(&expressions(&frame.velocities), &[]);
        let momentum = self.continuous.gradient(&self.y);
        let p0 = substitute_all(&momentum, &pairs(&self.y, &here));

        let renamed = |s: &Symbol, what: &str| Symbol::variable(&format!("{}~{what}", s.name()));
        let deltas: Vec<Symbol> = xi.iter().map(|s| renamed(s, "delta")).collect();
        let along: Vec<Symbol> = frame
            .velocities
            .iter()
            .map(|s| renamed(s, "step"))
            .collect();
        let moved: Vec<Expr> = here.iter().zip(&deltas).map(|(v, d)| v + d).collect();
        let shift = pairs(xi, &moved);
        let s = frame.velocities.iter().zip(&along);
        let s: Vec<Expr> = s.map(|(w, d)| Expr::from(w) + d).collect();
        let placed = substitute_all(&sections.combined(&s, &self.placed().ok()?), &shift);
        let held = moved.iter().zip(&placed).map(|(v, x)| v - x);
        let departs = self.before.iter().zip(&p0);
        let departs: Vec<Expr> = departs.map(|(p, p0)| p - p0).collect();
        let departs = sections.paired(&substitute_all(&departs, &shift), &[]);
        let solve = solving([deltas, along].concat(), held.chain(departs).collect());

        let positions = substitute_all(&self.next, &shift);
        let after = substitute_all(&self.after, &shift);
        let there = self.at(&positions, &Expr::one());
        let next: Vec<Symbol> = frame
            .velocities
            .iter()
            .map(|s| renamed(s, "next"))
            .collect();
        let velocities = sections.combined(&expressions(&next), &there);
        let landed = [there.clone(), pairs(&self.y, &velocities)].concat();
        let landed = substitute_all(&momentum, &landed);
        let lands: Vec<Expr> = landed.iter().zip(&after).map(|(p, q)| p - q).collect();
        let land = solving(next.clone(), sections.paired(&lands, &there));
        let x = self.displacements();
        Some(Step {
            inputs: [
                vec![Symbol::time(), self.h.clone()],
                self.z.clone(),
                frame.velocities.clone(),
            ]
            .concat(),
            stages: vec![solve, land],
            from: here.clone(),
            next: [positions, expressions(&next)].concat(),
            action: self.lagrangian().substitute(&shift),
            forms: Step::without_forms(),
            turns: substitute_all(&self.chart.turns(&x, &self.expected(&here)), &shift),
        })
    }
}
