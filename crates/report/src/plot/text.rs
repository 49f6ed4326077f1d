//! Text in figures: upright words, slanted symbols, indices set low.

use std::fmt::Write;

use super::style::{INK, MATH};
use crate::name;
use crate::unit::display_unit;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Upright,
    Slanted,
    Low,
    /// A dot above the letter before it.
    Above,
}

/// A line of text in runs of one style.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Text {
    runs: Vec<(Style, String)>,
    /// The whole text, where a part of it was left out.
    whole: Option<String>,
}

/// Where the point of a text lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Text {
    /// Upright words.
    pub fn plain(words: &str) -> Text {
        Text::default().and(words)
    }

    /// A name of the model language, set as a symbol.
    pub fn symbol(name: &str) -> Text {
        Text::default().and_symbol(name)
    }

    pub fn and(mut self, words: &str) -> Text {
        if !words.is_empty() {
            self.runs.push((Style::Upright, words.to_owned()));
        }
        self
    }

    pub fn and_symbol(mut self, name: &str) -> Text {
        let symbol = name::symbol(name);
        let primes = "′".repeat(symbol.primes);
        // One letter is a symbol, several are a word.
        if symbol.base.chars().filter(|c| c.is_alphabetic()).count() > 1 {
            let words = format!("{} {}", symbol.base, symbol.index);
            return self.and(&format!("{}{primes}", words.trim_end()));
        }
        // Many fonts set a combining dot into the letter below it.
        let mark = match symbol.base.chars().last() {
            Some('\u{0307}') => "˙",
            Some('\u{0308}') => "¨",
            _ => "",
        };
        let letter = symbol.base.trim_end_matches(['\u{0307}', '\u{0308}']);
        self.runs
            .push((Style::Slanted, format!("{letter}{primes}")));
        if !mark.is_empty() {
            self.runs.push((Style::Above, mark.to_owned()));
        }
        if !symbol.index.is_empty() {
            self.runs.push((Style::Low, symbol.index));
        }
        self
    }

    /// The text with a unit in brackets.
    pub fn and_unit(self, unit: Option<&str>) -> Text {
        match unit {
            Some(unit) if !unit.is_empty() => self.and(&format!(" ({})", display_unit(unit))),
            _ => self,
        }
    }

    /// Texts one after the other, with commas.
    pub fn list<'a>(texts: impl IntoIterator<Item = &'a Text>) -> Text {
        let mut list = Text::default();
        for text in texts {
            if !list.runs.is_empty() {
                list = list.and(", ");
            }
            list.runs.extend(text.runs.iter().cloned());
        }
        list
    }

    /// The text with another one behind it.
    pub fn then(mut self, other: &Text) -> Text {
        self.runs.extend(other.runs.iter().cloned());
        self.whole = self.whole.map(|whole| whole + &other.words());
        self
    }

    /// The text within this width: what is too much gives way to an ellipsis, and shows when pointed at.
    pub fn shortened(&self, size: f64, width: f64) -> Text {
        let mut short = self.clone();
        if self.width(size) <= width {
            return short;
        }
        let room = width - width_in_em('…') * size;
        while short.width(size) > room
            && let Some((style, run)) = short.runs.last_mut()
        {
            // A dot goes with its letter.
            if *style == Style::Above || run.pop().is_none() {
                short.runs.pop();
            }
        }
        if let Some((_, run)) = short.runs.last_mut() {
            run.truncate(run.trim_end().len());
        }
        short.whole = Some(self.whole.clone().unwrap_or_else(|| self.words()));
        short.and("…")
    }

    /// The text in lines of at most this width, broken at spaces; at most `most` of them.
    pub fn lines(words: &str, size: f64, width: f64, most: usize) -> Vec<Text> {
        let mut lines: Vec<String> = Vec::new();
        for word in words.split_whitespace() {
            match lines.last_mut() {
                Some(line) if is_full(line, word, size, width) => lines.push(word.to_owned()),
                Some(line) => *line += &format!(" {word}"),
                None => lines.push(word.to_owned()),
            }
        }
        if lines.len() > most {
            let rest = lines.split_off(most.saturating_sub(1));
            lines.push(rest.join(" "));
        }
        let shortened = |line: &String| Text::plain(line).shortened(size, width);
        lines.iter().map(shortened).collect()
    }

    /// All runs without their styles.
    fn words(&self) -> String {
        self.runs.iter().map(|(_, run)| run.as_str()).collect()
    }

    /// About how wide the text is: fonts differ, so this errs on the wide side.
    pub fn width(&self, size: f64) -> f64 {
        let run = |(style, text): &(Style, String)| {
            let scale = match style {
                Style::Low => 0.72,
                Style::Above => 0.0,
                Style::Upright | Style::Slanted => 1.0,
            };
            text.chars().map(width_in_em).sum::<f64>() * scale * size
        };
        self.runs.iter().map(run).sum()
    }

    /// The runs as elements of an SVG text.
    fn spans(&self, size: f64) -> String {
        let mut spans = String::new();
        let mut lowered = 0.0;
        for (style, text) in &self.runs {
            let low = match style {
                Style::Low => 0.24 * size,
                Style::Above => -0.22 * size,
                Style::Upright | Style::Slanted => 0.0,
            };
            let mut attributes = String::new();
            if low != lowered {
                attributes += &format!(" dy=\"{:.1}\"", low - lowered);
                lowered = low;
            }
            match style {
                Style::Upright => {}
                Style::Slanted => {
                    attributes += &format!(
                        " font-family=\"{MATH}\" font-style=\"italic\" font-size=\"{:.1}\"",
                        1.12 * size
                    );
                }
                Style::Above => {
                    attributes += &format!(
                        " dx=\"{:.1}\" font-family=\"{MATH}\" font-size=\"{:.1}\"",
                        -0.42 * size,
                        1.12 * size
                    );
                }
                Style::Low => {
                    attributes +=
                        &format!(" font-family=\"{MATH}\" font-size=\"{:.1}\"", 0.78 * size);
                }
            }
            let text = escaped(text);
            // Writing to a string cannot fail.
            let _ = match attributes.is_empty() {
                true => write!(spans, "{text}"),
                false => write!(spans, "<tspan{attributes}>{text}</tspan>"),
            };
        }
        spans
    }

    /// An SVG text element.
    pub fn svg(&self, at: [f64; 2], size: f64, anchor: Anchor, more: &str) -> String {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let whole = self.whole.iter().map(|text| escaped(text));
        let hint: String = whole.map(|text| format!("<title>{text}</title>")).collect();
        format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" fill=\"{INK}\"{anchor}{more}>{hint}{}</text>\n",
            at[0],
            at[1],
            self.spans(size)
        )
    }
}

/// Does the word not fit behind this line?
fn is_full(line: &str, word: &str, size: f64, width: f64) -> bool {
    Text::plain(line).and(" ").and(word).width(size) > width
}

fn width_in_em(c: char) -> f64 {
    match c {
        '\u{0300}'..='\u{036f}' => 0.0,
        '.' | ',' | ' ' | ':' | '′' | 'i' | 'l' | 'j' | '[' | ']' | '(' | ')' | '|' => 0.3,
        'f' | 't' | 'r' | '-' => 0.4,
        '⁰'..='⁹' | '⁻' | '¹' | '²' | '³' => 0.38,
        'm' | 'w' | 'M' | 'W' | '…' | '×' => 0.85,
        'A'..='Z' => 0.68,
        _ => 0.57,
    }
}

/// Text that is safe in XML: special characters escaped, control characters left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_slanted_with_low_indices() {
        let svg = Text::symbol("theta1'").svg([0.0, 0.0], 10.0, Anchor::Start, "");
        assert!(svg.contains("italic"), "{svg}");
        assert!(svg.contains(">θ</tspan>"), "{svg}");
        assert!(svg.contains(">˙</tspan>"), "{svg}");
        assert!(svg.contains(">1</tspan>"), "{svg}");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}\n"), "a&lt;b &amp; &quot;c&quot; ");
    }

    #[test]
    fn long_texts_are_shortened_to_their_room() {
        let text = Text::symbol("the_angle_of_the_rod'").and_unit(Some("rad/s"));
        assert_eq!(text.shortened(10.0, 1000.0), text);
        for width in [100.0, 50.0, 10.0, 1.0] {
            let short = text.shortened(10.0, width);
            assert!(short.width(10.0) <= width.max(9.0), "{short:?}");
            assert!(short.words().ends_with('…'), "{short:?}");
            let svg = short.svg([0.0, 0.0], 10.0, Anchor::Start, "");
            assert!(
                svg.contains("<title>the angle of the rod′ (rad/s)</title>"),
                "{svg}"
            );
        }
        let dotted = Text::symbol("theta_of_the_rod'").shortened(10.0, 16.0);
        assert_eq!(dotted.words(), "θ˙…");
    }

    #[test]
    fn lines_break_at_spaces() {
        let words = |width: f64, most: usize| -> Vec<String> {
            let lines = Text::lines("one two three four", 10.0, width, most);
            lines.iter().map(Text::words).collect()
        };
        assert_eq!(words(1000.0, 2), ["one two three four"]);
        assert_eq!(words(60.0, 3), ["one two", "three four"]);
        let one = words(60.0, 1);
        assert!(one.len() == 1 && one[0].starts_with("one two") && one[0].ends_with('…'));
        assert!(Text::lines(" ", 10.0, 60.0, 2).is_empty());
    }

    #[test]
    fn lists_have_commas() {
        let list = Text::list([&Text::symbol("x"), &Text::symbol("y")]).and_unit(Some("m/s^2"));
        let words: String = list.runs.iter().map(|(_, t)| t.as_str()).collect();
        assert_eq!(words, "x, y (m/s²)");
    }
}
