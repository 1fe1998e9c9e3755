//! Compares the viewer's API for a log with the plain model.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;

use gt_log::Value;
use gt_view::Server;
use serde_json::Value as Json;

use crate::check::{Asked, same};
use crate::model::{Expected, Node};
use crate::session::schema;

/// The number of nodes requested per tree.
const NODES_ASKED: usize = 12;

/// Serves a log that is written into this folder, on the loopback address.
///
/// # Errors
/// Returns an error if that fails.
pub fn start(bytes: &[u8], folder: &Path) -> Result<Server, String> {
    let path = folder.join("served.gtf");
    std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
    Server::start(&[path], 0).map_err(|error| error.to_string())
}

/// Requests nodes from a server of this log, and compares them with the expected ones.
///
/// # Errors
/// Returns the difference.
pub fn check(bytes: &[u8], expected: &Expected, folder: &Path) -> Result<Asked, String> {
    let server = start(bytes, folder)?;
    let mut asked = Asked::default();
    let listing = get(server.address(), "/api/logs")?;
    let trees = listing["logs"][0]["trees"].as_array().map_or(0, Vec::len);
    same("trees that the viewer lists", trees, expected.trees.len())?;
    for (number, nodes) in expected.trees.iter().enumerate() {
        let (plies, sizes) = (plies(nodes), sizes(nodes));
        let step = nodes.len().div_ceil(NODES_ASKED).max(1);
        for (id, node) in nodes.iter().enumerate().step_by(step) {
            let found = get(server.address(), &format!("/api/node?tree={number}&node={id}"))?;
            let what = |name: &str| format!("tree {number}, node {id}: {name}");
            same(&what("parent"), found["parent"].as_u64(), node.parent.map(|parent| parent as u64))?;
            same(&what("ply"), found["ply"].as_u64(), Some(plies[id]))?;
            same(&what("size"), found["size"].as_u64(), Some(sizes[id]))?;
            for (attribute, value) in schema().attributes().iter().zip(&node.values) {
                same(&what(&attribute.name), &found["attributes"][&attribute.name], &json(value))?;
            }
        }
        asked.trees += 1;
    }
    Ok(asked)
}

/// A value in the API's JSON.
fn json(value: &Value) -> Json {
    /// The largest integer that JavaScript represents exactly.
    const EXACT_MAX: i128 = (1 << 53) - 1;
    let integer = |value: i128| match i64::try_from(value) {
        Ok(value) if i128::from(value).abs() <= EXACT_MAX => Json::from(value),
        _ => Json::from(value.to_string()),
    };
    match value {
        Value::Int(value) => integer((*value).into()),
        Value::UInt(value) => integer((*value).into()),
        Value::Float(value) if value.is_nan() => Json::Null,
        Value::Float(value) if value.is_infinite() => {
            Json::from(if *value > 0.0 { "Infinity" } else { "-Infinity" })
        }
        Value::Float(value) => Json::from(*value),
        Value::Bool(value) => Json::from(*value),
        Value::Text(value) => Json::from(value.as_str()),
        Value::Missing => Json::Null,
    }
}

fn plies(nodes: &[Node]) -> Vec<u64> {
    let mut plies: Vec<u64> = Vec::new();
    for node in nodes {
        plies.push(node.parent.map_or(0, |parent| plies[parent] + 1));
    }
    plies
}

fn sizes(nodes: &[Node]) -> Vec<u64> {
    let mut sizes = vec![1; nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        if let Some(parent) = node.parent {
            sizes[parent] += sizes[id];
        }
    }
    sizes
}

/// The JSON of a `GET` that must succeed. Uses HTTP 1.0, so that the answer ends with the connection.
fn get(address: SocketAddr, path: &str) -> Result<Json, String> {
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let mut connection = TcpStream::connect(address).map_err(failed)?;
    write!(connection, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").map_err(failed)?;
    let mut bytes = Vec::new();
    connection.read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(|| format!("{path}: no answer"))?;
    if !head.starts_with("HTTP/1.0 200") && !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {text}"));
    }
    serde_json::from_str(body).map_err(|error| format!("{path}: {error}"))
}
