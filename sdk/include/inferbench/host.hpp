// ifb::host, the C++ wrapper of the host. It is a handle that is cheap to copy. It is valid as long
// as the instance that received it. The thread tags ([any], ...) have the same meaning as in abi.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/arena.hpp>
#include <inferbench/guard.hpp>
#include <inferbench/services.hpp>
#include <inferbench/text.hpp>

namespace ifb {

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
  /// Returns nanoseconds since 1970-01-01 UTC, for dates and signatures. Latencies need now(),
  /// because the wall clock may jump.
  [[nodiscard]] std::int64_t unix_now() const { return table_->unix_now(table_); }
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
    return need(find_http(), "to send requests, and this host sends none for plugins");
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
