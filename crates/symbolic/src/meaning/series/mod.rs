//! Programs over power series: every operation becomes a recurrence for its coefficients.
//!
//! The meaning of a program here is a list of recurrences, which hold for coefficients of every kind.

pub(crate) mod flow;
mod recurrence;
mod scalar;

pub use flow::Flow;
pub use scalar::Scalar;

use super::{Lowering, Meaning, Op, Reading};
use crate::function::{Algebra, Function, Slope};
use crate::hash::Map;
use crate::{Expr, Rational, Symbol};
use recurrence::{Link, Recurrence};

/// A program has no recurrences.
pub(crate) struct NoSeries;

/// A function and the places of its starting value and that of its partner among what is given.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    function: Function,
    own: usize,
    partner: usize,
}

/// What is given at the start of a series: symbols and functions.
#[derive(Default)]
pub(crate) struct Given {
    all: Vec<Expr>,
    place: Map<Expr, usize>,
}

impl Given {
    fn add(&mut self, e: &Expr) -> usize {
        if let Some(&i) = self.place.get(e) {
            return i;
        }
        self.all.push(e.clone());
        self.place.insert(e.clone(), self.all.len() - 1);
        self.all.len() - 1
    }
}

impl Reading for Given {
    type Power = Rational;
    type Call = Start;
    type Error = NoSeries;

    fn symbol(&mut self, s: &Symbol) -> Result<Op<Rational, Start>, NoSeries> {
        Ok(Op::Input(self.add(&s.into())))
    }
    fn undefined(&mut self) -> Result<Op<Rational, Start>, NoSeries> {
        Err(NoSeries)
    }
    fn factors(
        &mut self,
        lowering: &mut Lowering<Self>,
        factors: &[(Expr, Rational)],
    ) -> Result<Box<[(usize, Rational)]>, NoSeries> {
        let factor = |(b, r): &(Expr, Rational)| (lowering.at(b), r.clone());
        Ok(factors.iter().map(factor).collect())
    }
    fn function(
        &mut self,
        lowering: &mut Lowering<Self>,
        f: Function,
        x: &[Expr],
    ) -> Result<Op<Rational, Start>, NoSeries> {
        let own = self.add(&f.apply(x));
        let partner = match f.slope(&mut Nothing, ()) {
            Some(Slope::Pair { sine, hyperbolic }) => {
                let (s, c) = Function::pair(hyperbolic);
                self.add(&if sine { c } else { s }.apply(x))
            }
            _ => own,
        };
        let start = Start {
            function: f,
            own,
            partner,
        };
        let second = x.get(1).unwrap_or(&x[0]);
        Ok(Op::Function(start, lowering.at(&x[0]), lowering.at(second)))
    }
}

/// Formulas that nobody computes, to ask for the kind of a derivative.
struct Nothing;

impl Algebra for Nothing {
    type Node = ();
    fn number(&mut self, _: i64) {}
    fn plus(&mut self, (): (), (): ()) {}
    fn minus(&mut self, (): (), (): ()) {}
    fn times(&mut self, (): (), (): ()) {}
    fn root(&mut self, (): ()) {}
}

/// The recurrences so far.
#[derive(Default)]
pub(crate) struct Recurrences {
    all: Vec<Recurrence>,
    /// Inverses and roots of series: they are dear, and the same ones occur in many products.
    inverses: Map<usize, usize>,
    roots: Map<usize, usize>,
    /// Functions by their starts.
    functions: Map<usize, usize>,
    /// The place of π among what is given.
    pi: usize,
}

/// A number, or a series by its place.
#[derive(Clone)]
pub(crate) enum Node {
    Number(Rational),
    Series(usize),
}

impl Recurrences {
    fn push(&mut self, r: Recurrence) -> usize {
        self.all.push(r);
        self.all.len() - 1
    }

    fn series(&mut self, node: &Node) -> usize {
        match node {
            Node::Series(i) => *i,
            Node::Number(r) => self.push(Recurrence::Constant(r.clone())),
        }
    }

    fn inverse(&mut self, of: usize) -> usize {
        if let Some(&known) = self.inverses.get(&of) {
            return known;
        }
        let new = self.push(Recurrence::Inverse(of));
        self.inverses.insert(of, new);
        new
    }

    fn square_root(&mut self, of: usize) -> usize {
        if let Some(&known) = self.roots.get(&of) {
            return known;
        }
        let new = self.push(Recurrence::Root(of));
        self.roots.insert(of, new);
        new
    }

    /// base^n for n > 0.
    fn natural_power(&mut self, base: usize, n: u64) -> usize {
        let (mut total, mut square, mut rest) = (None, base, n);
        loop {
            if rest & 1 == 1 {
                total = Some(match total {
                    Some(t) => self.push(Recurrence::Product(t, square)),
                    None => square,
                });
            }
            rest >>= 1;
            match total {
                Some(t) if rest == 0 => return t,
                _ => square = self.push(Recurrence::Product(square, square)),
            }
        }
    }

    /// y with y' = Σ slope·argument', starting as given.
    fn chain(&mut self, start: usize, links: Vec<Link>) -> usize {
        let at = self.push(Recurrence::Chain { start, links });
        self.functions.insert(start, at);
        at
    }

    /// The sine and the cosine of an angle, which point at each other.
    fn pair(&mut self, argument: usize, sine: usize, cosine: usize, hyperbolic: bool) {
        let next = self.all.len();
        let link = |slope: usize, negative: bool| {
            vec![Link {
                argument,
                slope,
                negative,
            }]
        };
        self.chain(sine, link(next + 1, false));
        self.chain(cosine, link(next, !hyperbolic));
    }

    /// The angle θ of (x, y): θ' = (x y' - y x')/(x² + y²).
    fn angle(&mut self, start: usize, y: usize, x: usize) -> usize {
        let (xx, yy) = (Algebra::times(self, x, x), Algebra::times(self, y, y));
        let square = Algebra::plus(self, xx, yy);
        let inverse = self.inverse(square);
        let (along, against) = (
            Algebra::times(self, x, inverse),
            Algebra::times(self, y, inverse),
        );
        let link = |argument, slope, negative| Link {
            argument,
            slope,
            negative,
        };
        self.chain(start, vec![link(y, along, false), link(x, against, true)])
    }

    fn call(&mut self, f: &Start, x: usize, y: usize) -> Result<usize, NoSeries> {
        if let Some(&known) = self.functions.get(&f.own) {
            return Ok(known);
        }
        if f.function == Function::Atan2 {
            return Ok(self.angle(f.own, x, y));
        }
        let slope = f.function.slope(self, x).ok_or(NoSeries)?;
        let own = self.all.len();
        let link = |slope, negative| {
            vec![Link {
                argument: x,
                slope,
                negative,
            }]
        };
        Ok(match slope {
            Slope::Itself => self.chain(f.own, link(own, false)),
            Slope::OneMinusSquare => {
                // 1 - y² follows.
                let at = self.chain(f.own, link(own + 2, false));
                let square = self.push(Recurrence::Product(at, at));
                let terms = vec![(square, Rational::from(-1))];
                self.push(Recurrence::Sum(Rational::ONE, terms));
                at
            }
            Slope::Over { divisor, negative } => {
                let slope = self.inverse(divisor);
                self.chain(f.own, link(slope, negative))
            }
            Slope::Pair { sine, hyperbolic } => {
                let (s, c) = if sine {
                    (f.own, f.partner)
                } else {
                    (f.partner, f.own)
                };
                self.pair(x, s, c, hyperbolic);
                if sine { own } else { own + 1 }
            }
        })
    }
}

impl Algebra for Recurrences {
    type Node = usize;
    fn number(&mut self, n: i64) -> usize {
        self.push(Recurrence::Constant(Rational::from(n)))
    }
    fn plus(&mut self, a: usize, b: usize) -> usize {
        let terms = vec![(a, Rational::ONE), (b, Rational::ONE)];
        self.push(Recurrence::Sum(Rational::ZERO, terms))
    }
    fn minus(&mut self, a: usize, b: usize) -> usize {
        let terms = vec![(a, Rational::ONE), (b, Rational::from(-1))];
        self.push(Recurrence::Sum(Rational::ZERO, terms))
    }
    fn times(&mut self, a: usize, b: usize) -> usize {
        self.push(Recurrence::Product(a, b))
    }
    fn root(&mut self, a: usize) -> usize {
        self.square_root(a)
    }
}

impl Meaning for Recurrences {
    type Value = Node;
    type Power = Rational;
    type Call = Start;
    type Miss = NoSeries;

    fn pi(&mut self) -> Node {
        Node::Series(self.push(Recurrence::Given(self.pi)))
    }
    /// The reading leaves it out.
    fn undefined(&mut self) -> Node {
        Node::Number(Rational::ZERO)
    }
    fn plus(&mut self, a: &Node, b: &Node) -> Node {
        let one = Node::Number(Rational::ONE);
        self.sum(
            &Node::Number(Rational::ZERO),
            [(&one, a), (&one, b)].into_iter(),
        )
    }
    fn times(&mut self, a: &Node, b: &Node) -> Node {
        match (a, b) {
            (Node::Number(r), Node::Number(s)) => Node::Number(r * s),
            (Node::Number(r), Node::Series(x)) | (Node::Series(x), Node::Number(r)) => {
                let terms = vec![(*x, r.clone())];
                Node::Series(self.push(Recurrence::Sum(Rational::ZERO, terms)))
            }
            (Node::Series(x), Node::Series(y)) => {
                Node::Series(self.push(Recurrence::Product(*x, *y)))
            }
        }
    }
    fn power(&mut self, _: usize, a: &Node, r: &Rational) -> Result<Node, NoSeries> {
        let (n, d) = r.as_small().ok_or(NoSeries)?;
        let mut base = self.series(a);
        match d {
            1 => {}
            2 => base = self.square_root(base),
            _ => return Err(NoSeries),
        }
        let mut power = self.natural_power(base, n.unsigned_abs().max(1));
        if n < 0 {
            power = self.inverse(power);
        }
        Ok(Node::Series(power))
    }
    fn function(&mut self, f: &Start, x: &Node, y: &Node) -> Result<Node, NoSeries> {
        let (x, y) = (self.series(x), self.series(y));
        Ok(Node::Series(self.call(f, x, y)?))
    }
    fn form(&mut self, _: &Start) -> Result<Node, NoSeries> {
        Err(NoSeries)
    }
    fn sum<'v>(
        &mut self,
        constant: &'v Node,
        terms: impl Iterator<Item = (&'v Node, &'v Node)>,
    ) -> Node {
        let (mut total, mut all) = match constant {
            Node::Number(r) => (r.clone(), Vec::new()),
            Node::Series(x) => (Rational::ZERO, vec![(*x, Rational::ONE)]),
        };
        for (weight, value) in terms {
            match (weight, value) {
                (Node::Number(w), Node::Number(r)) => total = &total + &(w * r),
                (Node::Number(w), Node::Series(x)) => all.push((*x, w.clone())),
                (Node::Series(w), value) => {
                    let value = self.series(value);
                    all.push((self.push(Recurrence::Product(*w, value)), Rational::ONE));
                }
            }
        }
        match all.is_empty() {
            true => Node::Number(total),
            false => Node::Series(self.push(Recurrence::Sum(total, all))),
        }
    }
}
