//! Formulas as text, with no more parentheses than the order of evaluation needs.

/// How tightly the outermost operation of a text binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Sum,
    Product,
    Sign,
    Atom,
}

/// A text and its binding.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub text: String,
    pub binding: Binding,
}

impl Formula {
    pub fn atom(text: impl Into<String>) -> Formula {
        Formula {
            text: text.into(),
            binding: Binding::Atom,
        }
    }

    /// A number: a negative one binds like a sign.
    pub fn number(text: String) -> Formula {
        let binding = match text.starts_with('-') {
            true => Binding::Sign,
            false => Binding::Atom,
        };
        Formula { text, binding }
    }

    /// The text, in parentheses unless it binds at least so tightly.
    fn at_least(&self, binding: Binding) -> String {
        match self.binding >= binding {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }

    /// `a + b` or `a - b`. Floating-point sums are not associative: the right side keeps its own
    /// parentheses.
    pub fn sum(&self, sign: char, other: &Formula) -> Formula {
        let left = self.at_least(Binding::Sum);
        let right = other.unsigned(Binding::Product);
        Formula {
            text: format!("{left} {sign} {right}"),
            binding: Binding::Sum,
        }
    }

    /// `a*b` or `a/b`.
    pub fn product(&self, sign: char, other: &Formula) -> Formula {
        let left = self.at_least(Binding::Product);
        let right = other.unsigned(Binding::Atom);
        Formula {
            text: format!("{left}{sign}{right}"),
            binding: Binding::Product,
        }
    }

    /// `-a`
    pub fn negative(&self) -> Formula {
        Formula {
            text: format!("-{}", self.unsigned(Binding::Atom)),
            binding: Binding::Sign,
        }
    }

    /// As [`Formula::at_least`], with a sign always in parentheses: no operator stands before another.
    fn unsigned(&self, binding: Binding) -> String {
        match self.text.starts_with('-') {
            true => format!("({})", self.text),
            false => self.at_least(binding),
        }
    }
}

/// Items behind commas: in one line where that is short, else a line each, indented by `indent`.
pub(super) fn list(items: &[String], indent: &str) -> String {
    const SHORT: usize = 72;
    let line = items.join(", ");
    if line.len() <= SHORT || items.len() < 2 {
        return line;
    }
    let lines: String = items
        .iter()
        .map(|item| format!("\n{indent}    {item},"))
        .collect();
    format!("{lines}\n{indent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_keep_the_order_of_evaluation() {
        let [a, b, c] = ["a", "b", "c"].map(Formula::atom);
        assert_eq!(a.sum('+', &b).sum('-', &c).text, "a + b - c");
        assert_eq!(a.sum('-', &b.sum('+', &c)).text, "a - (b + c)");
        assert_eq!(a.product('*', &b.product('/', &c)).text, "a*(b/c)");
        assert_eq!(a.sum('+', &b).product('*', &c).text, "(a + b)*c");
        assert_eq!(a.product('*', &b).sum('+', &c).text, "a*b + c");
        assert_eq!(a.sum('-', &b.negative()).text, "a - (-b)");
        assert_eq!(a.negative().product('*', &b).text, "-a*b");
        let two = Formula::number("-2.0".to_owned());
        assert_eq!(a.product('*', &two).text, "a*(-2.0)");
        assert_eq!(two.sum('+', &a).text, "-2.0 + a");
        assert_eq!(two.negative().text, "-(-2.0)");
    }
}
