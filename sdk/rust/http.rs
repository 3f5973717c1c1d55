//! HTTP requests: the requests of a backend (backend.rs), and the host's service for requests that
//! are not part of the measurement.

use crate::abi::*;
use crate::guard::{checked, Failure, Result};
use crate::host::Host;
use crate::{bytes_of, field_of, slice_of, str_of, view};
use std::borrow::Cow;
use std::mem::size_of;
use std::ptr::null;
use std::time::Duration;

/// Name and value of a header to be sent. If a name is repeated, the last value is sent.
pub type Header = (&'static str, String);

/// A request to be sent. The host adds host name and lengths, and other headers as abi.h describes
/// for the sender. The default is a GET of the base URL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub method: &'static str,
    /// The path and the query, which are appended to the base URL. In a request to Http, it may
    /// also be a whole URL.
    pub target: String,
    pub headers: Vec<Header>,
    pub body: Vec<u8>,
    /// For a request of a backend after AnotherRequest: the earliest time at which it is sent, on
    /// the clock of Host::now(); 0: at once.
    pub not_before_ns: u64,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            method: "GET",
            target: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            not_before_ns: 0,
        }
    }
}

impl Request {
    pub fn get(target: &str) -> Request {
        Request { target: target.to_string(), ..Request::default() }
    }
    pub fn post_json(target: &str, body: String) -> Request {
        Request { method: "POST", body: body.into_bytes(), ..Request::get(target) }
            .header("Content-Type", "application/json")
    }
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Request {
        self.headers.push((name, value.into()));
        self
    }
    /// Sets not_before_ns.
    pub fn not_before(mut self, time_ns: u64) -> Request {
        self.not_before_ns = time_ns;
        self
    }
    /// Returns the contract's form of the request. `fields` and `body` must be the headers and the
    /// body of this request. The result is valid as long as the request and both arguments.
    pub(crate) fn filled(&self, fields: &[ifb_field], body: &ifb_bytes) -> ifb_http_request {
        ifb_http_request {
            struct_size: size_of::<ifb_http_request>() as u32,
            reserved: 0,
            method: str_of(self.method),
            target: str_of(&self.target),
            headers: fields.as_ptr(),
            header_count: fields.len(),
            body,
            body_count: usize::from(body.size > 0),
            not_before_ns: self.not_before_ns,
        }
    }
}

/// Returns the contract's form of headers. The result is valid as long as `headers`.
pub(crate) fn fields_of(headers: &[Header]) -> impl Iterator<Item = ifb_field> + '_ {
    headers.iter().map(|(name, value)| field_of(name, value))
}

/// Headers or trailers that were received. Names are compared without case.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(&'a [ifb_field]);

impl<'a> Fields<'a> {
    /// # Safety
    /// The fields and their texts must be readable, and must not change, during 'a.
    pub(crate) unsafe fn of(first: *const ifb_field, count: usize) -> Fields<'a> {
        Fields(slice_of(first, count))
    }
    pub(crate) fn iter(self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> {
        // The texts live as long as the fields.
        self.0.iter().map(|each| unsafe { (view(each.name), view(each.value)) })
    }
    /// Returns the value of the first field with this name.
    pub(crate) fn find(self, name: &str) -> Option<Cow<'a, str>> {
        self.iter().find(|(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Sends requests that are not part of the measurement, to the server under test or to another
/// server. Any thread may use it; its calls block.
#[derive(Clone, Copy)]
pub struct Http<'a> {
    host: Host,
    table: &'a ifb_http_service,
}

/// The server's answer, whatever its HTTP status is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub status: u32,
    /// Names and values as they were received.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Returns the value of the first header with this name. Upper and lower case are equal.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(each, _)| each.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }
}

impl<'a> Http<'a> {
    pub(crate) fn of(host: Host, table: &'a ifb_http_service) -> Http<'a> {
        Http { host, table }
    }
    /// If the target is a path such as "/tokenize", the host appends it to the base URL and adds
    /// the API key and the user's headers. If the target is a whole URL, it adds neither. Returns
    /// an Err if there is no answer within `timeout`; a timeout of 0 is no limit.
    pub fn request(&self, request: &Request, timeout: Duration) -> Result<Answer> {
        let arena = Arena::of(self)?;
        let fields: Vec<_> = fields_of(&request.headers).collect();
        let body = bytes_of(&request.body);
        self.ask(&request.filled(&fields, &body), timeout, &arena)
    }
    /// Like request(), for a request without headers of its own.
    pub fn fetch(
        &self,
        method: &str,
        target: &str,
        body: &[u8],
        timeout: Duration,
    ) -> Result<Answer> {
        let arena = Arena::of(self)?;
        let body = bytes_of(body);
        let asked = ifb_http_request {
            method: str_of(method),
            target: str_of(target),
            ..Request::default().filled(&[], &body)
        };
        self.ask(&asked, timeout, &arena)
    }
    fn ask(&self, asked: &ifb_http_request, timeout: Duration, arena: &Arena) -> Result<Answer> {
        // At most 63 bits, so that the host can add the current time without an overflow.
        let timeout = timeout.as_nanos().min(i64::MAX as u128) as u64;
        let mut answer = ifb_http_answer {
            struct_size: size_of::<ifb_http_answer>() as u32,
            status: 0,
            headers: null(),
            header_count: 0,
            body: bytes_of(&[]),
        };
        let mut error = IFB_ERROR_INIT;
        // All pointers are valid until the call has returned. The answer is copied before the arena
        // is returned.
        unsafe {
            let (table, host) = (self.table, self.host.table());
            let status =
                call!(table, request, host, asked, timeout, arena.handle, &mut answer, &mut error);
            checked(status, &error, "there was no answer")?;
            let headers = Fields::of(answer.headers, answer.header_count);
            let owned = |(name, value): (Cow<str>, Cow<str>)| (name.into(), value.into());
            Ok(Answer {
                status: answer.status,
                headers: headers.iter().map(owned).collect(),
                body: slice_of(answer.body.data.cast(), answer.body.size).to_vec(),
            })
        }
    }
}

/// Holds an answer until it is copied.
struct Arena<'a> {
    of: &'a Http<'a>,
    handle: *mut ifb_arena,
}

impl<'a> Arena<'a> {
    fn of(http: &'a Http) -> Result<Arena<'a>> {
        // The host outlives this handle.
        let handle = unsafe { call!(http.table, arena, http.host.table()) };
        if handle.is_null() {
            return Err(Failure::memory());
        }
        Ok(Arena { of: http, handle })
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        // The handle came from this host, and it is returned once.
        unsafe { call!(self.of.table, release, self.of.host.table(), self.handle) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::FakeHost;

    const SECOND: Duration = Duration::from_secs(1);

    fn answer(status: u32, body: &str) -> Answer {
        Answer { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
    }

    #[test]
    fn a_server_is_asked_and_any_answer_is_one() {
        let mut fake = FakeHost::new();
        fake.server = Some(|asked, timeout_ns| {
            assert_eq!(asked.headers, []);
            let body = String::from_utf8_lossy(&asked.body);
            Ok(answer(404, &format!("{} {} {body} {timeout_ns}", asked.method, asked.target)))
        });
        let found = fake.host().http().unwrap().fetch("POST", "/x", b"{}", SECOND).unwrap();
        assert_eq!(found, answer(404, "POST /x {} 1000000000"));
        assert_eq!(*fake.arenas_lent.lock().unwrap(), 0);
    }

    #[test]
    fn a_request_has_headers_and_so_has_its_answer() {
        let mut fake = FakeHost::new();
        fake.server = Some(|asked, _| {
            let headers = asked.headers.iter().map(|(a, b)| (a.clone(), b.to_uppercase()));
            Ok(Answer { headers: headers.collect(), ..answer(200, &asked.target) })
        });
        let asked = Request::post_json("http://hub/token", "{}".into()).header("X-Key", "a");
        let found = fake.host().http().unwrap().request(&asked, SECOND).unwrap();
        assert_eq!((found.header("x-key"), found.header("y")), (Some("A"), None));
        assert_eq!(found.headers[0], ("Content-Type".into(), "APPLICATION/JSON".into()));
        assert_eq!(found.body, b"http://hub/token");
    }

    #[test]
    fn an_answer_may_be_empty_and_a_timeout_without_end() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, timeout_ns| match timeout_ns.checked_add(1 << 62) {
            Some(_) => Ok(answer(200, "")),
            None => Err("the time-out is past the end of the clock"),
        });
        let found = fake.host().http().unwrap().fetch("GET", "/", b"", Duration::MAX).unwrap();
        assert_eq!(found, answer(200, ""));
    }

    #[test]
    fn a_server_that_does_not_answer_is_a_failure_in_the_words_of_the_host() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, _| Err("no answer within 1 s"));
        let failure = fake.host().http().unwrap().fetch("GET", "/", b"", SECOND).unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_TIMEOUT, "no answer within 1 s"));
        assert_eq!(*fake.arenas_lent.lock().unwrap(), 0);
    }

    #[test]
    fn without_room_for_its_answer_no_server_is_asked() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, _| panic!("it was asked"));
        *fake.arenas_left.lock().unwrap() = 0;
        let failure = fake.host().http().unwrap().fetch("GET", "/", b"", SECOND).unwrap_err();
        assert_eq!(failure.code(), IFB_E_MEMORY);
    }

    #[test]
    fn a_host_without_the_service_says_so() {
        let fake = FakeHost::new();
        let failure = fake.host().http().err().unwrap();
        assert_eq!(failure.code(), IFB_E_UNSUPPORTED);
        assert!(failure.message().contains("sends none for plugins"), "{}", failure.message());
    }
}
