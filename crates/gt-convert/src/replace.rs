//! A file that is written beside its place and moved there when it is whole: what fails leaves nothing behind
//! and spoils nothing that was there.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) struct Replacement {
    target: PathBuf,
    /// Where it is written; the target itself where that is no regular file (a pipe, a device).
    draft: PathBuf,
}

impl Replacement {
    pub(crate) fn of(target: &Path) -> Self {
        let special = std::fs::metadata(target).is_ok_and(|metadata| !metadata.is_file());
        let draft = match target.file_name() {
            Some(name) if !special => {
                let mut draft = name.to_owned();
                draft.push(format!(".{}.part", std::process::id()));
                target.with_file_name(draft)
            }
            _ => target.to_owned(),
        };
        Self { target: target.to_owned(), draft }
    }

    /// Begins the file, anew if it was begun before.
    pub(crate) fn create(&self) -> io::Result<File> {
        File::create(&self.draft)
    }

    /// Moves the finished file to its place.
    pub(crate) fn keep(self) -> io::Result<()> {
        if self.draft == self.target {
            return Ok(());
        }
        std::fs::rename(&self.draft, &self.target)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After `keep` there is nothing left to remove.
        if self.draft != self.target {
            let _ = std::fs::remove_file(&self.draft);
        }
    }
}
