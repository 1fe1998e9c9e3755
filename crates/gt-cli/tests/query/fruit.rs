//! The thesis's queries Q1–Q24 on the trees of the chess engine Fruit, where the data is there.

use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::folder::Folder;

#[test]
fn fruit_answers_as_published() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/fruit");
    let Ok(answers) = std::fs::read_to_string(data.join("answers.json")) else {
        eprintln!("skipped: there is no {}", data.display());
        return;
    };
    let answers: Value = serde_json::from_str(&answers).unwrap();
    let queries = query_file(&answers["queries"]);
    let folder = Folder::new();
    folder.write("queries.gtql", &queries);
    let mut logs = Vec::new();
    for (position, expected) in answers["positions"].as_object().unwrap() {
        let log = format!("pos{position}.gtf");
        import(&folder, &data.join(expected["file"].as_str().unwrap()), &log, &expected["x"]);
        logs.push(log);
    }
    assert_eq!(logs.len(), 4);
    let mut words = vec!["query", "-f", "queries.gtql", "--format", "json"];
    words.extend(logs.iter().map(String::as_str));
    let out = folder.prints(&words);
    let mut objects = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    for (position, expected) in answers["positions"].as_object().unwrap() {
        for number in 1..=24 {
            let (object, name) = (objects.next().unwrap(), format!("Q{number}"));
            assert_eq!(object["log"], format!("pos{position}.gtf"));
            assert_eq!(object["name"], name);
            compare(&object, &expected["answers"][&name], &format!("position {position}, {name}"));
        }
    }
    assert!(objects.next().is_none());
}

/// The published queries, with the nominal depth as a parameter.
fn query_file(queries: &Value) -> String {
    let one = |number: u32| {
        let query = queries[number.to_string()].as_str().unwrap();
        format!("[Q{number}]\n{}\n\n", query.replace("ply<=x", "ply<=$x").replace("ply>x", "ply>$x"))
    };
    (1..=24).map(one).collect::<String>().replace("$x", "$nominal_depth")
}

fn import(folder: &Folder, table: &Path, log: &str, depth: &Value) {
    let aliases =
        ["PVNode=1", "CutNode=2", "AllNode=4", "QNode=8", "QRootNode=16", "ResearchNode=32", "NullMove=64"];
    let depth = format!("nominal_depth={depth}");
    let mut words = vec!["import", table.to_str().unwrap(), "-o", log, "--game", "chess", "--meta", &depth];
    aliases.iter().for_each(|alias| words.extend(["--alias", alias]));
    folder.prints(&words);
}

fn compare(object: &Value, expected: &Value, what: &str) {
    assert_eq!(object["count"], expected["count"], "{what}");
    let Some(published) = expected["sha256"].as_str() else {
        assert!(object.get("nodes").is_none(), "{what}");
        return;
    };
    let nodes: Vec<i64> = object["nodes"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
    let bytes: Vec<u8> = nodes.iter().flat_map(|id| id.to_le_bytes()).collect();
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, published, "{what}");
    if let Some(all) = expected.get("ids") {
        assert_eq!(&object["nodes"], all, "{what}");
    }
    let first = expected["first10"].as_array().unwrap();
    assert_eq!(&object["nodes"].as_array().unwrap()[..first.len()], first, "{what}");
}
