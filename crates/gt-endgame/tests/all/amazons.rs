//! Regions of Amazons against plain search of whole games.

use gt_endgame::amazons::{Regions, build};
use gt_endgame::{Table, Tables};
use gt_games::amazons::Mobility;
use gt_games::{Amazons, Notation};
use gt_search::{Ending, Game, is_decided, negamax, win_distance_plies};
use std::path::Path;

/// Positions on a board of 4x4 with an amazon each, drawn by a counter that is mixed.
fn positions(count: u64) -> Vec<Amazons> {
    let mut found = Vec::new();
    let mut state = 1_u64;
    while found.len() < count as usize {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut squares: Vec<char> = (0..16).map(|_| if next() % 10 < 5 { 'x' } else { '.' }).collect();
        let (white, black) = ((next() % 16) as usize, (next() % 16) as usize);
        if white == black {
            continue;
        }
        (squares[white], squares[black]) = ('w', 'b');
        let mover = if next() % 2 == 0 { 'w' } else { 'b' };
        found.extend(Amazons::parse_position(&text(&squares, mover)).ok());
    }
    found
}

/// The rows with runs of empty squares as numbers.
fn text(squares: &[char], mover: char) -> String {
    let row = |row: &[char]| {
        let mut text = String::new();
        let mut empty = 0;
        for &square in row.iter().chain(&['/']) {
            if square == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(square);
        }
        text
    };
    let rows: String = squares.chunks(4).map(row).collect();
    format!("{} {mover}", rows.trim_end_matches('/'))
}

fn write(folder: &Path, regions: &str) -> Tables {
    let regions: Regions = regions.parse().unwrap();
    let path = folder.join(format!("{}.gte", regions.width));
    build(regions).write(&mut std::fs::File::create(&path).unwrap()).unwrap();
    Tables::open(&path).unwrap()
}

/// The ending of a game that is searched to its end.
fn searched(game: &Amazons) -> Ending {
    let value = negamax(game, &Mobility, 16, &mut ()).value;
    assert!(is_decided(value), "every game of Amazons is won");
    let plies = win_distance_plies(value).unwrap() as u16;
    if value > 0 { Ending::Win { plies } } else { Ending::Loss { plies } }
}

#[test]
fn enclosed_regions_give_the_ending_of_the_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let tables = write(folder.path(), "4x4");
    let mut known = 0;
    for game in positions(3000).iter().filter(|game| game.outcome().is_none()) {
        let Some(ending) = tables.ending(&*boxed(game)).unwrap() else { continue };
        assert_eq!(ending, searched(game).into(), "{}", game.position_text());
        known += 1;
    }
    assert!(known > 200, "{known} positions have enclosed regions alone");
}

#[test]
fn a_contested_region_is_won_by_whom_its_value_says() {
    let folder = tempfile::tempdir().unwrap();
    let tables = write(folder.path(), "3x3:1-1");
    let mut known = 0;
    for game in positions(3000) {
        let regions = tables.regions(&game).unwrap();
        let [region] = &regions[..] else { continue };
        let Some(wins_first) = region.wins_first else { continue };
        let is_won = match game.outcome() {
            Some(_) => false,
            None => matches!(searched(&game), Ending::Win { .. }),
        };
        assert_eq!(wins_first[game.to_move()], is_won, "{} {:?}", game.position_text(), region.value);
        known += 1;
    }
    assert!(known > 100, "{known} positions have one contested region");
}

fn boxed(game: &Amazons) -> Box<dyn gt_games::AnyGame> {
    let setup = gt_games::registry::Setup::position(&game.position_text());
    gt_games::GameKind::Amazons.open(&setup).unwrap()
}

#[test]
fn the_table_says_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.gte");
    build("2x2:1-1".parse().unwrap()).write(&mut std::fs::File::create(&path).unwrap()).unwrap();
    let Table::Amazons(table) = Table::open(&path).unwrap() else { panic!("it is of Amazons") };
    assert_eq!(table.regions().to_string(), "2x2:1-1");
    assert_eq!(table.longest(), Some((3, "../w.")));
    assert!(table.positions() > 10 && table.values() > 3);
    Table::open(&path).unwrap().verify(Tables::default(), 0).unwrap();
}

#[test]
fn regions_that_cannot_be_are_refused() {
    for text in [
        "",
        "3",
        "3x",
        "x3",
        "0x3",
        "5x4",
        "4x4:1-1",
        "3x3:0",
        "3x3:3",
        "3x3:1-x",
        "9x1",
        "99999999999999999999x1",
    ] {
        let error = text.parse::<Regions>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}`: ")), "{error}");
    }
}
