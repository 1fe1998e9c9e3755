//! A handle: a session, who may use it now, and what went wrong last.
//!
//! ```text
//!            ┌ another call ┐
//! free ──call──▶ held ──call ends──▶ free
//!   ▲              └─ the root is entered ─▶ owned by this thread ─ the root is left ─▶ free
//!   └────────────────────────────── its thread ends ◀──────────┘
//! ```
//!
//! A thread that has nodes open owns the handle: its calls need no lock, and those of others are refused. Between trees, and
//! between `gtl_openTree` and the root, whoever calls holds the handle for the time of the call, so that an engine may
//! open a tree in one thread and search it in another.
//!
//! **Invariants:** the session is borrowed by one call at a time: that of the owner, or of the holder where there is no owner.
//! A handle is never freed: deleted, it leaves some hundred bytes behind that refuse every call.

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, CString, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use super::fault::Fault;
use super::{c_text, handles, panic_text, thread};
use crate::abi::{GTL_ERROR_ORDER, GTL_OK};
use crate::session::Session;

const NOBODY: usize = 0;

/// What a `GTLogHdl` points to. The header reads the first field.
#[repr(C)]
pub struct GTLog {
    /// Not 0 where calls at nodes would do nothing.
    is_quiet: AtomicI32,
    /// The mark of the thread that has nodes open.
    owner: AtomicUsize,
    /// The mark of the thread whose call is under way, where there is no owner.
    holder: AtomicUsize,
    is_deleted: AtomicBool,
    /// Whether a fork made this copy.
    is_copied: AtomicBool,
    /// The handle that was made before.
    pub(super) older: AtomicPtr<GTLog>,
    /// Whether the owner is in a call.
    is_inside: Cell<bool>,
    held: UnsafeCell<Held>,
}

/// What one thread at a time has in hands.
struct Held {
    /// None once the handle is deleted.
    session: Option<Session>,
    error: CString,
}

// SAFETY: `held` and `is_inside` are touched by the owner or the holder alone, which is one thread at a time; everything in them
// may move between threads.
unsafe impl Sync for GTLog {}

/// Why a call is not made; the text is for the thread that tried.
pub(super) struct Refusal(pub(super) &'static str);

const NESTED: Refusal =
    Refusal("a callback called its own handle; it may look at the engine, but not log or ask");
const IN_USE: Refusal = Refusal(
    "another thread is using the handle; a handle is for one thread at a time, and gtl_share makes more",
);
const OWNED: Refusal = Refusal(
    "another thread has nodes open in the handle's tree; a handle is for one thread at a time, and gtl_share makes more",
);
const DELETED: Refusal = Refusal("the handle was deleted");
const COPIED: Refusal = Refusal(
    "the handle is the parent process's; after a fork, the child makes a handle with a file of its own",
);

impl GTLog {
    /// A handle, which stays for as long as the process.
    pub(super) fn new(session: Session) -> &'static Self {
        let handle: &'static Self = Box::leak(Box::new(Self {
            is_quiet: AtomicI32::new(0),
            owner: AtomicUsize::new(NOBODY),
            holder: AtomicUsize::new(NOBODY),
            is_deleted: AtomicBool::new(false),
            is_copied: AtomicBool::new(false),
            older: AtomicPtr::default(),
            is_inside: Cell::new(false),
            held: UnsafeCell::new(Held { session: Some(session), error: CString::default() }),
        }));
        handles::enlist(handle);
        handle
    }

    /// Runs a call; its code.
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
        // SAFETY: this thread owns the handle, and is in no other call.
        let held = unsafe { &mut *self.held.get() };
        let (code, has_open_nodes) = held.run(work);
        self.is_inside.set(false);
        if !has_open_nodes {
            self.give_back(held);
        }
        Ok(code)
    }

    #[inline(never)]
    fn call_as_holder(&self, work: impl FnOnce(&mut Session) -> Result<(), Fault>) -> Result<c_int, Refusal> {
        let _hold = self.hold()?;
        // SAFETY: nobody owns the handle, and this thread holds it.
        let held = unsafe { &mut *self.held.get() };
        if held.session.is_none() {
            return Err(DELETED);
        }
        let (code, has_open_nodes) = held.run(work);
        self.is_quiet.store(c_int::from(held.is_quiet()), Ordering::Relaxed);
        if has_open_nodes && thread::give_back_at_end() {
            self.owner.store(thread::mark(), Ordering::Release);
        }
        Ok(code)
    }

    /// The last node was left: whoever comes next may have the handle.
    #[cold]
    fn give_back(&self, held: &Held) {
        self.is_quiet.store(c_int::from(held.is_quiet()), Ordering::Relaxed);
        self.owner.store(NOBODY, Ordering::Release);
    }

    /// Holds the handle, unless another holds or owns it.
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

    /// Closes what the session writes, and drops it: the code, and the text of an error.
    pub(super) fn delete(&self) -> Result<(c_int, CString), Refusal> {
        if self.owner.load(Ordering::Relaxed) == thread::mark() {
            if self.is_inside.get() {
                return Err(NESTED);
            }
            self.owner.store(NOBODY, Ordering::Release);
        }
        let _hold = self.hold()?;
        // SAFETY: nobody owns the handle, and this thread holds it.
        let held = unsafe { &mut *self.held.get() };
        if held.session.is_none() {
            return Err(DELETED);
        }
        let (code, _) = held.run(Session::close);
        let session = held.session.take();
        // Nothing is open any more, so nothing is left that could panic; still, no panic may leave.
        let _ = catch_unwind(AssertUnwindSafe(move || drop(session)));
        self.is_deleted.store(true, Ordering::Release);
        self.is_quiet.store(0, Ordering::Relaxed);
        Ok((code, std::mem::take(&mut held.error)))
    }

    /// The text of the last error, as long as this thread may look at it.
    pub(super) fn error(&self) -> Result<&CStr, Refusal> {
        let is_owner = self.owner.load(Ordering::Relaxed) == thread::mark();
        let _hold = if is_owner { None } else { Some(self.hold()?) };
        if is_owner && self.is_inside.get() {
            return Err(NESTED);
        }
        if self.is_deleted.load(Ordering::Acquire) {
            return Err(DELETED);
        }
        // SAFETY: this thread owns the handle or holds it, and is in no call that changes the text; the header says how long the
        // pointer is good.
        Ok(unsafe { &(*self.held.get()).error })
    }

    /// The thread with this mark ends: whatever it has open here, others may have the handle.
    pub(super) fn give_back_from(&self, thread: usize) {
        if self.owner.load(Ordering::Relaxed) == thread {
            self.is_inside.set(false);
            self.owner.store(NOBODY, Ordering::Release);
        }
    }

    /// In the child of a fork: nobody uses this copy.
    pub(super) fn mark_copied(&self) {
        self.is_copied.store(true, Ordering::Release);
        self.is_quiet.store(0, Ordering::Relaxed);
        self.owner.store(NOBODY, Ordering::Release);
    }
}

/// Ends with the call.
struct Hold<'a>(&'a GTLog);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.holder.store(NOBODY, Ordering::Release);
    }
}

impl Held {
    /// Runs a call on the session: its code, and whether nodes are open after it.
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

    fn is_quiet(&self) -> bool {
        self.session.as_ref().is_some_and(Session::is_quiet)
    }

    #[cold]
    fn keep(&mut self, fault: Fault) -> c_int {
        let (code, text) = fault.into_parts();
        if let Some(text) = text {
            self.error = c_text(&text);
        }
        code
    }

    /// After a panic the writers may be in any state: they are left alone for good.
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
