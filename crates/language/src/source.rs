//! Source text: where it came from, and where in it something stands.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes. A model is a page of text; the bound keeps memory bounded.
pub const MAX_FILE_BYTES: usize = 4 << 20;

/// The longest line that is read, in bytes.
pub const MAX_LINE_BYTES: usize = 1_000_000;

/// A half-open range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`, in bytes.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: clamp(start),
            end: clamp(end.max(start)),
        }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span just behind this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            end: self.end,
        }
    }

    /// The span as a range of byte offsets.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A named text: a model file, or an argument of the command line.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// A source with the name that diagnostics show.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = line_starts(&text);
        Source {
            name: name.into(),
            text,
            line_starts,
        }
    }

    /// The name of a text that sets a value, such as `m=2`.
    pub const SETTING: &'static str = "setting";

    /// The name that diagnostics show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty where the span does not fit.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Where a name stands by itself.
    pub fn find_word(&self, name: &str) -> Option<Span> {
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let mut found = self.text.match_indices(name).filter(|(at, _)| {
            let (before, after) = (&self.text[..*at], &self.text[at + name.len()..]);
            !before.ends_with(joins) && !after.starts_with(|c| joins(c) || c == '\'')
        });
        found.next().map(|(at, _)| Span::new(at, at + name.len()))
    }

    /// How many lines there are; an empty text has one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }

    /// Line of a byte offset, from 1.
    pub fn line(&self, offset: u32) -> usize {
        self.line_starts
            .partition_point(|&start| start <= offset)
            .max(1)
    }

    /// Line and column of a byte offset.
    pub fn location(&self, offset: u32) -> Location {
        let line = self.line(offset);
        let start = self.line_starts[line - 1] as usize;
        let upto = self
            .text
            .get(start..(offset as usize).min(self.text.len()))
            .unwrap_or("");
        // A byte-order mark takes no column.
        let column = upto.chars().filter(|&c| c != '\u{FEFF}').count() + 1;
        Location { line, column }
    }

    /// The bytes of a line (from 1), without its line end.
    pub fn line_span(&self, line: usize) -> Span {
        let index = line.clamp(1, self.line_starts.len()) - 1;
        let start = self.line_starts[index] as usize;
        let end = self
            .line_starts
            .get(index + 1)
            .map_or(self.text.len(), |&e| e as usize);
        let line = self.text.get(start..end).unwrap_or("");
        Span::new(start, start + line.trim_end_matches(['\n', '\r']).len())
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (i, &b) in bytes.iter().enumerate() {
        let lone_return = b == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        if b == b'\n' || lone_return {
            starts.push(u32::try_from(i + 1).unwrap_or(u32::MAX));
        }
    }
    starts
}

/// Why a file could not be read as text.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The operating system refused.
    #[error("cannot read `{path}`: {error}")]
    Io {
        /// The path as given.
        path: String,
        /// What the operating system said.
        error: io::Error,
    },
    /// The path names a directory.
    #[error("`{path}` is a directory; give the path of a model file such as `{path}/NAME.mech`")]
    Directory {
        /// The path as given.
        path: String,
    },
    /// The file is larger than a model may be.
    #[error("`{path}` has more than {limit} bytes; a model file is a page of text")]
    TooLarge {
        /// The path as given.
        path: String,
        /// The limit that it exceeds.
        limit: usize,
    },
    /// The bytes are not UTF-8.
    #[error(
        "`{path}` is not UTF-8 text: line {line} has an invalid byte at offset {offset} of the file; save the file as UTF-8"
    )]
    Encoding {
        /// The path as given.
        path: String,
        /// Offset of the first invalid byte in the file.
        offset: usize,
        /// Its line, from 1.
        line: usize,
    },
}

/// Reads a model file. Directories, files beyond [`MAX_FILE_BYTES`] and text that is not UTF-8 are errors.
pub fn load(path: impl AsRef<Path>) -> Result<Source, LoadError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let io_error = |error| LoadError::Io {
        path: name.clone(),
        error,
    };
    if path.is_dir() {
        return Err(LoadError::Directory { path: name });
    }
    let file = File::open(path).map_err(io_error)?;
    let mut bytes = Vec::new();
    // `take` also bounds what a device or a pipe can send.
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(io_error)?;
    from_bytes(&name, bytes)
}

/// A source from raw bytes, under the same rules as [`load`].
pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Source, LoadError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(LoadError::TooLarge {
            path: name.to_owned(),
            limit: MAX_FILE_BYTES,
        });
    }
    String::from_utf8(bytes)
        .map(|text| Source::new(name, text))
        .map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..offset]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            LoadError::Encoding {
                path: name.to_owned(),
                offset,
                line,
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_characters() {
        let source = Source::new("a", "θ = 1\r\nxy\n");
        assert_eq!(source.location(3), Location { line: 1, column: 3 });
        assert_eq!(source.location(9), Location { line: 2, column: 2 });
        assert_eq!(source.slice(source.line_span(2)), "xy");
        assert_eq!(source.slice(source.line_span(1)), "θ = 1");
    }

    #[test]
    fn invalid_utf8_is_located() {
        let error = from_bytes("a", b"system a\ncoord \xff".to_vec()).unwrap_err();
        assert!(
            matches!(
                error,
                LoadError::Encoding {
                    offset: 15,
                    line: 2,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn a_directory_is_refused() {
        assert!(matches!(load("."), Err(LoadError::Directory { .. })));
    }
}
