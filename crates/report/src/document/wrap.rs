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
    broken(line, width, indent, false)
}

/// The same, and where no sign is near behind factors and entries.
pub fn wrapped_tightly(line: &str, width: usize, indent: usize) -> String {
    broken(line, width, indent, true)
}

fn broken(line: &str, width: usize, indent: usize, tight: bool) -> String {
    let mut out = String::new();
    let mut rest = line;
    let mut room = width;
    while columns(rest) > room {
        let Some(at) = best_break(rest, room, tight) else {
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
/// these the last; else, if need be, behind the last factor or entry that fits; else the first sign after it.
fn best_break(line: &str, room: usize, tight: bool) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let mut other: Option<usize> = None;
    let (mut depth, mut column) = (0usize, 0usize);
    for (at, c) in line.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let sign = ["+ ", "- ", "= "].iter().any(|s| line[at..].starts_with(s));
        let sign = sign && column > 0 && line[..at].ends_with(' ');
        let behind = column > 0 && [", ", "*"].iter().any(|s| line[..at].ends_with(s));
        let found = best.map(|(_, at)| at).or(other);
        if column > room && found.is_some() {
            return found;
        }
        if sign && column > room {
            return Some(at);
        }
        if sign && column > room / 2 && best.is_none_or(|(d, _)| depth <= d) {
            best = Some((depth, at));
        }
        if tight && (behind || sign && !line[at..].starts_with('=')) {
            other = Some(at);
        }
        column += usize::from(!is_combining(c));
    }
    best.map(|(_, at)| at).or(other)
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
    fn a_product_is_broken_where_there_is_no_room() {
        let line = "x = aaaa*bbbb*cccc*dddd*eeee";
        let tight = wrapped_tightly(line, 16, 4);
        assert_eq!(tight, "x = aaaa*bbbb*\n    cccc*dddd*\n    eeee");
        assert_eq!(wrapped(line, 16, 4), line);
    }

    #[test]
    fn no_part_is_lost() {
        let line = "q̈ = ".to_owned() + &vec!["a*(b - c)*θ̇"; 40].join(" + ");
        let whole: String = wrapped(&line, 60, 6).split_whitespace().collect();
        assert_eq!(whole, line.split_whitespace().collect::<String>());
        assert!(wrapped(&line, 60, 6).lines().all(|l| columns(l) <= 60));
    }
}
