//! The verdict if the line is in the tree: the first of its moves that was not chosen.

use super::facts::Facts;
use crate::moves::Move;
use crate::node::{Ending, Node};
use crate::score::Bound;
use crate::sentence::Sentence;
use crate::step::Step;
use crate::verdict::{Reason, Verdict};

pub(super) fn judge(facts: &Facts<'_>) -> Verdict {
    if facts.steps.is_empty() {
        return no_move(facts);
    }
    for (at, step) in facts.steps.iter().enumerate() {
        match &step.chosen {
            Some(chosen) if chosen.number == step.mv.number => {}
            Some(chosen) => return not_chosen(facts, at, chosen),
            None => return undecided(facts, at),
        }
    }
    played(facts)
}

/// The verdict if nothing was requested and nothing was played.
fn no_move(facts: &Facts<'_>) -> Verdict {
    let (reason, words) = match &facts.root.ending {
        Ending::Terminal | Ending::Draw => {
            (Reason::GameOver, "the game is over at the root, there is no move to play")
        }
        Ending::Stopped => {
            (Reason::Stopped, "a limit stopped the search before any move at the root had a value")
        }
        _ => (Reason::Unknown, "the log does not tell which move the root chose"),
    };
    Verdict::new(reason, Sentence::new(words))
}

fn played(facts: &Facts<'_>) -> Verdict {
    let (first, last) = (&facts.steps[0], &facts.steps[facts.steps.len() - 1]);
    let value = last.value.map(|value| facts.words.worth(value, last.bound));
    if facts.steps.len() > 1 {
        let sentence = Sentence::new("the search expects this line to be played");
        let words = value.map_or_else(String::new, |value| format!("; it is worth {value}"));
        return Verdict::new(Reason::Played, sentence.say(&words));
    }
    let others = match first.siblings {
        1 => "it is the only move that was searched".to_owned(),
        count => {
            let count = gt_report::grouped(count as u64);
            match value {
                Some(value) => {
                    format!("it is worth {value}, and no other of the {count} moves searched is worth more")
                }
                None => format!("it has more visits than any other of the {count} moves"),
            }
        }
    };
    let mut sentence = Sentence::new("").mv(&first.mv).say(&format!(" is played: {others}"));
    if let Some(rival) = facts.rival {
        let rival = &rival.candidate;
        let value = facts.in_brackets(rival.value, rival.bound);
        sentence = sentence.say("; its closest rival is ").mv(&rival.mv).say(&value);
    }
    Verdict::new(Reason::Played, sentence)
}

/// The verdict if the chosen move is unknown.
fn undecided(facts: &Facts<'_>, at: usize) -> Verdict {
    let (step, node, parent) = (&facts.steps[at], &facts.nodes[at], &facts.parents[at]);
    let after = facts.after(at);
    let name = &step.mv;
    if !node.is_finished() {
        return Verdict::new(
            Reason::Stopped,
            after.say("a limit stopped the search while it searched ").mv(name),
        );
    }
    if parent.ending == Ending::NullMove {
        let sentence = after.say("a null move cut the node off, whatever ").mv(name).say(" is worth");
        return Verdict::new(Reason::NullMove, sentence);
    }
    if parent.is_quiescence {
        let sentence = after.say("standing pat is better than ").mv(name);
        return Verdict::new(Reason::StandPat, sentence);
    }
    if parent.bound() == Some(Bound::Upper) {
        let sentence = after.say("every move failed low, ").mv(name).say(" too, so that none was chosen");
        return Verdict::new(Reason::Refuted, sentence);
    }
    let sentence = after.mv(name).say(" was searched, and the log does not tell which move was chosen there");
    Verdict::new(Reason::Unknown, sentence)
}

fn not_chosen(facts: &Facts<'_>, at: usize, chosen: &Move) -> Verdict {
    let (step, node, parent) = (&facts.steps[at], &facts.nodes[at], &facts.parents[at]);
    if !node.is_finished() {
        let sentence = facts.after(at).say("a limit stopped the search while it searched ").mv(&step.mv);
        return Verdict::new(Reason::Stopped, sentence);
    }
    let (reason, why) = why_not(facts, step, node, parent);
    let is_roots = facts.view.is_roots_turn(parent.place.ply);
    let side = match (is_roots, facts.view.is_roots_turn(0)) {
        (false, true) => "the other side prefers ",
        _ if at == 0 => "the search prefers ",
        _ => "the side to move prefers ",
    };
    let chosen_worth = facts.in_brackets(parent.value(facts.view), parent.told_bound(facts.view));
    let sentence = facts.after(at).mv(&step.mv).then(why).say("; ").say(side).mv(chosen);
    Verdict::new(reason, sentence.say(&chosen_worth))
}

/// The reason against a move that was searched, as the text after its name.
fn why_not(facts: &Facts<'_>, step: &Step, node: &Node, parent: &Node) -> (Reason, Sentence) {
    let value = node.value(facts.view).map(|value| facts.words.worth(value, step.bound));
    let is_worth = value.as_ref().map_or_else(String::new, |value| format!(": it is worth {value}"));
    let refuted = |words: &str| match &step.reply {
        Some(reply) => Sentence::new(words).say("refuted by ").mv(&reply.mv).say(&is_worth),
        None => Sentence::new(words).say("refuted").say(&by_rule(node)).say(&is_worth),
    };
    match &node.ending {
        Ending::TableHit => {
            let depth = node.table_depth.map_or_else(String::new, |depth| format!(" (depth {depth})"));
            let words = format!(" was answered by the transposition table{depth} and not searched{is_worth}");
            return (Reason::TableHit, Sentence::new(&words));
        }
        Ending::NullMove => {
            let words = format!(
                " is refuted by a null move: even a pass is good enough against it{}",
                is_worth.replace(": it", ", it")
            );
            return (Reason::NullMove, Sentence::new(&words));
        }
        _ => {}
    }
    if let Some(plies) = node.reduction.filter(|&plies| plies > 0) {
        let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        let words = format!(" was reduced by {plies} and never searched again, ");
        return (Reason::Reduced, refuted(&words));
    }
    // The node is the opponent's: a fail high there is no better for the player who moved.
    let failed_low = node.bound() == Some(Bound::Lower)
        && facts.view.is_roots_turn(node.place.ply) != facts.view.is_roots_turn(parent.place.ply);
    if failed_low || node.ending == Ending::Cutoff {
        return (Reason::Refuted, refuted(" is "));
    }
    let words =
        value.map_or_else(|| " has no value in the log".to_owned(), |value| format!(" is worth {value}"));
    let sentence = Sentence::new(&words);
    let sentence = match &step.reply {
        Some(reply) => sentence.say(" after ").mv(&reply.mv),
        None => sentence,
    };
    (Reason::Worse, sentence)
}

/// The engine's own name for the end of the node.
fn by_rule(node: &Node) -> String {
    match &node.ending {
        Ending::Other(name) => format!(" (`{name}`)"),
        _ => String::new(),
    }
}
