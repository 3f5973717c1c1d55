//! Makes a type an engine (inferbench.engine/1): a backend that performs its requests itself. A
//! plugin for an HTTP server is a codec (backend.rs) instead.

use crate::abi::*;
pub use crate::events::{Events, Token, Usage};
use crate::guard::{guard, tell_panic, unwound, Failure, Result};
use crate::host::Host;
use crate::plugin::{Described, Instance, Lifecycle, Operations, Plugin};
pub use crate::sample::Sample;
use std::convert::Infallible;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;

/// The host calls open() on one object on several threads at the same time, so it takes &self and
/// needs Sync.
pub trait Engine: Plugin + Sync {
    type Call: Call;
    /// If true, run() returns only when the request is over; the host provides a thread for each
    /// run().
    const BLOCKING: bool = false;
    /// Accepts a request; an Err refuses it. The call must copy the parts of the sample that it
    /// needs later.
    fn open(&self, sample: &Sample) -> Result<Self::Call>;
}

/// One request. It is dropped after the host has received its end and run() has returned.
pub trait Call: Send + Sync + 'static {
    /// Begins the request and returns immediately, unless the engine is BLOCKING. The owner of
    /// `out` reports the answer, on any thread, and ends the request.
    fn run(&self, out: Output);
    /// Makes the request end soon. The host may call it on another thread while run() is running,
    /// and also after the end of the request, but not after the call was dropped.
    fn cancel(&self);
}

/// Receives the reports about a request's answer: the methods of Events, which the host stamps when
/// they are called, and the end. It may be moved to any thread, and must be used by one thread at a
/// time. If it is dropped without an end, the request ends with an error. If this happens during a
/// panic, the error has the message of the panic.
pub struct Output {
    events: Events,
    ended: bool,
    /// A blocking submit() waits until this is dropped.
    _submit: Option<Sender<Infallible>>,
}

// The contract allows any thread to report.
unsafe impl Send for Output {}

impl Output {
    /// Reports that the answer is complete.
    pub fn done(mut self, finish_reason: &str) {
        self.events.done(finish_reason);
        self.ended = true;
    }
    /// Reports that the request failed.
    pub fn error(mut self, failure: Failure) {
        self.end(&failure)
    }
    fn end(&mut self, failure: &Failure) {
        self.events.error(failure);
        self.ended = true;
    }
}

impl Deref for Output {
    type Target = Events;
    fn deref(&self) -> &Events {
        &self.events
    }
}

const DROPPED: &str =
    "the engine dropped the request without an end: call done() or error() on its output";

impl Drop for Output {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let why = match std::thread::panicking() {
            true => tell_panic(),
            false => DROPPED.to_string(),
        };
        self.end(&Failure::new(IFB_E_INTERNAL, why))
    }
}

/// An argument for plugins!().
pub const fn of<T: Engine>() -> Described {
    Lifecycle::<T, Calls<T>>::described()
}

/// The object to which an ifb_call points. It has shared ownership: the host holds a reference
/// until release(), and submit() holds a reference until it returns. Either of them may be the
/// first to give up its reference.
struct Held<C> {
    host: Host,
    call: C,
}

struct Calls<T>(PhantomData<T>);

impl<T: Engine> Operations for Calls<T> {
    const KIND: ifb_kind = IFB_BACKEND;
    const INTERFACE: &'static str = IFB_ENGINE;
    const TABLE: *const c_void = (&ifb_engine {
        struct_size: size_of::<ifb_engine>() as u32,
        flags: Self::FLAGS,
        submit: Some(Self::submit),
        cancel: Some(Self::cancel),
        release: Some(Self::release),
    } as *const ifb_engine)
        .cast();
}

// In the functions below, the host passes valid pointers, and an ifb_instance or ifb_call that this
// layer made. It calls submit and cancel at the same time as any other function, so the instance
// and the call are only shared.
impl<T: Engine> Calls<T> {
    const FLAGS: u32 = if T::BLOCKING { IFB_ENGINE_BLOCKING } else { 0 };

    unsafe extern "C" fn submit(
        instance: *mut ifb_instance,
        sample: *const ifb_sample,
        _arena: *mut ifb_arena,
        events: *const ifb_events,
        output: *mut ifb_output,
        out: *mut *mut ifb_call,
        error: *mut ifb_error,
    ) -> ifb_status {
        let mut opened = None;
        let status = guard(error, T::OPTIONS, || {
            let owner: *const Instance<T> = instance.cast();
            let call = (*owner).plugin.open(&Sample(&*sample))?;
            opened = Some(Arc::new(Held { host: (*owner).host, call }));
            Ok(IFB_OK)
        });
        let held = match opened {
            Some(held) => held,
            None => return status,
        };
        // The call is published before run(), which may last as long as the request. From now on,
        // the host can cancel the request, and a failure ends the request instead of being returned
        // as a status.
        let named = Arc::into_raw(Arc::clone(&held)) as *mut ifb_call;
        (*out.cast::<AtomicPtr<ifb_call>>()).store(named, Ordering::Release);
        let (mut submit, mut output_gone) = (None, None);
        if T::BLOCKING {
            let (sender, receiver) = channel();
            (submit, output_gone) = (Some(sender), Some(receiver));
        }
        let out = Output { events: Events::of(events, output), ended: false, _submit: submit };
        match unwound(|| held.call.run(out)) {
            // Another owner of the output has not ended the request yet, so the panic is only
            // logged.
            Err(panic) if !panic.told => held.host.error(&panic.text),
            _ => (),
        }
        if let Some(gone) = output_gone {
            // No value is ever sent. recv() returns when the last sender is dropped, which is part
            // of the output.
            let _ = gone.recv();
        }
        let host = held.host;
        host.logging(|| drop(held));
        IFB_OK
    }
    unsafe extern "C" fn cancel(call: *mut ifb_call) {
        let held = &*call.cast::<Held<T::Call>>();
        held.host.logging(|| held.call.cancel());
    }
    unsafe extern "C" fn release(call: *mut ifb_call) {
        let held = Arc::from_raw(call.cast::<Held<T::Call>>());
        let host = held.host;
        host.logging(|| drop(held));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::fake_output::Reports;
    use crate::guard::said_in;
    use crate::sample::tests::sample;
    use crate::{text, Text, Values};
    use std::ptr::null_mut;
    use std::sync::{Condvar, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    /// An engine whose behaviour depends on the prompt.
    struct Moody<const BLOCKING: bool>(Host);

    impl<const BLOCKING: bool> Plugin for Moody<BLOCKING> {
        const ID: Text = text!("moody");
        const VERSION: Text = text!("1.0.0");
        const SUMMARY: Text = text!("Does what the prompt says.");
        const LICENSE: Text = text!("MIT");
        fn create(host: Host, _values: &Values) -> Result<Self> {
            Ok(Moody(host))
        }
    }

    impl<const BLOCKING: bool> Engine for Moody<BLOCKING> {
        type Call = MoodyCall;
        const BLOCKING: bool = BLOCKING;
        fn open(&self, sample: &Sample) -> Result<MoodyCall> {
            let prompt = sample.prompt_text()?.into_owned();
            match &*prompt {
                "refuse" => Err(Failure::remote("not today")),
                "panic in open" => panic!("no such prompt"),
                _ => Ok(MoodyCall { host: self.0, prompt, told: Arc::default() }),
            }
        }
    }

    struct MoodyCall {
        host: Host,
        prompt: String,
        told: Arc<Told>,
    }

    /// Records whether the request was cancelled, and holds an output that another thread must end.
    #[derive(Default)]
    struct Told {
        cancelled: Mutex<bool>,
        changed: Condvar,
        kept: Mutex<Option<Output>>,
    }

    impl Told {
        /// Has a time limit, so that a failing test ends.
        fn wait(&self) -> bool {
            let cancelled = self.cancelled.lock().unwrap();
            let limit = Duration::from_secs(10);
            *self.changed.wait_timeout_while(cancelled, limit, |over| !*over).unwrap().0
        }
    }

    impl Call for MoodyCall {
        fn run(&self, out: Output) {
            match &*self.prompt {
                "answer" => {
                    out.token_at(17, "a", 2);
                    out.token("b", 0);
                    out.usage(Usage { prompt: 1, output: 3, ..Usage::default() });
                    out.attribute("k", "v");
                    out.done("length");
                    self.host.info("run goes on");
                }
                "fail" => out.error(Failure::remote("the engine is cold")),
                "drop" => out.token("a", 1),
                "panic" => {
                    out.token("a", 1);
                    panic!("out of fuel")
                }
                "panic at the end" => {
                    out.done("");
                    panic!("too late")
                }
                "wait" => match self.told.wait() {
                    true => out.error(Failure::new(IFB_E_CANCELLED, "cancelled")),
                    false => out.done("nobody cancelled"),
                },
                "give away" => {
                    let told = self.told.clone();
                    thread::spawn(move || {
                        told.wait();
                        thread::sleep(Duration::from_millis(20));
                        out.done("from a thread");
                    });
                }
                _ => {
                    *self.told.kept.lock().unwrap() = Some(out);
                    assert!(self.prompt != "keep and panic", "while others have it");
                }
            }
        }
        fn cancel(&self) {
            *self.told.cancelled.lock().unwrap() = true;
            self.told.changed.notify_all();
            if let Some(out) = self.told.kept.lock().unwrap().take() {
                out.error(Failure::new(IFB_E_CANCELLED, "cancelled"));
            }
            assert!(self.prompt != "panic in cancel", "while cancelled");
        }
    }

    impl Drop for MoodyCall {
        fn drop(&mut self) {
            self.host.info("dropped");
            assert!(self.prompt != "panic in drop", "while dropped");
        }
    }

    /// The host's side of one request.
    #[derive(Default)]
    struct Request {
        reports: Reports,
        call: Arc<AtomicPtr<ifb_call>>,
    }

    fn table(made: &Made) -> &'static ifb_engine {
        made.table(IFB_ENGINE)
    }

    impl Request {
        /// Returns the status that submit returns, and its message.
        fn submit(&self, made: &Made, prompt: &str) -> (ifb_status, String) {
            let mut error = IFB_ERROR_INIT;
            let out =
                (&*self.call as *const AtomicPtr<ifb_call> as *mut AtomicPtr<ifb_call>).cast();
            let status = sample(prompt, |sample| unsafe {
                let function = table(made).submit.unwrap();
                let (on, handle) = (self.reports.table(), self.reports.handle());
                function(made.instance, sample, null_mut(), on, handle, out, &mut error)
            });
            (status, said_in(&error))
        }
        fn named(&self) -> *mut ifb_call {
            self.call.load(Ordering::Acquire)
        }
        fn cancel(&self, made: &Made) {
            unsafe { table(made).cancel.unwrap()(self.named()) }
        }
        fn release(&self, made: &Made) {
            unsafe { table(made).release.unwrap()(self.named()) }
        }
        fn lines(&self) -> Vec<String> {
            self.reports.lines()
        }
        /// Cancels the call while submit() blocks on another thread.
        fn cancel_when_named(&self, made: &Made) {
            let began = Instant::now();
            while self.named().is_null() {
                assert!(began.elapsed() < Duration::from_secs(5), "the call has no name");
                thread::yield_now();
            }
            self.cancel(made);
        }
        fn output(&self) -> Output {
            Output { events: self.reports.events(), ended: false, _submit: None }
        }
    }

    const ACCEPTED: (ifb_status, String) = (IFB_OK, String::new());

    /// Runs the test with an engine that does not block and with an engine that blocks.
    fn both(test: impl Fn(&FakeHost, &Made)) {
        let fake = FakeHost::new();
        test(&fake, &Made::of(of::<Moody<false>>(), &fake));
        test(&fake, &Made::of(of::<Moody<true>>(), &fake));
    }

    #[test]
    fn an_engine_is_a_backend_that_says_whether_it_blocks() {
        let plugin = of::<Moody<true>>().plugin();
        assert_eq!(plugin.kind, IFB_BACKEND);
        let fake = FakeHost::new();
        let flags = |described| table(&Made::of(described, &fake)).flags;
        assert_eq!((flags(of::<Moody<false>>()), flags(of::<Moody<true>>())), (0, 1));
    }

    #[test]
    fn a_request_goes_from_submit_to_release() {
        both(|fake, made| {
            let request = Request::default();
            assert_eq!(request.submit(made, "answer"), ACCEPTED);
            let wanted =
                ["token a 2 0 0 at 17", "token b 0 0 0 at 0", "usage 1 -1 3 -1", "attribute k=v"];
            assert_eq!(request.lines(), [&wanted[..], &["done length"]].concat());
            request.cancel(made);
            assert_eq!(fake.logged(), ["2 run goes on"]);
            request.release(made);
            assert_eq!(fake.logged(), ["2 dropped"]);
        });
    }

    #[test]
    fn a_request_that_is_refused_leaves_no_call_and_no_event() {
        both(|_, made| {
            let request = Request::default();
            let refused = (IFB_E_REMOTE, "not today".to_string());
            assert_eq!(request.submit(made, "refuse"), refused);
            let (status, said) = request.submit(made, "panic in open");
            assert_eq!(status, IFB_E_INTERNAL);
            assert!(said.starts_with("panic: no such prompt ("), "{said}");
            assert!(request.named().is_null() && request.lines().is_empty());
        });
    }

    #[test]
    fn a_failure_and_an_output_that_is_dropped_are_errors_of_the_request() {
        both(|fake, made| {
            let request = Request::default();
            assert_eq!(request.submit(made, "fail"), ACCEPTED);
            request.release(made);
            assert_eq!(request.lines(), ["error -5 the engine is cold"]);
            let request = Request::default();
            assert_eq!(request.submit(made, "drop"), ACCEPTED);
            request.release(made);
            let why = "error -9 the engine dropped the request without an end: \
                       call done() or error() on its output";
            assert_eq!(request.lines(), ["token a 1 0 0 at 0", why]);
            assert_eq!(fake.logged(), ["2 dropped", "2 dropped"]);
        });
    }

    #[test]
    fn a_panic_is_the_error_of_the_request_and_said_once() {
        both(|fake, made| {
            let request = Request::default();
            assert_eq!(request.submit(made, "panic"), ACCEPTED);
            let lines = request.lines();
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert!(lines[1].starts_with("error -9 panic: out of fuel ("), "{lines:?}");
            request.release(made);
            assert_eq!(fake.logged(), ["2 dropped"]);
        });
    }

    #[test]
    fn a_panic_that_ends_no_request_is_logged() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Moody<false>>(), &fake);
        let panics = |wanted: &str| {
            let logged = fake.logged();
            let start = format!("4 panic: {wanted} (");
            assert!(logged.len() == 1 && logged[0].starts_with(&start), "{logged:?}");
        };
        let request = Request::default();
        assert_eq!(request.submit(&made, "panic at the end"), ACCEPTED);
        panics("too late");
        assert_eq!(request.lines(), ["done "]);
        request.release(&made);
        fake.logged();

        let request = Request::default();
        assert_eq!(request.submit(&made, "keep and panic"), ACCEPTED);
        panics("while others have it");
        assert_eq!(request.lines(), [""; 0]);
        request.cancel(&made);
        assert_eq!(request.lines(), ["error -7 cancelled"]);
        request.release(&made);
        fake.logged();

        let request = Request::default();
        assert_eq!(request.submit(&made, "panic in cancel"), ACCEPTED);
        request.cancel(&made);
        panics("while cancelled");
        assert_eq!(request.lines(), ["error -7 cancelled"]);
        request.release(&made);
        fake.logged();

        let request = Request::default();
        assert_eq!(request.submit(&made, "panic in drop"), ACCEPTED);
        request.cancel(&made);
        request.release(&made);
        let logged = fake.logged();
        assert_eq!(logged[0], "2 dropped");
        assert!(logged[1].starts_with("4 panic: while dropped ("), "{logged:?}");
    }

    #[test]
    fn a_thread_that_panics_ends_all_requests_that_it_has() {
        crate::guard::keep_panics_quiet();
        let (one, other) = (Request::default(), Request::default());
        let outputs = [one.output(), other.output()];
        let thread = thread::spawn(move || {
            outputs[0].token("a", 1);
            panic!("the thread is gone")
        });
        thread.join().unwrap_err();
        for request in [one, other] {
            let lines = request.lines();
            let last = lines.last().unwrap();
            assert!(last.starts_with("error -9 panic: the thread is gone ("), "{lines:?}");
        }
    }

    #[test]
    fn a_panic_that_was_caught_is_not_blamed_on_a_later_request() {
        crate::guard::keep_panics_quiet();
        let request = Request::default();
        let _ = std::panic::catch_unwind(|| panic!("long ago"));
        drop(request.output());
        assert_eq!(request.lines(), [format!("error -9 {DROPPED}")]);
    }

    #[test]
    fn a_call_that_blocks_can_be_cancelled_from_its_beginning() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Moody<true>>(), &fake);
        let request = Request::default();
        thread::scope(|scope| {
            let submit = scope.spawn(|| request.submit(&made, "wait"));
            request.cancel_when_named(&made);
            assert_eq!(submit.join().unwrap(), ACCEPTED);
        });
        assert_eq!(request.lines(), ["error -7 cancelled"]);
        request.release(&made);
    }

    #[test]
    fn a_submit_that_blocks_waits_for_an_output_that_was_given_away() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Moody<true>>(), &fake);
        let request = Request::default();
        thread::scope(|scope| {
            let submit = scope.spawn(|| {
                let returned = request.submit(&made, "give away");
                (returned, request.lines())
            });
            request.cancel_when_named(&made);
            let wanted = vec!["done from a thread".to_string()];
            assert_eq!(submit.join().unwrap(), (ACCEPTED, wanted));
        });
        request.release(&made);
    }

    #[test]
    fn one_that_does_not_block_returns_at_once() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Moody<false>>(), &fake);
        let request = Request::default();
        assert_eq!(request.submit(&made, "keep"), ACCEPTED);
        assert_eq!(request.lines(), [""; 0]);
        request.cancel(&made);
        assert_eq!(request.lines(), ["error -7 cancelled"]);
        request.release(&made);
        assert_eq!(fake.logged(), ["2 dropped"]);
    }

    #[test]
    fn a_call_that_is_released_while_it_runs_lives_until_it_returns() {
        both(|fake, made| {
            let request = Request::default();
            let (release, call) = (table(made).release.unwrap(), request.call.clone());
            let at_done = move || unsafe { release(call.load(Ordering::Acquire)) };
            *request.reports.at_done.lock().unwrap() = Some(Box::new(at_done));
            assert_eq!(request.submit(made, "answer"), ACCEPTED);
            assert_eq!(fake.logged(), ["2 run goes on", "2 dropped"]);
        });
    }

    #[test]
    fn an_output_moves_to_any_thread_and_is_used_by_one_at_a_time() {
        fn moves<T: Send>() {}
        moves::<Output>();
        // If Output were Sync, both impls would match, and this would not compile.
        trait Shared<A> {
            fn no() {}
        }
        impl<T> Shared<()> for T {}
        impl<T: Sync> Shared<u8> for T {}
        <Output as Shared<_>>::no();
    }
}
