//! The page and its files, embedded by `build.rs`, compressed.

use std::io::Read;

use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;

use super::reply::{self, protected};
use crate::error::{Kind, Refusal};

/// A file of the page.
struct File {
    path: &'static str,
    content_type: &'static str,
    gzip: &'static [u8],
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is shown where the page was not built.
const NO_PAGE: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>gt view</title>\
    <h1>The viewer's page is not in this build</h1>\
    <p>The server works, and its <a href=/api/logs>API</a> answers. The page is built together with gt where npm \
    (of Node.js 20 or later) is installed: install it and build again, or name a folder with a built page in the variable \
    <code>GT_VIEW_PAGE</code> when you build.\n";

/// The bytes of the page as they are sent; 0 where it was not built.
pub(crate) fn compressed_bytes() -> usize {
    FILES.iter().map(|file| file.gzip.len()).sum()
}

pub(super) fn file(method: &Method, path: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    if *method != Method::GET && *method != Method::HEAD {
        // The guard adds the sentence.
        let refused =
            Response::builder().status(StatusCode::METHOD_NOT_ALLOWED).header(header::ALLOW, "GET,HEAD");
        return refused.body(Body::empty()).map_err(|error| Refusal::new(Kind::Log, error.to_string()));
    }
    let wanted = if path == "/" { "/index.html" } else { path };
    if FILES.is_empty() && wanted == "/index.html" {
        return Ok(reply::with_type("text/html; charset=utf-8", Body::from(NO_PAGE)));
    }
    let Some(file) = FILES.iter().find(|file| file.path == wanted) else {
        let shown: String = path.chars().take(80).collect();
        return Err(Refusal::new(Kind::Missing, format!("there is nothing at `{}`", shown.escape_debug())));
    };
    // Names of assets hold a hash of what is in them.
    let caching = if file.path.starts_with("/assets/") { "max-age=31536000, immutable" } else { "no-cache" };
    let response = protected()
        .header(header::CONTENT_TYPE, file.content_type)
        .header(header::CACHE_CONTROL, caching)
        .header(header::VARY, "Accept-Encoding");
    let built = if takes_gzip(headers) {
        response.header(header::CONTENT_ENCODING, "gzip").body(Body::from(file.gzip))
    } else {
        response.body(Body::from(unpacked(file)))
    };
    built.map_err(|error| Refusal::new(Kind::Log, error.to_string()))
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        is_gzip && !parts.any(|part| part == "q=0" || part == "q=0.0")
    })
}

fn unpacked(file: &File) -> Vec<u8> {
    let mut bytes = Vec::new();
    // We packed it ourselves.
    let _ = flate2::read::GzDecoder::new(file.gzip).read_to_end(&mut bytes);
    bytes
}
