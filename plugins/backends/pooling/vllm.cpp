#include "vllm.hpp"

#include <string>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/json.hpp"
#include "backends/bodies/prompt.hpp"

namespace openai {
namespace {

void write_input(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  bodies::put_prompt(sample, out,
                     {"pooling takes text, token ids or a JSON object",
                      "give them as an object, {\"messages\": [...]}"});
}

}  // namespace

vllm_pooling::vllm_pooling(ifb::host, const options& chosen)
    : chosen_(chosen), way_(chosen, {{"pooling"}, "/pooling"}, id) {
  layout_.set("model", bodies::slot::model);
  layout_.set("truncate_prompt_tokens", "-1");
  layout_.set("input", bodies::slot::prompt);
  finish(layout_, chosen_);
}

vllm_pooling::exchange vllm_pooling::open(const ifb_sample& sample, ifb::arena memory) const {
  const std::size_t inputs = bodies::prompt_count(sample);
  if (sample.shape != IFB_PROMPT_JSON)
    return way_.open({layout_, sample}, sample, write_input, inputs, memory);
  std::string why;
  const auto members = bodies::object_members(ifb::view(bodies::single(sample).data), why);
  if (!members) throw ifb::failure{IFB_E_DATA, "the prompt is not a JSON object: " + why};
  bodies::body_layout own;
  own.set("model", bodies::slot::model);
  own.set("truncate_prompt_tokens", "-1");
  own.overlay(*members);
  finish(own, chosen_);
  return way_.open({std::move(own), sample}, sample, write_input, inputs, memory);
}

void rerank::lay_out(bodies::body_layout& layout) {
  layout.set("model", bodies::slot::model);
  layout.set("query", bodies::slot::prompt);
  layout.set("documents", bodies::slot::beside_prompt);
  layout.set("truncate_prompt_tokens", "-1");
}

void rerank::write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out) {
  const auto texts = ifb::view(sample.prompt);
  if (sample.shape != IFB_PROMPT_TEXTS)
    bodies::refuse(
        "rerank takes a list of texts, the query and its documents; choose a dataset of such "
        "lists, or another backend than vllm-rerank");
  if (texts.size() < 2)
    bodies::refuse("rerank takes a query and at least one document, not one text");
  if (what == bodies::slot::prompt) return out.quote(ifb::view(texts.front().data));
  out.copy("[");
  for (std::size_t i = 1; i < texts.size(); ++i) {
    if (i != 1) out.copy(",");
    out.quote(ifb::view(texts[i].data));
  }
  out.copy("]");
}

std::size_t rerank::inputs(const ifb_sample& sample) {
  const std::size_t texts = bodies::prompt_count(sample);
  return texts > 1 ? texts - 1 : 1;
}

}  // namespace openai
