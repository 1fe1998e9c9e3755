//! Where the linker asks for every symbol, as on macOS, an extension module says that Python's come with the interpreter.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
