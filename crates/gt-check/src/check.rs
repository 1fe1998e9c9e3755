//! A check: a query with its expected answer, as `[[check]]` describes it in a suite or a pack.

use std::path::PathBuf;

use gt_query::tools::nearest;

use crate::error::Result;
use crate::expect::{Expectation, Scale};
use crate::keys::{Keys, Placed, SourceFile};

/// A query with its expected answer.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) name: String,
    /// The reason why it should hold.
    pub(crate) why: Option<String>,
    pub(crate) query: String,
    /// The query whose number the first is divided by.
    pub(crate) of: Option<String>,
    pub(crate) expect: Expectation,
    pub(crate) over: Over,
    /// The values of `$x` in the queries.
    pub(crate) parameters: Vec<(String, String)>,
    /// The pack that it comes from: on logs that lack what it uses, it is skipped.
    pub(crate) pack: Option<String>,
    /// Its file, for errors of its queries.
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

impl Check {
    /// A check with its query, as suites and packs have it.
    pub(crate) fn read(mut keys: Keys<'_>, file: &SourceFile) -> Result<Self> {
        let query = keys.needed("query")?;
        Self::with_query(keys, file, query.value)
    }

    /// A check with the keys that all checks have.
    pub(crate) fn with_query(mut keys: Keys<'_>, file: &SourceFile, query: String) -> Result<Self> {
        let line = line_of(file, keys.at());
        let name = keys.needed("name")?.value;
        let why = keys.text("why")?.map(|why| why.value);
        let of = keys.text("of")?.map(|of| of.value);
        let written = keys.needed("expect")?;
        let expect = expectation(file, &written)?;
        let over = Over::read(&mut keys, file)?.unwrap_or(Over::EachTree);
        let parameters =
            keys.named_values("param")?.into_iter().map(|(name, value)| (name, value.value)).collect();
        let check = Self {
            name,
            why,
            query,
            of,
            expect,
            over,
            parameters,
            pack: None,
            file: file.path.clone(),
            line,
        };
        check.examine().map_err(|why| file.error(written.at, why))?;
        keys.finish()?;
        Ok(check)
    }

    /// Checks the consistency of the query and its expectation.
    pub(crate) fn examine(&self) -> std::result::Result<(), String> {
        match (self.expect.scale(), &self.of) {
            (Scale::Percent, None) => Err(format!(
                "`{}` is a percentage of what? Write `% of nodes`, or give the check a second query: `of`",
                self.expect
            )),
            (Scale::PercentOfNodes, Some(_)) => {
                Err("with `of`, the percentage is of that query: leave `of nodes` away".to_owned())
            }
            (Scale::Percent | Scale::Plain, _) | (Scale::PercentOfNodes, None) => Ok(()),
        }
    }
}

/// The trees over which an expectation is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// Each tree by itself.
    EachTree,
    /// Each tree of the last iteration of each search.
    LastIteration,
    /// All trees together.
    Sum,
    /// The worst tree, as one number.
    Worst,
}

impl Over {
    pub(crate) const ALL: [(&'static str, Self); 4] = [
        ("each tree", Self::EachTree),
        ("last iteration", Self::LastIteration),
        ("sum", Self::Sum),
        ("worst", Self::Worst),
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EachTree => "each tree",
            Self::LastIteration => "last iteration",
            Self::Sum => "sum",
            Self::Worst => "worst",
        }
    }

    pub(crate) fn read(keys: &mut Keys<'_>, file: &SourceFile) -> Result<Option<Self>> {
        let Some(written) = keys.text("over")? else { return Ok(None) };
        let found = Self::ALL.into_iter().find(|(name, _)| *name == written.value);
        let Some((_, over)) = found else {
            let names = Self::ALL.map(|(name, _)| name);
            let meant = nearest(&written.value, names);
            let mend = match meant.first() {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => format!("it is \"{}\"", names.join("\", \"")),
            };
            return Err(file.error(written.at, format!("`over` cannot be \"{}\"; {mend}", written.value)));
        };
        Ok(Some(over))
    }
}

pub(crate) fn expectation(file: &SourceFile, written: &Placed<String>) -> Result<Expectation> {
    written.value.parse().map_err(|why: String| file.error(written.at, why))
}

fn line_of(file: &SourceFile, at: usize) -> usize {
    file.text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}
