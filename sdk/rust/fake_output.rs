//! The host's side of one request, for the tests of backends.

use crate::abi::*;
use crate::events::Events;
use crate::guard::said_in;
use crate::view;
use std::ffi::CStr;
use std::mem::size_of;
use std::sync::Mutex;

/// The reports of a backend about one request, a line for each report.
#[derive(Default)]
pub(crate) struct Reports {
    lines: Mutex<Vec<String>>,
    /// Called by the report that the answer is complete.
    pub(crate) at_done: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

static EVENTS: ifb_events = ifb_events {
    struct_size: size_of::<ifb_events>() as u32,
    reserved: 0,
    on_token: Some(on_token),
    on_usage: Some(on_usage),
    on_attribute: Some(on_attribute),
    on_done: Some(on_done),
    on_error: Some(on_error),
};

impl Reports {
    pub(crate) fn table(&self) -> *const ifb_events {
        &EVENTS
    }
    pub(crate) fn handle(&self) -> *mut ifb_output {
        (self as *const Reports as *mut Reports).cast()
    }
    pub(crate) fn events(&self) -> Events {
        unsafe { Events::of(self.table(), self.handle()) }
    }
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

unsafe fn hear(output: *mut ifb_output, line: String) {
    (*output.cast::<Reports>()).lines.lock().unwrap().push(line);
}

unsafe extern "C" fn on_token(output: *mut ifb_output, token: *const ifb_token) {
    let ifb_token { count, choice, channel, text, at, data, mime, .. } = *token;
    let mut line = format!("token {} {count} {choice} {channel} at {at}", view(text));
    if !mime.is_null() {
        line += &format!(" {} bytes of {}", data.size, CStr::from_ptr(mime).to_string_lossy());
    }
    hear(output, line);
}

unsafe extern "C" fn on_usage(output: *mut ifb_output, usage: *const ifb_usage) {
    let u = &*usage;
    let (prompt, cached, out) = (u.prompt_tokens, u.cached_tokens, u.output_tokens);
    hear(output, format!("usage {prompt} {cached} {out} {}", u.reasoning_tokens));
}

unsafe extern "C" fn on_attribute(output: *mut ifb_output, key: ifb_str, value: ifb_str) {
    hear(output, format!("attribute {}={}", view(key), view(value)));
}

unsafe extern "C" fn on_done(output: *mut ifb_output, done: *const ifb_done) {
    hear(output, format!("done {}", view((*done).finish_reason)));
    let reports = &*output.cast::<Reports>();
    let at_done = reports.at_done.lock().unwrap().take();
    if let Some(at_done) = at_done {
        at_done();
    }
}

unsafe extern "C" fn on_error(output: *mut ifb_output, error: *const ifb_error) {
    hear(output, format!("error {} {}", (*error).code, said_in(&*error)));
}
