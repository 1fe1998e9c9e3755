//! The chess engine's trees: Parquet files of somebody else's making.

use std::path::{Path, PathBuf};

use gt_convert::{Format, ImportOptions, Selection, export_to, import, import_bytes, unwatched};
use gt_log::{Kind, Log};
use serde_json::Value;

/// The folder with the trees, where it is there.
fn fruit() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/fruit");
    if !folder.join("meta.json").exists() {
        eprintln!("skipped: the Fruit trees are not in {}", folder.display());
        return None;
    }
    Some(folder)
}

/// What meta.json says: (file, nodes, greatest ply).
fn files(folder: &Path) -> Vec<(PathBuf, u64, u64)> {
    let meta: Value = serde_json::from_slice(&std::fs::read(folder.join("meta.json")).unwrap()).unwrap();
    let positions = meta["positions"].as_object().unwrap().values();
    let files = positions.flat_map(|position| position["files"].as_array().unwrap());
    files
        .map(|file| {
            let path = folder.join(file["file"].as_str().unwrap());
            (path, file["nodes"].as_u64().unwrap(), file["max_ply"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn all_files_import_with_their_counts_and_columns() {
    let Some(folder) = fruit() else { return };
    let scratch = tempfile::tempdir().unwrap();
    let target = scratch.path().join("tree.gtf");
    let files = files(&folder);
    assert!(files.len() >= 20);
    for (path, nodes, max_ply) in files {
        let options = ImportOptions {
            existing: gt_log::Existing::Replace,
            game: Some("chess".to_owned()),
            aliases: vec![("PVNode".to_owned(), 1), ("CutNode".to_owned(), 2)],
            ..ImportOptions::default()
        };
        let report = import(&path, None, &options, &target, &mut unwatched).unwrap();
        assert_eq!((report.nodes, report.trees, report.sorted, report.renumbered), (nodes, 1, false, false));
        let log = Log::open(&target).unwrap();
        let tree = log.tree(0).unwrap();
        assert_eq!((tree.nodes(), u64::from(tree.depth())), (nodes, max_ply), "{}", path.display());
        let attributes: Vec<(&str, Kind)> =
            log.schema().attributes().iter().map(|a| (a.name.as_str(), a.kind)).collect();
        let names = ["ply", "depth", "alpha", "beta", "best", "type"];
        assert_eq!(attributes, names.map(|name| (name, Kind::I32)));
        assert_eq!((log.game(), log.schema().alias("CutNode")), ("chess", Some(2)));
        // Their own ply is the distance from the root.
        tree.preorder(&[gt_log::Column::Attribute(0)], |batch| {
            assert_eq!(batch.cells[0].integers, batch.plies);
            Ok::<(), gt_log::Error>(())
        })
        .unwrap();
    }
}

#[test]
fn a_fruit_tree_goes_through_every_format() {
    let Some(folder) = fruit() else { return };
    let bytes = std::fs::read(folder.join("pos15_d4.parquet")).unwrap();
    let log = Log::from_bytes(import_bytes(&bytes, Format::Parquet).unwrap()).unwrap();
    let expected = crate::common::contents(&log);
    for format in Format::ALL {
        let mut bytes = Vec::new();
        export_to(&log, &Selection::All, format, &mut bytes, &mut unwatched).unwrap();
        let back = Log::from_bytes(import_bytes(&bytes, format).unwrap()).unwrap();
        assert_eq!(crate::common::contents(&back), expected);
    }
}
