//! The Rust layer over abi.rs: a type that implements the trait of its kind, and one macro.
//!
//!     inferbench::plugins!(inferbench::backend::of::<MyBackend>());
//!
//! backend.rs, engine.rs, dataset.rs, reporter.rs and tokenizer.rs define the trait of each kind;
//! docs/plugin-guide.md builds a plugin step by step. Needs rustc 1.63 and nothing else. Every
//! call of the host goes through guard(): a panic becomes a status, with the place of the panic
//! in the message (rule R7 in abi.h), and nothing is printed (R9). A plugin returns owned values;
//! the layer keeps them as long as the contract requires, so an author needs no raw pointers and
//! no lifetimes. To avoid the copies that this needs, use abi.rs directly.

pub mod abi;
pub mod backend;
pub mod dataset;
pub mod engine;
#[cfg(test)]
mod fake_host;
mod guard;
mod host;
pub mod json;
mod options;
mod plugin;
pub mod reporter;
pub mod run_description;
pub mod tokenizer;

pub use guard::{Failure, Result};
pub use host::{Answer, Host, Http, Tokens};
pub use options::{Opt, Values};
pub use plugin::{Described, Library, Plugin, Text};
pub use run_description::RunDescription;

use std::borrow::Cow;

/// Returns the text of a view; invalid UTF-8 becomes U+FFFD.
///
/// # Safety
/// `from` must be readable as long as the result is used.
pub unsafe fn view<'a>(from: abi::ifb_str) -> Cow<'a, str> {
    String::from_utf8_lossy(bytes_of(from.data.cast(), from.size))
}

pub(crate) unsafe fn bytes_of<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if size == 0 || data.is_null() {
        return &[];
    }
    std::slice::from_raw_parts(data, size)
}

pub(crate) fn str_of(text: &str) -> abi::ifb_str {
    abi::ifb_str { data: text.as_ptr().cast(), size: text.len() }
}

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

        #[no_mangle]
        pub extern "C" fn inferbench_plugin_v1(
            host_major: u32,
            _host_minor: u32,
        ) -> *const $crate::abi::ifb_library {
            INFERBENCH_LIBRARY.for_host(host_major)
        }
    };
}
