//! Test positions: a line of EPD, a position with operations such as `bm Nxd6; id "LCTII.15";`.

use super::{Chess, Move};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;

/// A test position and its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub position: Chess,
    /// The operations in their order: the code and its operand as written, without quotes.
    pub operations: Vec<(String, String)>,
}

impl Epd {
    /// Reads one line.
    ///
    /// # Errors
    /// Returns an error if the position cannot be read, or an operation is not ended by `;`.
    ///
    /// ```
    /// use gt_games::chess::Epd;
    /// use gt_games::Notation;
    ///
    /// let line = r#"1r4k1/1q2bp2/3p2p1/2pP4/p1N4R/2P2QP1/1P3PK1/8 w - - bm Nxd6; id "LCTII.15";"#;
    /// let epd = Epd::parse(line)?;
    /// assert_eq!(epd.operand("id"), Some("LCTII.15"));
    /// assert_eq!(epd.position.move_text(epd.moves("bm")?[0]), "c4d6");
    /// # Ok::<(), gt_games::NotationError>(())
    /// ```
    pub fn parse(line: &str) -> Result<Self> {
        let mut rest = line.trim_start();
        let start = rest;
        for _ in 0..4 {
            rest = rest.trim_start_matches(|c: char| !c.is_whitespace()).trim_start();
        }
        let position = Chess::parse_position(&start[..start.len() - rest.len()])?;
        Ok(Self { position, operations: parse_operations(line, rest)? })
    }

    /// The operand of the first operation with this code.
    pub fn operand(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(name, _)| name == code).map(|(_, operand)| operand.as_str())
    }

    /// Returns the moves of an operation such as `bm` (best moves) or `am` (moves to avoid); none if it is missing.
    ///
    /// # Errors
    /// Returns an error if a move is not legal in the position.
    pub fn moves(&self, code: &str) -> Result<Vec<Move>> {
        let operand = self.operand(code).unwrap_or_default();
        operand.split_whitespace().map(|mv| self.position.parse_move(mv)).collect()
    }
}

fn parse_operations(line: &str, text: &str) -> Result<Vec<(String, String)>> {
    let mut operations = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some(end) = end_of_operation(rest) else {
            return Err(NotationError::syntax(line, "an operation ends with `;`").at(span_in(line, rest)));
        };
        let operation = rest[..end].trim();
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        operations.push((code.to_owned(), operand.trim().trim_matches('"').to_owned()));
        rest = rest[end + 1..].trim_start();
    }
    Ok(operations)
}

/// The index of the first `;` outside quotes.
fn end_of_operation(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(index, letter)| {
        quoted ^= letter == '"';
        (letter == ';' && !quoted).then_some(index)
    })
}
