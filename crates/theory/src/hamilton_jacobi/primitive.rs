//! Antiderivatives in closed form: logarithms of the factors that occur, and elementary terms.

use crate::exact::tidy;
use rattleback_symbolic::{
    Expr, Function, Kind, Matrix, Rational, Sign, Symbol, expand, free_symbols, postorder,
    prove_zero, solve,
};

/// f with f'/f = c, as a product of powers of the factors that occur in `c` and in `hints`, which are
/// positive functions: roots are taken of factors in the sign in which they occur there.
///
/// The exponents solve a linear system at some points and are proven everywhere.
pub(crate) fn logarithmic(c: &Expr, u: &Symbol, hints: &[Expr]) -> Option<Expr> {
    if c.is_zero() {
        return Some(Expr::one());
    }
    if !c.contains(u) {
        return Some((c * u).exp());
    }
    let positive = positive_factors(hints);
    let mut atoms = factors_with(&[std::slice::from_ref(c), hints].concat(), u);
    for atom in &mut atoms {
        let turned = expand(&-&*atom);
        if positive.contains(&turned) || is_negative_on_samples(atom) {
            *atom = turned;
        }
    }
    // Few factors first: more of them may depend on each other.
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for size in 1..=3.min(atoms.len()) {
        sets = sets
            .iter()
            .filter(|set| set.len() + 1 == size)
            .flat_map(|set| {
                let first = set.last().map_or(0, |i| i + 1);
                (first..atoms.len()).map(move |i| [set.as_slice(), &[i]].concat())
            })
            .collect();
        for set in &sets {
            let chosen: Vec<Expr> = set.iter().map(|&i| atoms[i].clone()).collect();
            if let Some(f) = fit(c, u, &chosen) {
                return Some(f);
            }
        }
    }
    None
}

/// Is it negative wherever it was looked at, all symbols positive?
fn is_negative_on_samples(e: &Expr) -> bool {
    let symbols = e.free_symbols();
    (0..6).all(|n| {
        let at = |i: usize| 0.3 + ((n * 7 + i * 5) % 11) as f64 / 8.0;
        let known: Vec<(Symbol, f64)> = symbols
            .iter()
            .enumerate()
            .map(|(i, s)| (s.clone(), at(i)))
            .collect();
        e.evaluate(&known).is_ok_and(|v| v < 0.0)
    })
}

/// Where a positive function has one factor whose sign is not known, that factor is positive.
fn positive_factors(hints: &[Expr]) -> Vec<Expr> {
    let open_factor = |e: &Expr| {
        let (number, core) = e.split_coefficient();
        let items = match core.kind() {
            Kind::Product(items) => items.to_vec(),
            _ => vec![(core, Rational::ONE)],
        };
        let half = Rational::new(1, 2);
        let mut open = items
            .into_iter()
            .filter(|(b, r)| b.sign() != Sign::Positive && !(r * &half).is_integer());
        let (factor, _) = open.next()?;
        let sign = if number.is_negative() { -1 } else { 1 };
        open.next().is_none().then(|| expand(&(sign * factor)))
    };
    hints.iter().filter_map(open_factor).collect()
}

/// The distinct factors of products and denominators that contain u, without their powers.
fn factors_with(all: &[Expr], u: &Symbol) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    let mut add = |e: &Expr| {
        let (_, core) = e.split_coefficient();
        let plain = !matches!(core.kind(), Kind::Product(_) | Kind::Number(_));
        if plain && core.contains(u) && core.node_count() < 60 && !found.contains(&core) {
            found.push(core);
        }
    };
    for e in all {
        add(e);
        for node in postorder(std::slice::from_ref(e), |_| true) {
            match node.kind() {
                Kind::Product(items) => items.iter().for_each(|(b, _)| add(b)),
                Kind::Function(Function::Sin | Function::Cos, x) if x[0].contains(u) => {
                    add(&x[0].sin());
                    add(&x[0].cos());
                }
                _ => {}
            }
        }
    }
    found.sort_by_cached_key(|e| (e.node_count(), e.to_string()));
    found.truncate(10);
    found
}

/// Exponents α_k with Σ α_k D_k'/D_k = c.
fn fit(c: &Expr, u: &Symbol, atoms: &[Expr]) -> Option<Expr> {
    let n = atoms.len();
    let slopes: Vec<Expr> = atoms.iter().map(|d| d.diff(u) / d).collect();
    let at = |e: &Expr, j: usize| {
        let point = Expr::ratio(2 * j as i64 + 3, 7 + j as i64);
        e.substitute(&[(u.clone(), point)])
    };
    let matrix = Matrix::new(n, n, |j, k| at(&slopes[k], j));
    let right: Vec<Expr> = (0..n).map(|j| at(c, j)).collect();
    let exponents = match rational_solution(&matrix, &right) {
        Some(found) => found,
        None => {
            let solved = solve(&matrix, &Matrix::column_vector(&right)).ok()?;
            solved.solution.column(0).iter().map(tidy).collect()
        }
    };
    if exponents.iter().any(|a| !a.is_constant()) {
        return None;
    }
    let sum = Expr::sum(exponents.iter().zip(&slopes).map(|(a, s)| a * s));
    if !prove_zero(&(sum - c)).is_proven() {
        return None;
    }
    let powers = exponents
        .iter()
        .zip(atoms)
        .map(|(a, d)| match a.as_number() {
            Some(r) => d.powr(r),
            None => d.pow(a),
        });
    Some(tidy(&Expr::product(powers)))
}

/// Small multiples of one half by trial, where the values are numbers times sines and cosines that
/// exact elimination would not simplify. What fits at one choice of the parameters is proven later.
fn rational_solution(matrix: &Matrix, right: &[Expr]) -> Option<Vec<Expr>> {
    let n = right.len();
    if n > 3 {
        return None;
    }
    let all = [matrix.entries(), right].concat();
    let known: Vec<(Symbol, f64)> = free_symbols(&all)
        .into_iter()
        .enumerate()
        .map(|(i, s)| (s, 0.37 + 0.23 * i as f64))
        .collect();
    let values: Option<Vec<f64>> = all.iter().map(|e| e.evaluate(&known).ok()).collect();
    let values = values.filter(|v| v.iter().all(|x| x.is_finite()))?;
    let (entries, sides) = values.split_at(n * n);
    let choices: Vec<i64> = (-4..=4).collect();
    let total = choices.len().pow(n as u32);
    for code in 0..total {
        let mut rest = code;
        let halves: Vec<i64> = (0..n)
            .map(|_| {
                let choice = choices[rest % choices.len()];
                rest /= choices.len();
                choice
            })
            .collect();
        let fits = sides.iter().enumerate().all(|(j, side)| {
            let row = &entries[j * n..(j + 1) * n];
            let sum: f64 = row
                .iter()
                .zip(&halves)
                .map(|(m, h)| m * *h as f64 / 2.0)
                .sum();
            (sum - side).abs() <= 1e-9 * (1.0 + side.abs())
        });
        if fits {
            return Some(halves.iter().map(|&h| Expr::ratio(h, 2)).collect());
        }
    }
    None
}

/// F with F' = f: powers of u, sines, cosines and exponentials of multiples of u, and c·D'/D.
pub(crate) fn primitive(f: &Expr, u: &Symbol) -> Option<Expr> {
    let mut total = Expr::zero();
    for term in expand(f).terms() {
        total += term_primitive(&term, u)?;
    }
    prove_zero(&(total.diff(u) - f))
        .is_proven()
        .then(|| tidy(&total))
}

fn term_primitive(term: &Expr, u: &Symbol) -> Option<Expr> {
    if !term.contains(u) {
        return Some(term * u);
    }
    let (number, core) = term.split_coefficient();
    let items = match core.kind() {
        Kind::Product(items) => items.to_vec(),
        _ => vec![(core, Rational::ONE)],
    };
    let (moving, fixed): (Vec<_>, Vec<_>) = items.into_iter().partition(|(b, _)| b.contains(u));
    let scale = Expr::power_product(fixed) * Expr::from(number);
    let [(base, power)] = moving.as_slice() else {
        return None;
    };
    let one = Rational::ONE;
    if base.as_symbol() == Some(u) {
        let next = power + &one;
        return Some(match next.is_zero() {
            true => scale * Expr::from(u).log(),
            false => scale * Expr::from(u).powr(&next) / Expr::from(&next),
        });
    }
    // (a u + b)^r
    if let Ok(parts) = base.coefficients(u)
        && let [_, slope] = parts.as_slice()
    {
        let next = power + &one;
        return Some(match next.is_zero() {
            true => scale * base.log() / slope,
            false => scale * base.powr(&next) / (slope * Expr::from(&next)),
        });
    }
    let Kind::Function(function, x) = base.kind() else {
        return None;
    };
    let slope = x[0].diff(u);
    if slope.contains(u) || !power.is_one() {
        return None;
    }
    Some(match function {
        Function::Sin => -(scale * x[0].cos()) / slope,
        Function::Cos => scale * x[0].sin() / slope,
        Function::Exp => scale * base / slope,
        _ => return None,
    })
}
