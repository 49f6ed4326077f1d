//! The Lie groups by name, each with its law.

use crate::error::{ChartError, NoNearestElement};
use crate::law::{LARGEST, Law, Spectrum, Trivialization};
use crate::lines::Lines;
use crate::planar::Planar;
use crate::quaternion::UnitQuaternions;
use crate::scalar::Scalar;
use crate::spatial::Spatial;
use crate::tangent;
use std::fmt;

/// Writes the type of the groups, and `with_law!`, which names the law of one in an expression.
///
/// Groups with a law each come first, then families with a law for each n. `$d` is a dollar sign,
/// which the macro inside needs.
macro_rules! groups {
    (
        $d:tt
        $($(#[$about:meta])* $group:ident => $law:expr,)*
        ;
        $($(#[$about_all:meta])* $family:ident($n:ident) => $member:expr,)*
    ) => {
        /// A Lie group. An element is the list of its matrix entries row by row, or of its components.
        ///
        /// ```
        /// use rattleback_lie::Group;
        /// assert_eq!((Group::SE3.dimension(), Group::SE3.coordinates()), (6, 16));
        /// assert_eq!(Group::R(2).to_string(), "R(2)");
        /// assert!(Group::ALL.into_iter().all(|g| Group::named(g.family(), g.number()) == Some(g)));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Group {
            $($(#[$about])* $group,)*
            $($(#[$about_all])* $family(usize),)*
        }

        impl Group {
            /// Every group; of those with any n the one with 2.
            pub const ALL: [Group; [$(stringify!($group),)* $(stringify!($family),)*].len()] =
                [$(Group::$group,)* $(Group::$family(2),)*];

            /// The families that have a group for each n.
            const FAMILIES: &[fn(usize) -> Group] = &[$(Group::$family,)*];
        }

        macro_rules! with_law {
            ($d group:expr, $d name:ident => $d value:expr) => {
                match $d group {
                    $(Group::$group => {
                        let $d name = $law;
                        $d value
                    })*
                    $(Group::$family($n) => {
                        let $d name = $member;
                        $d value
                    })*
                }
            };
        }
    };
}

groups! {
    $
    /// Rotations of the plane, 2×2.
    SO2 => Planar { moves: false },
    /// Rotations of space, 3×3.
    SO3 => Spatial { moves: false },
    /// Rigid motions of the plane, 3×3; velocities (angular, x, y).
    SE2 => Planar { moves: true },
    /// Rigid motions of space, 4×4; velocities (angular, linear).
    SE3 => Spatial { moves: true },
    /// Unit quaternions, real part first; g' = g·(0, w)/2 for the body velocity w.
    SU2 => UnitQuaternions,
    ;
    /// The vectors with n entries, under addition.
    R(n) => Lines(n),
}

/// A list of zeros to write a result into.
fn zeros<S: Scalar>(n: usize) -> Vec<S> {
    vec![S::zero(); n]
}

/// ⟨m, v⟩.
pub(crate) fn pairing<S: Scalar>(m: &[S], v: &[S]) -> S {
    let terms = m.iter().zip(v).map(|(m, v)| m.clone() * v);
    terms.fold(S::zero(), |sum, t| sum + t)
}

/// Names.
impl Group {
    /// The group of a family name and a number, such as `SO` and 3.
    pub fn named(family: &str, n: usize) -> Option<Group> {
        let of_any_size = Self::FAMILIES.iter().map(|of| of(n));
        let mut all = Self::ALL.into_iter().chain(of_any_size);
        all.find(|g| n > 0 && (g.family(), g.number()) == (family, n))
    }

    /// The name of its family, such as `SO`.
    pub fn family(self) -> &'static str {
        with_law!(self, law => law.family())
    }

    /// Its number in the family: n of SO(n).
    pub fn number(self) -> usize {
        with_law!(self, law => law.number())
    }
}

/// Sizes and properties.
impl Group {
    /// dim G: how many velocities there are.
    pub fn dimension(self) -> usize {
        with_law!(self, law => law.dimension())
    }

    /// The size of the square matrices, or `None` for groups that are not stored as matrices.
    pub fn matrix_size(self) -> Option<usize> {
        with_law!(self, law => law.matrix_size())
    }

    /// The size of the rotation in the corner of the matrix, or `None` without matrices.
    pub fn rotation_size(self) -> Option<usize> {
        with_law!(self, law => law.rotation_size())
    }

    /// How many coordinates an element has.
    pub fn coordinates(self) -> usize {
        with_law!(self, law => law.coordinates())
    }

    /// How many of the velocities are angular; they come first.
    pub fn angular_velocities(self) -> usize {
        with_law!(self, law => law.angular())
    }

    /// Whether all elements commute.
    pub fn is_abelian(self) -> bool {
        with_law!(self, law => law.spectrum() == Spectrum::Abelian)
    }

    /// Whether the group is compact.
    pub fn is_compact(self) -> bool {
        with_law!(self, law => law.is_compact())
    }

    /// Whether the product of elements is the sum of their coordinates.
    pub fn is_vector_space(self) -> bool {
        with_law!(self, law => law.is_vector_space())
    }

    /// Whether the last row of an element is that of the identity: motions as matrices.
    pub fn has_fixed_row(self) -> bool {
        self.matrix_size() != self.rotation_size()
    }
}

/// Elements.
impl Group {
    /// The coordinates of the identity.
    pub fn identity<S: Scalar>(self) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.identity(&mut out));
        out
    }

    /// The product g h.
    pub fn product<S: Scalar>(self, g: &[S], h: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.product(g, h, &mut out));
        out
    }

    /// The inverse: transposes for rotations, the conjugate for unit quaternions.
    pub fn inverse<S: Scalar>(self, g: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.inverse(g, &mut out));
        out
    }

    /// Functions of the coordinates that vanish exactly on the group (together with orientation).
    pub fn relations<S: Scalar>(self, g: &[S]) -> Vec<S> {
        with_law!(self, law => law.relations(g))
    }

    /// Functions that vanish on the group, and together with the relations on nothing else: which of
    /// the two components of the orthogonal matrices it is.
    pub fn orientation<S: Scalar>(self, g: &[S]) -> Vec<S> {
        with_law!(self, law => law.orientation(g))
    }

    /// A dense rational parametrisation by `dimension` free numbers: a function on the group
    /// vanishes iff it vanishes after this substitution. Angular parameters come first; positions
    /// are their own parameters.
    pub fn rational_chart<S: Scalar>(self, parameters: &[S]) -> Vec<S> {
        with_law!(self, law => law.rational_chart(parameters))
    }

    /// The parameters of an element in the rational chart.
    pub fn rational_parameters<S: Scalar>(self, g: &[S]) -> Vec<S> {
        with_law!(self, law => law.rational_parameters(g))
    }

    /// Signs of the coordinates: each choice turns the rational chart by a half turn, or to the other
    /// pole; together they cover the group.
    pub fn chart_signs(self) -> Vec<Vec<i64>> {
        with_law!(self, law => law.chart_signs())
    }

    /// The rotation about a unit axis by an angle, for groups whose elements are no matrices.
    pub fn turn_about<S: Scalar>(self, axis: &[S], angle: &S) -> Option<Vec<S>> {
        with_law!(self, law => law.turn_about(axis, angle))
    }

    /// Replaces the coordinates by those of the nearest element.
    pub fn project(self, g: &mut [f64]) -> Result<(), NoNearestElement> {
        with_law!(self, law => law.project(g))
    }

    /// The largest violation of the equations of the group: RᵀR = 1, det R = 1, the last row of a
    /// motion, |g| = 1.
    pub fn distance(self, g: &[f64]) -> f64 {
        with_law!(self, law => law.distance(g))
    }
}

/// Velocities.
impl Group {
    /// The tangent vector at the identity with velocity ξ, in coordinates.
    pub fn hat<S: Scalar>(self, x: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.hat(x, &mut out));
        out
    }

    /// The velocity of a tangent vector at the identity.
    pub fn vee<S: Scalar>(self, tangent: &[S]) -> Vec<S> {
        let mut out = zeros(self.dimension());
        with_law!(self, law => law.vee(tangent, &mut out));
        out
    }

    /// g·v for the body side, v·g for the space side: a tangent vector moved by a translation.
    pub fn translate<S: Scalar>(self, side: Trivialization, g: &[S], tangent: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.translate(side, g, tangent, &mut out));
        out
    }

    /// The rates of the coordinates: g' = g·ξ for a body velocity, ξ·g for a space velocity.
    pub fn rates<S: Scalar>(self, side: Trivialization, g: &[S], x: &[S]) -> Vec<S> {
        self.translate(side, g, &self.hat(x))
    }

    /// g⁻¹g' for the body side, g'g⁻¹ for the space side.
    pub fn velocity<S: Scalar>(self, side: Trivialization, g: &[S], rates: &[S]) -> Vec<S> {
        self.vee(&self.translate(side, &self.inverse(g), rates))
    }

    /// The body velocity nearest to g⁻¹g', for rates that may lead off the group.
    pub fn nearest_velocity(self, g: &[f64], rates: &[f64], xi: &mut [f64]) {
        with_law!(self, law => law.nearest_velocity(g, rates, xi));
    }

    /// [x, y].
    pub fn bracket<S: Scalar>(self, x: &[S], y: &[S]) -> Vec<S> {
        let mut out = zeros(self.dimension());
        with_law!(self, law => law.bracket(x, y, &mut out));
        out
    }

    /// Ad_g x = g x g⁻¹.
    pub fn adjoint<S: Scalar>(self, g: &[S], x: &[S]) -> Vec<S> {
        let mut out = zeros(self.dimension());
        with_law!(self, law => law.adjoint(g, x, &mut out));
        out
    }

    /// Ad*_g m with ⟨Ad*_g m, x⟩ = ⟨m, Ad_g x⟩.
    pub fn coadjoint<S: Scalar>(self, g: &[S], m: &[S]) -> Vec<S> {
        self.transposed(m, |e| self.adjoint(g, e))
    }

    /// ad*_x m with ⟨ad*_x m, y⟩ = ⟨m, [x, y]⟩.
    pub fn ad_star<S: Scalar>(self, x: &[S], m: &[S]) -> Vec<S> {
        self.transposed(m, |e| self.bracket(x, e))
    }

    /// The basis vector e_A of the algebra.
    pub fn basis<S: Scalar>(self, a: usize) -> Vec<S> {
        (0..self.dimension()).map(|b| S::kronecker(a, b)).collect()
    }

    /// (A, B, D, C^D_AB) with A < B for each structure constant that is not zero:
    /// [e_A, e_B] = C^D_AB e_D for left-invariant fields.
    pub fn structure_constants(self) -> Vec<(usize, usize, usize, i64)> {
        let n = if self.is_abelian() {
            0
        } else {
            self.dimension()
        };
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let constants = pairs.flat_map(|(a, b)| {
            let c = self.bracket::<f64>(&self.basis(a), &self.basis(b));
            let entries = c.into_iter().enumerate();
            entries.map(move |(d, c)| (a, b, d, c as i64))
        });
        constants.filter(|&(.., c)| c != 0).collect()
    }

    /// The matrix, row by row, of a linear map of the algebra.
    pub fn matrix_of<S: Scalar>(self, map: impl Fn(&[S]) -> Vec<S>) -> Vec<S> {
        let n = self.dimension();
        let columns: Vec<Vec<S>> = (0..n).map(|b| map(&self.basis(b))).collect();
        let entries = (0..n * n).map(|k| columns[k % n][k / n].clone());
        entries.collect()
    }

    /// ⟨m, A e_B⟩ for each B: the transpose of a linear map A of the algebra, applied to m.
    pub(crate) fn transposed<S: Scalar>(self, m: &[S], map: impl Fn(&[S]) -> Vec<S>) -> Vec<S> {
        (0..self.dimension())
            .map(|b| pairing(m, &map(&self.basis(b))))
            .collect()
    }
}

/// Charts.
impl Group {
    /// The exponential, in closed form.
    pub fn exp<S: Scalar>(self, x: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        self.times_exp(&self.identity(), x, &mut out);
        out
    }

    /// out = g exp(x).
    pub fn times_exp<S: Scalar>(self, g: &[S], x: &[S], out: &mut [S]) {
        with_law!(self, law => law.times_exp(g, x, out));
    }

    /// The logarithm with rotation angle in (−π, π) or [0, π); 2π for quaternions.
    pub fn log<S: Scalar>(self, g: &[S]) -> Result<Vec<S>, ChartError> {
        let mut out = zeros(self.dimension());
        with_law!(self, law => law.log(g, &mut out))?;
        Ok(out)
    }

    /// The Cayley map (1 − x/2)⁻¹(1 + x/2).
    pub fn cayley<S: Scalar>(self, x: &[S]) -> Vec<S> {
        let mut out = zeros(self.coordinates());
        with_law!(self, law => law.cayley(x, &mut out));
        out
    }

    /// 2(g − 1)(g + 1)⁻¹; fails at half turns.
    pub fn cayley_inverse<S: Scalar>(self, g: &[S]) -> Result<Vec<S>, ChartError> {
        let mut out = zeros(self.dimension());
        with_law!(self, law => law.cayley_inverse(g, &mut out))?;
        Ok(out)
    }

    /// The angle θ of an element of the algebra, up to its sign; 0 for vectors.
    pub fn angle<S: Scalar>(self, x: &[S]) -> S {
        with_law!(self, law => law.angle(x))
    }

    /// out = dexp_x y, trivialised on a side: Σ ad_x^j y/(j + 1)! for the space, and −x in place of
    /// x for the body.
    pub fn dexp<S: Scalar>(self, side: Trivialization, x: &[S], y: &[S], out: &mut [S]) {
        with_law!(self, law => seen_from(side, x, |x| tangent::dexp(law, x, y, out)));
    }

    /// out = dexp_x⁻¹ y, for the space Σ B_j ad_x^j y/j!; fails at a full turn.
    pub fn dexp_inverse<S: Scalar>(
        self,
        side: Trivialization,
        x: &[S],
        y: &[S],
        out: &mut [S],
    ) -> Result<(), ChartError> {
        with_law!(self, law => seen_from(side, x, |x| tangent::dexp_inverse(law, x, y, out)))
    }

    /// out = dcay_x y, for the space (1 − x/2)⁻¹ y (1 + x/2)⁻¹.
    pub fn dcay<S: Scalar>(self, side: Trivialization, x: &[S], y: &[S], out: &mut [S]) {
        with_law!(self, law => seen_from(side, x, |x| law.dcay(x, y, out)));
    }

    /// out = dcay_x⁻¹ y, for the space (1 − x/2) y (1 + x/2).
    pub fn dcay_inverse<S: Scalar>(self, side: Trivialization, x: &[S], y: &[S], out: &mut [S]) {
        with_law!(self, law => seen_from(side, x, |x| law.dcay_inverse(x, y, out)));
    }
}

/// f(x) for the right side, f(−x) for the left. A longer x is one of vectors, where it does not count.
fn seen_from<S: Scalar, T>(side: Trivialization, x: &[S], f: impl FnOnce(&[S]) -> T) -> T {
    if side == Trivialization::Space || x.len() > LARGEST {
        return f(x);
    }
    let mut negative = [(); LARGEST].map(|()| S::zero());
    for (n, x) in negative.iter_mut().zip(x) {
        *n = -x.clone();
    }
    f(&negative[..x.len()])
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.family(), self.number())
    }
}
