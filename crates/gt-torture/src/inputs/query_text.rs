//! Any text as a query file: parsed or refused; what is parsed and printed parses to the same.

use gt_query::tools::parse;

pub(super) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let parsed = parse(text);
    let _ = gt_query::render_all(&parsed.errors, "fuzz.gtql", text);
    if parsed.errors.is_empty() {
        let printed = parsed.file.to_string();
        let again = parse(&printed);
        assert!(again.errors.is_empty(), "{printed}");
        assert_eq!(again.file.to_string(), printed);
    }
}
