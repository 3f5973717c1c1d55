#include "completions.hpp"

namespace openai {

completions::completions(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(quoted(chosen.model)) {
  check(chosen, "completions", id);
  layout_.set("model", slot::model);
  layout_.set("prompt", slot::prompt);
  layout_.set("repetition_penalty", "1.0");
  layout_.set("max_tokens", slot::limit);
  layout_.set("logprobs", chosen.logprobs ? std::to_string(*chosen.logprobs) : "null");
  layout_.set("stream", "true");
  layout_.set("stream_options", R"({"include_usage":true})");
  finish(layout_, chosen);
}

completions::exchange completions::open(const ifb_sample& sample, ifb::arena memory) const {
  return start(protocol::completions, layout_, model_, endpoint_, sample, memory);
}

}  // namespace openai
