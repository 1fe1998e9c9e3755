//! CSV and JSON Lines as they come from editors, spreadsheets, scripts and interrupted downloads: read as people mean
//! them, or refused with the line.

use crate::common::refused::{check, check_with};
use gt_convert::{Format, ImportOptions, import_bytes};
use gt_log::{Log, Value, Walker};
use proptest::prelude::*;

fn imported(table: &[u8], format: Format) -> Log {
    Log::from_bytes(import_bytes(table, format).unwrap_or_else(|error| panic!("{error}"))).unwrap()
}

/// The texts of the first attribute, in preorder.
fn texts(log: &Log) -> Vec<String> {
    let tree = log.tree(0).unwrap();
    let mut walker = Walker::new(tree);
    let mut row = |node| walker.find(node).unwrap().row;
    let rows: Vec<u64> = (0..tree.nodes()).map(&mut row).collect();
    let text = |row| match walker.value(row, 0).unwrap() {
        Value::Text(text) => text,
        value => panic!("{value:?} is no text"),
    };
    rows.into_iter().map(text).collect()
}

/// Refused in this line.
#[track_caller]
fn refuses(table: &str, line: u32, what: &str) {
    check("a.csv", table, &format!("a.csv, line {line}: this is not well-formed CSV: {what}"));
}

const UNCLOSED: &str = "a quote opens here and never closes; close it, or double it if it is part of a text";
const AFTER_QUOTE: &str =
    "a quote opens here, and text follows the quote that closes it; inside of quotes, a quote is doubled";

#[test]
fn quotes_that_do_not_close() {
    refuses("node_id,parent_id,x\n0,-1,\"a\n1,0,b\n2,0,c\n", 2, UNCLOSED);
    refuses("node_id,parent_id,x\r\n0,-1,a\r\n1,0,\"", 3, UNCLOSED);
    refuses("node_id,parent_id,x\n0,-1,\"a\nb\"\n1,0,\"c\n", 4, UNCLOSED);
    refuses("node_id,\"parent_id,x\n0,-1,a\n", 1, UNCLOSED);
    refuses("# made by hand\n\nnode_id,parent_id,x\n0,-1,\"a\"\"\n", 4, UNCLOSED);
    refuses("node_id,parent_id,x\r0,-1,\"a\r1,0,b", 2, UNCLOSED);
}

#[test]
fn a_quote_that_does_not_close_is_not_read_to_the_end_of_a_large_file() {
    let rows = "1,0,b\n".repeat(6 << 20);
    refuses(
        &format!("node_id,parent_id,x\n0,-1,\"a\n{rows}"),
        2,
        "a quote opens here and does not close within 32 MiB; close it, or double it if it is part of a text",
    );
    let line = "x".repeat(33 << 20);
    refuses(&format!("node_id,parent_id,x\n0,-1,{line}"), 2, "the line has more than 32 MiB");
    let commas = ",".repeat(100_000);
    refuses(&format!("node_id,parent_id{commas}\n"), 1, "the line has more than 65536 fields");
}

#[test]
fn quotes_in_the_wrong_place() {
    refuses("node_id,parent_id,x\n0,-1,\"a\"b\n", 2, AFTER_QUOTE);
    refuses("node_id,parent_id,x\n0,-1,\"a\" ,\n", 2, AFTER_QUOTE);
    // The first quote is the one that was forgotten.
    refuses("node_id,parent_id,x\n0,-1,\"a\n1,0,\"b\"\n", 2, AFTER_QUOTE);
    let inside =
        "there is a quote in a field without quotes; put the field in quotes, and the quote in it twice";
    refuses("node_id,parent_id,x\n0,-1,a\n1,0,5\" pipe\n", 3, inside);
    refuses("node_id,parent_id,x\n0,-1,a\"b\"\n", 2, inside);
    refuses("node_id,parent_id,x\n0,-1, \"a\"\n", 2, "there is a space before a quote; take it out");
}

#[test]
fn other_encodings() {
    let table = "node_id,parent_id,x\n0,-1,a\n";
    let wide = |mark: Option<u16>, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.into_iter().chain(table.encode_utf16()).flat_map(bytes).collect()
    };
    let mark = Some(0xfeff);
    for bytes in [wide(mark, u16::to_le_bytes), wide(mark, u16::to_be_bytes)] {
        for name in ["a.csv", "a.jsonl"] {
            let expected = format!("{name}, line 1: this is UTF-16 text; save it as UTF-8");
            check_with(name, &bytes, &ImportOptions::default(), &expected);
        }
    }
    for bytes in [wide(None, u16::to_le_bytes), wide(None, u16::to_be_bytes)] {
        let expected = "a.csv, line 1: this is not well-formed CSV: there is a NUL byte outside of quotes; if this is \
                        UTF-16 text, save it as UTF-8";
        check_with("a.csv", &bytes, &ImportOptions::default(), expected);
    }
    check_with(
        "a.csv",
        b"node_id,parent_id,x\n0,-1,a\n1,0,caf\xe9\n",
        &ImportOptions::default(),
        "a.csv, line 3, column `x`: this is not well-formed CSV: it is not UTF-8 text",
    );
    check_with(
        "a.csv",
        b"node_id,parent_id,caf\xe9\n0,-1,a\n",
        &ImportOptions::default(),
        "a.csv, line 1: this is not well-formed CSV: it is not UTF-8 text",
    );
    // The mark that Windows writes before UTF-8.
    let marked = format!("\u{feff}{table}");
    assert_eq!(texts(&imported(marked.as_bytes(), Format::Csv)), ["a"]);
    let line = "\u{feff}{\"node_id\": 0, \"parent_id\": -1, \"x\": \"a\"}";
    assert_eq!(texts(&imported(line.as_bytes(), Format::JsonLines)), ["a"]);
}

#[test]
fn lines_end_in_every_usual_way() {
    let expected = ["a", "b\nc", "d"];
    for end in ["\n", "\r\n", "\r"] {
        for last in ["", end] {
            for blank in ["", end] {
                let rows = ["node_id,parent_id,x", "0,-1,a", "1,0,\"b\nc\"", "2,0,d"];
                let table = rows.join(&format!("{end}{blank}")) + last;
                assert_eq!(texts(&imported(table.as_bytes(), Format::Csv)), expected, "{table:?}");
            }
        }
    }
    let alone = "there is a carriage return in a field without quotes; put the field in quotes";
    refuses("node_id,parent_id,x\n0,-1,a\n1,0,b\rc\n", 3, alone);
    refuses("node_id,parent_id,x\r\n0,-1,a\r2,3\r\n", 2, alone);
    assert_eq!(texts(&imported(b"node_id,parent_id,x\n0,-1,\"a\rb\"\n", Format::Csv)), ["a\rb"]);
}

/// Lines are counted right after blank ones, comments and texts of several lines.
#[test]
fn rows_of_another_length() {
    let what = |fields: u32| {
        format!("the row has {fields} fields, the line of names 3; texts with commas need quotes")
    };
    refuses("node_id,parent_id,x\n0,-1,a\n1,0\n", 3, &what(2));
    refuses("# one\n\r\n\r\nnode_id,parent_id,x\n\n0,-1,\"a\n\n\"\n\n1,0,b,\n", 10, &what(4));
    refuses("node_id,parent_id,x\n0,-1,a\n1,0,b\n2,", 4, &what(2));
    refuses("node_id,parent_id,x\n0,-1,a\n \n", 3, &what(1));
}

#[test]
fn texts_with_nul_bytes() {
    refuses(
        "node_id,parent_id,x\n0,-1,a\u{0}b\n",
        2,
        "there is a NUL byte outside of quotes; if this is UTF-16 text, save it as UTF-8",
    );
    assert_eq!(texts(&imported(b"node_id,parent_id,x\n0,-1,\"a\0b\"\n", Format::Csv)), ["a\0b"]);
}

#[test]
fn json_lines() {
    let refuses = |lines: &str, line: u32, what: &str| {
        check("a.jsonl", lines, &format!("a.jsonl, line {line}{what}"));
    };
    let first = "{\"node_id\": 0, \"parent_id\": -1, \"x\": 1}\n";
    let broken = |what: &str| format!(": this is not well-formed JSON Lines: {what}");
    let twice = ", column `x`: this is not well-formed JSON Lines: the object has this field twice";
    refuses("{\"node_id\": 0, \"parent_id\": -1, \"x\": 1, \"x\": 1}\n", 1, twice);
    refuses(&format!("{first}{{\"node_id\": 1, \"x\": 1, \"\\u0078\": 2}}\n"), 2, twice);
    refuses(&format!("{first}{{\"node_id\": 1}} }}\n"), 2, &broken("trailing characters at character 16"));
    refuses(
        &format!("{first}{{\"node_id\": 1}}{{\"node_id\": 2}}\n"),
        2,
        &broken("trailing characters at character 15"),
    );
    refuses(
        &format!("{first}{{\"node_id\": 1, \"parent_id\": 0, \"x\": 2"),
        2,
        &broken("EOF while parsing an object at character 37"),
    );
    refuses(
        &format!("{first}{{\"node_id\": 1, \"par"),
        2,
        &broken("EOF while parsing a string at character 19"),
    );
    for (number, word) in
        [("NaN", "NaN"), ("Infinity", "Infinity"), ("-Infinity", "Infinity"), ("nan", "nan")]
    {
        let what = format!("{word} is no JSON; write \"NaN\", \"inf\" or \"-inf\" in quotes, or null");
        refuses(&format!("{first}{{\"node_id\": 1, \"x\": {number}}}\n"), 2, &broken(&what));
    }
    let huge = "123456789012345678901234567890";
    let out_of_range = |what: &str| format!(", column `x`: {what}");
    refuses(
        &format!("{{\"node_id\": 0, \"parent_id\": -1, \"x\": {huge}}}\n"),
        1,
        &out_of_range(&format!("{huge} is out of range: it has to be a number of 64 bits")),
    );
    refuses(
        "{\"node_id\": 0, \"parent_id\": -1, \"x\": 1e400}\n",
        1,
        &out_of_range("1e400 is out of range: it has to be a number of type f64"),
    );
    refuses(
        "{\"node_id\": 18446744073709551616, \"parent_id\": -1}\n",
        1,
        ", column `node_id`: 18446744073709551616 is out of range: it has to be a whole number of type i64, \
         -9223372036854775808 to 9223372036854775807",
    );
    check_with(
        "a.jsonl",
        b"{\"node_id\": 0, \"parent_id\": -1, \"x\": \"caf\xe9\"}\n",
        &ImportOptions::default(),
        "a.jsonl, line 1: this is not well-formed JSON Lines: invalid unicode code point at character 42",
    );
    let deep = format!("{{\"node_id\": 0, \"parent_id\": -1, \"x\": {}\n", "[".repeat(1 << 20));
    refuses(&deep, 1, &broken("EOF while parsing a list at character 1048613"));
}

proptest! {
    /// What another reader makes of well-formed CSV, ours does as well.
    #[test]
    fn well_formed_csv_is_read_as_others_read_it(
        values in prop::collection::vec(crate::common::text(), 1..20),
        crlf in any::<bool>(),
        always in any::<bool>(),
    ) {
        let mut table = Vec::new();
        let mut writer = csv::WriterBuilder::new()
            .terminator(if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') })
            .quote_style(if always { csv::QuoteStyle::Always } else { csv::QuoteStyle::NonNumeric })
            .from_writer(&mut table);
        writer.write_record(["node_id", "parent_id", "x", "y"]).unwrap();
        for (node, value) in values.iter().enumerate() {
            let parent = if node == 0 { "-1" } else { "0" };
            // The second column makes every value of the first a text.
            writer.write_record([&node.to_string(), parent, &format!("x{value}"), "y"]).unwrap();
        }
        writer.flush().unwrap();
        drop(writer);
        let expected: Vec<String> = values.iter().map(|value| format!("x{value}")).collect();
        prop_assert_eq!(texts(&imported(&table, Format::Csv)), expected);
    }

    /// Any texts come back from our lines through another reader.
    #[test]
    fn lines_are_read_by_others(lines in prop::collection::vec(prop::collection::vec(crate::common::text(), 1..5), 1..5)) {
        let mut table = Vec::new();
        let mut line = gt_convert::CsvLine::new();
        for texts in &lines {
            for text in texts {
                line.text(text);
            }
            table.extend_from_slice(line.end());
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&table[..]);
        let read: Vec<Vec<String>> =
            reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        prop_assert_eq!(read, lines);
    }
}

#[test]
fn fields_are_quoted_where_they_need_it() {
    use gt_convert::csv_text;
    for plain in ["e4", "1.5", "a b", "é♞", "a#", "=1"] {
        assert_eq!(csv_text(plain), plain);
    }
    for text in ["", " ", " a", "a ", "a,b", "a\nb", "a\r", "\0", "\t", "\u{a0}x", "#x", "\u{feff}"] {
        assert_eq!(csv_text(text), format!("\"{text}\""));
    }
    assert_eq!(csv_text("\""), "\"\"\"\"");
    let mut line = gt_convert::CsvLine::new();
    assert_eq!(line.missing().end(), b"\"\"\n", "an empty line would be skipped");
    assert_eq!(line.missing().missing().end(), b",\n");
    assert_eq!(line.bare(1.5).text("").missing().bare(true).end(), b"1.5,\"\",,true\n");
}
