//! The last whole footer of a Parquet file, at its end or, where the file was torn while it was written, before.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::parquet_footer::{MAGIC, is_intact};

/// Bytes looked through at a time.
const CHUNK: u64 = 1 << 16;

/// A footer, or why there is none.
pub(super) enum Found {
    /// One that is as it was written.
    Whole(ParquetMetaData),
    /// One that has been changed since.
    Damaged,
}

/// The footer with which the file ends.
pub(super) fn footer_at_end(file: &File) -> Option<Found> {
    let magic = (file.metadata().ok()?.len()).checked_sub(MAGIC.len() as u64)?;
    let mut bytes = Vec::new();
    read(file, magic, MAGIC.len() as u64, &mut bytes).ok()?;
    (bytes == MAGIC).then(|| footer_before(file, magic))?
}

/// Looks for a footer from the end of the file on. Bytes that only look like the end of one are passed over.
pub(super) fn last_footer(file: &File) -> Option<ParquetMetaData> {
    let mut end = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    while end > 0 {
        let begin = end.saturating_sub(CHUNK);
        // A magic number may lie across two chunks.
        let overlap = MAGIC.len() as u64 - 1;
        read(file, begin, end - begin + overlap, &mut bytes).ok()?;
        let places = bytes.windows(MAGIC.len()).enumerate().rev();
        let mut found = places.filter(|(_, window)| window == MAGIC);
        let footer = found.find_map(
            |(place, _)| match footer_before(file, begin + place as u64) {
                Some(Found::Whole(footer)) => Some(footer),
                _ => None,
            },
        );
        if footer.is_some() {
            return footer;
        }
        end = begin;
    }
    None
}

/// The footer whose magic number is here: the metadata, their length in four bytes, the magic number.
fn footer_before(file: &File, magic: u64) -> Option<Found> {
    let mut bytes = Vec::new();
    let tail = magic.checked_sub(4)?;
    read(file, tail, 4, &mut bytes).ok()?;
    let length = u64::from(u32::from_le_bytes(bytes.as_slice().try_into().ok()?));
    let start = tail.checked_sub(length).filter(|start| *start >= 4)?;
    read(file, start, length, &mut bytes).ok()?;
    if !is_intact(&mut bytes) {
        return Some(Found::Damaged);
    }
    let footer = ParquetMetaDataReader::decode_metadata(&bytes).ok()?;
    Some(Found::Whole(footer))
}

/// Reads up to `length` bytes from a place on.
fn read(mut file: &File, place: u64, length: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.clear();
    file.seek(SeekFrom::Start(place))?;
    file.take(length).read_to_end(bytes)?;
    Ok(())
}
