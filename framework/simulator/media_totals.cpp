#include "simulator/media_totals.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace inferbench::simulator {

namespace {

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string summary_of(const media_totals& totals) {
  if (totals.checked + totals.unchecked() == 0) return {};
  std::string decoded;
  const auto add = [&](std::uint64_t count, std::string_view noun, const std::string& extent) {
    if (count == 0) return;
    decoded += decoded.empty() ? " (" : ", ";
    decoded += counted(count, noun) + extent;
  };
  add(totals.images, "image", "");
  add(totals.videos, "video",
      fmt::format(" of {} and {:.1f} s", counted(totals.frames, "frame"), totals.video_seconds));
  add(totals.sounds, "sound", fmt::format(" of {:.1f} s", totals.sound_seconds));
  if (totals.pixels != 0) decoded += ", " + counted(totals.pixels, "pixel");
  if (!decoded.empty()) decoded += ')';
  std::string out = fmt::format(
      "media: {} checked{}, {}, {} unchecked", totals.checked, decoded,
      totals.mismatches == 1 ? "1 mismatch" : fmt::format("{} mismatches", totals.mismatches),
      totals.unchecked());
  const std::array<std::pair<std::uint64_t, std::string_view>, 4> reasons{
      {{totals.not_chosen, "not chosen"},
       {totals.queue_full, "queue full"},
       {totals.remote, "remote"},
       {totals.no_codec, "no codec"}}};
  std::string why;
  for (const auto& [count, reason] : reasons)
    if (count != 0) why += fmt::format("{}{} {}", why.empty() ? " (" : ", ", count, reason);
  return out + why + (why.empty() ? "" : ")");
}

}  // namespace inferbench::simulator
