//! Parameters at whose special values a chain is another one.

use super::chain::{Chain, End, decided};
use super::problem::Problem;
use crate::{Case, Effort};
use rattleback_symbolic::{Expr, Symbol, prove_zero};

/// Cases that are looked at.
const MOST: usize = 4;

/// The cases among these functions of the parameters in which the chain differs from the generic one.
pub(super) fn special_cases(
    problem: &Problem,
    parameters: &[Expr],
    generic: &Chain,
    effort: Effort,
) -> Vec<Case> {
    let mut seen: Vec<Expr> = Vec::new();
    for e in parameters {
        let constant = e.is_constant();
        if constant && !e.is_nonvanishing() && !seen.contains(e) && !seen.contains(&-e) {
            seen.push(e.clone());
        }
    }
    let mut cases = Vec::new();
    for condition in seen.into_iter().take(MOST) {
        if effort.is_spent() {
            break;
        }
        let then = match special_value(&condition) {
            Some(value) => {
                let special = problem.at_parameters(&[value]);
                let (chain, _) = decided(&special, effort);
                if is_alike(&chain, generic) {
                    continue;
                }
                words(&chain)
            }
            None => "the ranks may be others".into(),
        };
        cases.push(Case { condition, then });
    }
    cases
}

/// The value of one parameter at which a function of them vanishes.
fn special_value(condition: &Expr) -> Option<(Symbol, Expr)> {
    condition.free_symbols().into_iter().find_map(|s| {
        let parts = condition.coefficients(&s).ok()?;
        let [rest, slope] = parts.as_slice() else {
            return None;
        };
        prove_zero(slope).is_refuted().then(|| (s, -(rest / slope)))
    })
}

fn is_alike(a: &Chain, b: &Chain) -> bool {
    let kind = |c: &Chain| std::mem::discriminant(&c.end);
    a.dimensions() == b.dimensions() && a.freedom == b.freedom && kind(a) == kind(b)
}

fn words(chain: &Chain) -> String {
    let dimensions: Vec<String> = chain.dimensions().iter().map(usize::to_string).collect();
    let dimensions = dimensions.join(", ");
    match &chain.end {
        End::Inconsistent(_) => "there is no motion".into(),
        End::Open(_) => "the chain is not decided".into(),
        End::Stable | End::OnlyEquilibria => format!(
            "the dimensions are ({dimensions}), with {} free direction{}",
            chain.freedom,
            if chain.freedom == 1 { "" } else { "s" }
        ),
    }
}
