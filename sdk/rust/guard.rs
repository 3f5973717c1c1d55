//! Converts failures and panics to the form that the contract requires: a status and a filled
//! ifb_error.

use crate::abi::*;
use crate::options::Opt;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::CStr;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};
use std::sync::Once;

/// The reason of a failed call: a status of abi.h and a text for the user.
#[derive(Debug)]
pub struct Failure {
    code: ifb_status,
    message: String,
    option: Option<&'static str>,
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(code: ifb_status, message: impl Into<String>) -> Failure {
        // A failure with a success code is a mistake of the plugin's author.
        let code = if code < 0 { code } else { IFB_E_INTERNAL };
        Failure { code, message: message.into(), option: None }
    }
    /// The value of `option` cannot be used; the host shows the line that set this option.
    pub fn config(option: &'static str, message: impl Into<String>) -> Failure {
        Failure { option: Some(option), ..Failure::new(IFB_E_CONFIG, message) }
    }
    /// The server's answer does not follow the protocol.
    pub fn protocol(message: impl Into<String>) -> Failure {
        Failure::new(IFB_E_PROTOCOL, message)
    }
    /// The server answered with an error.
    pub fn remote(message: impl Into<String>) -> Failure {
        Failure::new(IFB_E_REMOTE, message)
    }
    /// An operation on the file `path`, the value of `option`, failed. `doing` is the operation,
    /// for example "open".
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

/// Allows `?` on results of std::io. If the message should name a file, use Failure::file.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new(IFB_E_IO, error.to_string())
    }
}

/// A panic that the panic hook has recorded.
#[derive(Default)]
pub(crate) struct Panic {
    pub(crate) text: String,
    /// True if the end of a request has already reported the panic.
    pub(crate) told: bool,
}

thread_local! {
    /// The current panic of this thread.
    static PANIC: RefCell<Panic> = RefCell::new(Panic::default());
}

/// Returns the text of the current panic of this thread, for a request that ends because of the
/// panic. Marks the panic as reported.
pub(crate) fn tell_panic() -> String {
    let told = PANIC.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        kept.told = true;
        kept.text.clone()
    });
    told.unwrap_or_default()
}

/// Replaces the default panic hook, which would print. This affects only this library, because each
/// library has its own copy of Rust's runtime.
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

/// Runs `call` and catches a panic.
pub(crate) fn unwound<T>(call: impl FnOnce() -> T) -> std::result::Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        // The text is taken first: dropping the payload may panic again, and the hook would replace
        // the text.
        let panic = PANIC.try_with(|kept| std::mem::take(&mut *kept.borrow_mut()));
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            // Dropping this payload could panic, too, so it is leaked.
            std::mem::forget(again);
        }
        panic.unwrap_or_default()
    })
}

/// Runs `call`; a panic becomes a Failure.
pub(crate) fn caught<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    unwound(call).unwrap_or_else(|panic| Err(Failure::new(IFB_E_INTERNAL, panic.text)))
}

/// Like caught(), for calls from the host: returns the status of the call, and fills `error` if the
/// call failed.
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

/// Fills `error` unless it is null. A long message is cut between two characters, and every message
/// is cut at its first zero byte. An empty message is replaced by "no reason was given".
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

/// Returns the message in `error`.
pub(crate) fn said_in(error: &ifb_error) -> String {
    // The last byte is never a part of a message. It is set to 0, so that the text is terminated.
    let mut message = error.message;
    message[message.len() - 1] = 0;
    unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned()
}

/// Returns an Err if a call of the host failed, with the message in `error`, or with `otherwise` if
/// there is none. A positive status, which these calls do not have, is a failure, too.
pub(crate) fn checked(status: ifb_status, error: &ifb_error, otherwise: &str) -> Result<()> {
    if status == IFB_OK {
        return Ok(());
    }
    let said = said_in(error);
    let said = if said.is_empty() { otherwise.to_string() } else { said };
    Err(Failure::new(status, said))
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

    /// Counts its drops. If `panics` is true, the first drop panics.
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
    fn a_call_of_the_host_fails_with_its_message_or_with_ours() {
        let mut error = IFB_ERROR_INIT;
        assert!(checked(IFB_OK, &error, "ours").is_ok());
        let failure = checked(IFB_E_IO, &error, "ours").unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_IO, "ours"));
        fill(&mut error, IFB_E_IO, "its", -1);
        let failure = checked(IFB_MORE, &error, "ours").unwrap_err();
        assert_eq!((failure.code(), failure.message()), (IFB_E_INTERNAL, "its"));
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
