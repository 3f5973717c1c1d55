//! The Rust wrapper of the host.

use crate::abi::*;
use crate::guard::{unwound, Failure, Result};
use crate::http::Http;
use crate::str_of;
use crate::tokens::Tokens;

/// A handle that is cheap to copy. Any thread may use it. It is valid as long as the instance that
/// was created with it, so the table behind the pointer is valid in all functions.
#[derive(Clone, Copy)]
pub struct Host(*const ifb_host);

// The contract allows any thread to call the host.
unsafe impl Send for Host {}
unsafe impl Sync for Host {}

const DEBUG: u32 = 1;
const INFO: u32 = 2;
const WARN: u32 = 3;
const ERROR: u32 = 4;

impl Host {
    pub(crate) fn of(table: *const ifb_host) -> Host {
        Host(table)
    }
    pub(crate) fn table(&self) -> *const ifb_host {
        self.0
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
    /// Returns nanoseconds since 1970-01-01 UTC, for dates and signatures. Latencies need now(),
    /// because the wall clock may jump.
    pub fn unix_now(&self) -> i64 {
        unsafe { call!(self.0, unix_now, self.0) }
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
    /// Returns the table of a service. T must be the type of the table with this id.
    unsafe fn service<T>(&self, id: &str) -> Option<&T> {
        call!(self.0, service, self.0, id.as_ptr().cast()).cast::<T>().as_ref()
    }
    fn console(&self) -> Option<&ifb_console_service> {
        unsafe { self.service(IFB_SERVICE_CONSOLE) }
    }
    /// Prints to the user's terminal (rule R9 in abi.h). Returns false if this host has none.
    pub fn print(&self, text: &str) -> bool {
        match self.console() {
            Some(console) => unsafe { call!(console, print, self.0, str_of(text)) },
            None => return false,
        }
        true
    }
    /// Shows the user where a file was written. `what` is, for example, "result".
    pub fn artifact(&self, what: &str, path: &str) {
        if let Some(console) = self.console() {
            unsafe { call!(console, artifact, self.0, str_of(what), str_of(path)) }
        }
    }
    /// Shows the user the progress of a long preparation. `total` is 0 if it is unknown.
    pub fn progress(&self, what: &str, done: u64, total: u64) {
        let service = unsafe { self.service::<ifb_progress_service>(IFB_SERVICE_PROGRESS) };
        if let Some(progress) = service {
            unsafe { call!(progress, report, self.0, str_of(what), done, total) }
        }
    }
    /// Returns the tokenizer of the run, or a Failure if the run has no tokenizer.
    pub fn tokens(&self) -> Result<Tokens<'_>> {
        match unsafe { self.service(IFB_SERVICE_TOKENIZER) } {
            Some(table) => Ok(Tokens::of(*self, table)),
            None => Err(Failure::unsupported(
                "the plugin needs a tokenizer, and this run goes without one",
            )),
        }
    }
    /// Returns a handle for requests that are not part of the measurement, or a Failure if this
    /// host does not send requests for plugins.
    pub fn http(&self) -> Result<Http<'_>> {
        match unsafe { self.service(IFB_SERVICE_HTTP) } {
            Some(table) => Ok(Http::of(*self, table)),
            None => Err(Failure::unsupported(
                "the plugin needs to send requests, and this host sends none for plugins",
            )),
        }
    }

    /// Allocates zeroed memory in an arena.
    ///
    /// # Safety
    /// The arena must come from this host, and this thread must have received it.
    pub(crate) unsafe fn allocate(&self, arena: *mut ifb_arena, size: usize) -> Result<*mut u8> {
        let memory: *mut u8 = call!(self.0, alloc, self.0, arena, size).cast();
        if memory.is_null() {
            return Err(Failure::memory());
        }
        Ok(memory)
    }
    /// Returns a copy of `from` in an arena. T must be Copy, because objects in an arena are never
    /// dropped.
    ///
    /// # Safety
    /// As for allocate().
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
    /// # Safety
    /// As for allocate().
    pub(crate) unsafe fn copy_str(&self, arena: *mut ifb_arena, text: &str) -> Result<ifb_str> {
        Ok(ifb_str { data: self.copy(arena, text.as_bytes())?.cast(), size: text.len() })
    }
    /// For calls that cannot return an error: a panic is logged.
    pub(crate) fn logging(&self, call: impl FnOnce()) {
        if let Err(panic) = unwound(call) {
            self.error(&panic.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fake_host::FakeHost;

    #[test]
    fn a_host_has_two_clocks() {
        let fake = FakeHost::new();
        assert_eq!(fake.host().now(), 1_000);
        assert_eq!(fake.host().unix_now(), 1_700_000_000_000_000_000);
    }

    #[test]
    fn a_host_without_a_terminal_prints_nothing() {
        let host = FakeHost::new();
        assert!(!host.host().print("a"));
        host.host().artifact("result", "a.json");
        host.host().progress("reading", 1, 2);
    }

    #[test]
    fn a_panic_in_a_call_without_an_error_is_logged() {
        let fake = FakeHost::new();
        fake.host().logging(|| panic!("nobody asks"));
        let logged = fake.logged();
        assert!(logged[0].starts_with("4 panic: nobody asks ("), "{logged:?}");
    }
}
