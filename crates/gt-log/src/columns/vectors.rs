//! Loops as the processor at hand runs them best.
//!
//! Every processor of x86-64 has vectors of 16 bytes, newer ones of 32 and of 64, and instructions that tell the length of an integer.
//! A loop that is written once is compiled for each, and which one runs is decided when it is called.

/// A loop that the compiler makes vectors of. [`Work::run`] must be `#[inline(always)]`, and so must what it calls: only what is inside
/// is compiled for the processor. So it is a `for`: what an iterator's `sum` or `for_each` calls may be outside.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a loop with the widest vectors that the processor has.
#[inline]
pub(crate) fn with_vectors<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,lzcnt,bmi2")]
        fn of_64_bytes<W: Work>(work: W) -> W::Output {
            work.run()
        }
        #[target_feature(enable = "avx2,lzcnt,bmi2")]
        fn of_32_bytes<W: Work>(work: W) -> W::Output {
            work.run()
        }
        macro_rules! has {
            ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        if has!("avx512f", "avx512bw", "avx512dq", "avx512vl", "lzcnt", "bmi2") {
            // SAFETY: the processor has just been asked.
            return unsafe { of_64_bytes(work) };
        }
        if has!("avx2", "lzcnt", "bmi2") {
            // SAFETY: the processor has just been asked.
            return unsafe { of_32_bytes(work) };
        }
    }
    work.run()
}
