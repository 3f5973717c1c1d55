#include "client/exchange.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "plugin/instance.hpp"

namespace inferbench::client {

namespace {

// The largest capacity, in bytes, that a buffer keeps until the next request. There may be ten
// thousand buffers.
constexpr std::size_t kept_capacity = 4096;

// Largest spread of a read at which a line ending after an event counts as having arrived together
// with the event. It is a little more than the longest wait of the event loop.
constexpr std::uint64_t with_line_end_ns = 250 * base::ns_per_us;
constexpr std::string_view line_ends = "\r\n";

std::string_view last_line_of(std::string_view text) noexcept {
  text = text.substr(0, text.find_last_not_of(line_ends) + 1);
  return text.substr(text.find_last_of(line_ends) + 1);
}

}  // namespace

exchange::exchange(const backend& shared, head_writer& heads)
    : answer(shared), heads_(heads), sse_(shared.max_message), lines_(shared.max_message) {}

exchange::~exchange() { close(); }

// Keeps the stamps of the first leg; if the first leg was sent twice, the stamps of the second try.
void exchange::connected(std::uint64_t at, std::uint64_t tls_at) noexcept {
  if (record_.first_byte_ns != 0) return;
  record_.connected_ns = at;
  record_.tls_ns = tls_at;
}

void exchange::sent(std::uint64_t at) noexcept {
  if (record_.first_byte_ns == 0) record_.sent_ns = at;
  if (!std::exchange(counted_, true)) record_.bytes_sent += size_;
  keep_ = has_rest_ = false;
}

exchange::progress exchange::feed(std::string_view bytes, std::uint64_t stamp,
                                  const spread_of_read& spread) {
  if (record_.first_byte_ns == 0) record_.first_byte_ns = stamp;
  // No byte of an answer can arrive before its request was sent.
  spread_ = {std::min(spread.ns, stamp - std::min(stamp, record_.sent_ns)), spread.more_behind};
  sure_events_ = record_.late.events.size();
  record_.bytes_received += bytes.size();
  const bool too_many = bytes.size() > room_;
  if (too_many) bytes = bytes.substr(0, static_cast<std::size_t>(room_));
  room_ -= bytes.size();
  const char* const end = bytes.data() + bytes.size();
  for (;;) {
    const auto piece = parser_.next(bytes);
    switch (piece.kind) {
      case transport::http1_piece::more:
        if (!too_many) return progress::more;
        fail(IFB_E_PROTOCOL, longer_than("the answer is", shared_.max_answer, "--max-answer"),
             stamp);
        return progress::done;
      case transport::http1_piece::head:
        if (on_head()) break;
        record_.end_ns = stamp;
        return progress::done;
      case transport::http1_piece::body:
        behind_ = {piece.data.data() + piece.data.size(), end};
        if (!on_coded_body(piece.data, stamp)) {
          record_.end_ns = stamp;
          return progress::done;
        }
        if (enough_) return with_cause(end_at_message(bytes, !too_many));
        if (framing_ == framing::refused && whole_.size() >= shared_.max_error_body)
          return end_error(stamp);
        break;
      case transport::http1_piece::end:
        behind_ = bytes;
        return with_cause(on_end(stamp, too_many || !bytes.empty()));
      case transport::http1_piece::failed:
        fail(IFB_E_PROTOCOL, "malformed HTTP answer: " + parser_.error(), stamp);
        return progress::done;
    }
  }
}

exchange::progress exchange::eof(std::uint64_t stamp, std::uint64_t late) {
  spread_ = {late, true};
  const bool started = answered();
  if (parser_.finish() == transport::http1_piece::end) return with_cause(on_end(stamp, false));
  fail(IFB_E_IO,
       started ? "the server closed the connection before the answer was complete"
               : "the server closed the connection without an answer",
       stamp);
  return progress::done;
}

// Routers and gateways of vLLM name in such headers which server has answered.
void exchange::keep_routing_headers(const ifb_http_head& head) {
  constexpr std::string_view prefix = "x-vllm-";
  constexpr std::size_t longest_value = 256;
  for (std::size_t i = 0; i < head.header_count; ++i) {
    const std::string_view name = plugin::view(head.headers[i].name);
    if (name.size() <= prefix.size() || !base::equal_no_case(name.substr(0, prefix.size()), prefix))
      continue;
    on_attribute(base::lower_case(name),
                 base::valid_utf8(plugin::view(head.headers[i].value).substr(0, longest_value)));
  }
}

bool exchange::on_head() {
  const ifb_http_head head = parser_.head();
  record_.http_status = head.status;
  keep_routing_headers(head);
  std::uint32_t wanted = IFB_FRAMING_AUTO;
  ifb_error error = plugin::empty_error();
  const ifb_status status = shared_.codec.on_head(codec_, &head, &wanted, &error);
  if (status != IFB_OK) {
    refuse("on_head", status, error);
    return false;
  }
  switch (wanted) {
    case IFB_FRAMING_WHOLE: framing_ = framing::whole; break;
    case IFB_FRAMING_SSE: framing_ = framing::sse; break;
    case IFB_FRAMING_LINES: framing_ = framing::lines; break;
    case IFB_FRAMING_RAW: framing_ = framing::raw; break;
    case IFB_FRAMING_AUTO: {
      const std::string_view stated = parser_.find("content-type");
      const std::string_view type = base::trim(stated.substr(0, stated.find(';')));
      framing_ = head.status != 200                               ? framing::refused
                 : base::equal_no_case(type, "text/event-stream") ? framing::sse
                                                                  : framing::whole;
      break;
    }
    default:
      fail_once(IFB_E_INTERNAL,
                fmt::format("on_head of backend {} chose the framing {}, which this host does not "
                            "know",
                            shared_.id(), wanted));
      return false;
  }
  if (const std::string_view named = coding(); !named.empty() && !begin_decoding(named))
    return false;
  if (framing_ == framing::sse) sse_.begin();
  if (framing_ == framing::lines) lines_.begin();
  return true;
}

// Returns false if the body cannot be decoded; the record then contains the error. Returns true for
// an error answer, because its status is enough for the message: the body is left out of it.
bool exchange::begin_decoding(std::string_view coding) {
  coded_ = transport::decompressor::knows(coding);
  if (!coded_) {
    if (framing_ == framing::refused || framing_ == framing::raw) return true;
    fail_once(IFB_E_PROTOCOL,
              "the answer is compressed (Content-Encoding: " + quoted(coding) +
                  ") and cannot be read; switch that off in the server, or in the proxy before it");
    return false;
  }
  if (!decompressor_) decompressor_ = std::make_unique<transport::decompressor>();
  decompressor_->begin(coding);
  if (framing_ != framing::refused && framing_ != framing::whole)
    remark(shared_.told->compressed,
           fmt::format("answers are compressed (Content-Encoding: {}): events come in blocks, and "
                       "their times are those of the blocks; switch that off in the server, or in "
                       "the proxy before it",
                       quoted(coding)));
  return true;
}

bool exchange::on_coded_body(std::string_view data, std::uint64_t stamp) {
  if (!coded_) return on_body(data, stamp);
  for (std::string_view decoded;;) {
    switch (decompressor_->next(data, decoded)) {
      case transport::decompressor::outcome::more: return true;
      case transport::decompressor::outcome::failed:
        if (framing_ == framing::refused)
          return true;  // the status is enough for the error
                        // message
        fail(IFB_E_PROTOCOL, "the answer cannot be read: " + decompressor_->error(), stamp);
        return false;
      case transport::decompressor::outcome::data: break;
    }
    if (decoded.size() > room_) {
      fail(IFB_E_PROTOCOL, longer_than("the answer is", shared_.max_answer, "--max-answer"), stamp);
      return false;
    }
    room_ -= decoded.size();
    if (!on_body(decoded, stamp)) return false;
    if (enough_) return true;
    if (framing_ == framing::refused && whole_.size() >= shared_.max_error_body) return true;
  }
}

bool exchange::on_body(std::string_view data, std::uint64_t stamp) {
  any_body_ = any_body_ || !data.empty();
  switch (framing_) {
    case framing::refused:
      whole_ +=
          data.substr(0, shared_.max_error_body - std::min(whole_.size(), shared_.max_error_body));
      return true;
    case framing::whole:
      if (data.size() > shared_.max_message - whole_.size()) {
        too_long("the answer is", stamp);
        return false;
      }
      whole_ += data;
      return true;
    // All bytes of one read are one message, even if they arrived at different times.
    case framing::raw: late_ = spread_.ns; return message({}, data, stamp);
    case framing::sse:
      if (beginning_ != beginning::stream) look_at_beginning(data);
      // The condition avoids a useless last call of next(): usually a read ends with an event.
      for (transport::sse_event e; !data.empty();) {
        const std::string_view rest = data;
        if (!sse_.next(data, stamp, e)) {
          note_tail(rest, last_line_of(rest).starts_with("data"));
          break;
        }
        late_ = e.stamp != stamp ? tail_late_ : is_newest(data) ? 0 : spread_.ns;
        tail_late_ = 0;
        if (!message(e.name, e.data, e.stamp)) return false;
        if (enough_) return true;
      }
      if (!sse_.failed()) return true;
      too_long("an event is", stamp);
      return false;
    case framing::lines:
      for (transport::text_line l; !data.empty();) {
        const std::string_view rest = data;
        if (!lines_.next(data, stamp, l)) {
          note_tail(rest, true);
          break;
        }
        late_ = l.stamp != stamp ? tail_late_ : is_newest(data) ? 0 : spread_.ns;
        tail_late_ = 0;
        if (!message({}, l.text, l.stamp)) return false;
        if (enough_) return true;
      }
      if (!lines_.failed()) return true;
      too_long("a line is", stamp);
      return false;
  }
  return false;
}

// Whether the stamp of the read is the exact stamp of the event that ends before `behind`, the rest
// of the current piece. A line ending after the event counts as having arrived together with the
// event. This does not hold for a read whose bytes may have arrived far apart, because it would
// hide a delay of the server.
bool exchange::is_newest(std::string_view behind) const noexcept {
  constexpr std::size_t most = 4;
  if (spread_.more_behind || coded_) return false;
  if (behind.empty() && behind_.empty()) return true;
  return spread_.ns <= with_line_end_ns && behind.size() + behind_.size() <= most &&
         behind.find_first_not_of(line_ends) == std::string_view::npos &&
         behind_.find_first_not_of(line_ends) == std::string_view::npos;
}

// `tail`: the beginning of an event whose end is not in this read. A later read contains the end,
// but the stamp of this read is the stamp of the event.
void exchange::note_tail(std::string_view tail, bool ends_in_data) noexcept {
  if (tail.find_first_not_of(line_ends) == std::string_view::npos) return;
  tail_late_ = ends_in_data && is_newest({}) ? 0 : std::max(tail_late_, spread_.ns);
}

std::uint64_t exchange::unsure() const noexcept {
  return record_.late.events.size() > sure_events_ || record_.late.end_ns != 0 ? spread_.ns : 0;
}

void exchange::came_at_once() noexcept {
  record_.late.events.resize(sure_events_);
  record_.late.end_ns = 0;
}

bool exchange::message(std::string_view event, std::string_view data, std::uint64_t stamp) {
  ++messages_;
  stamp_ = stamp;
  ifb_error error = plugin::empty_error();
  const ifb_http_message next{
      sizeof next, 0, plugin::str(event), {data.data(), data.size()}, stamp};
  const ifb_status status = shared_.codec.on_message(codec_, &next, &events(), this, &error);
  if (kept_too_much(stamp)) return false;
  enough_ = status == IFB_END;
  if (status == IFB_OK || enough_) return true;
  refuse("on_message", status, error);
  return false;
}

// The codec has ended the request at the latest message. `behind`: the bytes of the read after the
// piece with this message. `readable`: `behind` is complete, so the rest of the body can be read.
exchange::progress exchange::end_at_message(std::string_view behind, bool readable) {
  record_.end_ns = stamp_;
  leg_late_ = record_.late.end_ns = late_;
  has_rest_ = readable;
  if (readable) skip(behind);
  const ifb_http_end end{sizeof end, IFB_HTTP_END_EARLY, nullptr, 0};
  return conclude(end, stamp_);
}

void exchange::skip(std::string_view bytes) {
  for (;;) {
    switch (parser_.next(bytes).kind) {
      case transport::http1_piece::more: rest_ = parser_.here(); return;
      case transport::http1_piece::head:
      case transport::http1_piece::body: break;
      case transport::http1_piece::end:
        keep_ = parser_.reusable() && bytes.empty();
        has_rest_ = false;
        return;
      case transport::http1_piece::failed: has_rest_ = false; return;
    }
  }
}

exchange::progress exchange::on_end(std::uint64_t stamp, bool leftover) {
  keep_ = parser_.reusable() && !leftover;
  record_.end_ns = stamp;
  late_ = leg_late_ = record_.late.end_ns = is_newest({}) ? 0 : spread_.ns;
  if (framing_ == framing::refused) {
    if (follow()) return write_head() ? progress::another : progress::done;
    fail_once(IFB_E_REMOTE, status_line());
    return progress::done;
  }
  if (coded_ && !decompressor_->complete()) {
    fail_once(IFB_E_IO, "the compressed answer ended before it was complete");
    return progress::done;
  }
  bool good = true;
  if (framing_ == framing::whole) good = message({}, whole_, stamp);
  if (framing_ == framing::sse || framing_ == framing::lines) late_ = tail_late_;
  if (framing_ == framing::sse) {
    if (transport::sse_event e; sse_.finish(e))
      good = message(e.name, e.data, e.stamp);
    else if (sse_.failed())
      good = false, too_long("an event is", stamp);
  }
  if (framing_ == framing::lines)
    if (transport::text_line l; lines_.finish(l)) good = message({}, l.text, l.stamp);
  if (!good) return progress::done;
  const std::span<const ifb_field> trailers = parser_.trailers();
  const ifb_http_end end{sizeof end, 0, trailers.data(), trailers.size()};
  return conclude(end, stamp);
}

// Tells the codec the end of the answer.
exchange::progress exchange::conclude(const ifb_http_end& end, std::uint64_t stamp) {
  // Several JSON objects with empty lines between them are a stream. Upstream accepts them as a
  // stream, too.
  if (beginning_ == beginning::document && messages_ <= 1) {
    fail_once(IFB_E_PROTOCOL, no_stream());
    return progress::done;
  }

  stamp_ = stamp;
  late_ = leg_late_;
  ifb_error error = plugin::empty_error();
  const ifb_status status = shared_.codec.on_end(codec_, &end, &events(), this, &error);
  if (kept_too_much(stamp)) return progress::done;
  if (status == IFB_MORE) {
    if (!outcome_known_) {
      if (make_next_leg()) return progress::another;
      has_rest_ = false;  // the parser has left the body
      return progress::done;
    }
    blame("asked for another leg of", " after its end; such calls are ignored");
  } else if (status == IFB_OK) {
    fail_once(IFB_E_PROTOCOL,
              fmt::format("backend {} did not report the end of the answer before the body ended: "
                          "the server stopped early, or the plugin missed the end",
                          shared_.id()));
  } else {
    refuse("on_end", status, error);
  }
  return progress::done;
}

void exchange::too_long(std::string_view what, std::uint64_t stamp) {
  fail(IFB_E_PROTOCOL, longer_than(what, shared_.max_message, "--max-message"), stamp);
}

// If the body is a document (JSON, HTML or a string) and not a stream, the beginning of the
// document is kept for the error message. This depends on the body, not on its declared type.
void exchange::look_at_beginning(std::string_view data) {
  if (beginning_ == beginning::unknown) {
    const std::size_t first = data.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return;
    const bool document = std::string_view("{[<\"").find(data[first]) != std::string_view::npos;
    beginning_ = document ? beginning::document : beginning::stream;
    if (!document) return;
  }
  whole_ +=
      data.substr(0, shared_.max_error_body - std::min(whole_.size(), shared_.max_error_body));
}

exchange::progress exchange::with_cause(progress p) {
  // Without an answer, the failure is that of the next leg, which was not sent.
  if (p == progress::done && !record_.ok() && answered()) record_.error += likely_cause();
  return p;
}

// The Content-Encoding of the body; empty if the body is not encoded.
std::string_view exchange::coding() const {
  const std::string_view named = base::trim(parser_.find("content-encoding"));
  return base::equal_no_case(named, "identity") ? std::string_view() : named;
}

record exchange::finish() {
  close();
  return std::move(record_);
}

// Closes the codec's exchange. Memory that only an unusual answer needed is freed.
void exchange::close() noexcept {
  open_ = false;
  if (codec_ != nullptr) shared_.codec.close(std::exchange(codec_, nullptr));
  arena_.reset();
  parser_.begin();
  sse_.begin();
  lines_.begin();
  for (std::string* text : {&whole_, &moved_to_})
    if (text->capacity() > kept_capacity) std::string().swap(*text);
}

}  // namespace inferbench::client
