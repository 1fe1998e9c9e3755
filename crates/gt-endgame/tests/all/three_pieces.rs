//! Every position of every table of three pieces, against a solver that knows nothing but the rules.
//!
//! The solver lists all boards with two kings and a white man, has `gt_games::Chess` say what can be played on each, and then repeats one
//! sentence for every ply: a position is won in `n` if a move leads to one that is lost in `n - 1`, and lost in `n` if every move leads to one
//! that is won in less.

use gt_endgame::Tables;
use gt_endgame::chess::{Summary, build};
use gt_games::Chess;
use gt_games::chess::Board;
use gt_games::chess::cozy_chess::{BoardBuilder, Color, Piece, Square, get_king_moves};
use gt_search::{Ending, Game, Outcome};

/// The kinds of the white man, pawns last: they become the others.
const KINDS: [Piece; 5] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::Pawn];
const NAMES: [&str; 5] = ["KNK", "KBK", "KRK", "KQK", "KPK"];
const BOARDS: usize = 64 * 64 * 64 * 2;
/// No table: a capture left bare kings.
const BARE: u32 = u32::MAX;

/// The board with a number, if the rules allow it.
fn board(kind: Piece, number: usize) -> Option<Board> {
    let square = |shift: usize| number >> shift & 63;
    let (white_king, black_king, man) = (square(13), square(7), square(1));
    let is_adjacent = get_king_moves(Square::index(white_king)).has(Square::index(black_king));
    if white_king == black_king || white_king == man || black_king == man || is_adjacent {
        return None;
    }
    let mut builder = BoardBuilder::empty();
    builder.board[white_king] = Some((Piece::King, Color::White));
    builder.board[black_king] = Some((Piece::King, Color::Black));
    builder.board[man] = Some((kind, Color::White));
    builder.side_to_move = if number & 1 == 0 { Color::White } else { Color::Black };
    builder.build().ok()
}

fn number(board: &Board) -> u32 {
    let men = board.occupied() & !board.pieces(Piece::King);
    let Some(man) = men.next_square() else { return BARE };
    let kind = KINDS.iter().position(|&kind| board.piece_on(man) == Some(kind)).unwrap();
    let king = |color| board.king(color) as usize;
    let squares = king(Color::White) << 13 | king(Color::Black) << 7 | (man as usize) << 1;
    (kind * BOARDS + squares + board.side_to_move() as usize) as u32
}

/// All positions with their moves.
struct Plain {
    /// Where the moves of each number begin; a number without a position has none.
    starts: Vec<u32>,
    targets: Vec<u32>,
    is_position: Vec<bool>,
    /// The plies to the end, where that is decided.
    plies: Vec<Option<u16>>,
}

impl Plain {
    fn new() -> Self {
        let mut plain =
            Self { starts: vec![0], targets: Vec::new(), is_position: Vec::new(), plies: Vec::new() };
        for kind in KINDS {
            for number in 0..BOARDS {
                plain.add(board(kind, number));
                plain.starts.push(plain.targets.len() as u32);
            }
        }
        plain
    }

    fn add(&mut self, board: Option<Board>) {
        self.is_position.push(board.is_some());
        let Some(board) = board else {
            self.plies.push(None);
            return;
        };
        let mut game = Chess::from_board(board);
        self.plies.push((game.outcome() == Some(Outcome::Win(1 - game.to_move()))).then_some(0));
        let mut moves = Vec::new();
        game.moves(&mut moves);
        for mv in moves {
            let undo = game.make(mv);
            self.targets.push(number(game.board()));
            game.undo(mv, undo);
        }
    }

    fn moves(&self, number: usize) -> &[u32] {
        &self.targets[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    fn solve(&mut self) {
        let mut undecided: Vec<u32> = (0..self.plies.len() as u32)
            .filter(|&number| {
                self.plies[number as usize].is_none() && !self.moves(number as usize).is_empty()
            })
            .collect();
        let mut fruitless = 0;
        for ply in 1.. {
            let plies = |target: &u32| (*target != BARE).then(|| self.plies[*target as usize])?;
            let is_decided = |&number: &u32| {
                let moves = self.moves(number as usize);
                match ply % 2 {
                    1 => moves.iter().any(|target| plies(target) == Some(ply - 1)),
                    _ => moves.iter().all(|target| plies(target).is_some_and(|plies| plies % 2 == 1)),
                }
            };
            let (decided, rest): (Vec<u32>, Vec<u32>) =
                undecided.iter().partition(|number| is_decided(number));
            fruitless = if decided.is_empty() { fruitless + 1 } else { 0 };
            if fruitless == 2 {
                return;
            }
            decided.iter().for_each(|&number| self.plies[number as usize] = Some(ply));
            undecided = rest;
        }
    }
}

#[test]
fn every_position_has_the_value_that_the_rules_give_it() {
    let mut plain = Plain::new();
    plain.solve();
    let folder = tempfile::tempdir().unwrap();
    for (kind, name) in NAMES.into_iter().enumerate() {
        let path = folder.path().join(format!("{name}.gte"));
        let solved = build(name.parse().unwrap(), |_| ()).unwrap();
        let summary = solved.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        let tables = Tables::open(&path).unwrap();
        let mut boards = [0; 2];
        for number in 0..BOARDS {
            let place = kind * BOARDS + number;
            if !plain.is_position[place] {
                continue;
            }
            let board = board(KINDS[kind], number).unwrap();
            let expected = match plain.plies[place] {
                None => Ending::Draw,
                Some(plies) if plies % 2 == 1 => Ending::Win { plies },
                Some(plies) => Ending::Loss { plies },
            };
            assert_eq!(tables.chess.probe(&board).unwrap(), Some(expected), "{board}");
            boards[board.side_to_move() as usize] += 1;
        }
        let counted = [0, 1].map(|side: usize| summary.sides[side].boards.total());
        assert_eq!(counted, boards, "{name}");
        assert_eq!(tables.chess.tables()[0].summary(), &summary);
    }
}

/// The counts of the best known of all tables, as the literature has them: rook against king, Black to move, by depth of mate.
#[test]
fn rook_against_king_has_the_counts_that_are_known() {
    let solved = build("KRK".parse().unwrap(), |_| ()).unwrap();
    let summary = Summary::of(&solved);
    let black = &summary.sides[Color::Black as usize];
    assert_eq!(black.positions.total(), 28_056);
    assert_eq!(black.positions.draws, 2_796);
    assert_eq!(summary.longest_mate, Some(16));
}

#[test]
fn longest_mates_are_those_that_are_known() {
    for (name, moves) in
        [("KQK", Some(10)), ("KRK", Some(16)), ("KPK", Some(28)), ("KBK", None), ("KNK", None)]
    {
        let summary = Summary::of(&build(name.parse().unwrap(), |_| ()).unwrap());
        assert_eq!(summary.longest_mate, moves, "{name}");
        for position in summary.sides.iter().filter_map(|side| side.longest_position.as_deref()) {
            let board: Board = position.parse().unwrap();
            assert_eq!(board.occupied().len(), 3, "{position}");
        }
    }
}
