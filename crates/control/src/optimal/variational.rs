//! Discretise the plant, then optimise (CG-D4 F2): the forced discrete Euler-Lagrange equations of the trapezoid.
//!
//! With ξ the velocity of an interval, g_{k+1} = g_k τ(h ξ), and L_d = ½h[L(g_k, ξ) + L(g_{k+1}, ξ)], the momenta at its
//! ends are those of the velocities v_k and v_{k+1} of the nodes less and plus half of the impulse there:
//!
//! ```text
//! ∂L/∂y(g_k, v_k) + ½h F_k             = −D₁L_d = (dτ⁻¹)* P − ½h ρL_z(g_k, ξ)
//! ∂L/∂y(g_{k+1}, v_{k+1}) − ½h F_{k+1} =  D₂L_d = (dτ⁻¹)* P + ½h ρL_z(g_{k+1}, ξ),     P = ½[L_y(g_k, ξ) + L_y(g_{k+1}, ξ)]
//! ```
//!
//! where dτ is trivialised on the side of the node that varies.

use super::error::{PoseError, Trouble};
use super::interval::{Block, Interval, Switches, Work};
use super::plant::{Kind, Plant};
use super::sample::{Sample, Where};
use super::smooth::cotangent_inverse;
use rattleback_lie::Trivialization;
use rattleback_symbolic::{Expr, Symbol, substitute_all};

/// Is the scheme built for this plant?
pub(super) fn check(plant: &Plant) -> Result<(), PoseError> {
    let system = &plant.system;
    let components = plant.components.iter().map(|c| &c.symbol);
    let fits = components.eq(system.frame().fibre())
        && system.constraints().is_empty()
        && !system.frame().fibre().is_empty()
        && plant.kind != Kind::BoundaryValue;
    if fits {
        return Ok(());
    }
    let what = "the scheme `variational` discretises the Lagrangian of a motion without constraints and further states: take hermite-simpson, gauss4, gauss6 or radau5";
    Err(PoseError::about(Trouble::NotTreated(what.into())))
}

/// A node of an interval: where, with which velocity and controls.
struct Corner<'a> {
    block: &'a Block,
    velocity: Vec<Expr>,
    time: Expr,
}

impl Work<'_> {
    /// The rows and the cost of an interval.
    pub(super) fn variational(&self, out: &mut Interval) {
        let (shape, n, h) = (self.shape, self.rank(), &self.span.length);
        let switch = Switches::of_symbols();
        let xi = self.here.take(shape.staggered());
        let start = self.chart_of(&self.here, true);
        let end = self.chart_of(&self.next, false);
        let corners = [
            (&self.here, &start, Expr::zero()),
            (&self.next, &end, Expr::one()),
        ];
        let corners = corners.map(|(block, chart, share)| Corner {
            block,
            velocity: chart[n..].to_vec(),
            time: self.time(&share),
        });
        let tags = ["p0", "p1"];
        let samples: Vec<Sample> = (corners.iter().zip(tags))
            .map(|(c, tag)| self.sample(c, tag))
            .collect();
        self.add(out, &samples[0], Some(shape.slacks_at_node()));
        self.add(out, &samples[1], None);
        let [before, after] = self.momenta(&corners, &xi);
        let half = Expr::ratio(1, 2) * h;
        for i in 0..n {
            let own = self.momentum(&corners[0])[i].clone() + &half * &self.force(&corners[0])[i];
            let given = &xi[i] - &corners[0].velocity[i];
            let matched = own - &before[i];
            out.inner
                .push((1 - &switch.idle[0]) * matched + &switch.idle[0] * given);
        }
        out.closing.extend(self.moved(&start, &end, &xi));
        for i in 0..n {
            let own = self.momentum(&corners[1])[i].clone() - &half * &self.force(&corners[1])[i];
            let given = &corners[1].velocity[i] - &xi[i];
            let matched = own - &after[i];
            out.closing
                .push((1 - &switch.idle[1]) * matched + &switch.idle[1] * given);
        }
        let shares = samples.iter().zip(&corners).zip(&switch.idle);
        out.cost = Expr::sum(shares.map(|((sample, corner), idle)| {
            let controls = corner.block.take(shape.controls_at_node());
            let unused = Expr::sum(controls.iter().map(|u| u * u)) / 2;
            &half * (1 - idle) * &sample.cost + idle * unused
        }));
    }

    fn sample(&self, corner: &Corner, tag: &str) -> Sample {
        let at = Where {
            base: corner.block.node.base.clone(),
            components: corner.velocity.clone(),
            controls: Some(corner.block.take(self.shape.controls_at_node())),
            time: corner.time.clone(),
        };
        let mut sample = Sample::of(self.posed, &at, tag);
        // The equations of motion are in the rows: accelerations are solved for only where cost or bounds ask for them.
        let solved: Vec<Symbol> = (sample.stages.iter())
            .flat_map(|s| s.unknowns().to_vec())
            .collect();
        let bounds = sample.paths.iter().map(|(_, e)| e);
        if !bounds
            .chain([&sample.cost])
            .any(|e| e.contains_any(&solved))
        {
            sample.stages.clear();
        }
        sample
    }

    /// Expressions of the model at a corner, with a velocity.
    fn put(&self, all: &[Expr], corner: &Corner, velocity: &[Expr]) -> Vec<Expr> {
        let plant = &self.posed.plant;
        let base = plant.base().iter().cloned();
        let fibre = plant.system.frame().fibre().iter().cloned();
        let controls = corner.block.take(self.shape.controls_at_node());
        let pairs: Vec<(Symbol, Expr)> = base
            .zip(corner.block.node.base.iter().cloned())
            .chain(fibre.zip(velocity.iter().cloned()))
            .chain(plant.controls.iter().cloned().zip(controls))
            .chain([(Symbol::time(), corner.time.clone())])
            .collect();
        substitute_all(all, &pairs)
    }

    /// ∂L/∂y.
    fn slopes(&self) -> Vec<Expr> {
        let system = &self.posed.plant.system;
        system.lagrangian().gradient(system.frame().fibre())
    }

    fn momentum(&self, corner: &Corner) -> Vec<Expr> {
        self.put(&self.slopes(), corner, &corner.velocity)
    }

    fn force(&self, corner: &Corner) -> Vec<Expr> {
        self.put(self.posed.plant.system.force(), corner, &corner.velocity)
    }

    /// −D₁L_d and D₂L_d.
    fn momenta(&self, corners: &[Corner; 2], xi: &[Expr]) -> [Vec<Expr>; 2] {
        let system = &self.posed.plant.system;
        let h = &self.span.length;
        let (slopes, along) = (
            self.slopes(),
            system.frame().differential(system.lagrangian()),
        );
        let at = |all: &[Expr], i: usize| self.put(all, &corners[i], xi);
        let mean: Vec<Expr> = (at(&slopes, 0).iter().zip(&at(&slopes, 1)))
            .map(|(a, b)| (a + b) / 2)
            .collect();
        let half = h / 2;
        let mut both = [mean.clone(), mean.clone()];
        for factor in self.posed.plant.factors() {
            let (Some(group), range) = (factor.group, factor.fibre.clone()) else {
                continue;
            };
            let x: Vec<Expr> = xi[range.clone()].iter().map(|v| h * v).collect();
            // The first node varies on the other side of τ than the second.
            let sides = match factor.trivialization {
                Trivialization::Body => [Trivialization::Space, Trivialization::Body],
                Trivialization::Space => [Trivialization::Body, Trivialization::Space],
            };
            for (momentum, side) in both.iter_mut().zip(sides) {
                let retraction = self.posed.retraction;
                let mean = &mean[range.clone()];
                if let Ok(moved) = cotangent_inverse(retraction, group, side, &x, mean) {
                    momentum[range.clone()].clone_from_slice(&moved);
                }
            }
        }
        let pulls = [at(&along, 0), at(&along, 1)];
        for i in 0..mean.len() {
            both[0][i] -= &half * &pulls[0][i];
            both[1][i] += &half * &pulls[1][i];
        }
        both
    }
}
