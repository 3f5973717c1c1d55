#include "infinity.hpp"

#include <string>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/common/prompt.hpp"

namespace openai {
namespace {

void write_text(slot, const ifb_sample& sample, gather& out) {
  put_prompt(sample, out,
             {"Infinity takes text, token ids or a medium", "use backend openai-embeddings-chat"});
}

const ifb_part& medium(const ifb_sample& sample) {
  const auto media = ifb::view(sample.media);
  if (media.size() == 1) return media.front();
  refuse(media.empty() ? "the prompt is empty and the sample has no medium instead"
                       : "Infinity takes one medium a request, and the sample has " +
                             std::to_string(media.size()));
}

void write_medium(slot what, const ifb_sample& sample, gather& out) {
  const ifb_part& part = medium(sample);
  switch (part.kind) {
    case IFB_PART_IMAGE:
      if (what == slot::prompt) return put_url(part, "image/jpeg", out);
      return out.copy("\"image\"");
    case IFB_PART_VIDEO:
      if (what == slot::prompt) return put_url(part, "video/mp4", out);
      return out.copy("\"video\"");
    case IFB_PART_AUDIO:
      if (what == slot::prompt) return put_url(part, "audio/wav", out);
      return out.copy("\"audio\"");
    default:
      refuse("Infinity takes images, videos and sounds, no medium of kind " +
             std::to_string(part.kind));
  }
}

bool is_empty_text(const ifb_sample& sample) {
  return sample.shape == IFB_PROMPT_TEXT && single(sample).data.size == 0;
}

}  // namespace

infinity::infinity(ifb::host, const options& chosen, const char* backend)
    : way_(chosen, {{"embeddings"}, "/v1/embeddings"}, backend) {
  for (body_layout* layout : {&for_text_, &for_media_}) {
    layout->set("model", slot::model);
    layout->set("input", slot::prompt);
  }
  for_media_.set("modality", slot::beside_prompt);
  finish(for_text_, chosen);
  finish(for_media_, chosen);
}

infinity::exchange infinity::open(const ifb_sample& sample, ifb::arena memory) const {
  if (is_empty_text(sample)) return open_medium(sample, memory);
  return way_.open({for_text_, sample}, sample, write_text, prompt_count(sample), memory);
}

infinity::exchange infinity::open_medium(const ifb_sample& sample, ifb::arena memory) const {
  return way_.open({for_media_, sample}, sample, write_medium, 1, memory);
}

infinity_clip::exchange infinity_clip::open(const ifb_sample& sample, ifb::arena memory) const {
  return sample.media.count != 0 ? open_medium(sample, memory) : infinity::open(sample, memory);
}

}  // namespace openai
