//! The footer of a Parquet file that grows group by group.
//!
//! A footer describes every group so far. Each description is encoded once, and what a footer in the file already
//! has is copied from there into the next one: memory does not grow with the groups. Among what the file says about
//! itself is the checksum of the footer, as it is with zeros in the checksum's place. It says that every group has
//! its checksum behind it, too, where readers pass over it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::SchemaDescPtr;

use crate::checksum::Checksum;

/// What every Parquet file begins and ends with.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";

/// The head of the list of groups, field 4 behind field 3 in Thrift's compact encoding.
const LIST_FIELD: u8 = 0x19;
/// The type of what is in the list, a struct, where the list's length stands beside it or behind it.
const STRUCT: u8 = 0x0c;
/// Lists from this length on have it behind the type.
const LONG: usize = 15;

/// The text before the checksum's eight hexadecimal digits, which is nowhere else in a footer but by intent.
pub(super) const SEAL: &str = "crc32 of the footer, and behind each group of its bytes: ";
/// The digits before they are known.
pub(super) const NO_DIGITS: &str = "00000000";

/// Bytes that are copied at a time.
const CHUNK: u64 = 1 << 18;

/// The descriptions that the last footer in the file has.
struct Settled {
    file: File,
    start: u64,
    length: u64,
}

/// All groups of a file, as the footer has them.
pub(super) struct Footer {
    /// The footer of a file without groups, but for length and magic number.
    empty: Vec<u8>,
    /// Where the number of rows stands in it, which the list of groups follows; known from the first group on.
    rows_at: usize,
    schema: SchemaDescPtr,
    properties: Arc<WriterProperties>,
    /// None where the file cannot be read: then all descriptions stay in memory.
    settled: Option<Settled>,
    /// The descriptions that are not settled.
    groups: Vec<u8>,
    count: usize,
    rows: u64,
    /// How many groups the last footer has.
    listed: usize,
}

impl Footer {
    /// Of no groups, for a file that can be read here.
    pub fn new(
        schema: SchemaDescPtr,
        properties: Arc<WriterProperties>,
        file: Option<File>,
    ) -> Result<Self, ParquetError> {
        Ok(Footer {
            empty: encoded(&schema, &properties, Vec::new())?,
            rows_at: 0,
            schema,
            properties,
            settled: file.map(|file| Settled {
                file,
                start: 0,
                length: 0,
            }),
            groups: Vec::new(),
            count: 0,
            rows: 0,
            listed: 0,
        })
    }

    /// Adds a group.
    pub fn add(&mut self, group: &RowGroupMetaData) -> Result<(), ParquetError> {
        // Without its number, which has 16 bits: readers count themselves.
        let group = RowGroupMetaData::builder(self.schema.clone())
            .set_column_metadata(group.columns().to_vec())
            .set_total_byte_size(group.total_byte_size())
            .set_num_rows(group.num_rows())
            .set_file_offset(group.file_offset().unwrap_or_default())
            .build()?;
        let rows = u64::try_from(group.num_rows()).unwrap_or_default();
        let one = encoded(&self.schema, &self.properties, vec![group])?;
        // The two footers part where the number of rows is: 0 in one, more in the other.
        let same = self.empty.iter().zip(&one).take_while(|(a, b)| a == b);
        self.rows_at = same.count();
        let (_, tail) = self.split()?;
        let mut head = Vec::new();
        list_head(rows, 1, &mut head);
        let description = one[self.rows_at..]
            .strip_prefix(&head[..])
            .and_then(|rest| rest.strip_suffix(tail))
            .ok_or_else(unexpected)?;
        self.groups.extend_from_slice(description);
        self.count += 1;
        self.rows += rows;
        Ok(())
    }

    /// What stands before the number of rows, and behind the list of groups.
    fn split(&self) -> Result<(&[u8], &[u8]), ParquetError> {
        let (head, rest) = self.empty.split_at(self.rows_at);
        let tail = rest.strip_prefix(&[0, LIST_FIELD, STRUCT]);
        Ok((head, tail.ok_or_else(unexpected)?))
    }

    /// Are there groups that the last footer does not have?
    pub fn is_behind(&self) -> bool {
        self.listed < self.count
    }

    /// Its length in bytes, more or less.
    pub fn length(&self) -> u64 {
        let settled = self.settled.as_ref().map_or(0, |settled| settled.length);
        settled + (self.empty.len() + self.groups.len()) as u64
    }

    /// Writes the footer of all groups so far, to this place of the file; returns its length.
    pub fn write(&mut self, place: u64, out: &mut impl Write) -> Result<u64, ParquetError> {
        let mut out = Summed {
            out,
            sum: Checksum::new(),
        };
        if self.count == 0 {
            let length = out.sealed(&self.empty)?;
            return end(length, out.out);
        }
        let (head, tail) = self.split()?;
        let mut begin = head.to_vec();
        list_head(self.rows, self.count, &mut begin);
        out.write_all(&begin)?;
        let settled = match &self.settled {
            Some(settled) => settled.copy(&mut out)?,
            None => 0,
        };
        out.write_all(&self.groups)?;
        let tail = out.sealed(tail)?;
        let descriptions = settled + self.groups.len() as u64;
        let length = end(begin.len() as u64 + tail + descriptions, out.out)?;
        self.listed = self.count;
        if let Some(settled) = &mut self.settled {
            settled.start = place + begin.len() as u64;
            settled.length = descriptions;
            self.groups.clear();
        }
        Ok(length)
    }

    /// The file ends with a footer of all groups so far.
    pub fn is_written(&mut self) {
        self.listed = self.count;
    }
}

/// Bytes that are written and summed up on the way.
struct Summed<'a, W> {
    out: &'a mut W,
    sum: Checksum,
}

impl<W: Write> Summed<'_, W> {
    /// Writes the end of the footer with the checksum of all of it; returns its length.
    fn sealed(&mut self, tail: &[u8]) -> Result<u64, ParquetError> {
        self.sum.add(tail);
        let digits = format!("{:08x}", self.sum.value());
        let mut tail = tail.to_vec();
        let place = digits_of(&tail).ok_or_else(unexpected)?;
        tail[place..place + digits.len()].copy_from_slice(digits.as_bytes());
        self.out.write_all(&tail)?;
        Ok(tail.len() as u64)
    }
}

impl<W: Write> Write for Summed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Where the digits of the checksum begin in a footer.
fn digits_of(footer: &[u8]) -> Option<usize> {
    let seal = SEAL.as_bytes();
    let place = footer.windows(seal.len()).rposition(|text| text == seal)? + seal.len();
    (place + NO_DIGITS.len() <= footer.len()).then_some(place)
}

/// Is a footer as it was written? One without a checksum is taken at its word. Its digits are wiped out.
pub(super) fn is_intact(footer: &mut [u8]) -> bool {
    let Some(place) = digits_of(footer) else {
        return true;
    };
    let digits = &mut footer[place..place + NO_DIGITS.len()];
    let told = std::str::from_utf8(digits).map(|text| u32::from_str_radix(text, 16));
    let Ok(Ok(told)) = told else { return false };
    digits.copy_from_slice(NO_DIGITS.as_bytes());
    Checksum::of(footer) == told
}

impl Settled {
    /// Writes the descriptions once more; returns their length.
    fn copy(&self, out: &mut impl Write) -> Result<u64, ParquetError> {
        let (mut file, mut left) = (&self.file, self.length);
        file.seek(SeekFrom::Start(self.start))?;
        let mut chunk = vec![0; CHUNK.min(left) as usize];
        while left > 0 {
            let part = &mut chunk[..CHUNK.min(left) as usize];
            file.read_exact(part)?;
            out.write_all(part)?;
            left -= part.len() as u64;
        }
        Ok(self.length)
    }
}

/// Writes what stands behind a footer of this length; returns the length of both.
fn end(length: u64, out: &mut impl Write) -> Result<u64, ParquetError> {
    let told = u32::try_from(length)
        .map_err(|_| ParquetError::General("too many groups of rows".to_owned()))?;
    out.write_all(&told.to_le_bytes())?;
    out.write_all(MAGIC)?;
    Ok(length + 2 * MAGIC.len() as u64)
}

/// The number of rows, and the head of a list of this many groups.
fn list_head(rows: u64, count: usize, out: &mut Vec<u8>) {
    // Signed numbers have their sign in the last bit.
    variable(rows << 1, out);
    out.push(LIST_FIELD);
    if count < LONG {
        out.push((count as u8) << 4 | STRUCT);
    } else {
        out.push((LONG as u8) << 4 | STRUCT);
        variable(count as u64, out);
    }
}

/// Seven bits in each byte, the last ones first.
fn variable(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A footer without length and magic number.
fn encoded(
    schema: &SchemaDescPtr,
    properties: &WriterProperties,
    groups: Vec<RowGroupMetaData>,
) -> Result<Vec<u8>, ParquetError> {
    let file = FileMetaData::new(
        properties.writer_version().as_num(),
        0,
        Some(properties.created_by().to_owned()),
        properties.key_value_metadata().cloned(),
        schema.clone(),
        None,
    );
    let mut bytes = Vec::new();
    let metadata = ParquetMetaData::new(file, groups);
    ParquetMetaDataWriter::new(&mut bytes, &metadata).finish()?;
    bytes.truncate(bytes.len().saturating_sub(2 * MAGIC.len()));
    Ok(bytes)
}

fn unexpected() -> ParquetError {
    ParquetError::General("the footer is not encoded as expected".to_owned())
}
