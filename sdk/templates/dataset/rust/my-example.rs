//! A dataset: each line of a text file is a prompt.

use inferbench::abi::{ifb_dataset_request, IFB_ENCODE_SPECIAL, IFB_OPT_REQUIRED};
use inferbench::abi::{IFB_DATASET_OVERSAMPLE, IFB_DATASET_PARALLEL, IFB_DATASET_SHUFFLE};
use inferbench::dataset::{Dataset, Info, Prompt, Row, Sample};
use inferbench::{text, Failure, Host, Opt, Plugin, Result, Text, Values};

struct MyExampleDataset {
    host: Host,
    path: String,
    output_tokens: i64,
    lines: Vec<String>,
}

impl Plugin for MyExampleDataset {
    const ID: Text = text!("my-example");
    const VERSION: Text = text!("0.1.0");
    const SUMMARY: Text = text!("Lines of a text file.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] = &[
        // Both options are general: they take the values of the flags --dataset-path and
        // --output-len.
        Opt::path(text!("path"), text!("File with one prompt a line."))
            .flags(IFB_OPT_REQUIRED)
            .general(),
        Opt::integer(text!("output-len"), text!("Tokens to ask for."))
            .fallback(text!("16"))
            .range(1.0, 1048576.0)
            .general(),
    ];

    fn create(host: Host, values: &Values) -> Result<Self> {
        Ok(MyExampleDataset {
            host,
            path: values.string("path"),
            output_tokens: values.integer("output-len"),
            lines: Vec::new(),
        })
    }
}

impl Dataset for MyExampleDataset {
    // The host may shuffle the rows, repeat them, and read several of them at the same time.
    const FLAGS: u32 = IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_PARALLEL;

    fn prepare(&mut self, _wanted: &ifb_dataset_request) -> Result<Info> {
        let text = std::fs::read(&self.path)
            .map_err(|error| Failure::file("path", "read", &self.path, error))?;
        self.lines = String::from_utf8_lossy(&text).lines().map(str::to_string).collect();
        if self.lines.is_empty() {
            return Err(Failure::config("path", format!("{} is empty", self.path)));
        }
        Ok(Info::rows(self.lines.len()))
    }

    fn read(&self, row: u64) -> Result<Row> {
        let line = match self.lines.get(row as usize) {
            Some(line) => line,
            None => return Ok(Row::End),
        };
        if line.is_empty() {
            return Ok(Row::Skip("an empty line".to_string()));
        }
        let mut sample = Sample::of(Prompt::Text(line.clone()));
        // The tokens that the model adds to each prompt count, too. A run may have no tokenizer.
        if let Ok(tokenizer) = self.host.tokens() {
            sample.input_tokens = Some(tokenizer.count(line, IFB_ENCODE_SPECIAL)? as i64);
        }
        sample.output_tokens = Some(self.output_tokens);
        Ok(Row::Sample(sample))
    }
}

inferbench::plugins!(inferbench::dataset::of::<MyExampleDataset>());
