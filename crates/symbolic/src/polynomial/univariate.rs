//! Dense polynomials in one variable over a prime field, lowest power first.

use crate::prove::field::{Element, Field};

/// Drops leading zeros.
pub(crate) fn trim(p: &mut Vec<Element>) {
    while p.last().is_some_and(|c| c.is_zero()) {
        p.pop();
    }
}

/// The monic greatest common divisor; empty if both are zero.
pub(crate) fn gcd(field: &Field, mut a: Vec<Element>, mut b: Vec<Element>) -> Vec<Element> {
    trim(&mut a);
    trim(&mut b);
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while !b.is_empty() {
        if b.len() == 1 {
            return vec![field.one];
        }
        remainder(field, &mut a, &b);
        std::mem::swap(&mut a, &mut b);
    }
    if let Some(inverse) = a.last().and_then(|c| field.invert(*c)) {
        for c in &mut a {
            *c = field.mul(*c, inverse);
        }
    }
    a
}

/// `a mod b` in place; `b` is trimmed and not zero.
fn remainder(field: &Field, a: &mut Vec<Element>, b: &[Element]) {
    let Some(inverse) = b.last().and_then(|c| field.invert(*c)) else {
        return;
    };
    while a.len() >= b.len() {
        let shift = a.len() - b.len();
        if let Some(&lead) = a.last()
            && !lead.is_zero()
        {
            let q = field.mul(lead, inverse);
            for (i, c) in b.iter().enumerate() {
                a[shift + i] = field.sub(a[shift + i], field.mul(q, *c));
            }
        }
        a.pop();
    }
    trim(a);
}

/// The polynomial of least degree with the given values at distinct points (Newton's form, expanded).
pub(crate) fn interpolate(
    field: &Field,
    points: &[Element],
    values: &[Element],
) -> Option<Vec<Element>> {
    let n = points.len();
    let mut table = values.to_vec();
    for k in 1..n {
        for i in (k..n).rev() {
            let span = field.invert(field.sub(points[i], points[i - k]))?;
            table[i] = field.mul(field.sub(table[i], table[i - 1]), span);
        }
    }
    // Horner on the Newton basis.
    let mut p: Vec<Element> = Vec::with_capacity(n);
    for i in (0..n).rev() {
        p.push(Element::ZERO);
        for j in (1..p.len()).rev() {
            p[j] = field.sub(p[j - 1], field.mul(points[i], p[j]));
        }
        p[0] = field.negate(field.mul(points[i], p[0]));
        p[0] = field.add(p[0], table[i]);
    }
    trim(&mut p);
    Some(p)
}

/// The cₘ with `Σ cₘ·nodesₘ^t = values_t` for t = 1, 2, …; `None` if two nodes coincide or one is zero.
pub(crate) fn solve_vandermonde(
    field: &Field,
    nodes: &[Element],
    values: &[Element],
) -> Option<Vec<Element>> {
    let n = nodes.len();
    // Π (z - node), lowest power first.
    let mut master = vec![field.one];
    for &node in nodes {
        master.push(Element::ZERO);
        for j in (1..master.len()).rev() {
            master[j] = field.sub(master[j - 1], field.mul(node, master[j]));
        }
        master[0] = field.negate(field.mul(node, master[0]));
    }
    let mut solution = Vec::with_capacity(n);
    let mut quotient = vec![Element::ZERO; n];
    for &node in nodes {
        // master/(z - node) by synthetic division, and its value at the node.
        let mut carry = Element::ZERO;
        for j in (0..n).rev() {
            carry = field.add(master[j + 1], field.mul(node, carry));
            quotient[j] = carry;
        }
        let mut scale = Element::ZERO;
        for c in quotient.iter().rev() {
            scale = field.add(*c, field.mul(node, scale));
        }
        let mut total = Element::ZERO;
        for (c, v) in quotient.iter().zip(values) {
            total = field.add(total, field.mul(*c, *v));
        }
        // The values start at the first power, hence the node once more.
        solution.push(field.mul(total, field.invert(field.mul(scale, node))?));
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::random::Random;

    fn setup() -> (Field, Random) {
        let mut random = Random::new(11);
        (Field::random(&mut random, 1, &[]).unwrap(), random)
    }

    fn value(f: &Field, p: &[Element], x: Element) -> Element {
        p.iter()
            .rev()
            .fold(Element::ZERO, |v, c| f.add(*c, f.mul(x, v)))
    }

    #[test]
    fn interpolation_inverts_evaluation() {
        let (f, mut r) = setup();
        let p: Vec<_> = (0..6).map(|_| f.draw(&mut r)).collect();
        let points: Vec<_> = (0..8).map(|_| f.draw(&mut r)).collect();
        let values: Vec<_> = points.iter().map(|x| value(&f, &p, *x)).collect();
        assert_eq!(interpolate(&f, &points, &values).unwrap(), p);
    }

    #[test]
    fn vandermonde_systems_are_solved() {
        let (f, mut r) = setup();
        let nodes: Vec<_> = (0..5).map(|_| f.draw(&mut r)).collect();
        let c: Vec<_> = (0..5).map(|_| f.draw(&mut r)).collect();
        let values: Vec<_> = (1..=5)
            .map(|t| {
                nodes.iter().zip(&c).fold(Element::ZERO, |s, (n, c)| {
                    f.add(s, f.mul(*c, f.power(*n, t)))
                })
            })
            .collect();
        assert_eq!(solve_vandermonde(&f, &nodes, &values).unwrap(), c);
    }

    #[test]
    fn common_factors_are_found() {
        let (f, mut r) = setup();
        let times = |a: &[Element], b: &[Element]| {
            let mut p = vec![Element::ZERO; a.len() + b.len() - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    p[i + j] = f.add(p[i + j], f.mul(*x, *y));
                }
            }
            p
        };
        let mut draw = |n| -> Vec<_> { (0..n).map(|_| f.draw(&mut r)).collect() };
        let (a, b, mut c) = (draw(4), draw(3), draw(3));
        c.push(f.one);
        assert_eq!(gcd(&f, times(&a, &c), times(&b, &c)), c);
    }
}
