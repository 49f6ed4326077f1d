//! From a posed problem to a program with stages, on any mesh.

use super::error::PoseError;
use super::interval::{Block, Interval, Span, Switches};
use super::mesh::Mesh;
use super::node::{difference, local};
use super::path::Path;
use super::posed::{Bounded, Posed, Stop};
use super::sample::{Sample, Where};
use super::scheme::{Ends, Scheme};
use super::shape::Shape;
use crate::stage::{Chart, Piece, Point, StageProblem, Term};
use rattleback_compile::program::Program;
use rattleback_lie::Retraction;
use rattleback_mechanics::{Origin, Stage};
use rattleback_symbolic::{Expr, MissingInput, Symbol};
use std::sync::Arc;

/// The compiled functions of a problem in a scheme.
pub struct Transcriber {
    /// The problem.
    pub posed: Posed,
    /// The scheme.
    pub scheme: Scheme,
    /// How staggered velocities meet the given ones.
    pub ends: Ends,
    pub(super) shape: Shape,
    /// Which controls are angles.
    pub(super) angles: Vec<bool>,
    /// One per stretch, or one for all where the times are fixed.
    intervals: Vec<Arc<Term>>,
    inner_rows: usize,
    closing_rows: usize,
    start: Arc<Term>,
    end: EndTerm,
    vias: Vec<Arc<Term>>,
    /// The times of the ends of stretches, in free numbers.
    pub(super) times: Vec<Expr>,
    fixed_times: bool,
    /// What each constraint of an interval is, in words.
    labels: Labels,
}

struct EndTerm {
    term: Arc<Term>,
    rows: usize,
}

/// What the rows of pieces are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub inner: Vec<RowLabel>,
    pub closing: Vec<RowLabel>,
    pub start: Vec<RowLabel>,
    pub end: Vec<RowLabel>,
    pub vias: Vec<Vec<RowLabel>>,
}

/// What a constraint is about.
#[derive(Clone, Debug, PartialEq)]
pub enum RowLabel {
    /// The motion.
    Motion,
    /// The start value of a direction.
    Start,
    /// A statement.
    Statement(Origin),
}

/// A program on a mesh, with what its rows are.
pub struct Transcription {
    /// The program.
    pub problem: StageProblem,
    /// The mesh.
    pub mesh: Mesh,
    pub(super) rows: Vec<(usize, RowLabel)>,
    /// The first variable of each block.
    pub(super) starts: Vec<usize>,
    /// How many entries of group elements a node has.
    pub(super) elements: usize,
}

fn unknown(e: MissingInput) -> PoseError {
    PoseError::Unknown(e.0.to_string())
}

impl Transcriber {
    /// Compiles a problem.
    pub fn new(posed: Posed, scheme: Scheme, ends: Ends) -> Result<Self, PoseError> {
        let scheme = if posed.plant.is_map {
            Scheme::Map
        } else {
            scheme
        };
        check_groups(&posed, scheme)?;
        let both = interval_controls(&posed, scheme) == 2;
        let is_free = posed.plant.system.constraints().is_empty();
        if scheme == Scheme::Trapezoid && is_free && !both {
            let what = "the trapezoid with both accelerations needs velocities in the state: take `midpoint`, hermite-simpson or a Gauss scheme";
            return Err(PoseError::about(super::Trouble::NotTreated(what.into())));
        }
        let shape = Shape::of(&posed, scheme, interval_controls(&posed, scheme));
        let times: Vec<Expr> = std::iter::once(posed.from.clone())
            .chain(posed.vias.iter().map(|(t, _, _)| t.clone()))
            .chain([posed.to.clone()])
            .collect();
        let fixed_times = !posed.has_free_time();
        let mut made = Self {
            start: Arc::new(empty_term(&posed)?),
            end: EndTerm {
                term: Arc::new(empty_term(&posed)?),
                rows: 0,
            },
            intervals: Vec::new(),
            inner_rows: 0,
            closing_rows: 0,
            vias: Vec::new(),
            times,
            fixed_times,
            labels: Labels::default(),
            ends,
            shape,
            angles: posed.angles(),
            posed,
            scheme,
        };
        made.compile_intervals()?;
        made.compile_start()?;
        made.compile_end()?;
        made.compile_vias()?;
        Ok(made)
    }

    fn shared(&self) -> Vec<Symbol> {
        let free = self.posed.free.iter().map(|(f, _)| f.clone());
        let copies = self.posed.copies.iter().map(|(c, _)| c.clone());
        free.chain(copies).collect()
    }

    fn program(
        &self,
        variables: &[Symbol],
        data: &[Symbol],
        stages: &[Stage],
        outputs: &[Expr],
    ) -> Result<Arc<Term>, PoseError> {
        let inputs = [variables, data].concat();
        let constants = &self.posed.constants;
        let program = Program::new(&inputs, constants, stages, outputs).map_err(unknown)?;
        Ok(Arc::new(Term::new(&program, variables.len())))
    }

    fn compile_intervals(&mut self) -> Result<(), PoseError> {
        let (share, width) = (local("s", "t"), local("w", "t"));
        let ends = [local("a", "t"), local("b", "t")];
        let stretches = if self.fixed_times {
            1
        } else {
            self.times.len() - 1
        };
        for i in 0..stretches {
            let (from, to) = match self.fixed_times {
                true => (Expr::from(&ends[0]), Expr::from(&ends[1])),
                false => (self.times[i].clone(), self.times[i + 1].clone()),
            };
            let whole = &to - &from;
            let span = match self.scheme {
                Scheme::Map => Span {
                    from: Expr::from(&share),
                    length: Expr::one(),
                },
                _ => Span {
                    from: &from + &whole * Expr::from(&share),
                    length: &whole * Expr::from(&width),
                },
            };
            let interval = Interval::new(&self.posed, self.scheme, &self.shape, &span);
            (self.inner_rows, self.closing_rows) = (interval.inner.len(), interval.closing.len());
            let variables = [&interval.here[..], &interval.next, &self.shared()].concat();
            let data = [&interval.elements[0][..], &interval.elements[1]].concat();
            let data = [&data[..], &ends, &[share.clone(), width.clone()]].concat();
            let data = match self.shape.staggered {
                0 => data,
                _ => [&data[..], &Switches::symbols()].concat(),
            };
            let outputs: Vec<Expr> = std::iter::once(interval.cost)
                .chain(interval.inner)
                .chain(interval.closing)
                .collect();
            let term = self.program(&variables, &data, &interval.stages, &outputs)?;
            self.intervals.push(term);
        }
        self.labels.inner = vec![RowLabel::Motion; self.inner_rows];
        self.labels.closing = vec![RowLabel::Motion; self.closing_rows];
        self.label_paths();
        Ok(())
    }

    /// Bounds and equations among the inner rows, in the order of [`Interval`].
    fn label_paths(&mut self) {
        let paths: Vec<RowLabel> = (self.posed.paths.iter())
            .map(|b| RowLabel::Statement(b.origin))
            .collect();
        let at_nodes: Vec<RowLabel> = (self.posed.paths.iter())
            .filter(|b| self.shape.node_controls || !b.on_controls)
            .map(|b| RowLabel::Statement(b.origin))
            .collect();
        let equalities: Vec<RowLabel> = (self.posed.plant.equalities.iter())
            .map(|(_, origin)| RowLabel::Statement(*origin))
            .collect();
        let mut all = Vec::new();
        if self.shape.node_controls {
            all.extend(at_nodes.iter().chain(&equalities).cloned());
        }
        for _ in 0..self.shape.slack_points() {
            all.extend(paths.iter().chain(&equalities).cloned());
        }
        if !self.shape.node_controls {
            all.extend(at_nodes);
        }
        for (row, label) in self.labels.inner.iter_mut().zip(all) {
            *row = label;
        }
    }

    fn compile_start(&mut self) -> Result<(), PoseError> {
        let posed = &self.posed;
        let node = posed.node("0");
        let mut rows = Vec::new();
        let mut labels = Vec::new();
        // The numbers of the start are data: positions, then components.
        let base = posed.plant.base().len();
        let data: Vec<Symbol> = (0..posed.start.state.len())
            .map(|i| local(&format!("x{i}"), "start"))
            .collect();
        for factor in posed.plant.factors() {
            if !posed.fixed[factor.fibre.start] {
                continue;
            }
            let values = data[factor.base.clone()].iter();
            let values: Vec<Expr> = values.map(Expr::from).collect();
            let here = &node.base[factor.base.clone()];
            match factor.group {
                None => rows.push(&here[0] - &values[0]),
                Some(_) => rows.extend(difference(factor, &values, here).into_iter().flatten()),
            }
        }
        let rank = posed.plant.system.frame().rank();
        for (i, value) in data[base..].iter().enumerate() {
            if posed.fixed[rank + i] {
                rows.push(Expr::from(&node.variables[rank + i]) - Expr::from(value));
            }
        }
        labels.resize(rows.len(), RowLabel::Start);
        let time = [(Symbol::time(), posed.from.clone())];
        let put = |e: &Expr| e.substitute(&node.pairs).substitute(&time);
        rows.extend(posed.start_rows.iter().map(put));
        for (copy, value) in &posed.copies {
            rows.push(put(value) - Expr::from(copy));
        }
        // No step leads to the first node: nothing is projected there.
        let projections: Vec<Symbol> = (0..self.shape.projections)
            .map(|i| local(&format!("eta{i}"), "0"))
            .collect();
        rows.extend(projections.iter().map(Expr::from));
        labels.resize(rows.len(), RowLabel::Start);
        let outputs: Vec<Expr> = std::iter::once(Expr::zero()).chain(rows).collect();
        let variables = [&node.variables[..], &projections, &self.shared()].concat();
        let data = [node.elements, data].concat();
        self.start = self.program(&variables, &data, &[], &outputs)?;
        self.labels.start = labels;
        Ok(())
    }

    /// The rows of conditions at a node.
    fn rows_of(
        &self,
        stop: &Stop,
        node: &super::node::Node,
        time: &Expr,
    ) -> (Vec<Expr>, Vec<RowLabel>) {
        let time = [(Symbol::time(), time.clone())];
        let put = |e: &Expr| e.substitute(&node.pairs).substitute(&time);
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for r in stop.requirements.iter().filter(|r| r.equal) {
            rows.push(put(&r.value));
            labels.push(RowLabel::Statement(r.origin));
        }
        for a in &stop.attitudes {
            let factor = &self.posed.plant.factors()[a.factor];
            let here = &node.base[factor.base.clone()];
            let found = difference(factor, &a.entries, here);
            for value in found.into_iter().flatten() {
                rows.push(value);
                labels.push(RowLabel::Statement(a.origin));
            }
        }
        (rows, labels)
    }

    fn compile_end(&mut self) -> Result<(), PoseError> {
        let (posed, shape) = (&self.posed, &self.shape);
        let block = Block::new(posed, shape, "0", shape.last_size());
        let node = &block.node;
        let (mut rows, mut labels) = self.rows_of(&posed.goal, node, &posed.to);
        let time = [(Symbol::time(), posed.to.clone())];
        let put = |e: &Expr| e.substitute(&node.pairs).substitute(&time);
        let slacks = block.take(shape.slacks_at_end());
        let inequalities = posed.goal.requirements.iter().filter(|r| !r.equal);
        for (r, slack) in inequalities.zip(slacks) {
            rows.push(put(&r.value) - slack);
            labels.push(RowLabel::Statement(r.origin));
        }
        let at = Where {
            base: node.base.clone(),
            components: (node.variables[posed.plant.system.frame().rank()..].iter())
                .map(Expr::from)
                .collect(),
            controls: (shape.node_controls && self.scheme != Scheme::Map)
                .then(|| block.take(shape.controls_at_node())),
            time: posed.to.clone(),
        };
        let sample = Sample::of(posed, &at, "e");
        let slacks = block.take(shape.slacks_at_node());
        for ((i, value), slack) in sample.paths.iter().zip(slacks) {
            rows.push(value - slack);
            labels.push(RowLabel::Statement(posed.paths[*i].origin));
        }
        for (value, (_, origin)) in sample.equalities.iter().zip(&posed.plant.equalities) {
            rows.push(value.clone());
            labels.push(RowLabel::Statement(*origin));
        }
        let count = rows.len();
        // The controls of the last node of a map steer nothing.
        let idle = match self.scheme {
            Scheme::Map => Expr::sum(block.take(shape.controls_at_node()).iter().map(|u| u * u)),
            _ => Expr::zero(),
        };
        let terminal = put(&posed.plant.terminal) + idle / 2;
        let outputs: Vec<Expr> = std::iter::once(terminal).chain(rows).collect();
        let variables = [&block.all[..], &self.shared()].concat();
        let term = self.program(&variables, &node.elements, &sample.stages, &outputs)?;
        self.end = EndTerm { term, rows: count };
        self.labels.end = labels;
        Ok(())
    }

    fn compile_vias(&mut self) -> Result<(), PoseError> {
        for (time, stop, _) in self.posed.vias.clone() {
            let node = self.posed.node("0");
            let (mut rows, mut labels) = self.rows_of(&stop, &node, &time);
            let put = [(Symbol::time(), time)];
            let unequal = stop.requirements.iter().filter(|r| !r.equal);
            let mut slacks = Vec::new();
            for (i, r) in unequal.enumerate() {
                let slack = local(&format!("s{i}"), "via");
                let value = r.value.substitute(&node.pairs).substitute(&put);
                rows.push(value - Expr::from(&slack));
                labels.push(RowLabel::Statement(r.origin));
                slacks.push(slack);
            }
            let outputs: Vec<Expr> = std::iter::once(Expr::zero()).chain(rows).collect();
            let variables = [&node.variables[..], &slacks, &self.shared()].concat();
            let term = self.program(&variables, &node.elements, &[], &outputs)?;
            self.vias.push(term);
            self.labels.vias.push(labels);
        }
        Ok(())
    }

    /// The program on a mesh.
    pub fn on(&self, mesh: Mesh) -> Transcription {
        let (shape, n) = (&self.shape, mesh.intervals());
        let mut blocks = vec![shape.size(); n];
        blocks.push(shape.last_size());
        for (i, slacks) in self.via_slacks().enumerate() {
            blocks[mesh.node_of_stretch(i + 1)] += slacks;
        }
        let mut starts = vec![0];
        for b in &blocks {
            starts.push(starts.last().copied().unwrap_or(0) + b);
        }
        let shared_start = starts[n + 1];
        let shared_count = self.shared().len();
        let shared: Vec<usize> = (shared_start..shared_start + shared_count).collect();
        let elements = self.posed.node("0").elements.len();
        let variables = shared_start + shared_count;
        let mut problem = StageProblem {
            blocks,
            shared: shared_count,
            lower: vec![f64::NEG_INFINITY; variables],
            upper: vec![f64::INFINITY; variables],
            homes: Vec::new(),
            terms: Vec::new(),
            pieces: Vec::new(),
            charts: Vec::new(),
            angles: Vec::new(),
            units: None,
        };
        let mut rows: Vec<(usize, RowLabel)> = Vec::new();
        let mut add = |problem: &mut StageProblem, home: usize, at: usize, label: &RowLabel| {
            problem.homes.push(home);
            rows.push((at, label.clone()));
            problem.homes.len() - 1
        };
        let node_of = |k: usize, size: usize| starts[k]..starts[k] + size;
        let element_of = |k: usize| k * elements..(k + 1) * elements;
        problem.terms.push(Arc::clone(&self.start));
        let first = node_of(0, shape.projections().end);
        let first: Vec<usize> = first.chain(shared.clone()).collect();
        let start_rows: Vec<usize> = (self.labels.start.iter())
            .map(|label| add(&mut problem, 0, 0, label))
            .collect();
        problem.pieces.push(Piece {
            term: 0,
            variables: first,
            elements: element_of(0).collect(),
            data: self.posed.start.state.clone(),
            rows: start_rows,
        });
        let first_interval = problem.terms.len();
        problem.terms.extend(self.intervals.iter().cloned());
        let next_size = shape.controls_at_node().end;
        let ends: Vec<f64> = match self.fixed_times {
            true => (self.times.iter())
                .map(|e| self.posed.number(e).unwrap_or(0.0))
                .collect(),
            false => vec![0.0; self.times.len()],
        };
        for k in 0..n {
            let (stretch, share, width) = mesh.interval(k);
            let inner = self.labels.inner.iter();
            let inner: Vec<usize> = inner.map(|l| add(&mut problem, k, k, l)).collect();
            let closing = self.labels.closing.iter();
            let closing = closing.map(|l| add(&mut problem, k + 1, k, l));
            let piece_rows: Vec<usize> = inner.into_iter().chain(closing).collect();
            let variables = node_of(k, shape.size()).chain(node_of(k + 1, next_size));
            let mut data = match self.scheme {
                Scheme::Map => vec![0.0, 0.0, k as f64, 1.0],
                _ => vec![ends[stretch], ends[stretch + 1], share, width],
            };
            if shape.staggered > 0 {
                data.extend(self.ends.switches(k, n));
            }
            problem.pieces.push(Piece {
                term: first_interval + if self.fixed_times { 0 } else { stretch },
                variables: variables.chain(shared.clone()).collect(),
                elements: element_of(k).chain(element_of(k + 1)).collect(),
                data,
                rows: piece_rows,
            });
        }
        problem.terms.push(Arc::clone(&self.end.term));
        let end_rows: Vec<usize> = (self.labels.end.iter())
            .map(|label| add(&mut problem, n, n, label))
            .collect();
        debug_assert_eq!(end_rows.len(), self.end.rows);
        problem.pieces.push(Piece {
            term: problem.terms.len() - 1,
            variables: node_of(n, shape.last_size())
                .chain(shared.clone())
                .collect(),
            elements: element_of(n).collect(),
            data: Vec::new(),
            rows: end_rows,
        });
        for (i, term) in self.vias.iter().enumerate() {
            let k = mesh.node_of_stretch(i + 1);
            problem.terms.push(Arc::clone(term));
            let labels = self.labels.vias[i].iter();
            let via_rows: Vec<usize> = labels.map(|l| add(&mut problem, k, k, l)).collect();
            let slacks = starts[k] + shape.size()..starts[k + 1];
            for s in slacks.clone() {
                problem.lower[s] = 0.0;
            }
            let state = node_of(k, shape.directions).chain(slacks);
            problem.pieces.push(Piece {
                term: problem.terms.len() - 1,
                variables: state.chain(shared.clone()).collect(),
                elements: element_of(k).collect(),
                data: Vec::new(),
                rows: via_rows,
            });
        }
        self.add_charts(&mut problem, &starts, n, elements);
        let angles = (0..shape.controls).filter(|&i| self.angles[i]);
        problem.angles = angles
            .flat_map(|i| self.control_places(&starts, n, i))
            .collect();
        self.add_bounds(&mut problem, &starts, n);
        Transcription {
            problem,
            mesh,
            rows,
            starts,
            elements,
        }
    }

    fn add_charts(&self, problem: &mut StageProblem, starts: &[usize], n: usize, elements: usize) {
        for (k, start) in starts.iter().enumerate().take(n + 1) {
            let mut element = k * elements;
            for factor in self.posed.plant.factors() {
                let Some(group) = factor.group else { continue };
                problem.charts.push(Chart {
                    group,
                    side: factor.trivialization,
                    variable: start + factor.fibre.start,
                    element,
                });
                element += group.coordinates();
            }
        }
    }

    fn add_bounds(&self, problem: &mut StageProblem, starts: &[usize], n: usize) {
        let shape = &self.shape;
        let mut bound = |i: usize, lower: f64, upper: f64| {
            problem.lower[i] = problem.lower[i].max(lower);
            problem.upper[i] = problem.upper[i].min(upper);
        };
        for b in &self.posed.simple {
            for (k, &start) in starts.iter().enumerate().take(n + 1) {
                match b.on {
                    Bounded::State(i) => {
                        let is_fixed = k == 0 && self.posed.fixed[i]
                            || k == n && self.posed.fixed_at_end(i).is_some();
                        if !is_fixed {
                            bound(start + i, b.lower, b.upper);
                        }
                        if k < n {
                            for j in 0..shape.inside {
                                bound(start + shape.inside(j).start + i, b.lower, b.upper);
                            }
                        }
                    }
                    Bounded::Control(i) => {
                        if shape.node_controls {
                            let at = start + shape.controls_at_node().start + i;
                            bound(at, b.lower, b.upper);
                        }
                        if k < n {
                            for j in 0..shape.inside {
                                let at = start + shape.controls_inside(j).start + i;
                                bound(at, b.lower, b.upper);
                            }
                            for j in 0..shape.interval_controls {
                                let at = start + shape.controls_of_interval(j).start + i;
                                bound(at, b.lower, b.upper);
                            }
                        }
                    }
                    Bounded::Free(i) => {
                        if k == 0 {
                            bound(starts[n + 1] + i, b.lower, b.upper);
                        }
                    }
                }
            }
        }
        for (k, start) in starts.iter().enumerate().take(n + 1) {
            let nodes = self.posed.paths.iter();
            let nodes = nodes.filter(|b| shape.node_controls || !b.on_controls);
            for (b, i) in nodes.zip(shape.slacks_at_node()) {
                bound(start + i, b.lower, b.upper);
            }
            if k < n {
                for j in 0..shape.slack_points() {
                    for (b, i) in self.posed.paths.iter().zip(shape.slacks_of(j)) {
                        bound(start + i, b.lower, b.upper);
                    }
                }
            }
        }
        for i in shape.slacks_at_end() {
            bound(starts[n] + i, 0.0, f64::INFINITY);
        }
        // A free end time stays above the start.
        if let Some(i) = self.end_time_variable() {
            let from = self.posed.number(&self.posed.from).unwrap_or(0.0);
            bound(starts[n + 1] + i, from, f64::INFINITY);
        }
    }

    /// Narrows the bounds of free numbers that times are made of to the neighbourhood of their guess.
    pub(super) fn hold_times(&self, t: &mut Transcription, path: &Path) {
        let shared = t.starts[t.mesh.intervals() + 1];
        for (i, ((symbol, _), guess)) in self.posed.free.iter().zip(&path.free).enumerate() {
            if self.times.iter().any(|e| e.contains(symbol)) {
                let problem = &mut t.problem;
                let (low, high) = (guess - 0.3 * guess.abs(), guess + 0.3 * guess.abs());
                let lower = &mut problem.lower[shared + i];
                *lower = lower.max(low);
                let upper = &mut problem.upper[shared + i];
                *upper = upper.min(high).max(*lower);
            }
        }
    }

    /// How many inequalities each time on the way has: their slacks end the block of its node.
    pub(super) fn via_slacks(&self) -> impl Iterator<Item = usize> + '_ {
        let vias = self.posed.vias.iter();
        vias.map(|(_, stop, _)| stop.requirements.iter().filter(|r| !r.equal).count())
    }

    /// The free number that is the end of the horizon.
    fn end_time_variable(&self) -> Option<usize> {
        let symbol = self.posed.to.as_symbol()?;
        self.posed.free.iter().position(|(f, _)| f == symbol)
    }

    /// The values of free numbers at a point.
    pub fn free_values(&self, t: &Transcription, at: &Point) -> Vec<f64> {
        let start = t.starts[t.mesh.intervals() + 1];
        at.variables[start..start + self.posed.free.len()].to_vec()
    }

    /// The time of each node.
    pub fn node_times(&self, t: &Transcription, at: &Point) -> Vec<f64> {
        let free = self.free_values(t, at);
        let ends: Vec<f64> = self
            .times
            .iter()
            .map(|e| self.time_value(e, &free))
            .collect();
        let n = t.mesh.intervals();
        if self.scheme == Scheme::Map {
            return (0..=n).map(|k| k as f64).collect();
        }
        let mut all: Vec<f64> = (0..n)
            .map(|k| {
                let (stretch, share, _) = t.mesh.interval(k);
                ends[stretch] + (ends[stretch + 1] - ends[stretch]) * share
            })
            .collect();
        all.push(ends[ends.len() - 1]);
        all
    }

    /// A time with given values of the free numbers.
    pub(super) fn time_value(&self, e: &Expr, free: &[f64]) -> f64 {
        let symbols: Vec<Symbol> = (self.posed.constants.iter().map(|(s, _)| s.clone()))
            .chain(self.posed.free.iter().map(|(s, _)| s.clone()))
            .collect();
        let values: Vec<f64> = (self.posed.constants.iter().map(|(_, v)| *v))
            .chain(free.iter().copied())
            .collect();
        let tape = rattleback_symbolic::Tape::new(&symbols, std::slice::from_ref(e));
        tape.map_or(f64::NAN, |t| t.evaluate(&values)[0])
    }
}

impl Transcription {
    /// What a constraint is about, and the node or interval where it stands.
    pub fn row(&self, row: usize) -> Option<(usize, &RowLabel)> {
        self.rows.get(row).map(|(at, label)| (*at, label))
    }
}

fn empty_term(posed: &Posed) -> Result<Term, PoseError> {
    let program = Program::new(&[], &posed.constants, &[], &[Expr::zero()]).map_err(unknown)?;
    Ok(Term::new(&program, 0))
}

/// Is the scheme built for the problem? Staggered velocities are for groups whose velocities are the whole rest of the
/// state.
fn check_groups(posed: &Posed, scheme: Scheme) -> Result<(), PoseError> {
    let second = matches!(scheme, Scheme::Midpoint | Scheme::Trapezoid);
    let plant = &posed.plant;
    if scheme == Scheme::Variational {
        return super::variational::check(plant);
    }
    let other = posed.retraction != Retraction::Cayley && plant.system.has_groups();
    if other && scheme != Scheme::Midpoint {
        let what = "collocations work in Cayley's chart of each interval: the exponential is for the schemes midpoint and variational";
        return Err(PoseError::about(super::Trouble::NotTreated(what.into())));
    }
    if !second || !plant.system.has_groups() {
        return Ok(());
    }
    let components = plant.components.iter().map(|c| &c.symbol);
    let fits = components.eq(plant.system.frame().fibre());
    if scheme == Scheme::Midpoint && fits && posed.vias.is_empty() {
        return Ok(());
    }
    let what = format!(
        "the scheme `{scheme}` is not built for this problem on a group: hermite-simpson, gauss4, gauss6 and radau5 are"
    );
    Err(PoseError::about(super::Trouble::NotTreated(what)))
}

/// Two sets of controls per interval where velocities of coordinates are components; else one.
fn interval_controls(posed: &Posed, scheme: Scheme) -> usize {
    if scheme.interval_controls() == 0 {
        return 0;
    }
    let frame = posed.plant.system.frame();
    let velocities = posed.plant.components.iter().map(|c| &c.symbol);
    let is_second = !frame.fibre().is_empty()
        && !posed.plant.system.has_groups()
        && velocities.take(frame.rank()).eq(frame.fibre());
    if is_second { 2 } else { 1 }
}
