//! `[[check]]`: a query in the suite, the queries of a file, or checks from a pack.

use std::path::Path;

use gt_query::tools::ast::Item;
use gt_query::tools::parse;

use crate::check::{Check, Over, expectation};
use crate::error::Result;
use crate::keys::{Keys, Placed, SourceFile};
use crate::pack::Pack;

pub(crate) fn read(
    mut keys: Keys<'_>,
    file: &SourceFile,
    folder: &Path,
    checks: &mut Vec<Check>,
) -> Result<()> {
    if let Some(pack) = keys.text("pack")? {
        return of_pack(keys, file, &pack, checks);
    }
    let query_file = keys.text("file")?;
    let Some(query_file) = query_file else {
        return add(Check::read(keys, file)?, file, checks);
    };
    let queries = SourceFile::read(&folder.join(&query_file.value))?;
    let texts = queries_of(&queries)?;
    let check = Check::with_query(keys, file, String::new())?;
    if texts.is_empty() {
        return Err(file.error(query_file.at, format!("there is no query in {}", queries.path.display())));
    }
    for (place, (name, text)) in texts.iter().enumerate() {
        let name = match (name, texts.len()) {
            (_, 1) => check.name.clone(),
            (Some(name), _) => format!("{}: {name}", check.name),
            (None, _) => format!("{}: {}", check.name, place + 1),
        };
        add(
            Check { name, query: text.clone(), file: queries.path.clone(), line: 1, ..check.clone() },
            file,
            checks,
        )?;
    }
    Ok(())
}

/// All checks of a pack, or one of them with another expectation.
fn of_pack(
    mut keys: Keys<'_>,
    file: &SourceFile,
    pack: &Placed<String>,
    checks: &mut Vec<Check>,
) -> Result<()> {
    let pack = Pack::named(&pack.value).map_err(|why| file.error(pack.at, why))?;
    let wanted = keys.text("check")?;
    let except = keys.texts("except")?.unwrap_or_default();
    let expect = keys.text("expect")?;
    let over = Over::read(&mut keys, file)?;
    let parameters = keys.named_values("param")?;
    for name in except.iter().chain(&wanted) {
        if pack.checks().iter().all(|check| check.name != name.value) {
            return Err(file.error(name.at, pack.has_no_check(&name.value)));
        }
    }
    if let (None, Some(expect)) = (&wanted, &expect) {
        return Err(file.error(expect.at, "`expect` is of one check: name it with `check`"));
    }
    for check in pack.checks() {
        let is_wanted = wanted.as_ref().is_none_or(|wanted| wanted.value == check.name);
        if !is_wanted || except.iter().any(|name| name.value == check.name) {
            continue;
        }
        let mut check = check.clone();
        check.over = over.unwrap_or(check.over);
        // The first value given takes precedence.
        let given = parameters.iter().map(|(name, value)| (name.clone(), value.value.clone()));
        check.parameters = given.chain(check.parameters).collect();
        if let Some(expect) = &expect {
            check.expect = expectation(file, expect)?;
            check.examine().map_err(|why| file.error(expect.at, why))?;
        }
        // A later entry for a check of a pack overrides an earlier one.
        match checks.iter_mut().find(|other| other.name == check.name && other.pack == check.pack) {
            Some(other) => *other = check,
            None => add(check, file, checks)?,
        }
    }
    keys.finish()
}

fn add(check: Check, file: &SourceFile, checks: &mut Vec<Check>) -> Result<()> {
    if checks.iter().any(|other| other.name == check.name) {
        let error = crate::error::Error {
            file: file.path.clone(),
            line: Some(check.line),
            sentence: format!("two checks are called `{}`", check.name),
        };
        return Err(error);
    }
    checks.push(check);
    Ok(())
}

/// The queries of a file with their names, each with the `let`s above it.
fn queries_of(file: &SourceFile) -> Result<Vec<(Option<String>, String)>> {
    let text = &file.text;
    let parsed = parse(text);
    if let Some(error) = parsed.errors.first() {
        return Err(file.error(error.span.start, error.to_string()));
    }
    let mut lets = String::new();
    let mut queries = Vec::new();
    for item in &parsed.file.items {
        match item {
            Item::Let(item) => lets += &format!("{item}\n"),
            Item::Query(query) => {
                let own = &text[query.span.start..query.span.end];
                queries.push((query.name.as_ref().map(|name| name.text.clone()), format!("{lets}{own}")));
            }
        }
    }
    Ok(queries)
}
