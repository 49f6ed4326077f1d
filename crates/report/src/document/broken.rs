//! Formulas of LaTeX broken into lines that fit a page.

/// What a line holds, in widths of a letter: a page of A4 with margins of two centimetres at ten points.
pub const LINE: f32 = 78.0;
/// What a fraction or a root may hold at most that stands in a line.
const UPRIGHT: f32 = 60.0;
/// Formulas longer than this are left alone: nobody prints them.
const LONGEST: usize = 200_000;

/// How a formula goes on in the next line.
const GOES_ON: &str = " \\\\\n&\\quad ";

/// Equations below each other in an `align*`, each side in as many lines as it needs; one without a left side stands alone.
pub fn system(equations: &[(String, String)]) -> String {
    let beside = |left: &str| width(&tokens(left)) + 3.0;
    let fits = |left: &str| !left.is_empty() && beside(left) <= LINE / 2.0;
    let short = equations.iter().filter(|(left, _)| fits(left));
    let widest = short.map(|(left, _)| beside(left)).fold(0.0, f32::max);
    let room = LINE - widest;
    let one = |(left, right): &(String, String)| match (left.is_empty(), fits(left)) {
        (true, _) => format!("& {}", lines(right, room).join(GOES_ON)),
        (_, true) => format!("{left} &= {}", lines(right, room).join(GOES_ON)),
        _ => {
            // A long left side has lines of its own.
            let left = lines(left, room).join(GOES_ON);
            format!(
                "& {left} \\\\\n&\\quad = {}",
                lines(right, room - 5.0).join(GOES_ON)
            )
        }
    };
    let all: Vec<String> = equations.iter().map(one).collect();
    let all = all.join(" \\\\\n");
    format!("\\begin{{align*}}\n{all}\n\\end{{align*}}")
}

/// The width of a cell of a table, in letters.
pub fn letters(cell: &str) -> usize {
    width(&tokens(cell.trim_matches('$'))).ceil() as usize
}

/// A formula in as many lines as it needs.
pub fn lines(formula: &str, room: f32) -> Vec<String> {
    let all = tokens(formula);
    if formula.len() > LONGEST || width(&all) <= room {
        return vec![formula.to_owned()];
    }
    let all = flattened(all, UPRIGHT.min(0.9 * room));
    let mut out = Vec::new();
    let mut rest = &all[..];
    let mut left = room;
    while width(rest) > left {
        let Some(at) = best_break(rest, left) else {
            break;
        };
        out.push(written(&rest[..at]));
        rest = &rest[at..];
        left = room - 2.0;
    }
    out.push(written(rest));
    unpaired(out)
}

/// A command, a brace, a sign or a letter.
type Token<'a> = std::borrow::Cow<'a, str>;

fn tokens(formula: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if c == '\\' {
            let word = rest[1..].find(|c: char| !c.is_ascii_alphabetic());
            let word = word.unwrap_or(rest.len() - 1);
            let next = rest[1..].chars().next().map_or(0, char::len_utf8);
            length = 1 + word.max(if word == 0 { next } else { word });
            // The bracket belongs to its size.
            if matches!(&rest[..length], "\\left" | "\\right") {
                let bracket = rest[length..].chars().next().map_or(0, char::len_utf8);
                let escaped = rest[length..].starts_with('\\');
                length += bracket + usize::from(escaped);
            }
        }
        let (token, after) = rest.split_at(length);
        all.push(token.into());
        rest = after;
    }
    all
}

fn written(all: &[Token]) -> String {
    all.concat().trim().to_owned()
}

/// The place behind the group that begins at `at`.
fn behind(all: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (k, token) in all.iter().enumerate().skip(at) {
        match &**token {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    all.len()
}

/// About how wide it is, in letters. Indices are small, a fraction is as wide as its wider part.
fn width(all: &[Token]) -> f32 {
    let mut total = 0.0;
    let mut at = 0;
    while at < all.len() {
        let token = &*all[at];
        at += 1;
        match token {
            "\\frac" | "\\tfrac" => {
                let above = behind(all, at);
                let below = behind(all, above);
                let parts = width(&all[at..above]).max(width(&all[above..below]));
                total += parts + 0.5;
                at = below;
            }
            "_" | "^" => {
                let end = behind(all, at);
                total += 0.7 * width(&all[at..end]);
                at = end;
            }
            "\\mathrm" | "\\operatorname" | "\\text" | "\\mathsf" | "\\dot" | "\\ddot"
            | "\\dddot" | "\\widehat" => {}
            "\\begin" | "\\end" => at = behind(all, at),
            "\\quad" => total += 2.0,
            "\\," | "\\ " => total += 0.4,
            "{" | "}" | " " | "&" => {}
            "+" | "-" | "=" | "\\cdot" | "\\times" => total += 2.2,
            "\\sqrt" => total += 1.5,
            _ if token.starts_with("\\left") || token.starts_with("\\right") => total += 1.3,
            "\\sin" | "\\cos" | "\\tan" | "\\cot" | "\\sec" | "\\csc" | "\\exp" | "\\log" => {
                total += 3.0;
            }
            _ if token.starts_with("\\arc") => total += 6.0,
            _ => total += 1.1,
        }
    }
    total
}

/// Fractions and roots that are too wide to stand in a line as quotients and powers, which can be broken.
fn flattened(mut all: Vec<Token>, upright: f32) -> Vec<Token> {
    let mut at = 0;
    while at < all.len() {
        match &*all[at] {
            "_" | "^" => at = behind(&all, at + 1),
            "\\frac" => {
                let above = behind(&all, at + 1);
                let below = behind(&all, above);
                let (top, bottom) = (&all[at + 1..above], &all[above..below]);
                if width(top).max(width(bottom)) <= upright {
                    at = below;
                    continue;
                }
                let mut flat: Vec<Token> = vec!["\\left(".into()];
                flat.extend(top[1..top.len().max(2) - 1].iter().cloned());
                flat.extend(["\\right)", " ", "/"].map(Token::from));
                flat.push("\\left(".into());
                flat.extend(bottom[1..bottom.len().max(2) - 1].iter().cloned());
                flat.push("\\right)".into());
                drop(all.splice(at..below, flat));
                at += 1;
            }
            "\\sqrt" => {
                let end = behind(&all, at + 1);
                let inner = &all[at + 1..end];
                if width(inner) <= upright {
                    at = end;
                    continue;
                }
                let mut flat: Vec<Token> = vec!["\\left(".into()];
                flat.extend(inner[1..inner.len().max(2) - 1].iter().cloned());
                flat.extend(["\\right)", "^", "{", "1/2", "}"].map(Token::from));
                drop(all.splice(at..end, flat));
                at += 1;
            }
            _ => at += 1,
        }
    }
    all
}

/// Where to break: of the signs in the latter part of the room the one least deep in brackets, of these the last; else
/// the last place before a bracket; else the first sign behind the room.
fn best_break(all: &[Token], room: f32) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut before_bracket = None;
    let (mut braces, mut brackets) = (0usize, 0usize);
    let mut at = 0;
    let mut so_far = 0.0;
    while at < all.len() {
        let token = &*all[at];
        let end = match token {
            "\\frac" => behind(all, behind(all, at + 1)),
            "_" | "^" | "\\sqrt" | "\\dot" | "\\ddot" | "\\mathrm" | "\\begin" => {
                behind(all, at + 1)
            }
            _ => at + 1,
        };
        let is_sign = matches!(token, "+" | "-") && at > 0 && &*all[at - 1] == " ";
        if braces == 0 && at > 0 && so_far > 0.0 {
            if so_far > room {
                let fallback = best.map(|(_, at)| at).or(before_bracket);
                if fallback.is_some() {
                    return fallback;
                }
                if is_sign {
                    return Some(at);
                }
            } else if is_sign && so_far > room / 3.0 && best.is_none_or(|(d, _)| brackets <= d) {
                best = Some((brackets, at));
            } else if token == "\\left(" && so_far > room / 3.0 {
                before_bracket = Some(at);
            }
        }
        match token {
            "{" | "\\begin" => braces += 1,
            "}" | "\\end" => braces = braces.saturating_sub(1),
            _ if token.starts_with("\\left") => brackets += 1,
            _ if token.starts_with("\\right") => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        so_far += width(&all[at..end]);
        at = end;
    }
    best.map(|(_, at)| at).or(before_bracket)
}

/// Brackets whose other half stands on another line get a fixed size.
fn unpaired(lines: Vec<String>) -> Vec<String> {
    if lines.len() < 2 {
        return lines;
    }
    let fixed = |line: &String| {
        let mut all: Vec<String> = tokens(line).iter().map(|t| t.to_string()).collect();
        let mut open: Vec<usize> = Vec::new();
        let mut alone: Vec<usize> = Vec::new();
        for (k, token) in all.iter().enumerate() {
            if token.starts_with("\\left") {
                open.push(k);
            } else if token.starts_with("\\right") && open.pop().is_none() {
                alone.push(k);
            }
        }
        for k in open.into_iter().chain(alone) {
            all[k] = all[k]
                .replace("\\left", "\\bigl")
                .replace("\\right", "\\bigr");
        }
        all.concat()
    };
    lines.iter().map(fixed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_formulas_stay() {
        let one = [("x".to_owned(), r"\frac{a + b}{c}".to_owned())];
        let text = "\\begin{align*}\nx &= \\frac{a + b}{c}\n\\end{align*}";
        assert_eq!(system(&one), text);
    }

    #[test]
    fn long_sums_are_broken_and_nothing_is_lost() {
        let term = r"\alpha_{1} \left(a^{2} + b \, \sin\theta\right)";
        let long = vec![term; 30].join(" + ");
        let lines = lines(&long, LINE);
        assert!(lines.len() > 5);
        assert!(lines.iter().all(|l| width(&tokens(l)) <= LINE));
        let bare = |s: &str| {
            s.replace([' ', '\n'], "")
                .replace("bigl", "left")
                .replace("bigr", "right")
        };
        assert_eq!(bare(&lines.concat()), bare(&long));
    }

    #[test]
    fn a_wide_fraction_becomes_a_quotient() {
        let sum = vec!["a b c d"; 30].join(" + ");
        let lines = lines(&format!(r"\frac{{{sum}}}{{x}}"), LINE);
        assert!(lines.len() > 1 && lines[0].starts_with(r"\bigl(a"));
        assert!(
            lines
                .last()
                .is_some_and(|l| l.ends_with(r"\bigr) /\left(x\right)"))
        );
    }

    #[test]
    fn brackets_across_lines_have_a_size_of_their_own() {
        let sum = vec!["a b c"; 60].join(" - ");
        for line in lines(&format!(r"k \left({sum}\right)"), LINE) {
            let count = |part: &str| line.matches(part).count();
            assert_eq!(count(r"\left"), count(r"\right"));
        }
    }
}
