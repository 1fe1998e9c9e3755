//! `gt_log.h`, `gt_read.h` and the crate say the same: sizes, places, numbers, and every function's type.
//!
//! Declarations are made from the types of the Rust functions and compiled after the header: C refuses a
//! second declaration that differs from the first.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void};
use std::fmt::Write;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

use gt_log_c::*;

use crate::toolchain::{C, built, is_there, succeed};

/// A type as C writes it.
trait CType {
    const NAME: &'static str;
}

macro_rules! c_types {
    ($($rust:ty => $c:literal),* $(,)?) => {$(impl CType for $rust { const NAME: &'static str = $c; })*};
}
c_types! {
    c_int => "int",
    i64 => "int64_t",
    u64 => "uint64_t",
    usize => "size_t",
    *const c_char => "const char *",
    *const c_void => "const void *",
    *mut c_void => "void *",
    *const i64 => "const int64_t *",
    *mut u64 => "uint64_t *",
    *mut GTLog => "GTLogHdl",
    *const GTLog => "GTLogHdl",
    *const GTDataDescript => "const GTDataDescript *",
    *const GTMeta => "const GTMeta *",
    GTTriggerFn => "GTTriggerFn",
    GTQueryFn => "GTQueryFn",
    *mut c_int => "int *",
    *mut usize => "size_t *",
    *mut u8 => "unsigned char *",
    *mut i64 => "int64_t *",
    *mut f64 => "double *",
    *mut GTReader => "GTReadHdl",
    *mut GTAnswer => "GTAnswerHdl",
    *mut GTNode => "GTNode *",
    *mut GTValue => "GTValue *",
    GTVisitFn => "GTVisitFn",
}

/// A function's type, as a declaration of a function of that name.
trait Declare {
    fn declare(self, name: &str) -> String;
}

macro_rules! declare {
    ($($argument:ident),*) => {
        impl<R: CType, $($argument: CType),*> Declare for unsafe extern "C" fn($($argument),*) -> R {
            fn declare(self, name: &str) -> String {
                let arguments: &[&str] = &[$($argument::NAME),*];
                let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
                format!("{} {name}({arguments});", R::NAME)
            }
        }
    };
}
declare!();
declare!(A);
declare!(A, B);
declare!(A, B, D);
declare!(A, B, D, E);
declare!(A, B, D, E, F);
declare!(A, B, D, E, F, G);

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*)),* $(,)?) => {
        vec![$((
            stringify!($name),
            ($name as unsafe extern "C" fn($($argument),*) -> _).declare(stringify!($name)),
        )),*]
    };
}

/// Every function of `gt_log.h`; the compiler fills in the types.
fn functions() -> Vec<(&'static str, String)> {
    functions! {
        gtl_create: fn(_, _), gtl_share: fn(_), gtl_delete: fn(_), gtl_lastError: fn(_), gtl_version: fn(),
        gtl_open: fn(_, _), gtl_setReplace: fn(_, _), gtl_setAppend: fn(_, _), gtl_close: fn(_), gtl_setLogMeta: fn(_, _, _),
        gtl_openTree: fn(_, _, _), gtl_closeTree: fn(_), gtl_abandonTree: fn(_),
        gtl_setMeta: fn(_, _, _), gtl_setMetaInt: fn(_, _, _),
        gtl_enterNode: fn(_, _), gtl_enterNodeData: fn(_, _, _), gtl_exitNode: fn(_, _),
        gtl_nameMove: fn(_, _, _), gtl_addNode: fn(_, _, _, _), gtl_setNode: fn(_, _, _), gtl_flush: fn(_),
        gtl_setEnabled: fn(_, _), gtl_isOn: fn(_), gtl_setFlush: fn(_, _, _),
        gtl_setBackground: fn(_, _), gtl_setBudget: fn(_, _, _),
        gtl_setTriggerLine: fn(_, _, _, _), gtl_setTriggerCallback: fn(_, _, _, _), gtl_clearTrigger: fn(_),
        gtl_attachQuery: fn(_, _), gtl_detachQueries: fn(_), gtl_queryCount: fn(_, _),
        gtl_queryMatches: fn(_, _, _, _), gtl_setQueryCallback: fn(_, _, _), gtl_setQueryLimit: fn(_, _),
    }
}

/// Every function of `gt_read.h`.
fn reading_functions() -> Vec<(&'static str, String)> {
    functions! {
        gtl_readOpen: fn(_), gtl_readClose: fn(_), gtl_readError: fn(_), gtl_readIsWhole: fn(_), gtl_readGame: fn(_),
        gtl_readTrees: fn(_), gtl_readNodes: fn(_, _), gtl_readMeta: fn(_, _, _), gtl_readAttributes: fn(_),
        gtl_readAttribute: fn(_, _, _, _), gtl_readAttributeIndex: fn(_, _), gtl_readNode: fn(_, _, _, _),
        gtl_readChildren: fn(_, _, _, _, _), gtl_readLine: fn(_, _, _, _, _), gtl_readValue: fn(_, _, _, _, _),
        gtl_readIntegers: fn(_, _, _, _, _, _), gtl_readNumbers: fn(_, _, _, _, _, _), gtl_visit: fn(_, _, _, _),
        gtl_query: fn(_, _, _, _, _), gtl_queryAnswer: fn(_, _), gtl_answerFree: fn(_), gtl_answerError: fn(_),
        gtl_answers: fn(_), gtl_answerRows: fn(_, _), gtl_answerColumns: fn(_, _), gtl_answerColumn: fn(_, _, _, _),
        gtl_answerCell: fn(_, _, _, _, _), gtl_answerNodes: fn(_, _, _, _),
    }
}

macro_rules! layout {
    ($($type:ident { $($rust:ident as $c:ident),* })*) => {
        vec![$(
            (concat!("sizeof(", stringify!($type), ")"), size_of::<$type>() as i64),
            $((
                concat!("offsetof(", stringify!($type), ", ", stringify!($c), ")"),
                offset_of!($type, $rust) as i64,
            ),)*
        )*]
    };
}

/// Everything that C computes at compile time, and what Rust takes it for.
fn constants() -> Vec<(&'static str, i64)> {
    let mut constants = layout! {
        GTAlias { name as name, value as value }
        GTAttribute { name as name, offset as offset, size as size, kind as type }
        GTDataDescript {
            game as game, record_size as recordSize, alias_count as aliasCount, aliases as aliases,
            attribute_count as attributeCount, attributes as attributes
        }
        GTMeta { key as key, value as value }
        GTNode { id as id, parent as parent, last_move as move, size as size, ply as ply }
        GTValue { kind as type, integer as integer, number as number, text as text }
    };
    constants.push(("offsetof(struct GTLog, isQuiet)", 0));
    constants.push(("sizeof(GTLogHdl)", size_of::<*mut GTLog>() as i64));
    constants.push(("sizeof(GTTriggerFn)", size_of::<GTTriggerFn>() as i64));
    constants.push(("sizeof(GTQueryFn)", size_of::<GTQueryFn>() as i64));
    constants.extend([
        ("GTL_ALIASES_MAX", GTL_ALIASES_MAX as i64),
        ("GTL_ATTRIBUTES_MAX", GTL_ATTRIBUTES_MAX as i64),
        ("GTL_QUERY_NODES_HELD_MAX", GTL_QUERY_NODES_HELD_MAX as i64),
        ("GTL_NO_PARENT", GTL_NO_PARENT),
        ("GTL_WHOLE_LOG", GTL_WHOLE_LOG),
    ]);
    let codes = [
        ("GTL_INT", GTL_INT),
        ("GTL_UINT", GTL_UINT),
        ("GTL_FLOAT", GTL_FLOAT),
        ("GTL_BOOL", GTL_BOOL),
        ("GTL_TEXT", GTL_TEXT),
        ("GTL_AT_ENTRY", GTL_AT_ENTRY),
        ("GTL_OK", GTL_OK),
        ("GTL_ERROR_ARGUMENT", GTL_ERROR_ARGUMENT),
        ("GTL_ERROR_ORDER", GTL_ERROR_ORDER),
        ("GTL_ERROR_WRITE", GTL_ERROR_WRITE),
        ("GTL_ERROR_LIMIT", GTL_ERROR_LIMIT),
        ("GTL_ERROR_INTERNAL", GTL_ERROR_INTERNAL),
        ("GTL_ERROR_QUERY", GTL_ERROR_QUERY),
        ("GTL_ERROR_READ", GTL_ERROR_READ),
        ("GTL_UNKNOWN", GTL_UNKNOWN),
        ("GTL_LINE", GTL_LINE),
        ("GTL_COLUMN_MOVE", GTL_COLUMN_MOVE),
        ("GTL_COLUMN_PARENT", GTL_COLUMN_PARENT),
        ("GTL_COLUMN_PLY", GTL_COLUMN_PLY),
        ("GTL_COLUMN_SIZE", GTL_COLUMN_SIZE),
    ];
    constants.extend(codes.map(|(name, code)| (name, i64::from(code))));
    constants
}

fn header(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join(name)).unwrap()
}

/// Compiles text after the header, every call of which is a call; it has to go without a word. Gives what the compiler
/// said.
fn compile(text: &str) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("drift.c");
    std::fs::write(&source, format!("#define GTL_NO_INLINE\n#include \"gt_read.h\"\n{text}")).unwrap();
    Command::new("gcc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(source)
        .output()
        .unwrap()
}

#[test]
fn layouts_and_numbers_agree() {
    if !C.is_there() {
        return;
    }
    let mut text = String::new();
    for (place, (name, value)) in constants().into_iter().enumerate() {
        // An array of negative size where they differ.
        writeln!(text, "extern char check{place}[(long long)({name}) == ({value}) ? 1 : -1];").unwrap();
    }
    succeed("layouts", &compile(&text));
    assert!(
        !compile("extern char check[sizeof(GTMeta) == 1 ? 1 : -1];").status.success(),
        "a check can fail"
    );
}

#[test]
fn every_function_has_the_type_it_is_declared_with() {
    if !C.is_there() {
        return;
    }
    let functions = functions().into_iter().chain(reading_functions());
    let declarations: Vec<String> = functions.map(|(_, declaration)| declaration).collect();
    succeed("declarations", &compile(&declarations.join("\n")));
    let callbacks = "extern int trigger(const int64_t *, size_t, void *); extern GTTriggerFn t; \
                     extern void query(void *, size_t, uint64_t); extern GTQueryFn q; \
                     extern int visit(void *, const GTNode *, const GTValue *); extern GTVisitFn v; \
                     void set(void); void set(void) { t = trigger; q = query; v = visit; }";
    succeed("callbacks", &compile(callbacks));
    assert!(!compile("int gtl_enterNode(GTLogHdl, int);").status.success(), "a declaration can be refused");
}

#[test]
fn header_library_and_this_test_list_the_same_names() {
    let names: BTreeSet<String> = functions().into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names, names_before_bracket(header("gt_log.h").split("#ifndef GTL_OFF").nth(1).unwrap()));
    // Both halves of the header, with and without GTL_OFF, declare all of them.
    assert_eq!(names, names_before_bracket(header("gt_log.h").split("#else /* GTL_OFF").nth(1).unwrap()));
    let reading: BTreeSet<String> =
        reading_functions().into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(reading, names_before_bracket(&header("gt_read.h")));
    if !is_there("nm") {
        return;
    }
    let symbols =
        Command::new("nm").args(["-D", "--defined-only"]).arg(built().join("libgt_log_c.so")).output();
    let symbols = String::from_utf8(symbols.unwrap().stdout).unwrap();
    let exported = symbols.lines().filter_map(|line| line.split_whitespace().nth(2));
    let names: BTreeSet<String> = names.union(&reading).cloned().collect();
    assert_eq!(names, exported.filter(|name| name.starts_with("gtl_")).map(str::to_owned).collect());
}

/// The words of the form `gtl_name(` in declarations: those that a type stands before.
fn names_before_bracket(text: &str) -> BTreeSet<String> {
    let declarations = text.lines().filter(|line| {
        ["int ", "int64_t ", "const char *", "GTLogHdl ", "GTReadHdl ", "GTAnswerHdl ", "static inline "]
            .iter()
            .any(|start| line.starts_with(start))
    });
    declarations
        .filter_map(|line| {
            let start = line.find("gtl_")?;
            let end = start + line[start..].find('(')?;
            Some(line[start..end].to_owned())
        })
        .filter(|name| !name.ends_with("Inline"))
        .collect()
}

#[test]
fn the_versions_agree() {
    assert!(header("gt_log.h").contains(&format!("#define GTL_VERSION \"{}\"", env!("CARGO_PKG_VERSION"))));
}
