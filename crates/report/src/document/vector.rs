//! Vectors and matrices under their names: what the equations of a group are written with.

use crate::symbolic::{Expr, Kind, Matrix, Rational, Style, Symbol, latex, mathml, text};

/// A vector, a matrix or a scalar made of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Vector {
    /// A name, with the order of its derivative.
    Name(Symbol),
    /// The rotation `R` or the position `p` of an element of SE(n).
    Part(Symbol, &'static str),
    /// Components.
    Column(Vec<Expr>),
    /// Entries of a matrix.
    Table(Matrix),
    /// A number of the model times a vector.
    Scaled(Expr, Box<Vector>),
    /// A matrix times a matrix or a vector.
    Times(Box<Vector>, Box<Vector>),
    /// Rows and columns exchanged.
    Transposed(Box<Vector>),
    /// The cross product.
    Cross(Box<Vector>, Box<Vector>),
    /// The inner product.
    Dot(Box<Vector>, Box<Vector>),
    /// The skew matrix of a vector.
    Hat(Box<Vector>),
    /// The quaternion without a real part that a vector is.
    Pure(Box<Vector>),
    /// Terms, each added or subtracted (`true`).
    Sum(Vec<(bool, Vector)>),
    /// A formula without vectors.
    Scalar(Expr),
}

impl Vector {
    /// `self * other`.
    pub fn times(self, other: Vector) -> Vector {
        Vector::Times(Box::new(self), Box::new(other))
    }

    /// `self × other`.
    pub fn cross(self, other: Vector) -> Vector {
        Vector::Cross(Box::new(self), Box::new(other))
    }

    /// `self · other`.
    pub fn dot(self, other: Vector) -> Vector {
        Vector::Dot(Box::new(self), Box::new(other))
    }

    /// The transposed matrix.
    pub fn transposed(self) -> Vector {
        Vector::Transposed(Box::new(self))
    }

    /// The skew matrix of a vector.
    pub fn hat(self) -> Vector {
        Vector::Hat(Box::new(self))
    }

    /// A factor in front; 1 is left out.
    pub fn scaled(self, factor: Expr) -> Vector {
        match factor.is_one() {
            true => self,
            false => Vector::Scaled(factor, Box::new(self)),
        }
    }

    /// Every formula in it.
    pub fn formulas(&self) -> Vec<Expr> {
        let mut all = Vec::new();
        self.clone().map(&mut |e| {
            all.push(e.clone());
            e.clone()
        });
        all
    }

    /// The same with every formula in it rewritten.
    pub fn map(self, f: &mut impl FnMut(&Expr) -> Expr) -> Vector {
        let mut inner = |v: Box<Vector>| Box::new(v.map(f));
        match self {
            Vector::Name(_) | Vector::Part(..) => self,
            Vector::Times(a, b) => Vector::Times(inner(a), inner(b)),
            Vector::Cross(a, b) => Vector::Cross(inner(a), inner(b)),
            Vector::Dot(a, b) => Vector::Dot(inner(a), inner(b)),
            Vector::Transposed(a) => Vector::Transposed(inner(a)),
            Vector::Hat(a) => Vector::Hat(inner(a)),
            Vector::Pure(a) => Vector::Pure(inner(a)),
            Vector::Sum(all) => {
                let all = all.into_iter().map(|(negative, v)| (negative, v.map(f)));
                Vector::Sum(all.collect())
            }
            Vector::Scaled(c, v) => Vector::Scaled(f(&c), Box::new(v.map(f))),
            Vector::Column(all) => Vector::Column(all.iter().map(f).collect()),
            Vector::Table(matrix) => Vector::Table(matrix.map(f)),
            Vector::Scalar(e) => Vector::Scalar(f(&e)),
        }
    }

    /// The same with another part in place of one.
    pub fn replaced(&self, part: &Vector, by: &Vector) -> Vector {
        if self == part {
            return by.clone();
        }
        let inner = |v: &Vector| Box::new(v.replaced(part, by));
        match self {
            Vector::Times(a, b) => Vector::Times(inner(a), inner(b)),
            Vector::Cross(a, b) => Vector::Cross(inner(a), inner(b)),
            Vector::Dot(a, b) => Vector::Dot(inner(a), inner(b)),
            Vector::Transposed(a) => Vector::Transposed(inner(a)),
            Vector::Hat(a) => Vector::Hat(inner(a)),
            Vector::Pure(a) => Vector::Pure(inner(a)),
            Vector::Scaled(c, a) => Vector::Scaled(c.clone(), inner(a)),
            Vector::Sum(all) => {
                let all = all.iter().map(|(negative, v)| (*negative, *inner(v)));
                Vector::Sum(all.collect())
            }
            Vector::Name(_)
            | Vector::Part(..)
            | Vector::Column(_)
            | Vector::Table(_)
            | Vector::Scalar(_) => self.clone(),
        }
    }

    /// Does a part occur in it?
    pub fn contains(&self, part: &Vector) -> bool {
        self == part
            || match self {
                Vector::Times(a, b) | Vector::Cross(a, b) | Vector::Dot(a, b) => {
                    a.contains(part) || b.contains(part)
                }
                Vector::Transposed(a) | Vector::Hat(a) | Vector::Pure(a) | Vector::Scaled(_, a) => {
                    a.contains(part)
                }
                Vector::Sum(all) => all.iter().any(|(_, v)| v.contains(part)),
                _ => false,
            }
    }

    /// In the model language, with Greek letters and dots or without.
    pub fn text(&self, style: &Style) -> String {
        Writer::Text(style).write(self)
    }

    /// For math mode.
    pub fn latex(&self, style: &Style) -> String {
        Writer::Latex(style).write(self)
    }

    /// HTML with MathML.
    pub fn html(&self, style: &Style) -> String {
        Writer::Html(style).write(self)
    }
}

/// How tightly something holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

#[derive(Clone, Copy)]
enum Writer<'a> {
    Text(&'a Style),
    Latex(&'a Style),
    Html(&'a Style),
}

impl Writer<'_> {
    fn formula(self, e: &Expr) -> String {
        match self {
            Writer::Text(style) => text(e, style),
            Writer::Latex(style) => latex(e, style),
            Writer::Html(style) => mathml(e, style),
        }
    }

    /// The words of the three notations.
    fn of(self, text: &'static str, latex: &'static str, html: &'static str) -> &'static str {
        match self {
            Writer::Text(_) => text,
            Writer::Latex(_) => latex,
            Writer::Html(_) => html,
        }
    }

    fn write(self, v: &Vector) -> String {
        match v {
            Vector::Name(s) => self.formula(&s.into()),
            Vector::Part(s, part) => self.part(s, part),
            Vector::Column(components) => self.column(components),
            Vector::Table(matrix) => self.table(matrix),
            Vector::Scalar(e) => self.formula(e),
            Vector::Scaled(c, v) => self.scaled(c, v),
            Vector::Times(a, b) => {
                let sign = self.of("*", r" \, ", " ");
                let (a, b) = (self.within(a, Binding::Product), self.factor(b));
                format!("{a}{sign}{b}")
            }
            Vector::Transposed(a) => match self {
                Writer::Text(_) => format!("transpose({})", self.write(a)),
                Writer::Latex(_) => format!("{}^{{\\mathsf T}}", self.within(a, Binding::Atom)),
                Writer::Html(_) => format!("{}<sup>T</sup>", self.within(a, Binding::Atom)),
            },
            Vector::Cross(a, b) => self.pair("cross", r" \times ", " × ", a, b),
            Vector::Dot(a, b) => self.pair("dot", r" \cdot ", " · ", a, b),
            Vector::Hat(a) => match self {
                Writer::Latex(_) => format!("\\widehat{{{}}}", self.write(a)),
                _ => format!("hat({})", self.write(a)),
            },
            Vector::Pure(a) => match self {
                Writer::Latex(_) => format!("\\left(0, {}\\right)", self.write(a)),
                _ => format!("(0, {})", self.write(a)),
            },
            Vector::Sum(terms) => self.sum(terms),
        }
    }

    /// T.R with its dot.
    fn part(self, s: &Symbol, part: &str) -> String {
        let bare = Expr::from(Symbol::variable(s.name()));
        let name = self.formula(&bare);
        let dots = s.order() as usize;
        match self {
            Writer::Latex(_) => {
                // A name may have a subscript of its own.
                let name = match name.contains('_') {
                    true => format!("{{{name}}}"),
                    false => name,
                };
                let whole = format!("{name}_{{{part}}}");
                (0..dots).fold(whole, |inner, _| format!("\\dot{{{inner}}}"))
            }
            _ => format!("{name}.{part}{}", "'".repeat(dots)),
        }
    }

    fn column(self, components: &[Expr]) -> String {
        let all: Vec<String> = components.iter().map(|e| self.formula(e)).collect();
        match self {
            Writer::Latex(_) => {
                format!("\\begin{{pmatrix}} {} \\end{{pmatrix}}", all.join(r" \\ "))
            }
            _ => format!("[{}]", all.join(", ")),
        }
    }

    fn table(self, matrix: &Matrix) -> String {
        let n = matrix.rows();
        let places = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let is_diagonal =
            n == matrix.cols() && places.filter(|(i, j)| i != j).all(|p| matrix[p].is_zero());
        if is_diagonal {
            let all: Vec<String> = (0..n).map(|i| self.formula(&matrix[(i, i)])).collect();
            let name = self.of("diag", r"\operatorname{diag}", "diag");
            return format!("{name}({})", all.join(", "));
        }
        let row = |i: usize| matrix.row(i).iter().map(|e| self.formula(e));
        match self {
            Writer::Latex(_) => {
                let rows = (0..n).map(|i| row(i).collect::<Vec<_>>().join(" & "));
                let rows = rows.collect::<Vec<_>>().join(r" \\ ");
                format!("\\begin{{pmatrix}} {rows} \\end{{pmatrix}}")
            }
            _ => {
                let rows = (0..n).map(|i| format!("[{}]", row(i).collect::<Vec<_>>().join(", ")));
                format!("[{}]", rows.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn scaled(self, c: &Expr, v: &Vector) -> String {
        let product = match v {
            Vector::Cross(..) | Vector::Dot(..) => self.write(v),
            _ => self.factor(v),
        };
        // In words what divides stands behind: w·Jw/2, p/m.
        let (above, below) = as_fraction(c);
        if let (false, Writer::Text(_)) = (below.is_one(), self) {
            let below = match below.kind() {
                Kind::Number(_) | Kind::Symbol(_) => self.formula(&below),
                _ => format!("({})", self.formula(&below)),
            };
            return match above.is_one() {
                true => format!("{product}/{below}"),
                false => format!("{}/{below}", self.scaled(&above, v)),
            };
        }
        let sum = matches!(c.kind(), Kind::Sum(..));
        let c = match (sum, self) {
            (false, _) => self.formula(c),
            (true, Writer::Latex(_)) => format!("\\left({}\\right)", self.formula(c)),
            (true, _) => format!("({})", self.formula(c)),
        };
        let sign = self.of("*", r" \, ", " ");
        format!("{c}{sign}{product}")
    }

    /// What stands behind a factor: another product in brackets only where the notation would read it wrongly.
    fn factor(self, v: &Vector) -> String {
        self.within(v, Binding::Product)
    }

    fn pair(self, word: &str, latex: &str, html: &str, a: &Vector, b: &Vector) -> String {
        let sign = match self {
            Writer::Text(_) => return format!("{word}({}, {})", self.write(a), self.write(b)),
            Writer::Latex(_) => latex,
            Writer::Html(_) => html,
        };
        let side = |v: &Vector| match v {
            Vector::Cross(..) => self.bracketed(v),
            Vector::Scaled(_, inner) if matches!(**inner, Vector::Cross(..)) => self.bracketed(v),
            _ => self.within(v, Binding::Product),
        };
        format!("{}{sign}{}", side(a), side(b))
    }

    fn sum(self, terms: &[(bool, Vector)]) -> String {
        if terms.is_empty() {
            return "0".into();
        }
        let mut out = String::new();
        for (i, (negative, term)) in terms.iter().enumerate() {
            out += match (i, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            // A sum of scalars behind a minus would change its sign.
            let need = if *negative {
                Binding::Product
            } else {
                Binding::Sum
            };
            out += &self.within(term, need);
        }
        out
    }

    fn binding(self, v: &Vector) -> Binding {
        let in_words = matches!(self, Writer::Text(_));
        match v {
            Vector::Sum(terms) if terms.len() > 1 => Binding::Sum,
            Vector::Scalar(e) if matches!(e.kind(), Kind::Sum(..)) => Binding::Sum,
            Vector::Cross(..) | Vector::Dot(..) if !in_words => Binding::Sum,
            Vector::Sum(_) | Vector::Scalar(_) | Vector::Scaled(..) | Vector::Times(..) => {
                Binding::Product
            }
            _ => Binding::Atom,
        }
    }

    fn within(self, v: &Vector, need: Binding) -> String {
        match self.binding(v) < need {
            true => self.bracketed(v),
            false => self.write(v),
        }
    }

    fn bracketed(self, v: &Vector) -> String {
        let (open, close) = match self {
            Writer::Latex(_) => (r"\left(", r"\right)"),
            _ => ("(", ")"),
        };
        format!("{open}{}{close}", self.write(v))
    }
}

/// What stands above and below in a coefficient.
fn as_fraction(c: &Expr) -> (Expr, Expr) {
    let (number, core) = c.split_coefficient();
    let above = Expr::from(Rational::from(number.numerator()));
    let below = number
        .recip()
        .map_or(Expr::one(), |r| Expr::from(r) * &above);
    let Kind::Product(factors) = core.kind() else {
        return (above * core, below);
    };
    let of = |negative: bool| {
        let own = factors.iter().filter(|(_, r)| r.is_negative() == negative);
        Expr::power_product(own.map(|(b, r)| (b.clone(), r.abs())))
    };
    (above * of(false), below * of(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_divides_stands_behind() {
        let [k, m] = ["k", "m"].map(|n| Expr::from(Symbol::constant(n)));
        let of = |c: Expr| name("p").scaled(c).text(&Style::ascii());
        assert_eq!(of(&k / &m), "k*p/m");
        assert_eq!(of(m.powi(-1) / 2), "p/(2*m)");
        assert_eq!(of(-k / 2), "-k*p/2");
    }

    fn name(n: &str) -> Vector {
        Vector::Name(Symbol::variable(n))
    }

    #[test]
    fn vectors_are_written_in_each_notation() {
        let (j, w) = (name("J"), name("omega"));
        let torque = j.clone().times(w.clone()).cross(w);
        let k = Expr::from(Symbol::constant("k"));
        let v = Vector::Sum(vec![(false, torque), (true, name("gamma").scaled(k))]);
        let style = Style::ascii();
        assert_eq!(v.text(&style), "cross(J*omega, omega) - k*gamma");
        assert_eq!(v.latex(&style), r"J \, \omega \times \omega - k \, \gamma");
        let half = Expr::from(1) / 2;
        let turned = name("g")
            .times(Vector::Pure(Box::new(name("w"))))
            .scaled(half);
        assert_eq!(turned.text(&style), "g*(0, w)/2");
        assert_eq!(
            turned.latex(&style),
            r"\frac{1}{2} \, g \, \left(0, w\right)"
        );
        let twice = name("a").cross(name("b").cross(name("c")));
        assert_eq!(twice.latex(&style), r"a \times \left(b \times c\right)");
        let c = Expr::from(Symbol::constant("c"));
        let scaled = name("b").cross(name("c")).scaled(c).cross(name("a"));
        assert_eq!(
            scaled.latex(&style),
            r"\left(c \, b \times c\right) \times a"
        );
        assert_eq!(
            name("R").transposed().times(name("v")).text(&style),
            "transpose(R)*v"
        );
    }
}
