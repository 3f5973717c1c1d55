#include "completions.hpp"

#include "backends/bodies/json.hpp"
#include "backends/bodies/prompt.hpp"

namespace openai {
namespace {

void write_prompt(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  bodies::put_prompt(sample, out,
                     {"completions take text or token ids", "use backend openai-chat"});
}

std::size_t prompts_of(const ifb_sample& sample) {
  const bool list = sample.shape == IFB_PROMPT_TEXTS || sample.shape == IFB_PROMPT_TOKEN_LISTS;
  return list ? sample.prompt.count : 1;
}

}  // namespace

completions::completions(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(bodies::quoted(chosen.model)) {
  check(chosen, {{"completions"}, "/v1/completions"}, id);
  layout_.set("model", bodies::slot::model);
  layout_.set("prompt", bodies::slot::prompt);
  layout_.set("repetition_penalty", "1.0");
  layout_.set("max_tokens", bodies::slot::limit);
  layout_.set("logprobs", chosen.logprobs ? std::to_string(*chosen.logprobs) : "null");
  layout_.set("stream", "true");
  layout_.set("stream_options", R"({"include_usage":true})");
  finish(layout_, chosen);
}

completions::exchange completions::open(const ifb_sample& sample, ifb::arena memory) const {
  const bodies::request_layout layout(layout_, sample);
  return {protocol::completions,
          {bodies::write_body(layout, model_, sample, write_prompt, memory), endpoint_},
          layout->streams(),
          prompts_of(sample)};
}

}  // namespace openai
