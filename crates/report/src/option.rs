//! What can be asked for, in messages: marks that each host spells its own way.

/// A message with the things that can be asked for as a host spells them. The rooms write `‹step›` or `‹form hamel›`; to a
/// program these are options, to a page the fields of a form. Who does not spell them shows the marks.
///
/// ```
/// use rattleback_report::spelled;
///
/// let said = "try a smaller ‹step›, or ‹method radau5›";
/// let options = spelled(said, |name| Some(format!("--{name}")));
/// assert_eq!(options, "try a smaller --step, or --method radau5");
/// // What is no such name to the host stays as it is.
/// assert_eq!(spelled("the book ‹Mechanics›", |_| None), "the book ‹Mechanics›");
/// ```
pub fn spelled(text: &str, spell: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, marked, after)) = next_mark(rest) {
        out.push_str(before);
        let name_ends = marked.find(char::is_whitespace).unwrap_or(marked.len());
        let (name, value) = marked.split_at(name_ends);
        match spell(name) {
            Some(name) => out.extend([name.as_str(), value]),
            None => out.extend(["‹", marked, "›"]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What stands before the next mark, in it, and behind it.
fn next_mark(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('‹')?;
    let (marked, after) = rest.split_once('›')?;
    Some((before, marked, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_may_be_broken_over_lines_and_left_open() {
        let option = |name: &str| Some(format!("--{name}"));
        assert_eq!(
            spelled("try ‹form\n  hamel›.", option),
            "try --form\n  hamel."
        );
        assert_eq!(spelled("a ‹b", option), "a ‹b");
        assert_eq!(spelled("", option), "");
    }
}
