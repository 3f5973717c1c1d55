// An image, a video or a sound in a request, as its sender describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench-media/media.hpp>

namespace inferbench::simulator {

/// The longest media type and the longest ending that are kept, in bytes. Each format has a shorter
/// name.
inline constexpr std::size_t longest_media_word = 64;

struct sent_medium {
  enum class form : std::uint8_t {
    url,     // data:, http:, https: or file:
    base64,  // input_audio
    file     // a file of a form
  };
  media::kind kind = media::kind::image;
  form what = form::url;
  std::string place = {};   // the member of the request: "messages.0.content.1"
  std::string type = {};    // the media type of the part of the form; empty: not said
  std::string ending = {};  // of the file's name, or the member `format` of input_audio; empty: not
                            // said
  std::string_view borrowed = {};  // the content, in the body of the request
  std::string copied = {};         // the content instead, if `borrowed` is empty

  [[nodiscard]] std::string_view content() const noexcept {
    return borrowed.empty() ? std::string_view(copied) : borrowed;
  }
};

/// Copies the contents that are not in `body`, so that each content is valid as long as `body`.
/// These contents are in the parsed document: short texts and texts with escapes, see
/// large_body.hpp.
inline void keep_contents(std::vector<sent_medium>& media, std::string_view body) {
  const std::less<> before;
  for (sent_medium& each : media) {
    const char* const at = each.borrowed.data();
    const bool inside = !before(at, body.data()) && before(at, body.data() + body.size());
    if (!inside) each.copied = std::exchange(each.borrowed, {});
  }
}

}  // namespace inferbench::simulator
