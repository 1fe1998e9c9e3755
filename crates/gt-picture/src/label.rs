//! The label on a rectangle, and its tooltip.

use gt_query::Value;
use gt_report::{counted, grouped, short};

use crate::gather::Single;
use crate::question::{Root, Subject};
use crate::scale::Scale;

/// The move that led to a node; the tree's root has none.
pub(crate) fn name(subject: &Subject<'_>, node: &Single) -> String {
    match &node.name {
        _ if node.ply == 0 => "root".to_owned(),
        Some(Value::Text(text)) if !text.is_empty() => text.to_string(),
        _ => subject.move_text(node.code),
    }
}

/// The move, and the size if it fits; empty if nothing fits.
pub(crate) fn fitting(subject: &Subject<'_>, node: &Single, width: f64, letter: f64) -> String {
    const ROOM: f64 = 8.0;
    let letters = ((width - ROOM) / letter).max(0.0) as usize;
    let name = name(subject, node);
    let long = format!("{name}  {}", short(node.size as f64));
    let fits = |text: &String| text.chars().count() <= letters;
    [long, name].into_iter().find(fits).unwrap_or_default()
}

/// `e2e4: 1,234 nodes, 12.3%; ply 1, node 17; type CutNode`.
pub(crate) fn hint(subject: &Subject<'_>, root: &Root, scale: &Scale, node: &Single) -> String {
    let share = percent(node.size as f64 / root.size as f64);
    let value = match scale.name.as_str() {
        "" => String::new(),
        name => format!("; {name} {}", scale.words_at(node.value.as_ref(), node.ply)),
    };
    format!(
        "{}: {}, {share}; ply {}, node {}{value}",
        name(subject, node),
        counted(node.size, "node"),
        grouped(node.ply),
        grouped(node.node)
    )
}

/// `0.1234` as `12.3%`.
pub(crate) fn percent(share: f64) -> String {
    let hundredths = 100.0 * share;
    if hundredths > 0.0 && hundredths < 0.05 {
        "<0.1%".to_owned()
    } else if hundredths >= 99.95 {
        "100%".to_owned()
    } else {
        format!("{hundredths:.1}%")
    }
}
