#include "tune/logged_process.hpp"

#include <chrono>
#include <string_view>

namespace inferbench::tune {

namespace {

constexpr auto wait_interval = std::chrono::milliseconds(100);

}  // namespace

logged_process::logged_process(const std::vector<std::string>& words,
                               const std::filesystem::path& log)
    : log_(log),
      process_({.words = words, .on_text = [this](supervise::stream, std::string_view text) {
                  log_.write(text);
                }}) {}

std::optional<int> logged_process::awaited(const std::function<bool()>& give_up) {
  for (;;) {
    const auto status = process_.wait_until(
        supervise::supervised_process::time_point::clock::now() + wait_interval);
    if (status) return status;
    if (give_up()) return std::nullopt;
  }
}

}  // namespace inferbench::tune
