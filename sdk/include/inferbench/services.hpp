// C++ wrappers of the host's services. All are handles that are cheap to copy. They are valid as
// long as the instance that received the host. The thread tags ([any], ...) have the same meaning
// as in abi.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace ifb {

namespace detail {

/// An ifb_error for a call into the host. Its message is not cleared as a whole, because a call
/// that succeeds should cost nothing.
class answered_error {
 public:
  answered_error() noexcept {
    error_.code = IFB_OK;
    error_.option = -1;
    error_.message[0] = '\0';
  }
  [[nodiscard]] ifb_error* get() noexcept { return &error_; }

  /// Throws failure unless `status` is IFB_OK, with the message of the call, or with the result of
  /// `fallback` if the call left no message. A positive status, which no call into the host has,
  /// becomes IFB_E_INTERNAL.
  template <typename text>
  void check(ifb_status status, text&& fallback) const {
    if (status == IFB_OK) return;
    throw failure{status < 0 ? status : static_cast<ifb_status>(IFB_E_INTERNAL),
                  error_.message[0] == '\0' ? fallback() : std::string{error_.message}};
  }

 private:
  ifb_error error_;
};

}  // namespace detail

namespace service {

/// The tokenizer of the run. [any] An error of the tokenizer is thrown as ifb::failure with the
/// tokenizer's own message.
class tokenizer {
 public:
  tokenizer(const ifb_host* host, const ifb_tokenizer_service* table) noexcept
      : host_(host), table_(table) {}

  [[nodiscard]] const char* name() const noexcept { return table_->name; }

  /// The views in the result are valid as long as the host.
  [[nodiscard]] ifb_vocabulary vocabulary() const {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    ask("describe its vocabulary",
        [&](ifb_error* error) { return table_->vocabulary(host_, &out, error); });
    return out;
  }

  /// `flags` is a combination of ifb_encode_flag.
  [[nodiscard]] std::uint64_t count(std::string_view text, std::uint32_t flags = 0) const {
    std::uint64_t out = 0;
    ask("count a text",
        [&](ifb_error* error) { return table_->count(host_, str(text), flags, &out, error); });
    return out;
  }

  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text,
                                                  std::uint32_t flags = 0) const {
    // Most tokenizers produce at most one token for three bytes, so the first call usually has
    // enough room; otherwise there is a second call.
    return twice<std::vector<std::uint32_t>>(
        text.size() / 3 + 16, "encode a text",
        [&](auto& ids, std::size_t* needed, ifb_error* error) {
          return table_->encode(host_, str(text), flags, ids.data(), ids.size(), needed, error);
        });
  }

  /// `flags` is a combination of ifb_decode_flag.
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids,
                                   std::uint32_t flags = 0) const {
    return twice<std::string>(ids.size() * 6 + 16, "decode tokens",
                              [&](auto& text, std::size_t* needed, ifb_error* error) {
                                return table_->decode(host_, ids.data(), ids.size(), flags,
                                                      text.data(), text.size(), needed, error);
                              });
  }

  /// Returns the prompt that the model's chat template makes from a conversation (abi.h). Throws
  /// failure with the message of the template, or with IFB_E_UNSUPPORTED if there is no template.
  [[nodiscard]] std::string render(std::string_view chat) const {
    if (!IFB_HAS(table_, render))
      throw failure{IFB_E_UNSUPPORTED, named() + " has no chat template"};
    return twice<std::string>(chat.size() * 2 + 4096, "render a conversation",
                              [&](auto& text, std::size_t* needed, ifb_error* error) {
                                return table_->render(host_, str(chat), text.data(), text.size(),
                                                      needed, error);
                              });
  }

 private:
  [[nodiscard]] std::string named() const { return std::string{"the tokenizer "} + name(); }

  /// `what` is the message if the tokenizer gives none.
  template <typename call>
  void ask(const char* what, call&& body) const {
    detail::answered_error error;
    const ifb_status status = body(error.get());
    error.check(status, [&] { return named() + " could not " + what; });
  }

  template <typename result, typename call>
  result twice(std::size_t guess, const char* what, call&& body) const {
    result out;
    out.resize(guess);
    std::size_t needed = 0;
    for (int round = 0; round < 2; ++round) {
      ask(what, [&](ifb_error* error) { return body(out, &needed, error); });
      const bool whole = needed <= out.size();
      out.resize(needed);
      if (whole) return out;
    }
    throw failure{IFB_E_INTERNAL, named() + " asked for more room than it had said"};
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
  std::vector<std::pair<std::string, std::string>> headers;  // name and value, as received

  /// Returns the value of the first header with this name, which is compared without case; empty if
  /// there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept {
    for (const auto& [key, value] : headers) {
      if (same_without_case(key, name)) return value;
    }
    return {};
  }
};

/// Requests that are not part of the measurement, to the server under test or to another server.
/// [any] Blocks.
class http {
 public:
  http(const ifb_host* host, const ifb_http_service* table) noexcept : host_(host), table_(table) {}

  /// `wanted.target` is a path such as "/tokenize", which the host appends to the base URL, or a
  /// whole URL of any server, to which the host adds neither API key nor the user's headers.
  /// Returns the answer, whatever its HTTP status is. Throws failure if there is no answer. A
  /// `timeout` of 0 or less is no limit.
  [[nodiscard]] http_answer request(const ifb_http_request& wanted,
                                    std::chrono::nanoseconds timeout) const {
    const auto free = [this](ifb_arena* memory) { table_->release(host_, memory); };
    const std::unique_ptr<ifb_arena, decltype(free)> memory{table_->arena(host_), free};
    if (memory == nullptr) throw std::bad_alloc{};
    ifb_http_answer answer{};
    answer.struct_size = sizeof answer;
    detail::answered_error error;
    const ifb_status status = table_->request(
        host_, &wanted, timeout.count() > 0 ? static_cast<std::uint64_t>(timeout.count()) : 0,
        memory.get(), &answer, error.get());
    error.check(status, [] { return std::string{"there was no answer"}; });
    http_answer out{answer.status, std::string{view(answer.body)}, {}};
    out.headers.reserve(answer.header_count);
    for (const ifb_field& each : std::span{answer.headers, answer.header_count})
      out.headers.emplace_back(view(each.name), view(each.value));
    return out;
  }

  /// Like request(), for a request without headers of its own.
  [[nodiscard]] http_answer fetch(std::string_view method, std::string_view target,
                                  std::string_view body, std::chrono::nanoseconds timeout) const {
    const ifb_bytes content = bytes(body);
    ifb_http_request wanted{};
    wanted.struct_size = sizeof wanted;
    wanted.method = str(method);
    wanted.target = str(target);
    wanted.body = &content;
    wanted.body_count = body.empty() ? 0 : 1;
    return request(wanted, timeout);
  }

 private:
  const ifb_host* host_;
  const ifb_http_service* table_;
};

}  // namespace service

}  // namespace ifb
