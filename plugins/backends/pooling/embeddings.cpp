#include "embeddings.hpp"

#include <string>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/prompt.hpp"

namespace openai {
namespace {

/// Returns whether the request's id ends in an odd number.
bool has_odd_number(const ifb_sample& sample) {
  const auto id = ifb::view(sample.id);
  if (id.empty()) return false;
  const auto digit = static_cast<unsigned char>(id.back()) - '0';
  return digit >= 0 && digit <= 9 && digit % 2 == 1;
}

ifb_part_list one(const ifb_part& part) { return ifb::list_of({&part, 1}); }

}  // namespace

void embeddings::lay_out(bodies::body_layout& layout) {
  layout.set("model", bodies::slot::model);
  layout.set("input", bodies::slot::prompt);
  layout.set("truncate_prompt_tokens", "-1");
}

void embeddings::write_prompt(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  bodies::put_prompt(sample, out,
                     {"embeddings take text or token ids", "use backend openai-embeddings-chat"});
}

std::size_t embeddings::inputs(const ifb_sample& sample) { return bodies::prompt_count(sample); }

void embeddings_chat::lay_out(bodies::body_layout& layout) {
  layout.set("model", bodies::slot::model);
  layout.set("messages", bodies::slot::prompt);
  layout.set("truncate_prompt_tokens", "-1");
}

void embeddings_chat::write_prompt(bodies::slot, const ifb_sample& sample,
                                   bodies::gather_list& out) {
  bodies::put_messages(sample, out, "openai-embeddings");
}

void embeddings_clip::write_prompt(bodies::slot what, const ifb_sample& sample,
                                   bodies::gather_list& out) {
  if (sample.media.count == 0) return embeddings_chat::write_prompt(what, sample, out);
  const ifb_part nothing = ifb::text_part({});
  bodies::put_user_message({one(nothing), sample.media}, out);
}

void embeddings_vlm2vec::write_prompt(bodies::slot what, const ifb_sample& sample,
                                      bodies::gather_list& out) {
  if (sample.media.count == 0) return embeddings_chat::write_prompt(what, sample, out);
  if (sample.shape != IFB_PROMPT_TEXT)
    bodies::refuse(
        "VLM2Vec takes media only with a prompt of one text; use backend "
        "openai-embeddings-chat");
  ifb_part text = ifb::text_part("Represent the given image.");
  if (has_odd_number(sample)) {
    const auto question = ifb::view(bodies::single(sample).data);
    text.data = ifb::bytes(out.keep("Represent the given image with the following question: " +
                                    std::string(question)));
  }
  bodies::put_user_message({sample.media, one(text)}, out);
}

}  // namespace openai
