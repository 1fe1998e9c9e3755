//! Completion for editors and the command line.
//!
//! Completion looks at the token before the word under the cursor, not at the whole grammar: it may offer a little
//! too much, and never fails on unfinished text.

use gt_log::Schema;

use crate::syntax::lexer::lex;
use crate::syntax::token::{Symbol, Token, TokenKind};
use crate::vocabulary::{Clause, Meaning, Part, Relative, WORDS, called, find, marked};

/// The completions at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The start of the word to replace; it ends at the cursor.
    pub start: usize,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text to insert.
    pub text: String,
    /// A one-line description.
    pub doc: String,
}

/// Returns the possible completions at `cursor`, a byte of `text`, in a query of a log with this schema.
///
/// ```
/// use gt_log::{Kind, Schema};
/// let schema = Schema::new([("best", Kind::I32), ("beta", Kind::I32)])?;
/// let found = gt_query::tools::complete("node: be", 8, &schema);
/// let texts: Vec<_> = found.candidates.iter().map(|candidate| candidate.text.as_str()).collect();
/// assert_eq!((found.start, texts), (6, vec!["best", "beta"]));
/// # Ok::<(), gt_log::SchemaError>(())
/// ```
#[must_use]
pub fn complete(text: &str, cursor: usize, schema: &Schema) -> Completion {
    let mut cursor = cursor.min(text.len());
    while !text.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let before = &text[..cursor];
    let start = word_start(before);
    let written = &before[start..];
    let in_text = lex(&before[..start]);
    let inside_comment = in_text.comments.last().is_some_and(|comment| comment.end == start && start > 0);
    if inside_comment || is_open_text(before) {
        return Completion { start, candidates: Vec::new() };
    }
    let lets = let_names(text);
    let all = match written.chars().next() {
        Some('@') => marked_words().collect(),
        Some('[') => Relative::all().map(|(name, _)| of_vocabulary(name)).collect(),
        Some('$') => Vec::new(),
        _ => expected(&before[..start], &in_text.tokens, schema, &lets),
    };
    let candidates = all.into_iter().filter(|candidate| candidate.text.starts_with(written)).collect();
    Completion { start, candidates }
}

/// The start of the last word of the text, including a mark or an open bracket before it.
fn word_start(before: &str) -> usize {
    let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
    if before[..start].ends_with(['@', '$']) {
        return start - 1;
    }
    let bracket = before.trim_end_matches(|c: char| c.is_ascii_digit() || "<>^-".contains(c));
    if bracket.ends_with('[') { bracket.len() - 1 } else { start }
}

/// Whether the cursor is inside a quoted text.
fn is_open_text(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or("");
    let mut open = false;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if open => drop(characters.next()),
            '"' => open = !open,
            '#' if !open => return false,
            _ => {}
        }
    }
    open
}

fn let_names(text: &str) -> Vec<String> {
    let tokens = lex(text).tokens;
    let names = tokens.windows(3).filter(|window| {
        window[0].kind == TokenKind::Name
            && window[0].span.of(text) == "let"
            && window[1].kind == TokenKind::Name
            && window[2].kind == TokenKind::Symbol(Symbol::Equal)
    });
    names.map(|window| window[1].span.of(text).to_owned()).collect()
}

/// The candidates that can follow the tokens, the last of which is [`TokenKind::End`].
fn expected(before: &str, tokens: &[Token], schema: &Schema, lets: &[String]) -> Vec<Candidate> {
    let last = tokens.len().checked_sub(2).map(|at| &tokens[at]);
    let word = match last {
        Some(Token { kind: TokenKind::Name, span }) => span.of(before),
        _ => "",
    };
    match last.map(|token| &token.kind) {
        None | Some(TokenKind::BlankLine | TokenKind::QueryName(_)) => beginnings(),
        Some(TokenKind::Symbol(Symbol::Semicolon)) => parts().chain(clauses()).collect(),
        Some(TokenKind::Symbol(Symbol::Close)) => continuations(),
        Some(TokenKind::Symbol(Symbol::Star)) if !is_product(tokens) => continuations(),
        Some(TokenKind::Symbol(_)) => values(schema, lets),
        Some(TokenKind::Relative(_)) => names(schema, lets).chain(marked_words()).collect(),
        Some(TokenKind::Name) if word == "is" => ["known", "unknown"].map(of_vocabulary).to_vec(),
        Some(TokenKind::Name)
            if matches!(word, "and" | "or" | "not" | "where" | "select" | "by" | "limit") =>
        {
            values(schema, lets)
        }
        Some(TokenKind::Name) if word == "let" => Vec::new(),
        Some(TokenKind::Name) if matches!(word, "group" | "order") => {
            vec![Candidate { text: "by".into(), doc: String::new() }]
        }
        Some(_) => continuations(),
    }
}

/// Whether the star at the end of the tokens has a left operand to multiply.
fn is_product(tokens: &[Token]) -> bool {
    let before = tokens.len().checked_sub(3).map(|at| &tokens[at].kind);
    !matches!(before, None | Some(TokenKind::Symbol(Symbol::Open | Symbol::Colon)))
}

fn of_vocabulary(spelling: &str) -> Candidate {
    let doc = find(spelling).map_or("", |word| word.doc);
    Candidate { text: spelling.to_owned(), doc: doc.to_owned() }
}

fn followed(spelling: &str, by: &str) -> Candidate {
    let candidate = of_vocabulary(spelling);
    Candidate { text: candidate.text + by, doc: candidate.doc }
}

fn parts() -> impl Iterator<Item = Candidate> {
    Part::all().map(|(name, part)| followed(name, if part == Part::Twin { "(" } else { ":" }))
}

fn clauses() -> impl Iterator<Item = Candidate> {
    Clause::all().map(|(name, _)| of_vocabulary(name))
}

fn marked_words() -> impl Iterator<Item = Candidate> {
    marked().map(of_vocabulary)
}

fn beginnings() -> Vec<Candidate> {
    parts().chain([of_vocabulary("let")]).chain(clauses()).collect()
}

/// The candidates that can follow a complete value.
fn continuations() -> Vec<Candidate> {
    let words = ["and", "or", "in", "is", "where", "asc", "desc", "as"].map(of_vocabulary);
    words.into_iter().chain(parts()).chain(clauses()).collect()
}

/// The candidates that a value can begin with.
fn values(schema: &Schema, lets: &[String]) -> Vec<Candidate> {
    let functions = called().map(|name| followed(name, "("));
    let words = WORDS.iter();
    let words =
        words.filter(|word| word.meaning == Meaning::Literal || matches!(word.spelling, "not" | "distinct"));
    let words = words.map(|word| of_vocabulary(word.spelling));
    names(schema, lets).chain(functions).chain(words).chain(marked_words()).collect()
}

fn names<'a>(schema: &'a Schema, lets: &'a [String]) -> impl Iterator<Item = Candidate> + 'a {
    let attributes = schema.attributes().iter().map(|attribute| Candidate {
        text: attribute.name.clone(),
        doc: format!("an attribute, {}", attribute.kind),
    });
    let aliases = schema
        .aliases()
        .iter()
        .map(|alias| Candidate { text: alias.name.clone(), doc: format!("an alias of {}", alias.value) });
    let lets = lets.iter().map(|name| Candidate { text: name.clone(), doc: "a derived column".into() });
    attributes.chain(aliases).chain(lets).chain(["node_id", "last_move"].map(of_vocabulary))
}
