//! Two engines that return the prompt, and an endless dataset that may be read on several threads.

use inferbench::abi::{ifb_dataset_request, IFB_DATASET_ENDLESS, IFB_DATASET_PARALLEL};
use inferbench::dataset::{self, Dataset, Info, Prompt, Row};
use inferbench::engine::{self, Call, Engine, Output, Sample, Usage};
use inferbench::{text, Failure, Host, Plugin, Result, Text, Values};

/// The const parameter decides whether the engine blocks.
struct Echo<const BLOCKING: bool>;

impl<const BLOCKING: bool> Plugin for Echo<BLOCKING> {
    const ID: Text = if BLOCKING { text!("acme-too") } else { text!("acme") };
    const VERSION: Text = text!("1.0.0");
    const SUMMARY: Text = text!("Says the prompt back at once.");
    const LICENSE: Text = text!("Apache-2.0");

    fn create(_host: Host, values: &Values) -> Result<Self> {
        // The path of the library, and not of the link through which the host found it.
        match values.library() {
            path if path.is_absolute() && path.ends_with("backends/acme.so") => Ok(Echo),
            path => Err(Failure::unsupported(format!("in the library {}", path.display()))),
        }
    }
}

impl<const BLOCKING: bool> Engine for Echo<BLOCKING> {
    type Call = EchoCall;
    const BLOCKING: bool = BLOCKING;

    fn open(&self, sample: &Sample) -> Result<EchoCall> {
        Ok(EchoCall { prompt: sample.prompt_text()?.into_owned() })
    }
}

struct EchoCall {
    prompt: String,
}

impl Call for EchoCall {
    fn run(&self, out: Output) {
        out.token(&self.prompt, 1);
        out.usage(Usage { output: 1, ..Usage::default() });
        out.done("stop");
    }

    // The request ends at once in any case.
    fn cancel(&self) {}
}

struct Rows;

impl Plugin for Rows {
    const ID: Text = text!("acme-rows");
    const VERSION: Text = text!("1.0.0");
    const SUMMARY: Text = text!("A row for each number.");
    const LICENSE: Text = text!("Apache-2.0");

    fn create(_host: Host, _values: &Values) -> Result<Self> {
        Ok(Rows)
    }
}

impl Dataset for Rows {
    const FLAGS: u32 = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;

    fn prepare(&mut self, _wanted: &ifb_dataset_request) -> Result<Info> {
        Ok(Info::default())
    }

    fn read(&self, row: u64) -> Result<Row> {
        Ok(Row::Sample(dataset::Sample::of(Prompt::Text(format!("row {row}")))))
    }
}

inferbench::plugins!(
    engine::of::<Echo<false>>(),
    engine::of::<Echo<true>>(),
    dataset::of::<Rows>(),
);
