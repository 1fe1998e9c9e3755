//! The keyboard of a terminal on Unix.

use std::io::stdin;
use std::os::fd::AsFd;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr};
use nix::unistd::read;

use super::Key;

/// How long after an Esc what it begins may take to arrive; alone it is the key.
const SEQUENCE_MS_MAX: u16 = 50;

/// Keys, one by one, while it lives.
pub(in super::super) struct Keys {
    before: Termios,
}

impl Keys {
    /// Changes the terminal's mode, where standard input is a terminal.
    pub(in super::super) fn open() -> Option<Self> {
        let before = tcgetattr(stdin()).ok()?;
        let mut keys = before.clone();
        keys.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG);
        keys.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        keys.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        tcsetattr(stdin(), SetArg::TCSADRAIN, &keys).ok()?;
        Some(Self { before })
    }

    /// Waits for a key that means something. What comes after it stays unread.
    pub(in super::super) fn next(&mut self) -> Key {
        loop {
            let Some(byte) = byte() else { return Key::Stop };
            let key = match byte {
                b' ' | b'f' => Some(Key::Page),
                b'\r' | b'\n' | b'j' => Some(Key::Line),
                b'G' => Some(Key::End),
                // Ctrl-C and Ctrl-D.
                b'q' | b'Q' | 3 | 4 => Some(Key::Stop),
                0x1b => sequence(),
                _ => None,
            };
            if let Some(key) = key {
                return key;
            }
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // There is nobody to tell that it failed.
        let _ = tcsetattr(stdin(), SetArg::TCSADRAIN, &self.before);
    }
}

/// The key that begins with an Esc: Esc itself, or a key of many bytes, which is read to its end.
fn sequence() -> Option<Key> {
    let Some(kind) = byte_soon() else { return Some(Key::Stop) };
    if !matches!(kind, b'[' | b'O') {
        return None;
    }
    let mut number = Vec::new();
    loop {
        match (byte_soon()?, number.as_slice()) {
            (b'B', _) => return Some(Key::Line),
            (b'F', _) | (b'~', b"4" | b"8") => return Some(Key::End),
            (b'~', b"6") => return Some(Key::Page),
            (0x40..=0x7e, _) => return None,
            (byte, _) => number.push(byte),
        }
    }
}

/// The next byte, read past every buffer: what follows it is for others.
fn byte() -> Option<u8> {
    let mut byte = [0];
    loop {
        return match read(stdin(), &mut byte) {
            Ok(1) => Some(byte[0]),
            Err(Errno::EINTR) => continue,
            _ => None,
        };
    }
}

/// The next byte, if it is there or arrives at once.
fn byte_soon() -> Option<u8> {
    let stdin = stdin();
    let mut ready = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    loop {
        return match poll(&mut ready, PollTimeout::from(SEQUENCE_MS_MAX)) {
            Ok(0) => None,
            Ok(_) => byte(),
            Err(Errno::EINTR) => continue,
            Err(_) => None,
        };
    }
}

/// What puts the terminal back as it is now.
pub(in crate::commands) fn restorer() -> impl FnMut() + Send + 'static {
    let before = tcgetattr(stdin()).ok();
    move || {
        if let Some(before) = &before {
            let _ = tcsetattr(stdin(), SetArg::TCSANOW, before);
        }
    }
}
