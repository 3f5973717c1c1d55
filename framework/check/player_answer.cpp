#include "base/clock.hpp"
#include "base/text.hpp"
#include "check/player.hpp"
#include "check/raw_call.hpp"
#include "check/streams.hpp"
#include "check/utf8.hpp"
#include "transport/lines.hpp"
#include "transport/sse.hpp"

namespace inferbench::check {

bool player::head(const answer& from) {
  if (unsigned_ && !sign()) return false;
  const auto fields = lend_fields(from.headers);
  const ifb_http_head head{sizeof(ifb_http_head), from.status,
                           call_.copy(std::span<const ifb_field>(fields)), fields.size()};
  auto* const chosen = static_cast<std::uint32_t*>(call_.take(sizeof(std::uint32_t), 4));
  ifb_error* const error = lend();
  const ifb_status status =
      raw_call(codec_.plugin, "on_head", codec_.ifb_http_codec::on_head, exchange_,
               static_cast<const ifb_http_head*>(call_.put(head)), chosen, error);
  switch (*chosen) {
    case IFB_FRAMING_WHOLE: framing_ = framing::whole; break;
    case IFB_FRAMING_SSE: framing_ = framing::sse; break;
    case IFB_FRAMING_LINES: framing_ = framing::lines; break;
    case IFB_FRAMING_RAW: framing_ = framing::raw; break;
    default:
      framing_ = from.status == 200 ? framing::whole : framing::refused;
      for (const auto& [name, value] : from.headers)
        if (framing_ == framing::whole && base::equal_no_case(name, "content-type") &&
            base::equal_no_case(base::trim(value.substr(0, value.find(';'))), "text/event-stream"))
          framing_ = framing::sse;
      if (*chosen != IFB_FRAMING_AUTO && status >= 0)
        s_.fail("on_head chooses framing " + std::to_string(*chosen) + ", which does not exist",
                "choose one of ifb_framing; the host fails a request with another framing");
  }
  return call("on_head", status) || heard_failure();
}

bool player::message(std::string_view event, std::string_view data) {
  // The client reads the body of a refused request itself, without the codec.
  if (framing_ == framing::refused) return false;
  if (enough_) return true;
  if (!is_utf8(event) || !is_utf8(data)) heard_->excuse_texts();
  ifb_http_message next{};
  next.event = call_.text(event);
  next.data = call_.bytes(data);
  next.at = messages_at_ += base::ns_per_ms;
  ifb_error* const error = lend();
  const ifb_status status =
      raw_call(codec_.plugin, "on_message", codec_.ifb_http_codec::on_message, exchange_,
               static_cast<const ifb_http_message*>(call_.put(next)), heard_->events(),
               heard_->output(), error);
  enough_ = status == IFB_END;
  if (enough_) heard_->add(early_end);
  return call("on_message", status) || heard_failure();
}

std::string player::framed(std::span<const std::pair<std::string, std::string>> messages) const {
  std::string out;
  for (const auto& [event, data] : messages)
    out += framing_ == framing::sse     ? as_event(event, data)
           : framing_ == framing::lines ? data + "\n"
                                        : data;
  return out;
}

bool player::end(const answer& from) {
  if (framing_ == framing::refused) return false;
  const bool early = enough_ && !body_over_;
  const auto fields = early ? std::vector<ifb_field>() : lend_fields(from.trailers);
  const ifb_http_end last{sizeof(ifb_http_end),
                          early ? static_cast<std::uint32_t>(IFB_HTTP_END_EARLY) : 0U,
                          call_.copy(std::span<const ifb_field>(fields)), fields.size()};
  ifb_error* const error = lend();
  const ifb_status status = raw_call(codec_.plugin, "on_end", codec_.ifb_http_codec::on_end,
                                     exchange_, static_cast<const ifb_http_end*>(call_.put(last)),
                                     heard_->events(), heard_->output(), error);
  if (status == IFB_MORE && heard_->ends() > 0)
    heard_->blame({true, "on_end answers with IFB_MORE after the end of the request was reported",
                   "call on_done or on_error after the last answer only"});
  return call("on_end", status) || heard_failure();
}

// Feeds the body as messages. Returns false if on_end must not be called afterwards: the codec
// refused a message, the body is incomplete, or the client reads the body without the codec.
bool player::play(const answer& from, std::span<const std::size_t> cuts) {
  transport::sse_parser sse;
  transport::line_parser lines;
  sse.begin();
  lines.begin();
  const auto frame = [&](std::string_view read) {
    if (framing_ == framing::raw) return read.empty() || message({}, read);
    for (transport::sse_event e; framing_ == framing::sse && sse.next(read, 1, e);)
      if (!message(e.name, e.data)) return false;
    for (transport::text_line l; framing_ == framing::lines && lines.next(read, 1, l);)
      if (!message({}, l.text)) return false;
    return true;
  };
  if (framing_ == framing::refused) return false;
  const std::string_view body = from.body;
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    if (framing_ == framing::whole || enough_) break;
    if (!frame(body.substr(begin, cut - begin))) return false;
    begin = cut;
  }
  if (framing_ != framing::whole && !enough_ && !frame(body.substr(begin))) return false;
  if (enough_) return true;
  if (!from.complete) return false;
  body_over_ = true;
  if (framing_ == framing::whole) return message({}, body);
  if (transport::sse_event e; framing_ == framing::sse && sse.finish(e))
    return message(e.name, e.data);
  if (transport::text_line l; framing_ == framing::lines && lines.finish(l))
    return message({}, l.text);
  return true;
}

bool player::hear(const answer& from, std::span<const std::size_t> cuts) {
  if (!head(from) || !play(from, cuts) || !end(from)) return false;
  if (status_ == IFB_MORE) return heard_->ends() == 0;
  silent_ = heard_->ends() == 0;
  return false;
}

bool player::converse(const answer& from, std::span<const std::size_t> cuts) {
  constexpr int most = 4;
  if (!request()) return false;
  for (int leg = 1; hear(from, cuts) && leg < most; ++leg) {
    const bool asks = request();
    heard_->add("another request: " +
                (asks ? asked_.lasting_text(codec_.authorizes()) : refusal(status_, error_)));
    if (!asks) break;
  }
  return true;
}

answer streamed(std::string body) {
  return {
      .status = 200, .headers = {{"Content-Type", "text/event-stream"}}, .body = std::move(body)};
}

}  // namespace inferbench::check
