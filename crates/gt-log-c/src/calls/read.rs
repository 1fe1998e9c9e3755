//! The functions of `gt_read.h`, which says what they promise.
//!
//! All take a reader or an answer that is NULL or came from [`gtl_readOpen`] or [`gtl_query`], also one that was closed.

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
        // SAFETY: not NULL, so it ends with a zero byte, as the header asks.
        Reader::open(&path_of(unsafe { CStr::from_ptr(filename) }))
    })
}

/// Closes a log.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readClose(r: *mut GTReader) -> c_int {
    // SAFETY: NULL or a reader, as the header asks.
    unsafe { Kept::close(r, READER_CLOSED) }
}

/// What was wrong with a reader's last call that failed; for NULL, with this thread's last `gtl_readOpen`.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readError(r: *mut GTReader) -> *const c_char {
    if r.is_null() {
        return boundary::thread_error();
    }
    // SAFETY: a reader, as the header asks.
    unsafe { Kept::error(r) }
}

/// How many trees the log has.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readTrees(r: *mut GTReader) -> i64 {
    // SAFETY: NULL or a reader, as the header asks.
    unsafe { Kept::number(r, READER_CLOSED, |reader| Ok(reader.trees())) }
}

/// How many nodes a tree has.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readNodes(r: *mut GTReader, tree: usize) -> i64 {
    // SAFETY: NULL or a reader, as the header asks.
    unsafe { Kept::number(r, READER_CLOSED, |reader| reader.nodes(tree)) }
}

/// Whether the log was closed properly and nothing is missing: 1 or 0.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readIsWhole(r: *mut GTReader) -> c_int {
    let mut is_whole = false;
    // SAFETY: NULL or a reader, as the header asks.
    let code = unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            is_whole = reader.is_whole();
            Ok(())
        })
    };
    if code == GTL_OK { c_int::from(is_whole) } else { code }
}

/// The name of the game.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readGame(r: *mut GTReader) -> *const c_char {
    // SAFETY: NULL or a reader, as the header asks.
    unsafe { Kept::text(r, READER_CLOSED, |reader| Ok(Some(reader.game()))) }
}

/// What is said about a tree, or the whole log, under a name; NULL where nothing is.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readMeta(r: *mut GTReader, tree: i64, key: *const c_char) -> *const c_char {
    // SAFETY: the reader and the key are as the header asks.
    unsafe {
        Kept::text(r, READER_CLOSED, |reader| {
            if key.is_null() {
                return Err(Fault::argument("gtl_readMeta needs a key, and was given NULL"));
            }
            reader.metadata(tree, &text_of(key))
        })
    }
}

/// How many attributes nodes have.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttributes(r: *mut GTReader) -> i64 {
    // SAFETY: NULL or a reader, as the header asks.
    unsafe { Kept::number(r, READER_CLOSED, |reader| Ok(reader.attributes())) }
}

/// The name of an attribute, its type and size; NULL on errors.
///
/// # Safety
/// As for all calls; type and size are NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttribute(
    r: *mut GTReader,
    attribute: usize,
    kind: *mut c_int,
    size: *mut usize,
) -> *const c_char {
    // SAFETY: the reader and the places are as the header asks.
    unsafe {
        Kept::text(r, READER_CLOSED, |reader| {
            let (name, code, bytes) = reader.attribute(attribute)?;
            write(kind, code);
            write(size, bytes);
            Ok(Some(name))
        })
    }
}

/// The number of the attribute with this name, or a negative code.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readAttributeIndex(r: *mut GTReader, name: *const c_char) -> i64 {
    // SAFETY: the reader and the name are as the header asks.
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            if name.is_null() {
                return Err(Fault::argument("gtl_readAttributeIndex needs a name, and was given NULL"));
            }
            reader.attribute_index(&text_of(name))
        })
    }
}

/// Looks at a node.
///
/// # Safety
/// As for all calls; `node` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readNode(r: *mut GTReader, tree: usize, id: u64, node: *mut GTNode) -> c_int {
    // SAFETY: the reader and the place are as the header asks.
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let found = reader.node(tree, id)?;
            write(node, found);
            Ok(())
        })
    }
}

/// Copies the node_ids of a node's children, as many as there is room for; how many there are, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has room for `capacity` node_ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readChildren(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    buffer: *mut u64,
    capacity: usize,
) -> i64 {
    // SAFETY: the reader and the buffer are as the header asks.
    unsafe { Kept::number(r, READER_CLOSED, |reader| copy(&reader.children(tree, id)?, buffer, capacity)) }
}

/// Copies the moves from the root to a node, as many as there is room for; how many there are, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has room for `capacity` moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readLine(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    buffer: *mut i64,
    capacity: usize,
) -> i64 {
    // SAFETY: the reader and the buffer are as the header asks.
    unsafe { Kept::number(r, READER_CLOSED, |reader| copy(&reader.line(tree, id)?, buffer, capacity)) }
}

/// The value of a node's attribute.
///
/// # Safety
/// As for all calls; `value` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readValue(
    r: *mut GTReader,
    tree: usize,
    id: u64,
    attribute: usize,
    value: *mut GTValue,
) -> c_int {
    // SAFETY: the reader and the place are as the header asks.
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let found = reader.value(tree, id, attribute)?;
            write(value, found);
            Ok(())
        })
    }
}

/// Copies the first values of a column as integers, in the order of the nodes: how many, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has room for `capacity` values, and so has `known`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_readIntegers(
    r: *mut GTReader,
    tree: usize,
    column: c_int,
    buffer: *mut i64,
    known: *mut u8,
    capacity: usize,
) -> i64 {
    // SAFETY: the reader and the buffers are as the header asks.
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            read_column(reader, tree, column, (buffer, known, capacity), |_, integer| integer)
        })
    }
}

/// Copies the first values of a column as doubles, in the order of the nodes: how many, or a negative code.
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
    // SAFETY: the reader and the buffers are as the header asks.
    unsafe {
        Kept::number(r, READER_CLOSED, |reader| {
            read_column(reader, tree, column, (buffer, known, capacity), |number, _| number)
        })
    }
}

/// # Safety
/// The buffers have room for as many values as the third of them says; the second may be NULL.
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
        // SAFETY: `count` is below the capacity, for which there is room (caller).
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

/// Shows a function every node of a tree, in order, with the values of its attributes.
///
/// # Safety
/// As for all calls; function and context are good as long as the call lasts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_visit(
    r: *mut GTReader,
    tree: usize,
    function: GTVisitFn,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the reader is as the header asks.
    unsafe {
        Kept::call(r, READER_CLOSED, |reader| {
            let Some(function) = function else {
                return Err(Fault::argument("gtl_visit needs a function, and was given NULL"));
            };
            reader.visit(tree, |node, values| function(user, node, values.as_ptr()) == 0)
        })
    }
}

/// Asks the queries of a text of a tree; NULL on errors.
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
    // SAFETY: the reader, the text and the list are as the header asks.
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

/// The answer to a query that is attached to a handle; NULL on errors.
///
/// # Safety
/// As for all calls; `h` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_queryAnswer(h: *mut GTLog, query: usize) -> *mut GTAnswer {
    let mut table = None;
    // SAFETY: NULL or a handle, as the header asks.
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
    // SAFETY: NULL or an answer, as the header asks.
    unsafe { Kept::close(a, ANSWER_FREED) }
}

/// What was wrong with an answer's last call that failed.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerError(a: *mut GTAnswer) -> *const c_char {
    if a.is_null() {
        return boundary::thread_error();
    }
    // SAFETY: an answer, as the header asks.
    unsafe { Kept::error(a) }
}

/// How many queries were answered.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answers(a: *mut GTAnswer) -> i64 {
    // SAFETY: NULL or an answer, as the header asks.
    unsafe { Kept::number(a, ANSWER_FREED, |answers| Ok(answers.len())) }
}

/// How many rows the answer to a query has.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerRows(a: *mut GTAnswer, query: usize) -> i64 {
    // SAFETY: NULL or an answer, as the header asks.
    unsafe { Kept::number(a, ANSWER_FREED, |answers| answers.rows(query)) }
}

/// How many columns the answer to a query has.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerColumns(a: *mut GTAnswer, query: usize) -> i64 {
    // SAFETY: NULL or an answer, as the header asks.
    unsafe { Kept::number(a, ANSWER_FREED, |answers| answers.columns(query)) }
}

/// The heading of a column and its type; NULL on errors.
///
/// # Safety
/// As for all calls; the type is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerColumn(
    a: *mut GTAnswer,
    query: usize,
    column: usize,
    kind: *mut c_int,
) -> *const c_char {
    // SAFETY: the answer and the place are as the header asks.
    unsafe {
        Kept::text(a, ANSWER_FREED, |answers| {
            let (name, code) = answers.column(query, column)?;
            write(kind, code);
            Ok(Some(name))
        })
    }
}

/// A cell of the answer to a query.
///
/// # Safety
/// As for all calls; `value` is NULL or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerCell(
    a: *mut GTAnswer,
    query: usize,
    row: usize,
    column: usize,
    value: *mut GTValue,
) -> c_int {
    // SAFETY: the answer and the place are as the header asks.
    unsafe {
        Kept::call(a, ANSWER_FREED, |answers| {
            let cell = answers.cell(query, row, column)?;
            write(value, cell);
            Ok(())
        })
    }
}

/// Copies the node_ids that a query found, as many as there is room for; how many there are, or a negative code.
///
/// # Safety
/// As for all calls; the buffer has room for `capacity` node_ids.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_answerNodes(
    a: *mut GTAnswer,
    query: usize,
    buffer: *mut u64,
    capacity: usize,
) -> i64 {
    // SAFETY: the answer and the buffer are as the header asks.
    unsafe { Kept::number(a, ANSWER_FREED, |answers| copy(answers.nodes(query)?, buffer, capacity)) }
}

/// Puts a value where the caller asked for it, if he did.
///
/// # Safety
/// The place is NULL or can be written.
unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not NULL, so it can be written (caller).
        unsafe { place.write(value) };
    }
}

/// # Safety
/// The buffer is NULL or has room for `capacity` values.
unsafe fn copy<T: Copy>(values: &[T], buffer: *mut T, capacity: usize) -> Result<u64, Fault> {
    if buffer.is_null() && capacity > 0 {
        return Err(no_buffer(capacity));
    }
    if !buffer.is_null() {
        // SAFETY: there is room for so many (caller).
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), buffer, values.len().min(capacity)) };
    }
    Ok(values.len() as u64)
}

fn no_buffer(capacity: usize) -> Fault {
    Fault::argument(format!("a buffer for {capacity} values was given as NULL"))
}
