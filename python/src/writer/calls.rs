//! `enter`, `leave` and `leaf` of a tree, called as CPython calls its own functions: with the arguments where they lie.
//!
//! ```text
//! leave(3, -30, 30)   pyo3, for the stable ABI of 3.9: a tuple for the arguments, another look at it · these: the interpreter's own stack
//! ```
//!
//! A search calls these for every node, and a tuple costs as much as the row. The convention (`METH_FASTCALL` without
//! keywords) is in the stable ABI since 3.10 and the same since 3.7.
//!
//! **Invariant:** a call gives `None`, or sets an exception and gives nothing; no panic leaves it.

use std::ffi::CStr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::{Borrowed, PyTypeInfo};

use super::record::Arguments;
use super::tree::TreeWriter;
use crate::work::guarded;

type Quick = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
) -> *mut ffi::PyObject;

/// The arguments lie in an array; pyo3 has no name for it below 3.10.
const METH_FASTCALL: std::ffi::c_int = 0x80;

/// Gives the class its methods.
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    let class = TreeWriter::type_object(py);
    let function: ffi::PyCFunction = enter;
    add(
        &class,
        c"enter",
        c"enter($self, last_move, /)\n--\n\nThe search goes down a move; for the root, any number.",
        (ffi::PyMethodDefPointer { PyCFunction: function }, ffi::METH_O),
    )?;
    let text = c"leave($self, /, *values)\n--\n\nLeaves the node entered last with its values: by position, as a dict, or as an object with such attributes.";
    add(&class, c"leave", text, quick(leave))?;
    let text = c"leaf($self, last_move, /, *values)\n--\n\nEnters and leaves a node without children.";
    add(&class, c"leaf", text, quick(leaf))
}

fn quick(function: Quick) -> (ffi::PyMethodDefPointer, std::ffi::c_int) {
    // SAFETY: a pointer to a function is stored as one to another, as in C; with these flags the interpreter calls it as what it is.
    let stored = unsafe { std::mem::transmute::<Quick, ffi::PyCFunction>(function) };
    (ffi::PyMethodDefPointer { PyCFunction: stored }, METH_FASTCALL)
}

fn add(
    class: &Bound<'_, pyo3::types::PyType>,
    name: &'static CStr,
    text: &'static CStr,
    (ml_meth, ml_flags): (ffi::PyMethodDefPointer, std::ffi::c_int),
) -> PyResult<()> {
    // The interpreter refers to it for as long as the class lives, which is for ever.
    let method = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth,
        ml_flags,
        ml_doc: text.as_ptr(),
    }));
    // SAFETY: the class and the definition live, and the function is of the kind that the flags say. A descriptor refuses
    // objects of other classes before it calls.
    let method = unsafe {
        Bound::from_owned_ptr_or_err(class.py(), ffi::PyDescr_NewMethod(class.as_type_ptr(), method))
    };
    class.setattr(name.to_string_lossy().as_ref(), method?)
}

/// # Safety
/// Called by the interpreter, as `METH_O` says, on a `TreeWriter`.
unsafe extern "C" fn enter(writer: *mut ffi::PyObject, last_move: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: the interpreter hands over one argument.
    unsafe { call(writer, &raw const last_move, 1, |writer, arguments| writer.enter(arguments[0])) }
}

/// # Safety
/// Called by the interpreter, as `METH_FASTCALL` says, on a `TreeWriter`.
unsafe extern "C" fn leave(
    writer: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter hands over `count` arguments.
    unsafe { call(writer, arguments, count, |writer, arguments| writer.leave(arguments)) }
}

/// # Safety
/// As [`leave`].
unsafe extern "C" fn leaf(
    writer: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    let body = |writer: &mut TreeWriter, arguments: Arguments<'_, '_>| match arguments {
        [] => Err(PyTypeError::new_err("leaf() needs a move, and then the values of the node")),
        [last_move, values @ ..] => {
            writer.enter(*last_move)?;
            writer.leave(values)
        }
    };
    // SAFETY: the interpreter hands over `count` arguments.
    unsafe { call(writer, arguments, count, body) }
}

/// Does `body` on the writer.
///
/// # Safety
/// The thread is attached to the interpreter; `writer` is a `TreeWriter`; there are `count` arguments, which live until this
/// returns.
#[inline(always)]
unsafe fn call(
    writer: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    body: impl for<'a, 'py> FnOnce(&mut TreeWriter, Arguments<'a, 'py>) -> PyResult<()>,
) -> *mut ffi::PyObject {
    // SAFETY: the thread is attached.
    let py = unsafe { Python::assume_attached() };
    let done = guarded(|| {
        // SAFETY: a descriptor checked the class.
        let writer = unsafe { Borrowed::from_ptr(py, writer).cast_unchecked::<TreeWriter>() };
        let count = usize::try_from(count).unwrap_or(0);
        let arguments = match count {
            0 => &[],
            // SAFETY: `Borrowed` is a pointer that is not null, and so is each of the arguments, which live.
            _ => unsafe { std::slice::from_raw_parts(arguments.cast::<Borrowed<'_, '_, PyAny>>(), count) },
        };
        body(&mut *writer.try_borrow_mut()?, arguments)
    });
    match done {
        Ok(()) => py.None().into_ptr(),
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}
