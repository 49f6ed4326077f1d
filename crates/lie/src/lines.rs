//! R(n): vectors under addition. Every chart is the identity.

use crate::error::{ChartError, NoNearestElement};
use crate::law::{Law, Spectrum, Trivialization};
use crate::scalar::Scalar;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines(pub usize);

impl Law for Lines {
    fn family(self) -> &'static str {
        "R"
    }
    fn number(self) -> usize {
        self.0
    }
    fn is_compact(self) -> bool {
        false
    }
    fn is_vector_space(self) -> bool {
        true
    }
    fn dimension(self) -> usize {
        self.0
    }
    fn coordinates(self) -> usize {
        self.0
    }
    fn matrix_size(self) -> Option<usize> {
        None
    }
    fn rotation_size(self) -> Option<usize> {
        None
    }
    fn angular(self) -> usize {
        0
    }
    fn spectrum(self) -> Spectrum {
        Spectrum::Abelian
    }
    fn angle<S: Scalar>(self, _: &[S]) -> S {
        S::zero()
    }

    fn identity<S: Scalar>(self, out: &mut [S]) {
        out.fill(S::zero());
    }
    fn product<S: Scalar>(self, g: &[S], h: &[S], out: &mut [S]) {
        for ((out, g), h) in out.iter_mut().zip(g).zip(h) {
            *out = g.clone() + h;
        }
    }
    fn inverse<S: Scalar>(self, g: &[S], out: &mut [S]) {
        for (out, g) in out.iter_mut().zip(g) {
            *out = -g.clone();
        }
    }
    fn hat<S: Scalar>(self, x: &[S], out: &mut [S]) {
        out.clone_from_slice(x);
    }
    fn vee<S: Scalar>(self, tangent: &[S], out: &mut [S]) {
        out.clone_from_slice(tangent);
    }
    fn translate<S: Scalar>(self, _: Trivialization, _: &[S], tangent: &[S], out: &mut [S]) {
        out.clone_from_slice(tangent);
    }
    fn bracket<S: Scalar>(self, _: &[S], _: &[S], out: &mut [S]) {
        out.fill(S::zero());
    }
    fn adjoint<S: Scalar>(self, _: &[S], x: &[S], out: &mut [S]) {
        out.clone_from_slice(x);
    }

    fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        self.product(g, x, out);
    }
    fn log<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        out.clone_from_slice(g);
        Ok(())
    }
    fn cayley<S: Scalar>(self, x: &[S], out: &mut [S]) {
        out.clone_from_slice(x);
    }
    fn cayley_inverse<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError> {
        self.log(g, out)
    }
    fn dcay<S: Scalar>(self, _: &[S], y: &[S], out: &mut [S]) {
        out.clone_from_slice(y);
    }
    fn dcay_inverse<S: Scalar>(self, _: &[S], y: &[S], out: &mut [S]) {
        out.clone_from_slice(y);
    }

    fn relations<S: Scalar>(self, _: &[S]) -> Vec<S> {
        Vec::new()
    }
    fn rational_chart<S: Scalar>(self, c: &[S]) -> Vec<S> {
        c.to_vec()
    }
    fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S> {
        g.to_vec()
    }
    fn chart_signs(self) -> Vec<Vec<i64>> {
        vec![vec![1; self.0]]
    }
    fn project(self, _: &mut [f64]) -> Result<(), NoNearestElement> {
        Ok(())
    }
    fn distance(self, _: &[f64]) -> f64 {
        0.0
    }
    fn nearest_velocity(self, _: &[f64], rates: &[f64], out: &mut [f64]) {
        out.copy_from_slice(rates);
    }
}
