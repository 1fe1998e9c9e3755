//! Whatever comes from outside is read or refused, never a panic; and what is read keeps the laws.

#[allow(dead_code, reason = "the playouts are used by the other test")]
use crate::contract::position_laws;
use gt_games::amazons::Size;
use gt_games::chess::Epd;
use gt_games::registry::{GameKind, Setup, replay};
use gt_games::{Amazons, Chess, ChineseCheckers, ConnectFour, Notation, Thorns, TicTacToe, Tree};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fmt::Debug;

/// Any text; text of the letters that positions and moves are made of; and good texts with a few places changed.
fn texts() -> impl Strategy<Value = String> {
    let good = prop::sample::select(vec![
        TicTacToe::new().position_text(),
        "xo1/1x1/2o x".to_owned(),
        "7/7/7/3x3/2ox3/2ox3 o".to_owned(),
        "4/1w1b/2x1/4 b".to_owned(),
        Amazons::default().position_text(),
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_owned(),
        "4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1 bm O-O; id \"a;b\";".to_owned(),
        "A/AA/AAA/AAAA/13/12/11/10/9/10/11/12/13/BBBB/BBB/BB/B A 2 0".to_owned(),
        "players 3 turns 1,3,2 (a:~1,2,3 (x:4,5,6 7,8,9) @2 (=x 1,1,1)) at a".to_owned(),
        "-/-/Tc Ad9c 1 9,0,0 -,d,-".to_owned(),
        Thorns::deal(4, 2).expect("a deal").position_text(),
        "d1-d7/g7".to_owned(),
        "Nxd6+".to_owned(),
        "e7e8q".to_owned(),
    ]);
    let changes =
        prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), "[0-9a-hwbxokqKQAB/ -]"), 0..4);
    let changed = (good, changes).prop_map(|(text, changes)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, wild, tame) in changes {
            let place = place.index(letters.len());
            let tame = tame.chars().next().unwrap_or(wild);
            letters[place] = if wild < '\u{400}' { wild } else { tame };
        }
        letters.into_iter().collect()
    });
    prop_oneof![
        any::<String>(),
        "[0-9a-jxowbkqrnpKQRNBPA-F/ =+#-]{0,80}",
        "(players [2-4] )?[0-9a-c(): ,=@~]{0,60}",
        changed
    ]
}

fn read_all<G: Notation + Debug + PartialEq>(start: &G, text: &str, code: i64) {
    if let Ok(game) = G::parse_position(text) {
        position_laws(&game, &mut HashMap::new());
    }
    if let Ok(mv) = start.parse_move(text) {
        assert!(start.legal_moves().contains(&mv), "{text}: what is read is legal");
    }
    if let Ok(mv) = start.decode(code) {
        assert_eq!(start.encode(mv), code);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn no_text_or_number_panics(text in texts(), wild in any::<i64>(), small in 0i64..70_000) {
        for code in [wild, small] {
            read_all(&TicTacToe::new(), &text, code);
            read_all(&ConnectFour::new(), &text, code);
            read_all(&Amazons::start(Size::new(5, 4).expect("a size")), &text, code);
            read_all(&Chess::new(), &text, code);
            read_all(&ChineseCheckers::start(3).expect("three players"), &text, code);
            read_all(&Tree::small(), &text, code);
            read_all(&Thorns::deal(3, 1).expect("a deal"), &text, code);
        }
        let _ = Epd::parse(&text).map(|epd| epd.moves("bm"));
    }

    #[test]
    fn no_setup_panics(text in texts(), board in texts(), players in any::<Option<usize>>(), codes: Vec<i64>) {
        let _ = text.parse::<GameKind>();
        let small: Vec<i64> = codes.iter().map(|code| code & 0x3fff).collect();
        for kind in GameKind::ALL {
            let setup = Setup { position: text.clone(), board: Some(board.clone()), players };
            let _ = kind.open(&setup);
            let _ = kind.open(&Setup { board: None, ..setup });
            for codes in [&codes, &small] {
                let _ = replay(kind, &Setup::position(&text), codes);
                let _ = replay(kind, &Setup::default(), codes);
            }
        }
    }

    #[test]
    fn an_error_is_one_sentence(text in any::<String>()) {
        for kind in GameKind::ALL {
            if let Err(error) = kind.open(&Setup::position(&text)) {
                let sentence = error.to_string();
                prop_assert_eq!(sentence.lines().count(), 1, "{}", sentence);
                if let Some(span) = error.span {
                    prop_assert!(error.input.get(span).is_some(), "the place is one of the input");
                }
            }
        }
    }
}
