//! The calling thread.
//!
//! **Invariant:** two threads that live at the same time have different marks.

/// A number that no other living thread has, and that is never 0.
#[inline(always)]
pub(super) fn mark() -> usize {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        let pointer: usize;
        // SAFETY: on this system's ABI, `fs:0` holds the thread pointer; reading it has no side effects.
        unsafe {
            std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, preserves_flags, readonly, pure));
        }
        pointer
    }
    #[cfg(all(target_os = "linux", target_arch = "aarch64"))]
    {
        let pointer: usize;
        // SAFETY: on this system's ABI, `tpidr_el0` holds the thread pointer; reading it has no side effects.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_marks_of_their_own() {
        let here = mark();
        assert!(here != 0 && here == mark());
        assert_ne!(here, std::thread::spawn(mark).join().unwrap());
    }
}
