//! Separation of variables for a Hamiltonian: the test of Levi-Civita, then the pieces (HJ-C15).

use crate::exact::tidy;
use crate::roots::square_root;
use crate::{Answer, Function};
use rattleback_symbolic::{Expr, Symbol, expand, prove_all_zero};

/// One separated equation: the momentum of one coordinate as a function of it alone.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The coordinate.
    pub coordinate: Symbol,
    /// p² as a function of the coordinate and the constants; `None` where p is a constant itself.
    pub square: Option<Expr>,
    /// W' = p, on the branch with the plus sign.
    pub momentum: Expr,
}

/// W = Σ W_i(q_i) with the constants of separation.
#[derive(Clone, Debug)]
pub struct Separated {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The energy E and the constants of separation, in the order they were introduced.
    pub constants: Vec<Symbol>,
    /// Each constant as a function of positions and momenta: the first integrals.
    pub integrals: Vec<Expr>,
}

/// Levi-Civita: for i ≠ j, with lower indices derivatives in q and upper ones in p,
/// H^i H^j H_ij + H_i H_j H^ij − H^i H_j H_i^j − H_i H^j H^i_j = 0.
pub fn levi_civita(h: &Expr, q: &[Symbol], p: &[Symbol]) -> Answer {
    let mut gaps = Vec::new();
    for i in 0..q.len() {
        for j in i + 1..q.len() {
            let (hi, hj) = (h.diff(&q[i]), h.diff(&q[j]));
            let (ui, uj) = (h.diff(&p[i]), h.diff(&p[j]));
            let gap = &ui * &uj * hi.diff(&q[j]) + &hi * &hj * ui.diff(&p[j])
                - &ui * &hj * hi.diff(&p[j])
                - &hi * &uj * ui.diff(&q[j]);
            gaps.push(gap);
        }
    }
    Answer::vanish(&gaps, prove_all_zero(&gaps), Function::LeviCivita)
}

/// F(q, p) = 0 for the coordinates that are not separated yet.
struct Problem {
    equation: Expr,
    /// The constants of the equation, E first, as functions of (q, p).
    open: Vec<(Symbol, Symbol)>,
    pieces: Vec<Piece>,
    constants: Vec<Symbol>,
    integrals: Vec<Expr>,
}

/// The pieces of H(q, p) = E, one coordinate after the other: cyclic ones have a constant momentum;
/// else a factor m(q) with m F = f(q_i) p_i² + u(q_i) + (the others) is looked for. `names` are the
/// constants to use, E first.
pub fn separate(h: &Expr, q: &[Symbol], p: &[Symbol], names: &[Symbol]) -> Option<Separated> {
    let energy = names.first()?.clone();
    let mut problem = Problem {
        equation: h - &energy,
        open: q.iter().cloned().zip(p.iter().cloned()).collect(),
        pieces: Vec::new(),
        constants: vec![energy],
        integrals: vec![h.clone()],
    };
    let mut names = names[1..].iter();
    while problem.open.len() > 1 {
        let step = problem.cyclic().or_else(|| problem.isolated())?;
        problem.take(step, names.next()?);
    }
    problem.last()?;
    let mut pieces = problem.pieces;
    pieces.sort_by_key(|piece| q.iter().position(|s| *s == piece.coordinate));
    Some(Separated {
        pieces,
        constants: problem.constants,
        integrals: problem.integrals,
    })
}

enum Step {
    Cyclic(usize),
    /// m F = own(q_i, p_i) + others.
    Isolated {
        i: usize,
        own: Expr,
        others: Expr,
    },
}

impl Problem {
    fn cyclic(&self) -> Option<Step> {
        let free = |(q, _): &(Symbol, Symbol)| {
            !self.equation.contains(q) || prove_all_zero(&[self.equation.diff(q)]).is_proven()
        };
        self.open.iter().position(free).map(Step::Cyclic)
    }

    /// The coordinate whose part is shortest and, if there is one, free of the energy.
    fn isolated(&self) -> Option<Step> {
        let key = |step: &Step| match step {
            Step::Isolated { i, own, .. } => {
                let at_rest = own.substitute(&[(self.open[*i].1.clone(), Expr::zero())]);
                let with_energy = own.contains(&self.constants[0]);
                (with_energy, !tidy(&at_rest).is_zero(), own.node_count())
            }
            Step::Cyclic(_) => (false, false, 0),
        };
        (0..self.open.len())
            .filter_map(|i| self.isolate(i))
            .min_by_key(key)
    }

    fn isolate(&self, i: usize) -> Option<Step> {
        let (q, p) = &self.open[i];
        let others: Vec<&(Symbol, Symbol)> = self.open.iter().filter(|(x, _)| x != q).collect();
        let weight = |p: &Symbol| tidy(&(self.equation.diff(p).diff(p) / 2));
        let own_weight = weight(p);
        let other_weight = weight(&others.iter().find(|(_, p)| !weight(p).is_zero())?.1);
        if own_weight.is_zero()
            || self
                .equation
                .diff(p)
                .contains_any(others.iter().map(|(_, p)| p))
        {
            return None;
        }
        let ratio = tidy(&(&own_weight / &other_weight));
        let mut best: Option<(Expr, Expr)> = None;
        for value in [Expr::zero(), Expr::one(), Expr::pi() / 2, Expr::ratio(1, 2)] {
            let there: Vec<(Symbol, Expr)> = others
                .iter()
                .map(|(q, _)| (q.clone(), value.clone()))
                .collect();
            let f = tidy(&ratio.substitute(&there));
            if f.is_undefined() || f.is_zero() {
                continue;
            }
            let scaled = tidy(&(&self.equation * &f / &own_weight));
            // Additive: mixed derivatives in (q, p) of i and of the others vanish.
            let mixed: Vec<Expr> = [q, p]
                .into_iter()
                .flat_map(|a| {
                    let slope = scaled.diff(a);
                    others
                        .iter()
                        .flat_map(move |(b, c)| [slope.diff(b), slope.diff(c)])
                        .collect::<Vec<_>>()
                })
                .collect();
            if !prove_all_zero(&mixed).is_proven() {
                return None;
            }
            let mut rest = there;
            rest.extend(others.iter().map(|(_, p)| (p.clone(), Expr::zero())));
            let own = expand(&scaled.substitute(&rest));
            if own.is_undefined() {
                continue;
            }
            // Constants belong to the others.
            let own = own
                .terms()
                .into_iter()
                .filter(|t| t.contains(q) || t.contains(p));
            let own = tidy(&Expr::sum(own));
            if best
                .as_ref()
                .is_none_or(|(o, _)| own.node_count() < o.node_count())
            {
                best = Some((own, scaled));
            }
        }
        best.map(|(own, scaled)| Step::Isolated {
            i,
            others: tidy(&expand(&(&scaled - &own))),
            own,
        })
    }

    fn take(&mut self, step: Step, name: &Symbol) {
        let constant = Expr::from(name);
        match step {
            Step::Cyclic(i) => {
                let (q, p) = self.open.remove(i);
                self.equation = self.equation.substitute(&[(p.clone(), constant.clone())]);
                self.integrals.push(Expr::from(&p));
                self.pieces.push(Piece {
                    coordinate: q,
                    square: None,
                    momentum: constant,
                });
            }
            Step::Isolated { i, own, others } => {
                let (q, p) = self.open.remove(i);
                // own = c and others = −c; without a potential own = c²/2, so that p is c times a
                // function.
                let free = tidy(&own.substitute(&[(p.clone(), Expr::zero())])).is_zero();
                let constant = match free {
                    true => constant.powi(2) / 2,
                    false => constant,
                };
                let known: Vec<(Symbol, Expr)> = self
                    .constants
                    .iter()
                    .cloned()
                    .zip(self.integrals.iter().cloned())
                    .collect();
                let integral = own.substitute(&known);
                self.equation = &others + &constant;
                if free {
                    let root = square_root(&tidy(&(2 * &own / Expr::from(&p).powi(2))));
                    self.integrals.push(tidy(&(Expr::from(&p) * &root)));
                    let momentum = tidy(&(Expr::from(name) / root));
                    self.pieces.push(Piece {
                        square: Some(tidy(&momentum.powi(2))),
                        coordinate: q,
                        momentum,
                    });
                } else {
                    self.integrals.push(tidy(&integral));
                    self.pieces.extend(solved(&(own - &constant), q, &p));
                }
            }
        }
        self.constants.push(name.clone());
    }

    fn last(&mut self) -> Option<()> {
        if let Some((q, p)) = self.open.pop() {
            self.pieces.push(solved(&self.equation, q, &p)?);
        }
        (self.pieces.len() == self.integrals.len()).then_some(())
    }
}

/// p from F(q, p) = 0, quadratic in p.
fn solved(f: &Expr, q: Symbol, p: &Symbol) -> Option<Piece> {
    let parts = f.coefficients(p).ok()?;
    let (c, b, a) = match parts.as_slice() {
        [c, b, a] => (c.clone(), b.clone(), a.clone()),
        _ => return None,
    };
    if tidy(&b).is_zero() {
        let square = tidy(&-(c / a));
        return Some(Piece {
            momentum: square_root(&square),
            coordinate: q,
            square: Some(square),
        });
    }
    let shift = -(&b / (2 * &a));
    let square = tidy(&(shift.powi(2) - c / a));
    Some(Piece {
        momentum: tidy(&(shift + square_root(&square))),
        coordinate: q,
        square: Some(square),
    })
}
