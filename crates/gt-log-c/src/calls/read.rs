//! The functions of `gt_read.h`, which documents them.
//!
//! Every function takes a reader or an answer that is NULL or came from [`gtl_readOpen`] or [`gtl_query`], even if it was closed.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::log::entries;
use crate::abi::{GTL_ERROR_ARGUMENT, GTL_OK, GTMeta, GTNode, GTValue, GTVisitFn};
use crate::boundary::{self, Fault, GTLog, on};
use crate::descriptor::text as text_of;
use crate::file_name::path_of;
use crate::reading::{Answers, GTAnswer, GTReader, Kept, Reader};

const READER_CLOSED: &str = "the reader was closed; gtl_readOpen opens a log again";
const ANSWER_FREED: &str = "the answer was freed; gtl_query asks again";

/// Opens a log; NULL on errors.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readOpen(filename: *const c_char) -> *mut GTReader {
    Kept::make(|| {
        if filename.is_null() {
            return Err(Fault::argument("gtl_readOpen needs the name of a file, and was given NULL"));
        }
        // SAFETY: `filename` is not NULL, so it ends with a zero byte (caller).
        Reader::open(&path_of(unsafe { CStr::from_ptr(filename) }))
    })
}

/// Closes a log.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readClose(r: *mut GTReader) -> c_int {
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    unsafe { Kept::close(r, READER_CLOSED) }
}

/// Returns the error of a reader's last failed call; for NULL, of this thread's last `gtl_readOpen`.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readError(r: *mut GTReader) -> *const c_char {
    if r.is_null() {
        return boundary::thread_error();
    }
    // SAFETY: `r` is not NULL, so it is a reader, which is never freed (caller).
    unsafe { Kept::error(r) }
}

/// Returns the number of trees in the log.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readTrees(r: *mut GTReader) -> i64 {
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    unsafe { Kept::number(r, READER_CLOSED, |reader| Ok(reader.trees())) }
}

/// Returns the number of nodes in a tree.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readNodes(r: *mut GTReader, tree: usize) -> i64 {
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    unsafe { Kept::number(r, READER_CLOSED, |reader| reader.nodes(tree)) }
}

/// Returns whether the log was closed properly and nothing is missing: 1 or 0.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readIsWhole(r: *mut GTReader) -> c_int {
    let mut is_whole = false;
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    let code = unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            is_whole = reader.is_whole();
            Ok(())
        })
    };
    if code == GTL_OK { c_int::from(is_whole) } else { code }
}

/// Returns the name of the game.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readGame(r: *mut GTReader) -> *const c_char {
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    unsafe { Kept::text(r, READER_CLOSED, |reader| Ok(Some(reader.game()))) }
}

/// Returns a metadata entry of a tree, or of the whole log; NULL if there is none.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readMeta(r: *mut GTReader, tree: i64, key: *const c_char) -> *const c_char {
    // SAFETY: `r` is NULL or a reader, and `key` is NULL or ends with a zero byte (caller).
    unsafe {
        Kept::text(r, READER_CLOSED, |reader| {
            if key.is_null() {
                return Err(Fault::argument("gtl_readMeta needs a key, and was given NULL"));
            }
            reader.metadata(tree, &text_of(key))
        })
    }
}

/// Returns the number of attributes of nodes.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttributes(r: *mut GTReader) -> i64 {
    // SAFETY: `r` is NULL or a reader, which is never freed (caller).
    unsafe { Kept::number(r, READER_CLOSED, |reader| Ok(reader.attributes())) }
}

/// Returns the name of an attribute, and stores its type and size; NULL on errors.
///
/// # Safety
/// As for all calls; type and size are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttribute(
    r: *mut GTReader,
    attribute: usize,
    kind: *mut c_int,
    size: *mut usize,
) -> *const c_char {
    // SAFETY: `r` is NULL or a reader, and the targets are NULL or writable (caller).
    unsafe {
        Kept::text(r, READER_CLOSED, |reader| {
            let (name, code, bytes) = reader.attribute(attribute)?;
            write(kind, code);
            write(size, bytes);
            Ok(Some(name))
        })
    }
}

/// Returns the number of the attribute with this name, or a negative code.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttributeIndex(r: *mut GTReader, name: *const c_char) -> i64 {
    // SAFETY: `r` is NULL or a reader, and `name` is NULL or ends with a zero byte (caller).
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            if name.is_null() {
                return Err(Fault::argument("gtl_readAttributeIndex needs a name, and was given NULL"));
            }
            reader.attribute_index(&text_of(name))
        })
    }
}

/// Reads a node.
///
/// # Safety
/// As for all calls; `node` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readNode(r: *mut GTReader, tree: usize, id: u64, node: *mut GTNode) -> c_int {
    // SAFETY: `r` is NULL or a reader, and `node` is NULL or writable (caller).
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let found = reader.node(tree, id)?;
            write(node, found);
            Ok(())
        })
    }
}

/// Copies the node_ids of a node's children, as many as fit; returns their total number, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has space for `capacity` node_ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readChildren(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    buffer: *mut u64,
    capacity: usize,
) -> i64 {
    // SAFETY: `r` is NULL or a reader, and the buffer has space for `capacity` node_ids (caller).
    unsafe { Kept::number(r, READER_CLOSED, |reader| copy(&reader.children(tree, id)?, buffer, capacity)) }
}

/// Copies the moves from the root to a node, as many as fit; returns their total number, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has space for `capacity` moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readLine(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    buffer: *mut i64,
    capacity: usize,
) -> i64 {
    // SAFETY: `r` is NULL or a reader, and the buffer has space for `capacity` moves (caller).
    unsafe { Kept::number(r, READER_CLOSED, |reader| copy(&reader.line(tree, id)?, buffer, capacity)) }
}

/// Reads the value of a node's attribute.
///
/// # Safety
/// As for all calls; `value` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readValue(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    attribute: usize,
    value: *mut GTValue,
) -> c_int {
    // SAFETY: `r` is NULL or a reader, and `value` is NULL or writable (caller).
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let found = reader.value(tree, id, attribute)?;
            write(value, found);
            Ok(())
        })
    }
}

/// Copies the first values of a column as integers, in the order of the nodes; returns their number, or a
/// negative code.
///
/// # Safety
/// As for all calls; the buffer has space for `capacity` values, and so has `known`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readIntegers(
    r: *mut GTReader,
    tree: usize,
    column: c_int,
    buffer: *mut i64,
    known: *mut u8,
    capacity: usize,
) -> i64 {
    // SAFETY: `r` is NULL or a reader, and both buffers have space for `capacity` values (caller).
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            read_column(reader, tree, column, (buffer, known, capacity), |_, integer| integer)
        })
    }
}

/// Copies the first values of a column as doubles, in the order of the nodes; returns their number, or a
/// negative code.
///
/// # Safety
/// As for [`gtl_readIntegers`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readNumbers(
    r: *mut GTReader,
    tree: usize,
    column: c_int,
    buffer: *mut f64,
    known: *mut u8,
    capacity: usize,
) -> i64 {
    // SAFETY: `r` is NULL or a reader, and both buffers have space for `capacity` values (caller).
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            read_column(reader, tree, column, (buffer, known, capacity), |number, _| number)
        })
    }
}

/// # Safety
/// The buffers have space for as many values as the third element says; the second may be NULL.
unsafe fn read_column<T>(
    reader: &Reader,
    tree: usize,
    column: c_int,
    (buffer, known, capacity): (*mut T, *mut u8, usize),
    choose: impl Fn(f64, i64) -> T,
) -> Result<u64, Fault> {
    if buffer.is_null() && capacity > 0 {
        return Err(no_buffer(capacity));
    }
    let mut count = 0;
    reader.column(tree, column, |number, integer| {
        if count == capacity {
            return false;
        }
        let is_known = number.is_some();
        // SAFETY: `count` is below the capacity, for which the buffers have space (caller).
        unsafe {
            buffer.add(count).write(choose(number.unwrap_or(f64::NAN), if is_known { integer } else { 0 }));
            if !known.is_null() {
                known.add(count).write(u8::from(is_known));
            }
        }
        count += 1;
        true
    })?;
    Ok(count as u64)
}

/// Calls a function with every node of a tree, in order, and the values of its attributes.
///
/// # Safety
/// As for all calls; function and context must be valid for the duration of the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_visit(
    r: *mut GTReader,
    tree: usize,
    function: GTVisitFn,
    user: *mut c_void,
) -> c_int {
    // SAFETY: `r` is NULL or a reader, and `function` and `context` are valid during the call (caller).
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let Some(function) = function else {
                return Err(Fault::argument("gtl_visit needs a function, and was given NULL"));
            };
            reader.visit(tree, |node, values| function(user, node, values.as_ptr()) == 0)
        })
    }
}

/// Runs the queries of a text on a tree; NULL on errors.
///
/// # Safety
/// As for all calls; `parameters` has `count` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_query(
    r: *mut GTReader,
    tree: usize,
    text: *const c_char,
    parameters: *const GTMeta,
    count: usize,
) -> *mut GTAnswer {
    let mut answers = None;
    // SAFETY: `r` is NULL or a reader, the text ends with a zero byte, and the list has `count` entries
    // (caller).
    let code = unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            if text.is_null() {
                return Err(Fault::argument("gtl_query needs the text of a query, and was given NULL"));
            }
            answers = Some(reader.query(tree, &text_of(text), &entries(parameters, count)?)?);
            Ok(())
        })
    };
    match answers {
        Some(tables) => Kept::make(|| Ok(Answers::new(tables))),
        None if code == GTL_ERROR_ARGUMENT && r.is_null() => {
            Kept::make(|| Err(Fault::argument("gtl_query needs a reader, and was given NULL")))
        }
        None => std::ptr::null_mut(),
    }
}

/// Returns the answer to a query that is attached to a handle; NULL on errors.
///
/// # Safety
/// As for all calls; `h` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_queryAnswer(h: *mut GTLog, query: usize) -> *mut GTAnswer {
    let mut table = None;
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe {
        on(h, |session| {
            table = Some(session.query_table(query)?);
            Ok(())
        });
    }
    let Some(table) = table else { return std::ptr::null_mut() };
    Kept::make(|| Ok(Answers::new(vec![table])))
}

/// Frees answers.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerFree(a: *mut GTAnswer) -> c_int {
    // SAFETY: `a` is NULL or an answer, which is never freed (caller).
    unsafe { Kept::close(a, ANSWER_FREED) }
}

/// Returns the error of an answer's last failed call.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerError(a: *mut GTAnswer) -> *const c_char {
    if a.is_null() {
        return boundary::thread_error();
    }
    // SAFETY: `a` is not NULL, so it is an answer, which is never freed (caller).
    unsafe { Kept::error(a) }
}

/// Returns the number of queries answered.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answers(a: *mut GTAnswer) -> i64 {
    // SAFETY: `a` is NULL or an answer, which is never freed (caller).
    unsafe { Kept::number(a, ANSWER_FREED, |answers| Ok(answers.len())) }
}

/// Returns the number of rows in the answer to a query.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerRows(a: *mut GTAnswer, query: usize) -> i64 {
    // SAFETY: `a` is NULL or an answer, which is never freed (caller).
    unsafe { Kept::number(a, ANSWER_FREED, |answers| answers.rows(query)) }
}

/// Returns the number of columns in the answer to a query.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerColumns(a: *mut GTAnswer, query: usize) -> i64 {
    // SAFETY: `a` is NULL or an answer, which is never freed (caller).
    unsafe { Kept::number(a, ANSWER_FREED, |answers| answers.columns(query)) }
}

/// Returns the heading of a column, and stores its type; NULL on errors.
///
/// # Safety
/// As for all calls; the type is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerColumn(
    a: *mut GTAnswer,
    query: usize,
    column: usize,
    kind: *mut c_int,
) -> *const c_char {
    // SAFETY: `a` is NULL or an answer, and the target is NULL or writable (caller).
    unsafe {
        Kept::text(a, ANSWER_FREED, |answers| {
            let (name, code) = answers.column(query, column)?;
            write(kind, code);
            Ok(Some(name))
        })
    }
}

/// Reads a cell of the answer to a query.
///
/// # Safety
/// As for all calls; `value` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerCell(
    a: *mut GTAnswer,
    query: usize,
    row: usize,
    column: usize,
    value: *mut GTValue,
) -> c_int {
    // SAFETY: `a` is NULL or an answer, and `value` is NULL or writable (caller).
    unsafe {
        Kept::call(a, ANSWER_FREED, |answers| {
            let cell = answers.cell(query, row, column)?;
            write(value, cell);
            Ok(())
        })
    }
}

/// Copies the node_ids that a query found, as many as fit; returns their total number, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has space for `capacity` node_ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerNodes(
    a: *mut GTAnswer,
    query: usize,
    buffer: *mut u64,
    capacity: usize,
) -> i64 {
    // SAFETY: `a` is NULL or an answer, and the buffer has space for `capacity` node_ids (caller).
    unsafe { Kept::number(a, ANSWER_FREED, |answers| copy(answers.nodes(query)?, buffer, capacity)) }
}

/// Writes a value to the caller's target, unless that is NULL.
///
/// # Safety
/// The target is NULL or writable.
unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: `place` is not NULL, so it is writable (caller).
        unsafe { place.write(value) };
    }
}

/// # Safety
/// The buffer is NULL or has space for `capacity` values.
unsafe fn copy<T: Copy>(values: &[T], buffer: *mut T, capacity: usize) -> Result<u64, Fault> {
    if buffer.is_null() && capacity > 0 {
        return Err(no_buffer(capacity));
    }
    if !buffer.is_null() {
        // SAFETY: at most `capacity` values are copied, for which the buffer has space (caller).
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, values.len().min(capacity)) };
    }
    Ok(values.len() as u64)
}

fn no_buffer(capacity: usize) -> Fault {
    Fault::argument(format!("a buffer for {capacity} values was given as NULL"))
}
