//! Makes a type a source of samples (inferbench.dataset/1).

use crate::abi::*;
use crate::field_of;
use crate::guard::{fill, guard, Result};
use crate::host::Host;
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;

/// Calls come from one thread at a time.
pub trait Dataset: Plugin {
    /// Loads or indexes the data. Called once, before the first read().
    fn prepare(&mut self, wanted: &ifb_dataset_request) -> Result<Info>;
    /// Returns the sample of a row. Every call for a row must return the same sample.
    fn read(&mut self, row: u64) -> Result<Row>;
}

pub struct Info {
    /// None: not known; the host then reads the rows in order until End.
    pub rows: Option<u64>,
    /// A combination of ifb_dataset_flag.
    pub flags: u32,
}

pub enum Row {
    Sample(Sample),
    /// The row cannot be used. The host counts each reason and shows it once.
    Skip(String),
    /// The row is past the end of the data.
    End,
}

pub enum Prompt {
    Text(String),
    Tokens(Vec<u32>),
    /// One JSON object, merged into the request.
    Json(String),
}

/// The data of a request. The layer copies them to the host's memory.
pub struct Sample {
    pub prompt: Prompt,
    /// Length of the prompt in the client's count.
    pub input_tokens: Option<i64>,
    /// Requested length of the answer.
    pub output_tokens: Option<i64>,
    /// Offset from the start of the run, in nanoseconds (IFB_DATASET_ARRIVALS).
    pub arrival_ns: Option<i64>,
    /// A JSON object to be merged into the request, or empty.
    pub overrides: String,
    /// Copied to the record of the request.
    pub metadata: Vec<(String, String)>,
}

impl Sample {
    pub fn of(prompt: Prompt) -> Sample {
        Sample {
            prompt,
            input_tokens: None,
            output_tokens: None,
            arrival_ns: None,
            overrides: String::new(),
            metadata: Vec::new(),
        }
    }

    unsafe fn hand_over(
        &self,
        host: Host,
        arena: *mut ifb_arena,
        out: *mut ifb_sample,
    ) -> Result<ifb_status> {
        let nothing = ifb_str { data: std::ptr::null(), size: 0 };
        let (shape, kind, data) = match &self.prompt {
            Prompt::Text(text) => {
                (IFB_PROMPT_TEXT, IFB_PART_TEXT, bytes(host, arena, text.as_bytes())?)
            }
            Prompt::Tokens(ids) => (IFB_PROMPT_TOKENS, IFB_PART_TOKENS, bytes(host, arena, ids)?),
            Prompt::Json(text) => {
                (IFB_PROMPT_JSON, IFB_PART_JSON, bytes(host, arena, text.as_bytes())?)
            }
        };
        let part = ifb_part {
            struct_size: size_of::<ifb_part>() as u32,
            kind,
            mime: std::ptr::null(),
            data,
            uri: nothing,
            name: nothing,
        };
        let one = |first| ifb_part_list { first, count: 1, stride: size_of::<ifb_part>() as u32 };
        let mut metadata = Vec::new();
        for (name, value) in &self.metadata {
            let mut field = field_of(name, value);
            field.name = host.copy_str(arena, name)?;
            field.value = host.copy_str(arena, value)?;
            metadata.push(field);
        }
        let filled = ifb_sample {
            shape,
            prompt: one(host.copy(arena, &[part])?),
            arrival_ns: self.arrival_ns.unwrap_or(-1),
            input_tokens: self.input_tokens.unwrap_or(-1),
            output_tokens: self.output_tokens.unwrap_or(-1),
            overrides: host.copy_str(arena, &self.overrides)?,
            metadata: host.copy(arena, &metadata)?,
            metadata_count: metadata.len(),
            ..blank_sample()
        };
        hand_over(&filled, out)
    }
}

/// Returns a sample with empty texts and lists and unknown numbers.
pub(crate) fn blank_sample() -> ifb_sample {
    let nothing = ifb_str { data: std::ptr::null(), size: 0 };
    let none = ifb_part_list { first: std::ptr::null(), count: 0, stride: 0 };
    ifb_sample {
        struct_size: size_of::<ifb_sample>() as u32,
        shape: IFB_PROMPT_TEXT,
        prompt: none,
        messages: ifb_message_list { first: std::ptr::null(), count: 0, stride: 0 },
        media: none,
        id: nothing,
        model: nothing,
        session: nothing,
        turn: 0,
        reserved: 0,
        arrival_ns: -1,
        input_tokens: -1,
        output_tokens: -1,
        overrides: nothing,
        metadata: std::ptr::null(),
        metadata_count: 0,
    }
}

unsafe fn bytes<T: Copy>(host: Host, arena: *mut ifb_arena, from: &[T]) -> Result<ifb_bytes> {
    let size = std::mem::size_of_val(from);
    Ok(ifb_bytes { data: host.copy(arena, from)?.cast(), size })
}

/// An argument for plugins!().
pub const fn of<T: Dataset>() -> Described {
    Lifecycle::<T, Rows<T>>::described()
}

struct Rows<T>(PhantomData<T>);

impl<T: Dataset> Operations for Rows<T> {
    const KIND: ifb_kind = IFB_DATASET;
    const INTERFACE: &'static str = IFB_DATASET_OPS;
    const TABLE: *const c_void = (&ifb_dataset {
        struct_size: size_of::<ifb_dataset>() as u32,
        reserved: 0,
        prepare: Some(Self::prepare),
        read: Some(Self::read),
    } as *const ifb_dataset)
        .cast();
}

impl<T: Dataset> Rows<T> {
    unsafe extern "C" fn prepare(
        instance: *mut ifb_instance,
        request: *const ifb_dataset_request,
        out: *mut ifb_dataset_info,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let info = (*instance.cast::<Instance<T>>()).plugin.prepare(&*request)?;
            let filled = ifb_dataset_info {
                struct_size: size_of::<ifb_dataset_info>() as u32,
                flags: info.flags,
                rows: info.rows.map_or(-1, |n| n as i64),
            };
            hand_over(&filled, out)
        })
    }
    unsafe extern "C" fn read(
        instance: *mut ifb_instance,
        row: u64,
        arena: *mut ifb_arena,
        out: *mut ifb_sample,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            let owner = &mut *instance.cast::<Instance<T>>();
            match owner.plugin.read(row)? {
                Row::Sample(sample) => sample.hand_over(owner.host, arena, out),
                Row::Skip(reason) => {
                    fill(error, IFB_SKIP, &reason, -1);
                    Ok(IFB_SKIP)
                }
                Row::End => Ok(IFB_END),
            }
        })
    }
}
