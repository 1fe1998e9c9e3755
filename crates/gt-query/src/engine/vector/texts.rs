//! Texts of many rows: a code for each row, and a dictionary.
//!
//! ```text
//! dictionary   0 "Nf3"  1 "d4"  2 "e4"     sorted by bytes, no two equal
//! codes        2 2 1 0                     compare as the texts do
//! ```
//!
//! A question about a text is answered once for each entry; about two texts, for each pair of entries that
//! occurs.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::lanes::{Coded, Lanes, Source, mark, mark_lanes};
use super::values::sort;
use crate::engine::bits::Bitmap;

/// The table's entry for a code; 0 for a code beyond it, which occurs where there is no text.
#[inline(always)]
pub(super) fn look_up(table: &[u32], code: u32) -> u32 {
    table.get(code as usize).copied().unwrap_or(0)
}

/// Two dictionaries merged, and the codes of the entries of both.
pub(super) struct Joined {
    pub(super) dictionary: Arc<[Arc<str>]>,
    pub(super) left: Vec<u32>,
    pub(super) right: Vec<u32>,
}

impl Joined {
    pub(super) fn of(left: &[Arc<str>], right: &[Arc<str>]) -> Self {
        let (dictionary, mut codes) = sort(left.iter().chain(right), Arc::clone);
        let right = codes.split_off(left.len());
        Self { dictionary, left: codes, right }
    }
}

/// The rows where the text of `a` compares to that of `b` in this order.
pub(super) fn compare_texts(order: Ordering, a: &Coded<'_>, b: &Coded<'_>, out: &mut Bitmap) {
    if b.codes.constant().is_some() {
        let [text] = b.dictionary else { panic!("a constant is one text") };
        let start = a.dictionary.partition_point(|entry| entry < text);
        let end = a.dictionary.partition_point(|entry| entry <= text);
        return mark_range(
            a,
            match order {
                Ordering::Less => 0..start,
                Ordering::Equal => start..end,
                Ordering::Greater => end..a.dictionary.len(),
            },
            out,
        );
    }
    if a.codes.constant().is_some() {
        return compare_texts(order.reverse(), b, a, out);
    }
    if std::ptr::eq(a.dictionary, b.dictionary) {
        return mark_lanes(order, &a.codes, &b.codes, out);
    }
    let Joined { left, right, .. } = Joined::of(a.dictionary, b.dictionary);
    mark(&a.codes, &b.codes, out, |a, b| look_up(&left, a).cmp(&look_up(&right, b)) == order);
}

/// A question about two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::engine) enum TextQuestion {
    /// Whether the first begins with the second.
    StartsWith,
    /// Whether the second is a part of the first.
    Contains,
}

impl TextQuestion {
    pub(in crate::engine) fn holds(self, text: &str, part: &str) -> bool {
        match self {
            Self::StartsWith => text.starts_with(part),
            Self::Contains => text.contains(part),
        }
    }
}

/// The rows where the answer to a question is yes.
pub(in crate::engine) fn ask_texts(question: TextQuestion, a: Lanes<'_>, b: Lanes<'_>, out: &mut Bitmap) {
    let (a, b) = (a.texts(), b.texts());
    match (question, b.codes.constant(), b.dictionary) {
        (TextQuestion::StartsWith, Some(_), [part]) => {
            let start = a.dictionary.partition_point(|text| text < part);
            let held = a.dictionary[start..].partition_point(|text| text.starts_with(&**part));
            mark_range(&a, start..start + held, out);
        }
        (_, Some(_), [part]) => {
            let holds: Vec<bool> = a.dictionary.iter().map(|text| question.holds(text, part)).collect();
            mark(&a.codes, &b.codes, out, |a, _| holds.get(a as usize) == Some(&true));
        }
        _ => ask_pairs(question, &a, &b, out),
    }
}

fn mark_range(a: &Coded<'_>, codes: Range<usize>, out: &mut Bitmap) {
    let (start, rows) = (codes.start as u32, codes.len() as u32);
    mark(&a.codes, &Source::all(0_u8), out, |code, _| code.wrapping_sub(start) < rows);
}

/// Answers questions about pairs of entries as they occur, each once unless there are too many.
fn ask_pairs(question: TextQuestion, a: &Coded<'_>, b: &Coded<'_>, out: &mut Bitmap) {
    const PAIRS_MAX: usize = 1 << 20;
    let ask = |a_code: u32, b_code: u32| {
        let (text, part) = (a.dictionary.get(a_code as usize), b.dictionary.get(b_code as usize));
        text.zip(part).is_some_and(|(text, part)| question.holds(text, part))
    };
    let pairs = a.dictionary.len().saturating_mul(b.dictionary.len());
    if pairs > PAIRS_MAX {
        return mark(&a.codes, &b.codes, out, ask);
    }
    let answers = vec![std::cell::Cell::new(None); pairs];
    mark(&a.codes, &b.codes, out, |a_code, b_code| {
        let answer = (a_code as usize).checked_mul(b.dictionary.len()).map(|row| row + b_code as usize);
        match answer.and_then(|pair| answers.get(pair)) {
            Some(answer) => answer.get().unwrap_or_else(|| {
                let holds = ask(a_code, b_code);
                answer.set(Some(holds));
                holds
            }),
            None => false,
        }
    });
}
