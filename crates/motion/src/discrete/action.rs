//! Jacobi's solution of the discrete Hamilton-Jacobi equation (DP-A13).

use super::error::ActionError;
use super::family::{Family, Jet};
use super::map::{MomentumMap, Node, Spread};
use super::plane::LagrangianPlane;
use super::search;
use super::transport::Station;
use rattleback_numeric::{Dense, Eigen, singular_values};

/// S₀, DS₀ and D²S₀ by rows, at a point.
pub type Initial<'a> = dyn Fn(&[f64]) -> (f64, Vec<f64>, Vec<f64>) + 'a;

/// Where the motions begin whose action is taken.
pub enum Data<'a> {
    /// At one point, with any momentum; the guess is the momentum that the search begins with.
    Point {
        /// q₀.
        q: &'a [f64],
        /// The first guess of p₀.
        guess: &'a [f64],
    },
    /// Anywhere, with the momentum DS₀: a function that writes S₀, DS₀ and D²S₀ by rows; the guess is the foot
    /// point that the search begins with.
    Cauchy {
        /// S₀ and its derivatives at a point.
        initial: &'a Initial<'a>,
        /// The first guess of q₀.
        guess: &'a [f64],
    },
}

/// What has spread comes together again where it is this part of what it was.
const VANISHED: f64 = 1e-9;
/// Starts that differ by this part of their size are one.
const SAME_START: f64 = 1e-6;

/// S_d^k at a point, with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// S.
    pub value: f64,
    /// DS = p_k.
    pub slope: Vec<f64>,
    /// D²S by rows.
    pub curvature: Vec<f64>,
    /// The nodes of the motion, from the start to the point.
    pub path: Vec<Node>,
    /// S at each node.
    pub values: Vec<f64>,
    /// D²S by rows at each node; none at the start of point data and on caustics.
    pub curvatures: Vec<Option<Vec<f64>>>,
    /// The steps (from 1) inside which neighbouring motions meet.
    pub caustics: Vec<usize>,
}

impl<'a> Data<'a> {
    /// The station that the unknowns stand for, and its derivative by them.
    pub(super) fn begin(&self, u: &[f64]) -> (Station, Dense) {
        let n = u.len();
        match self {
            Data::Point { q, .. } => {
                let node = Node {
                    q: q.to_vec(),
                    p: u.to_vec(),
                };
                let spread = Dense::new(2 * n, n, |i, j| f64::from(u8::from(i == n + j)));
                let station = Station {
                    node,
                    value: 0.0,
                    plane: LagrangianPlane::vertical(n),
                };
                (station, spread)
            }
            Data::Cauchy { initial, .. } => {
                let (value, slope, curvature) = initial(u);
                let node = Node {
                    q: u.to_vec(),
                    p: slope,
                };
                let spread = Dense::new(2 * n, n, |i, j| match i < n {
                    true => f64::from(u8::from(i == j)),
                    false => curvature[(i - n) * n + j],
                });
                let plane = LagrangianPlane::graph(&Dense::of_rows(n, n, &curvature));
                (Station { node, value, plane }, spread)
            }
        }
    }

    fn guess(&self) -> &[f64] {
        match self {
            Data::Point { guess, .. } | Data::Cauchy { guess, .. } => guess,
        }
    }

    /// The same data with another guess.
    pub fn guessing<'b>(&'b self, guess: &'b [f64]) -> Data<'b>
    where
        'a: 'b,
    {
        match self {
            Data::Point { q, .. } => Data::Point { q, guess },
            Data::Cauchy { initial, .. } => Data::Cauchy { initial, guess },
        }
    }

    /// What a motion begins with, in the unknowns of the search.
    pub fn unknowns(&self, start: &Node) -> Vec<f64> {
        match self {
            Data::Point { .. } => start.p.clone(),
            Data::Cauchy { .. } => start.q.clone(),
        }
    }
}

impl MomentumMap {
    /// S_d^k at a point: the motion is found by Newton's method on what it begins with (DP-A13).
    pub fn action(&self, steps: usize, data: &Data<'_>, at: &[f64]) -> Result<Action, ActionError> {
        let n = self.dimension();
        if steps == 0 && matches!(data, Data::Point { .. }) {
            return Err(ActionError::NoSteps);
        }
        let size = at.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let found = search::beside(size, data.guess(), |u, values| {
            let (end, spread) = self.shot(steps, data, u)?;
            values[..n * n].copy_from_slice(&spread.entries()[..n * n]);
            for ((r, q), wanted) in values[n * n..].iter_mut().zip(&end.q).zip(at) {
                *r = q - wanted;
            }
            Ok(())
        })?;
        let (start, _) = data.begin(&found);
        let transport = self.transport(start, steps)?;
        let rows = |s: &Station| s.plane.hessian().map(|a| a.entries().to_vec());
        let curvatures: Vec<Option<Vec<f64>>> = transport.stations.iter().map(rows).collect();
        let last = transport.stations.last().ok_or(ActionError::NoSteps)?;
        Ok(Action {
            value: last.value,
            slope: last.node.p.clone(),
            curvature: rows(last).ok_or(ActionError::Conjugate)?,
            values: transport.stations.iter().map(|s| s.value).collect(),
            caustics: transport.caustics,
            path: transport.stations.into_iter().map(|s| s.node).collect(),
            curvatures,
        })
    }

    /// The end of a motion with its derivative by what it begins with.
    pub(super) fn shot(
        &self,
        steps: usize,
        data: &Data<'_>,
        u: &[f64],
    ) -> Result<(Node, Dense), ActionError> {
        let n = self.dimension();
        let (Station { mut node, .. }, mut spread) = data.begin(u);
        for k in 0..steps {
            let slopes = Dense::of_rows(2 * n, 2 * n, &self.slopes(k, &node)?);
            spread = &slopes * &spread;
            node = self.advance(k, &node)?.0;
        }
        Ok((node, spread))
    }

    /// All motions to a point that a search from these guesses finds, the one of least action first: past a caustic
    /// there are several.
    pub fn branches(
        &self,
        steps: usize,
        data: &Data<'_>,
        at: &[f64],
        guesses: &[Vec<f64>],
    ) -> Vec<Action> {
        let mut found: Vec<Action> = Vec::new();
        for guess in guesses {
            let Ok(action) = self.action(steps, &data.guessing(guess), at) else {
                continue;
            };
            let start = data.unknowns(&action.path[0]);
            let known = found.iter().any(|other| {
                let there = data.unknowns(&other.path[0]);
                let size = start.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                let pairs = start.iter().zip(&there);
                pairs.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) <= SAME_START * size
            });
            if !known {
                found.push(action);
            }
        }
        found.sort_by(|a, b| a.value.total_cmp(&b.value));
        found
    }

    /// Are the ends of the k-th step conjugate: does ∂q₁/∂p₀ vanish in some direction, beside what it was on the way?
    pub fn is_conjugate(&self, k: usize, node: &Node) -> Result<bool, ActionError> {
        let along = self.spreads_inside(k, node)?;
        let ends = along.last().map(|(_, spread)| singular_values(spread));
        let smallest = ends.as_deref().and_then(<[f64]>::last).copied();
        let widest = along.iter().map(|(_, spread)| singular_values(spread));
        let widest = widest.filter_map(|all| all.last().copied());
        let widest = widest.fold(0.0, f64::max);
        Ok(smallest.is_some_and(|least| least <= VANISHED * widest))
    }

    /// Refuses steps that pass a conjugate point by themselves, or that Newton's method took on another branch: ∂q₁/∂p₀,
    /// which is h M⁻¹ for short steps, must not turn a direction over on the way to the step.
    pub fn check_steps(&self, path: &[Node]) -> Result<(), ActionError> {
        for (k, node) in path.iter().enumerate().take(path.len().saturating_sub(1)) {
            let along = self.spreads_inside(k, node)?;
            let mut pairs = along.windows(2);
            if pairs.any(|pair| self.turns_inside(k, node, &pair[0], &pair[1])) {
                return Err(ActionError::LongStep { step: k + 1 });
            }
        }
        Ok(())
    }

    /// Does a direction turn over between two parts of the k-th step? What seems to is looked at more closely: ∂q⁽ⁱ⁾/∂p_j
    /// grows like the power 2m − 1 − i − j of the time in a problem of order m, so that directions of one with
    /// accelerations turn far while the time grows several times over, and none turns over.
    fn turns_inside(&self, k: usize, node: &Node, before: &Spread, after: &Spread) -> bool {
        if !turns_over(&before.1, &after.1) {
            return false;
        }
        if after.0 <= NEAR * before.0 {
            return true;
        }
        let Ok(between) = self.spread_after(k, node, (before.0 * after.0).sqrt()) else {
            return true;
        };
        self.turns_inside(k, node, before, &between) || self.turns_inside(k, node, &between, after)
    }
}

/// Times of which one is less than this multiple of the other are near: up to order 4 nothing turns by a right angle
/// between them but what turns over.
const NEAR: f64 = 1.2;

/// Does a direction turn over between two values of ∂q/∂p₀, if they are so near that it turns by less than a right angle
/// otherwise?
fn turns_over(before: &Dense, after: &Dense) -> bool {
    let Ok(ratio) = before.transposed().solve(&after.transposed()) else {
        return false;
    };
    Eigen::of(&ratio).is_ok_and(|e| e.values.iter().any(|l| l.re < 0.0))
}

/// Jacobi's S_d^k of a map and its data, as a family of functions.
pub struct Jacobi<'a> {
    /// The map.
    pub map: &'a MomentumMap,
    /// Where motions begin.
    pub data: &'a Data<'a>,
}

impl Family for Jacobi<'_> {
    fn jet(&self, k: usize, q: &[f64]) -> Result<Jet, ActionError> {
        let action = self.map.action(k, self.data, q)?;
        let n = q.len();
        Ok(Jet {
            value: action.value,
            slope: action.slope,
            curvature: Dense::of_rows(n, n, &action.curvature),
        })
    }
}
