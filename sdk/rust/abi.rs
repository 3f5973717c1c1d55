//! The Rust mirror of inferbench/abi.h, item by item and under the same names. The header
//! describes the items, and their units, lifetimes and threads.
//!
//! A script in the sources of inferbench makes this file from the header; it must not be edited.
#![allow(non_camel_case_types)]

use std::ffi::c_void;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::null;

pub const IFB_OK: ifb_status = 0;
pub const IFB_END: ifb_status = 1;
pub const IFB_MORE: ifb_status = 2;
pub const IFB_SKIP: ifb_status = 3;
pub const IFB_E_CONFIG: ifb_status = -1;
pub const IFB_E_UNSUPPORTED: ifb_status = -2;
pub const IFB_E_IO: ifb_status = -3;
pub const IFB_E_PROTOCOL: ifb_status = -4;
pub const IFB_E_REMOTE: ifb_status = -5;
pub const IFB_E_TIMEOUT: ifb_status = -6;
pub const IFB_E_CANCELLED: ifb_status = -7;
pub const IFB_E_MEMORY: ifb_status = -8;
pub const IFB_E_INTERNAL: ifb_status = -9;
pub const IFB_E_DATA: ifb_status = -10;
pub const IFB_STRING: u32 = 1;
pub const IFB_INT: u32 = 2;
pub const IFB_FLOAT: u32 = 3;
pub const IFB_BOOL: u32 = 4;
pub const IFB_DURATION: u32 = 5;
pub const IFB_SIZE: u32 = 6;
pub const IFB_PATH: u32 = 7;
pub const IFB_CHOICE: u32 = 8;
pub const IFB_STRINGS: u32 = 9;
pub const IFB_JSON: u32 = 10;
pub const IFB_OPT_REQUIRED: u32 = 1;
pub const IFB_OPT_SECRET: u32 = 2;
pub const IFB_OPT_ADVANCED: u32 = 4;
pub const IFB_OPT_GENERAL: u32 = 8;
pub const IFB_ENCODE_SPECIAL: u32 = 1;
pub const IFB_DECODE_SKIP_SPECIAL: u32 = 1;
pub const IFB_BACKEND: u32 = 1;
pub const IFB_DATASET: u32 = 2;
pub const IFB_REPORTER: u32 = 3;
pub const IFB_TOKENIZER: u32 = 4;
pub const IFB_PART_TEXT: u32 = 1;
pub const IFB_PART_IMAGE: u32 = 2;
pub const IFB_PART_AUDIO: u32 = 3;
pub const IFB_PART_VIDEO: u32 = 4;
pub const IFB_PART_FILE: u32 = 5;
pub const IFB_PART_TOKENS: u32 = 6;
pub const IFB_PART_JSON: u32 = 7;
pub const IFB_PROMPT_TEXT: u32 = 1;
pub const IFB_PROMPT_TEXTS: u32 = 2;
pub const IFB_PROMPT_TOKENS: u32 = 3;
pub const IFB_PROMPT_TOKEN_LISTS: u32 = 4;
pub const IFB_PROMPT_PARTS: u32 = 5;
pub const IFB_PROMPT_CHAT: u32 = 6;
pub const IFB_PROMPT_JSON: u32 = 7;
pub const IFB_CHANNEL_ANSWER: u32 = 0;
pub const IFB_CHANNEL_REASONING: u32 = 1;
pub const IFB_CHANNEL_TOOL_CALL: u32 = 2;
pub const IFB_CHANNEL_AUDIO: u32 = 3;
pub const IFB_FRAMING_AUTO: u32 = 0;
pub const IFB_FRAMING_WHOLE: u32 = 1;
pub const IFB_FRAMING_SSE: u32 = 2;
pub const IFB_FRAMING_LINES: u32 = 3;
pub const IFB_FRAMING_RAW: u32 = 4;
pub const IFB_CODEC_POOLING: u32 = 1;
pub const IFB_CODEC_SAMPLING: u32 = 2;
pub const IFB_CODEC_CHAT: u32 = 4;
pub const IFB_CODEC_AUTHORIZES: u32 = 8;
pub const IFB_HTTP_END_EARLY: u32 = 1;
pub const IFB_ENGINE_BLOCKING: u32 = 1;
pub const IFB_DATASET_IN_ORDER: u32 = 1;
pub const IFB_DATASET_SHUFFLE: u32 = 1;
pub const IFB_DATASET_OVERSAMPLE: u32 = 2;
pub const IFB_DATASET_ARRIVALS: u32 = 4;
pub const IFB_DATASET_SESSIONS: u32 = 8;
pub const IFB_DATASET_ANONYMOUS: u32 = 16;
pub const IFB_DATASET_SYNTHETIC: u32 = 32;
pub const IFB_DATASET_RENDERED: u32 = 64;
pub const IFB_DATASET_ENDLESS: u32 = 128;
pub const IFB_DATASET_PARALLEL: u32 = 256;
pub const IFB_METRIC_INTEGER: u32 = 1;
pub const IFB_METRIC_SUMMARY: u32 = 2;
pub const IFB_METRIC_SELECTED: u32 = 4;
pub const IFB_METRIC_UPSTREAM: u32 = 8;
pub const IFB_RUN_REPLAYED: u32 = 1;
pub const IFB_SUMMARY_INTERRUPTED: u32 = 1;
pub const IFB_REPORTER_STAMPS_IF_DETAILED: u32 = 1;
pub const IFB_REPORTER_LIVE: u32 = 2;
pub const IFB_TABLE_INTERRUPTED: u32 = 1;
pub const IFB_ABI_MAJOR: u16 = 1;
pub const IFB_ABI_MINOR: u16 = 0;
pub const IFB_ABI_DRAFT: u16 = 2;
pub const IFB_SERVICE_TOKENIZER: &str = "inferbench.service.tokenizer/1\0";
pub const IFB_SERVICE_PROGRESS: &str = "inferbench.service.progress/1\0";
pub const IFB_SERVICE_CONSOLE: &str = "inferbench.service.console/1\0";
pub const IFB_SERVICE_HTTP: &str = "inferbench.service.http/1\0";
pub const IFB_ENTRY_NAME: &str = "inferbench_plugin_v1_rc2\0";
pub const IFB_HTTP_CODEC: &str = "inferbench.http-codec/1\0";
pub const IFB_ENGINE: &str = "inferbench.engine/1\0";
pub const IFB_DATASET_OPS: &str = "inferbench.dataset/1\0";
pub const IFB_REPORTER_OPS: &str = "inferbench.reporter/1\0";
pub const IFB_TABLE_REPORTER_OPS: &str = "inferbench.table-reporter/1\0";
pub const IFB_TOKENIZER_OPS: &str = "inferbench.tokenizer/1\0";

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_str {
    pub data: *const c_char,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_bytes {
    pub data: *const c_void,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_field {
    pub name: ifb_str,
    pub value: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_error {
    pub code: ifb_status,
    pub option: i32,
    pub message: [c_char; 1016],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_value_list {
    pub data: *const ifb_str,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union ifb_value_as {
    pub i: i64,
    pub f: f64,
    pub s: ifb_str,
    pub list: ifb_value_list,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_value {
    pub r#type: ifb_type,
    pub is_set: u32,
    pub r#as: ifb_value_as,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_option {
    pub struct_size: u32,
    pub r#type: ifb_type,
    pub flags: u32,
    pub choice_count: u32,
    pub name: *const c_char,
    pub help: *const c_char,
    pub fallback: *const c_char,
    pub value_name: *const c_char,
    pub flag: *const c_char,
    pub choices: *const *const c_char,
    pub minimum: f64,
    pub maximum: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub version: *const c_char,
    pub log: Option<unsafe extern "C" fn(*const ifb_host, u32, ifb_str)>,
    pub log_level: Option<unsafe extern "C" fn(*const ifb_host) -> u32>,
    pub now: Option<unsafe extern "C" fn(*const ifb_host) -> u64>,
    pub seed: Option<unsafe extern "C" fn(*const ifb_host, u64) -> u64>,
    pub cancelled: Option<unsafe extern "C" fn(*const ifb_host) -> u32>,
    pub alloc: Option<unsafe extern "C" fn(*const ifb_host, *mut ifb_arena, usize) -> *mut c_void>,
    pub service: Option<unsafe extern "C" fn(*const ifb_host, *const c_char) -> *const c_void>,
    pub unix_now: Option<unsafe extern "C" fn(*const ifb_host) -> i64>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_vocabulary {
    pub struct_size: u32,
    pub added: u32,
    pub size: u64,
    pub total_size: u64,
    pub special_ids: *const u32,
    pub special_id_count: usize,
    pub source: *const c_char,
    pub digest: *const c_char,
    pub skipped_ids: *const u32,
    pub skipped_id_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_tokenizer_service {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub vocabulary: Option<
        unsafe extern "C" fn(*const ifb_host, *mut ifb_vocabulary, *mut ifb_error) -> ifb_status,
    >,
    pub count: Option<
        unsafe extern "C" fn(*const ifb_host, ifb_str, u32, *mut u64, *mut ifb_error) -> ifb_status,
    >,
    pub encode: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            ifb_str,
            u32,
            *mut u32,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub decode: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            *const u32,
            usize,
            u32,
            *mut c_char,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub encode_pair: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            ifb_str,
            ifb_str,
            u32,
            *mut u32,
            *mut u32,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub render: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            ifb_str,
            *mut c_char,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_progress_service {
    pub struct_size: u32,
    pub reserved: u32,
    pub report: Option<unsafe extern "C" fn(*const ifb_host, ifb_str, u64, u64)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_console_service {
    pub struct_size: u32,
    pub reserved: u32,
    pub print: Option<unsafe extern "C" fn(*const ifb_host, ifb_str)>,
    pub artifact: Option<unsafe extern "C" fn(*const ifb_host, ifb_str, ifb_str)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_request {
    pub struct_size: u32,
    pub reserved: u32,
    pub method: ifb_str,
    pub target: ifb_str,
    pub headers: *const ifb_field,
    pub header_count: usize,
    pub body: *const ifb_bytes,
    pub body_count: usize,
    pub not_before_ns: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_answer {
    pub struct_size: u32,
    pub status: u32,
    pub headers: *const ifb_field,
    pub header_count: usize,
    pub body: ifb_bytes,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_service {
    pub struct_size: u32,
    pub reserved: u32,
    pub request: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            *const ifb_http_request,
            u64,
            *mut ifb_arena,
            *mut ifb_http_answer,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub arena: Option<unsafe extern "C" fn(*const ifb_host) -> *mut ifb_arena>,
    pub release: Option<unsafe extern "C" fn(*const ifb_host, *mut ifb_arena)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_config {
    pub struct_size: u32,
    pub count: u32,
    pub values: *const ifb_value,
    pub plugin: *const ifb_plugin,
    pub file: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_plugin {
    pub struct_size: u32,
    pub kind: ifb_kind,
    pub id: *const c_char,
    pub version: *const c_char,
    pub summary: *const c_char,
    pub license: *const c_char,
    pub options: *const ifb_option,
    pub option_count: u32,
    pub option_stride: u32,
    pub create: Option<
        unsafe extern "C" fn(
            *const ifb_host,
            *const ifb_config,
            *mut *mut ifb_instance,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub destroy: Option<unsafe extern "C" fn(*mut ifb_instance)>,
    pub interfaces: *const *const c_char,
    pub query: Option<unsafe extern "C" fn(*const ifb_plugin, *const c_char) -> *const c_void>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_library {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub sdk: *const c_char,
    pub plugins: *const *const ifb_plugin,
    pub plugin_count: u32,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_part {
    pub struct_size: u32,
    pub kind: u32,
    pub mime: *const c_char,
    pub data: ifb_bytes,
    pub uri: ifb_str,
    pub name: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_part_list {
    pub first: *const ifb_part,
    pub count: u32,
    pub stride: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_message {
    pub struct_size: u32,
    pub reserved: u32,
    pub role: ifb_str,
    pub parts: ifb_part_list,
    pub json: ifb_str,
    pub tokens: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_message_list {
    pub first: *const ifb_message,
    pub count: u32,
    pub stride: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_sample {
    pub struct_size: u32,
    pub shape: u32,
    pub prompt: ifb_part_list,
    pub messages: ifb_message_list,
    pub media: ifb_part_list,
    pub id: ifb_str,
    pub model: ifb_str,
    pub session: ifb_str,
    pub turn: u32,
    pub reserved: u32,
    pub arrival_ns: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub overrides: ifb_str,
    pub metadata: *const ifb_field,
    pub metadata_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_token {
    pub struct_size: u32,
    pub count: u32,
    pub choice: u32,
    pub channel: u32,
    pub text: ifb_str,
    pub at: u64,
    pub data: ifb_bytes,
    pub mime: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_usage {
    pub struct_size: u32,
    pub reserved: u32,
    pub prompt_tokens: i64,
    pub cached_tokens: i64,
    pub output_tokens: i64,
    pub reasoning_tokens: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_done {
    pub struct_size: u32,
    pub reserved: u32,
    pub finish_reason: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_events {
    pub struct_size: u32,
    pub reserved: u32,
    pub on_token: Option<unsafe extern "C" fn(*mut ifb_output, *const ifb_token)>,
    pub on_usage: Option<unsafe extern "C" fn(*mut ifb_output, *const ifb_usage)>,
    pub on_attribute: Option<unsafe extern "C" fn(*mut ifb_output, ifb_str, ifb_str)>,
    pub on_done: Option<unsafe extern "C" fn(*mut ifb_output, *const ifb_done)>,
    pub on_error: Option<unsafe extern "C" fn(*mut ifb_output, *const ifb_error)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_head {
    pub struct_size: u32,
    pub status: u32,
    pub headers: *const ifb_field,
    pub header_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_message {
    pub struct_size: u32,
    pub flags: u32,
    pub event: ifb_str,
    pub data: ifb_bytes,
    pub at: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_end {
    pub struct_size: u32,
    pub flags: u32,
    pub trailers: *const ifb_field,
    pub trailer_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_target {
    pub struct_size: u32,
    pub server: u32,
    pub scheme: ifb_str,
    pub authority: ifb_str,
    pub prefix: ifb_str,
    pub unix_ns: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_http_codec {
    pub struct_size: u32,
    pub flags: u32,
    pub open: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            *const ifb_sample,
            *mut ifb_arena,
            *mut *mut ifb_exchange,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub request: Option<
        unsafe extern "C" fn(
            *mut ifb_exchange,
            *mut ifb_http_request,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub on_head: Option<
        unsafe extern "C" fn(
            *mut ifb_exchange,
            *const ifb_http_head,
            *mut u32,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub on_message: Option<
        unsafe extern "C" fn(
            *mut ifb_exchange,
            *const ifb_http_message,
            *const ifb_events,
            *mut ifb_output,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub on_end: Option<
        unsafe extern "C" fn(
            *mut ifb_exchange,
            *const ifb_http_end,
            *const ifb_events,
            *mut ifb_output,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub close: Option<unsafe extern "C" fn(*mut ifb_exchange)>,
    pub sign: Option<
        unsafe extern "C" fn(
            *mut ifb_exchange,
            *const ifb_http_target,
            *mut ifb_http_request,
            *mut ifb_error,
        ) -> ifb_status,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_engine {
    pub struct_size: u32,
    pub flags: u32,
    pub submit: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            *const ifb_sample,
            *mut ifb_arena,
            *const ifb_events,
            *mut ifb_output,
            *mut *mut ifb_call,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub cancel: Option<unsafe extern "C" fn(*mut ifb_call)>,
    pub release: Option<unsafe extern "C" fn(*mut ifb_call)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_dataset_request {
    pub struct_size: u32,
    pub flags: u32,
    pub wanted: i64,
    pub seed: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_dataset_info {
    pub struct_size: u32,
    pub flags: u32,
    pub rows: i64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_dataset {
    pub struct_size: u32,
    pub flags: u32,
    pub prepare: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            *const ifb_dataset_request,
            *mut ifb_dataset_info,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub read: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            u64,
            *mut ifb_arena,
            *mut ifb_sample,
            *mut ifb_error,
        ) -> ifb_status,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_record {
    pub struct_size: u32,
    pub http_status: u32,
    pub sequence: u64,
    pub due_ns: u64,
    pub start_ns: u64,
    pub connected_ns: u64,
    pub sent_ns: u64,
    pub first_byte_ns: u64,
    pub first_token_ns: u64,
    pub last_token_ns: u64,
    pub first_text_ns: u64,
    pub last_text_ns: u64,
    pub first_answer_ns: u64,
    pub end_ns: u64,
    pub sample_tokens: i64,
    pub prompt_tokens: i64,
    pub output_tokens: i64,
    pub wanted_tokens: i64,
    pub cached_tokens: i64,
    pub reasoning_tokens: i64,
    pub bytes_sent: u64,
    pub bytes_received: u64,
    pub status: ifb_status,
    pub attribute_count: u32,
    pub id: ifb_str,
    pub session: ifb_str,
    pub error: ifb_str,
    pub finish_reason: ifb_str,
    pub text: ifb_str,
    pub token_ns: *const u64,
    pub token_count: usize,
    pub attributes: *const ifb_field,
    pub tls_ns: u64,
    pub server: u32,
    pub turn: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_quantile {
    pub q: f64,
    pub value: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_metric {
    pub struct_size: u32,
    pub flags: u32,
    pub name: *const c_char,
    pub unit: *const c_char,
    pub title: *const c_char,
    pub label: *const c_char,
    pub help: *const c_char,
    pub value: f64,
    pub count: u64,
    pub minimum: f64,
    pub maximum: f64,
    pub deviation: f64,
    pub median: f64,
    pub quantiles: *const ifb_quantile,
    pub quantile_count: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_snapshot {
    pub struct_size: u32,
    pub reserved: u32,
    pub at_ns: u64,
    pub metrics: *const ifb_metric,
    pub metric_count: u32,
    pub metric_stride: u32,
    pub facts_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_run {
    pub struct_size: u32,
    pub flags: u32,
    pub name: ifb_str,
    pub started_ns: u64,
    pub started_unix_ns: i64,
    pub config_json: ifb_str,
    pub environment_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_summary {
    pub struct_size: u32,
    pub flags: u32,
    pub finished_unix_ns: i64,
    pub metrics: *const ifb_metric,
    pub metric_count: u32,
    pub metric_stride: u32,
    pub facts_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_reporter {
    pub struct_size: u32,
    pub flags: u32,
    pub begin: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_run, *mut ifb_error) -> ifb_status,
    >,
    pub records: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            *const ifb_record,
            usize,
            usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub snapshot: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_snapshot, *mut ifb_error) -> ifb_status,
    >,
    pub end: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_summary, *mut ifb_error) -> ifb_status,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_axis {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub unit: *const c_char,
    pub title: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_interval {
    pub struct_size: u32,
    pub reserved: u32,
    pub name: *const c_char,
    pub statistic: *const c_char,
    pub unit: *const c_char,
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub confidence: f64,
    pub observations: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_table {
    pub struct_size: u32,
    pub flags: u32,
    pub name: ifb_str,
    pub command: ifb_str,
    pub axes: *const ifb_axis,
    pub axis_count: u32,
    pub axis_stride: u32,
    pub run_count: u64,
    pub started_unix_ns: i64,
    pub facts_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_table_run {
    pub struct_size: u32,
    pub flags: u32,
    pub index: u32,
    pub point: u32,
    pub run: *const ifb_run,
    pub summary: *const ifb_summary,
    pub source: ifb_str,
    pub label: ifb_str,
    pub axes: *const ifb_field,
    pub axis_count: usize,
    pub intervals: *const ifb_interval,
    pub interval_count: u32,
    pub interval_stride: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_table_point {
    pub struct_size: u32,
    pub flags: u32,
    pub axes: *const ifb_field,
    pub axis_count: usize,
    pub runs: *const u32,
    pub run_count: usize,
    pub figures: *const ifb_interval,
    pub figure_count: u32,
    pub figure_stride: u32,
    pub facts_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_table_end {
    pub struct_size: u32,
    pub flags: u32,
    pub finished_unix_ns: i64,
    pub points: *const ifb_table_point,
    pub point_count: u32,
    pub point_stride: u32,
    pub facts_json: ifb_str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_table_reporter {
    pub struct_size: u32,
    pub flags: u32,
    pub begin: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_table, *mut ifb_error) -> ifb_status,
    >,
    pub records: Option<
        unsafe extern "C" fn(
            *mut ifb_instance,
            *const ifb_table_run,
            *const ifb_record,
            usize,
            usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub run: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_table_run, *mut ifb_error) -> ifb_status,
    >,
    pub end: Option<
        unsafe extern "C" fn(*mut ifb_instance, *const ifb_table_end, *mut ifb_error) -> ifb_status,
    >,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct ifb_tokenizer {
    pub struct_size: u32,
    pub reserved: u32,
    pub vocabulary: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            *mut ifb_vocabulary,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub count: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            ifb_str,
            u32,
            *mut u64,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub encode: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            ifb_str,
            u32,
            *mut u32,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub decode: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            *const u32,
            usize,
            u32,
            *mut c_char,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub encode_pair: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            ifb_str,
            ifb_str,
            u32,
            *mut u32,
            *mut u32,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
    pub render: Option<
        unsafe extern "C" fn(
            *const ifb_instance,
            ifb_str,
            *mut c_char,
            usize,
            *mut usize,
            *mut ifb_error,
        ) -> ifb_status,
    >,
}

pub type ifb_status = i32;

pub type ifb_type = u32;

pub type ifb_kind = u32;

#[repr(C)]
pub struct ifb_arena {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct ifb_instance {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct ifb_output {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct ifb_exchange {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct ifb_call {
    _opaque: [u8; 0],
}

pub type ifb_entry = unsafe extern "C" fn(u32, u32) -> *const ifb_library;

pub const IFB_ERROR_INIT: ifb_error = ifb_error { code: 0, option: -1, message: [0; 1016] };

pub const IFB_SAMPLE_INIT: ifb_sample = ifb_sample {
    struct_size: size_of::<ifb_sample>() as u32,
    shape: 0,
    prompt: ifb_part_list { first: null(), count: 0, stride: 0 },
    messages: ifb_message_list { first: null(), count: 0, stride: 0 },
    media: ifb_part_list { first: null(), count: 0, stride: 0 },
    id: ifb_str { data: null(), size: 0 },
    model: ifb_str { data: null(), size: 0 },
    session: ifb_str { data: null(), size: 0 },
    turn: 0,
    reserved: 0,
    arrival_ns: -1,
    input_tokens: -1,
    output_tokens: -1,
    overrides: ifb_str { data: null(), size: 0 },
    metadata: null(),
    metadata_count: 0,
};

pub const IFB_TOKEN_INIT: ifb_token = ifb_token {
    struct_size: size_of::<ifb_token>() as u32,
    count: 0,
    choice: 0,
    channel: 0,
    text: ifb_str { data: null(), size: 0 },
    at: 0,
    data: ifb_bytes { data: null(), size: 0 },
    mime: null(),
};

pub const IFB_USAGE_INIT: ifb_usage = ifb_usage {
    struct_size: size_of::<ifb_usage>() as u32,
    reserved: 0,
    prompt_tokens: -1,
    cached_tokens: -1,
    output_tokens: -1,
    reasoning_tokens: -1,
};

pub const IFB_DONE_INIT: ifb_done = ifb_done {
    struct_size: size_of::<ifb_done>() as u32,
    reserved: 0,
    finish_reason: ifb_str { data: null(), size: 0 },
};

// Descriptions are constant, and so is everything that they point to.
unsafe impl Sync for ifb_option {}
unsafe impl Sync for ifb_plugin {}
unsafe impl Sync for ifb_library {}
