//! Sums of vectors as a person writes them: axes gathered, signs in front.

use super::group::skew;
use crate::document::Vector;
use crate::symbolic::{Expr, Matrix};

/// A matrix times a vector: a cross product where the matrix is skew.
pub fn applied(matrix: &Matrix, v: &Vector) -> Vector {
    let axis = [(2, 1), (0, 2), (1, 0)].map(|p| matrix[p].clone());
    let lengths: Vec<&Expr> = axis.iter().filter(|e| !e.is_zero()).collect();
    match (skew(&axis) == *matrix, &lengths[..]) {
        (true, [length]) => {
            let unit = axis.iter().map(|e| Expr::from(i64::from(!e.is_zero())));
            let unit = Vector::Column(unit.collect());
            match length.split_coefficient().0.is_negative() {
                true => v.clone().cross(unit).scaled(-*length),
                false => unit.cross(v.clone()).scaled((*length).clone()),
            }
        }
        (true, _) => Vector::Column(axis.to_vec()).cross(v.clone()),
        _ => Vector::Table(matrix.clone()).times(v.clone()),
    }
}

/// Terms along the axes as one column, where there are several: a [1, 0, 0] + b [0, 1, 0] is [a, b, 0].
fn gathered(terms: Vec<(Expr, Vector)>) -> Vec<(Expr, Vector)> {
    let mut columns: Vec<(Option<Vector>, Vec<Expr>, usize)> = Vec::new();
    let mut out = Vec::new();
    let mut lone = Vec::new();
    for (c, v) in terms {
        let Some((axis, factor, behind)) = along_axis(&v) else {
            out.push((c, v));
            continue;
        };
        let place = columns.iter().position(|(b, ..)| *b == behind);
        let place = place.unwrap_or_else(|| {
            columns.push((behind, vec![Expr::zero(); 3], 0));
            columns.len() - 1
        });
        columns[place].1[axis] += c.clone() * factor;
        columns[place].2 += 1;
        lone.push((place, c, v));
    }
    for (place, (behind, components, count)) in columns.into_iter().enumerate() {
        if count == 1 {
            let own = lone.iter().filter(|(p, ..)| *p == place);
            out.extend(own.map(|(_, c, v)| (c.clone(), v.clone())));
            continue;
        }
        let column = Vector::Column(components);
        let vector = match behind {
            Some(b) => column.cross(b),
            None => column,
        };
        out.push((Expr::one(), vector));
    }
    out
}

/// The axis, the factor and what stands behind the cross: u [0, 1, 0] × w.
fn along_axis(v: &Vector) -> Option<(usize, Expr, Option<Vector>)> {
    match v {
        Vector::Column(c) => {
            let axis = c.iter().position(Expr::is_one)?;
            let only = c.iter().filter(|e| !e.is_zero()).count() == 1;
            only.then_some((axis, Expr::one(), None))
        }
        Vector::Scaled(s, v) => {
            let (axis, factor, behind) = along_axis(v)?;
            Some((axis, s * factor, behind))
        }
        Vector::Cross(a, b) => match along_axis(a)? {
            (axis, factor, None) if along_axis(b).is_none() => {
                Some((axis, factor, Some((**b).clone())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Terms with their signs in front.
pub fn signed(terms: Vec<(Expr, Vector)>) -> Vector {
    let terms = gathered(terms);
    let signed = terms.into_iter().map(|(c, v)| {
        let (number, _) = c.split_coefficient();
        match (number.is_negative(), turned(&v)) {
            (true, Some(turned)) => (false, turned.scaled(-c)),
            (true, None) => (true, v.scaled(-c)),
            (false, _) => (false, v.scaled(c)),
        }
    });
    let mut all: Vec<(bool, Vector)> = signed.collect();
    // What is added leads.
    if let Some(first) = all.iter().position(|(negative, _)| !negative) {
        all[..=first].rotate_right(1);
    }
    Vector::Sum(all)
}

/// The negative of a cross product is the product the other way round.
fn turned(v: &Vector) -> Option<Vector> {
    match v {
        Vector::Cross(a, b) => Some(Vector::Cross(b.clone(), a.clone())),
        Vector::Times(m, v) => Some((**m).clone().times(turned(v)?)),
        _ => None,
    }
}
