//! Runs sessions through the C library.

use std::ffi::{CString, c_char, c_int};
use std::path::Path;
use std::ptr::{null, null_mut};

use gt_log::{Kind, Value};
use gt_log_c::{
    GTAlias, GTAttribute, GTDataDescript, GTL_ALIASES_MAX, GTL_ATTRIBUTES_MAX, GTL_BOOL, GTL_FLOAT, GTL_INT,
    GTL_TEXT, GTL_UINT, GTLog, gtl_abandonTree, gtl_clearTrigger, gtl_closeTree, gtl_create, gtl_delete,
    gtl_enterNode, gtl_exitNode, gtl_flush, gtl_openTree, gtl_setBudget, gtl_setFlush,
    gtl_setTriggerCallback, gtl_setTriggerLine,
};

use crate::session::{Call, Condition, Ending, Session, TreePlan, kinds, schema};

/// The size of a record's field: eight bytes for each attribute.
const FIELD_BYTES: usize = 8;

/// Returns the bytes that a session leaves in its file, which is created in this folder. All calls are on the first
/// slot.
///
/// # Panics
/// If the library fails without a reason.
#[must_use]
pub fn run(session: &Session, folder: &Path) -> Vec<u8> {
    let path = folder.join("c.gtf");
    let _ = std::fs::remove_file(&path);
    let name = CString::new(path.to_string_lossy().as_bytes()).expect("a name without zero bytes");
    let handle = create(&name);
    assert!(!handle.is_null(), "the descriptor is good");
    let mut begun = 0;
    let mut is_open = false;
    for (_, call) in &session.calls {
        if !is_open {
            let plan = &session.plans[begun % session.plans.len()];
            settle(handle, plan);
            begun += 1;
            // SAFETY: `handle` came from `gtl_create` and was not deleted; a count of 0 allows a NULL list.
            unsafe { gtl_openTree(handle, null(), 0) };
        }
        is_open = on_tree(handle, call);
    }
    if session.ending == Ending::Kill {
        // SAFETY: `handle` came from `gtl_create` and was not deleted.
        unsafe { gtl_flush(handle) };
        let bytes = std::fs::read(&path).expect("the log");
        // SAFETY: `handle` came from `gtl_create`, was not deleted, and is not used again.
        unsafe { gtl_delete(handle) };
        return bytes;
    }
    // SAFETY: `handle` came from `gtl_create`, was not deleted, and is not used again.
    unsafe { gtl_delete(handle) };
    std::fs::read(&path).expect("the log")
}

/// Makes a call, and returns whether the tree is still open.
fn on_tree(h: *mut GTLog, call: &Call) -> bool {
    // SAFETY: the caller passes a live handle from `gtl_create` that only this thread uses; records match its
    // descriptor.
    unsafe {
        match call {
            Call::Enter(last_move, _) => gtl_enterNode(h, *last_move),
            Call::Leave(values) => leave(h, values),
            Call::LeaveUnfinished => gtl_exitNode(h, null()),
            Call::Leaves(count, values) => {
                for place in 0..*count {
                    gtl_enterNode(h, place as i64 % 5);
                    leave(h, values);
                }
                0
            }
            Call::Flush => gtl_flush(h),
            Call::Finish | Call::Drop => {
                gtl_closeTree(h);
                return false;
            }
            Call::Abandon => {
                gtl_abandonTree(h);
                return false;
            }
            Call::Name(_) => 0,
        };
    }
    true
}

fn leave(h: *mut GTLog, values: &[Value]) -> c_int {
    // The texts outlive the record, which holds their addresses.
    let texts: Vec<CString> = values
        .iter()
        .map(|value| match value {
            Value::Text(text) => CString::new(text.as_str()).expect("a text without zero bytes"),
            _ => CString::default(),
        })
        .collect();
    let kinds = kinds();
    let fields = values.iter().zip(&kinds).zip(&texts).map(|((value, kind), text)| match value {
        Value::Int(value) => *value as u64,
        Value::UInt(value) => *value,
        Value::Float(value) if *kind == Kind::F32 => u64::from((*value as f32).to_bits()),
        Value::Float(value) => value.to_bits(),
        Value::Bool(value) => u64::from(*value),
        Value::Text(_) => text.as_ptr().expose_provenance() as u64,
        Value::Missing => 0,
    });
    // All supported machines are little-endian.
    let record: Vec<u64> = fields.collect();
    // SAFETY: `h` is a live handle (caller); the record has the descriptor's fields, and its texts are alive.
    unsafe { gtl_exitNode(h, record.as_ptr().cast()) }
}

fn settle(h: *mut GTLog, plan: &TreePlan) {
    let time_ms = plan.flush_ms.map_or(0, |time| time.max(1));
    // SAFETY: `h` is a live handle (caller); the lists have the given lengths; the callback does not unwind.
    unsafe {
        gtl_setFlush(h, plan.block_rows as u64, time_ms);
        gtl_setBudget(h, plan.nodes_max.unwrap_or(0), 0);
        match &plan.trigger {
            None => gtl_clearTrigger(h),
            Some(trigger) => match &trigger.condition {
                Condition::Line(moves) => {
                    gtl_setTriggerLine(h, moves.as_ptr(), moves.len(), c_int::from(trigger.once))
                }
                Condition::Reached { ply, last_move } => {
                    let context = std::ptr::without_provenance_mut(ply << 8 | *last_move as usize);
                    gtl_setTriggerCallback(h, Some(reached), context, c_int::from(trigger.once))
                }
            },
        };
    }
}

unsafe extern "C" fn reached(line: *const i64, count: usize, context: *mut std::ffi::c_void) -> c_int {
    let packed = context.addr();
    let (ply, last_move) = (packed >> 8, (packed & 0xff) as i64);
    // SAFETY: the library passes a list of `count` moves, and `count` is not 0.
    let line = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(line, count) } };
    c_int::from(Condition::Reached { ply, last_move }.holds(line))
}

fn create(path: &CString) -> *mut GTLog {
    let schema = schema();
    let names: Vec<CString> = schema.attributes().iter().map(|a| c_name(&a.name)).collect();
    let alias_names: Vec<CString> = schema.aliases().iter().map(|a| c_name(&a.name)).collect();
    let mut attributes = [GTAttribute { name: null(), offset: 0, size: 0, kind: 0 }; GTL_ATTRIBUTES_MAX];
    for (place, attribute) in schema.attributes().iter().enumerate() {
        let (kind, size) = match attribute.kind {
            Kind::Text => (GTL_TEXT, size_of::<*const c_char>()),
            Kind::Bool => (GTL_BOOL, 1),
            Kind::F32 | Kind::F64 => (GTL_FLOAT, attribute.kind.width()),
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 => (GTL_UINT, attribute.kind.width()),
            Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 => (GTL_INT, attribute.kind.width()),
        };
        attributes[place] =
            GTAttribute { name: names[place].as_ptr(), offset: place * FIELD_BYTES, size, kind };
    }
    let mut aliases = [GTAlias { name: null(), value: 0 }; GTL_ALIASES_MAX];
    for (place, alias) in schema.aliases().iter().enumerate() {
        aliases[place] = GTAlias { name: alias_names[place].as_ptr(), value: alias.value };
    }
    let descriptor = GTDataDescript {
        game: c"session".as_ptr(),
        record_size: schema.attributes().len() * FIELD_BYTES,
        alias_count: schema.aliases().len(),
        aliases,
        attribute_count: schema.attributes().len(),
        attributes,
    };
    // SAFETY: the descriptor is complete, its names live until the call returns, and `path` ends with a zero
    // byte.
    let handle = unsafe { gtl_create(&descriptor, path.as_ptr()) };
    if handle.is_null() { null_mut() } else { handle }
}

fn c_name(name: &str) -> CString {
    CString::new(name).expect("names have no zero bytes")
}
