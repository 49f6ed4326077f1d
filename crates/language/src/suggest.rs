//! Suggestions: the known name that is closest to an unknown one.

/// Names longer than this are not compared: nobody mistypes them, and the cost is quadratic.
const MAX_LENGTH: usize = 64;

/// Beyond so many names none is suggested: a file with more was not written by hand.
const MAX_NAMES: usize = 2000;

/// The closest of `known` to `word`, if it is close enough to be what was meant.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let tolerance = (length / 3).max(1);
    let known: Vec<&str> = known.into_iter().take(MAX_NAMES + 1).collect();
    if known.len() > MAX_NAMES {
        return None;
    }
    known
        .into_iter()
        .filter(|name| *name != word && name.chars().count().abs_diff(length) <= tolerance)
        .map(|name| (distance(word, name), name))
        // One edit turns any one-letter name into any other: that is no hint.
        .filter(|&(d, name)| d <= tolerance && (length > 1 || name.len() == 2 || d == 0))
        .min_by_key(|&(d, name)| (d, name.len().abs_diff(word.len()), name))
        .map(|(_, name)| name)
}

/// Edit distance with transpositions; a change of case alone counts nothing.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_near_names_only() {
        let known = ["theta", "phi", "param", "m", "m1"];
        assert_eq!(closest("tehta", known), Some("theta"));
        assert_eq!(closest("pram", known), Some("param"));
        assert_eq!(closest("Phi", known), Some("phi"));
        assert_eq!(closest("M", known), Some("m"));
        assert_eq!(closest("velocity", known), None);
        assert_eq!(closest("k", known), None);
    }
}
