#include "simulator/stream.hpp"

#include <string_view>

namespace inferbench::simulator {

void stream::begin_events() { events_out.begin(who(), chunked); }

void stream::append_head(std::string& out) {
  head_sent = true;
  if (recorded == nullptr)
    append_stream_head(out, keep_alive, chunked, fields);
  else
    append_stream_head(out, keep_alive, chunked, fields, recorded->status, recorded->content_type);
}

std::uint64_t stream::append_event(std::string& out, std::uint64_t tokens) {
  if (recorded != nullptr) {
    append_piece(out, recorded->pieces[done++], chunked);
    return 1;
  }
  if (done == 0 && kind == api_kind::chat) events_out.role(out);
  const bool last = events == 1;
  const std::uint64_t count = last ? used.completion_tokens - done : tokens;
  const std::string_view reason = !last ? "" : cut ? "length" : "stop";
  events_out.tokens(out, first_word + done, count, reason);
  done += count;
  return count;
}

void stream::append_end(std::string& out) const {
  if (recorded != nullptr) return simulator::append_end(out, chunked);
  if (include_usage) events_out.used(out, used);
  events_out.done(out);
}

void stream::append_answer(std::string& out) const {
  std::string body;
  append_whole(body, who(), first_word, done, cut ? "length" : "stop", used);
  simulator::append_answer(out, 200, json_type, body, keep_alive, fields);
}

}  // namespace inferbench::simulator
