//! Value, slope and curvature of S along a characteristic, through caustics too (DP-A15).

use super::error::ActionError;
use super::map::{MomentumMap, Node};
use super::plane::LagrangianPlane;
use rattleback_numeric::{Complex, Dense};

/// Eigenvalues nearer than this part of themselves are one: a focus.
const SAME: f64 = 1e-6;

/// What S is at a node of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// The point, and DS there.
    pub node: Node,
    /// S.
    pub value: f64,
    /// The tangent plane of p = DS; it goes on where S has no second derivative.
    pub plane: LagrangianPlane,
}

/// S along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Transport {
    /// At each node.
    pub stations: Vec<Station>,
    /// The steps (from 1) inside or at whose end neighbouring motions meet, once for each direction in which they do.
    pub caustics: Vec<usize>,
}

impl MomentumMap {
    /// Follows a motion with its action and the tangent plane of p = DS. Where D²S = A exists, the plane is that of
    ///
    /// ```text
    /// A' = D₂D₂L_d − D₂D₁L_d (A + D₁D₁L_d)⁻¹ D₁D₂L_d
    /// ```
    ///
    /// and a caustic is passed where Df = −(D₁D₂L_d)⁻¹(A + D₁D₁L_d) has a negative eigenvalue.
    pub fn transport(&self, start: Station, steps: usize) -> Result<Transport, ActionError> {
        let n = self.dimension();
        let mut caustics = Vec::new();
        // The last plane that was a graph, the derivative of the motion since, and how many caustics were told since.
        let mut graph = start.plane.is_transversal().then(|| start.plane.clone());
        let mut since = Dense::identity(2 * n);
        let mut told = 0;
        let mut stations = vec![start];
        for k in 0..steps {
            let here = &stations[k];
            let slopes = Dense::of_rows(2 * n, 2 * n, &self.slopes(k, &here.node)?);
            let (node, action) = self.advance(k, &here.node)?;
            since = &slopes * &since;
            let plane = here.plane.pushed(&slopes);
            let value = here.value + action;
            let lost = plane.lost_directions();
            if let Some(values) = graph.as_ref().and_then(|g| g.spreading(&since)) {
                let met = crossings(values, lost, told, k + 1)?;
                caustics.extend(std::iter::repeat_n(k + 1, met));
                told += met;
            }
            if lost == 0 {
                graph = Some(plane.clone());
                since = Dense::identity(2 * n);
                told = 0;
            }
            stations.push(Station { node, value, plane });
        }
        Ok(Transport { stations, caustics })
    }
}

/// How many eigenvalues went through zero, or came to it (`lost` of them: a caustic on the node), besides those already
/// told. Two different ones are two caustics, whose order and number a step cannot tell; equal ones are a focus.
fn crossings(
    mut values: Vec<Complex>,
    lost: usize,
    told: usize,
    step: usize,
) -> Result<usize, ActionError> {
    let length = |l: &Complex| l.re.hypot(l.im);
    values.sort_by(|a, b| length(a).total_cmp(&length(b)));
    let kept = &values[lost.min(values.len())..];
    let size = kept.iter().map(length).fold(0.0, f64::max);
    let negative: Vec<f64> = kept
        .iter()
        .filter(|l| l.im.abs() <= SAME * size && l.re < 0.0)
        .map(|l| l.re)
        .collect();
    let new = (negative.len() + lost).saturating_sub(told);
    let differ = |l: &f64| (l - negative[0]).abs() > SAME * negative[0].abs();
    let apart = lost > 0 && !negative.is_empty() || negative.iter().any(differ);
    match new > 1 && apart {
        true => Err(ActionError::TwoCaustics { step }),
        false => Ok(new),
    }
}
