//! Makes a type an HTTP codec (inferbench.http-codec/1).

use crate::abi::*;
use crate::guard::{blank_error, fill, guard, Failure, Result};
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use crate::{bytes_of, field_of, str_of, view};
use std::borrow::Cow;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;

/// All workers of the host call open() on one object at the same time, so it takes &self and needs
/// Sync.
pub trait Backend: Plugin + Sync {
    type Exchange: Exchange;
    /// A combination of ifb_codec_flag.
    const FLAGS: u32 = 0;
    fn open(&self, sample: &Sample) -> Result<Self::Exchange>;
}

/// One request. The host calls the functions one after another. It drops the exchange when the
/// request is over, in any state.
pub trait Exchange: Send + 'static {
    /// Returns the request to send. Called again after on_end returned AnotherRequest.
    fn request(&mut self) -> Result<Request>;
    /// Returns the framing of the answer, a value of ifb_framing.
    fn on_head(&mut self, _head: &Head) -> Result<u32> {
        Ok(IFB_FRAMING_AUTO)
    }
    /// Receives one event, line or body of the answer. `event` is the name of the event, or empty.
    fn on_message(&mut self, event: &str, data: &[u8], out: &Output) -> Result<Heard>;
    /// Called when the body of the answer has ended.
    fn on_end(&mut self, out: &Output) -> Result<Ended>;
}

/// The return value of on_message: whether the rest of the body is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    More,
    Enough,
}

/// The return value of on_end: whether the request is complete, or there is another request to
/// send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Complete,
    AnotherRequest,
}

/// A request to send. The host adds host name, lengths, API key and the user's headers.
pub struct Request {
    pub method: &'static str,
    /// The path and the query, which are appended to the base URL.
    pub target: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn post_json(target: &str, body: String) -> Request {
        Request {
            method: "POST",
            target: target.to_string(),
            headers: vec![("Content-Type", "application/json".to_string())],
            body: body.into_bytes(),
        }
    }
}

/// A sample of the dataset: the content of a request.
pub struct Sample<'a>(pub(crate) &'a ifb_sample);

impl<'a> Sample<'a> {
    /// Returns the prompt of shape TEXT. For every other shape, returns a Failure with a message
    /// for the user.
    pub fn prompt_text(&self) -> Result<Cow<'a, str>> {
        let prompt = self.0.prompt;
        if self.0.shape != IFB_PROMPT_TEXT || prompt.count == 0 {
            return Err(Failure::unsupported("this backend takes plain text prompts only"));
        }
        let data = unsafe { &*prompt.first }.data;
        Ok(unsafe { view(ifb_str { data: data.data.cast(), size: data.size }) })
    }
    /// Returns the length of the prompt in the client's count.
    pub fn input_tokens(&self) -> Option<i64> {
        Some(self.0.input_tokens).filter(|n| *n >= 0)
    }
    /// Returns the requested length of the answer; None: the server decides.
    pub fn output_tokens(&self) -> Option<i64> {
        Some(self.0.output_tokens).filter(|n| *n >= 0)
    }
    /// Returns the model that replaces the backend's model, or an empty text.
    pub fn model(&self) -> Cow<'a, str> {
        unsafe { view(self.0.model) }
    }
    /// Returns a JSON object to be merged into the request, or an empty text.
    pub fn overrides(&self) -> Cow<'a, str> {
        unsafe { view(self.0.overrides) }
    }
    /// Returns the sample with all its members.
    pub fn raw(&self) -> &'a ifb_sample {
        self.0
    }
}

/// Status and headers of an answer.
pub struct Head<'a>(&'a ifb_http_head);

impl<'a> Head<'a> {
    pub fn status(&self) -> u32 {
        self.0.status
    }
    /// Returns the value of the first header with this name. Upper and lower case are equal.
    pub fn header(&self, name: &str) -> Option<Cow<'a, str>> {
        let all = match self.0.header_count {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(self.0.headers, count) },
        };
        let found = all.iter().find(|h| unsafe { view(h.name) }.eq_ignore_ascii_case(name))?;
        Some(unsafe { view(found.value) })
    }
}

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

/// Receives the reports about a request, except for its end.
pub struct Events {
    table: *const ifb_events,
    handle: *mut ifb_output,
}

impl Events {
    /// Both pointers must be valid as long as the result is used.
    pub(crate) unsafe fn of(table: *const ifb_events, handle: *mut ifb_output) -> Events {
        Events { table, handle }
    }
    fn table(&self) -> &ifb_events {
        unsafe { &*self.table }
    }
    /// Reports one stream event that carries output, even if its text is empty. `count` is the
    /// number of tokens in it, 0 if the server did not send the number.
    pub fn token(&self, text: &str, count: u32) {
        self.token_of(&Events::answer(text, count))
    }
    /// Like token(), with all members of an event.
    pub fn token_of(&self, token: &ifb_token) {
        unsafe { self.table().on_token.expect("on_token")(self.handle, token) }
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
    pub(crate) fn answer(text: &str, count: u32) -> ifb_token {
        ifb_token {
            struct_size: size_of::<ifb_token>() as u32,
            count,
            choice: 0,
            channel: IFB_CHANNEL_ANSWER,
            text: str_of(text),
            at: 0,
        }
    }
    pub(crate) fn done(&self, finish_reason: &str) {
        unsafe { self.table().on_done.expect("on_done")(self.handle, str_of(finish_reason)) }
    }
    pub(crate) fn error(&self, code: ifb_status, message: &str) {
        let mut event = blank_error();
        fill(&mut event, code, message, -1);
        // Also called from drop() during a panic, so it must not panic.
        if let Some(function) = self.table().on_error {
            unsafe { function(self.handle, &event) }
        }
    }
}

/// Receives the reports about the answer from an exchange: the methods of Events, and the end.
pub struct Output<'a> {
    events: Events,
    life: PhantomData<&'a ifb_events>,
}

impl Output<'_> {
    unsafe fn of(table: *const ifb_events, handle: *mut ifb_output) -> Self {
        Output { events: Events::of(table, handle), life: PhantomData }
    }
    /// Reports that the answer is complete. No other report may follow. To report a failure, return
    /// an Err instead.
    pub fn done(&self, finish_reason: &str) {
        self.events.done(finish_reason)
    }
}

impl Deref for Output<'_> {
    type Target = Events;
    fn deref(&self) -> &Events {
        &self.events
    }
}

/// An argument for plugins!().
pub const fn of<T: Backend>() -> Described {
    Lifecycle::<T, Codec<T>>::described()
}

struct Codec<T>(PhantomData<T>);

impl<T: Backend> Operations for Codec<T> {
    const KIND: ifb_kind = IFB_BACKEND;
    const INTERFACE: &'static str = IFB_HTTP_CODEC;
    const TABLE: *const c_void = (&ifb_http_codec {
        struct_size: size_of::<ifb_http_codec>() as u32,
        flags: T::FLAGS,
        open: Some(Self::open),
        request: Some(Self::request),
        on_head: Some(Self::on_head),
        on_message: Some(Self::on_message),
        on_end: Some(Self::on_end),
        close: Some(Self::close),
    } as *const ifb_http_codec)
        .cast();
}

/// The object to which an ifb_exchange points: the author's exchange, and values that the host
/// still reads.
struct Held<T: Backend> {
    owner: *const Instance<T>,
    exchange: T::Exchange,
    request: Request,
    fields: Vec<ifb_field>,
    body: ifb_bytes,
}

impl<T: Backend> Codec<T> {
    unsafe extern "C" fn open(
        instance: *mut ifb_instance,
        sample: *const ifb_sample,
        _arena: *mut ifb_arena,
        out: *mut *mut ifb_exchange,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let owner: *const Instance<T> = instance.cast();
            let exchange = (*owner).plugin.open(&Sample(&*sample))?;
            let request = Request {
                method: "",
                target: String::new(),
                headers: Vec::new(),
                body: Vec::new(),
            };
            let body = ifb_bytes { data: std::ptr::null(), size: 0 };
            let held = Held { owner, exchange, request, fields: Vec::new(), body };
            *out = Box::into_raw(Box::new(held)).cast();
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn request(
        exchange: *mut ifb_exchange,
        out: *mut ifb_http_request,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = &mut *exchange.cast::<Held<T>>();
            held.request = held.exchange.request()?;
            let request = &held.request;
            held.fields =
                request.headers.iter().map(|(name, value)| field_of(name, value)).collect();
            held.body = ifb_bytes { data: request.body.as_ptr().cast(), size: request.body.len() };
            let filled = ifb_http_request {
                struct_size: size_of::<ifb_http_request>() as u32,
                reserved: 0,
                method: str_of(request.method),
                target: str_of(&request.target),
                headers: held.fields.as_ptr(),
                header_count: held.fields.len(),
                body: &held.body,
                body_count: usize::from(held.body.size > 0),
            };
            hand_over(&filled, out)
        })
    }
    unsafe extern "C" fn on_head(
        exchange: *mut ifb_exchange,
        head: *const ifb_http_head,
        framing: *mut u32,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = &mut *exchange.cast::<Held<T>>();
            *framing = held.exchange.on_head(&Head(&*head))?;
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn on_message(
        exchange: *mut ifb_exchange,
        event: ifb_str,
        data: ifb_bytes,
        events: *const ifb_events,
        output: *mut ifb_output,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = &mut *exchange.cast::<Held<T>>();
            let out = Output::of(events, output);
            let data = bytes_of(data.data.cast(), data.size);
            Ok(match held.exchange.on_message(&view(event), data, &out)? {
                Heard::More => IFB_OK,
                Heard::Enough => IFB_END,
            })
        })
    }
    unsafe extern "C" fn on_end(
        exchange: *mut ifb_exchange,
        events: *const ifb_events,
        output: *mut ifb_output,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = &mut *exchange.cast::<Held<T>>();
            Ok(match held.exchange.on_end(&Output::of(events, output))? {
                Ended::Complete => IFB_OK,
                Ended::AnotherRequest => IFB_MORE,
            })
        })
    }
    unsafe extern "C" fn close(exchange: *mut ifb_exchange) {
        let held: *mut Held<T> = exchange.cast();
        let host = (*(*held).owner).host;
        host.logging(|| Ok(drop(Box::from_raw(held))));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::dataset::blank_sample;

    /// Calls `to` with a sample that has one text part.
    pub(crate) fn sample<R>(prompt: &str, to: impl FnOnce(&ifb_sample) -> R) -> R {
        let nothing = str_of("");
        let part = ifb_part {
            struct_size: size_of::<ifb_part>() as u32,
            kind: IFB_PART_TEXT,
            mime: std::ptr::null(),
            data: ifb_bytes { data: prompt.as_ptr().cast(), size: prompt.len() },
            uri: nothing,
            name: nothing,
        };
        to(&ifb_sample {
            prompt: ifb_part_list { first: &part, count: 1, stride: part.struct_size },
            input_tokens: 7,
            ..blank_sample()
        })
    }

    #[test]
    fn a_length_that_nobody_knows_is_none() {
        sample("a", |of| {
            let sample = Sample(of);
            assert_eq!(sample.prompt_text().unwrap(), "a");
            assert_eq!((sample.input_tokens(), sample.output_tokens()), (Some(7), None));
        });
    }
}
