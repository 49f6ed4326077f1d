//! The page: text around measured sections, each of which can be measured anew alone.

/// The sections in the order of the page.
pub const SECTIONS: [&str; 13] = [
    "drawn",
    "derivation",
    "models",
    "analyze",
    "rates",
    "compile",
    "trajectories",
    "ensembles",
    "memory",
    "steps",
    "energies",
    "linearize",
    "control",
];

/// Those that `--only motion` means.
pub const MOTION: [&str; 5] = ["rates", "compile", "trajectories", "ensembles", "memory"];

/// Whether a section needs the programs of rivals.
pub fn has_rivals(name: &str) -> bool {
    MOTION.contains(&name) || name == "linearize" || name == "control"
}

const UNKNOWN: &str = "Not measured yet.\n";

/// The sections that words such as `motion` or `rates` name; all of them without words.
pub fn wanted(words: &[String]) -> Result<Vec<&'static str>, String> {
    if words.is_empty() {
        return Ok(SECTIONS.to_vec());
    }
    let mut names = Vec::new();
    for word in words {
        match SECTIONS.iter().find(|name| *name == word) {
            Some(name) => names.push(*name),
            None if word == "motion" => names.extend(MOTION),
            None => {
                let all = SECTIONS.join(", ");
                return Err(format!("there is no section `{word}`: try {all} or motion"));
            }
        }
    }
    Ok(names)
}

/// The page with new sections, and with those of the old page where there is no new one.
pub fn render(measured: &[(&str, String)], old: &str) -> String {
    let mut page = include_str!("benchmarks.md.in").to_string();
    for name in SECTIONS {
        let new = measured.iter().find(|(n, _)| *n == name);
        let text = match new {
            Some((_, text)) => text.as_str(),
            None => section(old, name).unwrap_or(UNKNOWN),
        };
        let block = format!("{}{text}{}", begin(name), end(name));
        page = page.replace(&format!("{{{{{name}}}}}\n"), &block);
    }
    page
}

fn section<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&begin(name))?;
    Some(rest.split_once(&end(name))?.0)
}

fn begin(name: &str) -> String {
    format!("<!-- {name} -->\n")
}

fn end(name: &str) -> String {
    format!("<!-- end of {name} -->\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_a_place() {
        let page = render(&[], "");
        assert_eq!(page.matches(UNKNOWN).count(), SECTIONS.len());
        assert!(!page.contains("{{"));
    }

    #[test]
    fn a_section_measured_anew_leaves_the_others() {
        let first = render(&[("rates", "R1\n".into()), ("memory", "M1\n".into())], "");
        let second = render(&[("rates", "R2\n".into())], &first);
        assert_eq!(section(&second, "rates"), Some("R2\n"));
        assert_eq!(section(&second, "memory"), Some("M1\n"));
        assert_eq!(render(&[], &second), second);
    }

    #[test]
    fn words_name_sections() {
        let words = |w: &str| wanted(&[w.to_string()]);
        assert_eq!(wanted(&[]).unwrap(), SECTIONS);
        assert_eq!(words("motion").unwrap(), MOTION);
        assert_eq!(words("rates").unwrap(), ["rates"]);
        assert!(words("speed").is_err());
    }
}
