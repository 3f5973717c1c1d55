//! Options: declared as constants, read by name.
//!
//!     const OPTIONS: &'static [Opt] = &[
//!         Opt::string(text!("endpoint"), text!("Path to call.")).fallback(text!("\"/v1/go\"")),
//!     ];
//!     ...
//!     let endpoint = values.string("endpoint");

use crate::abi::*;
use crate::plugin::Text;
use crate::view;
use std::ffi::CStr;
use std::ptr::null;

/// One declared option. The texts are as in ifb_option: the fallback is a piece of TOML, hence
/// the inner quotes.
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
        /// true or false
        switch IFB_BOOL;
        /// Nanoseconds; read with integer().
        duration IFB_DURATION;
        /// Bytes; read with integer().
        size IFB_SIZE;
        path IFB_PATH;
        strings IFB_STRINGS;
        /// Any TOML value, handed over as JSON text; read with string().
        json IFB_JSON;
    }
    pub const fn fallback(mut self, toml: Text) -> Opt {
        self.0.fallback = toml.as_ptr();
        self
    }
    /// What stands for the value in --help: "URL".
    pub const fn value_name(mut self, name: Text) -> Opt {
        self.0.value_name = name.as_ptr();
        self
    }
    /// The command-line flag instead of --ID-NAME.
    pub const fn flag(mut self, flag: Text) -> Opt {
        self.0.flag = flag.as_ptr();
        self
    }
    /// ifb_option_flag
    pub const fn flags(mut self, flags: u32) -> Opt {
        self.0.flags = flags;
        self
    }
    pub const fn range(mut self, minimum: f64, maximum: f64) -> Opt {
        self.0.minimum = minimum;
        self.0.maximum = maximum;
        self
    }
    /// One of a list; read with string().
    pub const fn choices(mut self, list: &'static [Text]) -> Opt {
        self.0.r#type = IFB_CHOICE;
        self.0.choices = list.as_ptr().cast();
        self.0.choice_count = list.len() as u32;
        self
    }
    pub(crate) fn name(&self) -> &'static str {
        unsafe { CStr::from_ptr(self.0.name) }.to_str().unwrap_or("")
    }
}

/// What the user set, or the defaults. Asking for a name that is not declared panics, as does
/// asking with another type than the declared one; the host then shows the message.
pub struct Values<'a> {
    options: &'a [Opt],
    values: &'a [ifb_value],
}

impl<'a> Values<'a> {
    pub(crate) unsafe fn of(options: &'a [Opt], config: *const ifb_config) -> Values<'a> {
        let config = &*config;
        let values = match config.count {
            0 => &[],
            count => std::slice::from_raw_parts(config.values, count),
        };
        Values { options, values }
    }
    fn value(&self, name: &str, kinds: &[ifb_type]) -> Option<&'a ifb_value_as> {
        let index = self.options.iter().position(|each| each.name() == name);
        let index = index.unwrap_or_else(|| panic!("no option is called {name}"));
        assert!(kinds.contains(&self.options[index].0.r#type), "option {name} has another type");
        let value = self.values.get(index)?;
        if value.is_set != 0 {
            Some(&value.r#as)
        } else {
            None
        }
    }
    /// Neither given nor defaulted: None. Also of paths, choices and JSON.
    pub fn find_string(&self, name: &str) -> Option<String> {
        let value = self.value(name, &[IFB_STRING, IFB_PATH, IFB_CHOICE, IFB_JSON])?;
        Some(unsafe { view(value.s) }.into_owned())
    }
    pub fn string(&self, name: &str) -> String {
        self.find_string(name).unwrap_or_default()
    }
    /// Also of durations (nanoseconds) and sizes (bytes).
    pub fn find_integer(&self, name: &str) -> Option<i64> {
        Some(unsafe { self.value(name, &[IFB_INT, IFB_DURATION, IFB_SIZE])?.i })
    }
    pub fn integer(&self, name: &str) -> i64 {
        self.find_integer(name).unwrap_or_default()
    }
    pub fn find_float(&self, name: &str) -> Option<f64> {
        Some(unsafe { self.value(name, &[IFB_FLOAT])?.f })
    }
    pub fn float(&self, name: &str) -> f64 {
        self.find_float(name).unwrap_or_default()
    }
    pub fn find_switch(&self, name: &str) -> Option<bool> {
        Some(unsafe { self.value(name, &[IFB_BOOL])?.i } != 0)
    }
    pub fn switch(&self, name: &str) -> bool {
        self.find_switch(name).unwrap_or_default()
    }
    pub fn strings(&self, name: &str) -> Vec<String> {
        let list = match self.value(name, &[IFB_STRINGS]) {
            Some(value) => unsafe { value.list },
            None => return Vec::new(),
        };
        (0..list.size).map(|i| unsafe { view(*list.data.add(i)) }.into_owned()).collect()
    }
}
