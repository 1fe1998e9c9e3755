//! What the code of one module says of others: its `mod` lines, its `use` lines, and its paths.

/// A name that a module takes from elsewhere.
pub(crate) struct Use {
    pub(crate) path: Vec<String>,
    /// What it is called in the module; `*` for all names.
    pub(crate) name: String,
    /// Whether others may take it from here.
    pub(crate) is_handed_on: bool,
}

/// The words of a module's code, without comments, texts and tests.
pub(crate) struct Words {
    /// The modules below it, in files of their own.
    pub(crate) modules: Vec<String>,
    pub(crate) uses: Vec<Use>,
    /// Other paths, as in `super::read` and `values::integer`.
    pub(crate) paths: Vec<Vec<String>>,
    /// All words outside of `mod` and `use`.
    words: Vec<String>,
}

impl Words {
    pub(crate) fn read(text: &str) -> Self {
        let mut tokens = without_tests(&tokens(text)).into_iter().peekable();
        let mut read = Self { modules: Vec::new(), uses: Vec::new(), paths: Vec::new(), words: Vec::new() };
        let mut is_public = false;
        let mut path: Vec<String> = Vec::new();
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "pub" => {
                    is_public = true;
                    if tokens.peek().is_some_and(|next| next == "(") {
                        tokens.by_ref().find(|next| next == ")");
                    }
                    continue;
                }
                "use" => {
                    let tree: Vec<String> = tokens.by_ref().take_while(|next| next != ";").collect();
                    read.add_uses(&mut tree.iter().map(String::as_str).peekable(), &[], is_public);
                }
                "mod" => {
                    let name = tokens.next().unwrap_or_default();
                    if tokens.peek().is_some_and(|next| next == ";") {
                        read.modules.push(name);
                    }
                }
                "::" if !path.is_empty() => {}
                word if is_word(word) => {
                    path.push(token.clone());
                    read.words.push(token);
                    if tokens.peek().is_none_or(|next| next != "::") {
                        read.add_path(std::mem::take(&mut path));
                    }
                }
                _ => read.add_path(std::mem::take(&mut path)),
            }
            is_public = false;
        }
        read
    }

    /// Whether the code names this outside of its `use` lines.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.words.iter().any(|word| word == name)
    }

    fn add_path(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.paths.push(path);
        }
    }

    /// A tree of `use`: `a::{b, c::{self, d as e}, *}`.
    fn add_uses<'t>(
        &mut self,
        tree: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
        above: &[String],
        is_handed_on: bool,
    ) {
        let mut path = above.to_vec();
        let mut name = None;
        let mut is_done = false;
        while let Some(token) = tree.next() {
            match token {
                "::" => {}
                "{" => {
                    let mut depth = 1;
                    let mut part: Vec<&str> = Vec::new();
                    for token in tree.by_ref() {
                        match token {
                            "{" => depth += 1,
                            "}" => depth -= 1,
                            _ => {}
                        }
                        if depth == 0 || (depth == 1 && token == ",") {
                            let mut part = std::mem::take(&mut part);
                            if !part.is_empty() {
                                self.add_part(&mut part, &path, is_handed_on);
                            }
                            if depth == 0 {
                                break;
                            }
                        } else {
                            part.push(token);
                        }
                    }
                    is_done = true;
                }
                "as" => name = tree.next().map(str::to_owned),
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
        }
        if !is_done {
            let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
            self.uses.push(Use { path, name, is_handed_on });
        }
    }

    fn add_part(&mut self, part: &mut [&str], above: &[String], is_handed_on: bool) {
        // By hand, as a tree in a tree would make a type in a type without end.
        let mut boxed: Box<dyn Iterator<Item = &str>> = Box::new(part.iter().copied());
        self.add_uses(&mut (&mut boxed as &mut dyn Iterator<Item = &str>).peekable(), above, is_handed_on);
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words, `::` and single signs; comments, texts and characters are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if rest.starts_with("r\"") || rest.starts_with("r#\"") => raw_text(rest),
            '"' => quoted(rest),
            '\'' => character(rest),
            _ if rest.starts_with("::") => 2,
            _ if is_word(rest) => rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let is_left_out = token.starts_with("//")
            || token.starts_with("/*")
            || token.contains(['"', '\''])
            || first.is_whitespace();
        if !is_left_out {
            tokens.push(token.to_owned());
        }
        rest = after;
    }
    tokens
}

fn raw_text(text: &str) -> usize {
    let end = if text.starts_with("r#") { "\"#" } else { "\"" };
    let start = end.len() + 1;
    text[start..].find(end).map_or(text.len(), |at| start + at + end.len())
}

fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// A character in quotes, or the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(text.len(), |at| at + 4),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// The tokens without what `#[cfg(test)]` stands before.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut place = 0;
    while place < tokens.len() {
        if !tokens[place..].iter().map(String::as_str).take(MARK.len()).eq(MARK) {
            kept.push(tokens[place].clone());
            place += 1;
            continue;
        }
        // An item ends with its braces, or with a semicolon before them.
        let mut depth = 0;
        while place < tokens.len() {
            let token = tokens[place].as_str();
            place += 1;
            match token {
                "{" => depth += 1,
                "}" if depth == 1 => break,
                "}" => depth -= 1,
                ";" if depth == 0 => break,
                _ => {}
            }
        }
    }
    kept
}
