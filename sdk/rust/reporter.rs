//! Makes a type a reporter (inferbench.reporter/1).

use crate::abi::*;
use crate::guard::{guard, Result};
use crate::plugin::{Described, Instance, Lifecycle, Operations, Plugin};
use crate::run_description::RunDescription;
use crate::view;
use std::borrow::Cow;
use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;
use std::os::raw::c_char;

/// Calls come from one thread at a time. Their arguments are borrowed for the duration of the call.
pub trait Reporter: Plugin {
    /// A combination of ifb_reporter_flag.
    const FLAGS: u32 = 0;
    fn begin(&mut self, run: &Run) -> Result<()>;
    /// Receives a batch of requests that are over, in the order of completion.
    fn records(&mut self, _batch: &Records) -> Result<()> {
        Ok(())
    }
    /// Receives live figures, about once per second.
    fn snapshot(&mut self, _metrics: &Metrics) -> Result<()> {
        Ok(())
    }
    fn end(&mut self, summary: &Summary) -> Result<()>;
}

macro_rules! borrowed {
    ($(#[$about:meta])* $name:ident $of:ident $($text:ident)*) => {
        $(#[$about])*
        pub struct $name<'a>(&'a $of);
        impl Deref for $name<'_> {
            type Target = $of;
            fn deref(&self) -> &$of {
                self.0
            }
        }
        impl<'a> $name<'a> {
            $(pub fn $text(&self) -> Cow<'a, str> {
                unsafe { view(self.0.$text) }
            })*
        }
    };
}

borrowed!(
    /// The run; its other members are the members of ifb_run.
    Run ifb_run name config_json environment_json
);
borrowed!(
    /// One request; its numbers are the members of ifb_record.
    Record ifb_record id session error finish_reason text
);
borrowed!(
    /// All figures of a run that is over.
    Summary ifb_summary facts_json
);
borrowed!(
    /// One figure; its numbers are the members of ifb_metric.
    Metric ifb_metric
);

impl Run<'_> {
    /// Returns the description of the run in config_json().
    pub fn description(&self) -> RunDescription {
        RunDescription::of(&self.config_json())
    }
}

impl Record<'_> {
    /// Returns whether the run ended before the client sent the request. Such a record has no
    /// times; it must be left out of all figures and lists of requests.
    pub fn never_sent(&self) -> bool {
        self.0.status == IFB_E_CANCELLED && self.0.start_ns == 0
    }
}

impl Metric<'_> {
    pub fn name(&self) -> Cow<'_, str> {
        name_of(self.0.name)
    }
    pub fn unit(&self) -> Cow<'_, str> {
        name_of(self.0.unit)
    }
    pub fn title(&self) -> Cow<'_, str> {
        name_of(self.0.title)
    }
    /// Returns the quantiles in the order in which the user requested them.
    pub fn quantiles(&self) -> &[ifb_quantile] {
        match self.0.quantile_count {
            0 => &[],
            count => unsafe { std::slice::from_raw_parts(self.0.quantiles, count) },
        }
    }
    /// Returns whether the metric has count, minimum and quantiles.
    pub fn is_summary(&self) -> bool {
        self.0.flags & IFB_METRIC_SUMMARY != 0
    }
}

impl<'a> Summary<'a> {
    pub fn metrics(&self) -> Metrics<'a> {
        let (count, stride) = (self.0.metric_count as usize, self.0.metric_stride as usize);
        Metrics { first: self.0.metrics, count, stride, life: PhantomData }
    }
    pub fn interrupted(&self) -> bool {
        self.0.flags & IFB_SUMMARY_INTERRUPTED != 0
    }
}

fn name_of<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// Elements at a distance of `stride` bytes. The size of the type in this header does not matter
/// (rule R5 in abi.h).
pub struct Strided<'a, G> {
    first: *const G,
    count: usize,
    stride: usize,
    life: PhantomData<&'a G>,
}
pub type Records<'a> = Strided<'a, ifb_record>;
pub type Metrics<'a> = Strided<'a, ifb_metric>;

impl<'a, G> Strided<'a, G> {
    pub fn len(&self) -> usize {
        self.count
    }
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    fn elements(&self) -> impl Iterator<Item = &'a G> + '_ {
        (0..self.count)
            .map(move |i| unsafe { &*self.first.cast::<u8>().add(i * self.stride).cast::<G>() })
    }
}

impl<'a> Strided<'a, ifb_record> {
    pub fn iter(&self) -> impl Iterator<Item = Record<'a>> + '_ {
        self.elements().map(Record)
    }
}
impl<'a> Strided<'a, ifb_metric> {
    pub fn iter(&self) -> impl Iterator<Item = Metric<'a>> + '_ {
        self.elements().map(Metric)
    }
}

/// An argument for plugins!().
pub const fn of<T: Reporter>() -> Described {
    Lifecycle::<T, Sink<T>>::described()
}

struct Sink<T>(PhantomData<T>);

impl<T: Reporter> Operations for Sink<T> {
    const KIND: ifb_kind = IFB_REPORTER;
    const INTERFACE: &'static str = IFB_REPORTER_OPS;
    const TABLE: *const c_void = (&ifb_reporter {
        struct_size: size_of::<ifb_reporter>() as u32,
        flags: T::FLAGS,
        begin: Some(Self::begin),
        records: Some(Self::records),
        snapshot: Some(Self::snapshot),
        end: Some(Self::end),
    } as *const ifb_reporter)
        .cast();
}

impl<T: Reporter> Sink<T> {
    unsafe fn call(
        instance: *mut ifb_instance,
        error: *mut ifb_error,
        call: impl FnOnce(&mut T) -> Result<()>,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            call(&mut (*instance.cast::<Instance<T>>()).plugin)?;
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn begin(
        instance: *mut ifb_instance,
        run: *const ifb_run,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.begin(&Run(&*run)))
    }
    unsafe extern "C" fn records(
        instance: *mut ifb_instance,
        first: *const ifb_record,
        count: usize,
        stride: usize,
        error: *mut ifb_error,
    ) -> ifb_status {
        let batch = Strided { first, count, stride, life: PhantomData };
        Self::call(instance, error, |plugin| plugin.records(&batch))
    }
    unsafe extern "C" fn snapshot(
        instance: *mut ifb_instance,
        first: *const ifb_metric,
        count: usize,
        stride: usize,
        error: *mut ifb_error,
    ) -> ifb_status {
        let metrics = Strided { first, count, stride, life: PhantomData };
        Self::call(instance, error, |plugin| plugin.snapshot(&metrics))
    }
    unsafe extern "C" fn end(
        instance: *mut ifb_instance,
        summary: *const ifb_summary,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.end(&Summary(&*summary)))
    }
}
