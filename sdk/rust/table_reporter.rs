//! Makes a type a reporter of several runs (inferbench.table-reporter/1), for example for
//! `inferbench report A.journal B.journal`. A type that also is a Reporter names tables() in
//! Reporter::TABLES, and is exported once, with reporter::of().

use crate::abi::*;
use crate::guard::{guard, Result};
use crate::plugin::{Described, Instance, Lifecycle, Operations, Plugin};
use crate::reporter::{borrowed, name_of, Records, Run, Strided, Summary};
use crate::{slice_of, view};
use std::borrow::Cow;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;

/// The order of the calls is begin(), then for each run records() in any number and run() once, then
/// end(). Calls come from one thread at a time. Their arguments are borrowed for the duration of the
/// call.
pub trait TableReporter: Plugin {
    /// A combination of ifb_reporter_flag.
    const FLAGS: u32 = 0;
    fn begin(&mut self, table: &Table) -> Result<()>;
    /// Receives a batch of requests of the run `of`, in the order of completion. `of` has neither a
    /// summary nor intervals.
    fn records(&mut self, _of: &TableRun, _batch: &Records) -> Result<()> {
        Ok(())
    }
    /// Receives a run that has ended, after its records.
    fn run(&mut self, run: &TableRun) -> Result<()>;
    fn end(&mut self, end: &TableEnd) -> Result<()>;
}

borrowed!(
    /// The table; its other members are the members of ifb_table.
    Table ifb_table name command facts_json
);
borrowed!(
    /// A quantity by which the runs are arranged.
    Axis ifb_axis
);
borrowed!(
    /// One run; `index` and `point` are its place in the table.
    TableRun ifb_table_run source label
);
borrowed!(
    /// A figure with its interval; its numbers are the members of ifb_interval.
    Interval ifb_interval
);
borrowed!(
    /// Runs that repeat each other.
    Point ifb_table_point facts_json
);
borrowed!(
    /// The end of the table.
    TableEnd ifb_table_end facts_json
);

impl<'a> Table<'a> {
    pub fn axes(&self) -> impl Iterator<Item = Axis<'a>> + 'a {
        let (count, stride) = (self.0.axis_count as usize, self.0.axis_stride as usize);
        all(unsafe { Strided::of(self.0.axes, count, stride) }).map(Axis)
    }
}

impl<'a> Axis<'a> {
    pub fn name(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.name) }
    }
    /// Returns the unit, or an empty text if the values are not numbers.
    pub fn unit(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.unit) }
    }
    pub fn title(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.title) }
    }
}

impl<'a> TableRun<'a> {
    pub fn run(&self) -> Run<'a> {
        // The host always sets this pointer.
        Run(unsafe { &*self.0.run })
    }
    /// Returns the summary of the run; None in records().
    pub fn summary(&self) -> Option<Summary<'a>> {
        unsafe { self.0.summary.as_ref() }.map(Summary)
    }
    /// Returns the names of the axes, and the values as JSON.
    pub fn axes(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + 'a {
        unsafe { fields(self.0.axes, self.0.axis_count) }
    }
    pub fn intervals(&self) -> impl Iterator<Item = Interval<'a>> + 'a {
        let (count, stride) = (self.0.interval_count as usize, self.0.interval_stride as usize);
        all(unsafe { Strided::of(self.0.intervals, count, stride) }).map(Interval)
    }
}

impl<'a> Interval<'a> {
    pub fn name(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.name) }
    }
    /// Returns "mean", "median", "p99" and so on; "value" if the figure is a scalar.
    pub fn statistic(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.statistic) }
    }
    pub fn unit(&self) -> Cow<'a, str> {
        unsafe { name_of(self.0.unit) }
    }
}

impl<'a> Point<'a> {
    /// Returns the names of the axes, and the values as JSON.
    pub fn axes(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + 'a {
        unsafe { fields(self.0.axes, self.0.axis_count) }
    }
    /// Returns the indices of the runs.
    pub fn runs(&self) -> &'a [u32] {
        unsafe { slice_of(self.0.runs, self.0.run_count) }
    }
    /// Returns the means over the runs.
    pub fn figures(&self) -> impl Iterator<Item = Interval<'a>> + 'a {
        let (count, stride) = (self.0.figure_count as usize, self.0.figure_stride as usize);
        all(unsafe { Strided::of(self.0.figures, count, stride) }).map(Interval)
    }
}

impl<'a> TableEnd<'a> {
    /// Returns the points; TableRun::point is an index of this list.
    pub fn points(&self) -> impl Iterator<Item = Point<'a>> + 'a {
        let (count, stride) = (self.0.point_count as usize, self.0.point_stride as usize);
        all(unsafe { Strided::of(self.0.points, count, stride) }).map(Point)
    }
    pub fn interrupted(&self) -> bool {
        self.0.flags & IFB_TABLE_INTERRUPTED != 0
    }
}

fn all<'a, G: 'a>(elements: Strided<'a, G>) -> impl Iterator<Item = &'a G> + 'a {
    (0..elements.len()).map(move |i| elements.at(i))
}

/// # Safety
/// The fields must be readable during 'a.
unsafe fn fields<'a>(
    first: *const ifb_field,
    count: usize,
) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> + 'a {
    let all: &'a [ifb_field] = slice_of(first, count);
    all.iter().map(|each| unsafe { (view(each.name), view(each.value)) })
}

/// An argument for plugins!(): a reporter of several runs only.
pub const fn of<T: TableReporter>() -> Described {
    Lifecycle::<T, TableSink<T>>::described()
}

/// The operations of a TableReporter, for Reporter::TABLES. Only tables() makes them.
pub struct Tables<T>(*const c_void, PhantomData<fn(T)>);

impl<T> Tables<T> {
    pub(crate) const fn operations(&self) -> *const c_void {
        self.0
    }
}

/// The value of Reporter::TABLES for a type that also is a TableReporter.
pub const fn tables<T: TableReporter>() -> Tables<T> {
    Tables(TableSink::<T>::TABLE, PhantomData)
}

struct TableSink<T>(PhantomData<T>);

impl<T: TableReporter> Operations for TableSink<T> {
    const KIND: ifb_kind = IFB_REPORTER;
    const INTERFACE: &'static str = IFB_TABLE_REPORTER_OPS;
    const TABLE: *const c_void = (&ifb_table_reporter {
        struct_size: size_of::<ifb_table_reporter>() as u32,
        flags: T::FLAGS,
        begin: Some(Self::begin),
        records: Some(Self::records),
        run: Some(Self::run),
        end: Some(Self::end),
    } as *const ifb_table_reporter)
        .cast();
}

// In the functions below, the host passes valid pointers, and an ifb_instance that this layer made.
// It makes one call at a time, so a &mut to the plugin is the only reference.
impl<T: TableReporter> TableSink<T> {
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
        table: *const ifb_table,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.begin(&Table(&*table)))
    }
    unsafe extern "C" fn records(
        instance: *mut ifb_instance,
        of: *const ifb_table_run,
        first: *const ifb_record,
        count: usize,
        stride: usize,
        error: *mut ifb_error,
    ) -> ifb_status {
        let batch = Strided::of(first, count, stride);
        Self::call(instance, error, |plugin| plugin.records(&TableRun(&*of), &batch))
    }
    unsafe extern "C" fn run(
        instance: *mut ifb_instance,
        run: *const ifb_table_run,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.run(&TableRun(&*run)))
    }
    unsafe extern "C" fn end(
        instance: *mut ifb_instance,
        end: *const ifb_table_end,
        error: *mut ifb_error,
    ) -> ifb_status {
        Self::call(instance, error, |plugin| plugin.end(&TableEnd(&*end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_host::{FakeHost, Made};
    use crate::reporter::Reporter;
    use crate::{field_of, reporter, str_of, text, Failure, Host, Text, Values};
    use std::ptr::null;

    /// Logs everything that it receives, of one run or of several.
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

    impl TableReporter for Log {
        fn begin(&mut self, table: &Table) -> Result<()> {
            if table.run_count == 1 {
                return Err(Failure::unsupported("one run"));
            }
            let axes: Vec<_> =
                table.axes().map(|a| a.name() + " " + a.unit() + a.title()).collect();
            Ok(self.0.info(&format!("begin {} {} {axes:?}", table.name(), table.command())))
        }
        fn records(&mut self, of: &TableRun, batch: &Records) -> Result<()> {
            for r in batch.iter() {
                let (start, open) = (r.start_ns - of.run().started_ns, of.summary().is_none());
                self.0.info(&format!("{} {start} {open}", of.label()));
            }
            Ok(())
        }
        fn run(&mut self, run: &TableRun) -> Result<()> {
            let place = format!("{} {} {}", run.index, run.point, run.source());
            let axes: Vec<_> = run.axes().map(|(name, value)| name + "=" + value).collect();
            let facts = run.summary().map_or("".into(), |all| all.facts_json());
            let figures: Vec<_> = run.intervals().map(|i| said(&i)).collect();
            Ok(self.0.info(&format!("run {place} {axes:?} {facts} {figures:?}")))
        }
        fn end(&mut self, end: &TableEnd) -> Result<()> {
            for p in end.points() {
                let axes: Vec<_> = p.axes().map(|(name, value)| name + "=" + value).collect();
                let figures: Vec<_> = p.figures().map(|i| said(&i)).collect();
                self.0.info(&format!("point {axes:?} {:?} {figures:?}", p.runs()));
            }
            Ok(self.0.info(&format!("end {}", end.interrupted())))
        }
    }

    impl Reporter for Log {
        const TABLES: Option<Tables<Self>> = Some(tables());
        fn begin(&mut self, run: &Run) -> Result<()> {
            Ok(self.0.info(&format!("one run {}", run.name())))
        }
        fn end(&mut self, _summary: &Summary) -> Result<()> {
            Ok(())
        }
    }

    fn said(i: &Interval) -> String {
        let figure = format!("{} {} {}..{}", i.name(), i.statistic(), i.low, i.high);
        format!("{figure} {} n={}", i.unit(), i.observations)
    }

    /// An element with more members than this header knows.
    #[repr(C)]
    struct Longer<G>(G, u64);

    fn interval(low: f64, observations: u64) -> Longer<ifb_interval> {
        let interval = ifb_interval {
            struct_size: size_of::<Longer<ifb_interval>>() as u32,
            reserved: 0,
            name: text!("ttft").as_ptr(),
            statistic: text!("p99").as_ptr(),
            unit: text!("ms").as_ptr(),
            value: low,
            low,
            high: f64::INFINITY,
            confidence: 0.95,
            observations,
        };
        Longer(interval, 7)
    }

    fn run() -> ifb_run {
        ifb_run {
            struct_size: size_of::<ifb_run>() as u32,
            flags: 0,
            name: str_of("r"),
            started_ns: 100,
            started_unix_ns: 0,
            config_json: str_of("{}"),
            environment_json: str_of("{}"),
        }
    }

    fn table_run(run: &ifb_run, axes: &[ifb_field]) -> ifb_table_run {
        ifb_table_run {
            struct_size: size_of::<ifb_table_run>() as u32,
            flags: 0,
            index: 3,
            point: 1,
            run,
            summary: null(),
            source: str_of("b.journal"),
            label: str_of("b"),
            axes: axes.as_ptr(),
            axis_count: axes.len(),
            intervals: null(),
            interval_count: 0,
            interval_stride: 0,
        }
    }

    fn begin(made: &Made, run_count: u64) -> (ifb_status, ifb_error) {
        let axis = ifb_axis {
            struct_size: size_of::<Longer<ifb_axis>>() as u32,
            reserved: 0,
            name: text!("rate").as_ptr(),
            unit: text!("request/s").as_ptr(),
            title: null(),
        };
        let axes = [Longer(axis, 7), Longer(ifb_axis { unit: null(), ..axis }, 7)];
        let table = ifb_table {
            struct_size: size_of::<ifb_table>() as u32,
            flags: 0,
            name: str_of("t"),
            command: str_of("inferbench report"),
            axes: &axes[0].0,
            axis_count: 2,
            axis_stride: size_of::<Longer<ifb_axis>>() as u32,
            run_count,
            started_unix_ns: 0,
            facts_json: str_of("{}"),
        };
        let mut error = IFB_ERROR_INIT;
        let calls: &ifb_table_reporter = made.table(IFB_TABLE_REPORTER_OPS);
        let status = unsafe { calls.begin.unwrap()(made.instance, &table, &mut error) };
        (status, error)
    }

    #[test]
    fn a_table_has_axes_and_a_reporter_may_refuse_it() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        assert_eq!(begin(&made, 2).0, IFB_OK);
        let line = r#"2 begin t inferbench report ["rate request/s", "rate "]"#;
        assert_eq!(fake.logged(), [line]);
        let (status, error) = begin(&made, 1);
        assert_eq!((status, &*crate::guard::said_in(&error)), (IFB_E_UNSUPPORTED, "one run"));
    }

    #[test]
    fn records_come_with_their_run_and_a_run_with_its_summary() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        let calls: &ifb_table_reporter = made.table(IFB_TABLE_REPORTER_OPS);
        // All members of a record may be zero.
        let blank: ifb_record = unsafe { std::mem::zeroed() };
        let batch = [
            Longer(ifb_record { start_ns: 105, ..blank }, 7),
            Longer(ifb_record { start_ns: 107, ..blank }, 7),
        ];
        let (one, axes) = (run(), [field_of("rate", "8")]);
        let of = table_run(&one, &axes);
        let (mut error, stride) = (IFB_ERROR_INIT, size_of::<Longer<ifb_record>>());
        let records = calls.records.unwrap();
        let status = unsafe { records(made.instance, &of, &batch[0].0, 2, stride, &mut error) };
        assert_eq!(status, IFB_OK);
        assert_eq!(fake.logged(), ["2 b 5 true", "2 b 7 true"]);

        let summary = ifb_summary {
            struct_size: size_of::<ifb_summary>() as u32,
            flags: 0,
            finished_unix_ns: 78,
            metrics: null(),
            metric_count: 0,
            metric_stride: 0,
            facts_json: str_of("{}"),
        };
        let intervals = [interval(1.5, 10), interval(f64::NEG_INFINITY, 1)];
        let whole = ifb_table_run {
            summary: &summary,
            intervals: &intervals[0].0,
            interval_count: 2,
            interval_stride: size_of::<Longer<ifb_interval>>() as u32,
            ..of
        };
        assert_eq!(unsafe { calls.run.unwrap()(made.instance, &whole, &mut error) }, IFB_OK);
        let figures = r#"["ttft p99 1.5..inf ms n=10", "ttft p99 -inf..inf ms n=1"]"#;
        assert_eq!(fake.logged(), [format!(r#"2 run 3 1 b.journal ["rate=8"] {{}} {figures}"#)]);
    }

    #[test]
    fn the_end_has_points_with_their_runs_and_figures() {
        let fake = FakeHost::new();
        let made = Made::of(of::<Log>(), &fake);
        let (axes, runs, figures) = ([field_of("rate", "8")], [0, 2], [interval(2.0, 2)]);
        let point = ifb_table_point {
            struct_size: size_of::<Longer<ifb_table_point>>() as u32,
            flags: 0,
            axes: axes.as_ptr(),
            axis_count: 1,
            runs: runs.as_ptr(),
            run_count: 2,
            figures: &figures[0].0,
            figure_count: 1,
            figure_stride: size_of::<Longer<ifb_interval>>() as u32,
            facts_json: str_of(""),
        };
        let points = [Longer(point, 7), Longer(ifb_table_point { run_count: 0, ..point }, 7)];
        let end = ifb_table_end {
            struct_size: size_of::<ifb_table_end>() as u32,
            flags: IFB_TABLE_INTERRUPTED,
            finished_unix_ns: 0,
            points: &points[0].0,
            point_count: 2,
            point_stride: size_of::<Longer<ifb_table_point>>() as u32,
            facts_json: str_of("{}"),
        };
        let calls: &ifb_table_reporter = made.table(IFB_TABLE_REPORTER_OPS);
        let mut error = IFB_ERROR_INIT;
        assert_eq!(unsafe { calls.end.unwrap()(made.instance, &end, &mut error) }, IFB_OK);
        let figures = r#"["ttft p99 2..inf ms n=2"]"#;
        let first = format!(r#"2 point ["rate=8"] [0, 2] {figures}"#);
        let second = format!(r#"2 point ["rate=8"] [] {figures}"#);
        assert_eq!(fake.logged(), [first, second, "2 end true".to_string()]);
    }

    #[test]
    fn one_type_offers_both_interfaces() {
        let fake = FakeHost::new();
        let made = Made::of(reporter::of::<Log>(), &fake);
        assert_eq!(begin(&made, 2).0, IFB_OK);
        let calls: &ifb_reporter = made.table(IFB_REPORTER_OPS);
        let mut error = IFB_ERROR_INIT;
        assert_eq!(unsafe { calls.begin.unwrap()(made.instance, &run(), &mut error) }, IFB_OK);
        assert_eq!(fake.logged()[1], "2 one run r");
        let plugin = reporter::of::<Log>();
        let interfaces = unsafe { slice_of(plugin.plugin().interfaces, 3) };
        assert!(!interfaces[1].is_null() && interfaces[2].is_null());
        let plugin = of::<Log>();
        let interfaces = unsafe { slice_of(plugin.plugin().interfaces, 2) };
        assert!(!interfaces[0].is_null() && interfaces[1].is_null());
    }
}
