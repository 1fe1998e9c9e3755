//! Standard output of a command whose work is more than what it prints.
//!
//! `gt demo | head -1` still writes its logs and its report: what nobody reads is dropped, and the first error is told at
//! the end. Commands that only print end early instead; there is nothing left to do for them.

use std::io::{self, Write};

/// Takes everything, and keeps the first error for [`Patient::finish`].
pub(crate) struct Patient<W> {
    target: W,
    error: Option<io::Error>,
}

impl<W: Write> Patient<W> {
    pub(crate) fn new(target: W) -> Self {
        Self { target, error: None }
    }

    /// Writes what is left; the first error of all.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.error.map_or(Ok(()), Err)
    }

    /// Whether something could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = write(&mut self.target).err();
        }
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|target| target.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(Write::flush);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes, then nothing.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    #[test]
    fn work_goes_on_and_the_first_error_is_told() {
        let mut out = Patient::new(Full(3));
        for _ in 0..9 {
            write!(out, "x").unwrap();
        }
        out.flush().unwrap();
        assert_eq!(out.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(Patient::new(Full(3)).finish().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
