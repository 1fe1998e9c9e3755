//! Files that replace nothing by accident: written beside their place and moved there when they are whole, or, for a log that others follow
//! while it grows, written in place under a lock.
//!
//! ```text
//! NewFile    x.csv.4711-0.part ──write──▶ ──keep──▶ x.csv        dropped before `keep`: the draft is removed
//! open_log   x.gtf, new and locked from its first byte on        a second writer is refused
//! ```
//!
//! **Invariant:** an existing file stays as it was until its replacement is whole ([`NewFile`]) or has begun ([`open_log`] with
//! [`Existing::Replace`]).

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// What happens to a file that exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Existing {
    /// It stays, and the new file is refused.
    #[default]
    Keep,
    /// The new file takes its place.
    Replace,
}

/// A file under construction beside its place. [`NewFile::keep`] moves it there; if dropped before that, it leaves nothing behind.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// use gt_log::{Existing, NewFile};
/// let target = folder.path().join("answers.csv");
/// let new = NewFile::at(&target, Existing::Keep)?;
/// std::io::Write::write_all(&mut new.create()?, b"node_id\n0\n")?;
/// assert!(!target.exists());
/// new.keep()?;
/// assert!(target.exists());
/// assert!(NewFile::at(&target, Existing::Keep).is_err(), "it is there already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    target: PathBuf,
    /// Where the file is written; the target itself if that is no regular file (a pipe, a device).
    draft: PathBuf,
    existing: Existing,
    /// The existing file, locked until it is replaced, so that nobody writes a log that is about to disappear.
    _replaced: Option<File>,
}

impl NewFile {
    /// Prepares a file for this place; nothing is written yet.
    ///
    /// # Errors
    /// If a file exists that must stay, is write-protected, or is open in another writer.
    pub fn at(target: impl AsRef<Path>, existing: Existing) -> Result<Self> {
        let target = target.as_ref();
        let Some(found) = Found::at(target)? else {
            return Ok(Self::beside(target.to_owned(), existing));
        };
        let target = found.path;
        if !found.is_regular {
            return Ok(Self { draft: target.clone(), target, existing, _replaced: None });
        }
        let replaced = claim(&target, existing, found.is_protected)?;
        let mut new = Self::beside(target, existing);
        new._replaced = replaced;
        Ok(new)
    }

    fn beside(target: PathBuf, existing: Existing) -> Self {
        let draft = draft_of(&target);
        drafts().push(draft.clone());
        Self { target, draft, existing, _replaced: None }
    }

    /// Removes the drafts of all files under construction, for a program that must end and will not come back to drop them.
    pub fn remove_all_drafts() {
        IS_ENDING.store(true, Ordering::SeqCst);
        for draft in drafts().drain(..) {
            let _ = std::fs::remove_file(draft);
        }
    }

    /// Where the file is written until it is kept.
    #[must_use]
    pub fn draft(&self) -> &Path {
        &self.draft
    }

    /// Begins the file, again if it was begun before.
    ///
    /// # Errors
    /// If the system refuses, or the program is ending.
    pub fn create(&self) -> io::Result<File> {
        let file = File::create(&self.draft)?;
        if IS_ENDING.load(Ordering::SeqCst) && self.draft != self.target {
            // No later call removes the draft.
            let _ = std::fs::remove_file(&self.draft);
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(file)
    }

    /// Moves the finished file to its place.
    ///
    /// # Errors
    /// If the system refuses, or meanwhile a file was made there that must stay; then the new file is removed.
    pub fn keep(self) -> Result<()> {
        if self.draft == self.target {
            return Ok(());
        }
        match self.existing {
            Existing::Keep => place_beside_nothing(&self.draft, &self.target),
            Existing::Replace => {
                if let Ok(there) = std::fs::metadata(&self.target) {
                    std::fs::set_permissions(&self.draft, there.permissions())?;
                }
                // The replaced file must not be gone before its replacement is on the disk.
                File::open(&self.draft)?.sync_all()?;
                Ok(std::fs::rename(&self.draft, &self.target)?)
            }
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After `keep` there is nothing left to remove.
        if self.draft != self.target {
            let _ = std::fs::remove_file(&self.draft);
            drafts().retain(|draft| *draft != self.draft);
        }
    }
}

/// Whether [`NewFile::remove_all_drafts`] was called.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The drafts of this process.
fn drafts() -> MutexGuard<'static, Vec<PathBuf>> {
    static DRAFTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the file of a new log, locked against other writers. `begin` writes the log's start; an existing log is replaced only after that.
pub(crate) fn open_log<T>(
    target: &Path,
    existing: Existing,
    begin: impl FnOnce(File) -> Result<T>,
) -> Result<T> {
    let Some(found) = Found::at(target)? else {
        return begin(create_locked(target)?);
    };
    let target = found.path;
    if !found.is_regular {
        return begin(OpenOptions::new().write(true).open(target)?);
    }
    // Held until the new log is in the old one's place.
    let _old = claim(&target, existing, found.is_protected)?;
    let draft = draft_of(&target);
    let begun = create_locked(&draft).and_then(begin).and_then(|begun| {
        std::fs::rename(&draft, &target)?;
        Ok(begun)
    });
    if begun.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    begun
}

/// Opens an existing log for writing, locked against other writers; `None` if there is no file.
pub(crate) fn open_existing_log(target: &Path) -> Result<Option<File>> {
    let Some(found) = Found::at(target)? else { return Ok(None) };
    if !found.is_regular {
        return Err(Error::Exists { path: found.path });
    }
    if found.is_protected {
        return Err(Error::WriteProtected { path: found.path });
    }
    let file = writer_options().read(true).open(&found.path).map_err(|error| refused(&found.path, error))?;
    lock(&found.path, file).map(Some)
}

/// What exists at a path.
struct Found {
    /// The path itself, or the target of its symbolic link.
    path: PathBuf,
    is_regular: bool,
    is_protected: bool,
}

impl Found {
    fn at(target: &Path) -> Result<Option<Self>> {
        match std::fs::metadata(target) {
            Ok(there) => {
                let is_link = std::fs::symlink_metadata(target).is_ok_and(|place| place.is_symlink());
                let path = if is_link { target.canonicalize()? } else { target.to_owned() };
                let is_protected = there.permissions().readonly();
                Ok(Some(Self { path, is_regular: there.is_file(), is_protected }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Checks that a file may be replaced, and returns the file, locked.
fn claim(target: &Path, existing: Existing, is_protected: bool) -> Result<Option<File>> {
    // A file that cannot be opened is nobody's log; the reason shows when it is replaced.
    let locked = match File::open(target) {
        Ok(there) => Some(lock(target, there)?),
        Err(_) => None,
    };
    match existing {
        Existing::Keep => Err(Error::Exists { path: target.to_owned() }),
        Existing::Replace if is_protected => Err(Error::WriteProtected { path: target.to_owned() }),
        // An open file cannot be replaced on Windows.
        Existing::Replace => Ok(locked.filter(|_| !cfg!(windows))),
    }
}

/// A name beside the target that nobody else uses.
fn draft_of(target: &Path) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{}.part", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    target.with_file_name(name)
}

/// Gives a draft its name, unless something has that name already.
fn place_beside_nothing(draft: &Path, target: &Path) -> Result<()> {
    match std::fs::hard_link(draft, target) {
        // The draft's own name goes when it is dropped.
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::Exists { path: target.to_owned() })
        }
        // The file system has no links.
        Err(_) if !target.exists() => Ok(std::fs::rename(draft, target)?),
        Err(_) => Err(Error::Exists { path: target.to_owned() }),
    }
}

fn create_locked(path: &Path) -> Result<File> {
    match writer_options().create_new(true).open(path) {
        Ok(file) => lock(path, file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::Exists { path: path.to_owned() })
        }
        Err(error) => Err(refused(path, error)),
    }
}

/// The options with which a log's writer opens the file.
fn writer_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    // On Windows, a lock would keep readers out too: there, opening the file denies it to other writers.
    #[cfg(windows)]
    {
        const SHARE_READ_AND_DELETE: u32 = 0x1 | 0x4;
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, SHARE_READ_AND_DELETE);
    }
    options
}

fn refused(path: &Path, error: io::Error) -> Error {
    const SHARING_VIOLATION: i32 = 32;
    if cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION) {
        return Error::BeingWritten { path: path.to_owned() };
    }
    error.into()
}

/// Locks a log that is about to be written; on a file system without locks, it stays unlocked.
fn lock(path: &Path, file: File) -> Result<File> {
    if cfg!(windows) {
        return Ok(file);
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::BeingWritten { path: path.to_owned() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}
