//! Real searches whose outcome is known, and ranks, nodes and values against a plain reading of the whole tree.

use std::collections::HashMap;

use gt_games::chess::{Chess, Material, SixTerms};
use gt_games::chinese_checkers::{ChineseCheckers, Distance};
use gt_games::connect_four::{ConnectFour, Threats};
use gt_games::{GameKind, Notation};
use gt_log::{Column, Log, LogWriter, Metadata, Value};
use gt_search::{Limits, ManyPlayers, Options, ParallelSearcher, Plain, Searcher};
use gt_why::{Bound, Reason, Score, TreeChoice, View, explain};

fn logged(search: impl FnOnce(&LogWriter)) -> Log {
    let log = LogWriter::to_memory(gt_record::header("chess").unwrap()).unwrap();
    search(&log);
    Log::from_bytes(log.into_memory().unwrap()).unwrap()
}

fn recorded(metadata: Metadata, search: impl FnOnce(&mut gt_record::Recorder<'_>)) -> Log {
    logged(|log| {
        let mut recorder = gt_record::Recorder::new(log, metadata);
        search(&mut recorder);
        recorder.finish().unwrap();
    })
}

fn chess(position: &str, depth: u16) -> Log {
    let game = Chess::parse_position(position).unwrap();
    recorded(Metadata::new(), |recorder| {
        Searcher::new(Material, Options::default()).search_observed(
            &game,
            &Limits::depth(depth),
            recorder,
            |_| (),
        );
    })
}

fn moves(line: &str) -> Vec<i64> {
    line.split_whitespace().map(|text| GameKind::Chess.move_code(text).unwrap()).collect()
}

#[track_caller]
fn sentence(log: &Log, line: &str) -> (Reason, String) {
    let why = explain(log, TreeChoice::LastComplete, &moves(line)).unwrap();
    let why = why.with_names(&|_: &[i64], number| GameKind::Chess.move_text(number));
    (why.verdict.reason, why.verdict.sentence.to_string())
}

#[test]
fn a_mate_is_played_and_a_quiet_move_is_not() {
    let log = chess("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 3);
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    assert_eq!(why.played.as_ref().unwrap().mv.number, moves("a1a8")[0]);
    assert_eq!((why.verdict.reason, why.line[0].value), (Reason::Played, Some(Score::Whole(999_999))));
    let (reason, words) = sentence(&log, "h2h3");
    assert_ne!(reason, Reason::Played);
    assert!(words.ends_with("; the search prefers a1a8 (999999)."), "{words}");
    let (reason, words) = sentence(&log, "a1a8 g8h8");
    assert_eq!(reason, Reason::GameOver, "{words}");
}

#[test]
fn a_capture_is_refuted_by_the_recapture() {
    let log = chess("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1", 3);
    let (reason, words) = sentence(&log, "d1d5");
    assert_eq!(reason, Reason::Refuted);
    assert!(words.starts_with("d1d5 is refuted by e6d5: it is worth at most -"), "{words}");
    let (reason, words) = sentence(&log, "d1d5 e8e7");
    assert_eq!(reason, Reason::OtherIteration, "with an open window, depth 2 searched every reply");
    assert!(words.contains("here, after d1d5, e6d5 cut the node off (at most -"), "{words}");
    assert!(words.ends_with("before e8e7 was searched."), "{words}");
}

/// The whole tree as lists, by preorder number.
struct Plainly {
    parents: Vec<i64>,
    sizes: Vec<i64>,
    moves: Vec<i64>,
    types: Vec<i64>,
    best: Vec<Option<i64>>,
}

impl Plainly {
    fn read(log: &Log, tree: usize) -> Self {
        let place = |name| Column::Attribute(log.schema().position(name).unwrap());
        let mut all = Self { parents: vec![], sizes: vec![], moves: vec![], types: vec![], best: vec![] };
        let columns = [Column::LastMove, place("type"), place("best")];
        log.tree(tree)
            .unwrap()
            .preorder::<gt_log::Error>(&columns, |batch| {
                all.parents.extend(&batch.parents);
                all.sizes.extend(&batch.sizes);
                all.moves.extend(&batch.cells[0].integers);
                all.types.extend(&batch.cells[1].integers);
                let best = |at| match batch.cells[2].value(gt_log::Kind::I32, at) {
                    Value::Int(best) => Some(best),
                    _ => None,
                };
                all.best.extend((0..batch.len()).map(best));
                Ok(())
            })
            .unwrap();
        all
    }

    /// The children of a node that moves lead to, in their order.
    fn children(&self, parent: i64) -> Vec<usize> {
        (0..self.parents.len())
            .filter(|&node| self.parents[node] == parent && self.types[node] & 64 == 0)
            .collect()
    }

    fn line_to(&self, node: usize) -> Vec<i64> {
        let mut line = Vec::new();
        let mut at = node;
        while self.parents[at] >= 0 {
            line.push(self.moves[at]);
            at = self.parents[at] as usize;
        }
        line.reverse();
        line
    }

    fn is_below_null_move(&self, node: usize) -> bool {
        let mut at = node as i64;
        while at >= 0 {
            if self.types[at as usize] & 64 != 0 {
                return true;
            }
            at = self.parents[at as usize];
        }
        false
    }
}

/// Holds the last step of the line to every so-many-th node against the lists.
fn check_all(log: &Log, tree: usize, step_by: usize) {
    let plain = Plainly::read(log, tree);
    let mut lines: HashMap<Vec<i64>, Vec<usize>> = HashMap::new();
    for node in 0..plain.parents.len() {
        lines.entry(plain.line_to(node)).or_default().push(node);
    }
    let mut checked = 0;
    for node in (1..plain.parents.len()).step_by(step_by) {
        if plain.is_below_null_move(node) {
            continue;
        }
        let line = plain.line_to(node);
        let why = explain(log, TreeChoice::Number(tree), &line).unwrap();
        assert_eq!(why.line.len(), line.len(), "{line:?} is in the tree");
        let step = why.line.last().unwrap();
        let visits: Vec<usize> = lines[&line].clone();
        assert_eq!(step.node, *visits.last().unwrap() as u64, "{line:?}");
        let siblings = plain.children(plain.parents[step.node as usize]);
        let first = siblings.iter().position(|&child| plain.moves[child] == *line.last().unwrap()).unwrap();
        let mut before: Vec<i64> = siblings[..first].iter().map(|&child| plain.moves[child]).collect();
        before.sort_unstable();
        before.dedup();
        assert_eq!(step.rank, before.len(), "{line:?}");
        assert_eq!(
            step.nodes as i64,
            visits.iter().map(|&visit| plain.sizes[visit]).sum::<i64>(),
            "{line:?}"
        );
        let sign = if line.len().is_multiple_of(2) { 1 } else { -1 };
        let best = plain.best[step.node as usize].map(|best| Score::Whole(sign * best));
        assert_eq!(step.value, best, "{line:?}");
        checked += 1;
    }
    assert!(checked > 20);
}

#[test]
fn ranks_nodes_and_values_are_those_of_the_whole_tree() {
    let log = recorded(Metadata::new(), |recorder| {
        let options = Options { aspiration: None, ..Options::default() };
        Searcher::new(Threats, options).search_observed(
            &ConnectFour::new(),
            &Limits::depth(5),
            recorder,
            |_| (),
        );
    });
    check_all(&log, 4, 1);
    let log = recorded(Metadata::new(), |recorder| {
        Searcher::new(SixTerms, Options::selective()).search_observed(
            &Chess::new(),
            &Limits::depth(5),
            recorder,
            |_| (),
        );
    });
    check_all(&log, log.tree_count() - 1, 7);
}

#[test]
fn the_principal_variation_is_what_is_played() {
    let game = ConnectFour::new();
    let mut searcher = Searcher::new(Threats, Options::default());
    let mut expected = Vec::new();
    let log = recorded(Metadata::new(), |recorder| {
        let result = searcher.search_observed(&game, &Limits::depth(7), recorder, |_| ());
        let mut game = game;
        for mv in result.pv {
            expected.push(gt_search::Game::encode(&game, mv));
            gt_search::Game::make(&mut game, mv);
        }
    });
    for end in 1..=expected.len() {
        let why = explain(&log, TreeChoice::LastComplete, &expected[..end]).unwrap();
        assert_eq!(why.verdict.reason, Reason::Played, "{}", why.verdict.sentence);
        assert!(why.line.iter().all(|step| step.bound == Some(Bound::Exact)));
    }
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    assert_eq!(why.iterations.len(), 7);
    assert!(why.rival.is_some());
}

#[test]
fn the_default_is_the_last_iteration_that_was_completed() {
    let limits = Limits { nodes_max: 3000, ..Limits::default() };
    let log = recorded(Metadata::new(), |recorder| {
        Plain::AlphaBeta.search(&ConnectFour::new(), &Threats, &limits, recorder, |_| ());
    });
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    assert_eq!(why.tree, log.tree_count() - 2);
    assert_eq!(why.iterations.iter().map(|one| one.complete).rposition(|complete| complete), Some(why.tree));
    let stopped = explain(&log, TreeChoice::Number(why.tree + 1), &[7]).unwrap();
    assert_eq!(stopped.verdict.reason, Reason::Stopped);
}

#[test]
fn threads_are_not_mixed() {
    let log = logged(|log| {
        let recorder = |thread: u64| gt_record::Recorder::new(log, Metadata::new().with("thread", thread));
        let mut recorders: Vec<_> = (0..2).map(recorder).collect();
        let mut searcher = ParallelSearcher::new(Threats, &Options::default(), 2);
        searcher.search_observed(&ConnectFour::new(), &Limits::depth(6), &mut recorders, |_| ());
        recorders.into_iter().for_each(|recorder| recorder.finish().unwrap());
    });
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    let of_thread_0 = |tree: &usize| log.tree(*tree).unwrap().metadata().get("thread") == Some("0");
    assert!(why.iterations.iter().flat_map(|one| &one.trees).all(of_thread_0));
    assert_eq!(why.depth, Some(6));
}

#[test]
fn three_players_are_two_sides_or_each_for_himself() {
    let game = ChineseCheckers::start(3).unwrap();
    let search = |many: ManyPlayers, algorithm: &str| {
        let metadata = Metadata::new().with("players", 3).with("algorithm", algorithm);
        recorded(metadata, |recorder| {
            many.search(&game, &Distance, &Limits::depth(2), recorder, |_| ());
        })
    };
    let log = search(ManyPlayers::Paranoid, "paranoid");
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    let (played, root) = (why.played.unwrap(), why.iterations.last().unwrap().value);
    assert_eq!(
        (why.view, played.value),
        (View::Root { players: 3 }, root),
        "the others share the root's value"
    );
    let log = search(ManyPlayers::MaxN(None), "max-n");
    let why = explain(&log, TreeChoice::LastComplete, &[]).unwrap();
    assert_eq!((why.view, why.verdict.reason), (View::EachPlayer, Reason::Unknown));
}
