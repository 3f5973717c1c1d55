#include "simulator/stream.hpp"

#include <string_view>

#include "simulator/wire.hpp"

namespace inferbench::simulator {

void stream::begin_events() {
  if (kind == api_kind::response)
    response_out.begin(who(), limit, chunked, tool);
  else
    events_out.begin(who(), chunked, tool);
}

void stream::append_head(std::string& out) {
  head_sent = true;
  if (recorded != nullptr)
    return append_stream_head(out, keep_alive, chunked, fields, recorded->status,
                              recorded->content_type);
  append_stream_head(out, keep_alive, chunked, fields);
  if (kind == api_kind::response) response_out.created(out);
}

std::uint64_t stream::append_event(std::string& out, std::uint64_t tokens) {
  if (recorded != nullptr) {
    append_piece(out, recorded->pieces[done++], chunked);
    return 1;
  }
  const bool last = events == 1;
  const std::uint64_t count = last ? used.completion_tokens - done : tokens;
  if (kind == api_kind::response) {
    if (done == 0) response_out.opened(out);
    response_out.delta(out, text().from(done), count);
  } else {
    if (done == 0 && kind == api_kind::chat) events_out.role(out);
    const std::string_view reason = last ? finish_reason() : std::string_view();
    const usage so_far{used.prompt_tokens, done + count, 0};
    events_out.tokens(out, text().from(done), count, reason, continuous_usage ? &so_far : nullptr);
  }
  done += count;
  return count;
}

void stream::append_end(std::string& out) {
  if (recorded != nullptr) return simulator::append_end(out, chunked);
  if (kind == api_kind::response) return response_out.completed(out, text(), done, cut, used);
  if (include_usage) events_out.used(out, used);
  events_out.done(out);
}

void stream::append_answer(std::string& out) const {
  std::string body;
  std::string more = fields;
  std::string_view type = json_type;
  if (pools(kind)) {
    append_pooled(body, who(), pooled, used);
    more += metadata_field(who(), pooled, used);
    type = type_of(pooled);
  } else if (kind == api_kind::response) {
    append_whole_response(body, who(), text(), done, limit, cut, used, tool);
  } else if (hears(kind)) {
    append_whole_transcription(body, kind, text(), done, sound_seconds);
  } else {
    append_whole(body, who(), text(), done, finish_reason(), used, tool);
  }
  simulator::append_answer(out, 200, type, body, keep_alive, more);
}

}  // namespace inferbench::simulator
