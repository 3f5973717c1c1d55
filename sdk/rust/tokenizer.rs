//! A type as a tokenizer (inferbench.tokenizer/1).

use crate::abi::*;
use crate::bytes_of;
use crate::guard::Result;
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

/// Any thread may call at any time, hence &self and Sync. Texts are UTF-8 by contract, and bytes
/// here, so that one that is not does not end in an error. What fails goes to the log.
pub trait Tokenizer: Plugin + Sync {
    fn vocabulary(&self) -> Vocabulary;
    /// `flags`: ifb_encode_flag.
    fn encode(&self, text: &[u8], flags: u32) -> Result<Vec<u32>>;
    /// `flags`: ifb_decode_flag.
    fn decode(&self, ids: &[u32], flags: u32) -> Result<Vec<u8>>;
    /// As many as encode yields; for tokenizers that count faster.
    fn count(&self, text: &[u8], flags: u32) -> Result<u64> {
        Ok(self.encode(text, flags)?.len() as u64)
    }
    /// Ids of special tokens, ascending.
    fn special_ids(&self) -> &[u32] {
        &[]
    }
}

#[derive(Clone, Copy)]
pub struct Vocabulary {
    /// Without added tokens.
    pub size: u64,
    /// With them; ids are below it.
    pub total_size: u64,
    /// Special tokens that encoding an empty text with IFB_ENCODE_SPECIAL adds.
    pub added: u32,
}

/// For plugins!().
pub const fn of<T: Tokenizer>() -> Described {
    Lifecycle::<T, Words<T>>::described()
}

struct Words<T>(PhantomData<T>);

impl<T: Tokenizer> Operations for Words<T> {
    const KIND: ifb_kind = IFB_TOKENIZER;
    const INTERFACE: &'static str = IFB_TOKENIZER_OPS;
    const TABLE: *const c_void = (&ifb_tokenizer {
        struct_size: size_of::<ifb_tokenizer>() as u32,
        reserved: 0,
        vocabulary: Some(Self::vocabulary),
        count: Some(Self::count),
        encode: Some(Self::encode),
        decode: Some(Self::decode),
        encode_pair: None,
        render: None,
    } as *const ifb_tokenizer)
        .cast();
}

impl<T: Tokenizer> Words<T> {
    unsafe fn call(
        instance: *const ifb_instance,
        call: impl FnOnce(&T) -> Result<()>,
    ) -> ifb_status {
        let owner = &*instance.cast::<Instance<T>>();
        owner.host.logging(|| call(&owner.plugin))
    }
    /// As far as the room reaches; the whole length in `needed`.
    unsafe fn put<E: Copy>(from: &[E], to: *mut E, capacity: usize, needed: *mut usize) {
        let fits = from.len().min(capacity);
        if fits > 0 {
            std::ptr::copy_nonoverlapping(from.as_ptr(), to, fits);
        }
        *needed = from.len();
    }
    unsafe extern "C" fn vocabulary(
        instance: *const ifb_instance,
        out: *mut ifb_vocabulary,
    ) -> ifb_status {
        Self::call(instance, |plugin| {
            let known = plugin.vocabulary();
            let special = plugin.special_ids();
            let filled = ifb_vocabulary {
                struct_size: size_of::<ifb_vocabulary>() as u32,
                added: known.added,
                size: known.size,
                total_size: known.total_size,
                special_ids: special.as_ptr(),
                special_id_count: special.len(),
                source: null(),
                digest: null(),
                skipped_ids: special.as_ptr(),
                skipped_id_count: special.len(),
            };
            hand_over(&filled, out).map(drop)
        })
    }
    unsafe extern "C" fn count(
        instance: *const ifb_instance,
        text: ifb_str,
        flags: u32,
        out: *mut u64,
    ) -> ifb_status {
        Self::call(instance, |plugin| {
            *out = plugin.count(bytes_of(text.data.cast(), text.size), flags)?;
            Ok(())
        })
    }
    unsafe extern "C" fn encode(
        instance: *const ifb_instance,
        text: ifb_str,
        flags: u32,
        ids: *mut u32,
        capacity: usize,
        needed: *mut usize,
    ) -> ifb_status {
        Self::call(instance, |plugin| {
            let made = plugin.encode(bytes_of(text.data.cast(), text.size), flags)?;
            Self::put(&made, ids, capacity, needed);
            Ok(())
        })
    }
    unsafe extern "C" fn decode(
        instance: *const ifb_instance,
        ids: *const u32,
        count: usize,
        flags: u32,
        text: *mut c_char,
        capacity: usize,
        needed: *mut usize,
    ) -> ifb_status {
        Self::call(instance, |plugin| {
            let ids = match count {
                0 => &[],
                _ => std::slice::from_raw_parts(ids, count),
            };
            let made = plugin.decode(ids, flags)?;
            Self::put(&made, text.cast(), capacity, needed);
            Ok(())
        })
    }
}
