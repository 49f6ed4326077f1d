//! A small reader of formulas, enough to read printed text back. Recursive: for short texts only.

use super::symbols;
use rattleback_symbolic::*;

pub fn read(text: &str) -> Expr {
    let mut reader = Reader {
        text: text.chars().collect(),
        at: 0,
    };
    let e = reader.sum();
    assert_eq!(reader.at, reader.text.len(), "left over in {text}");
    e
}

struct Reader {
    text: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at) == Some(&' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> Expr {
        let mut e = self.product();
        loop {
            if self.eat('+') {
                e += self.product();
            } else if self.eat('-') {
                e -= self.product();
            } else {
                return e;
            }
        }
    }

    fn product(&mut self) -> Expr {
        let mut e = self.unary();
        loop {
            if self.eat('*') {
                e *= self.unary();
            } else if self.eat('/') {
                e = e / self.unary();
            } else {
                return e;
            }
        }
    }

    fn unary(&mut self) -> Expr {
        if self.eat('-') {
            return -self.unary();
        }
        let base = self.atom();
        if self.eat('^') {
            return base.pow(&self.unary());
        }
        base
    }

    fn atom(&mut self) -> Expr {
        if self.eat('(') {
            let e = self.sum();
            assert!(self.eat(')'));
            return e;
        }
        let start = self.at;
        while self.peek_here().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start {
            let digits: String = self.text[start..self.at].iter().collect();
            return Expr::from(digits.parse::<Rational>().unwrap());
        }
        self.named()
    }

    fn peek_here(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn named(&mut self) -> Expr {
        let (mut name, mut order) = (String::new(), 0);
        while let Some(c) = self.peek_here() {
            match c {
                '\'' | '\u{307}' => order += 1,
                '\u{308}' => order += 2,
                '₀'..='₉' => name.push((b'0' + (c as u32 - '₀' as u32) as u8).into()),
                c if greek_name(c).is_some() => name.push_str(greek_name(c).unwrap()),
                'ẋ' | 'ẍ' => {
                    name.push('x');
                    order += if c == 'ẋ' { 1 } else { 2 };
                }
                c if c.is_alphanumeric() || c == '_' => name.push(c),
                _ => break,
            }
            self.at += 1;
        }
        if self.eat('(') {
            let mut arguments = vec![self.sum()];
            while self.eat(',') {
                arguments.push(self.sum());
            }
            assert!(self.eat(')'));
            return call(&name, &arguments);
        }
        if name == "pi" {
            return Expr::pi();
        }
        let all = symbols();
        let known = all.iter().find(|s| s.name() == name && s.order() == order);
        known.unwrap_or_else(|| panic!("unknown `{name}`")).into()
    }
}

fn call(name: &str, x: &[Expr]) -> Expr {
    match name {
        "sin" => x[0].sin(),
        "cos" => x[0].cos(),
        "tan" => x[0].tan(),
        "cot" => x[0].cot(),
        "sec" => x[0].sec(),
        "csc" => x[0].csc(),
        "sinh" => x[0].sinh(),
        "cosh" => x[0].cosh(),
        "tanh" => x[0].tanh(),
        "exp" => x[0].exp(),
        "log" => x[0].log(),
        "sqrt" => x[0].sqrt(),
        "atan2" => Expr::atan2(&x[0], &x[1]),
        _ => panic!("unknown function `{name}`"),
    }
}
