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
    /// The length of the step, with a symbol of its own.
    pub step: (Symbol, f64),
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
            step: (Symbol::constant("h~"), h),
        };
        let start = start.with([flow.step.clone()]);
        let ends = |flow: &Self| start.evaluate(&flow.map()).map_err(|e| e.to_string());
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

    /// The state at the end of a step.
    pub fn map(&self) -> Vec<Expr> {
        self.in_parts(self.parts)
    }

    fn in_parts(&self, parts: u32) -> Vec<Expr> {
        let h = Expr::from(&self.step.0) / i64::from(parts);
        let rates = |x: &[Expr]| {
            let here = self.state.iter().cloned().zip(x.iter().cloned());
            substitute_all(self.rates, &here.collect::<Vec<_>>())
        };
        let moved = |x: &[Expr], k: &[Expr], part: &Expr| -> Vec<Expr> {
            x.iter().zip(k).map(|(x, k)| x + part * k).collect()
        };
        let half = &h / 2;
        let mut x: Vec<Expr> = self.state.iter().map(Expr::from).collect();
        for _ in 0..parts {
            let first = rates(&x);
            let second = rates(&moved(&x, &first, &half));
            let third = rates(&moved(&x, &second, &half));
            let fourth = rates(&moved(&x, &third, &h));
            let mean = |i: usize| (&first[i] + 2 * (&second[i] + &third[i]) + &fourth[i]) / 6;
            x = (0..x.len()).map(|i| &x[i] + &h * mean(i)).collect();
        }
        x
    }

    /// The optimum, where a flow in twice as many parts goes along its path.
    pub fn checked(&self, found: Optimum, constants: &[(Symbol, f64)]) -> Result<Optimum, String> {
        let (names, values): (Vec<Symbol>, Vec<f64>) = constants.iter().cloned().unzip();
        let inputs = [&names[..], self.state, self.controls].concat();
        let tape = Tape::new(&inputs, &self.in_parts(2 * self.parts)).map_err(|e| e.to_string())?;
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
