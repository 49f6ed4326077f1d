//! Families S^k of functions as solutions of the discrete Hamilton-Jacobi equations: maps, residuals and the theorem
//! that they generate motions, as a check that can fail (DP-A14, A16).

use super::error::ActionError;
use super::map::{MomentumMap, Node};
use super::search;
use rattleback_numeric::{Dense, singular_values};

/// A value with two derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Jet {
    /// S.
    pub value: f64,
    /// DS.
    pub slope: Vec<f64>,
    /// D²S.
    pub curvature: Dense,
}

/// Functions S^k on configuration space, one for each node.
pub trait Family {
    /// S^k at a point.
    fn jet(&self, k: usize, q: &[f64]) -> Result<Jet, ActionError>;
}

impl<F: Fn(usize, &[f64]) -> Jet> Family for F {
    fn jet(&self, k: usize, q: &[f64]) -> Result<Jet, ActionError> {
        Ok(self(k, q))
    }
}

/// By how much the forms of the discrete Hamilton-Jacobi equation fail at a point (DP-A14).
#[derive(Clone, Debug, PartialEq)]
pub struct Residuals {
    /// S^{k+1}(f) − S^k(q) − DS^{k+1}(f)·f + H⁺(q, DS^{k+1}(f)) at f = f⁺(q); none where H⁺ or f⁺ has no value.
    pub right: Option<f64>,
    /// S^{k+1}(f) − S^k(q) + DS^k(q)·q + H⁻(DS^k(q), f) at f = f⁻(q); none where H⁻ has no value.
    pub left: Option<f64>,
    /// S^k(q) − S^{k−1}(g) − DS^k(q)·q + H⁺(g, DS^k(q)) at g = g_k(q); none where there is no node before.
    pub backward: Option<f64>,
    /// S^{k+1}(f) − S^k(q) − L_d(q, f) at f = f^L(q); none where S^{k+1} has no value there.
    pub lagrangian: Option<f64>,
    /// Why S^{k+1} has no value at the node behind: on a caustic there is none, and no form of the equation.
    pub no_value_behind: Option<ActionError>,
}

/// The maps that a family gives: f⁺, f⁻ = f^L and g (DP-A14).
#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    /// f with f = D₂H⁺(q, DS^{k+1}(f)); none where it is not found.
    pub right: Option<Vec<f64>>,
    /// π F̃(q, DS^k(q)), the solution of q = −D₁H⁻(DS^k(q), f) and of DS^k(q) = −D₁L_d(q, f).
    pub left: Vec<f64>,
    /// π F̃⁻¹(q, DS^k(q)); none where it is not found.
    pub back: Option<Vec<f64>>,
}

/// Which equations a roll-out generates solutions of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollOut {
    /// c_{k+1} = f_k⁺(c_k), for the right discrete Hamilton equations.
    Right,
    /// c_{k+1} = f_k⁻(c_k), for the left ones, where Df_k⁻ must be invertible.
    Left,
}

/// What came of a roll-out.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// c_k with p_k = DS^k(c_k).
    pub path: Vec<Node>,
    /// The largest difference between a node and F̃ of the one before: 0 where the theorem holds.
    pub defect: f64,
    /// The largest residual of the discrete Hamilton-Jacobi equation on the way.
    pub residual: f64,
}

/// Df⁻ with a smallest singular value below this part of its terms counts as singular.
const SINGULAR: f64 = 1e-9;

impl MomentumMap {
    /// The maps of a family at a point, for the step from node k.
    pub fn maps(
        &self,
        family: &dyn Family,
        k: usize,
        q: &[f64],
        before: Option<&Node>,
    ) -> Result<Maps, ActionError> {
        let p = family.jet(k, q)?.slope;
        let here = Node { q: q.to_vec(), p };
        let left = self.advance(k, &here)?.0.q;
        let back = match (k.checked_sub(1), before) {
            (Some(j), Some(guess)) => self.retreat(j, &here, guess).ok(),
            _ => None,
        };
        Ok(Maps {
            right: self.right_map(family, k, &here).ok(),
            left,
            back: back.map(|node| node.q),
        })
    }

    /// f⁺(q) by Newton's method with the matrix 1 − D₂D₂H⁺ D²S^{k+1}, from f⁻(q) on.
    pub fn right_map(
        &self,
        family: &dyn Family,
        k: usize,
        here: &Node,
    ) -> Result<Vec<f64>, ActionError> {
        let n = self.dimension();
        let guess = self.advance(k, here)?.0.q;
        search::solve(&guess, |f, values| {
            let jet = family.jet(k + 1, f)?;
            let p0 = self
                .departing(k, &here.q, &jet.slope, &here.p)
                .ok_or(ActionError::NoHamiltonian { step: k + 1 })?;
            let from = Node {
                q: here.q.clone(),
                p: p0,
            };
            let all = Dense::of_rows(2 * n, 2 * n, &self.slopes(k, &from)?);
            let (b, d) = (all.part((0, n), n, n), all.part((n, n), n, n));
            // D₂D₂H⁺ = ∂q₁/∂p₁ = b d⁻¹, symmetric.
            let inverse = d.transposed().solve(&b.transposed());
            let inverse = inverse.map_err(|_| ActionError::NoHamiltonian { step: k + 1 })?;
            let product = &inverse.transposed() * &jet.curvature;
            let reached = self.advance(k, &from)?.0.q;
            for i in 0..n {
                for j in 0..n {
                    values[i * n + j] = f64::from(u8::from(i == j)) - product[(i, j)];
                }
                values[n * n + i] = f[i] - reached[i];
            }
            Ok(())
        })
    }

    /// How well a family fulfils the discrete Hamilton-Jacobi equations at a point. `before` is a guess of the node
    /// before.
    pub fn residuals(
        &self,
        family: &dyn Family,
        k: usize,
        q: &[f64],
        before: Option<&Node>,
    ) -> Result<Residuals, ActionError> {
        let jet = family.jet(k, q)?;
        let here = Node {
            q: q.to_vec(),
            p: jet.slope.clone(),
        };
        let (there, l) = self.advance(k, &here)?;
        let ahead = family.jet(k + 1, &there.q);
        let rise = ahead.as_ref().ok().map(|ahead| ahead.value - jet.value);
        let left = self.left_hamiltonian(k, &here.p, &there.q, &here.q);
        let right = self.right_map(family, k, &here).ok().and_then(|f| {
            let jet_f = family.jet(k + 1, &f).ok()?;
            let h = self.right_hamiltonian(k, q, &jet_f.slope, &here.p)?;
            Some(jet_f.value - jet.value - dot(&jet_f.slope, &f) + h)
        });
        let backward = match (k.checked_sub(1), before) {
            (Some(j), Some(guess)) => self.retreat(j, &here, guess).ok().and_then(|node| {
                let value = family.jet(j, &node.q).ok()?.value;
                let h = self.right_hamiltonian(j, &node.q, &here.p, &node.p)?;
                Some(jet.value - value - dot(&here.p, q) + h)
            }),
            _ => None,
        };
        Ok(Residuals {
            right,
            left: left.zip(rise).map(|(h, rise)| rise + dot(&here.p, q) + h),
            backward,
            lagrangian: rise.map(|rise| rise - l),
            no_value_behind: ahead.err(),
        })
    }

    /// The same forms at two points of which the second is not the image of the first, where they are no identities:
    /// right, left and Lagrangian are of second order in the distance (the trap of DP-A14).
    pub fn residuals_off_graph(
        &self,
        family: &dyn Family,
        k: usize,
        q: &[f64],
        next: &[f64],
    ) -> Result<Residuals, ActionError> {
        let (here, there) = (family.jet(k, q)?, family.jet(k + 1, next)?);
        let rise = there.value - here.value;
        let right = self.right_hamiltonian(k, q, &there.slope, &here.slope);
        let left = self.left_hamiltonian(k, &here.slope, next, q);
        let l = self.lagrangian(k, q, next, &here.slope)?;
        Ok(Residuals {
            right: right.map(|h| rise - dot(&there.slope, next) + h),
            left: left.map(|h| rise + dot(&here.slope, q) + h),
            backward: None,
            lagrangian: Some(rise - l),
            no_value_behind: None,
        })
    }

    /// Follows c_{k+1} = f_k(c_k), p_k = DS^k(c_k) from node `first` to node `last`, and compares with the map: the
    /// discrete Hamilton-Jacobi theorem says that the difference vanishes where the residuals do, on the left only where
    /// Df⁻ is invertible (DP-A16). A singular Df⁻ is an error.
    pub fn roll_out(
        &self,
        family: &dyn Family,
        nodes: (usize, usize),
        start: &[f64],
        side: RollOut,
    ) -> Result<Rolled, ActionError> {
        let (first, last) = nodes;
        let mut rolled = Rolled {
            path: Vec::new(),
            defect: 0.0,
            residual: 0.0,
        };
        let mut jet = family.jet(first, start)?;
        let mut here = Node {
            q: start.to_vec(),
            p: jet.slope.clone(),
        };
        for k in first..last {
            let (moved, l) = self.advance(k, &here)?;
            let next = match side {
                RollOut::Left => {
                    self.check_spread(k, &here, &jet.curvature)?;
                    moved.q.clone()
                }
                RollOut::Right => self.right_map(family, k, &here)?,
            };
            let ahead = family.jet(k + 1, &next)?;
            let there = Node {
                q: next,
                p: ahead.slope.clone(),
            };
            let miss = distance(&there.q, &moved.q).max(distance(&there.p, &moved.p));
            rolled.defect = rolled.defect.max(miss);
            let residual = match side {
                RollOut::Left => ahead.value - jet.value - l,
                RollOut::Right => {
                    let h = self.right_hamiltonian(k, &here.q, &there.p, &here.p);
                    let h = h.ok_or(ActionError::NoHamiltonian { step: k + 1 })?;
                    ahead.value - jet.value - dot(&there.p, &there.q) + h
                }
            };
            rolled.residual = rolled.residual.max(residual.abs());
            rolled.path.push(std::mem::replace(&mut here, there));
            jet = ahead;
        }
        rolled.path.push(here);
        Ok(rolled)
    }

    /// Df⁻ = a + b A is invertible.
    fn check_spread(&self, k: usize, here: &Node, a: &Dense) -> Result<(), ActionError> {
        let n = self.dimension();
        let all = Dense::of_rows(2 * n, 2 * n, &self.slopes(k, here)?);
        let pushed = &all.part((0, n), n, n) * a;
        let straight = all.part((0, 0), n, n);
        let spread = &straight + &pushed;
        let size = straight.largest().max(pushed.largest());
        match singular_values(&spread)
            .iter()
            .all(|s| *s > SINGULAR * size)
        {
            true => Ok(()),
            false => Err(ActionError::SingularMap { step: k + 1 }),
        }
    }

    /// p₀ with F̃(q, p₀) arriving with the momentum p₁: D₁H⁺(q, p₁).
    fn departing(&self, k: usize, q: &[f64], p1: &[f64], guess: &[f64]) -> Option<Vec<f64>> {
        let n = self.dimension();
        let at = |p: &[f64]| Node {
            q: q.to_vec(),
            p: p.to_vec(),
        };
        let found = search::solve(guess, |u, values| {
            let (slopes, (next, _)) = (self.slopes(k, &at(u))?, self.advance(k, &at(u))?);
            fill(values, &slopes, n, (n, n), &next.p, p1);
            Ok(())
        });
        found.ok()
    }

    /// H⁺(q, p₁) = p₁·q₁ − L_d with D₂L_d(q, q₁) = p₁, the momentum at the beginning being searched for (DP-A7).
    pub fn right_hamiltonian(&self, k: usize, q: &[f64], p1: &[f64], guess: &[f64]) -> Option<f64> {
        let p0 = self.departing(k, q, p1, guess)?;
        let from = Node {
            q: q.to_vec(),
            p: p0,
        };
        let (next, l) = self.advance(k, &from).ok()?;
        Some(dot(p1, &next.q) - l)
    }

    /// H⁻(p, q₁) = −p·q − L_d with −D₁L_d(q, q₁) = p, the position at the beginning being searched for (DP-A8).
    pub fn left_hamiltonian(&self, k: usize, p: &[f64], q1: &[f64], guess: &[f64]) -> Option<f64> {
        let n = self.dimension();
        let at = |q: &[f64]| Node {
            q: q.to_vec(),
            p: p.to_vec(),
        };
        let q = search::solve(guess, |u, values| {
            let (slopes, (next, _)) = (self.slopes(k, &at(u))?, self.advance(k, &at(u))?);
            fill(values, &slopes, n, (0, 0), &next.q, q1);
            Ok(())
        });
        let q = q.ok()?;
        let (_, l) = self.advance(k, &at(&q)).ok()?;
        Some(-dot(p, &q) - l)
    }

    /// L_d(q, q₁), the momentum at the beginning being searched for: the boundary-value problem of one step.
    pub fn lagrangian(
        &self,
        k: usize,
        q: &[f64],
        q1: &[f64],
        guess: &[f64],
    ) -> Result<f64, ActionError> {
        let p = self.between(k, q, q1, guess)?;
        let from = Node { q: q.to_vec(), p };
        Ok(self.advance(k, &from)?.1)
    }

    /// −D₁L_d(q, q₁): the momentum at q of the step to q₁.
    pub fn between(
        &self,
        k: usize,
        q: &[f64],
        q1: &[f64],
        guess: &[f64],
    ) -> Result<Vec<f64>, ActionError> {
        let n = self.dimension();
        search::solve(guess, |u, values| {
            let at = Node {
                q: q.to_vec(),
                p: u.to_vec(),
            };
            let (slopes, (next, _)) = (self.slopes(k, &at)?, self.advance(k, &at)?);
            fill(values, &slopes, n, (0, n), &next.q, q1);
            Ok(())
        })
    }
}

/// A block of DF̃ as Jacobian, and what the values miss.
fn fill(
    values: &mut [f64],
    slopes: &[f64],
    n: usize,
    (row, column): (usize, usize),
    found: &[f64],
    wanted: &[f64],
) {
    for i in 0..n {
        for j in 0..n {
            values[i * n + j] = slopes[(row + i) * 2 * n + column + j];
        }
        values[n * n + i] = found[i] - wanted[i];
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max)
}
