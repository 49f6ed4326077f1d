//! Memory that holds machine code.

use crate::NativeError;
use memmap2::{Mmap, MmapMut};

/// Read-only executable memory, released on drop.
#[derive(Debug)]
pub struct ExecutableMemory {
    map: Mmap,
}

impl ExecutableMemory {
    /// Copies an image (constants and code) into fresh pages and makes them executable.
    pub fn new(image: &[u8]) -> Result<Self, NativeError> {
        let mut map = MmapMut::map_anon(image.len().max(1))?;
        map[..image.len()].copy_from_slice(image);
        Ok(Self {
            map: map.make_exec()?,
        })
    }

    /// The address of a byte of the image.
    pub fn address(&self, offset: usize) -> *const u8 {
        self.map[offset..].as_ptr()
    }
}
