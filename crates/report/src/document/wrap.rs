//! Long formulas over several lines, broken where a reader pauses.

/// Columns on a terminal: combining dots take none.
pub fn columns(text: &str) -> usize {
    text.chars().filter(|c| !is_combining(*c)).count()
}

fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}

/// Breaks a line before plus, minus and equals signs so that no part is wider than `width` where that is
/// possible; further parts are indented by `indent`. Breaks outside brackets come first.
pub fn wrapped(line: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut rest = line;
    let mut room = width;
    while columns(rest) > room {
        let Some(at) = best_break(rest, room) else {
            break;
        };
        out += rest[..at].trim_end();
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
        rest = &rest[at..];
        room = width.saturating_sub(indent).max(1);
    }
    out + rest
}

/// Where to break: of the signs in the latter half of the room the one least deep in brackets, of
/// these the last; else the first sign after it.
fn best_break(line: &str, room: usize) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let (mut depth, mut column) = (0usize, 0usize);
    for (at, c) in line.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let sign = ["+ ", "- ", "= "].iter().any(|s| line[at..].starts_with(s));
        if sign && column > 0 && line[..at].ends_with(' ') {
            if column > room {
                return Some(best.map_or(at, |(_, at)| at));
            }
            if column > room / 2 && best.is_none_or(|(d, _)| depth <= d) {
                best = Some((depth, at));
            }
        }
        column += usize::from(!is_combining(c));
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_outside_brackets_first() {
        let line = "x = aaaa*(b + c) + dddd*(e - f) - g";
        assert_eq!(
            wrapped(line, 20, 4),
            "x = aaaa*(b + c)\n    + dddd*(e - f)\n    - g"
        );
        assert_eq!(wrapped(line, 80, 4), line);
    }

    #[test]
    fn a_formula_without_a_pause_stays_whole() {
        let line = "x = abcdefghijklmnopqrstuvwxyz";
        assert_eq!(wrapped(line, 10, 4), line);
        assert_eq!(wrapped("", 10, 4), "");
    }

    #[test]
    fn no_part_is_lost() {
        let line = "q̈ = ".to_owned() + &vec!["a*(b - c)*θ̇"; 40].join(" + ");
        let whole: String = wrapped(&line, 60, 6).split_whitespace().collect();
        assert_eq!(whole, line.split_whitespace().collect::<String>());
        assert!(wrapped(&line, 60, 6).lines().all(|l| columns(l) <= 60));
    }
}
