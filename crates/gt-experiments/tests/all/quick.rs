//! A quick run, from the settings to the files.

use std::path::Path;
use std::time::Duration;

use gt_experiments::{Results, Settings, queries, run, thesis};
use gt_log::Log;

fn quick() -> Settings {
    Settings { quick: true, ..Settings::default() }
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_quick_run_writes_every_table_and_figure() {
    let folder = tempfile::tempdir().unwrap();
    let mut heard = Vec::new();
    let results = run(&quick(), folder.path(), &mut |words| heard.push(words.to_owned())).unwrap();
    assert_eq!((results.measured.len(), results.searched.len(), heard.len()), (9, 9, 18));

    let (markdown, html) = (read(folder.path(), "report.md"), read(folder.path(), "report.html"));
    for table in ["5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7"] {
        assert!(markdown.contains(&format!("Table {table}")), "Table {table}");
        assert!(html.contains(&format!("Table {table}")), "Table {table}");
    }
    for figure in ["5-1a", "5-1b", "5-2", "5-3", "5-4", "5-4-thesis", "5-5a", "5-5b", "5-6"] {
        let name = format!("figure-{figure}.svg");
        assert!(markdown.contains(&format!("({name})")), "{name}");
        assert!(read(folder.path(), &name).starts_with("<svg"), "{name}");
    }
    assert!(html.contains("Figure 5.5") && html.matches("<svg").count() == 9);
    assert!(!folder.path().join("tree1.gtf").exists(), "artificial trees are removed");
    check_trees(&results);
    check_searches(&results, folder.path());
}

fn check_trees(results: &Results) {
    for one in &results.measured {
        let inner = one.nodes - one.tree.branching.pow(one.tree.depth as u32);
        assert_eq!(one.answers[0], one.nodes);
        assert_eq!(one.answers[1], inner, "all but the leaves have a child of their type");
        assert!(one.answers[4] > 0 && one.answers[4] < one.nodes, "a tenth has best=0");
        assert!(one.columns_decoded[0] == 0 && one.columns_decoded[7] > 0);
        assert!(one.seconds.iter().all(|&seconds| seconds > 0.0));
    }
}

fn check_searches(results: &Results, folder: &Path) {
    for (one, expected) in results.searched.iter().zip(15..) {
        assert_eq!(one.position.number, expected);
        assert_eq!(one.missing_names, [""; 0]);
        let answers = one.answers.map(|answer| answer.unwrap());
        assert_eq!(answers[0], one.nodes);
        assert_eq!(answers[1] + answers[2] + answers[3], one.nodes, "each node has one type");
        assert_eq!(answers[4] + answers[5] + answers[6], one.nodes, "each node is at one depth");
        for falling in [6..12, 12..18, 18..23] {
            assert!(answers[falling].is_sorted_by(|more, less| more >= less), "{answers:?}");
        }
        let largest = &one.largest_quiescence;
        assert!(largest.is_sorted_by(|more, less| more.nodes >= less.nodes) && largest.len() == 4);
        let log = Log::open(folder.join(&one.log)).unwrap();
        let tree = log.tree(one.tree).unwrap();
        assert_eq!(tree.metadata().get("nominal_depth"), Some(one.depth.to_string().as_str()));
        assert_eq!((tree.nodes(), tree.depth()), (one.nodes, one.deepest));
    }
}

#[test]
fn one_part_alone_writes_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { efficiency: false, time_per_position: Duration::from_secs(1), ..quick() };
    let results = run(&settings, folder.path(), &mut |_| ()).unwrap();
    assert!(results.measured.is_empty() && results.searched.len() == 9);
    assert!(!read(folder.path(), "report.md").contains("Table 5.1"));
    assert_eq!(read(folder.path(), "chess.gtql"), queries::file(&queries::CHESS));
    assert!(!folder.path().join("efficiency.gtql").exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("occupied");
    std::fs::write(&file, "").unwrap();
    for target in [file.clone(), file.join("below")] {
        let error = run(&quick(), &target, &mut |_| ()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: ", target.display())), "{error}");
    }
}

/// The thesis's own numbers agree with each other, so that a slip in copying them shows.
#[test]
fn the_numbers_of_the_thesis_add_up() {
    for (tree, nodes) in thesis::TREES.iter().zip(thesis::TREE_NODES) {
        let full = (0..=tree.depth).map(|ply| tree.branching.pow(ply as u32)).sum::<u64>();
        assert_eq!(full, nodes, "Tree {}", tree.number);
    }
    for search in &thesis::SEARCHES {
        // As printed, the parts of position 23 are 1,400 short of its whole.
        let missing = if search.position == 23 { 1_400 } else { 0 };
        let parts = search.depths[..3].iter().sum::<u64>();
        assert_eq!(parts + missing, search.nodes, "position {}", search.position);
        let percent = search.types_percent.iter().sum::<f64>();
        assert!((percent - 100.0).abs() < 0.02, "position {}: {percent}", search.position);
    }
}
