//! Shared by all kinds: names, the description of a type, and the object to which an ifb_instance
//! points.

use crate::abi::*;
use crate::guard::{guard, keep_panics_quiet, Result};
use crate::host::Host;
use crate::options::{Opt, Values};
use std::mem::size_of;
use std::os::raw::c_char;

/// A literal with a zero byte at its end. text!() makes it.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

// The pointer points to a literal, which never changes.
unsafe impl Sync for Text {}

impl Text {
    /// `text` must end with a zero byte and must not contain another zero byte; otherwise the code
    /// does not compile.
    pub const fn with_zero(text: &'static str) -> Text {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i + 1 < bytes.len() {
            assert!(bytes[i] != 0, "a zero byte inside");
            i += 1;
        }
        assert!(i < bytes.len() && bytes[i] == 0, "no zero byte at the end");
        Text(bytes.as_ptr().cast())
    }
    pub const fn as_ptr(self) -> *const c_char {
        self.0
    }
}

/// A plugin of any kind, and its description. create() makes an instance, which is dropped when the
/// host no longer needs it. Instances must not share mutable state.
pub trait Plugin: Send + Sized + 'static {
    const ID: Text;
    const VERSION: Text;
    /// One sentence.
    const SUMMARY: Text;
    /// SPDX identifier.
    const LICENSE: Text;
    const OPTIONS: &'static [Opt] = &[];
    fn create(host: Host, values: &Values) -> Result<Self>;
}

/// A plugin, as an argument for plugins!(). backend::of(), dataset::of() and so on make it.
#[repr(transparent)]
pub struct Described(*const ifb_plugin);
unsafe impl Sync for Described {}

impl Described {
    #[cfg(test)]
    pub(crate) fn plugin(&self) -> &'static ifb_plugin {
        unsafe { &*self.0 }
    }
}

/// The library that plugins!() defines.
pub struct Library(ifb_library);
unsafe impl Sync for Library {}

impl Library {
    pub const fn of(plugins: &'static [Described]) -> Library {
        Library(ifb_library {
            struct_size: size_of::<ifb_library>() as u32,
            abi_major: IFB_ABI_MAJOR,
            abi_minor: IFB_ABI_MINOR,
            sdk: Text::with_zero("rust 0.1.0\0").as_ptr(),
            plugins: plugins.as_ptr().cast(),
            plugin_count: plugins.len() as u32,
            reserved: 0,
        })
    }
    pub fn for_host(&'static self, major: u32) -> *const ifb_library {
        if major == IFB_ABI_MAJOR as u32 {
            &self.0
        } else {
            std::ptr::null()
        }
    }
}

/// The operations of one kind of plugin, for one type.
pub(crate) trait Operations {
    const KIND: ifb_kind;
    /// The id of the interface, with a zero byte at its end.
    const INTERFACE: &'static str;
    const TABLE: *const std::ffi::c_void;
    /// Another interface that the type offers, with its table.
    const SECOND: Option<(&'static str, *const std::ffi::c_void)> = None;
}

/// The object to which an ifb_instance points.
pub(crate) struct Instance<T> {
    pub(crate) host: Host,
    pub(crate) plugin: T,
}

pub(crate) struct Lifecycle<T, O>(std::marker::PhantomData<(T, O)>);

impl<T: Plugin, O: Operations + 'static> Lifecycle<T, O> {
    const INTERFACES: &'static [Text; 3] = &[
        Text::with_zero(O::INTERFACE),
        match O::SECOND {
            Some((id, _)) => Text::with_zero(id),
            None => Text(std::ptr::null()),
        },
        Text(std::ptr::null()),
    ];
    const DESCRIPTION: &'static ifb_plugin = &ifb_plugin {
        struct_size: size_of::<ifb_plugin>() as u32,
        kind: O::KIND,
        id: T::ID.as_ptr(),
        version: T::VERSION.as_ptr(),
        summary: T::SUMMARY.as_ptr(),
        license: T::LICENSE.as_ptr(),
        options: T::OPTIONS.as_ptr().cast(),
        option_count: T::OPTIONS.len() as u32,
        option_stride: size_of::<ifb_option>() as u32,
        create: Some(Self::create),
        destroy: Some(Self::destroy),
        interfaces: Self::INTERFACES.as_ptr().cast(),
        query: Some(Self::query),
    };
    pub(crate) const fn described() -> Described {
        Described(Self::DESCRIPTION)
    }

    // In the functions below, the host passes valid pointers, and an ifb_instance that create made.
    unsafe extern "C" fn create(
        host: *const ifb_host,
        config: *const ifb_config,
        out: *mut *mut ifb_instance,
        error: *mut ifb_error,
    ) -> ifb_status {
        guard(error, T::OPTIONS, || {
            keep_panics_quiet();
            let host = Host::of(host);
            let plugin = T::create(host, &Values::of(T::OPTIONS, config))?;
            *out = Box::into_raw(Box::new(Instance { host, plugin })).cast();
            Ok(IFB_OK)
        })
    }
    unsafe extern "C" fn destroy(instance: *mut ifb_instance) {
        let instance: *mut Instance<T> = instance.cast();
        let host = (*instance).host;
        host.logging(|| drop(Box::from_raw(instance)));
    }
    /// Each plugin has its own function, so the first parameter is not needed.
    unsafe extern "C" fn query(
        _plugin: *const ifb_plugin,
        id: *const c_char,
    ) -> *const std::ffi::c_void {
        let asked = std::ffi::CStr::from_ptr(id).to_bytes_with_nul();
        match O::SECOND {
            _ if asked == O::INTERFACE.as_bytes() => O::TABLE,
            Some((known, table)) if asked == known.as_bytes() => table,
            _ => std::ptr::null(),
        }
    }
}

/// Copies a struct of this version into the caller's struct, which may be shorter or longer. The
/// number of copied bytes is the smaller of the two sizes, and the caller's struct_size does not
/// change (R3).
///
/// # Safety
/// The first member of G must be its struct_size, and `to` must be writable for the number of bytes
/// in its struct_size.
pub(crate) unsafe fn hand_over<G>(from: &G, to: *mut G) -> Result<ifb_status> {
    let size: *mut u32 = to.cast();
    let room = *size;
    if room == 0 {
        let why = "the host left struct_size of a result empty";
        return Err(crate::Failure::new(IFB_E_INTERNAL, why));
    }
    let known = size_of::<G>().min(room as usize);
    std::ptr::copy_nonoverlapping((from as *const G).cast::<u8>(), to.cast::<u8>(), known);
    *size = room;
    Ok(IFB_OK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, Info, Row};
    use crate::reporter::{Reporter, Run, Summary};
    use crate::{dataset, reporter, text};
    use std::ffi::CStr;

    /// Both kinds of plugin in one type.
    struct Toy;

    impl Plugin for Toy {
        const ID: Text = text!("toy");
        const VERSION: Text = text!("1.0.0");
        const SUMMARY: Text = text!("Does nothing.");
        const LICENSE: Text = text!("MIT");
        fn create(_host: Host, _values: &Values) -> Result<Self> {
            Ok(Toy)
        }
    }
    impl Dataset for Toy {
        const FLAGS: u32 = IFB_DATASET_SYNTHETIC;
        fn prepare(&mut self, _wanted: &ifb_dataset_request) -> Result<Info> {
            Ok(Info::rows(0))
        }
        fn read(&self, _row: u64) -> Result<Row> {
            Ok(Row::End)
        }
    }
    impl Reporter for Toy {
        fn begin(&mut self, _run: &Run) -> Result<()> {
            Ok(())
        }
        fn end(&mut self, _summary: &Summary) -> Result<()> {
            Ok(())
        }
    }

    crate::plugins!(dataset::of::<Toy>(), reporter::of::<Toy>());

    #[test]
    fn a_library_has_plugins_of_several_kinds() {
        let library = unsafe { &*inferbench_plugin_v1_rc2(IFB_ABI_MAJOR.into(), 99) };
        assert_eq!((library.plugin_count, library.reserved), (2, 0));
        let plugins = unsafe { crate::slice_of(library.plugins, 2) };
        let kinds: Vec<_> = plugins.iter().map(|each| unsafe { (**each).kind }).collect();
        assert_eq!(kinds, [IFB_DATASET, IFB_REPORTER]);
        for (each, id) in plugins.iter().zip([IFB_DATASET_OPS, IFB_REPORTER_OPS]) {
            let each = unsafe { &**each };
            let interfaces = unsafe { crate::slice_of(each.interfaces, 2) };
            assert_eq!(unsafe { CStr::from_ptr(interfaces[0]) }.to_bytes_with_nul(), id.as_bytes());
            assert!(interfaces[1].is_null());
            let query = |id: Text| unsafe { each.query.unwrap()(each, id.as_ptr()) };
            assert!(!query(Text::with_zero(id)).is_null());
            assert!(query(text!("inferbench.unknown/1")).is_null());
        }
    }

    #[test]
    fn another_major_version_has_no_library() {
        assert!(inferbench_plugin_v1_rc2(2, 0).is_null());
    }

    #[test]
    fn the_entry_has_the_name_of_the_contract() {
        let name = IFB_ENTRY_NAME.trim_end_matches('\0');
        let macros = include_str!("inferbench.rs");
        assert!(macros.contains(&format!("pub extern \"C\" fn {name}(")), "{name}");
    }
}
