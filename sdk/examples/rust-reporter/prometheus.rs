//! A reporter that writes all figures of a run to a file in the text format of Prometheus, for the
//! textfile collector of the node exporter.
//!
//!   # HELP inferbench_ttft_ms Time to First Token
//!   # TYPE inferbench_ttft_ms summary
//!   inferbench_ttft_ms{run="nightly",quantile="0.99"} 71.25
//!   inferbench_ttft_ms_sum{run="nightly"} 5260.5
//!   inferbench_ttft_ms_count{run="nightly"} 100
//!
//! The file is replaced atomically, as the collector requires. The counts of failed requests for
//! each failure code come from the records.

use std::collections::BTreeMap;
use std::fmt::Write;

use inferbench::abi::{ifb_quantile, IFB_REPORTER_STAMPS_IF_DETAILED};
use inferbench::reporter::{Metric, Records, Reporter, Run, Summary};
use inferbench::{text, Failure, Host, Opt, Plugin, Result, Text, Values};

struct Prometheus {
    host: Host,
    path: String,
    run: String,
    requests: BTreeMap<i32, u64>,
}

impl Plugin for Prometheus {
    const ID: Text = text!("prometheus");
    const VERSION: Text = text!("1.0.0");
    const SUMMARY: Text = text!("Figures as a file for Prometheus' textfile collector.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] = &[
        Opt::path(text!("file"), text!("File to write.")).fallback(text!("\"inferbench.prom\"")),
        Opt::string(text!("run"), text!("Value of the label run; if empty, the run's name."))
            .fallback(text!("\"\"")),
    ];

    fn create(host: Host, values: &Values) -> Result<Self> {
        let (path, run) = (values.string("file"), values.string("run"));
        Ok(Prometheus { host, path, run, requests: BTreeMap::new() })
    }
}

impl Reporter for Prometheus {
    const FLAGS: u32 = IFB_REPORTER_STAMPS_IF_DETAILED;

    fn begin(&mut self, run: &Run) -> Result<()> {
        if self.run.is_empty() {
            self.run = run.name().into_owned();
        }
        // Detect a missing folder before the measurement.
        self.write("")
    }

    fn records(&mut self, batch: &Records) -> Result<()> {
        for record in batch.iter() {
            *self.requests.entry(record.status).or_insert(0) += 1;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary) -> Result<()> {
        let label = format!("run=\"{}\"", escaped(&self.run));
        let mut out = String::new();
        for metric in summary.metrics().iter() {
            put(&mut out, &metric, &label);
        }
        out += "# HELP inferbench_requests Requests by status; 0 is success.\n";
        out += "# TYPE inferbench_requests gauge\n";
        for (status, count) in &self.requests {
            let _ = writeln!(out, "inferbench_requests{{{label},status=\"{status}\"}} {count}");
        }
        self.write(&out)?;
        std::fs::rename(self.unfinished(), &self.path)
            .map_err(|error| Failure::file("file", "write", &self.path, error))?;
        self.host.artifact("figures", &self.path);
        Ok(())
    }
}

impl Prometheus {
    fn unfinished(&self) -> String {
        format!("{}.part", self.path)
    }

    fn write(&self, text: &str) -> Result<()> {
        let path = self.unfinished();
        std::fs::write(&path, text).map_err(|error| Failure::file("file", "write", &path, error))
    }
}

/// Results of writes are ignored, because writing to a String cannot fail.
fn put(out: &mut String, metric: &Metric, label: &str) {
    let unit = match &*metric.unit() {
        "" | "1" => String::new(),
        unit => "_".to_string() + unit,
    };
    let name: String = format!("inferbench_{}{unit}", metric.name())
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let kind = if metric.is_summary() { "summary" } else { "gauge" };
    let _ = writeln!(out, "# HELP {name} {}", metric.title().replace('\n', " "));
    let _ = writeln!(out, "# TYPE {name} {kind}");
    if !metric.is_summary() {
        let _ = writeln!(out, "{name}{{{label}}} {}", number(metric.value));
        return;
    }
    for ifb_quantile { q, value } in metric.quantiles() {
        let _ = writeln!(out, "{name}{{{label},quantile=\"{q}\"}} {}", number(*value));
    }
    let sum = if metric.count == 0 { 0.0 } else { metric.value * metric.count as f64 };
    let _ = writeln!(out, "{name}_sum{{{label}}} {}", number(sum));
    let _ = writeln!(out, "{name}_count{{{label}}} {}", metric.count);
}

fn number(value: f64) -> String {
    match value {
        v if v.is_nan() => "NaN".to_string(),
        v if v.is_infinite() => if v > 0.0 { "+Inf" } else { "-Inf" }.to_string(),
        v => v.to_string(),
    }
}

/// Returns the value of a label, escaped.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

inferbench::plugins!(inferbench::reporter::of::<Prometheus>());
