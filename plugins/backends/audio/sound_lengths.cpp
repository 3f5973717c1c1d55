#include "sound_lengths.hpp"

#include <string>

#include <inferbench-media/media.hpp>

namespace openai {

namespace media = inferbench::media;

std::optional<double> sound_lengths::of(std::string_view file) const {
  try {
    return media::inspect_sound(file).seconds();
  } catch (const media::failure& e) {
    if (e.kind() != media::cause::missing)
      host_.debug(std::string("the length of a sound is unknown: ") + e.what());
    else if (!warned_.exchange(true))
      host_.warn(std::string("the lengths of sounds are unknown, and RTFx leaves them out: ") +
                 e.what());
    return std::nullopt;
  }
}

}  // namespace openai
