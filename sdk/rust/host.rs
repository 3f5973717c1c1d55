//! The Rust wrapper of the host.

use crate::abi::*;
use crate::guard::{blank_error, caught, said_in, Failure, Result};
use crate::{bytes_of, str_of, view};
use std::ffi::CStr;
use std::ptr::{null, null_mut};
use std::time::Duration;

/// A handle that is cheap to copy. Any thread may use it. It is valid as long as the instance that
/// was created with it.
#[derive(Clone, Copy)]
pub struct Host(*const ifb_host);

// The contract allows any thread to call the host.
unsafe impl Send for Host {}
unsafe impl Sync for Host {}

const DEBUG: u32 = 1;
const INFO: u32 = 2;
const WARN: u32 = 3;
const ERROR: u32 = 4;

macro_rules! call {
    ($table:expr, $function:ident $(, $argument:expr)*) => {
        ((*$table).$function.expect("the host lacks a function"))($($argument),*)
    };
}

impl Host {
    pub(crate) fn of(table: *const ifb_host) -> Host {
        Host(table)
    }
    fn log(&self, level: u32, text: &str) {
        unsafe { call!(self.0, log, self.0, level, str_of(text)) }
    }
    /// Messages to the user, one line each. A plugin must not print itself.
    pub fn debug(&self, text: &str) {
        self.log(DEBUG, text)
    }
    pub fn info(&self, text: &str) {
        self.log(INFO, text)
    }
    pub fn warn(&self, text: &str) {
        self.log(WARN, text)
    }
    pub fn error(&self, text: &str) {
        self.log(ERROR, text)
    }
    /// Returns monotonic time in nanoseconds. All times that a plugin reports must come from this
    /// clock.
    pub fn now(&self) -> u64 {
        unsafe { call!(self.0, now, self.0) }
    }
    /// Returns a seed for one random stream of the plugin. It depends only on the seed of the run
    /// and on `stream`, so it is the same on every machine.
    pub fn seed(&self, stream: u64) -> u64 {
        unsafe { call!(self.0, seed, self.0, stream) }
    }
    /// Returns true if the run is being stopped.
    pub fn cancelled(&self) -> bool {
        unsafe { call!(self.0, cancelled, self.0) != 0 }
    }
    fn service<T>(&self, id: &str) -> Option<&T> {
        unsafe { call!(self.0, service, self.0, id.as_ptr().cast()).cast::<T>().as_ref() }
    }
    /// Prints to the user's terminal (rule R9 in abi.h). Returns false if this host has none.
    pub fn print(&self, text: &str) -> bool {
        match self.service::<ifb_console_service>(IFB_SERVICE_CONSOLE) {
            Some(console) => unsafe { call!(console, print, self.0, str_of(text)) },
            None => return false,
        }
        true
    }
    /// Shows the user where a file was written. `what` is, for example, "result".
    pub fn artifact(&self, what: &str, path: &str) {
        if let Some(console) = self.service::<ifb_console_service>(IFB_SERVICE_CONSOLE) {
            unsafe { call!(console, artifact, self.0, str_of(what), str_of(path)) }
        }
    }
    /// Shows the user the progress of a long preparation. `total` is 0 if it is unknown.
    pub fn progress(&self, what: &str, done: u64, total: u64) {
        if let Some(progress) = self.service::<ifb_progress_service>(IFB_SERVICE_PROGRESS) {
            unsafe { call!(progress, report, self.0, str_of(what), done, total) }
        }
    }
    /// Returns the tokenizer of the run, or a Failure if the run has no tokenizer.
    pub fn tokens(&self) -> Result<Tokens<'_>> {
        match self.service::<ifb_tokenizer_service>(IFB_SERVICE_TOKENIZER) {
            Some(table) => Ok(Tokens { host: *self, table }),
            None => Err(Failure::unsupported(
                "the plugin needs a tokenizer, and this run goes without one",
            )),
        }
    }
    /// Returns a handle for requests to the server under test that are not part of the measurement,
    /// or a Failure if the run has no server.
    pub fn http(&self) -> Result<Http<'_>> {
        match self.service::<ifb_http_service>(IFB_SERVICE_HTTP) {
            Some(table) => Ok(Http { host: *self, table }),
            None => Err(Failure::unsupported(
                "the plugin needs the server under test, and this run has none",
            )),
        }
    }

    /// Allocates zeroed memory in an arena.
    pub(crate) unsafe fn allocate(&self, arena: *mut ifb_arena, size: usize) -> Result<*mut u8> {
        let memory: *mut u8 = call!(self.0, alloc, self.0, arena, size).cast();
        if memory.is_null() {
            return Err(Failure::memory());
        }
        Ok(memory)
    }
    /// Returns a copy of `from` in an arena. T must be Copy, because objects in an arena are never
    /// dropped.
    pub(crate) unsafe fn copy<T: Copy>(
        &self,
        arena: *mut ifb_arena,
        from: &[T],
    ) -> Result<*const T> {
        assert!(std::mem::align_of::<T>() <= 16);
        if from.is_empty() {
            return Ok(std::ptr::null());
        }
        let to: *mut T = self.allocate(arena, std::mem::size_of_val(from))?.cast();
        std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len());
        Ok(to)
    }
    pub(crate) unsafe fn copy_str(&self, arena: *mut ifb_arena, text: &str) -> Result<ifb_str> {
        Ok(ifb_str { data: self.copy(arena, text.as_bytes())?.cast(), size: text.len() })
    }
    /// For calls that cannot return a message: a failure is logged.
    pub(crate) fn logging(&self, call: impl FnOnce() -> Result<()>) -> ifb_status {
        match caught(call) {
            Ok(()) => IFB_OK,
            Err(failure) => {
                // A tokenizer may lack a function, so only other failures are logged as errors.
                let level = if failure.code() == IFB_E_UNSUPPORTED { DEBUG } else { ERROR };
                self.log(level, failure.message());
                failure.code()
            }
        }
    }
}

/// The tokenizer of the run. Any thread.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    host: Host,
    table: &'a ifb_tokenizer_service,
}

impl Tokens<'_> {
    pub fn name(&self) -> String {
        unsafe { CStr::from_ptr(self.table.name) }.to_string_lossy().into_owned()
    }
    /// `flags` is a combination of ifb_encode_flag.
    pub fn count(&self, text: &str, flags: u32) -> Result<u64> {
        let mut out = 0;
        let host = self.host.0;
        checked(unsafe { call!(self.table, count, host, str_of(text), flags, &mut out) })?;
        Ok(out)
    }
    pub fn encode(&self, text: &str, flags: u32) -> Result<Vec<u32>> {
        twice(text.len() / 3 + 16, |to, capacity, needed| unsafe {
            call!(self.table, encode, self.host.0, str_of(text), flags, to, capacity, needed)
        })
    }
    /// `flags` is a combination of ifb_decode_flag.
    pub fn decode(&self, ids: &[u32], flags: u32) -> Result<String> {
        let text: Vec<u8> = twice(ids.len() * 6 + 16, |to: *mut u8, capacity, needed| unsafe {
            let host = self.host.0;
            let to = to.cast();
            call!(self.table, decode, host, ids.as_ptr(), ids.len(), flags, to, capacity, needed)
        })?;
        Ok(unsafe { view(ifb_str { data: text.as_ptr().cast(), size: text.len() }) }.into_owned())
    }
}

/// Sends requests to the server under test. Any thread may use it; its calls block.
#[derive(Clone, Copy)]
pub struct Http<'a> {
    host: Host,
    table: &'a ifb_http_service,
}

/// The server's answer, whatever its HTTP status is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub status: u32,
    pub body: Vec<u8>,
}

impl Http<'_> {
    /// `target` is, for example, "/tokenize"; it is appended to the base URL. Returns an Err if
    /// there is no answer within `timeout`.
    pub fn fetch(
        &self,
        method: &str,
        target: &str,
        body: &[u8],
        timeout: Duration,
    ) -> Result<Answer> {
        let arena = Arena::of(self)?;
        let mut status = 0;
        let mut answer = ifb_bytes { data: null(), size: 0 };
        let mut error = blank_error();
        // At most 63 bits, so that the host can add the current time without an overflow.
        let timeout = timeout.as_nanos().min(i64::MAX as u128) as u64;
        let ended = unsafe {
            call!(
                self.table,
                fetch,
                self.host.0,
                str_of(method),
                str_of(target),
                ifb_bytes { data: body.as_ptr().cast(), size: body.len() },
                timeout,
                arena.handle,
                &mut status,
                &mut answer,
                &mut error
            )
        };
        if ended < 0 {
            return Err(Failure::new(ended, said_in(&error)));
        }
        Ok(Answer { status, body: unsafe { bytes_of(answer.data.cast(), answer.size) }.to_vec() })
    }
}

/// Holds the body of an answer until the body is copied.
struct Arena<'a> {
    of: &'a Http<'a>,
    handle: *mut ifb_arena,
}

impl<'a> Arena<'a> {
    fn of(http: &'a Http) -> Result<Arena<'a>> {
        let handle = unsafe { call!(http.table, arena, http.host.0) };
        if handle.is_null() {
            return Err(Failure::memory());
        }
        Ok(Arena { of: http, handle })
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        unsafe { call!(self.of.table, release, self.of.host.0, self.handle) }
    }
}

fn checked(status: ifb_status) -> Result<()> {
    if status < 0 {
        return Err(Failure::new(status, "the run's tokenizer failed"));
    }
    Ok(())
}

/// Calls the function again if the first guess at the length was too small.
fn twice<T: Default + Clone>(
    guess: usize,
    call: impl Fn(*mut T, usize, *mut usize) -> ifb_status,
) -> Result<Vec<T>> {
    let mut out = vec![T::default(); guess];
    loop {
        let mut needed = 0;
        let to = if out.is_empty() { null_mut() } else { out.as_mut_ptr() };
        checked(call(to, out.len(), &mut needed))?;
        let enough = needed <= out.len();
        out.resize(needed, T::default());
        if enough {
            return Ok(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::FakeHost;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_server_is_asked_and_any_answer_is_one() {
        let mut fake = FakeHost::new();
        fake.server = Some(|method, target, body, timeout_ns| {
            let body = String::from_utf8_lossy(body);
            Ok((404, format!("{method} {target} {body} {timeout_ns}").into_bytes()))
        });
        let answer = fake.host().http().unwrap().fetch("POST", "/x", b"{}", SECOND).unwrap();
        let body = b"POST /x {} 1000000000".to_vec();
        assert_eq!(answer, Answer { status: 404, body });
        assert_eq!(*fake.arenas_lent.lock().unwrap(), 0);
    }

    #[test]
    fn an_answer_may_be_empty_and_a_timeout_without_end() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, _, _, timeout_ns| match timeout_ns.checked_add(1 << 62) {
            Some(_) => Ok((200, Vec::new())),
            None => Err("the time-out is past the end of the clock"),
        });
        let answer = fake.host().http().unwrap().fetch("GET", "/", b"", Duration::MAX).unwrap();
        assert_eq!(answer, Answer { status: 200, body: Vec::new() });
    }

    #[test]
    fn a_server_that_does_not_answer_is_a_failure_in_the_words_of_the_host() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, _, _, _| Err("no answer within 1 s"));
        let failure = fake.host().http().unwrap().fetch("GET", "/", b"", SECOND).unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_TIMEOUT, "no answer within 1 s"));
        assert_eq!(*fake.arenas_lent.lock().unwrap(), 0);
    }

    #[test]
    fn without_room_for_its_answer_no_server_is_asked() {
        let mut fake = FakeHost::new();
        fake.server = Some(|_, _, _, _| panic!("it was asked"));
        *fake.arenas_left.lock().unwrap() = 0;
        let failure = fake.host().http().unwrap().fetch("GET", "/", b"", SECOND).unwrap_err();
        assert_eq!(failure.code(), IFB_E_MEMORY);
    }

    #[test]
    fn a_run_without_a_server_says_so() {
        let fake = FakeHost::new();
        let failure = fake.host().http().err().unwrap();
        assert_eq!(failure.code(), IFB_E_UNSUPPORTED);
        assert!(failure.message().contains("this run has none"), "{}", failure.message());
    }
}
