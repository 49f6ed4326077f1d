//! The piece of a model on which its start lies, where its functions come in pieces.

use std::f64::consts::PI;

use rattleback_symbolic::{
    Branches, Cut, Expr, Fact, Function, Kind, Role, Sign, Symbol, cuts, enclose,
};

use crate::around::Around;
use crate::at_values::start_at;
use crate::model::{Factor, Model};
use crate::numeric::Values;
use crate::source::Source;

/// A model on one of its pieces.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The model, whose symbols know that they are on this piece.
    pub model: Model,
    /// What holds on the piece.
    pub facts: Vec<Fact>,
    /// Does the start lie between two pieces, so that one of them was taken?
    pub between: bool,
    /// Places at which the model may still fall into pieces that are not told apart.
    pub open: Vec<Cut>,
    /// A neighbourhood on which all functions are analytic, where they may not be on all of the piece.
    pub near: Option<Near>,
}

/// A model close to a point. What is true of its generic points is true of those of the component on which the
/// functions are analytic.
#[derive(Clone, Debug)]
pub struct Near {
    /// The model, whose symbols know that they are close to the point.
    pub model: Model,
    /// The point.
    pub at: Vec<(Symbol, Expr)>,
}

/// So often a piece may fall into further ones once it is known.
const ROUNDS: usize = 3;

impl Model {
    /// The piece on which the start lies; `None` where the functions of the model are analytic wherever they are
    /// defined. Roots of squares, asin(sin y) and the like come in pieces, and what holds on one need not hold on
    /// another: a statement about generic points can be made about a piece only.
    ///
    /// ```
    /// use rattleback_language::{Source, parse};
    /// let text = "system s\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential sqrt(cos(y)^2)*x\nstart y = 3\n";
    /// let source = Source::new("s.mech", text);
    /// let model = parse(&source).model.unwrap();
    /// let piece = model.piece(&source).unwrap();
    /// let facts: Vec<String> = piece.facts.iter().map(ToString::to_string).collect();
    /// assert_eq!(facts[0], "-cos(y) > 0");
    /// assert!(piece.open.is_empty() && !piece.between);
    /// ```
    pub fn piece(&self, source: &Source) -> Option<Piece> {
        let cuts = self.cuts();
        let is_cut = !cuts.is_empty();
        let mut piece = self.told_apart(source, cuts)?;
        let branches = piece.model.branches();
        if branches.hang_together() {
            return is_cut.then_some(piece);
        }
        let around = Around::start_of(&piece.model, &branches);
        let near = around.as_ref().and_then(|around| {
            let facts = [piece.facts.clone(), around.facts()].concat();
            Some(Near {
                model: self.with_facts(source, &facts)?,
                at: around.point(),
            })
        });
        match (near, around) {
            (Some(near), Some(around)) => {
                piece.between |= around.is_shifted;
                piece.near = Some(near);
            }
            _ => piece.open.extend(
                branches
                    .borders()
                    .into_iter()
                    .map(|at| Cut { of: at.clone(), at }),
            ),
        }
        Some(piece)
    }

    /// The piece between the cuts.
    fn told_apart(&self, source: &Source, cuts: Vec<Cut>) -> Option<Piece> {
        let mut piece = Piece {
            open: cuts,
            model: self.clone(),
            facts: Vec::new(),
            between: false,
            near: None,
        };
        for _ in 0..ROUNDS {
            let known = piece.facts.len();
            for cut in &piece.open {
                let (facts, between) = piece.model.side(&cut.at);
                piece.between |= between;
                piece.facts.extend(facts);
            }
            if piece.facts.len() == known {
                break;
            }
            piece.model = self.with_facts(source, &piece.facts)?;
            piece.open = piece.model.cuts();
            if piece.open.is_empty() {
                break;
            }
        }
        Some(piece)
    }

    /// Where the functions of the model are cut as it moves. Cuts between parameters are left to the verdicts for free
    /// parameters and for the values.
    fn cuts(&self) -> Vec<Cut> {
        let moves = |c: &Cut| {
            c.at.free_symbols()
                .iter()
                .any(|s| s.role() != Role::Constant)
        };
        let mut all = cuts(&self.dynamics());
        all.retain(moves);
        all
    }

    /// The functions of several branches of the model as it moves.
    fn branches(&self) -> Branches {
        let mut all = Branches::of(&self.dynamics());
        all.retain(|symbols| symbols.iter().any(|s| s.role() != Role::Constant));
        all
    }

    /// The same model, read with more assumptions; settings of the command line are kept.
    fn with_facts(&self, source: &Source, facts: &[Fact]) -> Option<Model> {
        let mut model = crate::parse_with(source, self.scope.fixed.clone(), facts).model?;
        for parameter in &mut model.parameters {
            let same = |p: &&crate::model::Parameter| p.symbol.name() == parameter.symbol.name();
            if let Some(stated) = self.parameters.iter().find(same) {
                parameter.value = model.scope.in_scope(&stated.value);
            }
        }
        let values = Values::of(&model);
        model.start = start_at(&self.start, &values, &model);
        Some(model)
    }

    /// On which side of the zeros of w the start lies, as facts, and whether it lies on them. Nothing for functions of
    /// the entries of groups and of time, whose values assumptions do not hold.
    fn side(&self, w: &Expr) -> (Vec<Fact>, bool) {
        let Some(point) = self.start_values(&w.free_symbols()) else {
            return (Vec::new(), false);
        };
        let here = |e: &Expr| e.substitute(&point);
        let value = enclose(&here(w)).filter(|v| v.excludes_zero());
        let between = value.is_none();
        let interval = match w.kind() {
            Kind::Function(Function::Sin, x) => Some((&x[0], 0.0)),
            Kind::Function(Function::Cos, x) => Some((&x[0], 0.5)),
            _ => None,
        };
        let Some((angle, shift)) = interval else {
            let negative = value.is_some_and(|v| v.high < 0.0);
            let sign = if negative {
                Sign::Negative
            } else {
                Sign::Positive
            };
            return (vec![Fact::new(w.clone(), sign)], between);
        };
        let Ok(at) = here(angle).evaluate(&[]) else {
            return (Vec::new(), between);
        };
        // Between two neighbouring zeros: (n - shift) π < angle < (n + 1 - shift) π.
        let n = (at / PI + shift).floor();
        if n.abs() > MOST_TURNS {
            return (Vec::new(), between);
        }
        let n = n as i64;
        let end = |n: i64| (Expr::from(n) - Expr::ratio((2.0 * shift) as i64, 2)) * Expr::pi();
        let sign = if n % 2 == 0 {
            Sign::Positive
        } else {
            Sign::Negative
        };
        let facts = vec![
            Fact::new(w.clone(), sign),
            Fact::new(angle - end(n), Sign::Positive),
            Fact::new(end(n + 1) - angle, Sign::Positive),
        ];
        (facts, between)
    }

    /// Values of symbols at the start; 0 for what is not stated.
    pub(crate) fn start_values(&self, symbols: &[Symbol]) -> Option<Vec<(Symbol, Expr)>> {
        let values = Values::of(self);
        let same = |a: &Symbol, b: &Symbol| (a.name(), a.order()) == (b.name(), b.order());
        let groups = (self.configuration.iter()).filter(|f| matches!(f, Factor::Group { .. }));
        let tied: Vec<&Symbol> = groups.flat_map(Factor::positions).collect();
        let start = &self.start;
        let stated = || {
            let moving = start.positions.iter().chain(&start.velocities);
            moving.chain(&start.auxiliary)
        };
        let value = |s: &Symbol| match s.role() {
            Role::Time => None,
            _ if tied.iter().any(|t| same(t, s)) => None,
            Role::Constant => {
                let mut known = values.pairs().iter();
                known.find(|(p, _)| same(p, s)).map(|(_, e)| e.clone())
            }
            Role::Variable => {
                let found = stated().find(|a| same(&a.symbol, s));
                Some(found.map_or_else(Expr::zero, |a| values.at(&a.value)))
            }
        };
        let pair = |s: &Symbol| Some((s.clone(), value(s)?));
        symbols.iter().map(pair).collect()
    }
}

/// Half turns beyond which a piece is not looked for.
const MOST_TURNS: f64 = 1e6;
