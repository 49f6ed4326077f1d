//! Leaves out the series that nothing needs.

use super::plan::{LinearBlock, Rule, Series, Start, TaylorPlan};

/// Keeps the series that the rates and the guards need.
pub(super) fn remove_dead(plan: &mut TaylorPlan) {
    let mut live = vec![false; plan.rules.len()];
    let guarded = plan.guards.iter().flat_map(|g| [g.value, g.scale]);
    let mut pending: Vec<Series> = plan.rates.iter().copied().chain(guarded).collect();
    while let Some(series) = pending.pop() {
        if std::mem::replace(&mut live[series as usize], true) {
            continue;
        }
        let rule = plan.rules[series as usize];
        plan.operands(rule, |a| pending.push(a));
        match rule {
            Rule::Sine { cosine: other, .. } | Rule::Cosine { sine: other, .. } => {
                pending.push(other);
            }
            Rule::Solution { block, .. } => {
                pending.extend(&plan.blocks[block as usize].solution);
            }
            _ => {}
        }
    }
    let mut count = 0;
    let moved: Vec<Series> = live
        .iter()
        .map(|&is_live| {
            count += u32::from(is_live);
            count.saturating_sub(1)
        })
        .collect();
    let block_lives = |block: &LinearBlock| block.solution.iter().any(|&x| live[x as usize]);
    let mut kept = 0;
    let moved_blocks: Vec<u32> = plan
        .blocks
        .iter()
        .map(|block| {
            kept += u32::from(block_lives(block));
            kept.saturating_sub(1)
        })
        .collect();
    plan.blocks.retain(block_lives);
    let rules = std::mem::take(&mut plan.rules);
    plan.rules = (rules.into_iter().zip(&live))
        .filter(|&(_, &is_live)| is_live)
        .map(|(rule, _)| renumbered(rule, &moved, &moved_blocks))
        .collect();
    let renumber = |series: &mut Series| *series = moved[*series as usize];
    plan.rates.iter_mut().for_each(renumber);
    for guard in &mut plan.guards {
        renumber(&mut guard.value);
        renumber(&mut guard.scale);
    }
    for block in &mut plan.blocks {
        let parts = [&mut block.matrix, &mut block.rhs, &mut block.solution];
        parts.into_iter().flatten().for_each(renumber);
    }
}

fn renumbered(rule: Rule, moved: &[Series], moved_blocks: &[u32]) -> Rule {
    let m = |a: Series| moved[a as usize];
    let start = |start: Start| match start {
        Start::Function(f, a) => Start::Function(f, m(a)),
        Start::Power(a, e) => Start::Power(m(a), e),
        Start::PowerOf(a, b) => Start::PowerOf(m(a), m(b)),
        Start::Atan2(a, b) => Start::Atan2(m(a), m(b)),
    };
    match rule {
        Rule::Constant(_) | Rule::Parameter(_) | Rule::Time | Rule::State(_) => rule,
        Rule::Add(a, b) => Rule::Add(m(a), m(b)),
        Rule::Sub(a, b) => Rule::Sub(m(a), m(b)),
        Rule::Neg(a) => Rule::Neg(m(a)),
        Rule::Theta(a) => Rule::Theta(m(a)),
        Rule::Mul(a, b) => Rule::Mul(m(a), m(b)),
        Rule::Square(a) => Rule::Square(m(a)),
        Rule::Div(a, b) => Rule::Div(m(a), m(b)),
        Rule::Sqrt(a) => Rule::Sqrt(m(a)),
        Rule::Integral { rate, start: s } => Rule::Integral {
            rate: m(rate),
            start: start(s),
        },
        Rule::Growth { rate, start: s } => Rule::Growth {
            rate: m(rate),
            start: start(s),
        },
        Rule::Sine {
            rate,
            angle,
            cosine,
            hyperbolic,
        } => Rule::Sine {
            rate: m(rate),
            angle: m(angle),
            cosine: m(cosine),
            hyperbolic,
        },
        Rule::Cosine {
            rate,
            angle,
            sine,
            hyperbolic,
        } => Rule::Cosine {
            rate: m(rate),
            angle: m(angle),
            sine: m(sine),
            hyperbolic,
        },
        Rule::Solution { block, component } => Rule::Solution {
            block: moved_blocks[block as usize],
            component,
        },
    }
}
