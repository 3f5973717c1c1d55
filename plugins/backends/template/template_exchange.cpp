#include "template_exchange.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "backends/bodies/json.hpp"
#include "backends/bodies/post.hpp"

namespace template_backend {
namespace {

constexpr std::string_view html = "text/html";
constexpr content_type known_types[] = {{"text/event-stream", IFB_FRAMING_SSE},
                                        {"application/json", IFB_FRAMING_WHOLE},
                                        {html, IFB_FRAMING_WHOLE},
                                        {"application/x-ndjson", IFB_FRAMING_LINES},
                                        {"application/ndjson", IFB_FRAMING_LINES},
                                        {"application/jsonl", IFB_FRAMING_LINES},
                                        {"application/jsonlines", IFB_FRAMING_LINES},
                                        {"application/x-jsonlines", IFB_FRAMING_LINES}};

/// Returns the answer's Content-Type; nullptr if there is none, or if it is not related to a
/// framing.
const content_type* stated_in(const ifb_http_head& head) {
  const auto given = bodies::header(head, "content-type");
  if (!given) return nullptr;
  const auto type = ifb::trim(given->substr(0, given->find(';')));
  const auto* const found = std::ranges::find_if(known_types, [&](const content_type& known) {
    return ifb::same_without_case(type, known.name);
  });
  return found == std::end(known_types) ? nullptr : found;
}

}  // namespace

void template_exchange::request(ifb_http_request& out) const {
  out.method = ifb::str(sent_.method);
  out.target = ifb::str(sent_.target);
  out.headers = sent_.headers.data();
  out.header_count = sent_.headers.size();
  out.body = sent_.body.parts().data();
  out.body_count = sent_.body.parts().size();
}

std::uint32_t template_exchange::on_head(const ifb_http_head& head) {
  if (head.status != 200) return IFB_FRAMING_AUTO;
  stated_ = stated_in(head);
  if (section_->framing != IFB_FRAMING_SSE) return section_->framing;
  // If the type has the framing "whole", the server does not stream, or it answers with an error.
  if (stated_ == nullptr || stated_->framing != IFB_FRAMING_WHOLE) return IFB_FRAMING_SSE;
  if (whole_ != nullptr) section_ = whole_;
  return IFB_FRAMING_WHOLE;
}

std::string template_exchange::wondering(std::string what) const {
  // A page of HTML is an error page, whatever framing the file specifies.
  if (stated_ == nullptr || stated_->framing == section_->framing || stated_->name == html)
    return what;
  what += "; the answer's Content-Type is ";
  what += stated_->name;
  if (section_->framing == IFB_FRAMING_WHOLE)
    what += ": does the file want [stream], or stream = \"{{stream}}\" in its body?";
  else if (stated_->framing == IFB_FRAMING_SSE)
    what += ": does the file want framing = \"sse\"?";
  else if (stated_->framing == IFB_FRAMING_LINES)
    what += ": does the file want framing = \"lines\"?";
  else if (whole_ != nullptr)
    what += ": is --template-whole wanted?";
  else
    what += ": does the file want [whole]?";
  return what;
}

ifb::heard template_exchange::on_message(const ifb::http_message& from, ifb::output out) {
  const std::string_view event_name = from.event();
  const std::string_view data = ifb::trim(from.data());
  if (section_->end_data && data == *section_->end_data) return finish(out);
  const bool error = !event_name.empty() && event_name == section_->error_event;
  const bool last = section_->end_event && event_name == *section_->end_event;
  // All requests of a thread share one reader, so that a request needs no memory for it.
  thread_local reader read;
  event seen;
  const auto verdict = read.read(section_->where, data, seen);
  if (verdict == openai::verdict::refused) throw ifb::failure{IFB_E_REMOTE, read.trouble()};
  if (error)
    throw ifb::failure{IFB_E_REMOTE, data.empty()
                                         ? "the server sent an event of errors without data"
                                         : bodies::excerpt(data)};
  if (verdict == openai::verdict::malformed && !last)  // the name of the last event is sufficient
    throw ifb::failure{IFB_E_PROTOCOL, wondering(read.trouble())};
  if (verdict == openai::verdict::read) report(seen, read, out);
  return last || seen.is.end ? finish(out) : ifb::heard::more;
}

void template_exchange::report(event& seen, reader& from, ifb::output out) {
  if (section_->cumulative && seen.is.has_text) {
    // A text that is shorter than the previous text starts again from the beginning.
    const std::size_t size = seen.text.size();
    if (size >= known_text_) seen.text = from.behind(seen.text, known_text_);
    known_text_ = size;
  }
  if (seen.is.special) seen.text = {};
  const bool marked =
      section_->marked_events ? seen.is.token_event : seen.is.has_text || seen.is.has_reasoning;
  const bool empty = seen.text.empty() && seen.reasoning.empty();
  const std::int64_t said_count = seen.is.tokens >= 0 ? seen.is.tokens : seen.is.token_ids;
  // A token may have no text, for example half a character.
  if (marked && !(empty && said_count <= 0 && section_->skip_empty)) {
    ++token_events_;
    const std::int64_t count = said_count >= 0 ? said_count : section_->tokens_each;
    const auto tokens = static_cast<std::uint32_t>(std::min<std::int64_t>(count, UINT32_MAX));
    if (counted_ >= 0) counted_ = tokens == 0 && !empty ? -1 : counted_ + tokens;
    const bool thinks = seen.text.empty() && !seen.reasoning.empty();
    const auto choice =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(seen.is.choice, 0, UINT32_MAX));
    if (thinks)
      out.token(seen.reasoning, tokens, IFB_CHANNEL_REASONING, choice);
    else
      out.token(seen.text, tokens, IFB_CHANNEL_ANSWER, choice);
    if (!thinks && !seen.reasoning.empty()) out.attribute("reasoning", seen.reasoning);
  }
  if (!seen.finish_reason.empty()) finish_reason_ = seen.finish_reason;
  const auto& u = seen.usage;
  output_known_ = output_known_ || u.output >= 0;
  if (u.known())
    out.usage(
        {.prompt = u.prompt, .cached = u.cached, .output = u.output, .reasoning = u.reasoning});
}

ifb::heard template_exchange::finish(ifb::output out) {
  done_ = true;
  if (token_events_ == 0) {
    out.error(IFB_E_PROTOCOL,
              wondering("the answer ended without one event that has output, where the template "
                        "looks for it: no time to first token (TTFT)"));
    return ifb::heard::enough;
  }
  if (!output_known_ && counted_ > 0) out.usage({.output = counted_});
  out.done(finish_reason_);
  return ifb::heard::enough;
}

void template_exchange::on_end(ifb::output out) {
  if (done_) return;
  if (token_events_ != 0 && section_->has_end)
    out.error(IFB_E_PROTOCOL, wondering("the answer ended without its end, " + section_->end_told));
  else
    finish(out);
}

}  // namespace template_backend
