//! Writes a log.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::append;
use super::options::Options;
use super::sink::Sink;
use super::tree::{Dynamic, TreeWriter};
use crate::error::{Error, Result};
use crate::format::names_bytes;
use crate::new_file::{Existing, open_log};
use crate::record::Record;
use crate::{Header, Metadata};

/// Writes a log of any number of trees, one after the other or several at once from different threads.
///
/// ```
/// use gt_log::{Header, LogWriter, Metadata, Schema};
/// gt_log::record! { struct Node { best: i32 } }
///
/// let log = LogWriter::to_memory(Header::new("nim", Schema::of::<Node>()?))?;
/// let mut tree = log.tree::<Node>(&Metadata::new().with("depth", 1))?;
/// tree.enter(0)?;
/// tree.enter(1)?;
/// tree.leave(&Node { best: 3 })?;
/// tree.leave(&Node { best: -3 })?;
/// tree.finish()?;
/// let bytes = log.into_memory()?;
/// assert_eq!(gt_log::Log::from_bytes(bytes)?.tree(0)?.nodes(), 2);
/// # Ok::<(), gt_log::Error>(())
/// ```
pub struct LogWriter {
    /// `None` when logging is off.
    sink: Option<Arc<Sink>>,
    header: Header,
    memory: Option<Memory>,
}

impl LogWriter {
    /// Creates a log in a new file. If the file exists, it stays as it is, and this is an error.
    pub fn create(path: impl AsRef<Path>, header: Header) -> Result<Self> {
        Self::create_with(path, header, Existing::Keep)
    }

    /// Creates a log in a file; `existing` says what happens to a file that exists already.
    ///
    /// A file that another writer has open is never replaced. Until the log is finished or dropped, no other writer can open it.
    pub fn create_with(path: impl AsRef<Path>, header: Header, existing: Existing) -> Result<Self> {
        if cfg!(feature = "off") {
            return Ok(Self::off());
        }
        open_log(path.as_ref(), existing, |file| Self::to_writer(file, header))
    }

    /// Adds trees to the log in a file, or creates the file if it does not exist.
    ///
    /// An existing log must be closed and must have the same game, attributes and aliases; its trees stay, and so does its metadata.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use gt_log::{Header, Log, LogWriter, Metadata, Schema};
    /// gt_log::record! { struct Node { best: i32 } }
    ///
    /// let path = folder.path().join("games.gtf");
    /// for best in [1, 2] {
    ///     let log = LogWriter::append(&path, Header::new("nim", Schema::of::<Node>()?))?;
    ///     let mut tree = log.tree::<Node>(&Metadata::new())?;
    ///     tree.enter(0)?;
    ///     tree.leave(&Node { best })?;
    ///     tree.finish()?;
    ///     log.finish()?;
    /// }
    /// assert_eq!(Log::open(&path)?.tree_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The existing log does not match ([`Error::Unlike`]), was not closed, or is being written.
    pub fn append(path: impl AsRef<Path>, header: Header) -> Result<Self> {
        if cfg!(feature = "off") {
            return Ok(Self::off());
        }
        let path = path.as_ref();
        match append::reopen(path, &header)? {
            Some((sink, header)) => Ok(Self { sink: Some(Arc::new(sink)), header, memory: None }),
            None => Self::create(path, header),
        }
    }

    /// Creates a log in anything that takes bytes in order.
    pub fn to_writer(target: impl Write + Send + 'static, header: Header) -> Result<Self> {
        let sink = Sink::new(Box::new(target), &header.to_bytes())?;
        Ok(Self { sink: Some(Arc::new(sink)), header, memory: None })
    }

    /// Creates a log in memory; [`LogWriter::into_memory`] returns its bytes.
    pub fn to_memory(header: Header) -> Result<Self> {
        let memory = Memory::default();
        let mut log = Self::to_writer(memory.clone(), header)?;
        log.memory = Some(memory);
        Ok(log)
    }

    /// Creates a log that records nothing, for an engine with logging switched off.
    #[must_use]
    pub fn off() -> Self {
        Self { sink: None, header: Header::default(), memory: None }
    }

    /// Begins a tree with records of type `R`, whose attributes must be those of the log.
    pub fn tree<R: Record>(&self, metadata: &Metadata) -> Result<TreeWriter<R>> {
        self.tree_with(metadata, Options::default())
    }

    /// Begins a tree like [`LogWriter::tree`], with options for what is logged and when.
    pub fn tree_with<R: Record>(&self, metadata: &Metadata, options: Options) -> Result<TreeWriter<R>> {
        if self.sink.is_some() {
            self.check(&R::attributes())?;
        }
        self.begin(metadata, options)
    }

    /// Begins a tree whose nodes are left with [`TreeWriter::leave_values`].
    pub fn dynamic_tree(&self, metadata: &Metadata, options: Options) -> Result<TreeWriter<Dynamic>> {
        self.begin(metadata, options)
    }

    /// Names moves of a game that has no notation in GT-Tools: `last_move` is then shown by its name. A later name replaces an earlier one.
    pub fn name_moves<'n>(&self, names: impl IntoIterator<Item = (i64, &'n str)>) -> Result<()> {
        let head = names_bytes(names);
        match &self.sink {
            Some(sink) if !head.is_empty() => sink.append_names(&head),
            _ => Ok(()),
        }
    }

    /// The number of bytes written so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sink.as_ref().map_or(0, |sink| sink.bytes())
    }

    /// Closes the log with its index, and returns its length. Trees that are still being written are cut off where they are: finish them
    /// first.
    pub fn finish(mut self) -> Result<u64> {
        match self.sink.take() {
            None => Ok(0),
            Some(sink) => sink.close(),
        }
    }

    /// Waits until every tree that ended [later](TreeWriter::finish_later) is in the file; an error if the file has refused to take
    /// something.
    pub fn flush(&self) -> Result<()> {
        match &self.sink {
            None => Ok(()),
            Some(sink) => sink.wait_and_check(),
        }
    }

    /// Closes a log in memory and returns its bytes; for any other log, they are empty.
    pub fn into_memory(mut self) -> Result<Vec<u8>> {
        let memory = self.memory.take();
        self.finish()?;
        Ok(memory.map(|memory| memory.take()).unwrap_or_default())
    }

    fn begin<R>(&self, metadata: &Metadata, options: Options) -> Result<TreeWriter<R>> {
        match &self.sink {
            None => Ok(TreeWriter::off()),
            Some(sink) => TreeWriter::begin(sink.clone(), &self.header.schema, metadata, options),
        }
    }

    fn check(&self, attributes: &[(&'static str, crate::Kind)]) -> Result<()> {
        let own = self.header.schema.attributes();
        let same = own.len() == attributes.len()
            && own.iter().zip(attributes).all(|(own, given)| own.name == given.0 && own.kind == given.1);
        if same {
            return Ok(());
        }
        let list = |names: Vec<String>| names.join(", ");
        let log = list(own.iter().map(|a| format!("{}: {}", a.name, a.kind)).collect());
        let given = list(attributes.iter().map(|(name, kind)| format!("{name}: {kind}")).collect());
        Err(Error::WrongRecord { what: format!("the log has ({log}), the record type ({given})") })
    }
}

impl Drop for LogWriter {
    /// Writes the index when the log goes out of scope, unless a tree is still being written elsewhere: then the log stays as after a
    /// crash, readable up to its last block.
    fn drop(&mut self) {
        if let Some(sink) = self.sink.take()
            && !sink.has_open_trees()
        {
            let _ = sink.close();
        }
    }
}

/// Bytes that the sink and the log share.
#[derive(Clone, Default)]
struct Memory(Arc<std::sync::Mutex<Vec<u8>>>);

impl Memory {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
