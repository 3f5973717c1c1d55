#include "check/recorder.hpp"

#include <cstddef>

#include <inferbench/text.hpp>

namespace inferbench::check {

struct heard {
  static recorder& of(ifb_output* output) { return *reinterpret_cast<recorder*>(output); }

  static void IFB_CALL token(ifb_output* o, const ifb_token* t) {
    of(o).judge_size("ifb_token", t->struct_size, offsetof(ifb_token, at) + sizeof t->at);
    static constexpr const char* channels[] = {"answer", "reasoning", "tool_call", "audio"};
    const std::string channel =
        t->channel < 4 ? channels[t->channel] : "channel " + std::to_string(t->channel);
    of(o).hear("token " + std::to_string(t->choice) + " " + channel + " \"" +
                   std::string(ifb::view(t->text)) + "\"",
               false);
  }
  static void IFB_CALL usage(ifb_output* o, const ifb_usage* u) {
    of(o).judge_size("ifb_usage", u->struct_size,
                     offsetof(ifb_usage, reasoning_tokens) + sizeof u->reasoning_tokens);
    const auto count = [](std::int64_t n) { return n < 0 ? " -" : " " + std::to_string(n); };
    of(o).hear("usage" + count(u->prompt_tokens) + count(u->cached_tokens) +
                   count(u->output_tokens) + count(u->reasoning_tokens),
               false);
  }
  static void IFB_CALL attribute(ifb_output* o, ifb_str key, ifb_str value) {
    of(o).hear(
        "attribute " + std::string(ifb::view(key)) + " \"" + std::string(ifb::view(value)) + "\"",
        false);
  }
  static void IFB_CALL done(ifb_output* o, ifb_str reason) {
    of(o).hear("done " + std::string(ifb::view(reason)), true);
  }
  static void IFB_CALL error(ifb_output* o, const ifb_error* e) {
    of(o).hear("error " + std::to_string(e->code) + " " +
                   std::string(e->message, ::strnlen(e->message, sizeof e->message)),
               true);
  }
};

recorder::recorder(lending how) : memory_(how) {
  events_ = memory_.put(ifb_events{sizeof(ifb_events), 0, &heard::token, &heard::usage,
                                   &heard::attribute, &heard::done, &heard::error});
}

std::vector<std::string> recorder::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

int recorder::ends() const {
  const std::lock_guard lock(mutex_);
  return ends_;
}

std::string recorder::after_end() const {
  const std::lock_guard lock(mutex_);
  return after_end_;
}

std::string recorder::odd() const {
  const std::lock_guard lock(mutex_);
  return odd_;
}

// `least`: the size of the struct in version 1.0.
void recorder::judge_size(const char* name, std::uint32_t size, std::size_t least) {
  if (size >= least) return;
  const std::lock_guard lock(mutex_);
  odd_ = std::string("an ") + name + " has struct_size " + std::to_string(size) +
         ", less than its members of version 1.0 take";
}

void recorder::add(std::string line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
}

bool recorder::wait_for_end(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, limit, [this] { return ends_ > 0; });
}

void recorder::hear(std::string line, bool end) {
  const std::lock_guard lock(mutex_);
  if (ends_ > 0 && after_end_.empty()) after_end_ = line;
  lines_.push_back(std::move(line));
  if (!end) return;
  ++ends_;
  ended_.notify_all();
}

}  // namespace inferbench::check
