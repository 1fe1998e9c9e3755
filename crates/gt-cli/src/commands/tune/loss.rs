//! A loss in words.

use gt_tune::Loss;

/// A loss, also on the games or lessons that were held out.
pub(super) fn loss_text(loss: Loss, what: &str) -> String {
    match loss.held_out {
        Some(held_out) => format!("{:.5}, on {what} held out {held_out:.5}", loss.learnt),
        None => format!("{:.5}", loss.learnt),
    }
}
