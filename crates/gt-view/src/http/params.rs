//! The parameters of a request: `?log=0&line=e2e4%20e7e5`.

use crate::error::{Answer, Refusal};

/// Names and values, decoded.
#[derive(Debug)]
pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads a query string that may hold these names, each once.
    pub(super) fn read(query: Option<String>, known: &[&str]) -> Answer<Self> {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        for (index, (name, _)) in pairs.iter().enumerate() {
            let shown = name.chars().take(40).collect::<String>().escape_debug().to_string();
            if !known.contains(&name.as_str()) {
                let names = if known.is_empty() {
                    "takes none".to_owned()
                } else {
                    format!("takes {}", known.join(", "))
                };
                return Err(Refusal::bad(
                    &shown,
                    format!("`{shown}` is no parameter of this call: it {names}"),
                ));
            }
            if pairs[..index].iter().any(|(before, _)| before == name) {
                return Err(Refusal::bad(&shown, format!("`{shown}` is there twice")));
            }
        }
        Ok(Self(pairs))
    }

    /// A text, where it is given.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether moves are to be written down as players do.
    pub(super) fn wants_san(&self) -> Answer<bool> {
        Ok(self.one_of("moves", &["text", "san"])? == "san")
    }

    /// A whole number; `default` where none is given.
    pub(super) fn number(&self, name: &str, default: u64) -> Answer<u64> {
        Ok(self.maybe_number(name)?.unwrap_or(default))
    }

    /// A whole number, where one is given.
    pub(super) fn maybe_number(&self, name: &str) -> Answer<Option<u64>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if is_plain => Ok(Some(number)),
            _ => {
                let shown: String = text.chars().take(40).collect();
                let sentence =
                    format!("`{name}` is a whole number from 0 on, not `{}`", shown.escape_debug());
                Err(Refusal::bad(name, sentence))
            }
        }
    }

    /// A whole number in a range.
    pub(super) fn within(
        &self,
        name: &str,
        default: u64,
        range: std::ops::RangeInclusive<u64>,
    ) -> Answer<u64> {
        let number = self.number(name, default)?;
        if range.contains(&number) {
            return Ok(number);
        }
        let sentence = format!("`{name}` is from {} to {}, not {number}", range.start(), range.end());
        Err(Refusal::bad(name, sentence))
    }

    /// `true` or `false`; false where it is not given.
    pub(super) fn truth(&self, name: &str) -> Answer<bool> {
        match self.text(name) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1" | "") => Ok(true),
            Some(_) => Err(Refusal::bad(name, format!("`{name}` is `true` or `false`"))),
        }
    }

    /// One of some words; the first where none is given.
    pub(super) fn one_of<'w>(&self, name: &str, words: &[&'w str]) -> Answer<&'w str> {
        let Some(text) = self.text(name) else { return Ok(words[0]) };
        words
            .iter()
            .find(|word| **word == text)
            .copied()
            .ok_or_else(|| Refusal::bad(name, format!("`{name}` is one of: {}", words.join(", "))))
    }
}

/// A number as a place in a list; beyond all lists where it is too large.
pub(super) fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
