//! The move that came closest to the one played, and the reason against it.

use gt_log::Result;
use serde::Serialize;

use crate::candidate::Candidate;
use crate::children::{Family, SearchedMove};
use crate::moves::Move;
use crate::reader::Reader;
use crate::score::Score;
use crate::sentence::Sentence;

/// The closest rival of the move played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rival {
    /// The move.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// The line that the search expects after it.
    pub refutation: Vec<Move>,
    /// The amount by which it is worth less.
    pub margin: Option<Score>,
    /// What would have to be wrong for it to be played.
    pub doubt: Sentence,
}

/// The maximum number of moves shown of a refutation.
const REFUTATION_MAX: usize = 8;

impl Rival {
    pub(crate) fn each_move(&mut self, name: &mut dyn FnMut(&mut Move)) {
        name(&mut self.candidate.mv);
        self.refutation.iter_mut().for_each(&mut *name);
        self.doubt.each_move(name);
    }
}

/// The move of the root with the highest value beside the one played; of equals, the one with the most nodes.
pub(crate) fn rival(reader: &mut Reader<'_>, played: &Candidate) -> Result<Option<Rival>> {
    let root = reader.root()?;
    let family = Family::of(reader, root)?;
    let mut best: Option<(usize, Score)> = None;
    for (rank, searched) in family.moves.iter().enumerate() {
        let Some(value) = reader.value(searched.last())?.filter(|_| searched.number != played.mv.number)
        else {
            continue;
        };
        let is_closer = best.is_none_or(|(other, highest)| {
            value > highest || (value == highest && searched.nodes() > family.moves[other].nodes())
        });
        if is_closer {
            best = Some((rank, value));
        }
    }
    let Some((rank, value)) = best else { return Ok(None) };
    let searched = &family.moves[rank];
    let candidate = Candidate::read(reader, searched, rank)?;
    let refutation = refutation(reader, searched)?;
    let margin = played.value.map(|highest| highest.minus(value));
    // A mate and a score have no distance that says anything, nor have two mates.
    let is_told =
        ![played.value, Some(value)].into_iter().flatten().any(|value| reader.words.mate(value).is_some());
    let doubt = doubt(&candidate, &refutation, margin.filter(|_| is_told));
    Ok(Some(Rival { candidate, refutation, margin, doubt }))
}

/// The line of best replies to a move of the root.
fn refutation(reader: &mut Reader<'_>, rival: &SearchedMove) -> Result<Vec<Move>> {
    let mut refutation = Vec::new();
    let mut line = vec![rival.number];
    let mut place = rival.last();
    while refutation.len() < REFUTATION_MAX {
        let node = reader.node(place)?;
        let family = Family::of(reader, place)?;
        let Some(rank) = family.chosen(reader, &node)? else { break };
        let reply = &family.moves[rank];
        refutation.push(Move::beside(&line, reply.number));
        line.push(reply.number);
        place = reply.last();
    }
    Ok(refutation)
}

fn doubt(rival: &Candidate, refutation: &[Move], margin: Option<Score>) -> Sentence {
    let mut sentence = Sentence::new("for ").mv(&rival.mv).say(" to be played instead, ");
    sentence = match refutation {
        [] => sentence.say("its value would have to be wrong"),
        line => sentence.say("the reply ").line(line).say(" would have to be wrong"),
    };
    match margin {
        Some(margin) if margin.size() > 0.0 => sentence.say(&format!(" by more than {margin}")),
        _ => sentence,
    }
}
