//! Sums of one kind that are worked out together, with their memory.

use rattleback_compile::taylor::{Rule, Series};

use super::layout::{Layout, Pack, ROW, Width};
use super::schedule::Kind;

/// A group with its memory.
pub(super) struct GroupPlan {
    pub(super) kind: Kind,
    pub(super) width: Width,
    pub(super) members: Vec<Series>,
    /// What is convolved: both factors, or the divisor, or the rate.
    pub(super) operands: Vec<Pack>,
    /// The results: one pack, or sines and cosines.
    pub(super) results: Vec<Pack>,
    /// Numerators, radicands, angles or arguments of initial values.
    pub(super) plain: Vec<Series>,
    /// 1/b_0 or 1/(2c_0).
    pub(super) reciprocal: i32,
}

impl GroupPlan {
    pub(super) fn new(
        layout: &mut Layout,
        kind: Kind,
        members: &[Series],
        results: &[Pack],
    ) -> GroupPlan {
        let mut first = Vec::new();
        let mut second = Vec::new();
        let mut plain = Vec::new();
        for &series in members {
            match layout.plan.rules()[series as usize] {
                Rule::Mul(a, b) => {
                    let shared = first.contains(&b) || second.contains(&a);
                    let (a, b) = if shared { (b, a) } else { (a, b) };
                    first.push(a);
                    second.push(b);
                }
                Rule::Square(a) => first.push(a),
                Rule::Div(a, b) => {
                    plain.push(a);
                    first.push(b);
                }
                Rule::Sqrt(a) => plain.push(a),
                Rule::Growth { rate, start } => {
                    first.push(rate);
                    plain.extend(start.arguments());
                }
                Rule::Sine { rate, angle, .. } => {
                    first.push(rate);
                    plain.push(angle);
                }
                _ => {}
            }
        }
        let width = layout.group_width(members.len());
        let lanes = [first, second]
            .into_iter()
            .filter(|lanes| !lanes.is_empty());
        let operands = lanes.map(|lanes| layout.operand(&lanes, width)).collect();
        let reciprocal = match kind {
            Kind::Quotient | Kind::Root => layout.reserve(ROW),
            _ => 0,
        };
        GroupPlan {
            kind,
            width,
            members: members.to_vec(),
            operands,
            results: results.to_vec(),
            plain,
            reciprocal,
        }
    }
}
