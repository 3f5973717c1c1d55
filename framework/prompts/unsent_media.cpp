#include "prompts/unsent_media.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace inferbench::prompts {

void unsent_media::see(std::span<const dataset::sample_ptr> some) {
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
