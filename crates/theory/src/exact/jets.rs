//! Taylor series of functions along a flow, without expanding a formula.
//!
//! Every node of the formulas is a series; its next coefficient follows from those of its parts, and
//! the next coefficient of the state from the rates. The numbers are residues modulo a prime, for
//! ranks, or enclosures, for values that are certain.

use super::field::{Element, FIELD, Residues};
use super::interval::Interval;
use rattleback_symbolic::{
    Expr, Function, Kind, Map, Rational, Role, Symbol, enclose, postorder, powers_as_exponentials,
    substitute_all,
};

/// What a series needs of its coefficients.
pub(crate) trait Scalar: Copy {
    fn of(r: &Rational) -> Option<Self>;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// `None` for zero.
    fn inverse(self) -> Option<Self>;
    /// `None` where there is none.
    fn root(self) -> Option<Self>;

    fn whole(n: usize) -> Option<Self> {
        Self::of(&Rational::from(i64::try_from(n).ok()?))
    }
    fn negative(self) -> Option<Self> {
        Some(self.times(Self::of(&Rational::from(-1))?))
    }
}

/// A number modulo a prime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residue(Element);

impl Residue {
    pub(crate) fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl Scalar for Residue {
    fn of(r: &Rational) -> Option<Self> {
        FIELD.rational(r).map(Self)
    }
    fn plus(self, other: Self) -> Self {
        Self(FIELD.add(self.0, other.0))
    }
    fn times(self, other: Self) -> Self {
        Self(FIELD.mul(self.0, other.0))
    }
    fn inverse(self) -> Option<Self> {
        FIELD.invert(self.0).map(Self)
    }
    fn root(self) -> Option<Self> {
        FIELD.square_root(self.0).map(Self)
    }
}

enum Op {
    Constant(Rational),
    /// A value that is given and does not move.
    Given(usize),
    /// A coordinate of the flow, or time, by its given start.
    Moving(usize),
    Sum(Rational, Vec<(usize, Rational)>),
    Product(usize, usize),
    Inverse(usize),
    Root(usize),
    /// A function with a given start, by its argument and its slope there, up to a sign.
    Chain {
        start: usize,
        argument: usize,
        slope: usize,
        negative: bool,
    },
}

/// Functions along a flow.
pub(crate) struct Flow {
    ops: Vec<Op>,
    /// Symbols and functions whose starting values are asked for.
    pub(crate) given: Vec<Expr>,
    outputs: Vec<usize>,
    /// For each moving place the place of its rate.
    moving: Vec<(usize, usize)>,
}

#[derive(Default)]
struct Builder {
    ops: Vec<Op>,
    place: Map<Expr, usize>,
    given: Vec<Expr>,
}

impl Builder {
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn given(&mut self, e: &Expr) -> usize {
        self.given.push(e.clone());
        self.given.len() - 1
    }

    /// base^n for n > 0.
    fn power(&mut self, base: usize, n: u64) -> usize {
        let mut total: Option<usize> = None;
        let (mut square, mut e) = (base, n);
        loop {
            if e & 1 == 1 {
                total = Some(match total {
                    Some(t) => self.push(Op::Product(t, square)),
                    None => square,
                });
            }
            e >>= 1;
            match total {
                Some(t) if e == 0 => return t,
                _ => square = self.push(Op::Product(square, square)),
            }
        }
    }

    fn product(&mut self, factors: &[(Expr, Rational)]) -> Option<usize> {
        let mut total: Option<usize> = None;
        for (b, r) in factors {
            let (n, d) = r.as_small()?;
            let mut base = *self.place.get(b)?;
            match d {
                1 => {}
                2 => base = self.push(Op::Root(base)),
                _ => return None,
            }
            let mut power = self.power(base, n.unsigned_abs().max(1));
            if n < 0 {
                power = self.push(Op::Inverse(power));
            }
            total = Some(match total {
                Some(t) => self.push(Op::Product(t, power)),
                None => power,
            });
        }
        total
    }

    fn function(&mut self, f: Function, x: &[Expr], whole: &Expr) -> Option<usize> {
        let argument = *self.place.get(&x[0])?;
        let start = self.given(whole);
        let own = self.ops.len();
        // 1 ± x², for the inverse functions.
        let beside_square = |b: &mut Self, sign: i64| {
            let square = b.push(Op::Product(argument, argument));
            b.push(Op::Sum(Rational::ONE, vec![(square, Rational::from(sign))]))
        };
        let (slope, negative) = match f {
            // Sine and cosine point at each other; the partner's place is filled in at the end.
            Function::Sin | Function::Cos | Function::Sinh | Function::Cosh => {
                (usize::MAX, f == Function::Cos)
            }
            Function::Exp => (own, false),
            Function::Log => (self.push(Op::Inverse(argument)), false),
            Function::Atan => {
                let square = beside_square(self, 1);
                (self.push(Op::Inverse(square)), false)
            }
            Function::Asin | Function::Acos => {
                let square = beside_square(self, -1);
                let root = self.push(Op::Root(square));
                (self.push(Op::Inverse(root)), f == Function::Acos)
            }
            // 1 − tanh², which follows.
            Function::Tanh => (own + 2, false),
            Function::Atan2 | Function::Power => return None,
        };
        let at = self.push(Op::Chain {
            start,
            argument,
            slope,
            negative,
        });
        if f == Function::Tanh {
            let square = self.push(Op::Product(at, at));
            self.push(Op::Sum(Rational::ONE, vec![(square, Rational::from(-1))]));
        }
        Some(at)
    }

    fn add(&mut self, e: &Expr, moving: &dyn Fn(&Symbol) -> bool) -> Option<()> {
        let sum = |b: &Self, terms: &[(Expr, Rational)]| -> Option<Vec<(usize, Rational)>> {
            let place = |t: &Expr| b.place.get(t).copied();
            terms
                .iter()
                .map(|(t, r)| Some((place(t)?, r.clone())))
                .collect()
        };
        let at = match e.kind() {
            Kind::Number(r) => self.push(Op::Constant(r.clone())),
            Kind::Undefined => return None,
            Kind::Pi => {
                let k = self.given(e);
                self.push(Op::Given(k))
            }
            Kind::Symbol(s) => {
                let k = self.given(e);
                let moves = moving(s) || s.role() == Role::Time;
                self.push(if moves { Op::Moving(k) } else { Op::Given(k) })
            }
            Kind::Scaled(c, x) => {
                let terms = sum(self, &[(x.clone(), c.clone())])?;
                self.push(Op::Sum(Rational::ZERO, terms))
            }
            Kind::Sum(c, terms) => {
                let terms = sum(self, terms)?;
                self.push(Op::Sum(c.clone(), terms))
            }
            Kind::Product(factors) => self.product(factors)?,
            Kind::Function(f, x) => self.function(*f, x, e)?,
        };
        self.place.insert(e.clone(), at);
        Some(())
    }

    /// Points sines at their cosines and back.
    fn join_partners(&mut self) -> Option<()> {
        let pairs: Vec<(usize, usize)> = self
            .place
            .iter()
            .filter_map(|(e, &at)| Some((at, partner(e)?)))
            .map(|(at, e)| Some((at, *self.place.get(&e)?)))
            .collect::<Option<_>>()?;
        for (at, other) in pairs {
            if let Op::Chain { slope, .. } = &mut self.ops[at] {
                *slope = other;
            }
        }
        Some(())
    }
}

/// The cosine of a sine and so on.
fn partner(e: &Expr) -> Option<Expr> {
    let Kind::Function(f, x) = e.kind() else {
        return None;
    };
    let other = match f {
        Function::Sin => Function::Cos,
        Function::Cos => Function::Sin,
        Function::Sinh => Function::Cosh,
        Function::Cosh => Function::Sinh,
        _ => return None,
    };
    Some(other.apply(x))
}

impl Flow {
    /// Functions of the state of `rates` (a symbol and its rate each) and of time; `None` if a
    /// function in them has no series here.
    pub(crate) fn new(functions: &[Expr], rates: &[(Symbol, Expr)]) -> Option<Self> {
        let functions = &powers_as_exponentials(functions);
        let values: Vec<Expr> = rates.iter().map(|(_, e)| e.clone()).collect();
        let symbols = rates.iter().map(|(s, _)| s.clone());
        let rates: Vec<(Symbol, Expr)> = symbols.zip(powers_as_exponentials(&values)).collect();
        let mut roots: Vec<Expr> = functions.to_vec();
        roots.extend(rates.iter().flat_map(|(s, e)| [Expr::from(s), e.clone()]));
        let partners: Vec<Expr> = postorder(&roots, |_| true)
            .iter()
            .filter_map(partner)
            .collect();
        roots.extend(partners);
        let mut builder = Builder::default();
        let moving = |s: &Symbol| rates.iter().any(|(x, _)| x == s);
        for e in postorder(&roots, |_| true) {
            builder.add(&e, &moving)?;
        }
        builder.join_partners()?;
        let place = |e: &Expr| builder.place.get(e).copied();
        Some(Self {
            outputs: functions.iter().map(place).collect::<Option<_>>()?,
            moving: rates
                .iter()
                .map(|(s, e)| Some((place(&Expr::from(s))?, place(e)?)))
                .collect::<Option<_>>()?,
            ops: builder.ops,
            given: builder.given,
        })
    }

    /// Starting values modulo a prime: `on` parametrises redundant coordinates. `None` at a pole.
    pub(crate) fn residues(&self, on: &[(Symbol, Expr)], point: u64) -> Option<Vec<Residue>> {
        let values = Residues::new(&self.given, on)?.at(point)?;
        Some(values.into_iter().map(Residue).collect())
    }

    /// Starting values at a point, enclosed.
    pub(crate) fn values(
        &self,
        on: &[(Symbol, Expr)],
        at: &[(Symbol, Rational)],
    ) -> Option<Vec<Interval>> {
        let point: Vec<(Symbol, Expr)> = at.iter().map(|(s, r)| (s.clone(), r.into())).collect();
        let numbers = substitute_all(&substitute_all(&self.given, on), &point);
        numbers.iter().map(|e| enclose(e).map(Interval)).collect()
    }

    /// Does it take square roots, of which residues know one branch?
    pub(crate) fn has_roots(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Root(_)))
    }

    /// The series of the functions up to an order, from starting values of what is given.
    pub(crate) fn series<S: Scalar>(&self, start: &[S], order: usize) -> Option<Vec<Vec<S>>> {
        let mut memory: Vec<Vec<S>> = vec![Vec::with_capacity(order + 1); self.ops.len()];
        for k in 0..=order {
            for (at, op) in self.ops.iter().enumerate() {
                let next = coefficient(op, at, k, &memory, start)?;
                // The next coefficient of what moves is there already.
                if memory[at].len() == k {
                    memory[at].push(next);
                }
            }
            if k < order {
                let step = S::whole(k + 1)?.inverse()?;
                for &(at, rate) in &self.moving {
                    let next = memory[rate][k].times(step);
                    memory[at].push(next);
                }
            }
        }
        Some(self.outputs.iter().map(|&o| memory[o].clone()).collect())
    }
}

/// The coefficient of order k of a node, those of lower order of all nodes being there.
fn coefficient<S: Scalar>(
    op: &Op,
    at: usize,
    k: usize,
    memory: &[Vec<S>],
    start: &[S],
) -> Option<S> {
    let zero = S::of(&Rational::ZERO)?;
    let convolve = |a: &[S], b: &[S], from: usize, to: usize| {
        (from..=to).fold(zero, |sum, i| sum.plus(a[i].times(b[k - i])))
    };
    Some(match op {
        Op::Constant(r) if k == 0 => S::of(r)?,
        Op::Given(g) | Op::Moving(g) | Op::Chain { start: g, .. } if k == 0 => start[*g],
        Op::Constant(_) | Op::Given(_) => zero,
        // What moves without a rate is time.
        Op::Moving(_) => match memory[at].get(k) {
            Some(known) => *known,
            None if k == 1 => S::whole(1)?,
            None => zero,
        },
        Op::Sum(c, terms) => {
            let first = if k == 0 { S::of(c)? } else { zero };
            let mut sum = first;
            for (t, r) in terms {
                sum = sum.plus(memory[*t][k].times(S::of(r)?));
            }
            sum
        }
        Op::Product(a, b) => convolve(&memory[*a], &memory[*b], 0, k),
        Op::Inverse(a) => {
            let first = memory[*a][0].inverse()?;
            match k {
                0 => first,
                _ => {
                    let sum = convolve(&memory[*a], &memory[at], 1, k);
                    sum.times(first).negative()?
                }
            }
        }
        Op::Root(a) => match k {
            0 => memory[*a][0].root()?,
            _ => {
                let inner = convolve(&memory[at], &memory[at], 1, k - 1).negative()?;
                let twice = memory[at][0].plus(memory[at][0]);
                memory[*a][k].plus(inner).times(twice.inverse()?)
            }
        },
        Op::Chain {
            argument,
            slope,
            negative,
            ..
        } => {
            let mut sum = zero;
            for i in 1..=k {
                let part = memory[*argument][i].times(memory[*slope][k - i]);
                sum = sum.plus(part.times(S::whole(i)?));
            }
            let value = sum.times(S::whole(k)?.inverse()?);
            if *negative { value.negative()? } else { value }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives of a function along x' = y, y' = -sin(x) + t y, by formulas.
    #[test]
    fn series_are_repeated_derivatives() {
        let [x, y] = ["x", "y"].map(Symbol::variable);
        let t = Symbol::time();
        let [ex, ey, et] = [&x, &y, &t].map(Expr::from);
        let rates = [(x.clone(), ey.clone()), (y.clone(), &et * &ey - ex.sin())];
        let f = (1 + ex.cos().powi(2)).sqrt() * ey.exp() / (2 + &et * &ex)
            + (1 + &ex * &ex).log()
            + ex.atan() * ey.cosh()
            + (&ex * &et).tanh()
            + ex.pow(&(&ey + 2));
        let at: Vec<(Symbol, Rational)> = [(&x, 3), (&y, -2), (&t, 1)]
            .map(|(s, n)| (s.clone(), Rational::new(n, 7)))
            .to_vec();
        let point: Vec<(Symbol, f64)> = at.iter().map(|(s, r)| (s.clone(), r.to_f64())).collect();
        let flow = Flow::new(std::slice::from_ref(&f), &rates).expect("a flow");
        let start = flow.values(&[], &at).expect("values");
        let series = flow.series(&start, 4).expect("a series");
        let (mut derivative, mut factorial) = (f, 1.0);
        for (k, found) in series[0].iter().enumerate() {
            let value = derivative.evaluate(&point).expect("a number") / factorial;
            let (found, room) = (found.0, 1e-12 * (1.0 + value.abs()));
            assert!(found.low - room <= value && value <= found.high + room);
            assert!(found.high - found.low < 1e-9, "order {k}: {found}");
            let along = rates.iter().map(|(s, r)| derivative.diff(s) * r);
            derivative = Expr::sum(along) + derivative.diff(&t);
            factorial *= (k + 1) as f64;
        }
    }

    /// An integral has no coefficient but its value, in every field.
    #[test]
    fn integrals_stay_constant() {
        let [x, y] = ["x", "y"].map(Symbol::variable);
        let [ex, ey] = [&x, &y].map(Expr::from);
        let rates = [(x.clone(), ey.clone()), (y.clone(), -ex.sin())];
        let energy = ey.powi(2) / 2 - ex.cos();
        let other = ey.powi(2) - ex.cos();
        let flow = Flow::new(&[energy, other], &rates).expect("a flow");
        let start = flow.residues(&[], 5).expect("a point");
        let series = flow.series(&start, 5).expect("a series");
        assert!(series[0][1..].iter().all(|c| c.is_zero()));
        assert!(!series[1][1..].iter().all(|c| c.is_zero()));
    }
}
