//! Families without those inside others.

/// What is inside of nothing else; of those that are inside each other the first.
pub(crate) fn outermost<T>(all: Vec<T>, inside: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for s in all {
        if kept.iter().any(|k| inside(&s, k)) {
            continue;
        }
        kept.retain(|k| !inside(k, &s));
        kept.push(s);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::outermost;

    #[test]
    fn multiples_are_inside() {
        let found = outermost(vec![12, 4, 5, 6, 4, 10], |a, b| a % b == 0);
        assert_eq!(found, [4, 5, 6]);
    }
}
