//! Loops as the processor at hand runs them best.
//!
//! Every processor of x86-64 has vectors of 16 bytes; newer ones do more with them, and have instructions that tell the length of an
//! integer. A loop that is written once is compiled for both, and which one runs is decided when it is called.
//!
//! Wider vectors are left alone: many a processor runs slowly for a while when it meets some, for it has to switch on the wide part of its
//! units, and may lower its clock. What these loops gain by them is less than what a search loses, whose thread they run on now and then.

/// A loop that the compiler makes vectors of. [`Work::run`] must be `#[inline(always)]`, and so must what it calls: only what is inside
/// is compiled for the processor. So it is a `for`: what an iterator's `sum` or `for_each` calls may be outside.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a loop with vectors of 16 bytes, and with what newer processors do with them.
#[inline]
pub(crate) fn with_vectors<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "sse4.2,lzcnt,bmi2")]
        fn of_16_bytes<W: Work>(work: W) -> W::Output {
            work.run()
        }
        if std::arch::is_x86_feature_detected!("sse4.2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has just been asked.
            return unsafe { of_16_bytes(work) };
        }
    }
    work.run()
}
