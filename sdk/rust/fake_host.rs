//! A host for the tests of this layer. It keeps the logged lines, and has the services for which a
//! test sets `server` or `encode`.

use crate::abi::*;
use crate::guard::fill;
use crate::host::Host;
use crate::http::{Answer, Fields};
use crate::plugin::Described;
use crate::{slice_of, text, view};
use std::ffi::{c_void, CStr};
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

/// A request that the service received.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The second parameter is the time-out. Returns the answer, or the error of the host.
pub(crate) type Server = fn(&Asked, u64) -> Result<Answer, &'static str>;
/// Parameters: text and flags. Returns the ids, or status and message.
pub(crate) type Encode = fn(&str, u32) -> Result<Vec<u32>, (ifb_status, &'static str)>;

/// `table` must be the first member: a pointer to it is converted to a pointer to the FakeHost.
#[repr(C)]
pub(crate) struct FakeHost {
    table: ifb_host,
    http: ifb_http_service,
    tokens: ifb_tokenizer_service,
    pub(crate) server: Option<Server>,
    pub(crate) encode: Option<Encode>,
    /// Replaces the needed length that the tokenizer reports. The parameter is the capacity.
    pub(crate) needed: Option<fn(usize) -> usize>,
    /// The number of arenas that may still be lent.
    pub(crate) arenas_left: Mutex<u32>,
    /// The number of arenas that are lent and not yet returned.
    pub(crate) arenas_lent: Mutex<u32>,
    lines: Mutex<Vec<String>>,
}

/// The memory of answers and samples, in blocks of 16 bytes, which are aligned as the contract
/// requires.
#[derive(Default)]
pub(crate) struct FakeArena(Vec<Vec<u128>>);

impl FakeArena {
    pub(crate) fn handle(&mut self) -> *mut ifb_arena {
        (self as *mut FakeArena).cast()
    }
    fn alloc(&mut self, size: usize) -> *mut c_void {
        self.0.push(vec![0; size / 16 + 1]);
        self.0.last_mut().unwrap().as_mut_ptr().cast()
    }
    fn copy<T: Copy>(&mut self, from: &[T]) -> *const T {
        let to = self.alloc(std::mem::size_of_val(from)).cast();
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
        to
    }
    fn copy_str(&mut self, text: &str) -> ifb_str {
        ifb_str { data: self.copy(text.as_bytes()).cast(), size: text.len() }
    }
}

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
                now: Some(now),
                seed: None,
                cancelled: None,
                alloc: Some(alloc),
                service: Some(service),
                unix_now: Some(unix_now),
            },
            http: ifb_http_service {
                struct_size: size_of::<ifb_http_service>() as u32,
                reserved: 0,
                request: Some(request),
                arena: Some(arena),
                release: Some(release),
            },
            tokens: ifb_tokenizer_service {
                struct_size: size_of::<ifb_tokenizer_service>() as u32,
                reserved: 0,
                name: crate::text!("fake").as_ptr(),
                vocabulary: Some(vocabulary),
                count: Some(count),
                encode: Some(encode),
                decode: Some(decode),
                encode_pair: None,
                render: Some(render),
            },
            server: None,
            encode: None,
            needed: None,
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

unsafe extern "C" fn now(_host: *const ifb_host) -> u64 {
    1_000
}

unsafe extern "C" fn unix_now(_host: *const ifb_host) -> i64 {
    1_700_000_000_000_000_000
}

unsafe extern "C" fn alloc(
    _host: *const ifb_host,
    arena: *mut ifb_arena,
    size: usize,
) -> *mut c_void {
    (*arena.cast::<FakeArena>()).alloc(size)
}

unsafe extern "C" fn service(host: *const ifb_host, id: *const c_char) -> *const c_void {
    let (wanted, fake) = (CStr::from_ptr(id).to_bytes_with_nul(), of(host));
    if fake.server.is_some() && wanted == IFB_SERVICE_HTTP.as_bytes() {
        return (&fake.http as *const ifb_http_service).cast();
    }
    if fake.encode.is_some() && wanted == IFB_SERVICE_TOKENIZER.as_bytes() {
        return (&fake.tokens as *const ifb_tokenizer_service).cast();
    }
    null()
}

unsafe extern "C" fn request(
    host: *const ifb_host,
    request: *const ifb_http_request,
    timeout_ns: u64,
    arena: *mut ifb_arena,
    out: *mut ifb_http_answer,
    error: *mut ifb_error,
) -> ifb_status {
    let server = of(host).server.expect("a server");
    let parts = slice_of((*request).body, (*request).body_count);
    let parts = parts.iter().map(|part| slice_of(part.data.cast::<u8>(), part.size));
    let headers = Fields::of((*request).headers, (*request).header_count);
    let asked = Asked {
        method: view((*request).method).into(),
        target: view((*request).target).into(),
        headers: headers.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        body: parts.collect::<Vec<_>>().concat(),
    };
    match server(&asked, timeout_ns) {
        Ok(answer) => {
            let arena = &mut *arena.cast::<FakeArena>();
            let fields: Vec<_> = answer
                .headers
                .iter()
                .map(|(name, value)| ifb_field {
                    name: arena.copy_str(name),
                    value: arena.copy_str(value),
                })
                .collect();
            (*out).status = answer.status;
            (*out).headers = arena.copy(&fields);
            (*out).header_count = fields.len();
            let size = answer.body.len();
            (*out).body = ifb_bytes { data: arena.copy(&answer.body).cast(), size };
            IFB_OK
        }
        Err(why) => {
            fill(error, IFB_E_TIMEOUT, why, -1);
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
    Box::into_raw(Box::<FakeArena>::default()).cast()
}

unsafe extern "C" fn release(host: *const ifb_host, arena: *mut ifb_arena) {
    *of(host).arenas_lent.lock().unwrap() -= 1;
    drop(Box::from_raw(arena.cast::<FakeArena>()));
}

unsafe extern "C" fn vocabulary(
    _host: *const ifb_host,
    out: *mut ifb_vocabulary,
    _error: *mut ifb_error,
) -> ifb_status {
    static IDS: [u32; 2] = [256, 257];
    let known = &mut *out;
    (known.size, known.total_size, known.added) = (256, 258, 1);
    (known.special_ids, known.special_id_count) = (IDS.as_ptr(), 1);
    (known.skipped_ids, known.skipped_id_count) = (IDS.as_ptr(), 2);
    known.source = text!("fake@1").as_ptr();
    IFB_OK
}

/// Calls `encode` of the test, and passes its result to `take`.
unsafe fn encoded(
    host: *const ifb_host,
    text: ifb_str,
    flags: u32,
    error: *mut ifb_error,
    take: impl FnOnce(Vec<u32>),
) -> ifb_status {
    match of(host).encode.expect("a tokenizer")(&view(text), flags) {
        Ok(ids) => {
            take(ids);
            IFB_OK
        }
        Err((status, why)) => {
            if !why.is_empty() {
                fill(error, status, why, -1);
            }
            status
        }
    }
}

unsafe fn put<T: Copy>(
    host: *const ifb_host,
    from: &[T],
    to: *mut T,
    capacity: usize,
    needed: *mut usize,
) {
    std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len().min(capacity));
    *needed = of(host).needed.map_or(from.len(), |of| of(capacity));
}

unsafe extern "C" fn count(
    host: *const ifb_host,
    text: ifb_str,
    flags: u32,
    out: *mut u64,
    error: *mut ifb_error,
) -> ifb_status {
    encoded(host, text, flags, error, |ids| *out = ids.len() as u64)
}

unsafe extern "C" fn encode(
    host: *const ifb_host,
    text: ifb_str,
    flags: u32,
    ids: *mut u32,
    capacity: usize,
    needed: *mut usize,
    error: *mut ifb_error,
) -> ifb_status {
    encoded(host, text, flags, error, |made| put(host, &made, ids, capacity, needed))
}

unsafe extern "C" fn decode(
    host: *const ifb_host,
    ids: *const u32,
    size: usize,
    _flags: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    _error: *mut ifb_error,
) -> ifb_status {
    let made: Vec<u8> = slice_of(ids, size).iter().map(|id| *id as u8).collect();
    put(host, &made, text.cast(), capacity, needed);
    IFB_OK
}

unsafe extern "C" fn render(
    host: *const ifb_host,
    chat: ifb_str,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    _error: *mut ifb_error,
) -> ifb_status {
    put(host, format!("<{}>", view(chat)).as_bytes(), text.cast(), capacity, needed);
    IFB_OK
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
        let config = ifb_config {
            struct_size: size_of::<ifb_config>() as u32,
            count: 0,
            values: null(),
            plugin,
            file: crate::text!("/lib/fake.so").as_ptr(),
        };
        let (mut instance, mut error) = (null_mut(), IFB_ERROR_INIT);
        let create = plugin.create.expect("create");
        let status = unsafe { create(host.table(), &config, &mut instance, &mut error) };
        assert_eq!(status, IFB_OK);
        Made { plugin, instance }
    }
    /// Returns the operation table with the name `id`.
    pub(crate) fn table<G>(&self, id: &str) -> &'static G {
        let query = self.plugin.query.expect("query");
        unsafe { &*query(self.plugin, id.as_ptr().cast()).cast::<G>() }
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        unsafe { self.plugin.destroy.expect("destroy")(self.instance) }
    }
}
