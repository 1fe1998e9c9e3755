//! Calls in any order, for tests and fuzzing: bytes to events, events to calls on one handle.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let events = gt_log_c::events::events_of(b"any bytes at all");
//! gt_log_c::events::drive(folder.path(), &events);
//! for file in std::fs::read_dir(folder.path())? {
//!     let log = gt_log::Log::open(file?.path())?; // Whatever the order was, every file opens.
//!     log.trees().try_for_each(|tree| tree.verify(|_| ()).map(drop))?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::offset_of;
use std::path::Path;

use crate::abi::{
    GTAlias, GTAttribute, GTDataDescript, GTL_ALIASES_MAX, GTL_AT_ENTRY, GTL_ATTRIBUTES_MAX, GTL_BOOL,
    GTL_INT, GTL_TEXT, GTMeta,
};
use crate::boundary::GTLog;
use crate::calls::*;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are those of the calls.
pub enum Event {
    Enter(i8),
    /// With a record like that of `Exit`.
    EnterData(i8),
    Exit(i8),
    /// With NULL for the record.
    ExitUnknown,
    OpenTree,
    CloseTree,
    AbandonTree,
    /// A file named after the event's index: `12.gtf`.
    Open,
    /// Files named after the event's index and the tree: `12-1.gtf`.
    OpenPerTree,
    Close,
    Flush,
    SetMeta(i8),
    SetLogMeta(i8),
    SetEnabled(bool),
    SetFlush(u8),
    SetBackground(bool),
    SetBudget(u8),
    SetTriggerLine(Vec<i8>),
    SetTriggerCallback(u8),
    ClearTrigger,
    /// One of [`QUERIES`].
    AttachQuery(u8),
    DetachQueries,
    /// For any query: the number of matches, and their node_ids.
    AskQuery(u8),
}

/// The queries that can be attached, selected by the event's number modulo their count; some have errors.
pub const QUERIES: [&CStr; 6] = [
    c"node: best > 0 and even",
    c"node: count(name = \"odd\"); subtree: count([^]best > best) > 0",
    c"path: count(best > 0) > 1",
    c"child: count([]best > [<]best) > 0\n\nnode: [>]best > 0 order by best limit 3",
    c"node: best * 9223372036854775807 > 0 and best > $value",
    c"node: nonsense",
];

/// Returns the events that any bytes stand for.
#[must_use]
pub fn events_of(bytes: &[u8]) -> Vec<Event> {
    let mut bytes = bytes.iter().copied();
    let mut events = Vec::new();
    while let Some(byte) = bytes.next() {
        let mut next = || bytes.next().unwrap_or(0);
        events.push(match byte % 32 {
            0..7 => Event::Enter(next() as i8),
            7..10 => Event::EnterData(next() as i8),
            10..18 => Event::Exit(next() as i8),
            18 => Event::ExitUnknown,
            19 => Event::OpenTree,
            20 => Event::CloseTree,
            21 => Event::AbandonTree,
            22 => Event::Open,
            23 => Event::OpenPerTree,
            24 => Event::Close,
            25 => Event::Flush,
            26 => Event::SetMeta(next() as i8),
            27 => Event::SetLogMeta(next() as i8),
            28 => Event::SetEnabled(next() % 2 == 1),
            29 => Event::SetFlush(next()),
            30 => Event::SetBudget(next()),
            _ => match next() % 7 {
                0 => Event::SetTriggerLine((0..next() % 4).map(|_| next() as i8).collect()),
                1 => Event::SetTriggerCallback(next()),
                2 => Event::AttachQuery(next()),
                3 => Event::DetachQueries,
                4 => Event::AskQuery(next()),
                5 => Event::SetBackground(next() % 2 == 1),
                _ => Event::ClearTrigger,
            },
        });
    }
    events
}

/// The record with which nodes are left.
#[repr(C)]
struct Node {
    is_even: c_int,
    best: i32,
    name: *const c_char,
}

/// Makes the calls on one handle, with files in this folder, and returns the code of each; deletes the handle at the
/// end. Nodes have the attributes `best` (the given value, known at entry), `even` (whether it is) and `name`
/// (`even`, `odd`).
///
/// # Panics
/// If the folder's name has a zero byte, or a handle cannot be made.
pub fn drive(folder: &Path, events: &[Event]) -> Vec<c_int> {
    // SAFETY: the descriptor is valid, and NULL is allowed as a file name.
    let handle = unsafe { gtl_create(&descriptor(), std::ptr::null()) };
    assert!(!handle.is_null(), "the descriptor is good");
    let driver = Driver { handle, folder };
    let codes = events.iter().enumerate().map(|(place, event)| driver.call(place, event)).collect();
    // SAFETY: `handle` came from `gtl_create`, was not deleted, and is not used again.
    unsafe { gtl_delete(handle) };
    codes
}

struct Driver<'a> {
    handle: *mut GTLog,
    folder: &'a Path,
}

impl Driver<'_> {
    fn call(&self, place: usize, event: &Event) -> c_int {
        let h = self.handle;
        // SAFETY: the handle came from `gtl_create` and is used only here; texts end with zero bytes; lists have the
        // given lengths; records match the descriptor.
        unsafe {
            match event {
                Event::Enter(last_move) => gtl_enterNode(h, i64::from(*last_move)),
                Event::EnterData(best) => {
                    let node = node(*best);
                    gtl_enterNodeData(h, i64::from(*best), std::ptr::from_ref(&node).cast())
                }
                Event::Exit(best) => {
                    let node = node(*best);
                    gtl_exitNode(h, std::ptr::from_ref(&node).cast())
                }
                Event::ExitUnknown => gtl_exitNode(h, std::ptr::null()),
                Event::OpenTree => {
                    let place = CString::new(place.to_string()).unwrap_or_default();
                    let meta = GTMeta { key: c"place".as_ptr(), value: place.as_ptr() };
                    gtl_openTree(h, &meta, 1)
                }
                Event::CloseTree => gtl_closeTree(h),
                Event::AbandonTree => gtl_abandonTree(h),
                Event::Open => gtl_open(h, self.path(&format!("{place}.gtf")).as_ptr()),
                Event::OpenPerTree => gtl_open(h, self.path(&format!("{place}-%d.gtf")).as_ptr()),
                Event::Close => gtl_close(h),
                Event::Flush => gtl_flush(h),
                Event::SetMeta(value) => gtl_setMetaInt(h, c"value".as_ptr(), i64::from(*value)),
                Event::SetLogMeta(value) => {
                    let value = CString::new(value.to_string()).unwrap_or_default();
                    gtl_setLogMeta(h, c"engine".as_ptr(), value.as_ptr())
                }
                Event::SetEnabled(enabled) => gtl_setEnabled(h, c_int::from(*enabled)),
                Event::SetFlush(nodes) => gtl_setFlush(h, u64::from(*nodes), 0),
                Event::SetBackground(background) => gtl_setBackground(h, c_int::from(*background)),
                Event::SetBudget(nodes) => gtl_setBudget(h, u64::from(*nodes), 0),
                Event::SetTriggerLine(moves) => {
                    let moves: Vec<i64> = moves.iter().map(|&last_move| i64::from(last_move)).collect();
                    gtl_setTriggerLine(h, moves.as_ptr(), moves.len(), 0)
                }
                Event::SetTriggerCallback(modulus) => {
                    let context = std::ptr::without_provenance_mut(usize::from(*modulus));
                    gtl_setTriggerCallback(h, Some(divides), context, 0)
                }
                Event::ClearTrigger => gtl_clearTrigger(h),
                Event::AttachQuery(number) => {
                    gtl_attachQuery(h, QUERIES[usize::from(*number) % QUERIES.len()].as_ptr())
                }
                Event::DetachQueries => gtl_detachQueries(h),
                Event::AskQuery(query) => ask(h, usize::from(*query)),
            }
        }
    }

    fn path(&self, name: &str) -> CString {
        let path = self.folder.join(name);
        CString::new(path.as_os_str().as_encoded_bytes()).expect("a folder without a zero byte in its name")
    }
}

/// The record with this value.
fn node(best: i8) -> Node {
    let is_even = best % 2 == 0;
    let name = if is_even { c"even" } else { c"odd" };
    Node { is_even: c_int::from(is_even), best: i32::from(best), name: name.as_ptr() }
}

/// Returns the code of a request for answers, and checks that the answers are consistent.
///
/// # Safety
/// As for all calls.
unsafe fn ask(h: *mut GTLog, query: usize) -> c_int {
    let mut nodes = [0; 8];
    // SAFETY: the handle is NULL or from this library (caller); the buffer has the claimed capacity.
    let (count, kept) =
        unsafe { (gtl_queryCount(h, query), gtl_queryMatches(h, query, nodes.as_mut_ptr(), nodes.len())) };
    assert!(kept <= count && (kept < 0) == (count < 0), "{count} matches, {kept} of them kept");
    count.min(0) as c_int
}

/// Whether the number passed as the context divides the sum of the moves.
unsafe extern "C" fn divides(line: *const i64, count: usize, context: *mut c_void) -> c_int {
    // SAFETY: the library passes a list of `count` moves.
    let line = unsafe { std::slice::from_raw_parts(line, count) };
    c_int::from(line.iter().sum::<i64>() % context.addr().max(1) as i64 == 0)
}

fn descriptor() -> GTDataDescript {
    let none = GTAttribute { name: std::ptr::null(), offset: 0, size: 0, kind: GTL_INT };
    let mut attributes = [none; GTL_ATTRIBUTES_MAX];
    attributes[0] = GTAttribute {
        name: c"best".as_ptr(),
        offset: offset_of!(Node, best),
        size: 4,
        kind: GTL_INT | GTL_AT_ENTRY,
    };
    attributes[1] =
        GTAttribute { name: c"even".as_ptr(), offset: offset_of!(Node, is_even), size: 4, kind: GTL_BOOL };
    let size = size_of::<*const c_char>();
    attributes[2] =
        GTAttribute { name: c"name".as_ptr(), offset: offset_of!(Node, name), size, kind: GTL_TEXT };
    let aliases = [GTAlias { name: std::ptr::null(), value: 0 }; GTL_ALIASES_MAX];
    GTDataDescript {
        game: c"events".as_ptr(),
        record_size: size_of::<Node>(),
        alias_count: 0,
        aliases,
        attribute_count: 3,
        attributes,
    }
}
