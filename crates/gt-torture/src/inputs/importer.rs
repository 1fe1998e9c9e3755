//! Any bytes as a table; what is made of them is a sound log.

use gt_convert::{Format, import_bytes};

pub(super) fn run(bytes: &[u8]) {
    let Some((&choice, table)) = bytes.split_first() else { return };
    let format = Format::ALL[usize::from(choice) % Format::ALL.len()];
    if let Ok(log) = import_bytes(table, format) {
        let log = gt_log::Log::from_bytes(log).expect("an import makes a log");
        log.verify(|_| {}).expect("an import makes a sound log");
    }
}
