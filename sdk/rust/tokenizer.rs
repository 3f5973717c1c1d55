//! Makes a type a tokenizer (inferbench.tokenizer/1).

use crate::abi::*;
use crate::bytes_of;
use crate::guard::{guard, Failure, Result};
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

/// Any thread may call the functions at any time, so they take &self, and the type must be Sync.
/// The contract requires texts in UTF-8. Here they are bytes, so that invalid UTF-8 does not cause
/// an error. Failures are logged.
pub trait Tokenizer: Plugin + Sync {
    fn vocabulary(&self) -> Vocabulary;
    /// `flags` is a combination of ifb_encode_flag.
    fn encode(&self, text: &[u8], flags: u32) -> Result<Vec<u32>>;
    /// `flags` is a combination of ifb_decode_flag.
    fn decode(&self, ids: &[u32], flags: u32) -> Result<Vec<u8>>;
    /// Returns the number of ids that encode() would return. Implement this function if counting is
    /// faster than encoding.
    fn count(&self, text: &[u8], flags: u32) -> Result<u64> {
        Ok(self.encode(text, flags)?.len() as u64)
    }
    /// Returns the ids of special tokens in ascending order.
    fn special_ids(&self) -> &[u32] {
        &[]
    }
    /// For a model with an encoding of text pairs: `Some(Self::encode_pair)`, a function that the
    /// author writes. None: the model does not have such an encoding.
    const ENCODE_PAIR: Option<EncodePair<Self>> = None;
    /// Like ENCODE_PAIR, for a model with a chat template. A failure is returned to the caller.
    const RENDER: Option<Render<Self>> = None;
}

/// Encodes two texts as one input. `flags` is a combination of ifb_encode_flag.
pub type EncodePair<T> = fn(&T, text: &[u8], pair: &[u8], flags: u32) -> Result<PairEncoding>;
/// Returns the prompt that the model's chat template makes from `chat`, a conversation as a JSON
/// object (abi.h).
pub type Render<T> = fn(&T, chat: &[u8]) -> Result<Vec<u8>>;

/// `type_ids[i]` is the text to which `ids[i]` belongs, 0 or 1. Both vectors have the same length.
pub struct PairEncoding {
    pub ids: Vec<u32>,
    pub type_ids: Vec<u32>,
}

#[derive(Clone, Copy)]
pub struct Vocabulary {
    /// Number of tokens without added tokens.
    pub size: u64,
    /// Number of tokens with added tokens. All ids are smaller.
    pub total_size: u64,
    /// Number of special tokens in the encoding of an empty text with IFB_ENCODE_SPECIAL.
    pub added: u32,
}

/// An argument for plugins!().
pub const fn of<T: Tokenizer>() -> Described {
    Lifecycle::<T, Words<T>>::described()
}

struct Words<T>(PhantomData<T>);

impl<T: Tokenizer> Operations for Words<T> {
    const KIND: ifb_kind = IFB_TOKENIZER;
    const INTERFACE: &'static str = IFB_TOKENIZER_OPS;
    const TABLE: *const c_void = (&Self::FUNCTIONS as *const ifb_tokenizer).cast();
}

impl<T: Tokenizer> Words<T> {
    const FUNCTIONS: ifb_tokenizer = ifb_tokenizer {
        struct_size: size_of::<ifb_tokenizer>() as u32,
        reserved: 0,
        vocabulary: Some(Self::vocabulary),
        count: Some(Self::count),
        encode: Some(Self::encode),
        decode: Some(Self::decode),
        encode_pair: if T::ENCODE_PAIR.is_some() { Some(Self::encode_pair) } else { None },
        render: if T::RENDER.is_some() { Some(Self::render) } else { None },
    };

    unsafe fn call(
        instance: *const ifb_instance,
        call: impl FnOnce(&T) -> Result<()>,
    ) -> ifb_status {
        let owner = &*instance.cast::<Instance<T>>();
        owner.host.logging(|| call(&owner.plugin))
    }
    /// Copies as many elements as fit into `capacity`; sets `needed` to the length of the whole
    /// result.
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
    unsafe extern "C" fn encode_pair(
        instance: *const ifb_instance,
        text: ifb_str,
        pair: ifb_str,
        flags: u32,
        ids: *mut u32,
        type_ids: *mut u32,
        capacity: usize,
        needed: *mut usize,
    ) -> ifb_status {
        Self::call(instance, |plugin| {
            let encode_pair = T::ENCODE_PAIR.ok_or_else(|| Failure::unsupported("no pairs"))?;
            let (text, pair) =
                (bytes_of(text.data.cast(), text.size), bytes_of(pair.data.cast(), pair.size));
            let made = encode_pair(plugin, text, pair, flags)?;
            if made.ids.len() != made.type_ids.len() {
                let (ids, types) = (made.ids.len(), made.type_ids.len());
                let why = format!("a pair became {ids} ids of {types} types");
                return Err(Failure::new(IFB_E_INTERNAL, why));
            }
            Self::put(&made.ids, ids, capacity, needed);
            if !type_ids.is_null() {
                Self::put(&made.type_ids, type_ids, capacity, needed);
            }
            Ok(())
        })
    }
    unsafe extern "C" fn render(
        instance: *const ifb_instance,
        chat: ifb_str,
        text: *mut c_char,
        capacity: usize,
        needed: *mut usize,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let render = T::RENDER.ok_or_else(|| Failure::unsupported("no chat template"))?;
            let plugin = &(*instance.cast::<Instance<T>>()).plugin;
            let made = render(plugin, bytes_of(chat.data.cast(), chat.size))?;
            Self::put(&made, text.cast(), capacity, needed);
            Ok(IFB_OK)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::guard::{blank_error, said_in};
    use crate::{str_of, text, Host, Text, Values};
    use std::ptr::null_mut;

    struct Plain;
    /// A tokenizer with pairs and a chat template. Its behaviour depends on the text of the call.
    struct Whole;

    macro_rules! tokenizer {
        ($name:ident { $($more:tt)* }) => {
            impl Plugin for $name {
                const ID: Text = text!("toy");
                const VERSION: Text = text!("1.0.0");
                const SUMMARY: Text = text!("A token for each byte.");
                const LICENSE: Text = text!("MIT");
                fn create(_host: Host, _values: &Values) -> Result<Self> {
                    Ok($name)
                }
            }
            impl Tokenizer for $name {
                fn vocabulary(&self) -> Vocabulary {
                    Vocabulary { size: 256, total_size: 256, added: 0 }
                }
                fn encode(&self, text: &[u8], _flags: u32) -> Result<Vec<u32>> {
                    Ok(text.iter().map(|byte| u32::from(*byte)).collect())
                }
                fn decode(&self, _ids: &[u32], _flags: u32) -> Result<Vec<u8>> {
                    Ok(Vec::new())
                }
                $($more)*
            }
        };
    }
    tokenizer!(Plain {});
    tokenizer!(Whole {
        const ENCODE_PAIR: Option<EncodePair<Self>> = Some(Self::encode_pair);
        const RENDER: Option<Render<Self>> = Some(Self::render);
    });

    impl Whole {
        fn encode_pair(&self, text: &[u8], pair: &[u8], flags: u32) -> Result<PairEncoding> {
            if text == b"unsupported" {
                return Err(Failure::unsupported("no pairs today"));
            }
            let mut ids = self.encode(&[text, pair].concat(), flags)?;
            let mut type_ids = vec![0; text.len()];
            type_ids.resize(ids.len(), 1);
            if text == b"uneven" {
                ids.pop();
            }
            Ok(PairEncoding { ids, type_ids })
        }
        fn render(&self, chat: &[u8]) -> Result<Vec<u8>> {
            match chat {
                b"bad" => Err(Failure::new(IFB_E_DATA, "TemplateError: bad")),
                b"panic" => panic!("in the template"),
                _ => Ok([b"<", chat, b">"].concat()),
            }
        }
    }

    fn table(made: &Made) -> &'static ifb_tokenizer {
        made.table(IFB_TOKENIZER_OPS)
    }

    #[test]
    fn who_knows_no_pairs_and_no_chats_offers_neither() {
        let fake = FakeHost::new();
        let (plain, whole) = (Made::of(of::<Plain>(), &fake), Made::of(of::<Whole>(), &fake));
        assert!(table(&plain).encode_pair.is_none() && table(&plain).render.is_none());
        assert!(table(&whole).encode_pair.is_some() && table(&whole).render.is_some());
    }

    /// Encodes a pair with room for `room` ids. Returns status, ids, types and the length of the
    /// whole result.
    fn pair(made: &Made, text: &str, room: usize) -> (ifb_status, Vec<u32>, Vec<u32>, usize) {
        let (mut ids, mut types, mut needed) = (vec![9; room], vec![9; room], 0);
        let status = unsafe {
            let (text, other) = (str_of(text), str_of("c"));
            let (ids, types) = (ids.as_mut_ptr(), types.as_mut_ptr());
            let function = table(made).encode_pair.unwrap();
            function(made.instance, text, other, 0, ids, types, room, &mut needed)
        };
        (status, ids, types, needed)
    }

    #[test]
    fn a_pair_is_written_as_far_as_the_room_reaches() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        assert_eq!(pair(&made, "ab", 4), (0, vec![97, 98, 99, 9], vec![0, 0, 1, 9], 3));
        assert_eq!(pair(&made, "ab", 1), (0, vec![97], vec![0], 3));
        let (mut ids, mut needed) = ([9; 3], 0);
        let status = unsafe {
            let function = table(&made).encode_pair.unwrap();
            let (text, other) = (str_of("ab"), str_of("c"));
            function(made.instance, text, other, 0, ids.as_mut_ptr(), null_mut(), 3, &mut needed)
        };
        assert_eq!((status, ids, needed), (IFB_OK, [97, 98, 99], 3));
    }

    #[test]
    fn a_pair_with_more_types_than_ids_is_the_authors_mistake() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        assert_eq!(pair(&made, "uneven", 8), (IFB_E_INTERNAL, vec![9; 8], vec![9; 8], 0));
        assert_eq!(fake.logged(), ["4 a pair became 6 ids of 7 types"]);
    }

    #[test]
    fn what_a_tokenizer_cannot_do_is_no_error_in_the_log() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        assert_eq!(pair(&made, "unsupported", 0).0, IFB_E_UNSUPPORTED);
        assert_eq!(fake.logged(), ["1 no pairs today"]);
    }

    /// Renders with room for `room` bytes. Returns status, text, the length of the whole text, and
    /// the message.
    fn render(made: &Made, chat: &str, room: usize) -> (ifb_status, String, usize, String) {
        let (mut text, mut needed, mut error) = (vec![b'.'; room], 0, blank_error());
        let status = unsafe {
            let (text, chat) = (text.as_mut_ptr().cast(), str_of(chat));
            let function = table(made).render.unwrap();
            function(made.instance, chat, text, room, &mut needed, &mut error)
        };
        (status, String::from_utf8(text).unwrap(), needed, said_in(&error))
    }

    #[test]
    fn a_chat_is_written_as_far_as_the_room_reaches() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        assert_eq!(render(&made, "{}", 5), (0, "<{}>.".to_string(), 4, String::new()));
        assert_eq!(render(&made, "{}", 2), (0, "<{".to_string(), 4, String::new()));
    }

    #[test]
    fn a_template_that_fails_tells_who_asked_and_not_the_log() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        let (status, _, _, said) = render(&made, "bad", 0);
        assert_eq!((status, &*said), (IFB_E_DATA, "TemplateError: bad"));
        let (status, _, _, said) = render(&made, "panic", 0);
        assert_eq!(status, IFB_E_INTERNAL);
        assert!(said.starts_with("panic: in the template ("), "{said}");
        assert_eq!(fake.logged(), [""; 0]);
    }
}
