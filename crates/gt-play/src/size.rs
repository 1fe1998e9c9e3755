//! Sizes of memory as text: `512M`, `4G`.

/// Parses a number of bytes, or of K, M, G or T of them (each 1024 times the one before; `MiB` and `mb` mean `M`).
///
/// # Errors
/// Returns a sentence on how a size is written if the text is not one.
pub fn parse_size(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let unit = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
    let power = ["", "k", "m", "g", "t"].iter().position(|known| *known == unit);
    let bytes = power.and_then(|power| {
        let factor = 1024_usize.checked_pow(u32::try_from(power).ok()?)?;
        number.parse::<usize>().ok()?.checked_mul(factor)
    });
    bytes.ok_or_else(|| "it is no size; write a whole number and K, M, G or T, as in 512M".to_owned())
}

/// The maximum size of a table or a tree.
const MEMORY_MAX: usize = 64 << 30;

/// Like [`parse_size`] for the memory of a search: a number alone counts MiB, as in UCI, and there is an upper limit of 64G.
///
/// # Errors
/// Returns a sentence on how a size is written if the text is not one.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let is_number = !text.trim().is_empty() && text.trim().chars().all(|c| c.is_ascii_digit());
    let bytes = if is_number { parse_size(&format!("{}M", text.trim())) } else { parse_size(text) };
    let too_much = || "a search takes at most 64G".to_owned();
    bytes.and_then(|bytes| Some(bytes).filter(|&bytes| bytes <= MEMORY_MAX).ok_or_else(too_much))
}

#[test]
fn sizes_are_bytes_or_multiples_of_1024() {
    for (text, size) in
        [("0", 0), ("77", 77), ("3k", 3 << 10), ("512M", 512 << 20), ("4 GiB", 4 << 30), ("2TB", 2 << 40)]
    {
        assert_eq!(parse_size(text), Ok(size), "{text}");
    }
    for wrong in ["", "M", "-1", "1.5G", "1X", "99999999999T", "1ibb"] {
        assert!(parse_size(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn memory_is_in_mebibytes_unless_it_says_otherwise() {
    for (text, size) in
        [("0", 0), ("64", 64 << 20), ("64M", 64 << 20), ("512k", 512 << 10), ("64G", 64 << 30)]
    {
        assert_eq!(parse_memory(text), Ok(size), "{text}");
    }
    for wrong in ["", "M", "-1", "65G", "99999999999999999999"] {
        assert!(parse_memory(wrong).is_err(), "{wrong}");
    }
}
