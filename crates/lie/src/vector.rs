//! Vectors of space.

use crate::scalar::Scalar;

pub(crate) type Vector<S> = [S; 3];

/// The first three entries of a list.
pub(crate) fn vector<S: Scalar>(x: &[S]) -> Vector<S> {
    [x[0].clone(), x[1].clone(), x[2].clone()]
}

/// a × b.
pub(crate) fn cross<S: Scalar>(a: &[S], b: &[S]) -> Vector<S> {
    let component = |i: usize, j: usize| a[i].clone() * &b[j] - a[j].clone() * &b[i];
    [component(1, 2), component(2, 0), component(0, 1)]
}

/// a · b.
pub(crate) fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a[0].clone() * &b[0] + a[1].clone() * &b[1] + a[2].clone() * &b[2]
}

/// |a|.
pub(crate) fn norm<S: Scalar>(a: &[S]) -> S {
    dot(a, a).sqrt()
}

/// a + k b.
pub(crate) fn add_scaled<S: Scalar>(a: &[S], k: &S, b: &[S]) -> Vector<S> {
    [0, 1, 2].map(|i| a[i].clone() + k.clone() * &b[i])
}

/// k a.
pub(crate) fn scaled<S: Scalar>(k: &S, a: &[S]) -> Vector<S> {
    [0, 1, 2].map(|i| k.clone() * &a[i])
}

/// v + a w×v + b w×(w×v): what functions of the cross product with w do to v.
pub(crate) fn rodrigues<S: Scalar>(w: &[S], a: &S, b: &S, v: &[S]) -> Vector<S> {
    let once = cross(w, v);
    let twice = cross(w, &once);
    add_scaled(&add_scaled(v, a, &once), b, &twice)
}
