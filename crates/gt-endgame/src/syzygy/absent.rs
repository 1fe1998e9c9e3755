//! In place of the tables, where this program cannot read them.

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
        for folder in &folders {
            for file in files::in_folder(folder)? {
                files::check(&file)?;
            }
        }
        let why = "this program was built without what reads Syzygy tables";
        Err(Error::Unfit(format!("{}: {why}", files::list(&folders))))
    }

    pub(crate) fn pieces_max(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn result(&self, _: &Board) -> Option<KnownEnding> {
        match *self {}
    }

    pub(crate) fn progress(&self, _: &Board) -> Option<Progress> {
        match *self {}
    }
}
