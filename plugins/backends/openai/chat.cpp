#include "chat.hpp"

namespace openai {

chat::chat(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(quoted(chosen.model)) {
  check(chosen, "chat/completions", id);
  layout_.set("model", slot::model);
  layout_.set("messages", slot::prompt);
  layout_.set("max_completion_tokens", slot::limit);
  layout_.set("stream", "true");
  layout_.set("stream_options", R"({"include_usage":true})");
  finish(layout_, chosen);
}

chat::exchange chat::open(const ifb_sample& sample, ifb::arena memory) const {
  return start(protocol::chat, layout_, model_, endpoint_, sample, memory);
}

}  // namespace openai
