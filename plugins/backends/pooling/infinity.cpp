#include "infinity.hpp"

#include <string>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/prompt.hpp"

namespace openai {
namespace {

void write_text(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  bodies::put_prompt(
      sample, out,
      {"Infinity takes text, token ids or a medium", "use backend openai-embeddings-chat"});
}

const ifb_part& medium(const ifb_sample& sample) {
  const auto media = ifb::view(sample.media);
  if (media.size() == 1) return media.front();
  bodies::refuse(media.empty() ? "the prompt is empty and the sample has no medium instead"
                               : "Infinity takes one medium a request, and the sample has " +
                                     std::to_string(media.size()));
}

void write_medium(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out) {
  const ifb_part& part = medium(sample);
  switch (part.kind) {
    case IFB_PART_IMAGE:
      if (what == bodies::slot::prompt) return bodies::put_url(part, "image/jpeg", out);
      return out.copy("\"image\"");
    case IFB_PART_VIDEO:
      if (what == bodies::slot::prompt) return bodies::put_url(part, "video/mp4", out);
      return out.copy("\"video\"");
    case IFB_PART_AUDIO:
      if (what == bodies::slot::prompt) return bodies::put_url(part, "audio/wav", out);
      return out.copy("\"audio\"");
    default:
      bodies::refuse("Infinity takes images, videos and sounds, no medium of kind " +
                     std::to_string(part.kind));
  }
}

bool is_empty_text(const ifb_sample& sample) {
  return sample.shape == IFB_PROMPT_TEXT && bodies::single(sample).data.size == 0;
}

}  // namespace

infinity::infinity(ifb::host, const options& chosen, const char* backend)
    : way_(chosen, {{"embeddings"}, "/v1/embeddings"}, backend) {
  for (bodies::body_layout* layout : {&for_text_, &for_media_}) {
    layout->set("model", bodies::slot::model);
    layout->set("input", bodies::slot::prompt);
  }
  for_media_.set("modality", bodies::slot::beside_prompt);
  finish(for_text_, chosen);
  finish(for_media_, chosen);
}

infinity::exchange infinity::open(const ifb_sample& sample, ifb::arena memory) const {
  if (is_empty_text(sample)) return open_medium(sample, memory);
  return way_.open({for_text_, sample}, sample, write_text, bodies::prompt_count(sample), memory);
}

infinity::exchange infinity::open_medium(const ifb_sample& sample, ifb::arena memory) const {
  return way_.open({for_media_, sample}, sample, write_medium, 1, memory);
}

infinity_clip::exchange infinity_clip::open(const ifb_sample& sample, ifb::arena memory) const {
  return sample.media.count != 0 ? open_medium(sample, memory) : infinity::open(sample, memory);
}

}  // namespace openai
