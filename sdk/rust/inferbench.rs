//! The Rust layer over abi.rs: a type that implements the trait of its kind, and one macro.
//!
//!     inferbench::plugins!(inferbench::backend::of::<MyBackend>());
//!
//! backend.rs, engine.rs, dataset.rs, reporter.rs, table_reporter.rs (reports of several runs) and
//! tokenizer.rs define the trait of each kind;
//! share/inferbench/docs/plugin-guide.md, which is installed with these sources, builds a plugin
//! step by step. A library may contain several plugins, also of different kinds: plugins!() takes a
//! list. Needs rustc 1.63 and nothing else. Every call of the host goes through guard(): a panic
//! becomes a status, with the place of the panic in the message (R7), and nothing is printed (R9).
//! A plugin returns owned values; the layer keeps them as long as the contract requires, so an
//! author needs no raw pointers and no lifetimes. To avoid the copies that this needs, use abi.rs
//! directly.

/// Calls a function of a table of the host: `call!(table, function, arguments...)`. To be used in
/// an unsafe block: the table and the arguments must be valid, as abi.h requires.
macro_rules! call {
    ($table:expr, $function:ident $(, $argument:expr)* $(,)?) => {
        ((*$table).$function.expect("the host lacks a function"))($($argument),*)
    };
}

pub mod abi;
pub mod backend;
pub mod dataset;
pub mod engine;
mod events;
mod exchange;
#[cfg(test)]
mod fake_host;
#[cfg(test)]
mod fake_output;
mod guard;
mod host;
mod http;
pub mod json;
mod options;
mod plugin;
pub mod reporter;
pub mod run_description;
mod sample;
pub mod table_reporter;
pub mod tokenizer;
mod tokens;

pub use guard::{Failure, Result};
pub use host::Host;
pub use http::{Answer, Header, Http, Request};
pub use options::{Opt, Values};
pub use plugin::{Described, Library, Plugin, Text};
pub use run_description::RunDescription;
pub use tokens::Tokens;

use std::borrow::Cow;

/// Returns the text of a view; invalid UTF-8 becomes U+FFFD.
///
/// # Safety
/// `from` must be readable as long as the result is used.
pub unsafe fn view<'a>(from: abi::ifb_str) -> Cow<'a, str> {
    String::from_utf8_lossy(slice_of(from.data.cast(), from.size))
}

/// Returns `size` elements from `first`. A size of 0 means empty, whatever the pointer is (R1).
///
/// # Safety
/// The elements must be readable, and must not change, as long as the result is used.
pub(crate) unsafe fn slice_of<'a, T>(first: *const T, size: usize) -> &'a [T] {
    if size == 0 || first.is_null() {
        return &[];
    }
    std::slice::from_raw_parts(first, size)
}

/// Returns a view, which is valid as long as `text`.
pub(crate) fn str_of(text: &str) -> abi::ifb_str {
    abi::ifb_str { data: text.as_ptr().cast(), size: text.len() }
}

/// Returns a view, which is valid as long as `data`.
pub(crate) fn bytes_of(data: &[u8]) -> abi::ifb_bytes {
    abi::ifb_bytes { data: data.as_ptr().cast(), size: data.len() }
}

/// Returns a view, which is valid as long as `name` and `value`.
pub(crate) fn field_of(name: &str, value: &str) -> abi::ifb_field {
    abi::ifb_field { name: str_of(name), value: str_of(value) }
}

/// True if `*pointer` is long enough to have `member` (R3). To be used for members that were added
/// after version 1.0.
#[macro_export]
macro_rules! has {
    ($pointer:expr, $member:ident) => {{
        let from = $pointer;
        let end = unsafe { ::std::ptr::addr_of!((*from).$member).add(1) } as usize;
        end - from as usize <= unsafe { (*from).struct_size } as usize
    }};
}

/// A literal with a zero byte at its end, as the contract requires for names.
#[macro_export]
macro_rules! text {
    ($text:literal) => {
        $crate::Text::with_zero(concat!($text, "\0"))
    };
}

/// Defines the plugins and the entry function of a library. It must be written once per library.
#[macro_export]
macro_rules! plugins {
    ($($described:expr),+ $(,)?) => {
        static INFERBENCH_PLUGINS: &[$crate::Described] = &[$($described),+];
        static INFERBENCH_LIBRARY: $crate::Library = $crate::Library::of(INFERBENCH_PLUGINS);

        // The name is that of IFB_ENTRY_NAME.
        #[no_mangle]
        pub extern "C" fn inferbench_plugin_v1_rc2(
            host_major: u32,
            _host_minor: u32,
        ) -> *const $crate::abi::ifb_library {
            INFERBENCH_LIBRARY.for_host(host_major)
        }
    };
}
