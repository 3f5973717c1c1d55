//! An engine that returns the prompt word by word at a given pace, with one thread for all
//! requests. A real engine has, for example, a model in this process or a protocol other than HTTP
//! instead of the pace.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use inferbench::abi::IFB_E_CANCELLED;
use inferbench::engine::{Call, Engine, Output, Sample, Usage};
use inferbench::{text, Failure, Host, Opt, Plugin, Result, Text, Values};

/// The answer to one request.
#[derive(Clone)]
struct Recital {
    words: String,
    /// The position of the next word.
    at: usize,
    said: i64,
    tokens: i64,
    itl: Duration,
    usage: Usage,
}

impl Recital {
    /// Returns the next word with the space after it. After the last word the prompt begins again.
    fn word(&mut self) -> &str {
        if self.at == self.words.len() {
            self.at = 0;
        }
        let word = self.words[self.at..].split_inclusive(' ').next().unwrap_or("");
        self.at += word.len();
        self.said += 1;
        word
    }
}

/// A recital and its output.
struct Turn {
    recital: Recital,
    out: Output,
}

impl Turn {
    /// Reports the next word. Returns None if it was the last word; the request is then over.
    fn step(mut self) -> Option<Turn> {
        self.out.token(self.recital.word(), 1);
        if self.recital.said < self.recital.tokens {
            return Some(self);
        }
        self.out.usage(Usage { output: self.recital.said, ..self.recital.usage });
        self.out.done("length");
        None
    }
}

/// A message to the thread. Each request has a number.
enum Letter {
    Begin(u64, Instant, Turn),
    Cancel(u64),
    Close,
}

/// The queue of messages to the thread. Nothing is reported under its lock, so the lock is held
/// only for a short time.
#[derive(Default)]
struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    arrived: Condvar,
}

impl Mailbox {
    fn post(&self, letter: Letter) {
        self.letters.lock().unwrap().push(letter);
        self.arrived.notify_one();
    }

    /// Waits for letters until `until` and takes all letters; the result is empty after `until`.
    fn collect(&self, until: Option<Instant>) -> Vec<Letter> {
        let mut letters = self.letters.lock().unwrap();
        while letters.is_empty() {
            letters = match until.map(|due| due.saturating_duration_since(Instant::now())) {
                None => self.arrived.wait(letters).unwrap(),
                Some(Duration::ZERO) => break,
                Some(rest) => self.arrived.wait_timeout(letters, rest).unwrap().0,
            }
        }
        std::mem::take(&mut *letters)
    }
}

/// The function of the thread. When it ends, also after a panic, its remaining turns are dropped,
/// which ends their requests.
fn recite(mailbox: &Mailbox) {
    let mut turns: BTreeMap<(Instant, u64), Turn> = BTreeMap::new();
    loop {
        let first = turns.keys().next().copied();
        for letter in mailbox.collect(first.map(|(due, _)| due)) {
            match letter {
                Letter::Begin(number, due, turn) => {
                    turns.insert((due, number), turn);
                }
                Letter::Cancel(number) => {
                    let found = turns.keys().find(|(_, each)| *each == number).copied();
                    // A request that is not found has already ended.
                    if let Some(turn) = found.and_then(|key| turns.remove(&key)) {
                        turn.out.error(Failure::new(IFB_E_CANCELLED, "cancelled"));
                    }
                }
                Letter::Close => return,
            }
        }
        // Advance each due turn once, then read the letters: with pauses of length 0, turns are
        // always due.
        let due: Vec<_> = turns.range(..=(Instant::now(), u64::MAX)).map(|(key, _)| *key).collect();
        for (when, number) in due {
            if let Some(turn) = turns.remove(&(when, number)).and_then(Turn::step) {
                turns.insert((when + turn.recital.itl, number), turn);
            }
        }
    }
}

struct Echo {
    ttft: Duration,
    itl: Duration,
    tokens: i64,
    next: AtomicU64,
    mailbox: Arc<Mailbox>,
    thread: Option<JoinHandle<()>>,
}

impl Plugin for Echo {
    const ID: Text = text!("rust-echo");
    const VERSION: Text = text!("1.0.0");
    const SUMMARY: Text = text!("Says the prompt back at a given pace, without a server.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] = &[
        Opt::duration(text!("ttft"), text!("Time to the first token."))
            .fallback(text!("\"50ms\""))
            .range(0.0, 1e15),
        Opt::duration(text!("itl"), text!("Time between two tokens."))
            .fallback(text!("\"10ms\""))
            .range(0.0, 1e15),
        Opt::integer(text!("tokens"), text!("Tokens of an answer whose length is not asked for."))
            .fallback(text!("16"))
            .range(1.0, 1e9),
    ];

    fn create(_host: Host, values: &Values) -> Result<Self> {
        let mailbox = Arc::new(Mailbox::default());
        let theirs = mailbox.clone();
        let thread = Builder::new().name("rust-echo".to_string()).spawn(move || recite(&theirs))?;
        let duration = |name| Duration::from_nanos(values.integer(name) as u64);
        Ok(Echo {
            ttft: duration("ttft"),
            itl: duration("itl"),
            tokens: values.integer("tokens"),
            next: AtomicU64::new(0),
            mailbox,
            thread: Some(thread),
        })
    }
}

impl Engine for Echo {
    type Call = EchoCall;

    fn open(&self, sample: &Sample) -> Result<EchoCall> {
        let recital = Recital {
            words: sample.prompt_text()?.into_owned(),
            at: 0,
            said: 0,
            tokens: sample.output_tokens().filter(|n| *n > 0).unwrap_or(self.tokens),
            itl: self.itl,
            usage: Usage { prompt: sample.input_tokens().unwrap_or(-1), ..Usage::default() },
        };
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        Ok(EchoCall { number, ttft: self.ttft, recital, mailbox: self.mailbox.clone() })
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        self.mailbox.post(Letter::Close);
        if let Some(thread) = self.thread.take() {
            // An Err is ignored: it is a panic of the thread, which the requests have already
            // reported.
            let _ = thread.join();
        }
    }
}

struct EchoCall {
    number: u64,
    ttft: Duration,
    recital: Recital,
    mailbox: Arc<Mailbox>,
}

impl Call for EchoCall {
    fn run(&self, out: Output) {
        let turn = Turn { recital: self.recital.clone(), out };
        self.mailbox.post(Letter::Begin(self.number, Instant::now() + self.ttft, turn));
    }

    fn cancel(&self) {
        self.mailbox.post(Letter::Cancel(self.number));
    }
}

inferbench::plugins!(inferbench::engine::of::<Echo>());
