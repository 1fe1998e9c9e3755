//! A table is read at random, far beyond what caches hold: most of the time of a look-up is spent waiting for memory.
//! Asking early and large pages shorten the wait, where the processor and the system offer them.

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

/// Asks the system for large pages below the room of `items`, which must not have been written to yet. With small ones
/// the processor also has to look up, for most of the table, where a page is.
pub(super) fn prefer_large_pages<T>(items: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE_BYTES_MAX: usize = 1 << 16;
        let room = items.spare_capacity_mut();
        let bytes = size_of_val(room);
        let address = room.as_mut_ptr().cast::<u8>();
        let before = address.align_offset(PAGE_BYTES_MAX);
        if before < bytes {
            // SAFETY: the range is a part of the room, but for the rest of its last page, and this advice changes no
            // contents. It may be refused, and the pages are small then.
            unsafe { libc::madvise(address.add(before).cast(), bytes - before, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = items;
}
