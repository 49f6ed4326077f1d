//! The functions of intervals, ends and times on the way, compiled.

use super::super::error::PoseError;
use super::super::interval::{Block, Interval, Span, Switches};
use super::super::node::{Node, difference, local};
use super::super::posed::Stop;
use super::super::sample::{Sample, Where};
use super::super::scheme::Scheme;
use super::{EndTerm, RowLabel, Transcriber};
use rattleback_symbolic::{Expr, Symbol};

impl Transcriber {
    pub(super) fn compile_intervals(&mut self) -> Result<(), PoseError> {
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

    pub(super) fn compile_start(&mut self) -> Result<(), PoseError> {
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
    fn rows_of(&self, stop: &Stop, node: &Node, time: &Expr) -> (Vec<Expr>, Vec<RowLabel>) {
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

    pub(super) fn compile_end(&mut self) -> Result<(), PoseError> {
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

    pub(super) fn compile_vias(&mut self) -> Result<(), PoseError> {
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
}
