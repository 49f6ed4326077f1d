//! The functions of an interval: its share of the cost, what links it to the next node, its bounds.

use super::node::{Node, difference, local};
use super::posed::Posed;
use super::sample::{Sample, Where};
use super::scheme::{At, Scheme};
use super::shape::Shape;
use rattleback_lie::{Retraction, Trivialization};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Symbol};

/// An interval as expressions of its local variables.
pub(super) struct Interval {
    /// The variables of its block.
    pub here: Vec<Symbol>,
    /// The state, and controls, of the next node.
    pub next: Vec<Symbol>,
    /// Entries of group elements at both nodes.
    pub elements: [Vec<Symbol>; 2],
    /// Systems that are solved.
    pub stages: Vec<Stage>,
    /// Its share of the cost.
    pub cost: Expr,
    /// What vanishes, eliminated with this block.
    pub inner: Vec<Expr>,
    /// What vanishes, eliminated with the next block.
    pub closing: Vec<Expr>,
}

/// The time of an interval: where it begins, and how long it is.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub from: Expr,
    pub length: Expr,
}

/// What tells the first and the last interval apart from others, where velocities are staggered (CG-G7).
#[derive(Clone, Debug)]
pub(super) struct Switches {
    /// 1 where the interval begins with a half step of the velocity.
    pub opens: Expr,
    /// 1 where the pair at its end obeys the rates, 0 where the end velocity is its own.
    pub closes: Expr,
    /// The share of a step that the pair at its end counts for.
    pub weight: Expr,
    /// 1 where the controls of a node steer nothing.
    pub idle: [Expr; 2],
}

impl Switches {
    /// Symbols for them.
    pub fn symbols() -> [Symbol; 5] {
        ["opens", "closes", "weight", "idle0", "idle1"].map(|name| local(name, "t"))
    }

    pub fn of_symbols() -> Self {
        let [opens, closes, weight, a, b] = Self::symbols().map(Expr::from);
        Self {
            opens,
            closes,
            weight,
            idle: [a, b],
        }
    }
}

/// Symbols of a block in the order of its shape.
pub(super) struct Block {
    pub node: Node,
    pub all: Vec<Symbol>,
}

impl Block {
    pub fn new(posed: &Posed, shape: &Shape, tag: &str, size: usize) -> Self {
        let node = posed.node(tag);
        let mut all = node.variables.clone();
        all.extend((all.len()..size).map(|i| local(&format!("v{i}"), tag)));
        Self { node, all }.checked(shape)
    }

    fn checked(self, shape: &Shape) -> Self {
        debug_assert_eq!(self.node.variables.len(), shape.directions);
        self
    }

    pub fn take(&self, range: std::ops::Range<usize>) -> Vec<Expr> {
        self.all[range].iter().map(Expr::from).collect()
    }
}

impl Interval {
    pub fn new(posed: &Posed, scheme: Scheme, shape: &Shape, span: &Span) -> Self {
        let here = Block::new(posed, shape, "0", shape.size());
        let next_size = shape.controls_at_node().end;
        let next = Block::new(posed, shape, "1", next_size);
        let mut interval = Self {
            elements: [here.node.elements.clone(), next.node.elements.clone()],
            stages: Vec::new(),
            cost: Expr::zero(),
            inner: Vec::new(),
            closing: Vec::new(),
            here: here.all.clone(),
            next: next.all.clone(),
        };
        let work = Work {
            posed,
            shape,
            span,
            here,
            next,
        };
        match scheme {
            Scheme::Map => work.map(&mut interval),
            Scheme::Variational => work.variational(&mut interval),
            Scheme::Midpoint if shape.staggered > 0 => work.staggered(&mut interval),
            Scheme::Midpoint | Scheme::Trapezoid => work.discrete(&mut interval, scheme),
            _ => work.collocate(&mut interval, scheme),
        }
        interval
    }
}

/// What an interval is written with.
pub(super) struct Work<'a> {
    pub posed: &'a Posed,
    pub shape: &'a Shape,
    pub span: &'a Span,
    pub here: Block,
    pub next: Block,
}

/// A state in the chart of the interval: coordinates as they are, group factors by θ with g = g_k τ(θ).
struct Charted {
    /// One number per direction.
    chart: Vec<Expr>,
    sample: Sample,
    /// The rates of the chart.
    rates: Vec<Expr>,
}

impl Work<'_> {
    pub fn rank(&self) -> usize {
        self.posed.plant.system.frame().rank()
    }

    /// The chart of a node: θ = 0 here, τ⁻¹(g_k⁻¹ g_{k+1}) at the next one.
    pub fn chart_of(&self, block: &Block, is_here: bool) -> Vec<Expr> {
        let mut chart: Vec<Expr> = block.node.variables.iter().map(Expr::from).collect();
        for factor in self.posed.plant.factors() {
            let from = &self.here.node.base[factor.base.clone()];
            let to = &block.node.base[factor.base.clone()];
            let found = match is_here {
                true => factor.group.map(|g| vec![Expr::zero(); g.dimension()]),
                false => difference(factor, from, to),
            };
            if let Some(theta) = found {
                chart[factor.fibre.clone()].clone_from_slice(&theta);
            }
        }
        chart
    }

    /// The positions that a chart means.
    fn positions(&self, chart: &[Expr]) -> Vec<Expr> {
        let mut base = Vec::new();
        for factor in self.posed.plant.factors() {
            let theta = &chart[factor.fibre.clone()];
            match factor.group {
                None => base.push(theta[0].clone()),
                Some(group) => {
                    let g = &self.here.node.base[factor.base.clone()];
                    let turn = group.cayley(theta);
                    base.extend(match factor.trivialization {
                        Trivialization::Body => group.product(g, &turn),
                        Trivialization::Space => group.product(&turn, g),
                    });
                }
            }
        }
        base
    }

    /// θ' = dτ_θ⁻¹ w, and the rates of components.
    fn chart_rates(&self, chart: &[Expr], sample: &Sample) -> Vec<Expr> {
        let mut rates = sample.velocity.clone();
        for factor in self.posed.plant.factors() {
            let (Some(group), range) = (factor.group, factor.fibre.clone()) else {
                continue;
            };
            let (theta, w) = (&chart[range.clone()], &sample.velocity[range.clone()]);
            let side = factor.trivialization;
            let moved = Retraction::Cayley.tangent_inverse(group, side, theta, w);
            if let Ok(moved) = moved {
                rates[range].clone_from_slice(&moved);
            }
        }
        rates.extend(sample.rates.iter().cloned());
        rates
    }

    pub fn time(&self, share: &Expr) -> Expr {
        &self.span.from + share * &self.span.length
    }

    fn charted(
        &self,
        chart: Vec<Expr>,
        base: Vec<Expr>,
        controls: Vec<Expr>,
        share: &Expr,
        tag: &str,
    ) -> Charted {
        let at = Where {
            base,
            components: chart[self.rank()..].to_vec(),
            controls: Some(controls),
            time: self.time(share),
        };
        let sample = Sample::of(self.posed, &at, tag);
        let rates = self.chart_rates(&chart, &sample);
        Charted {
            chart,
            sample,
            rates,
        }
    }

    /// Adds a sample: its systems, bounds and equations. The node behind brings its own bounds.
    pub fn add(&self, out: &mut Interval, sample: &Sample, slacks: Option<std::ops::Range<usize>>) {
        out.stages.extend(sample.stages.iter().cloned());
        let Some(slacks) = slacks else { return };
        let slacks = self.here.take(slacks);
        for ((_, value), slack) in sample.paths.iter().zip(slacks) {
            out.inner.push(value - slack);
        }
        out.inner.extend(sample.equalities.iter().cloned());
    }

    /// x_j = x_0 + h Σ a_ji f_i, x_1 = x_0 + h Σ b_i f_i.
    fn collocate(&self, out: &mut Interval, scheme: Scheme) {
        let Some(tableau) = scheme.tableau() else {
            return;
        };
        let shape = self.shape;
        let start = self.chart_of(&self.here, true);
        let end = self.chart_of(&self.next, false);
        let mut points = Vec::new();
        let mut inside = 0;
        for (j, (at, share)) in tableau.points.iter().zip(&tableau.nodes).enumerate() {
            let tag = format!("p{j}");
            let (point, slacks) = match at {
                At::Start => {
                    let controls = self.here.take(shape.controls_at_node());
                    let base = self.here.node.base.clone();
                    let point = self.charted(start.clone(), base, controls, share, &tag);
                    (point, Some(shape.slacks_at_node()))
                }
                At::Inside => {
                    let chart = self.here.take(shape.inside(inside));
                    let controls = self.here.take(shape.controls_inside(inside));
                    let base = self.positions(&chart);
                    let slacks = shape.slacks_of(inside);
                    inside += 1;
                    let point = self.charted(chart, base, controls, share, &tag);
                    (point, Some(slacks))
                }
                At::End => {
                    let controls = self.next.take(shape.controls_at_node());
                    let base = self.next.node.base.clone();
                    (self.charted(end.clone(), base, controls, share, &tag), None)
                }
            };
            self.add(out, &point.sample, slacks);
            points.push(point);
        }
        if !scheme.has_node_controls() {
            self.node_bounds(out);
        }
        let h = &self.span.length;
        let sum = |weights: &[Expr], i: usize| {
            let terms = weights.iter().zip(&points);
            h * Expr::sum(terms.map(|(w, p)| w * &p.rates[i]))
        };
        let insides = tableau.points.iter().zip(&points);
        let insides = insides.filter(|(at, _)| **at == At::Inside);
        for ((_, point), row) in insides.zip(&tableau.inner) {
            for (i, from) in start.iter().enumerate() {
                out.inner.push(&point.chart[i] - (from + sum(row, i)));
            }
        }
        for (i, from) in start.iter().enumerate() {
            out.closing
                .push(&end[i] - (from + sum(&tableau.weights, i)));
        }
        self.project(out);
        let costs = tableau.weights.iter().zip(&points);
        out.cost = h * Expr::sum(costs.map(|(w, p)| w * &p.sample.cost));
    }

    /// The bounds of a node without controls.
    fn node_bounds(&self, out: &mut Interval) {
        let at = Where {
            base: self.here.node.base.clone(),
            components: self.chart_of(&self.here, true)[self.rank()..].to_vec(),
            controls: None,
            time: self.time(&Expr::zero()),
        };
        let sample = Sample::of(self.posed, &at, "n");
        self.add(out, &sample, Some(self.shape.slacks_at_node()));
    }

    /// Positions are kept on their constraints: the step of positions gets Gᵀη, and g(q_{k+1}) = 0.
    fn project(&self, out: &mut Interval) {
        let plant = &self.posed.plant;
        if plant.holonomic.is_empty() {
            return;
        }
        let frame = plant.system.frame();
        let eta = self.next.take(self.shape.projections());
        for (g, eta) in plant.holonomic.iter().zip(eta) {
            let normal = frame.differential(g);
            for (i, n) in normal.iter().enumerate() {
                out.closing[i] -= n.substitute(&self.next.node.pairs) * &eta;
            }
        }
        let values = plant.holonomic.iter();
        let time = [(Symbol::time(), self.time(&Expr::one()))];
        out.closing
            .extend(values.map(|g| g.substitute(&self.next.node.pairs).substitute(&time)));
    }

    /// x_{k+1} = F(x_k, u_k), with the cost of the node.
    fn map(&self, out: &mut Interval) {
        let shape = self.shape;
        let start = self.chart_of(&self.here, true);
        let controls = self.here.take(shape.controls_at_node());
        let point = self.charted(start, Vec::new(), controls, &Expr::zero(), "p0");
        self.add(out, &point.sample, Some(shape.slacks_at_node()));
        let next = self.chart_of(&self.next, false);
        for (next, value) in next.iter().zip(&point.sample.rates) {
            out.closing.push(next - value);
        }
        out.cost = point.sample.cost.clone();
    }

    /// The discrete Lagrangians of second order. On coordinates whose velocities are components, with both
    /// accelerations (CG-E9, E11, E12): a0 = 2(q1 − q0 − h v0)/h² and a1 = 2(q0 − q1 + h v1)/h² are what the controls
    /// u0 and u1 give, so that constraints hold at both (trap T2). Else the rule of the middle (CG-B8).
    fn discrete(&self, out: &mut Interval, scheme: Scheme) {
        let (h, shape) = (&self.span.length, self.shape);
        let start = self.chart_of(&self.here, true);
        let end = self.chart_of(&self.next, false);
        let half = Expr::ratio(1, 2);
        let mean: Vec<Expr> = (start.iter().zip(&end))
            .map(|(a, b)| &half * (a + b))
            .collect();
        let both = shape.interval_controls == 2;
        let mut points = Vec::new();
        for j in 0..shape.interval_controls {
            let controls = self.here.take(shape.controls_of_interval(j));
            let (chart, share) = match (scheme, both, j) {
                (Scheme::Trapezoid, true, 0) => (start.clone(), Expr::zero()),
                (Scheme::Trapezoid, true, _) => (end.clone(), Expr::one()),
                _ => (mean.clone(), half.clone()),
            };
            let base = self.positions(&chart);
            let point = self.charted(chart, base, controls, &share, &format!("p{j}"));
            self.add(out, &point.sample, Some(shape.slacks_of(j)));
            points.push(point);
        }
        self.node_bounds(out);
        let weight = Expr::ratio(1, shape.interval_controls.max(1) as i64);
        out.cost = h * weight * Expr::sum(points.iter().map(|p| p.sample.cost.clone()));
        match both {
            true => self.both_accelerations(out, &points, [&start, &end]),
            false => {
                for (i, from) in start.iter().enumerate() {
                    let step = h * &points[0].rates[i];
                    out.closing.push(&end[i] - from - step);
                }
            }
        }
        self.project(out);
    }

    /// Velocities on intervals, controls at nodes (CG-D4 F1, D5): g_{k+1} = g_k τ(h ξ_k), and at each node the pair
    /// (ξ_{k−1}, ξ_k) obeys (ξ_k − ξ_{k−1})/h = f(g_k, mean, u_k) at the cost h C(g_k, mean, u_k). The ends are half
    /// steps to the given velocities (CG-G7), or the velocities of the first and last interval.
    ///
    /// The component of a node is the velocity of the interval behind it, but at the ends.
    fn staggered(&self, out: &mut Interval) {
        let (h, shape, n) = (&self.span.length, self.shape, self.rank());
        let switch = Switches::of_symbols();
        let xi = self.here.take(shape.staggered());
        let start = self.chart_of(&self.here, true);
        let end = self.chart_of(&self.next, false);
        let half = Expr::ratio(1, 2);
        let mean = |a: &[Expr], b: &[Expr]| -> Vec<Expr> {
            a.iter().zip(b).map(|(a, b)| &half * (a + b)).collect()
        };
        let at = |block: &Block, velocity: Vec<Expr>, share: Expr, tag: &str| {
            let at = Where {
                base: block.node.base.clone(),
                components: velocity,
                controls: Some(block.take(shape.controls_at_node())),
                time: self.time(&share),
            };
            Sample::of(self.posed, &at, tag)
        };
        let bounds = at(&self.here, start[n..].to_vec(), Expr::zero(), "n");
        self.add(out, &bounds, Some(shape.slacks_at_node()));
        let first = at(&self.here, mean(&start[n..], &xi), Expr::zero(), "p0");
        let last = at(&self.next, mean(&xi, &end[n..]), Expr::one(), "p1");
        self.add(out, &first, None);
        self.add(out, &last, None);
        for i in 0..n {
            let turn = &xi[i] - &start[n + i];
            let opening = &turn - &half * h * &first.rates[i];
            let same = (1 - &switch.opens) * turn;
            out.inner.push(&switch.opens * opening + same);
        }
        out.closing.extend(self.moved(&start, &end, &xi));
        for i in 0..n {
            let turn = &end[n + i] - &xi[i];
            let pair = &turn - &switch.weight * h * &last.rates[i];
            out.closing
                .push(&switch.closes * pair + (1 - &switch.closes) * turn);
        }
        let idle = |block: &Block, switch: &Expr| {
            let controls = block.take(shape.controls_at_node());
            switch * Expr::sum(controls.iter().map(|u| u * u)) / 2
        };
        out.cost = &half * h * &switch.opens * &first.cost
            + &switch.closes * &switch.weight * h * &last.cost
            + idle(&self.here, &switch.idle[0])
            + idle(&self.next, &switch.idle[1]);
    }

    /// What vanishes where g_{k+1} = g_k τ(h ξ): τ⁻¹ less h ξ for Cayley's τ; else Cayley's chart of what is left between
    /// both, whose derivatives are finite at rest too.
    pub fn moved(&self, start: &[Expr], end: &[Expr], xi: &[Expr]) -> Vec<Expr> {
        let h = &self.span.length;
        let mut rows: Vec<Expr> = (start.iter().zip(end).zip(xi))
            .map(|((from, to), v)| to - from - h * v)
            .collect();
        let retraction = self.posed.retraction;
        if retraction == Retraction::Cayley {
            return rows;
        }
        for factor in self.posed.plant.factors() {
            let (Some(group), range) = (factor.group, factor.fibre.clone()) else {
                continue;
            };
            let theta: Vec<Expr> = xi[range.clone()].iter().map(|v| h * v).collect();
            let turn = super::smooth::apply(retraction, group, &theta);
            let g = &self.here.node.base[factor.base.clone()];
            let there = match factor.trivialization {
                Trivialization::Body => group.product(g, &turn),
                Trivialization::Space => group.product(&turn, g),
            };
            let next = &self.next.node.base[factor.base.clone()];
            if let Some(left) = difference(factor, &there, next) {
                rows[range].clone_from_slice(&left);
            }
        }
        rows
    }

    /// q1 = q0 + h v0 + h² a0/2 and q0 = q1 − h v1 + h² a1/2; other components by the mean of both rates.
    fn both_accelerations(&self, out: &mut Interval, points: &[Charted], ends: [&[Expr]; 2]) {
        let h = &self.span.length;
        let [start, end] = ends;
        let n = self.rank();
        let square = h * h / 2;
        for i in 0..n {
            let (first, second) = (&points[0].rates[n + i], &points[1].rates[n + i]);
            let forth = &end[i] - &start[i] - h * &start[n + i] - &square * first;
            let back = &start[i] - &end[i] + h * &end[n + i] - &square * second;
            out.closing.push(forth);
            out.closing.push(back);
        }
        for i in 2 * n..start.len() {
            let mean = (&points[0].rates[i] + &points[1].rates[i]) / 2;
            out.closing.push(&end[i] - &start[i] - h * mean);
        }
    }
}
