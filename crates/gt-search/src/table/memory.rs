//! Shortens the wait for memory in the table.
//!
//! A table is read at random, far beyond the size of the caches: a look-up spends most of its time waiting for memory. Early requests and
//! large pages shorten the wait, if the processor and the system offer them.

/// Asks the processor for the cache line at the beginning of `wanted`.
#[inline]
pub(crate) fn prefetch<T>(wanted: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this architecture has the instruction; it changes nothing but caches, and no
        // address makes it fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(wanted).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = wanted;
}

/// Asks the system for large pages in the spare room of `items`, which must not have been written to yet.
///
/// With small pages, the processor also has to look up where a page is, for most of the table.
pub(super) fn prefer_large_pages<T>(items: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE_BYTES_MAX: usize = 1 << 16;
        let room = items.spare_capacity_mut();
        let bytes = size_of_val(room);
        let address = room.as_mut_ptr().cast::<u8>();
        let before = address.align_offset(PAGE_BYTES_MAX);
        if before < bytes {
            // SAFETY: the range lies in the spare room of `items`, except for the rest of its last page, and this advice changes no
            // contents. If the system refuses it, the pages stay small.
            unsafe { libc::madvise(address.add(before).cast(), bytes - before, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = items;
}
