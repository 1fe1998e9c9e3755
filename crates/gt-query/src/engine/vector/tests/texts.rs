//! Questions about texts.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::engine::bits::Bitmap;
use crate::engine::vector::{TextQuestion, ask_texts, lower_case};

proptest! {
    #[test]
    fn texts_start_with_and_contain_others((a, b) in operands(VectorKind::Text, VectorKind::Text)) {
        let mut out = Bitmap::default();
        for question in [TextQuestion::StartsWith, TextQuestion::Contains] {
            ask_texts(question, a.lanes(), b.lanes(), &mut out);
            prop_assert_eq!(out.rows(), joint_rows(&a, &b));
            for row in 0..out.rows() {
                let Some((Value::Text(text), Value::Text(part))) = a.at(row).zip(b.at(row)) else { continue };
                let expected = match question {
                    TextQuestion::StartsWith => text.starts_with(&*part),
                    TextQuestion::Contains => text.contains(&*part),
                };
                prop_assert_eq!(out.get(row), expected, "{} {:?} {}", text, question, part);
            }
        }
    }

    #[test]
    fn lower_case_is_that_of_each_text(a in operand(VectorKind::Text)) {
        let mut out = Vector::default();
        lower_case(&a.vector, &mut out);
        prop_assert_eq!(out.len(), a.values.len());
        for (row, value) in a.values.iter().enumerate() {
            let Some(Value::Text(text)) = value else { continue };
            prop_assert_eq!(out.value_at(row), Some(Value::text(&text.to_lowercase())));
        }
    }
}

/// More pairs of entries than are remembered: 1100 times 1100.
#[test]
fn many_different_texts_are_asked_pair_by_pair() {
    let texts = |of: &dyn Fn(u32) -> String| {
        let values = (0..1100).map(|number| Some(Value::Text(Arc::from(of(number))))).collect();
        Operand::new(VectorKind::Text, values)
    };
    let (a, b) = (texts(&|number| format!("x{number}y")), texts(&|number| format!("{}y", number / 2 * 2)));
    let mut out = Bitmap::default();
    ask_texts(TextQuestion::Contains, a.lanes(), b.lanes(), &mut out);
    assert_eq!(out.count(), 550);
    assert!((0..1100).all(|row| out.get(row) == (row % 2 == 0)));
}
