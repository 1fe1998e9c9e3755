//! Conversations with an engine, as a program at the other end of the pipes has them.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;

use gt_games::registry::{AnyGame, GameKind, Setup};
use gt_log::Log;
use gt_play::{EngineOptions, protocol};

struct Conversation {
    ask: Option<PipeWriter>,
    answers: BufReader<PipeReader>,
    session: Option<JoinHandle<()>>,
}

impl Conversation {
    fn with(game: GameKind) -> Self {
        let (input, ask) = pipe().unwrap();
        let (answers, output) = pipe().unwrap();
        let options = EngineOptions { table_bytes: 1 << 20, ..EngineOptions::default() };
        let session = std::thread::spawn(move || {
            protocol::run(game, &Setup::default(), options, BufReader::new(input), output).unwrap();
        });
        Self { ask: Some(ask), answers: BufReader::new(answers), session: Some(session) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.ask.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The lines up to the first that begins with `start`, it included.
    fn hear_until(&mut self, start: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with(start)) {
            let mut line = String::new();
            assert!(
                self.answers.read_line(&mut line).unwrap() > 0,
                "the end comes before `{start}`: {lines:?}"
            );
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    fn best_move(&mut self) -> String {
        let line = self.hear_until("bestmove").pop().unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    }

    /// The position as the session shows it, on the last line of its drawing.
    fn position(&mut self, game: GameKind) -> Box<dyn AnyGame> {
        self.say("show");
        self.say("isready");
        let shown = self.hear_until("readyok");
        game.open(&Setup::position(&shown[shown.len() - 2])).unwrap()
    }

    /// Ends the input; what is still said.
    fn end(mut self) -> Vec<String> {
        self.ask = None;
        let lines = (&mut self.answers).lines().map(Result::unwrap).collect();
        self.session.take().unwrap().join().unwrap();
        lines
    }
}

fn after(game: GameKind, moves: &[String]) -> Box<dyn AnyGame> {
    let mut position = game.open(&Setup::default()).unwrap();
    moves.iter().for_each(|mv| position.play(mv).unwrap());
    position
}

#[test]
fn every_game_is_played_to_an_end_or_far() {
    for game in GameKind::ALL {
        let mut conversation = Conversation::with(game);
        conversation.say("gt");
        conversation.hear_until("gtok");
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..60 {
            let position = after(game, &moves);
            conversation.say(&format!("position start moves {}", moves.join(" ")));
            conversation.say("go nodes 300");
            let best = conversation.best_move();
            if position.outcome().is_some() || position.moves().is_empty() {
                assert_eq!(best, "(none)", "{game}");
                break;
            }
            assert!(position.encode(&best).is_ok(), "{game}: {best} after {moves:?}");
            moves.push(best);
        }
        // A tree that is written down is as short as it is written.
        let plies_min = if game == GameKind::Tree { 1 } else { 9 };
        assert!(moves.len() >= plies_min, "{game}: {moves:?}");
        assert!(conversation.end().is_empty());
    }
}

#[test]
fn uci_is_spoken_as_it_is_written() {
    let mut conversation = Conversation::with(GameKind::Chess);
    conversation.say("uci");
    let lines = conversation.hear_until("uciok");
    assert!(lines[0].starts_with("id name GT-Tools"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin")), "{lines:?}");
    conversation.say("isready");
    assert_eq!(conversation.hear_until("readyok"), ["readyok"]);
    conversation.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    conversation.say("go mate 1");
    let lines = conversation.hear_until("bestmove");
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
}

#[test]
fn an_endless_search_answers_when_it_is_told_to_and_not_before() {
    let mut conversation = Conversation::with(GameKind::Chess);
    // Mate in one: the search is done long before it is asked.
    conversation.say("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    for release in ["stop", "ponderhit"] {
        conversation.say(if release == "stop" { "go infinite" } else { "go ponder wtime 60000 btime 60000" });
        conversation.hear_until("info depth");
        conversation.say("isready");
        let until_ready = conversation.hear_until("readyok");
        assert!(!until_ready.iter().any(|line| line.starts_with("bestmove")), "{until_ready:?}");
        conversation.say(release);
        assert_eq!(conversation.best_move(), "a1a8");
    }
}

#[test]
fn the_end_of_the_input_waits_for_what_has_an_end() {
    for (go, told) in [
        ("go depth 3", "info depth 3 "),
        ("go movetime 50", "info depth 1 "),
        ("go infinite", ""),
        ("go", ""),
    ] {
        let mut conversation = Conversation::with(GameKind::ConnectFour);
        conversation.say(go);
        let lines = conversation.end();
        assert!(lines.last().unwrap().starts_with("bestmove"), "{go}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with(told)), "{go}: {lines:?}");
    }
}

#[test]
fn a_search_is_not_disturbed_and_a_stopped_one_is_waited_for() {
    let mut conversation = Conversation::with(GameKind::Chess);
    conversation.say("position startpos");
    conversation.say("go infinite");
    conversation.say("position startpos moves e2e4");
    let refused = conversation.hear_until("info string");
    assert!(refused.last().unwrap().contains("`stop` comes first"), "{refused:?}");
    conversation.say("stop");
    conversation.say("position startpos moves e2e4");
    conversation.say("go depth 1");
    let first = conversation.best_move();
    let second = conversation.best_move();
    let (start, after_e4) = (after(GameKind::Chess, &[]), after(GameKind::Chess, &["e2e4".to_owned()]));
    assert!(start.encode(&first).is_ok() && after_e4.encode(&second).is_ok(), "{first} {second}");
}

#[test]
fn lines_and_named_moves() {
    let mut conversation = Conversation::with(GameKind::Chess);
    conversation.say("setoption name MultiPV value 3");
    conversation.say("position startpos");
    conversation.say("go depth 3");
    let lines = conversation.hear_until("bestmove");
    let last: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth 3 multipv")).collect();
    assert_eq!(last.len(), 3, "{lines:?}");
    conversation.say("go depth 3 searchmoves a2a3 h2h3");
    let best = conversation.best_move();
    assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
}

#[test]
fn what_is_refused_is_told_and_changes_nothing() {
    let mut conversation = Conversation::with(GameKind::Chess);
    for (line, sentence) in [
        ("position startpos moves e2e5", "the position stays as it was"),
        ("position fen kK6/8/8/8/8/8/8/7R w - - 0 1", "side by side"),
        ("position", "is not understood"),
        ("setoption name Hash value 0", "Hash is a number from 1 to 65536, not `0`"),
        ("setoption name Colour value blue", "there is no option `Colour`"),
        ("frobnicate", "`frobnicate` is not understood"),
    ] {
        conversation.say(line);
        let told = conversation.hear_until("info string").pop().unwrap();
        assert!(told.contains(sentence), "{line}: {told}");
    }
    conversation.say("go depth 1");
    assert!(after(GameKind::Chess, &[]).encode(&conversation.best_move()).is_ok());
}

#[test]
fn every_move_is_logged() {
    let folder = std::env::temp_dir().join(format!("gt-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("moves.gtf");
    let mut conversation = Conversation::with(GameKind::Chess);
    conversation.say(&format!("setoption name LogFile value {}", file.display()));
    for moves in ["", "moves e2e4", "moves e2e4 e7e5"] {
        conversation.say(&format!("position startpos {moves}"));
        conversation.say("go depth 2");
        conversation.best_move();
    }
    conversation.say("quit");
    assert!(conversation.end().is_empty());
    let log = Log::open(&file).unwrap();
    let positions: Vec<_> =
        log.trees().filter_map(|tree| tree.metadata().get("position").map(str::to_owned)).collect();
    assert_eq!(positions.len(), 6, "two iterations of three searches: {positions:?}");
    assert!(positions[5].starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), "{positions:?}");
    let mut conversation = Conversation::with(GameKind::Chess);
    conversation.say(&format!("setoption name LogFile value {}", file.display()));
    let told = conversation.hear_until("info string").pop().unwrap();
    assert!(told.contains("moves.gtf"), "a log that is there is not replaced: {told}");
    drop(conversation);
    std::fs::remove_dir_all(folder).unwrap();
}

/// The tree of playouts is shown when it is done; its moves are those of the game all the same.
#[test]
fn playouts_are_logged_with_their_moves() {
    let log = gt_log::LogWriter::to_memory(gt_record::header("tic-tac-toe").unwrap()).unwrap();
    let options = EngineOptions { algorithm: Some(gt_play::Algorithm::Uct), ..EngineOptions::default() };
    let mut engine = options.open(GameKind::TicTacToe, &Setup::default()).unwrap();
    let limits = gt_search::Limits::nodes(200);
    engine.think(&gt_play::Request { log: Some(&log), ..gt_play::Request::new(limits) }, &mut |_| ());
    let log = Log::from_bytes(log.into_memory().unwrap()).unwrap();
    let tree = log.tree(0).unwrap();
    let mut walker = gt_log::Walker::new(tree);
    let root = walker.root();
    let mut moves: Vec<i64> = Vec::new();
    for child in walker.children(root).unwrap() {
        moves.push(walker.last_move(child).unwrap());
    }
    moves.sort_unstable();
    let mut legal: Vec<i64> = engine.position().moves().iter().map(|mv| mv.code).collect();
    legal.sort_unstable();
    assert_eq!(moves, legal);
}

/// A thousand conversations of random lines, most of them broken: every `go` is answered once, by a legal move.
#[test]
fn random_lines_neither_end_nor_confuse_a_session() {
    let mut random = Random(1);
    for conversation in 0..1000 {
        let game = GameKind::ALL[random.below(5)];
        let lines: Vec<String> = (0..random.below(12)).map(|_| line(&mut random)).collect();
        let mut talk = Conversation::with(game);
        let listener = lines.clone();
        for line in lines {
            talk.say(&line);
            if line.starts_with("go") {
                talk.say("stop");
                let best = talk.best_move();
                let position = talk.position(game);
                let is_legal =
                    position.encode(&best).is_ok() || (best == "(none)" && position.moves().is_empty());
                assert!(is_legal, "{conversation}: {best} after {listener:?}");
            }
        }
        talk.say("isready");
        talk.hear_until("readyok");
        talk.end();
    }
}

fn line(random: &mut Random) -> String {
    const WORDS: [&str; 34] = [
        "uci",
        "isready",
        "ucinewgame",
        "position",
        "startpos",
        "start",
        "fen",
        "text",
        "moves",
        "e2e4",
        "a1",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "infinite",
        "ponder",
        "searchmoves",
        "setoption",
        "name",
        "value",
        "MultiPV",
        "Hash",
        "Threads",
        "1",
        "2",
        "-7",
        "99999999999999999999",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "\u{0}\u{fffd}",
    ];
    let starts = [
        "position startpos moves",
        "go depth 2",
        "go nodes 50 ponder",
        "setoption name MultiPV value",
        "",
        "go",
    ];
    let mut text = starts[random.below(starts.len())].to_owned();
    for _ in 0..random.below(6) {
        text.push(' ');
        text.push_str(WORDS[random.below(WORDS.len())]);
    }
    text
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

/// The lines that an order is answered with.
fn told(conversation: &mut Conversation, order: &str) -> Vec<String> {
    conversation.say(order);
    conversation.say("isready");
    let mut lines = conversation.hear_until("readyok");
    lines.pop();
    lines
}

/// How many nodes of a search of this position tables answer.
fn table_hits(conversation: &mut Conversation, position: &str) -> u64 {
    conversation.say(&format!("position fen {position}"));
    conversation.say("go depth 2");
    let lines = conversation.hear_until("bestmove");
    let info = lines.iter().rev().find_map(|line| line.split("tbhits ").nth(1));
    info.and_then(|rest| rest.split_whitespace().next()).map_or(0, |hits| hits.parse().unwrap())
}

const ROOK_TAKES: &str = "8/8/8/3k4/8/1q6/1R6/K7 w - - 0 1";

#[test]
fn an_empty_path_of_tables_leaves_those_of_the_other_option() {
    let folder = tempfile::tempdir().unwrap();
    let solved = gt_endgame::chess::build("KRK".parse().unwrap(), |_| ()).unwrap();
    solved.write(&mut std::fs::File::create(folder.path().join("krk.gte")).unwrap()).unwrap();
    let mut conversation = Conversation::with(GameKind::Chess);
    assert_eq!(table_hits(&mut conversation, ROOK_TAKES), 0);
    let [path, nowhere] =
        [folder.path().to_owned(), folder.path().join("nowhere")].map(|path| path.display().to_string());
    let set = |name: &str, path: &str| format!("setoption name {name} value {path}");
    for order in [set("EndgamePath", &path), set("SyzygyPath", "<empty>"), set("SyzygyPath", &path)] {
        assert!(told(&mut conversation, &order).is_empty(), "{order}");
        assert!(table_hits(&mut conversation, ROOK_TAKES) > 0, "{order}");
    }
    let refused = told(&mut conversation, &set("SyzygyPath", &nowhere));
    assert!(refused.len() == 1 && refused[0].contains("nowhere"), "{refused:?}");
    assert!(table_hits(&mut conversation, ROOK_TAKES) > 0, "what was set before is kept");
    let options = told(&mut conversation, "uci");
    for name in ["EndgamePath", "SyzygyPath"] {
        let shown = format!("option name {name} type string default {path}");
        assert!(options.contains(&shown), "{options:?}");
    }
    for order in [set("EndgamePath", "<empty>"), set("SyzygyPath", "<empty>")] {
        assert!(table_hits(&mut conversation, ROOK_TAKES) > 0, "before {order}");
        assert!(told(&mut conversation, &order).is_empty(), "{order}");
    }
    assert_eq!(table_hits(&mut conversation, ROOK_TAKES), 0);
}

#[test]
fn syzygy_tables_can_be_exchanged_for_others() {
    let Some(syzygy) = crate::syzygy_files::folder() else { return };
    let folders = ["KRvK.rtbw", "KQvK.rtbw"].map(|file| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(syzygy.join(file), folder.path().join(file)).unwrap();
        folder
    });
    let [rook, queen] = folders.each_ref().map(|folder| folder.path().display().to_string());
    let mut conversation = Conversation::with(GameKind::Chess);
    let first = told(&mut conversation, &format!("setoption name SyzygyPath value {rook}"));
    if first.iter().any(|line| line.contains("built without")) {
        eprintln!("skipped: this build reads no Syzygy tables");
        return;
    }
    const QUEEN_TAKES: &str = "8/8/8/3k4/8/1n6/1Q6/K7 w - - 0 1";
    assert!(first.is_empty(), "{first:?}");
    assert!(table_hits(&mut conversation, ROOK_TAKES) > 0);
    assert_eq!(table_hits(&mut conversation, QUEEN_TAKES), 0);
    let second = told(&mut conversation, &format!("setoption name SyzygyPath value {queen}"));
    assert!(second.is_empty(), "{second:?}");
    assert!(table_hits(&mut conversation, QUEEN_TAKES) > 0);
    let refused = told(&mut conversation, &format!("setoption name SyzygyPath value {queen}-nowhere"));
    assert!(refused.len() == 1 && refused[0].contains("-nowhere"), "{refused:?}");
    assert!(table_hits(&mut conversation, QUEEN_TAKES) > 0, "those before are open again");
}
