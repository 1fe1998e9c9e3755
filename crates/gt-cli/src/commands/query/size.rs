//! Sizes of memory on the command line: `512M`, `4G`.

/// Reads a number of bytes, or of K, M, G or T of them (each 1024 times the one before; `MiB` and `mb` mean `M`).
pub(crate) fn bytes(text: &str) -> Result<usize, String> {
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

#[test]
fn sizes_are_bytes_or_multiples_of_1024() {
    for (text, size) in
        [("0", 0), ("77", 77), ("3k", 3 << 10), ("512M", 512 << 20), ("4 GiB", 4 << 30), ("2TB", 2 << 40)]
    {
        assert_eq!(bytes(text), Ok(size), "{text}");
    }
    for wrong in ["", "M", "-1", "1.5G", "1X", "99999999999T", "1ibb"] {
        assert!(bytes(wrong).is_err(), "{wrong}");
    }
}
