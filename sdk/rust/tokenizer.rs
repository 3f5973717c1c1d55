//! Makes a type a tokenizer (inferbench.tokenizer/1).

use crate::abi::*;
use crate::guard::{guard, Failure, Result};
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use crate::slice_of;
use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

/// Any thread may call the functions at any time, so they take &self, and the type must be Sync.
/// The contract requires texts in UTF-8. Here they are bytes, so that invalid UTF-8 does not cause
/// an error. The message of a Failure reaches the user. `flags` has only the bits that this version
/// of abi.rs knows: the layer refuses other bits (IFB_E_UNSUPPORTED), because a tokenizer that
/// ignored them would count wrongly.
pub trait Tokenizer: Plugin + Sync {
    fn vocabulary(&self) -> Result<Vocabulary>;
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
    /// Returns all ids that IFB_DECODE_SKIP_SPECIAL leaves out, in ascending order. They include
    /// special_ids().
    fn skipped_ids(&self) -> &[u32] {
        self.special_ids()
    }
    /// Returns the place that the tokenizer was loaded from: a folder, a file, "org/name@commit".
    /// None: it was not loaded.
    fn source(&self) -> Option<&CStr> {
        None
    }
    /// Returns lower-case hexadecimal digits over everything that determines ids and chat prompts.
    /// Data that were made with one tokenizer may be used with another tokenizer of the same
    /// digest. None: not known.
    fn digest(&self) -> Option<&CStr> {
        None
    }
    /// For a model with an encoding of text pairs: `Some(Self::encode_pair)`, a function that the
    /// author writes. None: the model does not have such an encoding.
    const ENCODE_PAIR: Option<EncodePair<Self>> = None;
    /// Like ENCODE_PAIR, for a model with a chat template. The message of a Failure begins with the
    /// kind of the fault: "TemplateError: ...".
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

// In the functions below, the host passes valid pointers, and an ifb_instance that this layer made.
// It makes several calls at the same time, so the plugin is only shared.
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
        error: *mut ifb_error,
        call: impl FnOnce(&T) -> Result<()>,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            call(&(*instance.cast::<Instance<T>>()).plugin)?;
            Ok(IFB_OK)
        })
    }
    fn check_flags(given: u32, known: u32) -> Result<()> {
        match given & !known {
            0 => Ok(()),
            unknown => Err(Failure::unsupported(format!(
                "this tokenizer does not know the flags {unknown} of the host"
            ))),
        }
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
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| {
            let known = plugin.vocabulary()?;
            let (special, skipped) = (plugin.special_ids(), plugin.skipped_ids());
            let filled = ifb_vocabulary {
                struct_size: size_of::<ifb_vocabulary>() as u32,
                added: known.added,
                size: known.size,
                total_size: known.total_size,
                special_ids: special.as_ptr(),
                special_id_count: special.len(),
                source: plugin.source().map_or(null(), CStr::as_ptr),
                digest: plugin.digest().map_or(null(), CStr::as_ptr),
                skipped_ids: skipped.as_ptr(),
                skipped_id_count: skipped.len(),
            };
            hand_over(&filled, out).map(drop)
        })
    }
    unsafe extern "C" fn count(
        instance: *const ifb_instance,
        text: ifb_str,
        flags: u32,
        out: *mut u64,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| {
            Self::check_flags(flags, IFB_ENCODE_SPECIAL)?;
            *out = plugin.count(slice_of(text.data.cast(), text.size), flags)?;
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
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| {
            Self::check_flags(flags, IFB_ENCODE_SPECIAL)?;
            let made = plugin.encode(slice_of(text.data.cast(), text.size), flags)?;
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
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| {
            Self::check_flags(flags, IFB_DECODE_SKIP_SPECIAL)?;
            let made = plugin.decode(slice_of(ids, count), flags)?;
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
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| {
            Self::check_flags(flags, IFB_ENCODE_SPECIAL)?;
            let encode_pair = T::ENCODE_PAIR.ok_or_else(|| Failure::unsupported("no pairs"))?;
            let (text, pair) =
                (slice_of(text.data.cast(), text.size), slice_of(pair.data.cast(), pair.size));
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
        Self::call(instance, error, |plugin| {
            let render = T::RENDER.ok_or_else(|| Failure::unsupported("no chat template"))?;
            let made = render(plugin, slice_of(chat.data.cast(), chat.size))?;
            Self::put(&made, text.cast(), capacity, needed);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::guard::said_in;
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
                fn vocabulary(&self) -> Result<Vocabulary> {
                    Ok(Vocabulary { size: 256, total_size: 256, added: 0 })
                }
                fn encode(&self, text: &[u8], _flags: u32) -> Result<Vec<u32>> {
                    match text {
                        b"malformed" => Err(Failure::new(IFB_E_DATA, "malformed at byte 3")),
                        _ => Ok(text.iter().map(|byte| u32::from(*byte)).collect()),
                    }
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
        fn special_ids(&self) -> &[u32] {
            &[254]
        }
        fn skipped_ids(&self) -> &[u32] {
            &[254, 255]
        }
        fn source(&self) -> Option<&CStr> {
            CStr::from_bytes_with_nul(b"org/toy@1\0").ok()
        }
        fn digest(&self) -> Option<&CStr> {
            CStr::from_bytes_with_nul(b"00ff\0").ok()
        }
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

    /// Returns the special ids, the skipped ids, the source and the digest.
    fn described(made: &Made) -> (Vec<u32>, Vec<u32>, String, String) {
        // All members of a vocabulary may be zero.
        let mut out: ifb_vocabulary = unsafe { std::mem::zeroed() };
        out.struct_size = size_of::<ifb_vocabulary>() as u32;
        let mut error = IFB_ERROR_INIT;
        unsafe {
            let vocabulary = table(made).vocabulary.unwrap();
            assert_eq!(vocabulary(made.instance, &mut out, &mut error), IFB_OK);
            let text = |from: *const c_char| match from.is_null() {
                true => "none".to_string(),
                false => CStr::from_ptr(from).to_string_lossy().into_owned(),
            };
            (
                slice_of(out.special_ids, out.special_id_count).to_vec(),
                slice_of(out.skipped_ids, out.skipped_id_count).to_vec(),
                text(out.source),
                text(out.digest),
            )
        }
    }

    #[test]
    fn a_vocabulary_has_the_source_the_digest_and_the_ids_that_the_author_names() {
        let fake = FakeHost::new();
        let none = || "none".to_string();
        let plain = described(&Made::of(of::<Plain>(), &fake));
        assert_eq!(plain, (vec![], vec![], none(), none()));
        let whole = described(&Made::of(of::<Whole>(), &fake));
        let texts = ("org/toy@1".to_string(), "00ff".to_string());
        assert_eq!(whole, (vec![254], vec![254, 255], texts.0, texts.1));
    }

    struct Pair {
        status: ifb_status,
        ids: Vec<u32>,
        types: Vec<u32>,
        /// The length of the whole result.
        needed: usize,
        said: String,
    }

    /// Encodes a pair with room for `room` ids.
    fn pair(made: &Made, text: &str, room: usize) -> Pair {
        let (mut ids, mut types, mut needed) = (vec![9; room], vec![9; room], 0);
        let mut error = IFB_ERROR_INIT;
        let status = unsafe {
            let (text, other) = (str_of(text), str_of("c"));
            let (to, types) = (ids.as_mut_ptr(), types.as_mut_ptr());
            let function = table(made).encode_pair.unwrap();
            function(made.instance, text, other, 0, to, types, room, &mut needed, &mut error)
        };
        Pair { status, ids, types, needed, said: said_in(&error) }
    }

    #[test]
    fn a_pair_is_written_as_far_as_the_room_reaches() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        let Pair { status, ids, types, needed, .. } = pair(&made, "ab", 4);
        assert_eq!((status, needed), (IFB_OK, 3));
        assert_eq!((ids, types), (vec![97, 98, 99, 9], vec![0, 0, 1, 9]));
        let Pair { status, ids, types, needed, .. } = pair(&made, "ab", 1);
        assert_eq!((status, ids, types, needed), (IFB_OK, vec![97], vec![0], 3));
        let (mut ids, mut needed) = ([9; 3], 0);
        let status = unsafe {
            let function = table(&made).encode_pair.unwrap();
            let (text, other, to) = (str_of("ab"), str_of("c"), ids.as_mut_ptr());
            // The caller does not need the types, and takes no error.
            let (types, error) = (null_mut(), null_mut());
            function(made.instance, text, other, 0, to, types, 3, &mut needed, error)
        };
        assert_eq!((status, ids, needed), (IFB_OK, [97, 98, 99], 3));
    }

    #[test]
    fn a_pair_with_more_types_than_ids_is_the_authors_mistake() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        let Pair { status, ids, types, needed, said } = pair(&made, "uneven", 8);
        assert_eq!((status, needed), (IFB_E_INTERNAL, 0));
        assert_eq!((ids, types), (vec![9; 8], vec![9; 8]));
        assert_eq!(said, "a pair became 6 ids of 7 types");
    }

    #[test]
    fn what_a_tokenizer_cannot_do_is_said_to_the_caller_and_not_to_the_log() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Whole>(), &fake);
        let Pair { status, said, .. } = pair(&made, "unsupported", 0);
        assert_eq!((status, &*said), (IFB_E_UNSUPPORTED, "no pairs today"));
        assert_eq!(fake.logged(), [""; 0]);
    }

    /// Encodes and counts a text. Returns both statuses and messages.
    fn ask(made: &Made, text: &str, flags: u32) -> [(ifb_status, String); 2] {
        let (text, table, mut error) = (str_of(text), table(made), IFB_ERROR_INIT);
        let (mut ids, mut needed, mut number) = ([0; 16], 0, 0);
        unsafe {
            let (to, encode) = (ids.as_mut_ptr(), table.encode.unwrap());
            let encoded = encode(made.instance, text, flags, to, 16, &mut needed, &mut error);
            let encoded = (encoded, said_in(&error));
            error = IFB_ERROR_INIT;
            let count = table.count.unwrap();
            let counted = count(made.instance, text, flags, &mut number, &mut error);
            if counted == IFB_OK {
                assert_eq!((needed, number), (text.size, text.size as u64));
            }
            [encoded, (counted, said_in(&error))]
        }
    }

    #[test]
    fn a_failure_has_its_message() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Plain>(), &fake);
        assert_eq!(
            ask(&made, "abc", IFB_ENCODE_SPECIAL),
            [(IFB_OK, String::new()), (IFB_OK, String::new())]
        );
        let malformed = (IFB_E_DATA, "malformed at byte 3".to_string());
        assert_eq!(ask(&made, "malformed", 0), [malformed.clone(), malformed]);
        assert_eq!(fake.logged(), [""; 0]);
    }

    #[test]
    fn a_flag_that_this_version_does_not_know_is_refused() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Plain>(), &fake);
        let said = "this tokenizer does not know the flags 6 of the host".to_string();
        let refused = (IFB_E_UNSUPPORTED, said);
        assert_eq!(ask(&made, "abc", 7), [refused.clone(), refused.clone()]);
        let (mut needed, mut error) = (0, IFB_ERROR_INIT);
        let status = unsafe {
            let (decode, no_ids, to) = (table(&made).decode.unwrap(), null(), null_mut());
            decode(made.instance, no_ids, 0, 6, to, 0, &mut needed, &mut error)
        };
        assert_eq!((status, said_in(&error)), refused);
    }

    /// Renders with room for `room` bytes. Returns status, text, the length of the whole text, and
    /// the message.
    fn render(made: &Made, chat: &str, room: usize) -> (ifb_status, String, usize, String) {
        let (mut text, mut needed, mut error) = (vec![b'.'; room], 0, IFB_ERROR_INIT);
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
