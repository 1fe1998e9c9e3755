//! The verdict if the line leaves the tree: why the node there has no such move.

use super::facts::Facts;
use crate::children::Family;
use crate::moves::Move;
use crate::node::{Ending, Node};
use crate::sentence::Sentence;
use crate::verdict::{Reason, Verdict};

pub(super) fn judge(facts: &Facts<'_>, node: &Node, family: &Family, next: &Move) -> Verdict {
    let after = facts.after(facts.steps.len());
    if node.left_out > 0 && node.is_finished() {
        let words = format!("the log leaves out nodes ({}), and ", node.left_out);
        return Verdict::new(
            Reason::LeftOut,
            after.say(&words).mv(next).say(" is none of those that it has"),
        );
    }
    let (reason, sentence) = match &node.ending {
        Ending::Stopped => {
            (Reason::Stopped, after.say("a limit stopped the search before it came to ").mv(next))
        }
        Ending::Cutoff => (Reason::Cutoff, cut_off(facts, after, node, family, next)),
        Ending::NullMove => (
            Reason::NullMove,
            after.say("a null move cut the node off, so that ").mv(next).say(" was never searched"),
        ),
        Ending::TableHit => (Reason::TableHit, answered(facts, after, node, next)),
        Ending::StandPat => (
            Reason::StandPat,
            after.say("standing pat was enough, so that ").mv(next).say(" was never searched"),
        ),
        Ending::Horizon => (
            Reason::Horizon,
            after.say("the depth was used up, so that ").mv(next).say(" was never searched"),
        ),
        Ending::Terminal | Ending::Draw => {
            let over = if node.ending == Ending::Draw { "a draw by rule" } else { "over" };
            (
                Reason::GameOver,
                after.say(&format!("the game is {over}, so that ")).mv(next).say(" was never searched"),
            )
        }
        Ending::Searched => (Reason::Pruned, pruned(after, node, family, next)),
        Ending::Leaf => (
            Reason::Unknown,
            after
                .say("no move was searched, and the log does not say why; ")
                .mv(next)
                .say(" is not in the tree"),
        ),
        Ending::Other(name) => (
            Reason::Pruned,
            after.say(&format!("the node was pruned (`{name}`) before ")).mv(next).say(" was searched"),
        ),
    };
    Verdict::new(reason, sentence)
}

fn cut_off(facts: &Facts<'_>, after: Sentence, node: &Node, family: &Family, next: &Move) -> Sentence {
    let sentence = match family.last_move() {
        Some(by) => after.mv(&Move::made_at(node.place, by)).say(" cut the node off"),
        None => after.say("the node was cut off"),
    };
    let worth = facts.in_brackets(node.value(facts.view), node.told_bound(facts.view));
    sentence.say(&worth).say(" before ").mv(next).say(" was searched")
}

fn answered(facts: &Facts<'_>, after: Sentence, node: &Node, next: &Move) -> Sentence {
    let mut words = "the transposition table answered".to_owned();
    if let Some(value) = node.value(facts.view) {
        words += &format!(" with {}", facts.words.worth(value, node.told_bound(facts.view)));
    }
    if let Some(depth) = node.table_depth {
        words += &format!(", from a search of depth {depth}");
    }
    after.say(&words).say(", so that ").mv(next).say(" was not searched")
}

fn pruned(after: Sentence, node: &Node, family: &Family, next: &Move) -> Sentence {
    let count = family.moves.len();
    let others = match count {
        0 => "no move".to_owned(),
        1 => "one other move".to_owned(),
        count => format!("{} other moves", gt_report::grouped(count as u64)),
    };
    let searcher = if node.is_quiescence { "quiescence search" } else { "the search" };
    after.mv(next).say(&format!(" was pruned: {searcher} tried {others} there and left it out"))
}
