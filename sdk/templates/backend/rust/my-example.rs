//! A backend for servers with OpenAI's completions:
//!
//!   POST /v1/completions   {"model": "m", "prompt": "...", "max_tokens": 16, "stream": true, ...}
//!   data: {"choices": [{"text": " a", "finish_reason": null}]}
//!   data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 16}}
//!   data: [DONE]
//!
//! The host sends the request, splits the answer into events and measures all times. The plugin
//! only writes one JSON text for the request and reads one JSON text for each event.

use inferbench::backend::{Backend, End, Ended, Exchange, Heard};
use inferbench::backend::{Message, Output, Request, Sample, Usage};
use inferbench::{json, text, Failure, Host, Opt, Plugin, Result, Text, Values};

struct MyExampleBackend {
    model: String,
    endpoint: String,
}

impl Plugin for MyExampleBackend {
    const ID: Text = text!("my-example");
    const VERSION: Text = text!("0.1.0");
    const SUMMARY: Text = text!("Servers with OpenAI's completions.");
    const LICENSE: Text = text!("Apache-2.0");
    const OPTIONS: &'static [Opt] = &[
        // Both options are general: they take the values of the flags --model and --endpoint.
        Opt::string(text!("model"), text!("Name of the model in each request."))
            .fallback(text!("\"\""))
            .general(),
        Opt::string(text!("endpoint"), text!("Path to call."))
            .fallback(text!("\"/v1/completions\""))
            .value_name(text!("PATH"))
            .general(),
    ];

    fn create(_host: Host, values: &Values) -> Result<Self> {
        let endpoint = values.string("endpoint");
        if !endpoint.starts_with('/') {
            return Err(Failure::config("endpoint", "expected a path that begins with /"));
        }
        Ok(MyExampleBackend { model: values.string("model"), endpoint })
    }
}

impl Backend for MyExampleBackend {
    type Exchange = MyExampleExchange;

    fn open(&self, sample: &Sample) -> Result<MyExampleExchange> {
        if !sample.overrides().is_empty() {
            return Err(Failure::unsupported("this backend sends no overrides of samples"));
        }
        let model = sample.model();
        let mut body = String::from("{\"model\": ");
        json::append_string(&mut body, if model.is_empty() { &self.model } else { &model });
        body += ", \"prompt\": ";
        json::append_string(&mut body, &sample.prompt_text()?);
        if let Some(tokens) = sample.output_tokens() {
            body += &format!(", \"max_tokens\": {tokens}");
        }
        body += ", \"stream\": true, \"stream_options\": {\"include_usage\": true}}";
        let target = self.endpoint.clone();
        Ok(MyExampleExchange { target, body, finish_reason: String::new() })
    }
}

/// One request.
struct MyExampleExchange {
    target: String,
    body: String,
    finish_reason: String,
}

impl Exchange for MyExampleExchange {
    fn request(&mut self) -> Result<Request> {
        Ok(Request::post_json(&self.target, self.body.clone()))
    }

    fn on_message(&mut self, message: &Message, out: &Output) -> Result<Heard> {
        let data = message.data();
        if data == b"[DONE]" {
            out.done(&self.finish_reason);
            return Ok(Heard::Enough);
        }
        if let Some(message) = json::find(data, "error.message") {
            let text = json::text(message);
            return Err(Failure::remote(text.unwrap_or("an error without a text".to_string())));
        }
        if let Some(reason) = json::find(data, "choices.0.finish_reason").and_then(json::text) {
            self.finish_reason = reason;
        }
        if let Some(text) = json::find(data, "choices.0.text") {
            out.token(&json::text(text).unwrap_or_default(), 0);
        }
        if let Some(usage) = json::find(data, "usage").filter(|usage| *usage != b"null") {
            let number = |name| json::find(usage, name).and_then(json::integer).unwrap_or(-1);
            out.usage(Usage {
                prompt: number("prompt_tokens"),
                output: number("completion_tokens"),
                ..Usage::default()
            });
        }
        Ok(Heard::More)
    }

    // Nothing to do: the host detects a stream that ends without its last event.
    fn on_end(&mut self, _end: &End, _out: &Output) -> Result<Ended> {
        Ok(Ended::Complete)
    }
}

inferbench::plugins!(inferbench::backend::of::<MyExampleBackend>());
