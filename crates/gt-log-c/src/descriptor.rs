//! The caller's descriptor: read once, checked in every part, turned into a schema and a plan.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

use gt_log::{Header, Kind, Schema, SchemaError, TEXT_BYTES_MAX};

use crate::abi::{
    GTAttribute, GTDataDescript, GTL_ALIASES_MAX, GTL_AT_ENTRY, GTL_ATTRIBUTES_MAX, GTL_BOOL, GTL_FLOAT,
    GTL_INT, GTL_TEXT, GTL_UINT,
};
use crate::boundary::Fault;
use crate::plan::{Place, Plan};

/// The header of the logs, and the plan for reading records.
///
/// # Safety
/// The descriptor's texts are NULL or end with a zero byte.
pub(crate) unsafe fn understand(descriptor: &GTDataDescript) -> Result<(Header, Plan), Fault> {
    let attribute_count = within(descriptor.attribute_count, GTL_ATTRIBUTES_MAX, "attributes")?;
    let alias_count = within(descriptor.alias_count, GTL_ALIASES_MAX, "aliases")?;

    let mut attributes = Vec::with_capacity(attribute_count);
    let mut places = Vec::with_capacity(attribute_count);
    for (place, attribute) in descriptor.attributes[..attribute_count].iter().enumerate() {
        // SAFETY: the attribute's name is NULL or ends with a zero byte (caller).
        let name = unsafe { name(attribute.name, "attribute", place) }?;
        let kind = kind_of(attribute, &name)?;
        check_place(attribute, &name, descriptor.record_size)?;
        let is_known_at_entry = attribute.kind & GTL_AT_ENTRY != 0;
        places.push(Place { offset: attribute.offset, size: attribute.size, kind, is_known_at_entry });
        attributes.push((name, kind));
    }
    let mut aliases = Vec::with_capacity(alias_count);
    for (place, alias) in descriptor.aliases[..alias_count].iter().enumerate() {
        // SAFETY: the alias's name is NULL or ends with a zero byte (caller).
        aliases.push((unsafe { name(alias.name, "alias", place) }?, alias.value));
    }
    let schema =
        aliases.into_iter().try_fold(Schema::new(attributes).map_err(gt_log::Error::from)?, with_alias);
    // SAFETY: the game's name is NULL or ends with a zero byte (caller).
    let game = unsafe { text(descriptor.game) };
    if game.len() > TEXT_BYTES_MAX {
        let text =
            format!("the name of the game has {} bytes, at most {TEXT_BYTES_MAX} are kept", game.len());
        return Err(Fault::argument(text));
    }
    let header = Header::new(game, schema.map_err(gt_log::Error::from)?);
    Ok((header, Plan::new(descriptor.record_size, &places)))
}

/// The schema with one more alias: `type:PVNode` is an alias of the attribute `type`, `PVNode` one of any.
fn with_alias(schema: Schema, (name, value): (String, i64)) -> Result<Schema, SchemaError> {
    match name.split_once(':') {
        Some((attribute, alias)) => schema.with_aliases_of(attribute.trim(), [(alias.trim(), value)]),
        None => schema.with_aliases([(name, value)]),
    }
}

/// A text of the caller; NULL is empty, and invalid UTF-8 is replaced.
///
/// # Safety
/// The text is NULL or ends with a zero byte, and does not change while the result is used.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: `text` is not NULL, so it ends with a zero byte and does not change while it is used (caller).
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

fn within(count: usize, max: usize, what: &str) -> Result<usize, Fault> {
    if count <= max {
        return Ok(count);
    }
    Err(Fault::argument(format!("the descriptor claims {count} {what}; at most {max} fit into one")))
}

/// # Safety
/// As for [`text`].
unsafe fn name(given: *const c_char, what: &str, place: usize) -> Result<String, Fault> {
    if given.is_null() {
        let text =
            format!("{what} {place} of the descriptor has no name; is the count before the list right?");
        return Err(Fault::argument(text));
    }
    // SAFETY: `given` is NULL or ends with a zero byte (caller).
    Ok(unsafe { text(given) }.into_owned())
}

fn kind_of(attribute: &GTAttribute, name: &str) -> Result<Kind, Fault> {
    let name = name.escape_debug();
    let (kind, sizes) = match attribute.kind & !GTL_AT_ENTRY {
        GTL_INT => (
            sized([Kind::I8, Kind::I16, Kind::I32, Kind::I64], attribute.size),
            "an integer has 1, 2, 4 or 8",
        ),
        GTL_UINT => (
            sized([Kind::U8, Kind::U16, Kind::U32, Kind::U64], attribute.size),
            "an integer has 1, 2, 4 or 8",
        ),
        GTL_FLOAT => (floating(attribute.size), "a floating-point number has 4 or 8"),
        GTL_BOOL => (sized([Kind::Bool; 4], attribute.size), "a truth value has 1, 2, 4 or 8"),
        GTL_TEXT => {
            let pointer = attribute.size == size_of::<*const c_char>();
            (pointer.then_some(Kind::Text), "a text is a `const char *`, of as many bytes as a pointer")
        }
        _ => {
            let text = format!(
                "attribute `{name}` has the unknown type {}; the types are GTL_INT, GTL_UINT, GTL_FLOAT, \
                 GTL_BOOL and GTL_TEXT",
                attribute.kind
            );
            return Err(Fault::argument(text));
        }
    };
    kind.ok_or_else(|| {
        Fault::argument(format!("attribute `{name}` has a size of {} bytes; {sizes}", attribute.size))
    })
}

fn sized(kinds: [Kind; 4], size: usize) -> Option<Kind> {
    [1, 2, 4, 8].into_iter().zip(kinds).find(|&(bytes, _)| bytes == size).map(|(_, kind)| kind)
}

fn floating(size: usize) -> Option<Kind> {
    match size {
        4 => Some(Kind::F32),
        8 => Some(Kind::F64),
        _ => None,
    }
}

fn check_place(attribute: &GTAttribute, name: &str, record_size: usize) -> Result<(), Fault> {
    let end = attribute.offset.checked_add(attribute.size);
    if end.is_some_and(|end| end <= record_size) {
        return Ok(());
    }
    Err(Fault::argument(format!(
        "attribute `{}` (offset {}, size {}) reaches beyond the record of {record_size} bytes",
        name.escape_debug(),
        attribute.offset,
        attribute.size
    )))
}
