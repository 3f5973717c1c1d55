#include "run/progress.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace inferbench::run {

namespace {

constexpr std::uint64_t between_lines_ns = 10'000'000'000;

unsigned terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// A bar for a line of `width` columns in which `others` columns are used for text. The bar has at
/// most 40 columns and two brackets. It is empty if there is not enough room.
std::string bar_of(double share, std::size_t width, std::size_t others) {
  constexpr std::size_t brackets = 2;
  const std::size_t used = others + brackets;
  if (width <= used + 8) return {};
  const std::size_t bar = std::min<std::size_t>(width - used, 40);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(bar));
  return '[' + std::string(full, '#') + std::string(bar - full, '.') + ']';
}

}  // namespace

std::string clock_text(std::uint64_t seconds) {
  if (seconds >= 3600)
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string countdown_line(std::uint64_t elapsed_ns, std::uint64_t limit_ns, unsigned width) {
  const std::uint64_t passed = std::min(elapsed_ns, limit_ns);
  const double share =
      limit_ns == 0 ? 1 : static_cast<double>(passed) / static_cast<double>(limit_ns);
  constexpr std::uint64_t second = 1'000'000'000;
  const std::string text = fmt::format(" {} < {}", clock_text(passed / second),
                                       clock_text((limit_ns - passed) / second));
  std::string line = bar_of(share, width, text.size()) + text;
  if (line.size() > width) line.resize(width);
  return line;
}

namespace {

/// The parts of a line: the share of the run that is over, and the text after the bar.
struct progress_text {
  double share;
  std::string text;
};

progress_text text_of(const progress_state& state) {
  const double seconds = static_cast<double>(state.elapsed_ns) / 1e9;
  const double rate = seconds > 0 ? static_cast<double>(state.done) / seconds : 0;
  const bool counted = state.total != unknown_total;
  double share = state.total == 0 || !counted
                     ? 0
                     : static_cast<double>(state.done) / static_cast<double>(state.total);
  std::optional<std::uint64_t> left_s;
  if (rate > 0 && counted && state.total >= state.done)
    left_s = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(state.total - state.done) / rate));
  if (state.limit_ns != 0) {
    const std::uint64_t passed = std::min(state.elapsed_ns, state.limit_ns);
    share = std::max(share, static_cast<double>(passed) / static_cast<double>(state.limit_ns));
    left_s = std::min(left_s.value_or(unknown_total), (state.limit_ns - passed) / 1'000'000'000);
  }
  const std::string left = left_s ? clock_text(*left_s) : "?";
  std::string text =
      fmt::format(" {}{}  {:.1f} req/s  {} in flight", state.done,
                  counted ? fmt::format("/{}", state.total) : std::string(), rate, state.in_flight);
  if (state.failed > 0) text += fmt::format("  {} failed", state.failed);
  text += fmt::format("  {} < {}", clock_text(state.elapsed_ns / 1'000'000'000), left);
  return {share, std::move(text)};
}

}  // namespace

std::string plain_progress_line(const progress_state& state) {
  const auto [share, text] = text_of(state);
  return fmt::format("{:3.0f}%{}", share * 100, text);
}

void progress_lines::draw(const progress_state& state) {
  if (!write_ || state.elapsed_ns / between_lines_ns <= written_) return;
  written_ = state.elapsed_ns / between_lines_ns;
  write_(plain_progress_line(state));
}

std::string progress_line(const progress_state& state, unsigned width) {
  const auto [share, text] = text_of(state);
  constexpr std::size_t percent = 5;  // length of "100% "
  std::string line = fmt::format("{:3.0f}% ", share * 100);
  line += bar_of(share, width, percent + text.size()) + text;
  if (line.size() > width) line.resize(width);
  return line;
}

progress_bar::progress_bar(bool wanted) : on_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void progress_bar::draw(const progress_state& state) {
  if (on_) show(progress_line(state, terminal_width() - 1));
}

void progress_bar::draw_countdown(std::uint64_t elapsed_ns, std::uint64_t limit_ns) {
  if (on_) show(countdown_line(elapsed_ns, limit_ns, terminal_width() - 1));
}

void progress_bar::show(std::string line) {
  const std::lock_guard lock(mutex_);
  shown_ = std::move(line);
  write("\r\x1b[K" + shown_);
}

void progress_bar::clear() {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  if (!shown_.empty()) write("\r\x1b[K");
}

void progress_bar::redraw() {
  if (!on_) return;
  const std::lock_guard lock(mutex_);
  if (!shown_.empty()) write(shown_);
}

void progress_bar::end() {
  clear();
  const std::lock_guard lock(mutex_);
  shown_.clear();
}

void progress_bar::write(const std::string& text) {
  // Ignore write errors: a closed terminal must not end the run.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

beside_log_lines::beside_log_lines(base::log& log, progress_bar& bar) : log_(log) {
  log_.around_lines([&bar] { bar.clear(); }, [&bar] { bar.redraw(); });
}

beside_log_lines::~beside_log_lines() { log_.around_lines({}, {}); }

}  // namespace inferbench::run
