//! What the file of a group says about it.

use crate::error::{ChartError, NoNearestElement};
use crate::scalar::Scalar;

/// Which trivialisation of TG a velocity uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trivialization {
    /// Left: g' = g·ξ, the body velocity.
    Body,
    /// Right: g' = ξ·g, the space velocity.
    Space,
}

/// The largest dimension of a group whose tangents depend on the point.
pub(crate) const LARGEST: usize = 6;

/// The polynomial that ad_x fulfils, θ being the angle of x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spectrum {
    /// ad = 0.
    Abelian,
    /// ad (ad² + θ²) = 0.
    Simple,
    /// ad (ad² + θ²)² = 0.
    Double,
}

/// The law of a group. Results are written into memory passed in, of the right length.
pub(crate) trait Law: Copy {
    /// The name of its family, such as `SO`.
    fn family(self) -> &'static str;
    /// Its number in the family: n of SO(n).
    fn number(self) -> usize;
    fn is_compact(self) -> bool;
    /// Whether the product of elements is the sum of their coordinates.
    fn is_vector_space(self) -> bool {
        false
    }
    /// dim G.
    fn dimension(self) -> usize;
    /// How many coordinates an element has.
    fn coordinates(self) -> usize;
    /// The size of the square matrices, where elements are matrices.
    fn matrix_size(self) -> Option<usize>;
    /// The size of the rotation in the matrix.
    fn rotation_size(self) -> Option<usize>;
    /// How many of the velocities are angular; they come first.
    fn angular(self) -> usize;
    fn spectrum(self) -> Spectrum;
    /// The angle θ of an element of the algebra, up to its sign.
    fn angle<S: Scalar>(self, x: &[S]) -> S;

    fn identity<S: Scalar>(self, out: &mut [S]);
    /// g h.
    fn product<S: Scalar>(self, g: &[S], h: &[S], out: &mut [S]);
    /// g⁻¹.
    fn inverse<S: Scalar>(self, g: &[S], out: &mut [S]);
    /// The tangent vector at the identity with velocity x.
    fn hat<S: Scalar>(self, x: &[S], out: &mut [S]);
    /// The velocity of a tangent vector at the identity.
    fn vee<S: Scalar>(self, tangent: &[S], out: &mut [S]);
    /// g v for the body, v g for the space: a tangent vector moved by g.
    fn translate<S: Scalar>(self, side: Trivialization, g: &[S], tangent: &[S], out: &mut [S]) {
        match side {
            Trivialization::Body => self.product(g, tangent, out),
            Trivialization::Space => self.product(tangent, g, out),
        }
    }
    /// [x, y].
    fn bracket<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]);
    /// Ad_g x = g x g⁻¹.
    fn adjoint<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]);

    /// g exp(x).
    fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]);
    /// The x of smallest angle with exp(x) = g.
    fn log<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError>;
    /// (1 − x/2)⁻¹(1 + x/2).
    fn cayley<S: Scalar>(self, x: &[S], out: &mut [S]);
    /// 2(g − 1)(g + 1)⁻¹.
    fn cayley_inverse<S: Scalar>(self, g: &[S], out: &mut [S]) -> Result<(), ChartError>;
    /// (1 − x/2)⁻¹ y (1 + x/2)⁻¹.
    fn dcay<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]);
    /// (1 − x/2) y (1 + x/2) = y − [x, y]/2 − x y x/4.
    fn dcay_inverse<S: Scalar>(self, x: &[S], y: &[S], out: &mut [S]);

    /// Functions of the coordinates that vanish exactly on the group, together with orientation.
    fn relations<S: Scalar>(self, g: &[S]) -> Vec<S>;
    /// Functions that vanish on the group, and with the relations on nothing else.
    fn orientation<S: Scalar>(self, _: &[S]) -> Vec<S> {
        Vec::new()
    }
    /// A rational map onto a dense part of the group: rotations by c, positions by themselves.
    fn rational_chart<S: Scalar>(self, c: &[S]) -> Vec<S>;
    /// The c of an element in the rational chart.
    fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S>;
    /// Signs of the coordinates, each choice of which is a rational chart elsewhere: all cover the group.
    fn chart_signs(self) -> Vec<Vec<i64>>;
    /// The rotation about a unit axis by an angle, where elements are no matrices.
    fn turn_about<S: Scalar>(self, _: &[S], _: &S) -> Option<Vec<S>> {
        None
    }
    /// Moves to the nearest element of the group.
    fn project(self, g: &mut [f64]) -> Result<(), NoNearestElement>;
    /// The largest violation of the equations of the group.
    fn distance(self, g: &[f64]) -> f64;
    /// The velocity nearest to g⁻¹g', for rates that may leave the group.
    fn nearest_velocity(self, g: &[f64], rates: &[f64], out: &mut [f64]);
}
