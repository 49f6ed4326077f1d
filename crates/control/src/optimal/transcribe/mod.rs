//! From a posed problem to a program with stages, on any mesh.

mod bounds;
mod compiled;
mod layout;
mod times;

use super::error::PoseError;
use super::mesh::Mesh;
use super::posed::Posed;
use super::scheme::{Ends, Scheme};
use super::shape::Shape;
use crate::stage::{StageProblem, Term};
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
