// The request of an exchange: serialised by the codec, signed, and written; redirects.
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "client/exchange.hpp"
#include "plugin/instance.hpp"
#include "transport/redirect.hpp"

namespace inferbench::client {

namespace {

// A body up to this size in bytes is appended to the head: writing one piece is cheaper than a
// gather write, and the copy is made ahead of the due time unless the codec signs.
constexpr std::size_t short_body = 2048;

bool same(ifb_str a, ifb_str b) noexcept { return a.data == b.data && a.size == b.size; }

/// Whether the two requests differ in their headers at most.
bool same_without_headers(const ifb_http_request& a, const ifb_http_request& b) noexcept {
  return same(a.method, b.method) && same(a.target, b.target) && a.body == b.body &&
         a.body_count == b.body_count && a.not_before_ns == b.not_before_ns;
}

}  // namespace

bool exchange::prepare(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns) {
  accept(sample, sequence, due_ns);
  serialise();
  return write_head();
}

void exchange::accept(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns) {
  if (open_) close();
  open_ = true;
  sample_ = &sample;
  keep_ = has_rest_ = serialised_ = leaves_legs_ = unserialised_ = false;
  begin(sample, sequence, due_ns);
  record_.server = static_cast<std::uint32_t>(sequence % shared_.servers.size());
  begin_leg();
  // The schedule alone determines when the first leg is sent.
  not_before_ = 0;
}

void exchange::serialise() {
  if (std::exchange(unserialised_, false)) return request_leg();
  ifb_error error = plugin::empty_error();
  const ifb_status status = shared_.codec.open(shared_.instance, sample_, &arena_, &codec_, &error);
  if (status != IFB_OK) {
    codec_ = nullptr;
    refuse("open", status, error);
    return;
  }
  if (codec_ == nullptr) {
    fail_once(IFB_E_INTERNAL,
              fmt::format("open of backend {} succeeded and made no exchange", shared_.id()));
    return;
  }
  serialised_ = request();
}

bool exchange::write_head() {
  // The head of a request that is signed is written when its headers are known.
  return serialised_ && (shared_.codec.signs || write(request_));
}

void exchange::begin_leg() {
  parser_.begin();
  whole_.clear();
  framing_ = framing::whole;
  coded_ = any_body_ = false;
  beginning_ = beginning::unknown;
  messages_ = 0;
  room_ = shared_.max_answer;
  enough_ = counted_ = false;
  sure_events_ = record_.late.events.size();
  tail_late_ = record_.late.end_ns = 0;
}

// Lets the codec fill in the request of a leg.
bool exchange::request() {
  moves_ = 0;
  ifb_error error = plugin::empty_error();
  request_ = ifb_http_request{};
  request_.struct_size = sizeof request_;
  const ifb_status status = shared_.codec.request(codec_, &request_, &error);
  if (status == IFB_OK) return true;
  refuse("request", status, error);
  return false;
}

bool exchange::make_next_leg() {
  begin_leg();
  if (leaves_legs_) {
    serialised_ = false;
    not_before_ = 0;
    return unserialised_ = true;
  }
  request_leg();
  return write_head();
}

void exchange::request_leg() {
  serialised_ = request();
  not_before_ = request_.not_before_ns;
}

bool exchange::sign(std::uint64_t now, std::int64_t unix_ns) {
  ifb_http_target target = heads_.target(record_.server);
  target.unix_ns = unix_ns;
  ifb_http_request signed_request = request_;
  ifb_error error = plugin::empty_error();
  const ifb_status status = shared_.codec.sign(codec_, &target, &signed_request, &error);
  if (status == IFB_OK && same_without_headers(signed_request, request_)) {
    if (write(signed_request)) return true;
  } else if (status == IFB_OK) {
    fail_once(IFB_E_INTERNAL, fmt::format("sign of backend {} changed more than the headers of the "
                                          "request",
                                          shared_.id()));
  } else {
    refuse("sign", status, error);
  }
  record_.end_ns = now;
  return false;
}

bool exchange::write(const ifb_http_request& request) {
  if (!heads_.write(head_, record_.server, request, plugin::view(sample_->id),
                    plugin::view(sample_->session))) {
    fail_once(IFB_E_INTERNAL,
              "HTTP/1.1 cannot carry the method, target, headers, request id or session of this "
              "request: " +
                  base::valid_utf8(plugin::view(request.method)) + " " +
                  base::valid_utf8(plugin::view(request.target)));
    return false;
  }
  body_ = {request.body, request.body_count};
  std::uint64_t size = 0;
  for (const ifb_bytes& piece : body_)
    size += piece.size;
  size_ = head_.size() + size;
  if (size > short_body) return true;
  for (const ifb_bytes& piece : std::exchange(body_, {}))
    head_.append(static_cast<const char*>(piece.data), piece.size);
  return true;
}

// Redirects to another server are not followed, because the user must choose the server's address
// and certificate, and whether it may get the key, before the run. Redirects with a status other
// than 307 and 308 require a GET and are not followed, either.
bool exchange::follow() {
  constexpr unsigned most = 10;
  const std::string_view location = parser_.find("location");
  const bool same_request = record_.http_status == 307 || record_.http_status == 308;
  if (!same_request || location.empty() || moves_ == most) return false;
  const transport::url& server = shared_.servers[record_.server]->where;
  transport::url there = server;
  there.target += plugin::view(request_.target);
  try {
    there = transport::redirected(there, location);
  } catch (const base::error&) {
    return false;  // status_line() shows the location to the user
  }
  if (!there.same_origin(server) || !there.target.starts_with(server.target)) return false;
  if (there.target.empty()) there.target = "/";  // the location was "http://host:8000"
  moved_to_ = there.target.substr(server.target.size());
  request_.target = plugin::str(moved_to_);
  ++moves_;
  on_attribute("redirect", moved_to_);
  begin_leg();
  not_before_ = 0;
  return true;
}

}  // namespace inferbench::client
