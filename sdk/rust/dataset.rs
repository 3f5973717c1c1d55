//! Makes a type a source of samples (inferbench.dataset/1).

use crate::abi::*;
use crate::guard::{fill, guard, Result};
use crate::host::Host;
use crate::plugin::{hand_over, Described, Instance, Lifecycle, Operations, Plugin};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;

/// read() takes &self and needs Sync, so that the flag IFB_DATASET_PARALLEL is always allowed: with
/// it the host reads several rows on several threads at the same time, and without it one row at a
/// time. A reader that must change, such as an open file, belongs into a Mutex.
pub trait Dataset: Plugin + Sync {
    /// A combination of ifb_dataset_flag: the flags that hold whatever the options are. The host
    /// knows them before it creates the object.
    const FLAGS: u32 = 0;
    /// Loads or indexes the data. Called once, before the first read().
    fn prepare(&mut self, wanted: &ifb_dataset_request) -> Result<Info>;
    /// Returns the sample of a row. Every call for a row must return the same sample.
    fn read(&self, row: u64) -> Result<Row>;
}

#[derive(Clone, Copy, Default)]
pub struct Info {
    /// None: not known; the host then reads the rows in order until End. A dataset with
    /// IFB_DATASET_ENDLESS has no number of rows.
    pub rows: Option<u64>,
    /// The flags that depend on the options or on the data; the host adds them to FLAGS.
    pub flags: u32,
}

impl Info {
    pub fn rows(number: usize) -> Info {
        Info { rows: Some(number as u64), flags: 0 }
    }
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
    /// Offset from the start of the run, in nanoseconds (IFB_DATASET_ARRIVALS). Ascends with the
    /// row.
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

    /// # Safety
    /// The arena must come from this host, and this thread must have received it together with
    /// `out`.
    unsafe fn hand_over(
        &self,
        host: Host,
        arena: *mut ifb_arena,
        out: *mut ifb_sample,
    ) -> Result<ifb_status> {
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
            uri: IFB_SAMPLE_INIT.id,
            name: IFB_SAMPLE_INIT.id,
        };
        let one = |first| ifb_part_list { first, count: 1, stride: size_of::<ifb_part>() as u32 };
        let mut metadata = Vec::new();
        for (name, value) in &self.metadata {
            let (name, value) = (host.copy_str(arena, name)?, host.copy_str(arena, value)?);
            metadata.push(ifb_field { name, value });
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
            ..IFB_SAMPLE_INIT
        };
        hand_over(&filled, out)
    }
}

/// # Safety
/// As for Sample::hand_over().
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
        flags: T::FLAGS,
        prepare: Some(Self::prepare),
        read: Some(Self::read),
    } as *const ifb_dataset)
        .cast();
}

// In the functions below, the host passes valid pointers, and an ifb_instance that this layer made.
// It calls prepare once and before all other functions, so a &mut to the plugin is then the only
// reference. It may call read at the same time on several threads, so the plugin is only shared.
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
            let owner = &*instance.cast::<Instance<T>>();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeArena, FakeHost, Made};
    use crate::guard::said_in;
    use crate::{slice_of, text, view, Failure, Text, Values};
    use std::thread;

    /// An endless dataset: the row number decides what read() returns.
    struct Numbers {
        seed: u64,
    }

    impl Plugin for Numbers {
        const ID: Text = text!("numbers");
        const VERSION: Text = text!("1.0.0");
        const SUMMARY: Text = text!("Rows without an end.");
        const LICENSE: Text = text!("MIT");
        fn create(_host: Host, _values: &Values) -> Result<Self> {
            Ok(Numbers { seed: 0 })
        }
    }

    impl Dataset for Numbers {
        const FLAGS: u32 = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;
        fn prepare(&mut self, wanted: &ifb_dataset_request) -> Result<Info> {
            self.seed = wanted.seed;
            match wanted.wanted {
                0 => Ok(Info { flags: IFB_DATASET_ARRIVALS, ..Info::default() }),
                -1 => Err(Failure::unsupported("no number")),
                number => Ok(Info::rows(number as usize)),
            }
        }
        fn read(&self, row: u64) -> Result<Row> {
            Ok(match row {
                1 => Row::Skip("odd; row 1".to_string()),
                2 => Row::End,
                3 => Row::Sample(Sample::of(Prompt::Tokens(vec![1, 2, 3]))),
                _ => {
                    let mut sample = Sample::of(Prompt::Text(format!("{} of {row}", self.seed)));
                    sample.arrival_ns = Some(row as i64);
                    sample.metadata.push(("k".to_string(), "v".to_string()));
                    Row::Sample(sample)
                }
            })
        }
    }

    fn table(made: &Made) -> &'static ifb_dataset {
        made.table(IFB_DATASET_OPS)
    }

    fn prepare(made: &Made, wanted: i64) -> (ifb_status, i64, u32) {
        let struct_size = size_of::<ifb_dataset_request>() as u32;
        let asked = ifb_dataset_request { struct_size, flags: 0, wanted, seed: 5 };
        let struct_size = size_of::<ifb_dataset_info>() as u32;
        let mut out = ifb_dataset_info { struct_size, flags: 0, rows: 0 };
        let mut error = IFB_ERROR_INIT;
        let prepare = table(made).prepare.unwrap();
        let status = unsafe { prepare(made.instance, &asked, &mut out, &mut error) };
        (status, out.rows, out.flags)
    }

    /// Reads a row; `take` gets status, sample and message while the arena lives.
    fn read<R>(
        made: &Made,
        row: u64,
        take: impl FnOnce(ifb_status, &ifb_sample, String) -> R,
    ) -> R {
        let (mut arena, mut out, mut error) =
            (FakeArena::default(), IFB_SAMPLE_INIT, IFB_ERROR_INIT);
        let read = table(made).read.unwrap();
        let status = unsafe { read(made.instance, row, arena.handle(), &mut out, &mut error) };
        take(status, &out, said_in(&error))
    }

    fn prompt(sample: &ifb_sample) -> ifb_part {
        assert_eq!(sample.prompt.count, 1);
        unsafe { *sample.prompt.first }
    }

    fn text(sample: &ifb_sample) -> String {
        let ifb_bytes { data, size } = prompt(sample).data;
        unsafe { view(ifb_str { data: data.cast(), size }) }.into_owned()
    }

    #[test]
    fn flags_are_known_before_there_is_an_instance() {
        let plugin = of::<Numbers>().plugin();
        let table: *const ifb_dataset =
            unsafe { plugin.query.unwrap()(plugin, IFB_DATASET_OPS.as_ptr().cast()).cast() };
        assert_eq!(unsafe { (*table).flags }, IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL);
    }

    #[test]
    fn the_number_of_rows_may_be_unknown() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Numbers>(), &fake);
        assert_eq!(prepare(&made, 7), (IFB_OK, 7, 0));
        assert_eq!(prepare(&made, 0), (IFB_OK, -1, IFB_DATASET_ARRIVALS));
        assert_eq!(prepare(&made, -1), (IFB_E_UNSUPPORTED, 0, 0));
    }

    #[test]
    fn a_row_is_a_sample_or_it_is_skipped_or_past_the_end() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Numbers>(), &fake);
        prepare(&made, 0);
        read(&made, 9, |status, sample, _| {
            assert_eq!((status, sample.shape, &*text(sample)), (IFB_OK, IFB_PROMPT_TEXT, "5 of 9"));
            assert_eq!((sample.arrival_ns, sample.input_tokens, sample.reserved), (9, -1, 0));
            let field = unsafe { *sample.metadata };
            assert_eq!(unsafe { (view(field.name), view(field.value)) }, ("k".into(), "v".into()));
        });
        read(&made, 3, |status, sample, _| {
            let ifb_part { kind, data, .. } = prompt(sample);
            assert_eq!((status, sample.shape, kind), (IFB_OK, IFB_PROMPT_TOKENS, IFB_PART_TOKENS));
            assert_eq!(unsafe { slice_of::<u32>(data.data.cast(), data.size / 4) }, [1, 2, 3]);
        });
        let (skip, reason) = read(&made, 1, |status, _, said| (status, said));
        assert_eq!((skip, &*reason), (IFB_SKIP, "odd; row 1"));
        assert_eq!(read(&made, 2, |status, _, _| status), IFB_END);
    }

    #[test]
    fn rows_may_be_read_at_the_same_time() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Numbers>(), &fake);
        prepare(&made, 0);
        thread::scope(|scope| {
            for reader in 1..4 {
                let made = &made;
                scope.spawn(move || {
                    for row in 100 * reader..100 * reader + 50 {
                        read(made, row, |_, out, _| assert_eq!(text(out), format!("5 of {row}")));
                    }
                });
            }
        });
    }
}
