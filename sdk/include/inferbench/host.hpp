// C++ wrappers of the host: ifb::host, its services, and arenas. All are handles that are cheap to
// copy. They are valid as long as the instance that received the host. The thread tags ([any], ...)
// have the same meaning as in abi.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace ifb {

/// Memory of the host. The host frees the arena as a whole and does not run destructors. Only
/// the thread that received the arena may use it. All functions throw std::bad_alloc if the arena
/// is exhausted.
class arena {
 public:
  arena(const ifb_host* host, ifb_arena* handle) noexcept : host_(host), handle_(handle) {}

  /// Returns memory that is zeroed and 16-byte aligned.
  [[nodiscard]] void* allocate(std::size_t bytes) const {
    void* memory = host_->alloc(host_, handle_, bytes);
    if (memory == nullptr) throw std::bad_alloc{};
    return memory;
  }

  [[nodiscard]] std::string_view copy(std::string_view text) const {
    if (text.empty()) return {};
    auto* to = static_cast<char*>(allocate(text.size()));
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  template <typename object, typename... arguments>
  object* make(arguments&&... values) const {
    static_assert(std::is_trivially_destructible_v<object>, "an arena runs no destructors");
    static_assert(alignof(object) <= 16, "an arena aligns to 16 bytes");
    return ::new (allocate(sizeof(object))) object{std::forward<arguments>(values)...};
  }

  /// Returns `count` value-initialised elements.
  template <typename element>
  [[nodiscard]] std::span<element> array(std::size_t count) const {
    static_assert(std::is_trivially_destructible_v<element>, "an arena runs no destructors");
    static_assert(alignof(element) <= 16, "an arena aligns to 16 bytes");
    if (count == 0) return {};
    if (count > SIZE_MAX / sizeof(element)) throw std::bad_array_new_length{};
    auto* first = static_cast<element*>(allocate(count * sizeof(element)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  template <typename element>
  [[nodiscard]] std::span<element> copy(std::span<const element> from) const {
    static_assert(std::is_trivially_copyable_v<element>);
    if (from.empty()) return {};
    if (from.size() > SIZE_MAX / sizeof(element)) throw std::bad_array_new_length{};
    auto* first = static_cast<element*>(allocate(from.size_bytes()));
    std::uninitialized_copy_n(from.data(), from.size(), first);
    return {first, from.size()};
  }

  [[nodiscard]] ifb_arena* handle() const noexcept { return handle_; }

 private:
  const ifb_host* host_;
  ifb_arena* handle_;
};

namespace service {

/// The tokenizer of the run. [any] Errors of the tokenizer are thrown as ifb::failure.
class tokenizer {
 public:
  tokenizer(const ifb_host* host, const ifb_tokenizer_service* table) noexcept
      : host_(host), table_(table) {}

  [[nodiscard]] const char* name() const noexcept { return table_->name; }

  /// The views in the result are valid as long as the host.
  [[nodiscard]] ifb_vocabulary vocabulary() const {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    check(table_->vocabulary(host_, &out), "describe its vocabulary");
    return out;
  }

  /// `flags` is a combination of ifb_encode_flag.
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags = 0) const {
    std::uint64_t out = 0;
    check(table_->count(host_, str(text), flags, &out), "count a text");
    return out;
  }

  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text,
                                                  std::uint32_t flags = 0) const {
    // Most tokenizers produce at most one token for three bytes, so the first call usually has
    // enough room; otherwise there is a second call.
    return twice<std::vector<std::uint32_t>>(
        text.size() / 3 + 16, "encode a text", [&](auto& ids, std::size_t* needed) {
          return table_->encode(host_, str(text), flags, ids.data(), ids.size(), needed);
        });
  }

  /// `flags` is a combination of ifb_decode_flag.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids,
                                   std::uint32_t flags = 0) const {
    return twice<std::string>(ids.size() * 6 + 16, "decode tokens",
                              [&](auto& text, std::size_t* needed) {
                                return table_->decode(host_, ids.data(), ids.size(), flags,
                                                      text.data(), text.size(), needed);
                              });
  }

  /// Returns the prompt that the model's chat template makes from a conversation (abi.h). Throws
  /// failure with the message of the template, or with IFB_E_UNSUPPORTED if there is no template.
  [[nodiscard]] std::string render(std::string_view chat) const {
    if (table_->struct_size < sizeof *table_ || table_->render == nullptr)
      throw failure{IFB_E_UNSUPPORTED,
                    std::string{"the tokenizer "} + name() + " has no chat template"};
    ifb_error error{};
    std::string out(chat.size() * 2 + 4096, '\0');
    std::size_t needed = 0;
    for (int round = 0; round < 2; ++round) {
      const ifb_status status =
          table_->render(host_, str(chat), out.data(), out.size(), &needed, &error);
      if (status < 0) throw failure{status, error.message};
      const bool whole = needed <= out.size();
      out.resize(needed);
      if (whole) return out;
    }
    throw failure{IFB_E_INTERNAL,
                  std::string{"the tokenizer "} + name() + " asked for more room than it had said"};
  }

 private:
  void check(ifb_status status, const char* what) const {
    if (status < 0)
      throw failure{status, std::string{"the tokenizer "} + name() + " could not " + what};
  }

  template <typename result, typename call>
  result twice(std::size_t guess, const char* what, call&& ask) const {
    result out;
    out.resize(guess);
    std::size_t needed = 0;
    check(ask(out, &needed), what);
    if (needed > out.size()) {
      out.resize(needed);
      check(ask(out, &needed), what);
      if (needed > out.size())
        throw failure{IFB_E_INTERNAL, std::string{"the tokenizer "} + name() +
                                          " asked for more room than it had said"};
    }
    out.resize(needed);
    return out;
  }

  const ifb_host* host_;
  const ifb_tokenizer_service* table_;
};

/// Shows the user the progress of a long preparation. [any] Does nothing if the host does not have
/// this service.
class progress {
 public:
  progress(const ifb_host* host, const ifb_progress_service* table) noexcept
      : host_(host), table_(table) {}

  /// `total` is 0 if it is unknown.
  void report(std::string_view what, std::uint64_t done, std::uint64_t total = 0) const {
    if (table_ != nullptr) table_->report(host_, str(what), done, total);
  }

 private:
  const ifb_host* host_;
  const ifb_progress_service* table_;
};

/// The user's terminal. [any]
class console {
 public:
  console(const ifb_host* host, const ifb_console_service* table) noexcept
      : host_(host), table_(table) {}

  void print(std::string_view text) const { table_->print(host_, str(text)); }
  /// Shows the user where a file was written. `what` is, for example, "result".
  void artifact(std::string_view what, std::string_view path) const {
    table_->artifact(host_, str(what), str(path));
  }

 private:
  const ifb_host* host_;
  const ifb_console_service* table_;
};

struct http_answer {
  std::uint32_t status = 0;
  std::string body;
};

/// Requests to the server under test that are not part of the measurement. [any] Blocks.
class http {
 public:
  http(const ifb_host* host, const ifb_http_service* table) noexcept : host_(host), table_(table) {}

  /// `target` is, for example, "/tokenize"; it is appended to the base URL. Returns the answer,
  /// whatever its HTTP status is. Throws failure if there is no answer.
  [[nodiscard]] http_answer fetch(std::string_view method, std::string_view target,
                                  std::string_view body, std::chrono::nanoseconds timeout) const {
    const auto free = [this](ifb_arena* memory) { table_->release(host_, memory); };
    const std::unique_ptr<ifb_arena, decltype(free)> memory{table_->arena(host_), free};
    if (memory == nullptr) throw std::bad_alloc{};
    http_answer out;
    ifb_bytes answer{};
    ifb_error error{};
    error.option = -1;
    const ifb_status status =
        table_->fetch(host_, str(method), str(target), bytes(body),
                      timeout.count() > 0 ? static_cast<std::uint64_t>(timeout.count()) : 0,
                      memory.get(), &out.status, &answer, &error);
    if (status < 0) throw failure{status, error.message};
    out.body = view(answer);
    return out;
  }

 private:
  const ifb_host* host_;
  const ifb_http_service* table_;
};

}  // namespace service

enum class log_level : std::uint32_t { trace, debug, info, warn, error, critical };

/// The host, in the form that a plugin's constructor receives. [any]
class host {
 public:
  explicit host(const ifb_host* table) noexcept : table_(table) {}

  /// `text` must be one line without a newline.
  void log(log_level level, std::string_view text) const {
    table_->log(table_, static_cast<std::uint32_t>(level), str(text));
  }
  void debug(std::string_view text) const { log(log_level::debug, text); }
  void info(std::string_view text) const { log(log_level::info, text); }
  void warn(std::string_view text) const { log(log_level::warn, text); }
  void error(std::string_view text) const { log(log_level::error, text); }
  /// If this returns false, the host drops texts of this level, so they need not be composed.
  [[nodiscard]] bool listens(log_level level) const {
    return static_cast<std::uint32_t>(level) >= table_->log_level(table_);
  }

  /// Returns monotonic time in nanoseconds. All times that a plugin reports must come from this
  /// clock.
  [[nodiscard]] std::uint64_t now() const { return table_->now(table_); }
  /// Returns a seed for one random stream of the plugin. It depends only on the seed of the run and
  /// on `stream`, so it is the same on every machine.
  [[nodiscard]] std::uint64_t seed(std::uint64_t stream) const {
    return table_->seed(table_, stream);
  }
  /// Returns true if the run is being stopped.
  [[nodiscard]] bool cancelled() const { return table_->cancelled(table_) != 0; }
  /// Returns the version of the host program, for example "0.1.0".
  [[nodiscard]] const char* version() const noexcept { return table_->version; }

  /// Services. If this run does not have the service, the functions without "find" throw failure
  /// (IFB_E_UNSUPPORTED). The only exception is progress, which then does nothing.
  [[nodiscard]] std::optional<service::tokenizer> find_tokenizer() const {
    return find<service::tokenizer, ifb_tokenizer_service>(IFB_SERVICE_TOKENIZER);
  }
  [[nodiscard]] service::tokenizer tokenizer() const {
    return need(find_tokenizer(), "a tokenizer, and this run goes without one");
  }
  [[nodiscard]] service::progress progress() const {
    return {table_, static_cast<const ifb_progress_service*>(
                        table_->service(table_, IFB_SERVICE_PROGRESS))};
  }
  [[nodiscard]] std::optional<service::console> find_console() const {
    return find<service::console, ifb_console_service>(IFB_SERVICE_CONSOLE);
  }
  [[nodiscard]] service::console console() const {
    return need(find_console(), "a console, and this host has none");
  }
  [[nodiscard]] std::optional<service::http> find_http() const {
    return find<service::http, ifb_http_service>(IFB_SERVICE_HTTP);
  }
  [[nodiscard]] service::http http() const {
    return need(find_http(), "the server under test, and this run has none");
  }

  [[nodiscard]] const ifb_host* table() const noexcept { return table_; }

 private:
  template <typename wrapper, typename table>
  std::optional<wrapper> find(const char* id) const {
    const auto* found = static_cast<const table*>(table_->service(table_, id));
    if (found == nullptr) return std::nullopt;
    return wrapper{table_, found};
  }
  template <typename wrapper>
  static wrapper need(const std::optional<wrapper>& found, const char* what) {
    if (!found) throw failure{IFB_E_UNSUPPORTED, std::string{"the plugin needs "} + what};
    return *found;
  }

  const ifb_host* table_;
};

}  // namespace ifb
