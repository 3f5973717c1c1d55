//! Failures and panics in the form of the contract: a status and a filled ifb_error.

use crate::abi::*;
use crate::options::Opt;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::CStr;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::sync::Once;

/// Why a call fails: a status of abi.h and a text for the user.
#[derive(Debug)]
pub struct Failure {
    code: ifb_status,
    message: String,
    option: Option<&'static str>,
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(code: ifb_status, message: impl Into<String>) -> Failure {
        // A code that does not say failure is the author's mistake.
        let code = if code < 0 { code } else { IFB_E_INTERNAL };
        Failure { code, message: message.into(), option: None }
    }
    /// The value of `option` is unusable; the host shows the line that set it.
    pub fn config(option: &'static str, message: impl Into<String>) -> Failure {
        Failure { option: Some(option), ..Failure::new(IFB_E_CONFIG, message) }
    }
    /// The server's answer makes no sense.
    pub fn protocol(message: impl Into<String>) -> Failure {
        Failure::new(IFB_E_PROTOCOL, message)
    }
    /// The server answered, with an error.
    pub fn remote(message: impl Into<String>) -> Failure {
        Failure::new(IFB_E_REMOTE, message)
    }
    /// `doing`, such as "open", failed with the file `path`, which is the value of `option`.
    pub fn file(option: &'static str, doing: &str, path: &str, error: std::io::Error) -> Failure {
        let message = format!("cannot {doing} {path}: {error}");
        Failure { option: Some(option), ..Failure::new(IFB_E_IO, message) }
    }
    pub fn unsupported(message: impl Into<String>) -> Failure {
        Failure::new(IFB_E_UNSUPPORTED, message)
    }
    pub(crate) fn memory() -> Failure {
        Failure::new(IFB_E_MEMORY, "out of memory")
    }
    pub fn code(&self) -> ifb_status {
        self.code
    }
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// For `?`; Failure::file says more, where a file is to be named.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new(IFB_E_IO, error.to_string())
    }
}

/// A panic as the hook saw it.
#[derive(Default)]
pub(crate) struct Panic {
    pub(crate) text: String,
    /// The end of a request has said it already.
    pub(crate) told: bool,
}

thread_local! {
    /// The one that is under way.
    static PANIC: RefCell<Panic> = RefCell::new(Panic::default());
}

/// The text of the panic that unwinds this thread, for a request that ends with it.
pub(crate) fn tell_panic() -> String {
    let told = PANIC.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        kept.told = true;
        kept.text.clone()
    });
    told.unwrap_or_default()
}

/// Instead of the default hook, which prints. The hook is this library's own: each has its own
/// copy of Rust's runtime.
pub(crate) fn keep_panics_quiet() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        set_hook(Box::new(|info| {
            let mut text = format!("panic: {}", said(info.payload()));
            if let Some(place) = info.location() {
                text += &format!(" ({}:{})", place.file(), place.line());
            }
            let _ = PANIC.try_with(|kept| *kept.borrow_mut() = Panic { text, told: false });
        }))
    });
}

fn said(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "of unknown type",
    }
}

/// Runs `call`, whatever it does.
pub(crate) fn unwound<T>(call: impl FnOnce() -> T) -> std::result::Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        // Taken first: dropping the payload may panic once more, which the hook hears as well.
        let panic = PANIC.try_with(|kept| std::mem::take(&mut *kept.borrow_mut()));
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            // The drop of this payload may panic as well, and so on without an end.
            std::mem::forget(again);
        }
        panic.unwrap_or_default()
    })
}

/// Runs `call`; a panic in it is a failure like any other.
pub(crate) fn caught<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    unwound(call).unwrap_or_else(|panic| Err(Failure::new(IFB_E_INTERNAL, panic.text)))
}

/// The same for the host: the status of the call, and `error` filled where it failed.
pub(crate) fn guard(
    error: *mut ifb_error,
    options: &[Opt],
    call: impl FnOnce() -> Result<ifb_status>,
) -> ifb_status {
    match caught(call) {
        Ok(status) => status,
        Err(failure) => {
            let index = options.iter().position(|each| Some(each.name()) == failure.option);
            fill(error, failure.code, &failure.message, index.map_or(-1, |i| i as i32));
            failure.code
        }
    }
}

/// Fills `error` unless it is null. The message is cut between characters, and at a zero byte; one
/// of which nothing is left says so.
pub(crate) fn fill(error: *mut ifb_error, code: ifb_status, message: &str, option: i32) {
    if error.is_null() {
        return;
    }
    let error = unsafe { &mut *error };
    let message = message.split('\0').next().unwrap_or_default();
    let message = if message.is_empty() { "no reason was given" } else { message };
    let mut end = message.len().min(error.message.len() - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    error.code = code;
    error.option = option;
    for (to, from) in error.message.iter_mut().zip(message[..end].bytes()) {
        *to = from as _;
    }
    error.message[end] = 0;
}

/// One that nobody has filled yet.
pub(crate) fn blank_error() -> ifb_error {
    ifb_error { code: IFB_OK, option: -1, message: [0; 1016] }
}

/// The message that the host wrote into a lent error.
pub(crate) fn said_in(error: &ifb_error) -> String {
    // The last byte is never part of a message, so there is an end in any case.
    let mut message = error.message;
    message[message.len() - 1] = 0;
    unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::panic_any;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::Arc;

    fn error() -> ifb_error {
        ifb_error { code: 7, option: 7, message: [b'x' as _; 1016] }
    }

    fn message(error: &ifb_error) -> String {
        error.message.iter().take_while(|c| **c != 0).map(|c| *c as u8 as char).collect()
    }

    #[test]
    fn a_panic_is_a_status_with_its_place_and_nothing_is_printed() {
        keep_panics_quiet();
        let mut filled = error();
        let status = guard(&mut filled, &[], || panic!("no {}", "luck"));
        assert_eq!((status, filled.code, filled.option), (IFB_E_INTERNAL, IFB_E_INTERNAL, -1));
        let text = message(&filled);
        assert!(text.starts_with("panic: no luck (") && text.contains("guard.rs:"), "{text}");
    }

    /// Counts its drops, and panics in the first where `panics`.
    struct Thrown {
        drops: Arc<AtomicU32>,
        panics: bool,
    }

    impl Drop for Thrown {
        fn drop(&mut self) {
            self.drops.fetch_add(1, Ordering::Relaxed);
            if self.panics {
                panic_any(Thrown { drops: self.drops.clone(), panics: true });
            }
        }
    }

    #[test]
    fn what_a_panic_carries_is_dropped_even_if_that_panics() {
        keep_panics_quiet();
        for panics in [false, true] {
            let drops = Arc::new(AtomicU32::new(0));
            let thrown = Thrown { drops: drops.clone(), panics };
            let mut filled = error();
            assert_eq!(guard(&mut filled, &[], || panic_any(thrown)), IFB_E_INTERNAL);
            assert_eq!(drops.load(Ordering::Relaxed), 1);
            let text = message(&filled);
            assert!(text.starts_with("panic: of unknown type ("), "{text}");
        }
        let mut filled = error();
        guard(&mut filled, &[], || panic!("the next one"));
        assert!(message(&filled).starts_with("panic: the next one ("));
    }

    #[test]
    fn a_file_that_fails_is_named_with_its_option() {
        let options = [Opt::path(crate::text!("file"), crate::text!("File to write."))];
        let mut filled = error();
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        let status = guard(&mut filled, &options, || {
            Err(Failure::file("file", "open", "/no/such/file", missing))
        });
        assert_eq!((status, filled.option), (IFB_E_IO, 0));
        assert_eq!(message(&filled), "cannot open /no/such/file: entity not found");
    }

    #[test]
    fn a_failure_names_its_option() {
        let options = [
            Opt::switch(crate::text!("a"), crate::text!("A.")),
            Opt::path(crate::text!("b"), crate::text!("B.")),
        ];
        let mut filled = error();
        let status = guard(&mut filled, &options, || Err(Failure::config("b", "no such file")));
        assert_eq!((status, filled.code, filled.option), (IFB_E_CONFIG, IFB_E_CONFIG, 1));
        assert_eq!(message(&filled), "no such file");
    }

    #[test]
    fn a_failure_without_a_code_for_one_is_internal() {
        assert_eq!(Failure::new(IFB_END, "").code(), IFB_E_INTERNAL);
    }

    #[test]
    fn a_message_is_cut_between_characters_and_at_a_zero() {
        let mut filled = error();
        fill(&mut filled, IFB_E_IO, &"\u{e9}".repeat(600), -1);
        assert_eq!(message(&filled).chars().count(), 1014);
        assert_eq!(filled.message[1014], 0);
        fill(&mut filled, IFB_E_IO, "a\0b", -1);
        assert_eq!(message(&filled), "a");
        fill(std::ptr::null_mut(), IFB_E_IO, "nobody asks", -1);
    }
}
