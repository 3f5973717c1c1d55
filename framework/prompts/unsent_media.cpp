#include "prompts/unsent_media.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace inferbench::prompts {

namespace {

// The length of a sample's sound in seconds, from which RTFx is computed.
constexpr std::string_view duration_name = "input_audio_duration";

bool is_duration(const ifb_field& field) {
  return std::string_view(field.name.data, field.name.size) == duration_name;
}

void remove_duration(dataset::sample& from) {
  ifb_sample& c = from.c;
  const std::span all(c.metadata, c.metadata_count);
  const auto kept = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const ifb_field& each) { return !is_duration(each); }));
  if (kept == all.size()) return;
  auto* const fields = static_cast<ifb_field*>(from.arena.alloc(kept * sizeof(ifb_field)));
  if (fields != nullptr) std::ranges::copy_if(all, fields, std::not_fn(&is_duration));
  c.metadata = fields;
  c.metadata_count = fields == nullptr ? 0 : kept;
}

}  // namespace

void unsent_media::see(std::span<const dataset::sample_ptr> some) {
  for (const dataset::sample_ptr& each : some)
    if (each->c.media.count != 0) remove_duration(*each);
  if (told_) return;
  const auto first =
      std::ranges::find_if(some, [](const auto& one) { return one->c.media.count != 0; });
  if (first == some.end()) return;
  told_ = true;
  log_.warning(
      fmt::format("backend {} leaves out images, videos and sound, and request {} is the first "
                  "that has any: only its text is sent; openai-chat and other backends send media",
                  backend_, (*first)->sequence + 1));
}

}  // namespace inferbench::prompts
