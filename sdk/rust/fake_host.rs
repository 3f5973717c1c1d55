//! A host for the tests of this layer. It keeps the logged lines and answers HTTP requests if a
//! test sets `server`.

use crate::abi::*;
use crate::guard::blank_error;
use crate::host::Host;
use crate::plugin::Described;
use crate::{bytes_of, view};
use std::ffi::{c_void, CStr};
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

/// Parameters: method, target, body and time-out. Returns the answer, or the error of the host.
pub(crate) type Server = fn(&str, &str, &[u8], u64) -> Result<(u32, Vec<u8>), &'static str>;

/// `table` must be the first member: a pointer to it is converted to a pointer to the FakeHost.
#[repr(C)]
pub(crate) struct FakeHost {
    table: ifb_host,
    http: ifb_http_service,
    pub(crate) server: Option<Server>,
    /// The number of arenas that may still be lent.
    pub(crate) arenas_left: Mutex<u32>,
    /// The number of arenas that are lent and not yet returned.
    pub(crate) arenas_lent: Mutex<u32>,
    lines: Mutex<Vec<String>>,
}

/// The memory of the answers: one vector for each allocation.
type FakeArena = Vec<Vec<u8>>;

impl FakeHost {
    pub(crate) fn new() -> Box<FakeHost> {
        crate::guard::keep_panics_quiet();
        Box::new(FakeHost {
            table: ifb_host {
                struct_size: size_of::<ifb_host>() as u32,
                abi_major: IFB_ABI_MAJOR,
                abi_minor: IFB_ABI_MINOR,
                version: crate::text!("0.0.0").as_ptr(),
                log: Some(log),
                log_level: None,
                now: None,
                seed: None,
                cancelled: None,
                alloc: None,
                service: Some(service),
            },
            http: ifb_http_service {
                struct_size: size_of::<ifb_http_service>() as u32,
                reserved: 0,
                fetch: Some(fetch),
                arena: Some(arena),
                release: Some(release),
            },
            server: None,
            arenas_left: Mutex::new(u32::MAX),
            arenas_lent: Mutex::new(0),
            lines: Mutex::new(Vec::new()),
        })
    }
    fn table(&self) -> *const ifb_host {
        (self as *const FakeHost).cast()
    }
    pub(crate) fn host(&self) -> Host {
        Host::of(self.table())
    }
    /// Returns the lines that were logged since the last call, each with its level.
    pub(crate) fn logged(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().unwrap())
    }
}

unsafe fn of<'a>(host: *const ifb_host) -> &'a FakeHost {
    &*host.cast()
}

unsafe extern "C" fn log(host: *const ifb_host, level: u32, text: ifb_str) {
    of(host).lines.lock().unwrap().push(format!("{level} {}", view(text)));
}

unsafe extern "C" fn service(host: *const ifb_host, id: *const c_char) -> *const c_void {
    let wanted = CStr::from_ptr(id).to_bytes_with_nul();
    match of(host).server {
        Some(_) if wanted == IFB_SERVICE_HTTP.as_bytes() => {
            (&of(host).http as *const ifb_http_service).cast()
        }
        _ => null(),
    }
}

unsafe extern "C" fn fetch(
    host: *const ifb_host,
    method: ifb_str,
    target: ifb_str,
    body: ifb_bytes,
    timeout_ns: u64,
    arena: *mut ifb_arena,
    status: *mut u32,
    answer: *mut ifb_bytes,
    error: *mut ifb_error,
) -> ifb_status {
    let server = of(host).server.expect("a server");
    let body = bytes_of(body.data.cast(), body.size);
    match server(&view(method), &view(target), body, timeout_ns) {
        Ok((code, said)) => {
            let arena = &mut *arena.cast::<FakeArena>();
            arena.push(said);
            let kept = &arena[arena.len() - 1];
            *status = code;
            *answer = ifb_bytes { data: kept.as_ptr().cast(), size: kept.len() };
            IFB_OK
        }
        Err(why) => {
            crate::guard::fill(error, IFB_E_TIMEOUT, why, -1);
            IFB_E_TIMEOUT
        }
    }
}

unsafe extern "C" fn arena(host: *const ifb_host) -> *mut ifb_arena {
    let mut left = of(host).arenas_left.lock().unwrap();
    if *left == 0 {
        return null_mut();
    }
    *left -= 1;
    *of(host).arenas_lent.lock().unwrap() += 1;
    Box::into_raw(Box::new(FakeArena::new())).cast()
}

unsafe extern "C" fn release(host: *const ifb_host, arena: *mut ifb_arena) {
    *of(host).arenas_lent.lock().unwrap() -= 1;
    drop(Box::from_raw(arena.cast::<FakeArena>()));
}

/// A plugin instance. Dropping it destroys the instance.
pub(crate) struct Made {
    plugin: &'static ifb_plugin,
    pub(crate) instance: *mut ifb_instance,
}

// Worker threads share the instance.
unsafe impl Sync for Made {}

impl Made {
    /// Creates a plugin without options.
    pub(crate) fn of(described: Described, host: &FakeHost) -> Made {
        let plugin = described.plugin();
        let config = ifb_config { values: null(), count: 0 };
        let (mut instance, mut error) = (null_mut(), blank_error());
        let create = plugin.create.expect("create");
        let status = unsafe { create(host.table(), &config, &mut instance, &mut error) };
        assert_eq!(status, IFB_OK);
        Made { plugin, instance }
    }
    /// Returns the operation table with the name `id`.
    pub(crate) fn table<G>(&self, id: &str) -> &'static G {
        unsafe { &*self.plugin.query.expect("query")(id.as_ptr().cast()).cast::<G>() }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        unsafe { self.plugin.destroy.expect("destroy")(self.instance) }
    }
}
