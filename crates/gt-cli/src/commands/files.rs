//! The files of a command: opening what it reads, and the one way in which anything is written.
//!
//! ```text
//! new_log    a whole log        kept as it is without `--force`
//! new_file   any other output   replaced when the new one is whole
//! ```
//!
//! **Invariant:** a command that fails or is interrupted leaves no rest, and leaves what was there as it was. No output
//! takes the place of an input, under whatever name, and no write-protected file is replaced.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use gt_log::{Error, Existing, Limits, Log, NewFile, Tree};
use gt_report::missing_text;

use crate::failure::Failure;
use crate::tell::tell;

/// Opens a log; where it was not closed properly, says on standard error what it was found to hold.
pub(crate) fn open(path: &Path) -> Result<Log, Failure> {
    let log = open_as_is(path)?;
    if let Some(warning) = missing_text(log.condition()) {
        tell(format_args!("{}: {warning}", path.display()));
    }
    Ok(log)
}

/// Opens a log, and says nothing of the state that it was found in.
pub(crate) fn open_as_is(path: &Path) -> Result<Log, Failure> {
    Log::open_with(path, limits()?).map_err(|error| Failure::about(path, error))
}

/// The variable that says how many mebibytes one part of a log may take in memory.
const PART_MIB_MAX: &str = "GT_PART_MIB_MAX";

/// How much memory a log's parts may take: the library's limits, or what the user says.
pub(crate) fn limits() -> Result<Limits, Failure> {
    let Some(text) = std::env::var_os(PART_MIB_MAX) else { return Ok(Limits::default()) };
    let mebibytes = text.to_str().and_then(|text| text.parse::<u32>().ok()).filter(|&number| number > 0);
    let Some(mebibytes) = mebibytes else {
        let sentence = format!("the variable {PART_MIB_MAX} must be a number of mebibytes from 1 on");
        return Err(Failure::new(sentence));
    };
    let part_bytes_max = u64::from(mebibytes) << 20;
    let block_bytes_max = Limits::default().block_bytes_max.max(part_bytes_max);
    Ok(Limits { part_bytes_max, block_bytes_max })
}

/// A tree of a log.
pub(crate) fn tree<'a>(log: &'a Log, path: &Path, tree: usize) -> Result<Tree<'a>, Failure> {
    log.tree(tree).map_err(|error| Failure::about(path, error))
}

/// The choice that every command has that writes a log.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Force {
    /// Replace a file that is there already
    #[arg(long)]
    force: bool,
}

impl Force {
    pub(crate) fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }

    /// Refuses before the work what would be refused after it: a log that is there and must stay.
    pub(crate) fn check(self, target: &Path) -> Result<(), Failure> {
        NewFile::at(target, self.existing()).map(drop).map_err(|error| refused(target, &error))
    }

    /// The words of the command line that say it.
    pub(crate) fn words(self) -> &'static [&'static str] {
        if self.force { &["--force"] } else { &[] }
    }
}

/// Writes a whole log through `write`; one that is there stays, unless `--force` was given.
pub(crate) fn new_log<T>(
    target: &Path,
    force: Force,
    sources: &[&Path],
    write: impl FnOnce(&NewFile) -> Result<T, Failure>,
) -> Result<T, Failure> {
    refuse_inputs(target, sources)?;
    write_new(target, force.existing(), write)
}

/// Writes any other file through `write`, in the place of one that is there.
pub(crate) fn new_file<T>(
    target: &Path,
    sources: &[&Path],
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, Failure>,
) -> Result<T, Failure> {
    refuse_inputs(target, sources)?;
    write_new(target, Existing::Replace, |new| {
        let about = |error| Failure::about(target, error);
        let file = BufWriter::new(new.create().map_err(about)?);
        let mut file = Blamed { file, error: None };
        let written = write(&mut file).and_then(|written| {
            file.flush().map_err(about)?;
            Ok(written)
        });
        written.map_err(|failure| file.error.map_or(failure, about))
    })
}

/// Keeps why the system refused to write: what a format makes of it may blame something else.
struct Blamed<W> {
    file: W,
    error: Option<io::Error>,
}

impl<W: Write> Blamed<W> {
    fn attempt<T>(&mut self, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        write(&mut self.file).inspect_err(|error| {
            let same = || error.raw_os_error().map_or(error.kind().into(), io::Error::from_raw_os_error);
            self.error.get_or_insert_with(same);
        })
    }
}

impl<W: Write> Write for Blamed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(Write::flush)
    }
}

/// Writes a text as a file.
pub(crate) fn new_text(target: &Path, sources: &[&Path], text: &str) -> Result<(), Failure> {
    new_file(target, sources, |file| {
        file.write_all(text.as_bytes()).map_err(|error| Failure::about(target, error))
    })
}

/// What to say where a file cannot be written, with the way out if there is one.
pub(crate) fn refused(target: &Path, error: &Error) -> Failure {
    match error {
        Error::Exists { .. } => Failure::new(format!("{error}; `--force` replaces it")),
        // These name the file themselves.
        Error::WriteProtected { .. } | Error::BeingWritten { .. } => Failure::new(error.to_string()),
        _ => Failure::about(target, error),
    }
}

/// An error of a log that was being turned into another: the system's errors are about what is written, all others about
/// what is read.
pub(crate) fn turning(source: &Path, target: &Path, error: &Error) -> Failure {
    let path = if matches!(error, Error::Io(_)) { target } else { source };
    Failure::about(path, error)
}

fn write_new<T>(
    target: &Path,
    existing: Existing,
    write: impl FnOnce(&NewFile) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let new = NewFile::at(target, existing).map_err(|error| refused(target, &error))?;
    let written = write(&new)?;
    new.keep().map_err(|error| refused(target, &error))?;
    Ok(written)
}

/// Refuses a name whose ending says another format than is written; a name without an ending is as good as any.
pub(crate) fn refuse_other_endings(
    target: &Path,
    endings: &[&str],
    sentence: &'static str,
) -> Result<(), Failure> {
    let ending = target.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending {
        Some(ending) if !endings.contains(&ending.as_str()) => Err(Failure::about(target, sentence)),
        _ => Ok(()),
    }
}

pub(crate) fn refuse_inputs(target: &Path, sources: &[&Path]) -> Result<(), Failure> {
    if sources.iter().any(|source| is_same_file(source, target)) {
        return Err(Failure::about(
            target,
            "the output would replace the input; choose another name for `-o`",
        ));
    }
    Ok(())
}

/// Whether two names lead to one file: by hard links, symbolic links, or as spelled.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino())).ok();
    // Two names of one pipe or terminal are no danger: nothing in it is replaced.
    std::fs::metadata(other).is_ok_and(|file| file.is_file()) && identity(one) == identity(other)
}

#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    same_file::is_same_file(one, other).unwrap_or(false)
}
