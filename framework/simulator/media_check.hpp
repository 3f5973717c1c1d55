// Compares an image, a video or a sound with what its sender says about it. No state.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench-media/media.hpp>

#include "simulator/sent_medium.hpp"

namespace inferbench::simulator {

/// Decodes a whole file, like media::inspect(), and throws media::failure as that function does.
using media_inspector = std::function<media::facts(std::string_view file, media::kind expected)>;

struct media_verdict {
  enum class state : std::uint8_t {
    checked,
    remote,   // the content is a URL with http, https or file, which is not fetched
    no_codec  // this machine cannot decode the file
  };
  state what = state::checked;
  std::string declared = {};  // the media type or the ending that the sender wrote; empty: none
  std::uint64_t bytes = 0;    // of the file
  std::optional<media::facts> found = {};  // nullopt: the file was not decoded
  /// Why the medium is not as its sender says, or cannot be decoded: a clause without a period.
  /// Empty if there is no fault, or if the medium is remote. If `what` is no_codec: which codec is
  /// missing.
  std::string reason = {};
};

/// Checks, in this order: the data: URL, the base64, that there are bytes, that the whole file can
/// be decoded, that its size, its number of frames or samples, and its duration are not 0, that the
/// declared media type, format and ending of the file name match the file. The first mismatch
/// counts.
[[nodiscard]] media_verdict check_medium(const sent_medium& medium, const media_inspector& inspect);

/// "image", "video" or "sound".
[[nodiscard]] std::string_view name_of(media::kind kind) noexcept;

}  // namespace inferbench::simulator
