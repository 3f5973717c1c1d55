// The results of checking the images, videos and sounds of requests (media_check.hpp), summed over
// all requests.
#pragma once

#include <cstdint>
#include <string>

namespace inferbench::simulator {

/// Plain data.
struct media_totals {
  std::uint64_t checked = 0;     // media that were decoded, or whose decoding failed
  std::uint64_t mismatches = 0;  // checked media that are not as declared, or not decodable
  // Media that were not checked, by reason.
  std::uint64_t not_chosen = 0;  // --check-media did not choose their request
  std::uint64_t queue_full = 0;  // too many media already waited for their check
  std::uint64_t remote = 0;      // they are http, https or file URLs, which are not fetched
  std::uint64_t no_codec = 0;    // no library that can decode them is installed
  // Sums over all media that were decoded.
  std::uint64_t images = 0;
  std::uint64_t videos = 0;
  std::uint64_t sounds = 0;
  std::uint64_t pixels = 0;  // of images, and of all frames of videos
  std::uint64_t frames = 0;  // of videos
  double video_seconds = 0;
  double sound_seconds = 0;

  [[nodiscard]] std::uint64_t unchecked() const noexcept {
    return not_chosen + queue_full + remote + no_codec;
  }
};

/// The line that `inferbench simulate` logs at its end, without a line ending. Empty if no
/// request had a medium.
[[nodiscard]] std::string summary_of(const media_totals& totals);

}  // namespace inferbench::simulator
