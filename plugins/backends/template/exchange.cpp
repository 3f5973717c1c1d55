#include "exchange.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "common/json.hpp"
#include "common/post.hpp"

namespace templates {
namespace {

/// Of a server that does not stream, or that answers with an error.
bool is_whole(std::string_view content_type) {
  const auto type = ifb::trim(content_type.substr(0, content_type.find(';')));
  const auto is = [&](std::string_view name) {
    return std::ranges::equal(type, name, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
    });
  };
  return is("application/json") || is("text/html");
}

}  // namespace

void exchange::request(ifb_http_request& out) const {
  out.method = ifb::str(sent_.method);
  out.target = ifb::str(sent_.target);
  out.headers = sent_.headers.data();
  out.header_count = sent_.headers.size();
  out.body = sent_.body.parts().data();
  out.body_count = sent_.body.parts().size();
}

std::uint32_t exchange::on_head(const ifb_http_head& head) {
  if (head.status != 200) return IFB_FRAMING_AUTO;
  if (section_->framing != IFB_FRAMING_SSE) return section_->framing;
  const auto stated = openai::header(head, "content-type");
  if (!stated || !is_whole(*stated)) return IFB_FRAMING_SSE;
  if (whole_ != nullptr) section_ = whole_;
  return IFB_FRAMING_WHOLE;
}

ifb::heard exchange::on_message(std::string_view event_name, std::string_view data,
                                ifb::output out) {
  if (done_) return ifb::heard::enough;
  data = ifb::trim(data);
  if (section_->end_data && data == *section_->end_data) return finish(out);
  const bool error = !event_name.empty() && event_name == section_->error_event;
  const bool last = section_->end_event && event_name == *section_->end_event;
  // One for all requests of a thread: a request then needs no memory for it.
  thread_local reader read;
  said event;
  const auto verdict = read.read(section_->where, data, event);
  if (verdict == openai::verdict::refused) throw ifb::failure{IFB_E_REMOTE, read.trouble()};
  if (error)
    throw ifb::failure{IFB_E_REMOTE, data.empty()
                                         ? "the server sent an event of errors without data"
                                         : openai::excerpt(data)};
  if (verdict == openai::verdict::malformed && !last)  // whose name says it all
    throw ifb::failure{IFB_E_PROTOCOL, read.trouble()};
  if (verdict == openai::verdict::read) report(event, read, out);
  return last || event.is.end ? finish(out) : ifb::heard::more;
}

void exchange::report(said& event, reader& from, ifb::output out) {
  if (section_->cumulative && event.is.has_text) {
    // A text that is shorter than before begins anew.
    const std::size_t size = event.text.size();
    if (size >= known_text_) event.text = from.behind(event.text, known_text_);
    known_text_ = size;
  }
  if (event.is.special) event.text = {};
  const bool marked =
      section_->marked_events ? event.is.token_event : event.is.has_text || event.is.has_reasoning;
  const bool empty = event.text.empty() && event.reasoning.empty();
  const std::int64_t said_count = event.is.tokens >= 0 ? event.is.tokens : event.is.token_ids;
  // A token may be without text, such as half a character.
  if (marked && !(empty && said_count <= 0 && section_->skip_empty)) {
    ++token_events_;
    const std::int64_t count = said_count >= 0 ? said_count : section_->tokens_each;
    const auto tokens = static_cast<std::uint32_t>(std::min<std::int64_t>(count, UINT32_MAX));
    if (counted_ >= 0) counted_ = tokens == 0 && !empty ? -1 : counted_ + tokens;
    const bool thinks = event.text.empty() && !event.reasoning.empty();
    const auto choice =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(event.is.choice, 0, UINT32_MAX));
    if (thinks)
      out.token(event.reasoning, tokens, IFB_CHANNEL_REASONING, choice);
    else
      out.token(event.text, tokens, IFB_CHANNEL_ANSWER, choice);
    if (!thinks && !event.reasoning.empty()) out.attribute("reasoning", event.reasoning);
  }
  if (!event.finish_reason.empty()) finish_reason_ = event.finish_reason;
  const auto& u = event.usage;
  output_known_ = output_known_ || u.output >= 0;
  if (u.known())
    out.usage(
        {.prompt = u.prompt, .cached = u.cached, .output = u.output, .reasoning = u.reasoning});
}

ifb::heard exchange::finish(ifb::output out) {
  done_ = true;
  if (token_events_ == 0) {
    out.error(IFB_E_PROTOCOL,
              "the answer ended without one event that has output, where the template looks for "
              "it: no time to first token (TTFT)");
    return ifb::heard::enough;
  }
  if (!output_known_ && counted_ > 0) out.usage({.output = counted_});
  out.done(finish_reason_);
  return ifb::heard::enough;
}

void exchange::on_end(ifb::output out) {
  if (done_) return;
  if (token_events_ != 0 && section_->has_end)
    out.error(IFB_E_PROTOCOL, "the answer ended without its end, " + section_->end_told);
  else
    finish(out);
}

}  // namespace templates
