//! Which thread is calling, and whether a thread is still there.
//!
//! **Invariant:** two threads that live at the same time have different marks.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// A number that no other living thread has, and that is never 0.
#[inline(always)]
pub(super) fn mark() -> usize {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        let pointer: usize;
        // SAFETY: the thread pointer of this system's ABI lies at `fs:0`; reading it has no effects.
        unsafe {
            std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags, readonly, pure));
        }
        pointer
    }
    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    {
        let pointer: usize;
        // SAFETY: `tpidr_el0` holds the thread pointer in this system's ABI; reading it has no effects.
        unsafe {
            std::arch::asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, preserves_flags, nomem, pure));
        }
        pointer
    }
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    {
        thread_local! {
            static PLACE: u8 = const { 0 };
        }
        PLACE.with(|place| std::ptr::from_ref(place).addr())
    }
}

/// Whether a thread has ended. There is one for each thread that ever logged, and it stays.
pub(super) struct Life {
    is_over: AtomicBool,
}

impl Life {
    /// The life of this thread; `None` while it is ending.
    pub(super) fn mine() -> Option<&'static Self> {
        thread_local! {
            static MINE: Ending = const { Ending(Cell::new(None)) };
        }
        MINE.try_with(|mine| match mine.0.get() {
            Some(life) => life,
            None => {
                let life: &'static Life = Box::leak(Box::new(Life { is_over: AtomicBool::new(false) }));
                mine.0.set(Some(life));
                life
            }
        })
        .ok()
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }
}

/// Says when its thread has ended.
struct Ending(Cell<Option<&'static Life>>);

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(life) = self.0.get() {
            life.is_over.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_marks_of_their_own_and_end() {
        let here = mark();
        assert!(here != 0 && here == mark());
        let (there, life) = std::thread::spawn(|| (mark(), Life::mine().unwrap())).join().unwrap();
        assert_ne!(here, there);
        assert!(life.is_over());
        assert!(!Life::mine().unwrap().is_over());
    }
}
