//! A second name of an attribute or alias, as a schema keeps it.

/// A second name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OtherName {
    pub(super) name: String,
    pub(super) of: Of,
}

/// The attribute or alias that another name stands for, by its place in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Attribute(usize),
    Alias(usize),
}
