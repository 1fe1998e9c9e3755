//! For editors and command lines: query texts as tokens and trees, the words of the language, what can be written next.

pub use crate::complete::{Candidate, Completion, complete};
pub use crate::highlight::{TokenClass, tokens};
pub use crate::nearest::nearest;
pub use crate::syntax::lexer::{Lexed, lex};
pub use crate::syntax::{DEPTH_MAX, Parsed, ast, parse, token};

/// Every word of the language, and what it is for.
pub mod vocabulary {
    pub use crate::vocabulary::*;
}
