//! An engine: a backend that performs its requests itself, for a model in this process or for a
//! protocol other than HTTP. This example returns the prompt word by word. Put your model or your
//! connection in place of the words.
//!
//! The engine blocks: run() returns when the request is over, and the host provides a thread for
//! each request. For thousands of requests at the same time write an engine with a thread of its
//! own; the example rust-engine of the SDK is such an engine.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use inferbench::abi::IFB_E_CANCELLED;
use inferbench::engine::{Call, Engine, Output, Sample, Usage};
use inferbench::{text, Failure, Host, Opt, Plugin, Result, Text, Values};

struct MyExampleEngine {
    pause: Duration,
}

impl Plugin for MyExampleEngine {
    const ID: Text = text!("my-example");
    const VERSION: Text = text!("0.1.0");
    const SUMMARY: Text = text!("Says the prompt back, word by word.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] = &[Opt::duration(text!("pause"), text!("Time before a word."))
        .fallback(text!("\"1ms\""))
        .range(0.0, 1e12)];

    fn create(_host: Host, values: &Values) -> Result<Self> {
        Ok(MyExampleEngine { pause: Duration::from_nanos(values.integer("pause") as u64) })
    }
}

impl Engine for MyExampleEngine {
    type Call = MyExampleCall;
    const BLOCKING: bool = true;

    // The sample is borrowed, so the call copies what it needs.
    fn open(&self, sample: &Sample) -> Result<MyExampleCall> {
        Ok(MyExampleCall {
            prompt: sample.prompt_text()?.into_owned(),
            prompt_tokens: sample.input_tokens().unwrap_or(-1),
            tokens: sample.output_tokens().unwrap_or(16).max(1),
            pause: self.pause,
            cancelled: Mutex::new(false),
            changed: Condvar::new(),
        })
    }
}

/// One request.
struct MyExampleCall {
    prompt: String,
    prompt_tokens: i64,
    tokens: i64,
    pause: Duration,
    cancelled: Mutex<bool>,
    changed: Condvar,
}

impl Call for MyExampleCall {
    fn run(&self, out: Output) {
        // After the last word the prompt begins again. An empty prompt has one empty word.
        let words = self.prompt.split(' ').cycle();
        for word in words.take(self.tokens as usize) {
            if self.cancelled_within(self.pause) {
                return out.error(Failure::new(IFB_E_CANCELLED, "cancelled"));
            }
            // The second argument is the number of tokens in the text.
            out.token(&format!("{word} "), 1);
        }
        out.usage(Usage { prompt: self.prompt_tokens, output: self.tokens, ..Usage::default() });
        out.done("length");
    }

    // Called on another thread while run() is running.
    fn cancel(&self) {
        *self.cancelled.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

impl MyExampleCall {
    /// Waits for `pause`, or until the request is cancelled.
    fn cancelled_within(&self, pause: Duration) -> bool {
        let cancelled = self.cancelled.lock().unwrap();
        *self.changed.wait_timeout_while(cancelled, pause, |yes| !*yes).unwrap().0
    }
}

inferbench::plugins!(inferbench::engine::of::<MyExampleEngine>());
