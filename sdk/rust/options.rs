//! Options of a plugin: declared as constants, read by name.
//!
//!     const OPTIONS: &'static [Opt] = &[
//!         Opt::string(text!("endpoint"), text!("Path to call.")).fallback(text!("\"/v1/go\"")),
//!     ];
//!     ...
//!     let endpoint = values.string("endpoint");

use crate::abi::*;
use crate::plugin::Text;
use crate::{slice_of, view};
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;

/// One declared option. The texts are the same as in ifb_option: the fallback is a TOML literal, so
/// a string has inner quotes.
#[repr(transparent)]
pub struct Opt(ifb_option);

macro_rules! types {
    ($($(#[$about:meta])* $function:ident $code:ident;)+) => {
        $($(#[$about])* pub const fn $function(name: Text, help: Text) -> Opt {
            Opt::new($code, name, help)
        })+
    };
}

impl Opt {
    const fn new(kind: ifb_type, name: Text, help: Text) -> Opt {
        Opt(ifb_option {
            struct_size: std::mem::size_of::<ifb_option>() as u32,
            r#type: kind,
            flags: 0,
            choice_count: 0,
            name: name.as_ptr(),
            help: help.as_ptr(),
            fallback: null(),
            value_name: null(),
            flag: null(),
            choices: null(),
            minimum: 0.0,
            maximum: 0.0,
        })
    }
    types! {
        string IFB_STRING;
        integer IFB_INT;
        float IFB_FLOAT;
        /// A value that is true or false.
        switch IFB_BOOL;
        /// Nanoseconds; read with integer().
        duration IFB_DURATION;
        /// Bytes; read with integer().
        size IFB_SIZE;
        path IFB_PATH;
        strings IFB_STRINGS;
        /// Any TOML value, passed as JSON text; read with string().
        json IFB_JSON;
    }
    pub const fn fallback(mut self, toml: Text) -> Opt {
        self.0.fallback = toml.as_ptr();
        self
    }
    /// Sets the name of the value in --help, for example "URL".
    pub const fn value_name(mut self, name: Text) -> Opt {
        self.0.value_name = name.as_ptr();
        self
    }
    /// Sets the command-line flag, without its dashes; it replaces --ID-NAME.
    pub const fn flag(mut self, flag: Text) -> Opt {
        self.0.flag = flag.as_ptr();
        self
    }
    /// Adds a combination of ifb_option_flag.
    pub const fn flags(mut self, flags: u32) -> Opt {
        self.0.flags |= flags;
        self
    }
    /// Declares that the option takes the value of the run's flag with its name, if abi.h lists the
    /// name under GENERAL OPTIONS for the kind of the plugin. Otherwise the option stays the
    /// plugin's own.
    pub const fn general(self) -> Opt {
        self.flags(IFB_OPT_GENERAL)
    }
    /// Sets the smallest and the largest value of a number, a duration (in nanoseconds) or a size
    /// (in bytes). Both limits are allowed values; if both are 0, the value is not checked.
    pub const fn range(mut self, minimum: f64, maximum: f64) -> Opt {
        self.0.minimum = minimum;
        self.0.maximum = maximum;
        self
    }
    /// The value must be one of a list; read with string().
    pub const fn choices(mut self, list: &'static [Text]) -> Opt {
        self.0.r#type = IFB_CHOICE;
        self.0.choices = list.as_ptr().cast();
        self.0.choice_count = list.len() as u32;
        self
    }
    #[cfg(test)]
    pub(crate) fn all_flags(&self) -> u32 {
        self.0.flags
    }
    pub(crate) fn name(&self) -> &'static str {
        // The name comes from a Text.
        unsafe { CStr::from_ptr(self.0.name) }.to_str().unwrap_or("")
    }
}

/// Returns the name of an option's type, and the name of the function of Values that reads it.
/// "string" means both string() and find_string(); the other names work in the same way, but
/// strings() has no counterpart find_strings().
fn read_by(kind: ifb_type) -> (&'static str, &'static str) {
    match kind {
        IFB_INT => ("an integer", "integer"),
        IFB_FLOAT => ("a number", "float"),
        IFB_BOOL => ("a switch", "switch"),
        IFB_DURATION => ("a duration", "integer"),
        IFB_SIZE => ("a size", "integer"),
        IFB_PATH => ("a path", "string"),
        IFB_CHOICE => ("one of a list", "string"),
        IFB_STRINGS => ("a list", "strings"),
        IFB_JSON => ("JSON", "string"),
        _ => ("a string", "string"),
    }
}

/// The values of the options: the user's values or the defaults. If an author reads an undeclared
/// name, or reads a value as a type other than the declared type, the function panics. The host
/// then shows the message with the place of the call. The host has checked that a value has the
/// declared type, so the readers access the right member of the union. If an option has neither a
/// value nor a default, the functions find_* return None, and the other functions return an empty
/// string, an empty list, 0 or false.
pub struct Values<'a> {
    options: &'a [Opt],
    values: &'a [ifb_value],
    library: Option<&'a CStr>,
}

impl<'a> Values<'a> {
    /// # Safety
    /// `config` and everything that it points to must be readable, and must not change, during 'a.
    pub(crate) unsafe fn of(options: &'a [Opt], config: *const ifb_config) -> Values<'a> {
        let config = &*config;
        let values = slice_of(config.values, config.count as usize);
        let library = match config.file.is_null() {
            true => None,
            false => Some(CStr::from_ptr(config.file)),
        };
        Values { options, values, library }
    }
    /// Returns the absolute path of the plugin's library, without links, for data files beside it;
    /// an empty path if the host gives none.
    pub fn library(&self) -> &'a Path {
        Path::new(OsStr::from_bytes(self.library.map_or(&[], CStr::to_bytes)))
    }
    #[track_caller]
    fn value(&self, name: &str, reader: &str) -> Option<&'a ifb_value_as> {
        // The panic must not be in a closure: the message would contain a place in this file.
        let index = match self.options.iter().position(|each| each.name() == name) {
            Some(index) => index,
            None if self.options.is_empty() => {
                panic!("no option is called {name}: none is declared")
            }
            None => {
                let names: Vec<_> = self.options.iter().map(Opt::name).collect();
                panic!("no option is called {name}: there are {}", names.join(", "))
            }
        };
        let (what, wanted) = read_by(self.options[index].0.r#type);
        assert!(reader == wanted, "option {name} is {what}: read it with {wanted}()");
        let value = self.values.get(index)?;
        if value.is_set != 0 {
            Some(&value.r#as)
        } else {
            None
        }
    }
    /// Returns None if the option has no value and no default. Also for paths, choices and JSON.
    #[track_caller]
    pub fn find_string(&self, name: &str) -> Option<String> {
        let value = self.value(name, "string")?;
        Some(unsafe { view(value.s) }.into_owned())
    }
    #[track_caller]
    pub fn string(&self, name: &str) -> String {
        self.find_string(name).unwrap_or_default()
    }
    /// Returns None if the option has no value and no default. Also for durations (nanoseconds) and
    /// sizes (bytes).
    #[track_caller]
    pub fn find_integer(&self, name: &str) -> Option<i64> {
        Some(unsafe { self.value(name, "integer")?.i })
    }
    #[track_caller]
    pub fn integer(&self, name: &str) -> i64 {
        self.find_integer(name).unwrap_or_default()
    }
    #[track_caller]
    pub fn find_float(&self, name: &str) -> Option<f64> {
        Some(unsafe { self.value(name, "float")?.f })
    }
    #[track_caller]
    pub fn float(&self, name: &str) -> f64 {
        self.find_float(name).unwrap_or_default()
    }
    #[track_caller]
    pub fn find_switch(&self, name: &str) -> Option<bool> {
        Some(unsafe { self.value(name, "switch")?.i } != 0)
    }
    #[track_caller]
    pub fn switch(&self, name: &str) -> bool {
        self.find_switch(name).unwrap_or_default()
    }
    #[track_caller]
    pub fn strings(&self, name: &str) -> Vec<String> {
        let list = match self.value(name, "strings") {
            Some(value) => unsafe { value.list },
            None => return Vec::new(),
        };
        (0..list.size).map(|i| unsafe { view(*list.data.add(i)) }.into_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::{caught, keep_panics_quiet};
    use crate::{str_of, text};

    const HELP: Text = text!("Help.");
    const OPTIONS: [Opt; 10] = [
        Opt::string(text!("label"), HELP),
        Opt::integer(text!("count"), HELP),
        Opt::float(text!("rate"), HELP),
        Opt::switch(text!("fast"), HELP),
        Opt::duration(text!("pause"), HELP),
        Opt::size(text!("room"), HELP),
        Opt::path(text!("file"), HELP),
        Opt::string(text!("mode"), HELP).choices(&[text!("a")]),
        Opt::strings(text!("names"), HELP),
        Opt::json(text!("extra"), HELP),
    ];
    /// In these values, no option has a value.
    const VALUES: Values = Values { options: &OPTIONS, values: &[], library: None };

    /// Returns the message of a call that panics. The place in the message must be the line of the
    /// call.
    macro_rules! said {
        ($call:expr) => {{
            keep_panics_quiet();
            let failure = caught(|| Ok($call)).err().expect("a panic");
            let place = format!(" ({}:{})", file!(), line!());
            let said = failure.message().strip_prefix("panic: ").map(|s| s.strip_suffix(&place));
            said.flatten().unwrap_or_else(|| panic!("{} at{place}", failure.message())).to_string()
        }};
    }

    #[test]
    fn the_message_for_a_wrong_reader_names_the_right_reader_and_the_line_of_the_call() {
        let rate = "option rate is a number: read it with float()";
        assert_eq!(said!(VALUES.integer("rate")), rate);
        assert_eq!(said!(VALUES.find_integer("rate")), rate);
        assert_eq!(said!(VALUES.string("rate")), rate);
        assert_eq!(said!(VALUES.find_string("rate")), rate);
        assert_eq!(said!(VALUES.switch("rate")), rate);
        assert_eq!(said!(VALUES.find_switch("rate")), rate);
        assert_eq!(said!(VALUES.strings("rate")), rate);
        let count = "option count is an integer: read it with integer()";
        assert_eq!(said!(VALUES.float("count")), count);
        assert_eq!(said!(VALUES.find_float("count")), count);
    }

    #[test]
    fn exactly_one_reader_reads_each_type_and_the_message_names_it() {
        keep_panics_quiet();
        for option in OPTIONS.iter() {
            let (name, readers) =
                (option.name(), ["string", "integer", "float", "switch", "strings"]);
            let fits = readers.map(|reader| caught(|| Ok(VALUES.value(name, reader))).is_ok());
            assert_eq!(fits.iter().filter(|fits| **fits).count(), 1, "{name}");
        }
        let said = |name| said!(VALUES.float(name));
        assert_eq!(said("label"), "option label is a string: read it with string()");
        assert_eq!(said("fast"), "option fast is a switch: read it with switch()");
        assert_eq!(said("pause"), "option pause is a duration: read it with integer()");
        assert_eq!(said("room"), "option room is a size: read it with integer()");
        assert_eq!(said("file"), "option file is a path: read it with string()");
        assert_eq!(said("mode"), "option mode is one of a list: read it with string()");
        assert_eq!(said("names"), "option names is a list: read it with strings()");
        assert_eq!(said("extra"), "option extra is JSON: read it with string()");
    }

    #[test]
    fn the_message_for_an_unknown_name_lists_the_declared_names() {
        let few = Values { options: &OPTIONS[1..3], ..VALUES };
        assert_eq!(said!(few.float("rat")), "no option is called rat: there are count, rate");
        let none = Values { options: &[], ..VALUES };
        assert_eq!(said!(none.strings("rat")), "no option is called rat: none is declared");
    }

    #[test]
    fn a_reader_in_a_closure_names_the_line_in_the_closure() {
        let twice = |name| 2 * VALUES.integer(name);
        let line = line!() - 1;
        keep_panics_quiet();
        let failure = caught(|| Ok(["rate"].map(twice))).err().expect("a panic");
        let place = format!(" ({}:{line})", file!());
        assert!(failure.message().ends_with(&place), "{}", failure.message());
    }

    #[test]
    fn a_value_is_read_if_it_is_set_and_is_none_otherwise() {
        let value = |is_set, r#as| ifb_value { r#type: 0, is_set, r#as };
        let values = [
            value(1, ifb_value_as { s: str_of("a") }),
            value(1, ifb_value_as { i: 3 }),
            value(0, ifb_value_as { f: 0.5 }),
        ];
        let values = Values { values: &values, ..VALUES };
        assert_eq!((&*values.string("label"), values.integer("count")), ("a", 3));
        assert_eq!((values.find_float("rate"), values.float("rate")), (None, 0.0));
    }

    #[test]
    fn flags_of_an_option_add_up() {
        const GENERAL: Opt = Opt::path(text!("path"), HELP).general().flags(IFB_OPT_REQUIRED);
        assert_eq!(GENERAL.all_flags(), IFB_OPT_GENERAL | IFB_OPT_REQUIRED);
        assert_eq!(OPTIONS[0].all_flags(), 0);
    }

    #[test]
    fn the_library_is_the_file_in_the_config_or_an_empty_path_without_a_file() {
        let file = text!("/lib/toy.so");
        let config = ifb_config {
            struct_size: std::mem::size_of::<ifb_config>() as u32,
            count: 0,
            values: null(),
            plugin: null(),
            file: file.as_ptr(),
        };
        let found = unsafe { Values::of(&[], &config) };
        assert_eq!(found.library().parent(), Some(Path::new("/lib")));
        assert_eq!(VALUES.library(), Path::new(""));
    }
}
