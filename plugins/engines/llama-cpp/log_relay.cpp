#include "log_relay.hpp"

#include <mutex>
#include <utility>

#include <inferbench/text.hpp>

namespace llama_cpp {

namespace {

// The errors that are kept, and their lengths in bytes. Together they fit into the message of an
// ifb_error beside the name of a model.
constexpr std::size_t most_errors = 4;
constexpr std::size_t longest_error = 200;

/// libllama may log from several threads, and writes a line in several pieces.
struct relay_state {
  std::mutex mutex;
  log_relay* receiver = nullptr;
  std::string begun;  // a line without its end
  ggml_log_level level = GGML_LOG_LEVEL_NONE;
};

relay_state& state_of_relay() {
  static relay_state state;
  return state;
}

}  // namespace

log_relay::log_relay(const llama_api& api, ifb::host host) : host_(host) {
  relay_state& state = state_of_relay();
  {
    const std::lock_guard lock(state.mutex);
    state.receiver = this;
    state.begun.clear();
  }
  api.llama_log_set(&log_relay::receive, nullptr);
}

log_relay::~log_relay() {
  relay_state& state = state_of_relay();
  const std::lock_guard lock(state.mutex);
  if (state.receiver == this) state.receiver = nullptr;
}

void log_relay::receive(ggml_log_level level, const char* text, void*) {
  relay_state& state = state_of_relay();
  const std::lock_guard lock(state.mutex);
  if (state.receiver == nullptr || text == nullptr) return;
  if (level != GGML_LOG_LEVEL_CONT) state.level = level;
  state.begun += text;
  for (std::size_t end = state.begun.find('\n'); end != std::string::npos;
       end = state.begun.find('\n')) {
    state.receiver->line(state.level, std::string_view(state.begun).substr(0, end));
    state.begun.erase(0, end + 1);
  }
}

void log_relay::line(ggml_log_level level, std::string_view text) {
  const bool error = level == GGML_LOG_LEVEL_ERROR;
  if (text.empty()) return;
  if (error || level == GGML_LOG_LEVEL_WARN)
    host_.warn("libllama: " + std::string(text));
  else
    host_.debug("libllama: " + std::string(text));
  if (!error) return;
  errors_.emplace_back(ifb::cut_utf8(text, longest_error));
  // The latest errors are the reason of a failure.
  if (errors_.size() > most_errors) errors_.erase(errors_.begin());
}

std::vector<std::string> log_relay::take_errors() {
  const std::lock_guard lock(state_of_relay().mutex);
  return std::exchange(errors_, {});
}

void log_relay::forget_errors() { static_cast<void>(take_errors()); }

std::string log_relay::with_reason(std::string_view what) {
  std::string out(what);
  const char* between = ": ";
  for (const std::string& each : take_errors())
    out += std::exchange(between, "; ") + each;
  return out;
}

}  // namespace llama_cpp
