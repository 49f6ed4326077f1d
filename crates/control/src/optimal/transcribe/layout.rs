//! The program on a mesh: its blocks, pieces and rows.

use super::super::mesh::Mesh;
use super::super::scheme::Scheme;
use super::{RowLabel, Transcriber, Transcription};
use crate::stage::{Chart, Piece, StageProblem, Term};
use std::ops::Range;
use std::sync::Arc;

impl Transcriber {
    /// The program on a mesh.
    pub fn on(&self, mesh: Mesh) -> Transcription {
        let mut layout = Layout::of(self, mesh);
        layout.lay_start();
        layout.lay_intervals();
        layout.lay_end();
        layout.lay_vias();
        layout.finished()
    }
}

/// A program while its pieces are laid out.
struct Layout<'t> {
    of: &'t Transcriber,
    mesh: Mesh,
    problem: StageProblem,
    /// What each row is about, and the node or interval where it stands.
    rows: Vec<(usize, RowLabel)>,
    /// The first variable of each block.
    starts: Vec<usize>,
    /// The variables that all pieces share.
    shared: Vec<usize>,
    /// How many entries of group elements a node has.
    elements: usize,
}

impl<'t> Layout<'t> {
    /// Blocks without pieces.
    fn of(of: &'t Transcriber, mesh: Mesh) -> Self {
        let (shape, n) = (&of.shape, mesh.intervals());
        let mut blocks = vec![shape.size(); n];
        blocks.push(shape.last_size());
        for (i, slacks) in of.via_slacks().enumerate() {
            blocks[mesh.node_of_stretch(i + 1)] += slacks;
        }
        let mut starts = vec![0];
        for b in &blocks {
            starts.push(starts.last().copied().unwrap_or(0) + b);
        }
        let shared_count = of.shared().len();
        let variables = starts[n + 1] + shared_count;
        Self {
            of,
            mesh,
            problem: StageProblem {
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
            },
            rows: Vec::new(),
            shared: (starts[n + 1]..variables).collect(),
            starts,
            elements: of.posed.node("0").elements.len(),
        }
    }

    /// Adds a row for each label, at home in a block and standing at a node or interval.
    fn add_rows(&mut self, home: usize, at: usize, labels: &[RowLabel]) -> Vec<usize> {
        let first = self.problem.homes.len();
        self.problem.homes.extend(labels.iter().map(|_| home));
        self.rows.extend(labels.iter().map(|l| (at, l.clone())));
        (first..self.problem.homes.len()).collect()
    }

    /// The first variables of a block.
    fn block(&self, k: usize, size: usize) -> Range<usize> {
        self.starts[k]..self.starts[k] + size
    }

    /// The entries of the group elements of a node.
    fn elements_of(&self, k: usize) -> Range<usize> {
        k * self.elements..(k + 1) * self.elements
    }

    /// With what all share.
    fn with_shared(&self, variables: impl Iterator<Item = usize>) -> Vec<usize> {
        variables.chain(self.shared.iter().copied()).collect()
    }

    /// Adds a term; gives its number.
    fn add_term(&mut self, term: &Arc<Term>) -> usize {
        self.problem.terms.push(Arc::clone(term));
        self.problem.terms.len() - 1
    }

    fn lay_start(&mut self) {
        let term = self.add_term(&self.of.start);
        let rows = self.add_rows(0, 0, &self.of.labels.start);
        let first = self.block(0, self.of.shape.projections().end);
        self.problem.pieces.push(Piece {
            term,
            variables: self.with_shared(first),
            elements: self.elements_of(0).collect(),
            data: self.of.posed.start.state.clone(),
            rows,
        });
    }

    fn lay_intervals(&mut self) {
        let of = self.of;
        let first_term = self.problem.terms.len();
        self.problem.terms.extend(of.intervals.iter().cloned());
        let ends: Vec<f64> = match of.fixed_times {
            true => (of.times.iter())
                .map(|e| of.posed.number(e).unwrap_or(0.0))
                .collect(),
            false => vec![0.0; of.times.len()],
        };
        let (n, rows) = (self.mesh.intervals(), of.inner_rows + of.closing_rows);
        self.problem.pieces.reserve_exact(n + 1 + of.vias.len());
        self.problem.homes.reserve(n * rows);
        self.rows.reserve(n * rows);
        for k in 0..n {
            let stretch = self.mesh.interval(k).0;
            let term = first_term + if of.fixed_times { 0 } else { stretch };
            self.lay_interval(k, term, &ends);
        }
    }

    fn lay_interval(&mut self, k: usize, term: usize, ends: &[f64]) {
        let (of, shape, n) = (self.of, &self.of.shape, self.mesh.intervals());
        let (stretch, share, width) = self.mesh.interval(k);
        let inner = self.add_rows(k, k, &of.labels.inner);
        let closing = self.add_rows(k + 1, k, &of.labels.closing);
        let mut data = match of.scheme {
            Scheme::Map => vec![0.0, 0.0, k as f64, 1.0],
            _ => vec![ends[stretch], ends[stretch + 1], share, width],
        };
        if shape.staggered > 0 {
            data.extend(of.ends.switches(k, n));
        }
        let next = self.block(k + 1, shape.controls_at_node().end);
        let variables = self.block(k, shape.size()).chain(next);
        let elements = self.elements_of(k).chain(self.elements_of(k + 1));
        self.problem.pieces.push(Piece {
            term,
            variables: self.with_shared(variables),
            elements: elements.collect(),
            data,
            rows: [inner, closing].concat(),
        });
    }

    fn lay_end(&mut self) {
        let n = self.mesh.intervals();
        let term = self.add_term(&self.of.end.term);
        let rows = self.add_rows(n, n, &self.of.labels.end);
        debug_assert_eq!(rows.len(), self.of.end.rows);
        let last = self.block(n, self.of.shape.last_size());
        self.problem.pieces.push(Piece {
            term,
            variables: self.with_shared(last),
            elements: self.elements_of(n).collect(),
            data: Vec::new(),
            rows,
        });
    }

    fn lay_vias(&mut self) {
        for (i, via) in self.of.vias.iter().enumerate() {
            let k = self.mesh.node_of_stretch(i + 1);
            let term = self.add_term(via);
            let rows = self.add_rows(k, k, &self.of.labels.vias[i]);
            let slacks = self.starts[k] + self.of.shape.size()..self.starts[k + 1];
            for s in slacks.clone() {
                self.problem.lower[s] = 0.0;
            }
            let state = self.block(k, self.of.shape.directions).chain(slacks);
            self.problem.pieces.push(Piece {
                term,
                variables: self.with_shared(state),
                elements: self.elements_of(k).collect(),
                data: Vec::new(),
                rows,
            });
        }
    }

    fn finished(mut self) -> Transcription {
        let (of, n) = (self.of, self.mesh.intervals());
        self.add_charts();
        let angles = (0..of.shape.controls).filter(|&i| of.angles[i]);
        self.problem.angles = angles
            .flat_map(|i| of.control_places(&self.starts, n, i))
            .collect();
        of.add_bounds(&mut self.problem, &self.starts, n);
        Transcription {
            problem: self.problem,
            mesh: self.mesh,
            rows: self.rows,
            starts: self.starts,
            elements: self.elements,
        }
    }

    fn add_charts(&mut self) {
        for k in 0..=self.mesh.intervals() {
            let mut element = k * self.elements;
            for factor in self.of.posed.plant.factors() {
                let Some(group) = factor.group else { continue };
                self.problem.charts.push(Chart {
                    group,
                    side: factor.trivialization,
                    variable: self.starts[k] + factor.fibre.start,
                    element,
                });
                element += group.coordinates();
            }
        }
    }
}
