#include "check/player.hpp"

#include <memory>

#include "base/text.hpp"
#include "check/sample.hpp"
#include "check/streams.hpp"
#include "plugin/instance.hpp"
#include "transport/lines.hpp"
#include "transport/sse.hpp"

namespace inferbench::check {

player::player(subject& s, instance_under_test& instance, lending how)
    : s_(s),
      instance_(instance),
      how_(how),
      codec_(codec_of(s)),
      arena_(how),
      sample_(how),
      call_(how),
      heard_(std::make_unique<recorder>(how)),
      error_(blank_error()) {}

player::~player() { close(); }

ifb_error* player::lend() { return lent_error_ = lend_error(call_); }

bool player::call(const char* what, ifb_status status) {
  status_ = status;
  error_ = *lent_error_;
  call_.give_back();
  if (judging_) judge_refusal(s_, what, status_, error_);
  return status_ >= 0;
}

bool player::open(std::string_view json) {
  const std::string place = "the kit";
  return open(base::parse_json(json, place), place);
}

bool player::open(const base::json_value& json, const std::string& place) {
  close();
  heard_ = std::make_unique<recorder>(how_);
  enough_ = false;
  silent_ = false;
  framing_ = framing::whole;
  asked_.clear();
  body_.clear();
  ifb_exchange* made = nullptr;
  const ifb_sample* const sample = lend_sample(sample_, json, place);
  const bool opened =
      call("open", codec_.open(instance_.get(), sample, arena_.handle(), &made, lend()));
  if (opened && made == nullptr) {
    s_.fail("open succeeds and hands out no exchange", "set *out where open answers IFB_OK");
    status_ = IFB_E_INTERNAL;
    return false;
  }
  if (opened) exchange_ = made;
  return opened;
}

std::string player::request() {
  auto* const out = call_.room<ifb_http_request>();
  const std::uint32_t size = out->struct_size;
  const ifb_status status = codec_.request(exchange_, out, lend());
  if (out->struct_size != size)
    s_.fail("request changes the struct_size of what it fills",
            "leave struct_size as the host set it (rule R3 in abi.h)");
  std::string text;
  body_.clear();
  if (status >= 0) {
    target_ = plugin::view(out->target);
    text = std::string(plugin::view(out->method)) + " " + target_ + "\n";
    for (std::size_t i = 0; i < out->header_count; ++i)
      text += std::string(plugin::view(out->headers[i].name)) + ": " +
              std::string(plugin::view(out->headers[i].value)) + "\n";
    for (std::size_t i = 0; i < out->body_count; ++i)
      body_ += plugin::view(out->body[i]);
    text += "\n" + body_;
  }
  if (!call("request", status)) return {};
  if (asked_.empty()) asked_ = text;
  return text;
}

bool player::head(const answer& from) {
  std::vector<ifb_field> fields;
  for (const auto& [name, value] : from.headers)
    fields.push_back({call_.text(name), call_.text(value)});
  const ifb_http_head head{sizeof(ifb_http_head), from.status,
                           call_.copy(std::span<const ifb_field>(fields)), fields.size()};
  auto* const chosen = static_cast<std::uint32_t*>(call_.take(sizeof(std::uint32_t), 4));
  const ifb_status status = codec_.on_head(exchange_, call_.put(head), chosen, lend());
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
                "choose one of ifb_framing");
  }
  if (call("on_head", status)) return true;
  heard_->add("failed " + std::to_string(status_) + " " + plugin::text_of(error_, status_));
  return false;
}

bool player::message(std::string_view event, std::string_view data) {
  // The client reads the body of a refused request itself, without the codec.
  if (framing_ == framing::refused) return false;
  if (enough_) return true;
  const ifb_status status = codec_.on_message(exchange_, call_.text(event), call_.bytes(data),
                                              heard_->events(), heard_->output(), lend());
  enough_ = status == IFB_END;
  if (call("on_message", status)) return true;
  heard_->add("failed " + std::to_string(status_) + " " + plugin::text_of(error_, status_));
  return false;
}

std::string player::framed(std::span<const std::pair<std::string, std::string>> messages) const {
  std::string out;
  for (const auto& [event, data] : messages)
    out += framing_ == framing::sse     ? as_event(event, data)
           : framing_ == framing::lines ? data + "\n"
                                        : data;
  return out;
}

bool player::end() {
  if (framing_ == framing::refused) return false;
  if (call("on_end", codec_.on_end(exchange_, heard_->events(), heard_->output(), lend())))
    return true;
  heard_->add("failed " + std::to_string(status_) + " " + plugin::text_of(error_, status_));
  return false;
}

void player::close() {
  if (exchange_ == nullptr) return;
  codec_.close(exchange_);
  exchange_ = nullptr;
  sample_.give_back();
  arena_.close();
}

bool player::play(std::string_view body, std::span<const std::size_t> cuts) {
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
  if (framing_ == framing::whole || framing_ == framing::refused) return true;
  std::size_t from = 0;
  for (const std::size_t cut : cuts) {
    if (!frame(body.substr(from, cut - from))) return false;
    from = cut;
  }
  if (!frame(body.substr(from))) return false;
  if (transport::sse_event e; framing_ == framing::sse && sse.finish(e))
    if (!message(e.name, e.data)) return false;
  if (transport::text_line l; framing_ == framing::lines && lines.finish(l))
    if (!message({}, l.text)) return false;
  return true;
}

bool player::hear(const answer& from, std::span<const std::size_t> cuts) {
  if (!head(from) || !play(from.body, cuts)) return false;
  if (!from.complete) return false;
  if (framing_ == framing::whole && !message({}, from.body)) return false;
  if (!end()) return false;
  if (status_ == IFB_MORE) return heard_->ends() == 0;
  silent_ = heard_->ends() == 0;
  return false;
}

bool player::converse(const answer& from, std::span<const std::size_t> cuts) {
  constexpr int most = 4;
  std::string asked = request();
  if (asked.empty()) return false;
  for (int leg = 1; hear(from, cuts) && leg < most; ++leg) {
    asked = request();
    heard_->add("another request: " + (asked.empty() ? refusal(status_, error_) : asked));
    if (asked.empty()) break;
    enough_ = false;
  }
  return true;
}

answer streamed(std::string body) {
  return {
      .status = 200, .headers = {{"Content-Type", "text/event-stream"}}, .body = std::move(body)};
}

}  // namespace inferbench::check
