//! The text of a model: a file, or standard input where the path is `-`.

use rattleback::language::{LoadError, MAX_FILE_BYTES, Source, from_bytes, load};
use std::io::{self, Read};
use std::path::Path;

/// What messages call standard input.
const NAME: &str = "standard input";

/// Does the path mean standard input?
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the text, under the rules of model files.
pub fn read(path: &Path) -> Result<Source, LoadError> {
    if !is_standard_input(path) {
        return load(path);
    }
    let mut bytes = Vec::new();
    let whole = io::stdin()
        .lock()
        .take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes);
    whole.map_err(|error| LoadError::Io {
        path: NAME.to_owned(),
        error,
    })?;
    from_bytes(NAME, bytes)
}
