#include "tune/logged_process.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::tune {

namespace {

constexpr std::size_t shown_lines = 20;
constexpr auto wait_interval = std::chrono::milliseconds(100);

base::fd opened(const std::filesystem::path& file) {
  base::fd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!out) throw base::error("cannot write " + file.string() + ": " + std::strerror(errno));
  return out;
}

}  // namespace

logged_process::logged_process(const logged_program& what)
    : log_(opened(what.log)),
      process_({.words = what.words,
                .extra_environment = what.variables,
                .on_text = [this](supervise::stream, std::string_view text) { write(text); }}) {}

std::optional<int> logged_process::wait_until(supervise::supervised_process::time_point deadline) {
  return process_.wait_until(deadline);
}

std::string logged_process::last_lines_clause() const {
  const std::string lines = last_lines(shown_lines);
  return lines.empty() ? "; it has printed nothing" : "; the last lines of its output:\n" + lines;
}

void logged_process::write(std::string_view text) noexcept {
  while (!text.empty() && write_problem_ == 0) {
    const ssize_t wrote = ::write(log_.get(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0)
      write_problem_ = errno;
    else
      text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::optional<int> awaited(logged_process& what, const std::function<bool()>& give_up) {
  for (;;) {
    const auto status =
        what.wait_until(supervise::supervised_process::time_point::clock::now() + wait_interval);
    if (status) return status;
    if (give_up()) return std::nullopt;
  }
}

}  // namespace inferbench::tune
