//! Plain text that the model language reads back.

use crate::node::Kind;
use crate::{Expr, Rational};
use std::fmt;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Number(r) => write!(f, "{r}"),
            Kind::Pi => f.write_str("pi"),
            Kind::Undefined => f.write_str("undefined"),
            Kind::Symbol(s) => write!(f, "{s}"),
            Kind::Scaled(c, e) => write!(f, "({c})*({e})"),
            Kind::Sum(c, terms) => {
                let mut parts: Vec<String> = terms
                    .iter()
                    .map(|(t, c)| {
                        if c.is_one() {
                            format!("+ {t}")
                        } else if *c == Rational::MINUS_ONE {
                            format!("- {t}")
                        } else {
                            format!("+ ({c})*({t})")
                        }
                    })
                    .collect();
                parts.sort();
                if !c.is_zero() {
                    parts.push(format!("+ {c}"));
                }
                let all = parts.join(" ");
                f.write_str(all.strip_prefix("+ ").unwrap_or(&all))
            }
            Kind::Product(factors) => {
                let parts: Vec<String> = factors
                    .iter()
                    .map(|(b, r)| {
                        if r.is_one() {
                            format!("({b})")
                        } else {
                            format!("({b})^({r})")
                        }
                    })
                    .collect();
                f.write_str(&parts.join("*"))
            }
            Kind::Function(g, x) => {
                let x: Vec<String> = x.iter().map(ToString::to_string).collect();
                write!(f, "{}({})", g.name(), x.join(", "))
            }
        }
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
