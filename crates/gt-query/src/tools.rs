//! Tools for editors and command lines: tokens, syntax trees, the words of the language, completion.

pub use crate::complete::{Candidate, Completion, complete};
pub use crate::highlight::{TokenClass, tokens};
pub use crate::nearest::nearest;
pub use crate::syntax::lexer::{Lexed, lex};
pub use crate::syntax::{DEPTH_MAX, Parsed, ast, parse, token};

/// Every word of the language, with its purpose.
pub mod vocabulary {
    pub use crate::vocabulary::*;
}
