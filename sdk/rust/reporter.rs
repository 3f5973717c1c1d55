//! Makes a type a reporter (inferbench.reporter/1).

use crate::abi::*;
use crate::guard::{guard, Result};
use crate::plugin::{Described, Instance, Lifecycle, Operations, Plugin};
use crate::run_description::RunDescription;
use crate::table_reporter::Tables;
use crate::{slice_of, view};
use std::borrow::Cow;
use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;
use std::os::raw::c_char;

/// Calls come from one thread at a time. Their arguments are borrowed for the duration of the call.
/// begin() and end() are called once for an object; each of several runs creates its own.
pub trait Reporter: Plugin {
    /// A combination of ifb_reporter_flag.
    const FLAGS: u32 = 0;
    /// A type that also is a TableReporter says `Some(table_reporter::tables())`: the plugin then
    /// offers inferbench.table-reporter/1, too. The host uses an object for one run or for a table.
    const TABLES: Option<Tables<Self>> = None;
    fn begin(&mut self, run: &Run) -> Result<()>;
    /// Receives a batch of requests that are over, in the order of completion.
    fn records(&mut self, _batch: &Records) -> Result<()> {
        Ok(())
    }
    /// Receives live figures, about once per second; with LIVE four times. Not called for a run that is replayed.
    fn snapshot(&mut self, _figures: &Snapshot) -> Result<()> {
        Ok(())
    }
    fn end(&mut self, summary: &Summary) -> Result<()>;
}

macro_rules! borrowed {
    ($(#[$about:meta])* $name:ident $of:ident $($text:ident)*) => {
        $(#[$about])*
        pub struct $name<'a>(pub(crate) &'a $of);
        // The host guarantees that the struct, and everything to which it points, is readable
        // during 'a.
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
pub(crate) use borrowed;

borrowed!(
    /// The run; its other members are the members of ifb_run.
    Run ifb_run name config_json environment_json
);
borrowed!(
    /// One request; its numbers are the members of ifb_record.
    Record ifb_record id session error finish_reason text
);
borrowed!(
    /// Live figures; `at_ns` is the time for which they hold.
    Snapshot ifb_snapshot facts_json
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
    /// Returns whether the records come from a journal (`inferbench report`): their times are then
    /// not of the clock of Host::now().
    pub fn replayed(&self) -> bool {
        self.0.flags & IFB_RUN_REPLAYED != 0
    }
}

impl<'a> Record<'a> {
    /// Returns whether the run ended before the client sent the request. Such a record has no
    /// times; it must be left out of all figures and lists of requests.
    pub fn never_sent(&self) -> bool {
        self.0.status == IFB_E_CANCELLED && self.0.start_ns == 0
    }
    /// Returns the names and values of the attributes, in the order of the reports. A name may be
    /// repeated. They include the metadata of the sample.
    pub fn attributes(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + 'a {
        let all = unsafe { slice_of(self.0.attributes, self.0.attribute_count as usize) };
        all.iter().map(|each| unsafe { (view(each.name), view(each.value)) })
    }
    /// Returns the time of each event with output. Empty if the host did not keep the times
    /// (IFB_REPORTER_STAMPS_IF_DETAILED); token_count is always set.
    pub fn stamps(&self) -> &'a [u64] {
        unsafe { slice_of(self.0.token_ns, self.0.token_count) }
    }
}

impl<'a> Metric<'a> {
    pub fn name(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.name) }
    }
    pub fn unit(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.unit) }
    }
    pub fn title(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.title) }
    }
    /// Returns the short title, for columns and lines: "TTFT".
    pub fn label(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.label) }
    }
    /// Returns the formula, in one sentence.
    pub fn help(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.help) }
    }
    /// Returns the quantiles in the order in which the user requested them.
    pub fn quantiles(&self) -> &'a [ifb_quantile] {
        unsafe { slice_of(self.0.quantiles, self.0.quantile_count) }
    }
    /// Returns whether the metric has count, minimum and quantiles.
    pub fn is_summary(&self) -> bool {
        self.0.flags & IFB_METRIC_SUMMARY != 0
    }
}

impl<'a> Snapshot<'a> {
    pub fn metrics(&self) -> Metrics<'a> {
        let (count, stride) = (self.0.metric_count as usize, self.0.metric_stride as usize);
        unsafe { Metrics::of(self.0.metrics, count, stride) }
    }
}

impl<'a> Summary<'a> {
    pub fn metrics(&self) -> Metrics<'a> {
        let (count, stride) = (self.0.metric_count as usize, self.0.metric_stride as usize);
        unsafe { Metrics::of(self.0.metrics, count, stride) }
    }
    pub fn interrupted(&self) -> bool {
        self.0.flags & IFB_SUMMARY_INTERRUPTED != 0
    }
}

/// # Safety
/// `text` must be null, or a text with a zero byte that is readable during 'a.
pub(crate) unsafe fn name_of<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    CStr::from_ptr(text).to_string_lossy()
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
    /// # Safety
    /// The elements must be readable, and must not change, during 'a.
    pub(crate) unsafe fn of(first: *const G, count: usize, stride: usize) -> Strided<'a, G> {
        Strided { first, count, stride, life: PhantomData }
    }
    pub fn len(&self) -> usize {
        self.count
    }
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// `i` must be less than len().
    pub(crate) fn at(&self, i: usize) -> &'a G {
        assert!(i < self.count);
        // of() requires that there are `count` elements.
        unsafe { &*self.first.cast::<u8>().add(i * self.stride).cast::<G>() }
    }
    fn elements(&self) -> impl Iterator<Item = &'a G> + '_ {
        (0..self.count).map(move |i| self.at(i))
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

/// An argument for plugins!(). A type with TABLES reports several runs, too.
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
    const SECOND: Option<(&'static str, *const c_void)> = match T::TABLES {
        Some(tables) => Some((IFB_TABLE_REPORTER_OPS, tables.operations())),
        None => None,
    };
}

// In the functions below, the host passes valid pointers, and an ifb_instance that this layer made.
// It makes one call at a time, so a &mut to the plugin is the only reference.
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
        let batch = Strided::of(first, count, stride);
        Self::call(instance, error, |plugin| plugin.records(&batch))
    }
    unsafe extern "C" fn snapshot(
        instance: *mut ifb_instance,
        figures: *const ifb_snapshot,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.snapshot(&Snapshot(&*figures)))
    }
    unsafe extern "C" fn end(
        instance: *mut ifb_instance,
        summary: *const ifb_summary,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.end(&Summary(&*summary)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::{field_of, str_of, text, Failure, Host, Text, Values};
    use std::ptr::null;

    /// Logs everything that it receives.
    struct Log(Host);

    impl Plugin for Log {
        const ID: Text = text!("log");
        const VERSION: Text = text!("1.0.0");
        const SUMMARY: Text = text!("Logs everything.");
        const LICENSE: Text = text!("MIT");
        fn create(host: Host, _values: &Values) -> Result<Self> {
            Ok(Log(host))
        }
    }

    impl Reporter for Log {
        fn begin(&mut self, run: &Run) -> Result<()> {
            if run.name().is_empty() {
                return Err(Failure::unsupported("no name"));
            }
            Ok(self.0.info(&format!("begin {} {}", run.name(), run.replayed())))
        }
        fn records(&mut self, batch: &Records) -> Result<()> {
            for r in batch.iter() {
                let more: Vec<_> = r.attributes().map(|(name, value)| name + "=" + value).collect();
                let (text, stamps) = (r.text(), r.stamps());
                let line = format!("{} {text} {} {more:?} {stamps:?}", r.sequence, r.never_sent());
                self.0.info(&line);
            }
            Ok(())
        }
        fn snapshot(&mut self, figures: &Snapshot) -> Result<()> {
            Ok(self.log(figures.at_ns as i64, figures.metrics()))
        }
        fn end(&mut self, summary: &Summary) -> Result<()> {
            Ok(self.log(summary.finished_unix_ns, summary.metrics()))
        }
    }

    impl Log {
        fn log(&self, at: i64, metrics: Metrics) {
            for m in metrics.iter() {
                let last = m.quantiles().last().map_or(0.0, |found| found.value);
                let line = format!("at {at} {} {} {} {last}", m.name(), m.value, m.is_summary());
                self.0.info(&line);
            }
        }
    }

    /// An element with more members than this header knows.
    #[repr(C)]
    struct Longer<G>(G, u64);

    fn metric(name: Text, value: f64, quantiles: &[ifb_quantile]) -> Longer<ifb_metric> {
        let metric = ifb_metric {
            struct_size: size_of::<Longer<ifb_metric>>() as u32,
            flags: if quantiles.is_empty() { 0 } else { IFB_METRIC_SUMMARY },
            name: name.as_ptr(),
            unit: null(),
            title: null(),
            label: null(),
            help: null(),
            value,
            count: 0,
            minimum: 0.0,
            maximum: 0.0,
            deviation: 0.0,
            median: 0.0,
            quantiles: quantiles.as_ptr(),
            quantile_count: quantiles.len(),
        };
        Longer(metric, 7)
    }

    fn table(made: &Made) -> &'static ifb_reporter {
        made.table(IFB_REPORTER_OPS)
    }

    fn begin(made: &Made, name: &str, flags: u32) -> (ifb_status, ifb_error) {
        let run = ifb_run {
            struct_size: size_of::<ifb_run>() as u32,
            flags,
            name: str_of(name),
            started_ns: 0,
            started_unix_ns: 0,
            config_json: str_of("{}"),
            environment_json: str_of("{}"),
        };
        let mut error = IFB_ERROR_INIT;
        let status = unsafe { table(made).begin.unwrap()(made.instance, &run, &mut error) };
        (status, error)
    }

    #[test]
    fn a_run_says_whether_it_is_replayed() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        assert_eq!(begin(&made, "a", 0).0, IFB_OK);
        assert_eq!(begin(&made, "b", IFB_RUN_REPLAYED | 64).0, IFB_OK);
        assert_eq!(fake.logged(), ["2 begin a false", "2 begin b true"]);
        let (status, error) = begin(&made, "", 0);
        assert_eq!((status, &*crate::guard::said_in(&error)), (IFB_E_UNSUPPORTED, "no name"));
    }

    #[test]
    fn a_metric_describes_itself_and_a_text_that_is_missing_is_empty() {
        let bare = metric(text!("ttft"), 1.0, &[]).0;
        assert_eq!([Metric(&bare).label(), Metric(&bare).help()], ["", ""]);
        let label = text!("TTFT").as_ptr();
        let described = ifb_metric { label, help: text!("First - start.").as_ptr(), ..bare };
        let described = Metric(&described);
        let texts = [described.name(), described.label(), described.help()];
        assert_eq!(texts, ["ttft", "TTFT", "First - start."]);
    }

    #[test]
    fn live_figures_have_the_time_for_which_they_hold() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        let quantiles = [ifb_quantile { q: 0.5, value: 3.0 }, ifb_quantile { q: 0.9, value: 4.0 }];
        let all = [metric(text!("rate"), 2.5, &[]), metric(text!("ttft"), 1.5, &quantiles)];
        let stride = size_of::<Longer<ifb_metric>>() as u32;
        let figures = ifb_snapshot {
            struct_size: size_of::<ifb_snapshot>() as u32,
            reserved: 0,
            at_ns: 77,
            metrics: &all[0].0,
            metric_count: 2,
            metric_stride: stride,
            facts_json: str_of("{\"log\":[]}"),
        };
        let mut error = IFB_ERROR_INIT;
        let snapshot = table(&made).snapshot.unwrap();
        assert_eq!(unsafe { snapshot(made.instance, &figures, &mut error) }, IFB_OK);
        assert_eq!(fake.logged(), ["2 at 77 rate 2.5 false 0", "2 at 77 ttft 1.5 true 4"]);
        let summary = ifb_summary {
            struct_size: size_of::<ifb_summary>() as u32,
            flags: 0,
            finished_unix_ns: 78,
            metrics: &all[0].0,
            metric_count: 1,
            metric_stride: stride,
            facts_json: str_of("{}"),
        };
        let end = table(&made).end.unwrap();
        assert_eq!(unsafe { end(made.instance, &summary, &mut error) }, IFB_OK);
        assert_eq!(fake.logged(), ["2 at 78 rate 2.5 false 0"]);
    }

    #[test]
    fn records_are_read_at_the_distance_that_the_host_names() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        // All members of a record may be zero.
        let mut blank: ifb_record = unsafe { std::mem::zeroed() };
        blank.struct_size = size_of::<Longer<ifb_record>>() as u32;
        let (stamps, attributes) = ([6, 8], [field_of("a", "1"), field_of("a", "2")]);
        let answered = ifb_record {
            start_ns: 5,
            text: str_of("hi"),
            token_ns: stamps.as_ptr(),
            token_count: 2,
            attributes: attributes.as_ptr(),
            attribute_count: 2,
            ..blank
        };
        // The host counts stamps that it did not keep.
        let unsent = ifb_record { sequence: 1, status: IFB_E_CANCELLED, token_count: 3, ..blank };
        let batch = [Longer(answered, 7), Longer(unsent, 7)];
        let (mut error, stride) = (IFB_ERROR_INIT, size_of::<Longer<ifb_record>>());
        let records = table(&made).records.unwrap();
        let status = unsafe { records(made.instance, &batch[0].0, 2, stride, &mut error) };
        assert_eq!(status, IFB_OK);
        assert_eq!(fake.logged(), [r#"2 0 hi false ["a=1", "a=2"] [6, 8]"#, "2 1  true [] []"]);
    }
}
