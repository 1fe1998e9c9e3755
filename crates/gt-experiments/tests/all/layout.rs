//! The layout of the tables, as a page that a person can read. `UPDATE_GOLDENS=1 cargo test -p gt-experiments --test all layout::`
//! writes it anew; look at the difference before you commit it.

use std::path::Path;

use gt_experiments::{Ended, Measured, Quiescence, Results, Searched, Settings, document, positions, thesis};
use gt_report::document::markdown;

fn measured(place: usize) -> Measured {
    let tree = thesis::TREES[place];
    let seconds: [f64; 8] = std::array::from_fn(|query| 0.0005 * (query as f64 + 1.0) * (place as f64 + 1.0));
    Measured {
        tree,
        nodes: thesis::TREE_NODES[place],
        bytes: thesis::TREE_NODES[place] * 3 / 4,
        seconds,
        answers: [7; 8],
        columns_decoded: [0, 1, 1, 1, 1, 1, 1, 1],
        together_seconds: 0.25,
        together_parallel_seconds: 0.125,
        memory_bytes_max: (place == 0).then_some(8_600_000),
    }
}

fn searched(place: usize) -> Searched {
    let position = positions::all().unwrap()[place].clone();
    let line = vec!["null".to_owned()];
    let root = Some(position.game.clone());
    Searched {
        outcome: Some(Ended {
            is_solved: place == 0,
            nodes_total: 2_500,
            seconds: 1.5,
            best_move: "Kg1".to_owned(),
            value: 31,
        }),
        depth: 8,
        deepest: 20,
        nodes: 1_000,
        log: "pos.gtf".to_owned(),
        tree: 7,
        answers: std::array::from_fn(|query| {
            Some([1_000, 10, 600, 390, 300, 500, 200][query.min(6)] / (query as u64 + 1))
        }),
        searched_again_below: Some(120),
        missing_names: Vec::new(),
        counting_seconds: 0.001,
        collecting_seconds: 0.0015,
        largest_quiescence: vec![Quiescence { nodes: 40 + place as u64, line, root }],
        position,
    }
}

#[test]
fn the_report_is_laid_out_as_the_golden_page() {
    let results = Results {
        measured: vec![measured(0), measured(4)],
        searched: vec![searched(0), searched(1)],
        reports: Vec::new(),
    };
    let page = markdown(&document(&Settings::default(), &results), "");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/report.md");
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, &page.text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    assert_eq!(page.text, golden, "the page has changed; see the head of this file");
    let names: Vec<&str> = page.pictures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "figure-5-1a.svg",
            "figure-5-1b.svg",
            "figure-5-2.svg",
            "figure-5-3.svg",
            "figure-5-4.svg",
            "figure-5-4-thesis.svg",
            "figure-5-5a.svg",
            "figure-5-5b.svg",
            "figure-5-6.svg"
        ]
    );
}
