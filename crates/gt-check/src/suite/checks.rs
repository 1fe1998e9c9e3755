//! `[[check]]`: a query in the suite, the queries of a file, or checks from a pack.

use std::path::Path;

use gt_query::tools::ast::Item;
use gt_query::tools::{nearest, parse};

use super::{Check, Over};
use crate::error::Result;
use crate::expect::{Expectation, Scale};
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
        return add(inline(keys, file)?, file, checks);
    };
    let queries = SourceFile::read(&folder.join(&query_file.value))?;
    let texts = queries_of(&queries)?;
    let check = check_with_query(keys, file, String::new())?;
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

/// A check with its query, as packs also have it.
pub(crate) fn inline(mut keys: Keys<'_>, file: &SourceFile) -> Result<Check> {
    let query = keys.needed("query")?;
    check_with_query(keys, file, query.value)
}

/// A check with the keys that all checks have.
fn check_with_query(mut keys: Keys<'_>, file: &SourceFile, query: String) -> Result<Check> {
    let line = line_of(file, keys.at());
    let name = keys.needed("name")?.value;
    let why = keys.text("why")?.map(|why| why.value);
    let of = keys.text("of")?.map(|of| of.value);
    let written = keys.needed("expect")?;
    let expect = expectation(file, &written)?;
    let over = over(&mut keys, file)?.unwrap_or(Over::EachTree);
    let parameters =
        keys.named_values("param")?.into_iter().map(|(name, value)| (name, value.value)).collect();
    let check =
        Check { name, why, query, of, expect, over, parameters, pack: None, file: file.path.clone(), line };
    examine(&check).map_err(|why| file.error(written.at, why))?;
    keys.finish()?;
    Ok(check)
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
    let over = over(&mut keys, file)?;
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
            examine(&check).map_err(|why| file.error(expect.at, why))?;
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

fn expectation(file: &SourceFile, written: &Placed<String>) -> Result<Expectation> {
    written.value.parse().map_err(|why: String| file.error(written.at, why))
}

fn over(keys: &mut Keys<'_>, file: &SourceFile) -> Result<Option<Over>> {
    let Some(written) = keys.text("over")? else { return Ok(None) };
    let found = Over::ALL.into_iter().find(|(name, _)| *name == written.value);
    let Some((_, over)) = found else {
        let names = Over::ALL.map(|(name, _)| name);
        let meant = nearest(&written.value, names);
        let mend = match meant.first() {
            Some(meant) => format!("did you mean \"{meant}\"?"),
            None => format!("it is \"{}\"", names.join("\", \"")),
        };
        return Err(file.error(written.at, format!("`over` cannot be \"{}\"; {mend}", written.value)));
    };
    Ok(Some(over))
}

/// Checks the consistency of a query and its expectation.
pub(crate) fn examine(check: &Check) -> std::result::Result<(), String> {
    match (check.expect.scale(), &check.of) {
        (Scale::Percent, None) => Err(format!(
            "`{}` is a percentage of what? Write `% of nodes`, or give the check a second query: `of`",
            check.expect
        )),
        (Scale::PercentOfNodes, Some(_)) => {
            Err("with `of`, the percentage is of that query: leave `of nodes` away".to_owned())
        }
        (Scale::Percent | Scale::Plain, _) | (Scale::PercentOfNodes, None) => Ok(()),
    }
}

fn line_of(file: &SourceFile, at: usize) -> usize {
    file.text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
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
