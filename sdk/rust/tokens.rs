//! The host's service that counts with the tokenizer of the run.

use crate::abi::*;
use crate::guard::{checked, Failure, Result};
use crate::host::Host;
use crate::tokenizer::Vocabulary;
use crate::{slice_of, str_of};
use std::ffi::CStr;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

/// The tokenizer of the run. Any thread may use it. A Failure has the tokenizer's own message.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    host: Host,
    table: &'a ifb_tokenizer_service,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(host: Host, table: &'a ifb_tokenizer_service) -> Tokens<'a> {
        Tokens { host, table }
    }
    pub fn name(&self) -> String {
        // The name lives as long as the host.
        unsafe { CStr::from_ptr(self.table.name) }.to_string_lossy().into_owned()
    }
    pub fn vocabulary(&self) -> Result<Vocabulary> {
        let ifb_vocabulary { size, total_size, added, .. } = self.whole_vocabulary()?;
        Ok(Vocabulary { size, total_size, added })
    }
    /// Returns the ids of the special tokens that the configuration names, in ascending order.
    pub fn special_ids(&self) -> Result<Vec<u32>> {
        let all = self.whole_vocabulary()?;
        // The ids live as long as the tokenizer.
        Ok(unsafe { slice_of(all.special_ids, all.special_id_count) }.to_vec())
    }
    /// Returns all ids that IFB_DECODE_SKIP_SPECIAL leaves out, in ascending order.
    pub fn skipped_ids(&self) -> Result<Vec<u32>> {
        let all = self.whole_vocabulary()?;
        Ok(unsafe { slice_of(all.skipped_ids, all.skipped_id_count) }.to_vec())
    }
    /// Returns the place that the tokenizer was loaded from; None: it was not loaded.
    pub fn source(&self) -> Result<Option<String>> {
        Ok(unsafe { text_of(self.whole_vocabulary()?.source) })
    }
    /// Returns the digest of everything that determines ids and chat prompts; None: not known.
    pub fn digest(&self) -> Result<Option<String>> {
        Ok(unsafe { text_of(self.whole_vocabulary()?.digest) })
    }
    /// `flags` is a combination of ifb_encode_flag.
    pub fn count(&self, text: &str, flags: u32) -> Result<u64> {
        let (mut out, mut error) = (0, IFB_ERROR_INIT);
        let (host, text) = (self.host.table(), str_of(text));
        // All arguments are valid until the call has returned, also in the functions below.
        let status = unsafe { call!(self.table, count, host, text, flags, &mut out, &mut error) };
        self.checked(status, &error, "count a text")?;
        Ok(out)
    }
    /// `flags` is a combination of ifb_encode_flag.
    pub fn encode(&self, text: &str, flags: u32) -> Result<Vec<u32>> {
        let (host, text) = (self.host.table(), str_of(text));
        let encode = |to, room, needed, error| unsafe {
            call!(self.table, encode, host, text, flags, to, room, needed, error)
        };
        self.twice(text.size / 3 + 16, "encode a text", encode)
    }
    /// `flags` is a combination of ifb_decode_flag.
    pub fn decode(&self, ids: &[u32], flags: u32) -> Result<String> {
        let (host, first, size) = (self.host.table(), ids.as_ptr(), ids.len());
        let decode = |to: *mut u8, room, needed, error| unsafe {
            let to = to.cast();
            call!(self.table, decode, host, first, size, flags, to, room, needed, error)
        };
        let text = self.twice(size * 6 + 16, "decode tokens", decode)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
    /// Returns the prompt that the model's chat template makes from `chat`, a conversation as a
    /// JSON object (abi.h). IFB_E_UNSUPPORTED: there is no template.
    pub fn render(&self, chat: &str) -> Result<String> {
        let host = self.host.table();
        let render = |to: *mut u8, room, needed, error| unsafe {
            call!(self.table, render, host, str_of(chat), to.cast(), room, needed, error)
        };
        let text = self.twice(chat.len() * 2 + 4096, "render a chat", render)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn whole_vocabulary(&self) -> Result<ifb_vocabulary> {
        let mut out = ifb_vocabulary {
            struct_size: size_of::<ifb_vocabulary>() as u32,
            added: 0,
            size: 0,
            total_size: 0,
            special_ids: null(),
            special_id_count: 0,
            source: null(),
            digest: null(),
            skipped_ids: null(),
            skipped_id_count: 0,
        };
        let mut error = IFB_ERROR_INIT;
        let host = self.host.table();
        let status = unsafe { call!(self.table, vocabulary, host, &mut out, &mut error) };
        self.checked(status, &error, "describe its vocabulary")?;
        Ok(out)
    }
    fn checked(&self, status: ifb_status, error: &ifb_error, what: &str) -> Result<()> {
        checked(status, error, &format!("the tokenizer {} could not {what}", self.name()))
    }
    /// Calls the function again if the first guess at the length was too small.
    fn twice<T: Default + Clone>(
        &self,
        guess: usize,
        what: &str,
        call: impl Fn(*mut T, usize, *mut usize, *mut ifb_error) -> ifb_status,
    ) -> Result<Vec<T>> {
        let mut out = vec![T::default(); guess];
        for _ in 0..2 {
            let (mut needed, mut error) = (0, IFB_ERROR_INIT);
            let status = call(out.as_mut_ptr(), out.len(), &mut needed, &mut error);
            self.checked(status, &error, what)?;
            let enough = needed <= out.len();
            // A tokenizer that asks for a senseless length must not end the process.
            let more = needed.saturating_sub(out.len());
            if out.try_reserve_exact(more).is_err() {
                return Err(Failure::memory());
            }
            out.resize(needed, T::default());
            if enough {
                return Ok(out);
            }
        }
        let why = format!("the tokenizer {} asked for more room than it had said", self.name());
        Err(Failure::new(IFB_E_INTERNAL, why))
    }
}

/// # Safety
/// `text` must be null, or a readable text with a zero byte.
unsafe fn text_of(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::FakeHost;

    /// A host whose tokenizer makes a token of each byte, and fails if the text begins with "!".
    fn host() -> Box<FakeHost> {
        let mut fake = FakeHost::new();
        fake.encode = Some(|text, flags| match text.strip_prefix('!') {
            Some("") => Err((IFB_E_DATA, "")),
            Some(_) => Err((IFB_E_DATA, "malformed text at byte 1")),
            None if flags == 2 => Err((IFB_E_UNSUPPORTED, "no flag 2")),
            None => Ok(text.bytes().map(u32::from).collect()),
        });
        fake
    }

    #[test]
    fn texts_of_any_length_become_ids_and_texts_again() {
        let fake = host();
        let host = fake.host();
        let tokens = host.tokens().unwrap();
        assert_eq!(tokens.name(), "fake");
        for length in [0, 1, 1000] {
            let text = "a".repeat(length);
            assert_eq!(tokens.count(&text, 0).unwrap(), length as u64);
            let ids = tokens.encode(&text, 0).unwrap();
            assert_eq!(ids, vec![97; length]);
            assert_eq!(tokens.decode(&ids, 0).unwrap(), text);
        }
        assert_eq!(tokens.render("{}").unwrap(), "<{}>");
    }

    #[test]
    fn the_vocabulary_is_known() {
        let fake = host();
        let host = fake.host();
        let tokens = host.tokens().unwrap();
        let Vocabulary { size, total_size, added } = tokens.vocabulary().unwrap();
        assert_eq!((size, total_size, added), (256, 258, 1));
        assert_eq!(tokens.special_ids().unwrap(), [256]);
        assert_eq!(tokens.skipped_ids().unwrap(), [256, 257]);
        assert_eq!(tokens.source().unwrap().as_deref(), Some("fake@1"));
        assert_eq!(tokens.digest().unwrap(), None);
    }

    #[test]
    fn a_failure_has_the_message_of_the_tokenizer() {
        let fake = host();
        let host = fake.host();
        let tokens = host.tokens().unwrap();
        let failure = tokens.encode("!a", 0).unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_DATA, "malformed text at byte 1"));
        let failure = tokens.count("a", 2).unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_UNSUPPORTED, "no flag 2"));
        let failure = tokens.count("!", 0).unwrap_err();
        assert_eq!(failure.message(), "the tokenizer fake could not count a text");
    }

    #[test]
    fn a_length_that_grows_or_is_senseless_is_a_failure() {
        let mut fake = host();
        fake.needed = Some(|room| room + 1);
        let failure = fake.host().tokens().unwrap().encode("a", 0).unwrap_err();
        assert_eq!(failure.message(), "the tokenizer fake asked for more room than it had said");
        fake.needed = Some(|_| usize::MAX);
        let failure = fake.host().tokens().unwrap().encode("a", 0).unwrap_err();
        assert_eq!(failure.code(), IFB_E_MEMORY);
    }

    #[test]
    fn a_run_without_a_tokenizer_says_so() {
        let fake = FakeHost::new();
        let failure = fake.host().tokens().err().unwrap();
        assert_eq!(failure.code(), IFB_E_UNSUPPORTED);
        assert!(failure.message().contains("goes without one"), "{}", failure.message());
    }
}
