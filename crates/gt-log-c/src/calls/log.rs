//! Handles, files, trees, and their metadata.

use std::ffi::{CStr, c_char, c_int};

use gt_log::Metadata;

use crate::abi::{GTDataDescript, GTL_ERROR_ARGUMENT, GTMeta};
use crate::boundary::{self, Fault, GTLog, on};
use crate::descriptor::{text, understand};
use crate::file_name::FileName;
use crate::session::{Ending, Session, metadata};

/// Makes a handle that logs records as described; with a file name, also opens the file. NULL on errors.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_create(descript: *const GTDataDescript, filename: *const c_char) -> *mut GTLog {
    boundary::create(|| {
        // SAFETY: `descript` is NULL or points to a descriptor (caller).
        let Some(descript) = (unsafe { descript.as_ref() }) else {
            return Err(Fault::argument("gtl_create needs a descriptor, and was given NULL"));
        };
        // SAFETY: the descriptor's texts are NULL or end with a zero byte (caller).
        let (header, plan) = unsafe { understand(descript) }?;
        let mut session = Session::new(header, plan);
        if !filename.is_null() {
            // SAFETY: `filename` ends with a zero byte (caller).
            session.open(unsafe { file_name(filename) }?)?;
        }
        Ok(session)
    })
}

/// Makes a handle that logs into the same file, for another thread. NULL on errors.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_share(h: *mut GTLog) -> *mut GTLog {
    let mut shared = None;
    // SAFETY: `h` is NULL or a handle from this library (caller).
    let code = unsafe {
        on(h, |session| {
            shared = Some(session.share()?);
            Ok(())
        })
    };
    boundary::create(|| match shared {
        Some(session) => Ok(session),
        // SAFETY: `h` is not NULL here, so it is a handle (caller); its last error ends with a zero byte.
        None if code != GTL_ERROR_ARGUMENT => Err(Fault::order(unsafe { text(boundary::last_error(h)) })),
        None => Err(Fault::argument("gtl_share needs a handle, and was given NULL")),
    })
}

/// Closes what is open and ends the handle.
///
/// # Safety
/// As for all calls; the handle must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_delete(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { boundary::delete(h) }
}

/// Opens a new file, or names a pattern of files; what was open is closed.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_open(h: *mut GTLog, filename: *const c_char) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `filename` is NULL or ends with a zero byte (caller).
    unsafe { on(h, |session| session.open(file_name(filename)?)) }
}

/// Closes the tree and the file that are open.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_close(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { on(h, Session::close) }
}

/// Begins a tree.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_openTree(h: *mut GTLog, meta: *const GTMeta, count: usize) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `meta` is NULL or has `count` entries (caller).
    unsafe { on(h, |session| session.open_tree(&entries(meta, count)?)) }
}

/// Ends the open tree; open nodes are an error.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_closeTree(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { on(h, |session| session.close_tree(Ending::Finished)) }
}

/// Ends the tree of an aborted search.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_abandonTree(h: *mut GTLog) -> c_int {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { on(h, |session| session.close_tree(Ending::BrokenOff)) }
}

/// Sets metadata of the open tree, or else of the next.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setMeta(h: *mut GTLog, key: *const c_char, value: *const c_char) -> c_int {
    // SAFETY: `h` is NULL or a handle, and the texts are NULL or end with a zero byte (caller).
    unsafe { on(h, |session| session.set_metadata(&text(key), &text(value))) }
}

/// Sets a number in the metadata of the open tree, or else of the next.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setMetaInt(h: *mut GTLog, key: *const c_char, value: i64) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `key` is NULL or ends with a zero byte (caller).
    unsafe { on(h, |session| session.set_metadata(&text(key), &value.to_string())) }
}

/// Names a move.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_nameMove(h: *mut GTLog, last_move: i64, name: *const c_char) -> c_int {
    // SAFETY: `h` is NULL or a handle, and `name` is NULL or ends with a zero byte (caller).
    unsafe { on(h, |session| session.name_move(last_move, &text(name))) }
}

/// Sets metadata of the whole log, before its first tree.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_setLogMeta(h: *mut GTLog, key: *const c_char, value: *const c_char) -> c_int {
    // SAFETY: `h` is NULL or a handle, and the texts are NULL or end with a zero byte (caller).
    unsafe { on(h, |session| session.set_log_metadata(&text(key), &text(value))) }
}

/// Returns the text of the last error; empty if there was none, never NULL.
///
/// # Safety
/// As for all calls.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gtl_lastError(h: *const GTLog) -> *const c_char {
    // SAFETY: `h` is NULL or a handle from this library (caller).
    unsafe { boundary::last_error(h) }
}

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn gtl_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// # Safety
/// The name is NULL or ends with a zero byte.
unsafe fn file_name(name: *const c_char) -> Result<FileName, Fault> {
    if name.is_null() {
        return Err(Fault::argument("a file needs a name, and NULL was given"));
    }
    // SAFETY: `name` is not NULL, so it ends with a zero byte (caller).
    Ok(FileName::new(unsafe { CStr::from_ptr(name) }))
}

/// # Safety
/// The list is NULL or has `count` entries.
pub(super) unsafe fn entries(list: *const GTMeta, count: usize) -> Result<Metadata, Fault> {
    let mut entries = Metadata::new();
    if list.is_null() && count > 0 {
        return Err(Fault::argument(format!("a list of {count} entries of metadata was given as NULL")));
    }
    for place in 0..count {
        // SAFETY: `list` has `count` entries, and their texts are NULL or end with a zero byte (caller).
        let (key, value) = unsafe {
            let entry = &*list.add(place);
            (text(entry.key), text(entry.value))
        };
        metadata::set(&mut entries, &key, &value)?;
    }
    Ok(entries)
}
