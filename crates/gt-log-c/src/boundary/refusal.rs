//! Why a handle refuses a call.

/// The reason why a call is refused; the text is for the calling thread.
pub(super) struct Refusal(pub(super) &'static str);

pub(super) const NESTED: Refusal =
    Refusal("a callback called its own handle; it may look at the engine, but not log or ask");
pub(super) const IN_USE: Refusal = Refusal(
    "another thread is using the handle; a handle is for one thread at a time, and gtl_share makes more",
);
pub(super) const OWNED: Refusal = Refusal(
    "another thread has nodes open in the handle's tree; a handle is for one thread at a time, and gtl_share makes more",
);
pub(super) const DELETED: Refusal = Refusal("the handle was deleted");
pub(super) const COPIED: Refusal = Refusal(
    "the handle is the parent process's; after a fork, the child makes a handle with a file of its own",
);
