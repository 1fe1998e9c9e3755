//! Suggestions for a misspelled name.

/// Returns the names in `known` that `written` probably misspells, nearest first, three at most.
#[must_use]
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let distance_max = 1 + written.chars().count().min(64) / 3;
    let length = written.chars().count();
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|name| *name != written)
        .map(|name| (distance(written, name).min(distance_to_a_word(written, name)), name))
        .filter(|(distance, name)| *distance <= distance_max && *distance < length.max(name.chars().count()))
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// The distance to one of the name's words, or to its beginning; the rest of the name then counts as 1.
fn distance_to_a_word(written: &str, name: &str) -> usize {
    let plain = |text: &str| text.trim_start_matches(['@', '$']).to_lowercase();
    let (written, name) = (plain(written), plain(name));
    if written.len() < 2 {
        return usize::MAX;
    }
    let words = name.split('_').map(|word| distance(&written, word) + 1);
    let beginning = name.starts_with(&written).then_some(1);
    words.chain(beginning).min().unwrap_or(usize::MAX)
}

/// The edit distance, where a change of case costs nothing and a swap of neighbours costs one.
fn distance(left: &str, right: &str) -> usize {
    let fold = |text: &str| text.chars().take(64).flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (left, right) = (fold(left), fold(right));
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(a != b)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_near_to_what_was_written() {
        assert_eq!(nearest("typ", ["type", "best", "ply"]), ["type"]);
        assert_eq!(nearest("TYPE", ["type", "best"]), ["type"]);
        assert_eq!(nearest("bets", ["type", "best"]), ["best"]);
        assert_eq!(nearest("ii", ["i", "u"]), ["i"]);
        assert_eq!(nearest("PV", ["PVNode", "CutNode"]), ["PVNode"]);
        assert_eq!(nearest("$deph", ["$nominal_depth", "$who"]), ["$nominal_depth"]);
        assert!(nearest("x", ["a", "b"]).is_empty());
        assert!(nearest("number", ["type", "best", "ply"]).is_empty());
    }
}
