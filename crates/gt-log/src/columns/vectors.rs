//! Runs loops in the way that suits the processor best.
//!
//! Every processor of x86-64 has vectors of 16 bytes; newer ones do more with them, and have instructions that return the length of an
//! integer. A loop that is written once is compiled for both, and the choice is made when it is called.
//!
//! Wider vectors are not used: many processors run slowly for a while when they first meet them, because they must switch on the wide part
//! of their units, and may lower their clock. These loops gain less from them than the search loses, on whose thread they sometimes run.

/// A loop for which the compiler uses vectors.
///
/// [`Work::run`] must be `#[inline(always)]`, and so must everything that it calls: only inlined code is compiled for the processor. So
/// write it as a `for`: the code that an iterator's `sum` or `for_each` calls may not be inlined.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a loop with vectors of 16 bytes, and with everything that newer processors do with them.
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
            // SAFETY: the check above says that the processor has these instructions.
            return unsafe { of_16_bytes(work) };
        }
    }
    work.run()
}
