//! Settings written in one word: `moves=8,value=10`.

/// The numbers of `key=value,key=value`, in the order of `names`; `None` for omitted ones.
pub(crate) fn numbers<const N: usize>(text: &str, names: [&str; N]) -> Result<[Option<f64>; N], String> {
    let mut found = [None; N];
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or_else(|| format!("`{part}` lacks its `=`"))?;
        let place = names.iter().position(|name| *name == key.trim());
        let place = place.ok_or_else(|| format!("there is no `{key}`; there are {}", names.join(", ")))?;
        let number: f64 = value.trim().parse().map_err(|_| format!("{key}: `{value}` is not a number"))?;
        found[place] = Some(number);
    }
    Ok(found)
}
