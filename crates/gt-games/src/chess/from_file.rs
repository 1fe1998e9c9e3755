//! Evaluations from files: weights of the six terms, or a network.

use super::evaluate::{Weighted, Weights};
use super::network::{ByNetwork, Network};
use crate::error::{ErrorKind, NotationError, Result};
use std::sync::{Mutex, PoisonError};

/// An evaluation from a file.
#[derive(Clone, Copy, Debug)]
pub enum FromFile {
    /// The six terms with other weights.
    Weighted(Weighted),
    /// A network.
    ByNetwork(ByNetwork),
}

impl FromFile {
    /// Loads a file and keeps it for as long as the program runs: evaluations are copied freely, and use it at every
    /// node.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has neither weights nor a network.
    pub fn load(path: &str) -> Result<Self> {
        static WEIGHTS: Loaded<Weights> = Loaded::new();
        static NETWORKS: Loaded<Network> = Loaded::new();
        let refused = |problem: String| NotationError::new(ErrorKind::UnknownName, path, problem);
        let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
        if Network::begins(&bytes) {
            let network = Network::parse(&bytes).map_err(|error| refused(error.problem))?;
            return Ok(Self::ByNetwork(ByNetwork(NETWORKS.keep(network))));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| refused("neither weights, which are text, nor a network".to_owned()))?;
        Ok(Self::Weighted(Weighted(WEIGHTS.keep(Weights::parse(&text)?))))
    }
}

/// The loaded values, each stored once.
struct Loaded<T: 'static>(Mutex<Vec<&'static T>>);

impl<T: PartialEq> Loaded<T> {
    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn keep(&self, new: T) -> &'static T {
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.iter().find(|known| ***known == new) {
            return known;
        }
        let kept: &'static T = Box::leak(Box::new(new));
        loaded.push(kept);
        kept
    }
}
