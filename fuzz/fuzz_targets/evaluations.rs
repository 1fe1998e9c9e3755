#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| gt_torture::inputs::run("evaluations", bytes));
