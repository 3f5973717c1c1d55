//! Makes a type an HTTP codec (inferbench.http-codec/1).

use crate::abi::*;
use crate::bytes_of;
pub use crate::events::{Events, Token, Usage};
pub use crate::exchange::{End, Head, Message, Target};
use crate::guard::{guard, Result};
use crate::http::fields_of;
pub use crate::http::{Header, Request};
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
pub use crate::sample::Sample;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;

/// The host calls open() on one object on several threads at the same time, so it takes &self and
/// needs Sync.
pub trait Backend: Plugin + Sync {
    type Exchange: Exchange;
    /// A combination of ifb_codec_flag.
    const FLAGS: u32 = 0;
    fn open(&self, sample: &Sample) -> Result<Self::Exchange>;
}

/// One request. The host calls one function at a time, but the calls come from different threads:
/// request() before the request is due, on any thread, the others on the worker that sends it. The
/// host drops the exchange when the request is over, in any state.
pub trait Exchange: Send + Sized + 'static {
    /// For a server that wants signed requests: `Some(Self::sign)`, a function that the author
    /// writes. None: the requests are sent as request() returned them.
    const SIGN: Option<Sign<Self>> = None;
    /// Returns the request to send. Called again after on_end returned AnotherRequest.
    fn request(&mut self) -> Result<Request>;
    /// Returns the framing of the answer, a value of ifb_framing.
    fn on_head(&mut self, _head: &Head) -> Result<u32> {
        Ok(IFB_FRAMING_AUTO)
    }
    /// Receives one event, line or body of the answer.
    fn on_message(&mut self, message: &Message, out: &Output) -> Result<Heard>;
    /// Called when the body of the answer has ended, or after on_message returned Enough.
    fn on_end(&mut self, end: &End, out: &Output) -> Result<Ended>;
}

/// Called right before the first byte of a request is sent, also when the request is sent again or
/// follows a redirect. Returns headers that are added to those of `request`; a header with the name
/// of one of them replaces it. The call is part of the latency: digests of the body belong into
/// request().
pub type Sign<E> = fn(&mut E, target: &Target, request: &Request) -> Result<Vec<Header>>;

/// The return value of on_message. Enough: the answer is complete. The request ends at this
/// message, on_end follows at once, and no other message comes.
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

/// Receives the reports about the answer from an exchange: the methods of Events, and the end.
pub struct Output<'a> {
    events: Events,
    life: PhantomData<&'a ifb_events>,
}

impl Output<'_> {
    /// # Safety
    /// Both pointers must be valid as long as the result is used.
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
    const TABLE: *const c_void = (&Self::FUNCTIONS as *const ifb_http_codec).cast();
}

/// The object to which an ifb_exchange points: the author's exchange, and values that the host
/// still reads.
struct Held<T: Backend> {
    owner: *const Instance<T>,
    exchange: T::Exchange,
    request: Request,
    /// The headers that SIGN returned.
    signed: Vec<Header>,
    /// Views of the headers of `request` and then of `signed`.
    fields: Vec<ifb_field>,
    body: ifb_bytes,
}

// In the functions below, the host passes valid pointers, and an ifb_exchange or ifb_instance that
// this layer made. It calls one function of an exchange at a time, so a &mut to it is the only
// reference. It calls open at the same time as any other function, so the instance is only shared.
impl<T: Backend> Codec<T> {
    const FUNCTIONS: ifb_http_codec = ifb_http_codec {
        struct_size: size_of::<ifb_http_codec>() as u32,
        flags: T::FLAGS,
        open: Some(Self::open),
        request: Some(Self::request),
        on_head: Some(Self::on_head),
        on_message: Some(Self::on_message),
        on_end: Some(Self::on_end),
        close: Some(Self::close),
        sign: if T::Exchange::SIGN.is_some() { Some(Self::sign) } else { None },
    };

    unsafe fn held<'a>(exchange: *mut ifb_exchange) -> &'a mut Held<T> {
        &mut *exchange.cast()
    }
    unsafe extern "C" fn open(
        instance: *mut ifb_instance,
        sample: *const ifb_sample,
        _arena: *mut ifb_arena,
        out: *mut *mut ifb_exchange,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let owner: *const Instance<T> = instance.cast();
            let held = Held {
                owner,
                exchange: (*owner).plugin.open(&Sample(&*sample))?,
                request: Request::default(),
                signed: Vec::new(),
                fields: Vec::new(),
                body: bytes_of(&[]),
            };
            *out = Box::into_raw(Box::<Held<T>>::new(held)).cast();
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn request(
        exchange: *mut ifb_exchange,
        out: *mut ifb_http_request,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = Self::held(exchange);
            held.request = held.exchange.request()?;
            held.signed.clear();
            held.fields = fields_of(&held.request.headers).collect();
            held.body = bytes_of(&held.request.body);
            hand_over(&held.request.filled(&held.fields, &held.body), out)
        })
    }
    unsafe extern "C" fn sign(
        exchange: *mut ifb_exchange,
        target: *const ifb_http_target,
        request: *mut ifb_http_request,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let held = Self::held(exchange);
            if let Some(sign) = T::Exchange::SIGN {
                held.signed = sign(&mut held.exchange, &Target(&*target), &held.request)?;
            }
            // A request that is sent again has only the headers of its last signature.
            held.fields.truncate(held.request.headers.len());
            held.fields.extend(fields_of(&held.signed));
            (*request).headers = held.fields.as_ptr();
            (*request).header_count = held.fields.len();
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn on_head(
        exchange: *mut ifb_exchange,
        head: *const ifb_http_head,
        framing: *mut u32,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            *framing = Self::held(exchange).exchange.on_head(&Head(&*head))?;
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn on_message(
        exchange: *mut ifb_exchange,
        message: *const ifb_http_message,
        events: *const ifb_events,
        output: *mut ifb_output,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let (message, out) = (Message(&*message), Output::of(events, output));
            Ok(match Self::held(exchange).exchange.on_message(&message, &out)? {
                Heard::More => IFB_OK,
                Heard::Enough => IFB_END,
            })
        })
    }
    unsafe extern "C" fn on_end(
        exchange: *mut ifb_exchange,
        end: *const ifb_http_end,
        events: *const ifb_events,
        output: *mut ifb_output,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let (end, out) = (End(&*end), Output::of(events, output));
            Ok(match Self::held(exchange).exchange.on_end(&end, &out)? {
                Ended::Complete => IFB_OK,
                Ended::AnotherRequest => IFB_MORE,
            })
        })
    }
    unsafe extern "C" fn close(exchange: *mut ifb_exchange) {
        let held: *mut Held<T> = exchange.cast();
        let host = (*(*held).owner).host;
        host.logging(|| drop(Box::from_raw(held)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::fake_output::Reports;
    use crate::guard::said_in;
    use crate::http::Fields;
    use crate::sample::tests::sample;
    use crate::{field_of, slice_of, str_of, text, view, Failure, Host, Text, Values};
    use std::ptr::{null, null_mut};

    /// A codec that polls: the first request submits the prompt, the second fetches the answer.
    struct Polling<const SIGNS: bool>;

    impl<const SIGNS: bool> Plugin for Polling<SIGNS> {
        const ID: Text = text!("polling");
        const VERSION: Text = text!("1.0.0");
        const SUMMARY: Text = text!("Submits, then polls.");
        const LICENSE: Text = text!("MIT");
        fn create(_host: Host, _values: &Values) -> Result<Self> {
            Ok(Polling)
        }
    }

    impl<const SIGNS: bool> Backend for Polling<SIGNS> {
        type Exchange = Poll<SIGNS>;
        const FLAGS: u32 = IFB_CODEC_AUTHORIZES;
        fn open(&self, sample: &Sample) -> Result<Self::Exchange> {
            let prompt = sample.prompt_text()?.into_owned();
            match prompt.is_empty() {
                true => Err(Failure::unsupported("no prompt")),
                false => Ok(Poll { prompt, rounds: 0, signatures: 0 }),
            }
        }
    }

    struct Poll<const SIGNS: bool> {
        prompt: String,
        rounds: u32,
        signatures: u32,
    }

    impl<const SIGNS: bool> Exchange for Poll<SIGNS> {
        const SIGN: Option<Sign<Self>> = if SIGNS { Some(Self::sign) } else { None };

        fn request(&mut self) -> Result<Request> {
            self.rounds += 1;
            match self.rounds {
                1 => Ok(Request::post_json("/submit", self.prompt.clone())),
                2 => Ok(Request::get("/poll").not_before(99)),
                _ => Err(Failure::protocol("too many rounds")),
            }
        }
        fn on_head(&mut self, head: &Head) -> Result<u32> {
            match (head.status(), head.header("content-type").as_deref()) {
                (_, Some("text/plain")) => Ok(IFB_FRAMING_LINES),
                (status, _) => Err(Failure::remote(format!("status {status}"))),
            }
        }
        fn on_message(&mut self, message: &Message, out: &Output) -> Result<Heard> {
            let text = String::from_utf8_lossy(message.data());
            match &*message.event() {
                "last" => {
                    out.done(&text);
                    return Ok(Heard::Enough);
                }
                "panic" => panic!("in a message"),
                name => out.token_at(message.at(), &format!("{name}:{text}"), 1),
            }
            Ok(Heard::More)
        }
        fn on_end(&mut self, end: &End, out: &Output) -> Result<Ended> {
            if let Some(status) = end.trailer("Grpc-Status") {
                out.attribute("status", &status);
            }
            match end.early() {
                true => Ok(Ended::Complete),
                false => Ok(Ended::AnotherRequest),
            }
        }
    }

    impl<const SIGNS: bool> Poll<SIGNS> {
        fn sign(&mut self, target: &Target, request: &Request) -> Result<Vec<Header>> {
            self.signatures += 1;
            if target.scheme() != "https" {
                return Err(Failure::unsupported("signed requests need https"));
            }
            let (host, path) = (target.authority(), target.prefix() + &*request.target);
            let signed = format!("{host}{path}#{} {}", target.server(), self.signatures);
            let date = ("Date", target.unix_ns().to_string());
            Ok(vec![date, ("Authorization", signed)])
        }
    }

    fn table(made: &Made) -> &'static ifb_http_codec {
        made.table(IFB_HTTP_CODEC)
    }

    /// The host's side of one request.
    struct Flight<'a> {
        codec: &'static ifb_http_codec,
        exchange: *mut ifb_exchange,
        asked: ifb_http_request,
        reports: &'a Reports,
    }

    impl<'a> Flight<'a> {
        fn open(
            made: &Made,
            prompt: &str,
            reports: &'a Reports,
        ) -> std::result::Result<Self, String> {
            let codec = table(made);
            let (mut exchange, mut error) = (null_mut(), IFB_ERROR_INIT);
            let status = sample(prompt, |sample| unsafe {
                let open = codec.open.unwrap();
                open(made.instance, sample, null_mut(), &mut exchange, &mut error)
            });
            if status != IFB_OK {
                assert!(exchange.is_null());
                return Err(said_in(&error));
            }
            let nothing = bytes_of(&[]);
            let mut asked = Request::default().filled(&[], &nothing);
            asked.body = null();
            Ok(Flight { codec, exchange, asked, reports })
        }
        fn result(&self, status: ifb_status, error: &ifb_error) -> (ifb_status, String) {
            (status, said_in(error))
        }
        /// Returns the request as text.
        fn request(&mut self) -> String {
            let mut error = IFB_ERROR_INIT;
            let request = self.codec.request.unwrap();
            let status = unsafe { request(self.exchange, &mut self.asked, &mut error) };
            match status {
                IFB_OK => self.written(),
                _ => said_in(&error),
            }
        }
        fn sign(&mut self, scheme: &str, unix_ns: i64) -> String {
            let target = ifb_http_target {
                struct_size: size_of::<ifb_http_target>() as u32,
                server: 1,
                scheme: str_of(scheme),
                authority: str_of("host:1"),
                prefix: str_of("/base"),
                unix_ns,
            };
            let mut error = IFB_ERROR_INIT;
            let mut asked = self.asked;
            let sign = self.codec.sign.unwrap();
            match unsafe { sign(self.exchange, &target, &mut asked, &mut error) } {
                IFB_OK => {
                    let before = std::mem::replace(&mut self.asked, asked);
                    let written = self.written();
                    self.asked = before;
                    written
                }
                _ => said_in(&error),
            }
        }
        fn written(&self) -> String {
            let ifb_http_request { method, target, not_before_ns, .. } = self.asked;
            let headers = unsafe { Fields::of(self.asked.headers, self.asked.header_count) };
            let headers: Vec<_> = headers.iter().map(|(a, b)| format!("{a}: {b}")).collect();
            let body: Vec<u8> = unsafe { slice_of(self.asked.body, self.asked.body_count) }
                .iter()
                .flat_map(|part| unsafe { slice_of(part.data.cast::<u8>(), part.size) })
                .copied()
                .collect();
            let (method, target) = unsafe { (view(method), view(target)) };
            let body = String::from_utf8(body).unwrap();
            format!("{method} {target} {not_before_ns} [{}] {body}", headers.join(", "))
        }
        fn head(&self, status: u32, media_type: &str) -> (ifb_status, String, u32) {
            let headers = [field_of("Content-Type", media_type)];
            let head = ifb_http_head {
                struct_size: size_of::<ifb_http_head>() as u32,
                status,
                headers: headers.as_ptr(),
                header_count: 1,
            };
            let (mut framing, mut error) = (IFB_FRAMING_AUTO, IFB_ERROR_INIT);
            let on_head = self.codec.on_head.unwrap();
            let status = unsafe { on_head(self.exchange, &head, &mut framing, &mut error) };
            (status, said_in(&error), framing)
        }
        fn message(&self, event: &str, data: &str, at: u64) -> (ifb_status, String) {
            let message = ifb_http_message {
                struct_size: size_of::<ifb_http_message>() as u32,
                flags: 0,
                event: str_of(event),
                data: bytes_of(data.as_bytes()),
                at,
            };
            let mut error = IFB_ERROR_INIT;
            let (on, handle) = (self.reports.table(), self.reports.handle());
            let on_message = self.codec.on_message.unwrap();
            let status = unsafe { on_message(self.exchange, &message, on, handle, &mut error) };
            self.result(status, &error)
        }
        fn end(&self, flags: u32, trailers: &[ifb_field]) -> (ifb_status, String) {
            let end = ifb_http_end {
                struct_size: size_of::<ifb_http_end>() as u32,
                flags,
                trailers: trailers.as_ptr(),
                trailer_count: trailers.len(),
            };
            let mut error = IFB_ERROR_INIT;
            let (on, handle) = (self.reports.table(), self.reports.handle());
            let on_end = self.codec.on_end.unwrap();
            let status = unsafe { on_end(self.exchange, &end, on, handle, &mut error) };
            self.result(status, &error)
        }
    }

    impl Drop for Flight<'_> {
        fn drop(&mut self) {
            unsafe { self.codec.close.unwrap()(self.exchange) }
        }
    }

    const NOTHING: String = String::new();

    #[test]
    fn a_codec_that_signs_nothing_offers_no_sign() {
        let fake = FakeHost::new();
        let plain = Made::of(of::<Polling<false>>(), &fake);
        assert!(table(&plain).sign.is_none());
        assert!(table(&Made::of(of::<Polling<true>>(), &fake)).sign.is_some());
        assert_eq!(table(&plain).flags, IFB_CODEC_AUTHORIZES);
    }

    #[test]
    fn an_exchange_submits_and_polls_not_before_its_time() {
        let (fake, reports) = (FakeHost::new(), Reports::default());
        let made = Made::of(of::<Polling<false>>(), &fake);
        let mut flight = Flight::open(&made, "hi", &reports).unwrap();
        assert_eq!(flight.request(), "POST /submit 0 [Content-Type: application/json] hi");
        assert_eq!(flight.head(200, "text/plain"), (IFB_OK, NOTHING, IFB_FRAMING_LINES));
        let trailers = [field_of("grpc-status", "7"), field_of("Other", "8")];
        assert_eq!(flight.end(0, &trailers), (IFB_MORE, NOTHING));
        assert_eq!(flight.request(), "GET /poll 99 [] ");
        assert_eq!(flight.message("", "a", 17), (IFB_OK, NOTHING));
        assert_eq!(flight.message("last", "stop", 18), (IFB_END, NOTHING));
        assert_eq!(flight.end(IFB_HTTP_END_EARLY, &[]), (IFB_OK, NOTHING));
        assert_eq!(reports.lines(), ["attribute status=7", "token :a 1 0 0 at 17", "done stop"]);
        assert_eq!(flight.request(), "too many rounds");
    }

    #[test]
    fn a_signature_adds_headers_to_each_request_anew() {
        let (fake, reports) = (FakeHost::new(), Reports::default());
        let made = Made::of(of::<Polling<true>>(), &fake);
        let mut flight = Flight::open(&made, "hi", &reports).unwrap();
        flight.request();
        let signed = |date: i64, round: u32| {
            format!(
                "POST /submit 0 [Content-Type: application/json, Date: {date}, \
                 Authorization: host:1/base/submit#1 {round}] hi"
            )
        };
        assert_eq!(flight.sign("https", 5), signed(5, 1));
        assert_eq!(flight.sign("https", 6), signed(6, 2));
        assert_eq!(flight.sign("http", 7), "signed requests need https");
        assert_eq!(flight.request(), "GET /poll 99 [] ");
    }

    #[test]
    fn a_failure_and_a_panic_fail_the_call() {
        let (fake, reports) = (FakeHost::new(), Reports::default());
        let made = Made::of(of::<Polling<false>>(), &fake);
        assert_eq!(Flight::open(&made, "", &reports).err().unwrap(), "no prompt");
        let flight = Flight::open(&made, "hi", &reports).unwrap();
        let refused = (IFB_E_REMOTE, "status 503".to_string(), IFB_FRAMING_AUTO);
        assert_eq!(flight.head(503, "text/html"), refused);
        let (status, said) = flight.message("panic", "", 1);
        assert_eq!(status, IFB_E_INTERNAL);
        assert!(said.starts_with("panic: in a message ("), "{said}");
        assert_eq!((reports.lines(), fake.logged()), (vec![], vec![]));
    }
}
