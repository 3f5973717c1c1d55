#include "check/recorder.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <inferbench/text.hpp>

#include "check/utf8.hpp"

namespace inferbench::check {

namespace {

// The number of bytes, and the first bytes in hexadecimal digits: "4 bytes 52494646".
std::string bytes_as_text(std::string_view bytes) {
  constexpr std::size_t most = 16;
  // Copies all bytes on purpose: a wrong length causes a crash here.
  const std::string all(bytes);
  std::string out = std::to_string(all.size()) + (all.size() == 1 ? " byte " : " bytes ");
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    out += fmt::format("{:02x}", static_cast<unsigned char>(all[i]));
  return all.size() > most ? out + "..." : out;
}

}  // namespace

struct heard {
  static recorder& of(ifb_output* output) { return *reinterpret_cast<recorder*>(output); }

  static void IFB_CALL token(ifb_output* o, const ifb_token* t) {
    if (!of(o).judge_size("ifb_token", t->struct_size, offsetof(ifb_token, mime) + sizeof t->mime))
      return;
    of(o).judge_text("on_token", ifb::view(t->text));
    static constexpr const char* channels[] = {"answer", "reasoning", "tool_call", "audio"};
    const std::string channel =
        t->channel < 4 ? channels[t->channel] : "channel " + std::to_string(t->channel);
    std::string line = "token " + std::to_string(t->choice) + " " + channel + " \"" +
                       std::string(ifb::view(t->text)) + "\"";
    if (t->data.size != 0) {
      if (t->mime == nullptr)
        of(o).blame({true, "an ifb_token has `data` and no `mime`", "set mime to the media type"});
      line += std::string(" ") + (t->mime == nullptr ? "" : t->mime) + " " +
              bytes_as_text(ifb::view(t->data));
    }
    of(o).hear(std::move(line), false);
  }
  static void IFB_CALL usage(ifb_output* o, const ifb_usage* u) {
    if (!of(o).judge_size("ifb_usage", u->struct_size,
                          offsetof(ifb_usage, reasoning_tokens) + sizeof u->reasoning_tokens))
      return;
    of(o).judge_reserved("ifb_usage", u->reserved);
    const auto count = [](std::int64_t n) { return n < 0 ? " -" : " " + std::to_string(n); };
    of(o).hear("usage" + count(u->prompt_tokens) + count(u->cached_tokens) +
                   count(u->output_tokens) + count(u->reasoning_tokens),
               false);
  }
  static void IFB_CALL attribute(ifb_output* o, ifb_str key, ifb_str value) {
    of(o).judge_text("on_attribute", ifb::view(key));
    of(o).judge_text("on_attribute", ifb::view(value));
    of(o).hear(
        "attribute " + std::string(ifb::view(key)) + " \"" + std::string(ifb::view(value)) + "\"",
        false);
  }
  static void IFB_CALL done(ifb_output* o, const ifb_done* d) {
    const bool readable = of(o).judge_size(
        "ifb_done", d->struct_size, offsetof(ifb_done, finish_reason) + sizeof d->finish_reason);
    const std::string reason(readable ? ifb::view(d->finish_reason) : std::string_view());
    if (readable) of(o).judge_reserved("ifb_done", d->reserved);
    of(o).judge_text("on_done", reason);
    of(o).hear("done " + reason, true);
  }
  static void IFB_CALL error(ifb_output* o, const ifb_error* e) {
    const std::string message(e->message, ::strnlen(e->message, sizeof e->message));
    of(o).judge_text("on_error", message);
    of(o).hear("error " + std::to_string(e->code) + " " + message, true);
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

bool recorder::done() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(lines_,
                             [](const std::string& line) { return line.starts_with("done "); });
}

std::string recorder::after_end() const {
  const std::lock_guard lock(mutex_);
  return after_end_;
}

finding recorder::odd() const {
  const std::lock_guard lock(mutex_);
  return odd_;
}

void recorder::blame(finding fault) {
  const std::lock_guard lock(mutex_);
  if (odd_.what.empty()) odd_ = std::move(fault);
}

// `least`: the size of the struct in version 1.0. False if the struct is too short to be read.
bool recorder::judge_size(const char* name, std::uint32_t size, std::size_t least) {
  if (size >= least) return true;
  blame({true,
         std::string("an ") + name + " has struct_size " + std::to_string(size) +
             ", less than its members of version 1.0 take",
         "set struct_size to the size of the struct (rule R3 in abi.h)"});
  return false;
}

void recorder::judge_reserved(const char* name, std::uint32_t value) {
  if (value != 0) blame(reserved_is_set(std::string("an ") + name, value));
}

// `function`: the function of ifb_events that got the text.
void recorder::judge_text(const char* function, std::string_view text) {
  if (texts_excused_ || is_utf8(text)) return;
  blame({true, std::string("the plugin reports text that is not UTF-8 with ") + function,
         "write U+FFFD for bytes that are no text, and keep a piece that ends inside a character "
         "until the rest has come (rule R1 in abi.h)"});
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
