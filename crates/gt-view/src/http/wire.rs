//! What may go over HTTP as JSON: the types that `messages` lists.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What is sent as JSON: answers and events.
pub(super) trait Sent: Serialize {}

/// What is received as JSON: the bodies of requests.
pub(super) trait Received: DeserializeOwned {}
