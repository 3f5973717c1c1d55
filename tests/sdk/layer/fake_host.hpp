// A host for tests: arenas whose allocations can fail, a log that stores its lines, and the
// services that a test adds. The test owns it. Only one thread may use it.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

struct ifb_arena {
  std::vector<std::unique_ptr<std::max_align_t[]>> chunks;

  [[nodiscard]] bool holds(const void* at) const {
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const auto* first = reinterpret_cast<const std::byte*>(chunks[i].get());
      if (at >= first && at < first + sizes[i]) return true;
    }
    return false;
  }
  std::vector<std::size_t> sizes;
};

namespace sdk_test {

class fake_host {
 public:
  fake_host() {
    table_.c = {sizeof(ifb_host), IFB_ABI_MAJOR, IFB_ABI_MINOR, "0.1.0",    &log,
                &log_level,       &now,          &seed,         &cancelled, &alloc,
                &service,         &unix_now};
    table_.self = this;
  }
  fake_host(const fake_host&) = delete;
  fake_host& operator=(const fake_host&) = delete;

  [[nodiscard]] const ifb_host* table() const { return &table_.c; }
  ifb_arena* arena() { return &arena_; }

  std::vector<std::pair<std::uint32_t, std::string>> logged;
  std::uint32_t level = 2;
  std::uint32_t stopping = 0;
  int allocations_left = -1;  // further allocations return null; negative: no limit
  std::map<std::string, const void*> services;

  static fake_host& of(const ifb_host* c) { return *reinterpret_cast<const linked*>(c)->self; }

 private:
  struct linked {
    ifb_host c;
    fake_host* self;
  };

  static void log(const ifb_host* c, std::uint32_t level, ifb_str text) {
    of(c).logged.emplace_back(level, ifb::view(text));
  }
  static std::uint32_t log_level(const ifb_host* c) { return of(c).level; }
  static std::uint64_t now(const ifb_host*) { return 42; }
  static std::int64_t unix_now(const ifb_host*) { return 1'700'000'000'000'000'042; }
  static std::uint64_t seed(const ifb_host*, std::uint64_t stream) { return stream * 7; }
  static std::uint32_t cancelled(const ifb_host* c) { return of(c).stopping; }
  static void* alloc(const ifb_host* c, ifb_arena* arena, std::size_t bytes) {
    fake_host& self = of(c);
    if (self.allocations_left == 0) return nullptr;
    if (self.allocations_left > 0) --self.allocations_left;
    const std::size_t units = bytes / sizeof(std::max_align_t) + 1;
    arena->chunks.push_back(std::make_unique<std::max_align_t[]>(units));
    arena->sizes.push_back(bytes);
    std::memset(arena->chunks.back().get(), 0, units * sizeof(std::max_align_t));
    return arena->chunks.back().get();
  }
  static const void* service(const ifb_host* c, const char* id) {
    const auto found = of(c).services.find(id);
    return found == of(c).services.end() ? nullptr : found->second;
  }

  linked table_{};
  ifb_arena arena_;
};

/// An ifb_error with an old content that must be overwritten.
inline ifb_error stale_error() {
  ifb_error error{};
  error.code = 77;
  error.option = 77;
  std::strcpy(error.message, "stale");
  return error;
}

/// The reports of a codec, one line for each event.
struct heard_events {
  std::vector<std::string> lines;
  ifb_events table{};

  heard_events() {
    table.struct_size = sizeof table;
    table.on_token = [](ifb_output* to, const ifb_token* t) {
      of(to).push_back("token '" + std::string{ifb::view(t->text)} + "' " +
                       std::to_string(t->count) + " channel " + std::to_string(t->channel) +
                       " choice " + std::to_string(t->choice) + " at " + std::to_string(t->at));
      if (t->mime != nullptr)
        of(to).back() += " data '" + std::string{ifb::view(t->data)} + "' " + t->mime;
    };
    table.on_usage = [](ifb_output* to, const ifb_usage* u) {
      of(to).push_back("usage " + std::to_string(u->prompt_tokens) + " " +
                       std::to_string(u->cached_tokens) + " " + std::to_string(u->output_tokens) +
                       " " + std::to_string(u->reasoning_tokens));
    };
    table.on_attribute = [](ifb_output* to, ifb_str key, ifb_str value) {
      of(to).push_back("attribute " + std::string{ifb::view(key)} + "=" +
                       std::string{ifb::view(value)});
    };
    table.on_done = [](ifb_output* to, const ifb_done* done) {
      of(to).push_back("done " + std::string{ifb::view(done->finish_reason)});
    };
    table.on_error = [](ifb_output* to, const ifb_error* e) {
      of(to).push_back("error " + std::to_string(e->code) + " " + e->message);
    };
  }
  ifb_output* handle() { return reinterpret_cast<ifb_output*>(this); }
  static std::vector<std::string>& of(ifb_output* to) {
    return reinterpret_cast<heard_events*>(to)->lines;
  }
};

/// The values of a plugin's options, as the host passes them to create.
inline ifb_config config_of(const std::vector<ifb_value>& values,
                            const ifb_plugin* plugin = nullptr) {
  return {sizeof(ifb_config), static_cast<std::uint32_t>(values.size()), values.data(), plugin,
          "/lib/plugin.so"};
}

/// One message of an answer, with the time 5.
inline ifb_http_message message_of(std::string_view event, std::string_view data) {
  return {sizeof(ifb_http_message), 0, ifb::str(event), ifb::bytes(data), 5};
}
inline constexpr ifb_http_end plain_end = {sizeof(ifb_http_end), 0, nullptr, 0};

/// Creates and destroys one instance of a described plugin.
class made {
 public:
  made(const ifb_plugin& plugin, const fake_host& host, const std::vector<ifb_value>& values = {})
      : plugin_(plugin) {
    const ifb_config config = config_of(values, &plugin);
    status = plugin.create(host.table(), &config, &self_, &error);
  }
  made(const made&) = delete;
  made& operator=(const made&) = delete;
  ~made() {
    if (self_ != nullptr) plugin_.destroy(self_);
  }

  [[nodiscard]] ifb_instance* get() const { return self_; }
  template <typename operations>
  [[nodiscard]] const operations& table(const char* id) const {
    return *static_cast<const operations*>(plugin_.query(&plugin_, id));
  }

  ifb_status status = 77;
  ifb_error error = stale_error();

 private:
  const ifb_plugin& plugin_;
  ifb_instance* self_ = nullptr;
};

inline ifb_value text_value(ifb_type type, std::string_view text) {
  ifb_value value{};
  value.type = type;
  value.is_set = 1;
  value.as.s = ifb::str(text);
  return value;
}
inline ifb_value integer_value(ifb_type type, std::int64_t number) {
  ifb_value value{};
  value.type = type;
  value.is_set = 1;
  value.as.i = number;
  return value;
}

}  // namespace sdk_test
