//! Chinese checkers as text.
//!
//! A position is the star's seventeen rows from the top, the mover, the number of players and the turns played:
//! `A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/BBBB/BBB/BB/B A 2 0`. The players are `A` to `F` in their order of play.
//! A move is `d1-e5`, from hole to hole, whatever the piece hopped over, or `pass`.

use super::board::{BIT, Hole, PIECES_EACH, ROWS, first_column, row_length};
use super::{ChineseCheckers, Move, PLAYERS_MAX, TURNS_MAX, seats};
use crate::error::{NotationError, Result, span_in};
use crate::notation::Notation;
use crate::rows::{Row, fields, file_letter, parse_rows, rows_text};
use gt_search::Game;
use std::fmt::Write as _;

const PLAYERS: &str = "ABCDEF";
const MOVE_FORM: &str = "a move is written from-to, as in d1-e5, or pass";

impl Notation for ChineseCheckers {
    const NAME: &'static str = "chinese-checkers";

    fn parse_position(text: &str) -> Result<Self> {
        let [board, mover, players, turns] = fields(text, "board, mover, players, turns")?;
        let wrong =
            |field: &str, problem: &str| NotationError::syntax(text, problem).at(span_in(text, field));
        let rows = parse_rows(text, board, PLAYERS)?;
        let player_count = players.parse().ok().filter(|&count| !seats(count).is_empty());
        let player_count = player_count.ok_or_else(|| wrong(players, "there are 2, 3, 4 or 6 players"))?;
        let letters = &PLAYERS[..player_count];
        let to_move = letters.find(mover).filter(|_| mover.len() == 1);
        let to_move = to_move.ok_or_else(|| wrong(mover, &format!("the mover is one of `{letters}`")))?;
        let turns = turns
            .parse()
            .ok()
            .filter(|&turns| turns <= TURNS_MAX)
            .ok_or_else(|| wrong(turns, &format!("the number of turns is from 0 to {TURNS_MAX}")))?;
        let pieces = pieces_of_rows(text, board, &rows)?;
        check_counts(text, &pieces, player_count)?;
        Ok(Self::from_parts(pieces, player_count, to_move, turns))
    }

    fn position_text(&self) -> String {
        let mover = &PLAYERS[self.to_move()..=self.to_move()];
        format!("{} {mover} {} {}", rows_text(self.rows(), PLAYERS), self.players, self.turns)
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        let trimmed = text.trim();
        let mv = if trimmed == "pass" {
            Move::Pass
        } else {
            let form = || NotationError::syntax(text, MOVE_FORM);
            let (from, to) = trimmed.split_once('-').ok_or_else(form)?;
            Move::Go(parse_hole(text, from)?, parse_hole(text, to)?)
        };
        if self.legal_moves().contains(&mv) { Ok(mv) } else { Err(self.why_illegal(text, mv)) }
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Go(from, to) => format!("{from}-{to}"),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn draw(&self) -> String {
        let mut drawing = String::new();
        for (index, row) in self.rows().iter().enumerate() {
            let _ = write!(drawing, "{} {:indent$}", file_letter(index), "", indent = first_column(index));
            for &piece in row {
                let letter = if piece == 0 { '.' } else { letter(usize::from(piece) - 1) };
                let _ = write!(drawing, " {letter}");
            }
            drawing.push('\n');
        }
        let _ = writeln!(drawing, "{} to move", letter(self.to_move()));
        drawing
    }
}

impl ChineseCheckers {
    fn rows(&self) -> Vec<Row> {
        let piece = |hole: Hole| {
            let owner = self.pieces.iter().position(|set| set & BIT[hole.index()] != 0);
            owner.map_or(0, |player| player as u8 + 1)
        };
        let row = |row| (0..row_length(row)).filter_map(|place| Hole::at(row, place)).map(piece).collect();
        (0..ROWS).map(row).collect()
    }

    fn why_illegal(&self, text: &str, mv: Move) -> NotationError {
        let player = letter(self.to_move());
        let problem = match mv {
            _ if self.outcome().is_some() => "the game is over".to_owned(),
            Move::Pass => format!("{player} may pass only when no piece of his can move"),
            Move::Go(from, _) if self.pieces[self.to_move()] & BIT[from.index()] == 0 => {
                format!("{player} has no piece on {from}")
            }
            Move::Go(from, to) => format!("no step and no chain of hops leads from {from} to {to}"),
        };
        NotationError::illegal(text, problem)
    }
}

fn letter(player: usize) -> char {
    char::from(b'A' + player as u8)
}

fn parse_hole(text: &str, name: &str) -> Result<Hole> {
    let mut letters = name.chars();
    let row = letters.next().map(|letter| u32::from(letter).wrapping_sub(u32::from('a')) as usize);
    let digits = letters.as_str();
    let place = digits.parse::<usize>().ok().filter(|place| *place > 0 && place.to_string() == digits);
    let hole = row.zip(place).and_then(|(row, place)| Hole::at(row, place - 1));
    hole.ok_or_else(|| {
        let problem =
            format!("a hole is its row from a (the top) to q and its place in the row from 1; {MOVE_FORM}");
        NotationError::syntax(text, problem).at(span_in(text, name))
    })
}

fn pieces_of_rows(text: &str, board: &str, rows: &[Row]) -> Result<[u128; PLAYERS_MAX]> {
    let fits =
        rows.len() == ROWS && rows.iter().enumerate().all(|(row, holes)| holes.len() == row_length(row));
    if !fits {
        let problem = "the star has rows of 1 2 3 4 13 12 11 10 9 10 11 12 13 4 3 2 1 holes";
        return Err(NotationError::syntax(text, problem).at(span_in(text, board)));
    }
    let mut pieces = [0; PLAYERS_MAX];
    for (hole, &piece) in rows.iter().flatten().enumerate() {
        if piece > 0 {
            pieces[usize::from(piece) - 1] |= BIT[hole];
        }
    }
    Ok(pieces)
}

fn check_counts(text: &str, pieces: &[u128; PLAYERS_MAX], players: usize) -> Result<()> {
    for (player, set) in pieces.iter().enumerate() {
        let expected = if player < players { PIECES_EACH } else { 0 };
        if set.count_ones() != expected {
            let problem = format!(
                "with {players} players {} has {expected} pieces, here {}",
                letter(player),
                set.count_ones()
            );
            return Err(NotationError::impossible(text, problem));
        }
    }
    Ok(())
}
