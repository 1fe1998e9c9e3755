//! Inputs that the parsers read, to be changed.

use gt_book::{BuildOptions, Builder};
use gt_games::chess::evaluate::FITTED;
use gt_games::chess::network::Network;
use gt_games::connect_four::ConnectFour;
use gt_games::registry::GameKind;
use gt_games::{Notation, saved};

use super::edited_table;

/// Inputs of one parser; none where it reads any bytes.
pub(super) type Seeds = Vec<Vec<u8>>;

const CHESS_GAME: &str = "[Event \"?\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n\n1. f3 {weak} e5 2. g4 $2 (2. e4) Qh4# 0-1\n";
const CONNECT_FOUR_GAME: &str =
    "game=connect-four\tplayer0=a\tplayer1=b\tresult=1-0\tmoves=a b a b a b {a \\} brace} a\n";

pub(super) fn none() -> Seeds {
    Seeds::new()
}

pub(super) fn logs() -> Seeds {
    vec![
        include_bytes!("../../../gt-log/tests/data/v1.gtf").to_vec(),
        include_bytes!("../../../gt-log/tests/data/v1-compact.gtf").to_vec(),
        include_bytes!("../../../gt-log/tests/data/v1.1.gtf").to_vec(),
        include_bytes!("../../../gt-log/tests/data/v1.1-compact.gtf").to_vec(),
    ]
}

/// A table in each format, with the byte that names it before.
pub(super) fn tables() -> Seeds {
    let tables = edited_table::TABLES.iter().zip(0_u8..);
    tables.map(|(table, format)| [&[format], table.as_slice()].concat()).collect()
}

pub(super) fn queries() -> Seeds {
    texts(&[
        "node: type & PVNode; subtree: count(*) > 3",
        "let worst = child: min([]best)\nnode: best < worst and @ply % 2 = 1",
        "select @node, best as value, if(best > 0, 1, -1) order by best desc limit 5",
        "group by @ply select @ply, count(*), avg(best), quantile(best, 0.9)",
        "before: sum([]best) > -3; path: any([^]type = 1)",
        "twin(best): count(*) > 1; node: [<]best is known or not ([0]best = [-1]best)",
    ])
}

pub(super) fn positions() -> Seeds {
    texts(&[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ne2e4",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1\nc5d6",
        "xo1/1x1/2o x\na1",
        "w1x1/2x1/xxxx/1b1b w\na4-a3/a4",
        "7/7/7/3o3/2xx3/2oxo2 x\nd",
        "1/2/3/4/B5C1BC2C/1B2B1B1C1C1/3B3A3/4C5/6B1A/4A5/2B5C2/9A1B/1C2B1CC1A3/A3/2A/AA/A A 3 102\n",
    ])
}

pub(super) fn saved_games() -> Seeds {
    texts(&[CHESS_GAME, CONNECT_FOUR_GAME])
}

/// Weights of chess's six terms, and a network.
pub(super) fn evaluations() -> Seeds {
    let network = [Network::HEADER.as_bytes(), b"\n", &Network::built_in().bytes()].concat();
    vec![FITTED.text().into_bytes(), network]
}

pub(super) fn books() -> Seeds {
    let formats = [
        (GameKind::Chess, gt_book::Format::Polyglot, CHESS_GAME),
        (GameKind::Chess, gt_book::Format::Own, CHESS_GAME),
        (GameKind::ConnectFour, gt_book::Format::Own, CONNECT_FOUR_GAME),
    ];
    formats.map(|(kind, format, text)| book(kind, format, text)).to_vec()
}

fn book(kind: GameKind, format: gt_book::Format, text: &str) -> Vec<u8> {
    let mut builder = Builder::new(kind, format, BuildOptions::default()).expect("a format of the game");
    for game in saved::read(text, Some(kind)) {
        builder.add(&game.expect("a sound game")).expect("a game of this kind");
    }
    let mut bytes = Vec::new();
    builder.write(&mut bytes).expect("memory");
    bytes
}

/// The last plies of a game of connect four.
pub(super) fn endgames() -> Seeds {
    let start =
        ConnectFour::parse_position("1o1xoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo x").expect("a position");
    let reached = gt_endgame::connect_four::build(&start, 1000).expect("few positions");
    let mut bytes = Vec::new();
    reached.write(&mut bytes).expect("memory");
    vec![bytes]
}

fn texts(texts: &[&str]) -> Seeds {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use gt_convert::Format;

    use super::*;

    /// A seed that is refused at its first byte tries nothing.
    #[test]
    fn seeds_are_read() {
        assert!(logs().iter().all(|log| gt_log::Log::from_bytes(log.clone()).is_ok()));
        for table in tables() {
            gt_convert::import_bytes(&table[1..], Format::ALL[usize::from(table[0])]).expect("a sound table");
        }
        for text in queries() {
            let text = String::from_utf8(text).expect("a text");
            let parsed = gt_query::tools::parse(&text);
            assert!(parsed.errors.is_empty(), "{text}");
        }
        for game in saved_games() {
            assert!(saved::read(&game, None).all(|game| game.is_ok()));
        }
        for position in positions() {
            let text = String::from_utf8(position).expect("a text");
            let (position, _) = text.split_once('\n').expect("a position and a move");
            let setup = gt_games::registry::Setup::position(position);
            assert!(GameKind::ALL.iter().any(|kind| kind.open(&setup).is_ok()), "{position}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("seed");
        for book in books() {
            std::fs::write(&path, book).expect("a file");
            gt_book::Book::open_any(&path).expect("a book");
        }
        for table in endgames() {
            std::fs::write(&path, table).expect("a file");
            gt_endgame::Table::open(&path).expect("a table");
        }
    }
}
