//! In place of the tables, where this program cannot read them.

use super::stock::Stock;
use super::{Progress, files};
use crate::error::{Error, Result};
use cozy_chess::Board;
use gt_search::KnownEnding;
use std::path::PathBuf;
use std::sync::Arc;

/// Tables that cannot be open.
#[derive(Debug)]
pub(crate) enum Syzygy {}

impl Syzygy {
    pub(crate) fn open(folders: Vec<PathBuf>) -> Result<Arc<Self>> {
        Stock::of(&folders)?;
        let why = "this program was built without what reads Syzygy tables";
        Err(Error::Unfit(format!("{}: {why}", files::list(&folders))))
    }

    pub(crate) fn pieces_max(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn result(&self, _: &Board) -> Option<KnownEnding> {
        match *self {}
    }

    pub(crate) fn result_at_clock(&self, _: &Board) -> Option<KnownEnding> {
        match *self {}
    }

    pub(crate) fn progress(&self, _: &Board) -> Option<Progress> {
        match *self {}
    }
}
