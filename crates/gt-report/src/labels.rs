//! The names of an attribute's numbers.
//!
//! ```text
//! type   1 PVNode, 2 CutNode, 4 AllNode, 8 QNode     single bits, set together: flags
//! cause  0 none, 1 table, 2 null-move                whole numbers: values
//! ```

use gt_log::{Alias, Attribute, Column, Kind, Log};

/// Names for the numbers of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Whether the numbers are single bits, which may be set together.
    pub flags: bool,
    /// The names, and their numbers.
    pub of: Vec<(String, i64)>,
}

impl Labels {
    /// Returns a number in words: `CutNode·QNode`; a number without a name stays a number.
    ///
    /// ```
    /// use gt_report::Labels;
    /// let labels = Labels { flags: true, of: vec![("PVNode".into(), 1), ("QNode".into(), 8)] };
    /// assert_eq!([labels.words(9), labels.words(12)], ["PVNode·QNode", "QNode·4"]);
    /// ```
    #[must_use]
    pub fn words(&self, value: i64) -> String {
        if !self.flags {
            let named = self.of.iter().find(|(_, number)| *number == value);
            return named.map_or_else(|| value.to_string(), |(name, _)| name.clone());
        }
        let set: Vec<&(String, i64)> = self.of.iter().filter(|(_, bit)| value & bit != 0).collect();
        let rest = set.iter().fold(value, |rest, (_, bit)| rest & !bit);
        let mut names: Vec<String> = set.into_iter().map(|(name, _)| name.clone()).collect();
        if rest != 0 || names.is_empty() {
            names.push(rest.to_string());
        }
        names.join("·")
    }
}

/// Returns the names of an attribute's numbers; `None` if it has none. If the log does not assign its aliases to
/// attributes, they are guessed: aliases come in runs of rising numbers; a run of single bits belongs to `type`, a
/// run from 0 to the one attribute of a byte that stays within it.
#[must_use]
pub fn labels(log: &Log, place: usize) -> Option<Labels> {
    let schema = log.schema();
    let attribute = schema.attributes().get(place)?;
    let own: Vec<&Alias> = schema.aliases().iter().filter(|alias| alias.attribute == Some(place)).collect();
    // A single name for a wide number is that of a special value, not of a kind of node.
    if own.len() > 1 || !own.is_empty() && attribute.kind.width() == 1 {
        return Some(named(&own));
    }
    let mut runs: Vec<Vec<&Alias>> = Vec::new();
    for alias in schema.aliases().iter().filter(|alias| alias.attribute.is_none()) {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| last.value < alias.value) => run.push(alias),
            _ => runs.push(vec![alias]),
        }
    }
    if schema.position("type") == Some(place) && attribute.kind.is_integer() {
        return runs.iter().find(|run| is_flags(run)).map(|run| named(run));
    }
    let max = byte_max(log, attribute, place)?;
    let is_values = |run: &Vec<&Alias>| {
        run.len() > 2 && run[0].value == 0 && run[run.len() - 1].value + 1 == run.len() as i64
    };
    runs.iter().filter(|run| max < run.len() as i64).find(|run| is_values(run)).map(|run| named(run))
}

fn named(aliases: &[&Alias]) -> Labels {
    let of = aliases.iter().map(|alias| (alias.name.clone(), alias.value)).collect();
    Labels { flags: is_flags(aliases), of }
}

fn is_flags(aliases: &[&Alias]) -> bool {
    aliases.iter().all(|alias| alias.value > 0 && alias.value.count_ones() == 1)
}

/// The largest value of a one-byte attribute.
fn byte_max(log: &Log, attribute: &Attribute, place: usize) -> Option<i64> {
    if attribute.kind != Kind::U8 {
        return None;
    }
    let number = Column::Attribute(place).number();
    log.trees().flat_map(|tree| tree.blocks()).map(|head| head.columns[number].max).max()
}
