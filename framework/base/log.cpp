#include "base/log.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace inferbench::base {

namespace {

// Lines that are kept while the log is held.
constexpr std::size_t most_kept = 10'000;

using line_function = std::function<void(log_level, std::string_view)>;

class function_sink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit function_sink(line_function write) : write_(std::move(write)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    write_(static_cast<log_level>(message.level), {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

  line_function write_;
};

}  // namespace

struct log::state {
  explicit state(std::shared_ptr<spdlog::sinks::sink> sink) : out("inferbench", std::move(sink)) {
    out.set_level(spdlog::level::trace);
    out.flush_on(spdlog::level::trace);
  }
  std::mutex mutex;
  spdlog::logger out;
  std::function<void()> before;
  std::function<void()> after;

  struct line {
    log_level level;
    std::string text;
  };
  bool held = false;
  std::vector<line> kept;
  std::size_t left_out = 0;  // lines beyond most_kept
  std::function<void()> uncover;

  void write(log_level level, std::string_view text) {
    if (before) before();
    out.log(static_cast<spdlog::level::level_enum>(level),
            spdlog::string_view_t(text.data(), text.size()));
    if (after) after();
  }

  /// The caller holds the mutex.
  void release() {
    if (!std::exchange(held, false)) return;
    for (const line& each : std::exchange(kept, {}))
      write(each.level, each.text);
    if (const std::size_t more = std::exchange(left_out, 0); more != 0)
      write(log_level::warning, std::to_string(more) + " further lines are not shown");
    uncover = {};
  }
};

log::log(log_level level) : level_(level) {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_st>();
  sink->set_pattern("%l: %v");
  state_ = std::make_unique<state>(std::move(sink));
}

log::log(log_level level, line_function sink)
    : level_(level),
      state_(std::make_unique<state>(std::make_shared<function_sink>(std::move(sink)))) {}

log::~log() = default;

void log::write(log_level level, std::string_view line) {
  if (level < level_) return;
  const std::lock_guard lock(state_->mutex);
  if (!state_->held)
    state_->write(level, line);
  else if (state_->kept.size() < most_kept)
    state_->kept.push_back({level, std::string(line)});
  else
    ++state_->left_out;
}

void log::hold(std::function<void()> uncover) {
  const std::lock_guard lock(state_->mutex);
  if (std::exchange(state_->held, true)) return;
  state_->uncover = std::move(uncover);
}

void log::release() {
  const std::lock_guard lock(state_->mutex);
  state_->release();
}

void log::release_at_once() {
  const std::lock_guard lock(state_->mutex);
  if (state_->held && state_->uncover) state_->uncover();
  state_->release();
}

std::vector<std::string> log::kept(std::size_t count) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> out;
  const auto& all = state_->kept;
  for (std::size_t i = all.size() - std::min(count, all.size()); i < all.size(); ++i) {
    const auto name =
        spdlog::level::to_string_view(static_cast<spdlog::level::level_enum>(all[i].level));
    out.push_back(std::string(name.data(), name.size()) + ": " + all[i].text);
  }
  return out;
}

void log::around_lines(std::function<void()> before, std::function<void()> after) {
  const std::lock_guard lock(state_->mutex);
  state_->before = std::move(before);
  state_->after = std::move(after);
}

}  // namespace inferbench::base
