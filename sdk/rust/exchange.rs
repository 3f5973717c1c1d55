//! The arguments of an exchange of a backend: the parts of the answer, and the server to which a
//! request is about to be sent. The host guarantees that everything to which these structs point is
//! readable during 'a, which is the call that receives them.

use crate::abi::*;
use crate::http::Fields;
use crate::{slice_of, view};
use std::borrow::Cow;

/// Status and headers of an answer.
pub struct Head<'a>(pub(crate) &'a ifb_http_head);

impl<'a> Head<'a> {
    pub fn status(&self) -> u32 {
        self.0.status
    }
    /// Returns names and values as they were received.
    pub fn headers(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> {
        self.fields().iter()
    }
    /// Returns the value of the first header with this name. Upper and lower case are equal.
    pub fn header(&self, name: &str) -> Option<Cow<'a, str>> {
        self.fields().find(name)
    }
    fn fields(&self) -> Fields<'a> {
        unsafe { Fields::of(self.0.headers, self.0.header_count) }
    }
}

/// One message of the answer, as the host split the body (ifb_framing).
pub struct Message<'a>(pub(crate) &'a ifb_http_message);

impl<'a> Message<'a> {
    /// Returns the name of the server-sent event; empty if the event has no name, and for other
    /// framings.
    pub fn event(&self) -> Cow<'a, str> {
        unsafe { view(self.0.event) }
    }
    pub fn data(&self) -> &'a [u8] {
        unsafe { slice_of(self.0.data.data.cast(), self.0.data.size) }
    }
    /// Returns when the bytes that completed the message arrived, on the clock of Host::now().
    pub fn at(&self) -> u64 {
        self.0.at
    }
    /// Returns the message with all its members.
    pub fn raw(&self) -> &'a ifb_http_message {
        self.0
    }
}

/// The end of the body of an answer.
pub struct End<'a>(pub(crate) &'a ifb_http_end);

impl<'a> End<'a> {
    /// Returns whether on_message returned Enough; the rest of the body is then not known.
    pub fn early(&self) -> bool {
        self.0.flags & IFB_HTTP_END_EARLY != 0
    }
    /// Returns names and values of the fields after a chunked body; usually there are none.
    pub fn trailers(&self) -> impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)> {
        self.fields().iter()
    }
    /// Returns the value of the first trailer with this name. Upper and lower case are equal.
    pub fn trailer(&self, name: &str) -> Option<Cow<'a, str>> {
        self.fields().find(name)
    }
    fn fields(&self) -> Fields<'a> {
        unsafe { Fields::of(self.0.trailers, self.0.trailer_count) }
    }
}

/// The server to which a request is about to be sent.
pub struct Target<'a>(pub(crate) &'a ifb_http_target);

impl<'a> Target<'a> {
    /// Returns the index of the base URL.
    pub fn server(&self) -> u32 {
        self.0.server
    }
    /// Returns "http" or "https".
    pub fn scheme(&self) -> Cow<'a, str> {
        unsafe { view(self.0.scheme) }
    }
    /// Returns HOST or HOST:PORT, the value of the header Host.
    pub fn authority(&self) -> Cow<'a, str> {
        unsafe { view(self.0.authority) }
    }
    /// Returns the path of the base URL, which comes before the request's target.
    pub fn prefix(&self) -> Cow<'a, str> {
        unsafe { view(self.0.prefix) }
    }
    /// Returns the wall clock now, in nanoseconds since 1970-01-01 UTC.
    pub fn unix_ns(&self) -> i64 {
        self.0.unix_ns
    }
}
