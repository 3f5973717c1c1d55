#include "vllm.hpp"

#include <string>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/common/json.hpp"
#include "backends/common/prompt.hpp"

namespace openai {
namespace {

void write_input(slot, const ifb_sample& sample, gather& out) {
  put_prompt(sample, out,
             {"pooling takes text, token ids or a JSON object",
              "give them as an object, {\"messages\": [...]}"});
}

}  // namespace

vllm_pooling::vllm_pooling(ifb::host, const options& chosen)
    : chosen_(chosen), way_(chosen, {{"pooling"}, "/pooling"}, id) {
  layout_.set("model", slot::model);
  layout_.set("truncate_prompt_tokens", "-1");
  layout_.set("input", slot::prompt);
  finish(layout_, chosen_);
}

vllm_pooling::exchange vllm_pooling::open(const ifb_sample& sample, ifb::arena memory) const {
  const std::size_t inputs = prompt_count(sample);
  if (sample.shape != IFB_PROMPT_JSON)
    return way_.open({layout_, sample}, sample, write_input, inputs, memory);
  std::string why;
  const auto members = object_members(ifb::view(single(sample).data), why);
  if (!members) throw ifb::failure{IFB_E_DATA, "the prompt is not a JSON object: " + why};
  body_layout own;
  own.set("model", slot::model);
  own.set("truncate_prompt_tokens", "-1");
  own.overlay(*members);
  finish(own, chosen_);
  return way_.open({std::move(own), sample}, sample, write_input, inputs, memory);
}

void rerank::lay_out(body_layout& layout) {
  layout.set("model", slot::model);
  layout.set("query", slot::prompt);
  layout.set("documents", slot::beside_prompt);
  layout.set("truncate_prompt_tokens", "-1");
}

void rerank::write_prompt(slot what, const ifb_sample& sample, gather& out) {
  const auto texts = ifb::view(sample.prompt);
  if (sample.shape != IFB_PROMPT_TEXTS)
    refuse(
        "rerank takes a list of texts, the query and its documents; choose a dataset of such "
        "lists, or another backend than vllm-rerank");
  if (texts.size() < 2) refuse("rerank takes a query and at least one document, not one text");
  if (what == slot::prompt) return out.quote(ifb::view(texts.front().data));
  out.copy("[");
  for (std::size_t i = 1; i < texts.size(); ++i) {
    if (i != 1) out.copy(",");
    out.quote(ifb::view(texts[i].data));
  }
  out.copy("]");
}

std::size_t rerank::inputs(const ifb_sample& sample) {
  const std::size_t texts = prompt_count(sample);
  return texts > 1 ? texts - 1 : 1;
}

}  // namespace openai
