//! Expressions as instructions.

use super::builder::Builder;
use super::factors::{Factors, power};
use super::op::{Block, Program, Slot, System};
use rattleback_mechanics::Stage;
use rattleback_symbolic::{
    Expr, Function, Kind, MissingInput, Rational, Symbol, Wide, postorder, precise,
};
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
        for part in stages.iter().flat_map(Stage::parts) {
            lower.stage(&part)?;
        }
        lower.expressions(outputs)?;
        let outputs = outputs.iter().map(|e| lower.place[e]).collect();
        Ok(lower.builder.finish(outputs))
    }
}

/// A sum that is this part of its terms has lost as many digits; so has a function that changes as many times faster
/// than its argument.
const CANCELLED: f64 = 1e-4;
/// By which part an argument is changed to see it.
const NUDGE: f64 = 1e-9;
/// Powers that together are this high leave the range of numbers by factors of two alone.
const HIGH_POWER: f64 = 64.0;

/// The translation under way.
struct Lower {
    builder: Builder,
    place: HashMap<Expr, Slot>,
    /// The values of expressions without other symbols than constants: what they are made of may be beyond the range
    /// of numbers where they are not.
    numbers: HashMap<Expr, Wide>,
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
            numbers: HashMap::new(),
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
        for e in &order {
            if let Some(x) = self.constant(e)? {
                let slot = self.builder.constant(x.to_f64());
                self.place.insert(e.clone(), slot);
                self.numbers.insert(e.clone(), x);
            }
        }
        self.sharpen(&order);
        let mut factors = Factors::default();
        let open = || order.iter().filter(|e| !self.place.contains_key(e));
        open().for_each(|e| self.collect(e, &mut factors));
        all.iter().for_each(|e| self.collect_value(e, &mut factors));
        factors.share();
        for e in &order {
            if self.place.contains_key(e) {
                continue;
            }
            if let Kind::Product(powers) = e.kind() {
                // Products are worked out where they are used, together with their coefficients.
                for (base, _) in powers {
                    self.value(base, &factors);
                }
            } else {
                let slot = self.expression(e, &factors)?;
                self.place.insert(e.clone(), slot);
            }
        }
        for e in all {
            self.value(e, &factors);
        }
        Ok(())
    }

    /// The value of an expression without other symbols than constants.
    fn constant(&self, e: &Expr) -> Result<Option<Wide>, MissingInput> {
        let mut is_constant = true;
        e.kind()
            .for_each_child(|child| is_constant &= self.number(child).is_some());
        if !is_constant {
            return Ok(None);
        }
        Ok(Some(match e.kind() {
            Kind::Number(r) => Wide::of(r),
            Kind::Pi => Wide::from(std::f64::consts::PI),
            Kind::Undefined => Wide::from(f64::NAN),
            Kind::Symbol(s) => {
                let number = self.builder.number(self.symbol(s)?);
                return Ok(number.map(Wide::from));
            }
            Kind::Sum(c, terms) => terms
                .iter()
                .fold(Wide::of(c), |sum, (t, c)| sum + self.constant_term(c, t)),
            Kind::Scaled(c, x) => self.constant_term(c, x),
            Kind::Product(_) => self.split(e).0,
            Kind::Function(f, x) => {
                let value = |x: &Expr| self.number(x).unwrap_or(Wide::from(f64::NAN));
                f.wide(&x.iter().map(value).collect::<Vec<_>>())
            }
        }))
    }

    /// Gives constants the digits back that floating-point arithmetic has lost.
    fn sharpen(&mut self, order: &[Expr]) {
        let constant = |e: &&Expr| self.numbers.contains_key(*e) && !is_exact(e);
        let constants: Vec<Expr> = order.iter().filter(constant).cloned().collect();
        if !constants.iter().any(|e| self.loses_digits(e)) {
            return;
        }
        let numbers = order.iter().filter_map(|e| {
            let symbol = e.as_symbol()?.clone();
            Some((symbol, self.number(e)?.to_f64()))
        });
        let values: Vec<(Symbol, f64)> = numbers.collect();
        for (e, sharp) in constants.iter().zip(precise(&values, &constants)) {
            if let Some(x) = sharp {
                self.place.insert(e.clone(), self.builder.constant(x));
                self.numbers.insert(e.clone(), Wide::from(x));
            }
        }
    }

    /// Is a constant a difference of what is nearly equal, or a function of an argument whose last digits it depends on?
    fn loses_digits(&self, e: &Expr) -> bool {
        let value = |e: &Expr| self.number(e).map_or(f64::NAN, Wide::to_f64);
        let here = value(e).abs();
        match e.kind() {
            Kind::Sum(c, terms) => {
                let parts = terms.iter().map(|(t, c)| (c.to_f64() * value(t)).abs());
                here < CANCELLED * (c.to_f64().abs() + parts.sum::<f64>())
            }
            Kind::Function(f, x) => {
                let nudged: Vec<f64> = x.iter().map(|x| value(x) * (1.0 + NUDGE)).collect();
                let change = (f.evaluate(&nudged).abs() - here).abs();
                change.is_nan() || change * CANCELLED > NUDGE * here
            }
            _ => false,
        }
    }

    fn number(&self, e: &Expr) -> Option<Wide> {
        self.numbers.get(e).copied()
    }

    /// c·x for an expression without other symbols than constants.
    fn constant_term(&self, c: &Rational, x: &Expr) -> Wide {
        Wide::of(c) * self.number(x).unwrap_or(Wide::from(f64::NAN))
    }

    /// A product as the number and the powers in it.
    fn split<'e>(&self, e: &'e Expr) -> (Wide, Powers<'e>) {
        let Kind::Product(factors) = e.kind() else {
            return (Wide::from(1.0), vec![(e, &Rational::ONE)]);
        };
        let mut number = Wide::from(1.0);
        let mut powers = Vec::with_capacity(factors.len());
        for (base, exponent) in factors {
            match self.number(base) {
                Some(x) => number = number * real_power(x, exponent),
                None => powers.push((base, exponent)),
            }
        }
        (number, powers)
    }

    /// Notes the products that the translation of an expression asks for.
    fn collect(&self, e: &Expr, factors: &mut Factors) {
        match e.kind() {
            Kind::Sum(c, terms) => {
                for group in self.groups(c, terms).groups {
                    let size = group.inner_size();
                    let terms = group.terms.iter();
                    terms.for_each(|(t, _)| factors.add(size, t, &self.split(t).1));
                }
            }
            Kind::Scaled(c, x) => {
                let (number, powers) = self.split(x);
                let number = Wide::of(c) * number;
                if !number.is_extreme() {
                    factors.add(number.to_f64().abs(), x, &powers);
                }
            }
            kind => kind.for_each_child(|child| self.collect_value(child, factors)),
        }
    }

    fn collect_value(&self, e: &Expr, factors: &mut Factors) {
        if matches!(e.kind(), Kind::Product(_)) && !self.place.contains_key(e) {
            let (number, powers) = self.split(e);
            if !number.is_extreme() {
                factors.add(number.to_f64().abs(), e, &powers);
            }
        }
    }

    /// The terms of a sum by the size of their coefficients, beside what is constant.
    ///
    /// Terms with the same coefficient are added up before they are multiplied by it: the products
    /// among them are then rounded together with the additions.
    fn groups(&self, constant: &Rational, terms: &[(Expr, Rational)]) -> Grouped {
        let mut constant = Wide::of(constant);
        let mut groups: Vec<Group> = Vec::new();
        let mut extreme = Vec::new();
        for (t, c) in terms {
            if self.number(t).is_some() {
                constant = constant + self.constant_term(c, t);
                continue;
            }
            let coefficient = Wide::of(c) * self.split(t).0;
            if coefficient.is_extreme() {
                extreme.push((t.clone(), coefficient));
                continue;
            }
            let coefficient = coefficient.to_f64();
            let (size, signed) = (coefficient.abs(), (t.clone(), coefficient < 0.0));
            match groups.iter_mut().find(|group| group.size == size) {
                Some(group) => group.terms.push(signed),
                None => groups.push(Group {
                    size,
                    terms: vec![signed],
                }),
            }
        }
        Grouped {
            constant: constant.to_f64(),
            groups,
            extreme,
        }
    }

    /// The value of an expression of which the parts are there.
    fn value(&mut self, e: &Expr, factors: &Factors) -> Slot {
        if let Some(&slot) = self.place.get(e) {
            return slot;
        }
        let slot = self.scaled(self.split(e).0, e, factors);
        self.place.insert(e.clone(), slot);
        slot
    }

    /// A number times the powers in a product.
    fn scaled(&mut self, number: Wide, e: &Expr, factors: &Factors) -> Slot {
        if number.is_extreme() {
            return self.spread(number, e);
        }
        let number = number.to_f64();
        let term = (number.abs().to_bits(), e.clone());
        let slot = factors.multiply(&mut self.builder, &term, &self.place);
        if number < 0.0 {
            self.builder.neg(slot)
        } else {
            slot
        }
    }

    /// c·Π bᵢ^rᵢ as (c·2^(−nk))·Π (2^(±k)·bᵢ)^rᵢ with n = Σ|rᵢ|: neither c nor the product of the powers needs to
    /// be in the range of numbers. Of high powers even 2^(±n/2) may leave it: there the n-th root of c is spread.
    fn spread(&mut self, number: Wide, e: &Expr) -> Slot {
        let (_, powers) = self.split(e);
        let weight: f64 = powers.iter().map(|(_, r)| r.abs().to_f64()).sum();
        if weight >= HIGH_POWER {
            return self.spread_root(number, powers, weight);
        }
        let k = (number.exponent() as f64 / weight).round() as i64;
        let half = Rational::from(1) / Rational::from(2);
        let mut rest = number;
        let mut factors = Vec::with_capacity(powers.len());
        for (base, r) in powers {
            // Roots stay as they are, but for square roots.
            let twice = (r / &half).as_integer();
            let k = if twice.is_some() { k / 2 * 2 } else { 0 };
            let moved = twice.map_or(0, |twice| (k / 2).saturating_mul(twice.abs()));
            rest = rest.times_power_of_two(-moved);
            let k = if r.is_negative() { -k } else { k };
            factors.push((base.clone(), r.clone(), k));
        }
        let b = &mut self.builder;
        let mut product = b.constant(rest.to_f64());
        for (base, r, k) in factors {
            let scale = b.constant(Wide::from(1.0).times_power_of_two(k).to_f64());
            let base = b.mul(scale, self.place[&base]);
            product = if r.is_negative() {
                let below = power(b, base, &-r);
                b.div(product, below)
            } else {
                let above = power(b, base, &r);
                b.mul(product, above)
            };
        }
        product
    }

    /// c·Π bᵢ^rᵢ as ±Π (s^(±1)·bᵢ)^rᵢ with s^n = |c|.
    fn spread_root(&mut self, number: Wide, powers: Powers<'_>, weight: f64) -> Slot {
        let exponent = number.exponent();
        let mantissa = number.times_power_of_two(-exponent).to_f64();
        let root = ((exponent as f64 + mantissa.abs().log2()) / weight).exp2();
        let b = &mut self.builder;
        let mut product = b.constant(mantissa.signum());
        for (base, r) in powers {
            let scale = b.constant(if r.is_negative() { root.recip() } else { root });
            let base = b.mul(scale, self.place[base]);
            let raised = power(b, base, &r.abs());
            product = match r.is_negative() {
                true => b.div(product, raised),
                false => b.mul(product, raised),
            };
        }
        product
    }

    fn expression(&mut self, e: &Expr, factors: &Factors) -> Result<Slot, MissingInput> {
        Ok(match e.kind() {
            Kind::Symbol(s) => self.symbol(s)?,
            Kind::Sum(c, terms) => self.sum(c, terms, factors),
            Kind::Scaled(c, x) => self.scaled(Wide::of(c) * self.split(x).0, x, factors),
            Kind::Function(Function::Atan2, x) => {
                let [y, x] = [self.value(&x[0], factors), self.value(&x[1], factors)];
                self.builder.atan2(y, x)
            }
            Kind::Function(Function::Power, x) => {
                let [base, exponent] = [self.value(&x[0], factors), self.value(&x[1], factors)];
                self.builder.power_of(base, exponent)
            }
            Kind::Function(f, x) => {
                let x = self.value(&x[0], factors);
                self.builder.function(*f, x)
            }
            // Numbers are in place before.
            _ => self.value(e, factors),
        })
    }

    /// constant + Σ c·t
    fn sum(&mut self, constant: &Rational, terms: &[(Expr, Rational)], factors: &Factors) -> Slot {
        let Grouped {
            constant,
            groups,
            extreme,
        } = self.groups(constant, terms);
        let mut signed: Vec<(Slot, bool)> = Vec::with_capacity(terms.len());
        for (t, coefficient) in &extreme {
            signed.push((self.spread(*coefficient, t), false));
        }
        for group in &groups {
            let size = group.inner_size();
            let terms = group.terms.iter();
            let parts: Vec<(Slot, bool)> = terms
                .map(|(t, negative)| (self.scaled(Wide::from(size), t, factors), *negative))
                .collect();
            if size == group.size {
                signed.extend(parts);
                continue;
            }
            let b = &mut self.builder;
            let minus = parts.iter().all(|(_, negative)| *negative);
            let parts: Vec<(Slot, bool)> = parts.iter().map(|&(t, n)| (t, n != minus)).collect();
            let zero = b.constant(0.0);
            let inner = signed_sum(b, zero, &parts);
            let size = b.constant(group.size);
            signed.push((b.mul(size, inner), minus));
        }
        // What is used as it stands comes first: it starts the chain without a multiplication.
        let b = &mut self.builder;
        signed.sort_by_key(|(slot, _)| matches!(b.ops[*slot as usize], super::Op::Mul(..)));
        let start = b.constant(constant);
        signed_sum(b, start, &signed)
    }
}

/// A product's powers, without the numbers in it.
type Powers<'e> = Vec<(&'e Expr, &'e Rational)>;

/// A sum in parts.
struct Grouped {
    constant: f64,
    groups: Vec<Group>,
    /// Terms whose coefficients are near the ends of the range of numbers, or beyond.
    extreme: Vec<(Expr, Wide)>,
}

/// Terms ±t with one size of their coefficients.
struct Group {
    size: f64,
    /// The terms, and whether they are subtracted.
    terms: Vec<(Expr, bool)>,
}

impl Group {
    /// What each term is multiplied by before they are added up.
    fn inner_size(&self) -> f64 {
        if self.terms.len() == 1 {
            self.size
        } else {
            1.0
        }
    }
}

fn is_symmetric(matrix: &[Slot], n: usize) -> bool {
    (0..n).all(|i| (0..i).all(|j| matrix[i * n + j] == matrix[j * n + i]))
}

/// x^exponent, by multiplications and a root where they do.
fn real_power(x: Wide, exponent: &Rational) -> Wide {
    let narrow = x.to_f64();
    let plain = plain_power(narrow, exponent);
    match exponent.as_integer() {
        // Numbers below the normal ones have lost digits, which a root would bring into view.
        _ if narrow.is_normal() && plain.is_normal() => Wide::from(plain),
        Some(power) => x.powi(power),
        None => x.powf(exponent.to_f64()),
    }
}

fn plain_power(x: f64, exponent: &Rational) -> f64 {
    match (exponent * &Rational::from(2)).as_integer() {
        Some(twice) if twice.abs() <= 128 => {
            let whole = x.powi(twice.div_euclid(2) as i32);
            if twice % 2 == 0 {
                whole
            } else {
                whole * x.sqrt()
            }
        }
        _ => x.powf(exponent.to_f64()),
    }
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

fn is_exact(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Number(_) | Kind::Symbol(_) | Kind::Pi)
}
