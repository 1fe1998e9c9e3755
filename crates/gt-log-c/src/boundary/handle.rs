//! A handle: a session, its current user, and its last error.
//!
//! ```text
//!            ┌ another call ┐
//! free ──call──▶ held ──call ends──▶ free
//!   ▲              └─ the root is entered ─▶ owned by this thread ─ the root is left ─▶ free
//!   └────────────────────────────── its thread ends ◀──────────┘
//! ```
//!
//! A thread that has nodes open owns the handle: its calls need no lock, and those of others are refused. Between
//! trees, and between `gtl_openTree` and the root, the calling thread holds the handle for the duration of the call,
//! so that an engine may open a tree in one thread and search it in another.
//!
//! **Invariants:** one call at a time borrows the session: the owner's, or the holder's if there is no owner. A
//! handle is never freed: once deleted, it leaves some hundred bytes behind that refuse every call. No handle is owned by
//! a thread that has ended: its mark may have been reused by then.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use gt_log::Lane;

use super::error_text::{c_text, panic_text};
use super::fault::Fault;
use super::refusal::{COPIED, DELETED, IN_USE, NESTED, OWNED, Refusal};
use super::thread;
use crate::abi::{GTL_ERROR_ORDER, GTL_OK};
use crate::plan::{Copies, Quick};
use crate::session::Session;

const NOBODY: usize = 0;

/// The handle made last; each handle points to the one made before it.
static NEWEST: AtomicPtr<GTLog> = AtomicPtr::new(std::ptr::null_mut());

/// The target of a `GTLogHdl`. The header reads the first field; the fields that every node needs are in one cache line.
#[repr(C, align(64))]
pub struct GTLog {
    /// Nonzero if calls at nodes would do nothing.
    is_quiet: AtomicI32,
    is_deleted: AtomicBool,
    /// Whether a fork made this copy.
    is_copied: AtomicBool,
    /// Whether the owner is in a call.
    is_inside: Cell<bool>,
    /// The mark of the thread that has nodes open.
    owner: AtomicUsize,
    /// The short way of the owner's calls at nodes; none while a call is running.
    short_way: Cell<Option<ShortWay>>,
    held: UnsafeCell<Held>,
    /// The mark of the thread whose call is running, if there is no owner.
    holder: AtomicUsize,
    /// The handle made before this one.
    older: AtomicPtr<GTLog>,
}

/// The way of calls at nodes that need no further check: into the open tree, past the session.
///
/// **Invariant:** both pointers point to parts of the session, and no reference to these parts is used while this is kept: every other call
/// takes it away first and makes a new one afterwards. The other fields come from the same `copies`.
#[derive(Clone, Copy)]
#[repr(C)]
struct ShortWay {
    lane: NonNull<Lane>,
    /// The attributes that are not known at entry, as bits.
    missing_at_entry: u64,
    quick: Quick,
    /// In the next cache line: most records do not need it.
    copies: NonNull<Copies>,
}

/// How the short way copies records.
pub(crate) struct ShortCopies<'a>(&'a ShortWay);

impl ShortCopies<'_> {
    /// Copies a record into a row.
    ///
    /// # Safety
    /// The record has as many readable bytes as the descriptor says.
    #[inline(always)]
    pub(crate) unsafe fn copy(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: the record has the bytes that the descriptor says (caller), and `copies` is part of the session (the invariant of
        // `ShortWay`).
        unsafe {
            if !self.0.quick.copy(record, row) {
                self.0.copies.as_ref().copy_by_steps(record, row);
            }
        }
    }

    /// Copies the attributes that are known at entry.
    ///
    /// # Safety
    /// Those attributes of the record are readable.
    #[inline(always)]
    pub(crate) unsafe fn copy_at_entry(&self, record: *const u8, row: &mut [u8]) {
        // SAFETY: those attributes are readable (caller), and `copies` is part of the session (the invariant of `ShortWay`).
        unsafe {
            if !self.0.quick.copy_at_entry(record, row) {
                self.0.copies.as_ref().copy_at_entry_by_steps(record, row);
            }
        }
    }

    /// The attributes that are not known at entry, as bits.
    #[inline(always)]
    pub(crate) fn missing_at_entry(&self) -> u64 {
        self.0.missing_at_entry
    }
}

/// The data that one thread at a time uses.
#[repr(C)]
struct Held {
    /// `None` once the handle is deleted.
    session: Option<Box<Session>>,
    error: CString,
}

// SAFETY: only the owner or the holder touches `held`, `short_way` and `is_inside`, which is one thread at a time; all their
// contents may move between threads.
unsafe impl Sync for GTLog {}

impl GTLog {
    /// Makes a handle, which lives as long as the process.
    pub(super) fn new(session: Session) -> &'static Self {
        let handle: &'static Self = Box::leak(Box::new(Self {
            is_quiet: AtomicI32::new(0),
            owner: AtomicUsize::new(NOBODY),
            holder: AtomicUsize::new(NOBODY),
            is_deleted: AtomicBool::new(false),
            is_copied: AtomicBool::new(false),
            older: AtomicPtr::default(),
            is_inside: Cell::new(false),
            short_way: Cell::new(None),
            held: UnsafeCell::new(Held { session: Some(Box::new(session)), error: CString::default() }),
        }));
        handle.enlist();
        handle
    }

    /// Adds a new handle to the list of all handles. The list only grows, so that the child of a fork can walk it without a lock, which
    /// another thread of the parent may have held.
    fn enlist(&'static self) {
        let mut next = NEWEST.load(Ordering::Acquire);
        loop {
            self.older.store(next, Ordering::Release);
            let this = std::ptr::from_ref(self).cast_mut();
            match NEWEST.compare_exchange_weak(next, this, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(other) => next = other,
            }
        }
    }

    /// Calls `work` with every handle that was ever made.
    pub(super) fn each(work: impl Fn(&Self)) {
        let mut next = NEWEST.load(Ordering::Acquire);
        // SAFETY: the list contains only pointers to handles, which are never freed.
        while let Some(handle) = unsafe { next.as_ref() } {
            work(handle);
            next = handle.older.load(Ordering::Acquire);
        }
    }

    /// Calls `work` the short way, if there is one and this thread may use it; returns whether the call was made.
    ///
    /// # Safety
    /// `work` makes no call on this handle, and does not panic.
    #[inline(always)]
    pub(super) unsafe fn call_shortly(&self, work: impl FnOnce(&mut Lane, &ShortCopies<'_>) -> bool) -> bool {
        if self.owner.load(Ordering::Relaxed) != thread::mark() {
            return false;
        }
        // SAFETY: this thread owns the handle, and nothing replaces the cell's content before `work` ends, because `work` makes no call
        // (caller).
        match unsafe { &*self.short_way.as_ptr() } {
            // SAFETY: this thread owns the handle and is in no other call (there would be no short way), so this is the only
            // reference to the lane, and the session is unchanged since the pointers were made (the invariant).
            Some(way) => unsafe { work(&mut *way.lane.as_ptr(), &ShortCopies(way)) },
            None => false,
        }
    }

    /// Runs a call, and returns its code.
    #[inline(always)]
    pub(super) fn call(
        &self,
        work: impl FnOnce(&mut Session) -> Result<(), Fault>,
    ) -> Result<c_int, Refusal> {
        if self.owner.load(Ordering::Relaxed) == thread::mark() {
            return self.call_as_owner(work);
        }
        self.call_as_holder(work)
    }

    #[inline(always)]
    fn call_as_owner(&self, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> Result<c_int, Refusal> {
        if self.is_inside.replace(true) {
            return Err(NESTED);
        }
        self.short_way.set(None);
        // SAFETY: this thread owns the handle (`owner` is its mark) and is in no other call, so there is no
        // other reference.
        let held = unsafe { &mut *self.held.get() };
        let (code, has_open_nodes) = held.run(work);
        self.is_inside.set(false);
        if has_open_nodes {
            self.short_way.set(held.short_way());
        } else {
            self.give_back(held);
        }
        Ok(code)
    }

    #[inline(never)]
    fn call_as_holder(&self, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> Result<c_int, Refusal> {
        let _hold = self.hold()?;
        // SAFETY: no thread owns the handle, and this thread holds it, so there is no other reference.
        let held = unsafe { &mut *self.held.get() };
        if held.session.is_none() {
            return Err(DELETED);
        }
        let (code, has_open_nodes) = held.run(work);
        self.is_quiet.store(c_int::from(held.is_quiet()), Ordering::Relaxed);
        if has_open_nodes && give_back_at_end() {
            self.short_way.set(held.short_way());
            self.owner.store(thread::mark(), Ordering::Release);
        }
        Ok(code)
    }

    /// Gives up ownership once the last node was left.
    #[cold]
    fn give_back(&self, held: &Held) {
        self.is_quiet.store(c_int::from(held.is_quiet()), Ordering::Relaxed);
        self.owner.store(NOBODY, Ordering::Release);
    }

    /// Holds the handle, unless another thread holds or owns it.
    fn hold(&self) -> Result<Hold<'_>, Refusal> {
        let mine = thread::mark();
        if self.is_copied.load(Ordering::Acquire) {
            return Err(COPIED);
        }
        if let Err(other) = self.holder.compare_exchange(NOBODY, mine, Ordering::AcqRel, Ordering::Acquire) {
            return Err(if other == mine { NESTED } else { IN_USE });
        }
        let hold = Hold(self);
        if self.owner.load(Ordering::Acquire) != NOBODY {
            return Err(OWNED);
        }
        Ok(hold)
    }

    /// Closes what the session writes, and drops it; returns the code, and the text of an error.
    pub(super) fn delete(&self) -> Result<(c_int, CString), Refusal> {
        if self.owner.load(Ordering::Relaxed) == thread::mark() {
            if self.is_inside.get() {
                return Err(NESTED);
            }
            self.short_way.set(None);
            self.owner.store(NOBODY, Ordering::Release);
        }
        let _hold = self.hold()?;
        // SAFETY: no thread owns the handle, and this thread holds it, so there is no other reference.
        let held = unsafe { &mut *self.held.get() };
        if held.session.is_none() {
            return Err(DELETED);
        }
        let (code, _) = held.run(Session::close);
        let session = held.session.take();
        // Nothing is open any more that could panic, but no panic may leave in any case.
        let _ = catch_unwind(AssertUnwindSafe(move || drop(session)));
        self.is_deleted.store(true, Ordering::Release);
        self.is_quiet.store(0, Ordering::Relaxed);
        Ok((code, std::mem::take(&mut held.error)))
    }

    /// The text of the last error, if this thread may read it.
    pub(super) fn error(&self) -> Result<&CStr, Refusal> {
        let is_owner = self.owner.load(Ordering::Relaxed) == thread::mark();
        let _hold = if is_owner { None } else { Some(self.hold()?) };
        if is_owner && self.is_inside.get() {
            return Err(NESTED);
        }
        if self.is_deleted.load(Ordering::Acquire) {
            return Err(DELETED);
        }
        // SAFETY: this thread owns or holds the handle, and is in no call that changes the text; the header says how
        // long the pointer is valid.
        Ok(unsafe { &(*self.held.get()).error })
    }

    /// Gives up the ownership of the ending thread with this mark, whatever it has open.
    pub(super) fn give_back_from(&self, thread: usize) {
        if self.owner.load(Ordering::Relaxed) == thread {
            self.is_inside.set(false);
            self.owner.store(NOBODY, Ordering::Release);
        }
    }

    /// Waits, at the end of the process, until ended trees are in the file, unless another thread uses the handle.
    pub(super) fn wait_at_exit(&self) {
        let is_owner = self.owner.load(Ordering::Relaxed) == thread::mark() && !self.is_inside.get();
        let _hold = match is_owner {
            true => {
                self.short_way.set(None);
                None
            }
            false => match self.hold() {
                Ok(hold) => Some(hold),
                Err(_) => return,
            },
        };
        // SAFETY: this thread owns or holds the handle and is in no call, so there is no other reference.
        let held = unsafe { &mut *self.held.get() };
        if let Some(session) = &mut held.session {
            // Nobody is left to receive an error.
            let _ = catch_unwind(AssertUnwindSafe(|| session.flush_ended_trees()));
        }
    }

    /// Makes this copy unusable; called in the child of a fork.
    pub(super) fn mark_copied(&self) {
        self.is_copied.store(true, Ordering::Release);
        self.is_quiet.store(0, Ordering::Relaxed);
        self.owner.store(NOBODY, Ordering::Release);
    }
}

/// Releases the handle at the end of the call.
struct Hold<'a>(&'a GTLog);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.holder.store(NOBODY, Ordering::Release);
    }
}

impl Held {
    /// Runs a call on the session, and returns its code, and whether nodes are open after it.
    #[inline(always)]
    fn run(&mut self, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> (c_int, bool) {
        let Some(session) = &mut self.session else { return (GTL_ERROR_ORDER, false) };
        match catch_unwind(AssertUnwindSafe(|| work(session))) {
            Ok(Ok(())) => (GTL_OK, session.has_open_nodes()),
            Ok(Err(fault)) => {
                let has_open_nodes = session.has_open_nodes();
                (self.keep(fault), has_open_nodes)
            }
            Err(panic) => (self.give_up(panic), false),
        }
    }

    fn short_way(&mut self) -> Option<ShortWay> {
        let (lane, copies) = self.session.as_mut()?.short_way()?;
        Some(ShortWay {
            lane: lane.into(),
            missing_at_entry: copies.missing_first(),
            quick: copies.quick(),
            copies: copies.into(),
        })
    }

    fn is_quiet(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_quiet())
    }

    #[cold]
    fn keep(&mut self, fault: Fault) -> c_int {
        let (code, text) = fault.into_parts();
        if let Some(text) = text {
            self.error = c_text(&text);
        }
        code
    }

    /// After a panic the writers may be in any state: they are never used again.
    #[cold]
    fn give_up(&mut self, panic: Box<dyn Any + Send>) -> c_int {
        let text = panic_text(&*panic);
        std::mem::forget(panic);
        if let Some(session) = &mut self.session {
            session.give_up();
        }
        self.keep(Fault::internal(text))
    }
}

/// Registers this thread to give up all handles it owns when it ends; `false` if it is already ending.
fn give_back_at_end() -> bool {
    thread_local! {
        static END: End = const { End };
    }
    END.try_with(|_| ()).is_ok()
}

struct End;

impl Drop for End {
    fn drop(&mut self) {
        let mine = thread::mark();
        GTLog::each(|handle| handle.give_back_from(mine));
    }
}
