//! Expressions as instructions.

use super::builder::Builder;
use super::op::{Block, Program, Slot, System};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{Expr, Function, Kind, MissingInput, Rational, Symbol, postorder};
use std::collections::HashMap;

/// Sums longer than this are added up in two halves, so that the additions overlap.
const LONGEST_CHAIN: usize = 8;

impl Program {
    /// The program that works out `outputs`, after `stages`, from the values of `inputs`. The symbols
    /// in `constants` are replaced by numbers.
    ///
    /// ```
    /// use rattleback_compile::program::{Interpreter, Program};
    /// use rattleback_symbolic::{Expr, Symbol};
    /// let x = Symbol::variable("x");
    /// let e = Expr::from(&x);
    /// let program = Program::new(&[x], &[], &[], &[e.sin() / e.powi(2)]).unwrap();
    /// let value = Interpreter::new(program).values(&[2.0]).unwrap()[0];
    /// assert_eq!(value, 2f64.sin() / 4.0);
    /// ```
    pub fn new(
        inputs: &[Symbol],
        constants: &[(Symbol, f64)],
        stages: &[Stage],
        outputs: &[Expr],
    ) -> Result<Program, MissingInput> {
        let mut lower = Lower::new(inputs, constants);
        for stage in stages {
            lower.stage(stage)?;
        }
        lower.expressions(outputs)?;
        let outputs = outputs.iter().map(|e| lower.place[e]).collect();
        Ok(lower.builder.finish(outputs))
    }
}

/// The translation under way.
struct Lower {
    builder: Builder,
    place: HashMap<Expr, Slot>,
    symbols: HashMap<Symbol, Slot>,
}

impl Lower {
    fn new(inputs: &[Symbol], constants: &[(Symbol, f64)]) -> Self {
        let mut builder = Builder::new(inputs.len());
        let mut symbols = HashMap::with_capacity(inputs.len() + constants.len());
        for (i, s) in inputs.iter().enumerate() {
            symbols.insert(s.clone(), builder.push(super::Op::Input(i as u32)));
        }
        for (s, value) in constants {
            symbols.insert(s.clone(), builder.constant(*value));
        }
        Self {
            builder,
            place: HashMap::new(),
            symbols,
        }
    }

    fn stage(&mut self, stage: &Stage) -> Result<(), MissingInput> {
        let unknowns = stage.unknowns();
        let names: Vec<String> = unknowns.iter().map(ToString::to_string).collect();
        let system = match stage {
            Stage::Linear { matrix, rhs, .. } => {
                self.expressions(matrix.entries())?;
                self.expressions(rhs)?;
                let slots = |all: &[Expr]| all.iter().map(|e| self.place[e]).collect::<Vec<_>>();
                let (matrix, rhs) = (slots(matrix.entries()), slots(rhs));
                System::Linear {
                    symmetric: is_symmetric(&matrix, rhs.len()),
                    matrix,
                    rhs,
                }
            }
            Stage::Implicit { residuals, .. } => self.implicit(unknowns, residuals)?,
        };
        let solution = self.builder.solve(Block {
            unknowns: names.join(", "),
            system,
        });
        self.symbols.extend(unknowns.iter().cloned().zip(solution));
        Ok(())
    }

    fn implicit(&self, unknowns: &[Symbol], residuals: &[Expr]) -> Result<System, MissingInput> {
        let mut used: Vec<Symbol> = residuals
            .iter()
            .flat_map(Expr::free_symbols)
            .filter(|s| !unknowns.contains(s))
            .collect();
        used.sort();
        used.dedup();
        let known = used
            .iter()
            .map(|s| self.symbol(s))
            .collect::<Result<_, _>>()?;
        let jacobian = residuals.iter().flat_map(|r| r.gradient(unknowns));
        let all: Vec<Expr> = jacobian.chain(residuals.iter().cloned()).collect();
        let inputs = [&used, unknowns].concat();
        Ok(System::Implicit {
            known,
            size: unknowns.len(),
            newton: Box::new(Program::new(&inputs, &[], &[], &all)?),
        })
    }

    fn symbol(&self, s: &Symbol) -> Result<Slot, MissingInput> {
        let slot = self.symbols.get(s).copied();
        slot.ok_or_else(|| MissingInput(s.clone()))
    }

    /// Translates expressions and all that is below them.
    fn expressions(&mut self, all: &[Expr]) -> Result<(), MissingInput> {
        let order = postorder(all, |e| !self.place.contains_key(e));
        let sharing = Sharing::of(&order);
        for e in order {
            let slot = self.expression(&e, &sharing)?;
            self.place.insert(e, slot);
        }
        Ok(())
    }

    fn expression(&mut self, e: &Expr, sharing: &Sharing) -> Result<Slot, MissingInput> {
        let b = &mut self.builder;
        Ok(match e.kind() {
            Kind::Number(r) => b.constant(r.to_f64()),
            Kind::Pi => b.constant(std::f64::consts::PI),
            Kind::Undefined => b.constant(f64::NAN),
            Kind::Symbol(s) => self.symbol(s)?,
            Kind::Sum(c, terms) => {
                let terms: Vec<(Slot, f64)> = terms
                    .iter()
                    .map(|(t, c)| (self.place[t], c.to_f64()))
                    .collect();
                sum(b, c.to_f64(), &terms)
            }
            Kind::Scaled(c, x) => {
                let c = b.constant(c.to_f64());
                b.mul(c, self.place[x])
            }
            Kind::Product(factors) => self.product(factors, sharing),
            Kind::Function(Function::Atan2, x) => b.atan2(self.place[&x[0]], self.place[&x[1]]),
            Kind::Function(f, x) => b.function(*f, self.place[&x[0]]),
        })
    }

    /// Π base^exponent: one numerator, one denominator, pairs that other products share first.
    fn product(&mut self, factors: &[(Expr, Rational)], sharing: &Sharing) -> Slot {
        let (mut above, mut below, mut inverses) = (Vec::new(), Vec::new(), Vec::new());
        for (base, exponent) in factors {
            let slot = self.place[base];
            if !exponent.is_negative() {
                above.push((slot, base, power(&mut self.builder, slot, exponent)));
            } else {
                let value = power(&mut self.builder, slot, &-exponent);
                if sharing.divides_often(base) {
                    inverses.push(self.builder.recip(value));
                } else {
                    below.push((slot, base, value));
                }
            }
        }
        let numerator = sharing.multiply(&mut self.builder, above);
        let denominator = sharing.multiply(&mut self.builder, below);
        let b = &mut self.builder;
        let mut result = match (numerator, denominator) {
            (Some(n), Some(d)) => Some(b.div(n, d)),
            (None, Some(d)) => Some(b.recip(d)),
            (n, None) => n,
        };
        for inverse in inverses {
            result = Some(match result {
                Some(r) => b.mul(r, inverse),
                None => inverse,
            });
        }
        result.unwrap_or_else(|| b.constant(1.0))
    }
}

fn is_symmetric(matrix: &[Slot], n: usize) -> bool {
    (0..n).all(|i| (0..i).all(|j| matrix[i * n + j] == matrix[j * n + i]))
}

/// base^exponent for a positive exponent.
fn power(b: &mut Builder, base: Slot, exponent: &Rational) -> Slot {
    let twice = exponent * &Rational::from(2);
    match twice.as_integer().and_then(|k| u64::try_from(k).ok()) {
        Some(k) if k <= 64 => b.half_power(base, k),
        _ => b.power(base, exponent.to_f64()),
    }
}

/// constant + Σ c·t. Terms with the same coefficient are added up before they are multiplied by it:
/// the products among them are then rounded together with the additions.
fn sum(b: &mut Builder, constant: f64, terms: &[(Slot, f64)]) -> Slot {
    let mut groups: Vec<(f64, Vec<(Slot, bool)>)> = Vec::new();
    for &(t, c) in terms {
        let signed = (t, c < 0.0);
        match groups.iter_mut().find(|(size, _)| *size == c.abs()) {
            Some((_, group)) => group.push(signed),
            None => groups.push((c.abs(), vec![signed])),
        }
    }
    // What needs no factor comes first: it starts the chain without a multiplication.
    groups.sort_by_key(|(size, _)| *size != 1.0);
    let mut total = b.constant(constant);
    for (size, group) in groups {
        if size == 1.0 {
            total = signed_sum(b, total, &group);
            continue;
        }
        let minus = group.iter().all(|(_, negative)| *negative);
        let group: Vec<(Slot, bool)> = group.iter().map(|&(t, n)| (t, n != minus)).collect();
        let zero = b.constant(0.0);
        let inner = signed_sum(b, zero, &group);
        let size = b.constant(size);
        let product = b.mul(size, inner);
        total = if minus {
            b.sub(total, product)
        } else {
            b.add(total, product)
        };
    }
    total
}

/// start + Σ ±t, long sums in two halves.
fn signed_sum(b: &mut Builder, start: Slot, terms: &[(Slot, bool)]) -> Slot {
    if terms.len() > LONGEST_CHAIN {
        let (first, second) = terms.split_at(terms.len() / 2);
        let x = signed_sum(b, start, first);
        let zero = b.constant(0.0);
        let y = signed_sum(b, zero, second);
        return b.add(x, y);
    }
    // A positive term first saves a negation.
    let first = terms
        .iter()
        .position(|(_, negative)| !negative)
        .unwrap_or(0);
    let rest = terms.iter().enumerate().filter(|(i, _)| *i != first);
    let order = std::iter::once(&terms[first]).chain(rest.map(|(_, t)| t));
    order.fold(start, |total, &(t, negative)| {
        if negative {
            b.sub(total, t)
        } else {
            b.add(total, t)
        }
    })
}

/// What the products of a program have in common.
struct Sharing {
    pairs: HashMap<(Expr, Expr), u32>,
    divisors: HashMap<Expr, u32>,
}

impl Sharing {
    fn of(expressions: &[Expr]) -> Self {
        let mut pairs: HashMap<(Expr, Expr), u32> = HashMap::new();
        let mut divisors: HashMap<Expr, u32> = HashMap::new();
        for e in expressions {
            let Kind::Product(factors) = e.kind() else {
                continue;
            };
            for (base, _) in factors.iter().filter(|(_, r)| r.is_negative()) {
                *divisors.entry(base.clone()).or_default() += 1;
            }
            if factors.len() > 16 || factors.len() < 2 {
                continue;
            }
            for (i, (a, _)) in factors.iter().enumerate() {
                for (b, _) in &factors[i + 1..] {
                    *pairs.entry((a.clone(), b.clone())).or_default() += 1;
                }
            }
        }
        Self { pairs, divisors }
    }

    fn divides_often(&self, base: &Expr) -> bool {
        self.divisors.get(base).is_some_and(|&n| n > 1)
    }

    /// The product of powers of bases, the most popular pair first.
    fn multiply(&self, b: &mut Builder, mut factors: Vec<(Slot, &Expr, Slot)>) -> Option<Slot> {
        let mut product = None;
        if factors.len() > 2 {
            let popularity = |x: &Expr, y: &Expr| {
                let count = self.pairs.get(&(x.clone(), y.clone()));
                count.copied().unwrap_or(0)
            };
            let all = (0..factors.len()).flat_map(|i| (i + 1..factors.len()).map(move |j| (i, j)));
            let best = all.max_by_key(|&(i, j)| {
                let p = popularity(factors[i].1, factors[j].1);
                (p, std::cmp::Reverse((i, j)))
            });
            if let Some((i, j)) = best {
                let (second, first) = (factors.remove(j), factors.remove(i));
                product = Some(b.mul(first.2, second.2));
            }
        }
        for (_, _, value) in factors {
            product = Some(match product {
                Some(p) => b.mul(p, value),
                None => value,
            });
        }
        product
    }
}
