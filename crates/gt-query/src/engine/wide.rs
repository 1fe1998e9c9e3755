//! Loops compiled twice: for any processor of the family, and for those with 256-bit vectors and bit counting.
//!
//! The compiler may use only what every x86-64 has, which takes a dozen instructions to count bits; nearly every
//! machine has a single one for it. So the critical loops are compiled a second time, and selected at run time.

/// Declares a function whose body is compiled twice.
macro_rules! wide {
    ($(#[$meta:meta])* fn $name:ident $([$($generic:ident: $bound:path),+])? ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        #[inline]
        pub(in $crate::engine) fn $name$(<$($generic: $bound),+>)?($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn body$(<$($generic: $bound),+>)?($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
                fn with_vectors$(<$($generic: $bound),+>)?($($argument: $type),*) $(-> $result)? {
                    body($($argument),*)
                }
                if $crate::engine::wide::has_vectors() {
                    // SAFETY: `with_vectors` requires CPU features, and `has_vectors` has just detected all
                    // of them.
                    return unsafe { with_vectors($($argument),*) };
                }
            }
            body($($argument),*)
        }
    };
}
pub(in crate::engine) use wide;

/// Whether this processor has the instructions for which loops are compiled a second time.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(in crate::engine) fn has_vectors() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}
