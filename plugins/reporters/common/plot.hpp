// For reporters that draw pictures. They write beside the result file. Their failures become
// warnings, because a picture is less important than the run's results.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include <inferbench/host.hpp>

#include "place.hpp"

namespace reporters {

/// Calls draw(path) with the path of the picture, and reports this path to the user. `what` is the
/// name of the picture in messages: "timeline".
template <typename function>
void draw_beside(ifb::host host, const place_options& given, own_place& place,
                 const ifb::run_description& run, const ifb_summary& summary, std::string_view what,
                 std::string_view ending, function&& draw) noexcept {
  try {
    std::filesystem::path path;
    try {
      path = place_beside(given, place.of(given, run, date_text(summary.finished_unix_ns)), ending);
      prepare_place(given, path);
      draw(path);
    } catch (const std::exception& why) {
      return host.warn("no " + std::string(what) + ": " + why.what());
    }
    if (const auto terminal = host.find_console()) terminal->artifact(what, path.string());
  } catch (...) {
    // Out of memory: not even a warning can be written.
  }
}

}  // namespace reporters
