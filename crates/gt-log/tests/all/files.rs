//! Files that are there: replaced only when asked to, never while somebody writes them, and only by what is whole.

use std::fs;
use std::io::Write;

use gt_log::{Error, Existing, Header, Kind, Log, LogWriter, Metadata, NewFile, Options, Schema, Value};

fn header() -> Header {
    Header::new("test", Schema::new([("best", Kind::I8)]).unwrap())
}

fn write_log(log: &LogWriter) {
    let mut tree = log.dynamic_tree(&Metadata::new(), Options::default()).unwrap();
    tree.enter(0).unwrap();
    tree.leave_values(&[Value::Int(1)]).unwrap();
    tree.finish().unwrap();
}

/// The names in a folder.
fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_log_that_is_there_is_replaced_only_when_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gtf");
    fs::write(&path, "precious").unwrap();
    assert!(matches!(LogWriter::create(&path, header()), Err(Error::Exists { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    let log = LogWriter::create_with(&path, header(), Existing::Replace).unwrap();
    write_log(&log);
    log.finish().unwrap();
    assert_eq!(Log::open(&path).unwrap().tree_count(), 1);
    assert_eq!(names(folder.path()), ["a.gtf"]);
}

#[test]
fn a_log_that_is_being_written_is_refused_to_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gtf");
    let log = LogWriter::create(&path, header()).unwrap();
    for existing in [Existing::Keep, Existing::Replace] {
        let second = LogWriter::create_with(&path, header(), existing).err().unwrap();
        assert!(matches!(second, Error::BeingWritten { .. }), "{existing:?}: {second}");
        let other = NewFile::at(&path, existing).err().unwrap();
        assert!(matches!(other, Error::BeingWritten { .. }), "{existing:?}: {other}");
    }
    write_log(&log);
    log.finish().unwrap();
    assert_eq!(Log::open(&path).unwrap().tree_count(), 1);
    LogWriter::create_with(&path, header(), Existing::Replace).unwrap();
}

#[test]
fn a_new_file_is_there_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "old").unwrap();
    let new = NewFile::at(&path, Existing::Replace).unwrap();
    new.create().unwrap().write_all(b"half").unwrap();
    drop(new);
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["a.csv".to_owned()]));
    let new = NewFile::at(&path, Existing::Replace).unwrap();
    new.create().unwrap().write_all(b"whole").unwrap();
    new.keep().unwrap();
    assert_eq!(
        (fs::read(&path).unwrap(), names(folder.path())),
        (b"whole".to_vec(), vec!["a.csv".to_owned()])
    );
}

/// Between the beginning and the end of the work, somebody else has made the file.
#[test]
fn a_file_that_comes_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let new = NewFile::at(&path, Existing::Keep).unwrap();
    new.create().unwrap().write_all(b"mine").unwrap();
    fs::write(&path, "theirs").unwrap();
    assert!(matches!(new.keep(), Err(Error::Exists { .. })));
    assert_eq!(
        (fs::read(&path).unwrap(), names(folder.path())),
        (b"theirs".to_vec(), vec!["a.csv".to_owned()])
    );
}

#[cfg(unix)]
#[test]
fn links_and_protection_are_respected() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.gtf"), folder.path().join("link"));
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let new = NewFile::at(&link, Existing::Replace).unwrap();
    new.create().unwrap().write_all(b"new").unwrap();
    new.keep().unwrap();
    assert!(link.is_symlink(), "the link leads to the new file");
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    let refused = |error: Error| matches!(error, Error::WriteProtected { .. });
    assert!(refused(NewFile::at(&path, Existing::Replace).err().unwrap()));
    assert!(refused(LogWriter::create_with(&path, header(), Existing::Replace).err().unwrap()));
}
