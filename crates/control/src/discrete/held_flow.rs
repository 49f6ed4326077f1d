//! The flow of a plant over a step with its controls held, as a map: Runge and Kutta's method in as many parts of the step
//! as the accuracy needs.

use rattleback_compile::StartState;
use rattleback_motion::discrete::Optimum;
use rattleback_symbolic::{Expr, Symbol, Tape, substitute_all};

/// The flow is known to this part of the state at the start,
const AT_START: f64 = 1e-10;
/// and to this part along the path that was found.
const ALONG: f64 = 1e-7;
/// A step is divided into so many parts at most.
const MOST_PARTS: u32 = 64;

/// A flow over a step.
pub(super) struct HeldFlow<'a> {
    state: &'a [Symbol],
    controls: &'a [Symbol],
    rates: &'a [Expr],
    parts: u32,
    /// The length of the step.
    h: f64,
}

impl<'a> HeldFlow<'a> {
    /// With so many parts that twice as many change nothing at the start.
    pub fn of(
        start: &StartState,
        state: &'a [Symbol],
        controls: &'a [Symbol],
        rates: &'a [Expr],
        h: f64,
    ) -> Result<Self, String> {
        if rates.iter().any(|f| f.contains(&Symbol::time())) {
            return Err("the equations contain the time: `control` solves them".into());
        }
        let mut flow = Self {
            state,
            controls,
            rates,
            parts: 2,
            h,
        };
        let ends = |flow: &Self| {
            let start = start.with(flow.constants());
            start.evaluate(&flow.map()).map_err(|e| e.to_string())
        };
        let mut coarse = ends(&flow)?;
        while flow.parts < MOST_PARTS {
            flow.parts *= 2;
            let fine = ends(&flow)?;
            if distance(&coarse, &fine) <= AT_START {
                return Ok(flow);
            }
            coarse = fine;
        }
        Err("a step is too long for the flow to be followed through it; try a smaller step".into())
    }

    /// The length of the step.
    pub fn step() -> Symbol {
        Symbol::constant("h~")
    }

    /// A part of the step, its half, third and sixth. These are symbols, as exact fractions inside of powers of powers would
    /// grow beyond all numbers.
    fn lengths() -> [Symbol; 4] {
        ["part~", "half~", "third~", "sixth~"].map(Symbol::constant)
    }

    /// What the map has besides state, controls and the constants of the model.
    pub fn constants(&self) -> Vec<(Symbol, f64)> {
        self.constants_of(self.parts)
    }

    fn constants_of(&self, parts: u32) -> Vec<(Symbol, f64)> {
        let part = self.h / f64::from(parts);
        let values = [1.0, 2.0, 3.0, 6.0].map(|n| part / n);
        let lengths = Self::lengths().into_iter().zip(values);
        lengths.chain([(Self::step(), self.h)]).collect()
    }

    /// The state at the end of a step.
    pub fn map(&self) -> Vec<Expr> {
        self.in_parts(self.parts)
    }

    fn in_parts(&self, parts: u32) -> Vec<Expr> {
        let [h, half, third, sixth] = Self::lengths().map(Expr::from);
        let rates = |x: &[Expr]| {
            let here = self.state.iter().cloned().zip(x.iter().cloned());
            substitute_all(self.rates, &here.collect::<Vec<_>>())
        };
        let moved = |x: &[Expr], k: &[Expr], part: &Expr| -> Vec<Expr> {
            x.iter().zip(k).map(|(x, k)| x + part * k).collect()
        };
        let mut x: Vec<Expr> = self.state.iter().map(Expr::from).collect();
        for _ in 0..parts {
            let first = rates(&x);
            let second = rates(&moved(&x, &first, &half));
            let middle = rates(&moved(&x, &second, &half));
            let last = rates(&moved(&x, &middle, &h));
            let mean =
                |i: usize| &sixth * (&first[i] + &last[i]) + &third * (&second[i] + &middle[i]);
            x = (0..x.len()).map(|i| &x[i] + mean(i)).collect();
        }
        x
    }

    /// The optimum, where a flow in twice as many parts goes along its path.
    pub fn checked(&self, found: Optimum, constants: &[(Symbol, f64)]) -> Result<Optimum, String> {
        let twice = 2 * self.parts;
        let all = constants.iter().cloned().chain(self.constants_of(twice));
        let (names, values): (Vec<Symbol>, Vec<f64>) = all.unzip();
        let inputs = [&names[..], self.state, self.controls].concat();
        let tape = Tape::new(&inputs, &self.in_parts(twice)).map_err(|e| e.to_string())?;
        let steps = found.path.windows(2).zip(&found.controls);
        for (k, (nodes, u)) in steps.enumerate() {
            let there = tape.evaluate(&[&values[..], &nodes[0], u].concat());
            let off = distance(&there, &nodes[1]);
            if off.is_nan() || off > ALONG {
                return Err(format!(
                    "the flow over step {} is known to {off:.1e} only; try a smaller step",
                    k + 1
                ));
            }
        }
        Ok(found)
    }
}

/// The largest difference beside 1 + |x|; NaN wins.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let parts = a
        .iter()
        .zip(b)
        .map(|(a, b)| (a - b).abs() / (1.0 + b.abs()));
    parts.fold(0.0, |m: f64, x| if x.is_nan() || x > m { x } else { m })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic spring in parts of a step: the map stays as long as its parts, and is the flow.
    #[test]
    fn flows_of_polynomials_stay_short() {
        let [x, y, u] = ["x", "y", "u"].map(Symbol::variable);
        let rates = [Expr::from(&y), Expr::from(&u) - Expr::from(&x).powi(3)];
        let (state, controls) = ([x, y], [u]);
        let flow = |parts: u32| HeldFlow {
            state: &state,
            controls: &controls,
            rates: &rates,
            parts,
            h: 0.1,
        };
        let end = |parts: u32| {
            let (map, constants) = (flow(parts).map(), flow(parts).constants());
            let nodes: usize = map.iter().map(Expr::node_count).sum();
            assert!(
                nodes < 400 * parts as usize,
                "{nodes} nodes in {parts} parts"
            );
            let (names, values): (Vec<Symbol>, Vec<f64>) = constants.into_iter().unzip();
            let tape = Tape::new(&[&state[..], &controls, &names].concat(), &map).unwrap();
            tape.evaluate(&[&[1.0, 0.0, 0.2], &values[..]].concat())
        };
        let (coarse, fine) = (end(2), end(64));
        assert!(distance(&coarse, &fine) < 1e-7, "{coarse:?} {fine:?}");
    }
}
