// Every call from the host into a C++ plugin goes through guard(), which converts an exception of
// the plugin to a status and an ifb_error (rule R7 in abi.h). Any thread may call it.
#pragma once

#include <algorithm>
#include <exception>
#include <ios>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

namespace ifb {

/// A plugin throws this exception to fail a call with a status of its choice.
/// `throw ifb::failure{IFB_E_CONFIG, "expected http or https", "url"};`
class failure : public std::exception {
 public:
  /// `option` is the name of the declared option that is at fault, or empty. The host then shows
  /// the user the line that set this option.
  failure(ifb_status code, std::string message, std::string option = {})
      : code_(code), message_(std::move(message)), option_(std::move(option)) {}

  [[nodiscard]] ifb_status code() const noexcept { return code_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::string& option() const noexcept { return option_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  ifb_status code_;
  std::string message_;
  std::string option_;
};

/// Fills `error` unless it is null. `message` is cut at a UTF-8 boundary and at its first zero
/// byte. Invalid UTF-8, for example from a damaged file, becomes "?" (rule R1 in abi.h). An empty
/// message is replaced by "no reason was given".
inline void fill(ifb_error* error, ifb_status code, std::string_view message,
                 std::int32_t option = -1) noexcept {
  if (error == nullptr) return;
  error->code = code;
  error->option = option;
  std::string_view text = message.substr(0, message.find('\0'));
  text = text.empty() ? "no reason was given" : cut_utf8(text, sizeof error->message - 1);
  char* out = error->message;
  while (!text.empty()) {
    const auto [length, good] = utf8_sequence(text);
    if (good)
      out = std::copy_n(text.data(), length, out);
    else
      *out++ = '?';
    text.remove_prefix(length);
  }
  *out = '\0';
}

namespace detail {

inline std::int32_t index_of(std::span<const ifb_option> options, std::string_view name) noexcept {
  for (std::size_t i = 0; i < options.size() && !name.empty(); ++i) {
    if (name == options[i].name) return static_cast<std::int32_t>(i);
  }
  return -1;
}

/// Converts the current exception to a status and an ifb_error. This function is not inlined, so
/// that the code for exceptions does not enlarge each guarded call.
[[gnu::cold, gnu::noinline]] inline ifb_status caught(
    ifb_error* error, std::span<const ifb_option> options) noexcept {
  try {
    throw;
  } catch (const failure& e) {
    // A failure with a success code is a mistake of the plugin's author.
    const ifb_status code = e.code() < 0 ? e.code() : static_cast<ifb_status>(IFB_E_INTERNAL);
    fill(error, code, e.message(), index_of(options, e.option()));
    return code;
  } catch (const std::bad_alloc&) {
    fill(error, IFB_E_MEMORY, "out of memory");
    return IFB_E_MEMORY;
  } catch (const std::system_error& e) {  // also std::ios_base::failure
    fill(error, IFB_E_IO, e.what());
    return IFB_E_IO;
  } catch (const std::exception& e) {
    fill(error, IFB_E_INTERNAL, e.what());
    return IFB_E_INTERNAL;
  } catch (...) {
    fill(error, IFB_E_INTERNAL, "an exception of unknown type");
    return IFB_E_INTERNAL;
  }
}

}  // namespace detail

/// Runs `body` and returns its ifb_status, or IFB_OK if it returns nothing. If `body` throws, the
/// result depends on the exception: a failure gives its own code (IFB_E_INTERNAL if that code means
/// success), std::bad_alloc IFB_E_MEMORY, std::system_error IFB_E_IO, and all other exceptions
/// IFB_E_INTERNAL. `error` may be null.
/// `options` is used to convert the option name in a failure to an index.
template <typename call>
[[nodiscard]] ifb_status guard(ifb_error* error, std::span<const ifb_option> options,
                               call&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<call>>) {
      std::forward<call>(body)();
      return IFB_OK;
    } else {
      return std::forward<call>(body)();
    }
  } catch (...) {
    return detail::caught(error, options);
  }
}

template <typename call>
[[nodiscard]] ifb_status guard(ifb_error* error, call&& body) noexcept {
  return guard(error, {}, std::forward<call>(body));
}

}  // namespace ifb
