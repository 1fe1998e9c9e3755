//! Pictures over HTTP; their geometry is tested beside the code.

use gt_games::GameKind;
use serde_json::{Value, json};

use crate::client::Served;
use crate::logs::game;

fn served() -> Served {
    Served::of(&[("chess.gtf", &game(GameKind::Chess))])
}

fn column(picture: &Value, name: &str) -> Vec<Value> {
    picture["rectangles"][name].as_array().cloned().unwrap_or_default()
}

#[test]
fn an_icicle_places_nodes_by_their_numbers() {
    let served = served();
    let drawn = served.get("/api/picture?tree=1&node=0&width=2000");
    assert_eq!(
        (&drawn["total"], &drawn["plies"], &drawn["complete"], &drawn["color"]),
        (&json!(81), &json!(3), &json!(true), &json!(null))
    );
    let nodes = column(&drawn, "node");
    assert_eq!(nodes.len(), 81, "all are large enough");
    for (node, x) in nodes.iter().zip(column(&drawn, "x")) {
        assert!((node.as_f64().unwrap() / 81.0 - x.as_f64().unwrap()).abs() < 1e-8);
    }
    for name in ["y", "width", "height", "ply", "size", "move", "merged", "more"] {
        assert_eq!(column(&drawn, name).len(), 81, "{name}");
    }
    assert!(drawn["rectangles"].get("value").is_none() && drawn["rectangles"].get("marks").is_none());
    let small = served.get("/api/picture?tree=1&width=10");
    assert!(column(&small, "merged").iter().any(|merged| merged.as_u64() > Some(1)), "{small}");
}

#[test]
fn colours_are_any_expression() {
    let served = served();
    let value = |color: &str| {
        let drawn = served.get(&format!("/api/picture?tree=1&width=2000&color={color}"));
        (column(&drawn, "value"), drawn["color"].clone(), column(&drawn, "node"))
    };
    let at = |values: &[Value], nodes: &[Value], node: u64| {
        values[nodes.iter().position(|id| id.as_u64() == Some(node)).unwrap()].clone()
    };
    let (best, color, nodes) = value("best");
    assert_eq!(
        (&color["kind"], &color["min"], &color["max"]),
        (&json!("diverging"), &json!(-10), &json!(10))
    );
    assert_eq!(at(&best, &nodes, 0), served.get("/api/node?tree=1&node=0")["attributes"]["best"]);
    let (_, color, _) = value("type");
    assert_eq!((&color["kind"], &color["labels"][0]["name"]), (&json!("flags"), &json!("PVNode")));
    let (note, color, nodes) = value("note");
    assert_eq!((&color["kind"], at(&note, &nodes, 0)), (&json!("values"), json!("even")));
    let (sizes, color, nodes) = value("@size*2");
    assert_eq!((&color["kind"], at(&sizes, &nodes, 0)), (&json!("sequential"), json!(162)));
    let (children, _, nodes) = value("@children");
    assert_eq!(
        (at(&children, &nodes, 0), at(&children, &nodes, 1), at(&children, &nodes, 80)),
        (json!(20), json!(20), json!(0))
    );
    let (index, _, nodes) = value("@index");
    assert_eq!((at(&index, &nodes, 1), at(&index, &nodes, 80)), (json!(0), json!(19)));
    // These are answered by a query of the whole tree.
    let (height, _, nodes) = value("@height");
    assert_eq!((at(&height, &nodes, 0), at(&height, &nodes, 80)), (json!(2), json!(0)));
    let (below, _, nodes) = value("subtree:count(best%3E0)");
    assert_eq!(at(&below, &nodes, 80), json!(0));
    assert!(at(&below, &nodes, 0).as_u64() > Some(10));
}

#[test]
fn marks_count_the_matches_of_a_run() {
    let served = served();
    let (run, answer) = served.run(r#"{"tree": 1, "text": "node: best > 0"}"#);
    let drawn = served.get(&format!("/api/picture?tree=1&marks={run}"));
    assert_eq!(column(&drawn, "marks")[0], answer["results"][0]["count"]);
    let listed = served.get(&format!("/api/children?tree=1&node=0&marks={run}"));
    let children = listed["children"].as_array().unwrap();
    let marks: u64 = children.iter().map(|child| child["marks"].as_u64().unwrap()).sum();
    assert_eq!(json!(marks), answer["results"][0]["count"], "the root is no match");
    for child in children {
        assert_eq!(child["match"], json!(child["attributes"]["best"].as_i64() > Some(0)), "{child}");
    }
    assert_eq!(served.refused(&format!("/api/children?tree=0&marks={run}")).0, 400);
    assert_eq!(served.refused(&format!("/api/picture?tree=0&marks={run}")).0, 400);
    assert_eq!(served.refused("/api/picture?tree=1&marks=99").0, 404);
}

/// The widths of what is drawn at each ply, in node_ids: rectangles of single nodes, and the density.
fn drawn_widths(picture: &Value) -> Vec<u64> {
    let plies = picture["plies"].as_u64().unwrap() as usize;
    let mut widths = vec![0; plies];
    let number = |value: &Value| value.as_u64().unwrap();
    let (merged, sizes, rows) = (column(picture, "merged"), column(picture, "size"), column(picture, "y"));
    for (place, row) in rows.iter().enumerate().filter(|(place, _)| number(&merged[*place]) == 0) {
        widths[row.as_f64().unwrap() as usize] += number(&sizes[place]);
    }
    let spans = picture["density"]["ply"].as_array().unwrap().iter();
    for (ply, nodes) in spans.zip(picture["density"]["nodes"].as_array().unwrap()) {
        widths[number(ply) as usize] += number(nodes);
    }
    widths
}

#[test]
fn what_is_too_narrow_is_drawn_merged() {
    let served = served();
    for width in [1, 7, 40, 2000] {
        let drawn = served.get(&format!("/api/picture?tree=1&width={width}&color=best"));
        // The root and all below it, its 20 moves and 60 replies, the replies.
        assert_eq!(drawn_widths(&drawn), [81, 80, 60], "{width}");
        assert_eq!(drawn["complete"], json!(true));
    }
    let cut = served.get("/api/picture?tree=1&width=7&plies=1");
    assert_eq!((drawn_widths(&cut), &cut["complete"]), (vec![81, 80], &json!(false)));
    let treemap = served.get("/api/picture?tree=1&width=20&height=20&view=treemap");
    assert_eq!((&treemap["complete"], treemap.get("density")), (&json!(false), None));
}

#[test]
fn a_stretch_of_nodes_is_as_wide_as_the_picture() {
    let served = served();
    let drawn = served.get("/api/picture?tree=1&from=10&to=30&width=2000");
    assert_eq!((&drawn["from"], &drawn["to"], &drawn["total"]), (&json!(10), &json!(30), &json!(81)));
    let nodes = column(&drawn, "node");
    let place = nodes.iter().position(|node| node == 15).unwrap();
    assert_eq!((&column(&drawn, "x")[place], &column(&drawn, "width")[place]), (&json!(0.25), &json!(0.05)));
    assert!(nodes.iter().all(
        |node| [0, 1, 22].contains(&node.as_u64().unwrap()) || (10..30).contains(&node.as_u64().unwrap())
    ));
    let beyond = served.get("/api/picture?tree=1&node=22&from=0&to=4000");
    assert_eq!((&beyond["from"], &beyond["to"]), (&json!(22), &json!(43)));
    for (query, words) in [
        ("from=3", "`from` and `to` go together"),
        ("from=3&to=3", "`to` is beyond `from`, not 3"),
        ("from=3&to=9&view=treemap", "only an icicle shows a stretch"),
    ] {
        let (status, message) = served.refused(&format!("/api/picture?tree=1&{query}"));
        assert!(status == 400 && message.contains(words), "{query}: {status} {message}");
    }
}

#[test]
fn a_match_below_a_pixel_is_marked() {
    let served = served();
    let (run, _) = served.run(r#"{"tree": 1, "text": "node: node_id = 17"}"#);
    let drawn = served.get(&format!("/api/picture?tree=1&width=4&marks={run}"));
    let step = drawn["density"]["step"].as_u64().unwrap();
    assert!(step > 10, "{drawn}");
    assert_eq!(drawn["density"]["marks"], json!({"ply": [2], "column": [17 / step], "matches": [1]}));
}

#[test]
fn bad_pictures_are_refused() {
    let served = served();
    for (path, status, words) in [
        ("view=pie", 400, "`view` is one of: icicle, treemap"),
        ("width=0", 400, "`width` is from 1 to 10000, not 0"),
        ("width=99999999999", 400, "`width` is from 1 to 10000"),
        ("plies=x", 400, "`plies` is a whole number"),
        ("colour=best", 400, "`colour` is no parameter of this call"),
        ("color=bets", 400, "did you mean `best`"),
        ("color=best%0Anode:*", 400, "a colour is one expression over a node"),
        ("color=1)%20or%20(", 400, "the colour"),
        ("color=best%20%2B", 400, "the colour `best +`: expected a name, a number or `(`, found the end"),
        ("node=81&tree=1", 404, "there is no node 81 in this tree: it has 81"),
        ("node=1&node=2", 400, "`node` is there twice"),
    ] {
        let (found, message) = served.refused(&format!("/api/picture?{path}"));
        assert!(found == status && message.contains(words), "{path}: {found} {message}");
    }
}

#[test]
fn damage_is_told_and_not_painted() {
    let folder = tempfile::tempdir().unwrap();
    let sound_path = folder.path().join("sound.gtf");
    game(GameKind::Chess)(&sound_path);
    let sound = std::fs::read(&sound_path).unwrap();
    let colors = ["best", "type", "hash", "note"];
    let values = |served: &Served, color: &str| {
        let reply = served.ask("GET", &format!("/api/picture?tree=1&width=2000&color={color}"), &[], "");
        (reply.status == 200).then(|| reply.json()["rectangles"]["value"].clone())
    };
    let undamaged = Served::of(&[("log.gtf", &|path| std::fs::write(path, &sound).unwrap())]);
    let expected: Vec<_> = colors.iter().map(|color| values(&undamaged, color)).collect();
    let mut refused = 0;
    for place in (sound.len() / 4..sound.len() * 3 / 4).step_by(sound.len() / 60) {
        let mut bytes = sound.clone();
        bytes[place..place + 8].iter_mut().for_each(|byte| *byte ^= 0x55);
        let damaged = folder.path().join("damaged.gtf");
        std::fs::write(&damaged, &bytes).unwrap();
        // A log whose frames are damaged may not open, or lack a tree: it says so.
        let Ok(log) = gt_log::Log::open(&damaged) else { continue };
        if log.trees().count() < 2 || log.trees().any(|tree| tree.nodes() == 0) {
            continue;
        }
        let served = Served::of(&[("log.gtf", &|path| std::fs::write(path, &bytes).unwrap())]);
        if !served.get("/api/logs")["logs"][0]["recovered"].is_null() {
            continue;
        }
        for (color, expected) in colors.iter().zip(&expected) {
            match values(&served, color) {
                Some(found) => assert_eq!(Some(&found), expected.as_ref(), "{color}, bytes {place} on"),
                None => refused += 1,
            }
        }
    }
    assert!(refused > 0, "no colour met the damage");
}
