//! Random numbers that are fixed at compile time, for incremental hashes.

/// The `index`-th number of the stream `seed` (the SplitMix64 generator, whose n-th output needs no state).
pub(crate) const fn key(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Spreads every bit of `value` over the result; one-to-one.
pub(crate) const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
