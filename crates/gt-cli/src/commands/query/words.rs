//! Which words of the command line are logs, and which is the query.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use unicode_width::UnicodeWidthStr;

use super::source::QueryText;
use crate::failure::Failure;
use crate::printable;

/// The last positional is the query, unless a file has the queries.
pub(super) fn logs_and_query(
    positional: &[OsString],
    file: Option<&Path>,
) -> Result<(Vec<PathBuf>, QueryText), Failure> {
    let paths = |words: &[OsString]| words.iter().map(PathBuf::from).collect::<Vec<_>>();
    if let Some(file) = file {
        let logs = paths(positional);
        if let Some(stray) = logs.last().filter(|path| !path.exists() && looks_like_query(path.as_os_str())) {
            let sentence = "the queries come from `-f`, so this is taken for a log, and there is none of that name; \
                            leave it or `-f` away";
            return Err(Failure::about(stray, sentence));
        }
        return Ok((logs, read_queries(file)?));
    }
    let Some((last, logs)) = positional.split_last() else {
        return Err(Failure::new("no log and no query are given"));
    };
    if Path::new(last).exists() {
        let sentence = if logs.is_empty() {
            "no query is given; write it after the log, or name a query file with `-f`"
        } else {
            "the last argument is the query, and this is a file; write the query after the logs, or name a query file \
             with `-f`"
        };
        return Err(Failure::about(Path::new(last), sentence));
    }
    if logs.is_empty() && looks_like_query(last) {
        return Err(Failure::new("no log is given; write `gt query LOG... 'QUERY'`"));
    }
    if logs.is_empty() {
        let sentence = "there is no such log, and no query after it; write `gt query LOG... 'QUERY'`";
        return Err(Failure::about(Path::new(last), sentence));
    }
    if let Some(stray) = logs.iter().find(|word| !Path::new(word).exists() && looks_like_query(word)) {
        let sentence = "only the last argument is the query, so this is taken for a log, and there is none of that \
                        name; write several queries into one argument, a blank line between two, or into a file for `-f`";
        return Err(Failure::about(Path::new(stray), sentence));
    }
    let text = last.to_str().ok_or_else(|| Failure::new("the query is not in UTF-8"))?;
    Ok((paths(logs), QueryText::new("query", text)))
}

/// The queries of a file, or of the text itself where there is no file of that name; `-` is standard input.
pub(crate) fn file_or_text(word: &OsStr) -> Result<QueryText, Failure> {
    let path = Path::new(word);
    if path == Path::new("-") || path.exists() {
        return read_queries(path);
    }
    let text = word.to_str().ok_or_else(|| Failure::new("the query is not in UTF-8"))?;
    if !looks_like_query(word) && !text.contains(char::is_whitespace) {
        return Err(Failure::about(
            path,
            "there is no such file, and a query is written like `node: best > 0`",
        ));
    }
    Ok(QueryText::new("query", text))
}

/// A name of a file seldom has these.
fn looks_like_query(word: &OsStr) -> bool {
    word.to_string_lossy().contains([':', '(', '<', '>', '&'])
}

fn read_queries(file: &Path) -> Result<QueryText, Failure> {
    let piped = file == Path::new("-");
    let name = if piped { "standard input".to_owned() } else { file.display().to_string() };
    let bytes = if piped {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let text = text_of(&bytes, &name, 1)?;
    // A mark of byte order is no part of the text.
    Ok(QueryText::new(name, text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// The text of bytes that begin at line `line_first` of what is called `name`; where they are not UTF-8, shows the place.
pub(crate) fn text_of<'b>(bytes: &'b [u8], name: &str, line_first: usize) -> Result<&'b str, Failure> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, after) = bytes.split_at(error.valid_up_to());
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line_end = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
        let line = line_first + before.iter().filter(|byte| **byte == b'\n').count();
        let read = |bytes| printable::line(&String::from_utf8_lossy(bytes)).into_owned();
        let (start, rest) = (read(&before[line_start..]), read(&after[..line_end]));
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Failure::new(format!(
            "{name}:{line}:{column}: queries are in UTF-8, and the byte {:02x} here is not; save them as UTF-8\n  \
             {start}{rest}\n  {}^",
            after[0],
            " ".repeat(start.width())
        ))
    })
}
