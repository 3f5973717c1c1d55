#include "chat.hpp"

#include "backends/common/json.hpp"
#include "backends/common/prompt.hpp"

namespace openai {
namespace {

void write_prompt(slot, const ifb_sample& sample, gather& out) {
  put_messages(sample, out, "openai");
}

}  // namespace

chat::chat(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(quoted(chosen.model)) {
  check(chosen, {{"chat/completions"}, "/v1/chat/completions"}, id);
  layout_.set("model", slot::model);
  layout_.set("messages", slot::prompt);
  layout_.set("max_completion_tokens", slot::limit);
  layout_.set("stream", "true");
  layout_.set("stream_options", R"({"include_usage":true})");
  finish(layout_, chosen);
}

chat::exchange chat::open(const ifb_sample& sample, ifb::arena memory) const {
  const layout_of layout(layout_, sample);
  return {protocol::chat,
          {write_body(layout, model_, sample, write_prompt, memory), endpoint_},
          layout->streams()};
}

}  // namespace openai
