//! `/api/library`: ready queries; those that this log has the names for.
//!
//! Those of `texts`, those of merged trees, and the figures of gt-report.

mod texts;

use gt_log::Tree;
use gt_report::profile::{CuttingMove, cutting_move};
use serde::Serialize;

use super::binding::Binding;
use super::differences::READY;
use crate::logs::Opened;
use crate::merged::Merged;
use texts::QUERIES;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibraryAnswer {
    queries: Vec<LibraryQuery>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct LibraryQuery {
    group: &'static str,
    title: String,
    text: String,
    meaning: String,
}

pub(crate) fn library(opened: &Opened, tree: Tree<'_>) -> LibraryAnswer {
    let binding = Binding::new(opened, tree);
    let cutting = cutting_move(opened.log.schema());
    let own = QUERIES.iter().filter_map(|&(group, title, text, meaning)| {
        let text = filled_in(text, cutting.as_ref())?;
        let ready = LibraryQuery { group, title: title.to_owned(), text, meaning: meaning.to_owned() };
        binding.compile(&ready.text).is_ok().then_some(ready)
    });
    let figures = super::charts::figures(opened).figures.into_iter().map(|figure| LibraryQuery {
        group: "Profile",
        text: figure.query(),
        title: figure.title,
        meaning: figure.meaning,
    });
    let merged = differences(opened, &binding);
    LibraryAnswer { queries: merged.into_iter().chain(own).chain(figures).collect() }
}

/// The queries of two merged trees; none of any other log.
fn differences(opened: &Opened, binding: &Binding<'_>) -> Vec<LibraryQuery> {
    let is_merged = Merged::of(&opened.log).is_some();
    let ready = READY.iter().filter(|_| is_merged).map(|&(title, text, meaning)| LibraryQuery {
        group: "Differences",
        title: title.to_owned(),
        text: text.to_owned(),
        meaning: meaning.to_owned(),
    });
    ready.filter(|ready| binding.compile(&ready.text).is_ok()).collect()
}

/// The text with this log's words for a cut-off and its rank; `None` where it needs them and there are none.
fn filled_in(text: &str, cutting: Option<&CuttingMove>) -> Option<String> {
    if !text.contains("{cutoff}") {
        return Some(text.to_owned());
    }
    let cutting = cutting?;
    Some(text.replace("{cutoff}", &cutting.cutoff).replace("{rank}", &cutting.rank))
}

#[cfg(test)]
mod tests {
    use super::texts::ORDERING;
    use super::*;

    /// A number of children is no rank: the library asks gt-report what is.
    #[test]
    fn cut_offs_and_ranks_are_those_of_the_profile() {
        let about_cutoffs = QUERIES.iter().filter(|(group, ..)| *group == ORDERING);
        for (_, title, text, _) in about_cutoffs {
            assert!(text.starts_with("let rank = {rank}\nnode: {cutoff}"), "{title}: {text}");
            assert_eq!(filled_in(text, None), None, "{title}");
        }
        let cutting = CuttingMove { cutoff: "a".to_owned(), rank: "b".to_owned() };
        let filled = filled_in("let rank = {rank}\nnode: {cutoff}", Some(&cutting));
        assert_eq!(filled.as_deref(), Some("let rank = b\nnode: a"));
    }
}
