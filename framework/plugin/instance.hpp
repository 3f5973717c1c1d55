// One created plugin, and its operation tables. The tables are complete (complete.hpp), so that
// callers need not test for NULL. Calls leave breadcrumbs (operations.hpp). The tags in abi.h
// specify the allowed threads.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "plugin/host.hpp"
#include "plugin/library.hpp"
#include "plugin/operations.hpp"

namespace inferbench::plugin {

/// A plugin's refusal, in create or in another call of the set-up. `option` is the index of the
/// wrong option, or -1. With this index, config can name the line that set the option.
class refused : public base::error {
 public:
  refused(std::string message, int option, ifb_status code)
      : base::error(std::move(message)), option_(option), code_(code) {}
  /// A copy of `why`, with the message of `shown`.
  refused(base::error shown, const refused& why)
      : base::error(std::move(shown)), option_(why.option_), code_(why.code_) {}
  [[nodiscard]] int option() const noexcept { return option_; }
  [[nodiscard]] ifb_status code() const noexcept { return code_; }

 private:
  int option_;
  ifb_status code_;
};

/// Owns an ifb_instance and the host object that was lent to it.
class instance {
 public:
  /// Calls create. `values[i]` is the value of `library.options()[i]`. Throws refused.
  instance(loaded library, std::span<const ifb_value> values, const services& shared);
  instance(const instance&) = delete;
  instance& operator=(const instance&) = delete;
  ~instance();

  [[nodiscard]] ifb_instance* get() const noexcept { return self_; }
  [[nodiscard]] const loaded& library() const noexcept { return library_; }
  /// Whether the plugin has a boolean option with this name, and the option is on.
  [[nodiscard]] bool is_on(std::string_view option) const;
  /// The plugin's unchecked table for this interface, or nullptr.
  [[nodiscard]] const void* query(const char* interface_id) const;

  /// The object that collects the times of this plugin's calls. Memory is reserved for the kinds in
  /// `often`. Valid as long as this object.
  [[nodiscard]] cost_sheet* cost_sheet_for(std::initializer_list<call> often) const;
  /// The costs of the plugin's calls since the last call of this function. Any thread.
  [[nodiscard]] std::vector<call_cost> take_costs() const { return costs_->take(); }

 private:
  loaded library_;
  std::unique_ptr<host> host_;
  std::unique_ptr<cost_sheet> costs_;
  ifb_instance* self_ = nullptr;
  std::vector<std::string> on_;  // names of the boolean options that are on
};

/// The operations of a plugin. Throws base::error if the plugin does not offer the interface
/// ("backend x offers inferbench.http-codec/2; this host speaks inferbench.http-codec/1 and
/// inferbench.engine/1"), or if a member that the contract demands is missing in its table.
[[nodiscard]] codec codec_of(const instance& backend);
[[nodiscard]] engine engine_of(const instance& backend);
[[nodiscard]] dataset dataset_of(const instance& from);
[[nodiscard]] reporter reporter_of(const instance& from);
[[nodiscard]] table_reporter table_reporter_of(const instance& from);
[[nodiscard]] tokenizer tokenizer_of(const instance& from);

/// Whether the plugin sends its requests itself: it offers an engine but not a codec.
[[nodiscard]] bool is_engine(const loaded& backend) noexcept;

/// The message of an ifb_error that a failed call has filled in. If the plugin left the message
/// empty, a text for `status`. Always one line of valid UTF-8.
[[nodiscard]] std::string text_of(const ifb_error& error, ifb_status status);

/// An empty error that can be passed to a plugin.
[[nodiscard]] ifb_error empty_error() noexcept;

inline std::string_view view(ifb_str s) noexcept {
  return s.size == 0 ? std::string_view{} : std::string_view{s.data, s.size};
}
inline std::string_view view(ifb_bytes b) noexcept {
  return b.size == 0 ? std::string_view{}
                     : std::string_view{static_cast<const char*>(b.data), b.size};
}
inline ifb_str str(std::string_view s) noexcept { return {s.data(), s.size()}; }

}  // namespace inferbench::plugin
