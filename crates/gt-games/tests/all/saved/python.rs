//! PGN held against python-chess, both ways.

use super::python_chess::python;
use gt_games::GameKind;
use gt_games::registry::Setup;
use gt_games::saved::{self, SavedGame, SavedMove};

/// A small generator, so that a failing run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

fn random_game(random: &mut Random) -> SavedGame {
    let fens = [
        "",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    ];
    let mut saved = SavedGame::new(GameKind::Chess);
    saved.setup = Setup::position(fens[random.below(fens.len())]);
    let mut game = GameKind::Chess.open(&saved.setup).unwrap();
    for _ in 0..random.below(120) {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let text = moves[random.below(moves.len())].text.clone();
        game.play(&text).unwrap();
        let comment = (random.below(10) == 0).then(|| "a (remark; [with] signs) ".repeat(random.below(6)));
        saved.moves.push(SavedMove { text, comment });
    }
    saved
}

fn moves(game: &SavedGame) -> String {
    game.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn python_chess_reads_what_is_written() {
    let mut random = Random(1);
    let games: Vec<SavedGame> = (0..300).map(|_| random_game(&mut random)).collect();
    let text: String = games.iter().map(SavedGame::text).collect();
    // The moves, and the same moves in algebraic notation, which must be as we wrote them.
    let script = "
while game := chess.pgn.read_game(sys.stdin):
    assert not game.errors, game.errors
    board, san = game.board(), []
    for move in game.mainline_moves():
        san.append(board.san(move))
        board.push(move)
    print(' '.join(move.uci() for move in game.mainline_moves()))
    print(' '.join(san))
";
    let Some(told) = python(script, &text) else { return };
    let mut lines = told.lines();
    for game in &games {
        assert_eq!(lines.next(), Some(moves(game).as_str()));
        let mut position = gt_games::Chess::new();
        if !game.setup.position.is_empty() {
            position = gt_games::Notation::parse_position(&game.setup.position).unwrap();
        }
        let algebraic: Vec<String> = game.moves.iter().map(|mv| played(&mut position, &mv.text)).collect();
        assert_eq!(lines.next(), Some(algebraic.join(" ").as_str()));
    }
    assert_eq!(lines.next(), None);
}

/// Plays a move, and tells it in algebraic notation.
fn played(game: &mut gt_games::Chess, text: &str) -> String {
    use gt_games::Notation;
    use gt_search::Game;
    let mv = game.parse_move(text).unwrap();
    let algebraic = game.algebraic(mv);
    game.make(mv);
    algebraic
}

#[test]
fn what_python_chess_writes_is_read() {
    let script = "
random.seed(1)
for number in range(300):
    game = chess.pgn.Game()
    game.headers['White'] = 'quote \" backslash \\\\ end'
    node, moves = game, []
    for _ in range(random.randrange(100)):
        board = node.board()
        # Our rules end a game where python-chess only allows to claim.
        if board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100 or board.is_insufficient_material():
            break
        legal = list(board.legal_moves)
        move = random.choice(legal)
        if random.random() < 0.2:
            node.add_variation(random.choice(legal), comment='not (played', nags=[1])
        node = node.add_main_variation(move)
        if random.random() < 0.2:
            node.comment = 'well } done; {so'
            node.nags.add(random.randrange(140))
        moves.append(move.uci())
    print('%' + ' '.join(moves))
    print(game, end='\\n\\n')
";
    let Some(text) = python(script, "") else { return };
    let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('%')).collect();
    let games: Vec<SavedGame> =
        saved::read(&text, None).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect();
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), expected);
    assert!(games.iter().all(|game| game.players == ["quote \" backslash \\ end"]));
}
