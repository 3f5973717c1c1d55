#include "base/log.hpp"

#include <mutex>
#include <utility>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace inferbench::base {

namespace {

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
  if (state_->before) state_->before();
  state_->out.log(static_cast<spdlog::level::level_enum>(level),
                  spdlog::string_view_t(line.data(), line.size()));
  if (state_->after) state_->after();
}

void log::around_lines(std::function<void()> before, std::function<void()> after) {
  const std::lock_guard lock(state_->mutex);
  state_->before = std::move(before);
  state_->after = std::move(after);
}

}  // namespace inferbench::base
