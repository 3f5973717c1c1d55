//! A reporter that writes a CSV file with a line for each request.

use std::fs::File;
use std::io::{BufWriter, Write};

use inferbench::abi::IFB_REPORTER_STAMPS_IF_DETAILED;
use inferbench::reporter::{Records, Reporter, Run, Summary};
use inferbench::{text, Failure, Host, Opt, Plugin, Result, Text, Values};

struct MyExampleReporter {
    host: Host,
    path: String,
    file: Option<BufWriter<File>>,
}

impl Plugin for MyExampleReporter {
    const ID: Text = text!("my-example");
    const VERSION: Text = text!("0.1.0");
    const SUMMARY: Text = text!("A CSV file with a line for each request.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] =
        &[Opt::path(text!("file"), text!("File to write.")).fallback(text!("\"my-example.csv\""))];

    fn create(host: Host, values: &Values) -> Result<Self> {
        Ok(MyExampleReporter { host, path: values.string("file"), file: None })
    }
}

impl Reporter for MyExampleReporter {
    // The reporter does not use the stamps of single events, so the host need not keep them.
    const FLAGS: u32 = IFB_REPORTER_STAMPS_IF_DETAILED;

    fn begin(&mut self, _run: &Run) -> Result<()> {
        let file = File::create(&self.path)
            .map_err(|error| Failure::file("file", "open", &self.path, error))?;
        let mut file = BufWriter::new(file);
        writeln!(file, "sequence,status,prompt_tokens,output_tokens,ttft_ms,latency_ms")?;
        self.file = Some(file);
        Ok(())
    }

    fn records(&mut self, batch: &Records) -> Result<()> {
        let file = self.file.as_mut().expect("begin comes first");
        // Requests that were never sent are left out: the run ended before.
        for r in batch.iter().filter(|r| !r.never_sent()) {
            write!(file, "{},{},{},{},", r.sequence, r.status, r.prompt_tokens, r.output_tokens)?;
            let first = milliseconds(r.start_ns, r.first_token_ns);
            writeln!(file, "{first},{}", milliseconds(r.start_ns, r.end_ns))?;
        }
        Ok(())
    }

    fn end(&mut self, _summary: &Summary) -> Result<()> {
        if let Some(mut file) = self.file.take() {
            file.flush().map_err(|error| Failure::file("file", "write", &self.path, error))?;
        }
        self.host.artifact("requests", &self.path);
        Ok(())
    }
}

/// Returns the time between two stamps, given in nanoseconds, in milliseconds; empty if a stamp is
/// missing.
fn milliseconds(from: u64, to: u64) -> String {
    if from == 0 || to < from {
        return String::new();
    }
    format!("{:.6}", (to - from) as f64 / 1e6)
}

inferbench::plugins!(inferbench::reporter::of::<MyExampleReporter>());
