//! The host as Rust sees it.

use crate::abi::*;
use crate::guard::{caught, Failure, Result};
use crate::{str_of, view};
use std::ffi::CStr;
use std::ptr::null_mut;

/// A handle, free to copy; any thread. Valid as long as the instance that was created with it.
#[derive(Clone, Copy)]
pub struct Host(*const ifb_host);

// The contract lets any thread call it.
unsafe impl Send for Host {}
unsafe impl Sync for Host {}

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
    /// Messages to the user, one line each. Nothing is to be printed.
    pub fn debug(&self, text: &str) {
        self.log(1, text)
    }
    pub fn info(&self, text: &str) {
        self.log(2, text)
    }
    pub fn warn(&self, text: &str) {
        self.log(3, text)
    }
    pub fn error(&self, text: &str) {
        self.log(4, text)
    }
    /// Monotonic nanoseconds; the one clock that a plugin may report in.
    pub fn now(&self) -> u64 {
        unsafe { call!(self.0, now, self.0) }
    }
    /// Same seed of the run and same stream: same number, everywhere.
    pub fn seed(&self, stream: u64) -> u64 {
        unsafe { call!(self.0, seed, self.0, stream) }
    }
    /// True once the run is being stopped.
    pub fn cancelled(&self) -> bool {
        unsafe { call!(self.0, cancelled, self.0) != 0 }
    }
    fn service<T>(&self, id: &str) -> Option<&T> {
        unsafe { call!(self.0, service, self.0, id.as_ptr().cast()).cast::<T>().as_ref() }
    }
    /// Prints to the user's terminal (R9). False: this host has none.
    pub fn print(&self, text: &str) -> bool {
        match self.service::<ifb_console_service>(IFB_SERVICE_CONSOLE) {
            Some(console) => unsafe { call!(console, print, self.0, str_of(text)) },
            None => return false,
        }
        true
    }
    /// Tells the user where something was written. `what`: "result".
    pub fn artifact(&self, what: &str, path: &str) {
        if let Some(console) = self.service::<ifb_console_service>(IFB_SERVICE_CONSOLE) {
            unsafe { call!(console, artifact, self.0, str_of(what), str_of(path)) }
        }
    }
    /// `total`: 0 when unknown.
    pub fn progress(&self, what: &str, done: u64, total: u64) {
        if let Some(progress) = self.service::<ifb_progress_service>(IFB_SERVICE_PROGRESS) {
            unsafe { call!(progress, report, self.0, str_of(what), done, total) }
        }
    }
    /// The tokenizer of the run; a failure when it goes without one.
    pub fn tokens(&self) -> Result<Tokens<'_>> {
        match self.service::<ifb_tokenizer_service>(IFB_SERVICE_TOKENIZER) {
            Some(table) => Ok(Tokens { host: *self, table }),
            None => Err(Failure::unsupported(
                "the plugin needs a tokenizer, and this run goes without one",
            )),
        }
    }

    /// Zeroed memory of an arena.
    pub(crate) unsafe fn allocate(&self, arena: *mut ifb_arena, size: usize) -> Result<*mut u8> {
        let memory: *mut u8 = call!(self.0, alloc, self.0, arena, size).cast();
        if memory.is_null() {
            return Err(Failure::memory());
        }
        Ok(memory)
    }
    /// A copy of `from` in an arena. Nothing in an arena is dropped, hence Copy.
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
    /// For calls that have no room for a message: it goes to the log.
    pub(crate) fn logging(&self, call: impl FnOnce() -> Result<()>) -> ifb_status {
        match caught(call) {
            Ok(()) => IFB_OK,
            Err(failure) => {
                self.error(failure.message());
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
    /// `flags`: ifb_encode_flag.
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
    /// `flags`: ifb_decode_flag.
    pub fn decode(&self, ids: &[u32], flags: u32) -> Result<String> {
        let text: Vec<u8> = twice(ids.len() * 6 + 16, |to: *mut u8, capacity, needed| unsafe {
            let host = self.host.0;
            let to = to.cast();
            call!(self.table, decode, host, ids.as_ptr(), ids.len(), flags, to, capacity, needed)
        })?;
        Ok(unsafe { view(ifb_str { data: text.as_ptr().cast(), size: text.len() }) }.into_owned())
    }
}

fn checked(status: ifb_status) -> Result<()> {
    if status < 0 {
        return Err(Failure::new(status, "the run's tokenizer failed"));
    }
    Ok(())
}

/// Calls once more where the first guess at the length was too short.
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
