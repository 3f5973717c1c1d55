#include "chat.hpp"

#include "backends/bodies/json.hpp"
#include "backends/bodies/prompt.hpp"

namespace openai {
namespace {

void write_messages(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  bodies::put_messages(sample, out, "openai");
}

}  // namespace

chat::chat(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(bodies::quoted(chosen.model)) {
  check(chosen, {{"chat/completions"}, "/v1/chat/completions"}, id);
  layout_.set("model", bodies::slot::model);
  layout_.set("messages", bodies::slot::prompt);
  layout_.set("max_completion_tokens", bodies::slot::limit);
  layout_.set("stream", "true");
  layout_.set("stream_options", R"({"include_usage":true})");
  finish(layout_, chosen);
}

chat::exchange chat::open(const ifb_sample& sample, ifb::arena memory) const {
  const bodies::request_layout layout(layout_, sample);
  return {protocol::chat,
          {bodies::write_body(layout, model_, sample, write_messages, memory), endpoint_},
          layout->streams()};
}

}  // namespace openai
