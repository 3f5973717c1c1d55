//! The reports of a backend about the answer to a request.

use crate::abi::*;
use crate::bytes_of;
use crate::guard::{fill, Failure};
use crate::str_of;
use std::ffi::CString;
use std::mem::size_of;
use std::ptr::null;

/// Token counts from the server; -1: the server did not send this count.
#[derive(Clone, Copy)]
pub struct Usage {
    pub prompt: i64,
    pub cached: i64,
    pub output: i64,
    pub reasoning: i64,
}

impl Default for Usage {
    fn default() -> Usage {
        Usage { prompt: -1, cached: -1, output: -1, reasoning: -1 }
    }
}

/// One stream event that carries output, with all members of ifb_token.
#[derive(Clone, Copy, Default)]
pub struct Token<'a> {
    pub text: &'a str,
    /// Number of tokens in it; 0: the server did not send the number.
    pub count: u32,
    /// Index of the choice.
    pub choice: u32,
    /// A value of ifb_channel.
    pub channel: u32,
    /// The time of the event, see Events::token_at(); 0: now.
    pub at: u64,
    /// Output that is not text, such as sound.
    pub data: &'a [u8],
    /// The media type of `data`; empty if `data` is empty.
    pub mime: &'a str,
}

/// Receives the reports about a request, except for its end. The host uses texts and bytes only
/// during the call that passes them.
pub struct Events {
    table: *const ifb_events,
    handle: *mut ifb_output,
}

impl Events {
    /// # Safety
    /// Both pointers must be valid as long as the result is used.
    pub(crate) unsafe fn of(table: *const ifb_events, handle: *mut ifb_output) -> Events {
        Events { table, handle }
    }
    // Both pointers are valid as long as this object; the views in an event are valid during the
    // call that passes it.
    fn table(&self) -> &ifb_events {
        unsafe { &*self.table }
    }
    /// Reports one stream event that carries output, even if its text is empty. `count` is the
    /// number of tokens in it, 0 if the server did not send the number.
    pub fn token(&self, text: &str, count: u32) {
        self.token_of(&Token { text, count, ..Token::default() })
    }
    /// Like token(), for an event that happened before it is reported. `at` is its time on the
    /// clock of Host::now(); a codec chooses a time between the sending of the request and the
    /// arrival of the message. 0: now, for a codec the arrival of the message.
    pub fn token_at(&self, at: u64, text: &str, count: u32) {
        self.token_of(&Token { at, text, count, ..Token::default() })
    }
    /// Reports one stream event whose output is sound. `mime` is its media type, as in ifb_part.
    /// For other media use token_of().
    pub fn media(&self, data: &[u8], mime: &str, count: u32) {
        let channel = IFB_CHANNEL_AUDIO;
        self.token_of(&Token { data, mime, count, channel, ..Token::default() })
    }
    /// Reports one stream event with all its members.
    pub fn token_of(&self, token: &Token) {
        // A media type has no zero byte; a text that has one becomes an empty type.
        let mime = match token.mime.is_empty() {
            true => None,
            false => Some(CString::new(token.mime).unwrap_or_default()),
        };
        let event = ifb_token {
            count: token.count,
            choice: token.choice,
            channel: token.channel,
            text: str_of(token.text),
            at: token.at,
            data: bytes_of(token.data),
            mime: mime.as_ref().map_or(null(), |mime| mime.as_ptr()),
            ..IFB_TOKEN_INIT
        };
        unsafe { self.table().on_token.expect("on_token")(self.handle, &event) }
    }
    /// Reports token counts. A count in a later call replaces the same count of an earlier call.
    pub fn usage(&self, usage: Usage) {
        let event = ifb_usage {
            struct_size: size_of::<ifb_usage>() as u32,
            reserved: 0,
            prompt_tokens: usage.prompt,
            cached_tokens: usage.cached,
            output_tokens: usage.output,
            reasoning_tokens: usage.reasoning,
        };
        unsafe { self.table().on_usage.expect("on_usage")(self.handle, &event) }
    }
    /// Adds an attribute to the record of the request.
    pub fn attribute(&self, key: &str, value: &str) {
        let function = self.table().on_attribute.expect("on_attribute");
        unsafe { function(self.handle, str_of(key), str_of(value)) }
    }
    pub(crate) fn done(&self, finish_reason: &str) {
        let event = ifb_done { finish_reason: str_of(finish_reason), ..IFB_DONE_INIT };
        unsafe { self.table().on_done.expect("on_done")(self.handle, &event) }
    }
    pub(crate) fn error(&self, failure: &Failure) {
        let mut event = IFB_ERROR_INIT;
        fill(&mut event, failure.code(), failure.message(), -1);
        // Also called from drop() during a panic, so it must not panic.
        if let Some(function) = self.table().on_error {
            unsafe { function(self.handle, &event) }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::fake_output::Reports;

    #[test]
    fn each_report_has_the_members_of_its_struct() {
        let reports = Reports::default();
        let events = reports.events();
        events.token("a", 2);
        events.token_at(17, "b", 0);
        events.usage(Usage { prompt: 1, output: 3, ..Usage::default() });
        events.attribute("k", "v");
        events.done("length");
        events.error(&Failure::remote("no"));
        let wanted = ["token a 2 0 0 at 0", "token b 0 0 0 at 17", "usage 1 -1 3 -1"];
        assert_eq!(reports.lines()[..3], wanted);
        assert_eq!(reports.lines()[3..], ["attribute k=v", "done length", "error -5 no"]);
    }

    #[test]
    fn output_that_is_not_text_has_a_media_type() {
        let reports = Reports::default();
        let events = reports.events();
        events.media(b"\x00\x01", "audio/wav", 3);
        let (text, choice, channel) = ("think", 1, IFB_CHANNEL_REASONING);
        events.token_of(&Token { text, choice, channel, ..Token::default() });
        events.media(b"\x02", "a\0b", 0);
        let wanted = ["token  3 0 3 at 0 2 bytes of audio/wav", "token think 0 1 1 at 0"];
        assert_eq!(reports.lines()[..2], wanted);
        assert_eq!(reports.lines()[2..], ["token  0 0 3 at 0 1 bytes of "]);
    }
}
