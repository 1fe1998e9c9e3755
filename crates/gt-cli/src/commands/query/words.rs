//! Which words of the command line are logs, and which is the query.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::source::QueryText;
use crate::failure::Failure;

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
    let text = last.to_str().ok_or_else(|| Failure::new("the query is not in UTF-8"))?;
    Ok((paths(logs), QueryText { name: "query".to_owned(), text: text.to_owned() }))
}

/// A name of a file seldom has these.
fn looks_like_query(word: &OsStr) -> bool {
    word.to_string_lossy().contains([':', '(', '<', '>', '&'])
}

fn read_queries(file: &Path) -> Result<QueryText, Failure> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| Failure::about(file, error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::about(file, format!("a query file is in UTF-8; byte {at} is not"))
    })?;
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    // A mark of byte order is no part of the text.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(QueryText { name, text })
}
