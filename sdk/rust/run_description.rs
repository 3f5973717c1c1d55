//! The description of a run: names, request rate, concurrency limit, and the figures that the user
//! wants. It is complete after the server and the plugins were asked. The host writes it as the
//! member "resolved" of ifb_run.config_json; share/inferbench/docs/run-description.md, which is
//! installed with these sources, describes the JSON.
//!
//!     let about = RunDescription::of(&run.config_json());

use crate::json;

/// The request rate of a ramp-up, in requests per second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RampUp {
    /// "linear" or "exponential".
    pub strategy: String,
    pub start: f64,
    pub end: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SteadyStateRule {
    /// False if the schedule does not keep the server full.
    pub wanted: bool,
    /// Share of max_concurrency, above 0 and at most 1.
    pub threshold: f64,
    /// None: max(10 s, a tenth of the run).
    pub min_window_ns: Option<u64>,
}

/// A member that the JSON lacks keeps the value of default().
#[derive(Clone, Debug, PartialEq)]
pub struct RunDescription {
    /// The backend as the user named it; upstream's key has this name.
    pub endpoint_type: String,
    /// The same text as endpoint_type.
    pub backend: String,
    pub label: Option<String>,
    /// The model's name in results.
    pub model_id: String,
    /// None: the run has no tokenizer.
    pub tokenizer_id: Option<String>,
    /// The number that the user requested.
    pub num_prompts: i64,
    /// Requests in the schedule, whether they were sent or not.
    pub planned: i64,
    /// Requests per second. The value is also infinite if another schedule replaces the rate: a
    /// ramp-up, a pattern of --traffic, or the times of a trace.
    pub request_rate: f64,
    pub burstiness: f64,
    pub ramp_up: Option<RampUp>,
    /// The pattern of --traffic; empty: no pattern.
    pub traffic: String,
    /// Requests are due at the times of the dataset.
    pub self_timed: bool,
    pub max_concurrency: Option<i64>,
    /// One answer instead of a stream: embeddings, rerank.
    pub pooling: bool,
    /// False: upstream reports no TTFT, TPOT and ITL statistics.
    pub tokenizer: bool,
    pub metadata: Vec<(String, String)>,
    /// True: figures come from histograms instead of from every value.
    pub bounded: bool,
    /// --percentile-metrics
    pub selected: Vec<String>,
    /// 0 to 100, in the order in which the user requested them.
    pub percentiles: Vec<f64>,
    /// "ttft", "tpot" or "e2el", and its limit in ms.
    pub goodput: Vec<(String, f64)>,
    /// --report-cached-tokens
    pub cached_tokens: bool,
    /// --scorer; None: answers have no score.
    pub scorer: Option<String>,
    pub steady_state: SteadyStateRule,
    /// --threshold: goals, such as "ttft.p99<200ms".
    pub thresholds: Vec<String>,
    /// --threshold-certain
    pub thresholds_certain: bool,
    /// The flags that were given: name, and value as JSON.
    pub flags: Vec<(String, String)>,
    /// The number of this run among `runs`, from 1.
    pub number: i64,
    /// --num-runs
    pub runs: i64,
}

impl Default for RunDescription {
    fn default() -> Self {
        RunDescription {
            endpoint_type: String::new(),
            backend: String::new(),
            label: None,
            model_id: String::new(),
            tokenizer_id: None,
            num_prompts: 0,
            planned: 0,
            request_rate: f64::INFINITY,
            burstiness: 1.0,
            ramp_up: None,
            traffic: String::new(),
            self_timed: false,
            max_concurrency: None,
            pooling: false,
            tokenizer: true,
            metadata: Vec::new(),
            bounded: false,
            selected: ["ttft", "tpot", "itl"].map(String::from).to_vec(),
            percentiles: vec![99.0],
            goodput: Vec::new(),
            cached_tokens: false,
            scorer: None,
            steady_state: SteadyStateRule { wanted: true, threshold: 0.95, min_window_ns: None },
            thresholds: Vec::new(),
            thresholds_certain: false,
            flags: Vec::new(),
            number: 1,
            runs: 1,
        }
    }
}

impl RunDescription {
    /// Returns the description in ifb_run.config_json. Returns default() if the text is not a JSON
    /// object with the member "resolved". A value that does not have the expected type is left out.
    pub fn of(config_json: &str) -> Self {
        let mut out = Self::default();
        let from = match json::find(config_json.as_bytes(), "resolved") {
            Some(from) => Resolved(from),
            None => return out,
        };
        out.endpoint_type = from.text("endpoint_type").unwrap_or_default();
        out.backend = from.text("backend").unwrap_or_default();
        out.label = from.text("label");
        out.model_id = from.text("model_id").unwrap_or_default();
        out.tokenizer_id = from.text("tokenizer_id");
        out.pooling = from.text("task").map_or(false, |task| task == "pooling");
        out.tokenizer = from.flag("tokenizer").unwrap_or(out.tokenizer);
        if let Some(all) = from.members("metadata") {
            let texts = all.into_iter().filter_map(|(key, value)| Some((key, json::text(value)?)));
            out.metadata = texts.collect();
        }
        if let Some(all) = from.members("flags") {
            let texts = all.into_iter().map(|(key, value)| (key, lossy(value)));
            out.flags = texts.collect();
        }
        out.number = from.whole("run.number").unwrap_or(out.number);
        out.runs = from.whole("run.of").unwrap_or(out.runs);
        out.read_load(&from);
        out.read_figures(&from);
        out.read_steady_state(&from);
        if out.has_other_schedule() {
            out.steady_state.wanted = false;
        }
        out
    }

    fn read_load(&mut self, from: &Resolved<'_>) {
        self.num_prompts = from.whole("num_prompts").unwrap_or(self.num_prompts);
        self.planned = from.whole("planned").unwrap_or(self.planned);
        // In journals of older versions, a trace has the rate 0.
        let rate = from.real("request_rate").filter(|rate| *rate > 0.0);
        self.request_rate = rate.unwrap_or(self.request_rate);
        self.burstiness = from.real("burstiness").unwrap_or(self.burstiness);
        if from.get("ramp_up").map_or(false, |up| up.first() == Some(&b'{')) {
            self.ramp_up = Some(RampUp {
                strategy: from.text("ramp_up.strategy").unwrap_or_default(),
                start: from.real("ramp_up.start").unwrap_or_default(),
                end: from.real("ramp_up.end").unwrap_or_default(),
            });
        }
        self.traffic = from.text("traffic").unwrap_or_default();
        self.self_timed = from.flag("self_timed").unwrap_or(self.self_timed);
        self.max_concurrency = from.whole("max_concurrency");
    }

    fn read_figures(&mut self, from: &Resolved<'_>) {
        self.bounded = from.text("summary").map_or(false, |summary| summary == "bounded");
        if let Some(names) = from.elements("selected") {
            self.selected = names.into_iter().filter_map(json::text).collect();
        }
        if let Some(all) = from.elements("percentiles") {
            self.percentiles = all.into_iter().filter_map(number).collect();
        }
        if let Some(all) = from.members("slo_ms") {
            let limits = all.into_iter().filter_map(|(key, value)| Some((key, number(value)?)));
            self.goodput = limits.collect();
        }
        self.cached_tokens = from.flag("cached_tokens").unwrap_or(self.cached_tokens);
        self.scorer = from.text("scorer");
        if let Some(goals) = from.elements("thresholds") {
            self.thresholds = goals.into_iter().filter_map(json::text).collect();
        }
        self.thresholds_certain =
            from.flag("thresholds_certain").unwrap_or(self.thresholds_certain);
    }

    fn read_steady_state(&mut self, from: &Resolved<'_>) {
        let rule = &mut self.steady_state;
        rule.wanted = from.flag("steady_state.wanted").unwrap_or(rule.wanted);
        rule.threshold = from
            .real("steady_state.threshold")
            .filter(|share| *share > 0.0 && *share <= 1.0)
            .unwrap_or(rule.threshold);
        rule.min_window_ns =
            from.whole("steady_state.min_window_ns").and_then(|ns| u64::try_from(ns).ok());
    }

    /// Returns whether a changing rate, or the times of a trace, replace request_rate.
    pub fn has_other_schedule(&self) -> bool {
        self.self_timed || self.ramp_up.is_some() || !self.traffic.is_empty()
    }

    /// Returns whether requests are due one after the other. Otherwise all requests are due at the
    /// start.
    pub fn paced(&self) -> bool {
        self.has_other_schedule() || self.request_rate.is_finite()
    }
}

/// The JSON object "resolved". A function returns None if there is no value at `path`, or a value
/// of another type; members() returns an empty list for another type.
struct Resolved<'a>(&'a [u8]);

impl<'a> Resolved<'a> {
    fn get(&self, path: &str) -> Option<&'a [u8]> {
        json::find(self.0, path)
    }
    fn text(&self, path: &str) -> Option<String> {
        self.get(path).and_then(json::text)
    }
    fn whole(&self, path: &str) -> Option<i64> {
        self.get(path).and_then(json::integer)
    }
    fn real(&self, path: &str) -> Option<f64> {
        self.get(path).and_then(number)
    }
    fn flag(&self, path: &str) -> Option<bool> {
        self.get(path).and_then(boolean)
    }
    fn members(&self, path: &str) -> Option<Vec<(String, &'a [u8])>> {
        self.get(path).map(json::members)
    }
    fn elements(&self, path: &str) -> Option<Vec<&'a [u8]>> {
        self.get(path).and_then(json::elements)
    }
}

/// JSON cannot express infinity: the host writes the text "inf".
fn number(value: &[u8]) -> Option<f64> {
    if value == b"\"inf\"" {
        return Some(f64::INFINITY);
    }
    match value.first()? {
        b'-' | b'0'..=b'9' => std::str::from_utf8(value).ok()?.parse().ok(),
        _ => None,
    }
}

fn boolean(value: &[u8]) -> Option<bool> {
    match value {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    }
}

fn lossy(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_is_read() {
        let about = RunDescription::of(include_str!("../../tests/fixtures/run_description.json"));
        let texts = |all: &[(&str, &str)]| -> Vec<(String, String)> {
            all.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect()
        };
        let expected = RunDescription {
            endpoint_type: "vllm".into(),
            backend: "vllm".into(),
            label: Some("first".into()),
            model_id: "org/model".into(),
            tokenizer_id: Some("org/tokenizer".into()),
            num_prompts: 20,
            planned: 17,
            request_rate: 2.5,
            burstiness: 0.5,
            ramp_up: Some(RampUp { strategy: "linear".into(), start: 1.0, end: 10.0 }),
            traffic: "steps:0s=10".into(),
            self_timed: true,
            max_concurrency: Some(8),
            pooling: true,
            tokenizer: false,
            metadata: texts(&[("gpu", "H200")]),
            bounded: true,
            selected: vec!["ttft".into(), "e2el".into()],
            percentiles: vec![50.0, 99.9],
            goodput: vec![("ttft".into(), 100.5)],
            cached_tokens: true,
            scorer: Some("exact-match".into()),
            steady_state: SteadyStateRule {
                wanted: false,
                threshold: 0.5,
                min_window_ns: Some(7_000_000_000),
            },
            thresholds: vec!["ttft.p99<200ms".into(), "failed<=1%".into()],
            thresholds_certain: true,
            flags: texts(&[("seed", "1"), ("extra-body", r#"{"a": [1]}"#)]),
            number: 2,
            runs: 3,
        };
        assert_eq!(about, expected);
        assert!(about.has_other_schedule() && about.paced());
    }

    #[test]
    fn text_without_a_description_has_the_defaults() {
        for text in ["", "[]", "{}", "{\"resolved\": 7}", "{\"resolved\": {\"planned\": \"x\"}}"] {
            assert_eq!(RunDescription::of(text), RunDescription::default(), "{text}");
        }
        assert!(!RunDescription::default().paced());
    }

    #[test]
    fn an_infinite_number_is_a_text() {
        let about =
            RunDescription::of(r#"{"resolved": {"request_rate": "inf", "burstiness": "inf"}}"#);
        assert_eq!((about.request_rate, about.burstiness), (f64::INFINITY, f64::INFINITY));
        let about = RunDescription::of(r#"{"resolved": {"slo_ms": {"e2el": "inf"}}}"#);
        assert_eq!(about.goodput, [("e2el".to_string(), f64::INFINITY)]);
    }
}
