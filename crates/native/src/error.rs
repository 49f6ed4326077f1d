//! Why a program could not become machine code.

/// Why a program could not become machine code.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// There is no backend for this processor.
    #[error("there is no machine-code backend for this processor")]
    UnsupportedProcessor,
    /// The program uses something that no native backend offers.
    #[error("{0} cannot be turned into machine code")]
    Unsupported(&'static str),
    /// The program refers to a value, an input or a block that it does not have.
    #[error(
        "instruction {instruction} of the program refers to {what} {index}, which it does not have"
    )]
    Malformed {
        /// Which instruction; the number of instructions stands for the list of outputs.
        instruction: usize,
        /// What kind of thing.
        what: &'static str,
        /// Which one.
        index: u32,
    },
    /// The program does not fit into the address range of its instructions.
    #[error("the program is too large for machine code")]
    TooLarge,
    /// An instruction could not be encoded.
    #[error("an instruction could not be encoded: {0}")]
    Encoding(String),
    /// The operating system gives no executable memory.
    #[error("the system gives no executable memory: {0}")]
    Memory(#[from] std::io::Error),
}
